"""Clips without a throw, filmed at the simulated tray: no roll, and of everything else what the issue asks for.

A hand, a shadow, a lamp, a glass, a knock, dice picked up and laid back. The tray is calibrated. A reader that knows
the truth stands in for the real one, but for the glass and the coin, which are for the real one to see.
"""

from __future__ import annotations

import pytest

from hardware.camera import Clock
from hardware.camera_sim import SimCamera
from vision.calibration import Calibration
from vision.reader import read as really_read
from vision.types import Die, Image, Reading, Reason, Status, Tray, TrayEvent, TrayEventKind, TrayState
from vision.watcher import Watcher

from .drawn_tray import kinds, states

WIDTH, HEIGHT, FPS = 640, 360, 15.0
DIE_PX = 1.6 * WIDTH / 37 * 48 / 46.4
FLOOR = ((26.0, 21.0), (614.0, 21.0), (614.0, 339.0), (26.0, 339.0))


class Filmed:
    """A calibrated table with a roll in it, or an empty one, and a watcher that has seen all of it."""

    def __init__(self, seed: int, *, dice: bool = True) -> None:
        self.now_s = 0.0
        self.real = False
        self.camera = SimCamera(
            seed=seed, width=WIDTH, height=HEIGHT, rate_hz=FPS, cocked=0.0, clock=Clock(lambda: self.now_s, self.wait)
        )
        self.camera.set_up()
        first = self.camera.grab(1.0)
        assert first is not None
        self.watcher = Watcher(Tray(dice=5, calibration=Calibration(first.image, FLOOR, DIE_PX, ())), read=self.read)
        self.order()
        if dice:
            assert kinds(self.order("throw", dice=5)) == ["roll"]

    def wait(self, seconds: float) -> None:
        self.now_s += seconds

    def read(self, image: Image, tray: Tray) -> Reading:
        if self.real:
            return really_read(image, tray)
        truth = self.camera.truth
        dice = tuple(Die(d.value or 1, 0.9, d.x, d.y, d.corners) for d in truth.dice)
        if truth.state == "hand":
            return Reading(Status.UNSURE, dice, (Reason("foreign", 1.0, 1.0),))
        return Reading(Status.READ if dice else Status.EMPTY, dice)

    def order(self, name: str = "", rest_s: float = 0.7, **args: object) -> list[TrayEvent]:
        """What the watcher says while an order is carried out and `rest_s` seconds pass."""
        if name:
            self.camera.tell(name, args)
        said: list[TrayEvent] = []
        end_s = self.now_s + rest_s
        while self.camera.busy or self.now_s < end_s:
            frame = self.camera.grab(1.0)
            assert frame is not None
            said += self.watcher.step(frame)
            if self.camera.busy:
                end_s = self.now_s + rest_s
        return said


@pytest.fixture(scope="module", params=[True, False], ids=["dice", "empty"])
def table(request: pytest.FixtureRequest) -> Filmed:
    """The tests below leave it as they found it."""
    return Filmed(5, dice=request.param)


@pytest.fixture
def before(table: Filmed) -> TrayState:
    state = table.watcher.state
    assert state in (TrayState.SETTLED, TrayState.EMPTY)
    return state


def test_a_hand_is_a_hand(table: Filmed, before: TrayState) -> None:
    for seconds in (0.5, 3.0):
        said = table.order("hand", seconds=seconds, side="left")
        assert kinds(said) == []
        assert states(said) == ["hand", before.value]


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("shadow", {"seconds": 1.5}),
        ("phone", {"seconds": 1.1}),
        ("faults", {"lamp": 1.35}),
        ("faults", {"lamp": 0.7}),
        ("faults", {"lamp": 0.45}),
        ("faults", {"lamp": 1.0}),
        ("faults", {"dim": 0.6, "to": 0.4}),
    ],
    ids=["shadow", "phone", "lamp on", "lamp off", "dusk", "lamp back", "flash"],
)
def test_light_is_at_most_a_hand_or_unreadable_for_a_while(
    table: Filmed, before: TrayState, name: str, args: dict[str, object]
) -> None:
    said = table.order(name, rest_s=1.5, **args)
    assert kinds(said) == []
    assert set(states(said)) <= {"hand", "unreadable", before.value}
    assert table.watcher.state is before


def test_a_knock_is_moved(table: Filmed, before: TrayState) -> None:
    said = table.order("faults", rest_s=2.5, knock=[0.03 * WIDTH, 4.0])
    assert kinds(said) == ["moved"]
    assert next(e for e in said if e.kind is TrayEventKind.MOVED).code == "CAM-06"
    assert table.watcher.state is TrayState.UNREADABLE
    assert kinds(table.order("faults", rest_s=2.5, knock=0)) == []
    assert table.watcher.state is before


def test_a_glass_is_foreign_and_a_coin_does_no_harm() -> None:
    table = Filmed(5)
    table.real = True
    said = table.order("put", thing="glass")
    assert kinds(said) == []
    assert states(said) == ["hand", "unreadable"]
    assert {r.code for r in said[-1].reasons} == {"foreign"}
    assert kinds(table.order("take")) == []
    assert table.watcher.state is TrayState.SETTLED
    assert kinds(table.order("put", thing="coin")) == []
    assert table.watcher.state is TrayState.SETTLED


def test_dice_picked_up_and_laid_back_are_a_question() -> None:
    table = Filmed(13)
    for dice in (1, 5):
        said = table.order("lift", dice=dice)
        assert kinds(said) == ["question"]
        assert said[-1].values == table.camera.truth.values
    assert kinds(table.order("turn", at=1)) == ["question"]
