"""What menus ask of the machine: settings that take effect at once and are kept, a new evening, restart, power off.

Room: firmware. The table only says what is wanted (orders); this does it. It decides nothing, and the game never
waits for it.
"""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from firmware.audio import Audio
from firmware.events import Order
from firmware.language import language
from firmware.words import SHORT_FAULTS

if TYPE_CHECKING:
    from firmware.journal import Journal
    from firmware.kept_settings import KeptSettings
    from firmware.loop import Loop

ORDERS = frozenset({"set", "session", "rename", "forget", "restart", "poweroff", "sample"})
"""The orders that are the machine's; all others are the camera's."""
EYE = {"dice": "dice", "camera.calibration": "calibration"}
"""What the camera process must know -> what it is called there."""
NAMES = {"dice": "camera.dice"}
"""What the table's facts are called -> the configuration's key, where they differ."""


class Restyled(Protocol):
    """What this needs of a window."""

    def restyle(self, **changes: Any) -> None: ...


class Machine:
    """`say` takes a line for the log. `power` runs a command; tests hand in another."""

    def __init__(
        self,
        window: Restyled,
        journal: Journal,
        *,
        audio: Audio | None = None,
        kept: KeptSettings | None = None,
        power: Callable[[list[str]], object] | None = None,
        say: Callable[[str], None] = print,
    ) -> None:
        self._window = window
        self._journal = journal
        self._audio = audio
        self._kept = kept
        self._power = power or _run
        self._say = say
        self.faults: tuple[tuple[str, str], ...] = ()
        """What went wrong with what was asked for, as code and words."""

    def order(self, order: Order, loop: Loop) -> None:
        """Do one of ORDERS."""
        match order.name:
            case "set":
                self._set(str(order.args["key"]), order.args["value"], loop)
            case "sample" if self._audio is not None:
                self._audio.sample()
            case "session":
                self._journal.new_session()
            case "rename":
                self._journal.call(str(order.args["old"]), str(order.args["new"]))
            case "forget":
                self._journal.erase(str(order.args["name"]))
            case "restart":
                loop.again = loop.closed = True
            case "poweroff":
                threading.Thread(target=self._switch_off, name="poweroff", daemon=True).start()
            case _:
                pass

    def _switch_off(self) -> None:
        status = self._power(["systemctl", "poweroff"])
        self.faults = (("PWR-01", SHORT_FAULTS["PWR-01"]),) if status else ()

    def _set(self, key: str, value: Any, loop: Loop) -> None:
        section, _, name = key.rpartition(".")
        if key == "language":
            spoken = language(str(value))
            self._window.restyle(words=spoken.words)
            loop.speak(spoken)
            if self._audio is not None:
                self._audio.speak_in(spoken)
        elif section == "screen":
            self._window.restyle(**{name: value})
        elif section == "sound" and self._audio is not None:
            change: Mapping[str, Any] = {
                "sound.on": {"sounds": value},
                "sound.volume": {"volume": int(value) / 100},
                "sound.caller": {"caller": value},
                "sound.spoken": {"spoken": value},
            }[key]
            self._audio.change(**change)
            self._audio.sample()
        elif key in EYE:
            loop.order_eye(Order("respec", {EYE[key]: value}))
        if self._kept is not None:
            self._kept.keep(NAMES.get(key, key), value)


def _run(command: list[str]) -> None:
    runtime = os.environ.get("RUNTIME_DIRECTORY")
    if runtime and command == ["systemctl", "poweroff"]:
        # As a service we may not; systemd/dicetable-poweroff.path waits for this file.
        (Path(runtime) / "poweroff").touch()
        return
    subprocess.run(command, check=False, timeout=30)
