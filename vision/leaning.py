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

from vision.middle import median_row
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
_SHORT_OF_FEW = 0.86
"""Two dice or three say little about each other, and a one's outline little about its top: of 214 flat dice in such
made pictures, the shortest top of two pips or more that was off by its drop as well reached 0.88; of those that lean by
25 degrees or more half lie lower."""
_LENSES = np.linspace(0.0, 1.7, 18)
"""The longer side of the picture over F: 0 for a lens from far away, 1.7 for one of 80 degrees."""
_ASLANT = 0.25
"""How far off the middle, in edges of drop, cameras usually look."""
LINE = 2
"""Fewer dice give no line to hold another against."""
_SURE_TO, _HEED = 0.03, 0.8
"""A flat die's drop is off by a normal error of so many edges, and so much of what the third witness says it may be."""
_OUT, _OUT_OF_TWO = 4.0, 4.5
"""Half the squared number of such errors from which on it is likelier that a die leans; of two, where no third says
which of them does."""
_PER, _PER_MAY = 0.75, 0.5
"""The longer side of the picture over F, as cameras usually have it, and its spread."""
_FOOT_COSTS = 2.0
"""At most so much speaks against a camera that looks from aslant."""
_GAP, _GAP_OF_FEW, _FEW = 0.25, 0.3, 3
"""What is less off than so many edges lies flat enough: in made pictures flat dice reach 0.22, three or two 0.28, since
they leave room for the lens; one that leans by 18 degrees is off by 0.31."""
_SIDES_TELL, _SIDES_SEE = 0.3, 0.1
"""Silhouettes with a smaller error than the first must see a die off by the second, the same way."""
_ALIKE = 0.1
"""By so much, in edges, the drops of a whole picture may be off alike."""
ONE_LOOK = 0.12
"""Where one look of the third witness sees none further off than this, no other look can see it off by enough."""
OFF, DOUBTED, _VERY_SHORT = 0.1, 0.15, 0.8
"""A top whose shape tells that it leans is believed to lie flat if its drop is less than the second off; one that is
foreshortened to less than the third, less than the first."""

Floats = npt.NDArray[np.float64]
Told = tuple[npt.NDArray[np.floating], npt.NDArray[np.floating]]


def leaning(dice: Sequence[Die], gaps: Sequence[float]) -> list[int]:
    """The places in `dice` of those that lean; `gaps` say how far their drops are off, in edges. The others must be
    seen from above; else nothing is said."""
    if len(dice) < LINE:
        return []
    few = len(dice) < _ENOUGH
    shapes = [_shape(die) for die in dice]
    if not few and not _from_above(median_row(np.array(shapes))):
        return []
    found = []
    for i, shape in enumerate(shapes):
        others = shapes[:i] + shapes[i + 1 :]
        middle = median_row(np.array(others))
        if gaps[i] < OFF or dice[i].confidence < _FITS or (few and (dice[i].value == 1 or not _from_above(middle))):
            continue
        short = 1.0 - _ratio(shape, middle)
        spread = max(1.0 - _ratio(other, middle) for other in others)
        least = _SHORT_OF_FEW if few else _SHORT[dice[i].value]
        if gaps[i] < DOUBTED:
            least = min(least, _VERY_SHORT)
        if short > 1.0 - least and short > _CLEARLY * spread:
            found.append(i)
    return found


def _from_above(shape: Floats) -> bool:
    common = np.linalg.eigvalsh(shape)
    return bool(common[0] > 0) and float(np.sqrt(common[0] / common[1])) >= _FROM_ABOVE


