"""Yardkle at the table: dice left lying are set aside, SCORE banks, a roll worth nothing passes on."""

from __future__ import annotations

import pytest

import rules
from firmware.events import IntentKind as I
from firmware.events import Tick
from firmware.table import Mode
from vision.types import TrayState

from .evening import Evening


@pytest.fixture
def evening() -> Evening:
    e = Evening(game="yardkle", names=("Ann", "Bo"))
    e.press(I.SCORE)
    return e


def points(evening: Evening) -> int:
    assert evening.table.play is not None
    return evening.table.play.game.turn_points


def turn(evening: Evening) -> int:
    assert evening.table.play is not None
    return evening.table.play.game.turn


def test_by_hands_alone_the_dice_left_lying_are_set_aside(evening: Evening) -> None:
    assert evening.table.wanted == 6
    evening.throw((1, 1, 1, 5, 2, 3))
    evening.throw((1, 1, 1, 5, 5, 6), kept=(1, 1, 1))
    assert points(evening) == 300
    assert evening.dice == (5, 5, 6), "only the thrown dice are there to choose from"
    evening.throw((1, 1, 1, 5, 5, 2), kept=(1, 1, 1, 5, 5))
    assert evening.code == "BLANK"
    assert turn(evening) == 1
    assert evening.totals == (0, 0)


def test_by_buttons_and_score_banks(evening: Evening) -> None:
    evening.throw((1, 1, 1, 5, 2, 3))
    evening.press(I.ROLL)
    assert evening.code == "MARK_FIRST"
    for n in (1, 2, 3, 4):
        evening.press(I.MARK, n)
    done = evening.press(I.ROLL)
    assert sorted(done.orders[0].args["kept"]) == [1, 1, 1, 5]
    assert points(evening) == 350
    evening.throw((1, 1, 1, 5, 5, 1), kept=(1, 1, 1, 5))
    evening.press(I.SCORE)
    assert evening.totals == (500, 0), "with none marked the best legal set is banked"
    assert turn(evening) == 1


def test_the_opening_score_is_asked_for(evening: Evening) -> None:
    evening.throw((1, 2, 3, 3, 4, 6))
    evening.press(I.SCORE)
    assert evening.code is not None
    assert evening.totals == (0, 0)
    assert points(evening) == 0, "nothing is half done"
    assert evening.dice == (1, 2, 3, 3, 4, 6)


def test_a_die_worth_nothing_may_not_be_set_aside(evening: Evening) -> None:
    evening.throw((1, 2, 3, 3, 4, 6))
    evening.throw((1, 2, 5, 5, 5, 5), kept=(1, 2))
    assert evening.code is not None
    assert points(evening) == 0
    evening.press(I.BACK)
    evening.press(I.MARK, 2)
    evening.press(I.ROLL)
    assert evening.code is not None


def test_at_least_one_die_that_counts_must_stay(evening: Evening) -> None:
    evening.throw((1, 2, 3, 3, 4, 6))
    evening.throw((2, 2, 5, 5, 5, 5))
    assert evening.code == "LEAVE_SOME"
    assert evening.dice == (1, 2, 3, 3, 4, 6), "nothing is scored until it is right"


def test_hot_dice_all_six_are_thrown_again(evening: Evening) -> None:
    evening.throw((1, 1, 1, 5, 5, 5))
    evening.throw((2, 3, 4, 6, 6, 1))
    assert points(evening) == 2500, "two triplets"
    assert evening.dice == (2, 3, 4, 6, 6, 1)
    evening.press(I.SCORE)
    assert evening.totals == (2600, 0)


def test_hot_dice_by_buttons(evening: Evening) -> None:
    evening.throw((1, 1, 1, 5, 5, 5))
    for n in range(1, 7):
        evening.press(I.MARK, n)
    done = evening.press(I.ROLL)
    assert done.orders[0].args["kept"] == []
    evening.throw((2, 3, 4, 6, 6, 1))
    evening.press(I.SCORE)
    assert evening.totals == (2600, 0)


def test_a_yardkle_is_announced_for_four_seconds_or_until_a_press(evening: Evening) -> None:
    evening.throw((2, 2, 3, 3, 4, 6))
    assert evening.code == "BLANK"
    evening.table.handle(Tick(10.0))
    evening.table.handle(Tick(13.9))
    assert evening.code == "BLANK"
    evening.table.handle(Tick(14.1))
    assert evening.code is None


def test_a_yardkle_that_was_misread_can_be_put_right(evening: Evening) -> None:
    evening.throw((2, 2, 3, 3, 4, 6))
    assert turn(evening) == 1
    evening.press(I.UNDO)
    evening.press(I.SCORE)
    assert evening.table.mode is Mode.ENTRY
    evening.press(I.MARK, 5)
    evening.press(I.VALUE, 1)
    evening.press(I.SCORE)
    assert turn(evening) == 0
    assert evening.dice == (2, 2, 3, 3, 1, 6)


