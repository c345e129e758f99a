"""A USB webcam through V4L2, as motion JPEG.

Room: hardware. It delivers frames and knows nothing of what is in them. A webcam that was pulled out may block, or give
its last picture again and again; telling that is the business of the process that drives it.

Name the camera by `/dev/v4l/by-id/...`: that name stays when the number behind /dev/video changes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from hardware.camera import CameraFault, Clock
from hardware.faults import camera_fault
from hardware.holders import holders
from vision.types import Frame, Image, LateFrame

BY_ID = Path("/dev/v4l/by-id")

_MOST_SKIPPED = 30
_SMALLER = 2
"""Motion is looked for in pictures this many times smaller: a JPEG's own reduction, at a fraction of the time."""

# What follows the light by itself: V4L2's values for doing so and for staying (Linux, "User Class Control IDs").
_AUTOMATICS = (
    (cv2.CAP_PROP_AUTO_EXPOSURE, 3, 1),
    (cv2.CAP_PROP_AUTO_WB, 1, 0),
    (cv2.CAP_PROP_AUTOFOCUS, 1, 0),
)
# What stays where it is put once the automatics are off.
_VALUES: Mapping[str, int] = {
    "exposure": cv2.CAP_PROP_EXPOSURE,
    "gain": cv2.CAP_PROP_GAIN,
    "temperature": cv2.CAP_PROP_WB_TEMPERATURE,
    "focus": cv2.CAP_PROP_FOCUS,
}


def find_webcams(by_id: Path = BY_ID) -> list[Path]:
    """The webcams that are plugged in, by name. A camera's first stream only: the others carry no pictures."""
    return sorted(by_id.glob("*-video-index0")) if by_id.is_dir() else []


