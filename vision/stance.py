"""How dice stand on a known tray: which of them lean, told by their silhouettes against the empty tray.

Room: vision. Knows the empty tray, a picture, and the corners of tops; not what they show.

A die's picture is its top and its sides: the hull of the top's square and of the bottom's, which is the same square
moved by the *drop*. Of dice that lie flat the drop depends on the place alone, wherever the camera looks: seen without
distortion it is `at - per * place`, with the same three numbers for the whole table (see `leaning.out_of_line`). They
are learnt with the tray, from dice that lie flat. A die that leans by 20 degrees turns up a third of an edge of one of
its sides, so its drop is another; by shape, on a tray that is known pixel by pixel, that is told of a lone die too.
Where dice touch, a silhouette is not one die's alone. So all that flat dice would cover is taken together as well: what
stands out from the tray *beyond* it is a side turned up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.pyramid import Sizes, reduced, sample
from vision.types import Die

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]

_REACH, _CELLS = 2.9, 35
"""A die and what lies round it are looked at in so many cells a side, out to so many half edges."""
_STEP, _STEPS = 0.1, 16
"""Drops that are tried: so many steps to each side, in half edges; every second first, then those about the best."""
_TOP = 0.95
"""What lies within this part of the top's square is die in any case."""
_RING = 2.5
_OWN = 1.75
"""Nearer than so many half edges to another top, what is seen may be that die's."""
_DARKEST, _LIGHTEST = 0.25, 1.18
"""The tray in a die's shade and in its light, as factors of how it is seen round it."""
_LEAST_GREY, _NOISES = 9.0, 3.5
_FEW_CELLS = 20
_BLUR_PX = 0.9
_HALVED_PX = 30.0
"""Pictures in which an edge is this long are halved instead of smoothed."""

_MIN_DICE = 3
_OFF_LINE = 0.15
"""Dice of the throw that a view is learnt from may be off it by so much, in edges; others are left out."""
_ASLANT, _PER, _PER_MAY, _ERROR = 0.25, 0.75, 0.5, 0.06

_GAP, _AREA, _TURNED_UP = 0.22, 0.2, 0.12
"""A die leans if its drop is off by the first, in edges, if that explains what is seen better by the second, and shows
so much of a side that would be hidden, in areas of a top."""
_HIDES_AREA, _PLAIN = 0.26, 0.9
"""One that hides a side that should be seen must explain more, and must stand out from the tray by all of its top."""
_STANDS_OUT = 0.5
"""Of a die of whose top less than this stands out from the tray, no silhouette is seen."""
_MARGIN, _BEYOND = 0.07, 0.04
"""What is further than the first, in half edges, from all that flat dice cover lies beyond them; a die leans that has
more than the second of it, in areas of a top. Of made pictures of dice in heaps, flat ones have none of it."""
_STEADY_AREA, _STEADY_PLAIN, _STEADY_BEYOND = 0.13, 0.8, 0.02
"""A die whose silhouette no other drop explains better by the first, whose top stands out by the second, and that has
less than the third beyond it, need not be looked at for more: in the simulator those that lean are at 0.23 and more, of
those that lie flat most below 0.1."""
FLAT_AREA = 0.1
"""A die lies flat for sure if no other drop explains what is seen better by more than this."""


@dataclass(frozen=True, slots=True)
class View:
    """How a camera sees flat dice: at a place, from the middle of the picture in its longer sides, the drop in edges of
    a top is `at - per * place`. `beyond` is what usually stands out beyond flat dice, where a tray mirrors them, in
    areas of a top."""

    at: tuple[float, float]
    per: float
    beyond: float = 0.0

    def drops(self, places: Doubles) -> Doubles:
        """The drops of dice that lie flat at these places, N x 2."""
        made: Doubles = np.array(self.at) - self.per * places
        return made


class Known(Protocol):
    """What must be known of a tray: its picture when it was empty, a top's edge in pixels of that, and the view."""

    @property
    def empty(self) -> npt.NDArray[np.uint8]: ...
    @property
    def die_px(self) -> float: ...
    @property
    def view(self) -> View | None: ...
    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True, eq=False)
