"""Face crops: the corners land where they should, large faces are averaged."""

from __future__ import annotations

import numpy as np
import pytest

from vision.crops import CROP_PX, MARGIN_PX, face_crop


def test_a_face_fills_the_inset():
    image = np.zeros((200, 200), np.uint8)
    image[60:108, 70:118] = 200
    crop = face_crop(image, [(69.5, 59.5), (117.5, 59.5), (117.5, 107.5), (69.5, 107.5)])
    inside = crop[MARGIN_PX + 1 : -MARGIN_PX - 1, MARGIN_PX + 1 : -MARGIN_PX - 1]
    assert crop.shape == (CROP_PX, CROP_PX)
    assert inside.min() == 200
    assert crop[: MARGIN_PX - 1].max() == 0


def test_the_first_corner_becomes_the_upper_left():
    image = np.zeros((100, 100), np.uint8)
    image[20:40, 60:80] = 255
    corners = [(79.5, 19.5), (79.5, 79.5), (19.5, 79.5), (19.5, 19.5)]
    crop = face_crop(image, corners)
    assert crop[MARGIN_PX : MARGIN_PX + 10, MARGIN_PX : MARGIN_PX + 10].mean() > 250
    assert crop[-MARGIN_PX - 10 : -MARGIN_PX, MARGIN_PX:-MARGIN_PX].mean() < 5


@pytest.mark.parametrize("side", [200, 900])
def test_a_large_face_is_averaged_not_sampled(side):
    rng = np.random.default_rng(3)
    image = (rng.integers(0, 2, (side, side)) * 255).astype(np.uint8)
    crop = face_crop(image, [(0, 0), (side - 1, 0), (side - 1, side - 1), (0, side - 1)])
    assert crop[MARGIN_PX:-MARGIN_PX, MARGIN_PX:-MARGIN_PX].std() < 80


def test_outside_the_picture_the_border_is_repeated():
    image = np.full((30, 30, 3), 77, np.uint8)
    assert (face_crop(image, [(-20, -20), (50, -20), (50, 50), (-20, 50)]) == 77).all()
