"""The journal on a real file."""

from __future__ import annotations

import sqlite3
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
