"""Moves: what is pushed to a game, each frozen, hashable and with a text form.

Room: rules. A move says what a player did, never whether it was allowed: that is the game's business.

    >>> str(Keep((5, 2, 5)))
    'keep 255'
    >>> move_from_text("score fives") == Score("fives")
    True
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from rules.errors import BadText

Faces = tuple[int, ...]
_set = object.__setattr__


@lru_cache(maxsize=8192)
def _plain(faces: Faces) -> Faces:
    # Faces may come from numpy; the same few thousand throws come again and again.
    return tuple(map(int, faces))


def _digits(faces: Iterable[int]) -> str:
    return "".join(str(f) if 0 <= f <= 9 else f"({f})" for f in faces) or "-"


@dataclass(frozen=True, slots=True, init=False)
class _Throw:
    """Dice that were thrown (`faces`, in the order in which they lie), or that must be (`faces` None, `count` dice)."""

    faces: Faces | None
    count: int
    word: ClassVar[str] = ""

    def __init__(self, faces: Iterable[int] | int) -> None:
        if isinstance(faces, tuple):
            _set(self, "faces", _plain(faces))
            _set(self, "count", len(faces))
        elif isinstance(faces, int):
            _set(self, "faces", None)
            _set(self, "count", faces)
        else:
            thrown = tuple(map(int, faces))
            _set(self, "faces", thrown)
            _set(self, "count", len(thrown))

    def __str__(self) -> str:
        return f"{self.word} {'?' * self.count if self.faces is None else _digits(self.faces)}"


class Roll(_Throw):
    """`Roll((5, 2, 5, 6, 5))`: these dice were thrown. `Roll(5)`: five dice must be thrown.

    In a scorecard game a roll holds all the dice, the kept ones included; in a banking game only the dice thrown.
    """

    __slots__ = ()
    word: ClassVar[str] = "roll"


class RollOff(_Throw):
    """`RollOff((6, 5, 3, 4, 5))`: thrown for the first turn, by the player whose turn it is. `RollOff(5)`: awaited."""

    __slots__ = ()
    word: ClassVar[str] = "rolloff"


@dataclass(frozen=True, slots=True, init=False)
class Pick:
    """Some of the dice that lie on the table, as a multiset of faces (sorted), or by position (`at`)."""

    faces: Faces
    positions: Faces | None
    word: ClassVar[str] = ""

    def __init__(self, faces: Iterable[int] = (), positions: Iterable[int] | None = None) -> None:
        _set(self, "faces", tuple(sorted(map(int, faces))))
        _set(self, "positions", None if positions is None else tuple(map(int, positions)))

    def __str__(self) -> str:
        if self.positions is not None:
            return f"{self.word} at {','.join(map(str, self.positions)) or '-'}"
        return f"{self.word} {_digits(self.faces)}"


class Keep(Pick):
    """Leave dice with these faces lying and throw the others again. `Keep(())` throws all of them again."""

    __slots__ = ()
    word: ClassVar[str] = "keep"

    @classmethod
    def at(cls, positions: Iterable[int]) -> Keep:
        """The same by positions in the last roll, 0 first. The game turns it into faces when it is pushed."""
        return cls((), positions)


class SetAside(Pick):
    """Set dice with these faces aside for points (banking games)."""

    __slots__ = ()
    word: ClassVar[str] = "aside"

    @classmethod
    def at(cls, positions: Iterable[int]) -> SetAside:
        """The same by positions in the last roll, 0 first. The game turns it into faces when it is pushed."""
        return cls((), positions)


@dataclass(frozen=True, slots=True)
class Score:
    """Write the dice in a box, `box` being its key. `column` counts from 0 where a card has several columns."""

    box: str
    column: int = 0

    def __str__(self) -> str:
        return f"score {self.box}" + (f" {self.column}" if self.column else "")


@dataclass(frozen=True, slots=True)
class Stop:
    """Stop throwing and bank the turn's points (banking games)."""

    def __str__(self) -> str:
        return "stop"


@dataclass(frozen=True, slots=True)
class Leave:
    """The player in this seat (0 first) leaves: the card is kept but not ranked. Undo brings the player back."""

    seat: int

    def __str__(self) -> str:
        return f"leave {self.seat}"


@dataclass(frozen=True, slots=True)
class Join:
    """A player of this name joins, in a new seat after the last one."""

    name: str

    def __str__(self) -> str:
        return f"join {json.dumps(self.name)}"


@dataclass(frozen=True, slots=True)
class Choice:
    """Awaited: the player whose turn it is must choose one of `legal_moves`."""

    def __str__(self) -> str:
        return "choice"


@dataclass(frozen=True, slots=True)
class Over:
    """Awaited: nothing, the game (or match) is over."""

    def __str__(self) -> str:
        return "over"


Move = Roll | RollOff | Keep | SetAside | Score | Stop | Leave | Join
Awaiting = Roll | RollOff | Choice | Over


def move_from_text(text: str) -> Move:
    """The move that `str(move)` gave this text for. Raises BadText (`TEXT-02`)."""
    word, _, rest = text.strip().partition(" ")
    rest = rest.strip()
    try:
        if word in ("roll", "rolloff"):
            thrown: Faces | int = len(rest) if set(rest) == {"?"} else _faces(rest)
            return Roll(thrown) if word == "roll" else RollOff(thrown)
        if word in ("keep", "aside"):
            kind = Keep if word == "keep" else SetAside
            if rest.startswith("at "):
                return kind((), [] if rest == "at -" else [int(p) for p in rest[3:].split(",")])
            return kind(_faces(rest))
        if word == "score":
            box, _, column = rest.partition(" ")
            if box:
                return Score(box, int(column or 0))
        if word == "stop" and not rest:
            return Stop()
        if word == "leave":
            return Leave(int(rest))
        if word == "join":
            name = json.loads(rest)
            if isinstance(name, str):
                return Join(name)
    except ValueError:
        pass
    raise BadText("TEXT-02", f"{text.strip()!r} is no move: write it as in 'roll 52565', 'keep 555' or 'score fives'")


def _faces(text: str) -> Faces:
    if text == "-":
        return ()
    if not text.isdecimal():
        raise ValueError(text)
    return tuple(int(c) for c in text)
