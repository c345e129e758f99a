"""What a calibrated tray tells: what lies there now that did not lie there when it was empty.

Room: vision. Knows the empty picture, a picture, and what was read in it; it finds no dice and changes no value.
Before the reading it says where to look at all (`novelty`, `Novelty.parts`). After it, whatever is not the tray and not
a die that was read is a reason to ask, and a doubt about what was there all along is none (`check`).

Pictures are compared as logarithms, so that a change of light is a constant; small, so that noise averages out; in
bytes, since this is done for every reading.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import Calibration, CalibrationFault
from vision.pyramid import Sizes
from vision.tiles import Box, merged
from vision.types import Die, Image, Reason

Bytes = npt.NDArray[np.uint8]
Where = Callable[[npt.NDArray[np.floating], npt.NDArray[np.floating]], npt.NDArray[np.bool_]]

_DIE_PX = 15.0
"""Pictures are compared at a whole fraction of their size at which a die is about this long."""
_DARK = 12.0
_UNITS = 82.0
"""Steps of a byte to one of the natural logarithm: all that 0 to 255 can be fits."""
_BRIGHTER = 0.12
_COLOUR = 0.09
_EDGES = 0.24
"""Least differences that are new, in natural logarithms: in brightness, in colour, in slope of brightness a pixel."""
_NOISES = 5.0
_SOME = 6
"""Every so many pixels each way tell what is usual in a picture."""
_OWN = 1.75
"""A die's sides and its shadow's core reach this far beyond its top face, as a factor of its size."""
_AT_THE_WALL = 0.35
"""How far off the floor, in edges, the middle of a top may be seen."""
_SPECK = 0.1
_MANY = 2.5
_NOTHING = 0.02
_GHOST = 0.03


@dataclass(frozen=True, slots=True, eq=False)
class Novelty:
    """Where a picture shows something that the empty tray did not: 1 there, else 0, inside the tray's floor.

    `scale` is pixels of the mask per pixel of the picture, `die_px` a die's edge in the mask.
    """

    mask: Bytes
    floor: Bytes
    scale: float
    die_px: float

    def share(self, x: float, y: float, reach: float) -> float:
        """Share of the square of `reach` dice to each side of (x, y), in pixels of the picture, that is new."""
        half = max(1, round(reach * self.die_px))
        cx, cy = round(x * self.scale), round(y * self.scale)
        part = self.mask[max(0, cy - half) : cy + half + 1, max(0, cx - half) : cx + half + 1]
        return float(part.mean()) if part.size else 0.0

    def inside(self, x: float, y: float) -> bool:
        """Is a place of the picture on the tray's floor, or hardly beside it? The top of a die at the wall stands up
        from the floor and is seen further out; and where exactly a floor ends is hard to see."""
        reach = round(_AT_THE_WALL * self.die_px)
        cx, cy = round(x * self.scale), round(y * self.scale)
        part = self.floor[max(0, cy - reach) : max(0, cy + reach + 1), max(0, cx - reach) : max(0, cx + reach + 1)]
        return bool(part.any())

    def places(self, reach: float, width: int) -> Where:
        """Says of places x, y in a picture of this width whether something new is within `reach` dice."""
        side = 2 * max(1, round(reach * self.die_px)) + 1
        close = cv2.dilate(self.mask, np.ones((side, side), np.uint8))
        scale = self.mask.shape[1] / width

        def near(x: npt.NDArray[np.floating], y: npt.NDArray[np.floating]) -> npt.NDArray[np.bool_]:
            row = np.clip(np.rint(y * scale), 0, close.shape[0] - 1).astype(np.intp)
            column = np.clip(np.rint(x * scale), 0, close.shape[1] - 1).astype(np.intp)
            return np.asarray(close[row, column] > 0, bool)

        return near

    def boxes(self, reach: float, width: int, height: int) -> list[Box]:
        """What is new with `reach` dice round it, as boxes in a picture of `width` x `height`."""
        scale = width / self.mask.shape[1]
        grow = reach * self.die_px
        # Specks that boxes of this size would join anyway are joined first.
        side = max(1, int(grow))
        found = []
        joined = cv2.morphologyEx(self.mask, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
        # What lies in a hole of something is in its box.
        for outline in cv2.findContours(joined, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
            left, top, wide, tall = cv2.boundingRect(outline)
            box = (left - grow, top - grow, left + wide + grow, top + tall + grow)
            x0, y0, x1, y1 = (round(v * scale) for v in box)
            found.append((max(0, x0), max(0, y0), min(width, x1), min(height, y1)))
        return merged(found)


def check_shape(image: Image, calibration: Calibration) -> None:
    """Raises CalibrationFault (CAL-04) for a picture of another shape than the calibration's."""
    (width, height), (own_height, own_width) = calibration.size, image.shape[:2]
    if abs(width * own_height - height * own_width) > 0.02 * width * own_height:
        raise CalibrationFault(
            "CAL-04",
            f"the calibration was made from pictures of {width}x{height}, this one is {own_width}x{own_height}: "
            "use the camera settings that it was made with, or run dicetable calibrate",
        )


