"""Frames from a camera that may fail: told apart from silence, set up again with growing pauses.

Room: firmware. Knows a camera and a clock; what is in a frame it does not know.

Two facts are kept apart: whether the camera is up, and whether pictures arrive. A driver that has lost its camera may
go on for ever with the last picture, under the same number or under new ones; a sensor never gives the same picture
twice, so a picture that repeats is no picture.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hardware.camera import Camera, CameraFault
from hardware.faults import camera_fault
from vision.types import Frame, Image

SILENCE_S = 1.8
"""A camera that delivers nothing new for this long is away."""
PAUSES_S = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
_COARSE = 8


class Supply:
    """Takes frames from `camera`, which is not set up yet. `now` gives monotonic seconds."""

    def __init__(self, camera: Camera, now: Callable[[], float]) -> None:
        self.camera = camera
        self.delivering = False
        """Pictures arrive."""
        self._now = now
        self._up = False
        self._fault: CameraFault | None = None
        self._tries = 0
        self._next_try = now()
        self._heard = now()
        self._last: Frame | None = None
        self._picture: Image | None = None

    def step(self, timeout_s: float) -> Frame | CameraFault | None:
        """The next new frame, waiting at most `timeout_s` for it; or a fault, once, when pictures no longer arrive or
        when it becomes another one; or None."""
        try:
            if not self._up:
                if self._now() < self._next_try:
                    return None
                self.camera.set_up()
                self._up = True
                self._heard = self._now()
            frame = self.camera.grab(timeout_s)
            if frame is None or self._stands_still(frame):
                if self._now() - self._heard > SILENCE_S and not self.camera.at_end:
                    raise camera_fault("CAM-02")
                return None
        except CameraFault as fault:
            return self._lose(fault)
        first = self._last is None
        self._last, self._picture = frame, frame.sketch
        if first and self._fault is not None and not self.camera.repeats:
            # One picture after a fault may be all that there is; only a second one shows that it goes on.
            return None
        self._heard = self._now()
        self.delivering, self._fault, self._tries = True, None, 0
        return frame

    @property
    def fault(self) -> CameraFault | None:
        """Why no pictures arrive; None while they do, or while nobody knows yet."""
        return self._fault

    def lose(self, fault: CameraFault) -> CameraFault | None:
        """A frame turned out to be none after all."""
        return self._lose(fault)

    def close(self) -> None:
        """Let go of the camera. Idempotent."""
        self.camera.tear_down()
        self._up = False

    def _stands_still(self, frame: Frame) -> bool:
        """Whether this is no new picture. A frame's number and time may begin anew after a set-up, its pixels not."""
        last = self._last
        if last is not None and (frame.number == last.number or frame.t <= last.t):
            return True
        old, new = self._picture, frame.sketch
        if self.camera.repeats or old is None or old.shape != new.shape:
            return False
        coarse = (slice(None, None, _COARSE), slice(None, None, _COARSE))
        return bool(np.array_equal(old[coarse], new[coarse]) and np.array_equal(old, new))

    def _lose(self, fault: CameraFault) -> CameraFault | None:
        if self._up:
            self.camera.tear_down()
            self._up = False
        pause_s = PAUSES_S[min(self._tries, len(PAUSES_S) - 1)] if fault.temporary else float("inf")
        self._next_try = self._now() + pause_s
        self._tries += 1
        self._last = None
        news = self.delivering or self._fault is None or self._fault.code != fault.code
        self.delivering, self._fault = False, fault
        return fault if news else None
