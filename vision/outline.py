"""Where a face ends: its four straight edges, searched outwards from a lattice.

Room: vision. Knows pixels and lattices; not what a face shows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.pips import Floats, sample

_ALONG = np.linspace(-0.62, 0.62, 6, dtype=np.float32)
_NORMALS = np.array([(1, 0), (-1, 0), (0, 1), (0, -1)], np.float32)
_TANGENTS = np.array([(0, 1), (0, -1), (1, 0), (-1, 0)], np.float32)


@dataclass(slots=True)
class Outline:
    """One row per lattice: `reach` of the edge common to the sides (lattice units), `sides` n x 4 the step in colour
    across each side (grey levels), `total` their capped sum, `body` n x 3 the colour of the face near its edge."""

    reach: Floats
    sides: Floats
    total: Floats
    body: Floats


def find_outline(
    image: npt.NDArray[np.uint8],
    centre: Floats,
    frame: Floats,
    low: Floats,
    high: Floats,
    steps: int = 26,
    cap: float = 40.0,
) -> Outline:
    """Search each lattice's square for its edge between `low` and `high` (lattice units, one a lattice).

    The step at a distance is the difference of the mean colours just inside and just outside along a whole side, so
    a straight edge counts and texture averages out. The four sides must agree on the distance within a few per cent;
    nearer edges win over further ones of the same strength.
    """
    n = len(centre)
    part = np.linspace(0, 1, steps, dtype=np.float32)
    # From a little inside `low` to a little outside `high`, in equal ratios.
    k = (0.8 * low)[:, None] * ((1.2 * high) / (0.8 * low))[:, None] ** part[None]
    places = (
        k[:, None, None, :, None] * _NORMALS[None, :, None, None, :]
        + (_ALONG[None, None, :, None] * k[:, None, None, :])[..., None] * _TANGENTS[None, :, None, None, :]
    )  # n x 4 x along x steps x 2
    flat = centre[:, None] + places.reshape(n, -1, 2) @ frame.transpose(0, 2, 1)
    colours = sample(image, np.ascontiguousarray(flat[:, :, 0]), np.ascontiguousarray(flat[:, :, 1]))
    colours = colours.reshape(n, 4, len(_ALONG), steps, 3)
    jump = colours[:, :, :, 2:] - colours[:, :, :, :-2]
    mean = jump.mean(2)  # n x 4 x steps-2 x 3
    spread = np.sqrt(((jump - mean[:, :, None]) ** 2).sum(-1)).mean(2)
    strength = np.maximum(np.sqrt((mean**2).sum(-1)) - 0.6 * spread, 0)
    # Each side may be off by one step from the common distance.
    wide = strength.copy()
    wide[:, :, 1:] = np.maximum(wide[:, :, 1:], 0.9 * strength[:, :, :-1])
    wide[:, :, :-1] = np.maximum(wide[:, :, :-1], 0.9 * strength[:, :, 1:])
    capped = np.minimum(wide, cap).sum(1)
    middle = k[:, 1:-1]
    allowed = (middle >= low[:, None] * 0.999) & (middle <= high[:, None] * 1.001)
    favour = capped * (1 - 0.25 * part[None, 1:-1]) * allowed
    at_best = favour.argmax(1)
    rows = np.arange(n)
    sides = wide[rows, :, at_best]
    inside = np.clip(at_best - 1, 0, steps - 1)
    body_ring = colours[rows, :, :, inside]  # n x 4 x along x 3
    body = np.median(body_ring.reshape(n, -1, 3), axis=1)
    return Outline(
        middle[rows, at_best], sides.astype(np.float32), capped[rows, at_best].astype(np.float32),
        body.astype(np.float32),
    )  # fmt: skip


_GRID = np.array([(i, j) for j in np.linspace(-1, 1, 9) for i in np.linspace(-1, 1, 9)], np.float32)


def evenness(
    image: npt.NDArray[np.uint8], centre: Floats, frame: Floats, reach: Floats, hole: Floats
) -> tuple[Floats, Floats]:
    """How even a face is round a hole (lattice units) in its middle, after taking off a plane of light.

    Returns, for each, the 80th percentile of what is left (grey levels) and the plane's range over the face.
    """
    n = len(centre)
    grid = _GRID[None] * (0.84 * reach)[:, None, None]
    at = centre[:, None] + grid @ frame.transpose(0, 2, 1)
    colours = sample(image, np.ascontiguousarray(at[:, :, 0]), np.ascontiguousarray(at[:, :, 1]))
    weight = (np.hypot(grid[:, :, 0], grid[:, :, 1]) > hole[:, None]).astype(np.float32)
    basis = np.concatenate([np.ones((len(_GRID), 1), np.float32), _GRID], 1)
    for _ in range(3):
        normal = np.einsum("nk,ki,kj->nij", weight, basis, basis) + 1e-2 * np.eye(3, dtype=np.float32)
        right = np.einsum("nk,ki,nkc->nic", weight, basis, colours)
        plane = np.linalg.solve(normal, right)
        left = np.linalg.norm(colours - np.einsum("ki,nic->nkc", basis, plane), axis=2)
        counted = np.where(weight > 0, left, np.nan)
        # Glare and a stray speck are left out of the plane, not of the verdict.
        weight = weight * (left < 2.5 * np.nanmedian(counted, axis=1)[:, None] + 3)
    counted = np.where(np.hypot(grid[:, :, 0], grid[:, :, 1]) > hole[:, None], left, np.nan)
    span = 2 * np.abs(plane[:, 1:]).sum(1).max(1)
    return np.nanpercentile(counted, 80, axis=1).astype(np.float32).reshape(n), span.astype(np.float32)
