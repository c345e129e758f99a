"""A glance at each die of a known tray: what it tells, when it is believed, and that nothing else is asked then."""

from __future__ import annotations

import json
import math
import os
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.sim_motion import Spot
from vision import at_a_glance, consult, glance, reader
from vision.at_a_glance import learn_glance, look, standing
from vision.calibration import Calibration, load, save
from vision.faces import Face
from vision.learning import learn_table
from vision.reader import read
from vision.stance import View
from vision.types import Status, Tray

from .made_crops import make_crops
from .simulated_table import Table

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("DICETABLE_DATA", ROOT.parent / "shared"))

FLAT = [
    (1, Spot(-9.0, 4.0, 0.2)), (2, Spot(9.0, 5.0, 1.0)), (3, Spot(-2.0, -5.0, 0.5)),
    (4, Spot(6.0, -3.0, 0.0)), (5, Spot(-8.0, -3.0, 0.7)), (6, Spot(1.0, 2.0, 1.3)),
]  # fmt: skip


@pytest.fixture(scope="module")
def table() -> Table:
    return Table("green")


@pytest.fixture(scope="module")
def known(table: Table) -> Calibration:
    return learn_table(table.picture(), table.picture(*FLAT[1:]))


def corners(table: Table) -> np.ndarray:
    """N x 4 x 2 corners of the tops of the dice that were drawn last."""
    return np.array([die.corners for die in table.tops])


def test_every_value_is_told_and_where_flat_dice_stand(table: Table) -> None:
    picture = table.picture(*FLAT)
    odds, drops, errors = glance.glance(glance.glance_crops(picture, corners(table)))
    assert odds.argmax(1).tolist() == [1, 2, 3, 4, 5, 6]
    assert np.allclose(odds.sum(1), 1, atol=1e-5)
    assert np.hypot(*drops.T).max() < 0.35
    assert (errors > 0).all()


def test_a_die_that_leans_shows_where_its_bottom_is(table: Table) -> None:
    picture = table.picture((5, Spot(0.0, 0.0, 0.3, tilt=0.6, lean=1.0)))
    _, drops, _ = glance.glance(glance.glance_crops(picture, corners(table)))
    assert float(np.hypot(*drops[0])) > 0.35


def test_bare_felt_is_no_face(table: Table) -> None:
    picture = table.picture()
    odds, _, _ = glance.glance(
        glance.glance_crops(picture, np.array([[(400, 200), (440, 200), (440, 240), (400, 240)]]))
    )
    assert odds[0].argmax() == 0


def test_crops_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="48"):
        glance.glance(np.zeros((2, 64, 64, 3), np.uint8))
    odds, drops, errors = glance.glance(np.zeros((0, 48, 48, 3), np.uint8))
    assert (odds.shape, drops.shape, errors.shape) == ((0, 7), (0, 2), (0,))


def face(value: int, quad: np.ndarray) -> Face:
    """A face with these corners and nothing else of interest."""
    frame = np.stack([(quad[1] - quad[0]) / 4, (quad[3] - quad[0]) / 4], 1).astype(np.float32)
    x, y = quad.mean(0)
    colour = np.zeros(3, np.float32)
    return Face(value, float(x), float(y), frame, 2.0, 1.0, 0.0, 1.0, 4.0, (), colour, colour, np.zeros(9, np.float32))


def test_what_a_glance_is_not_sure_of_is_left_to_the_witness(table: Table) -> None:
    picture = table.picture(*FLAT)
    faces = [face(value, quad) for value, quad in zip((1, 2, 3, 4, 6, 6), corners(table), strict=True)]
    away = np.full((6, 2), (12.0, -7.0))
    for one, (dx, dy) in zip(faces, away.tolist(), strict=True):
        one.x, one.y = one.x - dx, one.y - dy
    wrong = faces.pop(4)
    assert look(picture, [*faces, wrong], away) == [wrong]
    assert wrong.witness is None
    assert all(f.witness is not None and f.witness[f.value] > 0.9 for f in faces)
    assert all(f.glimpse is not None for f in [*faces, wrong])
    assert look(picture, [], np.zeros((0, 2))) == []


