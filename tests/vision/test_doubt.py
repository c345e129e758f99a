"""What faces and pips tell of dice that were not read, or read from the side, is asked about."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from vision.doubt import crowded, dotted, lost_pips, sideways
from vision.faces import Face
from vision.pips import Pips


def two() -> Face:
    none = np.zeros(3, np.float32)
    frame = np.diag([100.0, 100.0]).astype(np.float32)
    face = Face(2, 200.0, 200.0, frame, 1.9, 1.3, 0.1, 1.0, 35.0, (0, 1), none, none, np.zeros(9, np.float32))
    face.step = 150.0
    return face


def spots(second: tuple[float, float, float, float, float, float]) -> SimpleNamespace:
    """The two dark pips, a bright dot in the first, and another spot."""
    rows = [(100, 100, 36, 1.0, 0, 150), (300, 300, 33, 0.9, 0, 150), (103, 95, 5.6, 1.0, 1, 300), second]
    names = ("x", "y", "r", "round", "bright", "step")
    return SimpleNamespace(**dict(zip(names, np.array(rows, np.float32).T, strict=True)))


def test_a_dot_in_every_pip_is_a_reason_to_ask() -> None:
    (doubt,) = dotted(spots((310, 290, 5.6, 1.0, 1, 300)), [two()])  # type: ignore[arg-type]
    assert (doubt.code, doubt.x, doubt.y) == ("disagree", 200.0, 200.0)


@pytest.mark.parametrize(
    "second",
    [
        pytest.param((360, 300, 5.6, 1.0, 1, 300), id="beside the pip"),
        pytest.param((310, 290, 20.0, 1.0, 1, 300), id="as large as a pip"),
        pytest.param((310, 290, 5.6, 0.7, 1, 300), id="ragged"),
        pytest.param((310, 290, 5.6, 1.0, 0, 300), id="dark as the pip"),
        pytest.param((310, 290, 5.6, 1.0, 1, 100), id="a gleam that is less distinct than the pip"),
    ],
)
def test_anything_else_in_the_other_pip_is_none(second: tuple[float, float, float, float, float, float]) -> None:
    assert not dotted(spots(second), [two()])  # type: ignore[arg-type]


def face(
    x: float, value: int = 5, aspect: float = 1.0, lean: tuple[float, float] = (0.0, 0.0), pip_px: float = 8.0
) -> Face:
    none = np.zeros(3, np.float32)
    frame = np.diag([25.0, 25.0]).astype(np.float32)
    made = Face(value, x, 200.0, frame, 2.0, 4.0, 0.1, aspect, pip_px, (0,), none + 200, none, np.zeros(9, np.float32))
    made.step, made.lean = 150.0, lean
    return made


def test_faces_that_touch_and_are_tilted_apart_are_of_one_die() -> None:
    top, side = face(200, lean=(-0.2, 0.15)), face(300, lean=(-0.25, -0.2))
    (doubt,) = crowded([top, side])
    assert (doubt.code, doubt.x, doubt.y) == ("disagree", 250.0, 200.0)
    assert not crowded([top, face(300, lean=(-0.25, 0.0))]), "perspective"
    assert not crowded([top, face(340, lean=(-0.25, -0.2))]), "too far apart for one die"
    assert not crowded([top, face(300, lean=(-0.25, -0.2), pip_px=2.0)]), "small pips say little about tilt"
    assert crowded([top, face(280, lean=(-0.2, 0.15))]), "nearer than two dice can lie"


def one_pip(x: float, aspect: float, r: float = 8.0, ink: float = 0.0) -> Pips:
    root = np.sqrt(aspect)
    shape = np.diag([root, 1 / root]).astype(np.float32)[None]
    row = [np.array([v], np.float32) for v in (x, 200.0, r)]
    one = np.ones(1, np.float32)
    return Pips(
        *row, shape, 0 * one, one, 150 * one, np.full((1, 3), ink, np.float32), np.full((1, 3), 200, np.float32)
    )


def test_a_rounder_pip_beside_a_face_tells_that_it_is_a_side() -> None:
    side = face(200, value=2, aspect=0.6)
    (doubt,) = sideways(one_pip(280, 0.8), [side])
    assert (doubt.code, doubt.x, doubt.y) == ("disagree", 280.0, 200.0)
    for pip in (
        one_pip(280, 0.65),
        one_pip(210, 0.8),
        one_pip(400, 0.8),
        one_pip(280, 0.8, r=16.0),
        one_pip(280, 0.8, ink=120.0),
    ):
        assert not sideways(pip, [side])
    assert not sideways(one_pip(280, 1.0), [face(200, aspect=0.95)]), "seen from above nothing is rounder than a top"


def test_a_pip_on_the_side_of_a_die_is_explained_unless_it_is_tilted_as_the_top() -> None:
    top = face(200, aspect=0.6, lean=(-0.5, 0.0))
    top.drop = np.array([90.0, 0.0], np.float32)
    picture = np.full((400, 500, 3), 200, np.uint8)
    # Upright ellipses lean to the one side, ellipses that lie to the other.
    assert lost_pips(picture, one_pip(275, 0.6), [top])
    flat = one_pip(275, 0.6)
    flat.shape = flat.shape[:, ::-1, ::-1].copy()
    assert not lost_pips(picture, flat, [top]), "another tilt: it is on the side that is seen there"
    top.pip_px = 5.0
    assert not lost_pips(picture, one_pip(275, 0.6, r=5.0), [top]), "so small that its tilt is not seen"
