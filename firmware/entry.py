"""Entering a roll by hand, or putting a misread one right.

Room: firmware. Plain state of a small form: a line for each die, and a cursor. Lines are taken out (what was seen is no
die) and come in by themselves where dice are missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from firmware.play import TableDie

LIKELY: Mapping[int, tuple[int, ...]] = {
    1: (3, 5, 2, 4, 6),
    2: (3, 4, 1, 6, 5),
    3: (2, 5, 1, 4, 6),
    4: (5, 6, 2, 3, 1),
    5: (4, 3, 6, 1, 2),
    6: (4, 5, 2, 3, 1),
}
"""Face -> what the die shows if not that, where the reader has no opinion, the likeliest first: pips are lost in glare
or found in dirt, the middle one and the pairs of an edge before all others."""


@dataclass
class Entry:
    """`correcting`: the last roll is put right; else a roll is entered that the camera could not read.

    `dice` are what the camera made of it, where it did; `values` what the form says, None where nothing is said yet.
    `count` is how many dice there must be. `overruled` is the code of the refusal that the players overrule by this.
    """

    values: list[int | None]
    dice: list[TableDie | None]
    cursor: int
    correcting: bool
    count: int = 0
    overruled: str = ""
    back: int = 0
    """Which roll of the turn is put right: 0 the last one, 1 the one before it."""
    removed: set[int] = field(default_factory=set)
    """Lines that are no dice, from 0."""
    sure: bool = False
    """The players were told that it can't be, and were asked to accept once more."""
    offers: bool = False
    """For a panel with one button for all: the die under the cursor shows its first suggestion at once, which is its
    old value again as soon as the cursor moves on; and the cursor goes from the least certain die to the surest."""
    _offered: tuple[int, int | None] | None = None
    """The die that shows a suggestion which nobody has asked for, and its value."""

    def __post_init__(self) -> None:
        self.count = self.count or len(self.values)
        self._offer()

    def move(self, to: int) -> None:
        """Put the cursor on a line, from 0."""
        self._take_back()
        self.cursor = to
        self._offer()

    def _offer(self) -> None:
        if self.offers and self.cursor not in self.removed and self.dice[self.cursor] is not None:
            now = self.values[self.cursor]
            first = self.suggestions[0]
            if now == self._first:
                self.values[self.cursor], self._offered = first, (self.cursor, now)

    def _take_back(self) -> None:
        if self._offered is not None:
            at, value = self._offered
            self.values[at], self._offered = value, None

    def put(self, value: int | None) -> None:
        """Set the die under the cursor and go on to the next one that needs it.

        None turns to the next suggestion, and the cursor stays.
        """
        self.sure = False
        self._offered = None
        self.removed.discard(self.cursor)
        if value is None:
            self.values[self.cursor] = self.suggestions[0]
            self._mend()
            return
        self.values[self.cursor] = value
        self._mend()
        missing = [i for i, v in enumerate(self.values) if v is None]
        after = [i for i in missing if i > self.cursor]
        if after or missing:
            self.cursor = (after or missing)[0]
        elif self.cursor + 1 < len(self.values) and not self.offers:
            self.cursor += 1

    @property
    def suggestions(self) -> tuple[int, ...]:
        """What the die under the cursor may show, the likeliest first; what stands there now comes last.

        Starts from what the camera saw: a misread shows mostly one of the first two.
        """
        now, first = self.values[self.cursor], self._first
        order = (1, 2, 3, 4, 5, 6) if first is None else (first, *self._ranked(first))
        at = order.index(now) + 1 if now is not None else 0
        return (*order[at:], *order[:at])

    @property
    def likely(self) -> tuple[int, int]:
        """The two likeliest values of the die under the cursor, but for the one that the camera saw and the one that
        stands there."""
        others = [v for v in self._ranked(self._first or 1) if v != self.values[self.cursor]]
        return others[0], others[1]

    @property
    def _first(self) -> int | None:
        """What the camera made of the die under the cursor."""
        seen = self.dice[self.cursor]
        return None if seen is None else seen.value

    def _ranked(self, face: int) -> tuple[int, ...]:
        """What the die under the cursor shows if not `face`, the likeliest first: by the reader, then by experience."""
        seen = self.dice[self.cursor]
        thought = [v for v in (seen.others if seen else ()) if v != face]
        return (*thought, *(v for v in LIKELY[face] if v not in thought))

    def step(self, by: int = 1) -> None:
        lines = list(range(len(self.values)))
        if self.offers:
            lines.sort(key=lambda i: d.confidence if (d := self.dice[i]) else 1.0)
        self.move(lines[(lines.index(self.cursor) + by) % len(lines)])

    def remove(self) -> bool:
        """What is under the cursor is no die; or it is one after all. Where dice are missing then, a line is added.

        False where nothing stands that could be taken out.
        """
        self.sure = False
        self._take_back()
        if self._is_empty(self.cursor):
            return False
        self.removed ^= {self.cursor}
        self._mend()
        empty = [i for i, v in enumerate(self.values) if v is None and i not in self.removed]
        if empty:
            self.cursor = empty[0]
        elif self.cursor in self.removed:
            self.step()
        return True

    def _mend(self) -> None:
        """As many lines as there must be dice: add empty ones, or take empty ones away, the last first."""
        while len(self.values) - len(self.removed) < self.count:
            self.values.append(None)
            self.dice.append(None)
        empty = [i for i in range(len(self.values)) if self._is_empty(i)]
        while self.surplus > 0 and empty:
            at = empty.pop()
            del self.values[at], self.dice[at]
            self.removed = {i - (i > at) for i in self.removed}
            self.cursor -= self.cursor > at
        self.cursor = min(self.cursor, len(self.values) - 1)

    def _is_empty(self, i: int) -> bool:
        return self.values[i] is None and self.dice[i] is None and i not in self.removed

    @property
    def live(self) -> list[int]:
        """The lines that are dice, from 0."""
        return [i for i in range(len(self.values)) if i not in self.removed]

    @property
    def surplus(self) -> int:
        """How many lines must still be taken out; below 0 where dice are missing."""
        return len(self.live) - self.count

    @property
    def complete(self) -> bool:
        return self.surplus == 0 and all(self.values[i] is not None for i in self.live)

    def result(self) -> tuple[TableDie, ...]:
        """The dice as entered; a die that the person left as it was keeps its place, and its confidence.

        An added die stands where one was taken out, so that the others keep their numbers.
        """
        order = list(range(len(self.values)))
        for gone in sorted(self.removed):
            added = next((i for i in order if i > gone and self.dice[i] is None and i not in self.removed), None)
            if added is not None:
                order.remove(added)
                order[order.index(gone)] = added
        made = self._dice()
        return tuple(made[i] for i in order if i not in self.removed)

    def _dice(self) -> dict[int, TableDie]:
        """The die of each line. People enter what lies there, not always line by line: a value that the camera saw is
        first given to the die on which it saw it, and only what is left over was misread.

        In a roll that was never accepted, more than one die left over may be a muddle of lines: then the camera's
        values are forgotten rather than taken for misreadings, which would be believed of those dice from then on.
        """
        said = {i: v for i in self.live if (v := self.values[i]) is not None}
        made = {i: d for i in said if (d := self.dice[i]) is not None and d.value == said[i]}
        open_lines = [i for i in said if i not in made]
        pool = [said[i] for i in open_lines]
        for i in open_lines:
            die = self.dice[i]
            if die is not None and die.value in pool:
                made[i] = die
                pool.remove(die.value)
        left = [i for i in open_lines if i not in made]
        seen = [i for i in left if self.dice[i] is not None]
        for i in sorted(left, key=lambda i: said[i] not in pool):
            value = said[i] if said[i] in pool else pool[0]
            pool.remove(value)
            die = self.dice[i]
            if die is None:
                made[i] = TableDie(value)
            elif self.correcting or len(seen) == 1:
                made[i] = die.put_right(value)
            else:
                made[i] = TableDie(value, 1.0, die.corners)
        return made


