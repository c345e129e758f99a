"""Which button and which lamp hangs on which line: the panel's table, read from a plain mapping and checked.

Room: hardware. The one home of the pins; the panel, the wiring drawing and the checks are made from it. Pure: it opens
no chip, reads no file and knows no gpiozero.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from hardware.buttons import LAYOUTS, Button
from hardware.faults import PanelFault, panel_fault

HEADER = "header"
"""The chip label that stands for the 40-pin header of whichever Raspberry Pi this is."""

HEADER_PINS: Mapping[int, int] = {
    0: 27, 1: 28, 2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33,
    14: 8, 15: 10, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22, 26: 37, 27: 13,
}  # fmt: skip
"""GPIO number -> number of the pin on the 40-pin header (Raspberry Pi documentation, "GPIO and the 40-pin header")."""

BUS_PINS: Mapping[str, tuple[int, ...]] = {
    "i2c0": (0, 1),
    "i2c1": (2, 3),
    "1-wire": (4,),
    "spi0": (7, 8, 9, 10, 11),
    "uart": (14, 15),
    "i2s": (18, 19, 20, 21),
    "spi1": (16, 17, 18, 19, 20, 21),
}
"""Bus -> the header's GPIO numbers that it takes while it is switched on, at its usual place."""


@dataclass(frozen=True, slots=True, order=True)
class Line:
    """A GPIO line. `chip` is the label of its chip: `header`, or the kernel's label of an expander; `offset` from 0."""

    chip: str
    offset: int

    def __str__(self) -> str:
        if self.chip == HEADER:
            return f"GPIO{self.offset} (pin {HEADER_PINS.get(self.offset, '?')})"
        return f"line {self.offset} of {self.chip}"


@dataclass(frozen=True, slots=True)
class PanelLines:
    """The panel's table. Every button of the layout has a line; a button may be without a lamp."""

    buttons: Mapping[Button, Line]
    lamps: Mapping[Button, Line]

    @property
    def chips(self) -> tuple[str, ...]:
        """Labels of the chips in use, sorted."""
        return tuple(sorted({line.chip for line in (*self.buttons.values(), *self.lamps.values())}))

    def name(self, line: Line) -> str:
        """What hangs on `line`: `button roll`, `lamp hold1`; empty if nothing does."""
        for kind, table in (("button", self.buttons), ("lamp", self.lamps)):
            for button, used in table.items():
                if used == line:
                    return f"{kind} {button.value}"
        return ""


def _header(buttons: Mapping[Button, int], lamps: Mapping[Button, int]) -> PanelLines:
    return PanelLines(
        {button: Line(HEADER, gpio) for button, gpio in buttons.items()},
        {button: Line(HEADER, gpio) for button, gpio in lamps.items()},
    )


_HOLD_LAMPS = {
    Button.HOLD1: 12,
    Button.HOLD2: 16,
    Button.HOLD3: 20,
    Button.HOLD4: 21,
    Button.HOLD5: 25,
    Button.HOLD6: 24,
}
_EIGHT = {
    Button.HOLD1: 4,
    Button.HOLD2: 17,
    Button.HOLD3: 27,
    Button.HOLD4: 22,
    Button.HOLD5: 5,
    Button.HOLD6: 6,
    Button.ROLL: 13,
    Button.SCORE: 19,
}

DEFAULT_LINES: Mapping[int, PanelLines] = {
    3: _header(
        {Button.HOLD1: 4, Button.ROLL: 13, Button.SCORE: 19}, {Button.HOLD1: 12, Button.ROLL: 23, Button.SCORE: 18}
    ),
    8: _header(_EIGHT, {**_HOLD_LAMPS, Button.ROLL: 23, Button.SCORE: 18}),
    11: _header({**_EIGHT, Button.UP: 26, Button.DOWN: 23, Button.UNDO: 18}, _HOLD_LAMPS),
}
"""Number of buttons -> a table on the 40-pin header that leaves I2C, SPI and the UART free. Eleven buttons leave room
for the lamps of the holds only; the others go on an expander."""


def parse_lines(table: Mapping[str, Any], layout: int) -> PanelLines:
    """The panel's table from the configuration.

    `table` is `{"buttons": {"hold1": ["header", 4], ...}, "lamps": {...}}`, `layout` the number of buttons. Raises
    PanelFault with the first problem that `problems` finds, or GPIO-05 for a name or a shape that is wrong.
    """
    lines = read_lines(table)
    for problem in problems(lines, layout):
        raise problem
    return lines


def read_lines(table: Mapping[str, Any]) -> PanelLines:
    """As `parse_lines`, but whether the lines fit together is left to `problems`. Raises PanelFault GPIO-05."""
    return PanelLines(_side(table, "buttons"), _side(table, "lamps"))


def problems(lines: PanelLines, layout: int, buses: Collection[str] = ()) -> list[PanelFault]:
    """Everything that is wrong with `lines` for a panel of `layout` buttons, while `buses` (see BUS_PINS) are on."""
    found: list[PanelFault] = []
    if layout not in LAYOUTS:
        return [panel_fault("GPIO-05", what=f"{layout} buttons; there are panels of {_or(LAYOUTS)}")]
    wanted = LAYOUTS[layout]
    for button in wanted:
        if button not in lines.buttons:
            found.append(panel_fault("GPIO-05", what=f"button {button.value} has no line"))
    for kind, side in (("button", lines.buttons), ("lamp", lines.lamps)):
        for button in side:
            if button not in wanted:
                found.append(panel_fault("GPIO-05", what=f"a panel of {layout} has no {kind} {button.value}"))
    seen: dict[Line, str] = {}
    for kind, side in (("button", lines.buttons), ("lamp", lines.lamps)):
        for button, line in side.items():
            name = f"{kind} {button.value}"
            if line in seen:
                found.append(panel_fault("GPIO-02", line=line, first=seen[line], second=name))
            seen.setdefault(line, name)
            if line.offset < 0 or (line.chip == HEADER and line.offset not in HEADER_PINS):
                found.append(panel_fault("GPIO-04", line=line, name=name))
            for bus in sorted(buses):
                if line.chip == HEADER and line.offset in BUS_PINS.get(bus, ()):
                    found.append(panel_fault("GPIO-06", line=line, name=name, bus=bus))
    return found


def _side(table: Mapping[str, Any], side: str) -> dict[Button, Line]:
    entries = table.get(side, {})
    if not isinstance(entries, Mapping):
        raise panel_fault("GPIO-05", what=f"{side} must be a table of name and [chip, number]")
    lines: dict[Button, Line] = {}
    for name, entry in entries.items():
        if name not in {button.value for button in Button}:
            raise panel_fault("GPIO-05", what=f"there is no button {name!r}")
        if not (
            isinstance(entry, (list, tuple))
            and len(entry) == 2
            and isinstance(entry[0], str)
            and isinstance(entry[1], int)
            and not isinstance(entry[1], bool)
        ):
            raise panel_fault("GPIO-05", what=f"{side} {name} is {entry!r}, not a [chip, number]")
        lines[Button(name)] = Line(entry[0], entry[1])
    return lines


def _or(numbers: Collection[int]) -> str:
    words = [str(number) for number in sorted(numbers)]
    return f"{', '.join(words[:-1])} or {words[-1]}"
