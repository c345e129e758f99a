"""Faces of two to six: lattices of nine places, filled or empty, that pips fit.

Room: vision. Knows pips and pixels; not how many dice there should be, nor what a reading is for.

Every value from 2 to 6 has a diagonal pair of pips. Seen through the pips' own ellipse (a pip is round, so its ellipse
tells how the face is tilted) such a pair fixes centre, size and angle of the face; a six with tight rows is found from
its two rows of three. Then each of the nine places is measured in the picture: pip colour or body colour.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from itertools import compress

import cv2
import numpy as np
import numpy.typing as npt

from vision.glance import Glimpse
from vision.nearby import near_pairs
from vision.pips import Pips
from vision.pyramid import Floats, sample

PLACES = np.array([(i, j) for j in (-1, 0, 1) for i in (-1, 0, 1)], np.float32)
"""The nine places in lattice units: column, row. 0 2 6 8 are the corners, 4 the middle."""

PATTERNS: dict[str, tuple[int, ...]] = {
    "2a": (0, 8), "2b": (2, 6), "3a": (0, 4, 8), "3b": (2, 4, 6), "4": (0, 2, 6, 8), "5": (0, 2, 4, 6, 8),
    "6a": (0, 2, 3, 5, 6, 8), "6b": (0, 1, 2, 6, 7, 8),
}  # fmt: skip
_NAMES = tuple(PATTERNS)
_VALUES = np.array([int(n[0]) for n in _NAMES])
_MASK = np.zeros((len(_NAMES), 9), np.float32)
for _row, _name in enumerate(_NAMES):
    _MASK[_row, list(PATTERNS[_name])] = 1

_DISC = np.array([(0, 0), (0.5, 0), (-0.5, 0), (0, 0.5), (0, -0.5), (0.35, 0.35), (-0.35, -0.35)], np.float32)
_BETWEEN = np.array(
    [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)]
    + [(a * s, b * t) for a, b in ((0.5, 1.0), (1.0, 0.5)) for s in (-1, 1) for t in (-1, 1)], np.float32,
)  # fmt: skip


@dataclass(slots=True, eq=False)
class Face:
    """A face: `value`, centre, `frame` (2 x 2, columns are the lattice's axes in pixels: place p lies at centre +
    frame @ p), `reach` (half an edge in lattice units), how sure, and which pips it explains."""

    value: int
    x: float
    y: float
    frame: Floats
    reach: float
    score: float
    fit: float
    """Mean difference of the nine places from the pattern; 0 is perfect."""
    aspect: float
    pip_px: float
    pips: tuple[int, ...]
    body: Floats
    ink: Floats
    levels: Floats
    rough: float = 0.0
    """How much the face varies between its pips, as a share of the step from body to pip."""
    uneven: float = 0.0
    """How much its pips differ in size: spread of the logarithm of their radii."""
    off: float = 0.0
    """How far its pips lie off the lattice, in lattice units."""
    step: float = 0.0
    """Contrast of its pips in grey levels."""
    lean: tuple[float, float] = (0.0, 0.0)
    """How its pips' ellipse is drawn out: log of the axes' ratio, along twice the long axis's angle. All tops in a
    picture share it but for perspective; sides and cocked dice differ."""
    sides: Floats = field(default_factory=lambda: np.zeros(4, np.float32))
    witness: Floats | None = None
    surest: Floats | None = None
    drop: Floats | None = None
    """From the middle of the top to that of the bottom, in pixels, as the third witness tells it."""
    glimpse: Glimpse | None = None
    """What a glance told, where one was taken."""
    gap: float = np.inf
    """How far the drop is from what the others' let expect, in edges of the die; infinite where nobody asked."""
    lattice: Floats | None = None
    """The frame that the pips fit; a six with close rows has another one than its square face."""

    unit_px: float = field(init=False)
    """One lattice unit in pixels: square root of the area of the lattice's cell."""
    _axes_px: float = field(init=False)

    def __post_init__(self) -> None:
        (a, b), (c, d) = self.frame.tolist()
        self.unit_px = abs(a * d - b * c) ** 0.5
        self._axes_px = math.hypot(a, c) + math.hypot(b, d)

    def corners(self, reach: float | None = None) -> npt.NDArray[np.float32]:
        """The four corners in pixels, going round."""
        k = self.reach if reach is None else reach
        places = (_SQUARE * np.float32(k)) @ self.frame.T + np.array([self.x, self.y], np.float32)
        return np.asarray(places, np.float32)

    @property
    def edge_px(self) -> float:
        """Length of the face's edge: mean over both directions."""
        return self.reach * self._axes_px

    @property
    def size_px(self) -> float:
        """Square root of the face's area."""
        return 2 * self.reach * self.unit_px


