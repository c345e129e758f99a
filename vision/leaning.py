"""Dice that lean: what is true of all that lie flat is not true of them.

Room: vision. Works on the corners of readings and on the drops that the third witness tells; no pixels.

Two looks. The shape of the tops needs four dice seen from above; the drops need two, from anywhere.

Flat dice of one size lie in one plane, so the affine map that takes an upright square to any of their tops is the same
but for a turn: A = s P R, and A Aᵀ = s² P Pᵀ does not depend on the turn. A die that leans shows its top foreshortened
along one direction, and its A Aᵀ differs. Compared is the shape only (determinant 1), so that dice of several sizes may
lie together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.types import Die

_SHORT = {1: 0.925, 2: 0.925, 3: 0.925, 4: 0.955, 5: 0.955, 6: 0.955}
"""A top that is foreshortened against the others to less than this may lean, by value: pips at four corners fix a top
exactly, fewer leave it to the edges. Set on the simulated tray, where flat dice stay above 0.97 and most of those that
lean by 20 degrees lie below 0.92."""
_CLEARLY = 2.5
"""It must stand out by so much from what the others differ among themselves: lenses and dice are not perfect."""
_FROM_ABOVE = 0.9
"""Seen more obliquely than this, perspective alone makes tops differ."""
_FITS = 0.6
"""A top whose pips fit their lattice badly (a die's confidence says so) has no shape to speak of."""
_ENOUGH = 4
_LENSES = np.linspace(0.0, 1.7, 18)
"""The longer side of the picture over F: 0 for a lens from far away, 1.7 for one of 80 degrees."""
_ASLANT = 0.5
"""How far off the middle, in edges of drop, cameras usually look."""
_OWN_ERROR = 0.06
"""What dice and lenses differ by, in edges, beside the witness's own error."""
_MUCH = 9.0
_GAP = 0.22

Floats = npt.NDArray[np.float64]


def leaning(dice: Sequence[Die]) -> list[int]:
    """The places in `dice` of those that lean. Needs at least four dice, seen from above; else nothing is said."""
    if len(dice) < _ENOUGH:
        return []
    shapes = [_shape(die) for die in dice]
    common = np.linalg.eigvalsh(np.median(shapes, axis=0))
    if common[0] <= 0 or float(np.sqrt(common[0] / common[1])) < _FROM_ABOVE:
        return []
    found = []
    for i, shape in enumerate(shapes):
        others = shapes[:i] + shapes[i + 1 :]
        middle = np.median(others, axis=0)
        if dice[i].confidence < _FITS:
            continue
        short = 1.0 - _ratio(shape, middle)
        spread = max(1.0 - _ratio(other, middle) for other in others)
        if short > 1.0 - _SHORT[dice[i].value] and short > _CLEARLY * spread:
            found.append(i)
    return found


def out_of_line(
    places: Floats, drops: Floats, errors: Floats, size: tuple[int, int], most: int = 2
) -> list[tuple[int, float]]:
    """Which dice's drops do not fit those of the others: (place in the list, by how much: in edges).

    `places` are the tops' middles in pixels of a picture of `size` (height, width); `drops` and `errors` are in edges
    of each die's own top, the drops along the picture's axes. Seen through a lens without distortion, a vertical edge
    that ends at p points to the foot of the camera, n, wherever the camera looks, and in edges of its die it is
    (n - p) / F long, with the same F for all. So flat dice's drops are a - g p with one vector a and one number g,
    bounded by the angles that lenses have. Dice are left out one by one as long as the rest then fits much better; a
    weak belief that the camera looks down on the middle decides where too few dice do.
    """
    count = len(places)
    if count < 2:
        return []
    middle = np.array([size[1], size[0]], np.float64) / 2
    scale = float(max(size))
    away = (np.asarray(places, np.float64) - middle) / scale
    weight = 1.0 / (_OWN_ERROR**2 + 2.0 * np.asarray(errors, np.float64) ** 2)
    told = np.asarray(drops, np.float64)
    out: list[int] = []
    cost, left = _fit(away, told, weight, out)
    while len(out) < min(most, count - 1):
        tries = [(*_fit(away, told, weight, [*out, i]), i) for i in range(count) if i not in out]
        best_cost, best_left, i = min(tries, key=lambda t: t[0])
        gap = float(np.linalg.norm(best_left[i]))
        if cost - best_cost < _MUCH or gap < _GAP:
            break
        out.append(i)
        cost, left = best_cost, best_left
    return [(i, float(np.linalg.norm(left[i]))) for i in out]


def _fit(away: Floats, told: Floats, weight: Floats, without: list[int]) -> tuple[float, Floats]:
    """The least cost over a and g of all dice but those `without`; and what is left of every drop, N x 2."""
    used = np.ones(len(away), bool)
    used[without] = False
    best = (np.inf, told)
    for g in _LENSES:
        line = told + g * away
        share = weight * used
        # The prior: the foot of the camera is the middle of the picture, give or take.
        a = (share[:, None] * line).sum(0) / (share.sum() + 1.0 / _ASLANT**2)
        left = line - a
        cost = float((share * (left**2).sum(1)).sum() + (a**2).sum() / _ASLANT**2)
        if cost < best[0]:
            best = (cost, left)
    return best


def _shape(die: Die) -> Floats:
    """A Aᵀ of a top, scaled to determinant 1."""
    c = np.array(die.corners)
    map_ = np.stack([(c[1] - c[0] + c[2] - c[3]) / 2, (c[3] - c[0] + c[2] - c[1]) / 2], axis=1)
    tensor: Floats = map_ @ map_.T
    scaled: Floats = tensor / np.sqrt(max(float(np.linalg.det(tensor)), 1e-9))
    return scaled


def _ratio(shape: Floats, other: Floats) -> float:
    """By how much one shape is foreshortened against the other, 1.0 for equal ones."""
    ((a, b), (_, c)), ((d, e), (_, f)) = shape.tolist(), other.tolist()
    # Eigenvalues of other^-1 shape: both are symmetric.
    det = max(d * f - e * e, 1e-18)
    half, product = (f * a - 2 * e * b + d * c) / (2 * det), (a * c - b * b) / det
    off = math.sqrt(max(half * half - product, 0.0))
    return math.sqrt(max(half - off, 0.0) / max(half + off, 1e-18))