PLACES = [(470.0, 355.0), (490.0, 352.0), (480.0, 366.0), (485.0, 371.0)]
VIEW = View((0.05, -0.02), 0.9)
BLANK = np.zeros((720, 960, 3), np.uint8)


@pytest.fixture
def again(monkeypatch: pytest.MonkeyPatch) -> dict[int, tuple[float, float]]:
    """How far off a second glance sees each of `flat_faces`, by its number; 0 where nothing is said."""
    told: dict[int, tuple[float, float]] = {}

    def turned(crops: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        # In the middle of the picture a drop is expected to be VIEW.at. A quarter turn takes (x, y) to (y, -x).
        x, y = np.array([np.add(VIEW.at, told.get(int(crop[0, 0, 0]), (0.0, 0.0))) for crop in crops]).T
        return np.ones((len(crops), 7)) / 7, np.stack([y, -x], 1), np.full(len(crops), 0.04)

    monkeypatch.setattr(at_a_glance, "glance", turned)
    return told


def flat_faces(
    off: dict[int, tuple[float, float]], alike: tuple[float, float] = (0.0, 0.0), count: int = 4
) -> list[Face]:
    """Faces of dice at PLACES, about in the middle, glanced at as flat ones, but for some that are `off` and all that
    are off `alike`."""
    square = np.array([(-20, -20), (20, -20), (20, 20), (-20, 20)])
    faces = []
    for n, place in enumerate(PLACES[:count]):
        expected = VIEW.drops((np.array([place]) - np.array([480.0, 360.0])) / 960)[0]
        one = face(4, square + np.array(place))
        crop = np.full((48, 48, 3), n, np.uint8)
        one.glimpse = glance.Glimpse(crop, np.eye(2), expected + alike + off.get(n, (0.0, 0.0)), 0.04)
        faces.append(one)
    return faces


def test_flat_dice_are_told_at_a_glance() -> None:
    faces = flat_faces({}, alike=(0.04, -0.03))
    assert standing(BLANK, faces, VIEW) == (True, [])
    assert all(f.gap < 0.12 for f in faces)
    assert standing(BLANK, [], VIEW) == (True, [])


@pytest.mark.parametrize("off", [(0.32, 0.0), (0.0, -0.32), (-0.25, 0.25)])
@pytest.mark.parametrize("count", [1, 3, 4])
def test_one_that_is_off_leans(again: dict[int, tuple[float, float]], off: tuple[float, float], count: int) -> None:
    again[count - 1] = off
    faces = flat_faces({count - 1: off}, count=count)
    assert standing(BLANK, faces, VIEW) == (False, [faces[count - 1]])
    assert all(math.isinf(f.gap) for f in faces)


def test_two_that_lean_do_not_hide_each_other(again: dict[int, tuple[float, float]]) -> None:
    off = {0: (0.4, 0.0), 1: (0.3, 0.2)}
    again |= off
    faces = flat_faces(off)
    assert standing(BLANK, faces, VIEW) == (False, faces[:2])


@pytest.mark.parametrize(("seen", "flat", "leans"), [(0.0, True, False), (0.15, False, False), (0.3, False, True)])
def test_one_that_may_be_off_is_glanced_at_once_more(
    again: dict[int, tuple[float, float]], seen: float, flat: bool, leans: bool
) -> None:
    again[1] = (seen, 0.0)
    faces = flat_faces({1: (0.2, 0.0)})
    assert standing(BLANK, faces, VIEW) == (flat, [faces[1]] if leans else [])


def test_without_a_view_or_a_sure_glance_nothing_is_said() -> None:
    faces = flat_faces({})
    assert standing(BLANK, faces, None) == (False, [])
    assert faces[1].glimpse is not None
    faces[1].glimpse = replace(faces[1].glimpse, error=0.2)
    assert standing(BLANK, faces, VIEW) == (False, [])


def test_a_face_that_nobody_glanced_at_is_glanced_at(table: Table, known: Calibration) -> None:
    picture = table.picture(*FLAT)
    faces = [face(value, quad) for value, quad in zip((1, 2, 3, 4, 5, 6), corners(table), strict=True)]
    assert standing(picture, faces, known.glanced) == (True, [])
    assert all(f.glimpse is not None for f in faces)


def test_how_a_glance_sees_flat_dice_is_learnt_with_the_tray(table: Table, known: Calibration) -> None:
    assert known.glanced is not None and known.view is not None
    # By both it is the same camera.
    assert known.glanced.per == pytest.approx(known.view.per, abs=0.3)
    assert np.hypot(*(np.array(known.glanced.at) - known.view.at)) < 0.1
    picture = table.picture(*FLAT[:2])
    assert learn_glance(picture, corners(table)) is None
    assert learn_glance(picture, np.zeros((0, 4, 2))) is None


def test_it_is_kept_in_the_file_and_older_files_lack_it(known: Calibration, tmp_path: Path) -> None:
    file = tmp_path / "table.json"
    save(known, file)
    assert load(file).glanced == known.glanced
    body = json.loads(file.read_text())
    del body["glanced"]
    file.write_text(json.dumps(body))
    assert load(file).glanced is None


def test_of_plain_dice_on_a_known_tray_nothing_else_is_asked(
    table: Table, known: Calibration, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("this is asked only where a glance leaves a doubt")

    for module, name in ((consult, "classify"), (consult, "drops_of"), (reader, "stances_of"), (reader, "leaners")):
        monkeypatch.setattr(module, name, never)
    reading = read(table.picture(*FLAT), Tray(calibration=known))
    assert (reading.status, reading.values) == (Status.READ, (1, 2, 3, 4, 5, 6))


def test_a_tray_that_was_learnt_before_there_were_glances_is_read_the_long_way(
    table: Table, known: Calibration
) -> None:
    reading = read(table.picture(*FLAT), Tray(calibration=replace(known, glanced=None)))
    assert (reading.status, reading.values) == (Status.READ, (1, 2, 3, 4, 5, 6))


@pytest.mark.parametrize("lean", [0.4, 1.9, 3.5, 5.2])
def test_one_that_leans_is_not_taken_for_flat(table: Table, known: Calibration, lean: float) -> None:
    dice = [*FLAT[:3], (5, Spot(4.0, -4.0, 1.2, tilt=0.4, lean=lean))]
    reading = read(table.picture(*dice), Tray(calibration=known))
    assert reading.status is Status.UNSURE
    assert "cocked" in [reason.code for reason in reading.reasons]


def test_made_crops_of_another_seed_are_told_apart(tmp_path: Path) -> None:
    made = make_crops("glances.py", tmp_path / "a.npz", "--seed", "53", "--scenes", "24")
    again = make_crops("glances.py", tmp_path / "b.npz", "--seed", "53", "--scenes", "2", "--start", "22")
    tail = len(again["labels"])
    for name in ("crops", "labels", "drops"):
        np.testing.assert_array_equal(made[name][-tail:], again[name])
    odds, drops, errors = glance.glance(made["crops"])
    labels, guess = made["labels"], odds.argmax(1)
    faces = (labels > 0) & (labels < 7)
    assert (guess == labels)[faces].mean() > 0.85
    sure = (odds.max(1) > 0.97) & (guess > 0) & (labels < 7)
    assert (guess == labels)[sure].mean() > 0.98
    shown = np.isfinite(made["drops"][:, 0]) & (errors < 0.05)
    assert shown.sum() > 50
    assert float(np.hypot(*(drops - made["drops"])[shown].T).mean()) < 0.08


@pytest.mark.skipif(not (DATA / "tables" / "202").is_dir(), reason="no rendered tables: set DICETABLE_DATA")
def test_most_dice_of_a_rendered_table_are_told_at_a_glance() -> None:
    truth = [json.loads(line) for line in (DATA / "tables" / "202" / "truth.jsonl").read_text().splitlines()[2:]]
    told = []
    for row in truth:
        if row["expect"] == "read":
            picture = np.asarray(cv2.imread(str(DATA / "tables" / "202" / row["file"])))
            quads = np.array([die["corners"] for die in row["dice"]])
            odds, _, _ = glance.glance(glance.glance_crops(picture, quads))
            told += [float(p[die["value"]]) for p, die in zip(odds, row["dice"], strict=True)]
    assert np.mean(np.array(told) > 0.97) > 0.85
