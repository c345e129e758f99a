"""The page with the four marks for a tray's rim, to print and cut out.

Room: firmware. Joins the marks of `vision.marks` and paper.
"""

from __future__ import annotations

from firmware.pdf import Page
from vision.marks import COUNT, MODULES, pattern

SIZES_MM = (24.0, 12.0)
"""Sides of the printed marks: a mark should be 40 pixels or more in the picture, and fit on the rim."""
_GAP_MM = 16.0


def marks_page() -> Page:
    """One page with two sets of marks, of different sizes."""
    page = Page()
    page.text(20, 25, "Marks for the rim of the tray", 7, bold=True)
    lines = (
        "Print at 100 %, not scaled to fit. Use matt paper: a mark that shines is not found.",
        "Cut out four marks of one size along the lines, with the white around them.",
        "Glue one into each corner of the rim, all four at the height of the rim, with the corner of",
        "the black square that looks to the middle of the tray as near to the floor's corner as can be.",
        "Which mark goes where does not matter, nor how it is turned. Then run: dicetable calibrate",
    )
    for k, words in enumerate(lines):
        page.text(20, 36 + 6 * k, words)
    y = 75.0
    for size in SIZES_MM:
        page.text(20, y, f"{size:.0f} mm")
        white = size / MODULES
        for mark in range(COUNT):
            x = 20 + white + mark * (size + 2 * white + 6)
            _mark(page, mark, x, y + 4 + white, size, white)
        y += size + 2 * white + _GAP_MM
    return page


def _mark(page: Page, mark: int, x_mm: float, y_mm: float, size_mm: float, white_mm: float) -> None:
    module = size_mm / MODULES
    for row, modules in enumerate(pattern(mark)):
        column = 0
        while column < MODULES:
            # One box for neighbours, so that no hairline of paper shows between them.
            end = column
            while end < MODULES and modules[end]:
                end += 1
            if end > column:
                page.box(x_mm + column * module, y_mm + row * module, (end - column) * module, module)
            column = max(end, column + 1)
    x0, y0, x1, y1 = x_mm - white_mm, y_mm - white_mm, x_mm + size_mm + white_mm, y_mm + size_mm + white_mm
    for a, b in (((x0, y0), (x1, y0)), ((x1, y0), (x1, y1)), ((x1, y1), (x0, y1)), ((x0, y1), (x0, y0))):
        page.line(*a, *b)
