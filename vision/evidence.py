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
_DOUBT_LIMIT = 0.5
"""A die must be certain in more than this share of the readings that say anything about its place."""


@dataclass(slots=True)
class _Place:
    """One spot where a die was seen: the certain sightings, and how often it was doubted."""

    x: float
    y: float
    edge_px: float
    seen: list[Die] = field(default_factory=list)
    doubts: int = 0

    def face(self) -> Die | None:
        """The die that is sure to lie here, or None. Each sighting with another face asks for two more."""
        if not self.seen:
            return None
        value, votes = Counter(d.value for d in self.seen).most_common(1)[0]
        against = len(self.seen) - votes
        if votes < _ENOUGH + 2 * against or votes <= _DOUBT_LIMIT * (votes + self.doubts):
            return None
        return next(d for d in reversed(self.seen) if d.value == value)


class Evidence:
    """Collects the readings of one rest.

    `expected` is how many dice should lie there, None if nobody knows. `known` are dice that were certain before and
    that nothing has touched since: they need no new sightings, but sightings of another face count against them.
    """

    def __init__(self, expected: int | None, known: Sequence[Die] = ()) -> None:
        self._expected = expected
        self._readings: list[Reading] = []
        self._places = [_Place(d.x, d.y, identity.edge_px(d), [d] * _ENOUGH) for d in known]
        self._strange: list[Reason] = []

    def __len__(self) -> int:
        return len(self._readings)

    def add(self, reading: Reading) -> Reading | None:
        """Take one more reading of a separate frame. Returns what is certain by now, None while nothing is.

        The answer's status is `read`, `empty`, or `unsure` with the reason `count` where all that lies there is
        certain but is not the number expected.
        """
        self._readings.append(reading)
        unsure = reading.status is Status.UNSURE
        doubts = [r for r in reading.reasons if unsure and r.code != "count"]
        doubted = [self._place_of(r.x, r.y) for r in doubts if r.x is not None and r.y is not None]
        for place in doubted:
            if place is not None:
                place.doubts += 1
        self._strange += [
            r for r, place in zip([r for r in doubts if r.x is not None], doubted, strict=True) if place is None
        ]
        whole = any(r.x is None for r in doubts)
        for die in reading.dice:
            place = self._place_of(die.x, die.y, _SAME_PLACE)
            if place is None:
                place = _Place(die.x, die.y, identity.edge_px(die))
                self._places.append(place)
            # In a reading that is unsure as a whole, dark or not sharp, no die is certain; near a doubt neither.
            if whole or any(self._near(die, r) for r in doubts):
                place.doubts += whole
            else:
                place.seen.append(die)
        return self._verdict(reading)

    def _verdict(self, last: Reading) -> Reading | None:
        found = [place.face() for place in self._places]
        dice = tuple(die for die in found if die is not None)
        if self._expected is not None and len(dice) == self._expected and self._nothing_else():
            return Reading(Status.READ, dice, (), last.ms)
        if len(self._readings) < _ENOUGH:
            return None
        one = self._readings[-2]
        if not (
            _plain(one) and _plain(last) and len(one.dice) == len(last.dice) and identity.agree(one.dice, last.dice)
        ):
            return None
        if any(place.face() is None for place in self._places if any(self._holds(place, d) for d in last.dice)):
            return None
        if not last.dice:
            return Reading(Status.EMPTY, (), (), last.ms) if not any(p.face() for p in self._places) else None
        if self._expected is not None and len(last.dice) != self._expected:
            return Reading(Status.UNSURE, last.dice, (Reason("count"),), last.ms)
        return Reading(Status.READ, last.dice, last.reasons if last.status is Status.READ else (), last.ms)

    def _nothing_else(self) -> bool:
        """Whether no other place may hold a die, and nothing strange was seen more often than not."""
        half = 0.5 * len(self._readings)
        others = [p for p in self._places if p.face() is None]
        return all(len(p.seen) + p.doubts < half for p in others) and len(self._strange) < half

    def _place_of(self, x: float | None, y: float | None, reach: float = _NEAR) -> _Place | None:
        if x is None or y is None or not self._places:
            return None
        nearest = min(self._places, key=lambda p: math.hypot(p.x - x, p.y - y))
        return nearest if self._inside(nearest, x, y, reach) else None

    @staticmethod
    def _inside(place: _Place, x: float, y: float, reach: float) -> bool:
        return math.hypot(place.x - x, place.y - y) <= reach * place.edge_px

    def _holds(self, place: _Place, die: Die) -> bool:
        return self._inside(place, die.x, die.y, _SAME_PLACE)

    @staticmethod
    def _near(die: Die, reason: Reason) -> bool:
        if reason.x is None or reason.y is None:
            return False
        return math.hypot(die.x - reason.x, die.y - reason.y) <= _NEAR * identity.edge_px(die)


def _plain(reading: Reading) -> bool:
    """Certain, or uncertain for no other reason than the number of dice."""
    return reading.status is not Status.UNSURE or all(r.code == "count" for r in reading.reasons)
