"""A few pages as PDF: black shapes, lines and text, all in millimetres.

Room: firmware. Knows paper and nothing else. Written for the marks of a tray: a library for PDF brings fonts, pictures
and forms, none of which is needed for squares and some lines of text (PDF Reference 1.4, sections 3.4 and 4.4).
Text is in Helvetica, which every reader has; what is not in Windows-1252 becomes a question mark.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from pathlib import Path

from firmware.truetype import TrueType

A4_MM = (210.0, 297.0)
_POINT_MM = 25.4 / 72.0


class Page:
    """One page. Places are from the top left, x to the right and y down, in millimetres."""

    def __init__(self, size_mm: tuple[float, float] = A4_MM) -> None:
        self.size_mm = size_mm
        self._content: list[str] = []
        self.fonts: list[TrueType] = []
        """The fonts that text of this page is set in, Helvetica left out."""

    def box(self, x_mm: float, y_mm: float, width_mm: float, height_mm: float, grey: float = 0.0) -> None:
        """A filled rectangle, black (0) to white (1)."""
        x, y = self._at(x_mm, y_mm + height_mm)
        drawn = f"{x} {y} {_points(width_mm)} {_points(height_mm)} re f"
        self._content.append(f"{grey:.2f} g {drawn} 0 g" if grey else drawn)

    def line(self, x0_mm: float, y0_mm: float, x1_mm: float, y1_mm: float, width_mm: float = 0.2) -> None:
        """A thin black line."""
        (x0, y0), (x1, y1) = self._at(x0_mm, y0_mm), self._at(x1_mm, y1_mm)
        self._content.append(f"{_points(width_mm)} w {x0} {y0} m {x1} {y1} l S")

    def text(
        self,
        x_mm: float,
        y_mm: float,
        words: str,
        height_mm: float = 4.0,
        *,
        bold: bool = False,
        font: TrueType | None = None,
    ) -> None:
        """One line of text whose baseline begins at (x, y); `height_mm` is the font's em. `font`: in place of
        Helvetica."""
        x, y = self._at(x_mm, y_mm)
        if font is not None:
            if font not in self.fonts:
                self.fonts.append(font)
            glyphs = "".join(f"{font.glyph(char):04x}" for char in words)
            name = f"T{self.fonts.index(font)}"
            self._content.append(f"BT /{name} {_points(height_mm)} Tf {x} {y} Td <{glyphs}> Tj ET")
            return
        font_name = "F2" if bold else "F1"
        self._content.append(f"BT /{font_name} {_points(height_mm)} Tf {x} {y} Td ({_escaped(words)}) Tj ET")

    @property
    def content(self) -> bytes:
        """What a PDF says of this page."""
        return "\n".join(self._content).encode("cp1252", "replace")

    def _at(self, x_mm: float, y_mm: float) -> tuple[str, str]:
        return _points(x_mm), _points(self.size_mm[1] - y_mm)


def pdf(pages: Sequence[Page], title: str) -> bytes:
    """The document that these pages make."""
    kids = " ".join(f"{5 + 2 * k} 0 R" for k in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode("ascii"),
        *(
            f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>".encode("ascii")
            for name in ("Helvetica", "Helvetica-Bold")
        ),
    ]
    fonts: list[TrueType] = []
    for page in pages:
        fonts += [font for font in page.fonts if font not in fonts]
    first_font = 5 + 2 * len(pages)
    for k, page in enumerate(pages):
        width, height = (_points(mm) for mm in page.size_mm)
        embedded = "".join(
            f" /T{n} {first_font + _FONT_OBJECTS * fonts.index(font)} 0 R" for n, font in enumerate(page.fonts)
        )
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents {6 + 2 * k} 0 R "
            f"/Resources << /Font << /F1 3 0 R /F2 4 0 R{embedded} >> >> >>".encode("ascii")
        )
        content = page.content
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
    for n, font in enumerate(fonts):
        objects += _font(font, f"Font{n}", first_font + _FONT_OBJECTS * n)
    objects.append(b"<< /Title (%s) >>" % _escaped(title).encode("cp1252", "replace"))
    body = b"%PDF-1.4\n"
    places = []
    for number, entry in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, entry)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    body += b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    trailer = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R >>\n"
    return body + trailer.encode("ascii") + b"startxref\n%d\n%%%%EOF\n" % body.index(b"xref\n0 ")


_FONT_OBJECTS = 5


def _font(font: TrueType, name: str, first: int) -> list[bytes]:
    """The objects of a font that is put into the document whole; the first has the number `first`."""
    used = sorted(set(font.characters.values()))
    widths = " ".join(f"{glyph} [{font.advance(glyph)}]" for glyph in used)
    left, bottom, right, top = font.box
    packed = zlib.compress(font.data, 9)
    return [
        (
            f"<< /Type /Font /Subtype /Type0 /BaseFont /{name} /Encoding /Identity-H "
            f"/DescendantFonts [{first + 1} 0 R] /ToUnicode {first + 4} 0 R >>"
        ).encode("ascii"),
        (
            f"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /{name} /CIDToGIDMap /Identity "
            "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> "
            f"/FontDescriptor {first + 2} 0 R /W [{widths}] >>"
        ).encode("ascii"),
        (
            f"<< /Type /FontDescriptor /FontName /{name} /Flags 4 /FontBBox [{left} {bottom} {right} {top}] "
            f"/ItalicAngle 0 /Ascent {font.ascent} /Descent {font.descent} /CapHeight {font.cap_height} /StemV 90 "
            f"/FontFile2 {first + 3} 0 R >>"
        ).encode("ascii"),
        b"<< /Length %d /Length1 %d /Filter /FlateDecode >>\nstream\n%s\nendstream"
        % (len(packed), len(font.data), packed),
        _to_unicode(font),
    ]


def _to_unicode(font: TrueType) -> bytes:
    """Which character a glyph stands for, so that text can be searched and read aloud."""
    chars = {glyph: char for char, glyph in sorted(font.characters.items(), reverse=True)}
    pairs = [f"<{glyph:04x}> <{char:04x}>" for glyph, char in sorted(chars.items())]
    parts = [pairs[k : k + 100] for k in range(0, len(pairs), 100)]
    lines = [
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def",
        "1 begincodespacerange <0000> <ffff> endcodespacerange",
        *(f"{len(part)} beginbfchar\n" + "\n".join(part) + "\nendbfchar" for part in parts),
        "endcmap CMapName currentdict /CMap defineresource pop end end",
    ]
    packed = zlib.compress("\n".join(lines).encode("ascii"))
    return b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(packed), packed)


def write(path: Path, pages: Sequence[Page], title: str) -> None:
    """Write a document. Raises OSError."""
    path.write_bytes(pdf(pages, title))


def _points(mm: float) -> str:
    points = mm / _POINT_MM
    return str(round(points)) if math.isclose(points, round(points), abs_tol=1e-6) else f"{points:.3f}"


def _escaped(words: str) -> str:
    return words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
