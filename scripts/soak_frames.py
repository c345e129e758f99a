"""Evenings at the simulated tray, through real frames: no wrong roll accepted, none lost, no ghost, memory flat.

    soak_frames.py [--throws 50] [--seed 1] [--size 1280x720] [--calibrated] [--game yardzee] [--way leave] [--verbose]

An evening is one table with looks of its own. Players mark dice, throw them, and score; in about every second throw
something happens that must not fool the table: light that changes, hands, things put into the tray,
dice lifted and laid back, a camera that freezes, stops or is gone. Camera back end, eye, watcher, reader and table are
the real ones; only time is moved by hand. The simulated tray knows the truth of every throw.

A throw is lost if it lies there to be read and the table neither accepts it nor asks about it. What the table asks
about is put right as a player would: things are taken out, leaning dice tapped, and then the dice are entered by hand.
The last line tells the result; the exit status is 1 if anything failed. A failure names the seed that repeats it.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import gc
import random
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import cv2

from firmware.events import CameraState, Intent, IntentKind, Order, Seen, Tick
from firmware.eye import Eye
from firmware.eye_service import EyeEvent
from firmware.keeping import Keeping, Way
from firmware.previews import RING_BYTES, PreviewRing
from firmware.stepped import HandClock
from firmware.table import Mode, Table, TableSettings
from firmware.turns import best_aside
from hardware.camera_sim import SimCamera
from scripts.soak_faults import FAULTS
from vision.calibration import Calibration
from vision.learning import learn_table
from vision.once import ReadOnce
from vision.reader import read
from vision.types import Frame, Image, Reading, Tray
from vision.watcher import Watcher

TICK_S = 1 / 30
PATIENCE_S = 6.0
"""A throw that lies there undisturbed for this long must have been accepted, or asked about."""
NEVER_S = 60.0
MEMORY_MB = 5.0
WARM_THROWS = 30
"""In a soak of fewer throws the first tenth only shows how a process fills with what it needs."""
FAULT_SHARE = 0.5
TURNED_SHARE = 0.025
"""A die that was turned over lies within this share of the picture from where it lay."""
STRIP = ((0.82, 0.06), (0.96, 0.06), (0.96, 0.94), (0.82, 0.94))

ONWARD = {
    Mode.MENU: IntentKind.SCORE,
    Mode.CHOOSE: IntentKind.SCORE,
    Mode.RESULT: IntentKind.SCORE,
    Mode.AGAIN: IntentKind.ROLL,
}
"""What to press to go on, where it is not BACK."""


@dataclass
class Result:
    """What came of a soak. `failures` are lines for people."""

    throws: int = 0
    accepted: int = 0
    asked: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    readings: int = 0
    memory_mb: list[float] = field(default_factory=list)
    """After each tenth of the throws."""

    @property
    def growth_mb(self) -> float:
        return self.memory_mb[-1] - self.memory_mb[0] if self.memory_mb else 0.0


@dataclass(frozen=True)
class Kind:
    """What is played, how dice are kept, and what the camera delivers."""

    size: tuple[int, int] = (1280, 720)
    calibrated: bool = False
    game: str = "yardzee"
    way: Way = Way.LEAVE


class DeadEnd(Exception):
    """No press leads on."""


class Evening:
    """One table. `say` takes lines for people who want to follow it."""

    def __init__(self, seed: int, kind: Kind, say: Callable[[str], None]) -> None:
        self.seed = seed
        self.size = size = kind.size
        self.out = kind.way is Way.OUT
        self.rng = random.Random(f"soak/{seed}")
        self.say = say
        self.clock = HandClock(0.0)
        self.camera = SimCamera(seed=seed, width=size[0], height=size[1], clock=self.clock.clock)
        calibration = self._calibrate() if kind.calibrated else None
        strip = STRIP if kind.way is Way.STRIP else ()
        self.table = Table(TableSettings(kind.game, 2, keeping=Keeping(kind.way, strip)))
        ring = PreviewRing(memoryview(bytearray(RING_BYTES)))
        self.readings = 0
        watcher = Watcher(Tray(calibration=calibration), read=ReadOnce(self._read))
        self.eye = Eye(self.camera, watcher, ring, self._put, self.clock.now)
        self._expected: Mapping[str, Any] = {}
        self.accepted: list[tuple[int, ...]] = []
        self.stay: list[int] = []
        """The faces that stay for the throw that is under way."""
        self.extra: dict[str, Any] = {}
        self.quiet_until = 0.0
        self.glass = False
        self.advance(0.5)

    # --- the table ------------------------------------------------------------------------------------------------

    def _read(self, image: Image, tray: Tray) -> Reading:
        self.readings += 1
        return read(image, tray)

    def _put(self, event: EyeEvent) -> None:
        match event:
            case Seen():
                if event.event.kind.value != "state" or self.say is not _silent:
                    self.say(
                        f"    {event.event.t:7.2f} {event.event.kind.value} {event.event.state.value} "
                        f"{event.event.values} kept {event.event.kept} {[r.code for r in event.event.reasons]}"
                    )
                self._handle(event)
            case CameraState():
                self.say(f"    {event.t:7.2f} camera {'back' if event.delivering else event.code}")
                self._handle(event)
            case _:
                pass

    def _handle(self, event: Seen | CameraState | Intent | Tick) -> None:
        done = self.table.handle(event)
        for record in done.records:
            seen = record.kind == "roll" and record.data.get("by") == "camera"
            if seen and "overruled" not in record.data:
                play = self.table.play
                assert play is not None
                self.accepted.append(tuple(sorted(d.value for d in play.lies[-1])))
        wanted = self.table.expectation
        if wanted != self._expected:
            self._expected = wanted
            self.eye.order(Order("expect", wanted))
        for order in done.orders:
            if order.name == "throw":
                order = Order("throw", {**order.args, **self.extra})
            self.eye.order(order)

    def press(self, kind: IntentKind, arg: int | str | None = None) -> None:
        self._handle(Intent(kind, arg, self.table.revision, self.clock.t))

    def step(self) -> Frame | None:
        self.clock.t += TICK_S
        frame = self.eye.step(0.0)
        self._handle(Tick(self.clock.t))
        return frame

    def advance(self, seconds: float) -> None:
        end = self.clock.t + seconds - 1e-9
        while self.clock.t < end:
            self.step()

    def _calibrate(self) -> Calibration:
        """As `dicetable calibrate` does: a picture of the empty tray, and one of a throw."""
        self.camera.set_up()
        empty = self._frame()
        self.camera.tell("throw", {"dice": 5, "cocked": 0})
        self._until_rest()
        calibration = learn_table(empty.image, self._frame().image)
        self.camera.tell("clear", {})
        self._until_rest()
        return calibration

    def _frame(self) -> Frame:
        self.clock.t += TICK_S
        frame = self.camera.grab(0.0)
        assert frame is not None
        return frame

    def _until_rest(self) -> None:
        self._frame()
        while self.camera.busy:
            self._frame()

    # --- one throw -------------------------------------------------------------------------------------------------

    def throw(self, result: Result) -> None:
        """Play on until one throw is accepted, confirmed by the players, or entered by hand."""
        rng, table = self.rng, self.table
        self._ready()
        if table.play is not None and table.play.dice and (not table.rolls_left or rng.random() < 0.25):
            self.press(IntentKind.SCORE)
            self._ready()
        play = table.play
        assert play is not None
        before, old = len(self.accepted), self.camera.truth.throws
        self.extra = self._accidents(bool(play.dice))
        result.faults.update(self.extra.keys())
        self._mark()
        self.press(IntentKind.ROLL)
        self.stay = [die.value for die in play.lying]
        self.extra = {}
        fault = rng.choice(list(FAULTS)) if rng.random() < FAULT_SHARE else None
        at = self.clock.t + rng.uniform(0.0, 4.0)
        give_up = self.clock.t + NEVER_S
        rested: float | None = None
        while True:
            self.step()
            if fault is not None and self.clock.t >= at:
                self.say(f"    {self.clock.t:7.2f} fault: {fault}")
                self.quiet_until = max(self.quiet_until, self.clock.t + FAULTS[fault](self, rng))
                result.faults[fault] += 1
                fault, rested = None, None
            if self.clock.t > give_up:
                raise DeadEnd(f"{self.where}: ROLL was pressed and nothing was thrown, {self._situation}")
            if self.camera.busy or self.clock.t < self.quiet_until or self.camera.truth.throws == old:
                rested = None
                continue
            if rested is None:
                rested = self.clock.t
            done = len(self.accepted) > before
            if fault is None and self.clock.t - rested > (0.5 if done else PATIENCE_S):
                break
        result.throws += 1
        self._judge(result, before)

    def _ready(self) -> None:
        """Press what leads to a table that waits for a throw, or on which a roll lies."""
        for _ in range(20):
            if self.table.mode is Mode.PLAY:
                return
            self.press(ONWARD.get(self.table.mode, IntentKind.BACK))
        raise DeadEnd(f"{self.where}: no press leads on from {self.table.mode}, {self._situation}")

    def _accidents(self, lying: bool) -> dict[str, Any]:
        rng = self.rng
        extra: dict[str, Any] = {}
        if rng.random() < 0.02:
            extra["cocked"] = 1
        if lying and rng.random() < 0.15:
            extra["nudge"] = rng.randint(1, 2)
        elif lying and rng.random() < 0.08:
            extra["knock_over"] = 1
        return extra

    def _mark(self) -> None:
        play = self.table.play
        assert play is not None
        left = list(best_aside(play)) if play.banking else []
        count = 0 if play.banking else len(play.dice)
        chosen = self.rng.sample(range(1, count + 1), self.rng.randint(0, count - 1)) if count else []
        for n, die in enumerate(play.dice, 1):
            if die.value in left:
                left.remove(die.value)
                chosen.append(n)
        for n in chosen:
            if n not in play.marks:
                self.press(IntentKind.MARK, n)

    def _judge(self, result: Result, before: int) -> None:
        new = self.accepted[before:]
        truth = self.camera.truth
        if len(new) > 1:
            result.failures.append(f"{self.where}: a ghost, {new} accepted for one throw of {truth.values}")
        if new and new[0] != self.right:
            result.failures.append(f"{self.where}: {new[0]} accepted, {self.true} lie there")
        if new:
            result.accepted += 1
            self._tidy()
            self._no_ghost(result)
            return
        if not self._asks:
            result.failures.append(f"{self.where}: a throw of {self.true} is lost, {self._situation}")
        result.asked += 1
        self.say(f"    {self.clock.t:7.2f} asked: {self._situation}; truth {self.true}")
        # As a player would: take out what does not belong, turn back what was turned over, tap what leans, then enter
        # what still can't be read.
        self._tidy()
        self._turn_back()
        self.camera.tell("tap", {})
        self._settle(1.5)
        after = self.accepted[before:]
        if after and after[0] != self.right:
            result.failures.append(f"{self.where}: {after[0]} accepted after a question, {self.true} lie there")
        if not after:
            self._answer()
            self._settle(0.5)
            after = self.accepted[before:]
            if after:
                result.failures.append(f"{self.where}: a ghost, {after} accepted after the players had their say")

    def _answer(self) -> None:
        """The players say that it counts, if it is as the table has it, or enter what lies there."""
        if self.table.mode is Mode.ASK:
            seen = self.table.refused
            there = sorted((*self.camera.truth.values, *(self.stay if self.out else ())))
            right = seen is not None and sorted(d.value for d in seen.dice) == there
            self.press(IntentKind.SCORE if right else IntentKind.CORRECT)
        for _ in range(3):
            if self.table.mode is Mode.ENTRY:
                self._enter()
                return
            if not self._asks:
                return
            self.press(IntentKind.SCORE)

    def _tidy(self) -> None:
        if self.glass:
            self.camera.tell("take", {})
            self.glass = False
            self._settle(1.0)

    def _turn_back(self) -> None:
        """Kept dice that were turned over, where they lie, show again what they showed."""
        play, (width, height) = self.table.play, self.size
        lying = () if play is None or self.out else play.lying
        for at, die in enumerate(self.camera.truth.dice):
            near = [
                d.value
                for d in lying
                if d.centre and max(abs(d.centre[0] - die.x / width), abs(d.centre[1] - die.y / height)) < TURNED_SHARE
            ]
            if near and die.value not in (None, near[0]):
                self.camera.tell("turn", {"at": at, "value": near[0]})

    def _no_ghost(self, result: Result) -> None:
        """A moment in which nothing is thrown, or dice are lifted and laid back: nothing may be accepted."""
        before = len(self.accepted)
        if self.rng.random() < 0.15:
            self.camera.tell("lift", {"dice": self.rng.randint(1, 3)})
            result.faults["lift"] += 1
            self._settle(1.5)
            if self.table.mode is Mode.ASK:
                self.press(IntentKind.BACK)
        else:
            self.advance(self.rng.uniform(0.2, 1.0))
        if len(self.accepted) > before:
            result.failures.append(
                f"{self.where}: a ghost, {self.accepted[before:]} accepted though nothing was thrown"
            )

    def _settle(self, seconds: float) -> None:
        self.step()
        while self.camera.busy or self.clock.t < self.quiet_until:
            self.step()
        self.advance(seconds)

    def _enter(self) -> None:
        """Fill in the form with what lies there."""
        values = [die.value or 1 for die in sorted(self.camera.truth.dice, key=lambda die: die.x)]
        play = self.table.play
        for face in self.stay:
            if self.out and play is not None and not play.banking:
                values.append(face)
            elif play is not None and play.banking and not self.out and face in values:
                values.remove(face)
        for k, value in enumerate(values):
            self.press(IntentKind.MARK, k + 1)
            self.press(IntentKind.VALUE, value)
        self.press(IntentKind.SCORE)

    @property
    def right(self) -> tuple[int, ...]:
        """What the roll must be. In a banking game it is the thrown dice only, else all, with those that are out."""
        values = list(self.camera.truth.values)
        banking = self.table.play is not None and self.table.play.banking
        for face in self.stay:
            if self.out and not banking:
                values.append(face)
            elif banking and not self.out and face in values:
                values.remove(face)
        return tuple(sorted(values))

    @property
    def true(self) -> str:
        return "-".join(str(d.value or "leaning") for d in self.camera.truth.dice)

    @property
    def where(self) -> str:
        return f"seed {self.seed} at {self.clock.t:.2f} s ({self.camera.setting.felt}, {self.camera.setting.style})"

    @property
    def _asks(self) -> bool:
        return self.table.must_enter or self.table.message is not None or self.table.mode is Mode.ASK

    @property
    def _situation(self) -> str:
        message = self.table.message.code if self.table.message else "no message"
        codes = [r.code for r in self.table.sight.reading.reasons] if self.table.sight.reading else []
        return f"state {self.table.sight.tray.value} {codes}, {message}"


def soak(
    throws: int,
    seed: int,
    kind: Kind,
    say: Callable[[str], None] | None = None,
) -> Result:
    """An evening of so many throws, made from `seed`."""
    result = Result()
    marks = {max(1, round(throws * k / 10)) for k in range(1, 11)}
    evening = Evening(seed, kind, say or _silent)
    for n in range(throws):
        if say:
            say(f"throw {n}")
        try:
            evening.throw(result)
        except DeadEnd as end:
            result.failures.append(str(end))
            break
        if n + 1 in marks:
            result.memory_mb.append(memory_mb())
    result.readings = evening.readings
    if throws >= WARM_THROWS and result.growth_mb > MEMORY_MB:
        result.failures.append(
            f"seed {seed}: memory grew by {result.growth_mb:.1f} MB: {[round(m, 1) for m in result.memory_mb]}"
        )
    return result


def _silent(line: str) -> None:
    """Nobody wants to know."""


def memory_mb() -> float:
    """What this process holds in memory, without what only waits to be collected."""
    gc.collect()
    # What is free goes back to the system; else the largest picture ever read would count as a leak.
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * 4096 / 1e6


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--throws", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--calibrated", action="store_true")
    parser.add_argument("--game", default="yardzee")
    parser.add_argument("--way", choices=[way.value for way in Way], default="leave")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    width, height = (int(part) for part in args.size.split("x"))
    result = soak(
        args.throws,
        args.seed,
        Kind((width, height), args.calibrated, args.game, Way(args.way)),
        print if args.verbose else None,
    )
    for line in result.failures:
        print(line)
    print(
        f"soak frames: {result.throws} throws, {result.accepted} accepted, {result.asked} asked, "
        f"{sum(result.faults.values())} faults, {len(result.failures)} failures, "
        f"{result.readings} readings, memory {result.growth_mb:+.1f} MB, "
        f"seed {args.seed}"
    )
    return 1 if result.failures else 0


if __name__ == "__main__":
    sys.exit(main())
