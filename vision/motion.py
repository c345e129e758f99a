"""What moves in the tray, seen on a picture of at most 160 pixels.

Room: vision. Knows no dice values and no states: only what differs between two small pictures, and what of it reaches
in over the border. Light is divided out, so that a step of exposure, flicker and soft shadows count for little.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.types import Image

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]

SMALL_PX = 160
"""Longest side of the picture that motion is looked for in."""

_LIGHT_PX = 15
_DARK = 16.0
_CHANGE = 10.0
_COLOUR_CHANGE = 9.0


@dataclass(frozen=True, slots=True, eq=False)
class Small:
    """A small picture with the light divided out.

    `detail` is the contrast of each pixel against its surroundings and `colour` its share of blue, green and red,
    both height x width x 3 in percent. `scale` is small pixels per pixel of the frame.
    """

    detail: Floats
    colour: Floats
    scale: float

    @property
    def shape(self) -> tuple[int, int]:
        return self.detail.shape[0], self.detail.shape[1]


def shrink(image: Image) -> Small:
    """The small picture of a frame's image (BGR uint8, height x width x 3)."""
    height, width = image.shape[:2]
    scale = min(1.0, SMALL_PX / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    around = cv2.blur(small, (_LIGHT_PX, _LIGHT_PX))
    detail = (small - around) * (100.0 / (around + _DARK))
    soft = cv2.blur(small, (3, 3)) + _DARK
    colour = soft * (100.0 / soft.sum(axis=2, keepdims=True))
    return Small(detail, colour, scale)


def changed(now: Small, before: Small) -> Mask:
    """Where the two pictures differ in detail: what moved, not what merely became lighter or darker."""
    difference = np.abs(now.detail - before.detail).max(axis=2)
    mask: Mask = cv2.blur(difference, (2, 2)) > _CHANGE
    return mask


def differs(now: Small, before: Small) -> Mask:
    """Where something else is to be seen: changed detail or changed colour, with holes filled.

    For two pictures that lie further apart in time; a change of colour of the whole picture is divided out.
    """
    colour = now.colour - before.colour
    colour = np.abs(colour - np.median(colour, axis=(0, 1))).max(axis=2)
    mask = (changed(now, before) | (colour > _COLOUR_CHANGE)).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(mask, contours, -1, 1, cv2.FILLED)
    filled: Mask = mask.astype(bool)
    return filled


@dataclass(frozen=True, slots=True, eq=False)
class Foreground:
    """What of a difference is a hand and what is loose.

    `hand` covers what reaches in over the border; `loose` holds the centres (x, y in small pixels) of things about as
    large as a die that touch neither the border nor the hand. `share` is the part of the picture that differs.
    """

    hand: Mask
    loose: tuple[tuple[float, float], ...]
    share: float

    @property
    def has_hand(self) -> bool:
        return bool(self.hand.any())


def foreground(mask: Mask, die_px: float, border: Mask | None = None) -> Foreground:
    """Sort the parts of a difference mask. `die_px` is a die's edge in small pixels; `border` marks the pixels that
    count as the border besides the picture's own (outside a calibrated tray)."""
    height, width = mask.shape
    _, labels, stats, centres = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    die_area = max(4.0, die_px * die_px)
    hand = np.zeros(mask.shape, bool)
    loose = []
    for k in range(1, len(stats)):
        x, y, w, h, area = (int(v) for v in stats[k])
        touches = x <= 1 or y <= 1 or x + w >= width - 1 or y + h >= height - 1
        part = None
        if border is not None and not touches:
            part = labels[y : y + h, x : x + w] == k
            touches = bool((part & border[y : y + h, x : x + w]).any())
        if touches and area > 1.5 * die_area:
            hand |= labels == k
        elif not touches and 0.3 * die_area <= area <= 6.0 * die_area and max(w, h) <= 5.0 * die_px:
            loose.append((float(centres[k][0]), float(centres[k][1])))
    return Foreground(hand, tuple(loose), float(mask.mean()))


def covers(mask: Mask, places: Sequence[tuple[float, float]], radius_px: float) -> list[bool]:
    """For each place (x, y in small pixels) whether `mask` reaches within `radius_px` of it."""
    height, width = mask.shape
    result = []
    for x, y in places:
        left, right = max(0, int(x - radius_px)), min(width, int(x + radius_px) + 1)
        top, bottom = max(0, int(y - radius_px)), min(height, int(y + radius_px) + 1)
        result.append(bool(mask[top:bottom, left:right].any()))
    return result
