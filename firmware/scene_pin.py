"""The PIN before the service menu: digits from 1 to 6, one HOLD button each, or turned to with the one HOLD.

Room: firmware. The PIN is the configuration's; it keeps guests out, not burglars.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from display.view import FormView, View
from display.view import Scene as Shown
from firmware.events import Handled, Intent
from firmware.events import IntentKind as I
from firmware.intents import Action
from firmware.scene import Mode
from firmware.scene_list import Around
from firmware.scene_service import Service
from hardware.buttons import HOLDS, Button
from rules.said import said as _

if TYPE_CHECKING:
    from firmware.table import Table

DIGITS = "123456"


class Pin(Around):
    """As many digits as the PIN has; then it is right or wrong."""

    mode = Mode.PIN
    shows = Shown.NAME

    def __init__(self, pin: str) -> None:
        self.pin = pin
        self.entered = ""
        self.at = 0

    def press(self, table: Table, intent: Intent) -> Handled:
        match intent.kind:
            case I.VALUE if isinstance(intent.arg, int) and 1 <= intent.arg <= 6:
                return self._digit(table, str(intent.arg))
            case I.PICK if isinstance(intent.arg, str) and intent.arg in DIGITS and intent.arg:
                return self._digit(table, intent.arg)
            case I.DOWN:
                self.at = (self.at + 1) % len(DIGITS)
            case I.SCORE:
                return self._digit(table, DIGITS[self.at])
            case I.ROLL | I.BACK | I.UNDO:
                return table.close()
            case _:
                return table.refuse("NOT_HERE")
        return Handled()

    def _digit(self, table: Table, digit: str) -> Handled:
        self.entered += digit
        if len(self.entered) < len(self.pin):
            return Handled()
        if self.entered != self.pin:
            self.entered = ""
            return table.refuse("PIN_WRONG")
        table.close()
        return table.open(Service())

    def actions(self, table: Table, layout: int) -> list[Action]:
        made = [Action(Button.ROLL, I.BACK, _("back"))]
        if layout == 3:
            return [
                *made,
                Action(Button.HOLD1, I.DOWN, _("next digit")),
                Action(Button.SCORE, I.SCORE, _("take the digit")),
            ]
        return [*made, *(Action(b, I.VALUE, _("digit {n}", n=n), n) for n, b in enumerate(HOLDS, 1))]

    def prompt(self, table: Table) -> tuple[str, str] | None:
        return _("Enter the PIN"), _("ROLL goes back.")

    def view(self, table: Table, actions: tuple[Action, ...]) -> View | None:
        from dataclasses import replace

        shown = super().view(table, actions)
        assert shown is not None
        stars = "*" * len(self.entered)
        return replace(shown, form=FormView(stars + DIGITS[self.at], DIGITS[self.at], DIGITS))
