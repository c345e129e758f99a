"""The lobby: how many play. All else that is agreed before a game is one press away (`firmware.scene_setup`).

Room: firmware. What is asked before a game begins; it knows no dice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.agreed import MAX_PLAYERS
from firmware.events import Handled, Intent
from firmware.events import IntentKind as I
from firmware.intents import Action
from firmware.scene import Mode, Scene
from firmware.scene_attract import BEYOND, Attract, counted_by_hold
from firmware.scene_names import Names
from firmware.scene_setup import Setup
from hardware.buttons import Button
from rules.said import said as _

if TYPE_CHECKING:
    from firmware.table import Table


class Menu(Scene):
    """How many play, and which game."""

    mode = Mode.MENU

    def press(self, table: Table, intent: Intent) -> Handled:
        match intent.kind:
            case I.COUNT if intent.arg is None:
                table.count = table.count % MAX_PLAYERS + 1
            case I.COUNT if intent.arg == BEYOND and table.count == BEYOND:
                table.count = MAX_PLAYERS
            case I.COUNT if isinstance(intent.arg, int):
                table.count = max(1, min(MAX_PLAYERS, intent.arg))
            case I.UP | I.NEXT:
                table.count = min(MAX_PLAYERS, table.count + 1)
            case I.DOWN:
                table.count = max(1, table.count - 1)
            case I.GAME | I.MENU:
                return table.open(Setup())
            case I.NAMES:
                return table.open(Names(table.seats()))
            case I.BACK | I.UNDO:
                return table.open(Attract())
            case I.SCORE:
                return table.begin(table.sides(), first=0)
            case _:
                return table.refuse("NOT_HERE")
        return Handled()

    def actions(self, table: Table, layout: int) -> list[Action]:
        made = [
            Action(Button.SCORE, I.SCORE, _("start")),
            Action(Button.ROLL, I.COUNT, _("one more player")),
            Action(Button.ROLL, I.GAME, _("game and rules"), long=True),
            Action(Button.SCORE, I.NAMES, _("names"), long=True),
        ]
        if layout == 3:
            return [
                *made,
                Action(Button.HOLD1, I.DOWN, _("one player less")),
                Action(Button.HOLD1, I.COUNT, _("1, 2, 3 … players"), long=True, repeats=True),
            ]
        made += counted_by_hold()
        if layout == 11:
            made += [
                Action(Button.UP, I.UP, _("one more")),
                Action(Button.DOWN, I.DOWN, _("one less")),
                Action(Button.UNDO, I.UNDO, _("to the invitation")),
            ]
        return made
