"""Where a face ends: its four straight edges, searched outwards from a lattice.

Room: vision. Knows pixels and lattices; not what a face shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.pyramid import Floats, Ids, sample

_ALONG = np.linspace(-0.62, 0.62, 6, dtype=np.float32)
_UNEVEN = 0.6
"""How much of the mean deviation along a side is taken off its step: of the deviation, not of its square, so that one
point on a pip or a rounded corner doesn't outweigh a straight edge."""

_NORMALS = np.array([(1, 0), (-1, 0), (0, 1), (0, -1)], np.float32)
_TANGENTS = np.array([(0, 1), (0, -1), (1, 0), (-1, 0)], np.float32)


@dataclass(slots=True)
class Outline:
    """One row per lattice: `reach` of the edge common to the sides (lattice units), `sides` n x 4 the step in colour
    across each side (grey levels), `inside` the distance, of those in `colours` (as in `Across`), just inside it."""

    reach: Floats
    sides: Floats
    inside: Ids
    colours: npt.NDArray[np.int16]

    def body(self, index: Ids) -> Floats:
        """The colour of the face near its edge, for some of the lattices: n x 3, the median along all sides."""
        ring = self.colours[:, :, self.inside[index], index]
        ring = np.sort(ring.reshape(-1, len(index), 3), axis=0)
        half = len(ring) // 2
        middle: Floats = (ring[half - 1] + ring[half]) * np.float32(0.5)
        return middle


@dataclass(slots=True)
class Across:
    """What was seen across the sides of n lattices at some distances (lattice units): `colours` points along a side x
    sides x distances x n x 3; for all distances but the first and the last, `steps` in colour (grey levels, sides x
    distances x n), `middle` the distances, how near ones are `favoured`, and which are `allowed`."""

    colours: npt.NDArray[np.int16]
    steps: Floats
    middle: Floats
    favoured: Floats
    allowed: npt.NDArray[np.bool_]

    def take(self, index: npt.NDArray[np.intp]) -> Across:
        """Some of the lattices."""
        return Across(
            self.colours[:, :, :, index], self.steps[:, :, index], self.middle[:, index], self.favoured,
            self.allowed[:, index],
        )  # fmt: skip

    def outline(self, cap: float | Floats) -> Outline:
        """The best outline of each, where steps count up to `cap` (grey levels, for all or each)."""
        capped = np.minimum(self.steps, cap).sum(0)
        at_best = (capped * self.favoured * self.allowed).argmax(0)
        rows = np.arange(self.colours.shape[3])
        return Outline(
            self.middle[at_best, rows].astype(np.float32), self.steps[:, at_best, rows].T.astype(np.float32),
            np.maximum(at_best - 1, 0), self.colours,
        )  # fmt: skip


def find_outline(
    image: npt.NDArray[np.uint8],
    centre: Floats,
    frame: Floats,
    low: Floats,
    high: Floats,
    steps: int = 26,
    cap: float | Floats = 40.0,
) -> Outline:
    """Search each lattice's square for its edge between `low` and `high` (lattice units, one a lattice).

    Nearer edges win over further ones of the same strength, which counts up to `cap` (grey levels, for all or each).
    """
    return look_across(image, centre, frame, low, high, steps).outline(cap)


