"""What the network of bodies says about a reading: that it bears it out, or that it denies it.

Room: vision. Knows what the network saw (`bodies.py`) and the dice read; no pixels, no pips.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vision.bodies import FILLS, NO_DIE, Bodies
from vision.identity import edge_px
from vision.types import Die, Reason

_BODY, _NO_BODY = 0.75, 0.5
"""Dice are borne out if the network holds them for dice by more than the first (on path-traced trays coins reach that),
and nothing beside them by more than the second."""

_LOST, _LOST_IN_SOFT = 0.94, 0.88
"""What looks so much like a die to the network, over its whole area, and was not read, is asked about; by the second in
a picture that is not sharp, where pips run together. Of 400 made and path-traced pictures that were read right 4 have a
place of the first kind, of 75 that were not 5."""


def are_borne_out(seen: Bodies, dice: Sequence[Die]) -> bool:
    """Are all of these dice, and no others, what the network sees?"""
    alone = seen.beside([(die.x, die.y, edge_px(die)) for die in dice])[0] < _NO_BODY
    return alone and all(seen.likeness(die.x, die.y) > _BODY for die in dice)


def contradicted(
    seen: Bodies, dice: Sequence[Die], shorter_px: int, any_number: bool, is_soft: Callable[[], bool]
) -> list[Reason]:
    """Dice that the network holds for none, in a picture whose shorter side is `shorter_px` long; and what it is sure
    is one where none was read, or less sure if the picture `is_soft`. That is not asked if not `any_number` could be
    there, but all that are have been read.
    """
    places = [(die.x, die.y, edge_px(die)) for die in dice]
    doubted = [(x, y) for x, y, edge in places if edge < FILLS * shorter_px and seen.likeness(x, y) < NO_DIE]
    if any_number:
        sure, x, y = seen.beside(places)
        doubted += [(x, y)] if sure > _LOST or (sure > _LOST_IN_SOFT and is_soft()) else []
    return [Reason("disagree", round(x, 1), round(y, 1)) for x, y in doubted]
