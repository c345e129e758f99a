"""What the table knows of its tray: state, last reading, and whether the dice that are seen were thrown at all.

Room: firmware. Fed by `Table` with what the camera process reports. It decides nothing about the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from firmware.events import CameraState, Seen
from firmware.play import TableDie, left_to_right
from vision.types import Die, Reading, Reason, TrayState

SAME_PLACE = 0.02
"""Dice whose centres lie closer than this share of the picture's width and height lie where they lay."""

Spot = tuple[tuple[float, float], Reason]


class Sight:
    """`resumed`: the table, or its camera, has just started, so dice may lie there that were accepted before."""

    def __init__(self, *, resumed: bool) -> None:
        self.camera = CameraState(delivering=False, t=0.0)
        self.tray = TrayState.OFFLINE
        self.since = 0.0
        """Since when the state is what it is; monotonic, in seconds."""
        self.reading: Reading | None = None
        self.pending: Seen | None = None
        """A throw that came before its time."""
        self._size = (1, 1)  # of the picture that `reading` was made from, in pixels
        self._resumed = resumed
        self._fresh = False  # the last throw asked about was the first since a start
        self._entered = False  # the dice that lie there were entered by hand
        self._stirred = False  # something moved in the tray since then

    def camera_says(self, event: CameraState, *, playing: bool) -> None:
        """Pictures arrive again, or no longer."""
        if event.delivering and not self.camera.delivering:
            self._resumed = playing
            self.tray = TrayState.EMPTY  # until the first picture says otherwise
        self.camera = event
        if not event.delivering:
            self.tray, self.reading = TrayState.OFFLINE, None

    def take(self, seen: Seen) -> None:
        """Something was seen."""
        event = seen.event
        if event.state is not self.tray:
            self.since = event.t
        self.tray = event.state
        if event.reading is not None:
            self.reading, self._size = event.reading, (seen.width, seen.height)
        elif event.state in (TrayState.EMPTY, TrayState.ROLLING, TrayState.OFFLINE):
            self.reading = None
        if event.state in (TrayState.ROLLING, TrayState.EMPTY):
            self.pending = None
        if event.state in (TrayState.ROLLING, TrayState.EMPTY, TrayState.HAND):
            self._stirred = True

    def accepted(self, by: str) -> None:
        """A roll was accepted; `by` is "camera" or "hand"."""
        self._entered = by == "hand"
        self._stirred = False

    def is_throw(self, dice: Sequence[TableDie], before: Sequence[TableDie]) -> bool:
        """Were these dice thrown, or do they only lie where the last accepted roll, `before`, lies?

        Asked for every roll that is reported. Two cases need an answer that the watcher can't give: it has just been
        started and knows nothing of what lay there; or the dice were entered by hand because they could not be read,
        and now they can.
        """
        self._fresh, self._resumed = self._resumed, False
        if self._fresh and before and _same_lie(dice, before):
            return False
        if self._entered:
            if not self._stirred or _same_places(dice, before):
                return False
            self._entered = False
        return True

    def kept(self, dice: Sequence[TableDie], told: Sequence[int], before: Sequence[TableDie]) -> tuple[int, ...]:
        """The faces of the dice that stayed: as the watcher told, or, where it has just been started and can't know,
        of those that still lie where dice of the same face lay `before`."""
        if not self._fresh:
            return tuple(told)
        return tuple(d.value for d in dice if any(d.value == b.value and _near(d, b) for b in before))

    @property
    def guess(self) -> tuple[TableDie, ...]:
        """The present reading as dice from left to right, whether it is certain or not."""
        return () if self.reading is None else self.dice_of(self.reading)

    def dice_of(self, reading: Reading) -> tuple[TableDie, ...]:
        """A reading's dice, from left to right, their corners as shares of the picture."""
        return left_to_right(self._die_of(d) for d in reading.dice)

    def _die_of(self, die: Die) -> TableDie:
        w, h = self._size
        a, b, c, d = ((x / w, y / h) for x, y in die.corners)
        return TableDie(die.value, die.confidence, (a, b, c, d))

    @property
    def spots(self) -> tuple[Spot, ...]:
        """The places that the reader complains about, as shares of the picture."""
        w, h = self._size
        reasons = self.reading.reasons if self.reading else ()
        return tuple(((r.x / w, r.y / h), r) for r in reasons if r.x is not None and r.y is not None)


def _near(a: TableDie, b: TableDie) -> bool:
    if a.centre is None or b.centre is None:
        return False
    return all(abs(p - q) < SAME_PLACE for p, q in zip(a.centre, b.centre, strict=True))


def _same_places(dice: Sequence[TableDie], before: Sequence[TableDie]) -> bool:
    """Do dice lie where those lay that were entered by hand? Where no camera saw them, by their values."""
    known = [d for d in before if d.centre]
    if not known:
        return sorted(d.value for d in dice) == sorted(d.value for d in before)
    return all(any(_near(d, k) for d in dice) for k in known)


def _same_lie(dice: Iterable[TableDie], before: Iterable[TableDie]) -> bool:
    """Do the same dice lie in the same places? True also if some were taken away since."""
    rest = list(before)
    for die in dice:
        same = next((other for other in rest if other.value == die.value and _near(die, other)), None)
        if same is None:
            return False
        rest.remove(same)
    return True
