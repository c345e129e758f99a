"""The tray on the screen: the camera's picture with its dice marked, and the dice drawn large in a row below it.

Room: display. Knows the View and no rule. Held dice have a thicker frame, a lock and a word, doubtful ones a broken
frame and a question mark, so that no mark depends on its colour.
"""

from __future__ import annotations

import math

from display import motion, ops, typeset
from display.layout import Box
from display.sheet import CENTRE, RIGHT, Sheet
from display.theme import Colour
from display.typeset import BOLD
from display.view import DieView, TrayView, View

_HALO: Colour = (0, 0, 0)
_PLAIN: Colour = (255, 255, 255)


def status(s: Sheet, box: Box, view: View) -> None:
    """Which roll this is, as marks and in words, and what goes on in the tray."""
    m, t = s.m, s.theme
    rest = box
    if view.rolls > 0:
        side = min(round(box.h * 0.62), m.px(4.4))
        for i in range(min(view.rolls, 6)):
            mark, rest = rest.cut_left(side, m.px(0.7))
            mark = mark.centred(side, side)
            done = i < view.roll
            s.fill(
                mark,
                t.call if done else t.ground,
                radius=round(side * 0.22),
                edge=t.call if done else t.soft,
                edge_px=max(1, m.px(0.4)),
            )
            if done:
                s.icon(mark.inset(round(side * 0.18)), "tick", t.on_call)
        rest = rest.cut_left(m.px(0.6))[1]
        words = s.words.roll.format(roll=view.roll, rolls=view.rolls)
        if view.roll == 0:
            words = s.words.no_roll.format(rolls=view.rolls)
        room = rest.w if not view.tray.state else round(rest.w * 0.58)
        label, rest = rest.cut_left(room, m.px(1))
        s.text(label, words, t.ink, most=m.px(4.6), floor=m.near_px, face=BOLD, what="roll")
    if view.tray.state and view.tray.dice:
        fitted = s.measure(rest, view.tray.state, most=m.px(3.8))
        if fitted.fits:
            s.place(rest, fitted, t.soft, align=RIGHT, what="state")


def tray(s: Sheet, box: Box, view: View, *, dice_share: float = 0.3) -> None:
    """The picture with the row of dice below or beside it; dice alone where there is no picture or no room for one.

    The place of the dice stays theirs while there are none, so that the picture does not jump with every throw.
    """
    m = s.m
    shown, dice = view.tray.picture, view.tray.dice
    if shown is None:
        top, place = box.cut_top(round(min(box.h * 0.24, m.px(11))), m.gap_px)
        _no_picture(s, top)
    elif box.h < m.px(24):
        place = box
    elif box.w > 1.7 * box.h:
        left, place = box.cut_left(min(round(box.h * shown.width / shown.height), round(box.w * 0.6)), m.gap_px)
        picture(s, left, view.tray)
    else:
        high = min(round(box.h * dice_share), round(box.w / max(len(dice), 5) * 1.3))
        top, place = box.cut_bottom(max(high, m.px(9)), m.gap_px)
        picture(s, top, view.tray)
    if dice:
        grid(s, place, dice)
    else:
        _state(s, place, view.tray)


