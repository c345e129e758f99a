"""What a size that is known does to faces whose outline says another one."""

from __future__ import annotations

import numpy as np
import pytest

from vision.choose import of_known_size
from vision.faces import Face

UNIT_PX = 11.0


def face(value: int, reach: float) -> Face:
    frame = np.diag([UNIT_PX, UNIT_PX]).astype(np.float32)
    none = np.zeros(3, np.float32)
    pips = tuple(range(value))
    return Face(value, 100.0, 100.0, frame, reach, value, 0.1, 1.0, 4.0, pips, none, none, np.zeros(9, np.float32))


@pytest.mark.parametrize("value", [2, 6])
def test_a_face_is_given_the_size_that_is_known_as_far_as_its_outline_may_be_off(value):
    assert of_known_size([face(value, 2.0)], 2.1 * 2 * UNIT_PX)[0].reach == pytest.approx(2.1)
    assert of_known_size([face(value, 1.6)], 2.1 * 2 * UNIT_PX)[0].reach == pytest.approx(1.6 * 1.15)


@pytest.mark.parametrize("reach", [1.2, 3.4])
def test_a_lattice_that_fits_the_size_is_kept_whatever_its_outline(reach):
    known_px = 1.9 * 2 * UNIT_PX
    assert of_known_size([face(6, reach)], known_px)[0].reach == pytest.approx(1.9)
    assert not of_known_size([face(3, reach)], known_px)


@pytest.mark.parametrize("known", [1.2, 2.9])
def test_a_lattice_of_other_dice_is_dropped(known):
    assert not of_known_size([face(6, 1.9)], known * 2 * UNIT_PX)
