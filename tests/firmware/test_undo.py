"""Taking back: a score, a roll that was misread, the end of a turn after which the next player has thrown."""

from __future__ import annotations

import pytest

import rules
from firmware.events import IntentKind as I
from firmware.table import Mode
from vision.types import TrayEventKind, TrayState

from .evening import Evening

FIRST = (5, 2, 5, 6, 5)


@pytest.fixture
def evening() -> Evening:
    e = Evening(names=("Ann", "Bo"))
    e.press(I.SCORE)
    return e


def rolls(evening: Evening) -> list[tuple[int, ...]]:
    assert evening.table.play is not None
    return [m.faces for m in evening.table.play.game.moves if isinstance(m, rules.Roll) and m.faces is not None]


def asked(evening: Evening) -> None:
    evening.throw(FIRST)
    assert [o.name for o in evening.press(I.UNDO).orders] == ["look"]
    assert evening.table.mode is Mode.AGAIN
    assert evening.journal[-1].kind == "undo"
    assert rolls(evening) == []


def test_the_same_dice_read_again_stand(evening: Evening) -> None:
    asked(evening)
    evening.lie(FIRST)
    assert evening.code == "SAME_DICE"
    assert evening.dice == FIRST
    assert evening.journal[-1].data["stands"] is True
    evening.restart()
    assert evening.dice == FIRST


def test_undo_once_more_goes_further_back_after_the_dice_were_read_again(evening: Evening) -> None:
    evening.throw(FIRST)
    evening.press(I.PICK, "chance")
    evening.throw((1, 2, 3, 4, 6), shift=30)
    evening.press(I.UNDO)
    evening.lie((1, 2, 3, 4, 6), shift=30)
    assert evening.code == "SAME_DICE"
    evening.press(I.UNDO)
    assert evening.code == "KEPT_FOR"
    assert (evening.totals, evening.dice) == ((0, 0), FIRST)
    evening.press(I.PICK, "fives")
    assert (evening.totals, evening.dice) == ((15, 0), (1, 2, 3, 4, 6))
    evening.press(I.UNDO)
    assert evening.table.mode is Mode.AGAIN, "after another move it is read again first"


def test_in_the_same_places_what_they_show_now_is_believed(evening: Evening) -> None:
    asked(evening)
    evening.lie((5, 2, 5, 4, 5))
    assert evening.dice == (5, 2, 5, 4, 5)
    assert evening.journal[-1].data["again"] is True
    assert rolls(evening) == [(5, 2, 5, 4, 5)]


def test_dice_that_were_moved_leave_the_roll_as_it_was(evening: Evening) -> None:
    asked(evening)
    evening._see(TrayEventKind.STATE, TrayState.HAND)
    evening.lie((6, 6, 6, 6, 6), shift=45)
    assert evening.code == "MOVED_DICE"
    assert evening.dice == FIRST
    evening.press(I.CORRECT, 4)
    evening.press(I.VALUE, 5)
    evening.press(I.SCORE)
    assert evening.dice == (5, 2, 5, 5, 5), "but the players may say otherwise, and the journal says that they did"
    assert evening.journal[-1].kind == "correct"


def test_dice_laid_down_by_hand_are_no_new_roll_either(evening: Evening) -> None:
    asked(evening)
    evening.lay((6, 6, 6, 6, 6), shift=45)
    assert (evening.code, evening.dice) == ("MOVED_DICE", FIRST)


def test_taking_back_is_no_free_roll(evening: Evening) -> None:
    asked(evening)
    evening.throw((6, 6, 5, 6, 5), kept=(5, 5), shift=25)
    assert rolls(evening) == [FIRST, (6, 6, 5, 6, 5)], "the roll stands, and the throw is the second one"


def test_a_roll_taken_back_may_be_entered_or_left_as_it_was(evening: Evening) -> None:
    asked(evening)
    evening.press(I.SCORE)
    evening.press(I.MARK, 4)
    evening.press(I.VALUE, 3)
    evening.press(I.SCORE)
    assert evening.dice == (5, 2, 5, 3, 5)
    assert evening.journal[-1].data["by"] == "hand"
    evening.press(I.UNDO)
    evening.press(I.MARK, 1)
    assert evening.code == "READ_AGAIN"
    evening.press(I.ROLL)
    assert evening.dice == (5, 2, 5, 3, 5)
    assert rolls(evening) == [(5, 2, 5, 3, 5)]


def test_a_form_that_is_left_has_the_dice_read_again(evening: Evening) -> None:
    asked(evening)
    evening.press(I.SCORE)
    evening.lie((5, 2, 5, 4, 5))
    assert evening.table.mode is Mode.ENTRY, "whoever enters is not interrupted"
    assert [o.name for o in evening.press(I.BACK).orders] == ["look"]
    evening.lie((5, 2, 5, 4, 5))
    assert evening.dice == (5, 2, 5, 4, 5)


def test_a_power_cut_while_a_roll_is_asked_for(evening: Evening) -> None:
    asked(evening)
    evening.restart()
    assert evening.table.mode is Mode.AGAIN
    evening.lie((5, 2, 5, 4, 5))
    assert evening.dice == (5, 2, 5, 4, 5)


