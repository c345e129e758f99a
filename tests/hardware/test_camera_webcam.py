"""The webcam's faults and frames, on a fake of the part of cv2.VideoCapture that V4L2 has."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from hardware.camera import CameraFault, Clock
from hardware.camera_webcam import WebcamCamera, find_webcams
from hardware.holders import holders
from vision.types import Frame


class _Device:
    """A webcam as OpenCV's V4L2 back end shows it: JPEG as one row of bytes when not converted."""

    def __init__(self, sizes: tuple[tuple[int, int], ...] = ((1280, 720),), jpeg: bool = True) -> None:
        self.sizes = sizes
        self.jpeg = jpeg
        self.present = True
        self.frozen = False
        self.broken = False
        self.there = True
        self.opened: list[tuple[str, int]] = []
        self.released = 0
        self._settings: dict[int, float] = {}
        self.controls: dict[int, float] = {}
        self._count = 0

    def __call__(self, path: str, backend: int) -> _Device:
        self.opened.append((path, backend))
        self._count = 0
        return self

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self.present

    def set(self, key: int, value: float) -> bool:
        self._settings[key] = value
        return True

    def get(self, key: int) -> float:
        size = (self._settings.get(cv2.CAP_PROP_FRAME_WIDTH, 0), self._settings.get(cv2.CAP_PROP_FRAME_HEIGHT, 0))
        got = size if size in self.sizes else self.sizes[0]
        if key == cv2.CAP_PROP_FRAME_WIDTH:
            return got[0]
        if key == cv2.CAP_PROP_FRAME_HEIGHT:
            return got[1]
        if key != cv2.CAP_PROP_POS_MSEC:
            # A control that is not there reads as 0.
            return self.controls.get(key, 0.0)
        return 1000.0 + 33.0 * self._count

    def grab(self) -> bool:
        self._count += not self.frozen
        return self.there

    def retrieve(self) -> tuple[bool, Any]:
        image = np.zeros(
            (int(self.get(cv2.CAP_PROP_FRAME_HEIGHT)), int(self.get(cv2.CAP_PROP_FRAME_WIDTH)), 3), np.uint8
        )
        image[:, :, 2] = 200
        if not self.jpeg:
            return True, image
        assert self._settings[cv2.CAP_PROP_CONVERT_RGB] == 0
        assert self._settings[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG")
        data = cv2.imencode(".jpg", image)[1].reshape(1, -1)
        return True, data[:, :20] if self.broken else data

    def release(self) -> None:
        self.released += 1


@pytest.fixture
def node(tmp_path: Path) -> Path:
    """A by-id link to a device node."""
    (tmp_path / "video2").touch()
    link = tmp_path / "by-id" / "usb-Maker_Camera_1234-video-index0"
    link.parent.mkdir()
    link.symlink_to(tmp_path / "video2")
    return link


def _camera(device: _Device, node: Path, **options: Any) -> WebcamCamera:
    return WebcamCamera(str(node), open_device=device, clock=Clock(now=lambda: 5.0), **options)


def _grab(camera: WebcamCamera) -> Frame:
    frame = camera.grab(1.0)
    assert frame is not None
    return frame


def test_frames_are_blue_green_red_and_numbered(node: Path) -> None:
    device = _Device()
    camera = _camera(device, node)
    camera.set_up()
    assert device.opened == [(str(node.resolve()), cv2.CAP_V4L2)]
    first, second = _grab(camera), _grab(camera)
    assert first.image.shape == (720, 1280, 3)
    assert first.image.dtype == np.uint8
    assert np.abs(first.image[100, 100].astype(int) - [0, 0, 200]).max() < 8
    assert (first.number, second.number, first.t) == (0, 1, 5.0)


def test_a_number_stands_still_with_the_drivers_time(node: Path) -> None:
    device = _Device()
    camera = _camera(device, node)
    camera.set_up()
    _grab(camera)
    device.frozen = True
    assert {_grab(camera).number for _ in range(5)} == {0}


def test_only_a_small_picture_is_decoded_until_somebody_looks(node: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hows: list[int] = []
    decode = cv2.imdecode
    monkeypatch.setattr(cv2, "imdecode", lambda data, how: hows.append(how) or decode(data, how))
    camera = _camera(_Device(), node)
    camera.set_up()
    frame = _grab(camera)
    assert (frame.size, frame.sketch.shape) == ((1280, 720), (360, 640, 3))
    assert frame.later(2.0).t == frame.t + 2.0
    assert hows == [cv2.IMREAD_REDUCED_COLOR_2]
    assert frame.image.shape == (720, 1280, 3)
    assert frame.later(2.0).image is frame.image
    assert hows == [cv2.IMREAD_REDUCED_COLOR_2, cv2.IMREAD_COLOR]


def test_where_fewer_will_do_the_others_stay_undecoded(node: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    device = _Device()
    grabbed: list[float] = []
    camera = WebcamCamera(str(node), open_device=device, clock=Clock(now=lambda: len(grabbed) / 30))
    plain = device.grab
    monkeypatch.setattr(device, "grab", lambda: grabbed.append(0) or plain())
    camera.set_up()
    _grab(camera)
    camera.tell("pace", {"hz": 10})
    assert [_grab(camera).t for _ in range(3)] == pytest.approx([4 / 30, 7 / 30, 10 / 30])
    camera.tell("pace", {"hz": 0})
    _grab(camera)
    assert len(grabbed) == 11
    camera.tell("pace", {"hz": 10})
    device.there = False
    with pytest.raises(CameraFault, match="CAM-02"):
        camera.grab(1.0)


def test_a_driver_without_jpeg_gives_whole_pictures(node: Path) -> None:
    camera = _camera(_Device(jpeg=False), node)
    camera.set_up()
    frame = _grab(camera)
    assert frame.image is frame.sketch
    assert frame.size == (1280, 720)


def test_pictures_of_another_size_than_was_named_are_a_fault(node: Path) -> None:
    device = _Device()
    camera = _camera(device, node)
    camera.set_up()
    device.sizes = ((640, 480),)
    with pytest.raises(CameraFault, match=r"CAM-09.*640x480"):
        camera.grab(1.0)


def test_a_lock_outlives_the_cable(node: Path) -> None:
    device = _Device()
    device.controls = {cv2.CAP_PROP_EXPOSURE: 156.0, cv2.CAP_PROP_WB_TEMPERATURE: 4600.0, cv2.CAP_PROP_FOCUS: -1.0}
    camera = _camera(device, node)
    camera.set_up()
    assert camera.lock is None
    camera.tell("lock", {})
    assert camera.lock == {"exposure": 156.0, "temperature": 4600.0}
    device._settings.clear()
    camera.set_up()
    assert device._settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
    assert device._settings[cv2.CAP_PROP_EXPOSURE] == 156.0
    again = _Device()
    other = _camera(again, node, lock=camera.lock)
    other.set_up()
    assert again._settings[cv2.CAP_PROP_WB_TEMPERATURE] == 4600.0
    camera.tell("unlock", {})
    assert camera.lock is None


def test_exposure_is_locked_and_unlocked(node: Path) -> None:
    device = _Device()
    camera = _camera(device, node)
    camera.tell("lock", {})
    camera.set_up()
    camera.tell("lock", {})
    keys = (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTOFOCUS)
    assert [device._settings[key] for key in keys] == [1, 0, 0]
    camera.tell("unlock", {})
    assert [device._settings[key] for key in keys] == [3, 1, 1]


def test_a_damaged_picture_is_left_out(node: Path) -> None:
    device = _Device()
    camera = _camera(device, node)
    camera.set_up()
    device.broken = True
    assert camera.grab(1.0) is None
    device.broken = False
    _grab(camera)


def test_a_webcam_that_stops(node: Path) -> None:
    device = _Device()
    camera = _camera(device, node)
    camera.set_up()
    device.there = False
    with pytest.raises(CameraFault, match="CAM-02") as caught:
        camera.grab(1.0)
    assert caught.value.temporary
    camera.tear_down()
    camera.tear_down()
    assert device.released == 1
    assert camera.grab(1.0) is None


def test_a_webcam_under_a_new_number_is_found_again(node: Path) -> None:
    device = _Device()
    camera = _camera(device, node)
    camera.set_up()
    node.unlink()
    with pytest.raises(CameraFault, match=r"CAM-01.*usb-Maker"):
        camera.set_up()
    other = node.parent.parent / "video7"
    other.touch()
    node.symlink_to(other)
    camera.set_up()
    assert device.opened[-1][0].endswith("video7")


def test_the_only_webcam_needs_no_name_and_two_do(node: Path) -> None:
    device = _Device()
    camera = WebcamCamera(open_device=device, by_id=node.parent)
    camera.set_up()
    assert device.opened[0][0] == str(node.resolve())
    other = node.parent / "usb-Other-video-index0"
    other.symlink_to(node.resolve())
    (node.parent / "usb-Other-video-index1").symlink_to(node.resolve())
    assert find_webcams(node.parent) == [node, other]
    with pytest.raises(CameraFault, match=r"CAM-01.*usb-Maker.*usb-Other"):
        camera.set_up()
    with pytest.raises(CameraFault, match="CAM-01"):
        WebcamCamera(open_device=device, by_id=node.parent / "none").set_up()


def test_a_size_that_was_asked_for_must_come(node: Path) -> None:
    device = _Device(sizes=((640, 480), (1920, 1080)))
    camera = _camera(device, node)
    camera.set_up()
    assert _grab(camera).image.shape == (480, 640, 3)
    _camera(device, node, width=1920, height=1080).set_up()
    with pytest.raises(CameraFault, match=r"CAM-09.*640x480.*1280x720") as caught:
        _camera(device, node, width=1280, height=720).set_up()
    assert not caught.value.temporary


def test_a_webcam_that_will_not_open(node: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    device = _Device()
    device.present = False
    camera = _camera(device, node)
    monkeypatch.setattr("hardware.camera_webcam.holders", lambda prefixes: [4242])
    with pytest.raises(CameraFault, match=r"CAM-03.*\(pid 4242\)"):
        camera.set_up()
    monkeypatch.setattr("hardware.camera_webcam.holders", lambda prefixes: [])
    with pytest.raises(CameraFault, match="CAM-01"):
        camera.set_up()
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(CameraFault, match="CAM-10"):
        camera.set_up()


def test_who_holds_a_device(tmp_path: Path) -> None:
    for pid, target in ((7, "/dev/video0"), (9, "/dev/null"), (os.getpid(), "/dev/video0"), (8, "/dev/video0")):
        folder = tmp_path / str(pid) / "fd"
        folder.mkdir(parents=True)
        (folder / "3").symlink_to(target)
    (tmp_path / "11").mkdir()
    assert holders(["/dev/video0"], tmp_path) == [7, 8]
    assert holders(["/dev/video"], tmp_path) == [7, 8]
    assert holders(["/dev/vid", "/dev/video"], tmp_path) == [7, 8]
    (tmp_path / "8" / "fd" / "3").unlink()
    (tmp_path / "8" / "fd" / "3").symlink_to("/dev/video01")
    assert holders(["/dev/video0"], tmp_path) == [7]
