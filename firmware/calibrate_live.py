"""Calibrating with a camera: empty tray, corners, light, exposure, a throw to learn from, and throws to test it.

Room: firmware. Joins a camera, vision and the person at the table, whom it tells what to do next through `say` and
`ask`. Time is the clock's that is handed in; it knows no game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from firmware.errors import Fault
from firmware.lesson import (
    LIMIT_S,
    LOCK_S,
    SETTLE_S,
    Step,
    T,
    corners,
    light_fault,
    light_troubles,
    still,
    wait,
)
from firmware.supply import Supply
from hardware.camera import Camera, CameraFault, Clock
from vision.calibration import DEFAULT_SET, Calibration, CalibrationFault, learn
from vision.types import Corners, Frame, Reading, Tray, TrayEvent, TrayEventKind, TrayState
from vision.watcher import Read, Watcher

AWAY_S = 20.0
ASKED_S = 3.0
"""A throw that has lain there unread for so long counts as asked about."""
LEARN_TRIES = 3
_GRAB_S = 0.1
_PAUSE_S = 0.05


@dataclass(frozen=True)
class Wishes:
    """What was asked for. `dice`: how many are thrown in the test (None: as many as the throw showed). `corners`: the
    floor's, told by hand. `name`: of the set of dice. `known`: a calibration whose tray is kept, and to which these
    dice are added. `throws`: how many test it. `force`: go on in bad light."""

    dice: int | None = None
    corners: Corners | None = None
    name: str = DEFAULT_SET
    known: Calibration | None = None
    throws: int = 10
    force: bool = False


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


class LiveCalibration:
    """One calibration with `camera`, which is not set up yet.

    `say` shows a line. `ask` shows one and waits for the person; its answer is what they typed. With `throw` the tray
    throws by itself (the simulated one): nobody is asked, and nobody waited for.
    """

    def __init__(
        self,
        camera: Camera,
        clock: Clock,
        wishes: Wishes,
        say: Callable[[str], None],
        ask: Callable[[str], str],
        throw: Callable[[int | None], None] | None = None,
        *,
        confirm: bool = False,
        read: Read | None = None,
    ) -> None:
        self._camera = camera
        self._clock = clock
        self._wishes = wishes
        self._say = say
        self._ask = ask
        self._throw = throw
        self._confirm = confirm
        self._read = read
        self._supply = Supply(camera, clock.now)

    def run(self) -> tuple[Calibration, Score]:
        """Do all of it. Raises Fault; the camera is let go in any case."""
        try:
            return self._run()
        except CameraFault as fault:
            raise Fault(fault.code, fault.words) from fault
        except CalibrationFault as fault:
            raise Fault(fault.code, fault.words) from fault
        finally:
            self._supply.close()

    def _run(self) -> tuple[Calibration, Score]:
        known = self._wishes.known
        self._drive(wait(0.0))
        if known is None or known.lock is None:
            self._camera.tell("unlock", {})
        self._prompt("Take everything out of the tray and your hands away, then press Enter.")
        self._drive(wait(SETTLE_S))
        # In the dark nothing ever seems to lie still, so light is looked at first.
        floor = known.corners if known is not None else self._corners()
        self._check_light(floor)
        if known is None or known.lock is None:
            self._camera.tell("lock", {})
            self._drive(wait(LOCK_S))
        empty = self._drive(still())
        learnt = self._learn(empty, floor)
        if known is not None:
            learnt = known.with_dice(self._wishes.name, learnt)
        else:
            learnt = replace(learnt, name=self._wishes.name, lock=self._camera.lock)
        score = self._test(learnt)
        self._say(str(score))
        return replace(learnt, score=(score.read, score.throws)), score

    # --- frames ---------------------------------------------------------------------------------------------------

    def _frame(self) -> Frame:
        """The next frame. Raises CameraFault when the camera is away for good, or for AWAY_S."""
        begun = self._clock.now()
        while True:
            got = self._supply.step(_GRAB_S)
            if isinstance(got, Frame):
                return got
            if got is not None:
                self._say(str(got))
            fault = self._supply.fault
            if fault is not None and (not fault.temporary or self._clock.now() - begun > AWAY_S):
                raise fault
            if not self._supply.delivering:
                self._clock.wait(_PAUSE_S)

    def _drive(self, step: Step[T]) -> T:
        """Feed frames to a step until it has its answer."""
        next(step)
        while True:
            try:
                step.send(self._frame())
            except StopIteration as done:
                answer: T = done.value
                return answer

    # --- steps ----------------------------------------------------------------------------------------------------

    def _prompt(self, words: str) -> None:
        if self._throw is None:
            self._ask(words)

    def _corners(self) -> Corners | None:
        if self._wishes.corners is not None:
            return self._wishes.corners
        found = self._drive(corners())
        if found is None:
            self._say(
                "No marks on the rim: the floor is found by its looks. Better: dicetable calibrate --marks FILE.pdf"
            )
        else:
            self._say("All four marks are found.")
        return found

    def _check_light(self, floor: Corners | None) -> None:
        found = self._drive(light_troubles(floor))
        for trouble in found:
            self._say(f"{trouble.code}: {trouble.words}")
        if found and not self._wishes.force:
            fault = light_fault(found)
            raise Fault(fault.code, fault.words, f"{fault.fix} With --force it is learnt as it is.")
        if not found:
            self._say("The light is good.")

    def _learn(self, empty: Frame, floor: Corners | None) -> Calibration:
        for tried in range(LEARN_TRIES):
            self._prompt("Throw the dice so that they lie apart, take your hands away, then press Enter.")
            if self._throw is not None:
                self._throw(self._wishes.dice)
            throw = self._drive(still(moved=self._throw is not None))
            try:
                learnt = learn(empty.image, throw.image, floor)
            except CalibrationFault as fault:
                if tried + 1 == LEARN_TRIES:
                    raise
                self._say(f"{fault.code}: {fault.words}")
                continue
            apart = len(learnt.looks)
            if self._wishes.dice is not None and apart < self._wishes.dice and tried + 1 < LEARN_TRIES:
                self._say(f"Only {apart} of {self._wishes.dice} dice lie apart.")
                continue
            self._say(f"{apart} dice, {learnt.die_px:.0f} pixels long.")
            return learnt
        raise AssertionError("unreachable")

    def _test(self, learnt: Calibration) -> Score:
        """Watch throws as the table does."""
        dice = self._wishes.dice or len(learnt.looks)
        watcher = Watcher(Tray(dice=dice, calibration=learnt), read=self._read)
        score = Score()
        # The dice of the throw that was learnt from lie there; they are no throw of the test.
        self._await(watcher, lambda events: watcher.state in (TrayState.SETTLED, TrayState.UNREADABLE))
        for number in range(1, self._wishes.throws + 1):
            self._say(f"Throw {number} of {self._wishes.throws}.")
            if self._throw is not None:
                self._throw(dice)
            reading = self._one_throw(watcher)
            if reading is None:
                score.asked += 1
                self._say("  not sure")
                continue
            values = " ".join(map(str, reading.values))
            typed = self._ask(f"  {values}: Enter if right, or what lies there") if self._confirm else ""
            right = not typed.strip() or sorted(typed.split()) == [str(value) for value in reading.values]
            score.read += right
            score.wrong += not right
            if not self._confirm:
                self._say(f"  {values}")
        return score

    def _one_throw(self, watcher: Watcher) -> Reading | None:
        """What the next throw showed; None where the table would have asked."""
        stirred = False
        unread: float | None = None
        answer: list[Reading | None] = []

        def over(events: Sequence[TrayEvent]) -> bool:
            nonlocal stirred, unread
            for event in events:
                if event.kind is TrayEventKind.ROLL:
                    answer.append(event.reading)
                elif event.kind is TrayEventKind.QUESTION:
                    answer.append(None)
                elif event.state in (TrayState.HAND, TrayState.ROLLING, TrayState.EMPTY):
                    stirred, unread = True, None
                elif event.state is TrayState.UNREADABLE:
                    unread = event.t if unread is None else unread
            # Dice that a hand has left lying are unread as well, for a moment.
            if stirred and unread is not None and self._last.t - unread > ASKED_S:
                answer.append(None)
            return bool(answer)

        self._await(watcher, over)
        return answer[0]

    def _await(self, watcher: Watcher, over: Callable[[Sequence[TrayEvent]], bool]) -> None:
        begun: float | None = None
        while True:
            self._last = self._frame()
            begun = self._last.t if begun is None else begun
            if over(watcher.step(self._last)):
                return
            if self._last.t - begun > LIMIT_S:
                raise Fault("CAL-09", "nothing was thrown for minutes.", "Begin again when the dice are at hand.")