class Stance:
    """What a silhouette tells of one die. `drop` is the one that explains it best, in edges along the picture's axes;
    `gap` how far that is from the flat one; `area` by how much it explains more, `turned_up` what is seen of sides that
    a flat die would hide, both in areas of a top; `plain` what part of its top stands out from the tray; `beyond` what
    stands out about it that no flat die would cover, in areas of a top."""

    drop: Doubles
    gap: float = 0.0
    area: float = 0.0
    turned_up: float = 0.0
    plain: float = 0.0
    beyond: float = 0.0

    @property
    def leans(self) -> bool:
        """Does it lean, for sure?"""
        if self.beyond > _BEYOND and self.plain > _STANDS_OUT:
            return True
        if self.gap < _GAP or self.area < _AREA or self.plain < _STANDS_OUT:
            return False
        hides = self.area > _HIDES_AREA and self.plain > _PLAIN
        return self.turned_up > _TURNED_UP or hides

    @property
    def steady(self) -> bool:
        """Does its silhouette leave no room for a doubt about how it lies?"""
        return self.area < _STEADY_AREA and self.plain > _STEADY_PLAIN and self.beyond < _STEADY_BEYOND

    @property
    def flat(self) -> bool:
        """Does it lie flat, for sure?"""
        return self.area < FLAT_AREA and self.plain > _PLAIN and self.beyond < _STEADY_BEYOND


def stances(
    image: npt.NDArray[np.uint8],
    empty: npt.NDArray[np.uint8],
    corners: npt.NDArray[np.floating],
    edge_px: float,
    view: View | None,
) -> list[Stance]:
    """What the silhouettes of N dice tell; corners N x 4 x 2, going round.

    `image` and `empty` are BGR uint8 of one shape; corners and `edge_px`, how long a flat top's edge is, are in pixels
    of `image`. Without a `view` the drops alone are told.
    """
    return _stances(image, _smooth(empty, edge_px), empty.shape[1], corners, edge_px, view)


def _stances(
    image: npt.NDArray[np.uint8] | Sizes,
    before: npt.NDArray[np.uint8],
    width: int,
    corners: npt.NDArray[np.floating],
    edge_px: float,
    view: View | None,
) -> list[Stance]:
    """`stances`, with the empty tray made ready (`_smooth`) from a picture of this width."""
    quads = np.asarray(corners, np.float64).reshape(-1, 4, 2)
    if not len(quads):
        return []
    middles, halves = _frames(quads, edge_px)
    seen, new, plain = _seen(image, before, image.shape[1] / width, (middles, halves), edge_px)
    hulls, drops = _hulls()
    best = _best(seen)
    found = (halves @ drops[best][:, :, None])[:, :, 0] / edge_px
    if view is None:
        return [Stance(drop, plain=p) for drop, p in zip(found, plain, strict=True)]
    flat = view.drops(places_of(middles, image.shape[:2]))
    gaps = np.hypot(*(found - flat).T).tolist()
    local = np.asarray(np.linalg.solve(halves, flat[:, :, None] * edge_px), np.float64)[:, :, 0]
    column, row = np.clip(np.rint(local / _STEP) + _STEPS, 0, 2 * _STEPS).astype(np.intp).T
    change = hulls[best] - hulls[row * (2 * _STEPS + 1) + column]
    areas = (np.einsum("nc,nc->n", change, seen) * _CELL_AREA).tolist()
    turned_up = (((change > 0) & (seen > 0)).sum(1) * _CELL_AREA).tolist()
    beyond = [max(0.0, b - view.beyond) for b in _beyond(new, middles, halves, local)]
    return [Stance(*one) for one in zip(found, gaps, areas, turned_up, plain, beyond, strict=True)]


def stances_of(image: npt.NDArray[np.uint8] | Sizes, dice: Sequence[Die], known: Known) -> list[Stance]:
    """What the silhouettes of dice tell that were read on a known tray; nothing where no view was learnt."""
    if known.view is None or not dice:
        return []
    quads = np.array([die.corners for die in dice], np.float64)
    edge_px = known.die_px * image.shape[1] / known.empty.shape[1]
    return _stances(image, _before(known, edge_px), known.empty.shape[1], quads, edge_px, known.view)


def leaners(image: npt.NDArray[np.uint8], dice: Sequence[Die], known: Known) -> list[int]:
    """Which of the dice that were read on a known tray lean, as places in `dice`; none where no view was learnt."""
    return [n for n, stance in enumerate(stances_of(image, dice, known)) if stance.leans]


