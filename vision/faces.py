"""Faces of two to six: lattices of nine places, filled or empty, that pips fit.

Room: vision. Knows pips and pixels; not how many dice there should be, nor what a reading is for.

Every value from 2 to 6 has a diagonal pair of pips. Seen through the pips' own ellipse (a pip is round, so its ellipse
tells how the face is tilted) such a pair fixes centre, size and angle of the face; a six with tight rows is found from
its two rows of three. Then each of the nine places is measured in the picture: pip colour or body colour.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields

import cv2
import numpy as np
import numpy.typing as npt

from vision.pips import Floats, Pips, sample

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


@dataclass(slots=True)
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
    drop: Floats | None = None
    """From the middle of the top to that of the bottom, in pixels, as the third witness tells it; with its likely
    error in edges, `drop_error`."""
    drop_error: float = 0.0
    lattice: Floats | None = None
    """The frame that the pips fit; a six with close rows has another one than its square face."""

    def corners(self, reach: float | None = None) -> npt.NDArray[np.float32]:
        """The four corners in pixels, going round."""
        k = self.reach if reach is None else reach
        square = np.array([(-k, -k), (k, -k), (k, k), (-k, k)], np.float32)
        return square @ self.frame.T + np.array([self.x, self.y], np.float32)

    @property
    def edge_px(self) -> float:
        """Length of the face's edge: mean over both directions."""
        return float(2 * self.reach * np.mean(np.linalg.norm(self.frame, axis=0)))

    @property
    def size_px(self) -> float:
        """Square root of the face's area."""
        return 2 * self.reach * self.unit_px

    @property
    def unit_px(self) -> float:
        """One lattice unit in pixels: square root of the area of the lattice's cell."""
        (a, b), (c, d) = self.frame.tolist()
        return float(abs(a * d - b * c) ** 0.5)


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


def find_faces(image: npt.NDArray[np.uint8], pips: Pips) -> list[Face]:
    """All faces of 2 to 6 that the pips support, best first; they may still overlap."""
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
    return _measure(image, pips, guesses, hit)


def _pairs(pips: Pips, most: int = 6000) -> _Guesses:
    """Pairs of alike pips as the diagonal of a square lattice, and rows of three side by side as a six."""
    x, y, r = pips.x, pips.y, pips.r
    dx, dy = x[None, :] - x[:, None], y[None, :] - y[:, None]
    gap = np.hypot(dx, dy)
    size = np.sqrt(r[:, None] * r[None, :])
    ratio = r[:, None] / r[None, :]
    with np.errstate(invalid="ignore"):
        near = (gap < 14 * size) & (gap > 2.2 * size) & (ratio < 1.5) & (ratio > 1 / 1.5)
    near = np.triu(near, 1)
    i, j = np.nonzero(near)
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
    turned = np.stack([-e[:, 1], e[:, 0]], 1)
    a, b = (e - turned) / 2, (e + turned) / 2
    frame = shape @ np.stack([a, b], 2)
    centre = np.stack([(x[i] + x[j]) / 2, (y[i] + y[j]) / 2], 1)
    return _Guesses(centre.astype(np.float32), frame.astype(np.float32), pip.astype(np.float32), i, j, shape)


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
    length = np.hypot(e[:, 0], e[:, 1])[:, None] + 1e-6
    # Row q as seen from row p, in p's own upright plane.
    off = np.einsum("pij,pqj->pqi", white, at[None] - at[:, None])
    along = (off * e[:, None]).sum(2) / length
    across = np.abs(off[:, :, 0] * e[:, None, 1] - off[:, :, 1] * e[:, None, 0]) / length
    other = np.einsum("pij,qj->pqi", white, d)
    size = np.hypot(other[:, :, 0], other[:, :, 1])
    cosine = (other * e[:, None]).sum(2) / (length * size + 1e-6)
    ratio = size / length
    ok = (np.abs(along) < 0.2 * length) & (across > 0.35 * length) & (across < 1.5 * length)
    ok &= (np.abs(cosine) > 0.97) & (ratio > 0.8) & (ratio < 1.25)
    p, q = np.nonzero(np.triu(ok, 1))
    column = (d[p] + np.sign(cosine[p, q])[:, None] * d[q]) / 4
    frame = np.stack([column, (at[q] - at[p]) / 2], 2)
    return _Guesses(
        ((at[p] + at[q]) / 2).astype(np.float32), frame.astype(np.float32), guesses.pip[rows][p], first[p], second[p],
        guesses.shape[rows][p],
    )  # fmt: skip


