"""Throws that are not as they should be: nothing is scored and nothing dropped until it is right or overruled."""

from __future__ import annotations

from dataclasses import replace

import pytest

import rules
from firmware.events import IntentKind as I
from firmware.table import Mode
from vision.types import Reading, Reason, Status, TrayEventKind, TrayState

from .evening import Evening, die, reading


@pytest.fixture
def evening() -> Evening:
    e = Evening(names=("Ann", "Bo"))
    e.press(I.SCORE)
    return e


@pytest.fixture
def yardkle() -> Evening:
    e = Evening(game="yardkle", names=("Ann", "Bo"))
    e.press(I.SCORE)
    return e


def held(evening: Evening) -> None:
    """Ann has thrown three fives and holds them."""
    evening.throw((5, 2, 5, 6, 5))
    for n in (1, 3, 5):
        evening.press(I.MARK, n)
    evening.press(I.ROLL)


def last_roll(evening: Evening) -> dict[str, object]:
    return dict(next(r for r in reversed(evening.journal) if r.kind == "roll").data)


@pytest.mark.parametrize("answer", [I.SCORE, I.ROLL])
def test_a_question_is_answered_by_one_press(evening: Evening, answer: I) -> None:
    evening.lay((1, 2, 3, 4, 5))
    assert evening.code == "QUESTION"
    assert evening.table.mode is Mode.ASK
    assert evening.dice == ()
    evening.press(answer)
    if answer is I.SCORE:
        assert evening.dice == (1, 2, 3, 4, 5)
        assert last_roll(evening)["overruled"] == "QUESTION"
    else:
        assert evening.dice == ()
        assert evening.table.mode is Mode.PLAY
        evening.throw((1, 1, 1, 1, 1))
        assert evening.dice == (1, 1, 1, 1, 1)


def test_what_is_asked_stays_on_the_screen(evening: Evening) -> None:
    evening.lay((1, 2, 3, 4, 5))
    evening.press(I.MARK, 1)
    assert (evening.code, evening.table.mode) == ("QUESTION", Mode.ASK)


def test_dice_that_are_only_arranged_are_no_question(evening: Evening) -> None:
    evening.throw((1, 2, 3, 4, 5))
    evening.lay((5, 4, 3, 2, 1), kept=(1, 2, 4, 5), shift=40)
    assert evening.code is None
    assert evening.dice == (1, 2, 3, 4, 5)


def test_dice_moved_by_hand_when_no_roll_is_left(evening: Evening) -> None:
    for values in ((1, 2, 3, 4, 6), (1, 1, 3, 4, 6), (1, 1, 3, 4, 4)):
        evening.throw(values)
    evening.lay((6, 6, 6, 6, 6))
    assert evening.code == "BY_HAND"
    assert evening.dice == (1, 1, 3, 4, 4)
    evening.press(I.PICK, "chance")
    assert evening.totals == (13, 0)
    assert evening.dice == ()


def test_a_kept_die_that_was_turned_over_is_turned_back(evening: Evening) -> None:
    held(evening)
    evening.turn_over((5, 2, 5, 6, 1), was=(5,))
    assert evening.code == "TURNED"
    evening.turn_over((5, 2, 5, 6, 5), was=(1,))
    assert evening.code is None
    evening.throw((5, 3, 5, 6, 5), kept=(5, 5, 5))
    assert evening.dice == (5, 3, 5, 6, 5)


def test_a_die_that_was_turned_over_and_then_thrown_is_no_matter(evening: Evening) -> None:
    evening.throw((5, 2, 5, 6, 5))
    evening.turn_over((5, 3, 5, 6, 5), was=(2,))
    assert evening.code == "TURNED"
    evening.throw((5, 1, 5, 1, 5), kept=(5, 5, 5))
    assert evening.code is None
    assert evening.dice == (5, 1, 5, 1, 5)


def test_a_die_that_was_turned_over_and_left_lying_is_no_kept_die(evening: Evening) -> None:
    evening.throw((5, 2, 5, 6, 5))
    evening.turn_over((5, 5, 5, 6, 5), was=(2,))
    evening.throw((5, 5, 5, 1, 5), kept=(5, 5, 5, 5))
    assert (evening.code, evening.table.mode) == ("DISTURBED", Mode.ASK)


