"""Evenings at the simulated table, one for each thing that happens there; run by `make scenarios` (some minutes).

Each is a whole table: simulated tray, real reader, loop, journal and screen. The suite runs a few of them
(`test_scenarios.py`); what the table decides is tested without pictures in tests/firmware.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import rules
from firmware.events import Intent, Record
from firmware.events import IntentKind as I
from firmware.journal import Journal
from firmware.table import Mode
from hardware.buttons import Button
from vision.types import TrayState

from .simulated import Simulated

GAMES = [g.name for g in rules.games()]


@pytest.fixture
def yardzee(tmp_path: Path) -> Iterator[Simulated]:
    evening = Simulated(tmp_path)
    yield evening
    evening.close()


@pytest.fixture
def yardkle(tmp_path: Path) -> Iterator[Simulated]:
    evening = Simulated(tmp_path, "yardkle")
    yield evening
    evening.close()


def records(evening: Simulated, kind: str) -> list[dict[str, object]]:
    evening.s.journal.wait(evening.s.loop.token, 10.0)
    return [dict(r.data) for r in evening.s.journal.last_game() if r.kind == kind]


# --- hands-free --------------------------------------------------------------------------------------------------


def test_by_hands_alone(yardzee: Simulated) -> None:
    e = yardzee
    e.throw([5, 2, 5, 6, 5])
    offers = {r.key: r.offer for r in e.s.loop.view.rows if r.offer is not None}
    assert (offers["fives"], offers["three_kind"], offers["chance"]) == (15, 23, 23), "what each box would pay"
    e.throw([1, 3], keep=[5, 5, 5])
    assert e.play.game.moves[1] == rules.Keep((5, 5, 5)), "the others are the kept ones"
    e.throw([5, 3], keep=[5, 5, 5])
    assert e.table.mode is Mode.CHOOSE, "after the last roll a box is chosen"
    e.choose("fives")
    assert e.play.game.totals == (20, 0)


def test_score_before_the_last_roll(yardzee: Simulated) -> None:
    yardzee.throw([1, 2, 3, 4, 5])
    yardzee.choose("large_straight")
    assert yardzee.play.game.totals == (40, 0)
    assert yardzee.play.game.turn == 1


def test_missing_dice_are_told(yardzee: Simulated) -> None:
    e = yardzee
    e.toss([1, 2, 3, 4])
    assert e.s.until(lambda: "4 of 5" in e.shown, 6.0), e.shown
    assert e.dice == ()
    e.ask(I.SCORE)
    form = e.table.entry
    assert form is not None
    e.press(Button.HOLD6)
    e.ask(I.SCORE)
    assert len(e.dice) == 5, "the missing one is added by hand"


def test_too_many_dice_are_no_roll(yardzee: Simulated) -> None:
    e = yardzee
    e.toss([1, 2, 3, 4, 5, 6], dice=6)
    assert e.s.until(lambda: "6 of 5" in e.shown, 6.0), e.shown
    assert e.dice == ()


def test_an_accepted_roll_stays_when_the_tray_is_cleared(yardzee: Simulated) -> None:
    e = yardzee
    e.throw([1, 2, 3, 4, 6])
    e.do("clear")
    assert e.table.sight.tray is TrayState.EMPTY
    assert e.dice == (1, 2, 3, 4, 6)
    e.choose("small_straight")
    assert e.play.game.totals == (30, 0)


def test_a_throw_before_the_box_was_chosen(yardzee: Simulated) -> None:
    e = yardzee
    for keep, values in (([], [1, 2, 3, 4, 6]), ([1, 2, 3, 4], [6]), ([1, 2, 3, 4], [4])):
        e.throw(values, keep=keep)
    e.toss([2, 2, 2, 2, 2])
    assert e.code == "EARLY", e.shown
    assert e.dice == (1, 2, 3, 4, 4)
    e.choose("small_straight")
    e.advance(0.5)
    assert (e.play.game.totals, e.dice) == ((30, 0), (2, 2, 2, 2, 2)), "nothing is dropped"


def test_a_fourth_roll(yardzee: Simulated) -> None:
    e = yardzee
    for keep, values in (([], [1, 2, 3, 4, 6]), ([1, 2, 3, 4], [6]), ([1, 2, 3, 4], [4])):
        e.throw(values, keep=keep)
    e.toss([5], keep=[1, 2, 3, 4])
    assert e.code == "FOURTH", e.shown
    e.choose("small_straight")
    assert (e.play.game.totals, e.dice) == ((30, 0), ())


def test_a_kept_die_that_is_turned_over_in_the_throw(yardzee: Simulated) -> None:
    e = yardzee
    e.throw([5, 2, 5, 6, 5])
    e.toss([1, 3], keep=[5, 5, 5], knock_over=1)
    assert e.s.until(lambda: e.table.mode is Mode.ASK, 6.0), e.shown
    assert e.code == "DISTURBED"
    assert e.play.game.rolls_made == 1, "nothing is scored until it is right or overruled"
    e.ask(I.SCORE)
    assert e.play.game.rolls_made == 2
    assert records(e, "roll")[-1]["overruled"] == "DISTURBED"


def test_a_kept_die_that_was_thrown_is_put_back(yardzee: Simulated) -> None:
    e = yardzee
    e.throw([5, 2, 5, 6, 5])
    e.hold(5, 5, 5)
    # ROLL without the simulated hand: the players pick up a held die as well.
    e.table.handle(Intent(I.ROLL, None, e.table.revision, e.clock.t))
    e.toss([2, 1, 3], keep=[5, 5])
    assert e.s.until(lambda: e.table.mode is Mode.ASK, 6.0), e.shown
    assert e.code == "KEPT_CHANGED"
    at = next(n for n, d in enumerate(e.camera.truth.dice) if d.value == 3)
    e.do("turn", at=at, value=5)
    assert e.s.until(lambda: bool(e.play.dice), 6.0), e.shown
    assert e.dice == (1, 2, 5, 5, 5)
    assert "overruled" not in e.play._steps[-1].record.data, "it is right again"


def test_a_die_turned_by_hand_is_turned_back(yardzee: Simulated) -> None:
    e = yardzee
    e.throw([5, 2, 4, 6, 5])
    at = next(n for n, d in enumerate(e.camera.truth.dice) if d.value == 2)
    e.do("turn", at=at, value=3)
    assert e.s.until(lambda: e.code in ("TURNED", "QUESTION"), 6.0), e.shown
    assert e.dice == (2, 4, 5, 5, 6), "the roll stands"
    e.do("turn", at=at, value=2)
    assert e.s.until(lambda: e.code is None, 6.0), e.shown
    assert e.table.mode is Mode.PLAY


def test_a_leaning_die_has_no_value(yardzee: Simulated) -> None:
    e = yardzee
    e.toss([6, 2, 3, 4, 1], cocked=1)
    e.advance(2.0)
    assert e.dice == (), "a die that leans is no roll"
    assert e.table.must_enter
    e.do("tap")
    assert e.s.until(lambda: bool(e.play.dice) or e.code is not None, 6.0), e.shown
    if e.table.mode is Mode.ASK:
        e.ask(I.SCORE)
    assert e.dice == (1, 2, 3, 4, 6)


def test_dice_tidied_away_after_the_game_are_no_roll(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite3")
    game = {"name": "yardkle", "players": ["Ann"], "options": {"target": 1000}, "first": 0}
    journal.wait(journal.append([Record("game", game)]), 10.0)
    journal.close()
    e = Simulated(tmp_path, begin=False)
    e.throw([1, 1, 1, 1, 2, 3])
    e.ask(I.SCORE)
    assert e.table.mode is Mode.RESULT, e.shown
    moves = e.play.game.ply
    e.toss([1, 2, 3, 4, 5, 6])
    e.do("clear")
    assert (e.table.mode, e.play.game.ply) == (Mode.RESULT, moves)
    e.close()


def test_yardkle_by_hands_alone(yardkle: Simulated) -> None:
    e = yardkle
    e.throw([1, 1, 1, 5, 2, 3])
    assert "350" in " ".join(f"{r.written}" for r in e.s.loop.view.rows if r.key == "aside"), "shown beforehand"
    e.throw([5, 5, 6], keep=[1, 1, 1])
    assert e.play.game.turn_points == 300
    e.ask(I.SCORE)
    e.ask(I.SCORE) if e.play.game.turn == 0 else None
    assert e.play.game.totals == (0, 0) or e.play.game.totals == (400, 0)


def test_a_die_worth_nothing_is_named(yardkle: Simulated) -> None:
    e = yardkle
    e.throw([1, 2, 3, 3, 4, 6])
    e.toss([5, 5, 5, 5], keep=[1, 2])
    assert e.s.until(lambda: e.table.mode is Mode.ASK, 6.0), e.shown
    assert "The 2 is worth nothing" in e.shown
    assert e.play.game.turn_points == 0
    e.toss([6], keep=[1, 5, 5, 5, 5])
    assert e.s.until(lambda: e.play.game.turn_points == 100, 6.0), e.shown
    assert e.dice == (5, 5, 5, 5, 6), "picked up and thrown too, it is right"


def test_hot_dice(yardkle: Simulated) -> None:
    e = yardkle
    e.throw([1, 1, 1, 5, 5, 5])
    e.throw([2, 3, 4, 6, 6, 1])
    assert e.play.game.turn_points == 2500
    e.ask(I.SCORE)
    assert e.play.game.totals == (2600, 0)


def test_a_yardkle_is_announced_and_may_be_questioned(yardkle: Simulated) -> None:
    e = yardkle
    e.throw([2, 2, 3, 3, 4, 6])
    assert e.code == "BLANK"
    e.advance(4.5)
    assert e.code is None
    assert e.play.game.turn == 1
    e.ask(I.UNDO)
    assert e.s.until(lambda: e.code == "SAME_DICE", 6.0), "the dice that lie there are read again"
    assert e.play.game.turn == 1, "and they are what they were"


# --- by buttons --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "layout"), [(game, (3, 8, 11)[n % 3]) for n, game in enumerate(GAMES)])
def test_two_turns_of_every_game_by_buttons(tmp_path: Path, game: str, layout: int) -> None:
    """HOLD marks, ROLL throws, SCORE scores or banks, UNDO takes back. Each panel with each game: test_layouts.py."""
    e = Simulated(tmp_path, game, layout=layout, seed=4)
    for player in range(2):
        assert e.play.game.turn == player
        e.throw([1, 1, 1, 1, 2, 3][: e.play.all_dice])
        e.hold(1)
        assert len(e.play.marks) == 1
        e.hold(1)
        held = e.play.held
        assert held == (1, 1)
        e.roll()
        if e.play.game.turn != player:
            continue  # nothing counted
        total = e.play.game.totals[player]
        e.ask(I.SCORE)
        if e.table.mode is Mode.CHOOSE:
            e.ask(I.SCORE)
        if e.play.game.turn == player:
            assert e.code, "not enough to stop, and it says so"
            break
        e.ask(I.UNDO)
        assert (e.play.game.totals[player], e.play.game.turn) == (total, player)
        e.ask(I.SCORE)
        if e.table.mode is Mode.CHOOSE:
            e.ask(I.SCORE)
    e.close()


def test_roll_throws_on_the_simulated_tray(yardzee: Simulated) -> None:
    e = yardzee
    e.press(Button.ROLL)
    assert e.s.until(lambda: bool(e.play.dice) or e.table.must_enter, 15.0)
    assert e.camera.truth.throws == 1


# --- correction and undo -----------------------------------------------------------------------------------------


def test_a_correction_stays_with_the_die(yardzee: Simulated) -> None:
    """As if the camera took a 4 for a 5: it goes on to do so, and the players' word goes on to count."""
    e = yardzee
    e.throw([5, 2, 5, 6, 5])
    n = next(n for n, d in enumerate(e.play.dice, 1) if d.value == 5)
    e.ask(I.CORRECT, n)
    e.press(Button.HOLD4)
    e.ask(I.SCORE)
    assert e.dice == (2, 4, 5, 5, 6)
    e.toss([1, 3], keep=[5, 5, 5])
    assert e.s.until(lambda: e.play.game.rolls_made == 2, 6.0), e.shown
    assert e.dice == (1, 3, 4, 5, 5)


