"""Ones: a single pip in the middle of a square.

Room: vision. Knows pips, outlines and faces already found; not how many dice there should be.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.faces import Face, leans_of
from vision.outline import Across, evenness, find_outline, look_across
from vision.pips import Pips
from vision.pyramid import Floats, sample

_TURNS = 12
_UNIT = 3.0
_LEAST_HALF = 2.85
"""Lattice unit, and least half edge of a die, in radii of its pip."""
_CLEAR = 40.0
"""An edge as clear as this, in grey levels, is as good as any."""
_STRONG, _OF_STEP, _MOST_AGAIN = 100.0, 0.5, 24
"""Round pips that stand out by more than the first, squares are searched again with edges counted up to half of that;
at most so many."""
_NARROW = 1.5
"""Where sizes are known so exactly, fewer are tried."""
_OTHER_ANGLE, _OTHER_SIZE = 0.09, 1.08
"""Squares that differ by less, in radians or as a factor, are one."""


def _turns(angles: npt.NDArray[np.floating]) -> Floats:
    made: Floats = np.stack([np.cos(angles), -np.sin(angles), np.sin(angles), np.cos(angles)], 1).reshape(-1, 2, 2)
    return made.astype(np.float32)


# In double precision first: versions of numpy differ in the cosines of single precision.
_AROUND_X, _AROUND_Y = (
    (turn(np.arange(16)[:, None] * (np.pi / 8)) * np.array([1.5, 1.8, 2.1])).ravel().astype(np.float32)
    for turn in (np.cos, np.sin)
)
_TURN = _turns(np.arange(_TURNS) * (np.pi / 2 / _TURNS))
_FINE_TURN = _turns(np.array([-6, -3, 0, 3, 6]) * (np.pi / 180))


def find_ones(
    image: npt.NDArray[np.uint8], pips: Pips, candidates: npt.NDArray[np.intp], half_px: tuple[float, float] | None,
    again: npt.NDArray[np.bool_] | None = None,
) -> list[Face]:  # fmt: skip
    """Squares around single pips, one or (strong ones are searched again) two a pip, best first; of all pips, or of
    some, strong ones are searched `again`. `half_px` bounds half the length of an edge, where it is known."""
    if not len(candidates):
        return []
    candidates = candidates[_single(pips, candidates, half_px)]
    candidates = candidates[_on_plain_ground(image, pips.take(candidates))]
    if not len(candidates):
        return []
    p = pips.take(candidates)
    unit = _UNIT * p.r
    low, high = np.full(len(p), _LEAST_HALF / _UNIT, np.float32), np.full(len(p), 2.9, np.float32)
    if half_px is not None:
        low = np.maximum(low, half_px[0] / unit).astype(np.float32)
        high = np.minimum(high, half_px[1] / unit).astype(np.float32)
    fits = high > low * 1.02
    if not fits.any():
        return []
    p, low, high, ids = p.take(fits), low[fits], high[fits], candidates[fits]
    tried = _turned(image, p, low, high)
    faces = _squares(image, p, ids, tried, _CLEAR)
    # Where contrast is high, an edge that is met askew is as clear as one has to be, so that all angles are alike.
    strong = np.nonzero((p.step > _STRONG) & (True if again is None else again[ids]))[0]
    strong = strong[np.argsort(-p.round[strong] * p.step[strong], kind="stable")[:_MOST_AGAIN]]
    if len(strong):
        clearer = _squares(image, p.take(strong), ids[strong], tried.take(strong), _OF_STEP * p.step[strong])
        faces += [face for n, face in zip(strong.tolist(), clearer, strict=True) if _differ(face, faces[n])]
    faces.sort(key=lambda f: -f.score)
    return faces


def _differ(a: Face, b: Face) -> bool:
    """Are these, both round one pip, two different squares? Then the witness is asked about each."""
    turn = [np.arctan2(face.frame[1, 0], face.frame[0, 0]) for face in (a, b)]
    off = (turn[0] - turn[1] + np.pi / 4) % (np.pi / 2) - np.pi / 4
    return bool(abs(off) > _OTHER_ANGLE or not 1 / _OTHER_SIZE < a.size_px / b.size_px < _OTHER_SIZE)


@dataclass(slots=True)
class _Turned:
    """Squares round pips at all angles that are tried: their frames, n x angles x 2 x 2, and what is seen across their
    sides."""

    frames: Floats
    seen: Across

    def take(self, index: npt.NDArray[np.intp]) -> _Turned:
        """Those round some of the pips."""
        return _Turned(self.frames[index], self.seen.take((index[:, None] * _TURNS + np.arange(_TURNS)).ravel()))


def _turned(image: npt.NDArray[np.uint8], p: Pips, low: Floats, high: Floats) -> _Turned:
    """Squares round each pip, at any angle; `low` and `high` bound half their edges in lattice units."""
    weight = np.clip((p.r - 1.5) / 4.0, 0.3, 1.0)[:, None, None]
    shape = weight * p.shape + (1 - weight) * np.eye(2, dtype=np.float32)
    shape = shape / np.sqrt(np.linalg.det(shape))[:, None, None]
    frames = (shape[:, None] @ _TURN) * (_UNIT * p.r)[:, None, None, None]
    centres = np.array([p.x, p.y]).T.repeat(_TURNS, 0)
    narrow = float((high / low).max()) < _NARROW
    seen = look_across(
        image, centres.astype(np.float32), frames.reshape(-1, 2, 2).astype(np.float32),
        low.repeat(_TURNS), high.repeat(_TURNS), steps=14 if narrow else 24,
    )  # fmt: skip
    return _Turned(frames, seen)


def _squares(
    image: npt.NDArray[np.uint8], p: Pips, ids: npt.NDArray[np.intp], tried: _Turned, clear: float | Floats
) -> list[Face]:
    """The best square round each pip, of those tried. Of edges that are as clear as `clear` (grey levels, one for all
    or one each) the nearest wins."""
    n = len(p)
    caps = np.broadcast_to(np.asarray(clear, np.float32), (n,))
    outline = tried.seen.outline(caps.repeat(_TURNS))
    sides = outline.sides.reshape(n, _TURNS, 4)
    reach = outline.reach.reshape(n, _TURNS)
    worth: Floats = np.sort(np.minimum(sides, caps[:, None, None]), 2)[:, :, 1:].sum(2)  # the three best sides
    best = worth.argmax(1)
    rows = np.arange(n)
    reach, frame = reach[rows, best].astype(np.float32), tried.frames[rows, best].astype(np.float32)
    sides, body = sides[rows, best], outline.body(rows * _TURNS + best)
    # A closer look at the angle of the better ones: the witness minds a few degrees.
    near = np.nonzero(worth[rows, best] > 40)[0]
    if len(near):
        k = len(_FINE_TURN)
        finer = (frame[near][:, None] @ _FINE_TURN).reshape(-1, 2, 2)
        closer = find_outline(
            image, np.array([p.x[near], p.y[near]]).T.repeat(k, 0).astype(np.float32), finer,
            (0.8 * reach[near]).repeat(k), (1.25 * reach[near]).repeat(k), cap=caps[near].repeat(k),
        )  # fmt: skip
        # All sides clear comes first; then the sharpest fit wins.
        ordered = np.sort(closer.sides, 1)
        sharp = np.minimum(ordered[:, 1:], caps[near].repeat(k)[:, None]).sum(1) + 0.1 * np.minimum(ordered, 120).sum(1)
        sharp = sharp.reshape(-1, k)
        pick = sharp.argmax(1) + np.arange(len(near)) * k
        frame[near], reach[near] = finer[pick], closer.reach[pick]
        sides[near], body[near] = closer.sides[pick], closer.body(pick)
    enough = np.clip(0.2 * p.step, 14.0, 40.0)
    bounded = np.minimum(np.sort(sides, 1)[:, 1:], enough[:, None]).sum(1) / (3 * enough)
    middle = np.array([p.x, p.y]).T.astype(np.float32)
    rough, _ = evenness(image, middle, frame, reach, np.full(n, 1.5 / 3.0, np.float32))
    faces = []
    aspects = p.aspect()
    leans = leans_of(p.shape)
    away = body - p.outer
    for i in rows.tolist():
        step = float(p.step[i])
        # The face round the pip and the face near its edge must be one colour.
        drift = float(np.sqrt(away[i].dot(away[i]))) / (step + 10)
        face = Face(
            1, float(p.x[i]), float(p.y[i]), frame[i], float(reach[i]), 0.0, 0.0,
            float(aspects[i]), float(p.r[i]), (int(ids[i]),), body[i], p.inner[i], np.zeros(9, np.float32),
        )  # fmt: skip
        face.sides = sides[i]
        face.fit = drift
        face.rough = float(rough[i]) / (step + 10)
        face.step = step
        face.lean = leans[i]
        face.score = float(p.round[i]) * float(bounded[i]) - 0.5 * drift - 0.5 * face.rough
        faces.append(face)
    return faces


def _single(pips: Pips, candidates: npt.NDArray[np.intp], half_px: tuple[float, float] | None) -> npt.NDArray[np.bool_]:
    """Is there no spot like it so near that it would lie on the same face, however that is turned?"""
    own = pips.take(candidates)
    half = np.maximum(_LEAST_HALF * own.r, half_px[0] if half_px else 0.0)[:, None]
    near = (own.x[:, None] - pips.x) ** 2 + (own.y[:, None] - pips.y) ** 2 < (0.9 * half) ** 2
    near &= (pips.round >= 0.8) & (pips.r > 0.6 * own.r[:, None]) & (pips.r < 1.6 * own.r[:, None])
    near[np.arange(len(own)), candidates] = False
    row, other = np.nonzero(near)
    like = np.linalg.norm(pips.inner[other] - own.inner[row], axis=1) < 0.5 * own.step[row]
    like &= pips.step[other] > 0.5 * own.step[row]
    single = np.ones(len(own), bool)
    single[row[like]] = False
    return single


def _on_plain_ground(image: npt.NDArray[np.uint8], pips: Pips) -> npt.NDArray[np.bool_]:
    """Is what lies round a pip, up to two radii, of one colour? Most texture is ruled out by this."""
    around = sample(image, pips.x[:, None] + pips.r[:, None] * _AROUND_X, pips.y[:, None] + pips.r[:, None] * _AROUND_Y)
    half = around.shape[1] // 2
    middle = np.sort(around, axis=1)[:, half - 1 : half + 1].mean(1)
    away = np.linalg.norm(around - middle[:, None], axis=2)
    plain: npt.NDArray[np.bool_] = (away < (0.35 * pips.step + 6)[:, None]).mean(1) > 0.7
    return plain
