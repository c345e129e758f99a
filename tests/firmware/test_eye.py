"""The eye: exposure is set anew in an empty tray only, and what a camera process must be told when it begins anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from firmware.events import CameraState, Facts, Order, Seen
from firmware.eye import Eye, EyeMessage, brightness
from firmware.eye_process import _parts, make_eye
from firmware.eye_service import lies_of
from firmware.platforms import EyeSpec
from firmware.previews import RING_BYTES, PreviewRing
from firmware.stepped import HandClock
from hardware.camera import CameraFault
from hardware.camera_sim import SimCamera
from hardware.exposure import ExposureKeeper
from vision.calibration import Calibration, save
from vision.types import Die, Image, Reading, Status, Tray, TrayEvent, TrayEventKind, TrayState
from vision.watcher import Watcher

FPS = 10.0


class Evening:
    """An eye over a simulated tray that is read by its truth. Its exposure is locked."""

    def __init__(self, **options: object) -> None:
        self.clock = HandClock(10.0)
        self.camera = SimCamera(seed=3, width=320, height=180, rate_hz=FPS, clock=self.clock.clock, **options)  # type: ignore[arg-type]
        self.said: list[EyeMessage] = []
        ring = PreviewRing(memoryview(bytearray(RING_BYTES)))
        watcher = Watcher(Tray(), read=self.read)
        self.eye = Eye(self.camera, watcher, ring, self.said.append, self.clock.now, ExposureKeeper())
        self.wait(1.0)

    def read(self, image: Image, tray: Tray) -> Reading:
        dice = tuple(Die(d.value or 1, 0.9, d.x, d.y, d.corners) for d in self.camera.truth.dice)
        return Reading(Status.READ if dice else Status.EMPTY, dice)

    def wait(self, seconds: float, until: Callable[[], bool] = lambda: False) -> None:
        end = self.clock.t + seconds
        while self.clock.t < end and not until():
            self.clock.t += 1 / FPS
            self.eye.step(0.0)

    @property
    def notes(self) -> list[str]:
        """What was said about a camera that delivers."""
        return [m.code for m in self.said if isinstance(m, CameraState) and m.delivering and m.code]


def test_light_that_changes_over_an_empty_tray_sets_exposure_anew_and_says_so() -> None:
    evening = Evening()
    assert evening.camera.lock == {"gain": 1.0}
    evening.camera.tell("faults", {"lamp": 0.6})
    evening.wait(6.0, lambda: evening.camera.lock is None)
    assert evening.camera.lock is None
    evening.wait(5.0)
    lock = evening.camera.lock
    assert lock is not None
    assert lock["gain"] == pytest.approx(1 / 0.6, rel=0.1)
    assert evening.notes == ["CAM-11"]
    # It is as bright as before, and stays as it is.
    evening.wait(20.0)
    assert evening.camera.lock == lock
    assert evening.notes == ["CAM-11"]


def test_never_during_a_turn_and_never_while_dice_lie_there() -> None:
    evening = Evening()
    evening.eye.order(Order("expect", {"dice": 5, "turn": True}))
    evening.camera.tell("faults", {"lamp": 0.6})
    evening.wait(10.0)
    assert evening.camera.lock == {"gain": 1.0}
    evening.camera.tell("throw", {"dice": 5, "hand": False})
    evening.wait(10.0)
    evening.eye.order(Order("expect", {"dice": 5, "turn": False}))
    evening.wait(10.0)
    assert evening.eye.watcher.state is TrayState.SETTLED
    assert evening.camera.lock == {"gain": 1.0}
    assert evening.notes == []


def test_a_turn_that_begins_keeps_exposure_as_it_is_by_then() -> None:
    evening = Evening()
    evening.camera.tell("faults", {"lamp": 0.6})
    evening.wait(6.0, lambda: evening.camera.lock is None)
    evening.eye.order(Order("expect", {"dice": 5, "turn": True}))
    evening.wait(0.5)
    assert evening.camera.lock is not None


def test_a_lesson_runs_beside_the_watching_and_is_answered_as_a_fact() -> None:
    evening = Evening()
    evening.eye.order(Order("calibrate", {"step": "throw", "file": "/nowhere/table.json"}))
    evening.wait(1.0)
    (fact,) = [m for m in evening.said if isinstance(m, Facts)]
    step, code, words = fact.values["calibration"]
    assert (step, code) == ("throw", "CAL-05")
    assert "empty tray" in words


# --- a process that begins anew ---


def test_the_simulated_dice_lie_where_they_lay_when_their_process_begins_anew() -> None:
    first = Evening()
    first.camera.tell("throw", {"dice": 5, "hand": False, "cocked": 0})
    first.wait(5.0, lambda: bool(first.camera.truth.throws) and first.eye.watcher.state is TrayState.SETTLED)
    seen = [m for m in first.said if isinstance(m, Seen) and m.event.reading is not None][-1]
    spec = EyeSpec("sim", {"seed": 3}).again(1, lies_of(seen))
    again = Evening(lying=spec.options["lying"], life=spec.options["life"])
    for before, now in zip(first.camera.truth.dice, again.camera.truth.dice, strict=True):
        assert (now.value, now.x, now.y) == (
            before.value,
            pytest.approx(before.x, abs=1),
            pytest.approx(before.y, abs=1),
        )
        square = np.array(before.corners)
        assert all(min(np.hypot(*(square - corner).T)) < 2.0 for corner in now.corners)
    # They are not thrown again as they were the first time.
    again.camera.tell("throw", {"dice": 5, "hand": False, "cocked": 0})
    again.wait(5.0)
    assert [(d.x, d.y) for d in again.camera.truth.dice] != [(d.x, d.y) for d in first.camera.truth.dice]


def test_only_the_simulated_tray_is_told_what_lies_there() -> None:
    event = TrayEvent(TrayEventKind.STATE, TrayState.EMPTY, 1.0, 1, reading=Reading(Status.EMPTY))
    assert lies_of(Seen(event, 320, 180)) == ()
    spec = EyeSpec("webcam", {"device": 0})
    assert spec.again(3, ((1, 0.5, 0.5, 0.0),)) is spec
    assert EyeSpec("sim").again(0, ()).options == {}


def made(spec: EyeSpec, said: list[EyeMessage]) -> Eye:
    """The eye as the camera process makes it."""
    ring = PreviewRing(memoryview(bytearray(RING_BYTES)))
    return make_eye(spec, ring, said.append, lambda image, tray: Reading(Status.EMPTY), lambda: 10.0)


def test_a_calibration_gives_the_camera_its_lock_and_exposure_its_keeper(tmp_path: Path) -> None:
    empty = np.full((180, 320, 3), 90, np.uint8)
    floor = ((10.0, 10.0), (310.0, 10.0), (310.0, 170.0), (10.0, 170.0))
    path = tmp_path / "table.json"
    save(Calibration(empty, floor, 20.0, (), lock={"gain": 1.5}), path)
    camera, tray, keeper = _parts(EyeSpec("sim", {}, str(path)))
    assert camera.lock == {"gain": 1.5}
    assert made(EyeSpec("sim", {}, str(path)), []).camera.lock == {"gain": 1.5}, "and so has the camera process"
    assert tray.calibration.die_px == 20.0
    assert keeper is not None
    assert brightness(empty) == 90.0
    assert keeper.feed(0.0, 40.0, True) is None
    assert keeper.feed(3.5, 40.0, True) == "unlock"
    save(Calibration(empty, floor, 20.0, ()), path)
    camera, _, keeper = _parts(EyeSpec("sim", {}, str(path)))
    assert (camera.lock, keeper) == ({"gain": 1.0}, None)


@pytest.mark.parametrize(
    ("spec", "code"),
    [
        (EyeSpec("sim", {}, "/nowhere/table.json"), "CAL-01"),
        (EyeSpec("nothing"), "CAM-12"),
    ],
)
def test_what_can_not_be_used_is_a_fault_for_good_and_no_crash(spec: EyeSpec, code: str) -> None:
    said: list[EyeMessage] = []
    eye = made(spec, said)
    eye.step(0.0)
    away = next(m for m in said if isinstance(m, CameraState))
    assert (away.delivering, away.code) == (False, code), "the eye of the camera process says so"
    camera = eye.camera
    with pytest.raises(CameraFault, match=code) as caught:
        camera.set_up()
    assert not caught.value.temporary
    assert camera.grab(0.0) is None
    camera.tear_down()
