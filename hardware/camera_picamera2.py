"""A Raspberry Pi camera module through picamera2.

Room: hardware. It delivers frames and knows nothing of what is in them. picamera2 and libcamera are imported when the
camera is set up, never before: everything else must work where they are missing. Written from the Picamera2 manual and
its source (raspberrypi/picamera2); the calls that are used are listed by the fake in its test.

What the manual and the issue threads teach, and is done here:

* One configuration for the life of the process. Changing modes tears the contiguous memory to pieces until none is
  left.
* libcamera names pixel formats by their order in a little-endian word: its "RGB888" is blue, green, red in numpy.
* `capture_request` with a timeout leaves its job in the queue, which then swallows a frame that nobody releases. So one
  job stays pending across calls.
* Reading `sensor_modes` reconfigures the camera for every mode; the mode is taken from a table instead.
"""

from __future__ import annotations

import concurrent.futures
import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hardware.camera import CameraFault, Clock
from hardware.faults import camera_fault
from hardware.holders import holders
from vision.types import Frame, Image

FULL_FIELD_MODES: Mapping[str, tuple[int, int]] = {
    "ov5647": (1296, 972),
    "imx219": (1640, 1232),
    "imx477": (2028, 1520),
    "imx708": (2304, 1296),
    "imx296": (1456, 1088),
}
"""Camera module's sensor -> its binned mode that sees the whole field (Raspberry Pi documentation, "Camera")."""

BUFFER_COUNT = 4
_AF_MANUAL = 0
_AF_CONTINUOUS = 2
_FLICKER_MANUAL = 1
# LensPosition is in dioptres; the lens itself repeats to about this much.
_FOCUS_BAND = 0.1


@dataclass(frozen=True, slots=True)
class Lock:
    """What is locked after calibration: exposure and frame time in microseconds, gains, and the lens in dioptres
    (None for a camera without autofocus)."""

    exposure_us: int
    gain: float
    colour_gains: tuple[float, float]
    frame_us: int
    focus: float | None = None


def frame_us(rate_hz: float, mains_hz: float) -> int:
    """The frame time nearest to `rate_hz` that is a multiple of the mains half period, in microseconds."""
    half_us = 1e6 / (2 * mains_hz)
    return round(max(1, round(1e6 / rate_hz / half_us)) * half_us)


def steady_exposure(exposure_us: float, gain: float, mains_hz: float, longest_us: int) -> tuple[int, float]:
    """Exposure and gain of the same brightness whose exposure is a multiple of the mains half period, at most
    `longest_us`. One shorter than a half period is left as it is: lamps that bright flicker little."""
    half_us = 1e6 / (2 * mains_hz)
    if exposure_us < half_us:
        return round(exposure_us), gain
    # A gain below 1 is not to be had, so the longer multiple is taken only where gain can make up for it.
    halves = math.ceil(exposure_us / half_us)
    if halves * half_us > longest_us or exposure_us * gain < halves * half_us:
        halves = math.floor(exposure_us / half_us)
    steady_us = halves * half_us
    return round(steady_us), max(1.0, exposure_us * gain / steady_us)


