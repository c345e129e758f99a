"""The card of the player whose turn it is: every box with what is written, what it would pay, and why not.

Room: display. Knows the View's rows and no rule: which lines there are, and in which sections, the View says.
"""

from __future__ import annotations

from display import typeset
from display.layout import Box
from display.sheet import CENTRE, RIGHT, Sheet
from display.typeset import BOLD, TEXT
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
        figures = s.measure(box, str(value), most=m.px(score_units), floor=m.far_px, face=BOLD, figures=True, free=True)
        rest, number = box.cut_right(figures.width + 2, m.px(1.2))
        s.place(number, figures, t.call, align=RIGHT, what="score")
        label = total_row.label if total_row is not None else s.words.total
        fitted = s.measure(Box(0, 0, round(rest.w * 0.4), box.h), label, most=m.px(3.6))
        rest, words = rest.cut_right(fitted.width + 2, m.px(1.2))
        s.place(words, fitted, t.soft, align=RIGHT, what="score_label")
    if active is not None:
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
        min(columns, key=len).append(row)
    return columns


def _sections(s: Sheet, box: Box, rows: tuple[Row, ...]) -> None:
    m = s.m
    columns = _columns(rows, box.w > m.px(50))
    most = max(len(c) for c in columns)
    foot = _Foot.measure(s, box, columns, most)
    if foot.height:
        box, foot_box = box.cut_bottom(foot.height, m.px(0.4))
    high = min(m.px(8.4), box.h // most)
    column_boxes = box.columns([1] * len(columns), m.px(1.6))
    label_px = _label_size(s, column_boxes[0].w, high, rows)
    for column, area in zip(columns, column_boxes, strict=True):
        for i, row in enumerate(column):
            line = Box(area.x, area.y + i * high, area.w, high)
            _row(s, line, row, label_px, foot.height == 0)
    if foot.height and foot.words:
        s.text(foot_box, foot.words, s.theme.soft, most=m.px(3.4), what="why")


class _Foot:
    """Where the reasons do not fit beside the boxes, the chosen box's reason stands alone below them all."""

    def __init__(self, height: int, words: str) -> None:
        self.height = height
        self.words = words

    @staticmethod
    def measure(s: Sheet, box: Box, columns: list[list[Row]], most: int) -> _Foot:
        m = s.m
        width = (box.w - m.px(1.6) * (len(columns) - 1)) // len(columns)
        high = min(m.px(8.4), box.h // most)
        rows = [r for c in columns for r in c]
        size = _label_size(s, width, high, tuple(rows))
        for row in rows:
            if row.why and not _why_fits(s, row, width, high, size):
                words = next((f"{r.label}: {r.why}" for r in rows if r.selected and r.why), "")
                return _Foot(round(m.near_px * 1.3), words)
        return _Foot(0, "")


def _value_width(s: Sheet, high: int) -> int:
    return typeset.width(BOLD, _value_size(s, high), "000") + s.m.px(1.6)


def _value_size(s: Sheet, high: int) -> int:
    return max(s.m.near_px, min(round(high * 0.82), s.m.px(5), max(s.largest_px, s.m.near_px)))


def _label_room(s: Sheet, width: int, high: int) -> int:
    return width - _value_width(s, high) - s.m.px(2.4) - s.m.px(1.4)


def _label_size(s: Sheet, width: int, high: int, rows: tuple[Row, ...]) -> int:
    """One size for the labels of all rows: no larger than leaves the reasons beside them room, if that can be."""
    m = s.m
    room = _label_room(s, width, high)
    labels = tuple(r.label for r in rows)
    size = typeset.fit_group(
        labels,
        room,
        high,
        face=TEXT,
        most_px=min(round(high * 0.8), m.px(4.4), max(s.largest_px, m.near_px)),
        floor_px=m.near_px,
    )
    smaller = size
    while smaller >= max(m.near_px, round(size * 0.7)):
        if all(_why_fits(s, r, width, high, smaller) for r in rows if r.why or r.note):
            return smaller
        smaller -= 1
    return size


def _beside(s: Sheet, row: Row, width: int, high: int, label_px: int) -> Box:
    """The room for a reason between label and value."""
    label = typeset.fit(
        row.label, _label_room(s, width, high), high, face=TEXT, most_px=label_px, floor_px=label_px
    ).width
    return Box(0, 0, _label_room(s, width, high) - label - s.m.px(1.2), high)


def _why_fits(s: Sheet, row: Row, width: int, high: int, label_px: int) -> bool:
    room = _beside(s, row, width, high, label_px)
    if room.w < s.m.px(4):
        return False
    words = row.why or row.note
    return typeset.fit(words, room.w, room.h, face=TEXT, most_px=s.m.near_px, floor_px=s.m.near_px, lines=2).fits


def _row(s: Sheet, box: Box, row: Row, label_px: int, reasons: bool) -> None:
    m, t = s.m, s.theme
    line = box.inset(0, max(0, min(m.px(0.3), (box.h - round(m.near_px * 1.16)) // 2)))
    is_box = row.kind is RowKind.BOX
    open_box = is_box and row.written is None
    if row.selected:
        s.fill(line, t.raised, radius=m.px(0.8), edge=t.call, edge_px=max(2, m.px(0.4)))
    elif open_box and row.offer is not None:
        s.fill(line, t.raised, radius=m.px(0.8))
    elif not is_box:
        s.fill(Box(line.x, box.y, line.w, m.line_px), t.line, radius=0)
    cursor, rest = line.cut_left(m.px(2.4))
    if row.selected:
        s.icon(cursor.inset(m.px(0.4), 0), "pointer", t.call)
    value_w = _value_width(s, box.h)
    rest, value = rest.cut_right(value_w)
    label_w = _label_room(s, box.w, box.h)
    ink = t.ink if open_box or not is_box else t.soft
    face = TEXT
    fitted = typeset.fit(row.label, label_w, line.h, face=face, most_px=label_px, floor_px=label_px)
    s.place(Box(rest.x, line.y, label_w, line.h), fitted, ink, what="label")
    beside = row.why if open_box else row.note
    if not beside:
        beside = row.note
    if beside and (reasons or not open_box):
        room = Box(rest.x + fitted.width + m.px(1.2), line.y, label_w - fitted.width - m.px(1.2), line.h)
        tried = s.measure(room, beside, most=min(m.px(3.2), round(label_px * 0.9)), lines=2)
        if tried.fits:
            s.place(room, tried, t.soft, align=RIGHT, what="why")
    if row.progress is not None:
        track = Box(rest.x, line.bottom - max(2, m.px(0.5)), label_w, max(2, m.px(0.5)))
        s.fill(track, t.line, radius=track.h // 2)
        done = round(track.w * min(1.0, max(0.0, row.progress)))
        s.fill(Box(track.x, track.y, done, track.h), t.good, radius=track.h // 2)
    _value(s, value, row, open_box, line)
    if is_box:
        s.zone(f"row:{row.key}", box)


def _value(s: Sheet, value: Box, row: Row, open_box: bool, line: Box) -> None:
    m, t = s.m, s.theme
    size = _value_size(s, line.h)
    if not open_box:
        if row.written is not None:
            ink = t.ink if row.written or row.kind is not RowKind.BOX else t.soft
            s.text(
                value.inset(m.px(0.8), 0),
                str(row.written),
                ink,
                most=size,
                face=BOLD,
                align=RIGHT,
                figures=True,
                what="value",
            )
        return
    pill = value.inset(m.px(0.3), max(1, round(line.h * 0.06)))
    if row.offer is None:
        if row.why:
            s.icon(value.inset(0, round(line.h * 0.22)), "barred", t.soft)
        return
    if row.best:
        s.fill(pill, t.good, radius=m.px(0.8))
        ink = t.panel
    elif row.offer > 0:
        s.fill(pill, t.panel, radius=m.px(0.8), edge=t.good, edge_px=max(1, m.px(0.3)))
        ink = t.good
    else:
        ink = t.soft
    s.text(pill, str(row.offer), ink, most=size, face=BOLD, align=CENTRE, figures=True, what="value")