@pytest.mark.parametrize("declared", [True, False])
def test_a_die_turned_over_in_the_throw_is_no_roll_until_it_is_turned_back(evening: Evening, declared: bool) -> None:
    if declared:
        held(evening)
    else:
        evening.throw((5, 2, 5, 6, 5))
    evening.turn_over((5, 3, 5, 6, 1), was=(5,))
    # `watch` has the turned die in neither `kept` nor `thrown`.
    now = (die(5, 100), die(3, 220), die(5, 340), die(6, 460), die(1, 580))
    evening._see(TrayEventKind.ROLL, TrayState.SETTLED, Reading(Status.READ, now), kept=(5, 5), thrown=(3, 6))
    assert evening.code == "DISTURBED"
    assert evening.table.mode is Mode.ASK
    evening.turn_over((5, 3, 5, 6, 5), was=(1,))
    assert evening.code is None
    assert evening.dice == (5, 3, 5, 6, 5)
    assert "overruled" not in last_roll(evening)


def test_a_die_turned_over_in_the_throw_counts_if_the_players_say_so(evening: Evening) -> None:
    held(evening)
    evening.turn_over((5, 3, 5, 6, 1), was=(5,))
    now = (die(5, 100), die(3, 220), die(5, 340), die(6, 460), die(1, 580))
    evening._see(TrayEventKind.ROLL, TrayState.SETTLED, Reading(Status.READ, now), kept=(5, 5), thrown=(3, 6))
    evening.press(I.SCORE)
    assert evening.dice == (5, 3, 5, 6, 1)
    assert last_roll(evening)["overruled"] == "DISTURBED"
    assert evening.table.play is not None
    assert evening.table.play.game.moves[1] == rules.Keep((5, 5))


def test_dice_that_were_to_be_thrown_and_lay_still_are_thrown_after_all(evening: Evening) -> None:
    held(evening)
    evening.throw((5, 2, 5, 1, 5), kept=(5, 2, 5, 5))
    assert evening.code == "NOT_ALL"
    evening.throw((5, 4, 5, 1, 5), kept=(5, 5, 1, 5))
    assert evening.dice == (5, 4, 5, 1, 5), "the 1 was thrown a moment ago"
    assert "overruled" not in last_roll(evening)


def test_a_kept_die_that_was_taken_is_laid_back(evening: Evening) -> None:
    held(evening)
    evening.throw((5, 2, 5, 1, 3), kept=(5, 5))
    assert evening.code == "KEPT_CHANGED"
    evening.lay((5, 2, 5, 1, 5), kept=(5, 2, 5, 1))
    assert evening.code is None
    assert evening.dice == (5, 2, 5, 1, 5)


def test_the_players_may_say_that_fewer_dice_were_kept(evening: Evening) -> None:
    held(evening)
    evening.throw((5, 2, 5, 1, 3), kept=(5, 5))
    evening.press(I.SCORE)
    assert evening.dice == (5, 2, 5, 1, 3)
    assert evening.table.play is not None
    assert evening.table.play.game.moves[1] == rules.Keep((5, 5))
    evening.restart()
    assert evening.dice == (5, 2, 5, 1, 3)


def test_a_fourth_roll_is_told_and_never_counts_unasked(evening: Evening) -> None:
    evening.throw((1, 2, 3, 4, 6))
    evening.throw((1, 2, 3, 4, 6), kept=(1, 2, 3, 4), shift=3)
    evening.throw((1, 2, 3, 4, 4), kept=(1, 2, 3, 4))
    evening.throw((1, 2, 3, 4, 5), kept=(1, 2, 3, 4))
    assert evening.code == "FOURTH"
    evening.press(I.PICK, "small_straight")
    assert evening.totals == (30, 0)
    assert (evening.code, evening.dice) == ("NOT_ALL", ()), "and it is no throw of the next player either"


def test_picked_up_dice_of_a_refused_throw_are_thrown_anew(evening: Evening) -> None:
    held(evening)
    evening.throw((1, 2, 5, 1, 3), kept=(5,))
    assert evening.code == "KEPT_CHANGED"
    evening.clear()
    assert evening.code is None
    assert evening.table.mode is Mode.PLAY


def test_too_few_dice_say_how_many_are_seen(evening: Evening) -> None:
    from firmware.intents import hints
    from firmware.views import view_of

    evening.unreadable((3, 3, 4, 6), "count")
    view = view_of(evening.table, hints(evening.table, 8))
    assert "4 of 5" in view.prompt


# --- forms -------------------------------------------------------------------------------------------------------


