"""A sheet that scenes draw on: it collects what is to be painted and what can be touched.

Room: display. Knows no scene and no game. Nothing is painted here; see `display.ops`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable

from display import ops, typeset
from display.layout import Box, Metrics
from display.motion import STILL
from display.theme import Colour, Theme
from display.typeset import BOLD, TEXT, Fitted
from display.view import Picture
from display.words import Words

LEFT, CENTRE, RIGHT = "left", "centre", "right"


class Sheet:
    """Ops and touch zones of one screen. `largest_px` bounds every text but the instruction and the score.

    `step` says how far movements have come; see `display.motion`.
    """

    def __init__(self, metrics: Metrics, theme: Theme, words: Words, step: int = STILL) -> None:
        self.m = metrics
        self.theme = theme
        self.words = words
        self.step = step
        self.ops: list[ops.Op] = []
        self.zones: list[tuple[str, Box]] = []
        self.largest_px = 10_000
        self.moving: Callable[[int], list[ops.Op]] | None = None
        """What is drawn on top of all else at a step; the rest of the sheet stays as it is from step to step."""
        self._still = 0

    def with_picture(self, picture: Picture) -> Sheet:
        """The same sheet with another picture, of the same size, in place of the camera's."""
        other = Sheet(self.m, self.theme, self.words, self.step)
        other.zones, other.moving, other._still = self.zones, self.moving, self._still
        other.ops = [dataclasses.replace(op, picture=picture) if isinstance(op, ops.Photo) else op for op in self.ops]
        return other

    def finish(self) -> Sheet:
        """Put what moves on top. Called once, when all else is on the sheet."""
        self._still = len(self.ops)
        if self.moving is not None:
            self.ops = self.ops + self.moving(self.step)
        return self

    def at_step(self, step: int) -> Sheet:
        """The same sheet with what moves at another step."""
        other = Sheet(self.m, self.theme, self.words, step)
        other.zones, other.moving = self.zones, self.moving
        other.ops = self.ops[: self._still]
        return other.finish()

    def zone(self, name: str, box: Box) -> None:
        """What lies in `box` answers to a touch as `name`; later zones lie on top of earlier ones."""
        self.zones.append((name, box))

    def fill(
        self, box: Box, colour: Colour, *, radius: int | None = None, edge: Colour | None = None, edge_px: int = 0
    ) -> None:
        radius = self.m.radius_px if radius is None else radius
        if box.w > 0 and box.h > 0:
            self.ops.append(ops.Fill(box, colour, radius, edge, edge_px))

    def panel(self, box: Box) -> None:
        """The usual ground of a group."""
        self.fill(box, self.theme.panel, edge=self.theme.line, edge_px=self.m.line_px)

    def icon(self, box: Box, name: str, colour: Colour) -> None:
        side = min(box.w, box.h)
        if side > 2:
            self.ops.append(ops.Icon(box.centred(side, side), name, colour))

    def disc(self, centre: tuple[float, float], diameter: int, colour: Colour) -> Box:
        box = Box(round(centre[0] - diameter / 2), round(centre[1] - diameter / 2), diameter, diameter)
        self.ops.append(ops.Disc(box, colour))
        return box

    def die(self, box: Box, value: int | None) -> None:
        side = min(box.w, box.h)
        t = self.theme
        face = t.die if value is not None else t.raised
        self.ops.append(ops.Die(box.centred(side, side), value or 0, face, t.pip, t.line))
        if value is None:
            self.text(
                box.centred(side, side),
                "?",
                t.ink,
                most=round(side * 0.7),
                floor=2,
                face=BOLD,
                align=CENTRE,
                free=True,
                figures=True,
                what="die",
            )

    def measure(
        self,
        box: Box,
        text: str,
        *,
        most: int,
        floor: int | None = None,
        face: str = TEXT,
        lines: int = 1,
        figures: bool = False,
        any_char: bool = False,
        free: bool = False,
    ) -> Fitted:
        """How `text` would be set in `box`; see `typeset.fit`. `free` lets it be larger than the instruction."""
        floor = self.m.near_px if floor is None else floor
        if not free:
            most = max(min(most, self.largest_px), floor)
        return typeset.fit(
            text,
            box.w,
            box.h,
            face=face,
            most_px=most,
            floor_px=floor,
            lines=lines,
            figures=figures,
            any_char=any_char,
        )

    def text(
        self,
        box: Box,
        text: str,
        colour: Colour,
        *,
        most: int,
        floor: int | None = None,
        face: str = TEXT,
        lines: int = 1,
        align: str = LEFT,
        figures: bool = False,
        any_char: bool = False,
        free: bool = False,
        what: str,
        marked: Iterable[str] = (),
        mark_colour: Colour | None = None,
    ) -> Fitted | None:
        """Put `text` into `box`, as large as it goes, in the middle of its height; None for no text.

        Words that are in `marked` are drawn in `mark_colour`.
        """
        if not text or box.w <= 0 or box.h <= 0:
            return None
        fitted = self.measure(
            box, text, most=most, floor=floor, face=face, lines=lines, figures=figures, any_char=any_char, free=free
        )
        self.place(box, fitted, colour, align=align, what=what, marked=marked, mark_colour=mark_colour)
        return fitted

    def place(
        self,
        box: Box,
        fitted: Fitted,
        colour: Colour,
        *,
        align: str = LEFT,
        what: str,
        marked: Iterable[str] = (),
        mark_colour: Colour | None = None,
    ) -> None:
        """Put text that was measured before into `box`."""
        pitch = fitted.size_px * typeset.PITCH_EM
        baseline = box.y + (box.h - fitted.cap_height) / 2 + fitted.size_px * typeset.CAP_EM
        names = frozenset(marked)
        runs: list[ops.Run] = []
        for i, (line, wide) in enumerate(zip(fitted.lines, fitted.widths, strict=True)):
            x = box.x if align == LEFT else box.right - wide if align == RIGHT else box.x + (box.w - wide) // 2
            runs += self._runs(x, round(baseline + i * pitch), line, fitted, colour, names, mark_colour or colour)
        self.ops.append(ops.Text(box, tuple(runs), fitted.face, fitted.size_px, fitted.fits, what))

    @staticmethod
    def _runs(
        x: int, baseline: int, line: str, fitted: Fitted, colour: Colour, marked: frozenset[str], mark_colour: Colour
    ) -> list[ops.Run]:
        words = line.split(" ")
        if not marked or not any(w.strip(".,:;!?()") in marked for w in words):
            return [ops.Run(x, baseline, line, colour)]
        runs: list[ops.Run] = []
        start = 0
        for word in words:
            ink = mark_colour if word.strip(".,:;!?()") in marked else colour
            left = x + typeset.width(fitted.face, fitted.size_px, line[:start])
            runs.append(ops.Run(left, baseline, word, ink))
            start += len(word) + 1
        return runs
