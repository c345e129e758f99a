"""What a document needs to know of a TrueType font: which glyph shows a character, and how wide it is.

Room: firmware. Reads five tables of the file and draws nothing (OpenType specification: cmap format 4, head, hhea,
hmtx, OS/2). It knows no paper.
"""

from __future__ import annotations

import struct
from functools import cached_property


class TrueType:
    """A font file. Widths are in thousandths of the em, as PDF counts them. Raises ValueError for what is no font."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._tables: dict[str, tuple[int, int]] = {}
        self._widths: dict[str, int] = {}
        if data[:4] not in (b"\x00\x01\x00\x00", b"true"):
            raise ValueError("no TrueType font")
        for k in range(self._u16(4)):
            at = 12 + 16 * k
            self._tables[data[at : at + 4].decode("ascii")] = struct.unpack_from(">II", data, at + 8)
        self.units = self._u16(self._at("head") + 18)
        self._measured = self._u16(self._at("hhea") + 34)

    def glyph(self, char: str) -> int:
        """The glyph's number; 0, the box that stands for what is missing, for a character that the font lacks."""
        return self.characters.get(ord(char), 0)

    def advance(self, glyph: int) -> int:
        """How wide a glyph is, in thousandths of the em."""
        at = self._at("hmtx") + 4 * min(glyph, self._measured - 1)
        return round(1000 * self._u16(at) / self.units)

    def width(self, text: str) -> int:
        """How wide `text` is, in thousandths of the em."""
        for char in text:
            if char not in self._widths:
                self._widths[char] = self.advance(self.glyph(char))
        return sum(self._widths[char] for char in text)

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Around all glyphs: left, bottom, right, top, in thousandths of the em."""
        left, bottom, right, top = struct.unpack_from(">4h", self.data, self._at("head") + 36)
        return self._scaled(left), self._scaled(bottom), self._scaled(right), self._scaled(top)

    @property
    def ascent(self) -> int:
        return self._scaled(self._i16(self._at("hhea") + 4))

    @property
    def descent(self) -> int:
        return self._scaled(self._i16(self._at("hhea") + 6))

    @property
    def cap_height(self) -> int:
        return self._scaled(self._i16(self._at("OS/2") + 88))

    @cached_property
    def characters(self) -> dict[int, int]:
        """Code point -> glyph, for all characters that the font has."""
        cmap = self._at("cmap")
        for k in range(self._u16(cmap + 2)):
            platform, encoding, offset = struct.unpack_from(">HHI", self.data, cmap + 4 + 8 * k)
            if (platform, encoding) in ((3, 1), (0, 3)) and self._u16(cmap + offset) == 4:
                return self._format_4(cmap + offset)
        raise ValueError("the font has no table of characters that can be read here")

    def _format_4(self, at: int) -> dict[int, int]:
        count = self._u16(at + 6) // 2
        ends, starts, deltas, ranges = (at + 14, at + 16 + 2 * count, at + 16 + 4 * count, at + 16 + 6 * count)
        found: dict[int, int] = {}
        for k in range(count):
            start, end = self._u16(starts + 2 * k), self._u16(ends + 2 * k)
            delta, offset = self._u16(deltas + 2 * k), self._u16(ranges + 2 * k)
            for code in range(start, min(end, 0xFFFE) + 1):
                if offset:
                    glyph = self._u16(ranges + 2 * k + offset + 2 * (code - start))
                    glyph = (glyph + delta) & 0xFFFF if glyph else 0
                else:
                    glyph = (code + delta) & 0xFFFF
                if glyph:
                    found[code] = glyph
        return found

    def _at(self, table: str) -> int:
        if table not in self._tables:
            raise ValueError(f"the font has no table {table!r}")
        return self._tables[table][0]

    def _scaled(self, units: int) -> int:
        return round(1000 * units / self.units)

    def _u16(self, at: int) -> int:
        return int.from_bytes(self.data[at : at + 2], "big")

    def _i16(self, at: int) -> int:
        return int.from_bytes(self.data[at : at + 2], "big", signed=True)
