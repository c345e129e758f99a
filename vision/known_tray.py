"""What a calibrated tray tells about a reading: what is there that was not there when it was empty.

Room: vision. Knows the empty picture, a picture and what was read in it; it finds no dice and changes no value.
Whatever is not the tray and not a die that was read is a reason to ask; a doubt about what was there all along is none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import Calibration, CalibrationFault
from vision.types import Die, Image, Reason

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.uint8]

_DIE_PX = 20.0
"""Pictures are compared at a size at which a die is about this long, so that noise averages out."""
_DARK = 12.0
_BRIGHTER = 12.0
_COLOUR = 9.0
_EDGES = 24.0
_NOISES = 5.0
_OWN = 1.75
"""A die's sides and its shadow's core reach this far beyond its top face, as a factor of its size."""
_SPECK = 0.1
_MANY = 2.5
_NOTHING = 0.02
_GHOST = 0.03


@dataclass(frozen=True, slots=True, eq=False)
class Novelty:
    """Where a picture shows something that the empty tray did not: 1 there, else 0, inside the tray's floor.

    `scale` is pixels of the mask per pixel of the picture, `die_px` a die's edge in the mask.
    """

    mask: Mask
    floor: Mask
    scale: float
    die_px: float

    def share(self, x: float, y: float, reach: float) -> float:
        """Share of the square of `reach` dice to each side of (x, y), in pixels of the picture, that is new."""
        half = max(1, round(reach * self.die_px))
        cx, cy = round(x * self.scale), round(y * self.scale)
        part = self.mask[max(0, cy - half) : cy + half + 1, max(0, cx - half) : cx + half + 1]
        return float(part.mean()) if part.size else 0.0

    def inside(self, x: float, y: float) -> bool:
        height, width = self.floor.shape
        cx, cy = round(x * self.scale), round(y * self.scale)
        return 0 <= cx < width and 0 <= cy < height and bool(self.floor[cy, cx])


def novelty(image: Image, calibration: Calibration) -> Novelty:
    """Compare a picture (BGR uint8) with the empty tray, whatever the light. Shadows, which are darker, smooth and of
    the felt's colour, are not new."""
    height, width = image.shape[:2]
    scale = min(1.0, _DIE_PX * calibration.size[0] / (calibration.die_px * width))
    size = (max(8, round(width * scale)), max(8, round(height * scale)))
    die_px = calibration.die_px * size[0] / calibration.size[0]
    now, before = _logs(image, size), _logs(calibration.empty, size)
    difference = now - before
    window = max(3, 2 * round(2.0 * die_px) + 1)
    mean = difference.mean(axis=2)
    light = cv2.medianBlur(np.clip(mean + 128.0, 0, 255).astype(np.uint8), min(window, 255)).astype(np.float32) - 128.0
    brighter = mean - light
    colour = difference - mean[:, :, None]
    colour = np.abs(colour - np.median(colour, axis=(0, 1))).max(axis=2)
    edges = np.abs(_slope(now) - _slope(before))
    floor = cv2.erode(calibration.mask(*size), np.ones((3, 3), np.uint8)).astype(np.uint8)
    inside = floor > 0
    mask = np.zeros(mean.shape, np.uint8)
    for feature, limit in ((brighter, _BRIGHTER), (colour, _COLOUR), (edges, _EDGES)):
        noise = float(np.median(np.abs(feature[inside]))) if inside.any() else 0.0
        mask |= (feature > max(limit, _NOISES * noise)).astype(np.uint8)
    mask[~inside] = 0
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)).astype(np.uint8)
    return Novelty(mask, floor, size[0] / width, die_px)


def check(
    dice: Sequence[Die], doubts: Sequence[Reason], image: Image, calibration: Calibration
) -> tuple[tuple[Die, ...], list[Reason]]:
    """The dice and doubts of a reading as far as the empty tray bears them out.

    Those where nothing is new, or outside the tray's floor, are dropped. Something new that no die explains is a
    doubt: `disagree` if it may be a die, `foreign` if it is larger. Raises CalibrationFault (CAL-04) for a picture of
    another shape than the calibration's.
    """
    (width, height), (own_height, own_width) = calibration.size, image.shape[:2]
    if abs(width * own_height - height * own_width) > 0.02 * width * own_height:
        raise CalibrationFault(
            "CAL-04",
            f"the calibration was made from pictures of {width}x{height}, this one is {own_width}x{own_height}: "
            "use the camera settings that it was made with, or run dicetable calibrate",
        )
    new = novelty(image, calibration)
    real = tuple(d for d in dice if new.inside(d.x, d.y) and new.share(d.x, d.y, 0.4) >= _GHOST)
    left = [r for r in doubts if _stands(r, new)]
    known = [(r.x, r.y) for r in left if r.x is not None and r.y is not None]
    reach = 1.2 * calibration.die_px * own_width / width
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
    for die in dice:
        corners = np.array(die.corners, np.float32)
        centre = corners.mean(axis=0)
        around = (centre + (corners - centre) * _OWN) * new.scale
        cv2.fillConvexPoly(rest, np.round(cv2.convexHull(around)).astype(np.int32), (0,))
    # A die like its felt shows only in pieces.
    near = max(3, 2 * round(0.3 * new.die_px) + 1)
    joined = cv2.morphologyEx(rest, cv2.MORPH_CLOSE, np.ones((near, near), np.uint8))
    count, labels, _, centres = cv2.connectedComponentsWithStats(joined)
    areas = np.bincount(labels[rest > 0], minlength=count) / new.die_px**2
    parts = sorted(((float(areas[k]), k) for k in range(1, count)), reverse=True)
    return [
        Reason(
            "foreign" if area > _MANY else "disagree",
            round(float(centres[k][0]) / new.scale, 1),
            round(float(centres[k][1]) / new.scale, 1),
        )
        for area, k in parts
        if area >= _SPECK
    ]


def _logs(image: Image, size: tuple[int, int]) -> Floats:
    small = cv2.GaussianBlur(cv2.resize(image, size, interpolation=cv2.INTER_AREA), (0, 0), 0.8).astype(np.float32)
    logs: Floats = 100.0 * np.log(small + _DARK)
    return logs


def _slope(logs: Floats) -> Floats:
    grey = logs.mean(axis=2)
    slope: Floats = cv2.magnitude(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)) / 4.0
    return slope
