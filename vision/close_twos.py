"""Twos whose pips lie close together, as some makers set them.

Room: vision. Knows pips and outlines; not how many dice there should be.

On such a die the two pips are a tenth of an edge or two from the middle, and say too little about where the face ends
for a lattice (`faces.py`). But they lie on a diagonal or, with some makers, along an edge, so they tell the face's
middle and leave two turns, and their ellipses tell its tilt; its edge is searched as for a one (`ones.py`), in the
range of sizes that the other dice tell.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.faces import Face, leans_of
from vision.nearby import near_pairs
from vision.outline import evenness, find_outline
from vision.pips import Pips

Floats = npt.NDArray[np.float32]
Ids = npt.NDArray[np.intp]

_NEAR, _FAR = 2.0, 5.4
"""How far apart the pips may be, in radii; further ones make a lattice."""
_OF_EDGE = 0.5
"""Their distance is at most so much of the face's edge."""
_UNIT = 2.7
"""A lattice unit in radii of a pip, as most makers have it."""
_MOST = 60
_ROUND = 0.8


def find_close_twos(
    image: npt.NDArray[np.uint8], pips: Pips, free: npt.NDArray[np.bool_], half_px: tuple[float, float]
) -> list[Face]:
    """Faces of two round pairs of pips that are `free`, best first. `half_px` bounds half the length of an edge."""
    first, second = _pairs(pips, np.nonzero(free & (pips.round >= _ROUND))[0], half_px)
    if not len(first):
        return []
    count = len(first)
    x, y = (pips.x[first] + pips.x[second]) / 2, (pips.y[first] + pips.y[second]) / 2
    gap = np.stack([pips.x[second] - pips.x[first], pips.y[second] - pips.y[first]], 1)
    radius = np.sqrt(pips.r[first] * pips.r[second])
    shape = _tilt(pips, first, second)
    upright = (np.linalg.inv(shape) @ gap[:, :, None])[:, :, 0]
    apart = np.linalg.norm(upright, axis=1)
    along = upright / apart[:, None]
    across = np.stack([-along[:, 1], along[:, 0]], 1)
    unit = (_UNIT * radius)[:, None, None]
    # The pips lie on a diagonal, or along an edge: where the square's sides are clearer.
    turned = [np.stack([along - across, along + across], 2) * np.float32(np.sqrt(0.5)), np.stack([along, across], 2)]
    frames = np.concatenate([(shape @ axes * unit).astype(np.float32) for axes in turned])
    low = np.maximum(half_px[0], apart / _OF_EDGE / 2) / unit[:, 0, 0]
    high = np.maximum(half_px[1] / unit[:, 0, 0], 1.03 * low)
    centre = np.stack([x, y], 1).astype(np.float32)
    outline = find_outline(
        image, np.tile(centre, (2, 1)), frames, np.tile(low, 2).astype(np.float32), np.tile(high, 2).astype(np.float32)
    )
    step = np.minimum(pips.step[first], pips.step[second])
    clear = np.clip(0.2 * step, 14.0, 40.0)
    three = np.sort(outline.sides, 1)[:, 1:].reshape(2, count, 3)
    pick = np.minimum(three, 120).sum(2).argmax(0) * count + np.arange(count)
    frame, reach, sides, body = frames[pick], outline.reach[pick], outline.sides[pick], outline.body(pick)
    bounded = np.minimum(np.sort(sides, 1)[:, 1:], clear[:, None]).sum(1) / (3 * clear)
    hole = (apart / 2 + 1.3 * radius) / unit[:, 0, 0]
    rough, _ = evenness(image, centre, frame, reach, hole.astype(np.float32))
    faces = []
    aspects = np.linalg.eigvalsh(shape)
    aspects = aspects[:, 0] / aspects[:, 1]
    leans = leans_of(shape)
    for n, (i, j) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        outer = (pips.outer[i] + pips.outer[j]) / 2
        # The face between and round the pips, and the face near its edge, must be one colour.
        drift = float(np.linalg.norm(body[n] - outer)) / (float(step[n]) + 10)
        uneven = float(rough[n]) / (float(step[n]) + 10)
        score = float(pips.round[i] + pips.round[j]) * float(bounded[n]) - drift - uneven
        face = Face(
            2, float(x[n]), float(y[n]), frame[n], float(reach[n]), score, drift,
            float(aspects[n]), float(radius[n]), (i, j), body[n],
            (pips.inner[i] + pips.inner[j]) / 2, np.zeros(9, np.float32),
        )  # fmt: skip
        face.sides, face.rough, face.step = sides[n], uneven, float(step[n])
        face.uneven = abs(float(np.log(pips.r[i] / pips.r[j]))) / 2
        face.lean = leans[n]
        faces.append(face)
    return sorted(faces, key=lambda f: -f.score)


def _pairs(pips: Pips, those: Ids, half_px: tuple[float, float]) -> tuple[Ids, Ids]:
    """Pairs of alike pips near each other with no third beside them."""
    if len(those) < 2:
        return those[:0], those[:0]
    i, j = near_pairs(pips.x[those], pips.y[those], pips.r[those], _FAR)
    i, j = those[i], those[j]
    gap = np.hypot(pips.x[i] - pips.x[j], pips.y[i] - pips.y[j])
    size, step = np.sqrt(pips.r[i] * pips.r[j]), np.minimum(pips.step[i], pips.step[j])
    ok = (gap > _NEAR * size) & (gap < _FAR * size) & (gap < _OF_EDGE * 2 * half_px[1])
    ok &= np.abs(np.log(pips.r[i] / pips.r[j])) < np.log(1.3)
    ok &= np.linalg.norm(pips.inner[i] - pips.inner[j], axis=1) < 0.6 * step
    ok &= np.linalg.norm(pips.outer[i] - pips.outer[j], axis=1) < 0.6 * step
    i, j, gap, size, step = (part[ok] for part in (i, j, gap, size, step))
    x, y = (pips.x[i] + pips.x[j]) / 2, (pips.y[i] + pips.y[j]) / 2
    beside = np.hypot(pips.x - x[:, None], pips.y - y[:, None]) < np.maximum(1.6 * gap, 0.8 * half_px[0])[:, None]
    beside &= (pips.round >= _ROUND) & (pips.r > 0.65 * size[:, None]) & (pips.r < 1.5 * size[:, None])
    beside[np.arange(len(i)), i] = beside[np.arange(len(j)), j] = False
    row, third = np.nonzero(beside)
    like = np.linalg.norm(pips.inner[third] - pips.inner[i[row]], axis=1) < 0.5 * step[row]
    alone = np.ones(len(i), bool)
    alone[row[like]] = False
    i, j = i[alone], j[alone]
    best = np.argsort(-(pips.round[i] + pips.round[j]) * np.minimum(step[alone], 80), kind="stable")[:_MOST]
    return i[best], j[best]


def _tilt(pips: Pips, i: Ids, j: Ids) -> Floats:
    """How faces are tilted by two of their pips: their mean ellipses, drawn towards circles where pips are small."""
    weight = np.clip((np.sqrt(pips.r[i] * pips.r[j]) - 1.5) / 4.0, 0.3, 1.0)[:, None, None]
    mean = weight * (pips.shape[i] + pips.shape[j]) / 2 + (1 - weight) * np.eye(2, dtype=np.float32)
    shape: Floats = mean / np.sqrt(np.linalg.det(mean))[:, None, None]
    return shape
