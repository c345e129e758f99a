"""Marks on the rim, a tray seen at a slant, and the light on it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from hardware.camera import Clock
from hardware.camera_sim import SimCamera
from vision import flat, light, marks
from vision.calibration import Calibration, CalibrationFault, DiceSet, Look, learn, load, save
from vision.reader import read
from vision.types import Image, Status, Tray

WIDTH, HEIGHT = 960, 540
WHOLE = ((0.0, 0.0), (960.0, 0.0), (960.0, 540.0), (0.0, 540.0))
FLOOR = ((130.0, 90.0), (820.0, 60.0), (880.0, 480.0), (70.0, 450.0))
"""Corners of a tray that a camera beside it sees."""


def sim(seed: int, *throws: tuple[int, ...]) -> list[Image]:
    """The empty tray, and each throw of these dice."""
    now = [0.0]

    def wait(seconds: float) -> None:
        now[0] += seconds

    camera = SimCamera(
        seed=seed, width=WIDTH, height=HEIGHT, marks=True, touching=0.0, clock=Clock(lambda: now[0], wait)
    )
    camera.set_up()
    pictures = [camera.grab(1.0).image]  # type: ignore[union-attr]
    for values in throws:
        camera.tell("throw", {"dice": len(values), "values": values, "hand": False})
        camera.grab(1.0)
        while camera.busy:
            now[0] += 0.3
            frame = camera.grab(1.0)
        pictures.append(frame.image)  # type: ignore[union-attr]
    return pictures


def aslant(picture: Image) -> Image:
    """A picture from straight above as a camera beside the tray would have it."""
    (floor,) = [np.array(marks.floor_of(marks.find(picture)), np.float32)]
    way = cv2.getPerspectiveTransform(floor, np.array(FLOOR, np.float32))
    return np.asarray(cv2.warpPerspective(picture, way, (WIDTH, HEIGHT), flags=cv2.INTER_AREA), np.uint8)


@pytest.mark.parametrize("seed", [1, 2, 4])
def test_four_marks_give_the_floors_corners_whatever_the_slant_and_the_turn(seed: int) -> None:
    (picture,) = sim(seed)
    found = marks.find(picture)
    assert sorted(found) == [0, 1, 2, 3]
    floor = marks.floor_of(found)
    for (x, y), (right, down) in zip(floor, ((0, 0), (1, 0), (1, 1), (0, 1)), strict=True):
        assert abs(x - (36 + right * 888)) < 4
        assert abs(y - (28 + down * 484)) < 4
    turned = marks.floor_of(marks.find(np.ascontiguousarray(np.rot90(picture))))
    assert [turned[0][1] < 60, turned[2][0] > 480] == [True, True]


def test_a_covered_mark_is_named() -> None:
    (picture,) = sim(2)
    picture[:60, :60] = 120
    found = marks.find(picture)
    assert marks.missing(found) == (0,)
    with pytest.raises(ValueError, match="missing"):
        marks.floor_of(found)


@pytest.mark.parametrize(
    "corners", [[(0, 0), (9, 0), (9, 9)], [(0, 0), (9, 0), (2, 2), (0, 9)], [(0, 0), (1, 1), (2, 2), (3, 3)]]
)
def test_corners_that_are_no_tray_are_refused(corners: list[tuple[float, float]]) -> None:
    with pytest.raises(ValueError, match="corners"):
        marks.clockwise(corners)


def test_a_tray_seen_at_a_slant_is_read_as_if_from_above() -> None:
    empty, throw, other = (aslant(p) for p in sim(2, (1, 2, 3, 5, 6), (2, 2, 4, 5, 6)))
    calibration = learn(empty, throw, FLOOR)
    assert flat.slanted(calibration.corners)
    reading = read(other, Tray(dice=5, calibration=calibration))
    assert (reading.status, reading.values) == (Status.READ, (2, 2, 4, 5, 6))
    for die in reading.dice:
        # Places are of the picture as it came.
        assert cv2.pointPolygonTest(np.array(FLOOR, np.float32), (die.x, die.y), False) > 0
        assert 25 < np.linalg.norm(np.subtract(die.corners[0], die.corners[1])) < 60
    with pytest.raises(CalibrationFault, match="CAL-04"):
        read(other[:, :600], Tray(calibration=calibration))


def test_a_tray_from_straight_above_is_left_as_it_is() -> None:
    assert not flat.slanted(None)
    assert not flat.slanted(((35.0, 27.0), (925.0, 28.0), (924.0, 513.0), (34.0, 512.0)))


def picture_of(level: float, noise: float = 1.0, seed: int = 1) -> Image:
    grain = np.random.default_rng(seed).normal(0, noise, (HEIGHT, WIDTH, 3))
    return np.clip(level * np.array([0.6, 1.0, 0.5]) + grain, 0, 255).astype(np.uint8)


def test_good_light_is_good() -> None:
    for seed in (1, 2, 3):
        assert light.troubles(sim(seed), WHOLE) == []
    assert light.troubles([picture_of(95.0, seed=s) for s in range(3)], WHOLE) == []


def test_what_is_wrong_with_the_light_is_told_and_where() -> None:
    assert [t.code for t in light.troubles([picture_of(14.0)], WHOLE)] == ["LIGHT-01"]
    assert [t.code for t in light.troubles([picture_of(90.0, 25.0, s) for s in range(3)], WHOLE)] == ["LIGHT-01"]
    shining = picture_of(90.0)
    cv2.circle(shining, (850, 80), 40, (255, 255, 255), -1)
    (glare,) = light.troubles([shining], WHOLE)
    assert (glare.code, round(glare.x or 0), round(glare.y or 0)) == ("LIGHT-02", 850, 80)
    assert "at the top on the right" in glare.words
    uneven = np.clip(picture_of(120.0) * np.linspace(0.2, 1.0, WIDTH)[None, :, None], 0, 255).astype(np.uint8)
    (slope,) = light.troubles([uneven], WHOLE)
    assert slope.code == "LIGHT-03"
    assert "on the left" in slope.words
    # The floor is what counts, not what lies around it.
    assert light.troubles([shining], ((0.0, 200.0), (700.0, 200.0), (700.0, 540.0), (0.0, 540.0))) == []


def test_sets_of_dice_are_kept_by_name(tmp_path) -> None:  # type: ignore[no-untyped-def]
    look = Look((1, 2, 3), (4, 5, 6), True)
    table = Calibration(picture_of(90.0), WHOLE, 40.0, (look,), corners=FLOOR, name="white", lock={"gain": 1.5})
    both = table.with_dice("large", Calibration(picture_of(90.0), WHOLE, 60.0, (look, look)))
    path = tmp_path / "table.json"
    save(both, path)
    again = load(path)
    assert (again.name, again.die_px, len(again.looks)) == ("large", 60.0, 2)
    assert (again.names, again.corners, again.lock) == (("large", "white"), FLOOR, {"gain": 1.5})
    assert again.sets == {"white": DiceSet(40.0, (look,))}
    white = again.using("white")
    assert (white.die_px, white.names) == (40.0, ("white", "large"))
    assert again.with_dice("white", both).using("white").die_px == 60.0
    with pytest.raises(CalibrationFault, match=r"CAL-08.*large, white"):
        again.using("green")
