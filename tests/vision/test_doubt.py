"""Small dice that lie like the pips of a large one are asked about."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from vision.doubt import dotted
from vision.faces import Face


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
