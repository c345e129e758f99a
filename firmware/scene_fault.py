"""What is wrong with the table: a list, and each fault on a screen of its own with code, cause and what to do.

Room: firmware. The faults are the camera's, as the table knows them, and those that the loop tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from display.view import Message, View
from display.view import Scene as Shown
from firmware import words
from firmware.events import Handled, Seen
from firmware.intents import Action
from firmware.scene import Mode
from firmware.scene_list import Line, ListScene, Reading, not_mine
from rules.said import said as _

if TYPE_CHECKING:
    from firmware.table import Table


def faults_of(table: Table) -> tuple[Message, ...]:
    """All that is wrong now."""
    camera = table.sight.camera
    found = (
        [] if camera.delivering or not camera.code else [Message(camera.code, words.fault(camera.code, camera.words))]
    )
    return (*found, *(Message(str(c), words.fault(str(c), w)) for c, w in table.facts.get("faults", ())))


class Faults(ListScene):
    """What is wrong now; a line leads to its screen."""

    mode = Mode.FAULTS

    def lines(self, table: Table) -> Sequence[Line]:
        return [
            *(Line(f.code, take=lambda f=f: table.open(FaultScreen(f))) for f in faults_of(table)),  # type: ignore[misc]
            Line(_("Back"), take=table.close),
        ]

    def title(self, table: Table) -> str:
        return _("Service")

    def throw(self, table: Table, seen: Seen) -> Handled | None:
        return not_mine(table, seen)

    def prompt(self, table: Table) -> tuple[str, str] | None:
        if not faults_of(table):
            return _("Nothing is wrong"), _("ROLL goes back.")
        return _("What is wrong"), _("SCORE shows what to do, ROLL goes back.")


class FaultScreen(Reading):
    """One fault: its code, the cause, and what to do about it."""

    mode = Mode.FAULT
    shows = Shown.FAULT

    def __init__(self, fault: Message, *, by_itself: bool = False) -> None:
        super().__init__()
        self.fault = fault
        self.by_itself = by_itself
        """Nobody asked for it: it goes when the fault does."""

    def prompt(self, table: Table) -> tuple[str, str] | None:
        return _("Something is wrong with the table"), _("SCORE goes on without it: dice can be entered by hand.")

    def throw(self, table: Table, seen: Seen) -> Handled | None:
        """It seems to work after all."""
        table.close()
        return None

    def view(self, table: Table, actions: tuple[Action, ...]) -> View | None:
        shown = super().view(table, actions)
        assert shown is not None
        return replace(shown, message=self.fault, banners=())
