"""Write docs/codes.md: every code that the table can show, with what it means. Run it after adding a code."""

from __future__ import annotations

from pathlib import Path

import rules
from firmware.errors import CODES
from firmware.findings import CODES as CHECKS
from firmware.words import REFUSALS
from hardware.faults import CODES as HARDWARE
from vision.types import REASONS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "codes.md"


TOLD = {
    "BLANK": "Nothing counts in this roll, and the turn is over by that. UNDO if it was misread.",
    "KEPT_FOR": "A score was taken back after the next player had thrown: that roll is kept for them.",
}
"""What the table tells with names and numbers in it, in general."""


def page() -> str:
    """The page as it should be."""
    lines = [
        "# Codes",
        "",
        "Made by `python scripts/codes.py`. A code never changes its meaning; words may.",
        "",
        "## Faults of the program",
        "",
        "Printed as one line on the terminal, or shown as a banner. The line also says what to do.",
        "",
        "| code | meaning |",
        "|---|---|",
        *(f"| `{code}` | {words} |" for code, words in CODES.items()),
        "",
        "## What `dicetable check` finds",
        "",
        "Besides those above and below. It also says the likely cause and what to do.",
        "",
        "| code | meaning |",
        "|---|---|",
        *(f"| `{code}` | {words} |" for code, words in CHECKS.items()),
        "",
        "## Camera, panel and sound",
        "",
        "| code | meaning, and what to do |",
        "|---|---|",
        *(f"| `{code}` | {entry.words} |" for code, entry in HARDWARE.items()),
        "",
        "## What the table refuses or asks",
        "",
        "Shown beside the card. Nothing is scored and nothing is lost.",
        "",
        "| code | words |",
        "|---|---|",
        *(f"| `{code}` | {words} |" for code, words in REFUSALS.items()),
        *(f"| `{code}` | {words} |" for code, words in TOLD.items()),
        "",
        "## What the rules refuse",
        "",
        "| code | meaning |",
        "|---|---|",
        *(f"| `{code}` | {words} |" for code, words in rules.CODES.items()),
        "",
        "## Why the dice can't be read",
        "",
        "| reason | what to do |",
        "|---|---|",
        *(f"| `{code}` | {words} |" for code, words in REASONS.items()),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
