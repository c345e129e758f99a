"""What the table knows of its tray: state, last reading, and whether the dice that are seen were thrown at all.

Room: firmware. Fed by `Table` with what the camera process reports. It decides nothing about the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

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
        self._rolled = False
        self._thought: tuple[TableDie, ...] = ()
        """The dice that were read last, with what the reader thought of besides."""
        self.picture = ""
        """The name of the picture that the last reading was made from, "" if it has none."""

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
            self.picture = seen.picture
            self._thought = tuple(self._die_of(d) for d in event.reading.dice if d.others)
        elif event.state in (TrayState.EMPTY, TrayState.ROLLING, TrayState.OFFLINE):
            self.reading = None
        if event.state in (TrayState.ROLLING, TrayState.EMPTY):
            self.pending = None
        if event.state in (TrayState.ROLLING, TrayState.EMPTY, TrayState.HAND):
            self._stirred = True
        if event.state is TrayState.ROLLING:
            self._rolled = True

    def accepted(self, by: str) -> None:
        """A roll was accepted; `by` is "camera" or "hand"."""
        self._entered = by == "hand"
        self._stirred = self._rolled = False

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

    def kept(
        self, dice: Sequence[TableDie], told: Sequence[int], before: Sequence[TableDie]
    ) -> tuple[tuple[TableDie, ...], tuple[int, ...]]:
        """The dice of a throw as the players know them, and the faces of those that stayed.

        `told` are the faces that the watcher says stayed, `before` the dice that lay there. Where the watcher has just
        been started and can't know of any, those stayed that still lie where dice of the same face lay. A die that
        stayed, and that the camera misreads, shows what the players said that it shows.
        """
        if self._fresh and not told:
            told = [d.value for d in dice if any(d.value == b.raw and near(d, b) for b in before)]
        left = list(before)
        known: dict[int, TableDie] = {}
        for face in told:
            pairs = [
                (_apart(d, b), i, b)
                for i, d in enumerate(dice)
                if i not in known and d.value == face
                for b in left
                if b.raw == face
            ]
            if pairs:
                _, i, b = min(pairs, key=lambda pair: pair[:2])
                left.remove(b)
            else:
                # The watcher's word stands even for a die that the table never knew.
                i = next((i for i, d in enumerate(dice) if i not in known and d.value == face), -1)
                if i < 0:
                    continue
                b = dice[i]
            known[i] = dice[i] if b.value == face else replace(dice[i], value=b.value, confidence=1.0, seen=face)
        return (
            tuple(known.get(i, d) for i, d in enumerate(dice)),
            tuple(sorted(d.value for d in known.values())),
        )

    def lie_there(self, accepted: Sequence[TableDie], dice: Sequence[TableDie]) -> bool:
        """Are all the dice of an accepted roll among `dice`, where they lay?"""
        return all(any(d.value in (a.value, a.raw) and near(d, a) for d in dice) for a in accepted)

    def same_places(self, dice: Sequence[TableDie], before: Sequence[TableDie]) -> bool:
        """Do as many dice lie in the places of those `before`, whatever they show? Never, where no camera saw those."""
        rest = list(before)
        for die in dice:
            same = next((other for other in rest if near(die, other)), None)
            if same is None:
                return False
            rest.remove(same)
        return not rest

    def read_again(self, dice: Sequence[TableDie], asked: Sequence[TableDie]) -> tuple[TableDie, ...]:
        """What the dice of a roll, `asked`, show now that they are read again where they lie; in its order.

        What the players have said about a die still holds while the camera sees the same on it.
        """
        found = []
        for die in asked:
            now = min(dice, key=lambda d: _apart(d, die))
            found.append(replace(now, value=die.value, confidence=1.0, seen=die.seen) if now.value == die.raw else now)
        return tuple(found)

    @property
    def rolled(self) -> bool:
        """Have dice flown since the last roll was accepted or asked for again?"""
        return self._rolled

    def ask_again(self) -> None:
        """The roll that lies there is asked for again."""
        self._entered = self._rolled = False

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
        return TableDie(die.value, die.confidence, (a, b, c, d), others=tuple(value for value, _ in die.others))

    def with_others(self, dice: Iterable[TableDie]) -> tuple[TableDie, ...]:
        """Dice of a record, with the values that the reader thought of besides when it last saw them where they lie."""
        told = ((d, next((t for t in self._thought if t.value == d.raw and near(t, d)), None)) for d in dice)
        return tuple(d if t is None else replace(d, others=t.others) for d, t in told)

    @property
    def spots(self) -> tuple[Spot, ...]:
        """The places that the reader complains about, as shares of the picture."""
        w, h = self._size
        reasons = self.reading.reasons if self.reading else ()
        return tuple(((r.x / w, r.y / h), r) for r in reasons if r.x is not None and r.y is not None)


def near(a: TableDie, b: TableDie) -> bool:
    """Do they lie in the same place? Never, where no camera saw one of them."""
    if a.centre is None or b.centre is None:
        return False
    return all(abs(p - q) < SAME_PLACE for p, q in zip(a.centre, b.centre, strict=True))


def _apart(a: TableDie, b: TableDie) -> float:
    if a.centre is None or b.centre is None:
        return 9.0
    return abs(a.centre[0] - b.centre[0]) + abs(a.centre[1] - b.centre[1])


def _same_places(dice: Sequence[TableDie], before: Sequence[TableDie]) -> bool:
    """Do dice lie where those lay that were entered by hand? Where no camera saw them, by their values."""
    known = [d for d in before if d.centre]
    if not known:
        return sorted(d.value for d in dice) == sorted(d.value for d in before)
    return all(any(near(d, k) for d in dice) for k in known)


def _same_lie(dice: Iterable[TableDie], before: Iterable[TableDie]) -> bool:
    """Do the same dice lie in the same places? True also if some were taken away since."""
    rest = list(before)
    for die in dice:
        same = next((o for o in rest if die.value in (o.value, o.raw) and near(die, o)), None)
        if same is None:
            return False
        rest.remove(same)
    return True