def out_of_line(
    places: Floats, told: Told, seen: Told, size: tuple[int, int]
) -> tuple[list[int], npt.NDArray[np.float64]]:
    """Which dice's drops do not fit those of the others: their places in the list, the furthest off first; and how far
    each is off, in edges.

    `places` are the tops' middles in pixels of a picture of `size` (height, width). `told` and `seen` are what the
    third witness and the silhouettes say: drops (N x 2, in edges of each die's own top, along the picture's axes) and
    how far off they may be (N). Seen through a lens without distortion, a vertical edge that ends at p points to the
    foot of the camera, n, wherever the camera looks, and in edges of its die it is (n - p) / F long, with the same F
    for all. So flat dice's drops are a - g p with one vector a and one number g.

    Of all a and g the likeliest are taken, each die flat with a normal error or leaning any way (a truncated quadratic,
    as in robust estimation; the search starts at every die's own drop, for every lens). So a few that lean together
    don't hide each other. Silhouettes have no say in the line, only against a die's leaning.
    """
    count = len(places)
    if count < LINE:
        return [], np.full(count, np.inf)
    drops, error = np.asarray(told[0], np.float64), _SURE_TO + _HEED * np.asarray(told[1], np.float64)
    limit = _OUT if count > LINE else _OUT_OF_TWO
    straight = drops + _LENSES[:, None, None] * _away(places, size)
    common = straight.copy()
    for _ in range(3):
        cost = _costs(straight, common, error)
        weight = (cost < limit) / error**2
        common = (weight[..., None] * straight[:, None]).sum(2) / np.maximum(weight.sum(2), 1e-9)[..., None]
    cost = _costs(straight, common, error)
    every = np.minimum(cost, limit).sum(2) + 0.5 * ((_LENSES - _PER) / _PER_MAY)[:, None] ** 2
    every += np.minimum(0.5 * (np.linalg.norm(common, axis=2) / _ASLANT) ** 2, _FOOT_COSTS)
    lens, start = np.unravel_index(every.argmin(), every.shape)
    off = straight[lens] - common[lens, start]
    gaps = np.hypot(off[:, 0], off[:, 1])
    least = _GAP if count > _FEW else _GAP_OF_FEW
    out = [int(n) for n in np.argsort(-gaps) if gaps[n] > least and cost[lens, start, n] > limit]
    return [n for n in out if _sides_agree(off[n], np.asarray(seen[0][n] - drops[n]) + off[n], float(seen[1][n]))], gaps


def _costs(straight: Floats, common: Floats, error: Floats) -> Floats:
    """Half the squared errors of each die from each common drop: lenses x common drops x dice."""
    away: Floats = straight[:, None] - common[:, :, None]
    cost: Floats = 0.5 * (away**2).sum(3) / error**2
    return cost


def _sides_agree(off: Floats, seen: Floats, error: float) -> bool:
    """Do the silhouettes, where they tell anything, see a die off its line (`seen`) the same way as it is `off`?"""
    return error >= _SIDES_TELL or float(off @ seen) > _SIDES_SEE * float(np.hypot(*off))


def gaps_of(places: Floats, told: Told, size: tuple[int, int]) -> npt.NDArray[np.float64]:
    """How far off each die is by the third witness alone, in edges; see `out_of_line`."""
    drops, errors = (np.asarray(t, np.float64) for t in told)
    gaps = _off_line(_away(places, size), drops, 1.0 / (0.05 + errors) ** 2)
    return np.hypot(gaps[:, 0], gaps[:, 1])


def gaps_beside(off: Floats, errors: Floats) -> npt.NDArray[np.float64]:
    """As `gaps_of`, where it is known how flat dice are seen: `off` is how far each drop is from what that lets expect
    (N x 2, in edges), `errors` how far off each may be. What all are off alike doesn't count, as far as one look of a
    witness may differ so from another."""
    weight = 1.0 / (0.05 + errors) ** 2
    weighed = weight[:, None] * off
    alike = (weighed.sum(0) - weighed) / (weight.sum() - weight + 1.0 / _ALIKE**2)[:, None]
    left: Floats = off - alike
    return np.hypot(left[:, 0], left[:, 1])


def _away(places: Floats, size: tuple[int, int]) -> Floats:
    """Places from the middle of a picture of `size` (height, width), in its longer sides."""
    return (np.asarray(places, np.float64) - np.array([size[1], size[0]]) / 2) / max(size)


def _off_line(away: Floats, drops: Floats, weight: Floats) -> Floats:
    """How far each die's drop is from the line of all the others, as vectors."""
    line = drops + _LENSES[:, None, None] * away
    # Sums over all but each; the prior: the foot of the camera is the middle of the picture, give or take.
    weighed = weight[:, None] * line
    total = weighed.sum(1)[:, None] - weighed
    share = weight.sum() - weight + 1.0 / _ASLANT**2
    squares = (weighed * line).sum(2)
    cost = squares.sum(1)[:, None] - squares - (total**2).sum(2) / share
    best, every = cost.argmin(0), np.arange(len(drops))
    gaps: Floats = line[best, every] - total[best, every] / share[:, None]
    return gaps


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
