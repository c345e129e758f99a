"""The reader on drawn dice: right where it is sure, and asking where it cannot be."""

from __future__ import annotations

import cv2
import fuzz_reader
import numpy as np
import pytest

from vision import reader
from vision.pyramid import Sizes
from vision.reader import read
from vision.types import Status, Tray

from . import drawn_dice


@pytest.fixture(autouse=True)
def _one_thread():
    before = cv2.getNumThreads()
    cv2.setNumThreads(1)
    yield
    cv2.setNumThreads(before)


def five(values=(1, 2, 3, 4, 5), **look):
    spots = ((110, 100), (320, 90), (530, 130), (190, 340), (430, 360))
    angles = (5, 33, 61, 80, 20)
    return [
        drawn_dice.Drawn(v, x, y, angle_deg=a, **look) for v, (x, y), a in zip(values, spots, angles, strict=True)
    ]  # fmt: skip


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("look", ["dark pips", "light pips"])
def test_reads_every_value_in_both_polarities(value, look):
    colours = (
        {"body": drawn_dice.WHITE, "pip": drawn_dice.BLACK}
        if look == "dark pips"
        else {"body": drawn_dice.RED, "pip": drawn_dice.WHITE}
    )
    dice = [
        drawn_dice.Drawn(value, 200, 200, angle_deg=12, **colours),
        drawn_dice.Drawn(7 - value, 430, 260, angle_deg=48, **colours),
    ]
    reading = read(drawn_dice.draw(dice), Tray())
    assert reading.status is Status.READ, reading
    assert reading.values == tuple(sorted((value, 7 - value)))


@pytest.mark.parametrize("angle", [0, 15, 30, 45, 70, 89])
def test_reads_at_any_angle(angle):
    dice = [drawn_dice.Drawn(v, 120 + 190 * (v % 3), 130 + 200 * (v > 3), angle_deg=angle) for v in (2, 3, 4, 5, 6)]
    reading = read(drawn_dice.draw(dice, seed=angle), Tray(dice=5))
    assert (reading.status, reading.values) == (Status.READ, (2, 3, 4, 5, 6))


def test_reads_a_row_of_touching_dice():
    dice = [drawn_dice.Drawn(v, 150 + 65 * n, 240, angle_deg=0) for n, v in enumerate((4, 5, 6, 3, 2))]
    reading = read(drawn_dice.draw(dice), Tray())
    assert (reading.status, reading.values) == (Status.READ, (2, 3, 4, 5, 6))


def test_says_where_each_die_lies():
    reading = read(drawn_dice.draw(five()), Tray())
    assert reading.status is Status.READ
    for die, drawn in ((d, w) for d in reading.dice for w in five() if w.value == d.value):
        assert abs(die.x - drawn.x) < 2
        assert abs(die.y - drawn.y) < 2
        edges = [np.hypot(*np.subtract(a, b)) for a, b in zip(die.corners, die.corners[1:], strict=False)]
        assert np.mean(edges) == pytest.approx(drawn.edge_px, rel=0.12)
        assert 0.4 < die.confidence <= 1


def test_an_empty_felt_is_empty():
    reading = read(drawn_dice.draw([]), Tray())
    assert (reading.status, reading.dice, reading.reasons) == (Status.EMPTY, (), ())


def test_another_count_than_expected_is_asked_about():
    reading = read(drawn_dice.draw(five()), Tray(dice=6))
    assert reading.status is Status.UNSURE
    assert [r.code for r in reading.reasons if r.x is None] == ["count"]
    assert reading.values == (1, 2, 3, 4, 5)


def test_a_blank_face_among_dice_is_asked_about():
    dice = [*five()[:4], drawn_dice.Drawn(0, 430, 360)]
    reading = read(drawn_dice.draw(dice), Tray())
    assert reading.status is Status.UNSURE
    assert any(r.x is not None and np.hypot(r.x - 430, r.y - 360) < 64 for r in reading.reasons)


def test_a_die_cut_off_by_the_border_is_never_read_as_whole():
    for value in range(2, 7):
        for x in (-6, 4, 14):
            reading = read(drawn_dice.draw([*five()[:3], drawn_dice.Drawn(value, x, 300, angle_deg=8)]), Tray())
            if reading.status is Status.READ:
                assert reading.values == (1, 2, 3), (value, x)


def test_never_wrong_on_random_throws():
    wrong, asked = [], 0
    for seed in range(16):
        rng = np.random.default_rng(seed)
        dice, want = [], []
        for n in range(5):
            value = int(rng.integers(1, 7))
            x, y = 90 + 115 * n + rng.uniform(-15, 15), rng.uniform(70, 410)
            dice.append(drawn_dice.Drawn(value, x, y, float(rng.uniform(34, 70)), float(rng.uniform(0, 90))))
            want.append(value)
        reading = read(drawn_dice.draw(dice, seed=seed), Tray())
        if reading.status is not Status.READ:
            asked += 1
        elif reading.values != tuple(sorted(want)):
            wrong.append((seed, want, reading.values))
    assert not wrong
    assert asked <= 4


