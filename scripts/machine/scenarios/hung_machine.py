"""The whole machine hangs: its hardware watchdog (i6300esb) resets it, and the same turn is on the screen."""

from __future__ import annotations

from lab import BOOT_S, Lab, Missing
from twin import Rehearsal

TITLE = "hardware watchdog resets a hung machine"
SETTING = "[Manager]\\nRuntimeWatchdogSec=10s\\nRebootWatchdogSec=10min\\n"


def rehearse(evening: Rehearsal) -> None:
    evening.restart("after the reset")
    evening.press("score")


def prove(lab: Lab) -> str:
    lab.run("modprobe i6300esb && udevadm settle && ls /dev/watchdog0")
    lab.run(f"mkdir -p /etc/systemd/system.conf.d && printf '{SETTING}' > /etc/systemd/system.conf.d/watchdog.conf")
    lab.run("systemctl daemon-reexec && sync", 200.0)
    lab.until("journalctl -q -b | grep -qi 'hardware watchdog'", 100.0, "systemd does not use the watchdog")
    # Something takes the processor and never gives it back: not to the table, and not to systemd.
    lab.machine.agent.send("echo -1 > /proc/sys/kernel/sched_rt_runtime_us; exec chrt -f 99 sha256sum /dev/zero")
    lab.machine.qmp.wait_for("RESET", BOOT_S)
    if "WATCHDOG" not in lab.machine.qmp.events:
        raise Missing("it was reset, but not by the watchdog")
    lab.machine.reconnect()
    lab.machine.up()
    lab.perform()
    return "reset by i6300esb after 10 s, booted, same turn"
