"""The card of a game's rules: one page of A4 to print, with how to play at this table below them.

Room: firmware. Lays out what `Game.rulebook` and `firmware.handling` say, in the program's own fonts. It decides
nothing about the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import rules
from firmware import handling
from firmware.language import Language
from firmware.pdf import A4_MM, Page, write
from firmware.truetype import TrueType
from rules.said import Said
from rules.said import said as _

MARGIN_MM = 16.0
GAP_MM = 8.0
LARGEST_MM, SMALLEST_MM = 5.0, 2.6
"""Sizes of the text (em); the largest is taken with which everything fits on the page."""
STEP_MM = 0.1
PITCH = 1.22
"""From one line to the next, in ems."""
_NO_BREAK = re.compile(r" (?=[;:!?»=])|(?<==) |(?<=\b\d) (?=\d\b)")
"""Spaces at which no line may end: before a mark, and within "5 5 5 = 500"."""
_THIN = str.maketrans({"\u202f": "\u00a0", "\u2009": "\u00a0"})
_ROW = "{box}: {what}."
"""What a line of the rulebook is made of that says what a box pays."""


@dataclass(frozen=True, slots=True)
class _Fonts:
    text: TrueType
    bold: TrueType


@dataclass(frozen=True, slots=True)
class _Line:
    """One line as it is set: where it begins and how far below the line before, in ems."""

    words: str
    down: float
    indent: float = 0.0
    bold: bool = False
    head: str = ""  # set bold before the words


def write_card(path: Path, game: rules.Game, said: Language, buttons: int) -> None:
    """Write the card of `game` for a table with so many buttons. Raises OSError, and ValueError where even the
    smallest text is too large."""
    write(path, [card(game, said, buttons)], said.say(game.title))


def card(game: rules.Game, said: Language, buttons: int) -> Page:
    """See `write_card`."""
    fonts = _fonts()
    size = LARGEST_MM
    while size >= SMALLEST_MM:
        page = _set(game, said, buttons, fonts, size)
        if page is not None:
            return page
        size -= STEP_MM
    raise ValueError(f"the rules of {game.name} do not fit on a page")


def _set(game: rules.Game, said: Language, buttons: int, fonts: _Fonts, size_mm: float) -> Page | None:
    """The page with text of this size; None if it does not fit."""
    width_mm, height_mm = A4_MM
    page = Page()
    title_mm = 13.0
    y = MARGIN_MM + 0.75 * title_mm
    page.text(MARGIN_MM, y, _clean(said.say(game.title)), title_mm, font=fonts.bold)
    y += 5.0
    page.box(MARGIN_MM, y, width_mm - 2 * MARGIN_MM, 0.6)
    y += 3.0
    column_mm = (width_mm - 2 * MARGIN_MM - GAP_MM) / 2
    table = list(_lines(_blocks(game, said), fonts, column_mm / size_mm))
    foot = list(_lines(_foot(game, said, buttons), fonts, (width_mm - 2 * MARGIN_MM - 8.0) / size_mm))
    foot_mm = size_mm * sum(line.down for line in foot) + 8.0
    room_mm = height_mm - MARGIN_MM - y - foot_mm - 6.0
    columns = _in_two(table, room_mm / size_mm)
    if columns is None:
        return None
    for k, column in enumerate(columns):
        _draw(page, column, MARGIN_MM + k * (column_mm + GAP_MM), y, size_mm, fonts)
    foot_y = height_mm - MARGIN_MM - foot_mm
    page.box(MARGIN_MM, foot_y, width_mm - 2 * MARGIN_MM, foot_mm, grey=0.90)
    _draw(page, foot, MARGIN_MM + 4.0, foot_y + 2.5, size_mm, fonts)
    return page


def _blocks(game: rules.Game, said: Language) -> Iterator[tuple[str, str]]:
    """The rulebook as (head, words): what a box pays has the box for its head."""
    for sentence in game.rulebook():
        if isinstance(sentence, Said) and sentence.msgid == _ROW:
            yield said.say(str_of(sentence, "box")), said.say(str_of(sentence, "what"))
        else:
            yield "", said.say(sentence)


def str_of(sentence: Said, name: str) -> str:
    """An argument of a sentence that is words itself."""
    value = sentence.args[name]
    return value if isinstance(value, str) else str(value)


def _foot(game: rules.Game, said: Language, buttons: int) -> Iterator[tuple[str, str]]:
    yield said.say(_("At this table")), ""
    for sentence in handling.lines(game, buttons):
        yield "", said.say(sentence)


def _lines(blocks: Iterator[tuple[str, str]], fonts: _Fonts, width_em: float) -> Iterator[_Line]:
    """Blocks broken into lines that are at most `width_em` wide."""
    was_row = False
    for head, words in blocks:
        is_row = bool(head and words)
        gap = 0.12 if is_row and was_row else 0.45
        was_row = is_row
        if head and not words:
            yield _Line(_clean(head), PITCH + gap, bold=True)
            continue
        lead = _clean(head) + ": " if head else ""
        indent = 1.0 if head else 0.0
        used = fonts.bold.width(lead) / 1000
        for k, line in enumerate(_broken(_clean(words), fonts.text, width_em, used, indent)):
            yield _Line(line, PITCH + (0 if k else gap), indent if k else 0.0, head=lead if not k else "")


def _broken(words: str, font: TrueType, width_em: float, used: float, indent: float) -> Iterator[str]:
    line = ""
    for word in words.split(" "):
        longer = f"{line} {word}" if line else word
        if line and used + font.width(longer) / 1000 > width_em:
            yield line
            line, used = word, indent
        else:
            line = longer
    yield line


def _in_two(lines: Sequence[_Line], room_em: float) -> tuple[Sequence[_Line], Sequence[_Line]] | None:
    """Lines in two columns of about the same height, broken between blocks; None where they do not fit."""
    total = sum(line.down for line in lines)
    best, height = None, 0.0
    for k, line in enumerate(lines):
        if line.down > PITCH and (best is None or abs(2 * height - total) < abs(2 * best[1] - total)):
            best = k, height
        height += line.down
    if best is None or max(best[1], total - best[1]) > room_em:
        return None
    return lines[: best[0]], lines[best[0] :]


def _draw(page: Page, lines: Sequence[_Line], x_mm: float, y_mm: float, size_mm: float, fonts: _Fonts) -> None:
    for k, line in enumerate(lines):
        # The first of a column begins at its top, whatever stands above it elsewhere.
        y_mm += (line.down if k else 1.0) * size_mm
        x = x_mm + line.indent * size_mm
        if line.head:
            page.text(x, y_mm, line.head, size_mm, font=fonts.bold)
            x += fonts.bold.width(line.head) / 1000 * size_mm
        page.text(x, y_mm, line.words, size_mm, font=fonts.bold if line.bold else fonts.text)


def _clean(words: str) -> str:
    """As the fonts have it, which lack the thin spaces, and broken only where it may be."""
    return _NO_BREAK.sub("\u00a0", words.translate(_THIN))


def _fonts() -> _Fonts:
    folder = resources.files("display") / "fonts"
    return _Fonts(
        TrueType((folder / "BarlowSemiCondensed-Medium.ttf").read_bytes()),
        TrueType((folder / "BarlowSemiCondensed-Bold.ttf").read_bytes()),
    )
