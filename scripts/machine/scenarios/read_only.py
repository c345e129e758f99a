"""The root becomes read-only, as a card does that is worn out: the game goes on and the screen says so."""

from __future__ import annotations

from lab import Lab
from twin import Rehearsal

TITLE = "read-only root"


def rehearse(evening: Rehearsal) -> None:
    evening.press("score")
    evening.disk_full("disk I/O error")
    evening.press("score")
    evening.room_again()


def prove(lab: Lab) -> str:
    last = lab.acts[-1]
    lab.perform(1)
    lab.run("echo u > /proc/sysrq-trigger")
    lab.until("! touch /var/lib/dicetable/probe", 60.0, "it is not read-only")
    lab.perform(1)
    lab.run("mount -o remount,rw /")
    lab.perform()
    lab.journal_agrees(last)
    return "JRN-03 on the screen, the game went on; writable again, all of it is in the journal"
