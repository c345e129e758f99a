"""The watcher on the simulated tray: turns with hands, throws, pushed and turned dice.

A reader that knows the truth stands in for the real one, so that what fails here is the watching.
"""

from __future__ import annotations

import random

from hardware.camera import Clock
from hardware.camera_sim import SimCamera
from hardware.sim_truth import Truth
from vision.types import Die, Frame, Image, Reading, Reason, Status, Tray, TrayEvent, TrayState
from vision.watcher import Watcher

from .drawn_tray import kinds, rolls

FPS = 30.0


class Evening:
    """A simulated tray and a watcher that has seen all of its frames."""

    def __init__(self, seed: int) -> None:
        self.now_s = 0.0
        self.camera = SimCamera(
            seed=seed, width=640, height=360, rate_hz=FPS, cocked=0.0, clock=Clock(lambda: self.now_s, self.wait)
        )
        self.camera.set_up()
        self.seen: dict[int, tuple[Frame, Truth]] = {}
        self.watcher = Watcher(Tray(dice=5), read=self.read)
        self.frames(10)

    def wait(self, seconds: float) -> None:
        self.now_s += seconds

    def read(self, image: Image, tray: Tray) -> Reading:
        _, truth = self.seen[id(image)]
        dice = tuple(Die(d.value or 1, 0.9, d.x, d.y, d.corners) for d in truth.dice)
        reasons = tuple(Reason("cocked", d.x, d.y) for d in truth.dice if d.value is None)
        if truth.state == "hand":
            reasons += (Reason("foreign", 1.0, 1.0),)
        if reasons:
            return Reading(Status.UNSURE, dice, reasons, 1.0)
        return Reading(Status.READ if dice else Status.EMPTY, dice, (), 1.0)

    def frames(self, count: int) -> list[TrayEvent]:
        events: list[TrayEvent] = []
        for _ in range(count):
            frame = None
            while frame is None:
                frame = self.camera.grab(1.0)
            self.now_s = max(self.now_s, frame.t)
            self.seen[id(frame.image)] = (frame, self.camera.truth)
            while len(self.seen) > 12:
                self.seen.pop(next(iter(self.seen)))
            events += self.watcher.step(frame)
        return events

    def order(self, name: str, rest_s: float = 0.5, **args: object) -> list[TrayEvent]:
        """Let an order be carried out and `rest_s` seconds pass; what the watcher said."""
        self.camera.tell(name, args)
        events = self.frames(1)
        while self.camera.busy:
            events += self.frames(1)
        return events + self.frames(round(rest_s * FPS))


def test_turns_with_kept_pushed_and_turned_dice() -> None:
    chance = random.Random(4)
    for seed in (3,):
        evening = Evening(seed)
        for roll in range(3):
            kept: list[int] = []
            if roll:
                kept = chance.sample(list(evening.camera.truth.values), 2)
            turned = int(roll == 2)
            said = evening.order("throw", dice=5, kept=kept, nudge=int(roll > 0), knock_over=turned)
            truth = evening.camera.truth
            (got,) = rolls(said)
            assert (got.values, got.kept) == (truth.values, truth.kept)
            assert kinds(said) == ["disturbed"] * turned + ["roll"]
        assert kinds(evening.order("clear")) == []
        assert evening.watcher.state is TrayState.EMPTY
