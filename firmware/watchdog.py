"""What the service manager is told: that the table is ready, that it still moves, that it ends.

Room: firmware. The protocol is that of sd_notify(3): a datagram to the socket that `NOTIFY_SOCKET` names. Without that
variable everything here does nothing. It reads no clock; the loop hands in monotonic seconds.

The dog is fed by the loop itself and only while loop, input and drawing have all moved since the last time. A thread
that pings by itself would go on while the screen stands still.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

SHARE = 0.4
"""The dog is fed after this share of its time: sd_watchdog_enabled(3) asks for less than half."""


@dataclass(slots=True)
class Beats:
    """How often each part has done its work since the start; the loop counts them up."""

    loop: int = 0
    input: int = 0
    drawing: int = 0

    def counts(self) -> tuple[int, int, int]:
        return self.loop, self.input, self.drawing


def notifier(environment: Mapping[str, str] | None = None) -> Callable[[str], None]:
    """What sends one state, such as `READY=1`, to the service manager; does nothing where there is none.

    A manager that doesn't listen is no reason to stop a game, so nothing is raised.
    """
    address = (os.environ if environment is None else environment).get("NOTIFY_SOCKET", "")
    if not address:
        return lambda state: None
    target = "\0" + address[1:] if address.startswith("@") else address

    def send(state: str) -> None:
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as s:
            # A full queue must not hold up the loop.
            s.setblocking(False)
            s.sendto(state.encode("utf-8"), target)

    return send


def watchdog_s(environment: Mapping[str, str] | None = None, pid: int | None = None) -> float:
    """After how many seconds of silence the service manager acts; 0 if it doesn't watch this process."""
    said = os.environ if environment is None else environment
    if said.get("WATCHDOG_PID", str(pid or os.getpid())) != str(pid or os.getpid()):
        return 0.0
    try:
        return max(0.0, int(said.get("WATCHDOG_USEC", "0")) / 1e6)
    except ValueError:
        return 0.0


class Watchdog:
    """`send` takes states (see `notifier`); `limit_s` is how long the manager waits, 0 for no watching."""

    def __init__(self, send: Callable[[str], None], limit_s: float) -> None:
        self._send = send
        self._limit_s = limit_s
        self._ready = False
        self._fed_at: float | None = None
        self._fed_with = (0, 0, 0)
        self._status = ""

    def ready(self, status: str) -> None:
        """The first picture is on the screen. Only the first call counts."""
        if not self._ready:
            self._ready = True
            self._status = status
            self._send(f"READY=1\nSTATUS={status}")

    def status(self, words: str) -> None:
        """A line for `systemctl status`; sent only when it changes."""
        if words != self._status:
            self._status = words
            self._send(f"STATUS={words}")

    def waiting(self, words: str, longer_s: float) -> None:
        """The start takes longer, for a reason: give it `longer_s` seconds more from now."""
        self._status = words
        self._send(f"STATUS={words}\nEXTEND_TIMEOUT_USEC={round(longer_s * 1e6)}")

    def feed(self, now: float, beats: Beats) -> bool:
        """Feed the dog if it is time and everything has moved since. True if it was fed."""
        if self._limit_s <= 0:
            return False
        counts = beats.counts()
        if self._fed_at is not None:
            if now - self._fed_at < self._limit_s * SHARE:
                return False
            if any(new <= old for new, old in zip(counts, self._fed_with, strict=True)):
                return False
        self._fed_at, self._fed_with = now, counts
        self._send("WATCHDOG=1")
        return True

    def stopping(self) -> None:
        """The end was asked for."""
        self._send("STOPPING=1\nSTATUS=stopping")
