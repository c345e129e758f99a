"""Choose, among faces that may overlap, those that are dice lying flat; and name the ones that may be.

Room: vision. Knows faces, their outlines and what the witness said of them; not the picture.
"""

from __future__ import annotations

import math

import numpy as np

from vision.faces import Face
from vision.middle import median_of

BELIEVE = 0.75
"""The witness's probability from which a face counts as confirmed."""

BELIEVE_FEW = 0.9
"""The same for ones, twos and threes, whose few pips are little evidence: the mean over sizes has to reach it. On made
pictures and path-traced ones this halves the false ones and loses 1 of 100 true ones."""

ONE, ONE_ALONE = 0.45, 0.66
"""What a one's score must be, and what it must be where no other die tells the scale."""

FITS, FITS_IF_SURE = 0.3, 0.1
"""What a pip's share of the score must be; and where the witness is sure and the outline clear: grain spoils the fit of
a wooden two."""

BOUNDED = 0.4
"""How well a face must be bounded."""

SUSPECT = 0.35
"""The witness's probability from which an unchosen face is a reason to ask."""


LATTICE = (1.62, 2.22)
"""Half an edge in lattice units: from makers whose pips lie far out to those whose pips lie close together."""

_SMALLER, _LARGER = 0.7, 1.4
"""A top may be so much smaller or larger than dice are known to be: they differ by maker and by how near they are."""

_OFF = 1.15
"""By how much a face's outline may be off where the size of dice is known."""


def clear_edge(step: float) -> float:
    """The step in grey levels at a face's edge from which it is clear, given that of its pips."""
    return min(max(0.2 * step, 14.0), 40.0)


def edges(face: Face) -> float:
    """How well a face is bounded: 0 none, 1 its three best sides have a clear edge, for dice of this contrast."""
    clear = clear_edge(face.step)
    _, a, b, c = sorted(face.sides.tolist())
    return float(min(a, clear) + min(b, clear) + min(c, clear)) / (3 * clear)


def quality(face: Face) -> float:
    """How well the pips fit, a pip; true faces lie over 0.5."""
    return face.score / face.value


def support(face: Face) -> float:
    """How probable the witness holds the face's value; 0 where it was not asked."""
    return 0.0 if face.witness is None else float(face.witness[face.value])


def overlap(a: Face, b: Face, share: float = 0.75) -> bool:
    """Are the centres nearer than `share` of the mean edge?"""
    return math.hypot(a.x - b.x, a.y - b.y) < share * (a.size_px + b.size_px) / 2


def distinct(faces: list[Face], most: int) -> list[Face]:
    """Of faces of one value at one place the best; at most `most`, best first."""
    if not faces:
        return []
    ordered = sorted(faces, key=lambda f: -(f.score + edges(f)))
    x, y, size = np.array([(f.x, f.y, f.size_px) for f in ordered]).T
    value = np.array([f.value for f in ordered])
    gap = np.hypot(x[:, None] - x, y[:, None] - y)
    near = (gap < 0.25 * (size[:, None] + size) / 2) & (value[:, None] == value)
    kept: list[int] = []
    free = np.ones(len(ordered), bool)
    for n in range(len(ordered)):
        if len(kept) == most:
            break
        if free[n]:
            kept.append(n)
            free &= ~near[n]
    return [ordered[n] for n in kept]


def geometry_sure(face: Face) -> bool:
    """Would the geometry alone believe this face?"""
    q, e = quality(face), edges(face)
    if face.value == 1:
        return face.score > 0.7 and face.rough < 0.5 and face.fit < 0.35
    if face.value >= 4:
        return q > 0.55 and e > 0.25 and face.fit < 0.25
    if face.value == 3:
        return q > 0.58 and e > 0.35
    return q > 0.5 and e > 0.45


def clean(face: Face) -> bool:
    """Four pips or more on a clean lattice within a clean outline? Such faces need less from the witness."""
    return face.value >= 4 and geometry_sure(face) and quality(face) > 0.8 and edges(face) > 0.8


def believed(face: Face, scale_known: bool = True) -> bool:
    """Do both witnesses hold this for a face of its value? A one needs more where no other die tells the scale."""
    if face.value <= 3:
        enough = support(face) > BELIEVE_FEW
    else:
        surest = 0.0 if face.surest is None else float(face.surest[face.value])
        enough = max(support(face), surest) > (0.5 if clean(face) else BELIEVE)
    if not enough:
        return False
    if face.value == 1:
        return face.score > (ONE if scale_known else ONE_ALONE)
    least = FITS_IF_SURE if support(face) > 0.95 and edges(face) > 0.6 else FITS
    return quality(face) > least and edges(face) > BOUNDED


