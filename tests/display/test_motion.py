"""Movements: a function of the view and the time, drawn in steps and only where something changes; none if so wished.

Room: tests of display.
"""

from __future__ import annotations

import dataclasses

import pygame
import pytest

from display import motion, samples
from display.screen import Screen
from display.view import Scene, TrayView, View

SIZE = (480, 320)
ROLLING = samples.turn(2, tray=TrayView(None, (), "rolling", True, moving=True))


def _surface() -> pygame.Surface:
    return pygame.Surface(SIZE, 0, 32)


def _drawn(view: View, t: float, *, reduced: bool = False) -> bytes:
    surface = _surface()
    Screen(SIZE, reduced_motion=reduced).draw(surface, view, t)
    return pygame.image.tobytes(surface, "RGB")


def _moving() -> dict[str, View]:
    refused = samples.views()["turn_refusal"]
    return {
        "invitation": samples.views()["attract"],
        "rolling": ROLLING,
        "result": dataclasses.replace(samples.result(2), since=100.0),
        "message": dataclasses.replace(refused, since=100.0),
    }


@pytest.mark.parametrize("name", _moving())
def test_what_moves_is_the_same_at_the_same_time_whatever_came_before(name):
    view = _moving()[name]
    screen, surface = Screen(SIZE), _surface()
    screen.draw(surface, samples.turn(2), 99.0)
    seen = set()
    for step in range(12):
        t = 100.0 + step * motion.STEP_S + 0.001
        before = surface.copy()
        rects = screen.draw(surface, view, t)
        now = pygame.image.tobytes(surface, "RGB")
        assert now == _drawn(view, t)
        for rect in rects:
            before.blit(surface, rect, rect)
        assert pygame.image.tobytes(before, "RGB") == now, "pixels changed outside the rectangles returned"
        seen.add(now)
        # Within a step nothing is drawn.
        assert screen.draw(surface, view, t + motion.STEP_S * 0.4) == []
    assert len(seen) > 1


@pytest.mark.parametrize("name", _moving())
def test_nothing_moves_where_people_wish_so(name):
    view = _moving()[name]
    screen, surface = Screen(SIZE, reduced_motion=True), _surface()
    screen.draw(surface, view, 100.0)
    assert [screen.draw(surface, view, 100.0 + 0.1 * n) for n in range(20)] == [[]] * 20


@pytest.mark.parametrize("name", ["result", "message"])
def test_a_movement_ends_where_the_still_picture_is(name):
    view = _moving()[name]
    assert _drawn(view, 100.0 + 5.0) == _drawn(view, 100.0, reduced=True)
    assert motion.step(view, 105.0) == motion.STILL
    assert motion.step(view, 100.05) != motion.STILL


def test_only_a_small_part_is_drawn_while_dice_hop():
    screen, surface = Screen((1280, 720)), pygame.Surface((1280, 720), 0, 32)
    screen.draw(surface, ROLLING, 0.0)
    rects = screen.draw(surface, ROLLING, motion.STEP_S * 1.5)
    assert rects
    assert sum(r.width * r.height for r in rects) < 0.06 * 1280 * 720


def test_the_figures_of_a_result_rise_to_what_was_won():
    shares = [motion.counted(step, motion.COUNT_S) for step in (0, 3, 9, 15, 30, motion.STILL)]
    assert shares == sorted(shares)
    assert (shares[0], shares[-2], shares[-1]) == (0.0, 1.0, 1.0)


def test_the_dice_of_the_invitation_stay_in_their_band_and_show_faces():
    for step in range(0, 600, 7):
        for n in range(5):
            x, y, turn, value = motion.tumbling(step, n, 500.0, 120.0, 60.0)
            assert -60 <= x <= 560
            assert -1 <= y <= 61
            assert (0 <= turn < 24, 1 <= value <= 6) == (True, True)


def test_a_view_that_says_no_time_is_still():
    for name, view in samples.views().items():
        if view.scene is not Scene.ATTRACT:
            assert motion.step(view, 0.0) == motion.STILL, name
