"""Which die of this reading is which die of the last one.

Room: vision. Knows places and faces only: no pictures, no states, no game.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from vision.types import Die

SAME_PLACE = 0.5
"""Two dice nearer than this share of an edge lie in the same place."""
_NUDGE = 3.5
_TURN = 1.0
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


def compare(before: Sequence[Lying], now: Sequence[Die]) -> Outcome:
    """Match the dice that lay there with those that lie there now.

    The same face in the same place is the same die. A die that nobody reached over can't have been taken away: it is
    the nearest of what is left, slid if its face is the same, disturbed if it is not. All others are new.
    """
    unit = _unit([d.die for d in before], now)
    old, fresh = list(before), list(now)
    kept = _pair(
        old, fresh, lambda a, b: _distance(a.die, b) if a.die.value == b.value else math.inf, SAME_PLACE * unit
    )
    slid = _pair(
        old,
        fresh,
        lambda a, b: math.inf if a.handled else _distance(a.die, b) + (0.0 if a.die.value == b.value else _TURN * unit),
        _NUDGE * unit,
    )
    kept += [(a, b) for a, b in slid if a.die.value == b.value]
    return Outcome(
        kept=tuple(kept),
        disturbed=tuple((a, b) for a, b in slid if a.die.value != b.value),
        new=tuple(fresh),
        gone=tuple(old),
    )


def agree(one: Sequence[Die], other: Sequence[Die]) -> bool:
    """Whether two readings of separate frames show the same dice, each with its face in its place."""
    if len(one) != len(other):
        return False
    old = [Lying(d, 0) for d in one]
    fresh = list(other)
    limit = max(2.0, _AGREE * _unit(one, other))
    _pair(old, fresh, lambda a, b: _distance(a.die, b) if a.die.value == b.value else math.inf, limit)
    return not old


def _pair(old: list[Lying], fresh: list[Die], cost, limit: float) -> list[tuple[Lying, Die]]:  # type: ignore[no-untyped-def]
    """Take pairs out of both lists, the cheapest first, while they cost at most `limit`."""
    order = sorted(
        ((cost(a, b), i, j) for i, a in enumerate(old) for j, b in enumerate(fresh)), key=lambda entry: entry[0]
    )
    used_old: set[int] = set()
    used_new: set[int] = set()
    pairs = []
    for value, i, j in order:
        if value > limit:
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
