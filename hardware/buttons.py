"""The names of the panel's buttons and what is left of their edges after debouncing.

Room: hardware. A raw change on a line is an Edge; the debouncer turns edges into presses. What a press means is the
table's business.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Button(StrEnum):
    """Every button that some panel has. The three layouts are in `LAYOUTS`."""

    HOLD1 = "hold1"
    HOLD2 = "hold2"
    HOLD3 = "hold3"
    HOLD4 = "hold4"
    HOLD5 = "hold5"
    HOLD6 = "hold6"
    ROLL = "roll"
    SCORE = "score"
    UP = "up"
    DOWN = "down"
    UNDO = "undo"


HOLDS = (Button.HOLD1, Button.HOLD2, Button.HOLD3, Button.HOLD4, Button.HOLD5, Button.HOLD6)

LAYOUTS: dict[int, tuple[Button, ...]] = {
    3: (Button.HOLD1, Button.ROLL, Button.SCORE),
    8: (*HOLDS, Button.ROLL, Button.SCORE),
    11: (*HOLDS, Button.ROLL, Button.SCORE, Button.UP, Button.DOWN, Button.UNDO),
}
"""Number of buttons on the panel -> which they are. On three buttons, HOLD1 is the button marked HOLD."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A raw change on a button's line: `level` is True while pressed; `t` is monotonic, in seconds."""

    button: Button
    level: bool
    t: float


class PressKind(StrEnum):
    DOWN = "down"
    UP = "up"


@dataclass(frozen=True, slots=True)
class Press:
    """A debounced change of a button at monotonic time `t`. For `UP`, `held_s` is how long it was down."""

    button: Button
    kind: PressKind
    t: float
    held_s: float = 0.0
