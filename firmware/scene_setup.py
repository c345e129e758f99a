"""What is agreed before a game: which game, house rules, teams, practice, dice; and the rules as they are played then.

Room: firmware. Games and options are the rules' own tables; here is how they are set with buttons.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import rules
from firmware.events import Handled
from firmware.language import LANGUAGES
from firmware.scene import Mode
from firmware.scene_attract import Attract, Best, HowTo, next_language, set_key
from firmware.scene_list import BY_MANY, Line, ListScene, Reading
from firmware.scene_seats import Seats
from firmware.scene_teams import Teams, next_teams, shape
from firmware.words import ORDERS
from rules.said import said as _
from rules.said import said_as as _as

if TYPE_CHECKING:
    from firmware.table import Table

from firmware.agreed import MAX_PLAYERS

HIDDEN = ("first", "upper_first")
"""Options that are not offered: who begins is the rematch's business, and `upper_first` is short for an order."""
PICTURES = {
    "yardzee": (5, 5, 5),
    "yahtzee": (6, 6, 6),
    "classic": (1, 1, 1),
    "kniffel": (3, 3, 3),
    "yatzy": (4, 4, 2),
    "yacht": (2, 2, 2),
    "maxi_yatzy": (1, 2, 3, 4, 5, 6),
    "yardkle": (1, 5, 1),
    "zilch": (1, 1, 1),
    "farkle": (5, 1, 5),
}
"""Game -> the dice that stand for it."""
SHORT: dict[str, str] = {
    "any": _as("order of boxes", "any"),
    **ORDERS,
    "seat": _("the same seat"),
    "roll_off": _("all throw for it"),
    "rotate": _("goes round"),
    "roll_off_rotate": _("a throw, then round"),
    "lower_first": _("lower section first"),
    "any_box": _("own box, then any"),
    "free": _("any box"),
    "none": _("nothing special"),
}
"""Choices of options in a few words, as they stand beside the option."""
JOKER_SHORT = {**SHORT, "lower_first": _("own box, then below")}


class Setup(ListScene):
    """All that is agreed before a game."""

    mode = Mode.SETUP

    def lines(self, table: Table) -> Sequence[Line]:
        info = game_info(table)
        yes_no = (_("no"), _("yes"))

        def game(by: int) -> Handled:
            names = [g.name for g in rules.games()]
            table.game = names[(names.index(table.game) + by) % len(names)]
            return Handled()

        def count(by: int) -> Handled:
            table.count = (table.count - 1 + by) % MAX_PLAYERS + 1
            return Handled()

        def practice(_by: int) -> Handled:
            table.practice = not table.practice
            return Handled()

        def dice(by: int) -> Handled:
            sets = [str(s) for s in table.facts.get("dice_sets", ())]
            at = sets.index(str(table.facts.get("dice"))) if table.facts.get("dice") in sets else 0
            return set_key(table, "dice", sets[(at + by) % len(sets)])

        # What a host has fixed for the evening is not offered.
        fixed = table.event is not None
        chosen = [
            Line(_("Game"), info.title, take=lambda: table.open(Games()), turn=game),
            Line(_("House rules"), take=lambda: table.open(House())),
        ]
        lines = [
            *(() if fixed else chosen),
            Line(_("The rules as you play them"), take=lambda: table.open(Rules())),
            Line(_("Players"), str(table.count), turn=count),
            Line(_("Names and seats"), take=lambda: table.open(Seats())),
            Line(
                _("Teams"),
                shape(table) or _("no"),
                take=lambda: table.open(Teams()) if table.count > 1 else table.refuse("TEAMS_FEW"),
                turn=lambda by: next_teams(table, by),
            ),
        ]
        if not fixed:
            lines.append(Line(_("Practice, without a record"), yes_no[table.practice], turn=practice))
        if len(table.facts.get("dice_sets", ())) > 1:
            lines.append(Line(_("Dice"), str(table.facts.get("dice", "")), turn=dice))
        return [
            *lines,
            Line(_("How to play here"), take=lambda: table.open(HowTo())),
            Line(_("The best of the night"), take=lambda: table.open(Best())),
            Line(_("Language"), language_name(table), turn=lambda n: next_language(table, n)),
            Line(_("To the invitation"), take=lambda: self._attract(table)),
        ]

    def _attract(self, table: Table) -> Handled:
        table.close()
        return table.open(Attract())

    def prompt(self, table: Table) -> tuple[str, str] | None:
        return _("What do you play?"), _("ROLL goes back, and SCORE begins there.")


class Games(ListScene):
    """Each game with a picture and two lines."""

    mode = Mode.GAMES

    def __init__(self) -> None:
        super().__init__()
        self.fresh = True

    def lines(self, table: Table) -> Sequence[Line]:
        if self.fresh:
            # The cursor stands on the game that is chosen.
            self.fresh, self.at = False, [g.name for g in rules.games()].index(table.game)
        return [
            Line(g.title, more=g.blurb, dice=PICTURES.get(g.name, (6,)), take=lambda n=g.name: self._choose(table, n))  # type: ignore[misc]
            for g in rules.games()
        ]

    def _choose(self, table: Table, name: str) -> Handled:
        table.game = name
        return table.close()

    def prompt(self, table: Table) -> tuple[str, str] | None:
        return _("Which game?"), _("SCORE takes it, ROLL goes back.")


