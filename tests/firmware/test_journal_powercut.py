"""A fixed twentieth of `make powercut`: nothing that the screen has shown is ever lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("part", ["shim", "kills", "cuts", "flips", "full"])
def test_nothing_that_was_shown_is_lost(part: str) -> None:
    command = [sys.executable, "scripts/powercut.py", "--part", part, "--share", "20"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    skipped = [line for line in done.stdout.splitlines() if line.strip().startswith("skipped")]
    if skipped:
        pytest.skip(skipped[0].strip())
    assert done.stdout.rstrip().endswith("nothing was lost")
    if part == "shim":
        assert "control run with synchronous=OFF: 3 of 3 power cuts lost something" in done.stdout
