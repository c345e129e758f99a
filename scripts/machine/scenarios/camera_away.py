"""The camera is pulled out and comes back: the screen says so, dice can be entered, and pictures come again."""

from __future__ import annotations

from lab import WAIT_S, Lab
from twin import Rehearsal

TITLE = "camera away, and back"


def rehearse(evening: Rehearsal) -> None:
    evening.unplug()
    evening.plug_in()


def prove(lab: Lab) -> str:
    # Gone for good, as a plug that is out: the device itself is no more.
    lab.run("systemctl stop machine-camera")
    lab.until("rmmod v4l2loopback", WAIT_S, "the table does not let go of the camera")
    lab.perform(1)
    lab.run("sh camera.sh && systemctl start machine-camera")
    lab.perform(1)
    return "said so, and went on when it was back; no restart"
