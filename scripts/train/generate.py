"""Make the crops that the networks are trained on: `python scripts/train/generate.py OUT.npz --scenes 4000`.

Room: none; a tool for whoever trains. Knows the made scenes, `vision.crops` and the reader's geometry, so that a crop
here is what the reader cuts, and where it would look; not the networks. The same seed and count give the same crops,
byte for byte, however many processes make them.

A crop's label is 1 to 6 if it holds one whole top face, at most 16 degrees (a one: any angle), 12 % of a side in place
and 20 % in size off; 0 if there is none, or one so far off that it must not be believed. What lies between is left out.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
import scene
import simulated
import textures
from scene import Face
from textures import Field, Rng

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from vision.crops import face_crop
from vision.lean import wide_crop
from vision.reader import candidates

Task = TypeVar("Task")
Made = TypeVar("Made")

KINDS = ("face", "odd", "hidden", "shift", "scale", "turn", "side", "pair", "ground", "found")


def square(x: float, y: float, side: float, angle: float) -> Field:
    """Corners of a square, going round it."""
    c, s = np.cos(angle) * side / 2, np.sin(angle) * side / 2
    return np.array(
        [[x - c + s, y - s - c], [x + c + s, y + s - c], [x + c - s, y + s + c], [x - c - s, y - s + c]], np.float32
    )


def side_of(corners: Field) -> float:
    edges = corners - corners[[3, 0, 1, 2]]
    return float(np.hypot(edges[:, 0], edges[:, 1]).sum()) / 4


def lean_of(corners: Field) -> float:
    """How far from square: the shorter of the two mean sides over the longer, times the sine between them."""
    u = (corners[1] - corners[0] + corners[2] - corners[3]) / 2
    v = (corners[3] - corners[0] + corners[2] - corners[1]) / 2
    a, b = float(np.linalg.norm(u)), float(np.linalg.norm(v))
    return min(a, b) / max(a, b, 1e-3) * abs(float(u[0] * v[1] - u[1] * v[0])) / max(a * b, 1e-3)


def angle_of(corners: Field) -> float:
    edge = corners[1] - corners[0] + corners[2] - corners[3]
    return float(np.arctan2(edge[1], edge[0]))


def shift(corners: Field, dx: float, dy: float, scale: float, angle: float) -> Field:
    """Move, size and turn a quadrilateral about its centre, in the frame of its own sides (so it keeps its tilt)."""
    centre = corners.mean(0)
    u = (corners[1] - corners[0] + corners[2] - corners[3]) / 2
    v = (corners[3] - corners[0] + corners[2] - corners[1]) / 2
    c, s = np.cos(angle), np.sin(angle)
    base = corners - centre
    area = u[0] * v[1] - u[1] * v[0]
    inverse = np.array([[v[1], -v[0]], [-u[1], u[0]]]) / (np.sign(area) * max(abs(area), 1e-3))
    turned = base @ (np.stack([u, v], 1) @ np.array([[c, -s], [s, c]]) @ inverse).T
    return (centre + dx * u + dy * v + turned * scale).astype(np.float32)


def any_order(rng: Rng, corners: Field) -> Field:
    """Start at any corner, go round either way: a reader does not know which way up a die lies."""
    turned = np.roll(corners, int(rng.integers(4)), 0)
    return turned[::-1].copy() if rng.random() < 0.5 else turned


def judge(corners: Field, faces: list[Face]) -> int | None:
    """The label of a crop cut at `corners`, or None where no label is fair."""
    centre, side = corners.mean(0), side_of(corners)
    label: int | None = 0
    for face in faces:
        its = side_of(face.corners)
        away, ratio = float(np.linalg.norm(centre - face.corners.mean(0))) / its, side / its
        turn = abs((angle_of(corners) - angle_of(face.corners) + np.pi / 4) % (np.pi / 2) - np.pi / 4)
        near = away < 0.27 and 0.66 < ratio < 1.45 and (turn < np.deg2rad(33) or face.value == 1)
        if not near or face.seen < 0.8 or face.value == 0:
            continue
        good = away < 0.13 and 0.81 < ratio < 1.24 and (turn < np.deg2rad(16) or face.value == 1)
        return face.value if good and face.seen > 0.93 else None
    return label


def positives(rng: Rng, face: Face, count: int) -> list[Field]:
    out = []
    lean = lean_of(face.corners)
    for _ in range(count):
        corners = face.corners
        if lean > 0.8 and rng.random() < 0.4:
            corners = square(*corners.mean(0), float(np.sqrt(cv2.contourArea(corners))), angle_of(corners))
        limit = np.deg2rad(45 if face.value == 1 and rng.random() < 0.4 else 14)
        dx, dy = rng.uniform(-0.08, 0.08, 2) if rng.random() < 0.6 else rng.normal(0, 0.025, 2)
        turn = float(np.clip(rng.normal(0, limit / 2), -limit, limit))
        moved = shift(corners, dx, dy, float(np.exp(rng.uniform(-0.2, 0.2))), turn)
        out.append((moved + rng.normal(0, 0.015, (4, 2)) * side_of(moved)).astype(np.float32))
    return out


def cuts(rng: Rng, made: scene.Scene) -> list[tuple[Field, int, int]]:
    """(corners, label, kind) of the crops to take from one scene."""
    out: list[tuple[Field, int, int]] = []
    faces = made.faces
    size = made.image.shape[0]

    def reject(corners: Field, kind: str) -> None:
        if judge(corners, faces) == 0:
            out.append((corners, 0, KINDS.index(kind)))

    for face in faces:
        if side_of(face.corners) < 11 or lean_of(face.corners) < 0.5:
            continue
        if face.value and face.seen > 0.93:
            out += [(c, face.value, 0) for c in positives(rng, face, 5)]
        elif face.value == 0 and face.seen > 0.6:
            out += [(c, 0, 1) for c in positives(rng, face, 3)]
        elif 0.1 < face.seen < 0.72:
            out += [(c, 0, 2) for c in positives(rng, face, 1)]
        away, towards = rng.uniform(0.3, 1.1), rng.choice([rng.uniform(0, 2 * np.pi), rng.integers(4) * np.pi / 2])
        reject(
            shift(
                face.corners, away * np.cos(towards), away * np.sin(towards), rng.uniform(0.85, 1.2), rng.normal(0, 0.1)
            ),
            "shift",
        )
        scale = rng.uniform(0.3, 0.64) if rng.random() < 0.6 else rng.uniform(1.48, 2.6)
        reject(shift(face.corners, *rng.normal(0, 0.12, 2), scale, rng.normal(0, 0.2)), "scale")
        if face.value != 1:
            reject(
                shift(face.corners, *rng.normal(0, 0.06, 2), rng.uniform(0.7, 1.4), np.pi / 4 + rng.normal(0, 0.15)),
                "turn",
            )
        for quad in face.sides:
            lean = lean_of(quad)
            if 0.1 < lean < 0.55 and rng.random() < 0.5:
                reject(shift(quad, *rng.normal(0, 0.05, 2), rng.uniform(0.9, 1.15), rng.normal(0, 0.06)), "side")
            if lean > 0.1 and rng.random() < 0.6:
                side = side_of(face.corners) * rng.uniform(0.5, 1.1)
                reject(
                    square(
                        *(quad.mean(0) + rng.normal(0, 0.08, 2) * side),
                        side,
                        angle_of(face.corners) + rng.normal(0, 0.1),
                    ),
                    "side",
                )
    # What a reader would suppose from two pips that are not a diagonal pair of one face.
    spots = np.concatenate([f.pips for f in faces] + [made.spots]) if faces else made.spots
    for _ in range(6 if len(spots) >= 3 else 0):
        first = int(rng.integers(len(spots)))
        gaps = np.linalg.norm(spots - spots[first], axis=1) / made.die_px
        others = np.nonzero((gaps > 0.12) & (gaps < 1.6))[0]
        if others.size:
            a, b = spots[first], spots[int(rng.choice(others))]
            step = rng.choice([1.0, 2.0]) * 1.414 * rng.uniform(0.22, 0.32)
            side = float(np.linalg.norm(b - a)) / step
            if 0.4 < side / made.die_px < 2.2:
                middle = (a + b) / 2 if step > 0.5 else b
                edge = b - a
                reject(square(*middle, side, float(np.arctan2(edge[1], edge[0])) - np.pi / 4), "pair")
    for _ in range(3):
        side = made.die_px * rng.uniform(0.5, 1.4)
        reject(square(*rng.uniform(0, size, 2), side, rng.uniform(0, np.pi)), "ground")
    if len(made.spots):
        at = made.spots[int(rng.integers(len(made.spots)))]
        reject(square(*at, made.die_px * rng.uniform(0.5, 1.3), rng.uniform(0, np.pi)), "ground")
    return out


def found(rng: Rng, made: scene.Scene) -> list[tuple[Field, int, int]]:
    """The crops that the reader's geometry proposes on this scene, with what they really show; the first dozen."""
    out: list[tuple[Field, int, int]] = []
    proposals = candidates(made.image)
    for face in proposals[:16]:
        corners = face.corners(face.reach * float(rng.choice([1.0, 1.0, 0.9, 1.11])))
        label = judge(corners, made.faces)
        if label is not None and not (label == 0 and _like_a_side(corners, made.faces)):
            out.append((corners, label, 0 if label else KINDS.index("found")))
    return out


