"""The checks of what is heard: a sound device, the voice, the files of the sounds.

Room: firmware. Called by `check_command.py`; each yields what it finds and touches nothing but what `Machine` gives it.
None of it keeps the table from being played, so all are warnings.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from firmware.config import Config
from firmware.findings import WARNING, Finding, Machine
from hardware.sound_files import FOLDER, NAMES
from hardware.voice import PROGRAM


def device(config: Config, machine: Machine) -> Iterator[Finding]:
    """No sound device, or none that may be opened."""
    sound = config.sound
    if not (sound.on or sound.caller or sound.spoken) or _has_server(machine):
        return
    cards = machine.text("proc/asound/cards") or ""
    off = "or switch it off: [sound] on = false"
    if not cards or "no soundcards" in cards:
        cause = "no loudspeaker is plugged in, or the screen has none"
        yield Finding("AUD-01", "there is no sound device", cause, f"plug one in, {off}", WARNING)
        return
    controls = sorted((machine.root / "dev/snd").glob("controlC*"))
    locked = [path for path in controls if not os.access(path, os.R_OK | os.W_OK)]
    if controls and len(locked) == len(controls):
        fix = f"sudo usermod -aG audio {machine.user}"
        yield Finding("AUD-01", f"no permission to open {locked[0]}", "not in the group audio", fix, WARNING)


def voice(config: Config, machine: Machine) -> Iterator[Finding]:
    """The caller or the spoken mode is wanted, and there is nothing that speaks."""
    if not (config.sound.caller or config.sound.spoken):
        return
    status, _ = machine.run([PROGRAM, "--version"])
    if status != 0:
        cause = "caller and spoken mode need it"
        yield Finding("AUD-02", "the voice is not installed", cause, f"sudo apt install {PROGRAM}", WARNING)


def sounds(_: Config, machine: Machine) -> Iterator[Finding]:
    """Sounds that ship with the program and are missing or empty."""
    bad = [
        name for name in NAMES if not (FOLDER / f"{name}.wav").is_file() or not (FOLDER / f"{name}.wav").stat().st_size
    ]
    if bad:
        what = f"sounds are missing or empty: {', '.join(bad)}"
        yield Finding("AUD-04", what, "the installation is damaged", "install it again", WARNING)


def _has_server(machine: Machine) -> bool:
    """Does a sound server of a desktop answer for the device?"""
    folder = machine.environment.get("XDG_RUNTIME_DIR", "").lstrip("/")
    sockets = ("pulse/native", "pipewire-0")
    return bool(machine.environment.get("PULSE_SERVER")) or (
        bool(folder) and any((machine.root / folder / name).exists() for name in sockets)
    )
