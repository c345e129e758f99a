"""Face crops: the corners land where they should, large faces are averaged."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision import crops
from vision.crops import CROP_PX, MARGIN_PX, face_crop, maps_of, through


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


def test_maps_take_what_opencv_takes_but_in_whole_32nds():
    image = cv2.GaussianBlur(np.random.default_rng(3).integers(0, 256, (60, 80, 3), np.uint8), (0, 0), 2.0)
    turn = cv2.getRotationMatrix2D((40.0, 30.0), 30.0, 1.3)
    ours = through(image, maps_of(turn, (80, 60)))
    theirs = cv2.warpAffine(image, turn, (80, 60), borderMode=cv2.BORDER_REPLICATE)
    assert np.abs(ours.astype(int) - theirs).max() <= 2
    slant = np.vstack([turn, [1e-3, 5e-4, 1.0]])
    ours = through(image, maps_of(slant, (80, 60)))
    theirs = cv2.warpPerspective(image, slant, (80, 60), borderMode=cv2.BORDER_REPLICATE)
    assert np.abs(ours.astype(int) - theirs).max() <= 2


def test_nothing_that_a_reading_depends_on_is_sampled_in_other_ways():
    """Versions of OpenCV round places between pixels differently where they are not in whole 32nds."""
    folder = Path(crops.__file__).parent
    # Kept dice are compared with themselves by `patches.py`, in one version.
    left = [p.name for p in folder.glob("*.py") if re.search(r"cv2\.warp\w+\(", p.read_text(encoding="utf-8"))]
    assert left == ["patches.py"]
