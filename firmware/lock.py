"""One dicetable at a time: a lock on the data folder, which the kernel lets go of however the program ends.

Room: firmware.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
from pathlib import Path

from firmware.errors import Fault


class InstanceLock:
    """Held from construction to `close`. Raises Fault APP-02 if another process holds it."""

    def __init__(self, folder: Path) -> None:
        path = folder / "dicetable.lock"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._fd: int | None = _open(path)
        except OSError as e:
            raise Fault(
                "JRN-01", f"the folder {folder} can't be used ({e.strerror}).", "Name another with --data."
            ) from e
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as e:
            pid = "?"
            with contextlib.suppress(OSError):
                pid = os.read(self._fd, 32).decode("ascii", "replace").strip() or "?"
            os.close(self._fd)
            self._fd = None
            raise Fault(
                "APP-02",
                f"dicetable is already running here (process {pid}).",
                "Stop it, or name another folder with --data.",
            ) from e
        with contextlib.suppress(OSError):
            os.ftruncate(self._fd, 0)
            os.write(self._fd, f"{os.getpid()}\n".encode("ascii"))

    def close(self) -> None:
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


def _open(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as e:
        if e.errno not in (errno.EROFS, errno.ENOSPC, errno.EDQUOT):
            raise
    # Nothing can be written there, and the game is to go on: the folder itself is locked.
    return os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
