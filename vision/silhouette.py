"""How far a die's sides reach out beyond its top, by colours alone.

Room: vision. Knows a picture and the corners of tops; not what they show. It asks the same as the third witness
(`lean.py`), where the bottom's middle lies, and fails on other pictures: where the table is patterned, not where a side
looks unlike those that a network has seen.

Outwards from each edge of a top the colours are compared with the table's, which is what lies a die further out; a
shadow is the table's colour and only darker. Where most of a line along the edge is the table, the side has ended.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.middle import median_row
from vision.pyramid import sample

Floats = npt.NDArray[np.float32]

_ALONG = np.linspace(-0.6, 0.6, 7)
_OUT = np.linspace(1.06, 2.3, 26)
_NORMALS = np.array([(1, 0), (-1, 0), (0, 1), (0, -1)], np.float64)
_TANGENTS = np.array([(0, 1), (0, 1), (1, 0), (1, 0)], np.float64)
_ANGLES = np.arange(48) * (np.pi / 24)
_RING = np.concatenate([np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], 1) * r for r in (2.4, 2.8, 3.2)])
_FACE = np.array([(a, b) for a in (-0.8, -0.4, 0.4, 0.8) for b in (-0.8, -0.4, 0.4, 0.8)], np.float64)

_DARKEST, _LIGHTEST = 0.3, 1.15
"""The table in shade and in light, as factors of its colour round the die."""

_LEAST_GREY = 9.0
_TOUCHES = 3.4
"""Another die's middle so near, in half edges, hides a side."""

_SEEN = 0.06
_NEAR, _HIDDEN, _BOTH, _NOTHING = 0.08, 0.15, 0.3, 0.5
"""How far off a drop may be: usually; with a neighbour on one side; with sides on both sides of a top, which can't be;
and where nothing can be said."""

_FALLS_SHORT = 1.3
"""Rounded edges and shade make sides end too early: on made pictures by so much."""


def side_drops(image: npt.NDArray[np.uint8], corners: npt.NDArray[np.floating]) -> tuple[Floats, Floats]:
    """For N tops, N x 4 x 2 corners going round: the drop (N x 2, in edges of the top, along the picture's axes) and
    how far off it may be (N, in edges)."""
    quads = np.asarray(corners, np.float64)
    middles = quads.mean(1)
    axes = np.stack(
        [quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3], quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]],
        2,
    )
    axes /= 4
    drops, errors = np.zeros((len(quads), 2), np.float32), np.full(len(quads), _NOTHING, np.float32)
    for n, (middle, half) in enumerate(zip(middles, axes, strict=True)):
        patch, corner = _patch(image, middle, 3.3 * float(np.linalg.norm(half)))
        others = np.delete(middles, n, 0)
        drop, errors[n] = _one(patch, middle - corner, half, others - corner)
        edge = 2 * float(np.sqrt(abs(np.linalg.det(half))))
        drops[n] = 2 * half @ drop / max(edge, 1e-3)
    return drops, errors


def _patch(
    image: npt.NDArray[np.uint8], middle: npt.NDArray[np.float64], reach: float
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64]]:
    """The picture round a place, with its noise smoothed away, and where its upper left corner lies."""
    height, width = image.shape[:2]
    left, top = (int(np.clip(v - reach, 0, most - 2)) for v, most in zip(middle, (width, height), strict=True))
    right, bottom = (int(np.clip(v + reach + 2, 2, most)) for v, most in zip(middle, (width, height), strict=True))
    patch = np.ascontiguousarray(image[top : max(bottom, top + 2), left : max(right, left + 2)])
    return np.asarray(cv2.GaussianBlur(patch, (0, 0), 0.8), np.uint8), np.array([left, top], np.float64)


def _one(
    image: npt.NDArray[np.uint8], middle: npt.NDArray[np.float64], half: npt.NDArray[np.float64],
    others: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.float64], float]:  # fmt: skip
    edge = 2 * float(np.sqrt(abs(np.linalg.det(half))))
    ring = _RING @ half.T + middle
    free = (np.linalg.norm(ring[:, None] - others[None], axis=2) > 1.2 * edge).all(1)
    if free.sum() < 12 or edge < 4:
        return np.zeros(2), _NOTHING
    around = _colours(image, ring[free])
    table = median_row(around)
    strength = float(table @ table) + 1e-3
    shade = np.clip(around @ table / strength, _DARKEST, 1.25)
    noise = float(np.quantile(np.linalg.norm(around - shade[:, None] * table, axis=1), 0.35))
    face = median_row(_colours(image, _FACE @ half.T + middle))
    limit = max(_LEAST_GREY, 3 * noise, 0.08 * float(np.linalg.norm(face - table)))
    lines = (
        _OUT[None, None, :, None] * _NORMALS[:, None, None, :]
        + _ALONG[None, :, None, None] * _TANGENTS[:, None, None, :]
    )  # sides x along x out x 2
    seen = _colours(image, lines.reshape(-1, 2) @ half.T + middle).reshape(4, len(_ALONG), len(_OUT), 3)
    shade = np.clip(seen @ table / strength, _DARKEST, _LIGHTEST)
    away = np.minimum(np.linalg.norm(seen - table, axis=3), np.linalg.norm(seen - shade[..., None] * table, axis=3))
    is_side = (away > limit).mean(1) > 0.5
    ends = np.where(is_side.all(1), len(_OUT) - 1, (~is_side).argmax(1))
    reach = (_OUT[ends] - _OUT[0]) / 2
    hidden = np.zeros(4, bool)
    if len(others):
        local = np.linalg.solve(half, (others - middle).T).T
        for place in local[np.abs(local).max(1) < _TOUCHES]:
            axis = int(np.abs(place).argmax())
            hidden[2 * axis + int(place[axis] < 0)] = True
    drop, error = np.zeros(2), _NEAR
    for axis in (0, 1):
        ahead, behind = reach[2 * axis], reach[2 * axis + 1]
        ahead_hidden, behind_hidden = hidden[2 * axis], hidden[2 * axis + 1]
        if ahead_hidden and behind_hidden:
            error = _NOTHING
        elif ahead_hidden:
            drop[axis], error = (-behind if behind > _SEEN else 0.0), max(error, _HIDDEN)
        elif behind_hidden:
            drop[axis], error = (ahead if ahead > _SEEN else 0.0), max(error, _HIDDEN)
        else:
            drop[axis] = ahead - behind
            if min(ahead, behind) > 0.12:
                error = max(error, _BOTH)
    return _FALLS_SHORT * drop, error


def _colours(image: npt.NDArray[np.uint8], places: npt.NDArray[np.float64]) -> Floats:
    x, y = places.T.astype(np.float32)
    seen: Floats = sample(image, x[None], y[None])[0]
    return seen
