"""One game at this table, as the journal tells it: the rules' game, the dice as they lay, the marks.

Room: firmware. `Play.apply` is the only way in which a game moves on, live or when the journal is read back, so the two
can't differ. It knows no camera, no screen and no clock.

Records (`Record.kind`: `Record.data`):

    game     name, players, options, first   a game begins; `first` is the seat that starts. A list in `players` is
                                              a team. `dice_set`: the name of the dice, where it is known
    roll     dice, by                         `dice`: [{"v": value, "p": confidence, "c": corners as shares or null,
                                              "s": what the camera sees, where that is another value}], from left to
                                              right; `by`: "camera" or "hand". Where it holds: `overruled` (the code of
                                              the refusal that the players overruled), `again` (read again after an
                                              undo), `stands` (taken back, but it stands), `picture` (its name)
    rolloff  dice, by                         thrown for the first turn
    keep     faces                            the player keeps these and throws the others again
    mark     marks                            numbers of the dice that the player holds, from 1
    score    box, column                      the box that is filled; `column` only where it is not the first
    aside    faces                            (banking games) the player sets these aside
    stop                                      (banking games) the player stops and banks
    correct  values, dice, back               the last roll was misread: what really lies there, in the dice's order.
                                              `dice`, as in `roll`, where dice were added or taken away; `back`: 1 for
                                              the roll before the last. A die that was kept is put right in all rolls
                                              in which it lay
    undo     turn                             the last move is taken back; a roll is then asked for again. `turn`: the
                                              whole turn and the move that ended the turn before; the turn is kept for
                                              its player
    join         name                         a player joins in a new seat after the last one
    leave_seat   seat                         the player in this seat (0 first) leaves the game
    leave                                     the table goes back to the choice of players
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import rules
from firmware.events import Record

_COMINGS = ("join", "leave_seat")
"""Kinds of records that may stand between any two others."""
Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]


@dataclass(frozen=True, slots=True)
class TableDie:
    """A die of an accepted roll. `corners` are shares of the picture (0 to 1), None where no camera saw it.

    `confidence` is the reader's, 1.0 once a person has said what it shows. `seen` is what the camera takes it for,
    where a person knows better. `others` are the values that the reader thought of besides, the likeliest first; they
    are for suggestions only and leave no record.
    """

    value: int
    confidence: float = 1.0
    corners: Corners | None = None
    seen: int | None = None
    others: tuple[int, ...] = field(default=(), compare=False)

    @property
    def raw(self) -> int:
        """The value that the camera sees on it."""
        return self.value if self.seen is None else self.seen

    def put_right(self, value: int) -> TableDie:
        """The same die, after a person said that it shows `value`."""
        if value == self.value:
            return self
        seen = None if self.corners is None or self.raw == value else self.raw
        return TableDie(value, 1.0, self.corners, seen)

    @property
    def centre(self) -> tuple[float, float] | None:
        if self.corners is None:
            return None
        return sum(c[0] for c in self.corners) / 4, sum(c[1] for c in self.corners) / 4

    def to_json(self) -> dict[str, Any]:
        corners = None if self.corners is None else [[round(x, 4), round(y, 4)] for x, y in self.corners]
        made = {"v": self.value, "p": round(self.confidence, 3), "c": corners}
        return made if self.seen is None else {**made, "s": self.seen}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TableDie:
        c = data.get("c")
        corners: Corners | None = None
        if c is not None:
            a, b, d, e = ((float(x), float(y)) for x, y in c)
            corners = (a, b, d, e)
        seen = data.get("s")
        return cls(int(data["v"]), float(data.get("p", 1.0)), corners, None if seen is None else int(seen))


def left_to_right(dice: Iterable[TableDie]) -> tuple[TableDie, ...]:
    """The order in which dice are numbered: from left to right where the camera saw them, else as they come."""
    return tuple(sorted(dice, key=lambda d: d.centre[0] if d.centre else 2.0))


def roll_record(dice: Sequence[TableDie], by: str, **more: Any) -> Record:
    """A roll of `dice`, read by the camera or entered by hand. What is empty in `more` is left out."""
    return Record("roll", {"dice": [d.to_json() for d in dice], "by": by, **{k: v for k, v in more.items() if v}})


@dataclass(frozen=True, slots=True)
class _Step:
    """A move, with what the rules can't give back when it is taken back: marks and lying dice as they were before.

    `dice` are those of a roll, `record` what made it; `picked` which dice of the roll before were kept, from 0.
    """

    record: Record
    marks: frozenset[int]
    lying: tuple[TableDie, ...]
    dice: tuple[TableDie, ...] = ()
    picked: tuple[int, ...] = ()

    def rolled(self, dice: Sequence[TableDie]) -> _Step:
        """The same roll, with other dice."""
        data = {**self.record.data, "dice": [d.to_json() for d in dice]}
        return replace(self, record=Record(self.record.kind, data), dice=tuple(dice))

    def kept(self, faces: Sequence[int]) -> _Step:
        """The same dice kept or set aside, which show `faces`. Marks say which are meant where faces would not."""
        record = Record(self.record.kind, {"faces": sorted(faces)})
        return replace(self, record=record, marks=frozenset(i + 1 for i in self.picked))


class Play:
    """A game under way. Made from its `game` record; moves on by `apply`."""

    def __init__(self, record: Record) -> None:
        data = record.data
        self.name: str = data["name"]
        self.seats: tuple[str | tuple[str, ...], ...] = tuple(
            p if isinstance(p, str) else tuple(p) for p in data["players"]
        )
        """Who sat down at the beginning; partners who share a seat are a tuple. `players` has those who joined too."""
        self.options: dict[str, Any] = dict(data.get("options") or {})
        self.first: int = int(data.get("first", 0))
        self.game = rules.new(self.name, players=list(self.seats), first=self.first, **self.options)
        self.practice = bool(data.get("practice"))
        """It leaves no record: nothing of it goes into the journal."""
        self.marks: frozenset[int] = frozenset()
        self.lies: list[tuple[TableDie, ...]] = []
        """The dice of each roll of the game so far, in order."""
        self.lying: tuple[TableDie, ...] = ()
        """The dice that stay in the tray for the next throw: those kept, or set aside in this turn."""
        self._steps: list[_Step] = []  # one for each move
        self.asked: Record | None = None
        """A roll that was taken back: what lies there is asked for again. The record that made it."""
        self.waiting: tuple[Record, ...] = ()
        """The turn of the player who comes next, thrown before the turn before it was taken back."""
        self.all_dice: int = next(g.dice for g in rules.games() if g.name == self.name)
        """How many dice this game is played with."""

    @property
    def players(self) -> tuple[str, ...]:
        """The name of each seat, those who left and joined included; partners are joined by ' & '."""
        return self.game.players

    @property
    def dice(self) -> tuple[TableDie, ...]:
        """The dice that a choice is awaited for; () while a roll is awaited, and when the game is over."""
        return self.lies[-1] if self.lies and isinstance(self.game.awaiting, rules.Choice) else ()

    @property
    def stayed(self) -> tuple[TableDie, ...]:
        """The dice that stay, or were set aside, for the throw that is awaited; once it is made, those that did."""
        steps = [s for s in self._steps[-9:] if s.record.kind not in _COMINGS]
        made = steps[-1] if steps and isinstance(self.game.awaiting, rules.Choice) else None
        return made.lying if made is not None and made.record.kind == "roll" else self.lying

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

    @property
    def asked_dice(self) -> tuple[TableDie, ...]:
        """The dice of the roll that is asked for again, () if none is."""
        return () if self.asked is None else tuple(TableDie.from_json(d) for d in self.asked.data["dice"])

    @property
    def waiting_dice(self) -> tuple[TableDie, ...]:
        """The dice that lie there for the turn that was kept for its player, () if none was."""
        rolls = [r for r in self.waiting if r.kind == "roll"]
        return tuple(TableDie.from_json(d) for d in rolls[-1].data["dice"]) if rolls else ()

    def apply(self, record: Record) -> None:
        """Move on by one record. Raises rules.IllegalMove, and changes nothing then, if the rules forbid it."""
        data = record.data
        match record.kind:
            case "roll":
                first = self.game.rolls_made == 0
                dice = tuple(TableDie.from_json(d) for d in data["dice"])
                self._push(rules.Roll(tuple(d.value for d in dice)), record, dice=dice)
                self.lies.append(dice)
                if first and self.asked is None:
                    # Whose turn was kept has it now, or has thrown something else.
                    self.waiting = ()
                self.asked = None
            case "rolloff":
                dice = tuple(TableDie.from_json(d) for d in data["dice"])
                self._push(rules.RollOff(tuple(d.value for d in dice)), record)
            case "keep":
                picked = self._chosen(data["faces"])
                staying = tuple(self.dice[i] for i in picked)
                self._push(rules.Keep(tuple(data["faces"])), record, picked=picked)
                self.lying = staying
            case "aside":
                picked = self._chosen(data["faces"])
                staying = (*self.lying, *(self.dice[i] for i in picked))
                self._push(rules.SetAside(tuple(data["faces"])), record, picked=picked)
                # All of them used: all are picked up and thrown again.
                self.lying = staying if len(staying) < self.all_dice else ()
            case "stop":
                self._push(rules.Stop(), record)
            case "score":
                self._push(rules.Score(data["box"], int(data.get("column", 0))), record)
            case "leave_seat":
                self._come_or_go(rules.Leave(int(data["seat"])), record)
            case "join":
                self._come_or_go(rules.Join(str(data["name"])), record)
            case "mark":
                self.marks = frozenset(data["marks"])
            case "correct":
                self._correct(tuple(data["values"]), data.get("dice"), int(data.get("back", 0)))
            case "undo" if data.get("turn"):
                self._undo_turn()
            case "undo":
                step = self._pop()
                if step.record.kind == "roll":
                    self.asked = step.record
            case _:
                raise ValueError(f"unknown record {record.kind!r}")

    def attempt(self, records: Iterable[Record]) -> None:
        """Apply all of these, or none: raises rules.IllegalMove, and changes nothing then, if one is forbidden."""
        marks, lying, asked, waiting, done = self.marks, self.lying, self.asked, self.waiting, len(self._steps)
        undone: list[_Step] = []
        try:
            for record in records:
                if record.kind == "undo":
                    undone.append(self._steps[-1])
                    done -= 1
                self.apply(record)
        except rules.IllegalMove:
            while len(self._steps) > done:
                self._pop()
            for step in reversed(undone):
                self.marks = step.marks
                self.apply(step.record)
            self.marks, self.lying, self.asked, self.waiting = marks, lying, asked, waiting
            raise

    def _push(
        self, move: rules.Move, record: Record, dice: tuple[TableDie, ...] = (), picked: tuple[int, ...] = ()
    ) -> None:
        self.game.push(move)
        self._steps.append(_Step(record, self.marks, self.lying, dice, picked))
        self.marks = frozenset()
        if self.game.rolls_made == 0 or not self.banking:
            self.lying = ()

    def _come_or_go(self, move: rules.Move, record: Record) -> None:
        """Somebody joins or leaves: whoever has the turn keeps it, marks and dice and all. A turn that was kept for who
        comes next is kept no more, since that may be somebody else now."""
        marks, lying, turn = self.marks, self.lying, self.game.turn
        self._push(move, record)
        self.waiting = ()
        if self.game.turn != turn:
            self.asked = None
        if self.game.turn == turn and self.game.rolls_made:
            self.marks, self.lying = marks, lying

    def _pop(self) -> _Step:
        """Take the last move back. Raises IndexError if there is none."""
        self.game.pop()
        step = self._steps.pop()
        self.marks, self.lying = step.marks, step.lying
        if step.record.kind == "roll":
            self.lies.pop()
        self.asked = None
        return step

    @property
    def turn_rolls(self) -> int:
        """How many of the last moves belong to the turn that is going on, a roll that is asked for left out."""
        position, n = self.game.copy(), 0
        while position.rolls_made:
            position.pop()
            n += 1
        return n

    @property
    def ended_by(self) -> str:
        """The kind of record that ended the turn before this one, "" if there was none."""
        at = len(self._steps) - self.turn_rolls
        return self._steps[at - 1].record.kind if at > 0 else ""

    def _undo_turn(self) -> None:
        """Take back the running turn, which is kept for its player, and the move that ended the one before."""
        turn = [self._pop_asked()] if self.asked is not None else []
        for _ in range(self.turn_rolls):
            turn.insert(0, self._pop().record)
        step = self._pop()
        self.waiting = tuple(turn)
        if step.record.kind == "roll":
            self.asked = step.record

    def _pop_asked(self) -> Record:
        assert self.asked is not None
        record, self.asked = self.asked, None
        return record

    def _chosen(self, faces: Sequence[int]) -> tuple[int, ...]:
        """Which dice of the last roll are meant by these faces, from 0: the marked ones first, then from the left."""
        left = Counter(faces)
        chosen = []
        numbered = sorted(enumerate(self.dice), key=lambda item: item[0] + 1 not in self.marks)
        for i, die in numbered:
            if left[die.value]:
                left[die.value] -= 1
                chosen.append(i)
        return tuple(chosen)

    # ---- corrections --------------------------------------------------------------------------------------------

    def _correct(self, values: tuple[int, ...], data: Sequence[Mapping[str, Any]] | None, back: int) -> None:
        """The last roll, or the one `back` rolls before it, shows `values`."""
        rolls = [i for i, step in enumerate(self._steps) if step.record.kind == "roll"]
        at = rolls[-1 - back]
        dice = self._steps[at].dice
        if data is not None:
            fixed = tuple(TableDie.from_json(d) for d in data)
        elif len(dice) == len(values):
            fixed = tuple(d.put_right(v) for d, v in zip(dice, values, strict=True))
        else:
            fixed = tuple(TableDie(v) for v in values)
        marks = self.marks if len(fixed) == len(dice) else frozenset()
        first, steps = self._with_kept(at, fixed)
        undone = [self._pop() for _ in self._steps[first:]]
        undone.reverse()
        try:
            for step in steps:
                self.marks = step.marks
                self.apply(step.record)
        except rules.IllegalMove:
            while len(self._steps) > first:
                self._pop()
            for step in undone:
                self.marks = step.marks
                self.apply(step.record)
            self.marks = marks
            raise
        self.marks = marks if self.dice else frozenset()

    def _before(self, at: int) -> int:
        """The move before move `at`, without those who came or went in between; -1 if there is none."""
        at -= 1
        while at >= 0 and self._steps[at].record.kind in _COMINGS:
            at -= 1
        return at

    def _with_kept(self, at: int, fixed: tuple[TableDie, ...]) -> tuple[int, list[_Step]]:
        """The moves to make again so that the roll that is move `at` becomes `fixed`, and where they begin.

        A keep stands between two rolls of a scorecard game. Where a kept die is put right, so are the keep and the die
        in the rolls before and after it.
        """
        first, made = at, [self._steps[at].rolled(fixed)]
        dice, now = self._steps[at].dice, fixed
        while not self.banking:
            kept_at = self._before(first)
            if kept_at < 0 or self._steps[kept_at].record.kind != "keep":
                break
            rolled_at = self._before(kept_at)
            keep, before = self._steps[kept_at], self._steps[rolled_at]
            kept = [before.dice[i] for i in keep.picked]
            became = [now[i].value if i is not None else d.value for i, d in _matched(kept, dice, now)]
            if became == [d.value for d in kept]:
                break
            new = dict(zip(keep.picked, became, strict=True))
            dice, now = before.dice, tuple(d.put_right(new.get(i, d.value)) for i, d in enumerate(before.dice))
            came = self._steps[rolled_at + 1 : kept_at]
            made[:0] = [before.rolled(now), *came, keep.kept(became), *self._steps[kept_at + 1 : first]]
            first = rolled_at
        dice, now = self._steps[at].dice, fixed
        stayed: list[tuple[TableDie, int]] = []  # dice that were kept, and what they show
        for step in self._steps[at + 1 :]:
            if step.record.kind in _COMINGS:
                made.append(step)
                continue
            if step.record.kind in ("keep", "aside") and len(now) == len(dice):
                stayed = [(dice[i], now[i].value) for i in step.picked]
                made.append(step.kept([value for _, value in stayed]))
                continue
            if step.record.kind == "roll" and not self.banking and stayed:
                found = _matched([d for d, _ in stayed], step.dice, step.dice)
                new = {i: v for (i, _), (_, v) in zip(found, stayed, strict=True) if i is not None}
                dice, now = step.dice, tuple(d.put_right(new.get(i, d.value)) for i, d in enumerate(step.dice))
                made.append(step.rolled(now))
            else:
                dice = now = step.dice
                made.append(step)
            stayed = []
        return first, made


def _matched(
    kept: Sequence[TableDie], dice: Sequence[TableDie], now: Sequence[TableDie]
) -> list[tuple[int | None, TableDie]]:
    """For each of the `kept` dice of a roll, which of the next roll's `dice` it is, from 0; None where none can be.

    It is the one with its value that lies nearest to where it lay. Where dice came in or went out (`now`), none is.
    """
    free = list(range(len(dice)))
    found: list[tuple[int | None, TableDie]] = []
    for die in kept:
        same = [i for i in free if dice[i].value == die.value]
        if not same or len(now) != len(dice):
            found.append((None, die))
            continue
        nearest = min(same, key=lambda i: _distance(dice[i], die))
        free.remove(nearest)
        found.append((nearest, die))
    return found


def _distance(a: TableDie, b: TableDie) -> float:
    if a.centre is None or b.centre is None:
        return 0.0
    return abs(a.centre[0] - b.centre[0]) + abs(a.centre[1] - b.centre[1])


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
