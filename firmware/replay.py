"""`dicetable replay FILE[#id]`: plays game scripts and saved games back and prints how they stand.

Room: firmware. Knows the forms of the files; what a move is worth, and whether it is legal, only `rules` knows. Where
a script says what a turn scored, that is not believed: it is played.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import rules
from firmware.errors import Fault
from firmware.journal import game_ids, read_game
from firmware.play import play_from
from rules import Game, Keep, Roll, RollOff, RulesError, Score, SetAside, Stop

RULESETS: dict[str, tuple[str, dict[str, Any]]] = {
    "article": ("yahtzee", {}),
    "article_upper_first": ("yahtzee", {"upper_first": True}),
}
"""Names that scripts use for a game with options; any other name is that of a game."""

Play = Callable[[], Game]


class Played(NamedTuple):
    """A game that was played back. `is_match`: it is printed with its single games, even if it has only one."""

    id: str
    game: Game
    is_match: bool = False


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("file", metavar="FILE[#id]", help="a script, a saved game or a journal; #id picks one")
    parser.add_argument("--json", action="store_true", help="print one JSON object a game")


def run(args: argparse.Namespace) -> int:
    """Play back and print. Exit status 1 if the file, or a game in it, can't be played; the others still are."""
    status = 0
    try:
        for game_id, play, is_match in _chosen(args.file):
            try:
                played = Played(game_id, play(), is_match)
            except Fault as fault:
                status = _complain(fault)
                continue
            print(json.dumps(as_json(*played)) if args.json else as_words(*played), flush=True)
    except Fault as fault:
        status = _complain(fault)
    return status


def _complain(fault: Fault) -> int:
    print(f"dicetable: {fault}", file=sys.stderr)
    return 1


def games_in(spec: str) -> Iterator[Played]:
    """Every game of a file, or the one after `#`, played as far as the file goes. Raises Fault."""
    for game_id, play, is_match in _chosen(spec):
        yield Played(game_id, play(), is_match)


def _chosen(spec: str) -> Iterator[tuple[str, Play, bool]]:
    path, wanted = _split(spec)
    found = False
    for entry in _entries(path):
        if wanted is None or entry[0] == wanted:
            found = True
            yield entry
    if not found:
        words = f"{path} holds no game" if wanted is None else f"{path} holds no game with the id {wanted!r}"
        raise Fault("REPLAY-03", words)


def as_json(game_id: str, game: Game, is_match: bool = False) -> dict[str, Any]:
    """The line that `--json` prints for a game or match."""
    line: dict[str, Any] = {"id": game_id, "players": len(game.players)}
    if game.settings["games"] == 1 and not is_match:
        return line | _standing(game, 0)
    played = [_standing(game, n) for n in range(len(game.finished))]
    if game.outcome() is None and any(not isinstance(m, RollOff) for m in _running_moves(game)):
        played.append(_standing(game, len(game.finished)))
    return line | {"games": played, "totals": list(game.totals), "winners": list(game.leaders)}


def _running_moves(game: Game) -> list[rules.Move]:
    running = game.copy()
    number, moves = running.game_number, []
    while running.ply and running.game_number == number:
        moves.append(running.pop())
    return moves


def _standing(game: Game, n: int) -> dict[str, Any]:
    if n < len(game.finished):
        done = game.finished[n]
        cards, totals, winners, over = done.cards, done.totals, done.winners, True
    else:
        cards = tuple(game.card(seat) for seat in range(len(game.players)))
        totals, over = game.game_totals, False
        best = max(t for t, here in zip(totals, game.present, strict=True) if here)
        winners = tuple(s for s, t in enumerate(totals) if t == best and game.present[s])
    if game.family == "banking":
        return {"scores": list(totals), "winners": list(winners) if over else None}
    return {"boxes": [list(card.boxes) for card in cards], "totals": list(totals), "winners": list(winners)}


def as_words(game_id: str, game: Game, is_match: bool = False) -> str:
    """The same for people: one line a game."""
    points = ", ".join(f"{name} {total}" for name, total in zip(game.players, game.totals, strict=True))
    if game.outcome() is None:
        return f"{game_id}: {game.title}, not finished: {points}"
    return f"{game_id}: {game.title}, won by {' and '.join(game.players[s] for s in game.leaders)}: {points}"


# Reading files


def _split(spec: str) -> tuple[Path, str | None]:
    if not Path(spec).exists() and "#" in spec:
        name, _, wanted = spec.rpartition("#")
        return Path(name), wanted
    return Path(spec), None


def _entries(path: Path) -> Iterator[tuple[str, Play, bool]]:
    try:
        raw = path.read_bytes()
    except OSError as problem:
        raise Fault("REPLAY-01", f"{path} can't be opened: {problem.strerror or problem}") from None
    if raw.startswith(b"SQLite format 3\0"):
        for played in games_from_journal(path):
            yield played.id, played.game.copy, played.is_match
        return
    try:
        text = raw.decode()
        if text.lstrip().startswith("dicetable game"):
            game = rules.from_text(text)
            yield path.stem, game.copy, game.settings["games"] != 1
            return
        script = json.loads(text)
    except RulesError as problem:
        raise Fault("REPLAY-02", f"{path}: {problem.words}") from None
    except ValueError:
        raise Fault("REPLAY-02", f"{path} is neither a game script, a saved game nor a journal") from None
    for game_id, play, is_match in _script_entries(path, script):
        yield game_id, partial(_play, f"{path}#{game_id}", play), is_match


