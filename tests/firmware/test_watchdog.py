"""What the service manager is told, over a real socket."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from display.window import DisplayFault
from firmware.play_command import SCREEN_WAIT_S, wait_for_screen
from firmware.watchdog import Beats, Watchdog, notifier, watchdog_s

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """The service manager's end."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as s:
        s.bind(str(tmp_path / "notify"))
        s.settimeout(30)
        yield s


def moved(beats: Beats) -> Beats:
    return Beats(beats.loop + 1, beats.input + 1, beats.drawing + 1)


def test_states_arrive_as_datagrams(manager: socket.socket) -> None:
    dog = Watchdog(notifier({"NOTIFY_SOCKET": manager.getsockname()}), 10.0)
    dog.ready("playing")
    dog.ready("playing")
    assert dog.feed(0.0, Beats(1, 1, 1))
    dog.stopping()
    said = [manager.recv(4096).decode() for _ in range(3)]
    assert said == ["READY=1\nSTATUS=playing", "WATCHDOG=1", "STOPPING=1\nSTATUS=stopping"]


def test_an_abstract_socket_and_none_at_all() -> None:
    name = f"dicetable-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as s:
        s.bind("\0" + name)
        s.settimeout(10)
        notifier({"NOTIFY_SOCKET": "@" + name})("READY=1")
        assert s.recv(99) == b"READY=1"
    notifier({})("READY=1")
    notifier({"NOTIFY_SOCKET": "/nowhere/at/all"})("READY=1")


def test_it_is_fed_before_half_its_time_and_no_more_often_than_needed() -> None:
    said: list[str] = []
    dog, beats, fed_at = Watchdog(said.append, 10.0), Beats(), []
    for tick in range(60 * 60):
        beats = moved(beats)
        if dog.feed(tick / 60, beats):
            fed_at.append(tick / 60)
    gaps = [b - a for a, b in pairwise(fed_at)]
    assert max(gaps) <= 5.0
    assert min(gaps) >= 3.9
    assert said == ["WATCHDOG=1"] * len(fed_at)


@pytest.mark.parametrize("stuck", ["loop", "input", "drawing"])
def test_it_goes_hungry_while_one_part_stands_still(stuck: str) -> None:
    said: list[str] = []
    dog, beats = Watchdog(said.append, 10.0), moved(Beats())
    assert dog.feed(0.0, beats)
    for second in range(1, 100):
        held = getattr(beats, stuck)
        beats = moved(beats)
        setattr(beats, stuck, held)
        assert not dog.feed(float(second), beats)
    beats = moved(beats)
    assert dog.feed(100.0, beats), "it moves again"


@pytest.mark.parametrize(
    ("environment", "limit_s"),
    [
        ({"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "7"}, 10.0),
        ({"WATCHDOG_USEC": "10000000"}, 10.0),
        ({"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "8"}, 0.0),
        ({"WATCHDOG_USEC": "soon"}, 0.0),
        ({}, 0.0),
    ],
)
def test_how_long_the_manager_waits(environment: dict[str, str], limit_s: float) -> None:
    assert watchdog_s(environment, pid=7) == limit_s
    dog = Watchdog(lambda state: None, limit_s)
    assert dog.feed(0.0, moved(Beats())) == (limit_s > 0)


class Nights:
    """A screen that is plugged in after `after_s`, and a clock that only `pause` moves."""

    def __init__(self, after_s: float, code: str = "DSP-01") -> None:
        self.t, self.after_s, self.code, self.asked, self.said = 0.0, after_s, code, False, []  # type: ignore[var-annotated]

    def open(self) -> object:
        if self.t < self.after_s:
            raise DisplayFault(self.code, "no screen to draw on")
        return self

    def pause(self, seconds: float) -> None:
        self.t += seconds

    def wait(self, kiosk: bool = True) -> object:
        dog = Watchdog(self.said.append, 10.0)
        return wait_for_screen(self.open, self, dog, kiosk=kiosk, now=lambda: self.t, pause=self.pause)  # type: ignore[arg-type]


def test_a_kiosk_waits_for_its_screen_and_asks_for_more_time() -> None:
    night = Nights(after_s=30)
    assert night.wait() is night
    assert night.said
    assert all("EXTEND_TIMEOUT_USEC=" in s for s in night.said)


def test_it_does_not_wait_for_ever_and_not_for_other_faults_and_not_on_a_desk() -> None:
    night = Nights(after_s=1e9)
    with pytest.raises(DisplayFault):
        night.wait()
    assert SCREEN_WAIT_S <= night.t <= SCREEN_WAIT_S + 2
    for other, kiosk in ((Nights(30, "DSP-02"), True), (Nights(30), False)):
        with pytest.raises(DisplayFault):
            other.wait(kiosk)
        assert other.t == 0


def test_the_wait_ends_at_once_when_the_end_is_asked_for() -> None:
    night = Nights(after_s=30)
    night.asked = True
    assert night.wait() is None


def test_the_whole_program_says_ready_feeds_the_dog_and_ends_in_time(manager: socket.socket, tmp_path: Path) -> None:
    picture = tmp_path / "last.png"
    command = [sys.executable, "-m", "firmware.cli", "play", "--platform", "sim", "--data", str(tmp_path / "data")]
    process = subprocess.Popen(
        [*command, "--offscreen", str(picture)],
        cwd=ROOT,
        env={**os.environ, "NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "500000"},
    )
    try:
        assert manager.recv(4096).startswith(b"READY=1\nSTATUS=playing")
        assert [manager.recv(4096) for _ in range(3)] == [b"WATCHDOG=1"] * 3
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGTERM)
        began = time.monotonic()
        assert process.wait(30) == 0
        assert time.monotonic() - began < 5
    finally:
        process.kill()
    manager.settimeout(1)
    left = b""
    while not left.startswith(b"STOPPING=1"):
        left = manager.recv(4096)
    assert picture.exists()