_SQUARE = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32)


def corners_of(faces: Sequence[Face]) -> npt.NDArray[np.float32]:
    """The corners of some faces in pixels, N x 4 x 2; see `Face.corners`."""
    middles = np.array([(f.x, f.y) for f in faces], np.float32)
    halves = np.stack([f.frame for f in faces]) * np.array([f.reach for f in faces], np.float32)[:, None, None]
    return np.asarray(_SQUARE @ halves.transpose(0, 2, 1) + middles[:, None], np.float32)


@dataclass(slots=True)
class _Guesses:
    """Lattices to be tried, one row each."""

    centre: Floats
    frame: Floats
    pip: Floats
    first: npt.NDArray[np.intp]
    second: npt.NDArray[np.intp]
    shape: Floats

    def __len__(self) -> int:
        return len(self.pip)

    def take(self, index: npt.NDArray[np.generic]) -> _Guesses:
        """The rows that `index` (mask or positions) names."""
        return _Guesses(
            self.centre[index], self.frame[index], self.pip[index], self.first[index], self.second[index],
            self.shape[index],
        )  # fmt: skip


def find_faces(image: npt.NDArray[np.uint8], pips: Pips, least: float = 0.05, most: int = 200) -> list[Face]:
    """The faces of 2 to 6 that the pips support, best first; they may still overlap.

    At most `most`, and only those whose score, a pip, is over `least`.
    """
    if len(pips) < 2:
        return []
    guesses = _pairs(pips)
    if not len(guesses):
        return []
    hit = _matches(image.shape[:2], pips, guesses)
    rows = _rows(pips, guesses, hit[:, 4])
    if len(rows):
        hit = np.concatenate([hit, _matches(image.shape[:2], pips, rows)])
        guesses = _Guesses(*(np.concatenate([getattr(g, f.name) for g in (guesses, rows)]) for f in fields(_Guesses)))
    return _measure(image, pips, guesses, hit, least, most)


def lattices(
    image: npt.NDArray[np.uint8], pips: Pips, centres: Floats, frames: Floats,
    first: npt.NDArray[np.intp], second: npt.NDArray[np.intp], hit: npt.NDArray[np.intp], least: float = 0.05,
) -> list[Face]:  # fmt: skip
    """The faces among lattices that somebody else has found, best first: centres (n x 2), frames (n x 2 x 2; NaN for
    squares seen through their pips' ellipses), two opposite corners of each, and the pip at each of its nine places,
    or -1."""
    shape = _mean_shape(pips, first, second)
    across = np.stack([pips.x[second] - pips.x[first], pips.y[second] - pips.y[first]], 1)
    half = (np.linalg.inv(shape) @ across[:, :, None])[:, :, 0] / 2
    seen = np.matmul(shape, _square(half.astype(np.float32)))
    frames = np.where(np.isnan(frames), seen, frames).astype(np.float32)
    guesses = _Guesses(centres, frames, np.sqrt(pips.r[first] * pips.r[second]), first, second, shape)
    return _measure(image, pips, guesses, hit, least, len(centres))