def test_what_is_no_die_is_taken_out_and_a_missed_one_comes_in(evening: Evening) -> None:
    evening.throw((5, 2, 5, 6, 5))
    evening.press(I.CORRECT, 4)  # that was a coin; the fifth die lies under its shadow
    evening.press(I.REMOVE)
    assert evening.table.entry is not None
    assert evening.table.entry.cursor == 5
    evening.press(I.SCORE)
    assert evening.code == "INCOMPLETE"
    evening.press(I.VALUE, 1)
    evening.press(I.SCORE)
    assert evening.dice == (5, 2, 5, 1, 5), "and the others keep their numbers"
    assert evening.table.play is not None
    assert evening.table.play.dice[3].corners is None
    evening.restart()
    assert evening.dice == (5, 2, 5, 1, 5)


def test_lines_come_and_go_with_what_is_no_die() -> None:
    from firmware.entry import enter
    from firmware.play import TableDie

    form = enter(5, [TableDie(v, 0.9, ((0, 0), (0, 0), (0, 0), (0, 0))) for v in (1, 2, 3)], ())
    assert (form.values, form.cursor) == ([1, 2, 3, None, None], 3)
    assert not form.remove(), "an empty line can't be taken out"
    form.cursor = 0
    assert form.remove()
    assert (len(form.values), form.surplus) == (6, 0)
    form.cursor = 5
    form.put(6)
    form.cursor = 0
    form.put(4)
    assert form.values == [4, 2, 3, None, 6], "it is a die after all, and an empty line goes"
    assert (form.surplus, form.removed) == (0, set())


def test_of_too_many_the_least_certain_is_taken_for_no_die(evening: Evening) -> None:
    dice = tuple(die(v, 100 + 120 * i, confidence=0.4 if i == 2 else 0.9) for i, v in enumerate((1, 2, 3, 4, 5, 6)))
    seen = Reading(Status.UNSURE, dice, ())
    evening._see(TrayEventKind.STATE, TrayState.UNREADABLE, seen)
    evening.press(I.SCORE)
    form = evening.table.entry
    assert form is not None
    assert form.removed == {2}
    evening.press(I.MARK, 3)
    evening.press(I.REMOVE)
    assert form.surplus == 1
    evening.press(I.SCORE)
    assert evening.code == "INCOMPLETE"
    evening.press(I.MARK, 6)
    evening.press(I.REMOVE)
    evening.press(I.SCORE)
    assert evening.dice == (1, 2, 3, 4, 5)


def test_one_button_turns_to_the_likeliest_value_first(evening: Evening) -> None:
    dice = tuple(die(v, 100 + 120 * i, confidence=0.4 if v == 6 else 0.9) for i, v in enumerate((1, 2, 6, 3, 3)))
    evening._see(TrayEventKind.ROLL, TrayState.SETTLED, Reading(Status.READ, dice), thrown=(1, 2, 3, 3, 6))
    evening.press(I.CORRECT)  # three presses on any panel: at the least certain die,
    evening.press(I.VALUE)  # the likeliest other value,
    evening.press(I.SCORE)  # accept
    assert evening.dice == (1, 2, 4, 3, 3)
    form = evening.table.entry
    assert form is None
    evening.press(I.CORRECT, 3)
    form = evening.table.entry
    assert form is not None
    seen = set()
    for _ in range(6):
        evening.press(I.VALUE)
        seen.add(form.values[2])
    assert seen == {1, 2, 3, 4, 5, 6}, "every value is reached"


def test_the_readers_own_doubts_are_suggested_first(evening: Evening) -> None:
    dice = tuple(replace(die(v, 100 + 120 * i), others=((1, 0.2), (2, 0.1))) for i, v in enumerate((1, 2, 6, 3, 3)))
    evening._see(TrayEventKind.ROLL, TrayState.SETTLED, Reading(Status.READ, dice), thrown=(1, 2, 3, 3, 6))
    evening.press(I.CORRECT, 3)
    form = evening.table.entry
    assert form is not None
    assert form.suggestions == (1, 2, 4, 5, 3, 6)
    assert form.likely == (1, 2)
    assert "others" not in str(evening.journal), "they leave no record"


def test_entering_a_roll_without_a_kept_die_is_asked_for_twice(evening: Evening) -> None:
    held(evening)
    evening.camera(False)
    evening.press(I.SCORE)
    form = evening.table.entry
    assert form is not None
    assert form.values[:3] == [5, 5, 5]
    evening.press(I.MARK, 1)
    for v in (4, 1, 2):
        evening.press(I.VALUE, v)
    evening.press(I.SCORE)
    assert (evening.code, evening.table.mode) == ("KEPT_GONE", Mode.ENTRY)
    evening.press(I.SCORE)
    assert sorted(evening.dice) == [1, 2, 4, 5, 5]
    assert last_roll(evening)["overruled"] == "KEPT_CHANGED"
    assert last_roll(evening)["by"] == "hand"


