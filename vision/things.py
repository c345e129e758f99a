"""Notice things that lie beside the dice and can be none: a coin, a pen, a card.

Room: vision. Knows a picture and the dice read in it. What it finds does no harm to the reading: it is listed so that a
player may take it out. What could be a die, or hide one, is `doubt`'s and not looked for here.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.pyramid import shrunk
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


def notice(image: Image, dice: Sequence[Die]) -> list[Reason]:
    """A `foreign` notice for each thing, largest first, with its middle; `dice` are all that lie in the picture."""
    height, width = image.shape[:2]
    scale = min(1.0, _LOOK_PX / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    if not dice or min(size) < 16:
        return []
    lab = cv2.cvtColor(shrunk(image, *size), cv2.COLOR_BGR2LAB).astype(np.float32)
    corners = np.array([d.corners for d in dice], np.float32)
    edge = float(np.median(np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2))) * scale
    if edge < 4:
        return []
    own, ring = np.zeros(lab.shape[:2], np.uint8), np.zeros(lab.shape[:2], np.uint8)
    for mask, reach in ((ring, 2.3), (own, 1.35)):
        for die in dice:
            cv2.circle(mask, (round(die.x * scale), round(die.y * scale)), max(1, round(reach * edge)), 255, -1)
    away = _away_from_ground(lab, (ring > 0) & (own == 0))
    if away is None:
        return []
    # Further away the light may be any.
    side = 2 * round(_REACH * edge) + 1
    close = np.asarray(cv2.dilate(own, np.ones((side, side), np.uint8)), np.uint8)
    mask = np.where((away > 1) & (own == 0), 255, 0).astype(np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    return [Reason("foreign", round(x / scale, 1), round(y / scale, 1)) for x, y in _compact(mask, own, close, edge)][
        :_MOST
    ]


def _away_from_ground(lab: Floats, ring: npt.NDArray[np.bool_]) -> Floats | None:
    """How far each pixel is from the ground, 1 at the limit. The ground is a plane in each channel, since light slopes,
    fitted to what lies round the dice."""
    rows, columns = np.nonzero(ring)
    if len(rows) < 30:
        return None
    every = max(1, len(rows) // _SAMPLES)
    rows, columns = rows[::every], columns[::every]
    height, width = ring.shape
    basis = np.stack([np.ones(len(rows)), rows / height, columns / width], 1).astype(np.float32)
    values = lab[rows, columns]
    use = np.ones(len(rows), bool)
    plane = np.zeros((3, 3), np.float32)
    for _ in range(3):
        plane = np.linalg.lstsq(basis[use], values[use], rcond=None)[0].astype(np.float32)
        far = np.linalg.norm(values - basis @ plane, axis=1)
        # Shadows and the things themselves lie in the ring as well.
        use = far <= max(4.0, 2.5 * float(np.median(far)))
        if use.sum() < 20:
            return None
    yy, xx = np.mgrid[0:height, 0:width].astype(np.float32)
    ground = np.stack([np.ones_like(yy), yy / height, xx / width], 2) @ plane
    limit = max(_LEAST, _NOISES * float(np.median(far)))
    change = lab - ground
    # A shadow is darker and hardly another colour.
    lightness = np.where(change[:, :, 0] < 0, 0.4, 0.8) * change[:, :, 0]
    colour = np.hypot(change[:, :, 1], change[:, :, 2])
    return np.asarray(np.hypot(lightness, 2.0 * colour) / limit, np.float32)


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
