"""Dice that lean are told by the shape of their tops."""

from __future__ import annotations

import math

import numpy as np
import pytest

from vision.leaning import DOUBTED, leaning
from vision.types import Corners, Die


def die(x: float, y: float, turn_deg: float, size: float = 40.0, short: float = 1.0, squeeze: float = 1.0) -> Die:
    """A top turned by an angle, foreshortened downwards to `short` because it leans, and by `squeeze` because of the
    camera."""
    a = math.radians(turn_deg)
    turn = np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]])
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size / 2
    top = square @ turn.T * [1, short * squeeze] + [x, y]
    corners: Corners = tuple((float(px), float(py)) for px, py in top)  # type: ignore[assignment]
    return Die(5, 0.9, x, y, corners)


TURNS = (3.0, 25.0, 48.0, 71.0, 88.0)


@pytest.mark.parametrize("squeeze", [1.0, 0.95])
@pytest.mark.parametrize("sizes", [(40, 40, 40, 40, 40), (40, 40, 55, 55, 70)])
def test_flat_dice_are_flat_however_they_are_turned_and_whatever_their_size(
    squeeze: float, sizes: tuple[int, ...]
) -> None:
    dice = [die(100 * i, 50 * i, t, s, squeeze=squeeze) for i, (t, s) in enumerate(zip(TURNS, sizes, strict=True))]
    assert leaning(dice, [0.3] * 5) == []


@pytest.mark.parametrize("which", range(5))
def test_the_one_that_leans_is_found(which: int) -> None:
    dice = [die(100 * i, 50 * i, t, short=0.9 if i == which else 1.0) for i, t in enumerate(TURNS)]
    assert leaning(dice, [0.3] * 5) == [which]
    assert leaning(dice, [0.0 if i == which else 0.3 for i in range(5)]) == []


def test_where_all_tops_differ_nothing_is_said() -> None:
    shorts = (1.0, 0.97, 0.94, 0.96, 0.92)
    assert (
        leaning([die(100 * i, 0, t, short=s) for i, (t, s) in enumerate(zip(TURNS, shorts, strict=True))], [0.3] * 5)
        == []
    )


@pytest.mark.parametrize("count", [2, 3])
def test_of_few_dice_one_must_be_clearly_shorter(count: int) -> None:
    def told(short: float, gap: float = 0.3) -> list[int]:
        dice = [die(100 * i, 0, t, short=short if i == 1 else 1.0) for i, t in enumerate(TURNS[:count])]
        return leaning(dice, [gap] * count)

    assert told(0.9) == [] and told(0.84) == [1]
    assert told(0.84, DOUBTED - 0.02) == [] and told(0.75, DOUBTED - 0.02) == [1] and told(0.75, 0.05) == []


def test_an_oblique_camera_says_nothing() -> None:
    for short, count in ((0.9, 5), (0.8, 2)):
        oblique = [die(100 * i, 0, t, short=short if i == 1 else 1.0, squeeze=0.7) for i, t in enumerate(TURNS[:count])]
        assert leaning(oblique, [0.3] * count) == []
