"""What the table tells the watcher about keeping: dice that leave the tray, and turns that begin with all of them."""

from __future__ import annotations

import pytest

from vision.types import Reason, Tray

from .drawn_tray import EDGE, SPOTS, DrawnTray, kinds, rolls

VALUES = (1, 3, 3, 5, 6)


def settled() -> DrawnTray:
    tray = DrawnTray(expected=5, tray=Tray(dice=5, die_px=EDGE))
    tray.rest(0.3)
    tray.throw(VALUES, SPOTS[:5])
    tray.rest(0.3)
    assert kinds(tray.events) == ["roll"]
    tray.events.clear()
    return tray


def away(tray: DrawnTray) -> None:
    """The camera is gone for a moment."""
    tray.watcher.offline("CAM-02", tray.number / tray.fps)
    tray.number += 100


def test_kept_dice_may_leave_the_tray_and_the_next_throw_shows_the_rest() -> None:
    tray = settled()
    tray.watcher.expect(dice=3)
    tray.take(0, 1, 2, 3, 4)
    tray.rest(0.3)
    tray.throw((6, 2, 2), SPOTS[:3])
    tray.rest(0.3)
    (roll,) = rolls(tray.events)
    assert (roll.values, roll.kept, roll.thrown) == ((2, 2, 6), (), (2, 2, 6))


def test_a_turn_that_begins_with_all_dice_needs_no_pause_if_all_were_seen_to_leave() -> None:
    tray = settled()
    tray.watcher.expect(dice=5, fresh=True)
    tray.take(0, 1, 2, 3, 4)
    tray.throw((6, 2, 2, 4, 5), SPOTS[:5])
    tray.rest(0.3)
    assert kinds(tray.events) == ["roll"]


def test_a_turn_that_begins_while_nobody_saw_the_dice_leave_is_a_question() -> None:
    for fresh, expected in ((True, "question"), (False, "roll")):
        tray = settled()
        tray.watcher.expect(dice=5, fresh=fresh)
        away(tray)
        tray.dice.clear()
        tray.throw((6, 2, 2, 4, 5), [(x, y + 20) for x, y in SPOTS[:5]])
        tray.rest(0.3)
        assert kinds(tray.events) == ["offline", "online", expected][-len(kinds(tray.events)) :]
        assert kinds(tray.events)[-1] == expected


def test_a_die_that_stayed_and_was_turned_over_does_not_begin_a_turn() -> None:
    tray = settled()
    tray.watcher.expect(dice=5, fresh=True)
    tray.take(1, 2, 3, 4)
    tray.dice[0].value = 2
    tray.throw((6, 2, 2, 4), SPOTS[1:5])
    tray.rest(0.3)
    assert kinds(tray.events) == ["disturbed", "question"]


def test_an_empty_tray_is_enough_whatever_was_missed_before() -> None:
    tray = settled()
    tray.watcher.expect(dice=5, fresh=True)
    tray.take(0, 1, 2, 3, 4)
    tray.rest(0.4)
    away(tray)
    tray.rest(0.2)
    tray.throw((6, 2, 2, 4, 5), SPOTS[:5])
    tray.rest(0.3)
    assert kinds(tray.events)[-1] == "roll"


@pytest.mark.parametrize("entered", [False, True])
def test_dice_that_were_entered_by_hand_are_no_roll_once_they_can_be_read(entered: bool) -> None:
    """Glare lies on one die, so the players enter the roll; then they lay the others into the strip, and it is read."""
    tray = DrawnTray(expected=5)
    tray.watcher.expect(dice=5, strip=((0.0, 0.75), (1.0, 0.75), (1.0, 1.0), (0.0, 1.0)))
    tray.rest(0.3)
    tray.doubts = (Reason("glare", 160.0, 40.0),)
    tray.throw(VALUES, ((60.0, 40.0), (110.0, 60.0), (160.0, 40.0), (210.0, 60.0), (250.0, 90.0)))
    tray.rest(0.6)
    assert kinds(tray.events) == []
    if entered:
        tray.watcher.entered()
    for k, die in enumerate([d for n, d in enumerate(tray.dice) if n != 2]):
        tray.reach(die.x + 10, die.y, lambda die=die: tray.dice.remove(die))
        die.x, die.y = 60.0 + 40 * k, 168.0
        tray.reach(die.x + 10, die.y, lambda die=die: tray.dice.append(die))
    tray.doubts = ()
    tray.rest(0.6)
    assert kinds(tray.events) == ([] if entered else ["roll"])
    tray.events.clear()
    tray.take(0)
    tray.throw((2,), SPOTS[1:2])
    tray.rest(0.6)
    (roll,) = rolls(tray.events)
    assert (roll.kept, roll.thrown) == ((1, 3, 5, 6), (2,))
