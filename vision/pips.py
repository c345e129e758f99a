"""Find pips: round spots of either polarity and any colour, with their ellipse.

Room: vision. Knows spots only: no faces, no dice, no tray.

Method: spots are maxima of centre minus surround (differences of boxes, as in CenSurE: Agrawal et al. 2008) over the
strongest colour channel, both polarities, on an image pyramid. Each is then checked by radial symmetry (`rays.py`):
along rays from its centre the step from the spot to what is around it is looked for, and an ellipse is fitted to the
steps. Rays that glare or a neighbour spoils are outvoted by the others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

import cv2
import numpy as np
import numpy.typing as npt

from vision.nearby import keep_best, near_pairs
from vision.pyramid import GREY, Floats, Ids, Pyramid
from vision.rays import Rounds, close_look, first_look, last_look

Where = Callable[[npt.NDArray[np.floating], npt.NDArray[np.floating]], npt.NDArray[np.bool_]]

SPOT_RADII_PX = (2.0, 2.83)
"""Radii looked for in each octave of the pyramid but the first, in pixels of that octave."""

MOST_PIPS = 1000

_FINE_ENOUGH_PX = 2.83
"""A radius, in pixels of the level it is seen in, from which an ellipse shows: each level is made for radii of this and
more, and what is smaller belongs to a finer one."""

_GREY_ENOUGH = 0.9
"""Share of the strongest channel's contrast from which grey, which has less noise, is looked at instead."""

SMALLEST_SPOT_PX = 1.4
"""The smallest radius looked for, in pixels of the second octave: 2.8 in the picture itself, a die of about 28."""


@dataclass(slots=True)
class Pips:
    """Spots, one row each. Lengths in pixels of the picture that was searched.

    `x`, `y` centre; `r` radius (geometric mean of the half axes); `shape` n x 2 x 2, symmetric, determinant 1: it maps
    the unit circle to the ellipse of area pi; `bright` is 1 where the spot is lighter than what surrounds it, else 0;
    `round` share of rays that agree, 0 to 1; `step` contrast in grey levels; `inner`, `outer` n x 3 BGR; `spread` how
    far their edges are spread (sigma), where it was measured.
    """

    x: Floats
    y: Floats
    r: Floats
    shape: Floats
    bright: Floats
    round: Floats
    step: Floats
    inner: Floats
    outer: Floats
    spread: Floats | None = None

    def __len__(self) -> int:
        return len(self.x)

    def aspect(self) -> Floats:
        """Short axis to long axis of each spot's ellipse."""
        a, b, c = self.shape[:, 0, 0], self.shape[:, 0, 1], self.shape[:, 1, 1]
        half, off = (a + c) / 2, np.hypot((a - c) / 2, b)
        return np.asarray(np.maximum(half - off, 0) / (half + off), np.float32)

    def take(self, index: npt.NDArray[np.generic] | slice) -> Pips:
        """The rows that `index` (mask or positions) names."""
        return Pips(
            self.x[index], self.y[index], self.r[index], self.shape[index], self.bright[index], self.round[index],
            self.step[index], self.inner[index], self.outer[index],
            None if self.spread is None else self.spread[index],
        )  # fmt: skip

    @staticmethod
    def join(parts: list[Pips]) -> Pips:
        """All rows of `parts`, one after the other; without their `spread`."""
        return Pips(*(np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(Pips)[:-1]))


def find_pips(
    pyramid: Pyramid,
    threshold: float = 6.0,
    radius_px: tuple[float, float] | None = None,
    where: Where | None = None,
    most: int | None = None,
) -> Pips:
    """Find the round spots in a picture, best first; `radius_px` bounds the radii looked for (full-size pixels).

    A spot's middle must differ from what is around by `threshold` grey levels, on average; `where` says at which x, y
    spots are wanted, `most` of how many of the most distinct ones to look at.
    """
    levels = pyramid.levels
    low, high = radius_px or (1.6, 0.2 * min(levels[0].shape[:2]))
    parts = []
    for octave in range(1, len(levels)):
        found_in = 2.0**octave
        wanted = SPOT_RADII_PX if octave > 1 else (SMALLEST_SPOT_PX, *SPOT_RADII_PX)
        radii = [r for r in wanted if low / 1.2 <= r * found_in <= high * 1.2]
        if radii:
            parts.append(_spots(levels[octave], octave, radii, threshold))
    if not parts:
        return no_pips()
    spots = np.concatenate(parts, axis=1)
    if where is not None:
        zoom = np.exp2(spots[3] // 4)
        spots = spots[:, where((spots[0] + 0.5) * zoom - 0.5, (spots[1] + 0.5) * zoom - 0.5)]
    if most is not None and spots.shape[1] > most:
        spots = spots[:, np.argsort(-spots[4], kind="stable")[:most]]
    # Texture can hold thousands of spots; pairs of them are looked at, so their number must be bounded.
    return _measured(pyramid, spots[0], spots[1], spots[2], spots[3].astype(np.intp)).take(slice(MOST_PIPS))


def no_pips() -> Pips:
    """None at all."""
    zero = np.zeros(0, np.float32)
    return Pips(
        zero, zero, zero, np.zeros((0, 2, 2), np.float32), zero, zero, zero,
        np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32),
    )  # fmt: skip


