"""What runs in the camera process: the eye, orders in, messages out.

Room: firmware. Started by `firmware.eye_service` with the spawn method, so nothing of the table's process is here. It
ends when told to, or when the table's process is gone.
"""

from __future__ import annotations

import signal
import time
from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory

from firmware.events import EyePulse, Order
from firmware.platforms import EyeSpec, make_camera, make_tray
from firmware.previews import PreviewRing
from vision.types import Image, Reading, Tray

GRAB_S = 0.1


def main(spec: EyeSpec, pipe: Connection, memory: str) -> None:
    """Run until the other end of `pipe` sends None or is closed. `memory` names the shared memory for previews."""
    # The terminal sends Ctrl-C to both processes; the table decides when this one ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)

    import cv2

    from firmware.eye import Eye
    from vision.once import ReadOnce
    from vision.reader import read
    from vision.watcher import Watcher

    def read_aloud(image: Image, tray: Tray) -> Reading:
        # Whoever listens must not take the silence of a long reading for a driver that hangs.
        pipe.send(EyePulse(time.monotonic(), reading=True))
        return read(image, tray)

    cv2.setNumThreads(1)
    shared = SharedMemory(memory)
    buffer = shared.buf
    assert buffer is not None
    ring = PreviewRing(buffer)
    eye = Eye(make_camera(spec), Watcher(make_tray(spec), read=ReadOnce(read_aloud)), ring, pipe.send, time.monotonic)
    try:
        while True:
            while pipe.poll():
                order = pipe.recv()
                if order is None:
                    return
                assert isinstance(order, Order)
                eye.order(order)
            if eye.step(GRAB_S) is None:
                pipe.poll(0.02)  # nothing came: wait a moment, or until there is an order
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    finally:
        eye.close()
        del ring, buffer, eye
        shared.close()
