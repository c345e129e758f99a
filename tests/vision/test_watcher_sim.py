"""The watcher on the simulated tray: hands, throws, pushed and turned dice, and every trick that must not fool it.

A reader that knows the truth stands in for the real one, so that what fails here is the watching.
"""

from __future__ import annotations

import random

import pytest

from hardware.camera import Clock
from hardware.camera_sim import SimCamera
from hardware.sim_tray import Truth
from vision.types import Die, Frame, Image, Reading, Reason, Status, Tray, TrayEvent, TrayEventKind, TrayState
from vision.watcher import Watcher

from .drawn_tray import kinds, rolls, states

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
    for seed in (1, 3):
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


@pytest.fixture(scope="module")
def thrown() -> Evening:
    """A tray with a roll in it. The tests below leave it as they found it."""
    evening = Evening(2)
    assert kinds(evening.order("throw", dice=5)) == ["roll"]
    return evening


@pytest.mark.parametrize(
    ("order", "args", "allowed"),
    [
        ("hand", {"seconds": 2.0}, {"hand", "settled"}),
        ("shadow", {}, {"hand", "unreadable", "settled"}),
        ("faults", {"lamp": 1.3}, {"hand", "unreadable", "settled"}),
        ("faults", {"lamp": 1.0}, {"hand", "unreadable", "settled"}),
        ("faults", {"dim": 0.5}, {"hand", "unreadable", "settled", "empty"}),
        ("faults", {"freeze": 0.5}, {"settled"}),
        ("faults", {"knock": 12}, {"hand", "unreadable", "settled"}),
        ("faults", {"knock": 0}, {"hand", "unreadable", "settled"}),
    ],
)
def test_what_is_no_throw_is_no_roll(thrown: Evening, order: str, args: dict[str, object], allowed: set[str]) -> None:
    said = thrown.order(order, rest_s=1.2, **args)
    assert kinds(said) == []
    assert set(states(said)) <= allowed
    assert thrown.watcher.state is TrayState.SETTLED


@pytest.mark.parametrize("seed", [1, 2])
def test_dice_lifted_and_laid_back_are_never_a_roll(seed: int) -> None:
    evening = Evening(seed)
    evening.order("throw", dice=5)
    said = evening.order("lift", dice=2, rest_s=0.8)
    assert kinds(said) in ([], ["question"])
    assert TrayEventKind.ROLL.value not in kinds(evening.order("turn", at=1, rest_s=0.8))
