"""Real chips by label, on a fake of lgpio's documented functions: header and expander side by side."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hardware.buttons import LAYOUTS, Button, Edge
from hardware.faults import PanelFault
from hardware.gpio_chips import Chip, close_chips, list_chips, open_chips
from hardware.lines import DEFAULT_LINES, HEADER, Line, PanelLines
from hardware.panel_gpio import GpioPanel


class _Lgpio(types.ModuleType):
    """lgpio as gpiozero uses it: chips by handle, lines by number, levels that a test can set."""

    BOTH_EDGES, RISING_EDGE, FALLING_EDGE = 3, 1, 2
    SET_PULL_NONE, SET_PULL_UP, SET_PULL_DOWN = 0x80, 0x20, 0x40
    error = RuntimeError

    def __init__(self, chips: dict[int, tuple[str, int]]) -> None:
        super().__init__("lgpio")
        self.chips = chips
        self.open: set[int] = set()
        self.levels: dict[tuple[int, int], int] = {}
        self.modes: dict[tuple[int, int], int] = {}
        self.busy: set[tuple[int, int]] = set()
        self.callbacks: dict[tuple[int, int], Callable[..., None]] = {}

    def gpiochip_open(self, number: int) -> int:
        if number not in self.chips:
            raise self.error("can not open gpiochip")
        self.open.add(number)
        return number

    def gpiochip_close(self, handle: int) -> None:
        self.open.discard(handle)

    def gpio_get_chip_info(self, handle: int) -> tuple[int, int, str, str]:
        label, lines = self.chips[handle]
        return 0, lines, f"gpiochip{handle}", label

    def gpio_claim_input(self, handle: int, line: int, flags: int = 0x80) -> None:
        if (handle, line) in self.busy:
            raise self.error("GPIO busy")
        if line >= self.chips[handle][1]:
            raise self.error("bad GPIO number")
        self.modes[handle, line] = flags
        self.levels.setdefault((handle, line), int(flags == self.SET_PULL_UP))
        if flags == self.SET_PULL_UP:
            self.levels[handle, line] = 1

    def gpio_claim_output(self, handle: int, line: int, level: int = 0, flags: int = 0) -> None:
        self.modes[handle, line] = 2
        self.levels[handle, line] = level

    def gpio_claim_alert(self, handle: int, line: int, edges: int, flags: int = 0) -> None:
        self.modes[handle, line] = flags

    def gpio_free(self, handle: int, line: int) -> None:
        self.modes.pop((handle, line), None)

    def gpio_get_mode(self, handle: int, line: int) -> int:
        return self.modes.get((handle, line), 0)

    def gpio_read(self, handle: int, line: int) -> int:
        return self.levels[handle, line]

    def gpio_write(self, handle: int, line: int, level: int) -> None:
        self.levels[handle, line] = int(level)

    def gpio_set_debounce_micros(self, handle: int, line: int, micros: int) -> None:
        assert micros == 0, "debouncing is ours"

    def callback(self, handle: int, line: int, edges: int, func: Callable[..., None]) -> Any:
        self.callbacks[handle, line] = func
        return types.SimpleNamespace(cancel=lambda: self.callbacks.pop((handle, line), None))

    def drive(self, handle: int, line: int, level: int) -> None:
        self.levels[handle, line] = level
        self.callbacks[handle, line](handle, line, level, 123_000_000_000)


@pytest.fixture
def chips(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[tuple[_Lgpio, Path]]:
    """A Raspberry Pi whose header is gpiochip0, with an expander of 16 lines as gpiochip2."""
    fake = _Lgpio({0: ("pinctrl-rp1", 54), 2: ("mcp23017", 16), 11: ("gpio-brcmstb", 32)})
    for name in ("gpiochip0", "gpiochip2", "gpiochip9", "gpiochip11", "gpiochips"):
        (tmp_path / name).touch()
    monkeypatch.setitem(sys.modules, "lgpio", fake)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    # A Raspberry Pi 5, so that the header's pins are known.
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: 0xD04170)
    from gpiozero.pins.local import LocalPiFactory

    LocalPiFactory.pins.clear()
    LocalPiFactory._reservations.clear()
    yield fake, tmp_path
    LocalPiFactory.pins.clear()
    LocalPiFactory._reservations.clear()
    sys.modules.pop("gpiozero.pins.lgpio", None)


def test_chips_are_listed_with_their_labels(chips: tuple[_Lgpio, Path]) -> None:
    fake, dev = chips
    assert list_chips(dev) == [Chip(0, "pinctrl-rp1", 54), Chip(11, "gpio-brcmstb", 32), Chip(2, "mcp23017", 16)]
    assert fake.open == set()


def test_the_header_and_an_expander_side_by_side(chips: tuple[_Lgpio, Path]) -> None:
    fake, dev = chips
    # Lamps on the same numbers as buttons, on another chip.
    lamps = {button: Line("mcp23017", n) for n, button in enumerate(LAYOUTS[11], start=4)}
    lines = PanelLines(DEFAULT_LINES[11].buttons, lamps)
    edges: list[Edge] = []
    factories = open_chips(lines.chips, dev)
    panel = GpioPanel(lines, factories, edges.append, lambda: 8.0)
    assert set(panel.levels().values()) == {False}

    fake.drive(0, lines.buttons[Button.HOLD1].offset, 0)
    assert panel.levels()[Button.HOLD1]
    fake.drive(0, lines.buttons[Button.HOLD1].offset, 1)
    assert edges == [Edge(Button.HOLD1, True, 8.0), Edge(Button.HOLD1, False, 8.0)]

    panel.lamp(Button.HOLD1, True)
    assert fake.levels[2, 4] == 1
    assert fake.levels[0, 4] == 1, "the button's own line is pulled up as before"
    panel.lamp(Button.UNDO, True)
    assert fake.levels[2, 14] == 1
    panel.close()
    assert fake.levels[2, 14] == 0
    close_chips(factories)
    assert fake.open == set()


def test_a_line_that_an_expander_does_not_have(chips: tuple[_Lgpio, Path]) -> None:
    _, dev = chips
    lines = PanelLines({Button.ROLL: Line("mcp23017", 16)}, {})
    factories = open_chips(lines.chips, dev)
    with pytest.raises(PanelFault, match=r"GPIO-04.*line 16 of mcp23017.*button roll"):
        GpioPanel(lines, factories, lambda edge: None, lambda: 0.0)
    close_chips(factories)


def test_a_line_that_another_program_holds(chips: tuple[_Lgpio, Path]) -> None:
    fake, dev = chips
    fake.busy.add((0, 13))
    factories = open_chips([HEADER], dev)
    with pytest.raises(PanelFault, match=r"GPIO-03.*GPIO13 \(pin 33\).*button roll"):
        GpioPanel(DEFAULT_LINES[3], factories, lambda edge: None, lambda: 0.0)
    close_chips(factories)


def test_no_chip_of_that_label(chips: tuple[_Lgpio, Path]) -> None:
    fake, dev = chips
    with pytest.raises(PanelFault, match=r"GPIO-01.*no chip pcf8575.*mcp23017, pinctrl-rp1"):
        open_chips(["header", "pcf8575"], dev)
    assert fake.open == set()


def test_without_lgpio_there_is_a_fault_and_never_a_mock(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*args: object, **options: object) -> None:
        raise AssertionError("a mock on real hardware")

    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.setattr("gpiozero.pins.mock.MockFactory.__init__", never)
    with pytest.raises(PanelFault, match=r"GPIO-01.*python3-lgpio"):
        open_chips([HEADER])
