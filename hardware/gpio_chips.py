"""Real GPIO chips: finds each by its label and opens it with gpiozero's lgpio pin factory.

Room: hardware. For the `pi` platform only; it never makes a mock. gpiozero and lgpio are imported when chips are
opened.

Chips are found by label because numbers move: the header of a Raspberry Pi 5 was gpiochip4 and became gpiochip0 with a
kernel update (gpiozero issue 1166), and gpiozero 2.0.1 opens the number that it believes in. gpiozero's local factories
share one table of pins between all of them, so that line 4 of an expander and GPIO4 would be the same object; an
expander therefore gets a factory with a table of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from hardware.faults import panel_fault
from hardware.lines import HEADER

HEADER_LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""What the kernel calls the chip behind the 40-pin header: Raspberry Pi 5, 4 and the older ones."""


@dataclass(frozen=True, slots=True)
class Chip:
    """A chip that the kernel shows: /dev/gpiochip`number`, its `label`, and how many `lines` it has."""

    number: int
    label: str
    lines: int


def list_chips(dev: Path = Path("/dev")) -> list[Chip]:
    """Every GPIO chip that can be opened. Raises PanelFault GPIO-01 if lgpio is missing."""
    lgpio = _load_lgpio()
    chips = []
    for path in sorted(dev.glob("gpiochip[0-9]*")):
        number = int(path.name.removeprefix("gpiochip"))
        try:
            handle = lgpio.gpiochip_open(number)
        except Exception:
            # No permission, or a link to a chip that is listed already; `open_chips` says so if it is needed.
            continue
        try:
            _, lines, _, label = lgpio.gpio_get_chip_info(handle)
        finally:
            lgpio.gpiochip_close(handle)
        chips.append(Chip(number, label, lines))
    return chips


def open_chips(labels: Iterable[str], dev: Path = Path("/dev")) -> dict[str, Any]:
    """Chip label -> an open pin factory, for `GpioPanel`. Close them with `close_chips`.

    Raises PanelFault GPIO-01: lgpio is missing, /dev/gpiochip can't be opened, or there is no chip of that label.
    """
    wanted = sorted(set(labels))
    chips = list_chips(dev)
    opened: dict[str, Any] = {}
    try:
        for label in wanted:
            names = HEADER_LABELS if label == HEADER else (label,)
            chip = next((chip for name in names for chip in chips if chip.label == name), None)
            if chip is None:
                there = ", ".join(sorted({found.label for found in chips})) or "none"
                raise panel_fault("GPIO-01", what=f"no chip {label}; there are: {there}")
            opened[label] = _open(chip, header=label == HEADER)
    except BaseException:
        close_chips(opened)
        raise
    return opened


def close_chips(factories: Mapping[str, Any]) -> None:
    """Close the factories of `open_chips`, after the panel."""
    for factory in factories.values():
        factory.close()


def _load_lgpio() -> Any:
    try:
        import lgpio
    except ImportError as error:
        raise panel_fault("GPIO-01", what="python3-lgpio is missing") from error
    return lgpio


def _open(chip: Chip, header: bool) -> Any:
    try:
        return _factory(chip, header)
    except Exception as error:
        raise panel_fault("GPIO-01", what=f"/dev/gpiochip{chip.number}: {error}") from error


def _factory(chip: Chip, header: bool) -> Any:
    import lgpio
    from gpiozero.pins import PinInfo
    from gpiozero.pins.lgpio import LGPIOFactory, LGPIOPin

    class Expander:
        """What gpiozero asks of a board: which pin a name means. Any line of the chip, and no fixed pull."""

        def find_pin(self, name: str | int) -> Iterator[tuple[None, Any]]:
            offset = int(str(name).removeprefix("GPIO"))
            if 0 <= offset < chip.lines:
                yield (
                    None,
                    PinInfo(offset, f"GPIO{offset}", frozenset({offset}), "", 0, offset, frozenset({"gpio"})),
                )

    class ChipFactory(LGPIOFactory):  # type: ignore[misc]
        def __init__(self) -> None:
            # Past LGPIOFactory's own: gpiozero 2.0.1 opens a chip of its choice there, whatever it is told.
            super(LGPIOFactory, self).__init__()
            self._handle = lgpio.gpiochip_open(chip.number)
            self._chip = chip.number
            self.pin_class = LGPIOPin
            if not header:
                self.pins: dict[Any, Any] = {}
                self._reservations: dict[Any, list[Any]] = defaultdict(list)
                self._res_lock = Lock()
                self._info = Expander()

    return ChipFactory()
