"""The journal's file: its tables, how older ones become this one, and the sum that each event carries.

Room: firmware. Knows SQLite and no game. `events` and `acts` are the truth; every other table is made from them (see
`firmware/journal_book.py`) and can be made again.

Tables (times called `at` and `started` are wall time, labels only; the clock may be wrong):

    events       seq, game, kind, data, at, table_ms, session, sum    what happened at the table; never changed, but
                                                                      that an erased player's name is taken out
    acts         id, kind, data, at, upto, sum                        what a host did to the book: rename, merge, erase,
                                                                      strike, restore. It counts for games up to `upto`
    games        id, name, players, options, started, over, left, struck, session, dice, derived, trouble,
                 book_sum
    players      id, name                                             as they are called now
    seats        game, seat, name, player, total, won, place          `name` as it was; a team is one seat
    rolls        game, n, seat, faces, kept, thrown, by, corrected    digits, sorted: "13356"
    scores       game, n, seat, box, points                           `box` null: points that were banked
    corrections  game, n, roll, was, became, at                       misreads that players put right
    meta         key, value                                           `schema`, `book`, `holes`, `table_ms`

`table_ms` counts milliseconds that the table was on, over restarts. `session` is the number of the evening.
`holes` is how many events a rescue could not save.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from firmware.errors import Fault

SCHEMA = 2
SYNCHRONOUS = "full"
"""What a commit waits for. Anything less loses moves when the power goes; only the test of that test changes it."""
MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {}
"""Schema -> the step from it to the next one. Runs inside a transaction."""

_SCHEMA_1 = """
create table games (
    id integer primary key autoincrement,
    name text not null,
    players text not null,
    options text not null,
    started text not null
);
create table events (
    seq integer primary key autoincrement,
    game integer not null references games(id),
    kind text not null,
    data text not null,
    at text not null
);
create index events_of_game on events(game, seq);
"""

_SCHEMA_2 = """
alter table events add column table_ms integer not null default 0;
alter table events add column session integer not null default 1;
alter table events add column sum integer not null default 0;
alter table games add column over integer not null default 0;
alter table games add column left integer not null default 0;
alter table games add column struck integer not null default 0;
alter table games add column session integer not null default 1;
alter table games add column dice text not null default '';
alter table games add column derived integer not null default 0;
alter table games add column trouble text not null default '';
alter table games add column book_sum integer not null default 0;
create table acts (
    id integer primary key autoincrement,
    kind text not null,
    data text not null,
    at text not null,
    upto integer not null,
    sum integer not null
);
create table players (id integer primary key, name text not null unique);
create table seats (
    game integer not null references games(id),
    seat integer not null,
    name text not null,
    player integer references players(id),
    total integer not null,
    won integer not null,
    place integer,
    primary key (game, seat)
);
create table rolls (
    game integer not null references games(id),
    n integer not null,
    seat integer not null,
    faces text not null,
    kept text not null,
    thrown text not null,
    by text not null,
    corrected integer not null,
    primary key (game, n)
);
create table scores (
    game integer not null references games(id),
    n integer not null,
    seat integer not null,
    box text,
    points integer not null,
    primary key (game, n)
);
create table corrections (
    game integer not null references games(id),
    n integer not null,
    roll integer not null,
    was text not null,
    became text not null,
    at text not null,
    primary key (game, n)
);
create table meta (key text primary key, value text not null);
"""


def _run(db: sqlite3.Connection, script: str) -> None:
    for statement in script.split(";"):
        if statement.strip():
            db.execute(statement)


def _to_1(db: sqlite3.Connection) -> None:
    _run(db, _SCHEMA_1)


def _to_2(db: sqlite3.Connection) -> None:
    _run(db, _SCHEMA_2)
    rows = db.execute("select seq, game, kind, data, at from events").fetchall()
    sums = [(event_sum(seq, game, kind, data, at, 0, 1), seq) for seq, game, kind, data, at in rows]
    db.executemany("update events set sum=? where seq=?", sums)


MIGRATIONS[0] = _to_1
MIGRATIONS[1] = _to_2


def event_sum(seq: int, game: int, kind: str, data: str, at: str, table_ms: int, session: int) -> int:
    """CRC-32 over all that an event says, so that one flipped bit on the card is noticed."""
    return zlib.crc32("\x1f".join((str(seq), str(game), kind, data, at, str(table_ms), str(session))).encode())


def act_sum(number: int, kind: str, data: str, at: str, upto: int) -> int:
    return zlib.crc32("\x1f".join((str(number), kind, data, at, str(upto))).encode())


def write_act(db: sqlite3.Connection, kind: str, data: dict[str, Any], at: str, upto: int) -> None:
    """Add what a host did, inside the caller's transaction. `upto` is the last game it counts for."""
    number = (db.execute("select max(id) from acts").fetchone()[0] or 0) + 1
    text = json.dumps(data)
    total = act_sum(number, kind, text, at, upto)
    db.execute("insert into acts values (?, ?, ?, ?, ?, ?)", (number, kind, text, at, upto, total))


