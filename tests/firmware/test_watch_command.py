"""`dicetable watch` and `dicetable calibrate`: what they print and write, and how they end."""

from __future__ import annotations

import json
import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware import calibrate_command, watch_command
from firmware.cli import main
from hardware.camera import CameraFault, Clock
from hardware.faults import camera_fault
from vision.calibration import Calibration, load, save
from vision.types import Die, Frame, Image, Reading, Reason, Status, TrayEvent, TrayEventKind, TrayState

FELT = np.full((120, 160, 3), (60, 95, 50), np.uint8)


def lines(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def die(value: int, x: float) -> Die:
    return Die(value, 0.9, x, 50.0, ((x - 8, 42.0), (x + 8, 42.0), (x + 8, 58.0), (x - 8, 58.0)))


def write_frames(folder: Path, pictures: list[Image]) -> Path:
    folder.mkdir()
    for k, picture in enumerate(pictures):
        assert cv2.imwrite(str(folder / f"frame_{k:04d}.png"), picture)
    return folder


def test_a_folder_of_frames_gives_states_with_frame_and_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Large enough for dice to show: a smaller empty picture is asked about.
    folder = write_frames(tmp_path / "frames", [cv2.resize(FELT, (640, 480))] * 12)
    assert main(["watch", "--json", "--fps", "10", str(folder)]) == 0
    (state,) = lines(capsys.readouterr().out)
    assert state["state"] == "empty"
    assert state["t"] == pytest.approx(int(str(state["frame"])) / 10)


def test_every_frame_of_a_video_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "clip.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 25.0, (160, 120))
    for _ in range(17):
        writer.write(FELT)
    writer.release()
    frames: list[Frame] = list(watch_command.frames_of(watch_command.camera_of(str(path), Clock())))
    assert [f.number for f in frames] == list(range(17))
    assert [f.t for f in frames] == pytest.approx([k / 25 for k in range(17)])


def test_lines_have_the_fields_of_the_contract() -> None:
    reading = Reading(Status.READ, (die(3, 40), die(5, 80)))
    event = TrayEvent(TrayEventKind.STATE, TrayState.SETTLED, 2.1333, 32, reading=reading, values=(3, 5))
    assert watch_command.as_json(event) == {"t": 2.133, "frame": 32, "state": "settled", "values": [3, 5]}
    event = TrayEvent(
        TrayEventKind.ROLL, TrayState.SETTLED, 2.4, 36, reading=reading, values=(3, 5), kept=(3,), thrown=(5,)
    )
    assert watch_command.as_json(event) == {
        "t": 2.4, "frame": 36, "event": "roll", "values": [3, 5], "kept": [3], "thrown": [5],
    }  # fmt: skip
    event = TrayEvent(TrayEventKind.DISTURBED, TrayState.SETTLED, 2.4, 36, reading=reading, values=(5,), was=(2,))
    assert watch_command.as_json(event) == {"t": 2.4, "frame": 36, "event": "disturbed", "was": [2], "values": [5]}
    reasons = (Reason("count"), Reason("foreign", 90.04, 40.0))
    event = TrayEvent(
        TrayEventKind.STATE, TrayState.UNREADABLE, 3.0, 45, reading=reading, values=(3, 5), reasons=reasons
    )
    assert watch_command.as_json(event) == {
        "t": 3.0, "frame": 45, "state": "unreadable", "values": [3, 5],
        "reasons": [{"code": "count"}, {"code": "foreign", "x": 90.0, "y": 40.0}],
    }  # fmt: skip
    event = TrayEvent(TrayEventKind.OFFLINE, TrayState.OFFLINE, 9.0, 70, code="CAM-02")
    assert watch_command.as_json(event) == {"t": 9.0, "frame": 70, "event": "offline", "code": "CAM-02"}


def test_words_name_what_happened() -> None:
    reading = Reading(Status.READ, (die(3, 40), die(5, 80)))
    roll = TrayEvent(TrayEventKind.ROLL, TrayState.SETTLED, 2.4, 36, reading, (3, 5), (3,), (5,))
    assert watch_command.as_words(roll).split() == ["2.40", "s", "roll:", "3", "5,", "kept", "3"]


class Flaky:
    """A camera that does what it is told: a frame number, None for no frame, or a fault."""

    def __init__(self, *script: int | CameraFault | None) -> None:
        self.script = list(script)
        self.now_s = 100.0
        self.set_ups = 0
        self.clock = Clock(now=lambda: self.now_s, wait=self.wait)

    def wait(self, seconds: float) -> None:
        self.now_s += seconds

    def set_up(self) -> None:
        self.set_ups += 1

    def grab(self, timeout_s: float) -> Frame | None:
        step = self.script.pop(0)
        self.wait(timeout_s)
        if isinstance(step, CameraFault):
            raise step
        return None if step is None else Frame(FELT, step, self.now_s)

    def tear_down(self) -> None: ...

    def tell(self, order: str, args: object) -> None: ...

    @property
    def at_end(self) -> bool:
        return not self.script

    @property
    def repeats(self) -> bool:
        return True

    @property
    def lock(self) -> None:
        return None


def test_a_camera_that_goes_away_is_set_up_again() -> None:
    camera = Flaky(5, 6, camera_fault("CAM-02"), camera_fault("CAM-02"), 0, 1)
    seen = list(watch_command.sights_of(camera, camera.clock))
    assert [s.code if isinstance(s, watch_command.Away) else s.number for s in seen] == [5, 6, "CAM-02", 0, 1]
    assert camera.set_ups == 3


@pytest.mark.parametrize("silence", [None, 6])
def test_a_camera_that_falls_silent_or_stands_still_is_away_within_two_seconds(silence: int | None) -> None:
    camera = Flaky(5, 6, *[silence] * 19, 7)
    seen = list(watch_command.sights_of(camera, camera.clock))
    assert [s.code if isinstance(s, watch_command.Away) else s.number for s in seen] == [5, 6, "CAM-02", 7]
    before, away = seen[1], seen[2]
    assert away.t - before.t <= 2.0


def test_a_fault_for_good_ends_the_watching() -> None:
    camera = Flaky(5, camera_fault("CAM-04", what="none"), 6)
    with pytest.raises(CameraFault):
        list(watch_command.sights_of(camera, camera.clock))


@pytest.mark.parametrize("name", ["none.mp4", "none"])
def test_a_source_that_is_not_there_is_a_fault(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "--json", str(tmp_path / name)]) != 0
    out, err = capsys.readouterr()
    assert out == ""
    assert "CAM-07" in err
    assert len(err.splitlines()) == 1


