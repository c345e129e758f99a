"""Correction of a past roll: what changes, what becomes illegal, and that nothing else happens."""

from __future__ import annotations

import contextlib
import random

import pytest

import rules
from rules import Change, IllegalMove, Roll, RollOff

THREE_TURNS = "roll 52565; keep 555; roll 55515; score fives; roll 12346; score chance; roll 22334; score threes"


@pytest.fixture
def game(play):
    return play(rules.new("yardzee", ["Ann", "Bo"]), THREE_TURNS)


def test_a_corrected_roll_changes_the_score(game) -> None:
    assert game.totals == (26, 16)
    done = game.correct(2, Roll((5, 5, 5, 5, 5)))
    assert done.applied
    assert done.broken is None
    assert done.changes == (Change(0, "fives", 20, 25), Change(0, "total", 26, 31))
    assert game.totals == (31, 16)
    assert game.moves[2] == Roll((5, 5, 5, 5, 5))
    assert len(game.moves) == 8


def test_an_index_may_count_from_the_end(game) -> None:
    assert game.correct(-2, Roll((3, 3, 3, 3, 4))).changes == (Change(0, "threes", 6, 12), Change(0, "total", 26, 32))


def test_a_correction_can_be_undone_by_another(game) -> None:
    before = game.to_text()
    game.correct(2, Roll((5, 5, 5, 5, 5)))
    game.correct(2, Roll((5, 5, 5, 1, 5)))
    assert game.to_text() == before


def test_a_keep_that_the_corrected_roll_does_not_hold_is_told(game) -> None:
    before = game.to_text()
    done = game.correct(0, Roll((5, 2, 3, 6, 5)))
    assert not done.applied
    assert done.changes == ()
    assert (done.broken.index, str(done.broken.move), done.broken.code) == (1, "keep 555", "KEEP-02")
    assert "5 can't be kept" in done.broken.words
    assert game.to_text() == before


def test_cut_ends_the_game_before_the_broken_move(game) -> None:
    done = game.correct(0, Roll((5, 2, 3, 6, 5)), cut=True)
    assert done.applied
    assert done.broken.index == 1
    assert game.moves == (Roll((5, 2, 3, 6, 5)),)
    assert Change(0, "fives", 20, None) in done.changes
    assert Change(1, "total", 16, 0) in done.changes


def test_a_correction_that_changes_nothing_on_the_card(game) -> None:
    assert game.correct(0, Roll((5, 2, 5, 1, 5))).changes == ()


def test_an_impossible_roll_is_refused(game) -> None:
    before = game.to_text()
    for roll, code in [(Roll((1, 2, 3, 4, 7)), "ROLL-02"), (Roll((1, 2, 3, 4, 5)), "ROLL-03"), (Roll(5), "MOVE-02")]:
        with pytest.raises(IllegalMove) as refused:
            game.correct(2, roll)
        assert refused.value.code == code
    assert game.to_text() == before


def test_only_rolls_can_be_corrected(game) -> None:
    for index in (1, 3, 8, -9):
        with pytest.raises(IllegalMove) as refused:
            game.correct(index, Roll((1, 1, 1, 1, 1)))
        assert refused.value.code == "FIX-01"
    with pytest.raises(IllegalMove):
        game.correct(0, RollOff((1, 1, 1, 1, 1)))


def test_a_further_five_alike_that_was_none(play) -> None:
    game = play(rules.new("yardzee", ["Ann"]), "roll 66666; score five_kind; roll 44444; score fours")
    assert game.totals == (170,)
    done = game.correct(2, Roll((4, 4, 4, 4, 1)))
    assert set(done.changes) == {
        Change(0, "fours", 20, 16),
        Change(0, "bonuses", 1, 0),
        Change(0, "total", 170, 66),
    }


def test_a_roll_that_turns_out_to_be_worth_nothing(play) -> None:
    game = play(rules.new("yardkle", ["Ann", "Bo"]), "roll 122346; aside 1; roll 11136; aside 111")
    done = game.correct(2, Roll((2, 3, 4, 3, 6)))
    assert not done.applied
    assert (done.broken.index, done.broken.code) == (3, "FIX-02")
    assert done.broken.words == "it was made in the turn of Ann; now it is the turn of Bo"


def test_a_roll_off_that_someone_else_won(play) -> None:
    game = play(rules.new("yardkle", ["Ann", "Bo"]), "rolloff 5; rolloff 4")
    done = game.correct(0, RollOff((3,)))
    assert done.applied
    assert done.changes == (Change(1, "turn", 0, 1),)
    game = play(rules.new("yardkle", ["Ann", "Bo"]), "rolloff 5; rolloff 4; roll 122346")
    assert game.correct(0, RollOff((3,))).broken.code == "FIX-02"


def test_every_roll_of_random_games_can_be_corrected_back(soak) -> None:
    for seed in range(30):
        rng = random.Random(seed)
        game = soak.random_game(rng)
        while game.outcome() is None and game.ply < 60:
            game.push(soak.random_move(rng, game))
        before = game.to_text()
        for index in [i for i, m in enumerate(game.moves) if isinstance(m, Roll | RollOff)][::5]:
            old = game.moves[index]
            other = type(old)([rng.randint(1, 6) for _ in old.faces])
            with contextlib.suppress(IllegalMove):  # a kept die may be missing in the other roll
                if game.correct(index, other).applied:
                    assert game.moves[index] == other
                    assert game.correct(index, old).applied
            assert game.to_text() == before