def _spots(level: npt.NDArray[np.uint8], octave: int, radii: list[float], threshold: float, most: int = 600) -> Floats:
    """Maxima of centre minus surround, one column each: x, y, radius, the layer that shows them best, and strength.

    Spots are found on halves and measured one level finer, where thin rims between pip and edge survive: pixels are of
    that level.
    """
    sizes = [(2 * round(0.55 * r) + 1, 2 * round(1.55 * r) + 1) for r in radii]
    blurs = {size: cv2.blur(level, (size, size)) for size in set(sum(sizes, ()))}
    tops = np.empty((len(radii), *level.shape[:2]), np.uint8)
    values, pixels, last = tops.reshape(-1), tops[0].size, len(radii) - 1
    parts = []
    for bright in (0, 1):
        places = []
        for top, r, (small, large) in zip(tops, radii, sizes, strict=True):
            first, second = (blurs[small], blurs[large])[:: 1 if bright else -1]
            blue, green, red = cv2.split(cv2.subtract(first, second))
            cv2.max(cv2.max(blue, green), red, dst=top)
            places.append(_maxima(top, 2 * round(0.6 * r) + 1, threshold))
        at, n = np.concatenate(places), np.repeat(np.arange(len(radii)), [len(place) for place in places])
        strength = values[n * pixels + at].astype(np.intp)
        # Where a spot of another size is clearly more distinct, that one is it.
        other = [values[k * pixels + at].astype(np.intp) for k in (np.maximum(n - 1, 0), np.minimum(n + 1, last))]
        keep = 10 * strength >= 9 * np.maximum(*other)
        parts.append((at[keep], n[keep], strength[keep]))
    at, n, strength = (np.concatenate(part) for part in zip(*parts, strict=True))
    if len(at) > most:
        best = np.argsort(-strength, kind="stable")[:most]
        at, n, strength = at[best], n[best], strength[best]
    ys, xs = np.divmod(at, level.shape[1])
    radius = np.array(radii, np.float32)[n]
    layer = _contrast_plane(level, xs, ys, radius) + 4 * (octave - 1)
    return np.array([2 * xs + 0.5, 2 * ys + 0.5, 2 * radius, layer, strength], np.float32)


_PAST = np.array([[1, 1, 1], [1, 0, 0], [0, 0, 0]], np.uint8)


def _maxima(top: npt.NDArray[np.uint8], size: int, threshold: float) -> Ids:
    """Pixels, counted row by row, that nothing within a square of `size` is higher than; of neighbours of one height
    the first."""
    highest = cv2.max(cv2.dilate(top, np.ones((size, size), np.uint8)), np.floor(threshold))
    mask = cv2.compare(top, highest, cv2.CMP_EQ)
    mask = cv2.subtract(mask, cv2.dilate(mask, _PAST))
    # Of bytes taken for truths numpy skips those that are 0 fast, and OpenCV does not.
    return np.flatnonzero(np.asarray(mask).view(bool))


def _contrast_plane(level: npt.NDArray[np.uint8], xs: Ids, ys: Ids, r: Floats) -> Ids:
    """Which channel differs most between a spot's middle and four points just outside it; grey if it does nearly."""
    height, width = level.shape[:2]
    reach = np.rint(1.6 * r).astype(np.intp)
    left, right = np.maximum(xs - reach, 0), np.minimum(xs + reach, width - 1)
    above, below = np.maximum(ys - reach, 0), np.minimum(ys + reach, height - 1)
    rows, seen = width * ys, level.reshape(-1, 3)
    change = 4 * seen[rows + xs].astype(np.int16)
    for at in (rows + left, rows + right, width * above + xs, width * below + xs):
        change -= seen[at]
    blue, green, red = np.ascontiguousarray(change.T)
    grey = np.abs(0.114 * blue + 0.587 * green + 0.299 * red)
    blue, green, red = np.abs(blue), np.abs(green), np.abs(red)
    most = np.maximum(np.maximum(blue, green), red)
    strongest = np.where(blue == most, 0, np.where(green == most, 1, 2))
    return np.where(grey > _GREY_ENOUGH * most, GREY, strongest).astype(np.intp)


