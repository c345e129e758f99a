"""The turn, as players meet it: `Table.handle` alone, with the events that the loop would make."""

from __future__ import annotations

import pytest

import rules
from firmware.events import IntentKind as I
from firmware.table import Mode
from vision.types import TrayEventKind, TrayState

from .evening import Evening


@pytest.fixture
def evening() -> Evening:
    e = Evening(names=("Ann", "Bo"))
    e.press(I.SCORE)
    return e


def test_a_turn_by_hands_alone(evening: Evening) -> None:
    evening.throw((5, 2, 5, 6, 5))
    assert evening.dice == (5, 2, 5, 6, 5)
    evening.throw((5, 1, 5, 3, 5), kept=(5, 5, 5))
    play = evening.table.play
    assert play is not None
    assert play.game.moves[1] == rules.Keep((5, 5, 5))
    evening.throw((5, 5, 5, 3, 5), kept=(5, 5, 5))
    assert evening.table.mode is Mode.CHOOSE
    evening.press(I.PICK, "fives")
    assert evening.totals == (20, 0)
    assert play.game.turn == 1


def test_a_turn_by_buttons(evening: Evening) -> None:
    evening.throw((5, 2, 5, 6, 5))
    for n in (1, 3, 5):
        evening.press(I.MARK, n)
    done = evening.press(I.ROLL)
    assert [o.name for o in done.orders] == ["throw"]
    assert done.orders[0].args["kept"] == [5, 5, 5]
    assert len(done.orders[0].args["places"]) == 3
    evening.throw((5, 4, 5, 4, 5), kept=(5, 5, 5))
    evening.press(I.SCORE)
    evening.press(I.SCORE)
    assert evening.totals == (25, 0), "the cursor starts at the box that pays most"


def test_scoring_after_the_first_roll_is_allowed(evening: Evening) -> None:
    evening.throw((1, 2, 3, 4, 5))
    evening.press(I.SCORE)
    evening.press(I.PICK, "large_straight")
    assert evening.totals == (40, 0)


def test_every_way_out_of_line_is_refused_with_a_code(evening: Evening) -> None:
    evening.press(I.SCORE)
    assert evening.code == "NO_ROLL"
    evening.press(I.MARK, 1)
    assert evening.code == "NO_ROLL"
    evening.press(I.UNDO)
    assert evening.code == "NOTHING_TO_UNDO"
    evening.throw((1, 2, 3, 4, 5))
    assert evening.code is None
    evening.press(I.MARK, 6)
    assert evening.code == "NO_DIE"
    for n in range(1, 6):
        evening.press(I.MARK, n)
    evening.press(I.ROLL)
    assert evening.code == "ALL_HELD"
    evening.press(I.PICK, "no such box")
    assert evening.code == "CLOSED_BOX"
    evening.press(I.PICK, "chance")
    evening.throw((1, 1, 1, 1, 2))
    evening.press(I.PICK, "ones")
    evening.throw((1, 2, 3, 4, 6))
    evening.press(I.PICK, "chance")
    assert evening.code == "CLOSED_BOX", "a box is never scored again"
    assert evening.totals == (15, 4)


def test_a_press_meant_for_an_older_picture_is_refused(evening: Evening) -> None:
    from firmware.events import Intent

    old = evening.table.revision
    evening.throw((1, 2, 3, 4, 5))
    evening.table.handle(Intent(I.SCORE, None, old, 0.0))
    assert evening.code == "STALE"
    assert evening.table.mode is Mode.PLAY


def test_a_fourth_roll_waits_for_the_box_and_then_counts_for_the_next_player(evening: Evening) -> None:
    evening.throw((1, 2, 3, 4, 6))
    evening.throw((1, 2, 3, 4, 6), kept=(1, 2, 3, 4))
    evening.throw((1, 2, 3, 4, 4), kept=(1, 2, 3, 4))
    evening.throw((2, 2, 2, 2, 2))
    assert evening.code == "EARLY"
    assert evening.dice == (1, 2, 3, 4, 4), "nothing is scored with it"
    evening.press(I.PICK, "small_straight")
    assert evening.totals == (30, 0)
    assert evening.dice == (2, 2, 2, 2, 2), "and nothing is dropped"
    assert evening.table.play is not None
    assert evening.table.play.game.turn == 1


def test_a_throw_that_was_too_early_is_forgotten_when_the_dice_are_taken_up(evening: Evening) -> None:
    for values in ((1, 2, 3, 4, 6), (1, 1, 3, 4, 6), (1, 1, 3, 4, 4)):
        evening.throw(values)
    evening.throw((2, 2, 2, 2, 2))
    evening.clear()
    evening.press(I.PICK, "chance")
    assert evening.dice == ()