def _state(s: Sheet, box: Box, tray: TrayView) -> None:
    """What goes on in the tray, large, while no dice are known. While they roll, blank dice hop."""
    m, t = s.m, s.theme
    s.fill(box, t.ground, edge=t.line, edge_px=m.line_px)
    if tray.moving and s.step != motion.STILL:
        box, low = box.cut_bottom(round(box.h * 0.5))
        side = min(round(low.h * 0.6), low.w // 8, m.px(7))
        row = low.centred(side * 5 + 4 * m.px(1.4), side)
        cells = row.columns([1] * 5, m.px(1.4))

        def hopping(step: int) -> list[ops.Op]:
            lifts = [round(motion.hopping(step, n) * side) for n in range(5)]
            return [
                ops.Die(Box(c.x, c.y - up, side, side), 0, t.die, t.pip, t.line)
                for c, up in zip(cells, lifts, strict=True)
            ]

        s.moving = hopping
    s.text(box.inset(m.px(2), m.px(1)), tray.state, t.soft, most=m.px(6.4), lines=2, align=CENTRE, what="state")


def _no_picture(s: Sheet, box: Box) -> None:
    m, t = s.m, s.theme
    s.fill(box, t.panel, edge=t.line, edge_px=m.line_px)
    inner = box.inset(m.px(1.5), m.px(0.5))
    side = min(inner.h, m.px(10))
    fitted = s.measure(Box(0, 0, inner.w - side - m.px(1.5), inner.h), s.words.no_picture, most=m.px(4), lines=3)
    block = inner.centred(min(inner.w, side + m.px(1.5) + fitted.width), inner.h)
    mark, label = block.cut_left(side, m.px(1.5))
    s.icon(mark, "camera_off", t.soft)
    s.place(label, fitted, t.soft, what="no_picture")


def strip(s: Sheet, box: Box, dice: tuple[DieView, ...], places: int = 0) -> None:
    """The dice in order, each with its number; held ones on a coloured ground, with a lock and the word for it.

    Each is as wide as if there were `places` of them, so that lines of a grid are alike.
    """
    m = s.m
    gap = m.px(1.0)
    places = max(places, len(dice))
    cell_w = min((box.w - gap * (places - 1)) // places, round(box.h * 0.95))
    tag_h = max(round(m.near_px * 1.2), min(round(box.h * 0.26), m.px(5.4)))
    whole = box.centred(cell_w * len(dice) + gap * (len(dice) - 1), min(box.h, cell_w + tag_h))
    cells = whole.columns([1] * len(dice), gap)
    room = Box(0, 0, min(c.w for c in cells) - round(tag_h * 0.62) - m.px(1.8), tag_h)
    longest = f"{max(d.number for d in dice)} {s.words.held}"
    in_words = s.measure(room, longest, most=m.px(3.6), face=BOLD)
    for cell, die in zip(cells, dice, strict=True):
        _die_cell(s, cell, die, tag_h, in_words.size_px if in_words.fits else 0)


def grid(s: Sheet, box: Box, dice: tuple[DieView, ...]) -> None:
    """The dice on as many lines as make them largest."""
    m = s.m
    best_lines, best = 1, 0.0
    for lines in (1, 2, 3):
        per_line = -(-len(dice) // lines)
        size = min(box.w / per_line, box.h / lines / 1.25)
        if size > best * (1.05 if lines == 2 else 1.3):
            best_lines, best = lines, size
    per_line = -(-len(dice) // best_lines)
    for i, line in enumerate(box.rows([1] * best_lines, m.gap_px)):
        chunk = dice[i * per_line : (i + 1) * per_line]
        if chunk:
            strip(s, line, chunk, per_line)


def _die_cell(s: Sheet, cell: Box, die: DieView, tag_h: int, held_px: int) -> None:
    """`held_px`: the size at which the word for held fits all cells, 0 if it does not."""
    m, t = s.m, s.theme
    upper, tag = cell.cut_bottom(tag_h, 0)
    frame = max(2, m.px(0.7))
    side = min(upper.w, upper.h) - 2 * frame
    if die.held:
        s.fill(cell, t.held, radius=m.radius_px)
    elif die.selected:
        s.fill(cell, t.raised, radius=m.radius_px)
    if die.selected:
        s.fill(
            cell.inset(-frame // 2),
            t.held if die.held else t.raised,
            radius=m.radius_px + frame // 2,
            edge=t.call,
            edge_px=frame,
        )
    s.die(upper.centred(side, side), die.value)
    if die.gone:
        s.icon(upper.centred(side, side), "barred", t.alarm)
    ink = t.on_held if die.held else t.ink
    words = str(die.number)
    if die.held:
        lock = round(tag_h * 0.62)
        if held_px:
            words = f"{die.number} {s.words.held}"
        fitted = typeset.fit(
            words, tag.w, tag.h, face=BOLD, most_px=held_px or m.px(3.6), floor_px=held_px or m.near_px
        )
        block = tag.centred(lock + m.px(0.4) + fitted.width, tag.h)
        mark_box, label = block.cut_left(lock, m.px(0.4))
        s.icon(mark_box, "lock", ink)
        s.place(label, fitted, ink, what="die_number")
    elif die.doubtful:
        fitted = s.measure(tag, f"{die.number} ?", most=m.px(3.6), face=BOLD)
        pill = tag.centred(min(tag.w, fitted.width + 2 * m.px(1.2)), max(1, tag.h - 2 * frame))
        s.fill(pill, t.alarm, radius=pill.h // 2)
        s.place(pill, fitted, t.on_alarm, align=CENTRE, what="die_number")
    else:
        s.text(tag, words, ink, most=m.px(3.6), face=BOLD, align=CENTRE, what="die_number")
    s.zone(f"die:{die.number}", cell)


def picture(s: Sheet, box: Box, tray: TrayView) -> None:
    """The camera's picture with each die's outline and number, and rings where the reader has something to say."""
    m, t = s.m, s.theme
    assert tray.picture is not None
    s.fill(box, t.panel, edge=t.line, edge_px=m.line_px)
    shown = box.inset(m.px(0.6)).contain(tray.picture.width, tray.picture.height)
    s.ops.append(ops.Photo(shown, tray.picture))
    hulls: list[Box] = []
    for die in tray.dice:
        if die.corners is not None:
            hulls.append(_outline(s, shown, die))
    rings = [_ring(s, shown, point) for point, _ in tray.spots]
    size = max(m.near_px, m.px(3.0))
    labels: list[Box] = []
    for die, hull in zip([d for d in tray.dice if d.corners is not None], hulls, strict=True):
        labels.append(_badge(s, shown, hull, die, size, hulls + rings, labels))
    _caption(s, shown, tray, labels)


def _outline(s: Sheet, shown: Box, die: DieView) -> Box:
    m, t = s.m, s.theme
    assert die.corners is not None
    points = [(shown.x + x * shown.w, shown.y + y * shown.h) for x, y in die.corners]
    cx, cy = sum(x for x, _ in points) / 4, sum(y for _, y in points) / 4
    radius = max(1.0, math.dist(points[0], (cx, cy)))
    thick = max(2.0, min(m.unit_px * (0.8 if die.held or die.selected else 0.42), radius * 0.22))
    # Outside the die, so that no pip of a small one is covered.
    grow = 1 + thick * 0.7 / radius
    points = [(cx + (x - cx) * grow, cy + (y - cy) * grow) for x, y in points]
    pad = int(thick) + 4
    left, top = int(min(x for x, _ in points)) - pad, int(min(y for _, y in points)) - pad
    right, bottom = int(max(x for x, _ in points)) + pad + 1, int(max(y for _, y in points)) + pad + 1
    hull = Box(left, top, right - left, bottom - top)
    colour = t.call if die.selected else _on_picture(s, "held") if die.held else _PLAIN
    local = tuple((round(x - left, 1), round(y - top, 1)) for x, y in points)
    s.ops.append(ops.Outline(hull, local, colour, _HALO, round(thick, 1), die.doubtful))
    s.zone(f"die:{die.number}", hull)
    return hull


def _on_picture(s: Sheet, name: str) -> Colour:
    """A colour bright enough for any picture: the daylight palette's are dark."""
    bright: dict[str, Colour] = {"held": (88, 225, 255), "alarm": (255, 140, 110)}
    return bright[name]


def _badge(s: Sheet, shown: Box, hull: Box, die: DieView, size: int, dice: list[Box], labels: list[Box]) -> Box:
    """The die's number beside it, with a lock if it is held."""
    t = s.theme
    words = str(die.number) + ("?" if die.doubtful else "")
    high = round(size * 1.25)
    lock = round(high * 0.6) if die.held else 0
    wide = max(high, typeset.width(BOLD, size, words) + lock + round(size * 0.7))
    box = _free_place(shown, hull, wide, high, dice, labels)
    paper, ink = (_on_picture(s, "held"), (0, 20, 30)) if die.held else (_PLAIN, (10, 10, 14))
    if die.selected:
        paper, ink = t.call, t.on_call
    s.fill(box, paper, radius=high // 2, edge=_HALO, edge_px=1)
    inner = box
    if die.held:
        mark, inner = box.inset(round(size * 0.25), 0).cut_left(lock, 1)
        s.icon(mark.centred(lock, lock), "lock", ink)
    s.text(inner, words, ink, most=size, face=BOLD, align=CENTRE, what="badge")
    return box


def _free_place(shown: Box, hull: Box, wide: int, high: int, dice: list[Box], labels: list[Box]) -> Box:
    """Beside `hull`, within the picture, where it covers no other label and, if that can be, no die."""
    cx, cy = hull.centre
    left, top = round(cx - wide / 2), round(cy - high / 2)
    above, below, before, after = hull.y - high, hull.bottom, hull.x - wide, hull.right
    places = [(left, above), (left, below), (after, top), (before, top)]
    places += [(after, above), (before, above), (after, below), (before, below)]
    places += [(left, above - high), (left, below + high), (after + wide, top), (before - wide, top)]
    best, least = None, 0
    for x, y in places:
        x = min(max(x, shown.x), shown.right - wide)
        y = min(max(y, shown.y), shown.bottom - high)
        box = Box(x, y, wide, high)
        cost = 100 * sum(_overlap(box, b) for b in labels) + sum(_overlap(box, b) for b in dice)
        if best is None or cost < least:
            best, least = box, cost
        if least == 0:
            break
    assert best is not None
    return best


def _overlap(a: Box, b: Box) -> int:
    return max(0, min(a.right, b.right) - max(a.x, b.x)) * max(0, min(a.bottom, b.bottom) - max(a.y, b.y))


def _ring(s: Sheet, shown: Box, point: tuple[float, float]) -> Box:
    side = s.m.px(9)
    x, y = shown.x + point[0] * shown.w, shown.y + point[1] * shown.h
    box = Box(
        min(max(round(x - side / 2), shown.x), shown.right - side),
        min(max(round(y - side / 2), shown.y), shown.bottom - side),
        side,
        side,
    )
    s.ops.append(ops.Ring(box, _on_picture(s, "alarm"), _HALO, max(2.0, s.m.unit_px * 0.6)))
    return box


def _caption(s: Sheet, shown: Box, tray: TrayView, labels: list[Box]) -> None:
    """What the rings mean, along the picture's edge: beside a ring it could hide a die that nobody has read.

    Where there is no room for it the rings stand alone: the instruction says the same.
    """
    m, t = s.m, s.theme
    words = list(dict.fromkeys(w for _, w in tray.spots if w))
    if not words:
        return
    size = max(m.near_px, m.px(3.0))
    high = round(size * typeset.INK_EM) + m.px(0.6)
    lower_first = sum(y for (_, y), _ in tray.spots) / len(tray.spots) < 0.5
    edges = [shown.y, shown.bottom - high]
    for text in (", ".join(words), words[0]):
        fitted = typeset.fit(text, shown.w - m.px(3), high, most_px=size, floor_px=m.near_px)
        wide = fitted.width + m.px(2.4)
        for y in reversed(edges) if lower_first else edges:
            for x in (shown.x + (shown.w - wide) // 2, shown.x, shown.right - wide):
                box = Box(x, y, wide, high)
                if fitted.fits and not any(box.meets(label) for label in labels):
                    s.fill(box, t.alarm, radius=m.px(0.8), edge=_HALO, edge_px=1)
                    s.place(box, fitted, t.on_alarm, align=CENTRE, what="spot")
                    return
