"""Which buses are switched on and so take lines of the header.

Room: hardware. Linux on a Raspberry Pi; elsewhere it finds none. It looks for the device files that the drivers make,
since what config.txt says holds only after the next start.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

_TRACES: Mapping[str, tuple[str, ...]] = {
    "i2c0": ("dev/i2c-0",),
    "i2c1": ("dev/i2c-1",),
    "1-wire": ("sys/bus/w1/devices/w1_bus_master*",),
    "spi0": ("dev/spidev0.*",),
    "spi1": ("dev/spidev1.*",),
    "uart": ("dev/serial0",),
    "i2s": ("proc/asound/sndrpi*", "proc/asound/*hifiberry*"),
}


def enabled_buses(root: Path = Path("/")) -> tuple[str, ...]:
    """Names of the buses in use (keys of `hardware.lines.BUS_PINS`), sorted; for `hardware.lines.problems`."""
    return tuple(sorted(bus for bus, traces in _TRACES.items() if any(any(root.glob(trace)) for trace in traces)))
