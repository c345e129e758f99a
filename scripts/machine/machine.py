"""The machine: QEMU with a disk of its own, its screen, its lines and its camera.

Part of the machine harness. Knows QEMU, the guest's scripts and pictures; what a game is it does not know.
"""

from __future__ import annotations

import base64
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from agent import Agent
from qmp import Qmp

PATIENCE = float(os.environ.get("DICETABLE_MACHINE_PATIENCE", "1"))
"""So many times longer the harness waits: 1 is for an idle computer. The machine has a clock of its own."""
BOOT_S = 300.0 * PATIENCE
WAIT_S = 120.0 * PATIENCE
KERNEL = (
    "root=/dev/vda console=ttyS0 panic=5 quiet loglevel=3 consoleblank=0 clocksource=tsc tsc=reliable no_timer_check"
    " mitigations=off nokaslr audit=0 apparmor=0 cryptomgr.notests"
)
"""What an emulated processor would do in vain is left out."""
POLL_S = 0.25
SAME_SHARE = 0.004
"""Pixels that may differ between two pictures that are the same: drawing on a real screen rounds nothing, decoding a
JPEG does."""
FAR = 24
"""Grey levels that count as different."""


class Missing(Exception):
    """What was waited for has not come."""


class Machine:
    """`image` is the folder of the cached image, `work` takes this machine's disk, `parts` is the folder that becomes
    its second disk when it is switched on (guest scripts and films)."""

    def __init__(self, image: Path, work: Path, parts: Path) -> None:
        self._image = image
        self.work = work
        self._process: subprocess.Popen[bytes] | None = None
        self._agent: Agent | None = None
        self._qmp: Qmp | None = None
        work.mkdir(parents=True, exist_ok=True)
        self._parts = parts
        self._disk = work / "disk.qcow2"
        self.used = self._disk.exists()
        """It was on before, in this folder."""
        # An overlay that stays: what the machine has written is there after a power cut, as on a card.
        if not self.used:
            below = ("-F", "qcow2", "-b", str(image / "root.qcow2"))
            _quietly("qemu-img", "create", "-q", "-f", "qcow2", *below, str(self._disk))

    def twin(self, work: Path) -> Machine:
        """Another one, off, with a disk like this one's, moments included. This one is off as well."""
        assert self._process is None
        work.mkdir(parents=True, exist_ok=True)
        _quietly("cp", "--sparse=always", str(self._disk), str(work / "disk.qcow2"))
        return Machine(self._image, work, self._parts)

    # ---- power -------------------------------------------------------------------------------------------------------

    def power_on(self, words: str = "", *, moment: str = "") -> None:
        """Switch it on, or let it go on at a `moment` that was kept. `words` go to the kernel."""
        assert self._process is None
        for name in ("qmp", "agent", "parts.ext4"):
            (self.work / name).unlink(missing_ok=True)
        parts = self.work / "parts.ext4"
        _quietly("mke2fs", "-q", "-t", "ext4", "-d", str(self._parts), str(parts), "128M")
        command = [
            *self._command(words),
            "-drive", f"file={parts},if=virtio,format=raw,readonly=on",
            "-device", "virtio-keyboard-pci", "-device", "i6300esb", "-watchdog-action", "reset",
            "-device", "virtio-serial-pci",
            "-chardev", f"socket,id=agent,path={self.work}/agent,server=on,wait=off",
            "-device", "virtserialport,chardev=agent,name=agent",
            "-qmp", f"unix:{self.work}/qmp,server=on,wait=off",
            "-device", "virtio-gpu-pci,xres=480,yres=320",
            *(("-loadvm", moment) if moment else ()),
        ]  # fmt: skip
        with (self.work / "qemu.log").open("ab") as log:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self._qmp = Qmp(self.work / "qmp")
        self._agent = Agent(self.work / "agent")

    def _command(self, words: str) -> list[str]:
        # Its clock counts instructions, a nanosecond each: however slow or busy this computer is, for the machine all
        # is in proportion. Only while it has nothing to do its clock goes with ours.
        return [
            "qemu-system-x86_64", "-machine", "q35", "-accel", "tcg,thread=single", "-icount", "shift=0,sleep=on",
            "-cpu", "Nehalem", "-smp", "1", "-m", "1000", "-display", "none", "-no-user-config", "-nodefaults",
            "-kernel", str(self._image / "kernel/vmlinuz"), "-initrd", str(self._image / "initrd"),
            "-append", f"{KERNEL} {words}".strip(),
            # What is kept is safe from the end of QEMU, not from that of this computer: nobody waits for its disk.
            "-drive", f"file={self._disk},if=virtio,format=qcow2,cache=unsafe",
            "-serial", f"file:{self.work}/console.log",
        ]  # fmt: skip

    def on_disk(self, path: str) -> dict[str, bytes]:
        """What is on the disk of the machine that is off: files whose path begins so, by name. Its own kernel mounts
        the disk and puts right what was being written; nothing else is started. Raises Missing."""
        assert self._process is None
        subprocess.run(
            [*self._command(f"show={path}"), "-no-reboot"], stdin=subprocess.DEVNULL, check=True, timeout=BOOT_S
        )
        files: dict[str, bytes] = {}
        for part in (self.work / "console.log").read_text("ascii", "replace").split("<<< ")[1:]:
            name, _, rest = part.partition("\n")
            body, end, _ = rest.partition(">>>")
            if not end:
                raise Missing(f"{name} can't be read from the disk")
            files[name.strip()] = base64.b64decode(body)
        return files

    def cut(self) -> None:
        """Cut the power: nothing in the machine is told, and nothing that it had not yet written will be."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._process = None
        for end in (self._agent, self._qmp):
            if end is not None:
                end.close()
        self._agent = self._qmp = None

    def keep_moment(self, name: str) -> None:
        """Remember all of the machine as it is now."""
        said = self.qmp.human(f"savevm {name}")
        if said:
            raise RuntimeError(said)

    def reconnect(self) -> None:
        """The machine was reset: what was asked before is not answered any more."""
        self.agent.close()
        self._agent = Agent(self.work / "agent")

    def close(self) -> None:
        if self._process is not None:
            self.cut()

    @property
    def agent(self) -> Agent:
        assert self._agent is not None
        return self._agent

    @property
    def qmp(self) -> Qmp:
        assert self._qmp is not None
        return self._qmp

    # ---- what people do, and see -------------------------------------------------------------------------------------

    def booted(self, wait_s: float = BOOT_S) -> None:
        """Until the machine listens."""
        self.agent.wait(wait_s)

    def up(self, wait_s: float = BOOT_S) -> str:
        """Until the table runs and its first picture is shown. Returns its status line."""
        self.booted(wait_s)
        self.until(
            lambda: self.agent.ask("systemctl -q is-active dicetable")[0] == 0, wait_s, "the table does not start"
        )
        return self.agent.run("systemctl show -p StatusText --value dicetable").strip()

    def film(self, name: str) -> None:
        """Let the camera see a film."""
        self.agent.run(f"rm -f /run/feed/at; echo {name} > /run/feed/film.part; mv /run/feed/film.part /run/feed/film")

    def go_on(self, moment: str, film: str = "") -> None:
        """Switch it on as it was at a `moment` that was kept; should it boot, the camera sees `film`. Its second disk
        may hold something else than it did then, so it looks at that anew."""
        self.power_on(f"film={film}" if film else "", moment=moment)
        self.booted()
        self.agent.run("umount /run/machine; blockdev --flushbufs /dev/vdb; mount -o ro /dev/vdb /run/machine")

    def lit(self, lines: dict[str, int]) -> frozenset[str]:
        """Which of these lamps (name and line) are lit."""
        said = self.agent.run(f"sh lines.sh {' '.join(map(str, lines.values()))}").split()
        on = {int(part.split("=")[0]) for part in said if part.endswith("=1")}
        return frozenset(name for name, line in lines.items() if line in on)

    def screen(self, path: Path) -> Path:
        self.qmp.screen(path)
        return path

    def shows(self, wanted: Path, kept: Path, wait_s: float = WAIT_S) -> float:
        """Wait until the screen shows the picture in `wanted`; what it showed is in `kept`. Returns the share of pixels
        that differ. Raises Missing."""
        share = 1.0

        def same() -> bool:
            nonlocal share
            self.screen(kept)
            share = difference(wanted, kept)
            return share <= SAME_SHARE

        self.until(
            same,
            wait_s,
            f"the screen differs from {wanted} ({{}})",
            lambda: f"{100 * share:.1f} % of its pixels, see {kept}",
        )
        return share

    def until(
        self, true: Callable[[], bool], wait_s: float, missing: str, more: Callable[[], str] = lambda: ""
    ) -> None:
        """Ask again until it is true. Raises Missing."""
        until = time.monotonic() + wait_s
        while not true():
            if time.monotonic() > until:
                raise Missing(f"{missing.format(more())} after {wait_s:.0f} s")
            time.sleep(POLL_S)


def difference(one: Path, other: Path) -> float:
    """The share of pixels that differ between two pictures; 1 if they differ in size."""
    a, b = (cv2.imread(str(path), cv2.IMREAD_COLOR) for path in (one, other))
    if a is None or b is None or a.shape != b.shape:
        return 1.0
    return float((np.abs(a.astype(np.int16) - b).max(axis=2) > FAR).mean())


def _quietly(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
