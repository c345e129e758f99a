"""The clock is set years back in the middle of a turn: no timer notices, and the same turn is there after a start."""

from __future__ import annotations

from lab import Lab
from twin import Rehearsal

TITLE = "clock set ten years back"


def rehearse(evening: Rehearsal) -> None:
    evening.press("hold1")
    evening.restart("started again, ten years earlier")
    evening.press("score")


def prove(lab: Lab) -> str:
    now = lab.run("date +%s")
    lab.run("date -s '10 years ago'")
    lab.perform(1)
    old = lab.pid()
    lab.run("systemctl restart dicetable", 600.0)
    lab.back(old)
    lab.perform()
    lab.run(f"date -s @{now}")
    return "played on, and the same turn after a start"