def test_known_size_and_count_keep_it_right():
    reading = read(drawn_dice.draw(five((6, 6, 1, 1, 2))), Tray(dice=5, die_px=64))
    assert (reading.status, reading.values) == (Status.READ, (1, 1, 2, 6, 6))


def test_where_it_is_too_blurred_it_does_not_guess():
    image = drawn_dice.draw(five())
    for sigma in (2, 4, 6, 9, 14, 25):
        reading = read(cv2.GaussianBlur(image, (0, 0), sigma), Tray(dice=5))
        assert reading.status is not Status.READ or reading.values == (1, 2, 3, 4, 5), sigma


def test_refuses_what_is_no_picture():
    for bad in (np.zeros((20, 20), np.uint8), np.zeros((20, 20, 4), np.uint8), np.zeros((20, 20, 3), np.float32)):
        with pytest.raises(ValueError, match="CAM-10"):
            read(bad, Tray())


def test_the_same_picture_reads_the_same_twice():
    image = drawn_dice.draw(five())
    assert read(image, Tray()).dice == read(image, Tray()).dice


def test_random_and_damaged_pictures_do_no_harm():
    assert fuzz_reader.fuzz(100, seed=5, limit_s=4.0, most_mp=1.0) == []


def test_a_die_whose_top_shines_as_bright_as_the_table_is_asked_about():
    green = {"body": (60, 110, 40), "pip": drawn_dice.WHITE}
    felt = (150, 150, 150)
    picture = drawn_dice.draw(five(**green), felt=felt)
    assert read(picture, Tray()).status is Status.READ
    # All but the rim of the last one's top is lost.
    box = cv2.boxPoints(((430.0, 360.0), (40.0, 40.0), 20.0)).round().astype(np.int32)
    cv2.fillConvexPoly(picture, box, felt)
    reading = read(picture, Tray())
    assert reading.status is Status.UNSURE and len(reading.dice) == 4
    assert any(np.hypot((r.x or 0) - 430, (r.y or 0) - 360) < 20 for r in reading.reasons)


def told_at_half(values):
    dice = [drawn_dice.Drawn(v, 250 + 400 * n, 300, edge_px=150.0) for n, v in enumerate(values)]
    return reader._large(Sizes(drawn_dice.draw(dice, width=900, height=600)), Tray())


def test_half_of_the_size_speaks_where_bodies_bear_it_out():
    for values in ((2,), (3,), (5,), (2, 3)):
        large, is_vouched = told_at_half(values)
        assert large is not None and large[0] is Status.READ and is_vouched


@pytest.mark.parametrize(
    ("beside", "like", "alone", "five"),
    [(0.1, 0.2, "not sure", "sure"), (0.6, 0.9, "not sure", "sure"), (0.1, 0.9, "sure", "sure")],
)
def test_ones_and_a_lone_two_or_three_must_be_borne_out(beside, like, alone, five, monkeypatch):
    monkeypatch.setattr(reader.Bodies, "beside", lambda *_: (beside, 10.0, 10.0))
    monkeypatch.setattr(reader.Bodies, "likeness", lambda *_: like)
    for values, wanted in (((1,), alone), ((1, 1), alone), ((2,), alone), ((3,), alone), ((5,), five), ((2, 3), five)):
        large, is_vouched = told_at_half(values)
        assert ("sure" if is_vouched else "not sure") == wanted
        # Of a two or three the rest of the picture may turn out to be empty; ones at half of the size are no answer.
        assert (large is None) == (wanted == "not sure" and set(values) == {1})


@pytest.mark.parametrize(
    ("beside", "like", "asks_at"),
    [(0.5, 0.9, None), (0.97, 0.9, (700.0, 100.0)), (0.5, 0.02, (250.0, 300.0))],
    ids=["borne out", "a body where nothing was read", "a face without a body"],
)
def test_what_the_network_of_bodies_denies_is_asked_about(beside, like, asks_at, monkeypatch):
    monkeypatch.setattr(reader.Bodies, "beside", lambda *_: (beside, 700.0, 100.0))
    monkeypatch.setattr(reader.Bodies, "likeness", lambda *_: like)
    picture = drawn_dice.draw([drawn_dice.Drawn(5, 250, 300, edge_px=60.0)], width=900, height=600)
    reading = read(picture, Tray())
    assert len(reading.dice) == 1
    if asks_at is None:
        assert reading.status is Status.READ
    else:
        assert reading.status is Status.UNSURE
        (reason,) = [r for r in reading.reasons if r.code == "disagree"]
        assert np.hypot(reason.x - asks_at[0], reason.y - asks_at[1]) < 3


def test_a_die_so_close_that_the_network_of_bodies_never_saw_one_is_read(monkeypatch):
    monkeypatch.setattr(reader.Bodies, "likeness", lambda *_: 0.0)
    monkeypatch.setattr(reader.Bodies, "beside", lambda *_: (0.0, 0.0, 0.0))
    picture = drawn_dice.draw([drawn_dice.Drawn(5, 450, 300, edge_px=300.0)], width=900, height=600)
    assert read(picture, Tray()).status is Status.READ
