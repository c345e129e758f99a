"""Crops as whoever trains the networks makes them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

TRAIN = Path(__file__).resolve().parents[2] / "scripts" / "train"


def make_crops(script: str, out: Path, *options: str) -> dict[str, np.ndarray]:
    """What a script of `scripts/train` writes to `out`."""
    command = [sys.executable, str(TRAIN / script), str(out), *options]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    with np.load(out) as data:
        return dict(data)
