"""Every text of every scene at every size: inside its box and the screen, over no other text, and not too small.

Room: tests of display.
"""

from __future__ import annotations

from functools import cache

import pygame
import pytest

from display import ops, samples, typeset
from display.layout import Metrics
from display.scenes import compose
from display.theme import DARK
from display.words import ENGLISH

WIDE = [(480, 320), (800, 480), (1024, 600), (1280, 720), (1920, 1080), (3840, 2160)]
SIZES = WIDE + [(h, w) for w, h in WIDE]

FAR = {"prompt", "score", "total"}
"""Parts that must be read from three metres."""

NAMES = {"player", "name"}
"""What people type. The example names have up to 20 letters; only the smallest screen may shorten them."""


@cache
def _texts(size: tuple[int, int]) -> dict[str, list[ops.Text]]:
    """View name -> its texts on a screen of `size`."""
    metrics = Metrics(*size)
    return {
        name: [op for op in compose(view, metrics, DARK, ENGLISH).ops if isinstance(op, ops.Text)]
        for name, view in samples.views().items()
    }


@cache
def _ink(face: str, size_px: int, text: str) -> pygame.Rect:
    """Where `text` has ink, relative to the left end of its baseline."""
    rect = typeset.font(face, size_px).render(text, True, (255, 255, 255)).get_bounding_rect()
    return rect.move(0, -typeset.font(face, size_px).get_ascent())


def _inks(op: ops.Text) -> list[pygame.Rect]:
    rects = [_ink(op.face, op.size_px, run.text).move(run.x, run.baseline) for run in op.runs]
    return [r for r in rects if r.width and r.height]


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_no_text_is_clipped_or_shortened_or_overlapped(size):
    screen = pygame.Rect(0, 0, *size)
    faults = []
    for name, texts in _texts(size).items():
        assert texts
        inks = []
        for op in texts:
            words = " ".join(run.text for run in op.runs)
            if not op.fits and not (op.what in NAMES and min(size) < 480):
                faults.append(f"{name}: {op.what} {words!r} was shortened")
            box = pygame.Rect(op.box).inflate(2, 2)
            for ink in _inks(op):
                if not screen.contains(ink):
                    faults.append(f"{name}: {op.what} {words!r} leaves the screen: {ink}")
                if not box.contains(ink):
                    faults.append(f"{name}: {op.what} {words!r} leaves its box: {ink} of {op.box}")
                for other, what, said in inks:
                    if other.colliderect(ink):
                        faults.append(f"{name}: {op.what} {words!r} overlaps {what} {said!r}")
            inks += [(ink, op.what, words) for ink in _inks(op)]
    assert not faults, f"{len(faults)} faults\n" + "\n".join(faults[:40])


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_no_text_is_smaller_than_its_distance_needs(size):
    metrics = Metrics(*size)
    faults = []
    for name, texts in _texts(size).items():
        for op in texts:
            least = metrics.far_px if op.what in FAR else metrics.fine_px if op.what == "why" else metrics.near_px
            if op.size_px < least:
                words = " ".join(run.text for run in op.runs)
                faults.append(f"{name}: {op.what} {words!r} has {op.size_px} px, needs {least}")
    assert not faults, f"{len(faults)} faults\n" + "\n".join(faults[:40])


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_the_instruction_is_the_largest_line_but_the_score(size):
    for name, texts in _texts(size).items():
        prompts = [op for op in texts if op.what == "prompt"]
        assert len(prompts) == 1, name
        for op in texts:
            if op.what not in ("score", "die"):
                assert op.size_px <= prompts[0].size_px, (name, op.what, op.runs[0].text)
