"""What is worked out once for a card: what every roll pays in it, and which of a roll's dice can be kept.

Room: rules. Knows no turn and no player. Only tables, so that a move is a few look-ups; 252 rolls for five dice, 462
for six.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations_with_replacement, product

from rules.boxes import Box, Groups, joker_score, score
from rules.moves import Faces, Keep, Score
from rules.sheet import Sheet


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """What one roll (sorted faces) can do: it pays `plain[i]` in box i, and `joker[i]` as a joker.

    `alike` is the face that all its dice show, or 0. `keeps` are all ways to keep dice of it, the fewest dice first,
    and `parts` the same as faces.
    """

    roll: Faces
    plain: tuple[int, ...]
    joker: tuple[int, ...]
    alike: int
    keeps: tuple[Keep, ...]
    parts: frozenset[Faces]


@dataclass(frozen=True, slots=True, eq=False)
class Printed:
    """A card: its boxes, a Line for every roll, and sets of boxes as bits.

    `thrown` are the Lines of throws that were met, dice in any order. `scores` pairs each box with its move, column
    after column; `listed` are those moves for sets of open boxes that were met; `own` has the
    bit of the upper box of each face.
    """

    boxes: tuple[Box, ...]
    table: dict[Faces, Line]
    thrown: dict[Faces, Line]
    index: dict[str, int]
    scores: tuple[tuple[int, Score], ...]
    listed: dict[int, tuple[Score, ...]]
    own: dict[int, int]
    upper: int
    lower: int
    alike_at: int


@lru_cache(maxsize=64)
def printed(sheet: Sheet, alike_full_house: bool, columns: int) -> Printed:
    """The card of a game with these options."""
    boxes = sheet.boxes
    if alike_full_house:
        boxes = tuple(_alike_too(b) if b.key == "full_house" else b for b in boxes)
    n = len(boxes)
    index = {b.key: i for i, b in enumerate(boxes)}
    upper = sum(1 << i for i, b in enumerate(boxes) if b.section == "upper")
    return Printed(
        boxes=boxes,
        table={roll: _line(boxes, roll) for roll in combinations_with_replacement(range(1, 7), sheet.dice)},
        thrown={},
        index=index,
        scores=tuple((1 << c * n + i, Score(b.key, c)) for c in range(columns) for i, b in enumerate(boxes)),
        listed={},
        own={b.face: 1 << i for i, b in enumerate(boxes) if b.face is not None},
        upper=upper,
        lower=(1 << n) - 1 - upper,
        alike_at=index.get(sheet.alike_box, -1),
    )


def _alike_too(box: Box) -> Box:
    assert isinstance(box.pattern, Groups)
    return replace(box, pattern=replace(box.pattern, alike=True))


def _line(boxes: tuple[Box, ...], roll: Faces) -> Line:
    plain = tuple(score(b, roll) for b in boxes)
    alike = roll[0] if roll[0] == roll[-1] else 0
    joker = tuple(joker_score(b, roll) for b in boxes) if alike else plain
    keeps = _keeps(roll)
    return Line(roll, plain, joker, alike, keeps, frozenset(k.faces for k in keeps))


@lru_cache(maxsize=1024)
def _keeps(roll: Faces) -> tuple[Keep, ...]:
    counted = sorted(Counter(roll).items())
    ways = product(*(range(n + 1) for _, n in counted))
    kept = (tuple(f for (f, _), n in zip(counted, way, strict=True) for _ in range(n)) for way in ways)
    return tuple(_keep(k) for k in sorted(kept, key=lambda k: (len(k), k)))


@lru_cache(maxsize=1024)
def _keep(faces: Faces) -> Keep:
    return Keep(faces)
