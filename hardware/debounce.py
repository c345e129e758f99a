"""Edges in, presses out: a contact's chatter becomes one press and one release.

Room: hardware. Pure: no device, no thread and no clock; times are handed in. What a press means is not its business.

A level counts once it has stood still for `stable_ms` (the "integrator" school of debouncing). Filters that take the
first edge and then look away miss the release of a short press; this one can't, since what counts is the level at the
end and not the edge that led there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from hardware.buttons import Button, Edge, Press, PressKind


@dataclass(slots=True)
class _Line:
    """One button: `raw` is the latest level, since `since_s`; `down` what was made of it."""

    raw: bool = False
    since_s: float = float("-inf")
    down: bool = False
    down_since_s: float = 0.0
    decided_s: float = 0.0
    swallow: bool = False
    pulses: int = 0
    noise: int = 0
    presses: int = 0


class Debouncer:
    """Debounces the buttons of a panel. One thread only.

    `stable_ms` is how long a level must stand still to count, 0 to 200. The debouncer starts muted: until `unmute`
    it follows the lines but reports nothing, and a button that is down while muted reports nothing until it was
    released and pressed anew.
    """

    def __init__(self, buttons: Iterable[Button], stable_ms: float = 20.0) -> None:
        if not 0.0 <= stable_ms <= 200.0:
            raise ValueError(f"stable_ms is {stable_ms}, not 0 to 200")
        self._lines = {button: _Line() for button in buttons}
        self._stable_s = stable_ms / 1000.0
        self._pending: list[Press] = []
        self._polled_s = float("-inf")
        self.muted = True

    def unmute(self, t: float, levels: Mapping[Button, bool]) -> None:
        """Start-up is done at time `t`: report presses from here on. `levels` as in `poll`.

        A button that is down now, or was down a moment ago, must be released before it counts.
        """
        self.poll(t, levels)
        for line in self._lines.values():
            if line.raw and not line.down:
                line.down, line.down_since_s, line.swallow = True, line.since_s, True
            line.pulses = 0
        self.muted = False

    def feed(self, edge: Edge) -> None:
        """Take in a raw edge. Edges of buttons that the panel does not have are ignored."""
        line = self._lines.get(edge.button)
        if line is not None:
            self._take(edge.button, line, edge.level, edge.t)

    def poll(self, t: float, levels: Mapping[Button, bool]) -> list[Press]:
        """What became of the buttons up to monotonic time `t` in seconds, in the order in which it happened.

        `levels` are the levels just sampled (True: pressed); they mend edges that were lost. An empty mapping leaves
        it at the edges. Call it every 5 to 20 ms. No press has a `t` earlier than the poll before it; `held_s` is
        measured between the edges themselves.
        """
        for button, level in levels.items():
            line = self._lines.get(button)
            if line is not None:
                self._take(button, line, level, t)
        for button, line in self._lines.items():
            self._settle(button, line, t)
        done = sorted(self._pending, key=lambda press: press.t)
        self._pending = []
        self._polled_s = max(self._polled_s, t)
        return done

    def held_s(self, button: Button, t: float) -> float:
        """For how long `button` has been down at time `t`, in seconds; 0.0 while it is up or its press was muted."""
        line = self._lines[button]
        return max(0.0, t - line.down_since_s) if line.down and not line.swallow else 0.0

    @property
    def noise(self) -> Mapping[Button, int]:
        """Button -> pulses too short to be a press since the start. Bounce of a real press is not counted."""
        return {button: line.noise for button, line in self._lines.items()}

    @property
    def presses(self) -> Mapping[Button, int]:
        """Button -> presses reported since the start."""
        return {button: line.presses for button, line in self._lines.items()}

    def _take(self, button: Button, line: _Line, level: bool, t: float) -> None:
        if level == line.raw:
            return
        self._settle(button, line, t)
        if level != line.down:
            line.pulses += 1
        line.raw = level
        # An edge may arrive after a level that was sampled later than it; time must not run backwards for it.
        line.since_s = max(line.since_s, t)

    def _settle(self, button: Button, line: _Line, t: float) -> None:
        # The slack is for sums of times in floating point: 0.1 + 0.02 must reach 0.12.
        if t - line.since_s < self._stable_s - 1e-9:
            return
        if line.raw == line.down:
            line.noise += line.pulses
            line.pulses = 0
            return
        line.pulses = 0
        line.down = line.raw
        at_s = max(line.since_s + self._stable_s, self._polled_s, line.decided_s)
        line.decided_s = at_s
        if line.down:
            line.down_since_s = line.since_s
            line.swallow = self.muted
            if not line.swallow:
                line.presses += 1
                self._pending.append(Press(button, PressKind.DOWN, at_s))
        elif not line.swallow:
            self._pending.append(Press(button, PressKind.UP, at_s, line.since_s - line.down_since_s))