def novelty(image: Image | Sizes, calibration: Calibration) -> Novelty:
    """Compare a picture (BGR uint8) with the empty tray, whatever the light. Shadows, which are darker, smooth and of
    the felt's colour, are not new. Raises CalibrationFault (CAL-04) for a picture of another shape."""
    sizes = Sizes.of(image)
    check_shape(sizes.image, calibration)
    height, width = sizes.shape[:2]
    die_px = calibration.die_px * width / calibration.size[0]
    shrink = max(1, min(round(die_px / _DIE_PX), min(height, width) // 8))
    before = _empty_tray(calibration, width, height, shrink)
    die_px /= shrink
    logs = _logs(sizes, shrink)
    difference = [cv2.subtract(a, b, dtype=cv2.CV_16S) for a, b in zip(cv2.split(logs), before.logs, strict=True)]
    total = cv2.add(cv2.add(difference[0], difference[1]), difference[2])
    inside = before.inside
    new = _over(cv2.subtract(total, _light(total, die_px)), 3 * _BRIGHTER * _UNITS, inside)
    for plane in difference:
        # A lamp of another colour shifts all of the tray alike.
        colour = np.asarray(cv2.addWeighted(plane, 3.0, total, -1.0, 0.0), np.int16)
        new |= _over(np.abs(colour - _middle(colour[::_SOME, ::_SOME])), 3 * _COLOUR * _UNITS, inside)
    new |= _over(cv2.absdiff(_slope(logs), before.slope), 4 * _EDGES * _UNITS, inside)
    mask = cv2.bitwise_and(new, before.floor)
    kernel = np.ones((3, 3), np.uint8)
    mask = cv2.morphologyEx(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel), cv2.MORPH_OPEN, kernel)
    return Novelty(np.asarray(mask, np.uint8), before.floor, 1.0 / shrink, die_px)


def check(
    dice: Sequence[Die], doubts: Sequence[Reason], image: Image, calibration: Calibration, new: Novelty | None = None
) -> tuple[tuple[Die, ...], list[Reason]]:
    """The dice and doubts of a reading as far as the empty tray bears them out; `new` is `novelty` of the two.

    Those where nothing is new, or outside the tray's floor, are dropped. Something new that no die explains is a
    doubt: `disagree` if it may be a die, `foreign` if it is larger. Raises CalibrationFault (CAL-04) for a picture of
    another shape than the calibration's.
    """
    new = novelty(image, calibration) if new is None else new
    real = tuple(d for d in dice if new.inside(d.x, d.y) and new.share(d.x, d.y, 0.4) >= _GHOST)
    left = [r for r in doubts if _stands(r, new)]
    known = [(r.x, r.y) for r in left if r.x is not None and r.y is not None]
    reach = 1.2 * new.die_px / new.scale
    left += [
        r for r in _unexplained(new, real) if all(math.dist((r.x or 0.0, r.y or 0.0), place) > reach for place in known)
    ]
    return real, left


def _stands(reason: Reason, new: Novelty) -> bool:
    if reason.x is None or reason.y is None:
        return True
    return new.inside(reason.x, reason.y) and new.share(reason.x, reason.y, 0.6) >= _NOTHING


def _unexplained(new: Novelty, dice: tuple[Die, ...]) -> list[Reason]:
    """What is new and not one of `dice`, largest part first."""
    rest = new.mask.copy()
    corners = np.array([die.corners for die in dice], np.float32).reshape(-1, 4, 2)
    centre = corners.mean(axis=1, keepdims=True)
    for around in np.round((centre + (corners - centre) * _OWN) * new.scale).astype(np.int32):
        cv2.fillConvexPoly(rest, cv2.convexHull(around), (0,))
    if cv2.countNonZero(rest) < _SPECK * new.die_px**2:
        return []
    # A die like its felt shows only in pieces.
    near = max(3, 2 * round(0.3 * new.die_px) + 1)
    joined = cv2.morphologyEx(rest, cv2.MORPH_CLOSE, np.ones((near, near), np.uint8))
    count, labels = cv2.connectedComponents(joined)
    areas = np.bincount(labels[rest > 0], minlength=count) / new.die_px**2
    parts = sorted(((float(areas[k]), k) for k in range(1, count)), reverse=True)
    told = []
    for area, k in parts:
        if area >= _SPECK:
            y, x = (float(at.mean()) / new.scale for at in np.nonzero(labels == k))
            told.append(Reason("foreign" if area > _MANY else "disagree", round(x, 1), round(y, 1)))
    return told


@dataclass(frozen=True, slots=True, eq=False)
class _Before:
    """The empty tray, made ready for comparing: logarithms of each colour, their slope, the floor (1 or 0) and where
    that is."""

    logs: tuple[Bytes, ...]
    slope: npt.NDArray[np.int16]
    floor: Bytes
    inside: npt.NDArray[np.bool_]


@lru_cache(maxsize=2)
def _empty_tray(calibration: Calibration, width: int, height: int, shrink: int) -> _Before:
    empty = calibration.empty
    if calibration.size != (width, height):
        empty = np.asarray(cv2.resize(empty, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    logs = _logs(Sizes(empty), shrink)
    floor = cv2.erode(calibration.mask(logs.shape[1], logs.shape[0]), np.ones((3, 3), np.uint8)) // 255
    return _Before(
        tuple(np.asarray(plane, np.uint8) for plane in cv2.split(logs)),
        _slope(logs),
        np.asarray(floor, np.uint8),
        (floor > 0)[::_SOME, ::_SOME],
    )


_LOGS = np.rint(_UNITS * np.log((np.arange(256) + _DARK) / _DARK)).astype(np.uint8)


def _logs(sizes: Sizes, shrink: int) -> Bytes:
    """The picture made smaller, smooth, and logarithmic in `_UNITS`."""
    return np.asarray(cv2.GaussianBlur(cv2.LUT(sizes.by(shrink), _LOGS), (3, 3), 0.8), np.uint8)


def _slope(logs: Bytes) -> npt.NDArray[np.int16]:
    """Four times the slope of brightness, a pixel."""
    grey = cv2.cvtColor(logs, cv2.COLOR_BGR2GRAY)
    across, down = cv2.spatialGradient(grey)
    size = cv2.magnitude(across.astype(np.float32), down.astype(np.float32))
    # Whole sizes lie just under or over the whole number, with each version of OpenCV on its own side.
    return np.asarray(size + np.float32(1.5e-4), np.int16)


def _middle(values: npt.NDArray[np.int16]) -> np.int16:
    """The median, to a whole number."""
    return np.int16(np.partition(values, values.size // 2, axis=None)[values.size // 2])


def _light(total: cv2.typing.MatLike, die_px: float) -> npt.NDArray[np.int16]:
    """How much the light changed, place by place: the median over four dice, taken at an eighth of the size."""
    height, width = total.shape
    size = (max(1, width // 8), max(1, height // 8))
    small = cv2.resize(total, size, interpolation=cv2.INTER_AREA)
    window = 2 * max(1, round(0.25 * die_px)) + 1
    level = cv2.medianBlur(np.clip(small / 3 + 128.0, 0, 255).astype(np.uint8), min(window, 255))
    wide = cv2.resize(level, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray((wide.astype(np.int16) - 128) * 3, np.int16)


def _over(feature: cv2.typing.MatLike, least: float, inside: npt.NDArray[np.bool_]) -> Bytes:
    """Not 0 where a difference is over `least` and over what is usual in this picture."""
    some = np.abs(np.asarray(feature, np.int16)[::_SOME, ::_SOME][inside])
    noise = float(_middle(some)) if some.size else 0.0
    most = math.floor(max(least, _NOISES * noise))
    return np.asarray(cv2.inRange(feature, (most + 1,), (32767,)), np.uint8)
