"""Positions: what is true at one moment of a match, as plain frozen tuples.

Room: rules. Knows no rule. A move makes a new position from an old one and never changes it, so taking a move back is
only going back to the position before. Everything about it that can be asked is in `rules.game`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

Faces = tuple[int, ...]

ROLL, CHOICE, ROLL_OFF, OVER = range(4)
"""What a position waits for."""


class Contest(NamedTuple):
    """A roll-off: `seats` take part in this round, in this order; `throws` are the sums thrown so far.

    `again` is True from the second round on, in which only the tied take part.
    """

    seats: tuple[int, ...]
    throws: tuple[int, ...] = ()
    again: bool = False


class GameResult(NamedTuple):
    """A finished game of a match: the family's card of each seat, the totals, and the seats that won."""

    cards: tuple[Any, ...]
    totals: tuple[int, ...]
    winners: tuple[int, ...]
    first: int


class Match(NamedTuple):
    """What changes less often than once a turn.

    `number` counts the games from 1; `first` is the seat that began this one; `names` holds each seat's partners;
    `present` is False for who has left; `turns` counts each seat's turns in the earlier games of the match;
    `rolled_off` is True once the first turn of this game was rolled for. `pending` are the seats that still have a
    last turn, None before anyone reached the target (banking).
    """

    number: int
    first: int
    names: tuple[tuple[str, ...], ...]
    present: tuple[bool, ...]
    turns: tuple[int, ...]
    results: tuple[GameResult, ...] = ()
    contest: Contest | None = None
    rolled_off: bool = False
    pending: tuple[int, ...] | None = None


class State(NamedTuple):
    """One position. `cards` (one a seat) and `pot` (what the turn holds) are the family's.

    Every family's card has a field `turns`, the finished turns of this game.
    """

    phase: int
    turn: int
    dice: Faces
    kept: Faces
    rolls_made: int
    cards: tuple[Any, ...]
    pot: Any
    match: Match


position: Callable[[tuple[Any, ...]], State] = partial(tuple.__new__, State)
"""A State from a tuple of its fields. Several are made in every turn; this takes a third of the time of the class."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end: the seats with the highest total (several if they are equal), and every seat's total."""

    winners: tuple[int, ...]
    totals: tuple[int, ...]
