"""The parts of a picture that are worth a search, packed side by side into a small one.

Room: vision. Knows pixels and boxes only. On a known tray only what is new is looked at; everything that costs time by
the pixel then costs little.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Ids = npt.NDArray[np.intp]
Box = tuple[int, int, int, int]
"""Left, top, right, bottom; the last two are outside."""

_STEP_PX = 16
"""Tiles begin at multiples of this, so that they stay apart in four halvings."""


@dataclass(frozen=True, slots=True, eq=False)
class Tiles:
    """`image` is the packed picture; `there` (n x 4) are the boxes that its tiles come from, `here` where they lie."""

    image: npt.NDArray[np.uint8]
    there: Ids
    here: Ids

    def tile_of(self, x: npt.NDArray[np.floating], y: npt.NDArray[np.floating]) -> Ids:
        """In which tile each place of the packed picture lies, -1 in none."""
        inside = (x[:, None] >= self.here[:, 0]) & (x[:, None] < self.here[:, 2])
        inside &= (y[:, None] >= self.here[:, 1]) & (y[:, None] < self.here[:, 3])
        return np.where(inside.any(1), inside.argmax(1), -1)

    def back(
        self, x: npt.NDArray[np.floating], y: npt.NDArray[np.floating]
    ) -> tuple[npt.NDArray[np.floating], npt.NDArray[np.floating]]:
        """Where places of the packed picture lie in the whole one."""
        at = np.stack([x, y], 1)[:, None]
        away = np.maximum(np.maximum(self.here[:, :2] - at, at - self.here[:, 2:]), 0).sum(2)
        step = (self.there - self.here)[away.argmin(1)]
        return x + step[:, 0], y + step[:, 1]


def merged(boxes: list[Box]) -> list[Box]:
    """Boxes without overlaps that cover the same."""
    left = list(boxes)
    out: list[Box] = []
    while left:
        a = left.pop()
        for n, b in enumerate(left):
            if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]:
                left[n] = (min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))
                break
        else:
            out.append(a)
            continue
        # What has grown may overlap a box that was done with.
        left += out
        out = []
    return out


def pack(image: npt.NDArray[np.uint8], boxes: list[Box]) -> Tiles:
    """Cut the boxes out of a BGR picture and lay them in rows. They must not overlap and must lie inside."""
    ordered = sorted(boxes, key=lambda b: b[1] - b[3])
    sizes = [(_up(b[2] - b[0]), _up(b[3] - b[1])) for b in ordered]
    width = max(max(w for w, _ in sizes), _up(int((1.3 * sum(w * h for w, h in sizes)) ** 0.5)))
    places, x, y, tall = [], 0, 0, 0
    for w, h in sizes:
        if x + w > width:
            x, y, tall = 0, y + tall, 0
        places.append((x, y))
        x, tall = x + w, max(tall, h)
    packed = np.empty((y + tall, width, 3), np.uint8)
    packed.fill(int(image[::32, ::32].mean()))
    here = []
    for (left, top, right, bottom), (px, py), (w, h) in zip(ordered, places, sizes, strict=True):
        tile = image[top:bottom, left:right]
        # What a tile is short of its place repeats its border: an edge there would look like something.
        cv2.copyMakeBorder(
            tile,
            0,
            h - (bottom - top),
            0,
            w - (right - left),
            cv2.BORDER_REPLICATE,
            dst=packed[py : py + h, px : px + w],
        )
        here.append((px, py, px + right - left, py + bottom - top))
    return Tiles(packed, np.array(ordered, np.intp), np.array(here, np.intp))


def _up(length: int) -> int:
    return -(-length // _STEP_PX) * _STEP_PX