@lru_cache(maxsize=2)
def _before(known: Known, edge_px: float) -> npt.NDArray[np.uint8]:
    return _smooth(known.empty, edge_px)


def places_of(middles: Doubles, size: Sequence[int]) -> Doubles:
    """Places in pixels, N x 2, from the middle of a picture of `size` (height, width), in its longer sides."""
    return (np.asarray(middles, np.float64) - np.array([size[1], size[0]]) / 2) / max(size)


def learn_view(
    empty: npt.NDArray[np.uint8],
    throw: npt.NDArray[np.uint8],
    corners: npt.NDArray[np.floating],
    edge_px: float,
) -> View | None:
    """How the camera sees flat dice, from a throw of them (BGR uint8, as the picture of the empty tray); None where too
    few are seen to agree. Corners as in `stances`."""
    told = stances(throw, empty, corners, edge_px, None)
    seen = [n for n, stance in enumerate(told) if stance.plain > _STANDS_OUT]
    if len(seen) < _MIN_DICE:
        return None
    drops = np.array([told[n].drop for n in seen])
    view = agreed_view(drops, places_of(np.asarray(corners, np.float64)[seen].mean(1), throw.shape[:2]))
    if view is None:
        return None
    usual = float(np.median([s.beyond for s in stances(throw, empty, corners, edge_px, view)]))
    return replace(view, beyond=usual)


def agreed_view(drops: Doubles, places: Doubles) -> View | None:
    """The view that flat dice's drops (N x 2, in edges) at some places (`places_of`) agree on; None if too few do."""
    if len(drops) < _MIN_DICE:
        return None
    good = np.ones(len(drops), bool)
    view = _fit(drops, places)
    for _ in range(3):
        off = np.hypot(*(drops - view.drops(places)).T)
        limit = max(_OFF_LINE, 1.5 * float(np.median(off)))
        good = off <= limit
        if good.sum() < _MIN_DICE:
            return None
        view = _fit(drops[good], places[good])
    off = np.hypot(*(drops[good] - view.drops(places[good])).T)
    return view if float(off.max()) <= _OFF_LINE else None


def _fit(drops: Doubles, places: Doubles) -> View:
    """Least squares for the view's three numbers; cameras look about at the middle, from some way up."""
    rows = [[1 / _ASLANT, 0, 0], [0, 1 / _ASLANT, 0], [0, 0, 1 / _PER_MAY]]
    told = [0.0, 0.0, _PER / _PER_MAY]
    for (dx, dy), (x, y) in zip(drops / _ERROR, places / _ERROR, strict=True):
        rows += [[1 / _ERROR, 0, -x], [0, 1 / _ERROR, -y]]
        told += [dx, dy]
    x, y, per = np.linalg.lstsq(np.array(rows), np.array(told), rcond=None)[0]
    return View((float(x), float(y)), float(per))


def _frames(quads: Doubles, edge_px: float) -> tuple[Doubles, Doubles]:
    """Tops' middles (N x 2), and the maps from half edges to pixels (N x 2 x 2): each quad's own shape, in the size of
    a flat top."""
    a, b, c, d = quads.transpose(1, 0, 2)
    halves = np.stack([b - a + c - d, d - a + c - b], 2) / 4
    sizes = 2 * np.sqrt(np.abs(np.linalg.det(halves)))
    return quads.mean(1), halves * (edge_px / np.maximum(sizes, 1e-3))[:, None, None]


