"""The part of the simulated tray that kept dice are laid into.

Room: hardware, part of the simulated tray. Knows places in cm only; which dice are kept, and when, is told to
`sim_tray`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from hardware.sim_motion import Field, Spot, overlap

Point = tuple[float, float]

_TRIES = 400
_ROOM = 0.75
"""A die that shall lie in the strip, or out of it, has its middle so many edges from the strip's border."""


@dataclass(frozen=True, slots=True)
class Strip:
    """A polygon of at least three corners, in cm from the middle of the tray."""

    corners: tuple[Point, ...]

    def holds(self, spot: Spot) -> bool:
        """Whether the middle of a die lies in it."""
        return self._depth_cm(spot) >= 0

    def clear_of(self, spot: Spot, edge_cm: float) -> bool:
        """Whether a die lies so far outside that nobody takes it for a kept one."""
        return self._depth_cm(spot) <= -_ROOM * edge_cm

    def place(self, rng: random.Random, others: Sequence[Spot], field: Field, edge_cm: float) -> Spot | None:
        """A free place in it and inside the tray's walls, None where there is none."""
        (left, low), (right, high) = np.array(self.corners).min(axis=0), np.array(self.corners).max(axis=0)
        for _ in range(_TRIES):
            spot = Spot(rng.uniform(left, right), rng.uniform(low, high), rng.uniform(-0.4, 0.4))
            wide, tall = (half - _ROOM * edge_cm for half in (field.half_width_cm, field.half_height_cm))
            inside = abs(spot.x) <= wide and abs(spot.y) <= tall and self._depth_cm(spot) >= 0.5 * _ROOM * edge_cm
            if inside and not any(overlap(spot, other, 1.1 * edge_cm) for other in others):
                return spot
        return None

    def _depth_cm(self, spot: Spot) -> float:
        polygon = np.array(self.corners, np.float32)
        return float(cv2.pointPolygonTest(polygon, (spot.x, spot.y), True))
