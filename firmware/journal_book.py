"""The book: tables of players, games, rolls, scores and corrections, made from the journal's events.

Room: firmware. Plays each game once more with `Play`, so what is written here is what the rules say, and nothing that
an event claims is believed. A game that can't be played back keeps its events and says so in `games.trouble`.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import rules
from firmware.events import Record
from firmware.play import Play

_MADE = ("seats", "rolls", "scores", "corrections")

BOOK = 1
"""Rises when this module makes the tables differently: then they are made again from the events."""


def digits(faces: Iterable[int]) -> str:
    return "".join(map(str, sorted(faces)))


def bring_up_to_date(db: sqlite3.Connection, *, but: int | None = None, most: int | None = None) -> int:
    """Make the tables of games that have events not yet in them, newest first: of at most `most` games, and not of
    game `but`, which is still being played. Returns how many are left. In one transaction for each game."""
    known = db.execute("select value from meta where key='book'").fetchone()
    if known is None or known[0] != str(BOOK):
        db.execute("update games set derived=0")
        db.execute("insert or replace into meta values ('book', ?)", (str(BOOK),))
    stale = [
        game
        for (game,) in db.execute(
            "select id from games where derived < (select max(seq) from events where game=games.id) order by id desc"
        )
        if game != but
    ]
    chosen = stale if most is None else stale[:most]
    for game in chosen:
        make_game(db, game)
    return len(stale) - len(chosen)


def make_game(db: sqlite3.Connection, game: int) -> None:
    """Make the tables of one game from its events."""
    events = db.execute("select seq, kind, data, at, session from events where game=? order by seq", (game,)).fetchall()
    if not events:
        return
    told = _Told()
    for _, kind, data, at, _ in events:
        told.take(kind, data, at)
    own = not db.in_transaction
    if own:
        db.execute("begin immediate")
    try:
        for table in _MADE:
            db.execute(f"delete from {table} where game=?", (game,))
        over, dice = told.write(db, game)
        db.execute(
            "update games set over=?, left=?, session=?, dice=?, derived=?, trouble=? where id=?",
            (over, told.left, events[-1][4], dice, events[-1][0], told.trouble, game),
        )
        db.execute("update games set book_sum=? where id=?", (_sum(db, game), game))
        name_seats(db, [game])
        if own:
            db.execute("commit")
    except BaseException:
        if own and db.in_transaction:
            db.execute("rollback")
        raise


def distrust(db: sqlite3.Connection) -> int:
    """Look whether each game's tables are as they were made; those that are not will be made again by the next
    `bring_up_to_date`. Returns how many. The events have sums of their own; without this, a bit that flips in a table
    would be a wrong figure that nobody notices."""
    games = db.execute("select id, book_sum from games where derived > 0").fetchall()
    wrong = [game for game, total in games if _sum(db, game) != total]
    db.executemany("update games set derived=0 where id=?", [(game,) for game in wrong])
    return len(wrong)


def _sum(db: sqlite3.Connection, game: int) -> int:
    rows = [
        *db.execute("select over, left, session, dice, derived, trouble from games where id=?", (game,)),
        *db.execute("select seat, name, total, won, place from seats where game=? order by seat", (game,)),
    ]
    for table in ("rolls", "scores", "corrections"):
        rows += db.execute(f"select * from {table} where game=? order by n", (game,))
    return zlib.crc32(repr(rows).encode())


class _Told:
    """A game as its events tell it, with what the rules' game does not remember: who read each roll, and misreads."""

    def __init__(self) -> None:
        self.play: Play | None = None
        self.left = 0
        self.trouble = ""
        self.dice = ""  # the name of the set of dice, where the record of the game says it
        self.rolls: list[tuple[str, bool]] = []  # by, corrected
        self.faces: list[tuple[int, ...]] = []
        self.corrections: list[tuple[int, str, str, str]] = []

    def take(self, kind: str, data: str, at: str) -> None:
        if self.trouble:
            return
        try:
            record = Record(kind, json.loads(data))
            if kind == "leave":
                self.left = 1
            elif kind == "game":
                self.play = Play(record)
                self.dice = str(record.data.get("dice_set") or "")
            elif self.play is not None:
                before = self.play.game.ply
                self.play.apply(record)
                self._note_rolls(record, before, at)
        except (rules.RulesError, LookupError, TypeError, ValueError, AttributeError) as e:
            self.trouble = f"{kind}: {e}"

    def _note_rolls(self, record: Record, before: int, at: str) -> None:
        assert self.play is not None
        game = self.play.game
        if game.ply == before + 1 and record.kind != "correct":
            last = game.moves[-1] if record.kind == "roll" else None
            if isinstance(last, rules.Roll):
                self.rolls.append((str(record.data.get("by", "")), False))
                self.faces.append(tuple(last.faces or ()))
            return
        if game.ply == before and record.kind == "mark":
            return
        faces = [tuple(m.faces or ()) for m in game.moves if isinstance(m, rules.Roll)]
        del self.rolls[len(faces) :]
        for i, (was, now) in enumerate(zip(self.faces, faces, strict=False)):
            if was != now:
                self.rolls[i] = (self.rolls[i][0], True)
                self.corrections.append((i + 1, digits(was), digits(now), at))
        while len(self.rolls) < len(faces):
            self.rolls.append((str(record.data.get("by", "")), False))
        self.faces = faces

    def write(self, db: sqlite3.Connection, game: int) -> tuple[int, str]:
        """Returns whether the game is over, and the name of its set of dice."""
        if self.play is None:
            return 0, ""
        final = self.play.game
        rolls, scores = walk(final)
        by = [*self.rolls, *[("", False)] * len(rolls)]
        db.executemany(
            "insert into rolls values (?, ?, ?, ?, ?, ?, ?, ?)",
            [(game, n, *r, by[n - 1][0], int(by[n - 1][1])) for n, r in enumerate(rolls, 1)],
        )
        db.executemany("insert into scores values (?, ?, ?, ?, ?)", [(game, n, *s) for n, s in enumerate(scores, 1)])
        db.executemany(
            "insert into corrections values (?, ?, ?, ?, ?, ?)",
            [(game, n, *c) for n, c in enumerate(self.corrections, 1)],
        )
        outcome = final.outcome()
        totals = final.totals
        for seat, name in enumerate(final.players):
            won = int(outcome is not None and seat in outcome.winners)
            place = None if outcome is None else 1 + sum(t > totals[seat] for t in totals)
            db.execute(
                "insert into seats values (?, ?, ?, null, ?, ?, ?)", (game, seat, name, totals[seat], won, place)
            )
        return int(outcome is not None), self.dice