def suspected(face: Face) -> bool:
    """May this be a face, though it isn't believed?"""
    if face.witness is None:
        return False
    if support(face) > SUSPECT:
        if face.value == 1:
            return face.score > 0.55 and edges(face) > 0.6
        if face.value == 2:
            return quality(face) > 0.45 and edges(face) > 0.45
        return quality(face) > 0.3 and edges(face) > 0.25
    nothing = float(face.witness[0])
    return geometry_sure(face) and nothing < (0.9 if face.value <= 2 else 0.97)


_CERTAIN = np.eye(7, dtype=np.float32)


def matters(face: Face) -> bool:
    """Could the witness's answer make this a die, or a reason to ask? If not, it needs not be asked."""
    before, face.witness = face.witness, _CERTAIN[face.value]
    answer = believed(face) or suspected(face)
    face.witness = before
    return answer


def first_of_each_place(faces: list[Face]) -> list[Face]:
    """Of faces, best first, those that no better one lies on."""
    kept: list[Face] = []
    for face in faces:
        if not any(overlap(face, o, 0.5) for o in kept):
            kept.append(face)
    return kept


def outdone(face: Face, sure: list[Face]) -> bool:
    """Does a face that is believed lie here and fit so much better that this one can neither win nor cast doubt?"""
    return any(
        overlap(face, o, 0.5)
        and quality(face) <= quality(o) - 0.15
        and face.score < o.score + (0.3 if face.value > o.value else 0.0)
        for o in sure
    )


def best_together(faces: list[Face]) -> list[Face]:
    """The set of faces without overlaps whose worth adds up to most (exact, by groups that touch)."""
    n = len(faces)
    pips = [set(face.pips) for face in faces]
    clash = [[False] * n for _ in range(n)]
    for i in range(n):
        for j in range(i):
            clash[i][j] = clash[j][i] = overlap(faces[i], faces[j]) or not pips[i].isdisjoint(pips[j])
    worth = [
        1.5 * f.value * (quality(f) - 0.35) + 0.5 * edges(f) - (0.6 if f.value > 1 else 0) + 2 * (support(f) - BELIEVE)
        for f in faces
    ]  # fmt: skip
    left = set(range(n))
    chosen: list[int] = []
    while left:
        group: set[int] = set()
        edge = [min(left)]
        while edge:
            i = edge.pop()
            if i not in group:
                group.add(i)
                edge += [j for j in left if clash[i][j]]
        left -= group
        strongest = sorted(group, key=lambda i: -worth[i])[:16]
        chosen += _heaviest(strongest, clash, worth)[1]
    return [faces[i] for i in sorted(chosen)]


def _heaviest(group: list[int], clash: list[list[bool]], worth: list[float]) -> tuple[float, list[int]]:
    if not group:
        return 0.0, []
    first, rest = group[0], group[1:]
    apart = [j for j in rest if not clash[first][j]]
    with_first = _heaviest(apart, clash, worth)
    taken = (with_first[0] + worth[first], [first, *with_first[1]])
    if len(apart) == len(rest):
        return taken
    without = _heaviest(rest, clash, worth)
    return taken if taken[0] >= without[0] else without


def of_one_scale(faces: list[Face]) -> list[Face]:
    """Dice in one picture differ in size by a factor of two at most; lattices of whole dice or of specks by more."""
    if not faces:
        return faces
    # Sides are flatter and smaller than the tops that count.
    weight = np.array([max(0.05, f.score - 1.0) * f.aspect**2 for f in faces])
    size = np.log([f.size_px for f in faces])
    order = np.argsort(size)
    middle = size[order][np.searchsorted(np.cumsum(weight[order]), weight.sum() / 2)]
    return [f for f, s in zip(faces, size, strict=True) if abs(s - middle) < np.log(2.1)]


def of_known_size(faces: list[Face], known_px: float) -> list[Face]:
    """Those of the faces that can have a size that is known, in pixels of an edge. They are given it, as far as their
    outlines let them have it: where exactly a rounded face ends is hard to see. A lattice of four pips or more tells
    the size as well, so an outline that is none is no reason to drop it."""
    fit = []
    for face in faces:
        reach, least, most = known_px / (2 * face.unit_px), face.reach / _OFF, face.reach * _OFF
        if not _SMALLER < face.reach / reach < _LARGER:
            if face.value < 4 or not LATTICE[0] / _OFF < reach < LATTICE[1] * _OFF:
                continue
            least, most = LATTICE
        face.reach = min(max(reach, least), most)
        fit.append(face)
    return fit


