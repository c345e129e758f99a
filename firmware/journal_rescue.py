"""When the journal's file is damaged: find that out, set it aside, and put together what is still good.

Room: firmware. Every event carries a sum, so each can be trusted by itself. A new file is made of the events that are
whole, from the damaged file (with and without its log) and from the last good copies, the first whole one for each
number. A game with a hole is kept up to the hole. Nothing is deleted: the damaged file and its log stay beside it as
`*.corrupt-<stamp>`.

Order of the steps, so that a power cut between any two of them loses nothing: the new file is written and synced under
a name of its own (`*.rescued`); the old ones get their second name; the old log goes; the new file takes the name. A
start that finds a `*.rescued` file goes on from there.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware import journal_schema as schema
from firmware.events import Record
from firmware.journal_wal import DATABASE_MAGIC, image, scan

COPIES = 3
"""How many good copies are kept."""
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_FORMAT}
_SHORT_READ = 522
_BAD_DISK = 8458

Event = tuple[int, int, str, str, str, int, int, int]
Act = tuple[int, str, str, str, int, int]


class Damaged(Exception):
    """The file is not what was written."""


def is_damage(error: sqlite3.Error) -> bool:
    """Does this error say that the file is bad, rather than that the disk is full, read-only or away?"""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)
    return (code & 0xFF) in _DAMAGED or code in (_SHORT_READ, _BAD_DISK)


def beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def sync_folder(folder: Path) -> None:
    """Make names that were given or taken in this folder last."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


# ---- is it whole? ---------------------------------------------------------------------------------------------------


def examine(path: Path) -> None:
    """Raises Damaged if the journal is not whole. Changes nothing. Other troubles come as sqlite3.Error or OSError.

    A file that is not there or, without log and copies, has no bytes is no damage: there simply is no journal yet.
    """
    wal = _bytes(beside(path, "-wal"))
    try:
        with path.open("rb") as file:
            head = file.read(100)
    except FileNotFoundError:
        head = None
    if not head:
        if len(wal) > 32 or copies(path) or (head is None and beside(path, ".rescued").exists()):
            raise Damaged("it is empty" if head is not None else "it is gone")
        return
    if not head.startswith(DATABASE_MAGIC):
        raise Damaged("it is no database")
    if wal and scan(wal, int.from_bytes(head[16:18], "big") or 4096).lost:
        raise Damaged("its log is damaged")
    try:
        db = schema.connect_to_read(path)
        try:
            schema.refuse_newer(db, path)
            _check(db)
            last = db.execute("select max(seq) from events").fetchone()[0] or 0 if schema.version_of(db) else 0
        finally:
            db.close()
    except UnicodeDecodeError as e:
        raise Damaged(f"a name in it can't be read ({e.reason})") from e
    except sqlite3.Error as e:
        if is_damage(e):
            raise Damaged(str(e)) from e
        raise
    newest = max((_seq_of(copy) for copy in copies(path)), default=0)
    if last < newest:
        raise Damaged(f"it ends at event {last}, but a copy was made after event {newest}")


