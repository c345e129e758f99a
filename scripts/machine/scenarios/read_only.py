"""The card is worn out, the disk becomes read-only in a turn: the screen says so and the game goes on; after the next
start the last that reached the disk is there."""

from __future__ import annotations

from lab import Lab, Missing, plain
from twin import Rehearsal

TITLE = "disk error, read-only root"


def rehearse(evening: Rehearsal) -> None:
    evening.press("score")
    evening.disk_full("disk I/O error")
    evening.press("score")


def prove(lab: Lab) -> str:
    kept = lab.acts[0]
    lab.perform(1)
    # As ext4 does it by itself after an error; there is no way back without a start.
    lab.run("mount -o remount,errors=remount-ro / && echo worn > /sys/fs/ext4/vda/trigger_fs_error")
    lab.perform()
    lab.machine.cut()
    folder = lab.machine.work / "worn"
    found = lab.found_on_disk(folder)
    if found != [plain(*record) for record in kept.records]:
        raise Missing(f"the journal on the disk is {found}")
    lab.boot_and_compare(folder, kept.lies)
    return "JRN-03 on the screen, the game went on; after a new start the last turn that had reached the disk"
