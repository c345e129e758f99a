"""Scenes that look at the parts: what the camera sees, what the buttons do, and the calibration of the tray.

Room: firmware. They show what the loop measured and what the camera process answered; they touch no device.
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
from firmware.scene_attract import set_key
from firmware.scene_list import Around, Line, ListScene
from hardware.buttons import LAYOUTS, Button
from rules.said import said as _
from rules.said import said_as as _as
from rules.said import sentence

if TYPE_CHECKING:
    from firmware.table import Table


def tray_seen(table: Table) -> TrayView:
    """The tray's picture with every die that the reader makes out."""
    sight = table.sight
    dice = tuple(DieView(n, d.value, d.corners, doubtful=d.confidence < 0.9) for n, d in enumerate(sight.guess, 1))
    spots = tuple((where, words.place(r.code)) for where, r in sight.spots)
    return TrayView(None, dice, words.STATES[sight.tray], sight.camera.delivering, spots)


class _Quiet(ListScene):
    """A list of the service menu in which dice may be thrown; nothing comes of it."""

    def title(self, table: Table) -> str:
        return _("Service")

    def throw(self, table: Table, seen: Seen) -> Handled | None:
        return Handled()


class CameraTest(_Quiet):
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


class Calibrate(_Quiet):
    """The tray is learnt step by step: empty, then with the dice apart. The camera process does it and answers with a
    fact, (step, code, words): an empty code says that it went well."""

    mode = Mode.CALIBRATE
    pictured = True
    measures = True

    def __init__(self) -> None:
        super().__init__()
        self.step = "empty"
        self.waits = False

    def tray(self, table: Table) -> TrayView:
        return tray_seen(table)

    def tick(self, table: Table, t: float) -> None:
        """See whether the camera process has answered."""
        answer = table.facts.pop("calibration", None) if self.waits else None
        if answer is None:
            return
        step, code, said = answer
        self.waits = False
        if code:
            from display.view import Message

            table.message = Message(str(code), words.fault(str(code), sentence(str(said))))
        elif step == self.step:
            self.step = {"empty": "throw", "throw": "use"}[self.step]
        table.revision += 1

    def lines(self, table: Table) -> Sequence[Line]:
        steps = (
            ("empty", _("1. Empty the tray, hands away")),
            ("throw", _("2. Throw the dice apart")),
            ("use", _("3. Use what was learnt")),
        )
        at = [s for s, _words in steps].index(self.step)
        self.at = at
        done = (_("done"), _("now"), "–")
        return [
            Line(label, done[(i > at) + (i >= at)], take=lambda: self._go(table), enabled=i == at)
            for i, (_step, label) in enumerate(steps)
        ]

    def _go(self, table: Table) -> Handled:
        if self.waits:
            return table.refuse("CAL_WAIT")
        if self.step == "use":
            table.close()
            # What was learnt anew knows one set of dice only: a name chosen before would not be found in it.
            table.facts["dice_sets"] = ()
            any_dice = set_key(table, "dice", "")
            used = set_key(table, "camera.calibration", table.facts.get("calibration_file", ""))
            return Handled(orders=(*any_dice.orders, *used.orders))
        self.waits = True
        table.facts.pop("calibration", None)
        args = {"step": self.step, "file": table.facts.get("calibration_file", "")}
        return Handled(orders=(Order("calibrate", args),))

    def prompt(self, table: Table) -> tuple[str, str] | None:
        if self.waits:
            return _("The camera looks: keep your hands away"), _("ROLL goes back.")
        prompts = {
            "empty": _("Take everything out of the tray"),
            "throw": _("Throw the dice so that they lie apart"),
            "use": _("Tray and dice are learnt"),
        }
        return prompts[self.step], _("Then press SCORE. ROLL goes back.")
