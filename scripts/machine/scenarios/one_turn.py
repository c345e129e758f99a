"""A turn by lines and camera: dice are thrown, held, thrown again, and a box is written; screens and lamps compared."""

from __future__ import annotations

from lab import TURN, Lab
from twin import Rehearsal, begin_turn

TITLE = "a turn by lines and camera"
FROM = ""


def rehearse(evening: Rehearsal) -> None:
    begin_turn(evening)
    evening.throw(1, 3, keep=(5, 5, 5))
    evening.press("score")
    evening.press("score")


def prove(lab: Lab) -> str:
    last = lab.acts[-1]
    lab.perform(len(lab.acts) - 3)
    lab.machine.keep_moment(TURN)
    lab.perform()
    lab.journal_agrees(last)
    return f"{lab.checked} screens, each with its lamps, as the twin's; the journal as well"
