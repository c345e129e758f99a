"""The scenes: for each a layout of its parts, for wide and for tall screens.

Room: display. Knows the View and no rule. Adding a scene is one function here and one line in `SCENES`.
"""

from __future__ import annotations

from collections.abc import Callable

from display import attract as inviting
from display import forms, lists, parts, typeset
from display.card import card, card_height
from display.layout import Box, Metrics
from display.motion import STILL
from display.result import curves, standings, throws
from display.sheet import CENTRE, RIGHT, Sheet
from display.theme import Theme
from display.tray import grid, picture, status, tray
from display.typeset import BOLD
from display.view import MenuItem, Scene, View
from display.words import Words


def compose(view: View, metrics: Metrics, theme: Theme, words: Words, step: int = STILL) -> Sheet:
    """The sheet for `view` at a step of its movements: what to paint, and what answers to a touch."""
    sheet = Sheet(metrics, theme, words, step)
    SCENES[view.scene](sheet, view)
    return sheet.finish()


def _frame(s: Sheet, view: View, *, title: bool = True) -> Box:
    """Header, instruction and keys, which every scene has; gives the room between them."""
    box = parts.page(s)
    gap = s.m.gap_px
    head, box = box.cut_top(parts.header_height(s, view, box.w), gap)
    line, box = box.cut_top(parts.prompt_height(s), gap)
    parts.prompt(s, line, view)
    parts.header(s, head, view, title=title)
    high = parts.keys_height(s, view, box.w)
    if high:
        box, low = box.cut_bottom(high, gap)
        parts.keys(s, low, view)
    return box


MANY_ROWS = 20
"""A card with more lines than this takes room from the tray on the smallest screens."""


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
        upper, lower = box.cut_bottom(max(round(box.h * 0.54), card_height(s, view, box.w)), gap)
    else:
        if len(view.rows) > MANY_ROWS and min(m.width, m.height) < 400:
            tray_share = 0.3
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
        grid(s, lower, dice)


def start(s: Sheet, view: View) -> None:
    m = s.m
    box = _frame(s, view, title=False)
    left, right = box.rows([0.4, 0.6], m.gap_px) if m.portrait else box.columns([0.42, 0.58], m.gap_px)
    _seats(s, left, view)
    _menu(s, right, view.menu)


def _seats(s: Sheet, box: Box, view: View) -> None:
    """The game's name, who plays in the order of the seats, and a throw of dice where there is room."""
    m, t = s.m, s.theme
    who = view.players
    s.panel(box)
    inner = box.inset(m.px(2), m.px(1.4))
    head, inner = inner.cut_top(m.px(9), m.px(0.6))
    s.text(head, view.title, t.call, most=m.px(8), face=BOLD, what="title")
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

    def upper(box: Box) -> None:
        """The winner's card; after a match of several games, the standing of all."""
        if view.grid is not None:
            lists.grid(s, box, view.grid)
        else:
            card(s, box, view, plain=True)

    if m.portrait:
        shares = [0.30, 0.42] + ([0.28] if has_curves else [])
        areas = box.rows(shares, gap)
        standings(s, areas[0], view)
        upper(areas[1])
        if has_curves:
            curves(s, areas[2], view)
        return
    left, right = box.columns([0.36, 0.64], gap)
    standings(s, left, view)
    if has_curves:
        top, low = right.rows([0.66, 0.34], gap)
        upper(top)
        curves(s, low, view)
    else:
        upper(right)


def fault(s: Sheet, view: View) -> None:
    m, t = s.m, s.theme
    gap = m.gap_px
    box = parts.page(s)
    head, box = box.cut_top(parts.header_height(s, view, box.w), gap)
    high = parts.keys_height(s, view, box.w)
    low = None
    if high:
        box, low = box.cut_bottom(high, gap)
    s.fill(box, t.panel, edge=t.alarm, edge_px=max(2, m.px(0.8)))
    inner = box.inset(m.px(4), m.px(3))
    side = min(inner.h, inner.w) // 3 if m.portrait else round(min(inner.h, inner.w) * 0.42)
    mark, words = inner.cut_top(side, m.px(2)) if m.portrait else inner.cut_left(side, m.px(4))
    s.icon(mark if m.portrait else mark.centred(side, side), "warn", t.alarm)
    code = view.message.code if view.message is not None else ""
    details = [d for d in ((view.message.words if view.message is not None else ""), view.detail) if d]
    areas = words.rows([0.14, 0.40, *[0.46 / max(1, len(details))] * len(details)], m.px(1))
    prompt = s.text(
        areas[1], view.prompt, t.ink, most=m.px(10), floor=m.far_px, face=BOLD, lines=3, free=True, what="prompt"
    )
    if prompt is not None:
        s.largest_px = prompt.size_px
    s.text(areas[0], code, t.alarm, most=m.px(6), face=BOLD, what="code")
    for area, line in zip(areas[2:], details, strict=True):
        s.text(area, line, t.soft, most=m.px(5), lines=4, what="detail")
    parts.header(s, head, view)
    if low is not None:
        parts.keys(s, low, view)


def attract(s: Sheet, view: View) -> None:
    inviting.invitation(s, _frame(s, view, title=False), view)


def menu(s: Sheet, view: View) -> None:
    """A list, beside the tray's picture where the view speaks of the tray."""
    m = s.m
    box = _frame(s, view)
    if view.tray.picture is not None and (view.tray.state or view.tray.dice):
        left, box = box.rows([0.4, 0.6], m.gap_px) if m.portrait else box.columns([0.4, 0.6], m.gap_px)
        picture(s, left, view.tray)
    lists.menu(s, box, view.menu)


def page(s: Sheet, view: View) -> None:
    lists.page(s, _frame(s, view), view.paragraphs, view.at)


def name(s: Sheet, view: View) -> None:
    """A name letter by letter; beside it who has one already."""
    m = s.m
    box = _frame(s, view)
    if view.players:
        box, low = box.cut_bottom(parts.players_height(s, view), m.gap_px)
        parts.players(s, low, view, totals=False)
    if view.form is not None:
        forms.form(s, box, view.form)


def grid_scene(s: Sheet, view: View) -> None:
    box = _frame(s, view)
    if view.grid is not None:
        lists.grid(s, box, view.grid, view.at)
    else:
        s.panel(box)


def rolloff(s: Sheet, view: View) -> None:
    """The tray, and beside it everybody's throw for the first turn."""
    m = s.m
    box = _frame(s, view)
    left, right = box.rows([0.5, 0.5], m.gap_px) if m.portrait else box.columns([0.5, 0.5], m.gap_px)
    tray(s, left, view)
    throws(s, right, view)


SCENES: dict[Scene, Callable[[Sheet, View], None]] = {
    Scene.ATTRACT: attract,
    Scene.MENU: menu,
    Scene.PAGE: page,
    Scene.NAME: name,
    Scene.GRID: grid_scene,
    Scene.ROLLOFF: rolloff,
    Scene.START: start,
    Scene.TURN: turn,
    Scene.CHOOSE: choose,
    Scene.CORRECT: correct,
    Scene.RESULT: result,
    Scene.FAULT: fault,
}