def games_from_journal(path: Path) -> Iterable[Played]:
    """Every game that a journal holds, with its id."""
    try:
        for number in game_ids(path):
            play = play_from(record for record in read_game(path, number) if record.kind != "leave")
            if play is not None:
                yield Played(str(number), play.game, play.game.settings["games"] != 1)
    except (sqlite3.Error, RulesError, KeyError, TypeError, ValueError) as problem:
        raise Fault("REPLAY-05", f"{path} is no journal that can be played back ({problem})") from problem


def _script_entries(path: Path, script: Any) -> list[tuple[str, Play, bool]]:
    schema = str(script.get("schema", "")) if isinstance(script, dict) else ""
    try:
        if schema.startswith("scorecard-games/"):
            groups = script["by_ruleset"] if "by_ruleset" in script else {script["ruleset"]: script["games"]}
            return [(str(g["id"]), partial(scorecard, r, g), False) for r, group in groups.items() for g in group]
        if schema.startswith("matches/"):
            return [(str(m["id"]), partial(match, script["ruleset"], m), True) for m in script["matches"]]
        if schema.startswith("yardkle-games/"):
            settings = {k: script[k] for k in ("opening", "target") if k in script}
            return [(str(g["id"]), partial(yardkle, settings, g), False) for g in script["games"]]
    except (KeyError, TypeError, AttributeError) as problem:
        raise Fault("REPLAY-02", f"{path} is no whole game script: {_missing(problem)}") from None
    raise Fault("REPLAY-02", f"{path} is no game script: its schema is {schema!r}")


def _play(where: str, play: Play) -> Game:
    try:
        return play()
    except RulesError as refusal:
        raise Fault("REPLAY-04", f"{where} can't be played: {refusal.code}: {refusal.words}") from refusal
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as problem:
        raise Fault("REPLAY-02", f"{where} is no whole game: {_missing(problem)}") from None


def _missing(problem: Exception) -> str:
    return f"{problem} is missing" if isinstance(problem, KeyError) else str(problem)


# Playing scripts


def _names(n: int, team_sizes: list[int] | None = None) -> list[str | list[str]]:
    if team_sizes is None:
        return [f"Player {i + 1}" for i in range(n)]
    return [[f"Player {i + 1}{chr(97 + k)}" for k in range(size)] for i, size in enumerate(team_sizes)]


def _faces(roll: str | list[int]) -> list[int]:
    return [int(c) for c in roll]


def scorecard(ruleset: str, entry: dict[str, Any]) -> Game:
    """Play a game of the schema `scorecard-games/1`."""
    name, options = RULESETS.get(ruleset, (ruleset, {}))
    game = rules.new(name, _names(entry["players"]), first=entry.get("first", 0), **options)
    for turn in entry["turns"]:
        scorecard_turn(game, turn)
    return game


def scorecard_turn(game: Game, turn: dict[str, Any]) -> None:
    """Play one turn: `rolls`, `keeps` (positions) between them, and the box `cat`."""
    _must_be_turn_of(game, turn["p"])
    keeps = turn.get("keeps", [])
    for n, roll in enumerate(turn["rolls"]):
        if n:
            game.push(Keep.at(keeps[n - 1]))
        game.push(Roll(_faces(roll)))
    game.push(Score(turn["cat"], turn.get("column", 0)))


def _must_be_turn_of(game: Game, seat: int) -> None:
    if game.outcome() is None and game.turn != seat:
        raise ValueError(f"a turn of player {seat} comes when it is the turn of player {game.turn} (0 first)")


def match(ruleset: str, entry: dict[str, Any]) -> Game:
    """Play a match of the schema `matches/1`."""
    name, options = RULESETS.get(ruleset, (ruleset, {}))
    parts, columns = entry["games"], entry["columns"]
    rolled = any(part.get("roll_off") for part in parts)
    game = rules.new(
        name,
        _names(columns, entry.get("team_sizes")),
        games=len(parts),
        first=0 if rolled else parts[0].get("first", 0),
        start="seat" if rolled or len({part.get("first", 0) for part in parts}) == 1 else "rotate",
        **options,
    )
    for part in parts:
        for throws in part.get("roll_off") or ():
            for _ in throws:
                game.push(RollOff(throws[str(game.turn)]))
        for turn in part["turns"]:
            scorecard_turn(game, turn)
    return game


def yardkle(settings: dict[str, int], entry: dict[str, Any]) -> Game:
    """Play a game of the schema `yardkle-games/1`."""
    game = rules.new("yardkle", _names(entry["players"]), first=entry.get("first", 0), **settings)
    for turn in entry["turns"]:
        _must_be_turn_of(game, turn["p"])
        for step in turn["steps"]:
            game.push(Roll(_faces(step["roll"])))
            if "set" in step:
                game.push(SetAside.at(step["set"]))
        if turn["end"] == "stop":
            game.push(Stop())
    return game
