"""Dice that lean, told by their tops alone: what is true of all flat tops is not true of theirs.

Room: vision. Works on the corners of readings; no pixels.

Flat dice of one size lie in one plane, so the affine map that takes an upright square to any of their tops is the same
but for a turn: A = s P R, and A Aᵀ = s² P Pᵀ does not depend on the turn. A die that leans shows its top foreshortened
along one direction, and its A Aᵀ differs. Compared is the shape only (determinant 1), so that dice of several sizes may
lie together.
"""

from __future__ import annotations

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
_ENOUGH = 4

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
        short = 1.0 - _ratio(shape, middle)
        spread = max(1.0 - _ratio(other, middle) for other in others)
        if short > 1.0 - _SHORT[dice[i].value] and short > _CLEARLY * spread:
            found.append(i)
    return found


def _shape(die: Die) -> Floats:
    """A Aᵀ of a top, scaled to determinant 1."""
    c = np.array(die.corners)
    map_ = np.stack([(c[1] - c[0] + c[2] - c[3]) / 2, (c[3] - c[0] + c[2] - c[1]) / 2], axis=1)
    tensor: Floats = map_ @ map_.T
    scaled: Floats = tensor / np.sqrt(max(float(np.linalg.det(tensor)), 1e-9))
    return scaled


def _ratio(shape: Floats, other: Floats) -> float:
    """By how much one shape is foreshortened against the other, 1.0 for equal ones."""
    values, vectors = np.linalg.eigh(other)
    whiten = vectors @ np.diag(np.maximum(values, 1e-9) ** -0.5) @ vectors.T
    seen = np.linalg.eigvalsh(whiten @ shape @ whiten)
    return float(np.sqrt(max(float(seen[0]), 0.0) / float(seen[1])))
