"""What was agreed for the next game: who plays with whom, which rules, and the same once more.

Room: firmware. From the table's own settings to the record that a game begins with, and back from a game to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from firmware.events import Handled, Record
from firmware.play import Play

if TYPE_CHECKING:
    from firmware.table import Table

MAX_PLAYERS = 8


def sides(table: Table) -> list[str | list[str]]:
    """Who would play now, seat by seat; partners sit opposite each other."""
    names, half = table.seats(), table.count // 2
    if table.teams and table.count >= 4 and table.count % 2 == 0:
        return [[names[i], names[i + half]] for i in range(half)]
    return list(names)


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
    people = [p[0] for p in partners] + [p[1] for p in partners if len(p) > 1]
    table.teams = all(len(p) == 2 for p in partners)
    if not table.teams:
        people = [" & ".join(p) for p in partners]
    table.count = min(MAX_PLAYERS, len(people))
    if table.event is None:
        table.game = play.name
        table.house[play.name] = dict(play.options)
    table.practice = play.practice
    table.name_seats([*people, *table.settings.names[len(people) :]])