def _check(db: sqlite3.Connection) -> None:
    found = db.execute("pragma integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise Damaged(str(found))
    version = schema.version_of(db)
    if version == 0:
        if db.execute("select count(*) from sqlite_master").fetchone()[0]:
            raise Damaged("it is a database of something else")
        return
    has_sums = any(row[1] == "sum" for row in db.execute("pragma table_info(events)"))
    if version != (schema.said_version(db) or 1) or has_sums != (version > 1):
        raise Damaged("its version is not that of its tables")
    if version == 1:
        return
    found_shape = schema.shape(db)
    if any(found_shape.get(table) != columns for table, columns in schema.own_shape().items()):
        raise Damaged("its tables are not those of a journal")
    number = last = 0
    for event in db.execute("select seq, game, kind, data, at, table_ms, session, sum from events order by seq"):
        if schema.event_sum(*event[:7]) != event[7]:
            raise Damaged(f"event {event[0]} was changed")
        number, last = number + 1, event[0]
    holes = db.execute("select value from meta where key='holes'").fetchone()
    if str(last - number) != (holes[0] if holes else "0"):
        raise Damaged("events are missing")
    for act in db.execute("select id, kind, data, at, upto, sum from acts"):
        if schema.act_sum(*act[:5]) != act[5]:
            raise Damaged(f"the host's act {act[0]} was changed")
    # Found through the index, game by game; if that is damaged, this is a different number.
    games = db.execute("select sum((select count(*) from events where game=games.id)) from games").fetchone()[0]
    if (games or 0) != number:
        raise Damaged("its index is damaged")


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


# ---- copies ---------------------------------------------------------------------------------------------------------


def copies_folder(path: Path) -> Path:
    return path.parent / "copies"


def copies(path: Path) -> list[Path]:
    """The good copies of this journal, newest first."""
    found = copies_folder(path).glob(f"{path.stem}-*{path.suffix or '.copy'}")
    return sorted((c for c in found if c.stem[len(path.stem) + 1 :].isdigit()), key=_seq_of, reverse=True)


def _seq_of(copy: Path) -> int:
    return int(copy.stem.rpartition("-")[2])


def make_copy(path: Path) -> Path | None:
    """Copy the journal as it is, by SQLite's backup, and keep the newest few. None if nothing is new. Raises
    sqlite3.Error or OSError; no half copy stays."""
    folder = copies_folder(path)
    folder.mkdir(exist_ok=True)
    partial = folder / "copy.part"
    partial.unlink(missing_ok=True)
    source = schema.connect_to_read(path)
    try:
        target = sqlite3.connect(partial)
        try:
            source.backup(target)
            # In the copy's own numbers: the journal may have gone on meanwhile.
            seq = target.execute("select max(seq) from events").fetchone()[0] or 0
            target.execute("pragma journal_mode=delete")
        finally:
            target.close()
        copy = folder / f"{path.stem}-{seq:08d}{path.suffix or '.copy'}"
        if seq == 0:
            partial.unlink()
            return None
        with partial.open("rb") as file:
            os.fsync(file.fileno())
        partial.replace(copy)
        sync_folder(folder)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    finally:
        source.close()
    for old in copies(path)[COPIES:]:
        old.unlink(missing_ok=True)
    return copy


# ---- rescue ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rescued:
    """What came of it: `events` in the new journal, of which `from_copy` are only in a copy; `cut` were whole, but lie
    behind a hole in their game; `missing` are nowhere, as far as numbers tell. `aside`: where the damaged file is."""

    events: int
    from_copy: int
    cut: int
    missing: int
    aside: Path


class _Sources:
    """Events and acts that are whole, by number; the first source that has one gives it."""

    def __init__(self) -> None:
        self.events: dict[int, Event] = {}
        self.acts: dict[int, Act] = {}

    def take(self, data: bytes) -> int:
        """Take what is whole from a database. Returns how many events were new."""
        before = len(self.events)
        if len(data) < 512:
            return 0
        db = sqlite3.connect(":memory:", isolation_level=None)
        db.text_factory = schema.readable
        try:
            db.deserialize(data)
            if not any(row[1] == "sum" for row in db.execute("pragma table_info(events)")):
                # Schema 1 has no sums: SQLite's own check must do.
                if db.execute("pragma integrity_check(1)").fetchone()[0] != "ok":
                    return 0
                db.execute("pragma user_version=1")
                schema.migrate(db)
            for e in _rows(db, "events", "seq", "seq, game, kind, data, at, table_ms, session, sum"):
                if _types(e, "iisssiii") and schema.event_sum(*e[:7]) == e[7]:
                    self.events.setdefault(e[0], e)
            for a in _rows(db, "acts", "id", "id, kind, data, at, upto, sum"):
                if _types(a, "isssii") and schema.act_sum(*a[:5]) == a[5]:
                    self.acts.setdefault(a[0], a)
        except (sqlite3.Error, ValueError, OverflowError, MemoryError):
            pass  # what was read so far counts
        finally:
            db.close()
        return len(self.events) - before


def _types(row: tuple[object, ...], kinds: str) -> bool:
    return all(isinstance(v, int if k == "i" else str) for v, k in zip(row, kinds, strict=True))


def _rows(db: sqlite3.Connection, table: str, key: str, columns: str) -> Iterator[tuple[Any, ...]]:
    """Every row that can be read, from the front and, behind a damaged page, from the back."""
    for order in ("", " desc"):
        try:
            yield from db.execute(f"select {columns} from {table} not indexed order by {key}{order}")
            return
        except (sqlite3.Error, UnicodeDecodeError):
            continue


def rescue(path: Path, stamp: str) -> Rescued:
    """Set the damaged journal aside and make a good one. Raises sqlite3.Error or OSError if the disk won't let us; then
    the damaged file is where it was, and the next start tries again."""
    fresh = beside(path, ".rescued")
    counts = (0, 0, 0, 0)
    if not _is_whole(fresh):
        counts = _put_together(path, fresh)
    aside = _swap(path, fresh, stamp)
    return Rescued(*counts, aside)


def _is_whole(fresh: Path) -> bool:
    """Did a rescue before this one come as far as a whole new file?"""
    try:
        examine(fresh)
    except Damaged:
        return False
    return fresh.exists()


def _put_together(path: Path, fresh: Path) -> tuple[int, int, int, int]:
    found = _Sources()
    database, wal = _bytes(path), _bytes(beside(path, "-wal"))
    found.take(image(database, wal))
    if wal:
        found.take(image(database, b""))
    own = set(found.events)
    for copy in copies(path):
        found.take(image(_bytes(copy), b""))
        if found.events and max(found.events) == len(found.events) >= _seq_of(copies(path)[0]):
            break  # older copies hold nothing more
    events, cut = _without_holes(found.events)
    partial = beside(path, ".rescued-part")
    partial.unlink(missing_ok=True)
    db = sqlite3.connect(partial, isolation_level=None)
    try:
        db.execute("pragma synchronous=full")
        schema.migrate(db)
        write_truth(db, events, [found.acts[n] for n in sorted(found.acts)])
    finally:
        db.close()
    with partial.open("rb") as file:
        os.fsync(file.fileno())
    partial.replace(fresh)
    sync_folder(path.parent)
    missing = max(found.events, default=0) - len(found.events)
    return len(events), sum(e[0] not in own for e in events), cut, missing


def _without_holes(found: dict[int, Event]) -> tuple[list[Event], int]:
    """Events in order. A game goes as far as it is whole: an event counts only if all before it in its game are here.

    Events are numbered through all games, so a hole belongs to the game before it or after it. Both end there, but a
    game whose first event, which says who plays, is here, is whole from its beginning.
    """
    kept: list[Event] = []
    broken: set[int] = set()
    last = 0
    for number in sorted(found):
        event = found[number]
        game = event[1]
        begins = event[2] == "game"
        if number != last + 1:
            broken |= {e[1] for e in kept[-1:]}
            if not begins:
                broken.add(game)
        if game not in broken or begins:
            if begins:
                broken.discard(game)
            kept.append(event)
        last = number
    return kept, len(found) - len(kept)


def write_truth(db: sqlite3.Connection, events: list[Event], acts: list[Act]) -> None:
    """Fill an empty journal from its truth."""
    db.execute("begin")
    db.execute("insert or replace into meta values ('holes', ?)", (str(events[-1][0] - len(events) if events else 0),))
    for seq, game, kind, data, at, table_ms, session, total in events:
        if kind == "game":
            d = json.loads(data)
            db.execute(
                "insert or ignore into games(id, name, players, options, started) values (?, ?, ?, ?, ?)",
                (game, d["name"], json.dumps(d["players"]), json.dumps(d.get("options") or {}), at),
            )
        db.execute(
            "insert into events(seq, game, kind, data, at, table_ms, session, sum) values (?, ?, ?, ?, ?, ?, ?, ?)",
            (seq, game, kind, data, at, table_ms, session, total),
        )
    db.executemany("insert into acts(id, kind, data, at, upto, sum) values (?, ?, ?, ?, ?, ?)", acts)
    db.execute("commit")


def _swap(path: Path, fresh: Path, stamp: str) -> Path:
    aside = beside(path, f".corrupt-{stamp}")
    number = 1
    while aside.exists():
        number += 1
        aside = beside(path, f".corrupt-{stamp}-{number}")
    for suffix in ("", "-wal"):
        old, new = beside(path, suffix), beside(aside, suffix)
        if old.exists():
            try:
                new.hardlink_to(old)
            except OSError:
                shutil.copyfile(old, new)
                with new.open("rb") as file:
                    os.fsync(file.fileno())
    sync_folder(path.parent)
    # The old log would be taken for the new file's, so it must be gone first.
    for suffix in ("-wal", "-shm"):
        beside(path, suffix).unlink(missing_ok=True)
    sync_folder(path.parent)
    last = _last_seq(fresh)
    fresh.replace(path)
    for copy in copies(path):
        # It claims more than could be read from it.
        if _seq_of(copy) > last:
            copy.replace(beside(copy, f".corrupt-{stamp}"))
    sync_folder(path.parent)
    return aside


def _last_seq(path: Path) -> int:
    db = schema.connect_to_read(path)
    try:
        last: int = db.execute("select max(seq) from events").fetchone()[0] or 0
    finally:
        db.close()
    return last


def read_closed(path: Path) -> list[Record]:
    """The records of the newest game in a journal that can't be opened, because the disk is read-only. Changes nothing.
    Raises OSError, sqlite3.Error, ValueError."""
    found = _Sources()
    found.take(image(path.read_bytes(), _bytes(beside(path, "-wal"))))
    events, _ = _without_holes(found.events)
    return [Record(e[2], json.loads(e[3])) for e in events if e[1] == events[-1][1]]
