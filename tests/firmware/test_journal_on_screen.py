"""What a disk in trouble looks like to the people at the table."""

from __future__ import annotations

import sqlite3
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import firmware.journal as module
from firmware.journal import Journal
from firmware.table import Mode

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def dry_table(tmp_path: Path) -> Iterator[Any]:
    sys.path.insert(0, str(ROOT))
    try:
        from scripts.powercut_table import DryTable
    finally:
        sys.path.remove(str(ROOT))
    table = DryTable(tmp_path, seed=2)
    yield table
    table.close()


def banners(table: Any) -> str:
    return " ".join(table.window.shown.banners)


def test_a_full_disk_is_shown_and_the_game_goes_on(
    dry_table: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    table = dry_table
    real, room = Journal._write, threading.Event()

    def full(self: Journal, *args: object) -> None:
        if not room.is_set():
            raise sqlite3.OperationalError("database or disk is full")
        real(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Journal, "_write", full)
    monkeypatch.setattr(module, "_RETRY_S", 0.01)
    table.act()
    for _ in range(400):
        if "JRN-03" in banners(table):
            break
        table.journal.wait(table.loop.token, 0.01)
        table.step()
    assert "JRN-03: the journal can't be written (database or disk is full)." in banners(table)
    for _ in range(30):
        table.act()
    assert table.loop.token > 10
    table.step()
    assert table.loop.mode is table.table.mode is not Mode.MENU, "what is accepted is shown"
    room.set()
    assert table.journal.wait(table.loop.token, 20)
    table.step()
    assert banners(table) == ""


def test_a_slow_disk_says_saving_and_shows_nothing_that_is_not_saved(
    dry_table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = dry_table
    real, go = Journal._write, threading.Event()

    def slow(self: Journal, *args: object) -> None:
        assert go.wait(30)
        real(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Journal, "_write", slow)
    before = table.screen
    table.act()
    assert banners(table) == ""
    table.step(0.4)
    assert banners(table) == "saving"
    assert table.screen == before
    table.step(module.STALL_S)
    assert "JRN-04" in banners(table)
    assert table.screen != before
    go.set()
    assert table.journal.wait(table.loop.token, 20)
    table.step()
    assert banners(table) == ""
