"""Throws that test what was learnt: watched as the table watches them, and counted.

Room: firmware. It is fed frames by whoever has them, and tells them what to say; it asks nobody, waits for nothing and
knows no clock but the frames'. Command line and menu test a calibration with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from firmware.errors import Fault
from firmware.lesson import LIMIT_S, Step
from vision.types import Frame, Reading, TrayEvent, TrayEventKind, TrayState
from vision.watcher import Watcher

THROWS = 10
ASKED_S = 3.0
"""A throw that has lain there unread for so long counts as asked about."""


@dataclass
class Score:
    """How the test went."""

    read: int = 0
    asked: int = 0
    wrong: int = 0

    @property
    def throws(self) -> int:
        return self.read + self.asked + self.wrong

    def __str__(self) -> str:
        return f"{self.throws} throws: {self.read} read, {self.asked} asked about, {self.wrong} wrong"


class Trial:
    """So many throws, seen by `watcher`, which has seen nothing yet.

    `begins` is called with the number of the throw that is awaited, from 1. `ended` is called with its number and what
    was read, None where the table would have asked; it answers whether that is what lies there.
    """

    def __init__(
        self,
        watcher: Watcher,
        throws: int,
        begins: Callable[[int], object],
        ended: Callable[[int, Reading | None], bool],
    ) -> None:
        self.score = Score()
        self.events: Sequence[TrayEvent] = ()
        """What the watcher has said of the last frame."""
        self._watcher = watcher
        self._throws = throws
        self._begins = begins
        self._ended = ended
        self._t = 0.0

    def run(self) -> Step[Score]:
        """Watch them all. Raises Fault CAL-09 if nothing is thrown for LIMIT_S."""
        # The dice of the throw that was learnt from lie there; they are no throw of the test.
        yield from self._await(lambda: self._watcher.state in (TrayState.SETTLED, TrayState.UNREADABLE))
        for number in range(1, self._throws + 1):
            self._begins(number)
            reading = yield from self._one()
            right = self._ended(number, reading)
            self.score.asked += reading is None
            self.score.read += reading is not None and right
            self.score.wrong += reading is not None and not right
        return self.score

    def _one(self) -> Step[Reading | None]:
        """What the next throw shows; None where the table would have asked."""
        stirred = False
        unread: float | None = None
        answer: list[Reading | None] = []

        def over() -> bool:
            nonlocal stirred, unread
            for event in self.events:
                if event.kind is TrayEventKind.ROLL:
                    answer.append(event.reading)
                elif event.kind is TrayEventKind.QUESTION:
                    answer.append(None)
                elif event.state in (TrayState.HAND, TrayState.ROLLING, TrayState.EMPTY):
                    stirred, unread = True, None
                elif event.state is TrayState.UNREADABLE:
                    unread = event.t if unread is None else unread
            # Dice that a hand has left lying are unread as well, for a moment.
            if stirred and unread is not None and self._t - unread > ASKED_S:
                answer.append(None)
            return bool(answer)

        yield from self._await(over)
        return answer[0]

    def _await(self, over: Callable[[], bool]) -> Step[None]:
        begun: float | None = None
        while True:
            frame: Frame = yield
            self._t = frame.t
            begun = frame.t if begun is None else begun
            self.events = self._watcher.step(frame)
            if over():
                return
            if frame.t - begun > LIMIT_S:
                raise Fault("CAL-09", "nothing was thrown for minutes.", "Begin again when the dice are at hand.")
