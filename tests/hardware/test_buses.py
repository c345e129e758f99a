"""Buses that are switched on, from the device files that their drivers make."""

from __future__ import annotations

from pathlib import Path

from hardware.buses import _TRACES, enabled_buses
from hardware.buttons import Button
from hardware.lines import BUS_PINS, HEADER, Line, PanelLines, problems


def test_buses_are_found_by_their_devices(tmp_path: Path) -> None:
    assert enabled_buses(tmp_path) == ()
    (tmp_path / "dev").mkdir()
    for name in ("i2c-1", "spidev0.0", "spidev0.1", "serial1"):
        (tmp_path / "dev" / name).touch()
    assert enabled_buses(tmp_path) == ("i2c1", "spi0")


def test_a_button_on_a_bus_that_is_on_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev" / "spidev0.0").touch()
    lines = PanelLines(
        {Button.HOLD1: Line(HEADER, 4), Button.ROLL: Line(HEADER, 8), Button.SCORE: Line(HEADER, 14)}, {}
    )
    (fault,) = problems(lines, 3, enabled_buses(tmp_path))
    assert fault.code == "GPIO-06"
    assert "GPIO8 (pin 24)" in fault.words
    assert "spi0" in fault.words


def test_every_bus_has_its_pins() -> None:
    assert set(_TRACES) == set(BUS_PINS)
