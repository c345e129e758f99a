"""The camera process for real: spawned, killed, hung, and started again."""

from __future__ import annotations

import os
import queue
import signal
import time
from collections.abc import Callable, Iterator

import pytest

from firmware.events import CameraState, Order, Preview, Seen
from firmware.eye_service import EyeEvent, EyeService
from firmware.platforms import EyeSpec
from vision.types import TrayEventKind

PATIENCE_S = 90.0
SPEC = EyeSpec("sim", {"seed": 3, "width": 640, "height": 360, "touching": 0.0, "cocked": 0.0})


class Listener:
    def __init__(self) -> None:
        self.queue: queue.SimpleQueue[EyeEvent] = queue.SimpleQueue()
        self.service = EyeService(SPEC, self.queue.put)

    def until(self, wanted: Callable[[EyeEvent], bool]) -> EyeEvent:
        """The next event of a kind; fails if it does not come."""
        end = time.monotonic() + PATIENCE_S
        while True:
            event = self.queue.get(timeout=max(0.1, end - time.monotonic()))
            if wanted(event):
                return event


@pytest.fixture
def listener() -> Iterator[Listener]:
    made = Listener()
    yield made
    made.service.close()


def is_preview(event: EyeEvent) -> bool:
    return isinstance(event, Preview)


def is_away(event: EyeEvent) -> bool:
    return isinstance(event, CameraState) and not event.delivering


def test_pictures_and_a_roll_come_from_the_other_process(listener: Listener) -> None:
    listener.service.order(Order("expect", {"dice": 5}))
    told = listener.until(is_preview)
    assert isinstance(told, Preview)
    assert listener.service.pid != os.getpid()
    while (picture := listener.service.picture(told)) is None:
        told = listener.until(is_preview)  # this machine was slow: take a newer one
        assert isinstance(told, Preview)
    assert len(picture.rgb) == picture.width * picture.height * 3
    listener.service.order(Order("throw", {"dice": 5, "kept": [], "values": [1, 2, 3, 4, 5]}))
    seen = listener.until(lambda e: isinstance(e, Seen) and e.event.kind is TrayEventKind.ROLL)
    assert isinstance(seen, Seen)
    assert len(seen.event.values) == 5
    assert (seen.width, seen.height) == (640, 360)


def test_a_process_that_dies_or_hangs_is_started_again(listener: Listener) -> None:
    listener.until(is_preview)
    first = listener.service.pid
    assert first
    os.kill(first, signal.SIGKILL)
    assert isinstance(listener.until(is_away), CameraState)
    listener.until(is_preview)
    second = listener.service.pid
    assert second not in (None, first)
    listener.service.order(Order("faults", {"block": 600}))
    away = listener.until(is_away)
    assert isinstance(away, CameraState)
    assert away.code == "CAM-02"
    listener.until(is_preview)
    assert listener.service.pid not in (None, first, second)
    assert listener.service.restarts == 2


def test_it_ends_when_told_and_leaves_nothing_behind(listener: Listener) -> None:
    listener.until(is_preview)
    pid = listener.service.pid
    assert pid
    listener.service.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
