"""Fewer frames while nothing moves; all of them, and soon, when something does."""

from __future__ import annotations

from itertools import pairwise

from firmware.events import Order, Preview, Seen
from firmware.eye import CALM_S, REST_HZ, Eye
from firmware.eye_service import EyeEvent
from firmware.previews import RING_BYTES, PreviewRing
from firmware.stepped import HandClock
from hardware.camera_sim import SimCamera
from vision.types import Tray, TrayEventKind, TrayState
from vision.watcher import Watcher


def test_a_tray_at_rest_is_looked_at_less_often_until_something_moves() -> None:
    clock = HandClock()
    camera = SimCamera(seed=4, width=640, height=360, touching=0, cocked=0, clock=clock.clock)
    told: list[EyeEvent] = []
    ring = PreviewRing(memoryview(bytearray(RING_BYTES)))
    eye = Eye(camera, Watcher(Tray()), ring, told.append, clock.clock.now, rest_hz=REST_HZ)
    times: list[float] = []

    def run(seconds: float) -> None:
        times.clear()
        until = clock.t + seconds
        while clock.t < until:
            frame = eye.step(0.0)
            if frame is not None:
                times.append(frame.t)
            clock.t += 1 / 30

    run(0.5)
    assert len(times) > 13, "all of them at first"
    run(CALM_S + 1)
    told.clear()
    run(2.0)
    assert 18 <= len(times) <= 21
    assert 3 <= sum(isinstance(e, Preview) for e in told) <= 5, "the screen need not be drawn for noise"
    eye.order(Order("expect", {"dice": 5}))
    eye.order(Order("throw", {"dice": 5, "kept": [], "values": [1, 2, 3, 4, 5]}))
    told.clear()
    run(3.0)
    moved = next(e.event.t for e in told if isinstance(e, Seen) and e.event.state is not TrayState.EMPTY)
    noticed = times.index(moved)
    assert max(b - a for a, b in pairwise(times[:noticed])) <= 0.11
    gaps = [b - a for a, b in pairwise(times[noticed : noticed + 20])]
    assert max(gaps) < 0.04, "every frame from then on"
    run(4.0)
    (roll,) = [e.event for e in told if isinstance(e, Seen) and e.event.kind is TrayEventKind.ROLL]
    assert roll.values == (1, 2, 3, 4, 5)
    assert len(times) < 80, "at rest again"
    eye.close()
