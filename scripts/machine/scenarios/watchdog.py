"""A table that stands still is started again by the watchdog, and the same turn is on the screen."""

from __future__ import annotations

from lab import Lab
from twin import Rehearsal

TITLE = "watchdog: stopped in its tracks"


def rehearse(evening: Rehearsal) -> None:
    evening.restart("started again by the watchdog")
    evening.press("score")


def prove(lab: Lab) -> str:
    old = lab.pid()
    lab.run(f"kill -STOP {old}")
    lab.until("journalctl -q -u dicetable | grep -q \"Failed with result 'watchdog'\"", 300.0, "the watchdog sleeps")
    lab.back(old)
    lab.perform()
    return "started again by the watchdog, same turn"
