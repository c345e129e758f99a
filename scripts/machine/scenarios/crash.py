"""A table that crashes, or is killed, is started again, and the same turn is on the screen."""

from __future__ import annotations

from lab import Lab
from twin import Rehearsal

TITLE = "crash: SIGSEGV and SIGKILL"
SIGNALS = ("SEGV", "KILL")


def rehearse(evening: Rehearsal) -> None:
    for name in SIGNALS:
        evening.restart(f"started again after SIG{name}")
        evening.press("score")


def prove(lab: Lab) -> str:
    for name in SIGNALS:
        old = lab.pid()
        lab.run(f"kill -{name} {old}")
        lab.back(old)
        lab.perform(2)
    return "each started again within the unit's three seconds and a start, same turn"
