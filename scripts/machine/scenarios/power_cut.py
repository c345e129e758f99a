"""The power is cut in the middle of a turn, ten times at random moments: what the screen had shown is not lost.

QEMU keeps the moment before each act. Each time the machine goes on from one of them, plays, and is killed. What was
not flushed is lost with QEMU, since the map of its disk is in its memory. Then the disk is mounted by the machine's own
kernel; BOOTED of the times the whole machine is booted from it. Before that, the twin is started on the journal that
was found there, and the machine must show the same as the twin.
"""

from __future__ import annotations

import os
import random
import time

from lab import Lab, Missing, plain
from twin import Act, Rehearsal

TITLE = "power cut in the middle of a turn"
CUTS = int(os.environ.get("DICETABLE_MACHINE_CUTS", "10"))
BOOTED = min(1, CUTS)
SEED = 4
PRESS_S, THROW_S = 6.0, 30.0
"""The power goes at the latest so long after a press or a throw has begun."""


def rehearse(evening: Rehearsal) -> None:
    evening.press("hold2")
    evening.press("hold2")
    evening.throw(1, 3, keep=(5, 5, 5))
    evening.press("score")
    evening.press("score")


def prove(lab: Lab) -> str:
    chance = random.Random(SEED)
    acts = list(lab.acts)
    moments = []
    for number in range(len(acts) - 1):
        lab.perform(1)
        moments.append(f"after-{number}")
        lab.machine.keep_moment(moments[-1])
    lost = 0
    for number in range(1, CUTS + 1):
        # So that the cuts are spread over the turn: each act has its share, the moment within it is by chance.
        at = 1 + number % len(moments)
        lab.say(f"cut {number} falls into: {acts[at].name}")
        shown = at if play_until_cut(lab, moments[at - 1], acts[at], chance.random()) else at - 1
        folder = lab.machine.work / f"cut-{number}"
        found = lab.found_on_disk(folder)
        wanted = [[plain(*record) for record in act.records] for act in acts[shown : at + 1]]
        if found not in wanted:
            raise Missing(f"cut {number}: the screen had shown {acts[shown].name}, the journal holds {found}")
        lost += found != wanted[-1]
        if number <= BOOTED:
            lab.boot_and_compare(folder, acts[at].lies)
    lab.say(f"{lost} fell before the commit")
    return f"{CUTS} cuts, nothing that was shown was lost; {BOOTED} booted to the same turn"


def play_until_cut(lab: Lab, moment: str, act: Act, late: float) -> bool:
    """Begin an act, and cut the power. Returns whether the screen had shown what it leads to."""
    lab.machine.close()
    lab.machine.go_on(moment)
    lab.do(act)
    time.sleep(late * (THROW_S if act.film else PRESS_S))
    last = lab.snapshot("last")
    lab.machine.cut()
    return lab.same(last, act)
