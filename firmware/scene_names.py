"""Who sits where: names are entered letter by letter, with the buttons of any panel.

Room: firmware. It knows no journal: names that are remembered are handed in by whoever opens it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from display.view import MenuItem
from firmware.events import Handled, Intent
from firmware.events import IntentKind as I
from firmware.intents import Action
from firmware.scene import Mode, Scene
from hardware.buttons import HOLDS, Button
from rules.said import said as _

if TYPE_CHECKING:
    from firmware.table import Table

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÅÆÇÉÈÊËÍÏŁÑÓÖØŚÜŻ -'.0123456789"
"""What a name may be made of, in the order in which the buttons turn to it."""
JUMP = 6
"""HOLD 3 and 4 turn by so many letters at once."""
LONGEST = 12


class Names(Scene):
    """The seats' names, one after the other.

    UP and DOWN turn the letter, ROLL takes it and goes on to the next, SCORE is content with the name.
    """

    mode = Mode.NAMES

    def __init__(self, names: tuple[str, ...], seat: int = 0) -> None:
        self.names = list(names)
        self.seat = seat
        self.draft = ""
        self.at = 0

    @property
    def letter(self) -> str:
        return LETTERS[self.at]

    @property
    def shown(self) -> str:
        """The name as far as it is entered, with the letter under the cursor."""
        return _cased(self.draft + self.letter)

    def press(self, table: Table, intent: Intent) -> Handled:
        match intent.kind:
            case I.UP | I.DOWN if intent.arg is None:
                self.at = (self.at + (1 if intent.kind is I.DOWN else -1)) % len(LETTERS)
            case I.UP | I.DOWN:
                self.at = (self.at + int(intent.arg or 0)) % len(LETTERS)
            case I.NEXT:
                if len(self.draft) + 1 >= LONGEST:
                    return table.refuse("NAME_LONG")
                if self.letter == " " and not self.draft.strip():
                    return table.refuse("NAME_BLANK")
                self.draft, self.at = self.draft + self.letter, 0
            case I.BACK:
                if not self.draft:
                    return table.close()
                self.at = LETTERS.index(self.draft[-1])
                self.draft = self.draft[:-1]
            case I.PICK if isinstance(intent.arg, str) and intent.arg in LETTERS and len(intent.arg) == 1:
                self.at = LETTERS.index(intent.arg)
                return self.press(table, Intent(I.NEXT, None, intent.revision, intent.t))
            case I.SCORE:
                return self.done(table)
            case I.UNDO:
                return table.close()
            case _:
                return table.refuse("NOT_HERE")
        return Handled()

    @property
    def entered(self) -> str:
        """The letters that were taken, as a name is written; "" if there are none."""
        return " ".join(_cased(self.draft).split())

    def done(self, table: Table) -> Handled:
        """SCORE: the name is as it should be."""
        # Without a letter taken the name stays as it was: a row of presses on SCORE changes nothing.
        if self.draft:
            name = self.entered
            if name in (n for i, n in enumerate(self.names) if i != self.seat):
                return table.refuse("NAME_TAKEN")
            self.names[self.seat] = name
        table.name_seats(self.names)
        self.seat, self.draft, self.at = self.seat + 1, "", 0
        if self.seat == len(self.names):
            return table.close()
        return Handled()

    def actions(self, table: Table, layout: int) -> list[Action]:
        made = [
            Action(Button.SCORE, I.SCORE, _("that is the name") if self.draft else _("keep the name")),
            Action(Button.ROLL, I.NEXT, _("take the letter")),
            Action(Button.ROLL, I.BACK, _("letter back") if self.draft else _("done"), long=True),
        ]
        if layout == 3:
            hold = Button.HOLD1
            return [
                *made,
                Action(hold, I.DOWN, _("next letter")),
                Action(hold, I.DOWN, _("on by six"), JUMP, long=True),
            ]
        made += [
            Action(HOLDS[0], I.UP, _("letter before")),
            Action(HOLDS[1], I.DOWN, _("next letter")),
            Action(HOLDS[2], I.UP, _("back by six"), -JUMP),
            Action(HOLDS[3], I.DOWN, _("on by six"), JUMP),
        ]
        if layout == 11:
            made += [
                Action(Button.UP, I.UP, _("letter before")),
                Action(Button.DOWN, I.DOWN, _("next letter")),
                Action(Button.UNDO, I.UNDO, _("done")),
            ]
        return made

    def prompt(self, table: Table) -> tuple[str, str] | None:
        return (
            _("Player {n}: what is your name?", n=self.seat + 1),
            _("ROLL takes the letter, SCORE ends the name."),
        )

    def menu(self, table: Table) -> tuple[MenuItem, ...]:
        return tuple(
            MenuItem(name if i != self.seat else self.shown, "", selected=i == self.seat)
            for i, name in enumerate(self.names)
        )


def _cased(name: str) -> str:
    """As names are written: a capital at the beginning of each part."""
    made, start = "", True
    for letter in name:
        made += letter if start else letter.lower()
        start = letter in " -'."
    return made
