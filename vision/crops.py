"""Upright pictures of single faces, cut from a frame by their four corners.

Room: vision. Knows pixels and corners only; not what a face shows, nor who asks. Shared by the reader and by whoever
trains or runs a classifier on faces, so that both see the same thing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.pyramid import Ids, Pyramid
from vision.types import Image

CROP_PX = 64
"""Side of a crop, in pixels."""

MARGIN_PX = 8
"""What is shown outside the face on each side; the face itself is CROP_PX - 2 * MARGIN_PX = 48 pixels."""

_LOW, _HIGH = MARGIN_PX - 0.5, CROP_PX - MARGIN_PX - 0.5
_TARGET = np.array([[_LOW, _LOW], [_HIGH, _LOW], [_HIGH, _HIGH], [_LOW, _HIGH]], np.float32)


def face_crop(image: Image, corners: Sequence[Sequence[float]] | npt.NDArray[np.floating]) -> Image:
    """Warp one face upright: CROP_PX x CROP_PX `uint8`, grey or BGR as `image` is.

    `corners` are four points (x, y) in pixels of `image`, going round the face; the first becomes the upper left
    corner. The corners land MARGIN_PX inside the crop. Outside the picture the border is repeated. A face larger
    than the crop is averaged down, not sampled, so that noise and grain do not alias into pips.
    """
    quad = np.asarray(corners, np.float32).reshape(4, 2)
    side_px = float(np.mean(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1)))
    shrink = int(side_px // (CROP_PX - 2 * MARGIN_PX))
    if shrink < 2:
        return _warp(image, quad, 1)
    # Supersample at most 4 times each way: enough against aliasing, and bounded for a die that fills the picture.
    shrink = min(shrink, 4)
    return cv2.resize(_warp(image, quad, shrink), (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA)  # type: ignore[return-value]


def face_crops(pyramid: Pyramid, corners: npt.NDArray[np.floating], planes: Ids) -> npt.NDArray[np.uint8]:
    """Upright crops of many faces at once: N x CROP_PX x CROP_PX. `corners` are N x 4 x 2, each a parallelogram;
    `planes` says in which plane of the pyramid each face is seen.

    As `face_crop`, but that large faces are averaged down by taking them from a smaller level.
    """
    quads = np.asarray(corners, np.float64)
    side_px = edges_of(quads).mean(1)
    level = np.floor(np.log2(np.maximum(side_px / (CROP_PX - 2 * MARGIN_PX), 1))).astype(int)
    level = np.minimum(level, len(pyramid.levels) - 1)
    ahead = (np.arange(CROP_PX) - _LOW) / (_HIGH - _LOW)
    quads = (quads + 0.5) / np.exp2(level)[:, None, None] - 0.5
    first, across, down = quads[:, 0], quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]
    x, y = (
        first[:, k, None, None] + across[:, k, None, None] * ahead + down[:, k, None, None] * ahead[:, None]
        for k in (0, 1)
    )
    return pyramid.crops(x, y, 4 * level + planes)


def edges_of(quads: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Lengths of the edges of quadrilaterals, N x 4 x 2: N x 4."""
    away = quads - quads[:, (3, 0, 1, 2)]
    lengths: npt.NDArray[np.float64] = np.sqrt((away * away).sum(2))
    return lengths