def correct(dice: Sequence[TableDie], start: int | None, offers: bool = False) -> Entry:
    """A form for a roll that was accepted. The cursor starts at die number `start`, or at the least certain one."""
    if start is None:
        start = 1 + min(range(len(dice)), key=lambda i: dice[i].confidence)
    return Entry([d.value for d in dice], list(dice), start - 1, correcting=True, offers=offers)


def again(dice: Sequence[TableDie]) -> Entry:
    """A form for a roll that was taken back, filled with what it was. The cursor starts at the least certain die."""
    form = correct(dice, None)
    form.correcting = False
    return form


def enter(count: int, guess: Sequence[TableDie], kept: Sequence[int], overruled: str = "") -> Entry:
    """A form for a roll of `count` dice, filled with the camera's best guess, or else with the dice that were kept.

    Where the guess has too many dice, the least certain ones are taken out to begin with.
    """
    values: list[int | None] = [d.value for d in guess]
    dice: list[TableDie | None] = list(guess)
    if not guess:
        values = list(kept)
        dice = [None] * len(kept)
    missing = max(0, count - len(values))
    values += [None] * missing
    dice += [None] * missing
    doubt = sorted(range(len(values)), key=lambda i: d.confidence if (d := dice[i]) else 1.0)
    removed = set(doubt[: max(0, len(values) - count)])
    cursor = len(values) - missing if missing else next(i for i in doubt if i not in removed)
    return Entry(values, dice, cursor, False, count, overruled, removed=removed)
