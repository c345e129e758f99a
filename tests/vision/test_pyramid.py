"""Sizes, colours and tiles: what is sampled, packed or paired lies where it should."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.nearby import keep_best, near_pairs
from vision.pips import find_pips
from vision.pyramid import GREY, Pyramid, Sizes, reduced, sample, shrunk
from vision.tiles import merged, pack


@pytest.fixture
def picture() -> np.ndarray:
    rng = np.random.default_rng(3)
    return cv2.GaussianBlur(rng.integers(0, 256, (187, 251, 3), dtype=np.uint8), (0, 0), 3.0)


@pytest.mark.parametrize("plane", [0, 1, 2, GREY])
@pytest.mark.parametrize("level", [0, 1, 2])
def test_each_layer_is_its_plane_of_its_level(picture: np.ndarray, level: int, plane: int) -> None:
    pyramid = Pyramid(picture)
    whole = pyramid.levels[level]
    rows, columns = np.mgrid[0 : whole.shape[0], 0 : whole.shape[1]].astype(np.float32)
    seen = pyramid.sample(columns.reshape(1, -1), rows.reshape(1, -1), np.full(rows.size, 4 * level + plane))
    wanted = cv2.cvtColor(whole, cv2.COLOR_BGR2GRAY) if plane == GREY else whole[:, :, plane]
    assert np.array_equal(seen.reshape(wanted.shape), wanted)


def test_beyond_the_border_the_border_repeats(picture: np.ndarray) -> None:
    pyramid = Pyramid(picture)
    outside = np.array([[-5.0, 400.0]], np.float32), np.array([[-9.0, 400.0]], np.float32)
    seen = pyramid.sample(*outside, np.array([1, 1]))
    assert seen.tolist() == [[picture[0, 0, 1], picture[-1, -1, 1]]]
    assert np.array_equal(sample(picture, *outside)[0, :, 1], [picture[0, 0, 1], picture[-1, -1, 1]])


@pytest.mark.parametrize(("width", "height"), [(251, 187), (200, 149), (125, 93), (60, 45), (17, 13)])
def test_a_picture_that_is_shrunk_shows_the_same(picture: np.ndarray, width: int, height: int) -> None:
    small = shrunk(picture, width, height)
    assert small.shape == (height, width, 3)
    exact = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    assert np.abs(small.astype(float) - exact).mean() < 6


@pytest.mark.parametrize("whole", [1, 2, 3, 4, 6, 8])
def test_each_size_is_the_mean_of_its_squares_and_is_made_once(picture: np.ndarray, whole: int) -> None:
    sizes = Sizes(picture)
    small = reduced(sizes, whole)
    height, width = picture.shape[0] // whole, picture.shape[1] // whole
    squares = picture[: height * whole, : width * whole].reshape(height, whole, width, whole, 3)
    # Each halving rounds once more.
    assert np.abs(small - squares.mean((1, 3))).max() <= 0.5 * whole.bit_length()
    assert reduced(sizes, whole) is small


def test_a_half_shares_its_halves_with_the_whole_picture(picture: np.ndarray) -> None:
    whole = Sizes(picture)
    half = whole.of_part(whole.by(2))
    assert half.by(1) is whole.by(2) and half.by(2) is whole.by(4) and half.by(4) is whole.by(8)
    # Thirds of a half are another picture's than sixths of the whole.
    assert np.array_equal(half.by(3), Sizes(whole.by(2)).by(3))
    other = whole.of_part(picture[:50, :60])
    assert np.array_equal(other.by(2), Sizes(picture[:50, :60]).by(2))


@pytest.mark.parametrize("count", [60, 400])
def test_near_pairs_are_all_that_a_search_of_all_pairs_finds(count: int) -> None:
    rng = np.random.default_rng(count)
    x, y = rng.uniform(0, 400, (2, count)).astype(np.float32)
    r = np.exp(rng.uniform(0, 3, count)).astype(np.float32)
    i, j = near_pairs(x, y, r, 2.0)
    found = {(min(p), max(p)) for p in zip(i.tolist(), j.tolist(), strict=True)}
    assert len(found) == len(i)
    for a in range(count):
        for b in range(a + 1, count):
            near = (x[a] - x[b]) ** 2 + (y[a] - y[b]) ** 2 < (2.0 * max(r[a], r[b])) ** 2
            if near and 0.5 < r[a] / r[b] < 2:
                assert (a, b) in found
            assert near or (a, b) not in found


def test_the_best_stays_and_what_it_beats_frees_others() -> None:
    # 0 beats 1; 1 would beat 2, but is gone.
    kept = keep_best(np.array([0, 1, 2, 3]), np.array([0, 2]), np.array([1, 1]))
    assert kept.tolist() == [True, False, True, True]


def test_boxes_that_touch_through_others_become_one() -> None:
    assert merged([(0, 0, 10, 10), (18, 0, 30, 10), (8, 2, 20, 6), (40, 40, 50, 50)]).count((0, 0, 30, 10)) == 1


def test_tiles_show_their_boxes_and_tell_the_way_back(picture: np.ndarray) -> None:
    boxes = [(5, 7, 60, 50), (100, 3, 131, 90), (0, 120, 40, 187)]
    tiles = pack(picture, boxes)
    assert sorted(map(tuple, tiles.there.tolist())) == sorted(boxes)
    for (left, top, right, bottom), (x0, y0, x1, y1) in zip(tiles.there, tiles.here, strict=True):
        assert np.array_equal(tiles.image[y0:y1, x0:x1], picture[top:bottom, left:right])
        x, y = tiles.back(np.array([x0 + 3.5]), np.array([y0 + 4.0]))
        assert (float(x[0]), float(y[0])) == (left + 3.5, top + 4.0)
    assert len(set(tiles.tile_of(tiles.here[:, 0] + 1.0, tiles.here[:, 1] + 1.0).tolist())) == 3


def test_pips_are_found_where_they_are_wanted_only() -> None:
    image = np.full((200, 300, 3), 220, np.uint8)
    for x in (60, 150, 240):
        cv2.circle(image, (x, 100), 7, (20, 20, 20), -1, cv2.LINE_AA)
    every = find_pips(Pyramid(image))
    large = every.take(every.r > 5)
    assert sorted(round(float(x)) for x in large.x) == [60, 150, 240]
    assert large.r == pytest.approx([7.3] * 3, abs=0.5)
    assert large.round.min() > 0.95
    some = find_pips(Pyramid(image), where=lambda x, y: x > 100)
    assert sorted(round(float(x)) for x in some.x[some.r > 5]) == [150, 240]
    assert some.x.min() > 90
    few = find_pips(Pyramid(image), most=3)
    assert len(few) <= 3
