"""The wiring of the panel: a table for the terminal and a drawing (SVG), made from the lines of the configuration.

Room: firmware. Pure: it opens no chip. The same table of lines that the program uses is drawn here, so drawing and
program can't differ.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from html import escape

from hardware.lines import BUS_PINS, HEADER, HEADER_PINS, Line, PanelLines

GROUND_PINS = (6, 9, 14, 20, 25, 30, 34, 39)
POWER_PINS = {1: "3.3 V", 17: "3.3 V", 2: "5 V", 4: "5 V"}
RESERVED = {27: "ID_SD, leave free", 28: "ID_SC, leave free"}
"""GPIO 0 and 1 belong to the ID chip of a HAT (Raspberry Pi documentation, "HAT+ specification")."""


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire: `what` (`button roll`), its line, the pin of the header (None on another chip), the nearest ground."""

    what: str
    line: Line
    pin: int | None
    ground: int | None


def wires(lines: PanelLines) -> Iterator[Wire]:
    """Every wire, buttons first."""
    for kind, side in (("button", lines.buttons), ("lamp", lines.lamps)):
        for button, line in side.items():
            pin = HEADER_PINS.get(line.offset) if line.chip == HEADER else None
            ground = min((abs(ground - pin), ground) for ground in GROUND_PINS)[1] if pin else None
            yield Wire(f"{kind} {button.value}", line, pin, ground)


def spare(lines: PanelLines) -> list[int]:
    """GPIO numbers of the header that nothing hangs on, ascending; without 0 and 1, which belong to the ID chip."""
    used = {line.offset for line in (*lines.buttons.values(), *lines.lamps.values()) if line.chip == HEADER}
    return [gpio for gpio in sorted(HEADER_PINS) if gpio not in used and gpio > 1]


def buses_left(lines: PanelLines) -> list[str]:
    """Buses whose lines are all free."""
    free = {*spare(lines), 0, 1}
    return sorted(bus for bus, pins in BUS_PINS.items() if free.issuperset(pins))


def table(lines: PanelLines, layout: int, on: Collection[str] = ()) -> str:
    """The table for the terminal. `on`: buses that are switched on."""
    rows = [("wire", "line", "pin", "other end")]
    for wire in wires(lines):
        end = "button to ground" if wire.what.startswith("button") else "driver, then lamp"
        if wire.ground:
            end += f", ground on pin {wire.ground}" if wire.what.startswith("button") else ""
        line = f"GPIO{wire.line.offset}" if wire.line.chip == HEADER else str(wire.line)
        rows.append((wire.what, line, str(wire.pin or "-"), end))
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    text = [f"Panel with {layout} buttons", ""]
    text += ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    free = ", ".join(f"GPIO{gpio} (pin {HEADER_PINS[gpio]})" for gpio in spare(lines))
    text += ["", f"Spare: {free}", f"Buses whose lines are all spare: {', '.join(buses_left(lines)) or 'none'}"]
    if on:
        text.append(f"Switched on now: {', '.join(sorted(on))}")
    text += [
        "",
        "Buttons close to ground; the pull-up is inside the computer. Lamps take a driver (ULN2803A), never more than",
        "a few milliamperes straight from a line. hardware/README.md has circuits, filters and the power budget.",
    ]
    return "\n".join(text) + "\n"


# ---- the drawing ----------------------------------------------------------------------------------------------------

_PITCH, _TOP, _LEFT, _WIDTH = 30, 96, 380, 860
_COLOURS = {"button": "#1f5fbf", "lamp": "#b35900", "ground": "#222222", "power": "#b00020", "": "#8a8a8a"}


def svg(lines: PanelLines, layout: int) -> str:
    """The 40-pin header with a wire to each part, as an SVG picture."""
    there = {wire.pin: wire for wire in wires(lines) if wire.pin is not None}
    elsewhere = [wire for wire in wires(lines) if wire.pin is None]
    height = _TOP + 20 * _PITCH + 60 + 22 * (len(elsewhere) + (1 if elsewhere else 0))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" '
        'font-family="DejaVu Sans, Arial, sans-serif" font-size="14">',
        f"<title>Wiring of a panel with {layout} buttons</title>",
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>',
        _text(_WIDTH / 2, 36, f"Panel with {layout} buttons", 22, "middle", "#111111"),
        _text(_WIDTH / 2, 62, "The 40-pin header, seen from above; pin 1 is at the corner of the board", 13, "middle"),
        f'<rect x="{_LEFT}" y="{_TOP - 18}" width="100" height="{20 * _PITCH + 6}" rx="6" fill="#2b2b2b"/>',
    ]
    for pin in range(1, 41):
        parts += _pin(pin, there.get(pin))
    y = _TOP + 20 * _PITCH + 24
    if elsewhere:
        parts.append(_text(40, y, "On other chips", 15, "start", "#111111"))
        for i, wire in enumerate(elsewhere, 1):
            colour = _COLOURS[wire.what.split()[0]]
            parts.append(_text(60, y + 22 * i, f"{wire.what}: {wire.line}", 14, "start", colour))
    parts.append(_text(40, height - 14, "Blue: button, to ground. Brown: lamp, through a driver. Grey: spare.", 13))
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def _pin(pin: int, wire: Wire | None) -> list[str]:
    left = pin % 2 == 1
    y = _TOP + (pin - 1) // 2 * _PITCH
    x = _LEFT + (22 if left else 78)
    name, kind = _name(pin, wire)
    edge, sign = (_LEFT, -1) if left else (_LEFT + 100, 1)
    label_x = edge + sign * (150 if wire else 24)
    shape = "rect" if pin == 1 else "circle"
    dot = (
        f'<rect x="{x - 8}" y="{y - 8}" width="16" height="16" fill="{_COLOURS[kind]}" stroke="#d8b45a"/>'
        if shape == "rect"
        else f'<circle cx="{x}" cy="{y}" r="8" fill="{_COLOURS[kind]}" stroke="#d8b45a" stroke-width="2"/>'
    )
    parts = [dot, _text(_LEFT + (41 if left else 59), y + 4, str(pin), 11, "middle", "#f2f2f2")]
    if wire:
        parts.append(f'<path d="M{x + sign * 8} {y} H{edge + sign * 140}" stroke="{_COLOURS[kind]}" stroke-width="3"/>')
        gpio = f"GPIO{wire.line.offset}"
        parts.append(_text(edge + sign * 70, y - 5, gpio, 11, "middle", _COLOURS[kind]))
    parts.append(_text(label_x, y + 5, name, 14, "end" if left else "start", _COLOURS[kind]))
    return parts


def _name(pin: int, wire: Wire | None) -> tuple[str, str]:
    if wire:
        return wire.what, wire.what.split()[0]
    if pin in GROUND_PINS:
        return "ground", "ground"
    if pin in POWER_PINS:
        return POWER_PINS[pin], "power"
    gpio = next(gpio for gpio, at in HEADER_PINS.items() if at == pin)
    return RESERVED.get(pin, f"GPIO{gpio}"), ""


def _text(x: float, y: float, words: str, size: int, anchor: str = "start", colour: str = "#444444") -> str:
    place = f'x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="{colour}"'
    return f"<text {place}>{escape(words)}</text>"
