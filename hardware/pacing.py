"""When the next frame of a camera that makes its own frames is due.

Room: hardware. Pure but for the clock that is handed in.
"""

from __future__ import annotations

from hardware.camera import Clock

# For sums of times in floating point: a frame that is due in less than this is due.
_SLACK_S = 1e-6


class Pacing:
    """Frames number 0, 1, 2, ... due every `1 / rate_hz` seconds from the first `start`. A late reader misses some."""

    def __init__(self, rate_hz: float, clock: Clock) -> None:
        if not rate_hz > 0.0:
            raise ValueError(f"rate_hz is {rate_hz}, not above 0")
        self.rate_hz = rate_hz
        self._clock = clock
        self._start_s: float | None = None
        self._number = -1
        self._every = 1

    def pace(self, hz: float) -> None:
        """From now on only so many frames a second are due, 0: all of them. Numbers and times stay what they are."""
        self._every = max(1, round(self.rate_hz / hz)) if hz > 0 else 1

    def start(self) -> None:
        """Frame 0 is due now. A second start changes nothing: numbers go on as if the camera had run on."""
        if self._start_s is None:
            self._start_s = self._clock.now()

    def next(self, timeout_s: float) -> int | None:
        """The number of the next frame, waiting at most `timeout_s` seconds until it is due; None if it is not."""
        assert self._start_s is not None, "start first"
        due_s = self._start_s + (self._number + self._every) / self.rate_hz
        now_s = self._clock.now()
        if due_s - now_s > _SLACK_S:
            self._clock.wait(min(timeout_s, due_s - now_s))
            now_s = self._clock.now()
            if due_s - now_s > _SLACK_S:
                return None
        self._number = max(self._number + self._every, int((now_s - self._start_s + _SLACK_S) * self.rate_hz))
        return self._number

    def time_s(self, number: int) -> float:
        """When frame `number` was due, in the clock's seconds."""
        assert self._start_s is not None, "start first"
        return self._start_s + number / self.rate_hz