@pytest.mark.parametrize(
    ("seen", "entered", "raw"),
    [
        ((5, 5, 6, 6), (1, 5, 6, 6, 5), {5: 5, 6: 6}),  # typed from the left, though the first die was not seen
        ((5, 5, 6, 6), (5, 5, 6, 4, 1), {4: 6, 5: 5, 6: 6}),  # one was misread
        ((5, 5, 6, 6), (1, 2, 3, 4, 1), {1: 1, 2: 2, 3: 3, 4: 4}),  # who knows: nothing is learnt of it
    ],
)
def test_only_a_misreading_is_remembered(
    evening: Evening, seen: tuple[int, ...], entered: tuple[int, ...], raw: dict[int, int]
) -> None:
    evening.unreadable(seen, "count")
    evening.press(I.SCORE)
    for n, value in enumerate(entered, 1):
        evening.press(I.MARK, n)
        evening.press(I.VALUE, value)
    evening.press(I.SCORE)
    assert sorted(evening.dice) == sorted(entered)
    assert evening.table.play is not None
    assert {d.value: d.raw for d in evening.table.play.dice if d.corners} == raw


# --- banking games -----------------------------------------------------------------------------------------------


def test_a_die_worth_nothing_that_was_left_lying(yardkle: Evening) -> None:
    yardkle.throw((1, 2, 3, 3, 4, 6))
    yardkle.throw((1, 2, 5, 5, 5, 5), kept=(1, 2))
    assert yardkle.table.mode is Mode.ASK
    assert yardkle.table.message is not None
    assert yardkle.table.message.words == "The 2 is worth nothing: pick it up."
    yardkle.throw((1, 6, 5, 5, 5, 5), kept=(1, 5, 5, 5, 5))
    assert yardkle.dice == (6, 5, 5, 5, 5), "it was picked up and thrown too"
    assert "overruled" not in last_roll(yardkle)


def test_the_players_say_that_the_worthless_die_was_thrown(yardkle: Evening) -> None:
    yardkle.throw((1, 2, 3, 3, 4, 6))
    yardkle.throw((1, 2, 5, 5, 5, 5), kept=(1, 2))
    yardkle.press(I.SCORE)
    assert yardkle.table.play is not None
    assert yardkle.table.play.game.moves[1] == rules.SetAside((1,))
    assert sorted(yardkle.dice) == [2, 5, 5, 5, 5]


def test_a_die_that_counts_is_laid_back(yardkle: Evening) -> None:
    yardkle.throw((1, 2, 3, 3, 4, 6))
    yardkle.throw((2, 2, 5, 5, 5, 6))
    assert yardkle.code == "LEAVE_SOME"
    yardkle.lay((1, 2, 5, 5, 5, 6), kept=(2, 5, 5, 5, 6))
    assert sorted(yardkle.dice) == [2, 5, 5, 5, 6]
    assert yardkle.table.play is not None
    assert yardkle.table.play.game.moves[1] == rules.SetAside((1,))


def test_all_thrown_though_not_all_count_is_entered_by_hand(yardkle: Evening) -> None:
    yardkle.throw((1, 2, 3, 3, 4, 6))
    yardkle.throw((2, 2, 5, 5, 5, 6))
    yardkle.press(I.SCORE)
    form = yardkle.table.entry
    assert form is not None
    assert (form.count, form.surplus) == (5, 0)
    yardkle.press(I.SCORE)
    assert len(yardkle.dice) == 5
    assert last_roll(yardkle)["overruled"] == "LEAVE_SOME"


def test_what_is_left_lying_is_told_while_the_others_are_picked_up(yardkle: Evening) -> None:
    from firmware.intents import hints
    from firmware.views import view_of

    yardkle.throw((1, 1, 1, 5, 2, 3))

    def detail(*left: int) -> str:
        dice = tuple(d for i, d in enumerate(reading((1, 1, 1, 5, 2, 3)).dice) if i in left)
        r = Reading(Status.UNSURE, dice, (Reason("count"),))
        yardkle._see(TrayEventKind.STATE, TrayState.UNREADABLE, r, reasons=r.reasons)
        return view_of(yardkle.table, hints(yardkle.table, 8)).detail

    assert detail(0, 1, 2, 5) == "The 3 is worth nothing: pick it up."
    assert detail(0, 1, 2) == "Left lying: 1-1-1, worth 300."
    assert detail(4, 5) == "2-3 are worth nothing: pick them up."
