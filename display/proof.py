"""Proof-reading: is every text of a view inside its box and the screen, whole, over no other text, and large enough?

Room: display. Typesets and draws nothing. Tests and `scripts/pictures.py` use it for every language and size.
"""

from __future__ import annotations

from functools import lru_cache

import pygame

from display import ops, typeset
from display.layout import Metrics
from display.scenes import compose
from display.theme import DARK
from display.view import View
from display.words import Words

FAR = frozenset({"prompt", "score", "total"})
"""Parts that must be read from three metres."""
NAMES = frozenset({"player", "name"})
"""What people type; a name of 20 letters may be shortened on the smallest screens."""
LARGE = frozenset({"score", "die", "prompt"})
"""What may be larger than the instruction."""


@lru_cache(maxsize=20_000)
def _ink(face: str, size_px: int, text: str) -> tuple[int, int, int, int]:
    """Where `text` has ink, relative to the left end of its baseline."""
    drawer = typeset.font(face, size_px)
    rect = drawer.render(text, True, (255, 255, 255)).get_bounding_rect()
    return (rect.x, rect.y - drawer.get_ascent(), rect.w, rect.h)


def _inks(op: ops.Text) -> list[pygame.Rect]:
    rects = [pygame.Rect(_ink(op.face, op.size_px, run.text)).move(run.x, run.baseline) for run in op.runs]
    return [r for r in rects if r.width and r.height]


def faults(view: View, metrics: Metrics, words: Words) -> list[str]:
    """What is wrong with the texts of `view` on a screen of this size, in words; empty if nothing is."""
    screen = pygame.Rect(0, 0, metrics.width, metrics.height)
    texts = [op for op in compose(view, metrics, DARK, words).ops if isinstance(op, ops.Text)]
    found: list[str] = []
    inks: list[tuple[pygame.Rect, str, str]] = []
    prompts = [op for op in texts if op.what == "prompt"]
    if len(prompts) != 1:
        found.append(f"{len(prompts)} instructions")
    for op in texts:
        said = " ".join(run.text for run in op.runs)
        if not op.fits and not (op.what in NAMES and min(screen.size) < 480):
            found.append(f"{op.what} {said!r} was shortened")
        least = metrics.far_px if op.what in FAR else metrics.fine_px if op.what == "why" else metrics.near_px
        if op.size_px < least:
            found.append(f"{op.what} {said!r} has {op.size_px} px, needs {least}")
        if prompts and op.what not in LARGE and op.size_px > prompts[0].size_px:
            found.append(f"{op.what} {said!r} is larger than the instruction")
        box = pygame.Rect(op.box).inflate(2, 2)
        mine = _inks(op)
        for ink in mine:
            if not screen.contains(ink):
                found.append(f"{op.what} {said!r} leaves the screen: {ink}")
            if not box.contains(ink):
                found.append(f"{op.what} {said!r} leaves its box: {ink} of {op.box}")
            found += [f"{op.what} {said!r} overlaps {what} {other!r}" for r, what, other in inks if r.colliderect(ink)]
        inks += [(ink, op.what, said) for ink in mine]
    return found
