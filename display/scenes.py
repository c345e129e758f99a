"""The scenes: for each a layout of its parts, for wide and for tall screens.

Room: display. Knows the View and no rule. Adding a scene is one function here and one line in `SCENES`.
"""

from __future__ import annotations

from collections.abc import Callable

from display import ops, parts, typeset
from display.card import card
from display.layout import Box, Metrics
from display.sheet import CENTRE, RIGHT, Sheet
from display.theme import Theme
from display.tray import picture, status, strip, tray
from display.typeset import BOLD
from display.view import MenuItem, PlayerView, Scene, View
from display.words import Words


def compose(view: View, metrics: Metrics, theme: Theme, words: Words) -> Sheet:
    """The sheet for `view`: what to paint, and what answers to a touch."""
    sheet = Sheet(metrics, theme, words)
    SCENES[view.scene](sheet, view)
    return sheet


def _frame(s: Sheet, view: View, *, prompt_units: float = parts.PROMPT_UNITS) -> Box:
    """Header, instruction and keys, which every scene has; gives the room between them."""
    box = parts.page(s)
    gap = s.m.gap_px
    head, box = box.cut_top(max(s.m.px(parts.HEADER_UNITS), round(s.m.near_px * 1.25)), gap)
    line, box = box.cut_top(s.m.px(prompt_units * (1.15 if s.m.portrait else 1.0)), gap)
    parts.prompt(s, line, view)
    parts.header(s, head, view)
    high = parts.keys_height(s, view, box.w)
    if high:
        box, low = box.cut_bottom(high, gap)
        parts.keys(s, low, view)
    return box


def _play(s: Sheet, view: View, *, tray_share: float, dice_share: float) -> None:
    m = s.m
    gap = m.gap_px
    box = _frame(s, view)
    high = parts.players_height(s, view)
    if high:
        box, low = box.cut_bottom(high, gap)
        parts.players(s, low, view)
    status_h = max(m.px(6), round(m.near_px * 1.2))
    if m.portrait:
        upper, lower = box.rows([0.42, 0.58], gap)
    else:
        upper, lower = box.columns([tray_share, 1 - tray_share], gap)
    if view.rolls or view.tray.state:
        line, upper = upper.cut_top(status_h, m.px(0.6))
        status(s, line, view)
    tray(s, upper, view, dice_share=dice_share)
    card(s, lower, view)


def turn(s: Sheet, view: View) -> None:
    _play(s, view, tray_share=0.39, dice_share=0.34)


def choose(s: Sheet, view: View) -> None:
    _play(s, view, tray_share=0.39, dice_share=0.34)


