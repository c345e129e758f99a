"""Figures for trained weights: `python scripts/train/report.py HELD_OUT.npz [--trays FOLDER]`.

Room: none; a tool for whoever trains. Runs the witness as the program does, by OpenCV, on held-out made crops and on
crops cut at the known corners of rendered trays (a folder of pictures with a truth.jsonl).
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
from pathlib import Path

import cv2
import generate
import numpy as np
import scene

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from vision import witness
from vision.crops import face_crop


def tray_crops(folder: Path, seed: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(crops, labels, kinds) at jittered true corners, and at false ones, of every picture in a folder of renders."""
    crops, labels, kinds = [], [], []
    for number, line in enumerate((folder / "truth.jsonl").read_text().splitlines()):
        row = json.loads(line)
        image = cv2.imread(str(folder / row["file"]))
        faces = []
        for die in row["dice"]:
            corners = np.array(die["corners"], np.float32) - 0.5
            # Nothing in the truth says what lies over a die: where a hand does, or a die leans, its face is left out.
            sure = row["foreign"] is None and die["tilt_deg"] < 3
            faces.append(scene.Face(die["value"], corners, np.zeros((0, 2), np.float32), 1.0 if sure else 0.85))
        if not faces:
            continue
        die_px = float(np.median([generate.side_of(f.corners) for f in faces]))
        rng = np.random.default_rng([seed, number])
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        for corners, label, kind in generate.cuts(rng, scene.Scene(image, faces, die_px, np.zeros((0, 2), np.float32))):
            crops.append(face_crop(grey, generate.any_order(rng, corners)))
            labels.append(label)
            kinds.append(kind)
    return np.array(crops, np.uint8), np.array(labels), np.array(kinds)


def show(name: str, crops: np.ndarray, labels: np.ndarray, kinds: np.ndarray) -> None:
    start = time.process_time()
    odds = witness.classify(crops)
    spent = (time.process_time() - start) / len(crops) * 1000
    guess, sure = odds.argmax(1), odds.max(1)
    faces = labels > 0
    print(f"\n{name}: {len(crops)} crops, {spent:.2f} ms of processor time a crop")
    print(
        "  right per class 0-6:",
        " ".join(f"{(guess[labels == c] == c).mean():.4f}" for c in range(7) if (labels == c).any()),
    )
    wrong = faces & (guess > 0) & (guess != labels)
    print(f"  faces: right {(guess == labels)[faces].mean():.4f}, called no face {(guess == 0)[faces].mean():.4f}, "
          f"another value {wrong[faces].mean():.5f}")  # fmt: skip
    false = ~faces & (guess > 0)
    print(f"  no face called a value: {false[~faces].mean():.4f}", {
        generate.KINDS[k]: round(float(false[kinds == k].mean()), 4) for k in np.unique(kinds[~faces])
    })  # fmt: skip
    for least in (0.5, 0.8, 0.9, 0.95, 0.98, 0.99):
        told = (guess > 0) & (sure >= least)
        right = (told & (guess == labels)).sum() / faces.sum()
        print(
            f"  said with >= {least:.2f}: {right:.4f} of faces right, {(told & wrong).sum() / faces.sum():.5f} wrong; "
            f"{(told & ~faces).sum() / (~faces).sum():.5f} of no faces"
        )
    edges = [0, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.01]
    for low, high in itertools.pairwise(edges):
        here = (sure >= low) & (sure < high)
        if here.sum() > 20:
            mean, told_right = sure[here].mean(), (guess == labels)[here].mean()
            print(f"  confidence {low:.2f}-{min(high, 1):.2f}: mean {mean:.3f}, right {told_right:.3f}, n {here.sum()}")


def sweep(folder: Path) -> None:
    """How far off the corners of a rendered die may be: share right, and share called another value, per error."""
    dice = []
    for line in (folder / "truth.jsonl").read_text().splitlines():
        row = json.loads(line)
        if row["expect"] == "read":
            grey = cv2.imread(str(folder / row["file"]), cv2.IMREAD_GRAYSCALE)
            dice += [(grey, np.array(d["corners"], np.float32) - 0.5, d["value"]) for d in row["dice"]]
    labels = np.array([value for _, _, value in dice])
    for name, steps in (
        ("degrees", (0, 5, 10, 15, 20)),
        ("scale", (0.8, 0.9, 1.0, 1.1, 1.2)),
        ("shift", (0, 0.05, 0.1, 0.15)),
    ):
        print(f"\n{folder.name}, {len(dice)} dice, corners off by {name}")
        for step in steps:
            angle = np.deg2rad(step) if name == "degrees" else 0.0
            scale, move = (step if name == "scale" else 1.0), (step if name == "shift" else 0.0)
            crops = [face_crop(g, generate.shift(c, move, move * 0.5, scale, angle)) for g, c, _ in dice]
            odds = witness.classify(np.array(crops, np.uint8))
            guess = odds.argmax(1)
            wrong = (guess > 0) & (guess != labels)
            print(
                f"  {step:>5}: right {(guess == labels).mean():.3f}, sure (>= 0.9) and right "
                f"{((guess == labels) & (odds.max(1) >= 0.9)).mean():.3f}, another value {wrong.mean():.4f}"
            )


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("held_out", type=Path, nargs="?")
    ap.add_argument("--trays", type=Path, nargs="*", default=[])
    ap.add_argument("--weights", type=Path)
    args = ap.parse_args()
    cv2.setNumThreads(1)
    if args.weights:
        witness.WEIGHTS = args.weights
    print("OpenCV", cv2.__version__, "numpy", np.__version__)
    if args.held_out:
        data = np.load(args.held_out)
        show(args.held_out.name, data["crops"], data["labels"], data["kinds"])
    for folder in args.trays:
        show(f"renders in {folder.name}", *tray_crops(folder))
        sweep(folder)


if __name__ == "__main__":
    main()