def squares(image: Image, quads: npt.NDArray[np.floating], size: int, reach: float = 1.0) -> npt.NDArray[np.uint8]:
    """Upright pictures of parallelograms, N x 4 x 2 corners going round, sampled bilinearly: N x `size` x `size` (x
    colours). Each fills its picture, or a part of it where `reach` is more than 1. Other quadrilaterals are taken for
    the parallelogram that fits them best."""
    corners = np.asarray(quads, np.float64)
    a, b, c, d = corners[:, 0], corners[:, 1], corners[:, 2], corners[:, 3]
    ahead = ((np.arange(size) + 0.5) / size - 0.5) * reach
    middle, across, down = (a + b + c + d) / 4, (b - a + c - d) / 2, (d - a + c - b) / 2
    x, y = np.empty((2, len(corners), size, size), np.float32)
    for k, places in enumerate((x, y)):
        np.add(
            (across[:, k, None] * ahead)[:, None, :], (down[:, k, None] * ahead + middle[:, k, None])[:, :, None],
            out=places, casting="same_kind",
        )  # fmt: skip
    if np.abs(corners).max(initial=0.0) * reach > 10000:
        # More than `convertMaps` takes.
        np.clip(x, -30000, 30000, out=x)
        np.clip(y, -30000, 30000, out=y)
    flat = (len(corners) * size, size)
    # Places in whole 32nds of a pixel: with them every version of OpenCV gives the same numbers.
    whole, part = cv2.convertMaps(x.reshape(flat), y.reshape(flat), cv2.CV_16SC2)
    out = cv2.remap(image, whole, part, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, np.uint8).reshape(len(corners), size, size, *image.shape[2:])


def _warp(image: Image, quad: npt.NDArray[np.float32], scale: int) -> Image:
    # Pixel centres lie at whole numbers, so scaling is about the corner of the picture at -0.5.
    target = ((_TARGET + 0.5) * scale - 0.5).astype(np.float32)
    return warp(image, quad, target, CROP_PX * scale)


def warp(image: Image, quad: npt.NDArray[np.float32], target: npt.NDArray[np.float32], size: int) -> Image:
    """The square picture of `size` pixels in which the corners `quad` of `image` lie at `target` (both 4 x 2)."""
    back = cv2.getPerspectiveTransform(target, quad)
    if np.abs(back[2, :2]).sum() * size < 1e-6 * abs(back[2, 2]):
        # A parallelogram, as tops mostly are: sums of a row and a column.
        ahead = np.arange(size)
        places = ((back[:2, 0] / back[2, 2])[:, None] * ahead, (back[:2, 1:] / back[2, 2]) @ [ahead, np.ones(size)])
        column, row = (
            np.clip(across + down[:, None], -30000, 30000).astype(np.float32)
            for across, down in zip(*places, strict=True)
        )
    else:
        x, y, z = back @ _grid(size)
        z = np.where(np.abs(z) < 1e-9, 1e-9, z)
        column, row = (np.clip(v / z, -30000, 30000).reshape(size, size).astype(np.float32) for v in (x, y))
    # Places in whole 32nds of a pixel: with them every version of OpenCV gives the same numbers.
    whole, part = cv2.convertMaps(column, row, cv2.CV_16SC2)
    out = cv2.remap(image, whole, part, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, np.uint8)


Maps = tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]
"""Where each pixel of a picture is taken from: places in whole pixels, and the rest in 32nds."""


def maps_of(matrix: npt.ArrayLike, size: tuple[int, int]) -> Maps:
    """For the picture of `size` (width, height) that `matrix`, 2 x 3 or 3 x 3, takes another one to. What
    `cv2.warpAffine` and `cv2.warpPerspective` do, in whole 32nds of a pixel: with them every version of OpenCV gives
    the same numbers."""
    rows = np.asarray(matrix, np.float64)
    back = np.linalg.inv(rows if len(rows) == 3 else np.vstack([rows, [0.0, 0.0, 1.0]]))
    row, column = np.mgrid[0 : size[1], 0 : size[0]]
    x, y, z = (line[0] * column + line[1] * row + line[2] for line in back)
    x, y = (np.clip(v / z, -30000, 30000).astype(np.float32) for v in (x, y))
    pixel, part = cv2.convertMaps(x, y, cv2.CV_16SC2)
    return np.asarray(pixel, np.int16), np.asarray(part, np.uint16)


def through(image: Image, maps: Maps) -> Image:
    """The picture that `maps` take from `image`; beyond it the border is repeated."""
    return np.asarray(cv2.remap(image, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


@cache
def _grid(size: int) -> npt.NDArray[np.float64]:
    """The pixels of a square crop, row by row: 3 x size^2, homogeneous."""
    row, column = np.mgrid[0:size, 0:size]
    return np.stack([column.ravel(), row.ravel(), np.ones(size * size)]).astype(np.float64)