def _like_a_side(corners: Field, faces: list[Face]) -> bool:
    """Is it a side that is seen well enough to look like a top once it is upright? No label is fair then."""
    centre = corners.mean(0)
    return any(
        lean_of(quad) > 0.45 and float(np.linalg.norm(centre - quad.mean(0))) < 0.27 * side_of(quad)
        for face in faces
        for quad in face.sides
    )


def drops(rng: Rng, made: scene.Scene, sides: float = 0.5) -> tuple[list[Field], list[Field]]:
    """Wide colour crops of tops and of a share of the `sides` that could be taken for tops, and where the opposite
    face's middle lies: in edges of the face, along the crop's own axes."""
    crops, away = [], []
    for face in made.faces:
        if face.seen < 0.8 or side_of(face.corners) < 11:
            continue
        for n, quad in [(0, face.corners), *enumerate([face.corners, *face.sides])]:
            if lean_of(quad) < 0.5 or (n and rng.random() > sides):
                continue
            corners = quad
            if lean_of(quad) > 0.8 and rng.random() < 0.4:
                corners = square(*quad.mean(0), float(np.sqrt(cv2.contourArea(quad))), angle_of(quad))
            moved = shift(corners, *rng.normal(0, 0.03, 2), rng.uniform(0.9, 1.12), float(rng.normal(0, 0.06)))
            moved = any_order(rng, (moved + rng.normal(0, 0.015, (4, 2)) * side_of(moved)).astype(np.float32))
            axes = np.stack([moved[1] - moved[0] + moved[2] - moved[3], moved[3] - moved[0] + moved[2] - moved[1]], 1)
            drop = np.linalg.solve(axes / 2, face.drops[n]).astype(np.float32)
            if np.hypot(*drop) < 1.5:
                crops.append(wide_crop(made.image, moved))
                away.append(drop)
    return crops, away


