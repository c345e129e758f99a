"""The journal: every accepted event, in SQLite, on the card before the screen shows it.

Room: firmware. One thread writes; the loop only appends and asks what is committed. The tables are in
`firmware/journal_schema.py`; what happens to a damaged file in `firmware/journal_rescue.py`.

WAL with `synchronous=FULL`: a commit has reached the disk when it returns, and a power cut leaves either all of it or
none of it. Checkpoints, the tables of the book and copies are made while nothing is waiting to be written.
"""

from __future__ import annotations

import contextlib
import json
import queue
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from firmware import journal_book as book
from firmware import journal_people as people
from firmware import journal_rescue as rescue
from firmware import journal_schema as schema
from firmware.errors import Fault
from firmware.events import Record
from firmware.journal_faults import cant_write, is_passing, rescued
from firmware.journal_schema import SCHEMA
from firmware.play import Play, play_from

__all__ = ["SCHEMA", "Best", "Journal", "game_ids", "read_game", "stamp"]

SESSION_MS = 4 * 3600 * 1000
"""So long a silence ends an evening. Only time that the table is on counts: nothing knows how long it was off."""
STALL_S = 5.0
"""A commit that takes longer is a fault: the game goes on without waiting for it."""
_RETRY_S = 1.0
_IDLE_S = 2.0
_SLICE_S = 0.05
"""So long the writer rests between two games whose tables it makes anew."""
_COPY_S = 2.0
_MOST_MS = 100 * 365 * 24 * 3600 * 1000
_LONG_LOG = 4_000_000
_KEEP_TIME_MS = 10 * 60 * 1000


