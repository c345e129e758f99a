"""Text: the fonts that ship with the program, measuring, and fitting words into a box.

Room: display. Knows no view. Sizes are in pixels of the em; every text is measured with the font that draws it, so a
text that does not fit is known before it is drawn.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import pygame
import pygame.font

from display.theme import Colour

TEXT, BOLD, NARROW = "text", "bold", "narrow"

FACES: dict[str, str] = {
    TEXT: "BarlowSemiCondensed-Medium.ttf",
    BOLD: "BarlowSemiCondensed-Bold.ttf",
    NARROW: "BarlowCondensed-SemiBold.ttf",
}
"""Face -> file in display/fonts. NARROW stands in for TEXT where a line would otherwise have to shrink a lot."""

CAP_EM = 0.70
"""Height of capitals and figures, in ems (the fonts' own sCapHeight)."""
INK_EM = 1.16
"""From the accent of a capital to the lowest descender, in ems."""
PITCH_EM = 1.08
"""From one baseline to the next, in ems."""
FIGURES_EM = 0.78
"""What a line of figures alone needs, in ems: no accents, no descenders."""
COMMA_EM = 1.04
"""The same where a comma hangs below the line."""

_REFERENCE_PX = 100
_UNASSIGNED = "\u0378"
_SPACES = str.maketrans({"\u202f": "\u00a0", "\u2009": "\u00a0", "\n": " ", "\t": " "})


@lru_cache(maxsize=256)
def font(face: str, size_px: int) -> pygame.font.Font:
    """The font of `face` at `size_px`, from the program's own files; no font of the system is ever used."""
    if not pygame.font.get_init():
        pygame.font.init()
    with resources.as_file(resources.files("display") / "fonts" / FACES[face]) as path:
        return pygame.font.Font(str(path), size_px)


def forget() -> None:
    """Drop all fonts and pictures of text; needed after `pygame.font.quit()`, which makes them unusable."""
    global _pictures_bytes
    font.cache_clear()
    width.cache_clear()
    _width_at_reference.cache_clear()
    _fit.cache_clear()
    _pictures.clear()
    _pictures_bytes = 0


def clean(text: str) -> str:
    """`text` as it can be drawn: thin spaces, which the fonts lack, become no-break spaces."""
    return text.translate(_SPACES)


@lru_cache(maxsize=16384)
def width(face: str, size_px: int, text: str) -> int:
    """Advance width of `text` in pixels."""
    return font(face, size_px).size(text)[0]


def missing_glyphs(text: str) -> str:
    """The characters of `text` that some face cannot draw.

    Found by drawing: pygame reports the measures of the stand-in box for a character that the font lacks.
    """
    lacking = []
    for char in dict.fromkeys(clean(text)):
        for face in FACES:
            drawer = font(face, 24)
            stand_in = pygame.image.tobytes(drawer.render(_UNASSIGNED, True, (255, 255, 255)), "RGBA")
            if pygame.image.tobytes(drawer.render(char, True, (255, 255, 255)), "RGBA") == stand_in:
                lacking.append(char)
                break
    return "".join(lacking)


@lru_cache(maxsize=8192)
def _width_at_reference(face: str, text: str) -> int:
    return width(face, _REFERENCE_PX, text)


@dataclass(frozen=True, slots=True)
class Fitted:
    """Text set for a box: its lines at `size_px` in `face`, each with its width.

    `fits` is False if even the smallest size permitted was too large; then the lines were shortened with an ellipsis.
    """

    face: str
    size_px: int
    lines: tuple[str, ...]
    widths: tuple[int, ...]
    fits: bool

    @property
    def width(self) -> int:
        return max(self.widths, default=0)

    @property
    def cap_height(self) -> int:
        """From the top of the first line's capitals to the last baseline, in pixels."""
        return round(self.size_px * (CAP_EM + PITCH_EM * (len(self.lines) - 1)))


def sizes_between(floor_px: int, most_px: int) -> list[int]:
    """Sizes to try, large to small. Large ones are coarse, so that few fonts are ever loaded."""
    sizes = []
    size = max(most_px, floor_px)
    while size > floor_px:
        sizes.append(size)
        step = 1 if size <= 32 else 2 if size <= 64 else 4
        size = size - step if size % step == 0 else size - size % step
    sizes.append(floor_px)
    return sizes


def _wrap(face: str, text: str, limit: float, scale: float, any_char: bool) -> list[str]:
    """Lines of at most `limit` pixels by the widths at the reference size times `scale`."""

    def wide(part: str) -> float:
        return _width_at_reference(face, part) * scale

    lines: list[str] = []
    line = ""
    for piece in _pieces(text):
        if wide((line + piece).rstrip(" ")) <= limit:
            line += piece
            continue
        if line:
            lines.append(line.rstrip(" "))
        line = piece
        while any_char and len(line) > 1 and wide(line) > limit:
            cut = len(line) - 1
            while cut > 1 and wide(line[:cut]) > limit:
                cut -= 1
            lines.append(line[:cut])
            line = line[cut:]
    lines.append(line.rstrip(" "))
    return lines


def _pieces(text: str) -> list[str]:
    """`text` cut where a line may end: after spaces and after hyphens between letters."""
    pieces = []
    start = 0
    for i in range(1, len(text)):
        inner_hyphen = text[i - 1] == "-" and i >= 2 and text[i - 2].isalpha() and text[i].isalpha()
        if (text[i - 1] == " " and text[i] != " ") or inner_hyphen:
            pieces.append(text[start:i])
            start = i
    pieces.append(text[start:])
    return pieces


def _lines_that_fit(
    face: str, text: str, size: int, width_px: int, height_px: int, lines: int, figures: bool, any_char: bool
) -> tuple[str, ...] | None:
    em = INK_EM if not figures else FIGURES_EM if "," not in text else COMMA_EM
    room = min(lines, 1 + int((height_px - size * em) / (size * PITCH_EM)) if height_px >= size * em else 0)
    if room < 1:
        return None
    scale = size / _REFERENCE_PX
    if room == 1 and not any_char:
        wrapped = [text]
    else:
        wrapped = _wrap(face, text, width_px, scale, any_char)
        if any(width(face, size, part) > width_px for part in wrapped):
            # Widths are not quite in proportion to sizes: what was measured at the reference size may be too wide.
            wrapped = _wrap(face, text, width_px * 0.98, scale, any_char)
        if len(wrapped) > 1:
            wrapped = _even(face, text, wrapped, width_px, scale, any_char)
    if len(wrapped) > room or any(width(face, size, part) > width_px for part in wrapped):
        return None
    return tuple(wrapped)


def _even(face: str, text: str, wrapped: list[str], limit: int, scale: float, any_char: bool) -> list[str]:
    """The same number of lines with their lengths as even as a narrower limit makes them."""
    best = wrapped
    for share in (0.9, 0.8, 0.7, 0.6):
        tried = _wrap(face, text, limit * share, scale, any_char)
        if len(tried) > len(wrapped):
            break
        best = tried
    return best


@lru_cache(maxsize=4096)
def _fit(
    text: str,
    width_px: int,
    height_px: int,
    face: str,
    most_px: int,
    floor_px: int,
    lines: int,
    figures: bool,
    any_char: bool,
) -> Fitted:
    best: Fitted | None = None
    if any_char:
        whole_words = _fit(text, width_px, height_px, face, most_px, floor_px, lines, figures, False)
        if whole_words.fits:
            return whole_words
    for candidate in (face, NARROW) if face == TEXT else (face,):
        for size in sizes_between(floor_px, most_px):
            if best is not None and size <= best.size_px * 1.12:
                break
            set_lines = _lines_that_fit(candidate, text, size, width_px, height_px, lines, figures, any_char)
            if set_lines is not None:
                widths = tuple(width(candidate, size, part) for part in set_lines)
                best = Fitted(candidate, size, set_lines, widths, True)
                break
    if best is not None:
        return best
    narrow = NARROW if face == TEXT else face
    wrapped = _wrap(narrow, text, width_px, floor_px / _REFERENCE_PX, True)
    room = max(1, min(lines, 1 + int((height_px - floor_px * INK_EM) / (floor_px * PITCH_EM))))
    kept = wrapped[:room]
    last = " ".join(wrapped[room - 1 :])
    while last and width(narrow, floor_px, last + "…") > width_px:
        last = last[:-1]
    kept[-1] = last + "…"
    return Fitted(narrow, floor_px, tuple(kept), tuple(width(narrow, floor_px, k) for k in kept), False)


def fit(
    text: str,
    width_px: int,
    height_px: int,
    *,
    face: str = TEXT,
    most_px: int,
    floor_px: int,
    lines: int = 1,
    figures: bool = False,
    any_char: bool = False,
) -> Fitted:
    """Set `text` as large as it goes into a box of `width_px` x `height_px`.

    Tried are sizes from `most_px` down to `floor_px`, on at most `lines` lines; `figures` says that the text has
    neither accents nor descenders and may use the box's full height; `any_char` permits a break within a word.
    """
    return _fit(
        clean(text),
        int(width_px),
        int(height_px),
        face,
        int(max(most_px, floor_px)),
        int(floor_px),
        lines,
        figures,
        any_char,
    )


def fit_group(
    texts: tuple[str, ...],
    width_px: int,
    height_px: int,
    *,
    face: str = TEXT,
    most_px: int,
    floor_px: int,
    lines: int = 1,
    figures: bool = False,
    any_char: bool = False,
) -> int:
    """The largest size at which every one of `texts` fits the same box: what is alike should look alike."""
    size = int(max(most_px, floor_px))
    for text in texts:
        size = min(
            size,
            fit(
                text,
                width_px,
                height_px,
                face=face,
                most_px=size,
                floor_px=floor_px,
                lines=lines,
                figures=figures,
                any_char=any_char,
            ).size_px,
        )
    return size


_pictures: OrderedDict[tuple[str, int, str, Colour], pygame.Surface] = OrderedDict()
_pictures_bytes = 0
_PICTURES_MOST_BYTES = 8 * 1024 * 1024


def picture(face: str, size_px: int, text: str, colour: Colour) -> pygame.Surface:
    """`text` drawn, with alpha; its baseline lies `font(...).get_ascent()` below its top. Cached: do not draw on it."""
    global _pictures_bytes
    key = (face, size_px, text, colour)
    found = _pictures.get(key)
    if found is not None:
        _pictures.move_to_end(key)
        return found
    made = font(face, size_px).render(text, True, colour)
    _pictures[key] = made
    _pictures_bytes += made.get_width() * made.get_height() * 4
    while _pictures_bytes > _PICTURES_MOST_BYTES and len(_pictures) > 1:
        _, old = _pictures.popitem(last=False)
        _pictures_bytes -= old.get_width() * old.get_height() * 4
    return made
