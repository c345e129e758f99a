"""How well a calibrated table tells dice that lean: `python scripts/train/standing.py --start 500 --tables 80`.

Room: none; a tool for whoever sets the limits of `vision.at_a_glance` and `vision.stance`. Simulated tables, each
learnt from its empty tray and one throw; then fourteen pictures of one to six dice, in every second of which one leans
by 15 to 42 degrees, on others or alone. Prints what was read and what was asked about, and every picture that was read
wrong or with a die that leans.
"""

from __future__ import annotations

import argparse
import random
import sys
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from simulated import LENS_CM, RIM_CM, WIDTH_CM, draw_dice, shot
from textures import Field

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from hardware import sim_motion
from hardware.sim_dice import Lens
from hardware.sim_scene import LAMPS, choose_setting, draw_tray
from vision.calibration import CalibrationFault
from vision.learning import learn_table
from vision.reader import read
from vision.types import Status, Tray

_PICTURES = 14


@dataclass
class Shown:
    """One picture of a table: sorted values, and by how many degrees a die leans (0: none does)."""

    image: Field
    values: list[int]
    leaning: float = 0.0


def table(seed: int) -> list[Shown]:
    """The empty tray, a throw to learn it from, and the pictures."""
    rng, chance = np.random.default_rng([seed, 77]), random.Random(seed)
    setting = choose_setting(rng)
    width = (1280, 960)[seed % 2]
    height = width * (9 if seed % 4 < 2 else 12) // 16
    lens = Lens(width, height, width / WIDTH_CM, LENS_CM)
    edge_cm = setting.edge_cm
    field = sim_motion.Field(
        *(side / 2 / lens.px_per_cm - rim for side, rim in zip((width, height), RIM_CM, strict=True))
    )
    light, grain = float(rng.uniform(0.6, 1.1)), float(rng.uniform(1.2, 3))
    tray = draw_tray(setting.felt, LAMPS[setting.lamp], lens, field, np.random.default_rng(seed))

    def picture(spots: list[sim_motion.Spot], values: list[int], leaning: float = 0.0) -> Shown:
        image = tray.copy()
        poses = [spot.pose(value, edge_cm) for spot, value in zip(spots, values, strict=True)]
        draw_dice(image, poses, setting, lens, lambda: 1.0)
        return Shown(shot(rng, image * light, lambda: grain), sorted(values), leaning)

    made = [picture([], [])]
    made.append(picture(sim_motion.place(chance, [], 5, field, edge_cm, 0.0), [int(v) for v in rng.integers(2, 7, 5)]))
    for n in range(_PICTURES):
        count = int(rng.integers(1, 7))
        spots = sim_motion.place(chance, [], count, field, edge_cm, float(rng.choice([0.1, 0.5])))
        values, leaning = [int(v) for v in rng.integers(1, 7, count)], 0.0
        if n % 2:
            which = int(rng.integers(count))
            others = spots[:which] + spots[which + 1 :] if rng.random() < 0.7 else []
            spot = sim_motion.cock(chance, spots[which], others)
            leaning = float(rng.uniform(15, 42))
            spots[which] = sim_motion.Spot(spot.x, spot.y, spot.yaw, float(np.deg2rad(leaning)), spot.lean)
        made.append(picture(spots, values, leaning))
    return made


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--start", type=int, default=500, help="seed of the first table")
    ap.add_argument("--tables", type=int, default=20)
    args = ap.parse_args()
    cv2.setNumThreads(1)
    flat = dict.fromkeys(("pictures", "right", "wrong", "asked about", "as cocked"), 0)
    leaning = dict.fromkeys(("pictures", "read", "wrong", "asked about", "as cocked"), 0)
    for seed in range(args.start, args.start + args.tables):
        empty, throw, *pictures = table(seed)
        try:
            tray = Tray(calibration=learn_table(empty.image, throw.image))
        except CalibrationFault as fault:
            print(f"table {seed} can't be learnt: {fault}")
            continue
        for n, shown in enumerate(pictures):
            reading = read(shown.image, tray)
            is_read, right = reading.status is Status.READ, list(reading.values) == shown.values
            count = leaning if shown.leaning else flat
            count["pictures"] += 1
            count["read" if shown.leaning else "right"] += is_read and (right or bool(shown.leaning))
            count["wrong"] += is_read and not right
            count["asked about"] += not is_read
            count["as cocked"] += any(reason.code == "cocked" for reason in reading.reasons)
            if is_read and (shown.leaning or not right):
                told = f"{shown.values} read as {list(reading.values)}"
                print(f"table {seed}, picture {n}: {told}, one leans by {shown.leaning:.0f}")
    print("none leans:", ", ".join(f"{number} {name}" for name, number in flat.items()))
    print("one leans:", ", ".join(f"{number} {name}" for name, number in leaning.items()))


if __name__ == "__main__":
    main()
