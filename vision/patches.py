"""Whether a die's top face still looks as it did, told from its pixels alone.

Room: vision. Knows no values and no states: a picture and four corners in, same or not out.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.types import Die, Image

_SIDE = 24
_SLACK = 4
"""How far, in pixels of a face that is `_SIDE` pixels long, a die may have crept since."""
_ALIKE = 0.93
"""Correlation of two pictures of one face; a missing pip leaves less than 0.9."""

Patch = npt.NDArray[np.float32]


def take(image: Image, die: Die) -> Patch:
    """The inner part of a top face, turned upright: `_SIDE` x `_SIDE` grey levels. `image` is BGR uint8."""
    return _crop(image, die, _SIDE)


def same(patch: Patch, image: Image, die: Die) -> bool:
    """Whether the face that `patch` was taken of still lies where `die` lay, unturned and uncovered. Light may have
    changed evenly."""
    around = _crop(image, die, _SIDE + 2 * _SLACK)
    return bool(cv2.matchTemplate(around, patch, cv2.TM_CCOEFF_NORMED).max() >= _ALIKE)


def _crop(image: Image, die: Die, side: int) -> Patch:
    corners = np.array(die.corners, np.float32)
    margin = (side - _SIDE / 0.85) / 2.0
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * (side - 2 * margin) + margin
    turn = cv2.getPerspectiveTransform(corners, square.astype(np.float32))
    view = cv2.warpPerspective(image, turn, (side, side), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    grey: Patch = cv2.cvtColor(view, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return grey
