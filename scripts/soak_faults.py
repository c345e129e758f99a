"""What may happen at a table while it is soaked: a camera that fails, light that changes, things and hands in the tray.

Room: scripts. Knows the orders of the simulated camera; not what the table makes of them (`soak_frames.py`).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Protocol

from hardware.camera_sim import SimCamera


class Table(Protocol):
    """What a fault needs of the evening that it happens to. `glass`: something lies in the tray that must come out."""

    camera: SimCamera
    glass: bool

    def advance(self, seconds: float) -> None: ...


Fault = Callable[[Table, random.Random], float]
"""Orders a fault and says for how many seconds it may keep the table from reading."""


def _faults(**args: Any) -> Fault:
    """A fault of the simulated camera. Values that are pairs are ranges to choose from."""

    def order(evening: Table, rng: random.Random) -> float:
        chosen = {k: rng.uniform(*v) if isinstance(v, tuple) else v for k, v in args.items()}
        evening.camera.tell("faults", chosen)
        return max((float(chosen[k]) for k in ("freeze", "stop", "drop", "dim") if k in chosen), default=0.3) + 1.5

    return order


def _tray(name: str, **args: Any) -> Fault:
    def order(evening: Table, rng: random.Random) -> float:
        evening.camera.tell(name, {k: rng.uniform(*v) if isinstance(v, tuple) else v for k, v in args.items()})
        return 0.0

    return order


def _thing(kind: str) -> Fault:
    def order(evening: Table, rng: random.Random) -> float:
        evening.camera.tell("put", {"thing": kind})
        evening.glass = True
        return 0.0

    return order


def _knock(evening: Table, rng: random.Random) -> float:
    """Somebody knocks the camera, and puts it back after a moment."""
    by = [rng.uniform(-12, 12), rng.uniform(-12, 12)]
    evening.camera.tell("faults", {"knock": by})
    evening.advance(rng.uniform(0.5, 2.0))
    evening.camera.tell("faults", {"knock": 0})
    return 1.5


FAULTS: dict[str, Fault] = {
    "freeze": _faults(freeze=(0.3, 4.0)),
    "number stands still": _faults(freeze=(0.3, 4.0), how="number"),
    "stop": _faults(stop=(0.3, 4.0)),
    "drop": _faults(drop=(0.3, 4.0)),
    "dim": _faults(dim=(0.3, 2.5), to=(0.1, 0.7)),
    "lamp": _faults(lamp=(0.7, 1.3)),
    "knock": _knock,
    "shadow": _tray("shadow"),
    "phone": _tray("phone", seconds=(0.8, 2.5)),
    "hand": _tray("hand", seconds=(0.3, 4.0)),
    "glass": _thing("glass"),
    "coin": _thing("coin"),
}
