"""The tray and its dice are learnt from the service menu, step by step, and tested with ten throws.

Room: firmware. The camera process does it (`tray_lesson.py`, with the steps that `dicetable calibrate` takes) and
answers with facts; here is what the person is told, and what the buttons mean meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from display.view import Message, TrayView
from firmware import words
from firmware.events import Handled, Intent, Order
from firmware.events import IntentKind as I
from firmware.intents import Action
from firmware.scene import Mode
from firmware.scene_attract import set_key
from firmware.scene_list import Line
from firmware.scene_parts import Quiet, tray_seen
from hardware.buttons import HOLDS, Button
from rules.said import said as _
from rules.said import said_n as _n
from rules.said import sentence

if TYPE_CHECKING:
    from firmware.table import Table

THROWS = 10
"""So many throws test it (`ten_throws.py`, which the table's process never imports)."""
STEPS = ("empty", "throw", "test", "use")
MANY_DOUBTS = 3
"""From so many throws that were not read for sure the light wants another look."""


class Calibrate(Quiet):
    """The tray is learnt: empty, then with the dice apart, then ten throws test it. `dice` is the set that is learnt,
    the one in use if it is left out; `adds`: to a tray that is known.

    Nothing is changed before the last step: whoever goes back has the table as it was.
    """

    mode = Mode.CALIBRATE
    pictured = True
    measures = True

    def __init__(self, dice: str = "", *, adds: bool = False) -> None:
        super().__init__()
        self.dice = dice
        self.adds = adds
        self.step = "empty"
        self.waits = False
        self.results: list[tuple[int, ...]] = []
        """What each throw of the test showed; () where the table would have asked."""
        self.wrong: set[int] = set()
        """The throws that somebody says were read wrong, by their place in `results`."""

    def tray(self, table: Table) -> TrayView:
        return tray_seen(table)

    def tick(self, table: Table, t: float) -> None:
        """A camera process that has begun anew knows nothing of this: it begins anew, too."""
        if self.waits and not table.sight.camera.delivering:
            self.step, self.waits, self.results, self.wrong = "empty", False, [], set()
            table.revision += 1

    def told(self, table: Table) -> Handled:
        """The camera process has said how far it is."""
        throw = table.facts.pop("calibration_throw", None)
        if throw is not None and self.step == "test":
            self._thrown(table, *throw)
        answer = table.facts.pop("calibration", None) if self.waits else None
        if answer is None:
            return Handled()
        step, code, said = answer
        if step != self.step:
            return Handled()
        self.waits = False
        table.revision += 1
        if code:
            table.message = Message(str(code), words.fault(str(code), sentence(str(said))))
            if step == "test":
                self.step = "use" if self.results else "throw"
            return Handled()
        if step == "use":
            return self._used(table)
        self.step = STEPS[STEPS.index(step) + 1]
        return self._ask(table) if self.step == "test" else Handled()

    def _thrown(self, table: Table, number: int, _throws: int, values: Any) -> None:
        """Throw `number` is awaited; `values` is what the one before it showed, None if there was none."""
        if values is not None and len(self.results) < number - 1:
            self.results.append(tuple(values))
            table.revision += 1

    def _ask(self, table: Table) -> Handled:
        """Order the step that is due."""
        self.waits = True
        for fact in ("calibration", "calibration_throw"):
            table.facts.pop(fact, None)
        if self.step == "test":
            self.results, self.wrong = [], set()
        args: dict[str, Any] = {"step": self.step, "dice": self.dice, "add": self.adds}
        if self.step == "use":
            args |= {"file": table.facts.get("calibration_file", ""), "wrong": len(self.wrong)}
        return Handled(orders=(Order("calibrate", args),))

    def _used(self, table: Table) -> Handled:
        """It is written, and the table plays with it from now on."""
        table.close()
        dice = set_key(table, "dice", str(table.facts.get("dice", "")))
        used = set_key(table, "camera.calibration", table.facts.get("calibration_file", ""))
        return Handled(orders=(*dice.orders, *used.orders))

    @property
    def tests(self) -> bool:
        """Throws are being counted."""
        return self.step == "test" and self.waits

    def press(self, table: Table, intent: Intent) -> Handled:
        match intent.kind:
            case I.SCORE | I.PICK if self.tests:
                return self._was_wrong(table)
            case I.DOWN | I.NEXT if self.tests:
                # Enough: what was counted so far is how the test went.
                self.step, self.waits = "use", False
                table.revision += 1
                return Handled(orders=(Order("calibrate", {"step": "stop"}),))
            case I.SCORE | I.PICK:
                return table.refuse("CAL_WAIT") if self.waits else self._ask(table)
            case I.ROLL | I.BACK | I.UNDO:
                return self.back(table)
            case _:
                return table.refuse("NOT_HERE")

    def back(self, table: Table) -> Handled:
        table.close()
        return Handled(orders=(Order("calibrate", {"step": "stop"}),))

    def _was_wrong(self, table: Table) -> Handled:
        """The last throw was read wrong; once more: it was right after all."""
        last = len(self.results) - 1
        if last < 0 or not self.results[last]:
            return table.refuse("CAL_NO_THROW")
        self.wrong ^= {last}
        return Handled()

    def actions(self, table: Table, layout: int) -> list[Action]:
        back = Action(Button.ROLL, I.BACK, _("back"))
        if not self.tests:
            return [Action(Button.SCORE, I.SCORE, _("use it") if self.step == "use" else _("ready")), back]
        right = bool(self.wrong & {len(self.results) - 1})
        made = [
            Action(Button.SCORE, I.SCORE, _("it was right") if right else _("it was wrong")),
            back,
            Action(HOLDS[0] if layout == 3 else HOLDS[1], I.DOWN, _("enough throws")),
        ]
        return [*made, Action(Button.DOWN, I.DOWN, _("enough throws"))] if layout == 11 else made

    def may(self, table: Table, action: Action) -> bool:
        return action.intent is not I.SCORE or (
            bool(self.results and self.results[-1]) if self.tests else not self.waits
        )

    def lines(self, table: Table) -> Sequence[Line]:
        at = self.at = STEPS.index(self.step)
        labels = (
            _("1. Empty the tray, hands away"),
            _("2. Throw the dice apart"),
            _("3. Ten throws as a test"),
            _("4. Use what was learnt"),
        )
        done = (_("done"), _("now"), "–")
        return [Line(label, done[(i > at) + (i >= at)], enabled=i <= at) for i, label in enumerate(labels)]

    def prompt(self, table: Table) -> tuple[str, str] | None:
        if self.tests:
            return self._test_prompt()
        if self.waits:
            return _("The camera looks: keep your hands away"), _("ROLL goes back.")
        if self.step == "use":
            return self._score(), self._advice()
        prompts = {
            "empty": _("Take everything out of the tray"),
            "throw": _("Throw the dice so that they lie apart"),
            "test": _("Ten throws test what was learnt"),
        }
        return prompts[self.step], _("Then press SCORE. ROLL goes back.")

    def _test_prompt(self) -> tuple[str, str]:
        number = min(len(self.results) + 1, THROWS)
        prompt: str = _("Throw all the dice: {n} of {all}", n=number, all=THROWS)
        if not self.results:
            return prompt, _("What is read is shown here. Look whether it is right.")
        last = len(self.results)
        if not self.results[-1]:
            return prompt, _("Throw {n}: not sure. Pick the dice up.", n=last)
        read = words.faces(self.results[-1])
        if last - 1 in self.wrong:
            return prompt, _("Throw {n}: {faces} was wrong.", n=last, faces=read)
        return prompt, _("Throw {n}: {faces}. If that is wrong, press SCORE.", n=last, faces=read)

    def _score(self) -> str:
        asked = sum(not r for r in self.results)
        wrong = len(self.wrong)
        if not self.results:
            return _("Tray and dice are learnt")
        said: str = _n(
            "Of {n} throw: {read} right, {asked} not sure, {wrong} wrong",
            "Of {n} throws: {read} right, {asked} not sure, {wrong} wrong",
            len(self.results),
            read=len(self.results) - asked - wrong,
            asked=asked,
            wrong=wrong,
        )
        return said

    def _advice(self) -> str:
        if self.wrong or sum(not r for r in self.results) >= MANY_DOUBTS:
            return _("More and softer light helps. SCORE uses it, ROLL goes back.")
        return _("SCORE uses it from now on. ROLL goes back.")
