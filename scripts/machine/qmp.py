"""QEMU's own door: QMP over a socket (docs/interop/qmp-spec in QEMU's source).

Part of the machine harness. Knows QEMU and nothing of what runs in it.
"""

from __future__ import annotations

import json
import socket
import time
from pathlib import Path
from typing import Any


class Qmp:
    """Commands to the QEMU that listens at `path`. Raises TimeoutError if it does not within `wait_s`."""

    def __init__(self, path: Path, wait_s: float = 20.0) -> None:
        until = time.monotonic() + wait_s
        while True:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                self._socket.connect(str(path))
                break
            except OSError:
                self._socket.close()
                if time.monotonic() > until:
                    raise TimeoutError("QEMU does not open its door") from None
                time.sleep(0.1)
        self._socket.settimeout(300.0)
        self._file = self._socket.makefile("r", encoding="utf-8")
        self.events: list[str] = []
        """Names of what happened to the machine, such as RESET and SHUTDOWN."""
        self._answer()
        self.do("qmp_capabilities")

    def do(self, command: str, **arguments: Any) -> Any:
        """Carry out a command. Raises RuntimeError with what QEMU says of it."""
        message = json.dumps({"execute": command, "arguments": arguments})
        self._socket.sendall(message.encode() + b"\n")
        answer = self._answer()
        if "error" in answer:
            raise RuntimeError(f"{command}: {answer['error']['desc']}")
        return answer["return"]

    def wait_for(self, event: str, wait_s: float) -> None:
        """Until QEMU has told of an event since the machine was switched on. Raises TimeoutError."""
        until = time.monotonic() + wait_s
        while event not in self.events:
            if time.monotonic() > until:
                raise TimeoutError(f"no {event} within {wait_s:.0f} s")
            time.sleep(0.5)
            self.do("query-status")

    def human(self, line: str) -> str:
        """A command of QEMU's monitor for people, for what QMP has no word. Returns what it says."""
        return str(self.do("human-monitor-command", **{"command-line": line}))

    def screen(self, path: Path) -> None:
        """Write what the screen shows as a PNG file."""
        self.do("screendump", filename=str(path), format="png")

    def key(self, code: str) -> None:
        """Press a key of the keyboard and let it go; `code` is QEMU's name of it."""
        for down in (True, False):
            key = {"type": "key", "data": {"down": down, "key": {"type": "qcode", "data": code}}}
            self.do("input-send-event", events=[key])

    def _answer(self) -> dict[str, Any]:
        while True:
            line = self._file.readline()
            if not line:
                raise ConnectionError("QEMU has ended")
            said: dict[str, Any] = json.loads(line)
            if "event" not in said:
                return said
            self.events.append(said["event"])

    def close(self) -> None:
        self._file.close()
        self._socket.close()