def test_a_broken_calibration_is_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "table").write_text("{")
    folder = write_frames(tmp_path / "frames", [FELT] * 3)
    assert main(["watch", "--table", str(tmp_path / "table"), str(folder)]) != 0
    assert "CAL-02" in capsys.readouterr().err


def test_a_calibration_of_another_shape_is_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(Calibration(FELT[:60], ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0)), 16.0, ()), tmp_path / "table")
    folder = write_frames(tmp_path / "frames", [FELT] * 3)
    assert main(["watch", "--table", str(tmp_path / "table"), str(folder)]) != 0
    assert "CAL-04" in capsys.readouterr().err


def test_calibrate_writes_a_file_that_can_be_loaded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    throw = FELT.copy()
    for x, y in ((40, 40), (100, 40), (60, 85), (120, 90)):
        cv2.rectangle(throw, (x - 8, y - 8), (x + 8, y + 8), (220, 220, 220), -1)
        cv2.circle(throw, (x, y), 2, (20, 20, 20), -1)
    folder = write_frames(tmp_path / "pictures", [FELT, throw])
    assert main(["calibrate", "--from", str(folder), "--out", str(tmp_path / "table")]) == 0
    assert "4 dice" in capsys.readouterr().out
    assert load(tmp_path / "table").die_px == pytest.approx(17, rel=0.15)


def test_calibrate_without_its_two_pictures_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_frames(tmp_path / "pictures", [FELT])
    assert main(["calibrate", "--from", str(folder), "--out", str(tmp_path / "table")]) != 0
    assert main(["calibrate", "--from", str(tmp_path / "none"), "--out", str(tmp_path / "table")]) != 0
    assert capsys.readouterr().err.count("CAL-") == 2
    assert not (tmp_path / "table").exists()


def test_both_commands_explain_themselves() -> None:
    assert watch_command.__doc__
    assert calibrate_command.__doc__


def data() -> Path:
    root = Path(__file__).resolve().parents[2]
    return Path(os.environ.get("DICETABLE_DATA", root.parent / "shared"))


def test_real_dice_thrown_into_a_real_tray_are_one_roll(capsys: pytest.CaptureFixture[str]) -> None:
    clip = data() / "dice-photos" / "videos" / "video_01.mp4"
    if not clip.exists():
        pytest.skip(f"no {clip}: set DICETABLE_DATA")
    assert main(["watch", "--json", "--dice", "5", str(clip)]) == 0
    rolls = [line for line in lines(capsys.readouterr().out) if line.get("event") == "roll"]
    assert [roll["values"] for roll in rolls] == [[1, 1, 2, 3, 4]]


def test_the_frame_rate_is_told_every_few_seconds() -> None:
    rate = watch_command.Rate()
    told = [(k, hz) for k in range(301) if (hz := rate.feed(k / 20)) is not None]
    assert [k for k, _ in told] == [100, 200, 300]
    assert [hz for _, hz in told] == pytest.approx([20.0] * 3)


def test_every_kind_of_camera_can_be_watched(tmp_path: Path) -> None:
    named = {"sim": "SimCamera", "pi": "PicameraCamera", "0": "WebcamCamera", str(tmp_path): "FilesCamera"}
    for source, camera in named.items():
        assert type(watch_command.camera_of(source, Clock())).__name__ == camera
