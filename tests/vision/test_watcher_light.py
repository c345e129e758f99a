"""The watcher is not fooled by light, hands, glasses and knocks, and does no needless work."""

from __future__ import annotations

import math

import numpy as np
import pytest

from vision.calibration import Calibration
from vision.types import Tray, TrayState

from .drawn_tray import EDGE, HEIGHT, SPOTS, WIDTH, DrawnTray, kinds, rolls, states

VALUES = (1, 3, 3, 5, 6)


def settled(**options: object) -> DrawnTray:
    tray = DrawnTray(expected=5, **options)  # type: ignore[arg-type]
    tray.rest(0.4)
    tray.throw(VALUES, SPOTS[:5])
    tray.rest(0.4)
    assert len(rolls(tray.events)) == 1
    tray.events.clear()
    tray.readings = 0
    return tray


@pytest.mark.parametrize("gain", [0.6, 0.8, 1.25, 1.5])
def test_a_step_of_exposure_is_nothing(gain: float) -> None:
    tray = settled()
    tray.gain = gain
    tray.rest(1.0)
    assert kinds(tray.events) == []
    assert set(states(tray.events)) <= {"settled"}


def test_flicker_is_nothing() -> None:
    tray = settled()
    for k in range(60):
        tray.gain = 1.0 + 0.12 * math.sin(2.1 * k)
        tray.frame()
    assert tray.events == []
    assert tray.readings <= 2


def test_a_throw_under_flicker_is_one_roll() -> None:
    tray = DrawnTray(expected=5)
    plain = tray.frame

    def flickering():  # type: ignore[no-untyped-def]
        tray.gain = 1.0 + 0.1 * math.sin(2.1 * tray.number)
        return plain()

    tray.frame = flickering  # type: ignore[method-assign]
    tray.rest(0.4)
    tray.throw(VALUES, SPOTS[:5])
    tray.rest(0.6)
    assert [r.values for r in rolls(tray.events)] == [VALUES]


@pytest.mark.parametrize("dark", [0.25, 0.5])
def test_a_shadow_that_crosses_is_neither_a_roll_nor_rolling(dark: float) -> None:
    tray = settled()
    for x in range(-60, 400, 12):
        tray.shadow = (float(x), 100.0, dark)
        tray.frame()
    tray.shadow = None
    tray.rest(0.5)
    assert kinds(tray.events) == []
    assert set(states(tray.events)) <= {"hand", "unreadable", "settled"}
    assert tray.watcher.state is TrayState.SETTLED


def test_a_shadow_that_stays_does_not_hide_a_throw() -> None:
    tray = DrawnTray(expected=5)
    tray.rest(0.4)
    tray.shadow = (90.0, 100.0, 0.4)
    tray.rest(0.4)
    tray.throw(VALUES, SPOTS[:5])
    tray.rest(0.5)
    assert [r.values for r in rolls(tray.events)] == [VALUES]


def test_a_hand_that_rests_in_the_tray_for_a_minute_is_a_hand_and_takes_few_readings() -> None:
    tray = settled(fps=10.0)
    tray.hand = (250.0, 90.0)
    said = tray.rest(60.0)
    assert set(states(said)) == {"hand"}
    assert kinds(said) == []
    assert tray.readings <= 60.0 / 0.5 + 10
    tray.hand = None
    said = tray.rest(1.0)
    assert kinds(said) == []
    assert tray.watcher.state is TrayState.SETTLED


def test_a_hand_that_covers_dice_and_goes_gives_no_roll() -> None:
    tray = settled()
    for x in range(330, 120, -15):
        tray.hand = (float(x), 60.0)
        tray.frame()
    tray.rest(2.0)
    for x in range(120, 345, 15):
        tray.hand = (float(x), 60.0)
        tray.frame()
    tray.hand = None
    tray.rest(1.0)
    assert kinds(tray.events) == []
    assert tray.watcher.state is TrayState.SETTLED


def test_a_glass_put_down_is_unreadable_and_says_why() -> None:
    tray = settled()

    def put_down() -> None:
        tray.glass = (250.0, 60.0)

    tray.reach(265.0, 60.0, put_down)
    tray.rest(1.0)
    assert tray.watcher.state is TrayState.UNREADABLE
    assert [r.code for r in tray.events[-1].reasons] == ["foreign"]
    assert kinds(tray.events) == []


def test_a_knock_is_told_as_moved_and_nothing_is_read_until_it_lies_right_again() -> None:
    drawn = DrawnTray(expected=5)
    empty = drawn.picture()
    region = ((13.0, 13.0), (WIDTH - 13.0, 13.0), (WIDTH - 13.0, HEIGHT - 13.0), (13.0, HEIGHT - 13.0))
    tray = settled(tray=Tray(dice=5, calibration=Calibration(empty, region, EDGE, ())))
    tray.knock = (9.0, 0.0)
    tray.rest(1.0)
    assert kinds(tray.events) == ["moved"]
    moved = next(e for e in tray.events if e.code)
    assert moved.code == "CAM-06"
    assert tray.watcher.state is TrayState.UNREADABLE
    assert tray.readings == 0
    tray.knock = (0.0, 0.0)
    tray.rest(1.5)
    assert tray.watcher.state is TrayState.SETTLED
    assert kinds(tray.events) == ["moved"]


def test_a_throw_into_a_calibrated_tray_is_not_a_knock() -> None:
    drawn = DrawnTray(expected=5)
    region = ((13.0, 13.0), (WIDTH - 13.0, 13.0), (WIDTH - 13.0, HEIGHT - 13.0), (13.0, HEIGHT - 13.0))
    calibration = Calibration(drawn.picture(), region, EDGE, ())
    tray = settled(tray=Tray(dice=5, calibration=calibration))
    tray.rest(2.0)
    assert kinds(tray.events) == []


def test_a_still_tray_is_read_twice_and_not_again() -> None:
    tray = DrawnTray(expected=5)
    tray.rest(0.4)
    tray.throw(VALUES, SPOTS[:5])
    tray.readings = 0
    tray.rest(8.0)
    assert tray.readings == 2


def test_an_unreadable_tray_is_read_again_ever_more_seldom() -> None:
    tray = DrawnTray(expected=6)
    tray.rest(0.4)
    tray.throw(VALUES, SPOTS[:5])
    tray.rest(5.0)
    tray.readings = 0
    tray.rest(20.0)
    assert 1 <= tray.readings <= 12


def test_motion_alone_is_never_read() -> None:
    tray = settled()
    random = np.random.default_rng(3)
    for _ in range(60):
        for die in tray.dice:
            die.x += float(random.normal(0, 6))
            die.y += float(random.normal(0, 6))
        tray.frame()
    assert tray.readings == 0
