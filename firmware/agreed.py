"""What was agreed for the next game: who plays with whom, which rules, and the same once more.

Room: firmware. From the table's own settings to the record that a game begins with, and back from a game to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from firmware.events import Handled, Record
from firmware.play import Play
from firmware.words import ERASED

if TYPE_CHECKING:
    from firmware.table import Table

MAX_PLAYERS = 8


def sides(table: Table) -> list[str | list[str]]:
    """Who would play now, side by side: a name, or the list of names of a team. Sides come in the order in which their
    first players sit, and so do the players of each."""
    teams: dict[object, list[str]] = {}
    for seat, name in enumerate(table.seats()):
        teams.setdefault(team_of(table, seat), []).append(name)
    return [team[0] if len(team) == 1 else team for team in teams.values()]


def team_of(table: Table, seat: int) -> int:
    """The number of the team in which this seat plays. Who came after teams were made plays alone."""
    return table.teams[seat] if seat < len(table.teams) else MAX_PLAYERS + seat


def dealt(count: int, teams: int) -> tuple[int, ...]:
    """So many players in so many teams of about the same size; partners sit as far from each other as can be. Without
    teams ()."""
    return tuple(seat % teams for seat in range(count)) if teams else ()


def options_now(table: Table) -> dict[str, Any]:
    """The house rules of the game that is chosen, for those who would play."""
    options = dict(table.house.get(table.game, {}))
    if "head_start" in options:
        options["head_start"] = list(options["head_start"])[: len(sides(table))]
    return options


def game_record(table: Table, names: Sequence[str | Sequence[str]], first: int) -> Record:
    """The record that a game begins with. A list of names is a team."""
    players = [n if isinstance(n, str) else list(n) for n in names]
    data: dict[str, Any] = {
        "name": table.game,
        "players": players,
        "options": options_now(table),
        "first": first,
    }
    if table.practice:
        data["practice"] = True
    if table.facts.get("dice"):
        data["dice_set"] = str(table.facts["dice"])
    return Record("game", data)


def rematch(table: Table) -> Handled:
    """The same once more, without who has left; the next seat begins."""
    play = table.play
    assert play is not None
    same_again(table, play)
    here = [seat for seat, present in enumerate(play.game.present) if present]
    follows = next((n for n, seat in enumerate(here) if seat > play.first), 0)
    return table.begin(sides(table), first=follows)


def same_again(table: Table, play: Play) -> None:
    """The next game is like `play`: its people in their seats, its rules. What a host has fixed stays fixed."""
    partners = [p for p, here in zip(play.game.partners, play.game.present, strict=True) if here]
    longest = max(len(p) for p in partners)
    seats = [(p[n], side) for n in range(longest) for side, p in enumerate(partners) if n < len(p)]
    # Nobody is called as a name that was taken out of the journal.
    people = ["" if name.startswith(ERASED) else name for name, _side in seats]
    table.teams = tuple(side for _name, side in seats) if longest > 1 else ()
    table.count = min(MAX_PLAYERS, len(people))
    if table.event is None:
        table.game = play.name
        table.house[play.name] = dict(play.options)
    table.practice = play.practice
    table.name_seats([*people, *table.settings.names[len(people) :]])
