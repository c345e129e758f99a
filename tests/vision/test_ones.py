"""Room: tests of vision. Ones: a pip in the middle of a square, whichever way that is turned."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.ones import find_ones
from vision.pips import find_pips
from vision.pyramid import Pyramid

EDGE = 80


def one(turn_deg: float, ground: int, body: int) -> np.ndarray:
    """A die of 80 pixels that shows a one, seen from above."""
    rng = np.random.default_rng(2)
    picture = np.full((260, 260, 3), ground, np.uint8)
    face = np.full((260, 260, 3), body, np.uint8)
    cv2.circle(face, (130, 130), 9, (20, 20, 24), -1, cv2.LINE_AA)
    mask = np.zeros((260, 260), np.uint8)
    cv2.rectangle(mask, (130 - EDGE // 2, 130 - EDGE // 2), (130 + EDGE // 2, 130 + EDGE // 2), 255, -1)
    mask = cv2.warpAffine(mask, cv2.getRotationMatrix2D((130, 130), turn_deg, 1), (260, 260))
    picture[mask > 127] = face[mask > 127]
    noisy = cv2.GaussianBlur(picture, (0, 0), 1.0) + rng.normal(0, 2, picture.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(("ground", "body"), [(28, 245), (150, 190)])
@pytest.mark.parametrize("turn_deg", [0.0, 31.0, 52.0])
def test_a_one_is_found_at_every_angle_and_contrast(turn_deg: float, ground: int, body: int) -> None:
    picture = one(turn_deg, ground, body)
    pips = find_pips(Pyramid(picture))
    middle = np.nonzero((np.hypot(pips.x - 130, pips.y - 130) < 3) & (abs(pips.r - 9) < 2))[0]
    found = find_ones(picture, pips, middle, (22.0, 86.0))
    assert found and abs(found[0].size_px - EDGE) < 6
    assert found[0].score > 0.8