def grey_of(rng: Rng, image: Field) -> Field:
    """Grey as the eye sees it, one channel, or any mixture: the reader may look at whichever shows pips best."""
    pick = rng.random()
    if pick < 0.55:
        return cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    if pick < 0.8:
        return np.ascontiguousarray(image[..., int(rng.integers(3))])
    weights = rng.dirichlet([1, 1, 1])
    return (image @ weights).astype(np.uint8)


Crops = tuple[Field, Field, Field, Field, Field]


def scene_crops(seed: int, number: int) -> Crops:
    """Of scene `number`: crops N x 64 x 64, labels N, kinds N; wide crops M x 64 x 64 x 3 and their drops M x 2."""
    rng = np.random.default_rng([seed, number])
    made = scene.make(rng)
    greys = [grey_of(rng, made.image) for _ in range(2)]
    crops, labels, kinds = [], [], []
    for corners, label, kind in cuts(rng, made) + found(rng, made):
        if (corners.mean(0) < 0).any() or (corners.mean(0) > made.image.shape[0]).any():
            continue
        crops.append(face_crop(greys[int(rng.integers(2))], any_order(rng, corners)))
        labels.append(label)
        kinds.append(kind)
    shape = np.array(crops, np.uint8).reshape(-1, 64, 64)
    wide, away = drops(rng, made)
    return (
        shape, np.array(labels, np.uint8), np.array(kinds, np.uint8), np.array(wide, np.uint8).reshape(-1, 64, 64, 3),
        np.array(away, np.float32).reshape(-1, 2),
    )  # fmt: skip


