"""Evenings and time: what ends an evening, what does not, and that the wall clock decides nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

import firmware.journal as module
from firmware.events import Record
from firmware.journal import Best, Journal

HOUR_S = 3600.0
UPPER = ["ones", "twos", "threes", "fours", "fives", "sixes"]
LOWER = ["three_kind", "four_kind", "full_house", "small_straight", "large_straight", "five_kind", "chance"]


class Table:
    """A journal and its monotonic clock; `restart` is a power cut: the clock begins anew, as after a boot."""

    def __init__(self, folder: Path) -> None:
        self.t = 500.0
        self.path = folder / "journal.sqlite3"
        self.journal = Journal(self.path, now=lambda: self.t)

    def restart(self) -> None:
        assert self.journal.close()
        self.t = 3.0
        self.journal = Journal(self.path, now=lambda: self.t)

    def play(self, name: str, chance: int = 0, seconds_a_turn: float = 30.0) -> None:
        """A game of one player, who gets `chance` points in all."""
        token = self.journal.append([Record("game", {"name": "yardzee", "players": [name], "options": {}, "first": 0})])
        for box in UPPER + LOWER:
            self.t += seconds_a_turn
            faces = (
                [1, 1, 2, 2, chance - 6] if box == "chance" else [2, 2, 3, 3, 6] if box == "ones" else [1, 1, 1, 1, 1]
            )
            if box in LOWER and box != "chance":
                faces = [1, 1, 2, 2, 6]
            self.journal.append(
                [Record("roll", {"dice": [{"v": v, "p": 1.0, "c": None} for v in faces], "by": "hand"})]
            )
            token = self.journal.append([Record("score", {"box": box})])
        assert self.journal.wait(token, 20)
        # The night is read once the last event is on the disk; an empty act comes after that.
        assert self.journal.wait(self.journal.append([]), 20)

    @property
    def night(self) -> list[tuple[str, int]]:
        return [(b.name, b.points) for b in self.journal.night]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def test_the_best_of_the_night_stand_highest_first(table: Table) -> None:
    table.play("Ann", 8)
    table.play("Bo", 12)
    assert table.night == [("Bo", 12), ("Ann", 8)]
    assert table.journal.night[0] == Best("Bo", 12, "yardzee")
    table.journal.close()


def test_four_hours_of_silence_end_an_evening_and_less_does_not(table: Table) -> None:
    table.play("Ann", 10)
    table.t += 3.9 * HOUR_S
    table.play("Bo", 9)
    assert [n for n, _ in table.night] == ["Ann", "Bo"]
    table.t += 4.1 * HOUR_S
    table.play("Cleo", 7)
    assert table.night == [("Cleo", 7)]
    table.journal.close()


def test_a_restart_ends_no_evening_and_the_time_goes_on(table: Table) -> None:
    table.play("Ann", 10)
    table.t += 2.5 * HOUR_S
    table.restart()
    assert table.night == [("Ann", 10)]
    table.t += 1.0 * HOUR_S
    table.play("Bo", 9)
    assert [n for n, _ in table.night] == ["Ann", "Bo"]
    # Two and a half hours before the restart and two after it are one silence.
    table.t += 2.5 * HOUR_S
    table.restart()
    table.t += 2.0 * HOUR_S
    table.play("Cleo", 7)
    assert table.night == [("Cleo", 7)]
    table.journal.close()


def test_a_host_begins_a_new_evening_and_a_restart_remembers_it(table: Table) -> None:
    table.play("Ann", 10)
    assert table.journal.wait(table.journal.new_session(), 10)
    assert table.night == []
    table.restart()
    assert table.night == []
    table.play("Bo", 9)
    assert table.night == [("Bo", 9)]
    table.restart()
    assert table.night == [("Bo", 9)]
    table.journal.close()


def test_a_wall_clock_that_jumps_ten_years_changes_nothing(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    stamps = iter(["2026-01-01T20:00:00+00:00", "2036-01-01T20:00:00+00:00", "1970-01-01T00:00:00+00:00"] * 99)
    monkeypatch.setattr(module, "stamp", lambda: next(stamps))
    table.play("Ann", 10)
    table.restart()
    table.play("Bo", 9)
    assert [n for n, _ in table.night] == ["Ann", "Bo"]
    assert [r.kind for r in table.journal.last_game()][:3] == ["game", "roll", "score"]
    assert table.journal.notices == ()
    table.journal.close()
