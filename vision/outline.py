"""Where a face ends: its four straight edges, searched outwards from a lattice.

Room: vision. Knows pixels and lattices; not what a face shows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.pips import Floats, sample

_ALONG = np.linspace(-0.62, 0.62, 7, dtype=np.float32)
_NORMALS = np.array([(1, 0), (-1, 0), (0, 1), (0, -1)], np.float32)
_TANGENTS = np.array([(0, 1), (0, -1), (1, 0), (-1, 0)], np.float32)


@dataclass(slots=True)
class Outline:
    """One row per lattice: `reach` of the edge common to the sides (lattice units), `sides` n x 4 the step in colour
    across each side (grey levels), `total` their capped sum, `rough` how much the face varies between its pips (grey
    levels), `body` n x 3 the colour of the face near its edge."""

    reach: Floats
    sides: Floats
    total: Floats
    rough: Floats
    body: Floats


def find_outline(
    image: npt.NDArray[np.uint8], centre: Floats, frame: Floats, low: Floats, high: Floats, cap: float = 40.0
) -> Outline:
    """Search each lattice's square for its edge between `low` and `high` (lattice units, one a lattice).

    The step at a distance is the difference of the mean colours just inside and just outside along a whole side, so
    a straight edge counts and texture averages out. The four sides must agree on the distance within a few per cent;
    nearer edges win over further ones of the same strength.
    """
    n = len(centre)
    steps = 26
    part = np.linspace(0, 1, steps, dtype=np.float32)
    # From a little inside `low` to a little outside `high`, in equal ratios.
    k = (0.8 * low)[:, None] * ((1.2 * high) / (0.8 * low))[:, None] ** part[None]
    places = (
        k[:, None, None, :, None] * _NORMALS[None, :, None, None, :]
        + (_ALONG[None, None, :, None] * k[:, None, None, :])[..., None] * _TANGENTS[None, :, None, None, :]
    )  # n x 4 x along x steps x 2
    at = centre[:, None, None, None, :] + np.einsum("nij,nsakj->nsaki", frame, places)
    flat = at.reshape(n, -1, 2)
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
    # How even the face is from the innermost ring looked at to just inside its edge.
    away = np.linalg.norm(colours - body[:, None, None, None], axis=-1)  # n x 4 x along x steps
    within = k < 0.88 * middle[rows, at_best][:, None]
    within[:, 0] = True
    count = within.sum(1) * 4 * len(_ALONG)
    ordered = np.sort(np.where(within[:, None, None, :], away, np.inf).reshape(n, -1), axis=1)
    rough = ordered[rows, (0.8 * count).astype(int)]
    return Outline(
        middle[rows, at_best], sides.astype(np.float32), capped[rows, at_best].astype(np.float32),
        rough.astype(np.float32), body.astype(np.float32),
    )  # fmt: skip
