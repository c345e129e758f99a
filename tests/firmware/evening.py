"""A table without camera, screen and disk, written as an evening: throw, press, expect.

Only for tests of `Table`: it makes the events that the loop would.
"""

from __future__ import annotations

from collections.abc import Sequence

from firmware.events import CameraState, Handled, Intent, IntentKind, Record, Seen
from firmware.intents import hints
from firmware.scene_list import ListScene
from firmware.table import Table, TableSettings
from firmware.views import view_of
from vision.types import Die, Reading, Reason, Status, TrayEvent, TrayEventKind, TrayState

WIDTH, HEIGHT = 1000, 600


def die(value: int, x: float, y: float = 300.0, confidence: float = 0.99) -> Die:
    return Die(value, confidence, x, y, ((x - 20, y - 20), (x + 20, y - 20), (x + 20, y + 20), (x - 20, y + 20)))


def reading(values: Sequence[int], shift: float = 0.0, status: Status = Status.READ, *codes: str) -> Reading:
    dice = tuple(die(v, 100 + 120 * i + shift) for i, v in enumerate(values))
    return Reading(status, dice, tuple(Reason(c) for c in codes))


class Evening:
    """A Table with its journal as a list, which can be started again from it."""

    def __init__(self, **settings: object) -> None:
        self.settings = TableSettings(**settings)  # type: ignore[arg-type]
        self.journal: list[Record] = []
        self.table = Table(self.settings)
        self.t = 0.0
        self.frame = 0
        self.picture = ""
        """The name of the picture in which things are seen."""
        self.camera(True)

    def restart(self) -> None:
        """The power is cut and comes back."""
        since = max((i for i, r in enumerate(self.journal) if r.kind == "game"), default=0)
        self.table = Table(self.settings, self.journal[since:])
        self.camera(True)

    def _take(self, handled: Handled) -> Handled:
        self.journal += handled.records
        return handled

    def camera(self, delivering: bool) -> None:
        code, words = ("", "") if delivering else ("CAM-02", "the camera has stopped")
        self._take(self.table.handle(CameraState(delivering, self.t, code, words)))

    def press(self, kind: IntentKind, arg: int | str | None = None) -> Handled:
        return self._take(self.table.handle(Intent(kind, arg, self.table.revision, self.t)))

    def _see(self, kind: TrayEventKind, state: TrayState, r: Reading | None = None, **more: object) -> Handled:
        self.t += 0.5
        self.frame += 15
        values = r.values if r else ()
        event = TrayEvent(kind, state, self.t, self.frame, r, values=values, **more)  # type: ignore[arg-type]
        return self._take(self.table.handle(Seen(event, WIDTH, HEIGHT, self.picture)))

    def throw(self, values: Sequence[int], kept: Sequence[int] = (), shift: float = 0.0) -> Handled:
        """Dice roll and come to rest, and `watch` reports them."""
        self._see(TrayEventKind.STATE, TrayState.ROLLING)
        r = reading(values, shift)
        self._see(TrayEventKind.STATE, TrayState.SETTLED, r)
        return self.lie(values, kept, shift)

    def lie(self, values: Sequence[int], kept: Sequence[int] = (), shift: float = 0.0) -> Handled:
        """`watch` reports a roll without having seen any motion, as after a start."""
        rest = list(values)
        for v in kept:
            rest.remove(v)
        r = reading(values, shift)
        return self._see(TrayEventKind.ROLL, TrayState.SETTLED, r, kept=tuple(kept), thrown=tuple(rest))

    def lay(self, values: Sequence[int], kept: Sequence[int] = (), shift: float = 0.0) -> Handled:
        """Dice are laid down by hand, and `watch` asks whether that was a throw."""
        rest = list(values)
        for v in kept:
            rest.remove(v)
        r = reading(values, shift)
        return self._see(TrayEventKind.QUESTION, TrayState.SETTLED, r, kept=tuple(kept), thrown=tuple(rest))

    def turn_over(self, values: Sequence[int], was: Sequence[int], shift: float = 0.0) -> Handled:
        """A die that lay there shows another face; `values` lie there now, `was` is what is gone."""
        return self._see(TrayEventKind.DISTURBED, TrayState.SETTLED, reading(values, shift), was=tuple(was))

    def unreadable(self, guess: Sequence[int], *codes: str) -> Handled:
        r = reading(guess, 0.0, Status.UNSURE, *codes)
        return self._see(TrayEventKind.STATE, TrayState.UNREADABLE, r, reasons=r.reasons)

    def clear(self) -> Handled:
        return self._see(TrayEventKind.STATE, TrayState.EMPTY, Reading(Status.EMPTY))

    def tell(self, kind: TrayEventKind, **more: object) -> Handled:
        return self._see(kind, TrayState.SETTLED, None, **more)

    @property
    def code(self) -> str | None:
        """The code of the message that is on the screen."""
        return self.table.message.code if self.table.message else None

    @property
    def dice(self) -> tuple[int, ...]:
        assert self.table.play is not None
        return tuple(d.value for d in self.table.play.dice)

    @property
    def totals(self) -> tuple[int, ...]:
        assert self.table.play is not None
        return self.table.play.game.totals


def go(e: Evening, *labels: str) -> None:
    """Move to each of these lines in turn, and take it."""
    for label in labels:
        scene = e.table.scene
        assert isinstance(scene, ListScene), f"{e.table.mode} is no list"
        for _ in scene.lines(e.table):
            line = scene.line(e.table)
            if line is not None and str(line.label) == label:
                break
            e.press(IntentKind.DOWN)
        else:
            raise AssertionError(f"no line {label!r} in {e.table.mode}")
        e.press(IntentKind.SCORE)


def prompt(e: Evening) -> str:
    return view_of(e.table, hints(e.table, 8)).prompt