def _seen(
    image: npt.NDArray[np.uint8] | Sizes,
    before: npt.NDArray[np.uint8],
    scale: float,
    frames: tuple[Doubles, Doubles],
    edge_px: float,
) -> tuple[Floats, npt.NDArray[np.bool_], list[float]]:
    """For every die and every cell round it (N x cells) 1 where it is not the tray that is seen, -1 where it is, 0
    where that tells nothing of this die; where it is not the tray, whosesoever; and what part of each top is not like
    the tray. `before` is the empty tray (`_smooth`), and `scale` pixels of the picture to one of those that it was made
    of."""
    grid, out = _grid(), _out()
    middles, halves = frames
    at = (grid @ halves.transpose(0, 2, 1) + middles[:, None]).astype(np.float32)
    now = _colours(_smooth(image, edge_px), at, _level(edge_px))
    was = _colours(before, (at + 0.5) / scale - 0.5, _level(edge_px))
    apart = np.linalg.solve(halves[:, None], (middles[None] - middles[:, None])[..., None])[..., 0]
    bottom, right = image.shape[0] - 1, image.shape[1] - 1
    inside = np.ones(at.shape[:2], bool)
    if at.min() < 0 or at[:, :, 0].max() > right or at[:, :, 1].max() > bottom:
        inside = (at >= 0).all(2) & (at[:, :, 0] <= right) & (at[:, :, 1] <= bottom)
    free = np.ones(inside.shape, bool)
    line = grid[:_CELLS, 0]
    for n, k in zip(*np.nonzero(np.abs(apart).max(2) < _REACH + _OWN), strict=True):
        if n != k:
            across, down = np.abs(line - apart[n, k, 0]) > _OWN, np.abs(line - apart[n, k, 1]) > _OWN
            free[n] &= (across | down[:, None]).ravel()
    noise = np.zeros(len(middles), np.float32)
    rings = []
    for n in range(len(middles)):
        ring = np.nonzero((out > _RING) & free[n] & inside[n])[0]
        if len(ring) < _FEW_CELLS:
            ring = np.nonzero(inside[n] & (out > 1.5))[0]
        rings.append(ring)
        if len(ring):
            # Light that has changed since the tray was learnt.
            was[n] *= _middle((now[n, ring] + 4) / (was[n, ring] + 4))
    shade = np.clip(_dot(now, was) / np.maximum(_dot(was, was), 1), _DARKEST, _LIGHTEST)
    away = (now - shade[:, :, None] * was).astype(np.float32)
    off = np.sqrt(_dot(away, away))
    for n, ring in enumerate(rings):
        noise[n] = _middle(off[n, ring]) if len(ring) else 0.0
    new = off > np.maximum(_LEAST_GREY, _NOISES * noise)[:, None]
    top = out < _TOP
    seen = np.where(new, np.float32(1), np.float32(-1))
    seen[~free | ~inside] = 0
    seen[:, top] = 0
    return seen, new & inside, [float(share) for share in new[:, top].mean(1)]


def _beyond(new: npt.NDArray[np.bool_], middles: Doubles, halves: Doubles, drops: Doubles) -> list[float]:
    """What stands out about each of N dice that none of them would cover if it lay flat, in areas of a top. `new` is
    N x cells, `drops` the flat ones, N x 2, in half edges of each die's own top."""
    line = _grid()[:_CELLS, 0]
    first, last = _covering(np.broadcast_to(line[:, None], (len(drops), _CELLS, 2)), drops[:, None])
    own = np.maximum(first[:, None, :, 0], first[:, :, None, 1]) <= np.minimum(last[:, None, :, 0], last[:, :, None, 1])
    left = (new.reshape(own.shape) & ~own).astype(np.uint8)
    inverse = np.linalg.inv(halves)
    found = []
    for n, mask in enumerate(left):
        # Single rows of cells are outlines and noise.
        if not cv2.countNonZero(cv2.erode(mask, _TWO_BY_TWO)):
            found.append(0.0)
            continue
        rows, columns = np.nonzero(mask)
        cells = np.stack([line[columns], line[rows]], 1) @ halves[n].T
        stays = np.ones(len(cells), bool)
        away = middles - middles[n]
        near = np.abs(away).max(1) <= 2 * np.abs(cells).max()
        near[n] = False
        own_distance = (cells**2).sum(1)
        for k in np.nonzero(near)[0].tolist():
            there = cells - away[k]
            stays &= own_distance <= (there**2).sum(1)
            begin, end = _covering(there @ inverse[k].T, drops[k])
            stays &= np.maximum(begin[:, 0], begin[:, 1]) > np.minimum(end[:, 0], end[:, 1])
        lies = np.zeros(mask.shape, np.uint8)
        lies[rows[stays], columns[stays]] = 1
        found.append(float(cv2.countNonZero(cv2.morphologyEx(lies, cv2.MORPH_OPEN, _TWO_BY_TWO))) * _CELL_AREA)
    return found


def _covering(places: Doubles, drops: Doubles) -> tuple[Doubles, Doubles]:
    """From where on and how far on its way to the bottom (0 to 1) a top, with a margin, covers places, along each axis:
    all in half edges; see `_hulls`."""
    sure = np.where(np.abs(drops) < 1e-6, 1e-6, drops)
    one, other = (places - (1 + _MARGIN)) / sure, (places + (1 + _MARGIN)) / sure
    return np.maximum(np.minimum(one, other), 0.0), np.minimum(np.maximum(one, other), 1.0)


