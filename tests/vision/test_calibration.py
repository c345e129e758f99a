"""A table is learnt from two pictures, kept in one file, and a file that can't be used says why."""

from __future__ import annotations

import json
import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.calibration import VERSION, Calibration, CalibrationFault, Look, learn, load, save
from vision.types import Image

EDGE = 46.0
PLACES = ((150.0, 130.0, 12.0), (330.0, 110.0, 40.0), (480.0, 200.0, 75.0), (220.0, 290.0, 60.0), (400.0, 330.0, 5.0))


def table(dice: bool, pips_dark: bool = False, seed: int = 1, gain: float = 1.0) -> Image:
    """A wooden rim around felt, and five threes with a shadow at their side."""
    random = np.random.default_rng(5)
    picture = np.full((450, 640, 3), (70, 110, 140), np.float32)
    picture[40:-40, 50:-50] = (60, 100, 55)
    picture += random.normal(0, 4, (450, 640, 1)).astype(np.float32)
    image = np.clip(picture, 0, 255).astype(np.uint8)
    face, pips = ((225, 220, 215), (30, 30, 30)) if pips_dark else ((40, 40, 190), (235, 240, 240))
    for x, y, angle in PLACES if dice else ():
        shadow = cv2.boxPoints(((x + 10, y + 8), (EDGE, EDGE), angle))
        cv2.fillPoly(image, [np.round(shadow).astype(np.int32)], (36, 60, 33))
        corners = cv2.boxPoints(((x, y), (EDGE, EDGE), angle))
        cv2.fillPoly(image, [np.round(corners * 16).astype(np.int32)], face, cv2.LINE_AA, 4)
        centre = corners.mean(axis=0)
        for share in (-0.55, 0.0, 0.55):
            pip = centre + share * (corners[0] - centre)
            cv2.circle(image, (round(float(pip[0])), round(float(pip[1]))), 5, pips, -1, cv2.LINE_AA)
    noisy = image.astype(np.float32) * gain + np.random.default_rng(seed).normal(0, 2, image.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


@pytest.fixture(scope="module")
def learnt() -> Calibration:
    return learn(table(False), table(True, seed=2))


@pytest.mark.parametrize(("pips_dark", "gain"), [(False, 0.8), (True, 1.0)])
def test_scale_looks_and_floor_are_learnt(pips_dark: bool, gain: float) -> None:
    learnt = learn(table(False), table(True, pips_dark, seed=2, gain=gain))
    assert learnt.die_px == pytest.approx(EDGE, rel=0.1)
    assert len(learnt.looks) == 5
    assert all(look.pips_dark is pips_dark for look in learnt.looks)
    face = (225, 220, 215) if pips_dark else (40, 40, 190)
    assert all(np.allclose(look.face, np.array(face) * gain, atol=25) for look in learnt.looks)
    mask = learnt.mask(640, 450)
    assert mask[225, 320] == 255
    assert mask[10, 10] == 0
    assert np.count_nonzero(mask) == pytest.approx(540 * 370, rel=0.1)


def test_a_mask_follows_the_size_that_is_asked_for(learnt: Calibration) -> None:
    small, large = learnt.mask(320, 225), learnt.mask(1280, 900)
    assert small.shape == (225, 320)
    assert np.count_nonzero(large) / np.count_nonzero(small) == pytest.approx(16, rel=0.05)


def test_what_is_saved_is_loaded(learnt: Calibration, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    save(learnt, path)
    again = load(path)
    assert np.array_equal(again.empty, learnt.empty)
    assert again.die_px == pytest.approx(learnt.die_px, abs=0.001)
    assert np.allclose(again.region, learnt.region, atol=0.01)
    assert [look.pips_dark for look in again.looks] == [look.pips_dark for look in learnt.looks]
    assert again.size == (640, 450)
    assert os.listdir(tmp_path) == ["table.json"]


def test_the_file_does_not_say_how_many_dice_there_are(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    save(
        Calibration(table(False), ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0)), EDGE, (Look((1, 2, 3), (4, 5, 6), True),)), path
    )
    assert not {"dice", "count", "number"} & set(json.loads(path.read_text()))


def fault_of(path: Path) -> str:
    with pytest.raises(CalibrationFault) as caught:
        load(path)
    assert str(path) in caught.value.words
    return caught.value.code


def test_a_file_that_is_not_there_is_cal_01(tmp_path: Path) -> None:
    assert fault_of(tmp_path / "none.json") == "CAL-01"


@pytest.mark.parametrize("text", ["", "hello", "[]", "{}", '{"format": "dicetable-calibration", "version": "1"}'])
def test_a_file_that_is_no_calibration_is_cal_02(tmp_path: Path, text: str) -> None:
    path = tmp_path / "table.json"
    path.write_text(text)
    assert fault_of(path) == "CAL-02"


@pytest.mark.parametrize(
    "change",
    [
        {"empty_png": "AAAA"},
        {"empty_png": "not base64!"},
        {"region": [[1, 2]]},
        {"region": None},
        {"die_px": "long"},
        {"die_px": -3},
        {"die_px": float("nan")},
        {"looks": [{"face": [1, 2]}]},
    ],
)
def test_a_damaged_calibration_is_cal_02(tmp_path: Path, change: dict[str, object]) -> None:
    path = tmp_path / "table.json"
    save(Calibration(table(False), ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0)), EDGE, ()), path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    assert fault_of(path) == "CAL-02"


def test_a_file_cut_off_anywhere_is_cal_02(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    save(Calibration(table(False), ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0)), EDGE, ()), path)
    whole = path.read_bytes()
    for length in range(0, len(whole), max(1, len(whole) // 20)):
        path.write_bytes(whole[:length])
        assert fault_of(path) == "CAL-02"


def test_a_newer_file_is_cal_03(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text(json.dumps({"format": "dicetable-calibration", "version": VERSION + 1}))
    assert fault_of(path) == "CAL-03"


def test_pictures_that_teach_nothing_are_cal_05() -> None:
    for throw in (table(False, seed=3), table(True, seed=3)[:400]):
        with pytest.raises(CalibrationFault) as caught:
            learn(table(False), throw)
        assert caught.value.code == "CAL-05"


def test_a_folder_that_does_not_exist_is_cal_06_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(CalibrationFault) as caught:
        save(Calibration(table(False), ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0)), EDGE, ()), tmp_path / "no" / "table.json")
    assert caught.value.code == "CAL-06"
    assert list(tmp_path.iterdir()) == []
