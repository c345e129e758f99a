"""Boxes: splitting a screen into parts, in pixels, for any size.

Room: display. Knows no view, no text and no pygame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Box(NamedTuple):
    """A rectangle in pixels: left, top, width, height."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        return self.x + self.w

    @property
    def bottom(self) -> int:
        return self.y + self.h

    @property
    def centre(self) -> tuple[float, float]:
        return (self.x + self.w / 2, self.y + self.h / 2)

    def inset(self, dx: int, dy: int | None = None) -> Box:
        """Smaller by `dx` on the left and right and by `dy` (or `dx`) above and below."""
        dy = dx if dy is None else dy
        return Box(self.x + dx, self.y + dy, max(0, self.w - 2 * dx), max(0, self.h - 2 * dy))

    def holds(self, x: float, y: float) -> bool:
        return self.x <= x < self.right and self.y <= y < self.bottom

    def meets(self, other: Box) -> bool:
        return self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom

    def columns(self, shares: Sequence[float], gap: int = 0) -> list[Box]:
        """Parts side by side; widths in proportion to `shares`."""
        return [Box(x, self.y, w, self.h) for x, w in _split(self.x, self.w, shares, gap)]

    def rows(self, shares: Sequence[float], gap: int = 0) -> list[Box]:
        """Parts one below the other; heights in proportion to `shares`."""
        return [Box(self.x, y, self.w, h) for y, h in _split(self.y, self.h, shares, gap)]

    def cut_left(self, w: int, gap: int = 0) -> tuple[Box, Box]:
        """(the leftmost `w` pixels, the rest)."""
        w = min(w, self.w)
        return Box(self.x, self.y, w, self.h), Box(self.x + w + gap, self.y, max(0, self.w - w - gap), self.h)

    def cut_right(self, w: int, gap: int = 0) -> tuple[Box, Box]:
        """(the rest, the rightmost `w` pixels)."""
        w = min(w, self.w)
        return Box(self.x, self.y, max(0, self.w - w - gap), self.h), Box(self.right - w, self.y, w, self.h)

    def cut_top(self, h: int, gap: int = 0) -> tuple[Box, Box]:
        """(the uppermost `h` pixels, the rest)."""
        h = min(h, self.h)
        return Box(self.x, self.y, self.w, h), Box(self.x, self.y + h + gap, self.w, max(0, self.h - h - gap))

    def cut_bottom(self, h: int, gap: int = 0) -> tuple[Box, Box]:
        """(the rest, the lowest `h` pixels)."""
        h = min(h, self.h)
        return Box(self.x, self.y, self.w, max(0, self.h - h - gap)), Box(self.x, self.bottom - h, self.w, h)

    def centred(self, w: int, h: int) -> Box:
        """A box of `w` x `h` in the middle of this one."""
        return Box(self.x + (self.w - w) // 2, self.y + (self.h - h) // 2, w, h)

    def contain(self, w: int, h: int) -> Box:
        """The largest box in the middle of this one with the proportions `w` : `h`."""
        scale = min(self.w / w, self.h / h)
        return self.centred(max(1, int(w * scale)), max(1, int(h * scale)))


def _split(start: int, length: int, shares: Sequence[float], gap: int) -> list[tuple[int, int]]:
    free = length - gap * (len(shares) - 1)
    total = sum(shares)
    parts = []
    done = 0.0
    for i, share in enumerate(shares):
        a, b = round(free * done / total), round(free * (done + share) / total)
        parts.append((start + gap * i + a, b - a))
        done += share
    return parts


@dataclass(frozen=True, slots=True)
class Metrics:
    """What a size in pixels means for the layout.

    `unit_px` is a hundredth of the short side (of three fifths of the long side, if that is less). Text comes in three
    classes. The instruction, the score and the totals are never below `far_px`; labels, hints and all else never below
    `near_px`; only the reasons beside the boxes may be as small as `fine_px`. On a screen 300 mm high (24 inches) these
    are capitals of 8, 5.3 and 4.4 mm; 4.4 mm is what good eyes (5 minutes of arc) tell apart at three metres. On
    smaller screens people stand nearer; there the floors in pixels keep letters whole.
    """

    width: int
    height: int

    @property
    def portrait(self) -> bool:
        return self.height > self.width

    @property
    def unit_px(self) -> float:
        short, long = sorted((self.width, self.height))
        return min(short, 0.6 * long) / 100

    def px(self, units: float) -> int:
        """`units` in whole pixels, at least one."""
        return max(1, round(units * self.unit_px))

    @property
    def near_px(self) -> int:
        return max(11, self.px(2.5))

    @property
    def fine_px(self) -> int:
        return max(11, self.px(2.1))

    @property
    def far_px(self) -> int:
        return max(13, self.px(3.8))

    @property
    def gap_px(self) -> int:
        return self.px(1.2)

    @property
    def radius_px(self) -> int:
        return self.px(1.6)

    @property
    def line_px(self) -> int:
        """A thin line: visible, but no bar."""
        return max(1, self.px(0.25))