def test_the_roll_before_the_last_is_put_right_by_going_further_back(evening: Evening) -> None:
    evening.throw(FIRST)
    evening.throw((5, 1, 5, 3, 5), kept=(5, 5, 5))
    evening.throw((5, 1, 5, 2, 5), kept=(5, 1, 5, 5))
    evening.press(I.UNDO)
    evening.press(I.UNDO)
    assert evening.table.entry is not None
    assert (evening.table.entry.back, evening.table.entry.values) == (1, [5, 1, 5, 3, 5])
    evening.press(I.UNDO)
    assert evening.table.entry is not None
    assert evening.table.entry.values == list(FIRST)
    evening.press(I.MARK, 1)
    evening.press(I.VALUE, 4)
    evening.press(I.SCORE)
    assert rolls(evening) == [(4, 2, 5, 6, 5), (4, 1, 5, 3, 5), (4, 1, 5, 2, 5)]
    assert evening.dice == (4, 1, 5, 2, 5)
    evening.restart()
    assert rolls(evening) == [(4, 2, 5, 6, 5), (4, 1, 5, 3, 5), (4, 1, 5, 2, 5)]


@pytest.mark.parametrize("cut", [False, True])
def test_a_score_is_taken_back_after_the_next_player_has_thrown(evening: Evening, cut: bool) -> None:
    evening.throw(FIRST)
    evening.press(I.PICK, "chance")
    evening.throw((1, 2, 3, 4, 6), shift=30)
    evening.press(I.UNDO)
    evening.press(I.UNDO)
    assert evening.totals == (0, 0)
    assert evening.dice == FIRST
    assert evening.table.message is not None
    words = evening.table.message.words
    assert evening.code == "KEPT_FOR"
    assert "Ann" in words and "Bo" in words and "1-2-3-4-6" in words, "both are told"
    if cut:
        evening.restart()
    evening.lie((1, 2, 3, 4, 6), shift=30)
    evening.press(I.PICK, "fives")
    assert evening.totals == (15, 0)
    assert evening.dice == (1, 2, 3, 4, 6), "and that roll is kept for Bo"
    assert evening.table.play is not None
    assert evening.table.play.game.rolls_made == 1
    evening.press(I.PICK, "chance")
    assert evening.totals == (15, 16)


def test_two_rolls_of_the_next_player_are_kept(evening: Evening) -> None:
    evening.throw(FIRST)
    evening.press(I.PICK, "chance")
    evening.throw((1, 2, 3, 4, 6), shift=30)
    evening.throw((1, 2, 3, 4, 5), kept=(1, 2, 3, 4), shift=30)
    for _ in range(3):
        evening.press(I.UNDO)
    assert evening.code == "KEPT_FOR"
    evening.press(I.UNDO)
    assert evening.table.mode is Mode.AGAIN, "Ann's roll is asked for; what lies there is Bo's"
    evening.press(I.UNDO)
    assert evening.code == "TOO_FAR"
    evening.press(I.ROLL)
    evening.press(I.PICK, "fives")
    assert evening.dice == (1, 2, 3, 4, 5)
    assert evening.table.play is not None
    assert evening.table.play.game.rolls_made == 2


def test_the_first_roll_of_the_game_has_nothing_before_it(evening: Evening) -> None:
    asked(evening)
    evening.press(I.UNDO)
    assert evening.code == "NOTHING_TO_UNDO"
    assert evening.table.mode is Mode.AGAIN


def test_the_final_score_of_a_finished_game(evening: Evening) -> None:
    while not evening.table.over:
        evening.throw((1, 2, 3, 4, 6), shift=evening.frame % 50)
        evening.press(I.PICK, evening.table.open_options[0].box)
    before = evening.totals
    evening.press(I.UNDO)
    assert evening.table.mode is Mode.CHOOSE or evening.table.mode is Mode.PLAY
    evening.press(I.PICK, evening.table.open_options[0].box)
    assert (evening.totals, evening.table.mode) == (before, Mode.RESULT)


def test_a_blank_that_was_misread_is_taken_back_after_the_next_throw() -> None:
    e = Evening(game="yardkle", names=("Ann", "Bo"))
    e.press(I.SCORE)
    e.throw((2, 2, 3, 3, 4, 6))
    assert e.code == "BLANK"
    e.throw((1, 5, 3, 3, 4, 6), shift=20)
    e.press(I.UNDO)
    e.press(I.UNDO)
    assert e.table.mode is Mode.AGAIN
    assert e.table.play is not None
    assert e.table.play.game.turn == 0
    e.lie((1, 5, 3, 3, 4, 6), shift=20)
    assert e.table.mode is Mode.AGAIN, "those are Bo's dice"
    e.press(I.SCORE)
    e.press(I.MARK, 1)
    e.press(I.VALUE, 1)
    e.press(I.SCORE)
    assert e.dice == (1, 2, 3, 3, 4, 6)
    assert e.table.play.game.turn == 0


def test_every_move_taken_back_leads_to_where_it_was() -> None:
    """State before a move and after taking it back are the same, for all that a roll is only asked for."""
    e = Evening(game="yardkle", names=("Ann", "Bo"))
    e.press(I.SCORE)
    e.throw((1, 1, 1, 5, 2, 3))
    e.press(I.MARK, 4)
    e.press(I.ROLL)
    e.throw((1, 1, 2, 5, 5, 3), kept=(5,))
    assert e.table.play is not None
    before = e.table.play.game.position
    e.press(I.UNDO)
    e.press(I.ROLL)
    assert e.table.play.game.position == before
    assert [d.value for d in e.table.play.lying] == [5]
