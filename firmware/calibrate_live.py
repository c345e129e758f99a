"""Calibrating with a camera: empty tray, corners, light, exposure, a throw to learn from, and throws to test it.

Room: firmware. Joins a camera, vision and the person at the table, whom it tells what to do next through `say` and
`ask`. Time is the clock's that is handed in; it knows no game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from firmware.errors import Fault
from firmware.lesson import Step, T, corners, empty_tray, in_place_of, light_fault, still, wait
from firmware.supply import Supply
from firmware.ten_throws import THROWS, Score, Trial
from hardware.camera import Camera, CameraFault, Clock
from vision.calibration import DEFAULT_SET, Calibration, CalibrationFault
from vision.learning import learn_table
from vision.light import Trouble
from vision.types import Corners, Frame, Reading, Tray
from vision.watcher import Read, Watcher

AWAY_S = 20.0
LEARN_TRIES = 3
_GRAB_S = 0.1
_PAUSE_S = 0.05


@dataclass(frozen=True)
class Wishes:
    """What was asked for. `dice`: how many are thrown in the test (None: as many as the throw showed). `corners`: the
    floor's, told by hand. `name`: of the set of dice. `known`: a calibration whose tray is kept, and to which these
    dice are added. `before`: one that is replaced; its other sets of dice are kept. `throws`: how many test it.
    `force`: go on in bad light."""

    dice: int | None = None
    corners: Corners | None = None
    name: str = DEFAULT_SET
    known: Calibration | None = None
    before: Calibration | None = None
    throws: int = THROWS
    force: bool = False


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
        # The camera's faults are told before anybody is asked for anything.
        self._drive(wait(0.0))
        self._prompt("Take everything out of the tray and your hands away, then press Enter.")
        empty, floor = self._drive(empty_tray(self._camera.tell, known, self._floor(), lit=self._tell_light))
        learnt = self._learn(empty, floor)
        if known is not None:
            learnt = known.with_dice(self._wishes.name, learnt)
        else:
            learnt = in_place_of(self._wishes.before, learnt, self._wishes.name, self._camera.lock)
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

    def _floor(self) -> Step[Corners | None]:
        if self._wishes.corners is not None:
            return self._wishes.corners
        found = yield from corners()
        if found is None:
            self._say(
                "No marks on the rim: the floor is found by its looks. Better: dicetable calibrate --marks FILE.pdf"
            )
        else:
            self._say("All four marks are found.")
        return found

    def _tell_light(self, found: list[Trouble]) -> None:
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
                learnt = learn_table(empty.image, throw.image, floor)
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
        dice, throws = self._wishes.dice or len(learnt.looks), self._wishes.throws

        def begins(number: int) -> None:
            self._say(f"Throw {number} of {throws}.")
            if self._throw is not None:
                self._throw(dice)

        def ended(number: int, reading: Reading | None) -> bool:
            if reading is None:
                self._say("  not sure")
                return False
            values = " ".join(map(str, reading.values))
            if not self._confirm:
                self._say(f"  {values}")
                return True
            typed = self._ask(f"  {values}: Enter if right, or what lies there").split()
            return not typed or sorted(typed) == [str(value) for value in reading.values]

        watcher = Watcher(Tray(dice=dice, calibration=learnt), read=self._read)
        return self._drive(Trial(watcher, throws, begins, ended).run())
