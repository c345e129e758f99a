"""What reached into the tray since the dice were last told, and whether it may have laid down what lies there now.

Room: vision. Works on masks of small pictures (`motion.py`); knows no frames, no readings and no states.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision import motion

_HAND_DICE = 15.0
"""What lays dice down covers more than this many of them; a die that rolls in over the border covers less."""
_FINGERS = 8.0
"""Of what covers less than so many dice no die is laid down: it is a die itself that comes in over the border."""
_TOUCH = 0.25
"""A hand that lays a die down covers its place to within this part of an edge, however little of the hand is seen."""


class Reach:
    """All that reached in over the border since `forget` was last called."""

    def __init__(self) -> None:
        self._most = 0.0
        self._over: motion.Mask | None = None

    def forget(self) -> None:
        """Nothing that reached in so far has laid down what will lie there next."""
        self._most, self._over = 0.0, None

    def add(self, hand: motion.Mask, die_px: float) -> None:
        """A hand is there; `die_px` is a die's edge in pixels of its mask."""
        self._most = max(self._most, float(hand.sum()) / die_px**2)
        _, labels, stats, _ = cv2.connectedComponentsWithStats(hand.astype(np.uint8))
        large = [k for k in range(1, len(stats)) if stats[k, cv2.CC_STAT_AREA] > _FINGERS * die_px**2]
        if large:
            over = np.isin(labels, large)
            self._over = over if self._over is None else self._over | over

    def may_have_laid(self, places: Sequence[tuple[float, float]], die_px: float) -> bool:
        """Was it a whole hand, or did it reach over all these places (x, y in pixels of the mask)?"""
        if self._most > _HAND_DICE:
            return True
        return self._over is not None and all(motion.covers(self._over, places, _TOUCH * die_px))
