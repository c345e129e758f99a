"""Entering a roll by hand, or putting a misread one right.

Room: firmware. Plain state of a small form: one value a die, and a cursor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from firmware.play import TableDie


@dataclass
class Entry:
    """`correcting`: the last roll is put right; else a roll is entered that the camera could not read.

    `dice` are what the camera made of it, where it did; `values` what the form says, None where nothing is said yet.
    """

    values: list[int | None]
    dice: tuple[TableDie | None, ...]
    cursor: int
    correcting: bool

    def put(self, value: int | None) -> None:
        """Set the die under the cursor and go on to the next one that needs it; None turns to the next face."""
        if value is None:
            self.values[self.cursor] = (self.values[self.cursor] or 0) % 6 + 1
            return
        self.values[self.cursor] = value
        missing = [i for i, v in enumerate(self.values) if v is None]
        after = [i for i in missing if i > self.cursor]
        if after or missing:
            self.cursor = (after or missing)[0]
        elif self.cursor + 1 < len(self.values):
            self.cursor += 1

    def step(self, by: int = 1) -> None:
        self.cursor = (self.cursor + by) % len(self.values)

    @property
    def complete(self) -> bool:
        return all(v is not None for v in self.values)

    def result(self) -> tuple[TableDie, ...]:
        """The dice as entered; a die that the person left as it was keeps its place, and its confidence."""
        dice = []
        for value, seen in zip(self.values, self.dice, strict=True):
            assert value is not None
            if seen is not None and seen.value == value:
                dice.append(seen)
            else:
                dice.append(TableDie(value, 1.0, seen.corners if seen else None))
        return tuple(dice)


def correct(dice: Sequence[TableDie], start: int | None) -> Entry:
    """A form for a roll that was accepted. The cursor starts at die number `start`, or at the least certain one."""
    if start is None:
        start = 1 + min(range(len(dice)), key=lambda i: dice[i].confidence)
    return Entry([d.value for d in dice], tuple(dice), start - 1, correcting=True)


def enter(count: int, guess: Sequence[TableDie], kept: Sequence[int]) -> Entry:
    """A form for a roll of `count` dice, filled with the camera's best guess, or else with the dice that were kept.

    A guess of too many dice keeps the surest.
    """
    if len(guess) > count:
        surest = sorted(range(len(guess)), key=lambda i: -guess[i].confidence)[:count]
        guess = [guess[i] for i in sorted(surest)]
    values: list[int | None] = [d.value for d in guess]
    dice: list[TableDie | None] = list(guess)
    if not guess:
        values = list(kept)
        dice = [None] * len(kept)
    values += [None] * (count - len(values))
    dice += [None] * (count - len(dice))
    missing = [i for i, v in enumerate(values) if v is None]
    doubt = min(range(count), key=lambda i: d.confidence if (d := dice[i]) else 1.0)
    return Entry(values, tuple(dice), missing[0] if missing else doubt, correcting=False)
