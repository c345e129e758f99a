"""A throw that was not accepted: the players say whether it counts.

Room: firmware. What is wrong with it stands in the message; one press answers, and so does putting the dice right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.events import Handled, Intent, Seen
from firmware.events import IntentKind as I
from firmware.intents import Action, undo_actions
from firmware.scene import Mode, Scene
from hardware.buttons import Button
from rules.said import said as _

if TYPE_CHECKING:
    from display.view import Message
    from firmware.table import Table


class Ask(Scene):
    """SCORE: it counts as it lies, which the journal records. ROLL: it does not count."""

    mode = Mode.ASK

    def __init__(self, code: str, message: Message | None) -> None:
        self.code = code
        self.message = message

    def press(self, table: Table, intent: Intent) -> Handled:
        match intent.kind:
            case I.SCORE:
                return table.overrule()
            case I.ROLL | I.BACK | I.UNDO:
                table.refused = None
                table.close()
                # On `sim` ROLL throws, and here it means: throw again.
                return table.throw_again() if intent.kind is I.ROLL else Handled()
            case I.CORRECT:
                return table.open_entry(overruled=self.code)
            case _:
                # What is asked stays on the screen.
                table.message = self.message
                return Handled()

    def throw(self, table: Table, seen: Seen) -> Handled | None:
        """Dice thrown once more are judged anew."""
        table.close()
        table.message = None
        return None

    def actions(self, table: Table, layout: int) -> list[Action]:
        return [
            Action(Button.SCORE, I.SCORE, _("yes, it counts")),
            Action(Button.ROLL, I.ROLL, _("no, throw again")),
            Action(Button.SCORE, I.CORRECT, _("enter the dice"), long=True),
            *undo_actions(layout),
        ]