def test_a_roll_taken_back_is_read_again(yardzee: Simulated) -> None:
    e = yardzee
    e.throw([1, 2, 3, 4, 6])
    e.ask(I.UNDO)
    assert e.s.until(lambda: e.code == "SAME_DICE", 6.0), e.shown
    assert e.dice == (1, 2, 3, 4, 6)
    assert len(records(e, "undo")) == 1
    assert e.play.game.rolls_made == 1


def test_a_roll_taken_back_stands_if_the_dice_were_moved(yardzee: Simulated) -> None:
    e = yardzee
    e.throw([1, 2, 3, 4, 6])
    e.do("lift")
    e.ask(I.UNDO)
    assert e.s.until(lambda: e.table.mode is not Mode.AGAIN, 8.0), e.shown
    assert e.code in ("MOVED_DICE", "SAME_DICE"), e.shown
    assert e.dice == (1, 2, 3, 4, 6)


def test_a_score_taken_back_after_the_next_throw(yardzee: Simulated) -> None:
    e = yardzee
    e.throw([5, 2, 5, 6, 5])
    e.choose("chance")
    e.throw([1, 2, 3, 4, 6])
    e.ask(I.UNDO)
    e.advance(1.5)
    e.ask(I.UNDO)
    e.advance(1.5)
    assert e.play.game.turn == 0, e.shown
    e.choose("fives")
    assert e.play.game.totals == (15, 0)
    assert e.dice == (1, 2, 3, 4, 6), "that roll is kept for Bo"