def wide_crops(seed: int, number: int) -> Crops:
    """As `scene_crops`, but wide crops only, of scenes in which more dice lean, and each top in two ways."""
    rng = np.random.default_rng([seed, number, 1])
    # Every third scene is one of the simulated tray, whose dice are drawn in another way.
    made = simulated.make(rng, int(rng.choice([640, 960, 1280]))) if number % 3 == 2 else scene.make(rng, leaning=0.7)
    wide: list[Field] = []
    away: list[Field] = []
    for _ in range(2):
        crops, its = drops(rng, made, 0.15)
        wide += crops
        away += its
    return (
        np.zeros((0, 64, 64), np.uint8), np.zeros(0, np.uint8), np.zeros(0, np.uint8),
        np.array(wide, np.uint8).reshape(-1, 64, 64, 3), np.array(away, np.float32).reshape(-1, 2),
    )  # fmt: skip


def _work(task: tuple[int, int, bool]) -> Crops:
    seed, number, wide = task
    return wide_crops(seed, number) if wide else scene_crops(seed, number)


def made_by(work: Callable[[Task], Made], tasks: list[Task], processes: int) -> list[Made]:
    """What `work`, a function of a module, makes of each of the tasks, in their order."""
    # Before the first fork: OpenCV's threads would not live on in the copies, which then wait for them for ever.
    cv2.setNumThreads(1)
    textures.bank()
    if processes == 1:
        return [work(task) for task in tasks]
    with multiprocessing.Pool(processes) as pool:
        return list(pool.imap(work, tasks, 16))


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("out", type=Path)
    ap.add_argument("--scenes", type=int, default=4000)
    ap.add_argument("--start", type=int, default=0, help="number of the first scene")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--processes", type=int, default=1)
    ap.add_argument("--wide", action="store_true", help="wide crops for the third witness only, of more dice that lean")
    args = ap.parse_args()
    start = time.monotonic()
    tasks = [(args.seed, n, args.wide) for n in range(args.start, args.start + args.scenes)]
    parts = made_by(_work, tasks, args.processes)
    crops, labels, kinds, wide, away = (np.concatenate([p[k] for p in parts]) for k in range(5))
    np.savez(args.out, crops=crops, labels=labels, kinds=kinds, wide=wide, drops=away)
    count = {KINDS[k]: int((kinds == k).sum()) for k in range(len(KINDS))}
    print(
        f"{len(crops)} crops and {len(wide)} wide ones from {args.scenes} scenes in {time.monotonic() - start:.0f} s",
        count,
        np.bincount(labels, minlength=7).tolist(),
    )


if __name__ == "__main__":
    main()
