"""What several readings of one scene at rest say together.

Room: vision. Knows readings only: no pictures, no states, no game. Noise differs from frame to frame, so a die that
one reading misses or doubts may be certain in the next; nothing is taken from one frame alone.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from vision import identity
from vision.types import Die, Reading, Reason, Status

_SAME_PLACE = 0.4
_NEAR = 0.8
_ENOUGH = 2
_REMEMBERED = 12
"""Only the latest readings count, so that a scene that got better is not held back by its past for long."""


@dataclass(slots=True)
class _Place:
    """One spot where a die was seen: its certain sightings, and in how many readings it was doubted.

    `known`: it was certain in an earlier scene and looks as it did then; `noticed`: some reading said something about
    it, were it only a doubt.
    """

    x: float
    y: float
    edge_px: float
    seen: list[Die] = field(default_factory=list)
    doubts: int = 0
    known: bool = False
    noticed: bool = False

    def face(self) -> Die | None:
        """The die that is sure to lie here, or None: certain at least twice, and more often than doubted. Each
        sighting with another face asks for two more."""
        if not self.seen or (self.known and not self.noticed):
            return None
        value, votes = Counter(d.value for d in self.seen).most_common(1)[0]
        against = len(self.seen) - votes
        if votes < _ENOUGH + 2 * against or (votes <= self.doubts and not self.known):
            return None
        return next(d for d in reversed(self.seen) if d.value == value)

    def reaches(self, x: float, y: float, share: float) -> bool:
        return math.hypot(self.x - x, self.y - y) <= share * self.edge_px


class Evidence:
    """Collects the readings of one rest.

    `expected` is how many dice should lie there, None if nobody knows. `known` are dice that were certain before and
    that look as they did: one sighting or doubt is enough for them, but sightings of another face count against them.
    """

    def __init__(self, expected: int | None, known: Sequence[Die] = ()) -> None:
        self._expected = expected
        self._known = tuple(known)
        self._readings: list[Reading] = []

    def add(self, reading: Reading) -> Reading | None:
        """Take one more reading of a separate frame. Returns what is certain by now, None while nothing is.

        The answer's status is `read`, `empty`, or `unsure` with the reason `count` where all that lies there is
        certain but is not the number expected.
        """
        self._readings = [*self._readings[1 - _REMEMBERED :], reading]
        places, strange = self._survey()
        dice = tuple(die for die in (place.face() for place in places) if die is not None)
        half = 0.5 * len(self._readings)
        others = [p for p in places if p.face() is None]
        clear = strange < half and all(len(p.seen) + p.doubts < half for p in others)
        if self._expected is not None and len(dice) == self._expected and clear:
            return Reading(Status.READ, dice, (), reading.ms)
        return self._alike(places)

    def guess(self) -> Reading:
        """The best guess while nothing is certain: the last reading, with a reason for each place that is in doubt."""
        last = self._readings[-1]
        if last.status is Status.UNSURE:
            return last
        places, _ = self._survey()
        doubtful = tuple(Reason("disagree", p.x, p.y) for p in places if p.face() is None)
        return Reading(Status.UNSURE, last.dice, doubtful or (Reason("count"),), last.ms)

    def _alike(self, places: Sequence[_Place]) -> Reading | None:
        """What the last two readings agree on as a whole, where no number is known or another one lies there."""
        if len(self._readings) < _ENOUGH:
            return None
        before, last = self._readings[-2:]
        if not (_plain(before) and _plain(last) and identity.agree(before.dice, last.dice)):
            return None
        if not last.dice:
            return None if any(p.known for p in places) else Reading(Status.EMPTY, (), (), last.ms)
        if any(p.face() is None for p in places if any(p.reaches(d.x, d.y, _SAME_PLACE) for d in last.dice)):
            return None
        if self._expected is not None and len(last.dice) != self._expected:
            return Reading(Status.UNSURE, last.dice, (Reason("count"),), last.ms)
        return Reading(Status.READ, last.dice, last.reasons if last.status is Status.READ else (), last.ms)

    def _survey(self) -> tuple[list[_Place], int]:
        """The places of all readings, and in how many readings something was doubted where no die was ever seen."""
        places = [_Place(d.x, d.y, identity.edge_px(d), [d] * _ENOUGH, known=True) for d in self._known]
        for reading in self._readings:
            doubts = _doubts(reading)
            for die in reading.dice:
                place = _nearest(places, die.x, die.y, _SAME_PLACE)
                if place is None:
                    place = _Place(die.x, die.y, identity.edge_px(die))
                    places.append(place)
                place.noticed = True
                # In a reading that is unsure as a whole, dark or not sharp, no die is certain; near a doubt neither.
                if not any(r.x is None or r.y is None or place.reaches(r.x, r.y, _NEAR) for r in doubts):
                    place.seen.append(die)
        strange = 0
        for reading in self._readings:
            doubted: set[int] = set()
            elsewhere = False
            for reason in _doubts(reading):
                if reason.x is None or reason.y is None:
                    doubted |= set(range(len(places)))
                    continue
                near = _nearest(places, reason.x, reason.y, _NEAR)
                elsewhere |= near is None
                doubted |= {k for k, p in enumerate(places) if p is near}
            strange += elsewhere
            for k in doubted:
                places[k].doubts += 1
                places[k].noticed = True
        return places, strange


def _doubts(reading: Reading) -> list[Reason]:
    """The reasons that make a reading unsure, but for the number of dice."""
    return [r for r in reading.reasons if r.code != "count"] if reading.status is Status.UNSURE else []


def _plain(reading: Reading) -> bool:
    """Certain, or uncertain for no other reason than the number of dice."""
    return not _doubts(reading)


def _nearest(places: Sequence[_Place], x: float, y: float, share: float) -> _Place | None:
    if not places:
        return None
    place = min(places, key=lambda p: math.hypot(p.x - x, p.y - y))
    return place if place.reaches(x, y, share) else None
