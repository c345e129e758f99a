"""The disk is full: the game goes on and the screen says so; when there is room again, nothing is lost."""

from __future__ import annotations

from lab import Lab
from twin import Rehearsal

TITLE = "full disk"
FILL = "/var/lib/dicetable/fill"


def rehearse(evening: Rehearsal) -> None:
    evening.throw(1, 3, keep=(5, 5, 5))
    evening.press("score")
    evening.disk_full("database or disk is full")
    evening.press("score")
    evening.room_again()


def prove(lab: Lab) -> str:
    last = lab.acts[-1]
    lab.perform(2)
    # The journal's log has room from before, and is written into it; so long a full disk does no harm.
    lab.run("sqlite3 /var/lib/dicetable/journal.sqlite3 'pragma wal_checkpoint(truncate)'")
    # What root may still use, the table may not.
    lab.run(f"fallocate -l $(df --output=avail -B1 / | tail -1) {FILL}; dd if=/dev/zero of={FILL}.2 bs=4k count=1")
    lab.perform(1)
    lab.run(f"rm -f {FILL}*")
    lab.perform()
    lab.journal_agrees(last)
    return "JRN-03 on the screen, the game went on; with room again all of it is in the journal"