def stamp() -> str:
    """Wall time as a label. The only place of the program that reads it; no timer ever depends on it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _file_stamp() -> str:
    return stamp()[:19].replace("-", "").replace(":", "").replace("T", "-")


@dataclass(frozen=True, slots=True)
class Best:
    """A result of this evening."""

    name: str
    points: int
    game: str


@dataclass(slots=True)
class _Item:
    """Something to be written. `rows` are set when it is first tried, so that a second try writes the same."""

    token: int
    t: float
    records: tuple[Record, ...] = ()
    work: Callable[[sqlite3.Connection], None] | None = None
    then: Callable[[sqlite3.Connection], object] | None = None
    rows: list[rescue.Event] | None = None


class Journal:
    """Open the journal at `path`, making it where there is none.

    `on_commit` is called from the writer's thread after each commit with the token that `append` gave; it must only
    put something on a queue. `now` gives monotonic seconds. A damaged file is set aside and what is whole is used;
    `notices` tell it. A disk that is full or read-only is no reason not to play: then `fault` says so, and what can't
    be written yet is written when it can. Raises Fault JRN-01 if the file can't be used at all and JRN-02 if a newer
    version wrote it; the file is left as it is then.
    """

    def __init__(
        self,
        path: Path,
        on_commit: Callable[[int], None] = lambda _: None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.path = path
        self._on_commit = on_commit
        self._now = now
        self._todo: queue.SimpleQueue[_Item | None] = queue.SimpleQueue()
        self._waiting: deque[_Item] = deque()  # the loop's own list of what it appended
        self._appended = 0
        self._committed = 0
        self._closing = threading.Event()
        self._done = threading.Condition()
        self._fault: Fault | None = None
        self._copier: threading.Thread | None = None
        self._copy_fault: Fault | None = None
        self._found: tuple[Fault, ...] = ()
        self.night: tuple[Best, ...] = ()
        """The best results of this evening, highest first."""
        # What follows belongs to the writer once it runs.
        self._ready = False
        self._seq = 0
        self._game: int | None = None
        self._restore: list[Record] = []
        self._live: Play | None = None
        self._over = False
        self._session = 1
        self._last_ms = 0  # table time of the last event
        self._base_ms = 0  # table time at monotonic `_base_s`
        self._base_s = now()
        self._kept_ms = 0
        self._dirty = False
        self._stale = False
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._open().close()
        except (sqlite3.Error, OSError) as e:
            if not is_passing(e, path.parent):
                raise Fault(
                    "JRN-01",
                    f"the journal {path} can't be opened ({e}).",
                    "Check the disk, or name another folder with --data.",
                ) from e
            self._fault = cant_write(e)
            self._load_unopened()
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    # ---- what the loop calls ------------------------------------------------------------------------------------

    @property
    def committed(self) -> int:
        """The highest token whose records have reached the disk."""
        return self._committed

    @property
    def fault(self) -> Fault | None:
        """Why what was accepted is not on the disk: it can't be written (JRN-03), or that takes too long (JRN-04). It
        is kept and tried again meanwhile."""
        while self._waiting and self._waiting[0].token <= self._committed:
            self._waiting.popleft()
        if self._fault is not None:
            return self._fault
        if self._waiting and self._now() - self._waiting[0].t > STALL_S:
            return Fault("JRN-04", "the disk is slow, moves are not saved yet.", "The game goes on; check the card.")
        return None

    @property
    def notices(self) -> tuple[Fault, ...]:
        """What was found out that people should know: the file was damaged, no copy could be made. Until the next game
        begins."""
        copy = self._copy_fault
        return self._found if copy is None else (*self._found, copy)

    def append(self, records: Sequence[Record]) -> int:
        """Hand over records, to be committed in one transaction. Returns at once, with a token for `committed`."""
        if any(r.kind == "game" for r in records):
            self._found = ()
        return self._put(_Item(self._appended + 1, self._now(), tuple(records)))

    def new_session(self) -> int:
        """A host says that a new evening begins with the next game."""

        def work(db: sqlite3.Connection) -> None:
            schema.write_act(db, "session", {}, stamp(), self._seq)
            self._session += 1
            self._read_night(db)

        return self._put(_Item(self._appended + 1, self._now(), work=work))

    def call(self, old: str, new: str) -> int:
        """A host says that the player `old` is called `new` from now on."""

        def work(db: sqlite3.Connection) -> None:
            book.bring_up_to_date(db)
            people.call(db, old, new, stamp())

        return self._put(_Item(self._appended + 1, self._now(), work=work, then=self._read_night))

    def erase(self, name: str) -> int:
        """A host takes a name out of the journal and of its copies; the scores stay. Not of the game that is played."""

        def work(db: sqlite3.Connection) -> None:
            book.bring_up_to_date(db)
            player = people.player_of(db, name)
            if player is not None:  # not yet done, and somebody has played under that name
                people.erase(db, player, stamp())

        def then(db: sqlite3.Connection) -> None:
            self._read_night(db)
            if self._copier is not None:
                self._copier.join()
            # What is left of it in free pages or in a copy is gone with the next one.
            with contextlib.suppress(sqlite3.Error, OSError):
                people.clean(db, self.path)
            self._copy_soon()

        return self._put(_Item(self._appended + 1, self._now(), work=work, then=then))

    def _put(self, item: _Item) -> int:
        self._appended = item.token
        self._waiting.append(item)
        self._todo.put(item)
        return item.token

    def wait(self, token: int, timeout_s: float) -> bool:
        """Wait until `token` is committed; False if it was not within `timeout_s`. The loop never calls this."""
        with self._done:
            return self._done.wait_for(lambda: self._committed >= token, timeout_s)

    def close(self, timeout_s: float = 3.0) -> bool:
        """Write what is waiting, for at most `timeout_s`, and stop the writer. False if something was not written."""
        written = self.wait(self._appended, timeout_s)
        self._closing.set()
        self._todo.put(None)
        self._thread.join(timeout_s + _COPY_S)
        return written

    def last_game(self) -> list[Record]:
        """The records of the newest game, in order; empty if there never was one."""
        if not self._ready:
            return list(self._restore)
        return [] if self._game is None else list(read_game(self.path, self._game))

    # ---- opening ------------------------------------------------------------------------------------------------

    def _open(self) -> sqlite3.Connection:
        """Examine, rescue if need be, migrate, and learn where the journal stands. Raises sqlite3.Error, OSError."""
        try:
            rescue.examine(self.path)
            return self._open_whole()
        except rescue.Damaged as e:
            why = str(e)
        except sqlite3.Error as e:
            if not rescue.is_damage(e):
                raise
            why = str(e)
        self._found = (*self._found, rescued(rescue.rescue(self.path, _file_stamp()), why))
        return self._open_whole()

    def _open_whole(self) -> sqlite3.Connection:
        if _is_older(self.path):
            rescue.make_copy(self.path)
        db = schema.connect(self.path)
        try:
            schema.migrate(db)
            self._learn(db)
        except BaseException:
            db.close()
            raise
        self._ready = True
        return db

    def _learn(self, db: sqlite3.Connection) -> None:
        last = db.execute("select seq, game, session, table_ms from events order by seq desc limit 1").fetchone()
        self._seq, self._game, self._session, self._last_ms = last or (0, None, 1, 0)
        kept = db.execute("select value from meta where key='table_ms'").fetchone()
        # Nothing guards this number; one that was damaged only counts time anew.
        known = kept is not None and kept[0].isascii() and kept[0].isdigit()
        self._kept_ms = max(min(int(kept[0]), _MOST_MS) if known else 0, self._last_ms)
        self._base_ms, self._base_s = self._kept_ms, self._now()
        reset = db.execute("select count(*) from acts where kind='session' and upto>=?", (self._seq,)).fetchone()[0]
        self._session += min(reset, 1)
        if self._game is not None:
            with contextlib.suppress(Exception):
                self._live = play_from(_records(db, self._game))
        self._over = self._live is not None and self._live.game.outcome() is not None
        self._stale = True  # after a rescue or a new version there may be much to do; that can wait
        self._read_night(db)

    def _load_unopened(self) -> None:
        """The file can't be opened (a read-only disk): read what is in it all the same."""
        with contextlib.suppress(OSError, sqlite3.Error, ValueError):
            self._restore = rescue.read_closed(self.path)

    # ---- the writer ---------------------------------------------------------------------------------------------

    def _run(self) -> None:
        db: sqlite3.Connection | None = None
        while True:
            try:
                item = self._todo.get(timeout=_SLICE_S if self._stale and self._ready else _IDLE_S)
            except queue.Empty:
                db = self._while_idle(db)
                continue
            if item is None:
                break
            while True:
                try:
                    if db is None:
                        db = schema.connect(self.path) if self._ready else self._open()
                    self._write(db, item)
                    break
                except Fault as e:
                    self._fault = e
                except (sqlite3.Error, OSError) as e:
                    self._fault = cant_write(e)
                    if isinstance(e, sqlite3.Error) and rescue.is_damage(e):
                        self._ready, item.rows = False, None  # the next try mends it first
                _close(db)
                db = None
                if self._closing.wait(_RETRY_S):
                    return
            self._fault = None
            with self._done:
                self._committed = item.token
                self._done.notify_all()
            self._on_commit(item.token)
            self._after(db, item)
        if self._copier is not None:
            self._copier.join(_COPY_S)
        if db is not None:
            with contextlib.suppress(Exception):
                self._keep_time(db, 0)
                book.bring_up_to_date(db, most=1)
        _close(db)  # the last connection leaves one file, without a log

    def _write(self, db: sqlite3.Connection, item: _Item) -> None:
        if item.rows is None:
            item.rows = self._rows(item)
        db.execute("begin immediate")
        try:
            for row, record in zip(item.rows, item.records, strict=True):
                if record.kind == "game":
                    d = record.data
                    db.execute(
                        "insert or ignore into games(id, name, players, options, started) values (?, ?, ?, ?, ?)",
                        (row[1], d["name"], json.dumps(d["players"]), json.dumps(d.get("options") or {}), row[4]),
                    )
                # A commit that was reported as failed may have reached the disk all the same: "or ignore".
                db.execute(
                    "insert or ignore into events(seq, game, kind, data, at, table_ms, session, sum) "
                    "values (?, ?, ?, ?, ?, ?, ?, ?)",
                    row,
                )
            if item.work is not None:
                item.work(db)
            db.execute("commit")
        except BaseException:
            if db.in_transaction:
                db.execute("rollback")
            raise
        if item.rows:
            self._seq, self._game = item.rows[-1][0], item.rows[-1][1]
            self._last_ms, self._session = item.rows[-1][5], item.rows[-1][6]
        self._dirty = True

    def _rows(self, item: _Item) -> list[rescue.Event]:
        at, seq, game = stamp(), self._seq, self._game
        table_ms = self._base_ms + round((item.t - self._base_s) * 1000)
        session = self._session + (self._seq > 0 and table_ms - self._last_ms > SESSION_MS)
        rows = []
        for record in item.records:
            seq += 1
            if record.kind == "game":
                game = (game or 0) + 1
            assert game is not None, "a journal begins with a game"
            data = json.dumps(dict(record.data))
            total = schema.event_sum(seq, game, record.kind, data, at, table_ms, session)
            rows.append((seq, game, record.kind, data, at, table_ms, session, total))
        return rows

    def _after(self, db: sqlite3.Connection, item: _Item) -> None:
        """Follow the game, to know when it is over: then its tables are made, and a copy."""
        if item.then is not None:
            item.then(db)
        for record in item.records:
            if record.kind in ("game", "leave"):
                self._stale = self._game is not None
            try:
                if record.kind == "game":
                    self._live = Play(record)
                elif record.kind == "leave":
                    self._live = None
                elif self._live is not None:
                    self._live.apply(record)
            except Exception:
                self._live = None  # the events are safe; the book will say what is wrong with them
        over = self._live is not None and self._live.game.outcome() is not None
        finished, self._over = over and not self._over, over
        if finished:
            self._make_book(db, most=1)
            self._copy_soon()

    def _while_idle(self, db: sqlite3.Connection | None) -> sqlite3.Connection | None:
        try:
            if db is None:
                if not self._stale and (self._fault is None or self._ready):
                    return None
                db = schema.connect(self.path) if self._ready else self._open()
                self._fault = None
            if self._stale:
                self._make_book(db, most=1)
                self._dirty = True
            self._keep_time(db, _KEEP_TIME_MS)
            if self._dirty and not (self._stale and self._log_is_short()):
                db.execute("pragma wal_checkpoint(passive)").fetchall()
                self._dirty = False
        except (sqlite3.Error, OSError, Fault):
            # Nothing is waiting, so nothing is lost; the next event will tell.
            self._stale = False
            _close(db)
            return None
        if self._copy_due:
            self._copy_soon()
        return db

    def _make_book(self, db: sqlite3.Connection, most: int | None = None) -> None:
        # Whatever may be wrong with the book, the writer goes on: events can be made a book of at any time.
        stale, self._stale = self._stale, False
        with contextlib.suppress(Exception):
            but = self._game if self._live and not self._over else None
            self._stale = bool(book.bring_up_to_date(db, but=but, most=most))
            if stale or not self._stale:
                self._read_night(db)

    def _log_is_short(self) -> bool:
        return rescue.beside(self.path, "-wal").stat().st_size < _LONG_LOG

    def _read_night(self, db: sqlite3.Connection) -> None:
        # Only figures: the game goes on without them.
        with contextlib.suppress(sqlite3.Error):
            self.night = self._best_of(db)

    def _best_of(self, db: sqlite3.Connection) -> tuple[Best, ...]:
        rows = db.execute(
            "select players.name, seats.total, games.name from seats join games on games.id=seats.game "
            "join players on players.id=seats.player where games.over and not games.struck and games.session=? "
            "order by seats.total desc, games.id limit 5",
            (self._session,),
        )
        return tuple(Best(*row) for row in rows)

    def _keep_time(self, db: sqlite3.Connection, every_ms: int) -> None:
        ms = self._base_ms + round((self._now() - self._base_s) * 1000)
        if ms - self._kept_ms >= max(every_ms, 1):
            db.execute("insert or replace into meta values ('table_ms', ?)", (str(ms),))
            self._kept_ms = ms

    # ---- copies -------------------------------------------------------------------------------------------------

    _copy_due = False

    def _copy_soon(self) -> None:
        self._copy_due = self._copier is not None and self._copier.is_alive()
        if not self._copy_due:
            self._copier = threading.Thread(target=self._copy, name="journal-copy", daemon=True)
            self._copier.start()

    def _copy(self) -> None:
        try:
            rescue.make_copy(self.path)
            self._copy_fault = None
        except (sqlite3.Error, OSError) as e:
            self._copy_fault = Fault("JRN-06", f"no copy of the journal could be made ({e}).", "Make room on the disk.")


def _close(db: sqlite3.Connection | None) -> None:
    if db is not None:
        with contextlib.suppress(sqlite3.Error):
            db.close()


def _is_older(path: Path) -> bool:
    if not path.exists() or path.stat().st_size == 0:
        return False
    db = schema.connect_to_read(path)
    try:
        return 0 < schema.version_of(db) < SCHEMA
    finally:
        db.close()


def _records(db: sqlite3.Connection, game: int) -> Iterator[Record]:
    for kind, data in db.execute("select kind, data from events where game=? order by seq", (game,)).fetchall():
        yield Record(kind, json.loads(data))


def read_game(path: Path, game: int) -> Iterator[Record]:
    """The records of one game of a journal, in order. Does not change the file."""
    db = schema.connect_to_read(path)
    try:
        yield from _records(db, game)
    finally:
        db.close()


def game_ids(path: Path) -> list[int]:
    """The numbers of all games in a journal, oldest first."""
    db = schema.connect_to_read(path)
    try:
        return [row[0] for row in db.execute("select id from games order by id")]
    finally:
        db.close()
