"""The journal: every accepted event, in SQLite, on the card before the screen shows it.

Room: firmware. One thread writes; the loop only appends and asks what is committed. Nothing here knows what a record
means beyond "a game begins" and "a game is left".

WAL with `synchronous=FULL`: a commit has reached the disk when it returns, and a power cut leaves either all of it or
none of it.
"""

from __future__ import annotations

import json
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from firmware.errors import Fault
from firmware.events import Record

SCHEMA = 1
_RETRY_S = 1.0

_TABLES = """
create table games (
    id integer primary key autoincrement,
    name text not null,
    players text not null,
    options text not null,
    started text not null            -- wall time, a label only: the clock may be wrong
);
create table events (
    seq integer primary key autoincrement,
    game integer not null references games(id),
    kind text not null,
    data text not null,
    at text not null                 -- wall time, a label only
);
create index events_of_game on events(game, seq);
"""


def _stamp() -> str:
    """Wall time as a label. The only place of the program that reads it; no timer ever depends on it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Journal:
    """Open the journal at `path`, making it where there is none.

    `on_commit` is called from the writer's thread after each commit with the token that `append` gave; it must only
    put something on a queue. Raises Fault JRN-01 if the file can't be used and JRN-02 if a newer version wrote it; the
    file is left as it is then.
    """

    def __init__(self, path: Path, on_commit: Callable[[int], None] = lambda _: None) -> None:
        self.path = path
        self._on_commit = on_commit
        self._todo: queue.SimpleQueue[tuple[int, tuple[Record, ...]] | None] = queue.SimpleQueue()
        self._appended = 0
        self._committed = 0
        self._closing = threading.Event()
        self._done = threading.Condition()
        self.fault: Fault | None = None
        """Set while records can't be written; they are kept and tried again."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            db = _connect(path)
            try:
                _prepare(db, path)
                row = db.execute("select max(id) from games").fetchone()
                self._game: int | None = row[0]
            finally:
                db.close()
        except (sqlite3.Error, OSError) as e:
            raise Fault(
                "JRN-01",
                f"the journal {path} can't be opened ({e}).",
                "Check the disk, or name another folder with --data.",
            ) from e
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    @property
    def committed(self) -> int:
        """The highest token whose records have reached the disk."""
        return self._committed

    def append(self, records: Sequence[Record]) -> int:
        """Hand over records, to be committed in one transaction. Returns at once, with a token for `committed`."""
        self._appended += 1
        self._todo.put((self._appended, tuple(records)))
        return self._appended

    def wait(self, token: int, timeout_s: float) -> bool:
        """Wait until `token` is committed; False if it was not within `timeout_s`. The loop never calls this."""
        with self._done:
            return self._done.wait_for(lambda: self._committed >= token, timeout_s)

    def close(self, timeout_s: float = 3.0) -> bool:
        """Write what is waiting, for at most `timeout_s`, and stop the writer. False if something was not written."""
        written = self.wait(self._appended, timeout_s)
        self._closing.set()
        self._todo.put(None)
        self._thread.join(timeout_s)
        return written

    def _run(self) -> None:
        db: sqlite3.Connection | None = None
        while (item := self._todo.get()) is not None:
            token, records = item
            while True:
                try:
                    if db is None:
                        db = _connect(self.path)
                    game = _write(db, self._game, records)
                    break
                except (sqlite3.Error, OSError) as e:
                    self.fault = Fault(
                        "JRN-03", f"the journal can't be written ({e}).", "The game goes on; make room on the disk."
                    )
                    if db is not None:
                        db.close()
                        db = None
                    if self._closing.wait(_RETRY_S):
                        return
            self._game = game
            self.fault = None
            with self._done:
                self._committed = token
                self._done.notify_all()
            self._on_commit(token)
        if db is not None:
            db.close()

    def last_game(self) -> list[Record]:
        """The records of the newest game, in order; empty if there never was one."""
        return [] if self._game is None else list(read_game(self.path, self._game))


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None, timeout=5.0)
    db.execute("pragma journal_mode=wal")
    db.execute("pragma synchronous=full")
    db.execute("pragma foreign_keys=on")
    return db


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    version = db.execute("pragma user_version").fetchone()[0]
    if version > SCHEMA:
        raise Fault(
            "JRN-02",
            f"the journal {path} was written by a newer dicetable (schema {version}, this one knows {SCHEMA}).",
            "Install the newer version again, or name another folder with --data.",
        )
    if version == 0:
        db.execute("begin immediate")
        for statement in _TABLES.split(";"):
            if statement.strip():
                db.execute(statement)
        db.execute(f"pragma user_version={SCHEMA}")
        db.execute("commit")


def _write(db: sqlite3.Connection, game: int | None, records: Sequence[Record]) -> int | None:
    now = _stamp()
    db.execute("begin immediate")
    try:
        for record in records:
            if record.kind == "game":
                d = record.data
                cursor = db.execute(
                    "insert into games(name, players, options, started) values (?, ?, ?, ?)",
                    (d["name"], json.dumps(d["players"]), json.dumps(d.get("options") or {}), now),
                )
                game = cursor.lastrowid
            db.execute(
                "insert into events(game, kind, data, at) values (?, ?, ?, ?)",
                (game, record.kind, json.dumps(dict(record.data)), now),
            )
        db.execute("commit")
    except BaseException:
        if db.in_transaction:
            db.execute("rollback")
        raise
    return game


def read_game(path: Path, game: int) -> Iterator[Record]:
    """The records of one game of a journal, in order. Does not change the file."""
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        for kind, data in db.execute("select kind, data from events where game=? order by seq", (game,)).fetchall():
            yield Record(kind, json.loads(data))
    finally:
        db.close()


def game_ids(path: Path) -> list[int]:
    """The numbers of all games in a journal, oldest first."""
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return [row[0] for row in db.execute("select id from games order by id")]
    finally:
        db.close()
