"""A table is calibrated from its menu: the steps of `lesson.py` and the test, beside the watching, one by one as asked.

Room: firmware. It runs in the camera process and answers with facts for the menu; it knows no scene and no button.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from firmware.errors import Fault
from firmware.lesson import LIMIT_S as AWAY_S
from firmware.lesson import Step, Tell, corners, empty_tray, in_place_of, still
from firmware.ten_throws import THROWS, Trial
from vision.calibration import DEFAULT_SET, Calibration, CalibrationFault, save
from vision.learning import learn_table
from vision.types import Corners, Frame, Reading, Tray, TrayEvent
from vision.watcher import Read, Watcher

LIMIT_S = 20.0
"""Who presses a button of the menu has everything ready, and waits."""
LEARN_S = 90.0
"""So long it may take a small computer to learn from two pictures."""
SIM_DICE = 5
"""So many dice the simulated tray throws, where nobody can throw them."""


@dataclass(frozen=True, slots=True)
class Answer:
    """How a step of a lesson ended. An empty `code`: well."""

    step: str
    code: str = ""
    words: str = ""


class TrayLesson:
    """Learns a table as its menu asks: `empty`, `throw`, `test` and `use`; `stop` gives all of it up.

    `tell` gives orders to the camera, `lock` says what it has locked. `known` is the calibration that is in use. `say`
    is handed facts for the menu. `throws_itself`: the tray is the simulated one, in which nobody can throw. `busy` is
    told before a step that may take so many seconds without a word.
    """

    def __init__(
        self,
        tell: Tell,
        lock: Callable[[], Mapping[str, Any] | None],
        known: Calibration | None = None,
        say: Callable[[Mapping[str, Any]], object] = lambda facts: None,
        *,
        throws_itself: bool = False,
        read: Read | None = None,
        busy: Callable[[float], object] = lambda seconds: None,
    ) -> None:
        self._tell = tell
        self._lock = lock
        self._known = known
        self._say = say
        self._throws_itself = throws_itself
        self._read = read
        self._busy = busy
        self._name = ""
        self._step: Step[None] | None = None
        self._set = DEFAULT_SET
        self._adds = False
        self._empty: tuple[Frame, Corners | None] | None = None
        self._learnt: Calibration | None = None
        self._trial: Trial | None = None
        self.open = False
        """The table is being learnt: exposure and pace are the lesson's."""
        self._idle_from: float | None = None

    @property
    def watches(self) -> bool:
        """The test watches the tray now, in the place of the table's own watcher."""
        return self._step is not None and self._name == "test"

    @property
    def events(self) -> tuple[TrayEvent, ...]:
        """What the test has seen in the last frame."""
        return tuple(self._trial.events) if self._trial is not None and self.watches else ()

    def begin(self, step: str, args: Mapping[str, Any]) -> Answer | None:
        """Begin a step; one that is under way is given up. The answer, if there is nothing to wait for.

        `empty` takes the name of the `dice` and whether they are added to a table that is known (`add`); `use` takes
        the `file` to write, and how many of the throws were `wrong`.
        """
        self._name, self._step = step, None
        self.open = step in ("empty", "throw", "test")
        match step:
            case "empty":
                in_use = self._known.name if self._known is not None else DEFAULT_SET
                self._set, self._adds = str(args.get("dice") or in_use), bool(args.get("add"))
                self._step = self._learn_empty()
            case "throw":
                self._step = self._learn_throw()
            case "test":
                self._step = self._test()
            case "use":
                return self._use(str(args["file"]), int(args.get("wrong", 0)))
            case _:
                return None
        next(self._step)
        return None

    def feed(self, frame: Frame) -> Answer | None:
        """Take a frame; the answer, if the step ends with it."""
        if self._step is None:
            self._close_if_left(frame.t)
            return None
        self._idle_from = None
        try:
            self._step.send(frame)
        except StopIteration:
            answer = Answer(self._name)
        except (Fault, CalibrationFault) as fault:
            answer = _failed(self._name, fault)
        else:
            return None
        self._step = None
        return answer

    def _close_if_left(self, t: float) -> None:
        """Whoever went away in the middle of it did not say so."""
        self._idle_from = t if self._idle_from is None else self._idle_from
        if self.open and t - self._idle_from > AWAY_S:
            self.open = False

    def _learn_empty(self) -> Step[None]:
        known = self._known if self._adds else None
        if self._throws_itself:
            self._tell("clear", {})
        self._empty = yield from empty_tray(self._tell, known, corners(), limit_s=LIMIT_S)

    def _learn_throw(self) -> Step[None]:
        if self._empty is None:
            yield
            raise Fault("CAL-05", "the empty tray was not learnt yet.", "Begin with the empty tray.")
        empty, floor = self._empty
        self._throw()
        throw = yield from still(moved=self._throws_itself, limit_s=LIMIT_S)
        self._busy(LEARN_S)
        learnt = learn_table(empty.image, throw.image, floor)
        if self._adds and self._known is not None:
            self._learnt = self._known.with_dice(self._set, learnt)
        else:
            self._learnt = in_place_of(self._known, learnt, self._set, self._lock())
        self._trial = None

    def _test(self) -> Step[None]:
        learnt = self._learnt
        if learnt is None:
            yield
            raise Fault("CAL-05", "no dice were learnt yet.", "Begin with the empty tray.")
        last: dict[str, Any] = {"values": None}

        def begins(number: int) -> None:
            self._say({"calibration_throw": (number, THROWS, last["values"])})
            self._throw()

        def ended(number: int, reading: Reading | None) -> bool:
            last["values"] = () if reading is None else reading.values
            if number == THROWS:
                self._say({"calibration_throw": (number + 1, THROWS, last["values"])})
            return True

        watcher = Watcher(Tray(dice=len(learnt.looks), calibration=learnt), read=self._read)
        self._trial = Trial(watcher, THROWS, begins, ended)
        yield from self._trial.run()

    def _throw(self) -> None:
        if self._throws_itself:
            self._tell("throw", {"dice": SIM_DICE, "cocked": 0})

    def _use(self, file: str, wrong: int) -> Answer:
        """Write what was learnt, with how the test went, whether it came to its end or not."""
        learnt = self._learnt
        if learnt is None:
            return Answer("use", "CAL-05", "no dice were learnt yet. Begin with the empty tray.")
        if self._trial is not None:
            score = self._trial.score
            learnt = replace(learnt, score=(max(0, score.read - wrong), score.throws))
        try:
            save(learnt, file)
        except CalibrationFault as fault:
            return _failed("use", fault)
        self._say({"dice_sets": learnt.names, "dice": learnt.name})
        return Answer("use")


def _failed(step: str, fault: Fault | CalibrationFault) -> Answer:
    fix = f" {fault.fix}" if isinstance(fault, Fault) and fault.fix else ""
    return Answer(step, fault.code, fault.words + fix)
