"""While nobody plays: an invitation, the best of the night, how to start, and the language.

Room: firmware. Nothing is decided here; a game that was left alone lies beneath and is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import rules
from display.view import GridView
from display.view import Scene as Shown
from firmware import handling, words
from firmware.events import Handled, Intent, Order, Seen
from firmware.events import IntentKind as I
from firmware.intents import Action
from firmware.language import LANGUAGES
from firmware.scene import Mode
from firmware.scene_list import Around, Reading
from hardware.buttons import HOLDS, Button
from rules.said import all_of
from rules.said import said as _
from rules.said import said_n as _n

if TYPE_CHECKING:
    from firmware.table import Table

NAME = "dicetable"
BEYOND = len(HOLDS) + 1
"""The first number of players for which no HOLD button of its own is left."""


def counted_by_hold() -> list[Action]:
    """HOLD 1 to 6 say how many play; the last one, held, means more than there are buttons."""
    more = _("7 or 8 players")
    return [
        *(Action(b, I.COUNT, _n("1 player", "{n} players", n), n) for n, b in enumerate(HOLDS, 1)),
        Action(HOLDS[-1], I.COUNT, more, BEYOND, long=True, repeats=True),
    ]


class Attract(Around):
    """SCORE begins, or goes on with the game that lies beneath; HOLD says how many play; ROLL changes the language."""

    mode = Mode.ATTRACT
    shows = Shown.ATTRACT

    def press(self, table: Table, intent: Intent) -> Handled:
        match intent.kind:
            case I.SCORE | I.BACK | I.NEXT | I.UNDO:
                return table.close()
            case I.COUNT if isinstance(intent.arg, int):
                done = table.close()
                return table.scene.press(table, intent) if table.play is None else done
            case I.LANGUAGE:
                return next_language(table)
            case I.MENU:
                return table.open(HowTo())
            case _:
                return table.refuse("NOT_HERE")

    def throw(self, table: Table, seen: Seen) -> Handled | None:
        """Somebody has come back to the game and throws."""
        table.close()
        return None

    def actions(self, table: Table, layout: int) -> list[Action]:
        made = [
            Action(Button.SCORE, I.SCORE, _("play") if table.play is None else _("go on")),
            Action(Button.ROLL, I.LANGUAGE, _("language")),
            Action(Button.SCORE, I.MENU, _("how to play"), long=True),
        ]
        fresh = table.play is None
        if layout != 3:
            return [*made, *counted_by_hold()] if fresh else made
        made.append(Action(Button.HOLD1, I.NEXT, _("play") if fresh else _("go on")))
        # The lobby opens with one player, and counts on while the button stays down.
        count = Action(Button.HOLD1, I.COUNT, _("1, 2, 3 … players"), 1, long=True, repeats=True)
        return [*made, count] if fresh else made

    def title(self, table: Table) -> str:
        return table.event.name if table.event and table.event.name else NAME

    def prompt(self, table: Table) -> tuple[str, str] | None:
        code = str(table.facts.get("language", "en"))
        follows = LANGUAGES[_after(code)]
        # i18n: names of languages stand in their own language, so that whoever needs it finds it.
        other = f"{LANGUAGES[code]} · {follows}"
        if table.play is not None:
            names = all_of(table.play.players)
            return _("{names}: press SCORE to go on", names=names), _("The game is kept for an hour.")
        return _("Press SCORE to play"), _("ROLL changes the language: {languages}", languages=other)

    def grid(self, table: Table) -> GridView | None:
        return best_of_night(table)


def best_of_night(table: Table) -> GridView | None:
    """The best results of this evening, the highest first; None while there is none."""
    night = table.facts.get("night") or ()
    if not night:
        return None
    titles = {g.name: g.title for g in rules.games()}
    rows = tuple((name, titles.get(game, game), words.figure(int(points))) for name, points, game in night)
    return GridView((_("Best of the night"), _("Game"), _("Points")), rows, (0,))


def _after(code: str) -> str:
    codes = list(LANGUAGES)
    return codes[(codes.index(code) + 1) % len(codes)] if code in codes else codes[0]


def next_language(table: Table, by: int = 1) -> Handled:
    """The table speaks the next language from now on."""
    codes = list(LANGUAGES)
    code = codes[(codes.index(str(table.facts.get("language", "en"))) + by) % len(codes)]
    return set_key(table, "language", code)


def set_key(table: Table, key: str, value: object) -> Handled:
    """Change what a menu can change. The loop sees to it; the table only remembers what it is."""
    table.facts[key] = value
    return Handled(orders=(Order("set", {"key": key, "value": value}),))


class HowTo(Reading):
    """How to play at this table, by hands and buttons."""

    mode = Mode.HOWTO

    def paragraphs(self, table: Table) -> tuple[str, ...]:
        play = table.play
        game = play.game if play is not None else rules.new(table.game, ["A"])
        return handling.lines(game, int(table.facts.get("buttons", 8)))

    def prompt(self, table: Table) -> tuple[str, str] | None:
        return _("How to play here"), _("SCORE goes back.")


class Best(Reading):
    """The best results of this evening."""

    mode = Mode.BEST
    shows = Shown.GRID

    def length(self, table: Table) -> int:
        found = best_of_night(table)
        return len(found.rows) if found is not None else 0

    def grid(self, table: Table) -> GridView | None:
        return best_of_night(table)

    def prompt(self, table: Table) -> tuple[str, str] | None:
        if best_of_night(table) is None:
            return _("No game has ended this evening"), _("SCORE goes back.")
        return _("The best of the night"), _("SCORE goes back.")
