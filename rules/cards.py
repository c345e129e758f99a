"""What a game answers when it is asked about cards and choices: plain frozen values.

Room: rules. Values only; how they come about is the engines' business, how they look the screen's.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.moves import Faces


@dataclass(frozen=True, slots=True)
class BoxOption:
    """What an open box would pay for the dice.

    `value` are the points written in it, None where it may not be chosen; `bonus` are further points that come with
    it. `why_code` and `why` say why it pays nothing ("ZERO") or why it may not be chosen (a code of `CODES`); both
    are "" otherwise. `column` counts from 0.
    """

    box: str
    column: int
    value: int | None
    legal: bool
    why_code: str = ""
    why: str = ""
    bonus: int = 0


@dataclass(frozen=True, slots=True)
class AsideOption:
    """What dice that may be set aside pay; `hand` dice are thrown next."""

    faces: Faces
    value: int
    hand: int


@dataclass(frozen=True, slots=True)
class BoxInfo:
    """A box as it is printed on the card. `section` is "upper" or "lower"; `face` is what an upper box collects."""

    key: str
    label: str
    section: str
    face: int | None = None


@dataclass(frozen=True, slots=True)
class ColumnCard:
    """One column of a card: its boxes (None: open), its sums, and the factor by which its total counts."""

    boxes: tuple[int | None, ...]
    bonuses: int
    upper: int
    upper_bonus: int
    lower: int
    bonus_points: int
    total: int
    factor: int = 1


@dataclass(frozen=True, slots=True)
class Card:
    """A player's card in the game that is going on.

    `boxes` are in card order, column after column (None: open). `bonuses` counts further five alike. `upper`,
    `upper_bonus`, `lower` and `bonus_points` are sums over the columns, each times its factor; with `head_start` they
    add up to `total`. `saved` are rolls left over from earlier turns. In a banking game only `total`, `on_pad`
    (something was banked), `blanks` (turns in a row worth nothing) and `head_start` have a meaning.
    """

    boxes: tuple[int | None, ...] = ()
    bonuses: int = 0
    upper: int = 0
    upper_bonus: int = 0
    lower: int = 0
    bonus_points: int = 0
    total: int = 0
    head_start: int = 0
    saved: int = 0
    columns: tuple[ColumnCard, ...] = ()
    on_pad: bool = False
    blanks: int = 0


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished game of a match. `winners` are seats; `first` is the seat that began."""

    cards: tuple[Card, ...]
    totals: tuple[int, ...]
    winners: tuple[int, ...]
    first: int
