"""The end of a game: the winner, everybody by place, and the curve of the game.

Room: display. Knows the View and no rule: places and winners the View says.
"""

from __future__ import annotations

from display import motion, ops, typeset
from display.layout import Box
from display.sheet import CENTRE, RIGHT, Sheet
from display.typeset import BOLD
from display.view import PlayerView, View


def standings(s: Sheet, box: Box, view: View) -> None:
    """The winner with the largest figures of the screen, then everybody by place."""
    m, t = s.m, s.theme
    s.panel(box)
    inner = box.inset(m.px(1.6), m.px(1.2))
    who = view.players
    marked = any(len(c) > 1 for c in view.curves)
    winners = [p for p in who if p.winner]
    others = sorted((p for p in who if not p.winner), key=lambda p: (p.place or 99, -p.total))
    if winners:
        if m.portrait and others:
            top, inner = inner.cut_left(round(inner.w * 0.46), m.px(1.6))
        else:
            share = 0.46 if len(others) > 3 else 0.6 if others else 1.0
            top, inner = inner.cut_top(round(inner.h * share), m.px(1.2))
        _winner(s, top, winners, [who.index(p) for p in winners] if marked else [])
    if not others:
        return
    lines = len(others)
    high = min(m.px(8), inner.h // lines)
    place_w, pad = m.px(4.2), m.px(1)
    text_h = high - 2 * m.px(0.2)
    mark_w = min(high - m.px(0.8), max(round(m.near_px * 1.25), m.px(4))) if marked else 0
    total_px = typeset.fit_group(
        tuple(s.words.number(p.total) for p in others),
        inner.w // 3,
        text_h,
        face=BOLD,
        most_px=max(m.far_px, min(m.px(5.4), round(text_h * 0.92), s.largest_px)),
        floor_px=m.far_px,
        figures=True,
    )
    total_w = max(typeset.width(BOLD, total_px, s.words.number(p.total)) for p in others) + 2
    size = typeset.fit_group(
        tuple(p.name for p in others),
        inner.w - place_w - mark_w - total_w - 3 * pad,
        text_h,
        most_px=min(m.px(4.6), s.largest_px),
        floor_px=m.near_px,
        lines=2,
        any_char=True,
    )
    for i, player in enumerate(others):
        line = Box(inner.x, inner.y + i * high, inner.w, high).inset(0, m.px(0.2))
        s.fill(Box(line.x, line.y, line.w, m.line_px), t.line, radius=0)
        place, rest = line.cut_left(place_w, pad)
        if marked:
            mark, rest = rest.cut_left(mark_w, pad)
            seat_mark(s, mark.centred(mark_w, mark_w), who.index(player))
        label, number = rest.cut_right(total_w, pad)
        if player.place is not None:
            s.text(place, f"{player.place}.", t.soft, most=size, face=BOLD, align=RIGHT, figures=True, what="place")
        s.text(label, player.name, t.ink, most=size, floor=size, lines=2, any_char=True, what="player")
        s.text(
            number,
            s.words.number(player.total),
            t.ink,
            most=total_px,
            floor=total_px,
            face=BOLD,
            align=RIGHT,
            figures=True,
            what="total",
        )


def _winner(s: Sheet, box: Box, winners: list[PlayerView], seats: list[int]) -> None:
    m, t = s.m, s.theme
    s.fill(box, t.call)
    inner = box.inset(m.px(1.6), m.px(1))
    side = max(round(m.near_px * 1.25), m.px(4))
    for n, seat in enumerate(seats):
        seat_mark(s, Box(inner.x + n * (side + m.px(0.4)), inner.y, side, side), seat)
    head, names, score = inner.rows([0.24, 0.28, 0.48], m.px(0.4))
    word = s.words.winner if len(winners) == 1 else s.words.winners
    fitted = s.measure(Box(0, 0, inner.w - head.h - m.px(1), head.h), word, most=m.px(4.6), face=BOLD)
    block = head.centred(head.h + m.px(1) + fitted.width, head.h)
    mark, label = block.cut_left(head.h, m.px(1))
    s.icon(mark, "crown", t.on_call)
    s.place(label, fitted, t.on_call, what="winner")
    s.text(
        names,
        ", ".join(p.name for p in winners),
        t.on_call,
        most=m.px(7),
        floor=m.near_px,
        face=BOLD,
        lines=2,
        align=CENTRE,
        any_char=True,
        what="name",
    )
    s.text(
        score,
        s.words.number(round(winners[0].total * motion.counted(s.step, motion.COUNT_S))),
        t.on_call,
        most=m.px(18),
        floor=m.far_px,
        face=BOLD,
        align=CENTRE,
        figures=True,
        free=True,
        what="score",
    )


def throws(s: Sheet, box: Box, view: View) -> None:
    """Everybody's throw for the first turn, in the order of the seats; who is out of this round stands back."""
    m, t = s.m, s.theme
    s.panel(box)
    who = view.players
    if not who:
        return
    inner = box.inset(m.px(2), m.px(1.2))
    high = min(m.px(11), inner.h // len(who))
    number_w = m.px(12)
    size = typeset.fit_group(
        tuple(p.name for p in who),
        inner.w - number_w - m.px(4.4),
        high,
        most_px=min(m.px(6), s.largest_px),
        floor_px=m.near_px,
        lines=2,
        any_char=True,
    )
    for n, player in enumerate(who):
        line = Box(inner.x, inner.y + n * high, inner.w, high)
        ink = t.soft if player.away else t.ink
        if player.active:
            s.fill(line.inset(-m.px(0.8), m.px(0.3)), t.raised, radius=m.px(1), edge=t.call, edge_px=max(2, m.px(0.4)))
        elif n:
            s.fill(Box(line.x, line.y, line.w, m.line_px), t.line, radius=0)
        mark, rest = line.cut_left(m.px(3.4), m.px(1))
        if player.active:
            s.icon(mark.centred(m.px(3), m.px(3)), "pointer", t.call)
        elif player.away:
            s.icon(mark.centred(m.px(3), m.px(3)), "barred", t.soft)
        label, number = rest.cut_right(number_w)
        s.text(label, player.name, ink, most=size, floor=size, lines=2, any_char=True, what="player")
        s.text(
            number,
            player.note,
            ink,
            most=min(m.px(8), round(high * 0.8)),
            floor=m.near_px,
            face=BOLD,
            align=RIGHT,
            what="throw",
        )


def curves(s: Sheet, box: Box, view: View) -> None:
    """The total after each turn, a line per player; beside it who is who, the highest line first."""
    m, t = s.m, s.theme
    s.panel(box)
    inner = box.inset(m.px(1.4), m.px(1.2))
    top = max((max(c) for c in view.curves if c), default=1) or 1
    steps = max(len(c) for c in view.curves)
    order = sorted(range(len(view.curves)), key=lambda i: view.curves[i][-1] if view.curves[i] else 0)
    plot = _legend(s, inner, view, list(reversed(order)))
    s.fill(Box(plot.x, plot.bottom - m.line_px, plot.w, m.line_px), t.line, radius=0)
    s.fill(Box(plot.x, plot.y, m.line_px, plot.h), t.line, radius=0)
    wide = max(2.0, m.unit_px * 0.5)
    for i in order:
        points = view.curves[i]
        if points:
            shown = points[: max(1, round(len(points) * motion.counted(s.step, motion.COUNT_S)))]
            at = ((0.0, 1.0), *(((n + 1) / steps, 1 - p / top) for n, p in enumerate(shown)))
            s.ops.append(ops.Curve(plot, at, t.series[i % len(t.series)], wide))


def _legend(s: Sheet, box: Box, view: View, order: list[int]) -> Box:
    """Numbers of seats, with names where there is room for them; gives what is left for the plot."""
    m, t = s.m, s.theme
    size = max(m.near_px, m.px(2.8))
    side = round(size * 1.25)
    pitch = side + m.px(0.4)
    per_column = max(1, box.h // pitch)
    columns = -(-len(order) // per_column)
    names = [view.players[i].name if i < len(view.players) else "" for i in order]
    longest = max(typeset.width(typeset.NARROW, size, typeset.clean(n)) for n in names) + 2
    named = columns == 1 and longest < box.w * 0.34
    wide = side + m.px(0.8) + longest if named else columns * side + (columns - 1) * m.px(0.6)
    plot, area = box.cut_right(wide, m.px(1.4))
    for n, i in enumerate(order):
        column, line = divmod(n, per_column)
        mark = Box(area.x + column * (side + m.px(0.6)), area.y + line * pitch, side, side)
        seat_mark(s, mark, i)
        if named:
            label = Box(mark.right + m.px(0.8), mark.y, longest, side)
            fitted = typeset.fit(names[n], longest, side, face=typeset.NARROW, most_px=size, floor_px=size)
            s.place(label, fitted, t.ink, what="legend")
    return plot


def seat_mark(s: Sheet, box: Box, seat: int) -> None:
    """A player's number in the colour of the player's curve."""
    t = s.theme
    s.fill(box, t.series[seat % len(t.series)], radius=box.h // 2, edge=t.panel, edge_px=max(1, s.m.px(0.3)))
    size = max(s.m.near_px, round(box.h * 0.72))
    s.text(box, str(seat + 1), t.panel, most=size, face=BOLD, align=CENTRE, figures=True, what="seat")