def test_kept_dice_that_are_gone_are_a_refusal_and_not_a_roll(evening: Evening) -> None:
    evening.throw((5, 2, 5, 6, 5))
    for n in (1, 3, 5):
        evening.press(I.MARK, n)
    evening.press(I.ROLL)
    evening.throw((1, 2, 3, 4, 6))
    assert evening.code == "KEPT_CHANGED"
    assert evening.dice == ()
    assert evening.table.mode is Mode.ASK
    evening.press(I.CORRECT)
    assert evening.table.mode is Mode.ENTRY, "the dice can always be entered by hand"
    evening.press(I.BACK)
    evening.throw((5, 5, 5, 4, 6), kept=(5, 5, 5))
    assert evening.dice == (5, 5, 5, 4, 6)
    assert "overruled" not in evening.journal[-1].data


def test_a_misread_is_put_right_in_three_presses(evening: Evening) -> None:
    evening.throw((5, 2, 5, 6, 5))
    evening.press(I.CORRECT, 4)
    evening.press(I.VALUE, 5)
    evening.press(I.SCORE)
    assert evening.dice == (5, 2, 5, 5, 5)
    assert evening.journal[-1].kind == "correct"


@pytest.mark.parametrize("die", [0, 6])
def test_a_die_that_is_not_there_can_not_be_corrected(evening: Evening, die: int) -> None:
    evening.throw((5, 2, 5, 6, 5))
    evening.press(I.CORRECT, die)
    assert (evening.code, evening.table.mode) == ("NO_DIE", Mode.PLAY)


def test_a_correction_begins_at_the_least_certain_die(evening: Evening) -> None:
    from vision.types import Reading, Status

    from .evening import die

    dice = (die(1, 100), die(2, 200, confidence=0.5), die(3, 300), die(4, 400), die(6, 500))
    evening._see(TrayEventKind.ROLL, TrayState.SETTLED, Reading(Status.READ, dice))
    evening.press(I.CORRECT)
    assert evening.table.entry is not None
    assert evening.table.entry.cursor == 1


def test_a_kept_die_is_put_right_in_every_roll_in_which_it_lay(evening: Evening) -> None:
    evening.throw((5, 2, 5, 6, 5))
    evening.throw((5, 1, 5, 3, 5), kept=(5, 5, 5))
    evening.press(I.CORRECT, 1)
    evening.press(I.VALUE, 4)
    evening.press(I.SCORE)
    assert evening.code is None
    assert evening.dice == (4, 1, 5, 3, 5)
    play = evening.table.play
    assert play is not None
    assert play.game.moves == (rules.Roll((4, 2, 5, 6, 5)), rules.Keep((4, 5, 5)), rules.Roll((4, 1, 5, 3, 5)))
    evening.restart()
    assert evening.dice == (4, 1, 5, 3, 5)


def test_a_misread_that_was_put_right_stays_right_while_the_die_is_kept(evening: Evening) -> None:
    evening.throw((5, 2, 5, 6, 5))
    evening.press(I.CORRECT, 3)
    evening.press(I.VALUE, 4)
    evening.press(I.SCORE)
    for n in (1, 3, 5):
        evening.press(I.MARK, n)
    evening.press(I.ROLL)
    evening.throw((5, 1, 5, 3, 5), kept=(5, 5, 5))
    assert evening.dice == (5, 1, 4, 3, 5), "the camera still takes it for a 5"
    evening.throw((5, 1, 5, 2, 2), kept=(5, 1, 5))
    assert evening.dice == (5, 1, 4, 2, 2)
    evening.press(I.PICK, "fours")
    evening.throw((5, 5, 5, 5, 5))
    assert evening.dice == (5, 5, 5, 5, 5), "once thrown, a die is any die"


def test_what_cant_be_read_is_entered_from_the_best_guess(evening: Evening) -> None:
    evening.unreadable((3, 3, 4, 6), "count")
    assert evening.dice == ()
    evening.press(I.SCORE)
    evening.press(I.SCORE)
    assert evening.code == "INCOMPLETE"
    evening.press(I.VALUE, 2)
    evening.press(I.SCORE)
    assert evening.dice == (3, 3, 4, 6, 2)
    assert evening.journal[-1].data["by"] == "hand"


def test_dice_that_were_entered_and_are_read_later_are_no_second_throw(evening: Evening) -> None:
    evening.unreadable((3, 3, 4, 6), "count")
    evening.press(I.SCORE)
    evening.press(I.VALUE, 2)
    evening.press(I.SCORE)
    play = evening.table.play
    assert play is not None
    evening.lie((3, 3, 4, 6, 2))
    assert play.game.rolls_made == 1
    evening._see(TrayEventKind.STATE, TrayState.HAND)
    evening.lie((3, 3, 4, 6, 1))
    assert play.game.rolls_made == 1, "a hand that reached over them threw nothing"
    evening.throw((1, 1, 4, 6, 2), shift=40.0)
    assert play.game.rolls_made == 2


