"""The look-out for hands: what comes in over the border, and nothing else."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from hardware.sim_scene import LAMPS, SIDES, Setting, draw_hand
from hardware.sim_tray import SimTray
from vision import hands
from vision.network import WitnessError
from vision.reader import read
from vision.types import Status, Tray


def tray(seed: int, style: str = "ivory", felt: str = "green") -> SimTray:
    made = SimTray(Setting(felt, "ring", style), seed=seed, width=960, height=720, lying=(1, 2, 4, 5, 6))
    made.step(0.0)
    return made


def with_hand(made: SimTray, side: str, x: float, y: float) -> np.ndarray:
    image = made.draw(0.0).copy()
    draw_hand(made.lens, LAMPS["ring"], np.random.default_rng(1), side).draw_on(image, x, y)
    return image


@pytest.mark.parametrize("side", SIDES)
def test_a_hand_is_seen_from_every_side(side):
    x, y = {"near": (480, 420), "far": (480, 300), "left": (360, 360), "right": (600, 360)}[side]
    seen = hands.find_hand(with_hand(tray(3), side, x, y))
    assert seen is not None
    assert seen.share > 0.05
    assert 0 <= seen.x < 960
    assert 0 <= seen.y < 720


def test_dice_alone_are_no_hand():
    for seed in range(4):
        assert hands.find_hand(tray(seed).draw(0.0)) is None


def test_a_reading_with_a_hand_in_it_asks_for_the_right_reason():
    made = tray(5)
    assert read(made.draw(0.0), Tray()).status is Status.READ
    reading = read(with_hand(made, "near", 480, 520), Tray())
    assert reading.status is Status.UNSURE
    assert reading.reasons[0].code == "foreign"
    assert reading.reasons[0].x is not None


def cells(*filled: tuple[int, int], sure: float = 0.97) -> np.ndarray:
    out = np.zeros((12, 16), np.float32)
    for row, column in filled:
        out[row, column] = sure
    return out


def test_what_does_not_come_in_over_the_border_is_no_hand():
    block = [(r, c) for r in (4, 5, 6) for c in (6, 7, 8)]
    assert hands.largest(cells(*block), 1600, 1200) is None
    seen = hands.largest(cells(*block, (3, 7), (2, 7), (1, 7), (0, 7)), 1600, 1200)
    assert seen is not None
    assert (seen.x, seen.y) == (pytest.approx(749.5, abs=1), pytest.approx(441, abs=3))


def test_small_and_doubtful_patches_are_no_hand():
    assert hands.largest(cells((0, 0), (0, 1), (1, 0)), 160, 120) is None
    assert hands.largest(cells(*[(r, c) for r in range(4) for c in range(4)], sure=0.7), 160, 120) is None


@pytest.mark.parametrize("size", [(1, 1), (2, 900), (17, 13)])
def test_any_size_can_be_looked_at(size):
    assert hands.covered(np.full((*size, 3), 80, np.uint8)).shape == (12, 16)


def test_missing_weights_are_one_clear_line(monkeypatch, tmp_path):
    monkeypatch.setattr(hands, "WEIGHTS", tmp_path / "hands.onnx")
    hands._net.cache_clear()
    with pytest.raises(WitnessError, match="VIS-01"):
        hands.covered(np.zeros((96, 128, 3), np.uint8))
    hands._net.cache_clear()


def test_light_and_size_of_the_picture_hardly_matter():
    image = with_hand(tray(3), "near", 480, 420)
    for other in (cv2.resize(image, (320, 240), interpolation=cv2.INTER_AREA), (image * 0.5).astype(np.uint8)):
        assert hands.find_hand(other) is not None
