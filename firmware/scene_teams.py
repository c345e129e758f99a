"""Who plays with whom: teams of any size share a card, and their players take turns throwing.

Room: firmware. How a team plays is the rules' business; here is who belongs to which.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from firmware.agreed import dealt, sides, team_of
from firmware.events import Handled
from firmware.scene import Mode
from firmware.scene_list import Line, ListScene
from rules.said import said as _

if TYPE_CHECKING:
    from firmware.table import Table


class Teams(ListScene):
    """A line for each player: SCORE, less and more change the team."""

    mode = Mode.TEAMS

    def lines(self, table: Table) -> Sequence[Line]:
        numbers = labelled(table)
        return [
            Line(_("All in teams"), shape(table) or _("no"), turn=lambda by: next_teams(table, by)),
            *(
                Line(name, _("team {n}", n=numbers[seat] + 1), turn=lambda by, s=seat: joins_team(table, s, by))  # type: ignore[misc]
                for seat, name in enumerate(table.seats())
            ),
        ]

    def prompt(self, table: Table) -> tuple[str, str] | None:
        return _("Who plays with whom?"), _("SCORE changes the marked line, ROLL goes back.")


def numbered(table: Table) -> tuple[int, ...]:
    """The team of each seat, numbered from 0 in the order in which their first players sit."""
    order: dict[int, int] = {}
    return tuple(order.setdefault(team_of(table, seat), len(order)) for seat in range(table.count))


def labelled(table: Table) -> tuple[int, ...]:
    """The team of each seat as it was chosen. Numbers stay what they are while players change teams one by one, so that
    each team comes by in turn."""
    chosen = tuple(team_of(table, seat) for seat in range(table.count))
    return chosen if max(chosen) < table.count else numbered(table)


def joins_team(table: Table, seat: int, by: int) -> Handled:
    """The player in this seat goes to the next team, or to one of his own after the last."""
    teams = list(labelled(table))
    teams[seat] = (teams[seat] + by) % table.count
    table.teams = tuple(teams) if len(set(teams)) < len(teams) else ()
    return Handled()


def next_teams(table: Table, by: int) -> Handled:
    """Other teams of about the same size: nobody in a team, then two teams, and so on; all in one comes last."""
    if table.count < 2:
        return table.refuse("TEAMS_FEW")
    wanted = [0, *range(2, table.count), 1]
    now = numbered(table)
    count = next((n for n in wanted if n and dealt(table.count, n) == now), 0)
    table.teams = dealt(table.count, wanted[(wanted.index(count) + by) % len(wanted)])
    return Handled()


def shape(table: Table) -> str:
    """How many play in each team, such as 2 + 2; "" while everybody plays alone."""
    sizes = [1 if isinstance(side, str) else len(side) for side in sides(table)]
    return " + ".join(map(str, sizes)) if max(sizes) > 1 else ""