def look_across(
    image: npt.NDArray[np.uint8], centre: Floats, frame: Floats, low: Floats, high: Floats, steps: int
) -> Across:
    """What is seen along each lattice's sides at `steps` distances.

    The step at a distance is the difference of the mean colours just inside and just outside along a whole side, so
    a straight edge counts and texture averages out. The four sides must agree on the distance within a few per cent.
    """
    n, along = len(centre), len(_ALONG)
    part = _parts(steps)
    # From a little inside `low` to a little outside `high`, in equal ratios: steps x n.
    k = (0.8 * low) * ((1.2 * high) / (0.8 * low)) ** part[:, None]
    # Where a point of each side lies at distance 1: along x sides x n. All lattices go through side by side.
    towards = _NORMALS @ frame.transpose(0, 2, 1) + _ALONG[:, None, None, None] * (_TANGENTS @ frame.transpose(0, 2, 1))
    x, y = np.empty((2, along, 4, steps, n), np.float32)
    for c, places in enumerate((x, y)):
        np.multiply(np.ascontiguousarray(towards[..., c].transpose(0, 2, 1))[:, :, None], k, out=places)
        places += centre[:, c]
    # Whole 32nds of a pixel: with them every version of OpenCV gives the same numbers.
    whole, rest = cv2.convertMaps(x.reshape(-1, n), y.reshape(-1, n), cv2.CV_16SC2)
    seen = cv2.remap(image, whole, rest, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    colours = seen.reshape(along, 4, steps, n * 3).astype(np.int16)
    jump = (colours[:, :, 2:] - colours[:, :, :-2]).astype(np.float32)
    mean = jump.mean(0)
    squares = _channels(mean**2, n)
    # Along a straight edge all points step alike; texture does not.
    jump -= mean
    jump *= jump
    spread = np.sqrt(_channels(jump, n)).mean(0)
    strength = np.maximum(np.sqrt(squares) - _UNEVEN * spread, 0)
    # Each side may be off by one step from the common distance.
    wide = strength.copy()
    wide[:, 1:] = np.maximum(wide[:, 1:], 0.9 * strength[:, :-1])
    wide[:, :-1] = np.maximum(wide[:, :-1], 0.9 * strength[:, 1:])
    middle = np.asarray(k[1:-1], np.float32)
    allowed = (middle >= low * 0.999) & (middle <= high * 1.001)
    return Across(colours.reshape(along, 4, steps, n, 3), wide, middle, (1 - 0.25 * part[1:-1, None]), allowed)


@cache
def _parts(steps: int) -> Floats:
    """So many parts of a way, from 0 to 1."""
    return np.linspace(0, 1, steps, dtype=np.float32)


def _channels(values: Floats, n: int) -> Floats:
    """Sum over the three colours of ... x (n * 3)."""
    single = values.reshape(*values.shape[:-1], n, 3)
    total: Floats = single[..., 0] + single[..., 1] + single[..., 2]
    return total


_GRID = np.array([(i, j) for j in np.linspace(-1, 1, 9) for i in np.linspace(-1, 1, 9)], np.float32)


def evenness(
    image: npt.NDArray[np.uint8], centre: Floats, frame: Floats, reach: Floats, hole: Floats
) -> tuple[Floats, Floats]:
    """How even a face is round a hole (lattice units) in its middle, after taking off a plane of light.

    Returns, for each, the 80th percentile of what is left (grey levels) and the plane's range over the face.
    """
    grid = _GRID[None] * (0.84 * reach)[:, None, None]
    at = (centre[:, None] + grid @ frame.transpose(0, 2, 1)).astype(np.float32)
    colours = sample(image, at[:, :, 0], at[:, :, 1])
    on = np.hypot(grid[:, :, 0], grid[:, :, 1]) > hole[:, None]
    weight = on.astype(np.float32)
    for _ in range(3):
        normal = (weight @ _SQUARES).reshape(-1, 3, 3) + 1e-2 * np.eye(3, dtype=np.float32)
        plane = np.linalg.solve(normal, _BASIS.T @ (colours * weight[:, :, None]))
        left = np.sqrt(((colours - _BASIS @ plane) ** 2).sum(2))
        # Glare and a stray speck are left out of the plane, not of the verdict.
        usual = _share_of(left, weight > 0, 0.5)
        weight = weight * (left < 2.5 * usual[:, None] + 3)
    span = 2 * np.abs(plane[:, 1:]).sum(1).max(1)
    return _share_of(left, on, 0.8), span.astype(np.float32)


_BASIS = np.concatenate([np.ones((len(_GRID), 1), np.float32), _GRID], 1)
_SQUARES = (_BASIS[:, :, None] * _BASIS[:, None, :]).reshape(-1, 9)


def _share_of(values: Floats, on: npt.NDArray[np.bool_], share: float) -> Floats:
    """The value that `share` of those that are `on` lie under, row by row."""
    ordered = np.sort(np.where(on, values, np.inf), axis=1)
    last = np.maximum(on.sum(1) - 1, 0)
    at = np.rint(share * last).astype(np.intp)
    return np.where(last > 0, ordered[np.arange(len(values)), at], 0).astype(np.float32)
