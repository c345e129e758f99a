"""Frames from a camera that fails in every way that cameras do: away within two seconds, back when it delivers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from firmware.stepped import HandClock
from firmware.supply import PAUSES_S, Supply
from hardware.camera import CameraFault
from hardware.faults import camera_fault
from vision.types import Frame

FPS = 30.0
NOISE = np.random.default_rng(3).integers(0, 255, (64, 24, 32, 3), np.uint8)


class Sensor:
    """A camera that fails on order. `how` is what it does now."""

    at_end = False
    lock = None

    def __init__(self, clock: HandClock, repeats: bool = False) -> None:
        self.clock = clock
        self.repeats = repeats
        self.how = "works"
        self.number = 0
        self.set_ups = 0
        self.tear_downs = 0
        self.last: Frame | None = None

    def set_up(self) -> None:
        self.set_ups += 1
        if self.how == "gone":
            raise camera_fault("CAM-01", where="here")
        if self.how == "busy":
            raise camera_fault("CAM-03", who=" (pid 7)")
        if self.how == "missing library":
            raise camera_fault("CAM-04", what="picamera2")

    def grab(self, timeout_s: float) -> Frame | None:
        self.number += 1
        match self.how:
            case "silent":
                return None
            case "raises" | "gone" | "busy":
                raise camera_fault("CAM-02")
            case "number and time stand still":
                return self.last
            case "number stands still":
                self.number -= 1
            case "time stands still" if self.last is not None:
                return Frame(NOISE[self.number % 64], self.number, self.last.t)
            case "last picture for ever" if self.last is not None:
                return Frame(self.last.image.copy(), self.number, self.clock.t)
            case _:
                pass
        self.last = Frame(NOISE[self.number % 64], self.number, self.clock.t)
        return self.last

    def tear_down(self) -> None:
        self.tear_downs += 1

    def tell(self, order: str, args: object) -> None: ...


class Evening:
    def __init__(self, repeats: bool = False) -> None:
        self.clock = HandClock(50.0)
        self.sensor = Sensor(self.clock, repeats)
        self.supply = Supply(self.sensor, self.clock.now)
        self.faults: list[CameraFault] = []
        self.frames = 0

    def until(self, true: Callable[[], bool], seconds: float) -> float:
        """Let time pass until something is true, at most `seconds`; how long it took."""
        begun = self.clock.t
        while not true() and self.clock.t < begun + seconds:
            self.clock.t += 1 / FPS
            got = self.supply.step(0.0)
            if isinstance(got, Frame):
                self.frames += 1
            elif got is not None:
                self.faults.append(got)
        return self.clock.t - begun

    def wait(self, seconds: float) -> None:
        self.until(lambda: False, seconds)


FAILURES = (
    "silent", "raises", "gone", "busy", "number and time stand still", "number stands still", "time stands still",
    "last picture for ever",
)  # fmt: skip


@pytest.mark.parametrize("how", FAILURES)
def test_a_camera_that_fails_is_away_within_two_seconds_and_back_within_five(how: str) -> None:
    evening = Evening()
    evening.wait(1.0)
    assert evening.supply.delivering
    evening.sensor.how = how
    assert evening.until(lambda: not evening.supply.delivering, 5.0) <= 2.0
    evening.wait(3.0)
    assert not evening.supply.delivering
    evening.sensor.how = "works"
    assert evening.until(lambda: evening.supply.delivering, 10.0) <= 5.0
    # It was said once for each thing that was wrong, not once a try.
    assert [f.code for f in evening.faults] == {"gone": ["CAM-02", "CAM-01"], "busy": ["CAM-02", "CAM-03"]}.get(
        how, ["CAM-02"]
    )


def test_pauses_between_tries_grow_and_every_try_begins_with_letting_go() -> None:
    evening = Evening()
    evening.wait(1.0)
    evening.sensor.how = "gone"
    evening.wait(sum(PAUSES_S) + 30.0)
    assert len(PAUSES_S) <= evening.sensor.set_ups <= len(PAUSES_S) + 4
    assert evening.sensor.tear_downs == 1


def test_a_fault_for_good_is_not_tried_again() -> None:
    evening = Evening()
    evening.sensor.how = "missing library"
    evening.wait(60.0)
    assert [f.code for f in evening.faults] == ["CAM-04"]
    assert evening.sensor.set_ups == 1


def test_a_short_freeze_is_nothing_and_its_copies_are_no_frames() -> None:
    evening = Evening()
    evening.wait(1.0)
    frames = evening.frames
    evening.sensor.how = "last picture for ever"
    evening.wait(1.5)
    assert evening.frames == frames
    evening.sensor.how = "works"
    evening.wait(0.5)
    assert evening.faults == []
    assert evening.frames >= frames + 14


def test_a_picture_from_a_file_may_stay_for_ever() -> None:
    evening = Evening(repeats=True)
    evening.wait(1.0)
    evening.sensor.how = "last picture for ever"
    evening.wait(10.0)
    assert evening.faults == []
