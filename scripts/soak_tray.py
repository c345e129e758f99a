"""What lies in the tray of a random table, and what is seen of it. Part of `soak_table.py`.

It throws, meddles and looks away as people do, and says what an eye would say; nothing here is a picture.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import rules
from firmware.play import Play
from vision.types import Die, Reading, Reason, Status, TrayEventKind, TrayState

WIDTH, HEIGHT = 1000, 600
K = TrayEventKind
S = TrayState


class SoakTray:
    """Dice on a tray of `WIDTH` x `HEIGHT`. `see` is told each event: its kind, the tray's state, the reading, and what
    else belongs to that kind."""

    def __init__(self, rng: random.Random, see: Callable[..., None]) -> None:
        self.dice: list[Die] = []
        self._rng = rng
        self._see = see

    def _die(self, value: int, at: tuple[float, float] | None = None, confidence: float = 0.99) -> Die:
        x, y = at or (self._rng.uniform(60, WIDTH - 60), self._rng.uniform(60, HEIGHT - 60))
        return Die(value, confidence, x, y, ((x - 20, y - 20), (x + 20, y - 20), (x + 20, y + 20), (x - 20, y + 20)))

    def honest_throw(self, play: Play, leave_tray: bool) -> None:
        """As people should: the dice to be kept stay, or leave the tray, the others fly; hands-free some stay as they
        like."""
        rng = self._rng
        if isinstance(play.game.awaiting, rules.Roll | rules.RollOff):
            stay = [self._at(d.centre, d.raw) for d in play.lying]
        else:
            some = [d for d in play.dice if rng.random() < 0.4]
            stay = [self._at(d.centre, d.raw) for d in (*(play.lying if play.banking else ()), *some)]
        flown = [self._die(rng.randint(1, 6)) for _ in range(max(0, play.all_dice - len(stay)))]
        self._land([] if leave_tray else stay, flown)

    def wild_throw(self, dice: int) -> None:
        """As people do: any of so many dice stay or fly, and there may be too many or too few."""
        rng = self._rng
        stay = [d for d in self.dice if rng.random() < 0.4][:dice]
        count = dice - len(stay) + rng.choice([0, 0, 0, -1, 1])
        self._land(stay, [self._die(rng.randint(1, 6)) for _ in range(max(0, count))])

    def _at(self, centre: tuple[float, float] | None, value: int) -> Die:
        return self._die(value, None if centre is None else (centre[0] * WIDTH, centre[1] * HEIGHT))

    def _land(self, stay: Sequence[Die], flown: Sequence[Die]) -> None:
        self._see(K.STATE, S.ROLLING)
        self.dice = [*stay, *flown]
        reading = Reading(Status.READ, tuple(self.dice))
        self._see(K.STATE, S.SETTLED, reading)
        kept, thrown = (tuple(sorted(d.value for d in dice)) for dice in (stay, flown))
        self._see(K.ROLL, S.SETTLED, reading, kept=kept, thrown=thrown)

    def meddle(self) -> None:
        """Somebody turns a die over, lays dice down, or takes some away."""
        rng = self._rng
        if not self.dice:
            return
        i = rng.randrange(len(self.dice))
        old = self.dice[i]
        what = rng.random()
        if what < 0.4:
            self.dice[i] = self._die(rng.randint(1, 6), (old.x, old.y))
            reading = Reading(Status.READ, tuple(self.dice))
            self._see(K.DISTURBED, S.SETTLED, reading, was=(old.value,))
        elif what < 0.8:
            self.dice[i] = self._die(rng.randint(1, 6))
            rest = tuple(sorted(d.value for j, d in enumerate(self.dice) if j != i))
            reading = Reading(Status.READ, tuple(self.dice))
            self._see(K.QUESTION, S.SETTLED, reading, kept=rest, thrown=(self.dice[i].value,))
        else:
            self.dice.pop(i)
            self._see(K.STATE, S.UNREADABLE, Reading(Status.UNSURE, tuple(self.dice), (Reason("count"),)))

    def look(self) -> None:
        """What lies there is reported once more, perhaps with another value, as after a start."""
        if self._rng.random() < 0.3 and self.dice:
            i = self._rng.randrange(len(self.dice))
            self.dice[i] = self._die(self._rng.randint(1, 6), (self.dice[i].x, self.dice[i].y))
        reading = Reading(Status.READ, tuple(self.dice))
        self._see(K.ROLL, S.SETTLED, reading, thrown=tuple(sorted(d.value for d in self.dice)))

    def blur(self) -> bool:
        """A reading that is not certain, or a state that comes and goes; or neither, and then it says False."""
        rng = self._rng
        kind = rng.random()
        if kind < 0.4:
            guess = tuple(self._die(rng.randint(1, 6), confidence=rng.random()) for _ in range(rng.randint(0, 8)))
            codes = rng.sample(["count", "cocked", "glare", "dark", "foreign"], rng.randint(1, 2))
            reasons = tuple(Reason(c, 10.0, 10.0) for c in codes)
            self._see(K.STATE, S.UNREADABLE, Reading(Status.UNSURE, guess, reasons), reasons=reasons)
        elif kind < 0.6:
            self.dice = []
            self._see(K.STATE, S.EMPTY, Reading(Status.EMPTY))
        elif kind < 0.75:
            self._see(K.STATE, S.HAND)
        elif kind < 0.85:
            self._see(K.STATE, S.ROLLING)
        elif kind < 0.9:
            self._see(K.MOVED, S.UNREADABLE, code="CAM-06")
        else:
            return False
        return True
