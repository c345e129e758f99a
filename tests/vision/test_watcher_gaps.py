"""What happened while no pictures came: thrown dice are not lost, and dice that lie there are not thrown again."""

from __future__ import annotations

from vision.types import TrayState

from .drawn_tray import SPOTS, DrawnDie, DrawnTray, kinds, rolls

VALUES = (1, 3, 3, 5, 6)


def settled() -> DrawnTray:
    tray = DrawnTray(expected=5)
    tray.rest(0.3)
    tray.throw(VALUES, SPOTS[:5])
    tray.rest(0.3)
    tray.events.clear()
    return tray


def test_a_throw_into_an_empty_tray_while_the_camera_was_away_is_a_roll() -> None:
    tray = DrawnTray(expected=5)
    tray.rest(0.4)
    tray.watcher.offline("CAM-02", tray.number / tray.fps)
    tray.number += 90
    tray.dice = [DrawnDie(v, x, y) for v, (x, y) in zip(VALUES, SPOTS, strict=False)]
    tray.rest(0.4)
    assert kinds(tray.events) == ["online", "roll"]
    assert rolls(tray.events)[0].values == VALUES


def test_dice_that_lie_as_they_lay_before_the_camera_was_away_are_no_roll() -> None:
    tray = settled()
    tray.watcher.offline("CAM-02", tray.number / tray.fps)
    tray.number += 90
    tray.rest(0.4)
    assert kinds(tray.events) == ["online"]
    assert tray.watcher.state is TrayState.SETTLED


def test_dice_taken_while_frames_were_missing_were_thrown_and_not_turned_over() -> None:
    tray = settled()
    # A second without pictures, in which a hand has taken three dice and gone.
    tray.number += 30
    tray.dice = tray.dice[:2]
    tray.rest(0.1)
    tray.throw((6, 2, 2), ((100.0, 100.0), (205.0, 70.0), (160.0, 150.0)))
    tray.rest(0.4)
    assert kinds(tray.events) == ["roll"]
    (roll,) = rolls(tray.events)
    assert (roll.kept, roll.thrown) == ((1, 3), (2, 2, 6))


def test_a_reading_that_takes_long_is_no_reason_to_believe_dice_that_were_laid_back() -> None:
    tray = settled()
    # The frames that came while the last one was read are missed; nothing has happened in them.
    tray.number += 12
    tray.rest(0.2)
    die = tray.dice[1]
    tray.take(1)

    def lay_back() -> None:
        die.x, die.y, die.angle_deg = 200.0, 100.0, 70.0
        tray.dice.append(die)

    tray.reach(210.0, 100.0, lay_back)
    tray.rest(0.5)
    assert kinds(tray.events) == ["question"]