def test_without_a_camera_the_game_goes_on_by_hand(yardzee: Simulated) -> None:
    e = yardzee
    e.camera.tell("faults", {"drop": 60.0})
    assert e.s.until(lambda: not e.table.sight.camera.delivering, 5.0)
    assert "SCORE" in e.shown or "ENTER" in e.shown
    e.ask(I.SCORE)
    for button in (Button.HOLD6, Button.HOLD6, Button.HOLD1, Button.HOLD2, Button.HOLD3):
        e.press(button)
    e.ask(I.SCORE)
    assert e.dice == (1, 2, 3, 6, 6)
    assert records(e, "roll")[-1]["by"] == "hand"


def test_each_accepted_roll_keeps_its_picture(tmp_path: Path) -> None:
    e = Simulated(tmp_path, pictures_mb=5.0)
    e.throw([1, 2, 3, 4, 6])
    e.choose("chance")
    e.throw([1, 2, 3, 4, 5])
    names = [str(r["picture"]) for r in records(e, "roll") if r.get("picture")]
    e.close()
    written = {p.stem for p in (tmp_path / "pictures").glob("*.jpg")}
    assert len(names) == 2
    assert set(names) == written


def test_a_power_cut_in_the_middle_of_a_turn(yardzee: Simulated) -> None:
    e = yardzee
    e.throw([5, 2, 5, 6, 5])
    e.hold(5, 5)
    marks = e.play.marks
    e.restart()
    assert (e.dice, e.play.marks) == ((2, 5, 5, 5, 6), marks)
    assert e.play.game.rolls_made == 1, "dice that lie where they lay are no new throw"
