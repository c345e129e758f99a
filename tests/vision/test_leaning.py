"""Dice that lean are told by the shape of their tops."""

from __future__ import annotations

import math

import numpy as np
import pytest

from vision.leaning import leaning
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
    assert leaning(dice) == []


@pytest.mark.parametrize("which", range(5))
def test_the_one_that_leans_is_found(which: int) -> None:
    dice = [die(100 * i, 50 * i, t, short=0.9 if i == which else 1.0) for i, t in enumerate(TURNS)]
    assert leaning(dice) == [which]


def test_where_all_tops_differ_nothing_is_said() -> None:
    shorts = (1.0, 0.97, 0.94, 0.96, 0.92)
    assert leaning([die(100 * i, 0, t, short=s) for i, (t, s) in enumerate(zip(TURNS, shorts, strict=True))]) == []


def test_three_dice_or_an_oblique_camera_are_not_enough() -> None:
    assert leaning([die(100 * i, 0, t, short=0.85 if i == 1 else 1.0) for i, t in enumerate(TURNS[:3])]) == []
    oblique = [die(100 * i, 0, t, short=0.9 if i == 1 else 1.0, squeeze=0.7) for i, t in enumerate(TURNS)]
    assert leaning(oblique) == []
