"""Glare on a die's top: asked about where it could change the value, left alone where it could not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.glare import could_deceive, on_bodies
from vision.types import Die

from . import drawn_dice

EDGE = 64.0
LIGHT_PIPS = {"body": drawn_dice.RED, "pip": drawn_dice.WHITE}
DARK_PIPS = {"body": (190, 200, 205), "pip": drawn_dice.BLACK}


def one(value: int, look: dict, angle: float = 25.0, x: float = 320.0, y: float = 240.0):
    """A picture of one die, and what a reader says of it."""
    drawn = drawn_dice.Drawn(value, x, y, EDGE, angle, **look)
    turn = np.radians(angle)
    axes = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * EDGE / 2
    corners = tuple((float(a), float(b)) for a, b in square @ axes.T + (x, y))
    return drawn_dice.draw([drawn]), Die(value, 0.9, x, y, corners), axes  # type: ignore[arg-type]


def shine(image: np.ndarray, axes: np.ndarray, u: float, v: float, radius: float = 0.12) -> np.ndarray:
    """The image of a lamp at (u, v) edges from the die's centre."""
    x, y = axes @ np.array([u, v]) * EDGE + (320, 240)
    out = image.copy()
    cv2.circle(out, (round(float(x)), round(float(y))), round(radius * EDGE), (255, 255, 255), -1, cv2.LINE_AA)
    return out


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("look", [LIGHT_PIPS, DARK_PIPS])
def test_plain_dice_deceive_nobody(value, look):
    image, die, _ = one(value, look)
    assert not could_deceive(image, die)


@pytest.mark.parametrize(("value", "true"), [(4, 5), (2, 3)])
def test_a_lamp_over_the_middle_could_hide_a_dark_pip(value, true):
    image, die, axes = one(value, DARK_PIPS)
    assert could_deceive(shine(image, axes, 0, 0), die), true


@pytest.mark.parametrize(("value", "true"), [(5, 4), (3, 2)])
def test_a_lamp_in_the_middle_could_be_taken_for_a_light_pip(value, true):
    image, die, axes = one(true, LIGHT_PIPS)
    assert could_deceive(shine(image, axes, 0, 0), Die(value, 0.9, die.x, die.y, die.corners))


@pytest.mark.parametrize("value", [1, 3, 5, 6])
def test_a_lamp_beside_the_pips_changes_nothing(value):
    for look in (LIGHT_PIPS, DARK_PIPS):
        image, die, axes = one(value, look)
        assert not could_deceive(shine(image, axes, 0.13, 0.4, 0.05), die)


def test_light_that_drowns_a_whole_light_body_is_no_patch():
    image, die, _ = one(4, {"body": (255, 255, 255), "pip": drawn_dice.BLACK})
    assert not could_deceive(image, die)


@pytest.mark.parametrize("look", [LIGHT_PIPS, DARK_PIPS])
@pytest.mark.parametrize("radius", [0.2, 0.3])
def test_a_body_whose_pips_drown_in_glare_is_asked_about(look, radius):
    image, die, axes = one(3, look, x=150.0, y=120.0)
    blank, _, _ = one(0, look)
    image[140:340, 220:420] = blank[140:340, 220:420]
    assert on_bodies(image, [die]) == []
    (found,) = on_bodies(shine(image, axes, 0.05, 0.05, radius), [die])
    assert found.code == "glare"
    assert np.hypot(found.x - 320, found.y - 240) < 0.3 * EDGE


def test_a_lamp_on_the_felt_or_on_a_die_that_was_read_is_no_lost_die():
    image, die, axes = one(3, DARK_PIPS)
    cv2.circle(image, (120, 100), 14, (255, 255, 255), -1)
    assert on_bodies(shine(image, axes, 0.2, 0, 0.15), [die]) == []
