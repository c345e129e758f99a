"""The result: a game is over, until it is played again, taken back or left.

Room: firmware. Who has won is the rules' to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.events import Handled, Intent, Record
from firmware.events import IntentKind as I
from firmware.intents import Action, undo_actions
from firmware.scene import Mode, Scene
from hardware.buttons import Button
from rules.said import said as _

if TYPE_CHECKING:
    from firmware.table import Table


class Result(Scene):
    """Who has won. SCORE begins a rematch, in which the next player goes first."""

    mode = Mode.RESULT

    def press(self, table: Table, intent: Intent) -> Handled:
        match intent.kind:
            case I.SCORE:
                return table.rematch()
            case I.ROLL | I.BACK:
                table.leave()
                return Handled((Record("leave"),))
            case I.UNDO:
                return table.undo()
            case _:
                return table.refuse("NOT_HERE")

    def actions(self, table: Table, layout: int) -> list[Action]:
        return [
            Action(Button.SCORE, I.SCORE, _("play again")),
            Action(Button.ROLL, I.ROLL, _("change players")),
            *undo_actions(layout),
        ]
