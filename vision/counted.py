"""What the number of dice tells: with every die found and sure, whatever else looks a little like one is none.

Room: vision. Knows a reading and how many dice there are; no pixels. It takes doubts away and never changes a value.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from vision.types import Die, Reading, Reason, Status

_SURE = 0.75
"""Confidence that each die needs. A count must not be made up by a die that is doubtful itself."""

_APART = 1.25
"""Edges from a die's centre within which a doubt is about that die: its value, its sides, what lies under it."""

_GHOSTS = frozenset({"disagree", "glare", "small"})
"""Doubts that ask whether something is a die. The others say what is wrong with a die or the picture, and stay."""


def settle(dice: Sequence[Die], reasons: Sequence[Reason], expected: int | None) -> tuple[list[Reason], list[Reason]]:
    """Reasons that are left, and notices made of those that the count `expected` answers.

    Only where exactly that many dice are sure and every doubt lies apart from all of them: then a die in doubt would be
    one too many. A single other doubt (a die that leans, one cut off, a picture that is not sharp) leaves all as it is.
    """
    left = list(reasons)
    if not expected or len(dice) != expected or not left:
        return left, []
    if any(die.confidence < _SURE for die in dice) or any(r.code not in _GHOSTS for r in left):
        return left, []
    for reason in left:
        if reason.x is None or reason.y is None:
            return left, []
        if any(math.hypot(reason.x - die.x, reason.y - die.y) < _APART * _edge(die) for die in dice):
            return left, []
    return [], [Reason("foreign", reason.x, reason.y) for reason in left]


def agree(some: Sequence[Die], others: Sequence[Die]) -> bool:
    """Is each of some dice, of one picture, also among the others, with its value?"""
    return all(
        any(die.value == o.value and math.hypot(die.x - o.x, die.y - o.y) < 0.25 * _edge(o) for o in others)
        for die in some
    )


def counted(reading: Reading, expected: int | None) -> Reading:
    """A reading where so many dice are `expected`: in doubt if there are more or fewer, but without any it is empty."""
    codes = {r.code for r in reading.reasons}
    if reading.status is Status.UNSURE and not reading.dice and codes <= {"count"}:
        return replace(reading, status=Status.EMPTY, reasons=())
    if expected in (None, len(reading.dice)) or reading.status is Status.EMPTY or "count" in codes:
        return reading
    doubts = reading.reasons if reading.status is Status.UNSURE else ()
    return replace(reading, status=Status.UNSURE, reasons=(*doubts, Reason("count")))


def _edge(die: Die) -> float:
    return max(math.dist(a, b) for a, b in zip(die.corners, die.corners[1:] + die.corners[:1], strict=True))
