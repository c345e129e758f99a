"""Boxes of a score card: which dice fit one, and what it then pays.

Room: rules. A box is data: a pattern from the few below and what it pays. Nothing here knows a turn or a player.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Faces = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Face:
    """The dice that show `face`; any number of them fits, none as well (that pays 0)."""

    face: int

    def used(self, counts: Sequence[int]) -> int | None:
        return counts[self.face] * self.face


@dataclass(frozen=True, slots=True)
class Groups:
    """Groups of equal dice, every group of another face: (3,) is three alike, (3, 2) a full house, (2, 2) two pairs.

    More dice of a face than a group needs are no hindrance. Of several ways the one with the highest sum counts.
    With `alike`, dice that all show one face fit as well (the house rule for the full house).
    """

    sizes: tuple[int, ...]
    alike: bool = False

    def used(self, counts: Sequence[int]) -> int | None:
        if self.alike and max(counts) == sum(counts) >= sum(self.sizes):
            return counts.index(max(counts)) * sum(self.sizes)
        return _groups(self.sizes, tuple(counts), frozenset())


def _groups(sizes: tuple[int, ...], counts: tuple[int, ...], taken: frozenset[int]) -> int | None:
    if not sizes:
        return 0
    best: int | None = None
    for face in range(1, 7):
        if face not in taken and counts[face] >= sizes[0]:
            rest = _groups(sizes[1:], counts, taken | {face})
            if rest is not None and (best is None or rest + face * sizes[0] > best):
                best = rest + face * sizes[0]
    return best


@dataclass(frozen=True, slots=True)
class Run:
    """At least `length` faces in sequence, wherever it begins."""

    length: int

    def used(self, counts: Sequence[int]) -> int | None:
        for low in range(7 - self.length, 0, -1):
            if all(counts[low : low + self.length]):
                return sum(range(low, low + self.length))
        return None


@dataclass(frozen=True, slots=True)
class These:
    """Each of these faces at least once: (1, 2, 3, 4, 5) is the small straight of Scandinavian games."""

    faces: Faces

    def used(self, counts: Sequence[int]) -> int | None:
        return sum(self.faces) if all(counts[f] for f in self.faces) else None


@dataclass(frozen=True, slots=True)
class AllAlike:
    """All dice of the game show the same face."""

    def used(self, counts: Sequence[int]) -> int | None:
        return counts.index(max(counts)) * sum(counts) if max(counts) == sum(counts) else None


@dataclass(frozen=True, slots=True)
class Anything:
    """Any dice at all."""

    def used(self, counts: Sequence[int]) -> int | None:
        return sum(f * n for f, n in enumerate(counts))


Pattern = Face | Groups | Run | These | AllAlike | Anything


@dataclass(frozen=True, slots=True)
class Box:
    """One box of a card.

    `pays`: a fixed number of points, "all" (the sum of all dice) or "used" (the sum of the dice that the pattern
    needs); dice that do not fit pay 0. `joker` is the same for five alike used as a joker. `needs` says in a few
    words what is missing when the dice pay nothing.
    """

    key: str
    label: str
    section: Literal["upper", "lower"]
    pattern: Pattern
    pays: int | Literal["all", "used"] = "used"
    joker: int | Literal["all"] | None = None
    needs: str = ""

    @property
    def face(self) -> int | None:
        """The face that an upper box collects, None for other boxes."""
        return self.pattern.face if isinstance(self.pattern, Face) else None


def count(dice: Faces) -> tuple[int, ...]:
    """How many dice show each face: index 0 is unused, 1 to 6 are the faces."""
    counts = [0] * 7
    for face in dice:
        counts[face] += 1
    return tuple(counts)


def score(box: Box, dice: Faces) -> int:
    """What these dice pay in this box, with no joker at work."""
    used = box.pattern.used(count(dice))
    if used is None:
        return 0
    if box.pays == "all":
        return sum(dice)
    return used if box.pays == "used" else box.pays


def joker_score(box: Box, dice: Faces) -> int:
    """What dice that are all alike pay in this box as a joker; an upper box of another face pays 0."""
    if box.joker is None:
        return score(box, dice)
    return sum(dice) if box.joker == "all" else box.joker
