"""The whole machine hangs: its hardware watchdog (i6300esb) resets it, and the same turn is on the screen."""

from __future__ import annotations

from lab import Lab, Missing
from twin import Rehearsal

TITLE = "hardware watchdog resets a hung machine"
SETTING = "[Manager]\\nRuntimeWatchdogSec=40s\\nRebootWatchdogSec=10min\\n"


def rehearse(evening: Rehearsal) -> None:
    evening.restart("after the reset")
    evening.press("score")


def prove(lab: Lab) -> str:
    lab.run("modprobe i6300esb && udevadm settle && ls /dev/watchdog0")
    lab.run(f"mkdir -p /etc/systemd/system.conf.d && printf '{SETTING}' > /etc/systemd/system.conf.d/watchdog.conf")
    lab.run("systemctl daemon-reexec && sync", 200.0)
    lab.until("journalctl -q -b | grep -qi 'hardware watchdog'", 100.0, "systemd does not use the watchdog")
    # The kernel stops, and stays stopped: it does not start again by itself.
    lab.machine.agent.send("echo 0 > /proc/sys/kernel/panic; echo c > /proc/sysrq-trigger")
    lab.machine.qmp.wait_for("RESET", 200.0)
    if "WATCHDOG" not in lab.machine.qmp.events:
        raise Missing("it was reset, but not by the watchdog")
    lab.machine.reconnect()
    lab.machine.up()
    lab.perform()
    return "reset by i6300esb after 40 s, booted, same turn"