def _matches(size: tuple[int, int], pips: Pips, guesses: _Guesses) -> npt.NDArray[np.intp]:
    """For each guess and place the pip that lies there, or -1."""
    at = guesses.centre[:, None, :] + PLACES @ guesses.frame.transpose(0, 2, 1)
    hit = np.full(at.shape[:2], -1, np.intp)
    octave = np.log2(np.maximum(pips.r, 1.0))
    wanted = np.rint(np.log2(np.maximum(guesses.pip, 1.0))).astype(int)
    # Drawn last lies on top: rounder over ragged, then small over large (a die's body is a spot as well).
    order = np.lexsort((-pips.r, pips.round >= 0.85))
    for layer in np.unique(wanted):
        # A map of who lies where, for pips of about this size; coarser for large ones.
        coarse = 2.0 ** max(0, int(layer) - 2)
        height, width = int(size[0] / coarse) + 1, int(size[1] / coarse) + 1
        for bright in (0, 1):
            rows = np.nonzero(wanted == layer)[0]
            owner = np.full((height, width), -1, np.int32)
            for n in order[(np.abs(octave[order] - layer) < 0.9) & (pips.bright[order] == bright)]:
                spot = (round(float(pips.x[n]) / coarse), round(float(pips.y[n]) / coarse))
                cv2.circle(owner, spot, max(1, round(0.85 * float(pips.r[n]) / coarse)), int(n), -1)
            px = np.clip(np.rint(at[rows, :, 0] / coarse), 0, width - 1).astype(np.intp)
            py = np.clip(np.rint(at[rows, :, 1] / coarse), 0, height - 1).astype(np.intp)
            found = owner[py, px]
            own = (pips.bright[guesses.first[rows]] == bright)[:, None]
            hit[rows] = np.where((found >= 0) & (own | (hit[rows] < 0)), found, hit[rows])
    ratio = pips.r[hit] / guesses.pip[:, None]
    step = pips.step[guesses.first][:, None]
    alike = np.linalg.norm(pips.inner[hit] - pips.inner[guesses.first][:, None], axis=2) < 0.6 * step
    alike &= pips.step[hit] > 0.35 * step
    hit[(hit >= 0) & ~((ratio > 0.6) & (ratio < 1.65) & alike)] = -1
    return hit


