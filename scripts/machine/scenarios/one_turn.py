"""A turn by lines and camera: dice are thrown, held, thrown again, and a box is written; screens and lamps compared."""

from __future__ import annotations

from lab import Lab
from twin import Rehearsal

TITLE = "a turn by lines and camera"


def rehearse(evening: Rehearsal) -> None:
    evening.press("score")
    evening.press("score")
    evening.throw(5, 2, 5, 6, 5)
    evening.press(f"hold{1 + next(n for n, die in enumerate(evening.table.play.dice) if die.value == 5)}")
    evening.throw(1, 3, keep=(5, 5, 5))
    evening.press("score")
    evening.press("score")


def prove(lab: Lab) -> str:
    last = lab.acts[-1]
    lab.perform()
    lab.journal_agrees(last)
    return f"{lab.checked} screens, each with its lamps, as the twin's; the journal as well"
