"""Write docs/configuration.md: every option of the configuration. Run it after adding one."""

from __future__ import annotations

from pathlib import Path

from firmware.options import page

PAGE = Path(__file__).resolve().parent.parent / "docs" / "configuration.md"

if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