def _measure(image: npt.NDArray[np.uint8], pips: Pips, guesses: _Guesses, hit: npt.NDArray[np.intp]) -> list[Face]:
    ink = (pips.inner[guesses.first] + pips.inner[guesses.second]) / 2
    places = guesses.centre[:, None, :] + PLACES @ guesses.frame.transpose(0, 2, 1)
    points = places[:, :, None, :] + (_DISC * 0.75)[None, None] * guesses.pip[:, None, None, None]
    between = guesses.centre[:, None, :] + _BETWEEN @ guesses.frame.transpose(0, 2, 1)
    at = np.concatenate([points.reshape(len(guesses), -1, 2), between], 1)
    colours = sample(image, np.ascontiguousarray(at[:, :, 0]), np.ascontiguousarray(at[:, :, 1]))
    body = np.median(colours[:, -len(_BETWEEN) : -len(_BETWEEN) + 4], axis=1)
    axis = ink - body
    strength = (axis**2).sum(1) + 1e-3
    level = ((colours - body[:, None]) @ (axis / strength[:, None])[:, :, None])[:, :, 0]
    filled = np.median(level[:, : 9 * len(_DISC)].reshape(-1, 9, len(_DISC)), axis=2)
    clear = level[:, 9 * len(_DISC) :]
    away = np.linalg.norm(colours[:, 9 * len(_DISC) :] - body[:, None], axis=2) / np.sqrt(strength)[:, None]
    # Light from one side shades a face evenly: take a plane through the places between off all levels.
    unit = np.sqrt(np.abs(np.linalg.det(guesses.frame)))
    large = guesses.pip / unit > 0.38
    slope = _shade(clear, large)
    filled = filled - slope @ PLACES.T
    clear = clear - slope @ _BETWEEN.T
    flat = np.linalg.norm(slope, axis=1)
    spread = np.maximum(away - flat[:, None] * np.linalg.norm(_BETWEEN, axis=1), np.abs(clear))
    # Large pips reach the outer points; then only the four between the places tell.
    rough = np.where(large, np.sort(spread[:, :4], 1)[:, 2], np.sort(spread, 1)[:, 8])
    # Lighter than the body is no sign of a pip; grain and glare make it so.
    soft = np.clip(filled, -0.15, 1.3)
    # A place with a pip found at it counts as filled even if glare whitens it.
    soft = np.where(hit >= 0, np.maximum(soft, 0.8), soft)
    difference = np.abs(soft[:, None, :] - _MASK[None])
    difference = np.where((_MASK[None] == 1) & (soft[:, None, :] > 1), 0, difference)
    cost = difference.mean(2) + 0.25 * difference.max(2)
    best = cost.argmin(1)
    fit = cost[np.arange(len(best)), best]
    spread = np.maximum(away, np.abs(clear))
    # Large pips reach the outer points; then only the four between the places tell.
    unit = np.sqrt(np.abs(np.linalg.det(guesses.frame)))
    large = guesses.pip / unit > 0.38
    rough = np.where(large, np.sort(spread[:, :4], 1)[:, 2], np.sort(spread, 1)[:, 8])
    explained = ((hit >= 0) * _MASK[best]).sum(1)
    count = _VALUES[best]
    contrast = np.minimum(pips.step[guesses.first], pips.step[guesses.second])
    ok = (np.sqrt(strength) > 0.5 * contrast) & (fit < 0.38) & (rough < 0.5) & (explained >= np.maximum(2, 0.6 * count))
    # Before the slow part: a fair first score, from what is known so far.
    mean_round = (pips.round[hit] * (hit >= 0) * _MASK[best]).sum(1) / np.maximum(explained, 1)
    # Grain and glare weigh on few places as on many, but a two has only two pips to set against them.
    share = np.where(count == 2, 0.6, np.where(count == 3, 0.8, 1.0))
    ok &= explained * mean_round - share * (4 * fit + 2 * rough) > 0.05 * count
    faces = []
    for n in np.nonzero(ok)[0]:
        on = [int(h) for h, m in zip(hit[n], _MASK[best[n]], strict=True) if m and h >= 0]
        face = Face(
            int(count[n]), float(guesses.centre[n, 0]), float(guesses.centre[n, 1]), guesses.frame[n].copy(), 1.85,
            0.0, float(fit[n]), 1.0, float(guesses.pip[n]), tuple(on), body[n], ink[n], soft[n].astype(np.float32),
        )  # fmt: skip
        _settle(face, pips, hit[n], _MASK[best[n]])
        face.lattice = face.frame
        if face.value == 6:
            face.frame = _squared(face.frame, guesses.shape[n])
        face.rough = float(rough[n])
        quality = float(np.mean(pips.round[on]))
        unlike = 0.12 * face.value * ((face.uneven / 0.1) ** 2 + (face.off / 0.07) ** 2)
        face.score = explained[n] * quality - float(share[n]) * (4 * face.fit + 2 * float(rough[n])) - unlike
        faces.append(face)
    faces.sort(key=lambda f: -f.score)
    return faces


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


def lean_of(shape: Floats) -> tuple[float, float]:
    """See `Face.lean`; `shape` is a symmetric 2 x 2 matrix."""
    values, vectors = np.linalg.eigh(shape)
    size = float(np.log(max(values[1], 1e-6) / max(values[0], 1e-6)))
    angle = 2 * float(np.arctan2(vectors[1, 1], vectors[0, 1]))
    return size * float(np.cos(angle)), size * float(np.sin(angle))


def _settle(face: Face, pips: Pips, hit: npt.NDArray[np.intp], mask: Floats) -> None:
    """Refine centre and frame by least squares over the pips found; set the aspect from the pips' ellipses."""
    on = np.nonzero((hit >= 0) & (mask > 0))[0]
    ids = hit[on]
    place = PLACES[on]
    target = np.stack([pips.x[ids], pips.y[ids]], 1)
    start = np.array([face.x, face.y], np.float32)
    guess = start + place @ face.frame.T
    # Ridge towards the guess: two pips move only the centre, four or more may shear the lattice a little.
    rows = np.concatenate([np.ones((len(on), 1), np.float32), place], 1)
    normal = rows.T @ rows + np.diag([0.01, *([1.0, 1.0] if len(on) < 4 else [0.1, 0.1])]).astype(np.float32)
    change = np.linalg.solve(normal, rows.T @ (target - guess))
    face.x += float(change[0, 0])
    face.y += float(change[0, 1])
    face.frame = (face.frame + change[1:].T).astype(np.float32)
    fitted = np.array([face.x, face.y], np.float32) + place @ face.frame.T
    unit = face.unit_px
    face.off = float(np.sqrt(((fitted - target) ** 2).sum(1).mean()) / unit)
    face.uneven = float(np.std(np.log(pips.r[ids])))
    face.step = float(np.median(pips.step[ids]))
    mean = pips.shape[ids].mean(0)
    face.lean = lean_of(mean)
    values = np.linalg.eigvalsh(mean)
    face.aspect = float(values[0] / values[1])
    face.pip_px = float(np.median(pips.r[ids]))
