"""Make the crops that `train_glance.py` trains on: `python scripts/train/glances.py OUT.npz --scenes 4000`.

Room: none; a tool for whoever trains. Knows the made scenes, the simulated tray, `vision.glance` and the reader's
geometry; not the networks. The same seed and count give the same crops, byte for byte.

Of every scene: each top in a few ways, with its value and its drop; sides that could be taken for tops, with their
drop only; what is no face, without a drop; and what the reader's geometry proposes.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import simulated
from generate import any_order, cuts, found, lean_of, made_by, positives, shift, side_of
from scene import Face, Scene, make
from textures import Field, Rng

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from vision.glance import glance_crops
from vision.pyramid import Sizes

NOT_ASKED = 255
_TOPS, _SIDES, _NONE = 2, 0.15, 9

Sample = tuple[Field, int, Field]
"""Corners, the label (0 no face, 1 to 6 the value, NOT_ASKED), and the drop in pixels, NaN where none is told."""

_NO_DROP = np.full(2, np.nan, np.float32)


def _tops(rng: Rng, faces: list[Face]) -> list[Sample]:
    out: list[Sample] = []
    for face in faces:
        if face.seen < 0.8 or side_of(face.corners) < 11:
            continue
        label = face.value if face.value and face.seen > 0.93 else NOT_ASKED
        if lean_of(face.corners) > 0.5:
            out += [(c, label, face.drops[0]) for c in positives(rng, face, 1)]
            out += [(_near(rng, face.corners), label, face.drops[0]) for _ in range(_TOPS)]
        for quad, drop in zip(face.sides, face.drops[1:], strict=True):
            if lean_of(quad) > 0.5 and rng.random() < _SIDES:
                out.append((_near(rng, quad), NOT_ASKED, drop))
    return out


def _near(rng: Rng, quad: Field) -> Field:
    """About where a reader sees a face that lies there."""
    moved = shift(quad, *rng.normal(0, 0.03, 2), rng.uniform(0.9, 1.12), float(rng.normal(0, 0.06)))
    return (moved + rng.normal(0, 0.015, (4, 2)) * side_of(moved)).astype(np.float32)


def _proposed(rng: Rng, made: Scene) -> list[Sample]:
    out: list[Sample] = []
    for corners, label, _ in found(rng, made):
        drop = _NO_DROP
        if label:
            middle = corners.mean(0)
            face = min(made.faces, key=lambda f: float(np.linalg.norm(f.corners.mean(0) - middle)))
            drop = face.drops[0]
        out.append((corners, label, drop))
    return out


def crops_of(seed: int, number: int) -> tuple[Field, Field, Field]:
    """Of scene `number`: crops N x 48 x 48 x 3, labels N, drops N x 2 in edges along the crop's axes."""
    rng = np.random.default_rng([seed, number, 2])
    # Every third scene is one of the simulated tray, whose dice are drawn in another way.
    made = simulated.make(rng, int(rng.choice([640, 960, 1280]))) if number % 3 == 2 else make(rng, leaning=0.5)
    samples = _tops(rng, made.faces)
    none = [(corners, 0, _NO_DROP) for corners, label, _ in cuts(rng, made) if label == 0]
    samples += [none[n] for n in rng.permutation(len(none))[:_NONE]]
    if made.image.shape[0] < 400:
        samples += _proposed(rng, made)
    sizes = Sizes(made.image)
    crops, labels, drops = [], [], []
    for corners, label, drop in samples:
        quad = any_order(rng, np.asarray(corners, np.float32))
        if (quad.mean(0) < 0).any() or (quad.mean(0) >= made.image.shape[1::-1]).any():
            continue
        axes = np.stack([quad[1] - quad[0] + quad[2] - quad[3], quad[3] - quad[0] + quad[2] - quad[1]], 1) / 2
        away = np.linalg.solve(axes, drop).astype(np.float32)
        crops.append(glance_crops(sizes, quad[None])[0])
        labels.append(label)
        drops.append(away if np.hypot(*away) < 1.5 else _NO_DROP)
    shape = glance_crops(sizes, np.zeros((1, 4, 2)))[0].shape
    return (
        np.array(crops, np.uint8).reshape(-1, *shape),
        np.array(labels, np.uint8),
        np.array(drops, np.float32).reshape(-1, 2),
    )


def _work(task: tuple[int, int]) -> tuple[Field, Field, Field]:
    return crops_of(*task)


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("out", type=Path)
    ap.add_argument("--scenes", type=int, default=4000)
    ap.add_argument("--start", type=int, default=0, help="number of the first scene")
    ap.add_argument("--seed", type=int, default=51)
    ap.add_argument("--processes", type=int, default=1)
    args = ap.parse_args()
    start = time.monotonic()
    parts = made_by(_work, [(args.seed, n) for n in range(args.start, args.start + args.scenes)], args.processes)
    crops, labels, drops = (np.concatenate([p[k] for p in parts]) for k in range(3))
    np.savez(args.out, crops=crops, labels=labels, drops=drops)
    print(
        f"{len(crops)} crops from {args.scenes} scenes in {time.monotonic() - start:.0f} s,"
        f" by label {np.bincount(labels, minlength=256)[[0, 1, 2, 3, 4, 5, 6, NOT_ASKED]].tolist()},"
        f" {int(np.isfinite(drops[:, 0]).sum())} with a drop"
    )


if __name__ == "__main__":
    main()
