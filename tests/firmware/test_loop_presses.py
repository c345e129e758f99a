"""From a contact that closes to what the screen shows: real loop, real gpiozero objects on mock pins that chatter."""

from __future__ import annotations

import queue
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from display.view import Picture, View
from display.window import FocusLost, KeyDown, KeyUp, RawInput
from firmware.events import CameraState, Order, Preview, Seen
from firmware.journal import Journal
from firmware.loop import Loop, LoopEvent, Parts
from firmware.table import Mode, Table, TableSettings
from hardware.buttons import HOLDS, Button
from hardware.lines import DEFAULT_LINES
from hardware.mock_panel import MockPanel
from hardware.panel_gpio import GpioPanel
from vision.types import TrayEvent, TrayEventKind, TrayState

from .evening import HEIGHT, WIDTH, reading

STEP_S = 1 / 60


class _Eye:
    def order(self, order: Order) -> None: ...

    def picture(self, preview: Preview) -> Picture | None:
        return None

    def close(self) -> None: ...


class _Window:
    def __init__(self) -> None:
        self.shown: View | None = None
        self.typed: list[RawInput] = []

    def inputs(self) -> Iterable[RawInput]:
        typed, self.typed = self.typed, []
        return typed

    def hit(self, x: float, y: float) -> str | None:
        return None

    def show(self, view: View, t: float) -> None:
        self.shown = view


class Bench:
    """A loop with eight buttons, and time that is moved by hand."""

    def __init__(self, folder: Path) -> None:
        self.t = 50.0
        self.mock = MockPanel(DEFAULT_LINES[8], seed=3)
        self.mock.advance(self.t)
        self.events: queue.SimpleQueue[LoopEvent] = queue.SimpleQueue()
        self.panel = GpioPanel(DEFAULT_LINES[8], self.mock.factories, self.events.put, self.mock.now)
        self.journal = Journal(folder / "journal.sqlite3", now=lambda: self.t)
        self.table = Table(TableSettings(names=("Ann", "Bo")))
        self.window = _Window()
        self.loop = Loop(
            Parts(self.table, self.journal, _Eye(), self.panel, self.window, self.events, lambda: self.t)  # type: ignore[arg-type]
        )
        self.events.put(CameraState(True, self.t))

    def step(self) -> None:
        self.t += STEP_S
        self.mock.advance(self.t)
        self.loop.step()
        self.journal.wait(self.loop.token, 10.0)

    def run(self, seconds: float) -> None:
        end = self.t + seconds
        while self.t < end:
            self.step()

    def press(self, button: Button, held_s: float = 0.1) -> None:
        self.mock.press(button, self.t + 1e-3, held_s)
        self.run(held_s + 0.1)

    def throw(self, *values: int) -> None:
        for kind, state in ((TrayEventKind.STATE, TrayState.ROLLING), (TrayEventKind.ROLL, TrayState.SETTLED)):
            r = reading(values) if kind is TrayEventKind.ROLL else None
            thrown = values if r else ()
            self.events.put(Seen(TrayEvent(kind, state, self.t, 1, r, thrown=tuple(thrown)), WIDTH, HEIGHT))
        self.run(0.1)

    @property
    def code(self) -> str:
        assert self.window.shown is not None
        return self.window.shown.message.code if self.window.shown.message else ""

    def close(self) -> None:
        self.panel.close()
        self.journal.close()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.close()


def test_nothing_counts_that_was_pressed_before_there_was_a_picture(bench: Bench) -> None:
    bench.mock.hold_down(Button.SCORE, bench.t)
    bench.mock.advance(bench.t + 0.05)
    bench.run(1.0)
    bench.mock.let_go(Button.SCORE, bench.t)
    bench.run(0.2)
    assert bench.table.mode is Mode.MENU
    bench.press(Button.SCORE)
    assert bench.table.mode is Mode.PLAY


@pytest.mark.parametrize("button", [Button.SCORE, Button.HOLD3])
def test_a_refusal_is_on_the_screen_within_100_ms(bench: Bench, button: Button) -> None:
    bench.run(0.1)
    bench.press(Button.SCORE)
    assert bench.code == ""
    bench.mock.press(button, bench.t + 1e-3, 0.05)
    let_go = bench.t + 1e-3 + 0.05
    while not bench.code:
        bench.step()
        assert bench.t < let_go + 1.0
    assert bench.code == "NO_ROLL"
    assert bench.t - let_go < 0.1, "though the contact chatters and must rest for 20 ms"
    assert bench.window.shown is not None
    assert bench.window.shown.message is not None
    assert bench.window.shown.message.words


def test_a_press_that_began_before_the_roll_is_refused_and_not_kept_for_later(bench: Bench) -> None:
    bench.run(0.1)
    bench.press(Button.SCORE)
    bench.mock.hold_down(Button.SCORE, bench.t + 1e-3)
    bench.run(0.1)
    bench.throw(1, 2, 3, 4, 5)
    bench.mock.let_go(Button.SCORE, bench.t + 1e-3)
    bench.run(0.1)
    assert bench.code == "STALE"
    bench.run(2.0)
    assert bench.table.mode is Mode.PLAY, "it did not open the boxes later"
    bench.press(Button.SCORE)
    assert bench.table.mode is Mode.CHOOSE


def test_noise_is_counted_for_each_button_and_presses_nothing(bench: Bench) -> None:
    bench.run(0.1)
    bench.press(Button.SCORE)
    bench.throw(1, 2, 3, 4, 5)
    for k in range(3):
        bench.mock.noise(HOLDS[1], bench.t + 0.1 * k + 1e-3)
    bench.mock.noise(Button.ROLL, bench.t + 1e-3)
    bench.run(0.5)
    assert bench.table.play is not None
    assert bench.table.play.marks == frozenset()
    assert {b: n for b, n in bench.loop.noise.items() if n} == {HOLDS[1]: 3, Button.ROLL: 1}


def test_lamps_show_what_may_be_pressed(bench: Bench) -> None:
    bench.run(0.1)
    bench.press(Button.SCORE)
    assert bench.mock.lamp(Button.ROLL)
    assert not bench.mock.lamp(Button.SCORE), "nothing to score yet"
    bench.throw(1, 2, 3, 4, 5)
    assert bench.mock.lamp(Button.SCORE)
    bench.press(HOLDS[2])
    assert [b for b in HOLDS if bench.mock.lamp(b)] == [HOLDS[2]]


def test_a_keyboard_beside_the_panel_reaches_what_the_buttons_reach(bench: Bench) -> None:
    bench.run(0.2)
    bench.window.typed = [KeyDown("3")]
    bench.step()
    bench.window.typed = [KeyUp("3"), KeyDown("x"), KeyUp("x")]
    bench.step()
    assert bench.table.count == 3
    bench.window.typed = [KeyDown("return")]
    bench.run(0.1)
    bench.window.typed = [KeyUp("return")]
    bench.step()
    assert bench.table.mode is Mode.PLAY


def test_a_key_that_is_held_acts_once_and_is_let_go_with_the_window(bench: Bench) -> None:
    bench.run(0.2)
    bench.window.typed = [KeyDown("return")]
    bench.run(1.0)
    assert bench.table.mode is Mode.NAMES, "SCORE held enters the names"
    bench.window.typed = [FocusLost()]
    bench.step()
    bench.window.typed = [KeyDown("return")]
    bench.step()
    bench.window.typed = [KeyUp("return")]
    bench.step()
    assert bench.table.mode is Mode.NAMES, "the second name"