def readable(text: bytes) -> str:
    """Text that is damaged is still text; its sum will be wrong."""
    return text.decode("utf-8", "replace")


def connect(path: Path) -> sqlite3.Connection:
    """Open for writing. Raises sqlite3.Error."""
    db = sqlite3.connect(path, isolation_level=None, timeout=5.0)
    db.text_factory = readable
    try:
        db.execute("pragma journal_mode=wal")
        db.execute(f"pragma synchronous={SYNCHRONOUS}")
        db.execute("pragma wal_autocheckpoint=0")
        db.execute("pragma journal_size_limit=1000000")
        db.execute("pragma foreign_keys=on")
        db.execute("pragma secure_delete=on")
    except BaseException:
        db.close()
        raise
    return db


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Open without changing the file or its log. Raises sqlite3.Error."""
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None, timeout=5.0)
    db.text_factory = readable
    return db


def version_of(db: sqlite3.Connection) -> int:
    version: int = db.execute("pragma user_version").fetchone()[0]
    return version


def said_version(db: sqlite3.Connection) -> int | None:
    """The schema as the table `meta` says it; None where it does not (schema 1 had no such table)."""
    try:
        row = db.execute("select value from meta where key='schema'").fetchone()
        return None if row is None else int(row[0])
    except (sqlite3.OperationalError, ValueError):
        return None


def shape(db: sqlite3.Connection) -> dict[str, list[tuple[Any, ...]]]:
    """Table -> its columns, as SQLite tells them."""
    tables = [name for (name,) in db.execute("select name from sqlite_master where type='table'")]
    return {t: db.execute(f'pragma table_info("{t}")').fetchall() for t in tables if not t.startswith("sqlite_")}


@cache
def own_shape() -> dict[str, list[tuple[Any, ...]]]:
    """What a journal of this schema looks like."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    migrate(db)
    made = shape(db)
    db.close()
    return made


def refuse_newer(db: sqlite3.Connection, path: Path) -> None:
    """Raises Fault JRN-02 if a newer dicetable has written this file.

    The version stands in two places, so that a damaged byte of the header is not taken for a newer version.
    """
    version = version_of(db)
    if version > SCHEMA and said_version(db) != SCHEMA:
        raise Fault(
            "JRN-02",
            f"the journal {path} was written by a newer dicetable (schema {version}, this one knows {SCHEMA}).",
            "Install the newer version again, or name another folder with --data.",
        )


def migrate(db: sqlite3.Connection, upto: int = SCHEMA) -> list[int]:
    """Bring the file up to schema `upto`, one step and one transaction at a time. Returns the steps taken, by the
    schema that each began with."""
    taken = []
    while (version := version_of(db)) < upto:
        db.execute("begin immediate")
        try:
            MIGRATIONS[version](db)
            db.execute(f"pragma user_version={version + 1}")
            if version >= 1:
                db.execute("insert or replace into meta values ('schema', ?)", (str(version + 1),))
            db.execute("commit")
        except BaseException:
            if db.in_transaction:
                db.execute("rollback")
            raise
        taken.append(version)
    return taken
