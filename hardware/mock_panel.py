"""A person's finger on mock pins: presses with the chatter of real contacts, for tests and for `sim`.

Room: hardware. It drives gpiozero's mock pins at times that it is told; nothing here sleeps or reads a clock. Never
used with real parts.

Contacts close and open several times before they rest. Jack Ganssle measured 18 switches ("A Guide to Debouncing",
2004): 1.6 ms on average, 6.2 ms at worst for all but one kind. `bounce_ms` covers that.
"""

from __future__ import annotations

import heapq
import random

from gpiozero.pins.mock import MockFactory

from hardware.buttons import Button
from hardware.lines import PanelLines


class MockPanel:
    """Mock pin factories for `lines`, and presses on them.

    Hand `factories` and `now` to `GpioPanel`. Chatter lasts up to `bounce_ms` at every change; 0 switches it off.
    """

    def __init__(self, lines: PanelLines, seed: int = 0, bounce_ms: float = 6.0) -> None:
        self.factories = {chip: MockFactory() for chip in lines.chips}
        self._lines = lines
        self._bounce_s = bounce_ms / 1000.0
        self._random = random.Random(seed)
        self._changes: list[tuple[float, int, Button, bool]] = []
        self._count = 0
        self._t = 0.0

    def now(self) -> float:
        """The time of the change being driven, else the time that `advance` last reached; seconds."""
        return self._t

    def press(self, button: Button, t: float, held_s: float = 0.1) -> float:
        """Let `button` be pressed at time `t` for `held_s` seconds. Returns when its contacts rest again.

        Nothing moves before `advance` reaches the time. A press shorter than its chatter is made longer than it.
        """
        held_s = max(held_s, self._bounce_s)
        self._change(button, t, True)
        self._change(button, t + held_s, False)
        return t + held_s + self._bounce_s

    def noise(self, button: Button, t: float, length_ms: float = 0.5) -> None:
        """A spike on the wire of `button` at time `t`, as a lamp switched on nearby makes."""
        self._add(t, button, True)
        self._add(t + length_ms / 1000.0, button, False)

    def hold_down(self, button: Button, t: float) -> None:
        """Let `button` go down at time `t` and stay there."""
        self._change(button, t, True)

    def let_go(self, button: Button, t: float) -> None:
        """Let `button` come up at time `t`."""
        self._change(button, t, False)

    def advance(self, until_s: float) -> None:
        """Drive every change that is due by `until_s`, each at its own time."""
        while self._changes and self._changes[0][0] <= until_s:
            t, _, button, level = heapq.heappop(self._changes)
            self._t = max(self._t, t)
            line = self._lines.buttons[button]
            pin = self.factories[line.chip].pin(line.offset)
            # To ground: a pressed button pulls its line low.
            (pin.drive_low if level else pin.drive_high)()
        self._t = max(self._t, until_s)

    def lamp(self, button: Button) -> bool:
        """Whether the lamp of `button` is lit, as its line shows it."""
        line = self._lines.lamps[button]
        return bool(self.factories[line.chip].pin(line.offset).state)

    def _change(self, button: Button, t: float, level: bool) -> None:
        self._add(t, button, level)
        if self._bounce_s <= 0.0:
            return
        bounces = self._random.randrange(0, 6)
        times = sorted(t + self._random.random() * self._bounce_s for _ in range(2 * bounces))
        for n, when in enumerate(times):
            self._add(when, button, level if n % 2 else not level)

    def _add(self, t: float, button: Button, level: bool) -> None:
        self._count += 1
        heapq.heappush(self._changes, (t, self._count, button, level))