def walk(game: rules.Game) -> tuple[list[tuple[int, str, str, str]], list[tuple[int, str | None, int]]]:
    """A game's rolls as (seat, faces, kept, thrown) and its scores as (seat, box, points), by playing it once more."""
    moves = game.moves
    again = game.copy()
    while again.ply:
        again.pop()
    rolls: list[tuple[int, str, str, str]] = []
    scores: list[tuple[int, str | None, int]] = []
    for move in moves:
        seat, kept, totals = again.turn, again.kept, again.totals
        again.push(move)
        if isinstance(move, rules.Roll):
            faces = Counter(move.faces or ())
            # Where the roll holds only the dice thrown, the kept ones are not in it.
            stayed = Counter(kept) if again.family == "scorecard" else Counter[int]()
            rolls.append((seat, digits(faces.elements()), digits(kept), digits((faces - stayed).elements())))
        gained = again.totals[seat] - totals[seat] if seat < len(again.totals) else 0
        if isinstance(move, rules.Score):
            scores.append((seat, move.box, gained))
        elif gained:
            scores.append((seat, None, gained))
    return rolls, scores


# ---- who is who -----------------------------------------------------------------------------------------------------


def name_of(name: str, game: int, acts: Sequence[tuple[str, dict[str, Any], int]]) -> str:
    """What the player who sat in `game` as `name` is called now. `acts`: (kind, data, upto), oldest first."""
    for kind, data, upto in acts:
        if kind in ("rename", "merge") and upto >= game and data["old"] == name:
            name = data["new"]
    return name


def acts_of(db: sqlite3.Connection) -> list[tuple[str, dict[str, Any], int]]:
    return [
        (kind, json.loads(data), upto)
        for kind, data, upto in db.execute("select kind, data, upto from acts order by id")
    ]


def name_seats(db: sqlite3.Connection, games: Sequence[int] | None = None) -> None:
    """Say which player sat in each seat, and which results were struck. Runs inside the caller's transaction."""
    acts = acts_of(db)
    struck = {g for g in (d.get("game") for k, d, _ in acts if k == "strike") if _is_struck(acts, g)}
    ids = [g for (g,) in db.execute("select id from games")] if games is None else list(games)
    for game in ids:
        db.execute("update games set struck=? where id=?", (int(game in struck), game))
        for seat, name in db.execute("select seat, name from seats where game=?", (game,)).fetchall():
            now = name_of(name, game, acts)
            db.execute("insert or ignore into players(name) values (?)", (now,))
            db.execute(
                "update seats set player=(select id from players where name=?) where game=? and seat=?",
                (now, game, seat),
            )
    if games is None:
        db.execute("delete from players where id not in (select player from seats where player is not null)")


def _is_struck(acts: Sequence[tuple[str, dict[str, Any], int]], game: Any) -> bool:
    said = [kind for kind, data, _ in acts if kind in ("strike", "restore") and data.get("game") == game]
    return bool(said) and said[-1] == "strike"
