"""Pips and faces found directly on a known tray, on drawn dice."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.calibration import Calibration, Look
from vision.conditions import sharp_pips
from vision.direct import find_lattices, find_spots, one_kind, plane_of
from vision.faces import PATTERNS
from vision.pips import no_pips
from vision.types import Image

EDGE, FELT, BODY, INK = 58.0, (60, 90, 40), (225, 230, 230), (30, 30, 30)
PLACES = [(k % 3 - 1, k // 3 - 1) for k in range(9)]


def calibration(*looks: tuple[tuple[int, int, int], tuple[int, int, int]]) -> Calibration:
    return Calibration(
        np.zeros((240, 240, 3), np.uint8), ((0.0, 0.0), (239.0, 0.0), (239.0, 239.0)), EDGE,
        tuple(Look(tuple(map(float, face)), tuple(map(float, pips)), sum(pips) < sum(face)) for face, pips in looks),  # type: ignore[arg-type]
    )  # fmt: skip


def face(
    name: str, turn_deg: float, rows: float = 1.0, body: tuple[int, ...] = BODY, ink: tuple[int, ...] = INK
) -> Image:
    """A die with the pattern of that name, turned; `rows` brings its rows nearer to each other."""
    image = np.full((240, 240, 3), FELT, np.uint8)
    angle = np.radians(turn_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * EDGE / 2 @ turn.T + 120
    cv2.fillConvexPoly(image, (square * 16).round().astype(np.int32), body, cv2.LINE_AA, 4)
    for k in (4,) if name == "1" else PATTERNS[name]:
        x, y = np.array([PLACES[k][0], PLACES[k][1] * rows]) * 0.26 * EDGE @ turn.T + 120
        cv2.circle(image, (round(x * 16), round(y * 16)), round(0.095 * EDGE * 16), ink, -1, cv2.LINE_AA, 4)
    noise = np.random.default_rng(1).normal(0, 3, image.shape)
    return np.clip(cv2.GaussianBlur(image, (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)


def found(image: Image, known: Calibration) -> list[tuple[int, float, float]]:
    pips = find_spots(plane_of(image, known), image, EDGE)
    return [(f.value, f.x, f.y) for f in find_lattices(image, pips, EDGE)]


@pytest.mark.parametrize("turn_deg", [0.0, 17.0, 45.0, 71.0])
@pytest.mark.parametrize("name", [*PATTERNS])
def test_every_face_is_found_at_every_angle(name: str, turn_deg: float) -> None:
    ((value, x, y),) = found(face(name, turn_deg), calibration((BODY, INK)))
    assert (value, x, y) == (int(name[0]), pytest.approx(120, abs=0.7), pytest.approx(120, abs=0.7))


@pytest.mark.parametrize("rows", [0.72, 1.15])
def test_a_six_is_found_however_far_apart_its_rows_are(rows: float) -> None:
    best, *_ = found(face("6b", 30.0, rows), calibration((BODY, INK)))
    assert best == (6, pytest.approx(120, abs=0.7), pytest.approx(120, abs=0.7))


def test_pips_lighter_than_the_body_are_found_by_the_colours_learnt() -> None:
    red, white = (40, 30, 160), (230, 235, 235)
    image = face("5", 20.0, body=red, ink=white)
    assert [f[0] for f in found(image, calibration((red, white)))] == [5]
    assert found(image, calibration((BODY, INK))) == []


def test_a_one_is_a_spot_of_its_size_and_no_face() -> None:
    image, known = face("1", 20.0), calibration((BODY, INK))
    pips = find_spots(plane_of(image, known), image, EDGE)
    assert pips.r.tolist() == [pytest.approx(0.095 * EDGE, rel=0.12)]
    assert (pips.x[0], pips.y[0]) == (pytest.approx(120, abs=0.5), pytest.approx(120, abs=0.5))
    assert find_lattices(image, pips, EDGE) == []


def test_a_face_with_a_pip_too_many_is_none() -> None:
    image = face("4", 0.0)
    cv2.circle(image, (120, 105), round(0.095 * EDGE), INK, -1, cv2.LINE_AA)
    assert found(image, calibration((BODY, INK))) == []


def test_dice_of_several_colours_are_not_of_one_kind() -> None:
    assert one_kind(calibration((BODY, INK), ((215, 220, 220), (40, 35, 30))))
    assert not one_kind(calibration((BODY, INK), ((40, 30, 160), (230, 235, 235))))
    assert not one_kind(calibration())


def test_pips_of_two_dice_are_no_die_of_their_own() -> None:
    """Dice of one kind have their corners alike; pips of neighbours lie at other distances."""
    image = np.concatenate([face("5", 20.0)[60:180, 70:170], face("4", 65.0)[60:180, 70:170]], 1)
    assert sorted(value for value, _, _ in found(image, calibration((BODY, INK)))) == [4, 5]
    # A lone two has nothing to be held against.
    assert [value for value, _, _ in found(face("2a", 20.0), calibration((BODY, INK)))] == [2]


def test_how_sharp_pips_are_is_told_by_their_edges() -> None:
    known, spreads = calibration((BODY, INK)), []
    for soft_px in (0.0, 1.5, 3.0):
        image = face("5", 20.0)
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), soft_px)) if soft_px else image
        pips = find_spots(plane_of(image, known), image, EDGE)
        assert pips.spread is not None
        spreads.append(float(np.median(pips.spread)))
        assert sharp_pips(pips, find_lattices(image, pips, EDGE)) == (soft_px == 0.0)
    assert spreads == sorted(spreads)
    assert not sharp_pips(no_pips(), [])