def correct(s: Sheet, view: View) -> None:
    """Dice as large as they go: it is their values that are put right."""
    m = s.m
    gap = m.gap_px
    box = _frame(s, view)
    high = parts.players_height(s, view)
    if high and not m.portrait:
        box, low = box.cut_bottom(high, gap)
        parts.players(s, low, view)
    if view.tray.picture is not None:
        shares = [0.45, 0.55]
        upper, lower = box.rows(shares, gap) if m.portrait else box.columns(shares, gap)
        picture(s, upper, view.tray)
    else:
        lower = box
    s.panel(lower)
    dice = view.tray.dice
    if dice:
        lower = lower.inset(m.px(2))
        per_line = len(dice) if lower.w > lower.h * 2.2 or len(dice) <= 3 else 3
        lines = -(-len(dice) // per_line)
        for i, line in enumerate(lower.rows([1] * lines, gap)):
            strip(s, line, dice[i * per_line : (i + 1) * per_line])


def start(s: Sheet, view: View) -> None:
    m = s.m
    box = _frame(s, view)
    left, right = box.rows([0.4, 0.6], m.gap_px) if m.portrait else box.columns([0.42, 0.58], m.gap_px)
    _seats(s, left, view.players)
    _menu(s, right, view.menu)


def _seats(s: Sheet, box: Box, who: tuple[PlayerView, ...]) -> None:
    """Who plays, in the order of the seats; below them a throw of dice, where there is room."""
    m, t = s.m, s.theme
    s.panel(box)
    inner = box.inset(m.px(2), m.px(1.4))
    head, inner = inner.cut_top(m.px(6), m.px(0.6))
    s.text(head, s.words.players, t.soft, most=m.px(4), face=BOLD, what="heading")
    columns = 2 if len(who) > 4 or (m.portrait and len(who) > 2) else 1
    lines = max(4 if not m.portrait else 2, -(-len(who) // columns))
    high = min(m.px(9), inner.h // lines)
    used = high * -(-len(who) // columns)
    area, rest = inner.cut_top(used, m.px(1))
    if who:
        names = tuple(p.name for p in who)
        number_w = m.px(5)
        wide = (inner.w - m.px(1.6) * (columns - 1)) // columns - number_w - m.px(0.8)
        size = typeset.fit_group(
            names,
            wide,
            high,
            most_px=min(m.px(5.4), s.largest_px),
            floor_px=m.near_px,
            lines=2,
            any_char=True,
        )
        column_boxes = area.columns([1] * columns, m.px(1.6))
        per_column = -(-len(who) // columns)
        for i, player in enumerate(who):
            column = column_boxes[i // per_column]
            line = Box(column.x, column.y + (i % per_column) * high, column.w, high)
            mark, label = line.cut_left(number_w, m.px(0.8))
            badge = mark.centred(min(number_w, high) - 2, min(number_w, high) - 2)
            s.fill(badge, t.call if player.active else t.raised, radius=m.px(1))
            s.text(
                badge,
                str(i + 1),
                t.on_call if player.active else t.ink,
                most=m.px(3.6),
                face=BOLD,
                align=CENTRE,
                figures=True,
                what="seat",
            )
            s.text(label, player.name, t.ink, most=size, floor=size, lines=2, any_char=True, what="player")
    side = min(rest.h, m.px(13), (rest.w - 4 * m.px(1.4)) // 5)
    if side >= m.px(6):
        row = rest.centred(side * 5 + 4 * m.px(1.4), side)
        for value, cell in zip((5, 2, 5, 6, 5), row.columns([1] * 5, m.px(1.4)), strict=True):
            s.die(cell, value)


def _menu(s: Sheet, box: Box, items: tuple[MenuItem, ...]) -> None:
    m, t = s.m, s.theme
    s.panel(box)
    if not items:
        return
    inner = box.inset(m.px(1.4))
    high = min(m.px(10), inner.h // len(items))
    arrow = m.px(3)
    pad = m.px(1.6)
    most = min(m.px(5.4), s.largest_px)
    label_w = round((inner.w - 2 * pad - arrow) * 0.52)
    value_w = inner.w - 2 * pad - arrow - label_w - m.px(1) - 2 * arrow
    text_h = high - m.px(0.8)
    size = typeset.fit_group(
        tuple(i.label for i in items if i.value), label_w, text_h, most_px=most, floor_px=m.near_px, lines=2
    )
    size = typeset.fit_group(
        tuple(i.label for i in items if not i.value),
        inner.w - 2 * pad - arrow,
        text_h,
        most_px=size,
        floor_px=m.near_px,
        lines=2,
    )
    size = typeset.fit_group(
        tuple(i.value for i in items if i.value), value_w, text_h, face=BOLD, most_px=size, floor_px=m.near_px, lines=2
    )
    for i, item in enumerate(items):
        line = Box(inner.x, inner.y + i * high, inner.w, high).inset(0, m.px(0.4))
        ink = t.ink
        if item.selected:
            s.fill(line, t.call, radius=m.px(1))
            ink = t.on_call
        row = line.inset(pad, 0)
        mark, row = row.cut_left(arrow)
        if item.selected:
            s.icon(mark.centred(round(arrow * 0.8), round(arrow * 0.8)), "pointer", ink)
        row = row.cut_left(m.px(0.6))[1]
        if item.value:
            label, value = row.cut_left(label_w, m.px(0.4))
            s.text(label, item.label, ink, most=size, floor=size, lines=2, what="menu")
            words = s.measure(Box(0, 0, value_w, value.h), item.value, most=size, floor=size, face=BOLD, lines=2)
            if item.selected:
                value, forth = value.cut_right(arrow, m.px(0.4))
                value, text_box = value.cut_right(words.width + 2)
                _, back = value.cut_right(arrow, m.px(0.4))
                small = round(arrow * 0.7)
                s.icon(forth.centred(small, small), "pointer", ink)
                s.icon(Box(back.x - m.px(0.4), back.y, back.w, back.h).centred(small, small), "back", ink)
            else:
                text_box = value.cut_right(arrow, m.px(0.4))[0]
            s.place(text_box, words, ink, align=RIGHT, what="setting")
        else:
            s.text(row, item.label, ink, most=size, floor=size, lines=2, what="menu")
        s.zone(f"menu:{i}", line)


def result(s: Sheet, view: View) -> None:
    m = s.m
    gap = m.gap_px
    box = _frame(s, view)
    has_curves = any(len(c) > 1 for c in view.curves)
    if m.portrait:
        shares = [0.30, 0.42] + ([0.28] if has_curves else [])
        areas = box.rows(shares, gap)
        _standings(s, areas[0], view.players)
        card(s, areas[1], view, plain=True)
        if has_curves:
            _curves(s, areas[2], view)
        return
    left, right = box.columns([0.36, 0.64], gap)
    _standings(s, left, view.players)
    if has_curves:
        upper, lower = right.rows([0.62, 0.38], gap)
        card(s, upper, view, plain=True)
        _curves(s, lower, view)
    else:
        card(s, right, view, plain=True)


def _standings(s: Sheet, box: Box, who: tuple[PlayerView, ...]) -> None:
    """The winner with the largest figures of the screen, then everybody by place."""
    m, t = s.m, s.theme
    s.panel(box)
    inner = box.inset(m.px(1.6), m.px(1.2))
    winners = [p for p in who if p.winner]
    others = sorted((p for p in who if not p.winner), key=lambda p: (p.place or 99, -p.total))
    if winners:
        share = 0.46 if len(others) > 3 else 0.6 if others else 1.0
        top, inner = inner.cut_top(round(inner.h * share), m.px(1.2))
        _winner(s, top, winners)
    if not others:
        return
    lines = len(others)
    high = min(m.px(8), inner.h // lines)
    place_w, pad = m.px(5), m.px(1)
    total_px = typeset.fit_group(
        tuple(str(p.total) for p in others),
        inner.w // 3,
        high - m.px(0.4),
        face=BOLD,
        most_px=min(m.px(5.4), s.largest_px),
        floor_px=m.near_px,
        figures=True,
    )
    total_w = max(typeset.width(BOLD, total_px, str(p.total)) for p in others) + 2
    size = typeset.fit_group(
        tuple(p.name for p in others),
        inner.w - place_w - total_w - 2 * pad,
        high - m.px(0.4),
        most_px=min(m.px(4.6), s.largest_px),
        floor_px=m.near_px,
        lines=2,
        any_char=True,
    )
    for i, player in enumerate(others):
        line = Box(inner.x, inner.y + i * high, inner.w, high).inset(0, m.px(0.2))
        s.fill(Box(line.x, line.y, line.w, m.line_px), t.line, radius=0)
        place, rest = line.cut_left(place_w, pad)
        label, number = rest.cut_right(total_w, pad)
        if player.place is not None:
            s.text(place, f"{player.place}.", t.soft, most=size, face=BOLD, align=RIGHT, figures=True, what="place")
        s.text(label, player.name, t.ink, most=size, floor=size, lines=2, any_char=True, what="player")
        s.text(
            number,
            str(player.total),
            t.ink,
            most=total_px,
            floor=total_px,
            face=BOLD,
            align=RIGHT,
            figures=True,
            what="total",
        )


def _winner(s: Sheet, box: Box, winners: list[PlayerView]) -> None:
    m, t = s.m, s.theme
    s.fill(box, t.call)
    inner = box.inset(m.px(1.6), m.px(1))
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
        str(winners[0].total),
        t.on_call,
        most=m.px(18),
        floor=m.far_px,
        face=BOLD,
        align=CENTRE,
        figures=True,
        free=True,
        what="score",
    )


def _curves(s: Sheet, box: Box, view: View) -> None:
    """The total after each turn, a line per player, each with the player's seat number at its end."""
    m, t = s.m, s.theme
    s.panel(box)
    inner = box.inset(m.px(1.4), m.px(1.2))
    size = max(m.near_px, m.px(2.6))
    badge = round(size * 1.3)
    plot, ends = inner.cut_right(_legend_width(s, view, size, badge), m.px(1))
    top = max((max(c) for c in view.curves if c), default=1) or 1
    steps = max(len(c) for c in view.curves)
    s.fill(Box(plot.x, plot.bottom - m.line_px, plot.w, m.line_px), t.line, radius=0)
    s.fill(Box(plot.x, plot.y, m.line_px, plot.h), t.line, radius=0)
    wide = max(2.0, m.unit_px * 0.5)
    order = sorted(range(len(view.curves)), key=lambda i: view.curves[i][-1] if view.curves[i] else 0)
    for i in order:
        points = view.curves[i]
        if not points:
            continue
        at = ((0.0, 1.0), *(((n + 1) / steps, 1 - p / top) for n, p in enumerate(points)))
        s.ops.append(ops.Curve(plot, at, t.series[i % len(t.series)], wide))
    lines = len(order)
    high = min(round(size * 1.5), inner.h // max(1, lines))
    for n, i in enumerate(reversed(order)):
        line = Box(ends.x, ends.y + n * high, ends.w, high)
        mark, label = line.cut_left(badge, m.px(0.6))
        dot = min(badge, high)
        colour = t.series[i % len(t.series)]
        s.fill(mark.centred(dot, dot), colour, radius=dot // 2)
        seat = typeset.fit(str(i + 1), dot, dot, face=BOLD, most_px=m.near_px, floor_px=m.near_px, figures=True)
        s.place(mark.centred(dot, dot), seat, t.panel, align=CENTRE, what="seat")
        if i < len(view.players) and label.w > m.px(4):
            s.text(label, view.players[i].name, t.ink, most=size, any_char=True, what="legend")


def _legend_width(s: Sheet, view: View, size: int, badge: int) -> int:
    names = [p.name for p in view.players[: len(view.curves)]]
    longest = max((typeset.width(typeset.NARROW, size, typeset.clean(n)) for n in names), default=0)
    return badge + s.m.px(0.6) + longest + 2


def fault(s: Sheet, view: View) -> None:
    m, t = s.m, s.theme
    gap = m.gap_px
    box = parts.page(s)
    head, box = box.cut_top(max(m.px(parts.HEADER_UNITS), round(m.near_px * 1.25)), gap)
    high = parts.keys_height(s, view, box.w)
    low = None
    if high:
        box, low = box.cut_bottom(high, gap)
    s.fill(box, t.panel, edge=t.alarm, edge_px=max(2, m.px(0.8)))
    inner = box.inset(m.px(4), m.px(3))
    side = min(inner.h, inner.w) // 3 if m.portrait else round(min(inner.h, inner.w) * 0.42)
    mark, words = inner.cut_top(side, m.px(2)) if m.portrait else inner.cut_left(side, m.px(4))
    s.icon(mark if m.portrait else mark.centred(side, side), "warn", t.alarm)
    text_rows = words.rows([0.16, 0.44, 0.4], m.px(1))
    code_box, prompt_box, rest = text_rows
    prompt = s.text(
        prompt_box, view.prompt, t.ink, most=m.px(10), floor=m.far_px, face=BOLD, lines=3, free=True, what="prompt"
    )
    if prompt is not None:
        s.largest_px = prompt.size_px
    code = view.message.code if view.message is not None else ""
    s.text(code_box, code, t.alarm, most=m.px(6), face=BOLD, what="code")
    details = [d for d in ((view.message.words if view.message is not None else ""), view.detail) if d]
    if details:
        for area, line in zip(rest.rows([1] * len(details), m.px(1)), details, strict=True):
            s.text(area, line, t.soft, most=m.px(4.6), lines=4, what="detail")
    parts.header(s, head, view)
    if low is not None:
        parts.keys(s, low, view)


SCENES: dict[Scene, Callable[[Sheet, View], None]] = {
    Scene.START: start,
    Scene.TURN: turn,
    Scene.CHOOSE: choose,
    Scene.CORRECT: correct,
    Scene.RESULT: result,
    Scene.FAULT: fault,
}
