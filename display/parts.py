"""The parts that several scenes share: header, instruction, players, keys.

Room: display. Knows the View and no rule.
"""

from __future__ import annotations

from display import motion, typeset
from display.layout import Box
from display.sheet import CENTRE, RIGHT, Sheet
from display.typeset import BOLD, NARROW, TEXT
from display.view import KeyHint, Message, PlayerView, View

HEADER_UNITS = 5.4
PROMPT_UNITS = 17.0
KEYS_UNITS = 8.0
DETAIL_LINES = 3
HEADER_SHARE = 0.2
"""How much of the screen's height the header may take before banners are said in fewer words."""


def page(s: Sheet) -> Box:
    """The whole screen without its margin."""
    return Box(0, 0, s.m.width, s.m.height).inset(s.m.gap_px)


def header_height(s: Sheet, view: View, width: int) -> int:
    """How high the header is: one line, or more where conditions need many words."""
    line = _header_line(s)
    flow = _banner_flow(s, view, width)
    return sum(round(line * _chip_share(lines)) for _, lines in flow) + s.m.px(0.6) * (len(flow) - 1) if flow else line


def _header_line(s: Sheet) -> int:
    return max(s.m.px(HEADER_UNITS), round(s.m.near_px * 1.25))


def _chip_share(lines: int) -> float:
    return 1.0 if lines == 1 else 0.25 + 0.85 * lines


def _banner_size(s: Sheet, view: View, width: int) -> int:
    """The size at which all banners stand beside the title on one line; the smallest if there is none."""
    pad, icon = s.m.px(1.2), round(_header_line(s) * 0.55)
    size = max(s.m.px(3.6), s.m.near_px)
    while size > s.m.near_px and sum(_chip_width(b, size, pad, icon) for b in view.banners) > width * 0.74:
        size -= 1
    return size


def _banner_flow(s: Sheet, view: View, width: int) -> list[tuple[list[tuple[str, int]], int]]:
    """The banners line by line, each with its chip's width; and how many lines of text the chips of a line have."""
    banners = view.banners
    for _shorter in range(3):
        flow = _flow(s, view, banners, width)
        if sum(lines for _, lines in flow) * _header_line(s) <= HEADER_SHARE * s.m.height:
            break
        longest = max(banners, key=len)
        banners = tuple(_fewer_words(b) if b == longest else b for b in banners)
    return flow


def _fewer_words(banner: str) -> str:
    """The banner without what to do about it, and then without anything but its code."""
    head, colon, rest = banner.partition(":")
    cause, more, _ = rest.partition(":")
    return f"{head.strip()}{colon}{cause.rstrip()}" if more else head.strip() if colon else banner


def _flow(s: Sheet, view: View, banners: tuple[str, ...], width: int) -> list[tuple[list[tuple[str, int]], int]]:
    pad, icon = s.m.px(1.2), round(_header_line(s) * 0.55)
    size = _banner_size(s, view, width)
    flow: list[tuple[list[tuple[str, int]], int]] = []
    used = 0
    # Short ones first, so that they share a line; the order among them stays.
    for banner in sorted(banners, key=lambda b: _chip_width(b, size, pad, icon) > width * 0.5):
        wide = _chip_width(banner, size, pad, icon)
        room = width * (0.74 if len(flow) <= 1 else 1.0)
        if wide > width:
            inner = width - (wide - _words(banner, size))
            lines = next((n for n in range(2, 8) if _wraps(banner, size, inner, n)), 8)
            flow.append(([(banner, width)], lines))
            used = width
        elif flow and used + s.m.px(0.8) + wide <= room:
            flow[-1][0].append((banner, wide))
            used += s.m.px(0.8) + wide
        else:
            flow.append(([(banner, wide)], 1))
            used = wide
    return flow


def _words(text: str, size: int) -> int:
    return typeset.width(BOLD, size, typeset.clean(text))


def _wraps(text: str, size: int, width: int, lines: int) -> bool:
    return typeset.fit(text, width, 10_000, face=BOLD, most_px=size, floor_px=size, lines=lines).fits


