"""Whether the light on an empty tray is good enough, and what to do about it.

Room: vision. Knows a picture of the empty tray and its floor; it finds no dice. What counts is not how bright a picture
is but what of it is lost: contrast in the dark under the noise, and everything where a lamp shines off the floor.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.types import Image

_DARK = 24.0
"""A floor darker than this mean level leaves black pips and dark dice no room below it."""
_NOISY = 12.0
_SHINES = 248
_GLARE_SHARE = 0.002
_UNEVEN = 2.5
"""Light on the brightest part of the floor, as a multiple of that on the darkest."""
_PARTS = 3

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is wrong with the light. `code` is stable; `words` say what to move; `x`, `y` say where, in pixels."""

    code: str
    words: str
    x: float | None = None
    y: float | None = None


def troubles(pictures: Sequence[Image], region: Sequence[Point]) -> list[Trouble]:
    """What is wrong with the light, the gravest first; nothing if it is good.

    `pictures` are one or more of the empty tray (BGR uint8, one size, nothing moving); with two or more the noise is
    measured as well. `region` is the floor as a polygon in pixels.
    """
    picture = np.mean([p.astype(np.float32) for p in pictures], axis=0)
    floor = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(floor, [np.round(np.array(region)).astype(np.int32)], 255)
    inside = floor > 0
    if not inside.any():
        inside = np.ones(floor.shape, bool)
    found = []
    level = float(np.median(picture.max(axis=2)[inside]))
    if level < _DARK:
        found.append(Trouble("LIGHT-01", "it is too dark to read dice: switch on a lamp, or move one nearer"))
    elif len(pictures) > 1 and (noise := _noise(pictures, inside)) > _NOISY:
        words = f"the picture is noisy ({noise:.0f} levels), as in too little light: move a lamp nearer"
        found.append(Trouble("LIGHT-01", words))
    glare = _glare(picture, inside)
    if glare is not None:
        x, y = glare
        where = side_of(x, y, floor.shape[1], floor.shape[0])
        words = f"a lamp shines off the tray {where}: move the lamp, or put paper in front of it"
        found.append(Trouble("LIGHT-02", words, x, y))
    uneven = _uneven(picture, inside)
    if uneven is not None:
        ratio, x, y = uneven
        where = side_of(x, y, floor.shape[1], floor.shape[0])
        words = f"the tray is {ratio:.1f} times darker {where}: move the lamp over the middle, or add one there"
        found.append(Trouble("LIGHT-03", words, x, y))
    return found


def side_of(x: float, y: float, width: int, height: int) -> str:
    """Where a place is, in words, as seen in the picture."""
    across = "on the left" if x < width / 3 else "on the right" if x > 2 * width / 3 else ""
    along = "at the top" if y < height / 3 else "at the bottom" if y > 2 * height / 3 else ""
    return " ".join(part for part in (along, across) if part) or "in the middle"


def _noise(pictures: Sequence[Image], inside: npt.NDArray[np.bool_]) -> float:
    """Standard deviation of a pixel from one picture to the next."""
    steps = [b.astype(np.float32) - a.astype(np.float32) for a, b in itertools.pairwise(pictures)]
    return float(np.median([float(step[inside].std()) for step in steps]) / 2.0**0.5)


def _glare(picture: npt.NDArray[np.float32], inside: npt.NDArray[np.bool_]) -> Point | None:
    """The middle of what is as bright as the camera can tell, if that is more than a few pixels of a dark floor."""
    shines = (picture.min(axis=2) >= _SHINES) & inside
    if float(np.median(picture.max(axis=2)[inside])) >= _SHINES or shines.sum() < _GLARE_SHARE * inside.sum():
        return None
    count, _, stats, centres = cv2.connectedComponentsWithStats(shines.astype(np.uint8))
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA])) if count > 1 else 0
    return float(centres[largest][0]), float(centres[largest][1])


def _uneven(picture: npt.NDArray[np.float32], inside: npt.NDArray[np.bool_]) -> tuple[float, float, float] | None:
    """How much darker the darkest of nine parts of the floor is than the brightest, and its middle."""
    ys, xs = np.nonzero(inside)
    grey = picture.mean(axis=2)
    left, right, top, bottom = xs.min(), xs.max() + 1, ys.min(), ys.max() + 1
    parts = []
    for row in range(_PARTS):
        for column in range(_PARTS):
            box = (
                slice(top + (bottom - top) * row // _PARTS, top + (bottom - top) * (row + 1) // _PARTS),
                slice(left + (right - left) * column // _PARTS, left + (right - left) * (column + 1) // _PARTS),
            )
            if inside[box].mean() > 0.5:
                level = float(np.median(grey[box][inside[box]]))
                parts.append((level, float(box[1].start + box[1].stop) / 2, float(box[0].start + box[0].stop) / 2))
    if len(parts) < 2:
        return None
    darkest, brightest = min(parts), max(parts)
    ratio = (brightest[0] + 1.0) / (darkest[0] + 1.0)
    return (ratio, darkest[1], darkest[2]) if ratio > _UNEVEN else None
