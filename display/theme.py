"""Colours of the screen: one palette per kind of room, and the sum that says whether text on them can be read.

Room: display. Knows no view and no pygame: colours are plain (red, green, blue), 0 to 255.
"""

from __future__ import annotations

from dataclasses import dataclass

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Theme:
    """A palette. Pairs that text is drawn with are listed in `PAIRS`; each passes WCAG AA (4.5 to 1).

    `ground` lies behind all, `panel` behind groups, `raised` behind what lies on a panel, `line` is for edges.
    `ink` is text, `soft` quieter text. `call` is what asks for action (on it: `on_call`), `held` marks kept dice (on
    it: `on_held`), `alarm` refusals and faults (on it: `on_alarm`), `good` what pays best. `die` and `pip` draw dice.
    """

    name: str
    ground: Colour
    panel: Colour
    raised: Colour
    line: Colour
    ink: Colour
    soft: Colour
    call: Colour
    on_call: Colour
    held: Colour
    on_held: Colour
    alarm: Colour
    on_alarm: Colour
    good: Colour
    die: Colour
    pip: Colour
    series: tuple[Colour, ...]


PAIRS: tuple[tuple[str, str], ...] = (
    ("ink", "ground"),
    ("ink", "panel"),
    ("ink", "raised"),
    ("soft", "ground"),
    ("soft", "panel"),
    ("soft", "raised"),
    ("call", "ground"),
    ("call", "panel"),
    ("call", "raised"),
    ("on_call", "call"),
    ("held", "ground"),
    ("held", "panel"),
    ("on_held", "held"),
    ("alarm", "ground"),
    ("on_alarm", "alarm"),
    ("good", "panel"),
    ("good", "raised"),
    ("pip", "die"),
)
"""(text, behind it): every pair of colours that text is drawn with."""

DARK = Theme(
    name="dark",
    ground=(11, 15, 20),
    panel=(23, 30, 39),
    raised=(38, 48, 61),
    line=(58, 71, 88),
    ink=(246, 243, 234),
    soft=(168, 180, 194),
    call=(255, 197, 61),
    on_call=(26, 18, 0),
    held=(88, 205, 240),
    on_held=(0, 24, 33),
    alarm=(255, 122, 96),
    on_alarm=(38, 6, 0),
    good=(123, 224, 150),
    die=(247, 243, 232),
    pip=(24, 24, 28),
    series=(
        (255, 197, 61),
        (88, 205, 240),
        (123, 224, 150),
        (255, 122, 96),
        (200, 155, 255),
        (255, 160, 205),
        (190, 205, 220),
        (220, 190, 140),
    ),
)

DAYLIGHT = Theme(
    name="daylight",
    ground=(226, 230, 234),
    panel=(250, 251, 252),
    raised=(232, 237, 243),
    line=(158, 170, 183),
    ink=(14, 20, 27),
    soft=(68, 80, 94),
    call=(20, 66, 160),
    on_call=(255, 255, 255),
    held=(0, 95, 110),
    on_held=(255, 255, 255),
    alarm=(168, 28, 16),
    on_alarm=(255, 255, 255),
    good=(12, 104, 44),
    die=(255, 255, 255),
    pip=(16, 20, 26),
    series=(
        (20, 66, 160),
        (168, 28, 16),
        (12, 104, 44),
        (120, 50, 150),
        (0, 95, 110),
        (150, 80, 0),
        (60, 66, 74),
        (170, 20, 100),
    ),
)

CONTRAST = Theme(
    name="contrast",
    ground=(0, 0, 0),
    panel=(0, 0, 0),
    raised=(32, 32, 32),
    line=(255, 255, 255),
    ink=(255, 255, 255),
    soft=(226, 226, 226),
    call=(255, 235, 0),
    on_call=(0, 0, 0),
    held=(0, 240, 255),
    on_held=(0, 0, 0),
    alarm=(255, 150, 130),
    on_alarm=(0, 0, 0),
    good=(130, 255, 130),
    die=(255, 255, 255),
    pip=(0, 0, 0),
    series=(
        (255, 235, 0),
        (0, 240, 255),
        (130, 255, 130),
        (255, 150, 130),
        (220, 180, 255),
        (255, 190, 225),
        (255, 255, 255),
        (235, 205, 150),
    ),
)

THEMES: dict[str, Theme] = {t.name: t for t in (DARK, DAYLIGHT, CONTRAST)}


def contrast_ratio(a: Colour, b: Colour) -> float:
    """Contrast of two colours, 1 to 21, as WCAG 2.2 defines it (relative luminance of sRGB)."""

    def luminance(colour: Colour) -> float:
        parts = [c / 255 for c in colour]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)
