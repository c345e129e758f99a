"""What the number of dice may settle, and what it never does."""

from __future__ import annotations

import dataclasses

import pytest

from vision.counted import agree, settle
from vision.types import Die, Reason


def die(value: int, x: float, y: float, confidence: float = 0.9, edge: float = 40.0) -> Die:
    h = edge / 2
    return Die(value, confidence, x, y, ((x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h)))


DICE = (die(3, 100, 100), die(5, 300, 120), die(1, 200, 300))
FAR = Reason("disagree", 420.0, 400.0)


def test_a_ghost_apart_from_all_dice_is_none_when_every_die_is_found():
    assert settle(DICE, [FAR, Reason("glare", 20.0, 400.0)], 3) == (
        [],
        [Reason("foreign", 420.0, 400.0), Reason("foreign", 20.0, 400.0)],
    )


@pytest.mark.parametrize("expected", [None, 0, 2, 4])
def test_another_count_settles_nothing(expected):
    assert settle(DICE, [FAR], expected) == ([FAR], [])


@pytest.mark.parametrize("code", ["cocked", "edge", "foreign", "dark", "blur", "count", "moved"])
def test_other_doubts_stay_and_keep_the_rest(code):
    for other in (Reason(code), Reason(code, 420.0, 410.0)):
        assert settle(DICE, [FAR, other], 3) == ([FAR, other], [])


@pytest.mark.parametrize("away", [0.0, 20.0, 48.0])
def test_a_doubt_about_a_die_itself_stays(away):
    doubt = Reason("disagree", 100.0 + away, 100.0)
    assert settle(DICE, [FAR, doubt], 3) == ([FAR, doubt], [])


def test_a_die_that_is_not_sure_does_not_make_up_the_count():
    weak = (dataclasses.replace(DICE[0], confidence=0.5), *DICE[1:])
    assert settle(weak, [FAR], 3) == ([FAR], [])


def test_nothing_is_added_where_nothing_was_in_doubt():
    assert settle(DICE, [], 3) == ([], [])


def test_dice_agree_with_more_that_hold_each_of_them():
    assert agree(DICE[:2], DICE) and agree((), DICE)
    assert agree((die(3, 104, 103),), DICE)


@pytest.mark.parametrize("other", [die(4, 100, 100), die(3, 120, 100), die(3, 250, 250)])
def test_a_die_of_another_value_or_place_agrees_with_none(other):
    assert not agree((*DICE[1:], other), DICE)
