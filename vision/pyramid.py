"""A picture at halves of its size, and at each size the planes that spots and faces are seen in.

Room: vision. Knows pixels only. Planes are made when they are asked for, once: spots and witnesses share them.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ids = npt.NDArray[np.intp]

GREY = 3
"""The plane after blue, green and red: their mean by brightness, which is less noisy than any of them."""


class Planes:
    """Blue, green, red and grey of a picture, one below the other, so that each place is seen in its own plane."""

    def __init__(self, image: npt.NDArray[np.uint8]) -> None:
        self.height, self.width = image.shape[:2]
        self.tall = np.concatenate([*cv2.split(image), cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)])

    def sample(self, x: Floats, y: Floats, plane: Ids) -> npt.NDArray[np.uint8]:
        """Levels at `x`, `y`, both ... x n, of `plane` (n); bilinear, the border repeated."""
        column = np.clip(x, 0, self.width - 1).reshape(-1, len(plane))
        row = np.clip(y, 0, self.height - 1).reshape(-1, len(plane)) + (plane * self.height).astype(np.float32)
        out = np.empty(column.shape, np.uint8)
        # remap takes pictures under 32767 on a side.
        for start in range(0, len(plane), 30000):
            part = slice(start, start + 30000)
            out[:, part] = cv2.remap(
                self.tall, np.ascontiguousarray(column[:, part]), np.ascontiguousarray(row[:, part]), cv2.INTER_LINEAR
            )
        return out.reshape(x.shape)

    def crops(self, x: npt.NDArray[np.floating], y: npt.NDArray[np.floating], plane: Ids) -> npt.NDArray[np.uint8]:
        """As `sample` for `x`, `y` of n x height x width. In whole 32nds of a pixel: with them every version of OpenCV
        gives the same numbers."""
        column = np.clip(x, 0, self.width - 1).astype(np.float32)
        row = (np.clip(y, 0, self.height - 1) + (plane * self.height)[:, None, None]).astype(np.float32)
        out = np.empty(column.shape, np.uint8)
        for n in range(len(plane)):
            whole, part = cv2.convertMaps(column[n], row[n], cv2.CV_16SC2)
            out[n] = cv2.remap(self.tall, whole, part, cv2.INTER_LINEAR)
        return out


class Pyramid:
    """`levels`: a BGR picture and its halves, until a side would fall under `least_px`, eight at most."""

    def __init__(self, image: npt.NDArray[np.uint8], least_px: int = 24) -> None:
        self.levels = [image]
        while min(self.levels[-1].shape[:2]) >= 2 * least_px and len(self.levels) < 8:
            height, width = self.levels[-1].shape[:2]
            half = cv2.resize(self.levels[-1], ((width + 1) // 2, (height + 1) // 2), interpolation=cv2.INTER_AREA)
            self.levels.append(np.asarray(half, np.uint8))
        self._planes: dict[int, Planes] = {}

    def planes(self, level: int) -> Planes:
        """The planes of `levels[level]`."""
        if level not in self._planes:
            self._planes[level] = Planes(self.levels[level])
        return self._planes[level]


def sample(level: npt.NDArray[np.uint8], px: Floats, py: Floats) -> Floats:
    """Colours at (px, py), any 2-D shape, bilinear, the border repeated: shape + (3,), float32."""
    rows, columns = px.shape
    depth = level.shape[2] if level.ndim == 3 else 1
    out = np.empty((rows, columns, depth), np.float32)
    # remap takes pictures under 32767 on a side.
    for start in range(0, rows, 30000):
        stop = start + 30000
        got = cv2.remap(
            level, px[start:stop].astype(np.float32), py[start:stop].astype(np.float32), cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )  # fmt: skip
        out[start:stop] = got.reshape(*got.shape[:2], depth)
    return out
