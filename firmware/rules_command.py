"""Print the rules of a game as this table plays them, on the terminal or as a card of one page to print.

Room: firmware. The sentences are the rules' own (`Game.rulebook`); here is only how they are laid out.
"""

from __future__ import annotations

import argparse
import shutil
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import rules
from firmware import config as configuration
from firmware.errors import Fault
from firmware.language import LANGUAGES, Language, language

WIDEST = 88
"""Lines longer than this, in characters, are hard to read, however wide the terminal is."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="a game's name (default: the configuration's)")
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration (default: the user's)")
    parser.add_argument("--lang", choices=list(LANGUAGES), help="the language (default: the configuration's)")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a rule that is played otherwise, as in --option opening=500; again for each",
    )
    parser.add_argument("--pdf", type=Path, metavar="FILE", help="write a card of one page instead")
    parser.add_argument("--list", action="store_true", help="list the games and their options instead")


def run(args: argparse.Namespace) -> int:
    config = configuration.load(args.config)
    said = language(args.lang or config.language)
    if args.list:
        print(_list(said))
        return 0
    game = game_of(args.game or config.game, args.option)
    if args.pdf is not None:
        from firmware.rules_card import write_card

        try:
            write_card(args.pdf, game, said, config.panel.buttons)
        except OSError as error:
            raise Fault("CARD-01", f"{args.pdf} can't be written ({error.strerror}).", "Name another file.") from error
        print(args.pdf)
        return 0
    print(text_of(game, said, min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns)))
    return 0


def game_of(name: str, changes: Sequence[str]) -> rules.Game:
    """A game with the options that are played. Raises Fault CFG-03 for a game, CARD-02 for an option that there is
    not, or that can't have that value."""
    info = next((g for g in rules.games() if g.name == name), None)
    if info is None:
        known = ", ".join(g.name for g in rules.games())
        raise Fault("CFG-03", f"there is no game {name!r} for this table.", f"There are: {known}.")
    known_options = {o.name: o for o in info.options}
    chosen: dict[str, Any] = {}
    for change in changes:
        key, _, value = change.partition("=")
        option = known_options.get(key)
        if option is None:
            raise Fault("CARD-02", f"{name} has no option {key!r}.", f"It has: {', '.join(known_options)}.")
        chosen[key] = _value(value, option.kind)
    try:
        return rules.new(name, players=["Ann", "Bo"], **chosen)
    except rules.RulesError as error:
        raise Fault("CARD-02", f"{error.words}.", "`dicetable rules --list` shows what is allowed.") from error


def _value(text: str, kind: str) -> object:
    """What somebody means who writes `text`; whether it is allowed is for the rules to say."""
    if kind == "flag":
        return {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}.get(
            text.lower(), text
        )
    if kind == "number" and text.lstrip("-").isdigit():
        return int(text)
    if kind == "points" and all(part.strip().isdigit() for part in text.split(",")):
        return tuple(int(part) for part in text.split(","))
    return text


def text_of(game: rules.Game, said: Language, columns: int) -> str:
    """The rules as text, each sentence a paragraph of its own, at most `columns` wide."""
    title = said.say(game.title)
    lines = [title, "=" * len(title)]
    for paragraph in game.rulebook():
        lines += ["", *textwrap.wrap(said.say(paragraph), columns)]
    return "\n".join(lines)


def _list(said: Language) -> str:
    lines = []
    for info in rules.games():
        lines.append(f"{info.name}: {said.say(info.title)}")
        lines += [f"    {o.name}={_written(o.default)}  {said.say(o.sentence)} ({o.limits()})" for o in info.options]
    return "\n".join(lines)


def _written(value: bool | int | str | tuple[int, ...]) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
