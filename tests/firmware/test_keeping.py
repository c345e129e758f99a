"""The three ways of keeping: what the eye is told to expect, and what becomes of what it sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from firmware.events import CameraState, Intent, IntentKind, Seen
from firmware.keeping import Keeping, Way, beside
from firmware.table import Mode, Table, TableSettings
from firmware.views import view_of
from vision.types import Die, Reading, Status, TrayEvent, TrayEventKind, TrayState

STRIP = ((0.0, 0.8), (1.0, 0.8), (1.0, 1.0), (0.0, 1.0))


class Players:
    """A table at which dice are thrown and buttons pressed."""

    def __init__(self, way: Way, game: str = "yardzee") -> None:
        self.table = Table(TableSettings(game, 2, keeping=Keeping(way, STRIP if way is Way.STRIP else ())))
        self.t = 0.0
        self.table.handle(CameraState(True, 0.0))
        self.press(IntentKind.SCORE)
        while self.table.mode is not Mode.PLAY:
            self.press(IntentKind.SCORE)

    def press(self, kind: IntentKind, arg: int | str | None = None) -> Any:
        self.t += 1.0
        return self.table.handle(Intent(kind, arg, self.table.revision, self.t))

    def see(self, values: Sequence[int], kept: Sequence[int] = (), first_x: float = 100.0) -> None:
        """Dice fly and come to rest; those of `kept` did not move."""
        self.t += 1.0
        dice = tuple(die(value, first_x + 60 * n) for n, value in enumerate(values))
        reading = Reading(Status.READ, dice)
        thrown = list(values)
        for value in kept:
            thrown.remove(value)
        for kind, state in ((TrayEventKind.STATE, TrayState.ROLLING), (TrayEventKind.ROLL, TrayState.SETTLED)):
            roll = kind is TrayEventKind.ROLL
            event = TrayEvent(
                kind, state, self.t, round(self.t * 30), reading if roll else None,
                tuple(sorted(values)) if roll else (), tuple(kept) if roll else (), tuple(thrown) if roll else (),
            )  # fmt: skip
            self.table.handle(Seen(event, 1280, 720))

    @property
    def faces(self) -> list[int]:
        assert self.table.play is not None
        return sorted(d.value for d in self.table.play.dice)


def die(value: int, x: float) -> Die:
    return Die(value, 0.98, x, 300.0, ((x - 20, 280.0), (x + 20, 280.0), (x + 20, 320.0), (x - 20, 320.0)))


def marked(players: Players, *values: int) -> None:
    """Mark dice with these faces."""
    for value in values:
        assert players.table.play is not None
        n = next(
            n for n, d in enumerate(players.table.play.dice, 1)
            if d.value == value and n not in players.table.play.marks
        )  # fmt: skip
        players.press(IntentKind.MARK, n)


def test_without_a_game_nothing_is_expected() -> None:
    assert Table(TableSettings()).expectation == {"dice": None, "strip": None, "fresh": False, "turn": False}


def test_dice_that_are_left_lying_are_all_expected() -> None:
    players = Players(Way.LEAVE)
    assert players.table.expectation == {"dice": 5, "strip": None, "fresh": False, "turn": False}
    players.see((1, 2, 5, 5, 6))
    marked(players, 5, 5)
    order = players.press(IntentKind.ROLL).orders[0]
    assert (order.args["dice"], order.args["kept"]) == (5, [5, 5])
    assert players.table.expectation == {"dice": 5, "strip": None, "fresh": False, "turn": True}


def test_a_strip_is_told_to_the_eye() -> None:
    players = Players(Way.STRIP)
    assert players.table.expectation["strip"] == [list(point) for point in STRIP]


def test_dice_that_leave_the_tray_are_not_expected_and_count_all_the_same() -> None:
    players = Players(Way.OUT)
    players.see((1, 2, 5, 5, 6))
    assert players.table.expectation["dice"] == 5
    marked(players, 5, 5)
    order = players.press(IntentKind.ROLL).orders[0]
    assert order.args == {"dice": 3, "kept": [], "places": []}
    assert players.table.expectation["dice"] == 3
    players.see((3, 5, 6))
    assert players.faces == [3, 5, 5, 5, 6]
    # All three that lie there are expected until more is kept.
    assert players.table.expectation["dice"] == 3
    marked(players, 5, 5, 5)
    players.press(IntentKind.ROLL)
    assert players.table.expectation["dice"] == 2
    players.see((5, 1))
    assert players.faces == [1, 5, 5, 5, 5]
    assert players.table.expectation["dice"] == 2
    players.press(IntentKind.SCORE)
    assert players.table.expectation == {"dice": 5, "strip": None, "fresh": False, "turn": False}


def test_dice_that_are_out_have_no_outline_in_the_picture() -> None:
    players = Players(Way.OUT)
    players.see((1, 2, 5, 5, 6))
    marked(players, 5, 5)
    players.press(IntentKind.ROLL)
    players.see((3, 5, 6))
    assert players.table.play is not None
    assert [d.value for d in players.table.play.dice if beside(d.corners)] == [5, 5]
    outlined = [d.corners is not None for d in view_of(players.table, ()).tray.dice]
    assert outlined.count(True) == 3


def test_a_die_that_should_have_been_thrown_is_missed() -> None:
    players = Players(Way.OUT)
    players.see((1, 2, 5, 5, 6))
    marked(players, 5, 5)
    players.press(IntentKind.ROLL)
    players.see((1, 3, 4), kept=(1,))
    assert players.faces == []
    assert players.table.message is not None
    assert players.table.message.code == "NOT_ALL"


def test_after_a_start_dice_that_lie_there_are_no_new_throw_though_others_are_out() -> None:
    players = Players(Way.OUT)
    players.see((1, 2, 5, 5, 6))
    marked(players, 5, 5)
    players.press(IntentKind.ROLL)
    players.see((3, 5, 6))
    players.table.handle(CameraState(False, players.t, "CAM-02", "gone"))
    players.table.handle(CameraState(True, players.t + 3.0))
    revision = players.table.revision
    players.see((3, 5, 6))
    assert (players.faces, players.table.revision) == ([3, 5, 5, 5, 6], revision)


@pytest.mark.parametrize("way", list(Way))
def test_a_turn_of_setting_aside_begins_with_all_dice(way: Way) -> None:
    players = Players(way, "yardkle")
    assert players.table.expectation["fresh"] is True
    players.see((1, 2, 3, 4, 4, 6))
    assert players.table.expectation["fresh"] is False
    marked(players, 1)
    players.press(IntentKind.ROLL)
    assert players.table.expectation["dice"] == (5 if way is Way.OUT else 6)
    players.see((5, 2, 3, 4, 4) if way is Way.OUT else (1, 5, 2, 3, 4, 4), kept=() if way is Way.OUT else (1,))
    assert players.faces == [2, 3, 4, 4, 5]
    marked(players, 5)
    players.press(IntentKind.ROLL)
    # Nothing counts: the turn is over.
    lying = (1, 5)
    players.see((2, 3, 4, 4) if way is Way.OUT else (*lying, 2, 3, 4, 4), kept=() if way is Way.OUT else lying)
    assert (players.table.expectation["fresh"], players.table.expectation["dice"]) == (True, 6)


def test_exposure_that_was_set_anew_is_told() -> None:
    players = Players(Way.LEAVE)
    players.table.handle(CameraState(True, 5.0, "CAM-11", "the light has changed"))
    assert players.table.message is not None
    assert players.table.message.code == "CAM-11"
    assert players.table.sight.camera.delivering


@pytest.mark.parametrize(
    ("way", "game", "hold", "held", "thrown"),
    [
        (Way.LEAVE, "yardzee", "hold dice and throw", "throw 3 dice again", "Keep 5-5 where they lie."),
        (Way.STRIP, "yardzee", "hold dice and throw", "throw 3 dice again", "Lay 5-5 into the strip."),
        (Way.OUT, "yardzee", "hold dice and press ROLL", "press ROLL, then take the held dice out",
         "Take 5-5 out of the tray."),
        (Way.OUT, "yardkle", "hold what counts and press ROLL", "hold what counts and press ROLL",
         "Take 5-5 out of the tray."),
    ],
)  # fmt: skip
def test_the_table_says_what_becomes_of_kept_dice(way: Way, game: str, hold: str, held: str, thrown: str) -> None:
    players = Players(way, game)
    players.see((2, 2, 5, 5, 6) if game == "yardzee" else (2, 2, 3, 5, 5, 6))
    assert hold in view_of(players.table, ()).prompt
    marked(players, 5, 5)
    assert held in view_of(players.table, ()).prompt
    players.press(IntentKind.ROLL)
    assert view_of(players.table, ()).detail == thrown


def test_the_simulated_tray_is_told_of_the_strip() -> None:
    players = Players(Way.STRIP)
    players.see((1, 2, 5, 5, 6))
    marked(players, 5, 5)
    order = players.press(IntentKind.ROLL).orders[0]
    assert order.args["strip"] == [list(point) for point in STRIP]
