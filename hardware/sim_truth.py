"""What really lies in the simulated tray, for those who compare it with what was seen.

Room: hardware. Plain values; knows neither how a tray moves nor how it is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.types import Corners


@dataclass(frozen=True, slots=True)
class TrueDie:
    """A die in the tray: `value` (None while it moves or leans), and its top face in the picture, in pixels."""

    value: int | None
    x: float
    y: float
    corners: Corners


@dataclass(frozen=True, slots=True)
class Truth:
    """What really is in the tray. `state` is `empty`, `hand`, `rolling` or `settled`; `throws` counts those that have
    come to rest, `kept` and `thrown` are the last one's sorted values, without dice that lean."""

    state: str = "empty"
    dice: tuple[TrueDie, ...] = ()
    throws: int = 0
    kept: tuple[int, ...] = ()
    thrown: tuple[int, ...] = ()

    @property
    def values(self) -> tuple[int, ...]:
        """Sorted values of the dice that lie flat."""
        return tuple(sorted(die.value for die in self.dice if die.value is not None))


Lie = tuple[int, float, float, float]
"""A die that lies in the tray: value, centre of its top face in shares of the picture, and yaw in radians."""
