"""The list of games, and how a game is made by name.

Room: rules. Knows where the tables of the games are, and not what is in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rules.banking import Banking, Pad
from rules.catalogue import SHEETS
from rules.catalogue_banking import PADS
from rules.engine import Names, check_names
from rules.errors import BadOption, UnknownGame
from rules.game import Game
from rules.options import Option, Value, settle
from rules.scorecard import Scorecard
from rules.sheet import Sheet

GAMES: dict[str, Sheet | Pad] = {s.name: s for s in SHEETS} | {p.name: p for p in PADS}


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A game that can be played: `dice` dice, a sentence about it, and its options."""

    name: str
    title: str
    family: str
    dice: int
    blurb: str
    options: tuple[Option, ...]


def games() -> tuple[GameInfo, ...]:
    """All games, in the order of a menu."""
    return tuple(GameInfo(s.name, s.title, s.family, s.dice, s.blurb, s.options) for s in GAMES.values())


def find(name: str) -> Sheet | Pad:
    """A game's data. Raises UnknownGame."""
    sheet = GAMES.get(name)
    if sheet is None:
        raise UnknownGame("GAME-01", f"there is no game {name!r}: games are {', '.join(GAMES)}")
    return sheet


def new(name: str, players: Sequence[str | Sequence[str]], **options: object) -> Game:
    """A new game (or match, with the option `games`).

    `players` are names in the order of seats; a list of names in it is a team that shares a seat and a card.
    Raises UnknownGame, BadPlayers or BadOption, all of them ValueErrors with a code and words.
    """
    sheet = find(name)
    settings = settle(sheet.options, options, sheet.title)
    if settings.get("upper_first"):
        if settings["order"] not in ("any", "upper_first"):
            raise BadOption("OPT-02", f"upper_first contradicts order={settings['order']!r}: give one of them")
        settings["order"] = "upper_first"
    if "upper_first" in settings:
        settings["upper_first"] = settings["order"] == "upper_first"
    return Game(_engine(sheet, tuple(settings.items()), check_names(players)))


@lru_cache(maxsize=32)
def _engine(sheet: Sheet | Pad, settings: tuple[tuple[str, Value], ...], names: Names) -> Scorecard | Banking:
    if isinstance(sheet, Sheet):
        return Scorecard(sheet, dict(settings), names)
    return Banking(sheet, dict(settings), names)