def _dot(a: Floats, b: Floats) -> Floats:
    products = a * b
    made: Floats = products[:, :, 0] + products[:, :, 1] + products[:, :, 2]
    return made


def _middle(values: Floats) -> Floats:
    """The median along the first axis; of an even number the upper one."""
    half = len(values) // 2
    made: Floats = np.partition(np.ascontiguousarray(values.T), half, axis=-1)[..., half]
    return made


def _level(edge_px: float) -> int:
    """How often pictures are halved: noise goes, and a cell stays larger than a pixel."""
    return 1 if edge_px >= _HALVED_PX else 0


def _smooth(picture: npt.NDArray[np.uint8] | Sizes, edge_px: float) -> npt.NDArray[np.uint8]:
    """A picture with its noise smoothed away."""
    if _level(edge_px):
        return reduced(picture, 2)
    return np.asarray(cv2.GaussianBlur(Sizes.of(picture).image, (0, 0), _BLUR_PX), np.uint8)


def _colours(picture: npt.NDArray[np.uint8], places: npt.NDArray[np.floating], level: int) -> Floats:
    """Colours, N x cells x 3, at places (N x cells x 2) in pixels of a picture that was halved so often."""
    x, y = np.moveaxis((places + 0.5) / 2**level - 0.5, 2, 0).astype(np.float32)
    return sample(picture, x, y)


_TWO_BY_TWO = np.ones((2, 2), np.uint8)

_CELL_AREA = (2 * _REACH / (_CELLS - 1)) ** 2 / 4
"""A cell, in areas of a top."""


@cache
def _grid() -> Doubles:
    line = np.linspace(-_REACH, _REACH, _CELLS)
    x, y = np.meshgrid(line, line)
    return np.stack([x.ravel(), y.ravel()], 1)


@cache
def _out() -> Doubles:
    """How far out each cell lies: 1 on the top's outline."""
    out: Doubles = np.abs(_grid()).max(1)
    return out


def _best(seen: Floats) -> list[int]:
    """The number of the drop whose hull explains best what is seen of each die (N x cells): every second one tried on
    every second cell, and then those close to the best of them."""
    side = 2 * _STEPS + 1
    hulls, numbers = _hulls()[0], np.arange(side**2).reshape(side, side)
    coarse, cells = numbers[::2, ::2].ravel(), np.arange(_CELLS**2).reshape(_CELLS, _CELLS)[::2, ::2].ravel()
    found = []
    for one in seen:
        row, column = divmod(int(coarse[(_coarse_hulls() @ one[cells]).argmax()]), side)
        close = numbers[max(0, row - 2) : row + 3, max(0, column - 2) : column + 3].ravel()
        found.append(int(close[(hulls[close] @ one).argmax()]))
    return found


@cache
def _coarse_hulls() -> Floats:
    """Every second hull each way, on every second cell."""
    side = 2 * _STEPS + 1
    hulls = _hulls()[0].reshape(side, side, _CELLS, _CELLS)
    made: Floats = np.ascontiguousarray(hulls[::2, ::2, ::2, ::2].reshape((_STEPS + 1) ** 2, -1))
    return made


@cache
def _hulls() -> tuple[Floats, Doubles]:
    """The drops that are tried, K x 2 in half edges, and for each which cells its hull covers: K x cells, 0 or 1.

    A place q lies in the hull of the top and the bottom if q - t d lies in the top's square for some t from 0 to 1.
    """
    line = _STEP * np.arange(-_STEPS, _STEPS + 1)
    x, y = np.meshgrid(line, line)
    drops = np.stack([x.ravel(), y.ravel()], 1)
    # No drop is quite 0, so that nothing is divided by it.
    sure = np.where(np.abs(drops) < 1e-6, 1e-6, drops)
    first = np.zeros((len(drops), _CELLS**2))
    last = np.ones_like(first)
    for axis in (0, 1):
        ends = [(_grid()[None, :, axis] + side) / sure[:, axis, None] for side in (-1.0, 1.0)]
        first = np.maximum(first, np.minimum(*ends))
        last = np.minimum(last, np.maximum(*ends))
    return (first <= last).astype(np.float32), drops
