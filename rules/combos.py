"""What dice are worth that are set aside from one roll, in banking games.

Room: rules. Knows no turn and no player. The scoring table of a game is data: a list of lines from the few kinds
below. Dice may be set aside if they can be split into such lines, with no die left over; their worth is that of the
best split (YK-3 to YK-7).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, permutations, product

from rules.said import said as _

Faces = tuple[int, ...]
ALL_FACES = range(1, 7)


@dataclass(frozen=True, slots=True)
class Exactly:
    """These very faces: (1,) for a single 1, (1, 2, 3, 4, 5, 6) for a straight."""

    label: str
    faces: Faces
    points: int

    def lines(self) -> Iterator[tuple[Faces, int]]:
        yield self.faces, self.points


@dataclass(frozen=True, slots=True)
class Alike:
    """`count` dice that show one face. `points` are one number, or one for each face from 1 to 6."""

    label: str
    count: int
    points: int | tuple[int, ...]

    def lines(self) -> Iterator[tuple[Faces, int]]:
        for face in ALL_FACES:
            yield (face,) * self.count, self.worth(face)

    def worth(self, face: int) -> int:
        """The points for this face."""
        return self.points if isinstance(self.points, int) else self.points[face - 1]


@dataclass(frozen=True, slots=True)
class Shape:
    """Groups of equal dice, each of another face: (2, 2, 2) is three pairs, (3, 3) two triplets."""

    label: str
    sizes: tuple[int, ...]
    points: int

    def lines(self) -> Iterator[tuple[Faces, int]]:
        for faces in permutations(ALL_FACES, len(self.sizes)):
            yield tuple(sorted(f for f, n in zip(faces, self.sizes, strict=True) for _ in range(n))), self.points


@dataclass(frozen=True, slots=True)
class Nothing:
    """A roll of `count` dice in which no die is worth anything by any other line: it pays as a whole."""

    label: str
    count: int
    points: int

    def lines(self) -> Iterator[tuple[Faces, int]]:
        yield from ()


Combo = Exactly | Alike | Shape | Nothing


def doubled(combos: tuple[Combo, ...], dice: int) -> tuple[Combo, ...]:
    """The same table, but each die beyond three alike doubles the points of the three."""
    three = next(c for c in combos if isinstance(c, Alike) and c.count == 3)
    more = tuple(
        Alike(_("{n} alike", n=n), n, tuple(three.worth(face) * 2 ** (n - 3) for face in ALL_FACES))
        for n in range(4, dice + 1)
    )
    return tuple(c for c in combos if not isinstance(c, Alike) or c.count <= 3) + more


@lru_cache(maxsize=64)
def worth(combos: tuple[Combo, ...], dice: int) -> dict[Faces, int]:
    """Every multiset of 1 to `dice` faces that may be set aside from one roll -> its points."""
    best: dict[Faces, int] = {}
    for combo in combos:
        for faces, points in combo.lines():
            best[faces] = max(points, best.get(faces, 0))
    lines = [(Counter(faces), points) for faces, points in best.items()]
    found: dict[Faces, int] = {(): 0}
    for size in range(1, dice + 1):
        for faces in combinations_with_replacement(ALL_FACES, size):
            counted = Counter(faces)
            for line, points in lines:
                if line <= counted:
                    rest = found.get(tuple(sorted((counted - line).elements())))
                    if rest is not None:
                        found[faces] = max(found.get(faces, 0), rest + points)
    for combo in combos:
        if isinstance(combo, Nothing):
            whole = [f for f in combinations_with_replacement(ALL_FACES, combo.count) if not any(_inside(found, f))]
            found.update((faces, combo.points) for faces in whole)
    del found[()]
    return found


def _inside(worths: dict[Faces, int], faces: Faces) -> Iterator[Faces]:
    for part in parts(faces):
        if part in worths:
            yield part


@lru_cache(maxsize=1024)
def parts(faces: Faces) -> tuple[Faces, ...]:
    """Every sub-multiset of a roll (sorted faces) but the empty one."""
    counted = sorted(Counter(faces).items())
    ways = product(*(range(n + 1) for _, n in counted))
    found = (tuple(f for (f, _), n in zip(counted, way, strict=True) for _ in range(n)) for way in ways)
    return tuple(p for p in found if p)


def sets(combos: tuple[Combo, ...], dice: int, roll: Faces) -> tuple[tuple[Faces, int], ...]:
    """Every set-aside of a roll (sorted faces) with its points, the best first; () if the roll is worth nothing."""
    worths = worth(combos, dice)
    found = [(part, worths[part]) for part in parts(roll) if part in worths]
    return tuple(sorted(found, key=lambda pair: (-pair[1], len(pair[0]), pair[0])))
