"""Pictures of the simulated tray in which dice lean, with their truth: for the third witness and for its limits.

Room: none; a tool for whoever trains. Knows `hardware`'s simulated dice and trays; not the reader. A table is learnt on
pictures that the scripts make, and this is one of the looks that it meets: without it, dice drawn flat-shaded with soft
edges were nothing that the networks had seen.

    python scripts/train/simulated.py OUT --seed 71 --count 200     whole pictures, as `stage.py` writes them
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import scene
from textures import Field, Rng

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from stage import row_of

from hardware import sim_motion
from hardware.sim_dice import STYLES, Lens, Pose, draw_die, draw_shadow
from hardware.sim_scene import LAMPS, Setting, choose_setting, draw_tray

WIDTH_CM = 37.0
LENS_CM = 48.0
RIM_CM = (1.5, 1.2)
_CUBE = np.array([[x, y, z] for z in (-0.5, 0.5) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]) / [2, 2, 1]


def make(rng: Rng, width: int = 1280, leaning: float = 0.7) -> scene.Scene:
    """One tray of 2 to 7 dice, wholly decided by `rng`; in a share of `leaning` of them one die or two lean."""
    chance = random.Random(int(rng.integers(1 << 31)))
    setting = choose_setting(rng)
    height = width * (9 if rng.random() < 0.5 else 12) // 16
    lens = Lens(width, height, width / WIDTH_CM, LENS_CM)
    lamp, edge_cm = LAMPS[setting.lamp], setting.edge_cm
    field = sim_motion.Field(
        *(size / 2 / lens.px_per_cm - rim for size, rim in zip((width, height), RIM_CM, strict=True))
    )
    image = draw_tray(setting.felt, lamp, lens, field, rng)
    count = int(rng.integers(2, 8))
    spots = sim_motion.place(chance, [], count, field, edge_cm, float(rng.choice([0.12, 0.5])))
    if rng.random() < leaning:
        for n in range(1 if rng.random() < 0.7 else 2):
            others = spots[:n] + spots[n + 1 :] if rng.random() < 0.7 else []
            spot = sim_motion.cock(chance, spots[n], others)
            spots[n] = sim_motion.Spot(spot.x, spot.y, spot.yaw, float(np.deg2rad(rng.uniform(12, 45))), spot.lean)
    values = [int(v) for v in rng.integers(1, 7, count)]
    poses = [spot.pose(value, edge_cm) for spot, value in zip(spots, values, strict=True)]
    draw_dice(image, poses, setting, lens, lambda: float(rng.uniform(0.97, 1.02)))
    light = float(rng.uniform(0.55, 1.15))
    image = shot(rng, image * light, lambda: float(rng.uniform(1.5, 4.5)))
    faces = [
        _face(value, pose, edge_cm, lens, spot.tilt) for value, pose, spot in zip(values, poses, spots, strict=True)
    ]
    none = np.zeros(image.shape[:2], np.uint8)
    return scene.Scene(image, faces, lens.px_per_cm * edge_cm, np.zeros((0, 2), np.float32), none)


def draw_dice(image: Field, poses: list[Pose], setting: Setting, lens: Lens, size: Callable[[], float]) -> None:
    """Draw dice with their shadows on a tray; `size` gives how large each is against the set's."""
    lamp, edge_cm = LAMPS[setting.lamp], setting.edge_cm
    order = sorted(range(len(poses)), key=lambda n: -float(np.hypot(*poses[n].centre[:2])))
    for n in order:
        draw_shadow(image, poses[n], edge_cm, lens, lamp)
    for n in order:
        draw_die(poses[n], STYLES[setting.style], edge_cm, lens, lamp, 2, size()).draw_on(image)


def shot(rng: Rng, image: Field, grain: Callable[[], float]) -> Field:
    """A picture with the noise of a small sensor, of deviation `grain` in grey levels before it was smoothed."""
    noise = cv2.GaussianBlur(rng.standard_normal(image.shape, np.float32), (0, 0), 0.6)
    return np.clip(image + noise * grain(), 0, 255).astype(np.uint8)


def _face(value: int, pose: Pose, edge_cm: float, lens: Lens, lean: float) -> scene.Face:
    # Which way up the cube's corners are is decided by the value that is on top.
    up = int(np.abs(pose.rotation[2]).argmax())
    sign = np.sign(pose.rotation[2, up])
    turned = np.roll(_CUBE * [1, 1, sign], up - 2, axis=1)
    corners = lens.project(pose.points(turned, edge_cm))
    top = corners[4:]
    ends = lens.project(pose.points(np.stack([turned[4:].mean(0), turned[:4].mean(0)]), edge_cm))
    return scene.Face(
        value,
        top.astype(np.float32),
        np.zeros((0, 2), np.float32),
        1.0,
        [],
        [(ends[1] - ends[0]).astype(np.float32)],
        lean,
    )


def drops_of(faces: list[scene.Face]) -> Field:
    """For checks: each top's drop, in edges of it."""
    edges = [np.linalg.norm(f.corners[1] - f.corners[0]) for f in faces]
    return np.array([f.drops[0] / e for f, e in zip(faces, edges, strict=True)])


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("out", type=Path)
    ap.add_argument("--count", type=int, default=200)
    ap.add_argument("--seed", type=int, default=71)
    ap.add_argument("--leaning", type=float, default=0.5, help="the share of pictures in which dice lean")
    args = ap.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    with open(args.out / "truth.jsonl", "a", encoding="utf-8") as file:
        for number in range(args.count):
            made = make(np.random.default_rng([args.seed, number]), int((1280, 960, 640)[number % 3]), args.leaning)
            name = f"tray_{number:04d}.png"
            cv2.imwrite(str(args.out / name), made.image)
            print(json.dumps(row_of(made, name)), file=file, flush=True)


if __name__ == "__main__":
    main()
