"""The screen as a function: a View and a time in, pixels out; and a touch in, what lies there out.

Room: display. Opens no window and reads no clock: `display.window` does the first, the caller hands in the time.
"""

from __future__ import annotations

import dataclasses

import pygame

from display import motion, ops
from display.layout import Metrics
from display.motion import STILL
from display.scenes import compose
from display.sheet import Sheet
from display.theme import THEMES
from display.view import View
from display.words import ENGLISH, Words

ROTATIONS = (0, 90, 180, 270)
DIMMEST = 30
"""Percent; a darker screen can't be read any more, and nobody would find the way back."""


class Screen:
    """Draws views onto surfaces of one size.

    `size` is the surface's width and height in pixels as the display sees them; `rotation` (0, 90, 180 or 270
    degrees clockwise) is how far the picture is turned on it, for a screen that is mounted on its side or upside
    down. `theme` is "dark", "daylight" or "contrast". With `reduced_motion` nothing moves by itself;
    `brightness` is in percent. Raises ValueError for another rotation, theme or brightness.
    """

    def __init__(
        self,
        size: tuple[int, int],
        rotation: int = 0,
        theme: str = "dark",
        words: Words = ENGLISH,
        *,
        reduced_motion: bool = False,
        brightness: int = 100,
    ) -> None:
        if rotation not in ROTATIONS:
            raise ValueError(f"a screen can be turned by {ROTATIONS} degrees, not {rotation}")
        if theme not in THEMES:
            raise ValueError(f"there is no theme {theme!r}; there are {', '.join(THEMES)}")
        if not DIMMEST <= brightness <= 100:
            raise ValueError(f"a screen can be {DIMMEST} to 100 % bright, not {brightness}")
        self._dim = round(255 * brightness / 100)
        self.size = size
        self.rotation = rotation
        self.theme = THEMES[theme]
        self.words = words
        self.reduced_motion = reduced_motion
        turned = rotation in (90, 270)
        self.metrics = Metrics(size[1], size[0]) if turned else Metrics(*size)
        self._painter = ops.Painter()
        self._canvas: pygame.Surface | None = None
        self._target: pygame.Surface | None = None
        self._view: View | None = None
        self._step = STILL
        self._sheet: Sheet | None = None

    def draw(self, surface: pygame.Surface, view: View, t: float) -> list[pygame.Rect]:
        """Draw `view` as it looks at time `t` (monotonic, in seconds) and return the rectangles that changed.

        The same view and time give the same pixels, whatever was drawn before. Nothing changed gives an empty list.
        Another surface than last time is drawn whole.
        """
        if surface.get_size() != self.size:
            raise ValueError(f"this screen is {self.size}, the surface {surface.get_size()}")
        fresh = surface is not self._target
        step = motion.step(view, t, reduced=self.reduced_motion)
        if not fresh and step == self._step and view == self._view:
            return []
        whole = pygame.Rect(0, 0, self.metrics.width, self.metrics.height)
        sheet = self._sheet_for(view, step)
        canvas = self._canvas_for(surface)
        rects = [whole] if fresh or self._sheet is None else ops.changed(self._sheet.ops, sheet.ops, whole)
        for rect in rects:
            self._painter.paint(canvas, sheet.ops, self.theme.ground, rect)
            if self._dim < 255:
                canvas.fill((self._dim,) * 3, rect, pygame.BLEND_RGB_MULT)
        self._view, self._step, self._sheet, self._target = view, step, sheet, surface
        if self.rotation == 0:
            return rects
        return [self._turn_onto(surface, canvas, rect) for rect in rects]

    def forget(self) -> None:
        """Draw everything next time: the display has lost what was shown."""
        self._target = None

    def hit(self, x: float, y: float) -> str | None:
        """What lies at pixel (`x`, `y`) of the surface, by the view drawn last.

        "key:SCORE", "row:fives", "die:3" (its number), "menu:0" (its line); None for nothing.
        """
        if self._sheet is None:
            return None
        at = self.to_logical(x, y)
        for name, box in reversed(self._sheet.zones):
            if box.holds(*at):
                return name
        return None

    def to_logical(self, x: float, y: float) -> tuple[float, float]:
        """A pixel of the surface as a pixel of the upright picture."""
        w, h = self.size
        if self.rotation == 90:
            return (y, w - 1 - x)
        if self.rotation == 180:
            return (w - 1 - x, h - 1 - y)
        if self.rotation == 270:
            return (h - 1 - y, x)
        return (x, y)

    def _sheet_for(self, view: View, step: int) -> Sheet:
        """The sheet for `view`; last time's where only the camera's picture is new, or only what moves has moved."""
        sheet, last = self._sheet, self._view
        if sheet is None or last is None or not _alike(view, last):
            return compose(view, self.metrics, self.theme, self.words, step)
        if step != self._step:
            if sheet.moving is None or STILL in (step, self._step):
                return compose(view, self.metrics, self.theme, self.words, step)
            sheet = sheet.at_step(step)
        picture = view.tray.picture
        return sheet if picture is None else sheet.with_picture(picture)

    def _canvas_for(self, surface: pygame.Surface) -> pygame.Surface:
        """Where the upright picture is painted: the surface itself, unless it must be turned."""
        if self.rotation == 0:
            return surface
        if self._canvas is None:
            self._canvas = pygame.Surface((self.metrics.width, self.metrics.height), 0, surface)
        return self._canvas

    def _turn_onto(self, surface: pygame.Surface, canvas: pygame.Surface, rect: pygame.Rect) -> pygame.Rect:
        turned = pygame.transform.rotate(canvas.subsurface(rect), -self.rotation)
        w, h = self.size
        if self.rotation == 90:
            left, top = w - rect.bottom, rect.x
        elif self.rotation == 180:
            left, top = w - rect.right, h - rect.bottom
        else:
            left, top = rect.y, h - rect.right
        surface.blit(turned, (left, top))
        return pygame.Rect(left, top, turned.get_width(), turned.get_height())


def _alike(view: View, last: View) -> bool:
    """Do the two views differ in nothing but the camera's picture, which has the same size?"""
    picture, before = view.tray.picture, last.tray.picture
    if picture is None or before is None:
        return view == last
    if (before.width, before.height) != (picture.width, picture.height):
        return False
    return dataclasses.replace(view, tray=dataclasses.replace(view.tray, picture=before)) == last
