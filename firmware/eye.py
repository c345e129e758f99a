"""The eye: a camera and `vision.watch`, stepped frame by frame.

Room: firmware. This is what runs in the camera process; tests step the same object inside their own. It imports cv2,
so the table's process must not import this module.

A camera that fails is torn down and set up again with growing pauses; meanwhile the eye says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from firmware.events import CameraState, EyePulse, Order, Preview, Seen
from firmware.previews import MAX_HEIGHT, MAX_WIDTH, PreviewRing
from hardware.camera import Camera, CameraFault
from hardware.faults import camera_fault
from vision.types import Frame, Image, TrayEvent
from vision.watcher import Watcher

EyeMessage = CameraState | Seen | Preview | EyePulse

SILENCE_S = 1.8
"""A camera that delivers nothing for this long is away."""
PREVIEW_S = 0.1
PULSE_S = 0.5
PAUSES_S = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0)


class Eye:
    """`camera` is not set up yet. Messages go to `put`; `now` gives monotonic seconds; previews go into `ring`."""

    def __init__(
        self,
        camera: Camera,
        watcher: Watcher,
        ring: PreviewRing,
        put: Callable[[EyeMessage], None],
        now: Callable[[], float],
    ) -> None:
        self.camera = camera
        self.watcher = watcher
        self._ring = ring
        self._put = put
        self._now = now
        self._up = False
        self._delivering = False
        self._fault: CameraFault | None = None
        self._tries = 0
        self._next_try = now()
        self._last_frame: Frame | None = None
        self._heard = now()
        self._previewed = float("-inf")
        self._pulsed = float("-inf")
        self._frames = 0

    def order(self, order: Order) -> None:
        """Do what the table asks: `expect` and `look` are for the watcher, all else is for the camera."""
        match order.name:
            case "expect":
                self.watcher.expect(dice=order.args.get("dice"))
            case "look":
                self.watcher.look_again()
            case _:
                self.camera.tell(order.name, order.args)

    def step(self, timeout_s: float) -> Frame | None:
        """Take at most one frame, waiting at most `timeout_s` for it, and report what came of it."""
        frame = None
        try:
            if not self._up:
                if self._now() < self._next_try:
                    return None
                self.camera.set_up()
                self._up = True
                self._heard = self._now()
            frame = self.camera.grab(timeout_s)
            if frame is not None and self._stands_still(frame):
                frame = None
            if frame is None:
                if self._now() - self._heard > SILENCE_S and not self.camera.at_end:
                    raise camera_fault("CAM-02")
            else:
                self._take(frame)
        except CameraFault as fault:
            self._lose(fault)
        self._pulse()
        return frame

    def close(self) -> None:
        self.camera.tear_down()
        self._up = False

    def _stands_still(self, frame: Frame) -> bool:
        last = self._last_frame
        return last is not None and (frame.number == last.number or frame.t <= last.t)

    def _take(self, frame: Frame) -> None:
        self._last_frame = frame
        self._heard = self._now()
        self._frames += 1
        if not self._delivering:
            self._delivering, self._fault, self._tries = True, None, 0
            self._put(CameraState(True, frame.t))
        for event in self.watcher.step(frame):
            self._report(event, frame)
        if frame.t - self._previewed >= PREVIEW_S:
            self._previewed = frame.t
            self._put(self._ring.write(_preview(frame)))

    def _report(self, event: TrayEvent, frame: Frame) -> None:
        height, width = frame.image.shape[:2]
        self._put(Seen(event, width, height))

    def _lose(self, fault: CameraFault) -> None:
        t = self._now()
        if self._up:
            self.camera.tear_down()
            self._up = False
        self._next_try = t + PAUSES_S[min(self._tries, len(PAUSES_S) - 1)] if fault.temporary else float("inf")
        self._tries += 1
        self._last_frame = None
        if self._delivering or self._fault is None or self._fault.code != fault.code:
            self._delivering, self._fault = False, fault
            self.watcher.offline(fault.code, t)
            self._put(CameraState(False, t, fault.code, fault.words))

    def _pulse(self) -> None:
        t = self._now()
        if t - self._pulsed >= PULSE_S:
            fps = self._frames / (t - self._pulsed) if self._pulsed > float("-inf") else 0.0
            self._pulsed, self._frames = t, 0
            self._put(EyePulse(t, fps))


def _preview(frame: Frame) -> Image:
    """The frame as a small RGB picture for the screen."""
    image = frame.image
    height, width = image.shape[:2]
    scale = min(1.0, MAX_WIDTH / width, MAX_HEIGHT / height)
    if scale < 1.0:
        size = (max(1, int(width * scale)), max(1, int(height * scale)))
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return np.ascontiguousarray(image[:, :, ::-1])
