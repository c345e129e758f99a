"""The invitation: what the screen shows while nobody plays.

Room: display. Knows the View and no rule.
"""

from __future__ import annotations

from display import lists, motion, ops
from display.layout import Box
from display.sheet import CENTRE, Sheet
from display.typeset import BOLD
from display.view import View


def invitation(s: Sheet, box: Box, view: View) -> None:
    """The name of the table over dice that hop along; beside it the best of the night."""
    m, t = s.m, s.theme
    if view.grid is not None and view.grid.rows:
        left, right = box.rows([0.5, 0.5], m.gap_px) if m.portrait else box.columns([0.54, 0.46], m.gap_px)
        lists.grid(s, right, view.grid)
    else:
        left = box
    s.panel(left)
    inner = left.inset(m.px(2), m.px(1.6))
    title, rest = inner.cut_top(round(inner.h * 0.36), m.px(1))
    s.text(title, view.title, t.call, most=m.px(16), face=BOLD, align=CENTRE, free=True, what="score")
    side = round(min(rest.h * 0.42, rest.w * 0.17, m.px(14)))
    band = rest.cut_bottom(min(rest.h, round(side * 2.2)))[1]
    whole, edge = round(side * 1.42), m.px(0.6)

    def dice(step: int) -> list[ops.Op]:
        found: list[ops.Op] = []
        for n in range(5):
            x, y, turn, value = motion.tumbling(step, n, band.w, band.h, side)
            place = Box(round(band.x + x - (whole - side) / 2), round(band.y + y - (whole - side) / 2), whole, whole)
            if place.x >= left.x + edge and place.right <= left.right - edge:
                found.append(ops.Spun(place, side, value, turn, t.die, t.pip, t.line))
        return found

    s.moving = dice
