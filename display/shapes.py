"""Shapes with smooth edges: panels, dice, icons, outlines and curves, each drawn once and kept.

Room: display. Knows no view. A shape is drawn several times too large and scaled down, so that its edges are smooth;
the result is cached by what it shows, and blitting it is exact under any clip.
"""

from __future__ import annotations

import itertools
import math
from collections import OrderedDict
from collections.abc import Callable

import pygame

from display.theme import Colour

Point = tuple[float, float]

_cache: OrderedDict[tuple[object, ...], pygame.Surface] = OrderedDict()
_cache_bytes = 0
_CACHE_MOST_BYTES = 12 * 1024 * 1024


def _kept(key: tuple[object, ...], make: Callable[[], pygame.Surface]) -> pygame.Surface:
    global _cache_bytes
    found = _cache.get(key)
    if found is not None:
        _cache.move_to_end(key)
        return found
    made = make()
    _cache[key] = made
    _cache_bytes += made.get_width() * made.get_height() * 4
    while _cache_bytes > _CACHE_MOST_BYTES and len(_cache) > 1:
        _, old = _cache.popitem(last=False)
        _cache_bytes -= old.get_width() * old.get_height() * 4
    return made


def _smooth(width: int, height: int, base: Colour, paint: Callable[[pygame.Surface, float], None]) -> pygame.Surface:
    """A surface of `width` x `height` that `paint(surface, scale)` draws on, larger by `scale`.

    `base` is the colour that edges fade to: that of the shape's rim, or a dark fringe would show.
    """
    scale = 4 if max(width, height) <= 160 else 3 if max(width, height) <= 400 else 2
    large = pygame.Surface((width * scale, height * scale), pygame.SRCALPHA, 32)
    large.fill((*base, 0))
    paint(large, scale)
    return pygame.transform.smoothscale(large, (width, height))


def disc(diameter: int, colour: Colour) -> pygame.Surface:
    def paint(s: pygame.Surface, k: float) -> None:
        pygame.draw.circle(s, colour, (s.get_width() / 2, s.get_height() / 2), s.get_width() / 2)

    return _kept(("disc", diameter, colour), lambda: _smooth(diameter, diameter, colour, paint))


