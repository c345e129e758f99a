"""The build guide says what the program and the scripts say."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import optics
import pytest

from hardware.lines import DEFAULT_LINES, HEADER, parse_lines, problems

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "hardware" / "README.md").read_text("utf-8")


def test_heights_and_fields_are_those_of_the_script() -> None:
    assert optics.markdown((300.0, 220.0), 15.0, 16.0) in GUIDE
    for row in optics.markdown((1400.0, 900.0), 50.0, 90.0).splitlines():
        if "Module 3" in row:
            assert row in GUIDE


def test_the_whole_tray_is_in_the_picture_and_no_nearer_than_it_is_sharp() -> None:
    for module in optics.MODULES:
        distance = optics.height_mm(module, 330.0, 250.0)
        width, depth = optics.field_mm(module, distance)
        assert width >= 329.9
        assert depth >= 249.9
        assert distance >= module.near_mm
    # Raspberry Pi documentation, "Camera": 66 degrees across for Camera Module 3, 62.2 for Module 2.
    by_name = {m.name: m for m in optics.MODULES}
    assert optics.field_mm(by_name["Camera Module 2"], 1000.0)[0] == pytest.approx(2 * 1000 * 0.6032, rel=0.01)
    assert optics.field_mm(by_name["Camera Module 3"], 1000.0)[0] == pytest.approx(2 * 1000 * 0.6494, rel=0.06)


@pytest.mark.parametrize("layout", sorted(DEFAULT_LINES))
def test_there_is_a_drawing_of_each_panel(layout: int) -> None:
    drawing = (ROOT / "hardware" / f"wiring-{layout}.svg").read_text("utf-8")
    assert f"wiring-{layout}.svg" in GUIDE
    for side in (DEFAULT_LINES[layout].buttons, DEFAULT_LINES[layout].lamps):
        for button, line in side.items():
            assert button.value in drawing
            assert f">GPIO{line.offset}<" in drawing


def test_the_spare_lines_are_those_that_are_free() -> None:
    (said,) = re.findall(r"Spare with 8 buttons: (.*)\.", GUIDE)
    used = {line.offset for side in (DEFAULT_LINES[8].buttons, DEFAULT_LINES[8].lamps) for line in side.values()}
    assert [int(n) for n in re.findall(r"\d+", said)] == [n for n in range(2, 28) if n not in used]


def test_the_example_with_an_expander_fits_together() -> None:
    text = next(part for part in re.split(r"\n(?=[^ \n])", GUIDE) if "panel.lines.lamps" in part)
    table = tomllib.loads("\n".join(line.removeprefix("    ") for line in text.splitlines() if line.startswith("    ")))
    panel = table["panel"]
    panel["lines"]["buttons"] = {b.value: [HEADER, line.offset] for b, line in DEFAULT_LINES[11].buttons.items()}
    lines = parse_lines(panel["lines"], panel["buttons"])
    assert problems(lines, 11, ["i2c1"]) == []
    (interrupt,) = re.findall(r"dtoverlay=mcp23017,addr=0x20,gpiopin=(\d+)", GUIDE)
    assert int(interrupt) not in {line.offset for line in DEFAULT_LINES[11].buttons.values()}
    assert f"INTA to GPIO{interrupt}" in GUIDE


def test_each_part_of_the_model_is_rendered() -> None:
    model = (ROOT / "hardware" / "model" / "table.scad").read_text("utf-8")
    parts = set(re.findall(r'if \(part == "(\w+)"\)', model)) - {"all"}
    (rendered,) = re.findall(r"for part in (.*); do", (ROOT / "scripts" / "model.sh").read_text("utf-8"))
    assert set(rendered.split()) == parts
    for measure in re.findall(r"(\w+)=\d+", " ".join(re.findall(r"scripts/model\.sh (.*)", GUIDE))):
        assert re.search(rf"^{measure} = ", model, re.MULTILINE), measure