class House(ListScene):
    """The options of the game that is chosen, each with its sentence."""

    mode = Mode.HOUSE

    def lines(self, table: Table) -> Sequence[Line]:
        lines = []
        for option in game_info(table).options:
            if option.name in HIDDEN:
                continue
            if option.kind == "points":
                given = sum(1 for p in value_of(table, option) if p)
                shown: str = str(given) if given else _("nobody")
                lines.append(Line(option.sentence, shown, take=lambda o=option: table.open(HeadStart(o))))  # type: ignore[misc]
            else:
                change: Callable[[int], Handled] = lambda by, o=option: turn(table, o, by)  # type: ignore[misc]  # noqa: E731
                many = option.kind == "number" and option.high - option.low > 2 * BY_MANY * option.step
                lines.append(Line(option.sentence, shown_value(table, option), turn=change, many=many))
        changed = bool(table.house.get(table.game))
        return [*lines, Line(_("As in the book again"), take=lambda: self._reset(table), enabled=changed)]

    def _reset(self, table: Table) -> Handled:
        table.house.pop(table.game, None)
        return Handled()

    def title(self, table: Table) -> str:
        return game_info(table).title

    def prompt(self, table: Table) -> tuple[str, str] | None:
        return _("House rules"), _("SCORE changes the marked line, ROLL goes back.")


class HeadStart(ListScene):
    """Points that a player has at the start, for each seat."""

    mode = Mode.HEAD_START

    def __init__(self, option: rules.Option) -> None:
        super().__init__()
        self.option = option

    def lines(self, table: Table) -> Sequence[Line]:
        option, given = self.option, value_of(table, self.option)

        def change(seat: int, by: int) -> Handled:
            points = [given[i] if i < len(given) else 0 for i in range(len(table.sides()))]
            steps = 1000 // (5 * option.step)  # 1000 points ahead are more than anybody wants
            points[seat] = (points[seat] // (5 * option.step) + by) % (steps + 1) * 5 * option.step
            put(table, option, tuple(points))
            return Handled()

        return [
            Line(name, str(given[seat] if seat < len(given) else 0), turn=lambda by, s=seat: change(s, by), many=True)  # type: ignore[misc]
            for seat, name in enumerate(" & ".join([side] if isinstance(side, str) else side) for side in table.sides())
        ]

    def prompt(self, table: Table) -> tuple[str, str] | None:
        return _("Who has points ahead?"), _("SCORE changes the marked line, ROLL goes back.")


class Rules(Reading):
    """The rules with the options that are set; of the game that is under way, if one is."""

    mode = Mode.RULES

    def paragraphs(self, table: Table) -> tuple[str, ...]:
        return as_played(table).rulebook()

    def title(self, table: Table) -> str:
        return as_played(table).title

    def prompt(self, table: Table) -> tuple[str, str] | None:
        return _("The rules as you play them"), _("SCORE goes back.")


def as_played(table: Table) -> rules.Game:
    """The game that is under way, or else the one that would begin now."""
    if table.play is not None:
        return table.play.game
    return rules.new(table.game, table.sides(), **table.options_now())


def game_info(table: Table) -> rules.GameInfo:
    return next(g for g in rules.games() if g.name == table.game)


def language_name(table: Table) -> str:
    return LANGUAGES.get(str(table.facts.get("language", "en")), "English")


def value_of(table: Table, option: rules.Option) -> Any:
    """What is set for an option."""
    return table.house.get(table.game, {}).get(option.name, option.default)


def put(table: Table, option: rules.Option, value: Any) -> None:
    """Set an option; what is as in the book is not kept."""
    chosen = {k: v for k, v in table.house.get(table.game, {}).items() if k != option.name}
    book = tuple(value) == () or not any(value) if option.kind == "points" else value == option.default
    if not book:
        chosen[option.name] = value
    table.house[table.game] = chosen


def turn(table: Table, option: rules.Option, by: int) -> Handled:
    """Go `by` steps on from what is set; after the last comes the first."""
    now = value_of(table, option)
    match option.kind:
        case "flag":
            put(table, option, not now)
        case "choice":
            put(table, option, option.choices[(option.choices.index(now) + by) % len(option.choices)])
        case _:
            count = (option.high - option.low) // option.step + 1
            put(table, option, option.low + ((now - option.low) // option.step + by) % count * option.step)
    return Handled()


def shown_value(table: Table, option: rules.Option) -> str:
    """What is set, in a word or two."""
    value = value_of(table, option)
    if option.kind == "flag":
        return _("yes") if value else _("no")
    if option.kind == "choice":
        short = JOKER_SHORT if option.name == "joker" else SHORT
        return short.get(str(value), str(value))
    return str(value)
