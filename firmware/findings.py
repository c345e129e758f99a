"""What `dicetable check` finds: a code, what is wrong, why, and what to do. And the machine as the checks see it.

Room: firmware. `Machine` is the only way in which checks reach the computer, so that tests hand in a made-up one.
"""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CODES: Mapping[str, str] = {
    "AUD-04": "a sound that ships with the program is missing or empty",
    "CHK-01": "a check itself went wrong",
    "CHK-02": "there is no check of that name",
    "DSP-03": "a font of the screen is missing or damaged",
    "DSP-04": "the screen goes dark when nobody plays",
    "ENV-02": "a package comes from another place than this kind of installation says",
    "ENV-03": "a version of a package that is known to be broken",
    "GPIO-08": "gpiozero is told to use another pin factory than lgpio",
    "SYS-01": "the power supply is too weak",
    "SYS-02": "the computer is too hot",
    "SYS-03": "the disk is full, nearly full, or can't be written",
    "SYS-04": "the clock is wrong",
    "SYS-05": "the firmware's settings (config.txt) don't fit the table",
    "SYS-06": "the table's user is not in a group that it needs",
    "SYS-07": "the service does not run, or does not start with the machine",
}
"""Code -> what it means, besides those of `errors.py` and `hardware/faults.py`."""

FAULT, WARNING = "fault", "warning"


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem. `what` is wrong, `cause` is the likely reason, `fix` what to do, a command where there is one."""

    code: str
    what: str
    cause: str
    fix: str
    level: str = FAULT


def _run(command: Sequence[str]) -> tuple[int, str]:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return 127, str(error)
    return done.returncode, (done.stdout + done.stderr).strip()


def _free_bytes(path: Path) -> int:
    return shutil.disk_usage(path).free


@dataclass(frozen=True)
class Machine:
    """The computer. `root` is where its files are, `run` gives a command's exit status and words (127 if there is no
    such command), `load` imports a module, `prefix` is the Python environment, `today` a date like 2026-11-30."""

    root: Path = Path("/")
    run: Callable[[Sequence[str]], tuple[int, str]] = _run
    load: Callable[[str], Any] = importlib.import_module
    free_bytes: Callable[[Path], int] = _free_bytes
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    prefix: Path = field(default_factory=lambda: Path(sys.prefix))
    today: str = ""
    user: str = ""

    def text(self, path: str) -> str | None:
        """What a file says, without the white space around it; None if it can't be read."""
        try:
            return (self.root / path).read_text("utf-8", "replace").strip("\0 \n\t")
        except OSError:
            return None

    @property
    def kind(self) -> str:
        """How this was installed: `pi`, `plain`, or "" for an environment that install.sh did not make."""
        try:
            return (self.prefix / ".kind").read_text("utf-8").strip()
        except OSError:
            return ""

    @property
    def model(self) -> str:
        """`Raspberry Pi 5 Model B Rev 1.0`, or "" elsewhere."""
        return self.text("proc/device-tree/model") or ""

    def firmware_settings(self) -> list[str] | None:
        """The lines of config.txt that count on every board; None where there is no such file."""
        text = self.text("boot/firmware/config.txt")
        if text is None:
            return None
        lines, counts = [], True
        for line in text.splitlines():
            line = line.partition("#")[0].strip()
            if line.startswith("["):
                # A section for one board or screen may or may not be for this one; taking it would cry wolf.
                counts = line in ("[all]", "[pi4]", "[pi5]", "[cm4]", "[cm5]")
            elif line and counts:
                lines.append(line)
        return lines
