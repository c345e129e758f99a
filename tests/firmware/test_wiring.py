"""The wiring table and drawing are made from the lines that the program uses."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from firmware.cli import main
from firmware.wiring import GROUND_PINS, POWER_PINS, buses_left, spare, svg, table, wires
from hardware.lines import DEFAULT_LINES, HEADER_PINS, parse_lines


def test_every_pin_of_the_header_is_one_thing() -> None:
    assert sorted([*HEADER_PINS.values(), *GROUND_PINS, *POWER_PINS]) == list(range(1, 41))


@pytest.mark.parametrize("layout", [3, 8, 11])
def test_each_wire_stands_in_table_and_drawing(layout: int) -> None:
    lines = DEFAULT_LINES[layout]
    text, drawing = table(lines, layout, ["spi0"]), svg(lines, layout)
    words = {element.text for element in ElementTree.fromstring(drawing).iter() if element.text}
    for wire in wires(lines):
        assert any(
            row.split()[:4] == [*wire.what.split(), f"GPIO{wire.line.offset}", str(wire.pin)]
            for row in text.splitlines()
        )
        assert wire.what in words
        assert abs((wire.ground or 99) - (wire.pin or 0)) <= 6
    assert "Switched on now: spi0" in text
    assert {"i2c1", "spi0", "uart"} <= set(buses_left(lines)), "the default leaves the buses free"
    kept = Path(__file__).resolve().parents[2] / "hardware" / f"wiring-{layout}.svg"
    assert kept.read_text("utf-8") == drawing, f"run dicetable wiring --buttons {layout} --svg {kept}"
    used = {wire.line.offset for wire in wires(lines)}
    assert used | set(spare(lines)) | {0, 1} == set(HEADER_PINS)
    assert not used & set(spare(lines))


def test_the_number_of_a_pin_stands_beside_it() -> None:
    """Odd pins are on the left (Raspberry Pi documentation, "GPIO and the 40-pin header")."""
    places: dict[str, float] = {}
    for element in ElementTree.fromstring(svg(DEFAULT_LINES[3], 3)).iter():
        if element.text and element.text.isdigit():
            places[element.text] = float(element.get("x", "0"))
    assert len(places) == 40
    assert max(x for number, x in places.items() if int(number) % 2) < min(
        x for number, x in places.items() if not int(number) % 2
    )


def test_lines_of_an_expander_are_listed_below() -> None:
    table_ = {"buttons": {"hold1": ["mcp23017", 0], "roll": ["header", 13], "score": ["mcp23017", 15]}}
    lines = parse_lines(table_, 3)
    assert "line 15 of mcp23017" in table(lines, 3)
    assert "button hold1: line 0 of mcp23017" in svg(lines, 3)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawing = tmp_path / "w.svg"
    assert main(["wiring", "--buttons", "11", "--svg", str(drawing)]) == 0
    assert "button undo" in capsys.readouterr().out
    ElementTree.parse(drawing)
    config = tmp_path / "d.toml"
    buttons = 'hold1 = ["header", 4], roll = ["header", 4], score = ["header", 5]'
    config.write_text(f"[panel]\nbuttons = 3\nlines = {{ buttons = {{ {buttons} }} }}\n")
    assert main(["wiring", "--config", str(config)]) == 2
    assert "GPIO-02" in capsys.readouterr().err
