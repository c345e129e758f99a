"""The picamera2 back end on a fake of the interface that its manual documents."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest

from hardware.camera import CameraFault
from hardware.camera_picamera2 import (
    BUFFER_COUNT,
    FULL_FIELD_MODES,
    Lock,
    PicameraCamera,
    frame_us,
    steady_exposure,
)
from vision.types import Frame

_STRIDE = 704
_YUV = (105, 90, 170)
# ITU-R BT.601: 1.164 (Y - 16) + 2.018 (U - 128), - 0.391 (U - 128) - 0.813 (V - 128), + 1.596 (V - 128).
_SMALL_BGR = (27, 84, 171)


class _Request:
    """A CompletedRequest: it must be released exactly once."""

    def __init__(self, camera: _Picamera2) -> None:
        self._camera = camera
        self.released = 0
        camera.requests.append(self)

    def get_metadata(self) -> dict[str, Any]:
        return dict(self._camera.metadata)

    def make_array(self, name: str) -> Any:
        assert not self.released
        config = self._camera.config[name]
        width, height = config["size"]
        if name == "main":
            # "RGB888" is a word of 24 bits whose lowest byte is blue (Picamera2 manual, appendix A).
            blue_green_red = (9, 90, 200) if config["format"] == "RGB888" else (200, 90, 9)
            return np.full((height, width, 3), blue_green_red, np.uint8)
        assert config["format"] == "YUV420"
        # Each row of Y is as long as the stride, each of U and V half as long; what is beyond the width is padding.
        luma = np.full((height, _STRIDE), 255, np.uint8)
        luma[:, :width] = _YUV[0]
        chroma = np.full((2, height // 2, _STRIDE // 2), 255, np.uint8)
        chroma[0, :, : width // 2], chroma[1, :, : width // 2] = _YUV[1:]
        return np.concatenate([luma.reshape(-1), chroma.reshape(-1)]).reshape(height * 3 // 2, _STRIDE)

    def release(self) -> None:
        self.released += 1


class _Job:
    def __init__(self) -> None:
        self.request: _Request | None = None
        self.cancelled = False


class _Picamera2:
    """The calls of Picamera2 that the back end uses, and what goes wrong with them."""

    cameras: list[dict[str, Any]]
    fail: str
    made: list[_Picamera2]

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        return _Picamera2.cameras

    def __init__(self, camera_num: int = 0) -> None:
        if self.fail == "init":
            try:
                raise RuntimeError("Failed to acquire camera: Device or resource busy")
            except RuntimeError:
                raise RuntimeError("Camera __init__ sequence did not complete.")  # noqa: B904 - as picamera2 does
        self.camera_num = camera_num
        self.camera_properties: dict[str, Any] = {
            "Model": _Picamera2.cameras[camera_num]["Model"],
            "PixelArraySize": (4608, 2592),
            "ScalerCropMaximum": (0, 0, 4608, 2592),
        }
        if self.fail == "crop":
            self.camera_properties["ScalerCropMaximum"] = (768, 432, 3072, 1728)
        exposure = ("AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains", "FrameDurationLimits")
        self.camera_controls = dict.fromkeys((*exposure, "AeFlickerMode", "AeFlickerPeriod", "AfMode", "LensPosition"))
        self.metadata: dict[str, Any] = {
            "SensorTimestamp": 7_000_000_000,
            "ExposureTime": 14_300,
            "AnalogueGain": 2.0,
            "ColourGains": (1.9, 1.6),
            "LensPosition": 2.5,
        }
        self.config: dict[str, Any] = {}
        self.configured = 0
        self.started = 0
        self.stopped = 0
        self.closed = 0
        self.controls: dict[str, Any] = {}
        self.requests: list[_Request] = []
        self.jobs: list[_Job] = []
        self.delivering = True
        _Picamera2.made.append(self)

    def create_video_configuration(self, **options: Any) -> dict[str, Any]:
        assert set(options) <= {"main", "lores", "raw", "buffer_count", "controls", "sensor"}
        return options

    def configure(self, config: dict[str, Any]) -> None:
        assert not self.started, "Camera must be stopped before configuring"
        self.configured += 1
        self.config = {**config, "main": dict(config["main"]), "lores": dict(config["lores"])}
        self.controls = dict(config["controls"])
        if self.fail == "format":
            self.config["main"]["format"] = "XBGR8888"

    def camera_configuration(self) -> dict[str, Any]:
        return self.config

    def start(self) -> None:
        if self.fail == "start":
            raise RuntimeError("Failed to start camera")
        self.started += 1

    def capture_request(self, wait: bool | None = None) -> _Job:
        assert wait is False
        self.jobs.append(_Job())
        return self.jobs[-1]

    def wait(self, job: _Job, timeout: float | None = None) -> _Request:
        if self.fail == "wait":
            raise RuntimeError("camera frontend has timed out")
        if job.request is None:
            if not self.delivering or timeout == 0:
                raise TimeoutError
            job.request = _Request(self)
        return job.request

    def set_controls(self, controls: dict[str, Any]) -> None:
        assert set(controls) <= set(self.camera_controls)
        self.controls |= controls

    def cancel_all_and_flush(self) -> None:
        for job in self.jobs:
            job.cancelled = True

    def stop(self) -> None:
        assert all(job.request is not None or job.cancelled for job in self.jobs), "it would wait for ever"
        if self.fail == "stop":
            raise RuntimeError("Unable to stop")
        self.stopped += 1

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def board() -> type[_Picamera2]:
    _Picamera2.cameras = [{"Model": "imx708_wide", "Num": 0}]
    _Picamera2.fail = ""
    _Picamera2.made = []
    return _Picamera2


def _camera(board: type[_Picamera2], **options: Any) -> PicameraCamera:
    return PicameraCamera(load=lambda: board, **options)


def _grab(camera: PicameraCamera, after_us: int = 30_000) -> Frame:
    _Picamera2.made[-1].metadata["SensorTimestamp"] += 1000 * after_us
    frame = camera.grab(1.0)
    assert frame is not None
    return frame


def test_one_configuration_whatever_happens(board: type[_Picamera2]) -> None:
    camera = _camera(board, width=640, height=360)
    for _ in range(3):
        camera.set_up()
        camera.set_up()
        for _ in range(100):
            _grab(camera)
        camera.tear_down()
        camera.tear_down()
    (device,) = board.made
    assert (device.configured, device.started, device.stopped, device.closed) == (1, 3, 3, 0)
    assert device.config["buffer_count"] == BUFFER_COUNT <= 4
    assert device.config["raw"] is None
    assert device.config["sensor"] == {"output_size": FULL_FIELD_MODES["imx708"]}
    assert [request.released for request in device.requests] == [1] * 300


def test_frames_are_blue_green_red(board: type[_Picamera2]) -> None:
    camera = _camera(board)
    camera.set_up()
    frame = _grab(camera)
    assert frame.image.shape == (720, 1280, 3)
    assert frame.image.dtype == np.uint8
    assert frame.image[0, 0].tolist() == [9, 90, 200]
    assert board.made[0].config["main"]["format"] == "RGB888"


def test_the_small_picture_is_cut_by_the_stride(board: type[_Picamera2]) -> None:
    camera = _camera(board)
    camera.set_up()
    small = _grab(camera).sketch
    assert small.shape == (360, 640, 3)
    # The same colour everywhere: no padding has got in, and no row of one plane into another.
    assert np.abs(small.astype(int) - _SMALL_BGR).max() <= 3


def test_numbers_follow_the_sensors_clock(board: type[_Picamera2]) -> None:
    camera = _camera(board)
    camera.set_up()
    first, second, later = _grab(camera), _grab(camera), _grab(camera, 90_000)
    assert [frame.number for frame in (first, second, later)] == [0, 1, 4]
    assert second.t - first.t == pytest.approx(0.03)
    assert first.t == pytest.approx(7.03)
    assert _grab(camera, 0).number == 4


def test_where_fewer_will_do_the_others_are_let_go_uncopied(board: type[_Picamera2]) -> None:
    camera = _camera(board)
    camera.set_up()
    device = board.made[0]
    numbers = []
    camera.tell("pace", {"hz": 10})
    for _ in range(31):
        device.metadata["SensorTimestamp"] += 30_000_000
        frame = camera.grab(0.1)
        if frame is not None:
            numbers.append(frame.number)
    assert numbers == list(range(0, 31, 3)), "each third, and the numbers are the sensor's"
    assert [request.released for request in device.requests] == [1] * 31
    camera.tell("pace", {"hz": 0})
    assert [_grab(camera).number for _ in range(3)] == [31, 32, 33]


def test_no_frame_in_time_leaves_one_job_and_loses_none(board: type[_Picamera2]) -> None:
    camera = _camera(board)
    camera.set_up()
    device = board.made[0]
    device.delivering = False
    for _ in range(5):
        assert camera.grab(0.1) is None
    assert len(device.jobs) == 1
    device.delivering = True
    _grab(camera)
    assert len(device.jobs) == 1
    assert [request.released for request in device.requests] == [1]


def test_a_camera_that_died_can_be_stopped(board: type[_Picamera2]) -> None:
    camera = _camera(board)
    camera.set_up()
    board.made[0].delivering = False
    assert camera.grab(0.1) is None
    camera.tear_down()
    assert board.made[0].stopped == 1
    assert camera.grab(0.1) is None


def test_a_fault_while_grabbing(board: type[_Picamera2]) -> None:
    camera = _camera(board)
    camera.set_up()
    board.fail = "wait"
    with pytest.raises(CameraFault, match="CAM-02") as caught:
        camera.grab(0.1)
    assert caught.value.temporary


def test_a_camera_that_will_not_stop_is_opened_anew(board: type[_Picamera2]) -> None:
    camera = _camera(board)
    camera.set_up()
    board.fail = "stop"
    camera.tear_down()
    assert board.made[0].closed == 1
    board.fail = ""
    camera.set_up()
    assert len(board.made) == 2


def test_a_camera_that_will_not_start(board: type[_Picamera2]) -> None:
    camera = _camera(board)
    board.fail = "start"
    with pytest.raises(CameraFault, match="CAM-02"):
        camera.set_up()
    assert board.made[0].closed == 1


def test_a_busy_camera(board: type[_Picamera2], monkeypatch: pytest.MonkeyPatch) -> None:
    board.fail = "init"
    monkeypatch.setattr("hardware.camera_picamera2.holders", lambda devices: [4711])
    camera = _camera(board)
    with pytest.raises(CameraFault, match=r"CAM-03.*\(pid 4711\)") as caught:
        camera.set_up()
    assert caught.value.temporary
    monkeypatch.setattr("hardware.camera_picamera2.holders", lambda devices: [])
    with pytest.raises(CameraFault, match="CAM-03"):
        camera.set_up()
    board.fail = ""
    camera.set_up()
    _grab(camera)


def test_no_camera(board: type[_Picamera2]) -> None:
    board.cameras = []
    with pytest.raises(CameraFault, match="CAM-01"):
        _camera(board).set_up()


def test_no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraFault, match=r"CAM-04.*picamera2") as caught:
        PicameraCamera().set_up()
    assert not caught.value.temporary


@pytest.mark.parametrize(("fail", "words"), [("format", "XBGR8888"), ("crop", "3072x1728")])
def test_not_what_was_asked_for(board: type[_Picamera2], fail: str, words: str) -> None:
    board.fail = fail
    with pytest.raises(CameraFault, match=rf"CAM-09.*{words}") as caught:
        _camera(board).set_up()
    assert not caught.value.temporary
    assert board.made[0].closed == 1


def test_an_unknown_module_gets_no_mode_forced_on_it(board: type[_Picamera2]) -> None:
    board.cameras = [{"Model": "imx999"}]
    _camera(board).set_up()
    assert "sensor" not in board.made[0].config


def test_exposure_is_locked_to_the_mains_and_kept(board: type[_Picamera2]) -> None:
    camera = _camera(board, mains_hz=50.0)
    camera.set_up()
    device = board.made[0]
    assert device.controls["AeEnable"] is True
    assert device.controls["AeFlickerPeriod"] == 10_000
    assert device.controls["FrameDurationLimits"] == (30_000, 30_000)
    _grab(camera)
    camera.tell("lock", {})
    assert camera.lock == asdict(Lock(20_000, pytest.approx(1.43), (1.9, 1.6), 30_000, 2.5))
    assert PicameraCamera(lock=camera.lock).lock == camera.lock
    assert device.controls["AeEnable"] is False
    assert device.controls["AwbEnable"] is False
    assert device.controls["ExposureTime"] == 20_000
    assert device.controls["ColourGains"] == (1.9, 1.6)
    assert (device.controls["AfMode"], device.controls["LensPosition"]) == (0, 2.5)
    camera.tell("unlock", {})
    assert camera.lock is None
    assert device.controls["AeEnable"] is True
    camera.tell("throw", {"dice": 5})


def test_a_lock_from_calibration_holds_from_the_first_frame(board: type[_Picamera2]) -> None:
    lock = {"exposure_us": 10_000, "gain": 1.5, "colour_gains": (1.8, 1.7), "frame_us": 40_000, "focus": 3.0}
    camera = _camera(board, lock=lock)
    camera.set_up()
    controls = board.made[0].config["controls"]
    assert controls["AeEnable"] is False
    assert (controls["ExposureTime"], controls["AnalogueGain"]) == (10_000, 1.5)
    assert controls["FrameDurationLimits"] == (40_000, 40_000)


def test_focus_that_moves_is_a_fault(board: type[_Picamera2]) -> None:
    lock = {"exposure_us": 10_000, "gain": 1.5, "colour_gains": (1.8, 1.7), "frame_us": 30_000, "focus": 3.0}
    camera = _camera(board, lock=lock)
    camera.set_up()
    device = board.made[0]
    _grab(camera)
    device.metadata["LensPosition"] = 3.02
    _grab(camera)
    device.metadata["LensPosition"] = 4.0
    with pytest.raises(CameraFault, match=r"CAM-05.*3\.00.*4\.00"):
        _grab(camera)
    assert all(request.released == 1 for request in device.requests)


def test_a_camera_without_autofocus(board: type[_Picamera2]) -> None:
    camera = _camera(board)
    camera.set_up()
    device = board.made[0]
    del device.camera_controls["LensPosition"], device.camera_controls["AfMode"], device.metadata["LensPosition"]
    _grab(camera)
    camera.tell("lock", {})
    assert camera.lock is not None
    assert camera.lock["focus"] is None


@pytest.mark.parametrize(
    ("rate_hz", "mains_hz", "expected"), [(30, 50, 30_000), (25, 50, 40_000), (30, 60, 33_333), (200, 50, 10_000)]
)
def test_frame_time_is_a_multiple_of_the_mains_half_period(rate_hz: float, mains_hz: float, expected: int) -> None:
    assert frame_us(rate_hz, mains_hz) == expected


@pytest.mark.parametrize(
    ("exposure", "gain", "expected"),
    [
        (10_000, 1.0, (10_000, 1.0)),
        (14_300, 2.0, (20_000, 1.43)),
        (14_300, 1.0, (10_000, 1.43)),
        (29_000, 3.0, (30_000, 2.9)),
        (4_000, 1.0, (4_000, 1.0)),
    ],
)
def test_steady_exposure_keeps_the_brightness(exposure: float, gain: float, expected: tuple[int, float]) -> None:
    got = steady_exposure(exposure, gain, 50.0, 30_000)
    assert got == (expected[0], pytest.approx(expected[1]))
    assert got[0] * got[1] == pytest.approx(exposure * gain, rel=0.01)
