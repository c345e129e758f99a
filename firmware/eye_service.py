"""The camera process as the table sees it: started, listened to, and started again when it dies or hangs.

Room: firmware. A thread of its own listens and only puts frozen events on the queue; the loop never waits for the
camera. `InlineEye` is the same thing without a process, for tests and demonstrations that move time themselves.
"""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory
from typing import TYPE_CHECKING, Protocol

from display.view import Picture
from firmware.events import CameraState, EyePulse, Facts, Order, Preview, Seen
from firmware.platforms import EyeSpec, SimLie
from firmware.previews import RING_BYTES, PreviewRing
from vision.types import Corners

if TYPE_CHECKING:
    from firmware.eye import Eye

HANG_S = 2.0
"""A camera process that says nothing for this long is killed and started again."""
READ_S = 15.0
"""Unless it has said that it reads: on a small computer that may take longer than a driver is given."""
START_S = 30.0
"""A new process may be silent for this long: it loads OpenCV and opens the camera."""
PAUSES_S = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0)

EyeEvent = CameraState | Seen | Preview | EyePulse | Facts


def lies_of(seen: Seen) -> tuple[SimLie, ...]:
    """The dice that were seen, as the simulated tray takes them: value, centre in shares of the picture, yaw."""
    dice = seen.event.reading.dice if seen.event.reading is not None else ()

    def yaw(corners: Corners) -> float:
        (ax, ay), (bx, by) = corners[0], corners[1]
        return -math.atan2(by - ay, bx - ax)

    return tuple((die.value, die.x / seen.width, die.y / seen.height, yaw(die.corners)) for die in dice)


class EyePort(Protocol):
    """What the loop needs of the eye, wherever it runs."""

    def order(self, order: Order) -> None:
        """Pass on an order. Never waits."""

    def picture(self, preview: Preview) -> Picture | None:
        """The picture that a Preview tells of, None if there is a newer one already."""

    def close(self) -> None: ...


class EyeService:
    """Runs the eye in a process of its own. Its messages go to `put`, from a thread."""

    def __init__(self, spec: EyeSpec, put: Callable[[EyeEvent], None], hang_s: float = HANG_S) -> None:
        self._spec = spec
        self._put = put
        self._hang_s = hang_s
        self._context = multiprocessing.get_context("spawn")
        self._memory = SharedMemory(create=True, size=RING_BYTES)
        assert self._memory.buf is not None
        self._ring = PreviewRing(self._memory.buf)
        self._lock = threading.Lock()
        self._pipe: Connection | None = None
        self._process: multiprocessing.process.BaseProcess | None = None
        self._expected: Order | None = None
        self._closing = threading.Event()
        self.restarts = 0
        self._lies: tuple[SimLie, ...] = ()
        self._thread = threading.Thread(target=self._run, name="eye", daemon=True)
        self._thread.start()

    @property
    def pid(self) -> int | None:
        """The camera process's number, None while there is none."""
        process = self._process
        return process.pid if process is not None else None

    def order(self, order: Order) -> None:
        if order.name == "expect":
            self._expected = order
        if order.name == "respec":
            # Another calibration or set of dice: the process that comes next knows it.
            self._spec = replace(self._spec, **order.args)
            with self._lock:
                self._send(None)
            return
        with self._lock:
            self._send(order)

    def picture(self, preview: Preview) -> Picture | None:
        return self._ring.read(preview)

    def close(self) -> None:
        """End the process and let go of the memory. Idempotent."""
        if self._closing.is_set():
            return
        self._closing.set()
        with self._lock:
            self._send(None)
        self._thread.join(HANG_S)
        self._kill()
        del self._ring
        self._memory.close()
        with contextlib.suppress(FileNotFoundError):
            self._memory.unlink()

    def _send(self, order: Order | None) -> None:
        if self._pipe is not None:
            with contextlib.suppress(OSError):
                self._pipe.send(order)

    def _run(self) -> None:
        tries = 0
        while not self._closing.is_set():
            if self._one_life():
                tries = 0
            if self._closing.is_set():
                break
            self._kill()
            self.restarts += 1
            words = "the camera has stopped: check its cable and its power supply"
            self._put(CameraState(False, time.monotonic(), "CAM-02", words))
            self._closing.wait(PAUSES_S[min(tries, len(PAUSES_S) - 1)])
            tries += 1

    def _one_life(self) -> bool:
        """Run one process until it ends or hangs. True if it ever delivered a picture."""
        ours, theirs = self._context.Pipe()
        from firmware.eye_process import main

        spec = self._spec.again(self.restarts, self._lies)
        process = self._context.Process(target=main, args=(spec, theirs, self._memory.name), daemon=True)
        process.start()
        theirs.close()
        with self._lock:
            self._pipe, self._process = ours, process
            if self._expected is not None:
                self._send(self._expected)
        delivered = False
        limit = time.monotonic() + START_S
        try:
            while not self._closing.is_set():
                if not ours.poll(max(0.0, min(0.5, limit - time.monotonic()))):
                    if time.monotonic() >= limit:
                        return delivered  # it hangs: a driver that blocks can only be killed
                    continue
                message = ours.recv()
                reads = isinstance(message, EyePulse) and message.reading
                longer_s = max(READ_S, message.silent_s) if reads and isinstance(message, EyePulse) else self._hang_s
                limit = time.monotonic() + longer_s
                delivered = delivered or isinstance(message, Preview)
                if isinstance(message, Seen) and message.event.reading is not None:
                    self._lies = lies_of(message)
                self._put(message)
        except (EOFError, OSError):
            pass
        return delivered

    def _kill(self) -> None:
        with self._lock:
            process, pipe = self._process, self._pipe
            self._process = self._pipe = None
        if pipe is not None:
            pipe.close()
        if process is not None:
            process.join(0.5 if self._closing.is_set() else 0.0)
            if process.is_alive():
                process.kill()
                process.join(1.0)
            process.close()


class InlineEye:
    """The eye in this process, stepped by whoever moves the time."""

    def __init__(self, make: Callable[[PreviewRing, Callable[[EyeEvent], None]], Eye], put: Callable[[EyeEvent], None]):
        self._ring = PreviewRing(memoryview(bytearray(RING_BYTES)))
        self.eye = make(self._ring, put)

    def order(self, order: Order) -> None:
        self.eye.order(order)

    def picture(self, preview: Preview) -> Picture | None:
        return self._ring.read(preview)

    def close(self) -> None:
        self.eye.close()
