"""Notice things that lie beside the dice and can be none: a coin, a pen, a card.

Room: vision. Knows a picture and the dice read in it. What it finds does no harm to the reading: it is listed so that a
player may take it out. What could be a die, or hide one, is `doubt`'s and not looked for here.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.identity import edge_px
from vision.middle import median, median_of
from vision.pyramid import Sizes, shrunk
from vision.types import Die, Image, Reason

Floats = npt.NDArray[np.float32]

_LOOK_PX = 200
"""The longer side of the picture that is looked at: things of half a die's size are a few pixels long in it."""

_LEAST = 16.0
_NOISES = 6.0
"""A thing differs from the ground by so much in colour, in grey levels and in spreads of the ground itself."""

_SMALLEST = 0.25
_LARGEST = 0.25
"""Its area: from this part of a die's to this part of the picture's."""

_SOLID = 0.8

_REACH = 4.0
"""Edges of a die from the dice within which things are noticed."""

_MOST = 6
_SAMPLES = 500
_RIDGE = 1e-4 * np.eye(3, dtype=np.float32)


def notice(image: Image | Sizes, dice: Sequence[Die]) -> list[Reason]:
    """A `foreign` notice for each thing, largest first, with its middle; `dice` are all that lie in the picture."""
    height, width = image.shape[:2]
    scale = min(1.0, _LOOK_PX / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    if not dice or min(size) < 16:
        return []
    lab = np.asarray(cv2.cvtColor(shrunk(image, *size), cv2.COLOR_BGR2LAB), np.uint8)
    edge = median_of(edge_px(die) for die in dice) * scale
    if edge < 4:
        return []
    own, ring = np.zeros(lab.shape[:2], np.uint8), np.zeros(lab.shape[:2], np.uint8)
    for mask, reach in ((ring, 2.3), (own, 1.35)):
        for die in dice:
            cv2.circle(mask, (round(die.x * scale), round(die.y * scale)), max(1, round(reach * edge)), 255, -1)
    away = _away_from_ground(lab, (ring > 0) & (own == 0))
    if away is None:
        return []
    mask = np.where((away > 1) & (own == 0), np.uint8(255), np.uint8(0))
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    if cv2.countNonZero(mask) < _SMALLEST * edge * edge:
        return []
    # Further away the light may be any.
    side = 2 * round(_REACH * edge) + 1
    close = np.asarray(cv2.dilate(own, np.ones((side, side), np.uint8)), np.uint8)
    return [Reason("foreign", round(x / scale, 1), round(y / scale, 1)) for x, y in _compact(mask, own, close, edge)][
        :_MOST
    ]


def _away_from_ground(lab: Image, ring: npt.NDArray[np.bool_]) -> Floats | None:
    """How far each pixel is from the ground, 1 at the limit. The ground is a plane in each channel, since light slopes,
    fitted to what lies round the dice."""
    places = np.flatnonzero(ring)
    if len(places) < 30:
        return None
    rows, columns = np.divmod(places[:: max(1, len(places) // _SAMPLES)], ring.shape[1])
    height, width = ring.shape
    basis = np.stack([np.ones(len(rows)), rows / height, columns / width], 1).astype(np.float32)
    values = lab[rows, columns].astype(np.float32)
    use = np.ones(len(rows), bool)
    plane = np.zeros((3, 3), np.float32)
    for _ in range(3):
        some = basis[use]
        plane = np.linalg.solve(some.T @ some + _RIDGE, some.T @ values[use]).astype(np.float32)
        off = values - basis @ plane
        far = np.sqrt(np.einsum("nc,nc->n", off, off))
        # Shadows and the things themselves lie in the ring as well.
        use = far <= max(4.0, 2.5 * median(far))
        if use.sum() < 20:
            return None
    # One plane of the picture after the other: arrays that are read in the order that they lie in take a third of the
    # time.
    down, across = np.arange(height, dtype=np.float32)[:, None] / height, np.arange(width, dtype=np.float32) / width
    light, green, blue = (
        np.asarray(channel, np.float32) - ((at + by_row * down) + by_column * across)
        for channel, (at, by_row, by_column) in zip(cv2.split(lab), plane.T, strict=True)
    )
    # A shadow is darker and hardly another colour.
    light *= np.where(light < 0, np.float32(0.4), np.float32(0.8))
    away = cv2.magnitude(light, 2.0 * cv2.magnitude(green, blue))
    return np.asarray(away / max(_LEAST, _NOISES * median(far)), np.float32)


def _compact(
    mask: npt.NDArray[np.uint8], own: npt.NDArray[np.uint8], close: npt.NDArray[np.uint8], edge: float
) -> list[tuple[float, float]]:
    """Middles of the solid parts of a mask that lie within the picture and `close`, largest first; those cut by a die's
    own place count as its sides."""
    height, width = mask.shape
    count, labels, stats, centres = cv2.connectedComponentsWithStats(mask)
    near = cv2.dilate(own, np.ones((3, 3), np.uint8))
    found = []
    for n in range(1, count):
        left, top, wide, tall, area = (int(v) for v in stats[n])
        if left <= 2 or top <= 2 or left + wide >= width - 2 or top + tall >= height - 2:
            continue
        if not _SMALLEST * edge * edge < area < _LARGEST * mask.size:
            continue
        body = labels == n
        if not close[body].all():
            continue
        touching = int((near[body] > 0).sum())
        if touching > 0.25 * area and area < edge * edge:
            continue
        points = np.argwhere(body)[:, ::-1].astype(np.int32)
        hull = float(cv2.contourArea(cv2.convexHull(points)))
        if area > _SOLID * (hull + 0.5 * (wide + tall)):
            found.append((area, float(centres[n][0]), float(centres[n][1])))
    return [(x, y) for _, x, y in sorted(found, reverse=True)]
