"""The three ways of keeping dice: what the camera is told to expect, and how what it sees becomes the whole roll.

Room: firmware. Pure. `leave`: kept dice are left lying. `strip`: they are laid into a part of the tray. `out`: they
leave the tray, and the next throw shows exactly the rest; the marks and ROLL say which they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import rules
from firmware.events import Order, Seen
from firmware.play import Play, TableDie
from vision.types import Corners, Die

Point = tuple[float, float]

_OUT_SHARE = 0.1
"""Dice that are out are given places beside the picture, this far apart as a share of its height."""


class Way(StrEnum):
    """How dice are kept."""

    LEAVE = "leave"
    STRIP = "strip"
    OUT = "out"


@dataclass(frozen=True, slots=True)
class Keeping:
    """How dice are kept at this table; `strip` is a polygon in shares of the picture's width and height."""

    way: Way = Way.LEAVE
    strip: tuple[Point, ...] = ()

    @property
    def leave_tray(self) -> bool:
        return self.way is Way.OUT


LEFT_LYING = Keeping()


def expectation(play: Play | None, keeping: Keeping) -> Mapping[str, Any]:
    """What the eye is told (order `expect`): `dice` in view, the `strip`, whether the throw that is awaited is a turn's
    first and must be of all dice (`fresh`), and whether a `turn` is under way."""
    if play is None or play.game.outcome() is not None:
        return {"dice": None, "strip": None, "fresh": False, "turn": False}
    game = play.game
    dice = play.all_dice - (len(play.stayed) if keeping.leave_tray else 0)
    # All dice that were set aside: they are thrown again.
    dice = dice or play.all_dice
    begins = play.banking and isinstance(game.awaiting, rules.Roll) and not game.rolls_made and play.asked is None
    return {
        "dice": dice,
        "strip": [list(point) for point in keeping.strip] if keeping.way is Way.STRIP else None,
        "fresh": begins,
        "turn": game.rolls_made > 0,
    }


def throw_order(play: Play, keeping: Keeping) -> Order:
    """What the simulated tray is to do: kept dice stay where they lie, are laid into the strip, or leave the tray; and
    the others are thrown."""
    if keeping.leave_tray:
        return Order("throw", {"dice": expectation(play, keeping)["dice"], "kept": [], "places": []})
    places = [list(die.centre) for die in play.lying if die.centre]
    args = {"dice": play.all_dice, "kept": [die.value for die in play.lying], "places": places}
    if keeping.way is Way.STRIP:
        args["strip"] = [list(point) for point in keeping.strip]
    return Order("throw", args)


def whole(seen: Seen, play: Play | None, keeping: Keeping) -> Seen:
    """What was seen, and with it the dice that are out of the tray: as if they had been left lying."""
    reading = seen.event.reading
    if not keeping.leave_tray or play is None or reading is None or not reading.dice or not play.stayed:
        return seen
    out = tuple(_beside(die, n, seen) for n, die in enumerate(play.stayed))
    event = replace(
        seen.event,
        reading=replace(reading, dice=(*reading.dice, *out)),
        kept=tuple(sorted((*seen.event.kept, *(die.value for die in out)))),
    )
    return replace(seen, event=event)


def beside(corners: Corners | None) -> bool:
    """Are these the corners of a die that is out of the tray?"""
    return corners is not None and corners[0][0] < 0.0


def _beside(die: TableDie, n: int, seen: Seen) -> Die:
    """A die that is out, in a place of its own left of the picture, the same every time."""
    half = 0.3 * _OUT_SHARE * seen.height
    x, y = -2.0 * half, (n + 0.5) * _OUT_SHARE * seen.height
    corners = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    return Die(die.raw, die.confidence, x, y, corners)
