"""The menu of a game that is under way: pause, rules, who joins, who leaves, and the end before the end.

Room: firmware. Joining and leaving are moves of the rules; here is who is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from firmware.events import Handled, Record
from firmware.scene import Mode
from firmware.scene_attract import Attract, Best, HowTo, next_language
from firmware.scene_list import Line, ListScene, Sure
from firmware.scene_seats import PickName
from firmware.scene_setup import Rules, language_name
from rules.said import said as _

if TYPE_CHECKING:
    from firmware.table import Table


class Pause(ListScene):
    """What can be done besides playing."""

    mode = Mode.PAUSE

    def lines(self, table: Table) -> Sequence[Line]:
        play = table.play
        assert play is not None
        lines = [
            Line(_("Go on"), take=table.close),
            Line(_("The rules as you play them"), take=lambda: table.open(Rules())),
            Line(_("How to play here"), take=lambda: table.open(HowTo())),
        ]
        if not table.over:
            lines += [
                Line(_("A player joins"), take=lambda: table.open(PickName(play.players, lambda n: joins(table, n)))),
                Line(_("A player leaves"), take=lambda: table.open(Leaves()), enabled=sum(play.game.present) > 1),
            ]
        return [
            *lines,
            Line(_("Pause: keep the game for an hour"), take=lambda: self._pause(table)),
            Line(_("End the game now"), take=lambda: table.open(End())),
            Line(_("The best of the night"), take=lambda: table.open(Best())),
            Line(_("Language"), language_name(table), turn=lambda n: next_language(table, n)),
        ]

    def _pause(self, table: Table) -> Handled:
        table.close()
        return table.open(Attract())

    def prompt(self, table: Table) -> tuple[str, str] | None:
        return _("Menu of this game"), _("SCORE takes the marked line, ROLL goes back.")


class Leaves(ListScene):
    """Who leaves? The card stays, and is ranked no more."""

    mode = Mode.LEAVES

    def lines(self, table: Table) -> Sequence[Line]:
        play = table.play
        assert play is not None
        return [
            Line(name, take=lambda s=seat: table.accept([Record("leave_seat", {"seat": s})]))  # type: ignore[misc]
            for seat, name in enumerate(play.players)
            if play.game.present[seat]
        ]

    def prompt(self, table: Table) -> tuple[str, str] | None:
        return _("Who leaves the game?"), _("SCORE takes the marked line, ROLL goes back.")


class End(Sure):
    """The game ends before its end: nobody wins it."""

    mode = Mode.END

    def __init__(self) -> None:
        super().__init__(_("End this game now?"), _("Yes, nobody wins it"), ends)


def joins(table: Table, name: str) -> Handled:
    """A player of this name joins in a new seat after the last one."""
    return table.accept([Record("join", {"name": name})])


def ends(table: Table) -> Handled:
    """The game is left."""
    table.leave()
    return Handled((Record("leave"),))
