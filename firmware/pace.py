"""Time at the table: a shot clock that decides nothing, and what happens when nobody is there.

Room: firmware. The time is handed in; it knows no clock.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from display.view import Message
from firmware.events import Handled, Record
from firmware.scene_attract import Attract
from firmware.scene_list import Around
from rules.said import said as _

if TYPE_CHECKING:
    from firmware.table import Table

IDLE_S = 600.0
"""After so long without a press and without a change in the tray the table invites whoever passes."""
KEPT_S = 3600.0
"""So long a game that was left alone is kept."""


def run_clock(table: Table, t: float) -> None:
    """The shot clock: from one move to the next. It stands while a menu is open."""
    clock_s = table.event.clock_s if table.event is not None else 0
    if not clock_s or table.play is None or table.over:
        table.clock_left = table.clock_from = None
        return
    if table.clock_from is None:
        table.clock_from, table.clock_left = t, clock_s
    if isinstance(table.scene, Around):
        table.clock_from = t - (clock_s - (table.clock_left or 0))
        return
    left = max(0, math.ceil(clock_s - (t - table.clock_from)))
    if left == 0 and table.clock_left:
        table.message = Message("TIME", _("{name}: time is up. Throw or choose now.", name=table.play.game.thrower))
    table.clock_left = left


def left_alone(table: Table, t: float) -> Handled:
    """Nobody has pressed anything, and nothing has changed in the tray: invite; and at last give the game up."""
    if table.stirred:
        table.stirred, table.stirred_at = False, t
        return Handled()
    if t - table.stirred_at < IDLE_S:
        return Handled()
    if not isinstance(table.scene, Attract):
        # A form that is half filled in is found again; menus are not.
        table.open_scenes = [s for s in table.open_scenes if s.lasts]
        table.message = None
        table.open(Attract())
    if table.play is None or t - table.stirred_at < KEPT_S:
        return Handled()
    table.leave()
    table.open(Attract())
    return Handled((Record("leave"),))
