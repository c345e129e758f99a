"""Lists, pages and tables: what stands around a game, from the choice of one to the rules and the leaderboard.

Room: display. Knows the View and no rule. Lists that are longer than the screen show the part around the marked line;
arrows say that there is more.
"""

from __future__ import annotations

from display import typeset
from display.layout import Box
from display.sheet import RIGHT, Sheet
from display.theme import Colour
from display.typeset import BOLD, TEXT
from display.view import GridView, MenuItem

VALUE_SHARE = 0.36
"""How much of a line its setting takes."""
LABEL_LINES = 4


def window(count: int, fits: int, marked: int) -> range:
    """Which of `count` lines to show where `fits` have room, so that line `marked` is among them."""
    if count <= fits:
        return range(count)
    first = min(max(0, marked - fits // 2), count - fits)
    return range(first, first + fits)


def menu(s: Sheet, box: Box, items: tuple[MenuItem, ...]) -> None:
    """Lines with a picture and two lines of words each; the marked one is filled and pointed at."""
    m = s.m
    s.panel(box)
    if not items:
        return
    inner = box.inset(m.px(1.4), m.px(1.2))
    tall = any(i.more or i.dice for i in items)
    least = _least_high(s, tall, inner.w, items)
    fits = max(1, inner.h // least)
    marked = next((n for n, i in enumerate(items) if i.selected), 0)
    if len(items) > fits:
        # Room for the arrows, above and below.
        fits = max(1, (inner.h - 2 * m.px(3)) // least)
    shown = window(len(items), fits, marked)
    if len(shown) < len(items):
        inner = _arrows(s, inner, shown.start > 0, shown.stop < len(items))
    high = min(max(m.px(15 if tall else 10), least), inner.h // len(shown))
    sizes = _menu_sizes(s, inner.w, high, items)
    for n, at in enumerate(shown):
        line = Box(inner.x, inner.y + n * high, inner.w, high).inset(0, m.px(0.4))
        _menu_line(s, line, items[at], sizes)
        s.zone(f"menu:{at}", line)


def _least_high(s: Sheet, tall: bool, width: int, items: tuple[MenuItem, ...]) -> int:
    """The least height of a line: for as many lines of words as the labels need, or for a large and small ones."""
    m = s.m
    if not tall:
        room = width - 2 * m.px(1.6) - m.px(4)
        rooms = {True: room - round(room * VALUE_SHARE) - m.px(0.8), False: room}
        lines = max(_lines_of(s, i.label, rooms[bool(i.value)]) for i in items)
        size = _label_px(s)
        return max(round(size * (1.3 + typeset.PITCH_EM * (lines - 1))) + m.px(1.6), m.px(6))
    return max(
        round(m.near_px * (2 * typeset.INK_EM + typeset.PITCH_EM * (_more_lines(s) - 1))) + m.px(2) + 4, m.px(11)
    )


def _arrows(s: Sheet, box: Box, more_above: bool, more_below: bool) -> Box:
    """Arrows where there is more; gives what is left between them."""
    m, t = s.m, s.theme
    above, rest = box.cut_top(m.px(2.4), m.px(0.6))
    rest, below = rest.cut_bottom(m.px(2.4), m.px(0.6))
    if more_above:
        s.icon(above, "up", t.call)
    if more_below:
        s.icon(below, "down", t.call)
    return rest


def _picture_w(s: Sheet, items: tuple[MenuItem, ...], high: int) -> int:
    most = max((len(i.dice) for i in items), default=0)
    if most:
        return round(min(high * 0.5, s.m.px(3.6 if s.m.portrait else 5)) * 1.15) * min(3, most)
    return round(high * 0.7) if any(i.icon for i in items) else 0


def _menu_sizes(s: Sheet, width: int, high: int, items: tuple[MenuItem, ...]) -> tuple[int, int, int, int]:
    """(width of the picture, size of labels, size of second lines, width of the settings), the same for all lines."""
    m = s.m
    picture = _picture_w(s, items, high)
    room = width - 2 * m.px(1.6) - m.px(4) - (picture + m.px(1.6) if picture else 0)
    two = any(i.more for i in items)
    text_h = high - 2 * m.px(0.8)
    label_h = _label_high(s, text_h) if two else text_h
    values = tuple(i.value for i in items if i.value)
    value_w = round(room * VALUE_SHARE) if values else 0
    most = min(m.px(5.4), s.largest_px)
    size = most
    for texts, wide, face in (
        (tuple(i.label for i in items if i.value), room - value_w - m.px(0.8), BOLD),
        (tuple(i.label for i in items if not i.value), room, BOLD),
        (values, value_w - 2 * m.px(3.6), BOLD),
    ):
        if texts:
            size = typeset.fit_group(
                texts, wide, label_h, face=face, most_px=size, floor_px=m.near_px, lines=1 if two else LABEL_LINES
            )
    second = typeset.fit_group(
        tuple(i.more for i in items if i.more),
        room,
        text_h - label_h,
        most_px=max(m.near_px, min(round(size * 0.8), m.px(3.8))),
        floor_px=m.near_px,
        lines=_more_lines(s),
    )
    return picture, size, second, value_w


def _lines_of(s: Sheet, text: str, width: int) -> int:
    """How many lines, up to LABEL_LINES, `text` takes at the smallest size."""
    size = _label_px(s)
    for lines in range(1, LABEL_LINES):
        if typeset.fit(text, width, 10_000, face=BOLD, most_px=size, floor_px=size, lines=lines).fits:
            return lines
    return LABEL_LINES


def _label_px(s: Sheet) -> int:
    """The least size of labels, where there is a choice: a list that scrolls can be large."""
    return s.m.near_px if min(s.m.width, s.m.height) < 400 else round(s.m.near_px * 1.5)


def _more_lines(s: Sheet) -> int:
    """How many small lines a line has under its large one: a tall screen is narrow."""
    return 3 if s.m.portrait else 2


def _label_high(s: Sheet, high: int) -> int:
    return max(round(high * 0.4), round(s.m.near_px * typeset.INK_EM) + 1)


def _menu_line(s: Sheet, line: Box, item: MenuItem, sizes: tuple[int, int, int, int]) -> None:
    m, t = s.m, s.theme
    picture_w, size, second, value_w = sizes
    ink, soft = (t.ink, t.soft) if item.enabled else (t.soft, t.soft)
    if item.selected:
        s.fill(line, t.call, radius=m.px(1))
        ink = soft = t.on_call
    row = line.inset(m.px(1.6), m.px(0.4))
    mark, row = row.cut_left(m.px(3), m.px(0.6))
    if item.selected:
        s.icon(mark.centred(m.px(2.6), m.px(2.6)), "pointer", ink)
    elif not item.enabled:
        s.icon(mark.centred(m.px(2.6), m.px(2.6)), "barred", t.soft)
    if picture_w:
        place, row = row.cut_left(picture_w, m.px(1.6))
        _emblem(s, place, item, ink)
    if item.more:
        upper, lower = row.cut_top(_label_high(s, row.h))
        s.text(lower, item.more, soft, most=second, lines=_more_lines(s), what="more")
    else:
        upper = row
    lines = 1 if item.more else LABEL_LINES
    if not item.value:
        s.text(upper, item.label, ink, most=size, floor=min(size, m.near_px), face=BOLD, lines=lines, what="menu")
        return
    label, value = upper.cut_right(value_w, m.px(0.6))
    s.text(label, item.label, ink, most=size, floor=min(size, m.near_px), face=BOLD, lines=lines, what="menu")
    if item.selected:
        value, forth = value.cut_right(m.px(3), m.px(0.6))
        small = m.px(2.2)
        s.icon(forth.centred(small, small), "pointer", ink)
        fitted = s.measure(
            Box(0, 0, value.w - m.px(3.6), value.h),
            item.value,
            most=size,
            floor=min(size, m.near_px),
            face=BOLD,
            lines=lines,
        )
        value, text_box = value.cut_right(fitted.width + 2)
        s.icon(value.cut_right(m.px(3.2))[1].centred(small, small), "back", ink)
        s.place(text_box, fitted, ink, align=RIGHT, what="setting")
        return
    text_box = value.cut_right(m.px(3.6))[0]
    s.text(
        text_box,
        item.value,
        ink,
        most=size,
        floor=min(size, m.near_px),
        face=BOLD,
        lines=lines,
        align=RIGHT,
        what="setting",
    )


def _emblem(s: Sheet, box: Box, item: MenuItem, ink: Colour) -> None:
    """The picture of a line: a few dice, or an icon."""
    if item.dice:
        per_line = min(3, len(item.dice))
        lines = -(-len(item.dice) // per_line)
        side = min(box.w // per_line, box.h // lines)
        cell = round(side * 0.88)
        left, top = box.x + (box.w - side * per_line) // 2, box.y + (box.h - side * lines) // 2
        for n, value in enumerate(item.dice):
            row, column = divmod(n, per_line)
            shift = (per_line - min(per_line, len(item.dice) - row * per_line)) * side // 2
            s.die(Box(left + column * side + shift, top + row * side, cell, cell), value)
    elif item.icon:
        s.icon(box, item.icon, ink)


def page(s: Sheet, box: Box, paragraphs: tuple[str, ...], at: int) -> None:
    """As many whole paragraphs from number `at` on as have room, in one size, and how far this is."""
    m, t = s.m, s.theme
    s.panel(box)
    if not paragraphs:
        return
    inner = box.inset(m.px(2.4), m.px(1.6))
    inner, side = inner.cut_right(m.px(2.4), m.px(1.6))
    at = min(max(0, at), len(paragraphs) - 1)
    size = max(m.near_px, min(m.px(4.2), s.largest_px))
    while size > m.near_px and _height(paragraphs[at], inner.w, size) > inner.h:
        size -= 1
    gap = round(size * 0.7)
    y, last = inner.y, at
    for n in range(at, len(paragraphs)):
        fitted = _set(paragraphs[n], inner.w, size)
        high = _height(paragraphs[n], inner.w, size)
        if n > at and y + high > inner.bottom:
            break
        s.place(Box(inner.x, y, inner.w, min(high, inner.bottom - y)), fitted, t.ink, what="paragraph")
        y += high + gap
        last = n
    whole = at == 0 and last == len(paragraphs) - 1
    if whole:
        return
    s.fill(side.inset(m.px(0.6), 0), t.raised, radius=m.px(0.6))
    top = side.y + round(side.h * at / len(paragraphs))
    bottom = side.y + round(side.h * (last + 1) / len(paragraphs))
    s.fill(Box(side.x + m.px(0.6), top, side.w - 2 * m.px(0.6), bottom - top), t.call, radius=m.px(0.6))
    s.zone("page:up", Box(box.x, box.y, box.w, box.h // 2))
    s.zone("page:down", Box(box.x, box.y + box.h // 2, box.w, box.h - box.h // 2))


def _set(text: str, width: int, size: int) -> typeset.Fitted:
    return typeset.fit(text, width, 100_000, face=TEXT, most_px=size, floor_px=size, lines=40)


def _height(text: str, width: int, size: int) -> int:
    lines = len(_set(text, width, size).lines)
    return round(size * (typeset.INK_EM + typeset.PITCH_EM * (lines - 1))) + 2


def grid(s: Sheet, box: Box, table: GridView, at: int = 0) -> None:
    """A table: the first column is words, the others figures; marked rows are filled."""
    m, t = s.m, s.theme
    s.panel(box)
    if not table.rows:
        return
    inner = box.inset(m.px(2), m.px(1.2))
    columns = max(len(r) for r in table.rows)
    least = round(m.near_px * 1.35)
    head_h = least + m.px(0.6) if table.heads else 0
    fits = max(1, (inner.h - head_h) // least)
    if len(table.rows) > fits:
        fits = max(1, (inner.h - head_h - 2 * m.px(3)) // least)
    shown = window(len(table.rows), fits, at)
    size = max(m.near_px, min(m.px(5), s.largest_px))
    widths = _column_widths(s, table, columns, inner.w, size)
    while size > m.near_px and sum(widths) > inner.w:
        size -= 1
        widths = _column_widths(s, table, columns, inner.w, size)
    first_w = max(inner.w - sum(widths[1:]), round(inner.w * 0.24))
    if table.heads:
        head, inner = inner.cut_top(head_h)
        _cells(s, head, table.heads, (first_w, *widths[1:]), m.near_px, t.soft, "head")
    if len(shown) < len(table.rows):
        inner = _arrows(s, inner, shown.start > 0, shown.stop < len(table.rows))
    high = min(m.px(9), inner.h // len(shown))
    size = min(size, max(m.near_px, round(high * 0.72)))
    for n, row in enumerate(shown):
        line = Box(inner.x, inner.y + n * high, inner.w, high)
        ink = t.ink
        if row in table.marked:
            s.fill(line.inset(-m.px(0.8), m.px(0.2)), t.call, radius=m.px(0.8))
            ink = t.on_call
        elif n:
            s.fill(Box(line.x, line.y, line.w, m.line_px), t.line, radius=0)
        _cells(s, line, table.rows[row], (first_w, *widths[1:]), size, ink, "cell")
        s.zone(f"menu:{row}", line)


def _column_widths(s: Sheet, table: GridView, columns: int, width: int, size: int) -> list[int]:
    gap = s.m.px(3.4)
    widths = []
    for c in range(columns):
        cells = [r[c] for r in table.rows if c < len(r)]
        wide = max(typeset.width(BOLD if c else TEXT, size, typeset.clean(x)) for x in cells)
        if c < len(table.heads):
            wide = max(wide, typeset.width(TEXT, s.m.near_px, typeset.clean(table.heads[c])))
        widths.append(wide + gap)
    return widths


def _cells(
    s: Sheet, line: Box, cells: tuple[str, ...], widths: tuple[int, ...], size: int, ink: Colour, what: str
) -> None:
    x, floor = line.x, min(size, s.m.near_px)
    for c, (text, wide) in enumerate(zip(cells, widths, strict=False)):
        if c == 0:
            area = Box(x, line.y, wide - s.m.px(1), line.h)
            s.text(area, text, ink, most=size, floor=floor, lines=2, any_char=what == "cell", what=what)
        else:
            area = Box(x, line.y, wide, line.h)
            face = BOLD if what == "cell" else TEXT
            s.text(area, text, ink, most=size, floor=floor, face=face, align=RIGHT, what=what)
        x += wide
