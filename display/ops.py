"""The list of what is drawn: small frozen values, each with the rectangle it covers.

Room: display. Knows no view and no scene. A scene makes such a list; two lists compared tell which parts of the
screen have changed, and painting the list within those parts gives the same pixels as painting it all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from display import shapes, typeset
from display.layout import Box
from display.theme import Colour
from display.view import Picture


@dataclass(frozen=True, slots=True)
class Fill:
    """A rectangle with round corners and, if `edge` is given, a rim of `edge_px`."""

    box: Box
    colour: Colour
    radius: int = 0
    edge: Colour | None = None
    edge_px: int = 0


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text in one colour: `x` is its left, `baseline` where its letters stand, in pixels."""

    x: int
    baseline: int
    text: str
    colour: Colour


@dataclass(frozen=True, slots=True)
class Text:
    """Text within `box`. `what` names its part for tests; `fits` is False if it had to be shortened."""

    box: Box
    runs: tuple[Run, ...]
    face: str
    size_px: int
    fits: bool
    what: str


@dataclass(frozen=True, slots=True)
class Die:
    box: Box
    value: int
    face: Colour
    pip: Colour
    edge: Colour


@dataclass(frozen=True, slots=True)
class Spun:
    """A die of `side` pixels in the middle of `box`, turned by `turn` 24ths."""

    box: Box
    side: int
    value: int
    turn: int
    face: Colour
    pip: Colour
    edge: Colour


@dataclass(frozen=True, slots=True)
class Icon:
    box: Box
    name: str
    colour: Colour


@dataclass(frozen=True, slots=True)
class Outline:
    """A closed line; `points` are in pixels relative to `box`."""

    box: Box
    points: tuple[tuple[float, float], ...]
    colour: Colour
    halo: Colour
    width: float
    dashed: bool


@dataclass(frozen=True, slots=True)
class Ring:
    box: Box
    colour: Colour
    halo: Colour
    width: float


@dataclass(frozen=True, slots=True)
class Disc:
    box: Box
    colour: Colour


@dataclass(frozen=True, slots=True)
class Curve:
    """A line; `points` are shares of `box`, y downwards."""

    box: Box
    points: tuple[tuple[float, float], ...]
    colour: Colour
    width: float


@dataclass(frozen=True, slots=True)
class Photo:
    """The camera's picture, scaled to `box`."""

    box: Box
    picture: Picture


Op = Fill | Text | Die | Spun | Icon | Outline | Ring | Disc | Curve | Photo


class Painter:
    """Paints ops. Keeps the one camera picture that was scaled last, since it changes all the time."""

    def __init__(self) -> None:
        self._photo: tuple[Photo, pygame.Surface] | None = None

    def paint(self, surface: pygame.Surface, ops: Sequence[Op], ground: Colour, area: pygame.Rect) -> None:
        """Paint all of `ops` that touch `area`, and nothing outside it."""
        surface.set_clip(area)
        surface.fill(ground, area)
        for op in ops:
            if area.colliderect(op.box):
                self._paint_one(surface, op)
        surface.set_clip(None)

    def _paint_one(self, surface: pygame.Surface, op: Op) -> None:
        x, y, w, h = op.box
        match op:
            case Fill():
                self._fill(surface, op)
            case Text():
                ascent = typeset.font(op.face, op.size_px).get_ascent()
                for run in op.runs:
                    surface.blit(
                        typeset.picture(op.face, op.size_px, run.text, run.colour), (run.x, run.baseline - ascent)
                    )
            case Die():
                surface.blit(shapes.die(w, op.value, op.face, op.pip, op.edge), (x, y))
            case Spun():
                turned = shapes.spun(op.side, op.value, op.turn, op.face, op.pip, op.edge)
                surface.blit(turned, (x + (w - turned.get_width()) // 2, y + (h - turned.get_height()) // 2))
            case Icon():
                surface.blit(shapes.icon(op.name, w, op.colour), (x, y))
            case Outline():
                surface.blit(shapes.outline(op.points, (w, h), op.colour, op.halo, op.width, op.dashed), (x, y))
            case Ring():
                surface.blit(shapes.ring(w, op.colour, op.halo, op.width), (x, y))
            case Disc():
                surface.blit(shapes.disc(w, op.colour), (x, y))
            case Curve():
                surface.blit(shapes.curve((w, h), op.points, op.colour, op.width), (x, y))
            case Photo():
                surface.blit(self._scaled(op), (x, y))

    @staticmethod
    def _fill(surface: pygame.Surface, op: Fill) -> None:
        rect = pygame.Rect(op.box)
        if op.edge is not None and op.edge_px > 0:
            shapes.panel(surface, rect, op.edge, op.radius)
            rect = rect.inflate(-2 * op.edge_px, -2 * op.edge_px)
            shapes.panel(surface, rect, op.colour, max(0, op.radius - op.edge_px))
        else:
            shapes.panel(surface, rect, op.colour, op.radius)

    def _scaled(self, op: Photo) -> pygame.Surface:
        if self._photo is None or self._photo[0] != op or self._photo[0].picture.rgb is not op.picture.rgb:
            picture = op.picture
            size = (picture.width, picture.height)
            # Scaling 32-bit pixels is five times faster than scaling 24-bit ones, the copy between them included.
            whole = pygame.Surface(size, 0, 32)
            whole.blit(pygame.image.frombuffer(picture.rgb, size, "RGB"), (0, 0))
            scaled = pygame.transform.smoothscale(whole, (op.box.w, op.box.h))
            self._photo = (op, scaled)
        return self._photo[1]


def changed(before: Sequence[Op], after: Sequence[Op], whole: pygame.Rect) -> list[pygame.Rect]:
    """The rectangles in which painting `after` differs from `before`; none if the lists are equal."""
    old, new = set(before), set(after)
    rects = [pygame.Rect(op.box).clip(whole) for op in before if op not in new]
    rects += [pygame.Rect(op.box).clip(whole) for op in after if op not in old]
    merged: list[pygame.Rect] = []
    for rect in rects:
        if rect.width == 0 or rect.height == 0:
            continue
        grown = rect
        while True:
            touching = [m for m in merged if m.colliderect(grown)]
            if not touching:
                break
            merged = [m for m in merged if m not in touching]
            grown = grown.unionall(touching)
        merged.append(grown)
    if sum(r.width * r.height for r in merged) > 0.7 * whole.width * whole.height:
        return [whole.copy()]
    return merged
