"""A whole copy of the journal for each day, seven kept."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from firmware.backup_command import back_up, backups
from firmware.cli import main
from firmware.errors import Fault
from firmware.events import Record
from firmware.journal import Journal


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "data" / "journal.sqlite3"
    path.parent.mkdir()
    book = Journal(path)
    token = book.append([Record("game", {"name": "yardzee", "players": ["Ann"], "options": {}, "first": 0})])
    assert book.wait(token, 10)
    book.close()
    return path


def days(folder: Path) -> list[str]:
    return [day for _, day, _ in backups(folder)]


def test_seven_days_are_kept_and_one_copy_a_day(journal: Path, tmp_path: Path) -> None:
    folder = tmp_path / "stick"
    for day in range(1, 11):
        for _ in range(2):
            made = back_up(journal, folder, f"2026-11-{day:02d}")
    assert days(folder) == [f"2026-11-{day:02d}" for day in range(4, 11)]
    assert sorted(folder.iterdir()) == [path for _, _, path in backups(folder)], "nothing else lies there"
    db = sqlite3.connect(made)
    assert db.execute("select count(*) from events").fetchone() == (1,)
    db.close()


def test_a_clock_that_was_set_back_years_loses_no_new_copy(journal: Path, tmp_path: Path) -> None:
    for day in ("2026-11-29", "2026-11-30", "1970-01-01", "1970-01-02"):
        back_up(journal, tmp_path, day, keep=3)
    assert days(tmp_path) == ["2026-11-30", "1970-01-01", "1970-01-02"]


def test_it_works_while_the_table_writes(journal: Path, tmp_path: Path) -> None:
    book = Journal(journal)
    try:
        made = back_up(journal, tmp_path / "b", "2026-11-30")
    finally:
        book.close()
    assert made.stat().st_size > 0


def test_a_copy_that_fails_leaves_the_others_and_no_half_one(journal: Path, tmp_path: Path) -> None:
    folder = tmp_path / "b"
    good = back_up(journal, folder, "2026-11-29")
    journal.write_bytes(b"this is no database, but long enough to be read as one" * 40)
    with pytest.raises(Fault) as caught:
        back_up(journal, folder, "2026-11-30")
    assert caught.value.code == "JRN-06"
    assert list(folder.iterdir()) == [good]


def test_the_command(journal: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["backup", "--data", str(journal.parent)]) == 0
    assert str(journal.parent / "backups" / "journal-000001-") in capsys.readouterr().out
    assert main(["backup", "--data", str(tmp_path / "new")]) == 0
    assert "nothing to back up" in capsys.readouterr().out