class WebcamCamera:
    """A webcam. `device` is a path, a number (/dev/video0 is 0), or None for the only one that is plugged in.

    Pictures are `width` x `height`; where these are None, 1280 x 720 is asked for and what comes is taken. Of a motion
    JPEG only a picture of half the size is decoded, for motion; the whole is decoded when somebody looks at it.

    `lock` is what an earlier lock gave: what each value is, in the driver's units, and those that the webcam has not
    left out. Orders: `lock` keeps exposure, white balance and focus as they are, as far as the webcam can; `unlock`
    lets them follow the light again. Both outlive a cable that was pulled out.

    `open_device` and `by_id` are for tests.

    Raises CameraFault: CAM-01 not there, CAM-02 it has stopped, CAM-03 busy, CAM-09 not the size that was asked for,
    CAM-10 no permission.
    """

    def __init__(
        self,
        device: str | int | None = None,
        *,
        width: int | None = None,
        height: int | None = None,
        rate_hz: float = 30.0,
        lock: Mapping[str, Any] | None = None,
        clock: Clock | None = None,
        open_device: Callable[[str, int], Any] = cv2.VideoCapture,
        by_id: Path = BY_ID,
    ) -> None:
        self._device = device
        self._size = (width, height)
        self._rate_hz = rate_hz
        self._clock = clock or Clock()
        self._open_device = open_device
        self._by_id = by_id
        self._capture: Any = None
        self._apart_s = 0.0
        self._given_s = float("-inf")
        self._lock: dict[str, float] | None = None if lock is None else {k: float(v) for k, v in lock.items()}
        self._got = (0, 0)
        self._number = -1
        self._driver_ms = -1.0

    def set_up(self) -> None:
        """Find and open the webcam, by its name anew each time: its number may have changed. Raises CameraFault."""
        self.tear_down()
        # OpenCV reads this when it first waits for a frame; its own limit is 10 s, far too long to notice a cable.
        os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "2")
        path = self._find()
        capture = self._open_device(str(path.resolve()), cv2.CAP_V4L2)
        if not capture.isOpened():
            capture.release()
            raise self._why_not(path)
        width, height = self._size
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, width or 1280)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height or 720)
        capture.set(cv2.CAP_PROP_FPS, self._rate_hz)
        # The JPEG itself, so that we choose how much of it to decode.
        capture.set(cv2.CAP_PROP_CONVERT_RGB, 0)
        got = (int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT)))
        wanted = (width or got[0], height or got[1])
        if got != wanted:
            capture.release()
            raise camera_fault(
                "CAM-09",
                got=f"{got[0]}x{got[1]}",
                want=f"{wanted[0]}x{wanted[1]}",
                fix="set a size that it has (v4l2-ctl --list-formats-ext)",
            )
        self._capture, self._got = capture, got
        if self._lock is not None:
            self._automatics(follow=False)
            for name, value in self._lock.items():
                capture.set(_VALUES[name], value)

    def grab(self, timeout_s: float) -> Frame | None:
        """See `hardware.camera.Camera.grab`. Where the driver gives nothing it takes 2 s, whatever the timeout."""
        if self._capture is None:
            return None
        # Where fewer will do, the others are taken from the driver and left undecoded: what comes next is never old.
        until_s = self._given_s + self._apart_s
        for _ in range(_MOST_SKIPPED):
            if not self._capture.grab():
                raise camera_fault("CAM-02")
            now_s = self._clock.now()
            if now_s >= until_s:
                break
        self._given_s = now_s
        driver_ms = float(self._capture.get(cv2.CAP_PROP_POS_MSEC))
        ok, data = self._capture.retrieve()
        if not ok or data is None or data.size == 0:
            return None
        if data.ndim == 3 and data.shape[2] == 3:
            # A driver without motion JPEG: OpenCV has converted the picture already.
            image = np.asarray(data, np.uint8)
            return Frame(image, self._count(driver_ms), now_s)
        jpeg = np.ascontiguousarray(data, np.uint8).reshape(-1).copy()
        small = _decode(jpeg, cv2.IMREAD_REDUCED_COLOR_2)
        if small is None:
            # A JPEG that lost some bytes on the wire; the next one will do.
            return None
        self._fits(small.shape[1] * _SMALLER, small.shape[0] * _SMALLER)
        return LateFrame(lambda: self._whole(jpeg), self._got, self._count(driver_ms), now_s, small)

    def tear_down(self) -> None:
        """Let go of the webcam. Idempotent."""
        capture, self._capture = self._capture, None
        if capture is not None:
            capture.release()

    def tell(self, order: str, args: Mapping[str, Any]) -> None:
        """`lock`, `unlock`, `pace`; others are ignored."""
        if order == "pace":
            hz = float(args.get("hz", 0.0))
            # Half a frame less, or a frame that comes a moment early would cost a whole one.
            self._apart_s = max(0.0, 1 / hz - 0.5 / self._rate_hz) if hz > 0 else 0.0
        if self._capture is None:
            return
        if order == "lock":
            self._automatics(follow=False)
            # A control that the webcam has not reads as 0 or less.
            values = {name: float(self._capture.get(key)) for name, key in _VALUES.items()}
            self._lock = {name: value for name, value in values.items() if value > 0.0}
        elif order == "unlock":
            self._lock = None
            self._automatics(follow=True)

    @property
    def repeats(self) -> bool:
        """Never: it is a sensor."""
        return False

    @property
    def lock(self) -> Mapping[str, float] | None:
        """The driver's values that are locked, by name; None while they follow the light."""
        return self._lock

    @property
    def at_end(self) -> bool:
        """Never."""
        return False

    def _find(self) -> Path:
        if isinstance(self._device, int):
            path = Path(f"/dev/video{self._device}")
        elif self._device is not None:
            path = Path(self._device)
        else:
            there = find_webcams(self._by_id)
            if len(there) != 1:
                found = "a USB port" if not there else f"one of {', '.join(entry.name for entry in there)}: name it;"
                raise camera_fault("CAM-01", where=found)
            path = there[0]
        if not path.exists():
            raise camera_fault("CAM-01", where=path)
        return path

    def _why_not(self, path: Path) -> CameraFault:
        if not os.access(path, os.R_OK | os.W_OK):
            return camera_fault("CAM-10", where=path)
        others = holders([str(path.resolve())])
        if others:
            return camera_fault("CAM-03", who=f" (pid {others[0]})")
        return camera_fault("CAM-01", where=path)

    def _automatics(self, follow: bool) -> None:
        for key, following, keeping in _AUTOMATICS:
            self._capture.set(key, following if follow else keeping)

    def _count(self, driver_ms: float) -> int:
        if driver_ms != self._driver_ms or driver_ms <= 0.0:
            self._number += 1
        self._driver_ms = driver_ms
        return max(0, self._number)

    def _whole(self, jpeg: Image) -> Image:
        image = _decode(jpeg, cv2.IMREAD_COLOR)
        if image is None:
            raise camera_fault("CAM-02")
        self._fits(image.shape[1], image.shape[0])
        return image

    def _fits(self, width: int, height: int) -> None:
        """Raises CameraFault CAM-09 for a picture of another size than the driver had named. Half a picture may be
        rounded up by a pixel."""
        if abs(width - self._got[0]) > _SMALLER or abs(height - self._got[1]) > _SMALLER:
            raise camera_fault(
                "CAM-09",
                got=f"{width}x{height}",
                want=f"{self._got[0]}x{self._got[1]}",
                fix="set a size that it has (v4l2-ctl --list-formats-ext)",
            )


def _decode(jpeg: Image, how: int) -> Image | None:
    try:
        decoded = cv2.imdecode(jpeg, how)
    except cv2.error:
        return None
    return None if decoded is None else np.asarray(decoded, np.uint8)