def _measured(pyramid: Pyramid, x: Floats, y: Floats, r: Floats, layer: Ids) -> Pips:
    """Centre, ellipse, colours and quality of the spots that are round, best first: a coarse look at all, then closer
    ones at the good ones of those that lie apart."""
    # After one look only what has come to the same circle in the same size is dropped: its better one is not known yet.
    spots = _same_circles(first_look(pyramid, x, y, r, layer))
    spots = _apart(close_look(pyramid, spots))
    spots = last_look(pyramid, spots)
    spots = spots.take(spots.r > 1.3)
    if not len(spots):
        return no_pips()
    inner, outer = _colours(pyramid, spots)
    change = inner - outer
    step = np.sqrt((change**2).sum(1))
    # The strongest channel decides: mean brightness is a toss-up for green pips on purple.
    lighter = change[np.arange(len(spots)), np.abs(change).argmax(1)] > 0
    shape = np.stack([spots.a, spots.b, spots.b, spots.c], 1).reshape(-1, 2, 2)
    x, y, r = _full_size(spots)
    pips = Pips(x, y, r, shape, lighter.astype(np.float32), spots.share, step.astype(np.float32), inner, outer)
    pips = pips.take(pips.step >= 6)
    worth = pips.round * np.minimum(pips.step, 60) ** 0.25
    kept = _best_apart(pips.x, pips.y, pips.r, worth)
    return pips.take(np.nonzero(kept)[0][np.argsort(-worth[kept], kind="stable")])


def _full_size(spots: Rounds) -> tuple[Floats, Floats, Floats]:
    """x, y and radius in pixels of the whole picture."""
    zoom = np.exp2(spots.layer // 4).astype(np.float32)
    return (spots.x + 0.5) * zoom - 0.5, (spots.y + 0.5) * zoom - 0.5, spots.r * zoom


def _same_circles(spots: Rounds) -> Rounds:
    """Of spots of one level that have come to the same circle, the best."""
    if len(spots) < 2:
        return spots
    x, y, r = _full_size(spots)
    # Levels are set apart in x, so that only spots of one level meet.
    x = x + np.float32(4096) * (spots.layer // 4).astype(np.float32)
    return spots.take(_best_apart(x, y, r, _worth(spots), reach=0.35, alike=1.25))


def _apart(spots: Rounds) -> Rounds:
    """Of spots of like size that lie on each other, the best: one pip is seen in several sizes."""
    if len(spots) < 2:
        return spots
    # The one that is seen in enough pixels shows its ellipse.
    worth = _worth(spots) * np.minimum(spots.r / _FINE_ENOUGH_PX, 1) ** 0.5
    return spots.take(_best_apart(*_full_size(spots), worth))


def _worth(spots: Rounds) -> Floats:
    return np.asarray(spots.share * np.minimum(spots.step, 60) ** 0.25, np.float32)


def _best_apart(
    x: Floats, y: Floats, r: Floats, worth: npt.NDArray[np.floating], reach: float = 0.75, alike: float = 1.7
) -> npt.NDArray[np.bool_]:
    i, j = near_pairs(x, y, r, reach)
    ratio = r[i] / r[j]
    clash = (ratio > 1 / alike) & (ratio < alike)
    rank = np.empty(len(worth), np.intp)
    rank[np.argsort(-worth, kind="stable")] = np.arange(len(worth))
    return keep_best(rank, i[clash], j[clash])


# In double precision first: versions of numpy differ in the cosines of single precision.
_AROUND = np.arange(16) * (np.pi / 8)
_COSINES, _SINES = (f(_AROUND)[:, None].astype(np.float32) for f in (np.cos, np.sin))
_INNER, _OUTER = (0.25, 0.45, 0.65), (1.37, 1.55, 1.73)


def _colours(pyramid: Pyramid, spots: Rounds) -> tuple[Floats, Floats]:
    """Colour of each spot and of what is around it, n x 3 each: medians over directions, so that glare on one side or
    a neighbour on the other doesn't count."""
    ux = (_COSINES * spots.a + _SINES * spots.b) * spots.r
    uy = (_COSINES * spots.b + _SINES * spots.c) * spots.r
    radii = np.array(_INNER + _OUTER, np.float32)[:, None, None]
    n, directions, half = len(spots), len(_AROUND), len(_AROUND) // 2
    px, py = (np.concatenate([v] * 3, axis=2) for v in (spots.x + radii * ux, spots.y + radii * uy))
    layers = (spots.layer // 4 * 4 + np.arange(3)[:, None]).ravel()
    seen = pyramid.sample(px, py, layers).reshape(2, len(_INNER), directions, 3 * n)
    means = seen.mean(1, dtype=np.float32).transpose(0, 2, 1)
    means = np.sort(means, axis=2)
    middle = (means[:, :, half - 1] + means[:, :, half]) / 2
    inner, outer = middle.reshape(2, 3, n).transpose(0, 2, 1)
    return np.ascontiguousarray(inner), np.ascontiguousarray(outer)