def test_without_a_camera_the_game_goes_on_by_hand(evening: Evening) -> None:
    evening.camera(False)
    evening.press(I.SCORE)
    for v in (6, 6, 6, 1, 2):
        evening.press(I.VALUE, v)
    assert [o.name for o in evening.press(I.SCORE).orders] == ["entered"], "the eye may still see them later"
    assert evening.dice == (6, 6, 6, 1, 2)


def test_undo_takes_back_scores_and_keeps_but_never_gives_a_free_roll(evening: Evening) -> None:
    evening.throw((5, 2, 5, 6, 5))
    evening.press(I.MARK, 1)
    evening.press(I.ROLL)
    assert evening.dice == ()
    evening.press(I.UNDO)
    assert evening.dice == (5, 2, 5, 6, 5)
    assert evening.table.play is not None
    assert evening.table.play.marks == {1}, "undo brings back everything"
    assert [o.name for o in evening.press(I.UNDO).orders] == ["look"]
    assert evening.table.mode is Mode.AGAIN, "the dice that lie there are read again"
    evening.press(I.ROLL)
    assert evening.dice == (5, 2, 5, 6, 5)
    evening.press(I.PICK, "fives")
    assert evening.totals == (15, 0)
    evening.press(I.UNDO)
    assert evening.totals == (0, 0)
    assert evening.dice == (5, 2, 5, 6, 5)


def test_a_question_or_a_disturbed_die_scores_nothing(evening: Evening) -> None:
    evening.throw((5, 2, 5, 6, 5))
    evening.tell(TrayEventKind.DISTURBED, was=(5,))
    assert evening.code == "TURNED"
    evening.lay((5, 2, 1, 6, 5), kept=(5, 2, 6, 5))
    assert evening.code == "QUESTION"
    assert evening.dice == (5, 2, 5, 6, 5)


def test_after_a_power_cut_the_same_turn_goes_on(evening: Evening) -> None:
    evening.throw((5, 2, 5, 6, 5))
    evening.press(I.MARK, 1)
    evening.press(I.MARK, 3)
    evening.restart()
    assert evening.dice == (5, 2, 5, 6, 5)
    assert evening.table.play is not None
    assert evening.table.play.marks == {1, 3}
    evening.lie((5, 2, 5, 6, 5))
    assert evening.table.play.game.rolls_made == 1, "dice that lie where they lay are no new throw"
    evening.throw((5, 2, 5, 6, 5), shift=7.0)
    assert evening.table.play.game.rolls_made == 2, "but the same values thrown are"


def test_after_a_power_cut_dice_kept_for_the_next_throw_are_still_kept(evening: Evening) -> None:
    evening.throw((5, 2, 5, 6, 5))
    evening.press(I.MARK, 1)
    evening.press(I.ROLL)
    evening.restart()
    assert evening.table.play is not None
    assert evening.table.play.game.kept == (5,)
    evening.lie((5, 2, 5, 6, 5))
    assert evening.dice == ()
    evening.throw((5, 1, 1, 1, 1), kept=(5,))
    assert evening.dice == (5, 1, 1, 1, 1)


def play_out(evening: Evening) -> None:
    """Everybody throws once a turn and takes the first box that is open."""
    while not evening.table.over:
        evening.throw((1, 2, 3, 4, 6), shift=evening.frame % 50)
        evening.press(I.PICK, evening.table.open_options[0].box)


def test_a_game_ends_with_a_result_that_can_be_taken_back_and_a_rematch(evening: Evening) -> None:
    play_out(evening)
    assert evening.table.mode is Mode.RESULT
    assert evening.table.wanted is None
    evening.throw((6, 6, 6, 6, 6))
    assert evening.table.mode is Mode.RESULT, "dice tidied away after the game are no roll"
    evening.press(I.UNDO)
    assert evening.table.mode is not Mode.RESULT
    play_out(evening)
    evening.press(I.SCORE)
    assert evening.table.play is not None
    assert evening.table.play.first == 1, "the next player begins the rematch"
    assert evening.table.play.game.turn == 1


def test_the_screen_calls_the_buttons_what_is_printed_on_them(evening: Evening) -> None:
    from firmware.intents import hints
    from firmware.views import view_of
    from hardware.panel_keys import KeyPanel

    evening.camera(False)
    evening.press(I.SCORE)
    evening.press(I.SCORE)
    assert evening.code == "INCOMPLETE"
    keys = KeyPanel(8, lambda _: None).hints.items()
    assert "SCORE accepts" in view_of(evening.table, hints(evening.table, 8)).detail
    assert "ENTER accepts" in view_of(evening.table, hints(evening.table, 8, keys)).detail


@pytest.mark.parametrize("players", range(1, 9))
def test_one_to_eight_players(players: int) -> None:
    evening = Evening(players=1)
    evening.press(I.COUNT, players)
    evening.press(I.SCORE)
    play_out(evening)
    assert len(evening.totals) == players
    evening.restart()
    assert evening.table.over, "the journal leads to the same end"
    assert len(evening.totals) == players
