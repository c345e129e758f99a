"""Causes of doubt: each is found where it was drawn, and only there."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.conditions import explain, is_dark, softness, spread_px
from vision.glare import lies_at
from vision.types import Die, Reason

from . import drawn_dice

EDGE = 64.0
PLACES = ((110, 100), (320, 90), (530, 130), (190, 340), (430, 360))


def picture(edge: float = EDGE, **look_of):
    dice = [drawn_dice.Drawn(n + 1, x, y, edge, 20 * n, **look_of) for n, (x, y) in enumerate(PLACES)]
    return drawn_dice.draw(dice), tuple(found(d) for d in dice)


def found(drawn) -> Die:
    """What a reader would say of a die that was drawn."""
    turn = np.radians(drawn.angle_deg)
    axes = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * drawn.edge_px / 2
    corners = tuple((float(x), float(y)) for x, y in square @ axes.T + (drawn.x, drawn.y))
    return Die(drawn.value, 0.9, drawn.x, drawn.y, corners)  # type: ignore[arg-type]


def codes(reasons) -> list[str]:
    return [r.code for r in reasons]


def test_a_good_picture_has_nothing_wrong_with_it():
    image, dice = picture()
    assert explain(image, dice, []) == []
    assert not is_dark(image)
    assert explain(drawn_dice.draw([]), [], []) == []


@pytest.mark.parametrize("share", [0.1, 0.15, 0.25])
def test_blur_is_told_though_every_die_that_was_found_is_certain(share):
    image, dice = picture()
    soft = cv2.GaussianBlur(image, (0, 0), share * EDGE)
    assert explain(soft, dice[:3], []) == [Reason("blur")]


def test_a_blurred_picture_without_dice_is_not_empty():
    image, _ = picture()
    assert explain(cv2.GaussianBlur(image, (0, 0), 0.2 * EDGE), [], []) == [Reason("blur")]


@pytest.mark.parametrize(("edge", "sigma"), [(32.0, 0.03), (64.0, 0.03), (96.0, 0.03)])
def test_a_lens_that_is_a_little_soft_is_good_enough(edge, sigma):
    image, dice = picture(edge)
    assert explain(cv2.GaussianBlur(image, (0, 0), sigma * edge), dice, []) == []


@pytest.mark.parametrize("share", [0.06, 0.09, 0.12])
def test_softness_is_measured_in_edges_whatever_the_size(share):
    told = []
    for edge in (40.0, 80.0):
        image, dice = picture(edge)
        soft = cv2.GaussianBlur(image, (0, 0), share * edge)
        told.append(np.median([s for s in (softness(soft, d) for d in dice) if s is not None]))
    assert told[0] == pytest.approx(told[1], rel=0.3)


def test_a_dark_picture_is_told_from_an_empty_felt():
    image, _ = picture()
    rng = np.random.default_rng(3)
    dark = np.clip(image * 0.02 + rng.normal(0, 2, image.shape), 0, 255).astype(np.uint8)
    assert "dark" in codes(explain(dark, [], []))
    assert codes(explain(np.zeros_like(image), [], [])) == ["dark"]


def test_dice_that_were_read_in_noise_are_asked_about():
    """Others may be lost in it."""
    image, dice = picture()
    rng = np.random.default_rng(4)
    dark = np.clip(image * 0.2 + rng.normal(0, 12, image.shape), 0, 255).astype(np.uint8)
    assert explain(dark, dice, [])[0] == Reason("dark")


def test_a_dim_picture_without_noise_is_left_alone():
    image, dice = picture()
    dim = np.clip(image * 0.3, 0, 255).astype(np.uint8)
    assert explain(dim, dice, []) == []


def test_glare_is_told_only_where_it_lies():
    image, dice = picture()
    spoilt = image.copy()
    cv2.circle(spoilt, (round(dice[4].x) + 8, round(dice[4].y)), 14, (255, 255, 255), -1)
    doubts = [Reason("disagree", dice[4].x, dice[4].y), Reason("disagree", dice[0].x, dice[0].y), Reason("count")]
    assert explain(spoilt, dice[:4], doubts) == [Reason("glare", dice[4].x, dice[4].y), *doubts[1:]]
    assert not lies_at(spoilt, Reason("disagree"), EDGE)
    assert not lies_at(image, doubts[0], EDGE)


def test_dice_of_a_few_pixels_are_small():
    image, dice = picture()
    tiny = cv2.resize(image, None, fx=0.2, fy=0.2, interpolation=cv2.INTER_AREA)
    doubt = Reason("disagree", dice[4].x / 5, dice[4].y / 5)
    assert explain(tiny, [], [doubt], die_px=EDGE / 5) == [Reason("small", doubt.x, doubt.y)]


def test_dice_that_were_read_though_they_are_tiny_are_asked_about():
    """Others may be lost."""
    image, dice = picture()
    tiny = cv2.resize(image, None, fx=0.17, fy=0.17, interpolation=cv2.INTER_AREA)
    small = tuple(
        Die(d.value, 0.9, d.x * 0.17, d.y * 0.17, tuple((x * 0.17, y * 0.17) for x, y in d.corners))  # type: ignore[misc]
        for d in dice
    )
    assert "small" in codes(explain(tiny, small, []))


def test_other_reasons_keep_their_words():
    image, dice = picture()
    doubts = [Reason("cocked", 10.0, 10.0), Reason("edge", 0.0, 0.0), Reason("foreign", 5.0, 5.0), Reason("count")]
    assert explain(image, dice, doubts) == doubts


@pytest.mark.parametrize("size", [(1, 1), (2, 700), (15, 15), (900, 17)])
def test_any_size_can_be_looked_at(size):
    spread_px(np.full((*size, 3), 90, np.uint8))
    explain(np.full((*size, 3), 90, np.uint8), [], [Reason("disagree", 0.0, 0.0)])
