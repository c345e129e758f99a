"""Entering a name: the name so far, and the letters to choose from.

Room: display. Knows the View and no rule; what a button does with a letter is the table's business.
"""

from __future__ import annotations

from display import typeset
from display.layout import Box
from display.sheet import CENTRE, Sheet
from display.typeset import BOLD
from display.view import FormView


def form(s: Sheet, box: Box, entry: FormView) -> None:
    """The name large, with the letter under the cursor in a box; below it all letters, that one marked."""
    m = s.m
    upper, lower = box.cut_top(round(box.h * 0.3), m.gap_px)
    _name(s, upper, entry)
    _letters(s, lower, entry)


def _name(s: Sheet, box: Box, entry: FormView) -> None:
    m, t = s.m, s.theme
    s.panel(box)
    inner = box.inset(m.px(2), m.px(1))
    text = entry.text[:-1]
    shown = text + (entry.text[-1:].replace(" ", "_") or "_")
    fitted = s.measure(inner, shown, most=m.px(13), floor=m.near_px, face=BOLD, free=True)
    before = typeset.width(BOLD, fitted.size_px, typeset.clean(text))
    wide = typeset.width(BOLD, fitted.size_px, shown) - before
    left = inner.x + (inner.w - fitted.width) // 2
    frame = Box(left + before, inner.y, wide, inner.h).inset(-m.px(0.6), 0)
    high = min(inner.h, round(fitted.size_px * 1.2))
    s.fill(Box(frame.x, inner.y + (inner.h - high) // 2, frame.w, high), t.call, radius=m.px(0.8))
    place = Box(left, inner.y, fitted.width + 2, inner.h)
    if text:
        head = typeset.fit(text, place.w, inner.h, face=BOLD, most_px=fitted.size_px, floor_px=fitted.size_px)
        s.place(place, head, t.ink, what="score")
    tail = typeset.fit(
        shown[len(text) :], wide + 2, inner.h, face=BOLD, most_px=fitted.size_px, floor_px=fitted.size_px
    )
    s.place(Box(left + before, inner.y, wide + 2, inner.h), tail, t.on_call, what="score")


def _letters(s: Sheet, box: Box, entry: FormView) -> None:
    """All letters on as many lines as make them largest."""
    m, t = s.m, s.theme
    s.panel(box)
    inner = box.inset(m.px(1.4), m.px(1.2))
    letters = entry.letters
    if not letters:
        return
    side, per_line = 0.0, len(letters)
    for lines in range(1, 12):
        count = -(-len(letters) // lines)
        tried = min(inner.w / count, inner.h / lines)
        if tried > side:
            side, per_line = tried, count
    lines = -(-len(letters) // per_line)
    size = max(m.near_px, min(round(side * 0.66), m.px(6.4), s.largest_px))
    cell_w = min(inner.w // per_line, round(side * 1.5), m.px(14))
    cell_h = min(inner.h // lines, round(side * 1.2), m.px(14))
    top = inner.y + (inner.h - cell_h * lines) // 2
    left = inner.x + (inner.w - cell_w * per_line) // 2
    for n, letter in enumerate(letters):
        line, column = divmod(n, per_line)
        cell = Box(left + column * cell_w, top + line * cell_h, cell_w, cell_h)
        ink = t.ink
        if letter == entry.letter:
            s.fill(cell.inset(1), t.call, radius=m.px(0.8))
            ink = t.on_call
        drawn = "_" if letter == " " else letter
        s.text(cell, drawn, ink, most=size, floor=min(size, m.near_px), face=BOLD, align=CENTRE, what="letter")
        s.zone(f"letter:{letter}", cell)
