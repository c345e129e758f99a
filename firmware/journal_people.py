"""What becomes of players in the journal: called otherwise, made one with another, taken out by name.

Room: firmware. Knows the journal's tables and no game. All of it runs inside the caller's transaction, of a host at the
command line (`journal_host.py`) or of the table's own writer (`journal.py`).
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from firmware import journal_book as book
from firmware import journal_rescue as rescue
from firmware import journal_schema as schema
from firmware.words import ERASED

BACKUPS = "backups"
"""The folder beside the journal in which `dicetable backup` keeps its files."""


def player_of(db: sqlite3.Connection, name: str) -> int | None:
    """The number of the player who is called so now."""
    row = db.execute("select id from players where name=?", (name,)).fetchone()
    return None if row is None else int(row[0])


def write_act(db: sqlite3.Connection, kind: str, data: dict[str, Any], at: str) -> None:
    """A host's act, which counts for all games so far."""
    upto = db.execute("select max(id) from games").fetchone()[0] or 0
    schema.write_act(db, kind, data, at, upto)


def call(db: sqlite3.Connection, old: str, new: str, at: str) -> None:
    """`old` is called `new` from now on; where there is a `new` already, the two are one player."""
    kind = "rename" if player_of(db, new) is None else "merge"
    write_act(db, kind, {"old": old, "new": new}, at)
    book.name_seats(db)


def erase(db: sqlite3.Connection, player: int, at: str) -> str:
    """Take a player's name out of events and acts; the scores stay. Returns what stands in its place. `clean` must
    follow once it is committed."""
    (name,) = db.execute("select name from players where id=?", (player,)).fetchone()
    number = 1 + sum(1 for (n,) in db.execute("select name from players") if str(n).startswith(ERASED))
    seats = db.execute("select game, name from seats where player=? order by game", (player,)).fetchall()
    raw = sorted({n for _, n in seats})
    instead = {n: f"{ERASED}{number}" + ("" if i == 0 else f"-{i + 1}") for i, n in enumerate(raw)}
    acts = db.execute("select id, kind, data, at, upto from acts order by id").fetchall()
    for game in sorted({g for g, _ in seats}):
        _rewrite(db, game, instead)
    known = book.acts_of(db)
    for i, (key, kind, data, when, upto) in enumerate(acts):
        if kind in ("rename", "merge") and book.name_of(json.loads(data)["new"], upto, known[i + 1 :]) == name:
            blank = json.dumps({"old": "", "new": ""})
            total = schema.act_sum(key, kind, blank, when, upto)
            db.execute("update acts set data=?, sum=? where id=?", (blank, total, key))
    write_act(db, "erase", {"instead": f"{ERASED}{number}"}, at)
    for game in sorted({g for g, _ in seats}):
        book.make_game(db, game)
    book.name_seats(db)
    return f"{ERASED}{number}"


def clean(db: sqlite3.Connection, path: Path) -> list[Path]:
    """Outside of a transaction: take what was erased out of free pages, log, copies and backups. Returns damaged files
    that were set aside, which may hold it still."""
    db.execute("vacuum")
    db.execute("pragma wal_checkpoint(truncate)").fetchall()
    for old in (*rescue.copies(path), *(path.parent / BACKUPS).glob("*.sqlite3")):
        old.unlink()
    return sorted([*path.parent.glob("*.corrupt-*"), *rescue.copies_folder(path).glob("*.corrupt-*")])


def _rewrite(db: sqlite3.Connection, game: int, instead: dict[str, str]) -> None:
    rows = db.execute("select seq, kind, data, at, table_ms, session from events where game=?", (game,)).fetchall()
    for seq, kind, data, at, table_ms, session in rows:
        new = json.dumps(_replaced(json.loads(data), instead))
        if new != data:
            total = schema.event_sum(seq, game, kind, new, at, table_ms, session)
            db.execute("update events set data=?, sum=? where seq=?", (new, total, seq))
    (players,) = db.execute("select players from games where id=?", (game,)).fetchone()
    names = json.dumps(_replaced(json.loads(players), instead))
    db.execute("update games set players=? where id=?", (names, game))


def _replaced(value: Any, instead: dict[str, str]) -> Any:
    if isinstance(value, str):
        return instead.get(value, value)
    if isinstance(value, list):
        return [_replaced(v, instead) for v in value]
    if isinstance(value, dict):
        return {k: _replaced(v, instead) for k, v in value.items()}
    return value
