"""Room: tests of vision. Where far faces lie: what flat dice's drops have in common, what silhouettes tell of drawn
cubes, and what the networks say of drawn dice and of bare felt."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from vision import bodies, lean
from vision.borne_out import contradicted
from vision.leaning import out_of_line
from vision.silhouette import side_drops
from vision.types import Die

PLACES = np.array([(150, 120), (820, 160), (480, 380), (200, 600), (760, 590)], np.float64)
SIZE = (720, 960)
FELT, TOP, SIDE = (60, 95, 50), (225, 230, 232), (140, 150, 150)


def flat_drops(foot: tuple[float, float] = (480, 360), far_px: float = 1250) -> np.ndarray:
    """Drops of flat dice at PLACES, for a camera above `foot` with a lens of `far_px`."""
    return (np.array(foot) - PLACES) / far_px


def verdict(drops: np.ndarray, seen: np.ndarray | None = None, error: float = 0.06, unseen: float = 0.08) -> int | None:
    count = len(drops)
    told = drops, np.full(count, error)
    which, _ = out_of_line(PLACES[:count], told, (drops if seen is None else seen, np.full(count, unseen)), SIZE)
    return which[0] if which else None


@pytest.mark.parametrize("foot", [(480, 360), (300, 500), (900, 100)])
@pytest.mark.parametrize("far_px", [700, 1250, 4000])
def test_flat_dice_are_in_line_wherever_the_camera_hangs(foot: tuple[float, float], far_px: float) -> None:
    noise = np.random.default_rng(3).normal(0, 0.04, (5, 2))
    assert verdict(flat_drops(foot, far_px) + noise) is None


@pytest.mark.parametrize("which", range(5))
@pytest.mark.parametrize("to", [(0.45, 0.0), (0.0, -0.45), (-0.35, 0.35)])
def test_the_one_that_leans_is_out_of_line(which: int, to: tuple[float, float]) -> None:
    drops = flat_drops()
    drops[which] += to
    assert verdict(drops) == which


def test_both_must_see_it() -> None:
    drops, seen = flat_drops(), flat_drops()
    drops[2] += (0.5, 0.0)
    assert verdict(drops, seen) is None
    assert verdict(seen, drops) is None


def test_where_silhouettes_tell_nothing_a_sure_net_is_enough() -> None:
    drops, seen = flat_drops(), np.zeros((5, 2))
    drops[2] += (0.6, 0.0)
    assert verdict(drops, seen, unseen=0.5) == 2
    assert verdict(drops, seen, error=0.3, unseen=0.5) is None


def test_of_two_dice_the_one_that_is_seen_from_the_side_is_named() -> None:
    assert verdict(flat_drops()[:2]) is None
    drops = flat_drops()[:2]
    drops[0] += (0.0, 0.8)
    assert verdict(drops) == 0


@pytest.mark.parametrize("pair", [(0, 1), (1, 3), (2, 4)])
def test_two_that_lean_do_not_hide_each_other(pair: tuple[int, int]) -> None:
    drops = flat_drops()
    drops[pair[0]] += (0.5, 0.1)
    drops[pair[1]] += (-0.2, 0.55)
    told = drops, np.full(5, 0.06)
    assert sorted(out_of_line(PLACES, told, told, SIZE)[0]) == list(pair)


def test_one_die_gives_no_line() -> None:
    assert verdict(flat_drops()[:1] + np.array((0.8, 0.0))) is None


def cubes(drops_px: list[tuple[float, float]]) -> tuple[np.ndarray, np.ndarray]:
    """A picture of cubes on felt at PLACES, each with its bottom drawn `drops_px` away from its top; and the tops."""
    rng = np.random.default_rng(5)
    picture = np.full((*SIZE, 3), FELT, np.uint8)
    tops = []
    for n, (place, drop) in enumerate(zip(PLACES, drops_px, strict=False)):
        angle = 0.3 + 0.35 * n
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        top = np.array([(-22, -22), (22, -22), (22, 22), (-22, 22)]) @ turn.T + place
        hull = cv2.convexHull(np.concatenate([top, top + drop]).astype(np.float32))
        cv2.fillConvexPoly(picture, np.round(hull).astype(np.int32), SIDE, cv2.LINE_AA)
        cv2.fillConvexPoly(picture, np.round(top).astype(np.int32), TOP, cv2.LINE_AA)
        cv2.circle(picture, np.round(place).astype(int).tolist(), 5, (30, 28, 30), -1, cv2.LINE_AA)
        tops.append(top)
    noisy = picture + rng.normal(0, 3, picture.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8), np.array(tops)


def test_silhouettes_tell_which_way_sides_reach() -> None:
    picture, tops = cubes([(18, 0), (0, 18), (-14, 10), (0, 0), (12, -14)])
    drops, errors = side_drops(picture, tops)
    expected = np.array([(18, 0), (0, 18), (-14, 10), (0, 0), (12, -14)]) / 44
    assert np.linalg.norm(drops - expected, axis=1).max() < 0.2
    assert errors.max() <= 0.3


def test_a_shadow_is_no_side() -> None:
    picture, tops = cubes([(0, 0)])
    plain, _ = side_drops(picture, tops)
    shadow = picture.copy()
    shade = np.zeros(SIZE, np.float32)
    cv2.circle(shade, (185, 130), 45, 1.0, -1)
    shade = cv2.GaussianBlur(shade, (0, 0), 6) * 0.5
    keep = np.zeros(SIZE, np.uint8)
    cv2.fillConvexPoly(keep, np.round(tops[0]).astype(np.int32), 1)
    shade[keep > 0] = 0
    shadow = np.clip(shadow * (1 - shade[..., None]), 0, 255).astype(np.uint8)
    assert np.linalg.norm(side_drops(shadow, tops)[0][0] - plain[0]) < 0.15


def test_a_die_in_a_corner_of_the_picture_is_borne() -> None:
    picture, tops = cubes([(0, 0)])
    drops, errors = side_drops(picture, tops - PLACES[0] + (2, 3))
    assert np.isfinite(drops).all() and np.isfinite(errors).all()


def test_the_net_sees_a_side_where_it_is_drawn() -> None:
    picture, tops = cubes([(26, 0), (0, 26), (-26, 0), (0, -26), (0, 0)])
    told, errors = lean.drops_of(np.stack([lean.wide_crop(picture, top) for top in tops]))
    for n, drop in enumerate([(26, 0), (0, 26), (-26, 0), (0, -26)]):
        top = tops[n]
        axes = np.stack([top[1] - top[0], top[3] - top[0]], 1)
        assert float(axes @ told[n] @ np.array(drop)) > 0.3 * 26 * 26
    assert (errors > 0).all()


def test_wide_crops_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="64"):
        lean.drops_of(np.zeros((2, 64, 64), np.uint8))
    assert len(lean.drops_of(np.zeros((0, 64, 64, 3), np.uint8))[0]) == 0


def test_bodies_are_told_from_felt() -> None:
    picture, _ = cubes([(10, 4)] * 5)
    dice = [(float(x), float(y)) for x, y in PLACES]
    told = bodies.likeness(picture, [*dice, (480, 80), (330, 250)], 44.0)
    assert [share > bodies.A_DIE for share in told] == [True] * 5 + [False] * 2
    assert bodies.likeness(picture, [], 44.0) == []


def test_a_picture_of_any_size_is_looked_at() -> None:
    picture, _ = cubes([(10, 4)] * 5)
    for width, height in ((37, 61), (960, 20), (1900, 1400)):
        seen = bodies.Bodies(cv2.resize(picture, (width, height)), 44.0)
        assert seen.cells.ndim == 2 and seen.cells.min() >= 0 and seen.cells.max() <= 1 and seen.cell_px > 0


def test_bare_felt_has_no_body_and_dice_have_one() -> None:
    picture, _ = cubes([(10, 4)] * 5)
    dice = [(float(x), float(y)) for x, y in PLACES]
    on_dice, on_felt = bodies.likeness(picture, dice, 44.0), bodies.likeness(picture, [(480, 80), (330, 250)], 44.0)
    assert min(on_dice) > bodies.NO_DIE and max(on_felt) < bodies.NO_DIE


def test_a_body_beside_the_dice_is_seen_and_their_own_sides_are_none() -> None:
    picture, _ = cubes([(10, 4)] * 5)
    seen = bodies.Bodies(picture, 44.0)
    dice = [(float(x), float(y), 44.0) for x, y in PLACES]
    assert seen.beside(dice)[0] < 0.3
    for n, (x, y, edge) in enumerate(dice):
        sure, where_x, where_y = seen.beside(dice[:n] + dice[n + 1 :])
        assert sure > 0.8 and np.hypot(where_x - x, where_y - y) < edge / 2


class Seen(bodies.Bodies):
    """A network that sees dice where they are read, and something beside them that it holds for one so much."""

    def __init__(self, beside: float) -> None:
        self.sure = beside

    def likeness(self, x: float, y: float) -> float:
        return 1.0

    def beside(self, dice: Sequence[tuple[float, float, float]]) -> tuple[float, float, float]:
        return self.sure, 50.0, 60.0


@pytest.mark.parametrize(
    ("sure", "soft", "asked"), [(0.95, False, True), (0.9, False, False), (0.9, True, True), (0.8, True, False)]
)
def test_a_body_that_was_not_read_is_asked_about_sooner_in_a_soft_picture(sure: float, soft: bool, asked: bool) -> None:
    dice = [Die(4, 0.9, 200.0, 200.0, ((180.0, 180.0), (220.0, 180.0), (220.0, 220.0), (180.0, 220.0)))]
    told = contradicted(Seen(sure), dice, 720, True, lambda: soft)
    assert [(r.code, r.x, r.y) for r in told] == ([("disagree", 50.0, 60.0)] if asked else [])
    # Where all dice that can be there have been read, it is none.
    assert contradicted(Seen(sure), dice, 720, False, lambda: soft) == []
