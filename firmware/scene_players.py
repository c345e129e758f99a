"""The names that the table remembers: a host calls one otherwise, or takes it out of the journal.

Room: firmware. The names are facts that the loop tells; what is done to the journal are orders.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from firmware.events import Handled, Order, Seen
from firmware.scene import Mode
from firmware.scene_list import Line, ListScene, Sure, not_mine
from firmware.scene_seats import OneName, Then
from rules.said import said as _

if TYPE_CHECKING:
    from firmware.table import Table


class OfService(ListScene):
    """A list that belongs to the service menu."""

    def title(self, table: Table) -> str:
        return _("Service")

    def throw(self, table: Table, seen: Seen) -> Handled | None:
        return not_mine(table, seen)


class Players(OfService):
    """The names that the table remembers; a line leads to what can be done about it."""

    mode = Mode.PLAYERS

    def lines(self, table: Table) -> Sequence[Line]:
        return [
            *(Line(n, take=lambda n=n: table.open(OnePlayer(n))) for n in remembered(table)),  # type: ignore[misc]
            Line(_("Back"), take=table.close),
        ]

    def prompt(self, table: Table) -> tuple[str, str] | None:
        if not remembered(table):
            return _("Nobody is remembered yet"), _("ROLL goes back.")
        return _("Who is remembered"), _("SCORE takes the marked line, ROLL goes back.")


class OnePlayer(OfService):
    """What can be done about one of them."""

    mode = Mode.PLAYER

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def lines(self, table: Table) -> Sequence[Line]:
        others = [n for n in remembered(table) if n != self.name]
        return [
            Line(
                _("Another name"), take=lambda: self._if_away(table, NewName(others, self.name, self._renamed(table)))
            ),
            Line(_("Forget the name"), take=lambda: self._if_away(table, Forget(self.name))),
            Line(_("Back"), take=table.close),
        ]

    def _if_away(self, table: Table, scene: ListScene | OneName) -> Handled:
        """Whoever is on a card on the screen stays who he is."""
        play = table.play
        if play is not None and any(self.name in partners for partners in play.game.partners):
            return table.refuse("PLAYS_NOW")
        return table.open(scene)

    def _renamed(self, table: Table) -> Then:
        def renamed(new: str) -> Handled:
            table.close()
            table.close()
            table.facts["names"] = tuple(new if n == self.name else n for n in remembered(table))
            table.name_seats([new if n == self.name else n for n in table.settings.names])
            return Handled(orders=(Order("rename", {"old": self.name, "new": new}),))

        return renamed

    def prompt(self, table: Table) -> tuple[str, str] | None:
        return self.name, _("SCORE takes the marked line, ROLL goes back.")


class NewName(OneName):
    """What somebody is called from now on."""

    def __init__(self, taken: Sequence[str], name: str, then: Then) -> None:
        super().__init__(taken, then)
        self.name = name

    def prompt(self, table: Table) -> tuple[str, str] | None:
        return _("What is {name} called from now on?", name=self.name), _("ROLL takes the letter, SCORE ends the name.")


class Forget(Sure):
    """The name is taken out of the journal for good; the points stay, as somebody's."""

    mode = Mode.FORGET

    def __init__(self, name: str) -> None:
        def done(table: Table) -> Handled:
            table.close()
            table.close()
            table.facts["names"] = tuple(n for n in remembered(table) if n != name)
            table.name_seats(["" if n == name else n for n in table.settings.names])
            return Handled(orders=(Order("forget", {"name": name}),))

        super().__init__(_("Forget {name} for good?", name=name), _("Yes, only the points stay"), done)

    def throw(self, table: Table, seen: Seen) -> Handled | None:
        return not_mine(table, seen)


def remembered(table: Table) -> tuple[str, ...]:
    """The names that the table remembers, the last who played first."""
    return tuple(str(n) for n in table.facts.get("names", ()))
