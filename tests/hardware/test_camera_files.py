"""The `files` camera: numbers, times, orders, ends and bad files."""

from __future__ import annotations

import pickle
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera import CameraFault, Clock
from hardware.camera_files import FilesCamera
from vision.types import Frame


class _Time:
    """A clock that moves only by waiting."""

    def __init__(self) -> None:
        self.t = 100.0
        self.clock = Clock(now=lambda: self.t, wait=self._wait)

    def _wait(self, seconds: float) -> None:
        self.t += seconds


def _picture(folder: Path, name: str, grey: int, size: tuple[int, int] = (40, 30)) -> Path:
    path = folder / name
    assert cv2.imwrite(str(path), np.full((size[1], size[0], 3), grey, np.uint8))
    return path


def _video(folder: Path, frames: int, rate_hz: float = 10.0) -> Path:
    path = folder / "clip.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), rate_hz, (64, 48))
    assert writer.isOpened()
    for n in range(frames):
        writer.write(np.full((48, 64, 3), 20 * n, np.uint8))
    writer.release()
    return path


def _next(camera: FilesCamera) -> Frame:
    frame = camera.grab(1.0)
    assert frame is not None
    return frame


def _first(camera: FilesCamera) -> Frame:
    camera.set_up()
    return _next(camera)


def _grey(frame: Frame) -> int:
    return round(float(frame.image.mean()))


def test_a_picture_stays_in_view_with_new_numbers_and_times(tmp_path: Path) -> None:
    time = _Time()
    camera = FilesCamera(_picture(tmp_path, "a.png", 50), rate_hz=20.0, clock=time.clock)
    camera.set_up()
    frames = [_next(camera) for _ in range(5)]
    assert [frame.number for frame in frames] == [0, 1, 2, 3, 4]
    assert [frame.t for frame in frames] == pytest.approx([100.0, 100.05, 100.1, 100.15, 100.2])
    assert time.t == pytest.approx(100.2)
    assert {_grey(frame) for frame in frames} == {50}
    assert not camera.at_end


def test_no_frame_before_its_time(tmp_path: Path) -> None:
    time = _Time()
    camera = FilesCamera(_picture(tmp_path, "a.png", 50), rate_hz=1.0, clock=time.clock)
    camera.set_up()
    _next(camera)
    assert camera.grab(0.25) is None
    assert time.t == pytest.approx(100.25)
    assert camera.grab(0.25) is None
    assert _next(camera).number == 1


def test_a_slow_reader_misses_frames(tmp_path: Path) -> None:
    time = _Time()
    camera = FilesCamera(_picture(tmp_path, "a.png", 50), rate_hz=10.0, clock=time.clock)
    camera.set_up()
    _next(camera)
    time.t += 1.0
    assert _next(camera).number == 10


def test_orders_change_the_picture_and_its_size(tmp_path: Path) -> None:
    time = _Time()
    _picture(tmp_path, "b.png", 200, (80, 60))
    _picture(tmp_path, "a.png", 10)
    extra = _picture(tmp_path, "extra.bmp", 120)
    camera = FilesCamera([tmp_path / "a.png", tmp_path / "b.png"], clock=time.clock)
    camera.set_up()
    assert _grey(_next(camera)) == 10
    camera.tell("next", {})
    frame = _next(camera)
    assert (_grey(frame), frame.image.shape, frame.number) == (200, (60, 80, 3), 1)
    camera.tell("next", {})
    assert _grey(_next(camera)) == 200
    camera.tell("show", {"path": extra})
    assert _grey(_next(camera)) == 120
    assert camera.path == extra
    camera.tell("throw", {"dice": 5})
    assert _grey(_next(camera)) == 120


def test_a_folder_goes_by_name_and_time_and_ends(tmp_path: Path) -> None:
    time = _Time()
    for name, grey in (("2.png", 90), ("1.png", 30), ("3.PNG", 150)):
        _picture(tmp_path, name, grey)
    (tmp_path / "notes.txt").write_text("not a picture")
    camera = FilesCamera(tmp_path, rate_hz=2.0, seconds_each=1.0, clock=time.clock)
    camera.set_up()
    greys = []
    while not camera.at_end:
        frame = camera.grab(1.0)
        if frame is not None:
            greys.append(_grey(frame))
    assert greys == [30, 30, 90, 90, 150, 150]
    assert camera.grab(1.0) is None


