"""The text form of a game: a few lines for the set-up, then one move a line.

Room: rules. Knows no file: text comes in and goes out. A text is read by playing it, so what is read is always a
legal game.

    dicetable game 1
    game yahtzee
    option order "upper_first"
    player "Ann"
    player "Bo" "Cy"
    roll 52565
    keep 555
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rules.errors import BadText, IllegalMove, RulesError
from rules.moves import Join, move_from_text

if TYPE_CHECKING:
    from rules.game import Game

HEADER = "dicetable game 1"


def to_text(game: Game) -> str:
    """A game's text form: only options that differ from the default are listed."""
    from rules.lookup import find

    defaults = {o.name: o.default for o in find(game.name).options}
    lines = [HEADER, f"game {game.name}"]
    for name, value in game.settings.items():
        if value != defaults[name]:
            lines.append(f"option {name} {json.dumps(value)}")
    began = len(game.partners) - sum(isinstance(m, Join) for m in game.moves)
    for partners in game.partners[:began]:
        lines.append("player " + " ".join(json.dumps(p) for p in partners))
    lines.extend(str(m) for m in game.moves)
    return "\n".join(lines) + "\n"


def from_text(text: str) -> Game:
    """The game that a text holds. Raises BadText, whose words name the line; blank lines and `#` lines are skipped."""
    from rules.lookup import new

    lines = [(n, line.strip()) for n, line in enumerate(text.splitlines(), 1)]
    lines = [(n, line) for n, line in lines if line and not line.startswith("#")]
    if not lines or lines[0][1] != HEADER:
        raise BadText("TEXT-01", f"this is no game: the first line must be '{HEADER}'")
    name, options, players, at = "", {}, [], 1
    for n, line in lines[1:]:
        word, _, rest = line.partition(" ")
        if word not in ("game", "option", "player"):
            break
        try:
            if word == "game":
                name = rest.strip()
            elif word == "option":
                key, _, value = rest.partition(" ")
                loaded = json.loads(value)
                options[key] = tuple(loaded) if isinstance(loaded, list) else loaded
            else:
                players.append(_names(rest))
        except ValueError:
            raise BadText("TEXT-01", f"line {n}: {line!r} can't be read") from None
        at += 1
    try:
        game = new(name, players, **options)
    except RulesError as problem:
        raise BadText("TEXT-01", f"no game can be set up from this text: {problem.words}") from problem
    for n, line in lines[at:]:
        try:
            game.push(move_from_text(line))
        except BadText as problem:
            raise BadText("TEXT-02", f"line {n}: {problem.words}") from None
        except IllegalMove as refusal:
            raise BadText("TEXT-03", f"line {n}: '{line}' is illegal here: {refusal.words}") from refusal
    return game


def _names(text: str) -> list[str]:
    decoder, names, at = json.JSONDecoder(), [], 0
    while at < len(text):
        name, at = decoder.raw_decode(text, at)
        names.append(str(name))
        while at < len(text) and text[at] == " ":
            at += 1
    return names