def _pairs(pips: Pips, most: int = 6000) -> _Guesses:
    """Pairs of alike pips as the diagonal of a square lattice, and rows of three side by side as a six."""
    x, y, r = pips.x, pips.y, pips.r
    i, j = near_pairs(x, y, r, 14.0)
    i, j = np.minimum(i, j), np.maximum(i, j)
    ratio, gap = r[i] / r[j], (x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2
    size = r[i] * r[j]
    near = (gap < 14**2 * size) & (gap > 2.2**2 * size) & (ratio < 1.5) & (ratio > 1 / 1.5)
    i, j = i[near], j[near]
    step = np.minimum(pips.step[i], pips.step[j])
    # Same polarity is same direction in colour: green pips on purple are neither lighter nor darker.
    change = (pips.inner - pips.outer) / pips.step[:, None]
    same = (change[i] * change[j]).sum(1) > 0.5
    i, j, step = i[same], j[same], step[same]
    alike = (np.linalg.norm(pips.inner[i] - pips.inner[j], axis=1) < 0.7 * step) & (
        np.linalg.norm(pips.outer[i] - pips.outer[j], axis=1) < 0.9 * step
    )
    i, j = i[alike], j[alike]
    shape = _mean_shape(pips, i, j)
    white = np.linalg.inv(shape)
    d = np.stack([x[j] - x[i], y[j] - y[i]], 1)
    e = (white @ d[:, :, None])[:, :, 0] / 2
    pip = np.sqrt(r[i] * r[j])
    length = np.hypot(e[:, 0], e[:, 1]) / pip
    ok = (length > 1.7) & (length < 6.6)
    i, j, shape, e, pip = i[ok], j[ok], shape[ok], e[ok], pip[ok]
    if len(i) > most:
        worth = pips.round[i] + pips.round[j]
        keep = np.argsort(-worth, kind="stable")[:most]
        i, j, shape, e, pip = i[keep], j[keep], shape[keep], e[keep], pip[keep]
    frame = shape @ _square(e)
    centre = np.stack([(x[i] + x[j]) / 2, (y[i] + y[j]) / 2], 1)
    return _Guesses(centre.astype(np.float32), frame.astype(np.float32), pip.astype(np.float32), i, j, shape)


def _square(half: Floats) -> Floats:
    """The frames, n x 2 x 2, of upright lattices with these halves of a diagonal, n x 2."""
    turned = np.stack([-half[:, 1], half[:, 0]], 1)
    frames: Floats = np.stack([(half - turned) / 2, (half + turned) / 2], 2)
    return frames


def _mean_shape(pips: Pips, i: npt.NDArray[np.intp], j: npt.NDArray[np.intp]) -> Floats:
    """Tilt of a face from two of its pips: their mean ellipse, drawn towards a circle where pips are small."""
    mean = (pips.shape[i] + pips.shape[j]) / 2
    weight = np.clip((np.sqrt(pips.r[i] * pips.r[j]) - 1.5) / 4.0, 0.3, 1.0)[:, None, None]
    mean = weight * mean + (1 - weight) * np.eye(2, dtype=np.float32)
    shape: Floats = mean / np.sqrt(np.linalg.det(mean))[:, None, None]
    return shape


def _rows(pips: Pips, guesses: _Guesses, middle: npt.NDArray[np.intp], most: int = 300) -> _Guesses:
    """Sixes with any distance between their rows: two parallel rows of three, found as pairs with a middle pip."""
    rows = np.nonzero(middle >= 0)[0]
    if len(rows) > most:
        worth = pips.round[guesses.first[rows]] + pips.round[guesses.second[rows]] + pips.round[middle[rows]]
        rows = rows[np.argsort(-worth, kind="stable")[:most]]
    first, second, white = guesses.first[rows], guesses.second[rows], np.linalg.inv(guesses.shape[rows])
    d = np.stack([pips.x[second] - pips.x[first], pips.y[second] - pips.y[first]], 1)
    at = np.stack([pips.x[middle[rows]], pips.y[middle[rows]]], 1)
    e = (white @ d[:, :, None])[:, :, 0]
    length = np.hypot(e[:, 0], e[:, 1]) + 1e-6
    p, q = np.nonzero(np.triu(np.abs(at[None] - at[:, None]).max(2) < 1.5 * np.abs(d).sum(1)[:, None], 1))
    # Row q as seen from row p, in p's own upright plane.
    off = _times(white[p], at[q] - at[p])
    along = (off * e[p]).sum(1) / length[p]
    across = np.abs(off[:, 0] * e[p, 1] - off[:, 1] * e[p, 0]) / length[p]
    other = _times(white[p], d[q])
    size = np.hypot(other[:, 0], other[:, 1])
    cosine = (other * e[p]).sum(1) / (length[p] * size + 1e-6)
    ratio = size / length[p]
    ok = (np.abs(along) < 0.2 * length[p]) & (across > 0.35 * length[p]) & (across < 1.5 * length[p])
    ok &= (np.abs(cosine) > 0.97) & (ratio > 0.8) & (ratio < 1.25)
    p, q, cosine = p[ok], q[ok], cosine[ok]
    column = (d[p] + np.sign(cosine)[:, None] * d[q]) / 4
    frame = np.stack([column, (at[q] - at[p]) / 2], 2)
    return _Guesses(
        ((at[p] + at[q]) / 2).astype(np.float32), frame.astype(np.float32), guesses.pip[rows][p], first[p], second[p],
        guesses.shape[rows][p],
    )  # fmt: skip


def _times(matrix: Floats, vector: Floats) -> Floats:
    """Each matrix times its vector: n x 2 x 2 and n x 2."""
    product: Floats = matrix[:, :, 0] * vector[:, :1] + matrix[:, :, 1] * vector[:, 1:]
    return product


def _matches(size: tuple[int, int], pips: Pips, guesses: _Guesses) -> npt.NDArray[np.intp]:
    """For each guess and place the pip that lies there, or -1."""
    at = guesses.centre[:, None, :] + PLACES @ guesses.frame.transpose(0, 2, 1)
    hit = np.full(at.shape[:2], -1, np.intp)
    octave = np.log2(np.maximum(pips.r, 1.0))
    wanted = np.rint(np.log2(np.maximum(guesses.pip, 1.0))).astype(int)
    # Drawn last lies on top: rounder over ragged, then small over large (a die's body is a spot as well).
    order = np.lexsort((-pips.r, pips.round >= 0.85))
    x, y, r = (values[order].astype(np.float64) for values in (pips.x, pips.y, pips.r))
    bright, octave = pips.bright[order] > 0.5, octave[order]
    own_bright = pips.bright[guesses.first] > 0.5
    for layer in np.unique(wanted).tolist():
        # A map of who lies where, for pips of about this size; coarser for large ones.
        coarse = 2.0 ** max(0, layer - 2)
        height, width = int(size[0] / coarse) + 1, int(size[1] / coarse) + 1
        rows = np.nonzero(wanted == layer)[0]
        px = np.clip(np.rint(at[rows, :, 0] / coarse), 0, width - 1).astype(np.intp)
        py = np.clip(np.rint(at[rows, :, 1] / coarse), 0, height - 1).astype(np.intp)
        fitting = np.abs(octave - layer) < 0.9
        for light in (False, True):
            those = np.nonzero(fitting & (bright == light))[0]
            if not len(those):
                continue
            discs = np.rint([x[those] / coarse, y[those] / coarse, 0.85 * r[those] / coarse]).astype(int)
            owner = np.full((height, width), -1, np.int16)
            for n, column, row, radius in zip(order[those].tolist(), *discs.tolist(), strict=True):
                cv2.circle(owner, (column, row), radius if radius > 1 else 1, n, -1)
            found = owner[py, px].astype(np.intp)
            own = (own_bright[rows] == light)[:, None]
            hit[rows] = np.where((found >= 0) & (own | (hit[rows] < 0)), found, hit[rows])
    ratio = pips.r[hit] / guesses.pip[:, None]
    step = pips.step[guesses.first][:, None]
    alike = np.linalg.norm(pips.inner[hit] - pips.inner[guesses.first][:, None], axis=2) < 0.6 * step
    alike &= pips.step[hit] > 0.35 * step
    hit[(hit >= 0) & ~((ratio > 0.6) & (ratio < 1.65) & alike)] = -1
    return hit


def _measure(
    image: npt.NDArray[np.uint8], pips: Pips, guesses: _Guesses, hit: npt.NDArray[np.intp], least: float, most: int
) -> list[Face]:
    ink = (pips.inner[guesses.first] + pips.inner[guesses.second]) / 2
    contrast = np.minimum(pips.step[guesses.first], pips.step[guesses.second])
    between = _look(image, guesses, _BETWEEN)
    # The median of four is the mean of the two in the middle.
    lower, upper = np.minimum(between[:, 0:3:2], between[:, 1:4:2]), np.maximum(between[:, 0:3:2], between[:, 1:4:2])
    body = np.asarray((np.maximum(lower[:, 0], lower[:, 1]) + np.minimum(upper[:, 0], upper[:, 1])) / 2, np.float32)
    axis = ink - body
    strength = (axis**2).sum(1) + 1e-3
    unit = np.sqrt(np.abs(np.linalg.det(guesses.frame)))
    # Large pips reach the outer points; then only the four between the places tell.
    large = guesses.pip / unit > 0.38
    off = between - body[:, None]
    clear = (off @ (axis / strength[:, None])[:, :, None])[:, :, 0]
    spread = np.maximum(np.sqrt((off**2).sum(2) / strength[:, None]), np.abs(clear))
    rough = np.where(large, np.sort(spread[:, :4], 1)[:, 2], np.sort(spread, 1)[:, 8])
    # Most guesses are texture, and fail by what lies between the places already.
    ok = np.nonzero((np.sqrt(strength) > 0.5 * contrast) & (rough < 0.5))[0]
    if not len(ok):
        return []
    guesses, hit, body, ink, rough = guesses.take(ok), hit[ok], body[ok], ink[ok], rough[ok]
    # Light from one side shades a face evenly: take a plane through the places between off all levels.
    slope = _shade(clear[ok], large[ok])
    filled = _filled(image, guesses, body, axis[ok] / strength[ok, None]) - slope @ PLACES.T
    # Lighter than the body is no sign of a pip; grain and glare make it so.
    soft = np.clip(filled, -0.15, 1.3)
    # A place with a pip found at it counts as filled even if glare whitens it.
    soft = np.where(hit >= 0, np.maximum(soft, 0.8), soft)
    difference = np.abs(soft[:, None, :] - _MASK[None])
    difference = np.where((_MASK[None] == 1) & (soft[:, None, :] > 1), 0, difference)
    cost = difference.mean(2) + 0.25 * difference.max(2)
    best = cost.argmin(1)
    fit = cost[np.arange(len(best)), best]
    on = (hit >= 0) & (_MASK[best] > 0)
    explained = on.sum(1)
    count = _VALUES[best]
    mean_round = (pips.round[hit] * on).sum(1) / np.maximum(explained, 1)
    # Grain and glare weigh on few places as on many, but a two has only two pips to set against them.
    share = np.where(count == 2, 0.6, np.where(count == 3, 0.8, 1.0))
    fair = explained * mean_round - share * (4 * fit + 2 * rough)
    ok = np.nonzero((fit < 0.38) & (explained >= np.maximum(2, 0.6 * count)) & (fair > max(0.05, least) * count))[0]
    if not len(ok):
        return []
    guesses, hit, on, count, fair = guesses.take(ok), hit[ok], on[ok], count[ok], fair[ok]
    settled = _settle(guesses, pips, hit, on)
    score = fair - 0.12 * count * ((settled.uneven / 0.1) ** 2 + (settled.off / 0.07) ** 2)
    chosen = np.nonzero(score > least * count)[0]
    chosen = chosen[np.argsort(-score[chosen], kind="stable")[:most]]
    faces = []
    ok = ok[chosen]
    numbers = np.stack(
        [settled.x[chosen], settled.y[chosen], score[chosen], fit[ok], settled.aspect[chosen], settled.pip_px[chosen],
         rough[ok], settled.step[chosen], settled.uneven[chosen], settled.off[chosen], *settled.lean[chosen].T], 1,
    )  # fmt: skip
    places, filled, values = hit[chosen].tolist(), on[chosen].tolist(), count[chosen].tolist()
    levels = soft[ok].astype(np.float32)
    for n, (k, value, row) in enumerate(zip(ok.tolist(), values, numbers.tolist(), strict=True)):
        frame = lattice = settled.frame[chosen[n]]
        if value == 6:
            frame = _squared(lattice, guesses.shape[chosen[n]])
        x, y, own_score, own_fit, aspect, pip_px, own_rough, step, uneven, off, *lean = row
        own = tuple(compress(places[n], filled[n]))
        face = Face(
            value, x, y, frame, 1.85, own_score, own_fit, aspect, pip_px, own, body[k], ink[k], levels[n],
            rough=own_rough, uneven=uneven, off=off, step=step, lean=(lean[0], lean[1]), lattice=lattice,
        )  # fmt: skip
        faces.append(face)
    return faces


def _look(image: npt.NDArray[np.uint8], guesses: _Guesses, places: Floats) -> Floats:
    """Colours at places of each lattice: n x places x 3."""
    at = guesses.centre[:, None, :] + places @ guesses.frame.transpose(0, 2, 1)
    return sample(image, np.ascontiguousarray(at[:, :, 0]), np.ascontiguousarray(at[:, :, 1]))


def _filled(image: npt.NDArray[np.uint8], guesses: _Guesses, body: Floats, axis: Floats) -> Floats:
    """How much each of the nine places looks like a pip, 0 body to 1 pip: the median over a disc."""
    n = len(guesses)
    places = guesses.centre[:, None, :] + PLACES @ guesses.frame.transpose(0, 2, 1)
    points = places[:, :, None, :] + (_DISC * 0.75)[None, None] * guesses.pip[:, None, None, None]
    points = points.reshape(n, -1, 2)
    colours = sample(image, np.ascontiguousarray(points[:, :, 0]), np.ascontiguousarray(points[:, :, 1]))
    level = ((colours - body[:, None]) @ axis[:, :, None])[:, :, 0].reshape(n, 9, len(_DISC))
    return np.asarray(np.sort(level, axis=2)[:, :, len(_DISC) // 2], np.float32)


def _shade(clear: Floats, large: npt.NDArray[np.bool_]) -> Floats:
    """Slope of brightness over each face, from the places between pips; at most a gentle one."""
    points = _BETWEEN
    every = clear @ points / (points**2).sum(0)
    inner = clear[:, :4] @ points[:4] / (points[:4] ** 2).sum(0)
    slope = np.where(large[:, None], inner, every)
    size = np.linalg.norm(slope, axis=1, keepdims=True)
    gentle: Floats = slope * np.minimum(1, 0.3 / (size + 1e-6))
    return gentle


def _squared(frame: Floats, shape: Floats) -> Floats:
    """A six's rows may lie closer than its pips in a row; its face is a square all the same, as wide as the longer."""
    upright = np.linalg.inv(shape) @ frame
    lengths = np.linalg.norm(upright, axis=0)
    square: Floats = frame * (lengths.max() / lengths)
    return square.astype(np.float32)


def leans_of(shapes: Floats) -> list[tuple[float, float]]:
    """See `Face.lean`; `shapes` are n symmetric 2 x 2 matrices."""
    values, vectors = np.linalg.eigh(shapes)
    low, high = np.maximum(values, 1e-6).T
    size, angle = np.log(high / low), 2 * np.arctan2(vectors[:, 1, 1], vectors[:, 0, 1])
    return list(zip((size * np.cos(angle)).tolist(), (size * np.sin(angle)).tolist(), strict=True))


@dataclass(slots=True)
class _Settled:
    """Lattices fitted to the pips found at their places, one row each; see `Face`."""

    x: Floats
    y: Floats
    frame: Floats
    off: Floats
    uneven: Floats
    step: Floats
    pip_px: Floats
    aspect: Floats
    lean: Floats


def _settle(guesses: _Guesses, pips: Pips, hit: npt.NDArray[np.intp], on: npt.NDArray[np.bool_]) -> _Settled:
    """Refine centre and frame by least squares over the pips found; take size and tilt from the pips' ellipses."""
    weight, number = on.astype(np.float32), on.sum(1)
    target = np.stack([pips.x[hit], pips.y[hit]], 2)
    guess = guesses.centre[:, None, :] + PLACES @ guesses.frame.transpose(0, 2, 1)
    # Ridge towards the guess: two pips move only the centre, four or more may shear the lattice a little.
    basis = np.concatenate([np.ones((9, 1), np.float32), PLACES], 1)
    normal = (weight @ (basis[:, :, None] * basis[:, None, :]).reshape(9, 9)).reshape(-1, 3, 3)
    normal = normal + np.where(number < 4, 1.0, 0.1)[:, None, None] * np.diag([0.0, 1.0, 1.0])
    normal[:, 0, 0] += 0.01
    change = np.linalg.solve(normal, basis.T @ ((target - guess) * weight[:, :, None]))
    centre = guesses.centre + change[:, 0]
    frame = (guesses.frame + change[:, 1:].transpose(0, 2, 1)).astype(np.float32)
    fitted = centre[:, None, :] + PLACES @ frame.transpose(0, 2, 1)
    unit = np.sqrt(np.abs(np.linalg.det(frame)))
    off = np.sqrt((((fitted - target) ** 2).sum(2) * weight).sum(1) / number) / unit
    logs = np.log(pips.r[hit])
    mean = (logs * weight).sum(1) / number
    uneven = np.sqrt((((logs - mean[:, None]) ** 2) * weight).sum(1) / number)
    shape = (pips.shape[hit] * weight[:, :, None, None]).sum(1) / number[:, None, None]
    half, across, along = (
        (shape[:, 0, 0] + shape[:, 1, 1]) / 2, (shape[:, 0, 0] - shape[:, 1, 1]) / 2, shape[:, 0, 1],
    )  # fmt: skip
    drawn = np.hypot(across, along)
    short, long = np.maximum(half - drawn, 1e-6), half + drawn
    lean = np.stack([across, along], 1) * (np.log(long / short) / (drawn + 1e-9))[:, None]
    return _Settled(
        centre[:, 0], centre[:, 1], frame, off, uneven, _medians(pips.step[hit], on), _medians(pips.r[hit], on),
        short / long, lean,
    )  # fmt: skip


def _medians(values: Floats, on: npt.NDArray[np.bool_]) -> Floats:
    """Median of each row over the places that are `on`."""
    ordered, number = np.sort(np.where(on, values, np.inf), axis=1), on.sum(1)
    rows = np.arange(len(values))
    middle: Floats = (ordered[rows, (number - 1) // 2] + ordered[rows, number // 2]) / 2
    return middle