def panel(surface: pygame.Surface, rect: pygame.Rect, colour: Colour, radius: int) -> None:
    """A filled rectangle with smooth round corners."""
    radius = min(radius, rect.width // 2, rect.height // 2)
    if radius < 2:
        surface.fill(colour, rect)
        return
    corner = disc(2 * radius, colour)
    x, y, w, h = rect
    surface.fill(colour, (x + radius, y, w - 2 * radius, h))
    surface.fill(colour, (x, y + radius, radius, h - 2 * radius))
    surface.fill(colour, (x + w - radius, y + radius, radius, h - 2 * radius))
    surface.blit(corner, (x, y), (0, 0, radius, radius))
    surface.blit(corner, (x + w - radius, y), (radius, 0, radius, radius))
    surface.blit(corner, (x, y + h - radius), (0, radius, radius, radius))
    surface.blit(corner, (x + w - radius, y + h - radius), (radius, radius, radius, radius))


_PIPS: dict[int, tuple[Point, ...]] = {
    1: ((0.5, 0.5),),
    2: ((0.27, 0.27), (0.73, 0.73)),
    3: ((0.25, 0.25), (0.5, 0.5), (0.75, 0.75)),
    4: ((0.27, 0.27), (0.73, 0.27), (0.27, 0.73), (0.73, 0.73)),
    5: ((0.25, 0.25), (0.75, 0.25), (0.5, 0.5), (0.25, 0.75), (0.75, 0.75)),
    6: ((0.27, 0.22), (0.73, 0.22), (0.27, 0.5), (0.73, 0.5), (0.27, 0.78), (0.73, 0.78)),
}


def _mixed(a: Colour, b: Colour, share: float) -> Colour:
    """`share` of `b` in `a`."""
    red, green, blue = (round(x + (y - x) * share) for x, y in zip(a, b, strict=True))
    return (red, green, blue)


def die(size: int, value: int, face: Colour, pip: Colour, edge: Colour) -> pygame.Surface:
    """A die's face, `size` pixels square; `value` 1 to 6, or 0 for a face that nobody knows yet (no pips)."""

    def paint(s: pygame.Surface, k: float) -> None:
        side = s.get_width()
        radius = round(side * 0.2)
        rim = max(round(side * 0.035), round(k))
        pygame.draw.rect(s, edge, (0, 0, side, side), border_radius=radius)
        # A lip in the shade below, so that a die looks like one; its colours stay those of the theme.
        lip = round(side * 0.045)
        low = _mixed(face, pip, 0.22)
        pygame.draw.rect(s, low, (rim, rim, side - 2 * rim, side - 2 * rim), border_radius=radius - rim)
        pygame.draw.rect(s, face, (rim, rim, side - 2 * rim, side - 2 * rim - lip), border_radius=radius - rim)
        for x, y in _PIPS.get(value, ()):
            size, at = side * (0.13 if value == 1 else 0.1), (x * side, y * side - lip * 0.5)
            pygame.draw.circle(s, _mixed(face, pip, 0.14), (at[0], at[1] + side * 0.016), size)
            pygame.draw.circle(s, pip, at, size)

    return _kept(("die", size, value, face, pip, edge), lambda: _smooth(size, size, edge, paint))


def spun(side: int, value: int, turn: int, face: Colour, pip: Colour, edge: Colour) -> pygame.Surface:
    """A die's face turned by `turn` 24ths of a full turn; its middle stays the middle."""

    def make() -> pygame.Surface:
        large = die(side * 2, value, face, pip, edge)
        return pygame.transform.rotozoom(large, -15.0 * turn, 0.5)

    return _kept(("spun", side, value, turn, face, pip, edge), make)


def outline(
    points: tuple[Point, ...], size: tuple[int, int], colour: Colour, halo: Colour, width: float, dashed: bool
) -> pygame.Surface:
    """A closed line through `points` (in pixels of a surface of `size`), with a halo that shows on any picture."""

    def paint(s: pygame.Surface, k: float) -> None:
        corners = [(x * k, y * k) for x, y in points]
        for ink, wide in ((halo, width + 2.5), (colour, width)):
            for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
                if dashed:
                    _dashes(s, ink, a, b, wide * k, width * 3.2 * k, wide > width)
                else:
                    _stroke(s, ink, a, b, wide * k)

    key = ("outline", points, size, colour, halo, width, dashed)
    return _kept(key, lambda: _smooth(size[0], size[1], halo, paint))


def _stroke(s: pygame.Surface, colour: Colour, a: Point, b: Point, wide: float) -> None:
    length = math.hypot(b[0] - a[0], b[1] - a[1])
    if length > 0:
        nx, ny = (a[1] - b[1]) / length * wide / 2, (b[0] - a[0]) / length * wide / 2
        quad = [(a[0] + nx, a[1] + ny), (b[0] + nx, b[1] + ny), (b[0] - nx, b[1] - ny), (a[0] - nx, a[1] - ny)]
        pygame.draw.polygon(s, colour, quad)
    pygame.draw.circle(s, colour, a, wide / 2)
    pygame.draw.circle(s, colour, b, wide / 2)


def _dashes(s: pygame.Surface, colour: Colour, a: Point, b: Point, wide: float, dash: float, whole: bool) -> None:
    length = math.hypot(b[0] - a[0], b[1] - a[1])
    if whole or length < 2 * dash:
        _stroke(s, colour, a, b, wide)
        return
    count = max(3, int(length / dash) | 1)
    for i in range(0, count, 2):
        p, q = i / count, (i + 1) / count
        _stroke(
            s,
            colour,
            (a[0] + (b[0] - a[0]) * p, a[1] + (b[1] - a[1]) * p),
            (a[0] + (b[0] - a[0]) * q, a[1] + (b[1] - a[1]) * q),
            wide,
        )


def ring(diameter: int, colour: Colour, halo: Colour, width: float) -> pygame.Surface:
    """A circle that points at a place in the picture."""

    def paint(s: pygame.Surface, k: float) -> None:
        centre, radius = (s.get_width() / 2, s.get_height() / 2), s.get_width() / 2
        pygame.draw.circle(s, halo, centre, radius, round((width + 2.5) * k))
        pygame.draw.circle(s, colour, centre, radius - 1.25 * k, round(width * k))

    return _kept(("ring", diameter, colour, halo, width), lambda: _smooth(diameter, diameter, halo, paint))


def _lock(s: pygame.Surface, c: Colour, w: float) -> None:
    line = max(1, round(w * 0.13))
    box = pygame.Rect(round(w * 0.24), round(w * 0.12), round(w * 0.52), round(w * 0.64))
    pygame.draw.rect(s, c, box, line, border_radius=round(w * 0.26))
    pygame.draw.rect(
        s, c, (round(w * 0.12), round(w * 0.44), round(w * 0.76), round(w * 0.48)), border_radius=round(w * 0.08)
    )


def _star(s: pygame.Surface, c: Colour, w: float) -> None:
    points = []
    for i in range(10):
        r = w * (0.5 if i % 2 == 0 else 0.21)
        angle = -math.pi / 2 + i * math.pi / 5
        points.append((w / 2 + r * math.cos(angle), w * 0.53 + r * math.sin(angle)))
    pygame.draw.polygon(s, c, points)


def _warn(s: pygame.Surface, c: Colour, w: float) -> None:
    pygame.draw.polygon(s, c, [(w * 0.5, w * 0.06), (w * 0.98, w * 0.92), (w * 0.02, w * 0.92)])
    clear = (*c, 0)
    pygame.draw.polygon(
        s, clear, [(w * 0.43, w * 0.36), (w * 0.57, w * 0.36), (w * 0.54, w * 0.66), (w * 0.46, w * 0.66)]
    )
    pygame.draw.circle(s, clear, (w * 0.5, w * 0.78), w * 0.06)


def _camera_off(s: pygame.Surface, c: Colour, w: float) -> None:
    pygame.draw.rect(
        s, c, (round(w * 0.04), round(w * 0.28), round(w * 0.62), round(w * 0.46)), border_radius=round(w * 0.08)
    )
    pygame.draw.polygon(s, c, [(w * 0.7, w * 0.46), (w * 0.96, w * 0.3), (w * 0.96, w * 0.72), (w * 0.7, w * 0.56)])
    _stroke(s, (*c, 0), (w * 0.1, w * 0.96), (w * 0.92, w * 0.08), w * 0.16)  # type: ignore[arg-type]
    _stroke(s, c, (w * 0.1, w * 0.96), (w * 0.92, w * 0.08), w * 0.07)


def _crown(s: pygame.Surface, c: Colour, w: float) -> None:
    pygame.draw.polygon(
        s,
        c,
        [
            (w * 0.06, w * 0.26),
            (w * 0.3, w * 0.5),
            (w * 0.5, w * 0.14),
            (w * 0.7, w * 0.5),
            (w * 0.94, w * 0.26),
            (w * 0.86, w * 0.7),
            (w * 0.14, w * 0.7),
        ],
    )
    pygame.draw.rect(s, c, (round(w * 0.14), round(w * 0.76), round(w * 0.72), round(w * 0.12)))


def _pointer(s: pygame.Surface, c: Colour, w: float) -> None:
    pygame.draw.polygon(s, c, [(w * 0.18, w * 0.08), (w * 0.88, w * 0.5), (w * 0.18, w * 0.92)])


def _back(s: pygame.Surface, c: Colour, w: float) -> None:
    pygame.draw.polygon(s, c, [(w * 0.82, w * 0.08), (w * 0.12, w * 0.5), (w * 0.82, w * 0.92)])


def _up(s: pygame.Surface, c: Colour, w: float) -> None:
    pygame.draw.polygon(s, c, [(w * 0.08, w * 0.8), (w * 0.5, w * 0.16), (w * 0.92, w * 0.8)])


def _down(s: pygame.Surface, c: Colour, w: float) -> None:
    pygame.draw.polygon(s, c, [(w * 0.08, w * 0.2), (w * 0.5, w * 0.84), (w * 0.92, w * 0.2)])


def _barred(s: pygame.Surface, c: Colour, w: float) -> None:
    pygame.draw.circle(s, c, (w / 2, w / 2), w * 0.46, max(1, round(w * 0.12)))
    _stroke(s, c, (w * 0.2, w * 0.8), (w * 0.8, w * 0.2), w * 0.12)


def _ask(s: pygame.Surface, c: Colour, w: float) -> None:
    pygame.draw.circle(s, c, (w / 2, w / 2), w * 0.48)
    clear = (*c, 0)
    pygame.draw.arc(s, clear, (w * 0.3, w * 0.18, w * 0.4, w * 0.38), -math.pi * 0.45, math.pi, max(1, round(w * 0.1)))
    pygame.draw.rect(s, clear, (w * 0.45, w * 0.5, w * 0.1, w * 0.16))
    pygame.draw.circle(s, clear, (w * 0.5, w * 0.77), w * 0.065)


def _tick(s: pygame.Surface, c: Colour, w: float) -> None:
    _stroke(s, c, (w * 0.12, w * 0.54), (w * 0.4, w * 0.82), w * 0.16)
    _stroke(s, c, (w * 0.4, w * 0.82), (w * 0.88, w * 0.2), w * 0.16)


_ICONS: dict[str, Callable[[pygame.Surface, Colour, float], None]] = {
    "lock": _lock,
    "star": _star,
    "warn": _warn,
    "camera_off": _camera_off,
    "crown": _crown,
    "pointer": _pointer,
    "back": _back,
    "up": _up,
    "down": _down,
    "barred": _barred,
    "tick": _tick,
    "ask": _ask,
}


def icon(name: str, size: int, colour: Colour) -> pygame.Surface:
    """A pictogram of `size` pixels square; the names are those of `_ICONS`."""

    def paint(s: pygame.Surface, k: float) -> None:
        _ICONS[name](s, colour, float(s.get_width()))

    return _kept(("icon", name, size, colour), lambda: _smooth(size, size, colour, paint))


def curve(size: tuple[int, int], points: tuple[Point, ...], colour: Colour, width: float) -> pygame.Surface:
    """A line through `points` (shares of `size`, y downwards), for the course of a game."""

    def paint(s: pygame.Surface, k: float) -> None:
        inner_w, inner_h = s.get_width() - 2 * width * k, s.get_height() - 2 * width * k
        at = [(width * k + x * inner_w, width * k + y * inner_h) for x, y in points]
        for a, b in itertools.pairwise(at):
            _stroke(s, colour, a, b, width * k)
        if at:
            pygame.draw.circle(s, colour, at[-1], width * k)

    return _kept(("curve", size, points, colour, width), lambda: _smooth(size[0], size[1], colour, paint))
