"""Room: tests of vision. Twos whose pips lie close together, on a diagonal or along an edge."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.close_twos import find_close_twos
from vision.pips import find_pips
from vision.pyramid import Pyramid

EDGE = 76


def two(turn_deg: float, places: list[tuple[float, float]]) -> np.ndarray:
    """A die of 76 pixels with pips at these places, in edges from the middle of its face."""
    rng = np.random.default_rng(4)
    picture = np.full((260, 260, 3), (34, 30, 30), np.uint8)
    cv2.rectangle(picture, (130 - EDGE // 2, 130 - EDGE // 2), (130 + EDGE // 2, 130 + EDGE // 2), (225, 228, 230), -1)
    for u, v in places:
        cv2.circle(picture, (round(130 + u * EDGE), round(130 + v * EDGE)), 8, (150, 50, 30), -1, cv2.LINE_AA)
    turn = cv2.getRotationMatrix2D((130, 130), turn_deg, 1)
    picture = cv2.warpAffine(picture, turn, (260, 260), borderMode=cv2.BORDER_REPLICATE)
    noisy = cv2.GaussianBlur(picture, (0, 0), 0.8) + rng.normal(0, 2, picture.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def found(picture: np.ndarray, half_px: tuple[float, float] = (22.0, 80.0)) -> list:
    pips = find_pips(Pyramid(picture))
    return find_close_twos(picture, pips, np.hypot(pips.x - 130, pips.y - 130) < 60, half_px)


@pytest.mark.parametrize("turn_deg", [0.0, 28.0])
@pytest.mark.parametrize("places", [[(-0.12, -0.12), (0.12, 0.12)], [(-0.16, 0.0), (0.16, 0.0)]])
def test_the_square_round_two_close_pips_is_that_of_the_die(turn_deg: float, places: list[tuple[float, float]]) -> None:
    face, *_ = found(two(turn_deg, places))
    assert (face.value, len(set(face.pips))) == (2, 2)
    assert abs(face.size_px - EDGE) < 10 and np.hypot(face.x - 130, face.y - 130) < 2
    turned = np.degrees(np.arctan2(face.frame[1, 0], face.frame[0, 0])) + turn_deg
    assert abs((turned + 45) % 90 - 45) < 5
    assert face.score > 1.6


def test_three_pips_in_a_row_and_a_pair_too_far_apart_are_none() -> None:
    assert not found(two(0.0, [(-0.24, 0.0), (0.0, 0.0), (0.24, 0.0)]))
    assert not found(two(0.0, [(-0.3, -0.3), (0.3, 0.3)]), (22.0, 40.0))
