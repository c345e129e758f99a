"""Installed as users do, and booted: the first picture on the screen is the one that the display makes offscreen."""

from __future__ import annotations

from lab import UP, Lab
from twin import Rehearsal

FROM = ""
TITLE = "boot to the kiosk, first picture"


def rehearse(evening: Rehearsal) -> None:
    evening.begin()


def prove(lab: Lab) -> str:
    status = lab.machine.up()
    lab.perform()
    user = lab.run("ps -o user= -p $(systemctl show -p MainPID --value dicetable)")
    boot_s = lab.run("systemd-analyze | sed -n 's/.*= //p' | head -1")
    lab.machine.keep_moment(UP)
    return f"{status}; as user {user}; {boot_s} in the machine's own time"