def agree_on_reach(faces: list[Face]) -> None:
    """Dice of one kind have one ratio of edge to pip pitch: outliers take the median of their kind."""
    many = [face for face in faces if face.value > 1]
    if len(many) < 3:
        return
    unit, step, reach = np.array([(f.unit_px, f.step, f.reach) for f in many]).T
    body = np.stack([f.body for f in many])
    off = body[:, None] - body
    kin = np.abs(np.log(unit[:, None] / unit)) < 0.2
    kin &= (off * off).sum(2) < (0.5 * step + 15)[:, None] ** 2
    for n, face in enumerate(many):
        # In order: what one has taken, the next ones see.
        usual = median_of(reach[kin[n]].tolist())
        if kin[n].sum() >= 3 and abs(reach[n] / usual - 1) > 0.12:
            face.reach = reach[n] = usual


def drop_sides(faces: list[Face]) -> tuple[list[Face], list[Face]]:
    """Tell top faces from side faces of the same die, whose centres are nearer than two tops can be.

    Two dice that touch are an edge apart; a top and a side of one die at most about 0.8 of it. The rounder is the top.
    """
    sides: list[Face] = []
    for face in sorted(faces, key=lambda f: f.aspect):
        for other in faces:
            if other is face or other in sides or other.aspect < face.aspect:
                continue
            if not 0.5 < face.edge_px / other.edge_px < 1.4:
                continue
            gap = math.hypot(face.x - other.x, face.y - other.y)
            flatter = other.aspect - face.aspect
            # All tops share one tilt, so the more a face's differs, the less it can be a neighbour's top.
            reach = 0.9 + min(0.35, max(0.0, 1.5 * (flatter - 0.06)))
            if gap < reach * max(face.edge_px, other.edge_px, face.size_px, other.size_px) and (
                flatter > 0.06 or other.size_px > 1.12 * face.size_px
            ):
                sides.append(face)
                break
    return [f for f in faces if f not in sides], sides


def by_tilt(faces: list[Face]) -> tuple[list[Face], list[Face], list[Face]]:
    """Tops, sides of those tops, and sides whose top was not read.

    All tops are seen under about one tilt, which their pips' ellipses show; what differs much from the rest is a side.
    """
    if not faces:
        return [], [], []
    # Sides are always flatter than the tops beside them, so the roundest faces say how tops look.
    roundest = max(f.aspect for f in faces)
    usual = _usual_lean([f for f in faces if f.aspect > roundest - 0.15])
    tops = [f for f in faces if _apart(f, usual) < 1 and f.aspect > 0.5]
    rest = [f for f in faces if f not in tops]
    sides = [f for f in rest if any(_side_of(f, t) for t in tops)]
    return tops, sides, [f for f in rest if f not in sides]


def _usual_lean(faces: list[Face]) -> tuple[float, float]:
    """The median of their leans, by pips."""
    leans = [f.lean for f in faces for _ in range(f.value)]
    return median_of(x for x, _ in leans), median_of(y for _, y in leans)


def _apart(face: Face, usual: tuple[float, float]) -> float:
    """How far a face's lean is from the usual, 1 at the limit; small pips show theirs less exactly."""
    return math.hypot(face.lean[0] - usual[0], face.lean[1] - usual[1]) / (0.32 + 1.2 / face.pip_px)


def contenders(rivals: list[Face], chosen: list[Face]) -> list[Face]:
    """The rivals that cast doubt on the chosen faces, or may be dice beside them."""
    if not chosen:
        return rivals
    usual = _usual_lean(chosen)
    least, most = min(f.size_px for f in chosen), max(f.size_px for f in chosen)
    explained = {n for c in chosen for n in c.pips}
    out = []
    for rival in rivals:
        if not 0.7 * least < rival.size_px < 1.45 * most or rival.aspect < 0.5 or _apart(rival, usual) > 1:
            continue
        if any(_side_of(rival, c) for c in chosen):
            continue
        near = [c for c in chosen if overlap(rival, c, 0.9)]
        if explained.issuperset(rival.pips) and not any(
            rival.size_px > 0.85 * c.size_px and quality(rival) > quality(c) - 0.02 for c in near
        ):
            continue
        doubted = not near
        for c in near:
            # Part of a chosen face's own lattice is no doubt; what both witnesses hold for another value is.
            equal = support(rival) > support(c) - 0.15 and quality(rival) > quality(c) - 0.15
            doubted |= believed(rival) and equal and rival.value != c.value
            larger = rival.value > c.value and rival.score > c.score + 0.3
            doubted |= larger and (support(rival) > SUSPECT or geometry_sure(rival))
        if doubted:
            out.append(rival)
    return out


def _side_of(face: Face, top: Face) -> bool:
    gap = math.hypot(face.x - top.x, face.y - top.y)
    turned = math.hypot(face.lean[0] - top.lean[0], face.lean[1] - top.lean[1])
    return bool(turned > 0.15 and face.aspect < top.aspect + 0.05) and gap < 1.3 * max(top.edge_px, top.size_px)
