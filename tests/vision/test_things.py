"""Notices of things that are no dice: seen where they lie, and nothing seen where there is nothing."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.things import notice
from vision.types import Die

FELT = (60, 95, 50)


def tray(slope: float = 0.3) -> np.ndarray:
    rng = np.random.default_rng(2)
    image = np.full((480, 640, 3), FELT, np.float32) * (1 + slope * np.linspace(-1, 1, 640, dtype=np.float32))[:, None]
    return np.clip(image + rng.normal(0, 3, image.shape), 0, 255).astype(np.uint8)


def lay_die(image: np.ndarray, x: int, y: int, half: int = 22) -> Die:
    cv2.rectangle(image, (x - half, y - half), (x + half, y + half), (230, 230, 230), -1)
    cv2.circle(image, (x, y), 5, (20, 20, 20), -1)
    h = float(half)
    return Die(1, 0.9, float(x), float(y), ((x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h)))


def lay_dice(image: np.ndarray) -> tuple[Die, ...]:
    return tuple(lay_die(image, x, y) for x, y in ((150, 120), (480, 150), (300, 360)))


@pytest.mark.parametrize("slope", [0.0, 0.4])
def test_a_bare_felt_has_nothing_on_it(slope):
    image = tray(slope)
    assert notice(image, lay_dice(image)) == []


def test_a_coin_is_noticed_where_it_lies():
    image = tray()
    dice = lay_dice(image)
    cv2.circle(image, (310, 200), 26, (90, 170, 210), -1)
    (seen,) = notice(image, dice)
    assert seen.code == "foreign"
    assert seen.x == pytest.approx(310, abs=5)
    assert seen.y == pytest.approx(200, abs=5)


def test_a_shadow_and_what_hangs_over_the_border_are_left_alone():
    image = tray()
    dice = lay_dice(image)
    image[220:270, 380:450] = (image[220:270, 380:450] * 0.75).astype(np.uint8)
    cv2.rectangle(image, (560, 200), (640, 300), (40, 40, 200), -1)
    assert notice(image, dice) == []


@pytest.mark.parametrize("size", [(1, 1), (16, 16), (3000, 20)])
def test_any_size_can_be_looked_at(size):
    image = np.full((*size, 3), 120, np.uint8)
    assert notice(image, ()) == []
    assert notice(image, (Die(1, 0.9, 2.0, 2.0, ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))),)) == []
