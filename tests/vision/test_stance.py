"""A die that leans on a known tray is told by its silhouette, alone as well as among others."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hardware.sim_motion import Spot
from vision.calibration import Calibration, load, save
from vision.learning import learn_table
from vision.reader import read
from vision.stance import Stance, View, leaners, learn_view, stances_of
from vision.types import Status, Tray

from .simulated_table import WIDTH, Table

PLACES = ((-9.0, 3.0), (8.0, 4.5), (0.5, -1.0), (-8.0, -5.0), (9.5, -4.5))


@pytest.fixture(scope="module")
def table() -> Table:
    return Table()


@pytest.fixture(scope="module")
def known(table: Table) -> Calibration:
    empty = table.picture()
    return learn_table(empty, table.picture(*((n + 2, Spot(x, y, 0.3 + n)) for n, (x, y) in enumerate(PLACES))))


def test_the_camera_is_learnt_from_dice_that_lie_flat(table: Table, known: Calibration) -> None:
    # From 48 cm above the middle a bottom lies nearer to the middle than its top by a thirtieth of the way.
    per = WIDTH * (1.6 / 48.0) / table.top_px
    assert known.view is not None
    assert math.hypot(*known.view.at) < 0.06
    assert known.view.per == pytest.approx(per, abs=0.3)


def test_the_size_of_the_dice_is_the_readers_own(table: Table, known: Calibration) -> None:
    assert known.die_px == pytest.approx(table.top_px, rel=0.06)


@pytest.mark.parametrize("value", [1, 2, 6])
def test_a_lone_die_that_leans_is_asked_about(table: Table, known: Calibration, value: int) -> None:
    image = table.picture((value, Spot(4.0, 2.0, 0.7, tilt=0.42, lean=2.0)))
    reading = read(image, Tray(dice=1, calibration=known))
    assert reading.status is Status.UNSURE
    assert "cocked" in [reason.code for reason in reading.reasons]


def test_flat_dice_are_read_and_only_the_one_that_leans_is_named(table: Table, known: Calibration) -> None:
    flat = [(3, Spot(-9.0, 4.0, 0.2)), (6, Spot(9.0, 5.0, 1.0)), (1, Spot(-2.0, -5.0, 0.5))]
    assert read(table.picture(*flat), Tray(dice=3, calibration=known)).status is Status.READ
    for lean in (0.4, 1.9, 3.5, 5.2):
        image = table.picture(*flat, (5, Spot(3.0, 0.0, 1.2, tilt=0.4, lean=lean)))
        assert leaners(image, table.tops, known) == [3]


def test_dice_in_a_heap_are_read_and_one_that_leans_on_another_is_asked_about(table: Table, known: Calibration) -> None:
    # Where dice touch, neither's silhouette is its own; what stands out beyond all flat ones is a side turned up.
    heap = [(2, Spot(-4.0, -3.0, 0.2)), (6, Spot(-2.3, -3.2, 0.45))]
    assert read(table.picture(*heap, (5, Spot(-4.2, -4.75, 0.0))), Tray(dice=3, calibration=known)).values == (2, 5, 6)
    for tilt in (0.35, 0.6):
        leaning = (5, Spot(-4.2, -4.75, 0.0, tilt=tilt, lean=math.pi / 2))
        image = table.picture(*heap, leaning)
        assert 2 in leaners(image, table.tops, known)
        assert read(image, Tray(dice=3, calibration=known)).status is Status.UNSURE


def test_what_a_tray_mirrors_beside_every_die_is_learnt(table: Table, known: Calibration) -> None:
    assert known.view is not None
    assert known.view.beyond == 0.0
    assert Stance(np.zeros(2), plain=1.0, beyond=0.1).leans
    image = table.picture((4, Spot(7.0, -4.0, 0.4, tilt=0.4, lean=2.0)))
    mirrors = replace(known, view=replace(known.view, beyond=5.0))
    assert stances_of(image, table.tops, known)[0].beyond > 0.1
    assert stances_of(image, table.tops, mirrors)[0].beyond == 0.0


def test_light_that_has_changed_makes_no_die_lean(table: Table, known: Calibration) -> None:
    image = table.picture((4, Spot(7.0, -4.0, 0.4)), (2, Spot(-7.0, 3.0, 0.9)))
    for light in (0.6, 1.25):
        assert leaners(np.clip(image * light, 0, 255).astype(np.uint8), table.tops, known) == []


def test_a_picture_of_another_size_tells_the_same(table: Table, known: Calibration) -> None:
    image = table.picture((4, Spot(7.0, -4.0, 0.4)), (5, Spot(3.0, 0.0, 1.2, tilt=0.4, lean=1.0)))
    larger = np.asarray(image.repeat(2, axis=0).repeat(2, axis=1))
    tops = [replace(d, corners=tuple((2 * x, 2 * y) for x, y in d.corners)) for d in table.tops]  # type: ignore[arg-type]
    assert leaners(larger, tops, known) == [1]


def test_nothing_is_said_without_a_view(table: Table, known: Calibration) -> None:
    image = table.picture((5, Spot(3.0, 0.0, 1.2, tilt=0.5, lean=1.0)))
    assert leaners(image, table.tops, replace(known, view=None)) == []


def test_two_dice_are_too_few_to_learn_a_view(table: Table) -> None:
    empty = table.picture()
    throw = table.picture((4, Spot(7.0, -4.0, 0.4)), (2, Spot(-7.0, 3.0, 0.9)))
    assert learn_view(empty, throw, np.array([d.corners for d in table.tops]), 42.9) is None


def test_dice_that_look_like_their_tray_teach_no_view(table: Table) -> None:
    throw = table.picture(*((n + 2, Spot(x, y, 0.3 + n)) for n, (x, y) in enumerate(PLACES)))
    assert learn_view(throw, throw, np.array([d.corners for d in table.tops]), table.top_px) is None


def test_the_view_is_kept_in_the_file(known: Calibration, tmp_path: Path) -> None:
    save(replace(known, view=View((0.02, -0.1), 0.9)), tmp_path / "table.json")
    assert load(tmp_path / "table.json").view == View((0.02, -0.1), 0.9)
