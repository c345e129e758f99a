"""Whole made pictures with their truth, to set the reader's limits on: `python scripts/train/stage.py OUT --count 200`.

Room: none; a tool for whoever trains. Knows the made scenes; not the reader. Writes pictures and `truth.jsonl`, a line
a picture: `expect` (`read`; `cocked`; `hidden` where a die is partly covered or cut off), sorted `values`, and for each
die value, lean in degrees, centre and corners in pixels. `scripts/accuracy.py` reads such folders.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import cv2
import numpy as np
import scene
import textures

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

_SEEN = 0.9
_LEANS_DEG = 15.0


def row_of(made: scene.Scene, name: str) -> dict[str, object]:
    """The truth about one picture as a line of truth.jsonl. Dice with numerals are none to read."""
    faces = [f for f in made.faces if f.value]
    leans = [float(np.rad2deg(f.lean)) for f in faces]
    expect = "read"
    if any(_LEANS_DEG > a > 0 for a in leans) or any(f.seen < _SEEN for f in made.faces):
        expect = "hidden"
    elif any(leans):
        expect = "cocked"
    elif not faces:
        expect = "empty"
    dice = []
    for face, lean in zip(faces, leans, strict=True):
        x, y = face.corners.mean(0)
        corners = [[round(float(c), 1) for c in p] for p in face.corners]
        dice.append(
            {"value": face.value, "style": "made", "tilt_deg": round(lean, 1), "x": round(float(x), 1),
             "y": round(float(y), 1), "corners": corners}
        )  # fmt: skip
    return {
        "file": name, "scene": "made", "light": "made", "felt": "made", "foreign": None, "expect": expect,
        "values": sorted(f.value for f in faces), "dice": dice,
    }  # fmt: skip


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("out", type=Path)
    ap.add_argument("--count", type=int, default=200)
    ap.add_argument("--start", type=int, default=0)
    ap.add_argument("--seed", type=int, default=31)
    args = ap.parse_args()
    cv2.setNumThreads(1)
    textures.bank()
    args.out.mkdir(parents=True, exist_ok=True)
    with open(args.out / "truth.jsonl", "a", encoding="utf-8") as file:
        for number in range(args.start, args.start + args.count):
            rng = np.random.default_rng([args.seed, number])
            made = scene.make(rng, int(rng.uniform(420, 800)))
            name = f"tray_{number:04d}.png"
            cv2.imwrite(str(args.out / name), made.image)
            print(json.dumps(row_of(made, name)), file=file, flush=True)


if __name__ == "__main__":
    main()
