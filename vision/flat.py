"""A tray that is seen at a slant, as if seen from straight above.

Room: vision. Knows the four corners of a tray's floor, pictures, and a reader that is handed in. What is read in the
flat picture is given in pixels of the picture as it came.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import Calibration
from vision.crops import Maps, maps_of, through
from vision.known_tray import check_shape
from vision.types import Corners, Die, Image, Reading, Reason, Tray

_MARGIN = 1.2
"""Dice at the wall stand up from the floor, so that their tops lie outside of it by less than this many edges."""
_SLANT = 0.04
_TURN = 0.06
"""A floor whose sides differ by less than this share, and that is turned by less than this (radians), is left as is."""

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Flat:
    """`matrix` takes pixels of the picture to pixels of the flat one, which is `size` (width, height) large.
    `calibration` is what is known of the tray, in the flat picture; `scale` its pixels per pixel of the picture. `maps`
    say where each pixel is taken from."""

    matrix: Matrix
    size: tuple[int, int]
    scale: float
    calibration: Calibration
    maps: Maps

    def picture(self, image: Image) -> Image:
        """The flat picture of a picture."""
        return through(image, self.maps)

    def reading(self, flat: Reading) -> Reading:
        """A reading of the flat picture, in pixels of the picture."""
        back: Matrix = np.linalg.inv(self.matrix).astype(np.float64)
        return replace(
            flat,
            dice=tuple(_die(die, back) for die in flat.dice),
            reasons=tuple(_reason(reason, back) for reason in flat.reasons),
        )


def slanted(corners: Corners | None) -> bool:
    """Whether a floor with these corners is known to be seen at a slant, or turned, so that flattening is worth its
    time."""
    if corners is None:
        return False
    top, right, bottom, left = (math.dist(corners[k], corners[(k + 1) % 4]) for k in range(4))
    turn = math.atan2(corners[1][1] - corners[0][1], corners[1][0] - corners[0][0])
    unlike = max(abs(top / bottom - 1.0), abs(left / right - 1.0))
    return unlike > _SLANT or abs(turn) > _TURN


@lru_cache(maxsize=4)
def flat_of(calibration: Calibration, width: int, height: int) -> Flat:
    """How to flatten pictures of `width` x `height` pixels of the tray that was calibrated. Its floor must have
    corners."""
    assert calibration.corners is not None
    own_width, own_height = calibration.size
    stretch = np.array([width / own_width, height / own_height])
    corners = np.array(calibration.corners, np.float64) * stretch
    die_px = calibration.die_px * float(stretch[0])
    sides = [float(np.linalg.norm(corners[k] - corners[(k + 1) % 4])) for k in range(4)]
    floor_w, floor_h, margin = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2, _MARGIN * die_px
    target = np.array([[0, 0], [floor_w, 0], [floor_w, floor_h], [0, floor_h]], np.float64) + margin
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target.astype(np.float32)).astype(np.float64)
    size = (round(floor_w + 2 * margin), round(floor_h + 2 * margin))
    area = abs(float(cv2.contourArea(corners.astype(np.float32))))
    scale = math.sqrt(floor_w * floor_h / area)
    empty = calibration.empty
    if (width, height) != calibration.size:
        empty = np.asarray(cv2.resize(empty, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    maps = maps_of(matrix, size)
    known = replace(
        calibration,
        empty=through(empty, maps),
        region=tuple((float(x), float(y)) for x, y in target),
        corners=None,
        die_px=die_px * scale,
    )
    return Flat(matrix, size, scale, known, maps)


def read_flat(image: Image, tray: Tray, read: Callable[[Image, Tray], Reading]) -> Reading:
    """Read a picture (BGR uint8) of a calibrated tray that is seen at a slant. `read` reads the flat picture.

    Raises CalibrationFault (CAL-04) for a picture of another shape.
    """
    check_shape(image, tray.calibration)
    flat = flat_of(tray.calibration, image.shape[1], image.shape[0])
    known = replace(
        tray, calibration=flat.calibration, die_px=None if tray.die_px is None else tray.die_px * flat.scale
    )
    return flat.reading(read(flat.picture(image), known))


def _die(die: Die, back: Matrix) -> Die:
    x, y = _move(die.x, die.y, back)
    a, b, c, d = (_move(*corner, back) for corner in die.corners)
    return replace(die, x=x, y=y, corners=(a, b, c, d))


def _reason(reason: Reason, back: Matrix) -> Reason:
    if reason.x is None or reason.y is None:
        return reason
    x, y = _move(reason.x, reason.y, back)
    return replace(reason, x=x, y=y)


def _move(x: float, y: float, matrix: Matrix) -> tuple[float, float]:
    px, py, w = matrix @ np.array([x, y, 1.0])
    return float(px / w), float(py / w)
