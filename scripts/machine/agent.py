"""A shell in the machine: scripts in, exit status and words out, over a serial line (see guest/agent.sh).

Part of the machine harness. Knows the line and nothing of what the scripts do.
"""

from __future__ import annotations

import base64
import socket
import time
from pathlib import Path

ASK_AGAIN_S = 10.0


class GuestError(Exception):
    """A script in the machine has failed."""


class Agent:
    """`path` is the socket that QEMU has at its end of the line."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.connect(str(path))
        self._rest = b""

    def wait(self, seconds: float) -> None:
        """Until the machine listens. Raises TimeoutError."""
        # What is sent before it listens waits in QEMU. But a machine that goes on at a moment that was kept is told
        # that the line was closed and is open again, and what it is sent in between may be lost. So it is asked again,
        # and answers to what was asked before the last are dropped.
        until = time.monotonic() + seconds
        while True:
            mark = f"here-{time.monotonic():.3f}"
            self.send(f"echo {mark}")
            try:
                while mark not in self._receive(max(0.0, min(ASK_AGAIN_S, until - time.monotonic())))[1]:
                    pass
                return
            except TimeoutError:
                if time.monotonic() >= until:
                    raise

    def run(self, script: str, wait_s: float = 60.0) -> str:
        """Run a shell script and return what it says. Raises GuestError if its exit status is not 0, TimeoutError."""
        status, said = self.ask(script, wait_s)
        if status:
            raise GuestError(f"status {status}: {script}\n{said}")
        return said

    def ask(self, script: str, wait_s: float = 60.0) -> tuple[int, str]:
        """The same with the exit status."""
        self.send(script)
        return self._receive(wait_s)

    def send(self, script: str) -> None:
        """Run a shell script whose end nobody waits for."""
        self._socket.sendall(base64.b64encode(script.encode()) + b"\n")

    def _receive(self, wait_s: float) -> tuple[int, str]:
        until = time.monotonic() + wait_s
        while b"\n" not in self._rest:
            self._socket.settimeout(max(0.01, until - time.monotonic()))
            try:
                got = self._socket.recv(65536)
            except TimeoutError:
                raise TimeoutError(f"the machine has not answered within {wait_s:.0f} s") from None
            if not got:
                raise ConnectionError("QEMU has ended")
            self._rest += got
        line, _, self._rest = self._rest.partition(b"\n")
        status, _, said = line.partition(b" ")
        return int(status), base64.b64decode(said).decode("utf-8", "replace")

    def close(self) -> None:
        self._socket.close()
