"""What runs in the camera process: the eye, orders in, messages out.

Room: firmware. Started by `firmware.eye_service` with the spawn method, so nothing of the table's process is here. It
ends when told to, or when the table's process is gone.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware.events import EyePulse, Order
from firmware.platforms import EyeSpec, make_camera, make_tray
from firmware.previews import PreviewRing
from firmware.roll_pictures import RollPictures
from hardware.camera import Camera, CameraFault
from hardware.exposure import ExposureKeeper
from vision.types import Frame, Image, Reading, Tray

if TYPE_CHECKING:
    from firmware.eye import Eye, EyeMessage
    from vision.watcher import Read

GRAB_S = 0.1


class _NoCamera:
    """Stands for a camera that must not be used, because what is known of the table can't be: it only says so."""

    at_end = False
    repeats = True
    lock = None

    def __init__(self, fault: CameraFault) -> None:
        self._fault = fault

    def set_up(self) -> None:
        raise self._fault

    def grab(self, timeout_s: float) -> Frame | None:
        return None

    def tear_down(self) -> None: ...

    def tell(self, order: str, args: Mapping[str, Any]) -> None: ...


def _parts(spec: EyeSpec) -> tuple[Camera, Tray, ExposureKeeper | None]:
    """The camera, what is known of its tray, and who watches over its exposure, if that is locked."""
    from firmware.eye import brightness
    from vision.calibration import CalibrationFault

    try:
        tray = make_tray(spec)
        known = tray.calibration
        if known is None or known.lock is None:
            return make_camera(spec), tray, None
        return make_camera(spec, lock=known.lock), tray, ExposureKeeper(wanted=brightness(known.empty))
    except CalibrationFault as fault:
        return _NoCamera(CameraFault(fault.code, fault.words, temporary=False)), Tray(), None
    except CameraFault as fault:
        return _NoCamera(CameraFault(fault.code, fault.words, temporary=False)), Tray(), None


def make_eye(
    spec: EyeSpec,
    ring: PreviewRing,
    put: Callable[[EyeMessage], None],
    read: Read,
    now: Callable[[], float] = time.monotonic,
) -> Eye:
    """The eye that is asked for. One whose camera or calibration can't be used only says so, and why."""
    from firmware.eye import REST_HZ, Eye
    from vision.once import ReadOnce
    from vision.watcher import Watcher

    camera, tray, keeper = _parts(spec)
    return Eye(
        camera,
        Watcher(tray, read=ReadOnce(read)),
        ring,
        put,
        now,
        keeper,
        RollPictures(Path(spec.pictures), spec.pictures_mb) if spec.pictures else None,
        rest_hz=REST_HZ,
        known=tray.calibration,
        throws_itself=spec.kind == "sim",
        read=ReadOnce(read),
    )


def main(spec: EyeSpec, pipe: Connection, memory: str) -> None:
    """Run until the other end of `pipe` sends None or is closed. `memory` names the shared memory for previews."""
    # The terminal sends Ctrl-C to both processes; the table decides when this one ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)

    import cv2

    from vision.reader import read

    def read_aloud(image: Image, tray: Tray) -> Reading:
        # Whoever listens must not take the silence of a long reading for a driver that hangs.
        pipe.send(EyePulse(time.monotonic(), reading=True))
        return read(image, tray)

    cv2.setNumThreads(1)
    shared = SharedMemory(memory)
    buffer = shared.buf
    assert buffer is not None
    ring = PreviewRing(buffer)
    eye = make_eye(spec, ring, pipe.send, read_aloud)
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
