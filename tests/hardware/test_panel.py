"""The panel on real gpiozero objects and mock pins, keys as a panel, and the table of lines."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.buttons import LAYOUTS, Button, Edge, PressKind
from hardware.debounce import Debouncer
from hardware.faults import PanelFault
from hardware.lines import BUS_PINS, DEFAULT_LINES, HEADER, Line, PanelLines, parse_lines, problems
from hardware.mock_panel import MockPanel
from hardware.panel_gpio import GpioPanel
from hardware.panel_keys import KeyPanel


class _Bench:
    """A panel on mock pins and what came out of it."""

    def __init__(self, layout: int = 8, seed: int = 3, lines: PanelLines | None = None) -> None:
        self.lines = lines or DEFAULT_LINES[layout]
        self.mock = MockPanel(self.lines, seed)
        self.edges: list[Edge] = []
        self.panel = GpioPanel(self.lines, self.mock.factories, self.edges.append, self.mock.now)
        self.debouncer = Debouncer(LAYOUTS[layout])
        self.debouncer.unmute(0.0, self.panel.levels())

    def run(self, until_s: float) -> list[tuple[Button, PressKind]]:
        presses = []
        while (t := self.mock.now()) < until_s:
            self.mock.advance(min(until_s, t + 0.01))
            for edge in self.edges:
                self.debouncer.feed(edge)
            self.edges.clear()
            presses += self.debouncer.poll(self.mock.now(), self.panel.levels())
        return [(press.button, press.kind) for press in presses]


@pytest.fixture
def bench() -> Iterator[_Bench]:
    it = _Bench()
    yield it
    it.panel.close()


def test_each_button_of_each_layout_through_chatter() -> None:
    for layout, buttons in LAYOUTS.items():
        bench = _Bench(layout, seed=layout)
        for button in buttons:
            now = bench.mock.now()
            bench.mock.press(button, now + 0.1, held_s=0.08)
            assert bench.run(now + 0.5) == [(button, PressKind.DOWN), (button, PressKind.UP)]
        assert set(bench.debouncer.noise.values()) == {0}
        bench.panel.close()


def test_the_mock_chatters(bench: _Bench) -> None:
    for n in range(20):
        bench.mock.press(Button.ROLL, 1.0 + n)
    bench.mock.advance(30.0)
    assert len(bench.edges) > 60
    assert all(edge.button is Button.ROLL for edge in bench.edges)


def test_two_buttons_at_once(bench: _Bench) -> None:
    bench.mock.press(Button.HOLD1, 1.0, held_s=5.0)
    bench.mock.press(Button.SCORE, 1.02, held_s=5.0)
    assert bench.run(3.0) == [(Button.HOLD1, PressKind.DOWN), (Button.SCORE, PressKind.DOWN)]
    assert bench.debouncer.held_s(Button.HOLD1, 3.0) > 1.9
    assert bench.run(8.0) == [(Button.HOLD1, PressKind.UP), (Button.SCORE, PressKind.UP)]


def test_a_spike_is_counted_and_is_no_press(bench: _Bench) -> None:
    bench.mock.noise(Button.SCORE, 1.0)
    assert bench.run(2.0) == []
    assert bench.debouncer.noise[Button.SCORE] == 1


def test_lamps(bench: _Bench) -> None:
    bench.panel.lamp(Button.HOLD2, True)
    assert bench.mock.lamp(Button.HOLD2)
    assert not bench.mock.lamp(Button.HOLD1)
    assert bench.panel.lit == {Button.HOLD2}
    bench.panel.lamp(Button.HOLD2, False)
    assert not bench.mock.lamp(Button.HOLD2)
    bench.panel.lamp(Button.UNDO, True)
    assert bench.panel.lit == frozenset()


def test_close_puts_the_lamps_out_frees_the_lines_and_may_be_called_twice(bench: _Bench) -> None:
    bench.panel.lamp(Button.ROLL, True)
    bench.panel.close()
    bench.panel.close()
    assert not bench.mock.lamp(Button.ROLL)
    bench.mock.press(Button.ROLL, 1.0)
    bench.mock.advance(2.0)
    assert bench.edges == []
    assert "closed" in repr(bench.panel)
    again = GpioPanel(bench.lines, bench.mock.factories, bench.edges.append, bench.mock.now)
    assert again.levels() == dict.fromkeys(LAYOUTS[8], False)
    again.close()


def test_lamps_on_a_second_chip_with_the_same_numbers() -> None:
    buttons = DEFAULT_LINES[11].buttons
    lines = PanelLines(buttons, {button: Line("mcp23017", n) for n, button in enumerate(LAYOUTS[11], start=4)})
    assert problems(lines, 11) == []
    bench = _Bench(11, lines=lines)
    bench.panel.lamp(Button.UNDO, True)
    bench.mock.press(Button.UNDO, 1.0)
    assert bench.run(2.0) == [(Button.UNDO, PressKind.DOWN), (Button.UNDO, PressKind.UP)]
    assert bench.panel.lit == {Button.UNDO}
    bench.panel.close()


def test_a_missing_factory_is_a_fault_and_leaves_no_line_taken() -> None:
    lines = PanelLines(DEFAULT_LINES[3].buttons, {Button.ROLL: Line("mcp23017", 0)})
    factory = MockFactory()
    with pytest.raises(PanelFault, match=r"GPIO-01"):
        GpioPanel(lines, {HEADER: factory}, lambda edge: None, lambda: 0.0)
    GpioPanel(DEFAULT_LINES[3], {HEADER: factory}, lambda edge: None, lambda: 0.0).close()


def test_a_line_in_use_or_absent_is_named() -> None:
    factory = MockFactory()
    first = GpioPanel(DEFAULT_LINES[3], {HEADER: factory}, lambda edge: None, lambda: 0.0)
    with pytest.raises(PanelFault, match=r"GPIO-03.*GPIO4 \(pin 7\).*button hold1") as caught:
        GpioPanel(DEFAULT_LINES[3], {HEADER: factory}, lambda edge: None, lambda: 0.0)
    assert caught.value.temporary
    first.close()
    with pytest.raises(PanelFault, match=r"GPIO-04.*button roll"):
        GpioPanel(PanelLines({Button.ROLL: Line(HEADER, 99)}, {}), {HEADER: factory}, lambda edge: None, lambda: 0.0)


def test_a_chip_that_goes_away_is_a_fault(bench: _Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(self: object) -> bool:
        raise OSError("[Errno 121] Remote I/O error")

    monkeypatch.setattr("gpiozero.pins.mock.MockPin._get_state", gone)
    with pytest.raises(PanelFault, match=r"GPIO-07.*Remote I/O") as caught:
        bench.panel.levels()
    assert caught.value.temporary


def test_a_lamp_that_cannot_be_switched_is_a_fault_and_close_still_frees_the_rest(
    bench: _Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(self: object, value: object) -> None:
        raise OSError("[Errno 121] Remote I/O error")

    with monkeypatch.context() as patch:
        patch.setattr("gpiozero.pins.mock.MockPin._set_state", gone)
        with pytest.raises(PanelFault, match="GPIO-07"):
            bench.panel.lamp(Button.ROLL, True)
        assert bench.panel.lit == frozenset()
        bench.panel.close()
    GpioPanel(bench.lines, bench.mock.factories, bench.edges.append, bench.mock.now).close()


def test_the_default_lines_have_no_problem_and_leave_the_buses_free() -> None:
    for layout, lines in DEFAULT_LINES.items():
        assert problems(lines, layout, buses=("i2c0", "i2c1", "spi0", "uart")) == []


def test_every_problem_of_a_table_is_told() -> None:
    buttons = dict(DEFAULT_LINES[3].buttons)
    del buttons[Button.SCORE]
    buttons[Button.UNDO] = Line(HEADER, 77)
    lines = PanelLines(buttons, {Button.ROLL: Line(HEADER, 4), Button.HOLD1: Line(HEADER, 2)})
    codes = sorted(fault.code for fault in problems(lines, 3, buses=("i2c1",)))
    assert codes == ["GPIO-02", "GPIO-04", "GPIO-05", "GPIO-05", "GPIO-06"]
    assert [fault.code for fault in problems(lines, 5)] == ["GPIO-05"]


def test_a_table_from_the_configuration() -> None:
    table = {"buttons": {"hold1": ["header", 4], "roll": ["header", 13], "score": ["mcp", 3]}, "lamps": {}}
    lines = parse_lines(table, 3)
    assert lines.buttons[Button.SCORE] == Line("mcp", 3)
    assert lines.chips == ("header", "mcp")
    for bad in (
        {"buttons": {"hold9": ["header", 4]}},
        {"buttons": {"hold1": 4}},
        {"buttons": {"hold1": ["header", True]}},
        {"buttons": [1, 2]},
        {},
    ):
        with pytest.raises(PanelFault, match=r"GPIO-05"):
            parse_lines(bad, 3)
    with pytest.raises(PanelFault, match=r"GPIO-02.*button hold1 and button roll"):
        parse_lines({"buttons": {"hold1": ["header", 4], "roll": ["header", 4], "score": ["header", 5]}}, 3)


def test_bus_pins_are_on_the_header() -> None:
    assert {pin for pins in BUS_PINS.values() for pin in pins} <= set(range(28))


def test_keys_are_a_panel() -> None:
    edges: list[Edge] = []
    keys = KeyPanel(8, edges.append)
    assert keys.key("space", True, 1.0)
    assert keys.key("space", True, 1.3)
    assert keys.key("r", True, 1.4)
    assert keys.key("space", False, 1.5)
    assert keys.levels()[Button.ROLL]
    assert keys.key("R", False, 1.6)
    assert not keys.key("q", True, 2.0)
    assert not keys.key("up", True, 2.0)
    assert edges == [Edge(Button.ROLL, True, 1.0), Edge(Button.ROLL, False, 1.6)]


def test_keys_come_up_when_the_window_loses_them() -> None:
    edges: list[Edge] = []
    keys = KeyPanel(11, edges.append)
    keys.key("u", True, 1.0)
    keys.release_all(2.0)
    assert edges[-1] == Edge(Button.UNDO, False, 2.0)
    assert not any(keys.levels().values())


def test_hints_name_a_key_for_each_button_and_no_two_alike() -> None:
    for layout, buttons in LAYOUTS.items():
        hints = KeyPanel(layout, lambda edge: None).hints
        assert tuple(hints) == buttons
        assert len(set(hints.values())) == len(buttons)
    assert KeyPanel(3, lambda edge: None).hints[Button.HOLD1] == "H"


def test_importing_the_room_loads_no_driver() -> None:
    probe = (
        "import sys, hardware, hardware.buttons, hardware.debounce, hardware.lines, hardware.panel_keys\n"
        "loaded = {'cv2', 'gpiozero', 'pygame', 'picamera2'} & set(sys.modules)\n"
        "sys.exit(repr(loaded) if loaded else 0)"
    )
    subprocess.run([sys.executable, "-c", probe], check=True)
