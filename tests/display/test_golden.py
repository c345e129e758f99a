"""The screens in docs/screens are what is drawn now.

Room: tests of display. Compared are pictures a quarter as large, since the edges of letters differ a little between
builds of SDL's font library. After a change that was looked at: python scripts/pictures.py --screens
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pygame
import pytest

from display import samples
from display.window import Window

SCREENS = Path(__file__).resolve().parents[2] / "docs" / "screens"
MEAN_MOST = 1.0
"""Mean difference permitted, in levels of 255."""
SPOT_MOST = 90.0
"""Difference permitted at any one place, in levels of 255: a letter moved by a pixel makes 30, in some builds 80."""


def _quarter(surface: pygame.Surface) -> np.ndarray:
    w, h = surface.get_width() // 4, surface.get_height() // 4
    whole = pygame.Surface(surface.get_size(), 0, 32)
    whole.blit(surface, (0, 0))
    small = pygame.transform.smoothscale(whole, (w, h))
    return np.frombuffer(pygame.image.tobytes(small, "RGB"), np.uint8).reshape(h, w, 3).astype(float)


def _differs(a: pygame.Surface, b: pygame.Surface) -> str:
    """Why the two are not the same picture; empty if they are."""
    if a.get_size() != b.get_size():
        return f"{a.get_size()} is not {b.get_size()}"
    difference = np.abs(_quarter(a) - _quarter(b))
    mean, spot = float(difference.mean()), float(difference.max())
    return "" if mean <= MEAN_MOST and spot <= SPOT_MOST else f"mean {mean:.2f}, most {spot:.0f}"


def _draw(shot: samples.Shot) -> pygame.Surface:
    window = Window.offscreen(shot.size, theme=shot.theme, rotation=shot.rotation)
    window.show(samples.views()[shot.view], 0.0)
    return window.surface


@pytest.mark.parametrize("shot", samples.SCREENS, ids=lambda s: s.name)
def test_the_screen_looks_as_it_did(shot):
    kept = pygame.image.load(str(SCREENS / f"{shot.name}.png"))
    assert _differs(kept, _draw(shot)) == "", "look at it, then: python scripts/pictures.py --screens"


def test_every_picture_kept_is_compared():
    assert {p.stem for p in SCREENS.glob("*.png")} == {s.name for s in samples.SCREENS}


def test_a_single_changed_figure_is_noticed():
    """The comparison is fine enough to see one score that is wrong."""
    size = (800, 480)
    before, after = Window.offscreen(size), Window.offscreen(size)
    view = samples.turn(2)
    before.show(view, 0.0)
    rows = tuple(
        r.__class__(r.key, r.label, r.kind, r.section, 4, None, "", False, False, r.note) if r.key == "ones" else r
        for r in view.rows
    )
    after.show(samples.turn(2, rows=rows), 0.0)
    assert _differs(before.surface, after.surface) != ""
