"""Who sits where: names from those that the table remembers, or letter by letter; and seats that change places.

Room: firmware. The names that are remembered are a fact that the loop tells the table; it knows no journal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from firmware.events import Handled
from firmware.events import IntentKind as I
from firmware.intents import Action
from firmware.scene import Mode
from firmware.scene_list import Line, ListScene
from firmware.scene_names import Names
from rules.said import said as _

if TYPE_CHECKING:
    from firmware.table import Table

Then = Callable[[str], Handled]
REMEMBERED = 40
"""So many names are offered; a longer list is no help."""


class Seats(ListScene):
    """A line for each seat: SCORE names it, less and more let it change places with its neighbour."""

    mode = Mode.SEATS

    def lines(self, table: Table) -> Sequence[Line]:
        seats = table.seats()
        made = [self._line(table, seat, name) for seat, name in enumerate(seats)]
        return [*made, Line(_("All names, letter by letter"), take=lambda: table.open(Names(seats)))]

    def _line(self, table: Table, seat: int, name: str) -> Line:
        def named(new: str) -> Handled:
            names = list(table.seats())
            names[seat] = new
            table.name_seats(names)
            return Handled()

        def moved(by: int) -> Handled:
            names = list(table.seats())
            other = (seat + (1 if by > 0 else -1)) % len(names)
            names[seat], names[other] = names[other], names[seat]
            table.name_seats(names)
            self.at = other
            return Handled()

        others = [n for i, n in enumerate(table.seats()) if i != seat]
        label: str = _("Seat {n}", n=seat + 1)
        return Line(label, name, take=lambda: table.open(PickName(others, named)), turn=moved)

    def prompt(self, table: Table) -> tuple[str, str] | None:
        return _("Who sits where?"), _("SCORE names a seat, ROLL goes back.")


class PickName(ListScene):
    """A name from those that the table remembers, or a new one. `taken` are not offered."""

    mode = Mode.PICK_NAME

    def __init__(self, taken: Sequence[str], then: Then) -> None:
        super().__init__()
        self.taken = tuple(taken)
        self.then = then

    def lines(self, table: Table) -> Sequence[Line]:
        known = [str(n) for n in table.facts.get("names", ()) if n not in self.taken][:REMEMBERED]
        new = Line(_("A new name"), take=lambda: table.open(OneName(self.taken, lambda n: self._pick(table, n))))
        return [new, *(Line(n, take=lambda n=n: self._pick(table, n)) for n in known)]  # type: ignore[misc]

    def _pick(self, table: Table, name: str) -> Handled:
        known = [str(n) for n in table.facts.get("names", ())]
        table.facts["names"] = (name, *(n for n in known if n != name))
        while self in table.open_scenes:
            table.close()
        return self.then(name)

    def prompt(self, table: Table) -> tuple[str, str] | None:
        return _("Which name?"), _("SCORE takes the marked line.")


class OneName(Names):
    """One name, letter by letter."""

    mode = Mode.NAME
    lasts = False

    def __init__(self, taken: Sequence[str], then: Then) -> None:
        super().__init__(("",))
        self.taken = tuple(taken)
        self.then = then

    def done(self, table: Table) -> Handled:
        name = self.entered
        if not name:
            return table.refuse("NAME_BLANK")
        if name in self.taken:
            return table.refuse("NAME_TAKEN")
        return self.then(name)

    def prompt(self, table: Table) -> tuple[str, str] | None:
        return _("What is your name?"), _("ROLL takes the letter, SCORE ends the name.")

    def actions(self, table: Table, layout: int) -> list[Action]:
        # There is no name yet that could be kept.
        return [
            replace(a, words=_("that is the name")) if a.intent is I.SCORE else a
            for a in super().actions(table, layout)
        ]

    def may(self, table: Table, action: Action) -> bool:
        return action.intent is not I.SCORE or bool(self.entered)