def small_picture(planes: npt.NDArray[np.uint8], width: int, height: int) -> Image:
    """The small stream as BGR uint8, `height` x `width` x 3.

    `planes` is picamera2's array of a "YUV420" stream (Picamera2 manual, appendix A): rows of the Y plane, each as long
    as the stride, then U and V with half of that, two of their rows in one of the array's. What lies beyond `width` in
    each row is padding.
    """
    # Only where frames are grabbed: naming a camera must not load OpenCV.
    import cv2

    stride = planes.shape[1]
    rest = planes[height : height * 3 // 2].reshape(2, height // 2, stride // 2)
    cut = np.concatenate([planes[:height, :width].reshape(-1), rest[:, :, : width // 2].reshape(-1)])
    return np.asarray(cv2.cvtColor(cut.reshape(height * 3 // 2, width), cv2.COLOR_YUV2BGR_I420), np.uint8)


class PicameraCamera:
    """A camera module. `index` is the camera's number (a Raspberry Pi 5 has two).

    Pictures are `width` x `height` (even); `small_width` x `small_height` (multiples of 4) is the size of the small one
    that comes with each.
    `lock` is what calibration has locked, as the fields of `Lock`; without it exposure and white balance follow the
    light. `mains_hz` is 50 or 60. Orders: `lock` keeps exposure, gains, frame time and focus as they are now (they are
    in `lock` afterwards); `unlock` lets them follow the light again.

    `load` is for tests: it returns the class Picamera2.

    Raises CameraFault: CAM-01 no camera, CAM-02 it has stopped, CAM-03 busy, CAM-04 the library is missing, CAM-05 the
    focus has moved, CAM-09 not the format or not the field that was asked for.
    """

    def __init__(
        self,
        *,
        index: int = 0,
        width: int = 1280,
        height: int = 720,
        small_width: int = 640,
        small_height: int = 360,
        rate_hz: float = 30.0,
        mains_hz: float = 50.0,
        lock: Mapping[str, Any] | None = None,
        clock: Clock | None = None,
        load: Callable[[], Any] | None = None,
    ) -> None:
        self._index = index
        self._size = (width, height)
        self._small_size = (small_width, small_height)
        self._frame_us = frame_us(rate_hz, mains_hz)
        self._mains_hz = mains_hz
        self._lock = Lock(**lock) if lock is not None else None
        self._clock = clock or Clock()
        self._load = load or _load_picamera2
        self._camera: Any = None
        self._job: Any = None
        self._running = False
        self._checked = False
        self._metadata: Mapping[str, Any] = {}
        self._number = -1
        self._sensor_ns = -1
        self._apart_s = 0.0
        self._given_s = float("-inf")

    def set_up(self) -> None:
        """Open and configure the camera if it is not open yet, and start it. Raises CameraFault."""
        if self._camera is None:
            self._camera = self._open()
            try:
                self._configure(self._camera)
            except BaseException:
                self._abandon()
                raise
        if not self._running:
            try:
                self._camera.start()
            except Exception as error:
                self._abandon()
                raise camera_fault("CAM-02") from error
            self._running = True
            self._checked = False

    def grab(self, timeout_s: float) -> Frame | None:
        """See `hardware.camera.Camera.grab`. `t` is the sensor's own time of the frame."""
        if not self._running:
            return None
        camera = self._camera
        try:
            if self._job is None:
                self._job = camera.capture_request(wait=False)
            request = camera.wait(self._job, timeout=timeout_s)
        except (TimeoutError, concurrent.futures.TimeoutError):
            return None
        except Exception as error:
            self._job = None
            raise camera_fault("CAM-02") from error
        self._job = None
        try:
            # Both are copies; the buffers go back at once, there are only a few.
            metadata = request.get_metadata()
            if int(metadata["SensorTimestamp"]) / 1e9 < self._given_s + self._apart_s:
                # Fewer will do: its pixels are not even copied.
                return None
            image = request.make_array("main")
            planes = request.make_array("lores")
        finally:
            request.release()
        width, height = self._size
        if image.shape != (height, width, 3):
            raise _wrong(f"pictures of {image.shape}", f"{width}x{height} in three colours")
        self._metadata = metadata
        self._check(metadata)
        sensor_ns = int(metadata["SensorTimestamp"])
        self._given_s = sensor_ns / 1e9
        if self._sensor_ns < 0:
            self._number = 0
        elif sensor_ns > self._sensor_ns:
            self._number += max(1, round((sensor_ns - self._sensor_ns) / (1000 * self._frame_us)))
        self._sensor_ns = max(self._sensor_ns, sensor_ns)
        small = small_picture(planes, *self._small_size)
        return Frame(np.ascontiguousarray(image, np.uint8), self._number, sensor_ns / 1e9, small)

    def tear_down(self) -> None:
        """Stop the camera. It stays open and configured until the process ends; a camera that fails is let go."""
        if not self._running:
            return
        self._running = False
        try:
            # `stop` waits its turn behind a pending capture, which never comes where the sensor has died.
            self._drop_job()
            self._camera.stop()
        except Exception:
            self._abandon()

    def tell(self, order: str, args: Mapping[str, Any]) -> None:
        """`lock`, `unlock` and `pace`; others are ignored."""
        if order == "pace":
            hz = float(args.get("hz", 0.0))
            # Half a frame less, or a frame that comes a moment early would cost a whole one.
            self._apart_s = max(0.0, 1 / hz - 0.5e-6 * self._frame_us) if hz > 0 else 0.0
        if not self._running:
            return
        if order == "lock" and self._metadata:
            self._lock = self._lock_now(self._metadata)
            self._camera.set_controls(self._controls())
        elif order == "unlock":
            self._lock = None
            self._camera.set_controls(self._controls())

    @property
    def at_end(self) -> bool:
        """Never."""
        return False

    @property
    def repeats(self) -> bool:
        """Never: it is a sensor."""
        return False

    @property
    def lock(self) -> Mapping[str, Any] | None:
        """What is locked, as the fields of `Lock`; None while exposure follows the light."""
        return None if self._lock is None else asdict(self._lock)

    def _open(self) -> Any:
        try:
            picamera2 = self._load()
        except ImportError as error:
            raise camera_fault("CAM-04", what=error.name or str(error)) from error
        try:
            if len(picamera2.global_camera_info()) <= self._index:
                raise camera_fault("CAM-01", where=f"the camera socket {self._index}")
            return picamera2(self._index)
        except CameraFault:
            raise
        except Exception as error:
            raise self._why_not(error) from error

    def _why_not(self, error: BaseException) -> CameraFault:
        words = ""
        cause: BaseException | None = error
        while cause is not None:
            words += f"{cause} "
            cause = cause.__cause__ or cause.__context__
        others = holders(["/dev/media", "/dev/video"])
        if others or "busy" in words.lower() or "-16" in words:
            return camera_fault("CAM-03", who=f" (pid {others[0]})" if others else "")
        return camera_fault("CAM-01", where=f"the camera socket {self._index}")

    def _configure(self, camera: Any) -> None:
        mode = FULL_FIELD_MODES.get(str(camera.camera_properties.get("Model", "")).split("_")[0])
        config = camera.create_video_configuration(
            main={"size": self._size, "format": "RGB888"},
            lores={"size": self._small_size, "format": "YUV420"},
            raw=None,
            buffer_count=BUFFER_COUNT,
            controls=self._controls(),
            **({"sensor": {"output_size": mode}} if mode else {}),
        )
        camera.configure(config)
        got = camera.camera_configuration()
        for stream, form, size in (("main", "RGB888", self._size), ("lores", "YUV420", self._small_size)):
            if (got[stream]["format"], tuple(got[stream]["size"])) != (form, size):
                raise _wrong(f"{got[stream]['format']} {got[stream]['size']} as {stream}", f"{form} {size}")
        whole = camera.camera_properties.get("PixelArraySize")
        seen = camera.camera_properties.get("ScalerCropMaximum")
        if whole and seen and (seen[2] < 0.98 * whole[0] or seen[3] < 0.98 * whole[1]):
            raise camera_fault(
                "CAM-09",
                got=f"a part of its field, {seen[2]}x{seen[3]}",
                want=f"all of it, {whole[0]}x{whole[1]}",
                fix="this camera module is not known yet, please report it",
            )

    def _controls(self) -> dict[str, Any]:
        """The controls for the lock, or for following the light; only those that this camera has."""
        known = self._camera.camera_controls
        wanted: dict[str, Any]
        if self._lock is None:
            wanted = {
                "AeEnable": True,
                "AwbEnable": True,
                "AeFlickerMode": _FLICKER_MANUAL,
                "AeFlickerPeriod": round(1e6 / (2 * self._mains_hz)),
                "FrameDurationLimits": (self._frame_us, self._frame_us),
                "AfMode": _AF_CONTINUOUS,
            }
        else:
            lock = self._lock
            wanted = {
                "AeEnable": False,
                "AwbEnable": False,
                "ExposureTime": lock.exposure_us,
                "AnalogueGain": lock.gain,
                "ColourGains": tuple(lock.colour_gains),
                "FrameDurationLimits": (lock.frame_us, lock.frame_us),
            }
            if lock.focus is not None:
                wanted |= {"AfMode": _AF_MANUAL, "LensPosition": lock.focus}
        return {name: value for name, value in wanted.items() if name in known}

    def _lock_now(self, metadata: Mapping[str, Any]) -> Lock:
        exposure_us, gain = steady_exposure(
            metadata["ExposureTime"], metadata["AnalogueGain"], self._mains_hz, self._frame_us
        )
        red, blue = metadata["ColourGains"]
        focus = metadata.get("LensPosition") if "LensPosition" in self._camera.camera_controls else None
        return Lock(exposure_us, gain, (red, blue), self._frame_us, focus)

    def _check(self, metadata: Mapping[str, Any]) -> None:
        focus = metadata.get("LensPosition")
        if self._lock is not None and self._lock.focus is not None and focus is not None:
            # The lens needs some frames to get there; after that it must stay.
            near = abs(focus - self._lock.focus) <= _FOCUS_BAND
            if self._checked and not near:
                raise camera_fault("CAM-05", want=f"{self._lock.focus:.2f}", got=f"{focus:.2f}")
            self._checked = self._checked or near

    def _drop_job(self) -> None:
        job, self._job = self._job, None
        if job is None:
            return
        try:
            self._camera.wait(job, timeout=0).release()
        except (TimeoutError, concurrent.futures.TimeoutError):
            self._camera.cancel_all_and_flush()

    def _abandon(self) -> None:
        camera, self._camera = self._camera, None
        self._running = False
        self._job = None
        if camera is not None:
            try:
                camera.close()
            except Exception:
                # It is gone already; what matters is that the next set_up opens it anew.
                return


def _wrong(got: str, want: str) -> CameraFault:
    return camera_fault("CAM-09", got=got, want=want, fix="choose another size, or update picamera2")


def _load_picamera2() -> Any:
    from picamera2 import Picamera2

    return Picamera2
