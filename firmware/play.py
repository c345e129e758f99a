"""One game at this table, as the journal tells it: the rules' game, the dice as they lay, the marks.

Room: firmware. `Play.apply` is the only way in which a game moves on, live or when the journal is read back, so the two
can't differ. It knows no camera, no screen and no clock.

Records (`Record.kind`: `Record.data`):

    game     name, players, options, first   a game begins; `first` is the seat that starts
    roll     dice, by                         `dice`: [{"v": value, "p": confidence, "c": corners as shares or null}],
                                              from left to right; `by`: "camera" or "hand"
    keep     faces                            the player keeps these and throws the others again
    mark     marks                            numbers of the dice that the player holds, from 1
    score    box                              the box that is filled
    aside    faces                            (banking games) the player sets these aside
    stop                                      (banking games) the player stops and banks
    correct  values                           the last roll was misread: what really lies there, in the dice's order
    undo                                      the last move is taken back
    leave                                     the table goes back to the choice of players
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import rules
from firmware.events import Record

Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]


@dataclass(frozen=True, slots=True)
class TableDie:
    """A die of an accepted roll. `corners` are shares of the picture (0 to 1), None where no camera saw it.

    `confidence` is the reader's, 1.0 once a person has said what it shows.
    """

    value: int
    confidence: float = 1.0
    corners: Corners | None = None

    @property
    def centre(self) -> tuple[float, float] | None:
        if self.corners is None:
            return None
        return sum(c[0] for c in self.corners) / 4, sum(c[1] for c in self.corners) / 4

    def to_json(self) -> dict[str, Any]:
        corners = None if self.corners is None else [[round(x, 4), round(y, 4)] for x, y in self.corners]
        return {"v": self.value, "p": round(self.confidence, 3), "c": corners}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TableDie:
        c = data.get("c")
        corners: Corners | None = None
        if c is not None:
            a, b, d, e = ((float(x), float(y)) for x, y in c)
            corners = (a, b, d, e)
        return cls(int(data["v"]), float(data.get("p", 1.0)), corners)


def left_to_right(dice: Iterable[TableDie]) -> tuple[TableDie, ...]:
    """The order in which dice are numbered: from left to right where the camera saw them, else as they come."""
    return tuple(sorted(dice, key=lambda d: d.centre[0] if d.centre else 2.0))


def roll_record(dice: Sequence[TableDie], by: str) -> Record:
    return Record("roll", {"dice": [d.to_json() for d in dice], "by": by})


class Play:
    """A game under way. Made from its `game` record; moves on by `apply`."""

    def __init__(self, record: Record) -> None:
        data = record.data
        self.name: str = data["name"]
        self.players: tuple[str, ...] = tuple(data["players"])
        self.options: dict[str, Any] = dict(data.get("options") or {})
        self.first: int = int(data.get("first", 0))
        self.game = rules.new(self.name, players=list(self.players), first=self.first, **self.options)
        self.marks: frozenset[int] = frozenset()
        self.lies: list[tuple[TableDie, ...]] = []
        """The dice of each roll of the game so far, in order."""
        self.lying: tuple[TableDie, ...] = ()
        """The dice that stay in the tray for the next throw: those kept, or set aside in this turn."""
        # What can't be had back from the rules: marks and lying dice as they were before each move.
        self._before: list[tuple[frozenset[int], tuple[TableDie, ...]]] = []
        self.all_dice: int = next(g.dice for g in rules.games() if g.name == self.name)
        """How many dice this game is played with."""

    @property
    def dice(self) -> tuple[TableDie, ...]:
        """The dice that a choice is awaited for; () while a roll is awaited, and when the game is over."""
        return self.lies[-1] if self.lies and isinstance(self.game.awaiting, rules.Choice) else ()

    @property
    def held(self) -> tuple[int, ...]:
        """The faces of the marked dice, sorted."""
        return tuple(sorted(d.value for n, d in enumerate(self.dice, 1) if n in self.marks))

    @property
    def banking(self) -> bool:
        """A game of setting dice aside and stopping, without boxes."""
        return self.game.family == "banking"

    @property
    def last_move(self) -> rules.Move | None:
        moves = self.game.moves
        return moves[-1] if moves else None

    def apply(self, record: Record) -> None:
        """Move on by one record. Raises rules.IllegalMove, and changes nothing then, if the rules forbid it."""
        data = record.data
        match record.kind:
            case "roll":
                dice = tuple(TableDie.from_json(d) for d in data["dice"])
                self._push(rules.Roll(tuple(d.value for d in dice)))
                self.lies.append(dice)
            case "keep":
                staying = self._chosen(data["faces"])
                self._push(rules.Keep(tuple(data["faces"])))
                self.lying = staying
            case "aside":
                staying = (*self.lying, *self._chosen(data["faces"]))
                self._push(rules.SetAside(tuple(data["faces"])))
                # All of them used: all are picked up and thrown again.
                self.lying = staying if len(staying) < self.all_dice else ()
            case "stop":
                self._push(rules.Stop())
            case "score":
                self._push(rules.Score(data["box"]))
            case "mark":
                self.marks = frozenset(data["marks"])
            case "correct":
                self._correct(tuple(data["values"]))
            case "undo":
                move = self.game.pop()
                self.marks, self.lying = self._before.pop()
                if isinstance(move, rules.Roll):
                    self.lies.pop()
            case _:
                raise ValueError(f"unknown record {record.kind!r}")

    def _push(self, move: rules.Move) -> None:
        self.game.push(move)
        self._before.append((self.marks, self.lying))
        self.marks = frozenset()
        if self.game.rolls_made == 0 or not self.banking:
            self.lying = ()

    def _chosen(self, faces: Sequence[int]) -> tuple[TableDie, ...]:
        """Which dice of the last roll are meant by these faces: the marked ones first, then from the left."""
        left = Counter(faces)
        chosen = []
        numbered = sorted(enumerate(self.dice, 1), key=lambda item: item[0] not in self.marks)
        for _, die in numbered:
            if left[die.value]:
                left[die.value] -= 1
                chosen.append(die)
        return tuple(chosen)

    def _correct(self, values: tuple[int, ...]) -> None:
        old = self.game.pop()
        try:
            self.game.push(rules.Roll(values))
        except rules.IllegalMove:
            self.game.push(old)
            raise
        # The roll that was put right may have ended the turn, or no longer ends it.
        self.lying = self._before[-1][1] if self.banking and self.game.rolls_made else ()
        dice = self.lies[-1]
        if len(dice) == len(values):
            fixed = [
                d if d.value == v else replace(d, value=v, confidence=1.0) for d, v in zip(dice, values, strict=True)
            ]
        else:
            fixed = [TableDie(v) for v in values]
        self.lies[-1] = tuple(fixed)


def play_from(records: Iterable[Record]) -> Play | None:
    """The game that these records lead to; None if there is none or it was left. Used to carry on after a restart."""
    play: Play | None = None
    for record in records:
        if record.kind == "game":
            play = Play(record)
        elif record.kind == "leave":
            play = None
        elif play is not None:
            play.apply(record)
    return play
