"""Which die of this reading is which die of the last one.

Room: vision. Knows places and faces only: no pictures, no states, no game.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from vision.types import Die

SAME_PLACE = 0.5
"""Two dice nearer than this share of an edge lie in the same place."""
_BUMP = 1.2
"""A hand that reaches over a die may push it by this many edges and leave it lying."""
_TURN = 8.0
"""A die that was hit slides more readily than it turns over: a turn weighs as much as a slide of this many edges."""
_TURN_IN_PLACE = 1.5
"""Another die hardly ever comes to rest just where one lay: what lies there was turned over where it lay."""
_AGREE = 0.15


@dataclass(frozen=True, slots=True)
class Lying:
    """A die that lies in the tray: `number` is its identity for as long as it is followed.

    `handled`: since it was last seen lying, something reached over it, so it may have been taken away.
    """

    die: Die
    number: int
    handled: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the dice. Pairs are (before, now); `gone` were there and are not, `new` were not and are."""

    kept: tuple[tuple[Lying, Die], ...]
    disturbed: tuple[tuple[Lying, Die], ...]
    new: tuple[Die, ...]
    gone: tuple[Lying, ...]


def edge_px(die: Die) -> float:
    """Length of a die's edge in pixels: the mean of its four sides."""
    corners = die.corners
    return sum(math.dist(corners[k], corners[(k + 1) % 4]) for k in range(4)) / 4.0


def compare(before: Sequence[Lying], now: Sequence[Die], *, blind: bool = False) -> Outcome:
    """Match the dice that lay there with those that lie there now.

    The same face in the same place is the same die. A die that nobody reached over can't have been taken away: it is
    one of those that are left, slid if its face is the same, disturbed if it is not. A die that was reached over and
    shows its face close by was pushed. All others are new. `blind`: nothing is known of what happened in between, so
    only what looks the same is the same.
    """
    unit = _unit([d.die for d in before], now)
    old, fresh = list(before), list(now)

    def same_face(a: Lying, b: Die) -> float:
        return _distance(a.die, b) if a.die.value == b.value else math.inf

    def unhandled(a: Lying, b: Die) -> float:
        way = _distance(a.die, b)
        turn = _TURN_IN_PLACE if way < SAME_PLACE * unit else _TURN
        return math.inf if a.handled else way + (0.0 if a.die.value == b.value else turn * unit)

    kept = _pair(old, fresh, same_face, SAME_PLACE * unit)
    disturbed: list[tuple[Lying, Die]] = []
    if not blind:
        for a, b in _pair(old, fresh, unhandled, math.inf):
            (kept if a.die.value == b.value else disturbed).append((a, b))
        kept += _pair(old, fresh, same_face, _BUMP * unit)
    return Outcome(tuple(kept), tuple(disturbed), tuple(fresh), tuple(old))


def laid_aside(outcome: Outcome, put: Sequence[Die]) -> Outcome:
    """The outcome when a player laid the dice `put`, which are among the new ones, aside by hand: they are kept.

    They are paired by face alone with those that are gone; a die whose face nobody had comes from nowhere and gets
    number 0.
    """
    gone = list(outcome.gone)
    kept = list(outcome.kept)
    for die in put:
        match = next((a for a in gone if a.die.value == die.value), None)
        if match is not None:
            gone.remove(match)
        kept.append((match or Lying(die, 0), die))
    new = tuple(die for die in outcome.new if die not in put)
    return replace(outcome, kept=tuple(kept), new=new, gone=tuple(gone))


def agree(one: Sequence[Die], other: Sequence[Die]) -> bool:
    """Whether two readings of separate frames show the same dice, each with its face in its place."""
    if len(one) != len(other):
        return False
    old = [Lying(d, 0) for d in one]
    fresh = list(other)
    limit = max(2.0, _AGREE * _unit(one, other))
    _pair(old, fresh, lambda a, b: _distance(a.die, b) if a.die.value == b.value else math.inf, limit)
    return not old


def _pair(
    old: list[Lying], fresh: list[Die], cost: Callable[[Lying, Die], float], limit: float
) -> list[tuple[Lying, Die]]:
    """Take pairs out of both lists, the cheapest first, while they cost at most `limit`."""
    order = sorted(
        ((cost(a, b), i, j) for i, a in enumerate(old) for j, b in enumerate(fresh)), key=lambda entry: entry[0]
    )
    used_old: set[int] = set()
    used_new: set[int] = set()
    pairs = []
    for value, i, j in order:
        if value > limit or value == math.inf:
            break
        if i not in used_old and j not in used_new:
            used_old.add(i)
            used_new.add(j)
            pairs.append((old[i], fresh[j]))
    old[:] = [a for i, a in enumerate(old) if i not in used_old]
    fresh[:] = [b for j, b in enumerate(fresh) if j not in used_new]
    return pairs


def _distance(one: Die, other: Die) -> float:
    return math.hypot(one.x - other.x, one.y - other.y)


def _unit(one: Sequence[Die], other: Sequence[Die]) -> float:
    edges = sorted(edge_px(d) for d in (*one, *other))
    return edges[len(edges) // 2] if edges else 1.0