def test_a_turn_begins_with_all_the_dice(evening: Evening) -> None:
    evening.throw((2, 2, 3, 3, 4, 6))
    evening.throw((2, 2, 1, 1, 1, 5), kept=(2,))
    assert evening.code == "NOT_ALL"
    assert evening.dice == ()
    evening.throw((2, 2, 1, 1, 1, 5))
    assert evening.dice == (2, 2, 1, 1, 1, 5)


def test_whoever_threw_what_cant_be_read_can_not_bank_instead(evening: Evening) -> None:
    evening.throw((1, 1, 1, 1, 2, 3))
    for n in (1, 2, 3, 4):
        evening.press(I.MARK, n)
    evening.press(I.ROLL)
    assert points(evening) == 1000
    evening.unreadable((1, 1, 1, 1, 4), "count")
    evening.press(I.SCORE)
    assert evening.table.mode is Mode.ENTRY
    assert evening.table.entry is not None
    assert evening.table.entry.values == [4, None], "only the dice that were thrown are asked for"
    evening.press(I.VALUE, 6)
    evening.press(I.SCORE)
    assert evening.code == "BLANK"
    assert evening.totals == (0, 0)


def test_stopping_between_the_press_and_the_throw(evening: Evening) -> None:
    evening.throw((1, 1, 1, 1, 2, 3))
    for n in (1, 2, 3, 4):
        evening.press(I.MARK, n)
    evening.press(I.ROLL)
    evening.press(I.SCORE)
    assert evening.totals == (1000, 0)
    evening.press(I.UNDO)
    assert evening.totals == (0, 0)
    assert points(evening) == 1000


def test_after_a_power_cut_the_dice_set_aside_are_still_set_aside(evening: Evening) -> None:
    evening.throw((1, 1, 1, 5, 2, 3))
    evening.press(I.MARK, 4)
    evening.press(I.ROLL)
    evening.restart()
    assert points(evening) == 50
    assert evening.table.play is not None
    assert [d.value for d in evening.table.play.lying] == [5]
    evening.throw((2, 2, 3, 5, 1, 6), kept=(), shift=0.0)
    assert sorted((*evening.dice, 5)) == [1, 2, 2, 3, 5, 6], "judged by place: the 5 lies where it lay"


def test_the_best_set_and_the_worth_of_marks_are_shown(evening: Evening) -> None:
    from firmware.intents import hints
    from firmware.views import view_of

    def rows() -> dict[str, tuple[int | None, str]]:
        view = view_of(evening.table, hints(evening.table, 8))
        return {r.key: (r.written, r.note) for r in view.rows}

    evening.throw((1, 1, 1, 5, 2, 3))
    assert rows()["aside"][0] == 350
    evening.press(I.MARK, 4)
    assert rows()["aside"][0] == 50
    evening.press(I.MARK, 5)
    written, note = rows()["aside"]
    assert written == 0
    assert note
    assert rows()["target"][0] == 10000
    keys = view_of(evening.table, hints(evening.table, 8)).keys
    assert "stop and keep" in [k.action for k in keys]


@pytest.mark.parametrize("name", [g.name for g in rules.games()])
def test_every_game_is_played_to_its_end(name: str) -> None:
    """Everybody throws, and scores or banks the best; what a game forbids is answered and never a dead end."""
    import random

    from firmware.intents import hints
    from firmware.views import view_of

    rng = random.Random(name)
    e = Evening(game=name, players=2)
    e.press(I.SCORE)
    for _ in range(3000):
        play = e.table.play
        assert play is not None
        view = view_of(e.table, hints(e.table, 8))
        assert view.prompt
        assert view.rows
        if e.table.over:
            break
        if isinstance(play.game.awaiting, rules.Roll):
            kept = tuple(d.value for d in play.lying)
            values = [*kept, *(rng.randint(1, 6) for _ in range(play.all_dice - len(kept)))]
            e.throw(values, kept=kept, shift=rng.uniform(0, 60))
        elif play.banking:
            e.press(I.SCORE)
            if e.code:  # not enough to stop: set the best aside and throw on
                from firmware.turns import best_aside

                for face in best_aside(play):
                    free = [n for n, d in enumerate(play.dice, 1) if d.value == face and n not in play.marks]
                    e.press(I.MARK, free[0])
                e.press(I.ROLL)
        else:
            e.press(I.PICK, e.table.open_options[0].box)
    assert e.table.mode is Mode.RESULT
    e.restart()
    assert e.table.over
    assert e.table.sight.tray is TrayState.EMPTY
