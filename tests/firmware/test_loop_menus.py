"""The loop around menus: orders reach the machine and not the camera, facts reach the table, time is told to it."""

from __future__ import annotations

import queue
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from display.view import Picture, Scene, View
from display.window import KeyDown, KeyUp, RawInput
from firmware import findings
from firmware.config import Config
from firmware.events import CameraState, EyePulse, Facts, Order, Preview
from firmware.health import Health
from firmware.journal import Journal
from firmware.kept_settings import KeptSettings
from firmware.loop import MEASURE_S, Loop, LoopEvent, Parts
from firmware.machine import Machine
from firmware.pace import IDLE_S, KEPT_S
from firmware.scene import Mode
from firmware.table import Table, TableSettings
from hardware.panel_keys import KeyPanel


class Eye:
    """A camera process that has a picture and remembers its orders."""

    def __init__(self) -> None:
        self.orders: list[Order] = []

    def order(self, order: Order) -> None:
        self.orders.append(order)

    def picture(self, preview: Preview) -> Picture | None:
        return Picture(preview.number, 1, 1, b"abc")

    def close(self) -> None: ...


class Glass:
    """A window that remembers what it showed."""

    def __init__(self) -> None:
        self.view: View | None = None
        self.typed: list[RawInput] = []
        self.style: dict[str, object] = {}

    def inputs(self) -> Iterable[RawInput]:
        typed, self.typed = self.typed, []
        return typed

    def hit(self, x: float, y: float) -> str | None:
        return None

    def show(self, view: View, t: float) -> None:
        self.view = view

    def restyle(self, **changes: object) -> None:
        self.style |= changes


class Bench:
    """A loop with eight keys, and time that is moved by hand."""

    def __init__(self, folder: Path) -> None:
        self.t = 50.0
        self.events: queue.SimpleQueue[LoopEvent] = queue.SimpleQueue()
        self.journal = Journal(folder / "journal.sqlite3", now=lambda: self.t)
        self.eye, self.glass = Eye(), Glass()
        self.table = Table(TableSettings(names=("Ann", "Bo"), attract=True))
        self.kept = KeptSettings(folder)
        machine = Machine(self.glass, self.journal, kept=self.kept)
        panel = KeyPanel(8, self.events.put)
        self.loop = Loop(
            Parts(
                self.table,
                self.journal,
                self.eye,
                panel,
                self.glass,
                self.events,
                lambda: self.t,
                stable_ms=0.0,
                machine=machine,
                facts={"language": "en"},
            )
        )
        self.events.put(CameraState(True, self.t))
        self.run(0.1)

    def run(self, seconds: float, step_s: float = 0.02) -> None:
        end = self.t + seconds
        while self.t < end:
            self.t += step_s
            self.loop.step()
            self.journal.wait(self.loop.token, 10.0)

    def hold(self, *keys: str, seconds: float = 0.1) -> View:
        self.glass.typed += [KeyDown(k) for k in keys]
        self.run(seconds)
        self.glass.typed += [KeyUp(k) for k in keys]
        self.run(0.1)
        assert self.glass.view is not None
        return self.glass.view


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.journal.close()


def test_the_invitation_changes_the_language_of_everything(bench: Bench) -> None:
    assert bench.glass.view is not None
    assert bench.glass.view.prompt == "Press ENTER to play"
    view = bench.hold("space")
    assert view.scene is Scene.ATTRACT
    assert view.prompt == "Zum Spielen ENTER drücken"
    assert "words" in bench.glass.style
    assert all(o.name != "set" for o in bench.eye.orders), "that is none of the camera's business"


def test_the_picture_is_shown_where_it_belongs(bench: Bench) -> None:
    bench.events.put(Preview(0, 1, 1, 1))
    bench.run(0.1)
    assert bench.glass.view is not None
    assert bench.glass.view.tray.picture is None, "not on the invitation"
    bench.hold("return")
    assert bench.hold("return").tray.picture is not None, "but in a turn"
    assert bench.hold("space", "return", seconds=1.2).tray.picture is None, "not in the menu of the game"
    bench.hold("space")
    bench.hold("1", "return", seconds=5.2)
    bench.hold("2")
    view = bench.hold("return")
    assert bench.table.mode is Mode.CAMERA
    assert view.tray.picture is not None


def test_service_shows_what_is_measured(bench: Bench) -> None:
    view = bench.hold("1", "return", seconds=5.2)
    assert view.prompt == "Service menu"
    bench.events.put(EyePulse(bench.t, 29.97))
    bench.hold("2")
    bench.hold("return")
    bench.run(2 * MEASURE_S)
    assert bench.table.facts["fps"] == 30.0
    bench.hold("space")
    bench.hold("2")
    bench.hold("return")
    assert bench.table.mode is Mode.BUTTONS
    bench.glass.typed.append(KeyDown("3"))
    bench.run(2 * MEASURE_S)
    assert bench.glass.view is not None
    assert bench.glass.view.grid is not None
    row = next(r for r in bench.glass.view.grid.rows if r[0] == "HOLD 3")
    assert row[1] == "pressed"
    bench.glass.typed.append(KeyUp("3"))
    bench.hold("space", seconds=2.0)
    assert bench.table.mode is Mode.SERVICE


def test_what_is_wrong_with_the_machine_stands_at_the_edge_of_the_screen(bench: Bench, tmp_path: Path) -> None:
    volts, free = ["throttled=0x50005"], [10**10]
    machine = findings.Machine(
        root=tmp_path, run=lambda command: (0, volts[0]), free_bytes=lambda path: free[0], user="ann"
    )
    health = Health(Config(data=str(tmp_path)), bench.events.put, machine)
    health.look()
    health.look()
    assert bench.events.qsize() == 1, "what is as it was is not told again"
    bench.run(0.1)
    assert bench.glass.view is not None
    assert [b for b in bench.glass.view.banners if "SYS" in b] == [
        "SYS-01: the power supply is too weak: use a stronger one and a short, thick cable"
    ]
    assert "5.1 V" in dict(bench.table.facts["faults"])["SYS-01"], "the fault screen has cause and fix"
    volts[0], free[0] = "throttled=0x0", 10**7
    health.look()
    bench.run(0.1)
    assert [b[:6] for b in bench.glass.view.banners if "SYS" in b] == ["SYS-03"]
    free[0] = 10**10
    health.look()
    bench.run(0.1)
    assert not [b for b in bench.glass.view.banners if "SYS" in b]


def test_the_camera_process_answers_a_step_of_calibration(bench: Bench) -> None:
    bench.hold("1", "return", seconds=5.2)
    for _ in range(3):
        bench.hold("2")
    bench.hold("return")
    bench.hold("return")
    assert bench.eye.orders[-1].name == "calibrate"
    bench.events.put(Facts({"calibration": ("empty", "", "")}))
    bench.run(0.2)
    assert bench.glass.view is not None
    assert bench.glass.view.prompt == "Throw the dice so that they lie apart"


def test_an_hour_alone_ends_the_game_in_the_journal_too(bench: Bench) -> None:
    bench.hold("return")
    bench.hold("return")
    assert bench.table.play is not None
    bench.run(IDLE_S + 20, step_s=10.0)
    assert bench.glass.view is not None
    assert bench.glass.view.scene is Scene.ATTRACT
    assert bench.table.play is not None
    bench.run(KEPT_S, step_s=60.0)
    assert bench.table.play is None
    bench.journal.wait(bench.loop.token, 10.0)
    assert [r.kind for r in bench.journal.last_game()] == ["game", "leave"]
