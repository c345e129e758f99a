"""Older journals become new ones, step by step, without a loss."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from firmware import journal_schema as schema
from firmware.journal import Journal, game_ids, read_game
from firmware.journal_rescue import copies
from firmware.play import play_from
from firmware.replay import games_from_journal
from firmware.stats import load

OLD = Path(__file__).with_name("schema_1.sql")
"""A journal that the first version wrote: a finished game of two, and two turns of the next with a correction."""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "journal.sqlite3"
    db = sqlite3.connect(path)
    db.executescript(OLD.read_text("utf-8"))
    db.execute("pragma journal_mode=wal")
    db.close()
    return path


def events(path: Path) -> list[tuple[object, ...]]:
    db = schema.connect_to_read(path)
    rows = db.execute("select seq, game, kind, data, at from events order by seq").fetchall()
    db.close()
    return rows


def test_a_journal_of_schema_1_keeps_every_event(old: Path) -> None:
    before = events(old)
    assert len(before) == 130
    journal = Journal(old)
    assert journal.notices == ()
    assert events(old) == before
    assert game_ids(old) == [1, 2]
    play = play_from(journal.last_game())
    assert play is not None
    assert [d.value for d in play.dice] == [1, 6, 3, 4, 5], "the correction is there"
    journal.close()
    assert next(iter(games_from_journal(old))).game.totals == (156, 89)


def test_it_is_copied_before_it_is_changed(old: Path) -> None:
    before = events(old)
    Journal(old).close()
    (copy,) = copies(old)
    assert events(copy) == before
    db = sqlite3.connect(copy)
    assert schema.version_of(db) == 1
    db.close()


def test_step_1_gives_every_event_a_sum_and_makes_the_tables(old: Path) -> None:
    db = schema.connect(old)
    assert schema.migrate(db, 2) == [1]
    assert (schema.version_of(db), schema.said_version(db)) == (2, 2)
    rows = db.execute("select seq, game, kind, data, at, table_ms, session, sum from events").fetchall()
    assert len(rows) == 130
    assert all(schema.event_sum(*row[:7]) == row[7] for row in rows)
    assert {row[5:7] for row in rows} == {(0, 1)}
    assert schema.migrate(db, 2) == []
    db.close()


def test_the_tables_of_an_old_journal_are_filled(old: Path) -> None:
    Journal(old).close()
    db = load(old)
    assert db.execute("select name from players order by name").fetchall() == [("Ann",), ("Bo",)]
    assert db.execute("select id, over, trouble from games").fetchall() == [(1, 1, ""), (2, 0, "")]
    assert db.execute("select seat, total, won, place from seats where game=1 order by seat").fetchall() == [
        (0, 156, 1, 1),
        (1, 89, 0, 2),
    ]
    assert db.execute("select was, became from corrections").fetchall() == [("12345", "13456")]
    (corrected,) = db.execute("select faces from rolls where corrected").fetchall()
    assert corrected == ("13456",)
    assert db.execute("select sum(points) from scores where game=1 and seat=0").fetchone() <= (156,)
    db.close()


def test_a_step_that_fails_changes_nothing(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = events(old)

    def half(db: sqlite3.Connection) -> None:
        db.execute("alter table events add column sum integer not null default 0")
        db.execute("delete from events")
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setitem(schema.MIGRATIONS, 1, half)
    db = schema.connect(old)
    with pytest.raises(sqlite3.OperationalError):
        schema.migrate(db)
    assert schema.version_of(db) == 1
    assert [row[1] for row in db.execute("pragma table_info(events)")] == ["seq", "game", "kind", "data", "at"]
    db.close()
    assert events(old) == before


def test_there_is_a_step_from_every_schema() -> None:
    assert sorted(schema.MIGRATIONS) == list(range(schema.SCHEMA))


def test_a_new_file_goes_the_same_way(tmp_path: Path, old: Path) -> None:
    def shape(path: Path) -> set[tuple[str, tuple[str, ...]]]:
        db = schema.connect(path)
        schema.migrate(db)
        tables = [t for (t,) in db.execute("select name from sqlite_master where type='table'")]
        made = {(t, tuple(row[1] for row in db.execute(f"pragma table_info({t})"))) for t in tables}
        db.close()
        return made

    assert shape(tmp_path / "new") == shape(old)


def test_the_events_are_json(old: Path) -> None:
    assert all(isinstance(json.loads(str(row[3])), dict) for row in events(old))
    assert len(list(read_game(old, 2))) == 5