def test_a_folder_as_fast_as_it_can(tmp_path: Path) -> None:
    for n in range(4):
        _picture(tmp_path, f"{n}.png", 40 * n)
    camera = FilesCamera(tmp_path, rate_hz=8.0, live=False)
    camera.set_up()
    frames = [_next(camera) for _ in range(4)]
    assert [_grey(frame) for frame in frames] == [0, 40, 80, 120]
    assert [frame.t for frame in frames] == [0.0, 0.125, 0.25, 0.375]
    assert camera.grab(0.0) is None
    assert camera.at_end


def test_a_video_as_fast_as_it_can_drops_none(tmp_path: Path) -> None:
    camera = FilesCamera(_video(tmp_path, 6), live=False)
    camera.set_up()
    assert camera.rate_hz == pytest.approx(10.0)
    frames = []
    while (frame := camera.grab(0.0)) is not None:
        frames.append(frame)
    assert [round(_grey(frame) / 20) for frame in frames] == [0, 1, 2, 3, 4, 5]
    assert [frame.t for frame in frames] == pytest.approx([0, 0.1, 0.2, 0.3, 0.4, 0.5])
    assert camera.at_end


def test_a_live_video_keeps_the_clock(tmp_path: Path) -> None:
    time = _Time()
    camera = FilesCamera(_video(tmp_path, 6), clock=time.clock)
    camera.set_up()
    _next(camera)
    time.t += 0.4
    frame = _next(camera)
    assert (frame.number, round(_grey(frame) / 20)) == (4, 4)
    time.t += 1.0
    assert camera.grab(0.1) is None
    assert camera.at_end


def test_a_video_that_loops(tmp_path: Path) -> None:
    camera = FilesCamera(_video(tmp_path, 3), live=False, loop=True)
    camera.set_up()
    frames = [_next(camera) for _ in range(7)]
    assert [round(_grey(frame) / 20) for frame in frames] == [0, 1, 2, 0, 1, 2, 0]
    assert [frame.number for frame in frames] == list(range(7))


def test_it_can_be_set_up_again(tmp_path: Path) -> None:
    camera = FilesCamera(_video(tmp_path, 2), live=False)
    for _ in range(2):
        camera.set_up()
        assert _grey(_next(camera)) < 10
        camera.tear_down()
        camera.tear_down()
    assert camera.grab(0.0) is None


@pytest.mark.parametrize("name", ["broken.jpg", "broken.mp4", "empty.png"])
def test_a_file_that_is_no_picture_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"" if name.startswith("empty") else b"no picture at all" * 9)
    with pytest.raises(CameraFault, match=rf"CAM-07.*{name}") as caught:
        _first(FilesCamera(tmp_path / name, clock=_Time().clock))
    assert not caught.value.temporary
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (copy.code, copy.words) == ("CAM-07", caught.value.words)


def test_one_bad_file_does_not_stop_the_row(tmp_path: Path) -> None:
    _picture(tmp_path, "a.png", 10)
    (tmp_path / "b.png").write_bytes(b"no")
    _picture(tmp_path, "c.png", 90)
    camera = FilesCamera(tmp_path, clock=_Time().clock)
    camera.set_up()
    _next(camera)
    camera.tell("next", {})
    with pytest.raises(CameraFault, match="CAM-07"):
        camera.grab(1.0)
    camera.tell("next", {})
    assert _grey(_next(camera)) == 90


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(CameraFault, match=r"CAM-07.*missing\.jpg"):
        FilesCamera(tmp_path / "missing.jpg").set_up()
    with pytest.raises(CameraFault, match="CAM-08"):
        FilesCamera(tmp_path).set_up()
    with pytest.raises(CameraFault, match="CAM-08"):
        FilesCamera([]).set_up()


def test_blue_green_red(tmp_path: Path) -> None:
    red = np.zeros((8, 8, 3), np.uint8)
    red[:, :, 2] = 255
    cv2.imwrite(str(tmp_path / "red.png"), red)
    camera = FilesCamera(tmp_path / "red.png", live=False)
    camera.set_up()
    image = _next(camera).image
    assert image.dtype == np.uint8
    assert image[0, 0].tolist() == [0, 0, 255]
