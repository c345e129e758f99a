"""When frames are due, also where fewer will do."""

from __future__ import annotations

from hardware.camera import Clock
from hardware.pacing import Pacing


class Hand:
    """A clock that only waiting moves."""

    def __init__(self) -> None:
        self.t = 100.0

    def wait(self, seconds: float) -> None:
        self.t += seconds


def test_fewer_frames_keep_their_numbers_and_times() -> None:
    hand = Hand()
    pacing = Pacing(30.0, Clock(now=lambda: hand.t, wait=hand.wait))
    pacing.start()
    assert [pacing.next(1.0) for _ in range(3)] == [0, 1, 2]
    pacing.pace(10.0)
    assert [pacing.next(1.0) for _ in range(3)] == [5, 8, 11]
    assert pacing.time_s(11) == 100.0 + 11 / 30
    pacing.pace(0.0)
    assert [pacing.next(1.0) for _ in range(3)] == [12, 13, 14]
    pacing.pace(1000.0)
    assert pacing.next(1.0) == 15, "never more than there are"
