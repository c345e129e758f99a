"""Which of many spots lie near each other, and which of those that lie on each other is kept.

Room: vision. Knows places and sizes only. Everything is done on arrays, class of size by class of size, with the spots
of a class sorted into square cells: texture has thousands of spots, and all pairs of them would be millions.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ids = npt.NDArray[np.intp]


_FEW = 220
"""Up to so many spots all pairs are looked at: that takes fewer steps."""
_LATER = ~np.tri(_FEW, dtype=bool)


def later(count: int) -> npt.NDArray[np.bool_]:
    """For pairs of up to 220 things, count x count: is the second one later?"""
    return _LATER[:count, :count]


def near_pairs(x: Floats, y: Floats, r: Floats, reach: float) -> tuple[Ids, Ids]:
    """All pairs (i, j), each once, whose distance is under `reach` times the larger radius and whose radii differ by a
    factor of two at most. Pairs of radii that differ by more may be among them."""
    if len(x) < 2:
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    if len(x) <= _FEW:
        gap = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2
        near = gap < (reach * np.maximum(r[:, None], r)) ** 2
        near &= later(len(x))
        # Much sparser than pairs: flat positions are found in half of the time.
        i, j = np.divmod(np.flatnonzero(near), len(x))
        return i, j
    octave = np.floor(np.log2(np.maximum(r, 1.0))).astype(np.intp)
    first, second = [], []
    for size in np.unique(octave):
        own = np.nonzero(octave == size)[0]
        both = np.nonzero((octave == size) | (octave == size + 1))[0]
        if len(both) < 2:
            continue
        i, j = _within(x, y, own, both, reach * float(r[both].max()))
        # Pairs within one class come twice, and everything is near itself.
        once = (octave[j] > size) | (i < j)
        i, j = i[once], j[once]
        close = (x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2 < (reach * np.maximum(r[i], r[j])) ** 2
        first.append(i[close])
        second.append(j[close])
    if not first:
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    return np.concatenate(first), np.concatenate(second)


def _within(x: Floats, y: Floats, ask: Ids, there: Ids, side: float) -> tuple[Ids, Ids]:
    """For each of `ask` those of `there` in the same square cell of `side` or in one beside it."""
    column, row = np.floor(x / side).astype(np.int64), np.floor(y / side).astype(np.int64)
    column -= column[there].min() - 2
    row -= row[there].min()
    wide = int(column[there].max()) + 3
    cell = row * wide + column
    order = there[np.argsort(cell[there], kind="stable")]
    sorted_cells = cell[order]
    first, second = [], []
    for step in (-1, 0, 1):
        # Cells side by side are neighbours in the sorted list as well.
        start = np.searchsorted(sorted_cells, cell[ask] + step * wide - 1, "left")
        count = np.searchsorted(sorted_cells, cell[ask] + step * wide + 1, "right") - start
        total = int(count.sum())
        begin = np.repeat(start - (np.cumsum(count) - count), count)
        first.append(np.repeat(ask, count))
        second.append(order[begin + np.arange(total)])
    return np.concatenate(first), np.concatenate(second)


def keep_best(rank: Ids, better: Ids, worse: Ids) -> npt.NDArray[np.bool_]:
    """Which to keep if the best is kept, all that clash with it are dropped, and so on with what is left.

    `better`, `worse` are the clashing pairs in any order; the lower `rank` is the better one.
    """
    swap = rank[better] > rank[worse]
    better, worse = np.where(swap, worse, better), np.where(swap, better, worse)
    kept = np.ones(len(rank), bool)
    open_ = np.ones(len(rank), bool)
    while len(better):
        blocked = np.zeros(len(rank), bool)
        blocked[worse] = True
        sure = open_ & ~blocked
        lost = worse[sure[better]]
        kept[lost] = False
        open_[lost] = False
        open_ &= ~sure
        left = open_[better] & open_[worse]
        better, worse = better[left], worse[left]
    return kept
