"""No screen when the table starts: it waits and says so, and shows its picture when there is one."""

from __future__ import annotations

from lab import Lab
from twin import Rehearsal

TITLE = "no screen at the start"
DRIVER = "/sys/bus/virtio/drivers/virtio_gpu"


def rehearse(evening: Rehearsal) -> None:
    evening.restart("the screen is there")
    evening.press("score")


def prove(lab: Lab) -> str:
    lab.run("systemctl stop dicetable", 200.0)
    card = lab.run(f"basename $(ls -d {DRIVER}/virtio*)")
    lab.run(f"echo {card} > {DRIVER}/unbind")
    lab.run("systemctl --no-block start dicetable")
    lab.until("systemctl show -p StatusText dicetable | grep -q DSP-01", 300.0, "it does not say that it waits")
    said = lab.run("systemctl show -p StatusText --value dicetable")
    lab.run(f"echo {card} > {DRIVER}/bind")
    lab.back(0, 600.0)
    lab.perform()
    return f'"{said}", then the picture'
