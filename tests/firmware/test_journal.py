"""The journal on a real file."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest

from firmware.errors import Fault
from firmware.events import Record
from firmware.journal import SCHEMA, Journal, game_ids, read_game

GAME = Record("game", {"name": "yardzee", "players": ["Ann"], "options": {}, "first": 0})


def test_what_was_committed_is_there_after_opening_again(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "journal.sqlite3"
    journal = Journal(path)
    assert journal.last_game() == []
    journal.append([GAME])
    token = journal.append([Record("keep", {"faces": [5, 5]}), Record("mark", {"marks": [1]})])
    assert journal.wait(token, 10)
    journal.close()
    again = Journal(path)
    assert [r.kind for r in again.last_game()] == ["game", "keep", "mark"]
    assert again.last_game()[1].data == {"faces": [5, 5]}
    again.append([Record("undo")])
    assert again.close()
    assert len(list(read_game(path, 1))) == 4


def test_a_new_game_gets_a_number_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "j"
    journal = Journal(path)
    journal.append([GAME, Record("undo")])
    journal.append([GAME])
    journal.close()
    assert game_ids(path) == [1, 2]
    assert len(list(read_game(path, 1))) == 2


def test_a_commit_reaches_the_disk_before_it_is_told(tmp_path: Path) -> None:
    told: list[int] = []
    journal = Journal(tmp_path / "j", told.append)
    token = journal.append([GAME])
    assert journal.wait(token, 10)
    # Another connection, as after a crash: it sees what is in the file and its log.
    assert [r.kind for r in read_game(tmp_path / "j", 1)] == ["game"]
    journal.close()
    assert told == [token]


def test_it_runs_with_a_log_and_full_sync(tmp_path: Path) -> None:
    from firmware.journal_schema import connect

    Journal(tmp_path / "j").close()
    db = connect(tmp_path / "j")
    assert db.execute("pragma journal_mode").fetchone() == ("wal",)
    assert db.execute("pragma synchronous").fetchone() == (2,)
    db.close()


def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "j"
    Journal(path).close()
    db = sqlite3.connect(path)
    db.execute(f"pragma user_version={SCHEMA + 1}")
    db.execute("update meta set value=? where key='schema'", (str(SCHEMA + 1),))
    db.commit()
    db.close()
    before = path.read_bytes()
    with pytest.raises(Fault) as caught:
        Journal(path)
    assert caught.value.code == "JRN-02"
    assert path.read_bytes() == before


@pytest.mark.parametrize("what", ["words", "another database"])
def test_a_file_that_is_no_journal_is_set_aside_and_said(tmp_path: Path, what: str) -> None:
    path = tmp_path / "j"
    if what == "words":
        path.write_bytes(b"my shopping list\n" * 100)
    else:
        db = sqlite3.connect(path)
        db.execute("create table shopping(thing)")
        db.close()
    before = path.read_bytes()
    journal = Journal(path)
    (notice,) = journal.notices
    assert notice.code == "JRN-05"
    (aside,) = tmp_path.glob("j.corrupt-*")
    assert aside.read_bytes() == before
    assert aside.name in notice.words
    assert journal.last_game() == []
    assert journal.wait(journal.append([GAME]), 10)
    assert journal.notices == (), "a new game begins, and the evening goes on"
    journal.close()
    assert Journal(path).notices == ()


def test_what_cant_be_written_is_said_and_written_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import firmware.journal as module

    real = module.Journal._write
    failures = iter([sqlite3.OperationalError("database or disk is full")] * 2)
    faults = []

    def full(self: Journal, *args: object) -> None:
        faults.append(self.fault and self.fault.code)
        error = next(failures, None)
        if error is not None:
            raise error
        real(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(module.Journal, "_write", full)
    monkeypatch.setattr(module, "_RETRY_S", 0.01)
    journal = Journal(tmp_path / "j")
    token = journal.append([GAME])
    assert journal.wait(token, 10)
    assert faults == [None, "JRN-03", "JRN-03"]
    assert journal.fault is None, "the fault is over once it is written"
    assert [r.kind for r in journal.last_game()] == ["game"]
    journal.close()


def passing(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("attempt to write a readonly database")
    error.sqlite_errorcode = code  # type: ignore[misc]
    return error


@pytest.mark.parametrize("code", [sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR])
def test_a_disk_that_can_not_be_written_at_the_start_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    import firmware.journal as module

    path = tmp_path / "j"
    journal = Journal(path)
    journal.append([GAME, Record("undo")])
    journal.close()
    real, writable = module.schema.connect, threading.Event()

    def connect(where: Path) -> sqlite3.Connection:
        if not writable.is_set():
            raise passing(code)
        return real(where)

    monkeypatch.setattr(module.schema, "connect", connect)
    monkeypatch.setattr(module, "_RETRY_S", 0.01)
    journal = Journal(path)
    assert journal.fault is not None
    assert journal.fault.code == "JRN-03"
    assert [r.kind for r in journal.last_game()] == ["game", "undo"], "what is there is read all the same"
    token = journal.append([Record("leave")])
    assert not journal.wait(token, 0.2)
    writable.set()
    assert journal.wait(token, 10)
    assert journal.fault is None
    journal.close()
    assert [r.kind for r in read_game(path, 1)] == ["game", "undo", "leave"]


def test_a_place_that_can_never_be_written_is_said_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Fault) as caught:
        Journal(tmp_path / "file" / "j")
    assert caught.value.code == "JRN-01"


def test_a_disk_that_hangs_is_said_and_waited_for_by_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import firmware.journal as module

    real, go = module.Journal._write, threading.Event()

    def slow(self: Journal, *args: object) -> None:
        assert go.wait(30)
        real(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(module.Journal, "_write", slow)
    t = [100.0]
    journal = Journal(tmp_path / "j", now=lambda: t[0])
    token = journal.append([GAME])
    assert journal.fault is None
    t[0] += module.STALL_S + 0.1
    assert journal.fault is not None
    assert journal.fault.code == "JRN-04"
    go.set()
    assert journal.wait(token, 10)
    assert journal.fault is None
    journal.close()


def test_a_commit_that_failed_but_reached_the_disk_is_not_written_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import firmware.journal as module

    real = module.Journal._write
    left = iter([True])

    def committed_and_then_failed(self: Journal, *args: object) -> None:
        before = self._seq, self._game
        real(self, *args)  # type: ignore[arg-type]
        if next(left, False):
            self._seq, self._game = before
            raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(module.Journal, "_write", committed_and_then_failed)
    monkeypatch.setattr(module, "_RETRY_S", 0.01)
    journal = Journal(tmp_path / "j")
    assert journal.wait(journal.append([GAME, Record("undo")]), 10)
    assert journal.wait(journal.append([Record("leave")]), 10)
    journal.close()
    assert game_ids(tmp_path / "j") == [1]
    assert [r.kind for r in read_game(tmp_path / "j", 1)] == ["game", "undo", "leave"]
    assert Journal(tmp_path / "j").notices == ()


def test_a_copy_that_fails_is_said_and_the_next_one_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import firmware.journal as module

    journal = Journal(tmp_path / "j")
    real = module.rescue.make_copy
    monkeypatch.setattr(module.rescue, "make_copy", lambda path: (_ for _ in ()).throw(OSError(28, "no space")))
    journal._copy()
    assert [n.code for n in journal.notices] == ["JRN-06"]
    monkeypatch.setattr(module.rescue, "make_copy", real)
    journal._copy()
    assert journal.notices == ()
    journal.close()
