"""The sounds that ship with the program: their names and where their files are.

Room: hardware. Loads nothing; `scripts/sounds.py` makes the files.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "sounds"
NAMES = ("press", "refusal", "roll", "score", "bonus", "win", "lost", "tick")
RATE_HZ = 48_000
"""One channel, 16 bit, this many samples a second."""
