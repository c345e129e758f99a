"""Scenes that look at the parts: what the camera sees, and what the buttons do.

Room: firmware. They show what the loop measured; they touch no device.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from display.view import DieView, GridView, TrayView
from display.view import Scene as Shown
from firmware import words
from firmware.events import Handled, Intent, Order, Seen
from firmware.events import IntentKind as I
from firmware.intents import Action
from firmware.scene import Mode
from firmware.scene_list import Around, Line, ListScene
from hardware.buttons import LAYOUTS, Button
from rules.said import said as _
from rules.said import said_as as _as

if TYPE_CHECKING:
    from firmware.table import Table


def tray_seen(table: Table) -> TrayView:
    """The tray's picture with every die that the reader makes out."""
    sight = table.sight
    dice = tuple(DieView(n, d.value, d.corners, doubtful=d.confidence < 0.9) for n, d in enumerate(sight.guess, 1))
    spots = tuple((where, words.place(r.code)) for where, r in sight.spots)
    return TrayView(None, dice, words.STATES[sight.tray], sight.camera.delivering, spots)


class Quiet(ListScene):
    """A list of the service menu in which dice may be thrown; nothing comes of it."""

    def title(self, table: Table) -> str:
        return _("Service")

    def throw(self, table: Table, seen: Seen) -> Handled | None:
        return Handled()


class CameraTest(Quiet):
    """The camera's picture with what is read in it, the tray's state and the rate of frames."""

    mode = Mode.CAMERA
    pictured = True
    measures = True

    def tray(self, table: Table) -> TrayView:
        return tray_seen(table)

    def lines(self, table: Table) -> Sequence[Line]:
        sight = table.sight
        reading = sight.reading
        values = words.faces(reading.values) if reading is not None and reading.values else "–"
        doubts = ", ".join(dict.fromkeys(r.code for r in reading.reasons)) if reading is not None else ""
        return [
            Line(_("State"), words.STATES[sight.tray], take=lambda: self._look()),
            Line(_("Reads"), values, take=lambda: self._look()),
            Line(_("Doubts"), doubts or "–", take=lambda: self._look()),
            Line(_("Pictures a second"), str(table.facts.get("fps", 0.0)), take=lambda: self._look()),
        ]

    def _look(self) -> Handled:
        return Handled(orders=(Order("look"),))

    def prompt(self, table: Table) -> tuple[str, str] | None:
        return _("What the camera sees"), _("SCORE reads again, ROLL goes back.")


class ButtonTest(Around):
    """Every button with its level, presses and short pulses. Here no button does anything but ROLL, held."""

    mode = Mode.BUTTONS
    shows = Shown.GRID
    measures = True

    def __init__(self) -> None:
        self.pressed = 0

    def press(self, table: Table, intent: Intent) -> Handled:
        if intent.kind in (I.BACK, I.UNDO):
            return table.close()
        self.pressed += 1
        return Handled()

    def actions(self, table: Table, layout: int) -> list[Action]:
        return [Action(Button.ROLL, I.BACK, _("back"), long=True)]

    def title(self, table: Table) -> str:
        return _("Service")

    def throw(self, table: Table, seen: Seen) -> Handled | None:
        return Handled()

    def grid(self, table: Table) -> GridView | None:
        facts, layout = table.facts, int(table.facts.get("buttons", 8))
        levels, presses, noise = (facts.get(name, {}) for name in ("levels", "presses", "noise"))
        buttons = LAYOUTS[layout]
        rows = tuple(
            (
                _printed(b, layout),
                _as("level of a button", "pressed") if levels.get(b) else _as("level of a button", "free"),
                str(presses.get(b, 0)),
                str(noise.get(b, 0)),
            )
            for b in buttons
        )
        down = tuple(i for i, b in enumerate(buttons) if levels.get(b))
        return GridView((_("Button"), _("now"), _("presses"), _("noise")), rows, down)

    def prompt(self, table: Table) -> tuple[str, str] | None:
        return _("Press every button"), _("Noise: pulses too short for a press. ROLL held goes back.")


def _printed(button: Button, layout: int) -> str:
    if layout == 3 and button is Button.HOLD1:
        return "HOLD"
    return button.name if not button.name.startswith("HOLD") else f"HOLD {button.name[-1]}"
