"""Views that nobody meant: bare, crowded, with empty and endless words. None may stop the screen.

Room: tests of display.
"""

from __future__ import annotations

import random

import pygame
import pytest

from display import samples
from display.screen import Screen
from display.view import (
    DieView,
    FormView,
    GridView,
    KeyHint,
    MenuItem,
    Message,
    PlayerView,
    Row,
    RowKind,
    Scene,
    TrayView,
    View,
)

SIZES = [(480, 320), (800, 480), (320, 480), (480, 800)]
WORDS = ["a", "bc", "def", "ghij", "klmno", "pqrstu", "ROLL", "SCORE", "Żółć", "dice-tray", "supercalifragilistic"]


def _words(r: random.Random, most: int) -> str:
    return " ".join(r.choice(WORDS) for _ in range(r.randint(0, most)))


def _dice(r: random.Random) -> tuple[DieView, ...]:
    def corners():
        return tuple((r.uniform(-0.1, 1.1), r.uniform(-0.1, 1.1)) for _ in range(4))

    return tuple(
        DieView(
            i + 1,
            r.choice([None, 1, 2, 3, 4, 5, 6]),
            r.choice([None, corners()]),
            r.random() < 0.4,
            r.random() < 0.2,
            r.random() < 0.2,
        )
        for i in range(r.choice([0, 1, 2, 5, 6]))
    )


def _rows(r: random.Random) -> tuple[Row, ...]:
    return tuple(
        Row(
            f"row{i}",
            _words(r, 3) or "x",
            r.choice(list(RowKind)),
            r.choice(["upper", "lower", "", "bonus"]),
            r.choice([None, 0, 5, 123456]),
            r.choice([None, 0, 50]),
            _words(r, 8) if r.random() < 0.5 else "",
            r.random() < 0.1,
            r.random() < 0.1,
            _words(r, 2) if r.random() < 0.2 else "",
            r.choice([None, 0.0, 0.5, 2.0]),
        )
        for i in range(r.choice([0, 1, 4, 16, 19, 24]))
    )


def _view(r: random.Random, scene: Scene) -> View:
    who = tuple(
        PlayerView(_words(r, 3), r.choice([0, 7, 12345]), r.random() < 0.2, r.random() < 0.3, r.choice([None, 1, 2]))
        for _ in range(r.randint(0, 8))
    )
    picture = (
        None if r.random() < 0.3 else samples.tray_picture((1, 2), 1, *r.choice([(320, 240), (48, 36), (90, 200)]))
    )
    spots = tuple(((r.random(), r.random()), _words(r, 5)) for _ in range(r.choice([0, 1, 5])))
    return View(
        scene,
        _words(r, 3),
        _words(r, 14),
        _words(r, 14),
        who,
        _rows(r),
        TrayView(picture, _dice(r), _words(r, 2), r.random() < 0.5, spots),
        r.randint(0, 3),
        r.choice([0, 3, 8]),
        _menu(r),
        None if r.random() < 0.6 else Message(r.choice(["A-1", "KEPT_CHANGED"]), _words(r, 20)),
        tuple(_words(r, r.choice([2, 20])) for _ in range(r.choice([0, 1, 4]))),
        tuple(
            KeyHint(r.choice(["A", "ENTER long"]), _words(r, 3), r.random() < 0.7) for _ in range(r.choice([0, 2, 9]))
        ),
        tuple(tuple(r.randint(0, 300) for _ in range(r.choice([0, 1, 13]))) for _ in who),
        tuple(_words(r, r.choice([0, 3, 60])) for _ in range(r.choice([0, 1, 9]))),
        r.choice([None, _grid(r)]),
        r.choice(
            [None, FormView(_words(r, 2), r.choice("AZ "), r.choice(["", "ABC", "ABCDEFGHIJKLMNOPQRSTUVWXYZ -'."]))]
        ),
        r.randint(-1, 12),
    )


def _menu(r: random.Random) -> tuple[MenuItem, ...]:
    rich = r.random() < 0.5
    return tuple(
        MenuItem(
            _words(r, 3),
            _words(r, 3),
            r.random() < 0.2,
            _words(r, 14) if rich else "",
            tuple(r.randint(1, 6) for _ in range(r.choice([0, 3, 6]))) if rich else (),
            r.choice(["", "star"]),
            r.random() < 0.8,
        )
        for _ in range(r.choice([0, 1, 5, 12]))
    )


def _grid(r: random.Random) -> GridView:
    columns = r.choice([1, 2, 8])
    rows = tuple(tuple(_words(r, 2) for _ in range(columns)) for _ in range(r.choice([0, 1, 20])))
    return GridView(tuple(_words(r, 1) for _ in range(r.choice([0, columns]))), rows, (0, 3))


@pytest.mark.parametrize("scene", list(Scene))
@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_a_bare_view_is_drawn(scene, size):
    surface = pygame.Surface(size, 0, 32)
    assert Screen(size).draw(surface, View(scene), 0.0) == [pygame.Rect(0, 0, *size)]


@pytest.mark.parametrize("scene", list(Scene))
def test_any_view_is_drawn_and_drawn_alike_after_another(scene):
    r = random.Random(f"odd {scene}")
    for _ in range(6):
        size = r.choice(SIZES)
        first, second = _view(r, scene), _view(r, scene)
        screen, surface = Screen(size), pygame.Surface(size, 0, 32)
        screen.draw(surface, first, 0.0)
        screen.draw(surface, second, 0.1)
        fresh = pygame.Surface(size, 0, 32)
        Screen(size).draw(fresh, second, 0.1)
        assert pygame.image.tobytes(surface, "RGB") == pygame.image.tobytes(fresh, "RGB")
