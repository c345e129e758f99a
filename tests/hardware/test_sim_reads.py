"""The simulated tray's pictures pass through the real reader: that is what makes `sim` a demonstration."""

from __future__ import annotations

from hardware.camera import Clock
from hardware.camera_sim import SimCamera
from vision.reader import read
from vision.types import Status, Tray

_SEEDS = range(2, 8)


def _at_rest(seed: int) -> SimCamera:
    now = 0.0

    def wait(seconds: float) -> None:
        nonlocal now
        now += seconds

    camera = SimCamera(seed=seed, cocked=0.0, clock=Clock(now=lambda: now, wait=wait))
    camera.set_up()
    camera.tell("throw", {"dice": 5})
    while camera.truth.throws == 0:
        wait(0.3)
        camera.grab(1.0)
    return camera


def test_whole_trays_are_read() -> None:
    exact = 0
    for seed in _SEEDS:
        camera = _at_rest(seed)
        frame = camera.grab(1.0)
        assert frame is not None
        reading = read(frame.image, Tray(dice=5))
        if reading.status is Status.READ:
            assert reading.values == camera.truth.values, f"misread with seed {seed}, {camera.setting}"
            exact += 1
    assert exact >= len(_SEEDS) - 1


def test_an_empty_tray_is_empty() -> None:
    camera = SimCamera(seed=3, clock=Clock(now=lambda: 0.0, wait=lambda seconds: None))
    camera.set_up()
    frame = camera.grab(0.0)
    assert frame is not None
    assert read(frame.image, Tray()).status is Status.EMPTY
