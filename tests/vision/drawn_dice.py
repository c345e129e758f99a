"""Pictures of dice drawn for tests of the reader: flat squares with pips on a felt with noise and light from one side.

Plain on purpose; what real pictures look like is measured by scripts/accuracy.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.types import Image

PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
}
Colour = tuple[int, int, int]
WHITE: Colour = (225, 230, 232)
BLACK: Colour = (28, 26, 30)
RED: Colour = (40, 30, 170)
FELT: Colour = (60, 95, 50)

_SUPER = 4


@dataclass(frozen=True)
class Drawn:
    """A die: its value (0 for a blank face), centre and edge in pixels, turn in degrees, colours."""

    value: int
    x: float
    y: float
    edge_px: float = 64.0
    angle_deg: float = 17.0
    body: Colour = WHITE
    pip: Colour = BLACK


def draw(dice: Sequence[Drawn], width: int = 640, height: int = 480, felt: Colour = FELT, seed: int = 1) -> Image:
    """The picture, BGR uint8: antialiased, a little soft and noisy."""
    rng = np.random.default_rng(seed)
    canvas = np.empty((height * _SUPER, width * _SUPER, 3), np.float32)
    canvas[:] = felt
    for die in dice:
        _face(canvas, die)
    image = cv2.resize(canvas, (width, height), interpolation=cv2.INTER_AREA)
    light = 1 + 0.12 * np.linspace(-1, 1, width, dtype=np.float32)[None, :, None]
    image = cv2.GaussianBlur(image, (0, 0), 0.8) * light + rng.normal(0, 2.5, image.shape).astype(np.float32)
    return np.clip(image, 0, 255).astype(np.uint8)


def _face(canvas: np.ndarray, die: Drawn) -> None:
    turn = np.radians(die.angle_deg)
    axes = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    centre = np.array([die.x, die.y])

    def at(u: float, v: float) -> tuple[int, int]:
        x, y = (axes @ np.array([u, v]) * die.edge_px + centre + 0.5) * _SUPER
        return round(float(x)), round(float(y))

    # A shadow round the die and rounded corners: two crossed boxes and four discs.
    radius = 0.12
    for grow, colour in ((0.03, (20, 25, 20)), (0.0, die.body)):
        half, inner = 0.5 + grow, 0.5 - radius
        for a, b in ((half, inner), (inner, half)):
            corners = np.array([at(-a, -b), at(a, -b), at(a, b), at(-a, b)], np.int32)
            cv2.fillConvexPoly(canvas, corners, colour)
        for u in (-inner, inner):
            for v in (-inner, inner):
                cv2.circle(canvas, at(u, v), round((radius + grow) * die.edge_px * _SUPER), colour, -1)
    for u, v in PIPS.get(die.value, []):
        cv2.circle(canvas, at(0.27 * u, 0.27 * v), round(0.095 * die.edge_px * _SUPER), die.pip, -1)
