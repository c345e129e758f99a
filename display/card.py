"""The card of the player whose turn it is: every box with what is written, what it would pay, and why not.

Room: display. Knows the View's rows and no rule: which lines there are, and in which sections, the View says.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from display import typeset
from display.layout import Box
from display.sheet import CENTRE, RIGHT, Sheet
from display.typeset import BOLD, TEXT, Fitted
from display.view import Row, RowKind, View


def card(s: Sheet, box: Box, view: View, *, score_units: float = 11.0, plain: bool = False) -> None:
    """Name and total on top, sections side by side below. `plain` leaves name and total out."""
    m = s.m
    s.panel(box)
    inner = box.inset(m.px(1.2), m.px(0.9))
    rows = view.rows
    if not plain:
        head, inner = inner.cut_top(round(m.px(score_units) * 0.86), m.px(0.5))
        rows = _head(s, head, view, score_units)
    if rows:
        _sections(s, inner, rows)


def card_height(s: Sheet, view: View, width: int, *, score_units: float = 11.0) -> int:
    """The least height in which the card of `view` can be read where it is `width` pixels wide."""
    m = s.m
    rows = tuple(r for r in view.rows if r.kind is not RowKind.TOTAL)
    columns = _split(s, width, _columns(rows, False), 12) if rows else []
    lines = max((len(c) for c in columns), default=0)
    line_h = -int(-m.near_px * typeset.INK_EM // 1)
    return 2 * m.px(0.9) + round(m.px(score_units) * 0.86) + m.px(0.9) + lines * line_h + round(m.near_px * 1.3)


def _head(s: Sheet, box: Box, view: View, score_units: float) -> tuple[Row, ...]:
    """Name and total; gives the rows that are left. The line of the total moves up here, where it is largest."""
    m, t = s.m, s.theme
    active = next((p for p in view.players if p.active or p.winner), None) or (
        view.players[0] if len(view.players) == 1 else None
    )
    totals = [r for r in view.rows if r.kind is RowKind.TOTAL]
    total_row = totals[0] if len(totals) == 1 else None
    value = total_row.written if total_row is not None else active.total if active is not None else None
    rest = box
    if value is not None:
        figures = s.measure(
            box, s.words.number(value), most=m.px(score_units), floor=m.far_px, face=BOLD, figures=True, free=True
        )
        rest, number = box.cut_right(figures.width + 2, m.px(1.2))
        s.place(number, figures, t.call, align=RIGHT, what="score")
        label = total_row.label if total_row is not None else s.words.total
        fitted = s.measure(Box(0, 0, round(rest.w * 0.4), box.h), label, most=m.px(3.6))
        rest, words = rest.cut_right(fitted.width + 2, m.px(1.2))
        s.place(words, fitted, t.soft, align=RIGHT, what="score_label")
    if active is not None:
        name_box, below = rest.cut_bottom(max(round(m.near_px * 1.25), round(box.h * 0.34)))
        # Where there is no room for both, the name is what counts.
        if active.note and s.measure(name_box, active.name, most=m.far_px, floor=m.far_px, face=BOLD).fits:
            rest = name_box
            s.text(below, active.note, t.soft, most=m.px(3.6), what="note")
        s.text(rest, active.name, t.ink, most=m.px(6.6), floor=m.far_px, face=BOLD, lines=2, any_char=True, what="name")
    return tuple(r for r in view.rows if r is not total_row)


def _columns(rows: tuple[Row, ...], wide: bool) -> list[list[Row]]:
    """Rows by section; those of no section go to the end of the shortest column; one long section is halved."""
    sections: dict[str, list[Row]] = {}
    for row in rows:
        if row.section:
            sections.setdefault(row.section, []).append(row)
    loose = [r for r in rows if not r.section]
    columns = list(sections.values())
    if not columns:
        columns = [loose]
        loose = []
    if len(columns) == 1 and len(columns[0]) > 8 and wide:
        half = -(-len(columns[0]) // 2)
        columns = [columns[0][:half], columns[0][half:]]
    for row in loose:
        min(reversed(columns), key=len).append(row)
    return columns


@dataclass(frozen=True, slots=True)
class _Grid:
    """The measures that all lines of a card share. `reasons`: every reason has room beside its box. `values`: how many
    columns of values there are, each `value_w` wide."""

    width: int
    high: int
    value_px: int
    value_w: int
    label_px: int
    reasons: bool
    values: int = 1

    def label_room(self, s: Sheet) -> int:
        """Between cursor and values."""
        return self.width - self.value_w * self.values - s.m.px(2.4) - s.m.px(1.4)


def _sections(s: Sheet, box: Box, rows: tuple[Row, ...]) -> None:
    m = s.m
    columns = _columns(rows, box.w > m.px(50))
    columns = _split(s, box.w, columns, box.h // -int(-m.near_px * typeset.INK_EM // 1))
    most = max(len(c) for c in columns)
    gap = m.px(1.6)
    width = (box.w - gap * (len(columns) - 1)) // len(columns)
    grid = _grid(s, width, box.h, most, rows)
    chosen = next((part for r in rows for part in (r, *r.others) if part.selected), None)
    if not grid.reasons and chosen is not None:
        # Where not all reasons fit, the chosen box's stands below them all.
        box, foot = box.cut_bottom(round(m.near_px * 1.3), m.px(0.4))
        grid = _grid(s, width, box.h, most, rows)
        if chosen.why and not _why_fits(s, chosen, grid):
            words = f"{chosen.label}: {chosen.why}"
            s.text(foot, words, s.theme.soft, most=m.px(3.4), floor=m.fine_px, what="why")
    for column, area in zip(columns, box.columns([1] * len(columns), gap), strict=True):
        for i, row in enumerate(column):
            _row(s, Box(area.x, area.y + i * grid.high, area.w, grid.high), row, grid)


def _split(s: Sheet, width: int, columns: list[list[Row]], most: int) -> list[list[Row]]:
    """The same columns, the longest of them halved while one has more than `most` lines and there is room beside."""
    columns = list(columns)
    while max(len(c) for c in columns) > most and width >= s.m.px(26) * (len(columns) + 1):
        longest = max(columns, key=len)
        at, half = columns.index(longest), -(-len(longest) // 2)
        columns[at : at + 1] = [longest[:half], longest[half:]]
    return columns


def _grid(s: Sheet, width: int, height: int, most_rows: int, rows: tuple[Row, ...]) -> _Grid:
    """One size for the labels of all rows: no larger than leaves the reasons beside them room, if that can be."""
    m = s.m
    sums_only = all(r.kind is not RowKind.BOX for r in rows)
    high = min(m.px(12 if sums_only else 8.4), height // most_rows)
    largest = max(s.largest_px, m.near_px)
    value_px = max(m.near_px, min(round(high * 0.82), m.px(7 if sums_only else 5), largest))
    parts = [part for r in rows for part in (r, *r.others)]
    values = max(1 + len(r.others) for r in rows)
    digits = max(3, *(len(s.words.number(v)) for r in parts for v in (r.written, r.offer) if v is not None), 3)
    value_w = typeset.width(BOLD, value_px, "0" * digits) + m.px(1.6)
    grid = _Grid(width, high, value_px, value_w, m.near_px, True, values)
    label_px = typeset.fit_group(
        tuple(r.label for r in rows),
        grid.label_room(s),
        high,
        face=TEXT,
        most_px=max(m.near_px, min(round(high * 0.8), m.px(5.4 if sums_only else 4.4), largest)),
        floor_px=m.near_px,
    )
    if values > 1:
        return dataclasses.replace(grid, label_px=label_px, reasons=False)
    for smaller in range(label_px, max(m.near_px, round(label_px * 0.7)) - 1, -1):
        tried = dataclasses.replace(grid, label_px=smaller)
        if all(_why_fits(s, r, tried) for r in rows if r.why):
            return tried
    return dataclasses.replace(grid, label_px=label_px, reasons=False)


def _label(s: Sheet, row: Row, grid: _Grid) -> Fitted:
    return typeset.fit(
        row.label, grid.label_room(s), grid.high, face=TEXT, most_px=grid.label_px, floor_px=grid.label_px
    )


def _why_fits(s: Sheet, row: Row, grid: _Grid) -> bool:
    room = grid.label_room(s) - _label(s, row, grid).width - s.m.px(1.2)
    fine = s.m.fine_px
    return (
        room >= s.m.px(4)
        and typeset.fit(row.why, room, grid.high, face=TEXT, most_px=fine, floor_px=fine, lines=2).fits
    )


def _row(s: Sheet, box: Box, row: Row, grid: _Grid) -> None:
    m, t = s.m, s.theme
    line = box.inset(0, max(0, min(m.px(0.3), (box.h - round(m.near_px * 1.16)) // 2)))
    is_box = row.kind is RowKind.BOX
    parts = (row, *row.others)
    open_box = is_box and any(p.written is None for p in parts)
    selected = any(p.selected for p in parts)
    if row.selected and not row.others:
        s.fill(line, t.raised, radius=m.px(0.8), edge=t.call, edge_px=max(2, m.px(0.4)))
    elif open_box and any(p.offer is not None for p in parts):
        s.fill(line, t.raised, radius=m.px(0.8))
    elif not is_box:
        s.fill(Box(line.x, box.y, line.w, m.line_px), t.line, radius=0)
    cursor, rest = line.cut_left(m.px(2.4))
    if selected:
        s.icon(cursor.inset(m.px(0.4), 0), "pointer", t.call)
    rest, value = rest.cut_right(grid.value_w * grid.values)
    room = grid.label_room(s)
    label = _label(s, row, grid)
    barred = open_box and all(p.offer is None and bool(p.why) for p in parts)
    ink = t.soft if barred or (is_box and not open_box) else t.ink
    s.place(Box(rest.x, box.y, room, box.h), label, ink, what="label")
    beside = (open_box and not row.others and row.why) or row.note
    used = label.width + _chips(s, Box(rest.x + label.width + m.px(1), box.y, room - label.width, box.h), row, grid)
    if beside:
        free = Box(rest.x + used + m.px(1.2), box.y, room - used - m.px(1.2), box.h)
        words = s.measure(free, beside, most=min(m.px(3.2), round(grid.label_px * 0.9)), floor=m.fine_px, lines=2)
        if words.fits:
            s.place(free, words, t.soft, align=RIGHT, what="why")
    if row.progress is not None:
        thick = max(2, m.px(0.5))
        left = rest.x + label.width + m.px(1.2)
        track = Box(left, line.bottom - thick, rest.x + room - left, thick)
        s.fill(track, t.line, radius=thick // 2)
        done = round(track.w * min(1.0, max(0.0, row.progress)))
        s.fill(Box(track.x, track.y, done, thick), t.good, radius=thick // 2)
    for part, place in zip(parts, value.columns([1] * grid.values), strict=False):
        if part.selected and row.others:
            s.fill(place, t.ground, radius=m.px(0.8), edge=t.call, edge_px=max(2, m.px(0.5)))
        _value(s, place, part, is_box and part.written is None, line, grid.value_px)
        if is_box:
            zone = box if not row.others else Box(place.x, box.y, place.w, box.h)
            s.zone(f"row:{part.key}", zone)


def _chips(s: Sheet, box: Box, row: Row, grid: _Grid) -> int:
    """Counters for the bonuses of a box, as many as there are; gives how wide they are."""
    m, t = s.m, s.theme
    side = min(round(grid.label_px * 0.62), box.h - 2)
    shown = min(row.chips, 5, box.w // max(1, side + m.px(0.3)))
    for n in range(shown):
        s.disc((box.x + side / 2 + n * (side + m.px(0.3)), box.y + box.h / 2), side, t.good)
        s.disc((box.x + side / 2 + n * (side + m.px(0.3)), box.y + box.h / 2), round(side * 0.5), t.panel)
    return shown * (side + m.px(0.3)) + (m.px(1) if shown else 0)


def _value(s: Sheet, value: Box, row: Row, open_box: bool, line: Box, size: int) -> None:
    """What is written, or in a frame what the dice would pay; the best offer is filled, an impossible one barred."""
    m, t = s.m, s.theme
    if not open_box:
        if row.written is not None:
            ink = t.ink if row.written or row.kind is not RowKind.BOX else t.soft
            room = value.inset(m.px(0.8), 0)
            s.text(
                room, s.words.number(row.written), ink, most=size, face=BOLD, align=RIGHT, figures=True, what="value"
            )
        return
    if row.offer is None:
        if row.why:
            s.icon(value.inset(0, round(line.h * 0.22)), "barred", t.soft)
        return
    pill = value.inset(m.px(0.3), max(1, round(line.h * 0.06)))
    ink = t.soft
    if row.best:
        s.fill(pill, t.good, radius=m.px(0.8))
        ink = t.panel
    elif row.offer > 0:
        s.fill(pill, t.panel, radius=m.px(0.8), edge=t.good, edge_px=max(1, m.px(0.3)))
        ink = t.good
    s.text(pill, s.words.number(row.offer), ink, most=size, face=BOLD, align=CENTRE, figures=True, what="value")
