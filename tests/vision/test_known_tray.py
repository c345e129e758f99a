"""What the calibrated empty tray says about a reading."""

from __future__ import annotations

import pytest

from vision.calibration import Calibration, CalibrationFault
from vision.known_tray import check
from vision.types import Image, Reason

from .drawn_tray import EDGE, HEIGHT, SPOTS, WIDTH, DrawnDie, DrawnTray

REGION = ((13.0, 13.0), (WIDTH - 13.0, 13.0), (WIDTH - 13.0, HEIGHT - 13.0), (13.0, HEIGHT - 13.0))


@pytest.fixture
def drawn() -> DrawnTray:
    return DrawnTray()


@pytest.fixture
def calibration(drawn: DrawnTray) -> Calibration:
    return Calibration(drawn.picture(), REGION, EDGE, ())


def thrown(drawn: DrawnTray) -> Image:
    drawn.dice = [DrawnDie(k + 1, *spot, angle_deg=20.0 * k) for k, spot in enumerate(SPOTS[:5])]
    return drawn.picture()


@pytest.mark.parametrize("gain", [0.6, 1.0, 1.15])
def test_dice_that_lie_there_stand_and_nothing_is_unexplained(
    drawn: DrawnTray, calibration: Calibration, gain: float
) -> None:
    drawn.gain = gain
    image = thrown(drawn)
    dice = [d.seen() for d in drawn.dice]
    assert check(dice, [], image, calibration) == (tuple(dice), [])


def test_a_die_that_was_not_read_is_a_doubt_at_its_place(drawn: DrawnTray, calibration: Calibration) -> None:
    image = thrown(drawn)
    dice = [d.seen() for d in drawn.dice]
    for k, missed in enumerate(dice):
        left = dice[:k] + dice[k + 1 :]
        real, doubts = check(left, [], image, calibration)
        assert real == tuple(left)
        (doubt,) = doubts
        assert doubt.code == "disagree"
        assert (doubt.x, doubt.y) == (pytest.approx(missed.x, abs=4), pytest.approx(missed.y, abs=4))


def test_a_doubt_that_was_told_already_is_not_told_twice(drawn: DrawnTray, calibration: Calibration) -> None:
    image = thrown(drawn)
    dice = [d.seen() for d in drawn.dice]
    doubt = Reason("cocked", dice[2].x + 2, dice[2].y)
    assert check(dice[:2] + dice[3:], [doubt], image, calibration)[1] == [doubt]


def test_dice_and_doubts_that_are_only_felt_are_dropped(drawn: DrawnTray, calibration: Calibration) -> None:
    image = thrown(drawn)
    dice = [d.seen() for d in drawn.dice]
    ghost = DrawnDie(2, *SPOTS[5]).seen()
    doubts = [Reason("disagree", *SPOTS[5]), Reason("dark")]
    assert check([*dice, ghost], doubts, image, calibration) == (tuple(dice), [Reason("dark")])


def test_a_die_outside_the_tray_does_not_count(drawn: DrawnTray, calibration: Calibration) -> None:
    outside = DrawnDie(4, 6.0, 100.0)
    image = thrown(drawn)
    drawn.dice.append(outside)
    image = drawn.picture()
    dice = [d.seen() for d in drawn.dice]
    assert check(dice, [], image, calibration)[0] == tuple(dice[:5])


def test_a_glass_or_a_hand_is_foreign(drawn: DrawnTray, calibration: Calibration) -> None:
    thrown(drawn)
    dice = [d.seen() for d in drawn.dice]
    drawn.hand = (250.0, 100.0)
    _, doubts = check(dice, [], drawn.picture(), calibration)
    assert "foreign" in [d.code for d in doubts]


def test_a_soft_shadow_is_nothing_new(drawn: DrawnTray, calibration: Calibration) -> None:
    drawn.shadow = (160.0, 100.0, 0.4)
    image = thrown(drawn)
    dice = [d.seen() for d in drawn.dice]
    assert check(dice, [], image, calibration) == (tuple(dice), [])


def test_a_picture_of_another_shape_is_cal_04(drawn: DrawnTray, calibration: Calibration) -> None:
    with pytest.raises(CalibrationFault) as caught:
        check([], [], drawn.picture()[:100], calibration)
    assert caught.value.code == "CAL-04"


def test_a_picture_of_the_same_shape_and_another_size_is_compared(drawn: DrawnTray, calibration: Calibration) -> None:
    image = thrown(drawn)
    large = Calibration(
        calibration.empty.repeat(2, 0).repeat(2, 1), tuple((2 * x, 2 * y) for x, y in REGION), 2 * EDGE, ()
    )
    dice = [d.seen() for d in drawn.dice]
    assert check(dice, [], image, large) == (tuple(dice), [])