def header(s: Sheet, box: Box, view: View, *, title: bool = True) -> None:
    """The game's name on the left (unless it stands elsewhere), conditions that last on the right."""
    m, t = s.m, s.theme
    high = _header_line(s)
    pad, icon = m.px(1.2), round(high * 0.55)
    size = _banner_size(s, view, box.w)
    first = box.cut_top(high)[0]
    left = box
    for n, (chips, lines) in enumerate(_banner_flow(s, view, box.w)):
        line, left = left.cut_top(round(high * _chip_share(lines)), m.px(0.6))
        for banner, wide in reversed(chips):
            line, chip = line.cut_right(min(wide, line.w), m.px(0.8))
            s.fill(chip, t.raised, radius=high // 2, edge=t.call, edge_px=m.line_px)
            mark, words = chip.inset(pad, 0).cut_left(icon, m.px(0.8))
            s.icon(mark, "warn", t.call)
            s.text(words, banner, t.ink, most=size, face=BOLD, lines=lines, what="banner")
        if n == 0:
            first = line
    if title and first.w > m.px(8):
        fitted = s.measure(first, view.title, most=max(m.px(3.6), m.near_px), face=BOLD)
        if fitted.fits:
            s.place(first, fitted, t.soft, what="title")


def _chip_width(text: str, size: int, pad: int, icon: int) -> int:
    return typeset.width(BOLD, size, typeset.clean(text)) + 2 * pad + icon + pad + 2


def prompt_height(s: Sheet) -> int:
    """How high the instruction's box is: the same for all views of a screen, so that nothing jumps.

    A tall screen is narrow: there a refusal of some eighty letters needs three lines.
    """
    m = s.m
    if not m.portrait:
        return m.px(PROMPT_UNITS)
    least = round(m.far_px * typeset.INK_EM + m.near_px * (typeset.INK_EM + 2 * typeset.PITCH_EM)) + 2 * m.px(0.8) + 4
    return max(m.px(PROMPT_UNITS * 1.15), least)


def prompt(s: Sheet, box: Box, view: View, *, most_units: float = 9.0) -> None:
    """The one instruction, as large as it goes; below it the refusal or question, or else the detail.

    Called before all other parts: no other text but the score may be larger.
    """
    m, t = s.m, s.theme
    s.fill(box, t.panel, edge=t.line, edge_px=m.line_px)
    bar, inner = box.cut_left(m.px(1.4))
    s.fill(bar, t.call, radius=min(m.radius_px, bar.w // 2))
    inner = inner.inset(m.px(1.8), m.px(0.8))
    below = view.message is not None or bool(view.detail)
    top, bottom = inner, None
    if below:
        bottom_h = _below_height(s, inner, view)
        top, bottom = inner.cut_bottom(bottom_h, m.px(0.6))
    # Names of buttons stand out in the sentence. A single letter or figure does not: it could be part of a name.
    keys = [k.key for k in view.keys if len(k.key) > 1]
    fitted = s.text(
        top,
        view.prompt,
        t.ink,
        most=m.px(most_units),
        floor=m.far_px,
        face=BOLD,
        lines=3,
        free=True,
        what="prompt",
        marked=keys,
        mark_colour=t.call,
    )
    if fitted is not None:
        s.largest_px = fitted.size_px
    if bottom is None:
        return
    if view.message is not None:
        message(s, bottom, view.message)
    else:
        s.text(bottom, view.detail, t.soft, most=m.px(4.2), lines=DETAIL_LINES, what="detail")


def _below_height(s: Sheet, inner: Box, view: View) -> int:
    """How much of the instruction's box the line below it takes: more for a refusal that needs it to be read."""
    m = s.m
    least = round(m.near_px * typeset.INK_EM) + 1
    most = inner.h - round(m.far_px * typeset.INK_EM) - m.px(0.6) - 1
    if view.message is None:
        high = max(round(inner.h * 0.32), least)
        for tried in range(high, most + 1):
            room = Box(0, 0, inner.w, tried)
            if s.measure(room, view.detail, most=m.px(3.4), lines=DETAIL_LINES, free=True).fits:
                return tried
        return max(high, most)
    high = max(round(inner.h * 0.4), least)
    for tried in range(high, most + 1):
        room = _message_boxes(s, Box(0, 0, inner.w, tried), view.message.code)[1]
        if s.measure(room, view.message.words, most=m.px(3.4), face=BOLD, lines=3, free=True).fits:
            return tried
    return max(high, most)


def _message_boxes(s: Sheet, box: Box, code: str) -> tuple[Box, Box, Box]:
    """Within the box of a message: its sign, its words, its code."""
    m = s.m
    inner = box.inset(m.px(1.2), 0)
    side = min(round(box.h * 0.72), m.px(6))
    mark, inner = inner.cut_left(side, m.px(1.2))
    wide = typeset.width(TEXT, _code_size(s), code) + 2
    inner, corner = inner.cut_right(min(wide, inner.w // 3), m.px(1.2))
    return mark, inner, corner


def _code_size(s: Sheet) -> int:
    return max(s.m.near_px, s.m.px(2.8))


def message(s: Sheet, box: Box, shown: Message) -> None:
    """A refusal, question or fault: a sign, its words, and its code for whoever helps. New ones flash."""
    m, t = s.m, s.theme
    paper, ink = (t.call, t.on_call) if shown.asks else (t.alarm, t.on_alarm)
    if motion.flashes(s.step):
        paper, ink = ink, paper
    s.fill(box, paper, radius=min(m.radius_px, box.h // 4))
    mark, inner, corner = _message_boxes(s, box, shown.code)
    s.icon(mark, "ask" if shown.asks else "warn", ink)
    s.text(corner, shown.code, ink, most=_code_size(s), align=RIGHT, what="code")
    s.text(inner, shown.words, ink, most=m.px(5), lines=3, face=BOLD, what="message")


def keys_height(s: Sheet, view: View, width: int) -> int:
    """How high the key hints are: more than one line of them where that is too narrow."""
    if not view.keys:
        return 0
    lines = len(_key_lines(s, view.keys, width))
    return s.m.px(KEYS_UNITS if lines == 1 else 7.0) * lines + s.m.px(0.8) * (lines - 1)


def _key_widths(s: Sheet, hint: KeyHint, size: int) -> tuple[int, int]:
    """(width of the cap, width of the words) at `size`."""
    cap = max(typeset.width(BOLD, size, typeset.clean(hint.shown or hint.key)) + round(size * 0.9), round(size * 1.5))
    face = NARROW
    return cap, typeset.width(face, size, typeset.clean(hint.action)) + 2


def _key_lines(s: Sheet, hints: tuple[KeyHint, ...], width: int) -> list[tuple[KeyHint, ...]]:
    """The hints on as few lines as they fit at the smallest size, at most five."""
    size = max(s.m.near_px, s.m.px(2.7))
    if _line_width(s, hints, size) > width:
        # What two buttons do alike is said once where that spares a line.
        once = tuple({h.action: h for h in reversed(hints)}[h.action] for h in hints)
        hints = tuple(dict.fromkeys(once))
    chunks: list[tuple[KeyHint, ...]] = []
    for lines in (1, 2, 3, 4, 5):
        per_line = -(-len(hints) // lines)
        chunks = [hints[i : i + per_line] for i in range(0, len(hints), per_line)]
        if all(_line_width(s, chunk, size) <= width for chunk in chunks):
            break
    return chunks


def _line_width(s: Sheet, chunk: tuple[KeyHint, ...], size: int) -> int:
    return sum(sum(_key_widths(s, h, size)) + round(size * 0.5) for h in chunk) + s.m.px(1.6) * (len(chunk) - 1)


def keys(s: Sheet, box: Box, view: View) -> None:
    """What each button or key does now; one that may not be pressed is hollow and barred."""
    if not view.keys:
        return
    chunks = _key_lines(s, view.keys, box.w)
    size = max(s.m.px(3.6), s.m.near_px)
    boxes = box.rows([1] * len(chunks), s.m.px(0.8))
    while size > s.m.near_px and not all(_line_fits(s, c, b, size) for c, b in zip(chunks, boxes, strict=True)):
        size -= 1
    for chunk, line in zip(chunks, boxes, strict=True):
        _key_line(s, line, chunk, size)


def _line_fits(s: Sheet, chunk: tuple[KeyHint, ...], box: Box, size: int) -> bool:
    return _line_width(s, chunk, size) <= box.w and size * 1.5 <= box.h


def _key_line(s: Sheet, box: Box, chunk: tuple[KeyHint, ...], size: int) -> None:
    m, t = s.m, s.theme
    inside = round(size * 0.5)
    widths = [_key_widths(s, h, size) for h in chunk]
    need = sum(a + b + inside for a, b in widths)
    gap = min((box.w - need) // max(1, len(chunk)), m.px(5))
    x = box.x + max(0, (box.w - need - gap * (len(chunk) - 1)) // 2)
    for hint, (cap_w, words_w) in zip(chunk, widths, strict=True):
        whole = Box(x, box.y, min(cap_w + inside + words_w, box.right - x), box.h)
        cap, words = whole.cut_left(cap_w, inside)
        cap_h = min(box.h, round(size * 1.6))
        cap = cap.centred(cap.w, cap_h)
        if hint.enabled:
            s.fill(cap, t.ink, radius=m.px(0.8))
            s.text(cap, hint.shown or hint.key, t.ground, most=size, face=BOLD, align=CENTRE, what="key")
            s.text(words, hint.action, t.ink, most=size, face=NARROW, what="action")
        else:
            s.fill(cap, t.ground, radius=m.px(0.8), edge=t.line, edge_px=m.line_px)
            s.text(cap, hint.shown or hint.key, t.soft, most=size, face=BOLD, align=CENTRE, what="key")
            s.text(words, hint.action, t.soft, most=size, face=NARROW, what="action")
            middle = cap.y + cap.h // 2
            s.fill(Box(cap.x - m.line_px, middle, cap.w + 2 * m.line_px, m.line_px), t.soft, radius=0)
        s.zone(f"key:{hint.key}", Box(whole.x - gap // 2, box.y, whole.w + gap, box.h))
        x += whole.w + gap


def players_height(s: Sheet, view: View) -> int:
    """How high the strip of players is; none for one player, whose total stands on the card."""
    count = len(view.players)
    if count < 2:
        return 0
    lines = _player_lines(s, count)
    return lines * s.m.px(8.4 if lines == 1 else 7.0) + (lines - 1) * s.m.px(0.8)


def _player_lines(s: Sheet, count: int) -> int:
    if s.m.portrait:
        return 1 if count <= 2 else -(-count // 2)
    return 1 if count <= 4 else 2


def players(s: Sheet, box: Box, view: View, *, totals: bool = True) -> None:
    """All players, with their totals or without, in the order of the seats."""
    count = len(view.players)
    lines = _player_lines(s, count)
    per_line = -(-count // lines)
    cells = [cell for line in box.rows([1] * lines, s.m.px(0.8)) for cell in line.columns([1] * per_line, s.m.px(0.8))]
    player_cells(s, cells[:count], view.players, figures=totals)


def player_cells(s: Sheet, cells: list[Box], who: tuple[PlayerView, ...], *, figures: bool = True) -> None:
    """Name and total (`figures`) of each player in a cell of its own; the one whose turn it is is filled."""
    m, t = s.m, s.theme
    pad = m.px(1.7)
    cell = cells[0].inset(pad, m.px(0.4))
    pointer_w = m.px(2.4)
    totals = tuple(s.words.number(p.total) if figures else "" for p in who)
    total_px = typeset.fit_group(
        totals,
        cell.w // 2,
        cell.h,
        face=BOLD,
        most_px=min(m.px(6), max(s.largest_px, m.far_px)),
        floor_px=m.far_px,
        figures=True,
    )
    total_w = max(typeset.width(BOLD, total_px, x) for x in totals) + 2
    name_w = cell.w - total_w - pad
    name_px = min(
        typeset.fit(
            player.name,
            name_w - (pointer_w if player.active or player.away else 0),
            cell.h,
            most_px=min(m.px(4.4), max(s.largest_px, m.near_px)),
            floor_px=m.near_px,
            lines=2,
            any_char=True,
        ).size_px
        for player in who
    )
    for box, player in zip(cells, who, strict=True):
        paper, ink = (t.call, t.on_call) if player.active else (t.panel, t.soft if player.away else t.ink)
        s.fill(box, paper, edge=None if player.active else t.line, edge_px=m.line_px)
        inner = box.inset(pad, m.px(0.4))
        if player.active:
            mark, inner = inner.cut_left(pointer_w)
            s.icon(mark.centred(round(pointer_w * 0.75), round(pointer_w * 0.75)), "pointer", ink)
        elif player.away:
            mark, inner = inner.cut_left(pointer_w)
            s.icon(mark.centred(round(pointer_w * 0.75), round(pointer_w * 0.75)), "barred", ink)
        label, number = inner.cut_right(total_w, pad)
        wide = typeset.fit(player.name, label.w, label.h, face=BOLD, most_px=name_px, floor_px=name_px, lines=2)
        face = BOLD if player.active and wide.fits else TEXT
        s.text(label, player.name, ink, most=name_px, floor=name_px, face=face, lines=2, any_char=True, what="player")
        s.text(
            number,
            s.words.number(player.total) if figures else "",
            ink,
            most=total_px,
            floor=total_px,
            face=BOLD,
            align=RIGHT,
            figures=True,
            what="total",
        )
