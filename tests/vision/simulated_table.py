"""A simulated tray with dice laid out by hand, and what is true of them: for tests of how dice stand."""

from __future__ import annotations

import random

import numpy as np

from hardware.sim_dice import top_corners
from hardware.sim_motion import Spot
from hardware.sim_scene import Setting
from hardware.sim_tray import SimTray
from vision.types import Die, Image

WIDTH, HEIGHT = 960, 540
EDGE_CM = 1.6


class Table:
    """A simulated tray with noise, and what is true of it."""

    def __init__(self, felt: str = "burgundy") -> None:
        self.tray = SimTray(Setting(felt, "window", "white", EDGE_CM), width=WIDTH, height=HEIGHT)
        self.noise = np.random.default_rng(7)

    def picture(self, *dice: tuple[int, Spot]) -> Image:
        rng = random.Random(3)
        self.tray._dice = [self.tray._new(value, spot, rng) for value, spot in dice]
        clean = self.tray.draw(1.0).astype(np.float32)
        return np.clip(clean + self.noise.normal(0, 1.8, clean.shape), 0, 255).astype(np.uint8)

    @property
    def top_px(self) -> float:
        """A flat top's edge as the camera, 48 cm up, sees it."""
        return EDGE_CM * self.tray.lens.px_per_cm * 48.0 / 46.4

    @property
    def tops(self) -> list[Die]:
        """The dice as a perfect reader would tell them."""
        dice = []
        for die in self.tray._dice:
            corners = top_corners(die.value, die.spot.pose(die.value, EDGE_CM), EDGE_CM, self.tray.lens)
            x, y = np.mean(corners, axis=0)
            dice.append(Die(die.value, 1.0, float(x), float(y), corners))
        return dice
