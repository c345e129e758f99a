"""Frames in, tray events out: when dice rest, what they show, and what became of those that lay there before.

Room: vision. Knows no game, no camera and no clock: time is the frames' own. The table tells it how many dice to
expect; it never learns why.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from vision import identity, motion, patches
from vision.counted import counted
from vision.evidence import Evidence
from vision.identity import Lying
from vision.motion import Foreground, Small
from vision.reach import Reach
from vision.types import Die, Frame, Image, Reading, Reason, Status, Tray, TrayEvent, TrayEventKind, TrayState

Read = Callable[[Image, Tray], Reading]

_QUIET_CHANGES = 6
"""Fewer changed small pixels than this are noise."""
_STRONG_CHANGES = 40
_REST_S = 0.06
_REST_FRAMES = 2
_KEEP_FRAMES = 4
_JUMP_SHARE = 0.3
_RETRY_S = (0.0, 0.0, 0.0, 0.1, 0.3, 0.5, 1.0, 2.0, 5.0)
"""Pauses between attempts to read a scene that stays unsure; the last one repeats."""
_UNREADABLE_TRIES = 3
_PART_TRIES = 5
_DRIFT_S = 1.0
_HAND_RETRY_S = 0.5
_HAND_S = 2.0
"""What looks like a hand and has lain still for this long is read, whatever it may be."""
_FLYING_S = 0.06
_SAME_FLYING_S = 0.2
"""Dice that show what they showed before were more likely laid back than thrown, so more must have been seen."""
_SUDDEN_S = 0.1
_GAP_S = 0.25
"""Frames further apart than this may have missed a throw between them."""
_MOVED_SHARE = 0.015
"""A shift of more than this share of the picture's width means that the camera or the tray was moved."""
MOVED_CODE = "CAM-06"
_DEFAULT_DIE = 0.06
"""A die's edge as a share of the picture's longest side, until one was read."""


class Watcher:
    """Follows one tray from frame to frame.

    `tray` is what is known beforehand; `read` reads one picture (BGR uint8) and is `vision.reader.read` unless another
    is handed in. Motion is looked for in a small picture; a full reading is made only while all lies still, and again
    only when something has changed since the last one. A roll rests on two agreeing readings of separate frames.
    """

    def __init__(self, tray: Tray, *, read: Read | None = None) -> None:
        if read is None:
            from vision.reader import read as read_image

            read = read_image
        self._read = read
        self._tray = tray
        self._strip: npt.NDArray[np.float32] | None = None
        self._empty: Small | None = None
        self._state: TrayState | None = None
        self._offline_code: str | None = None
        self._reason_codes: tuple[str, ...] = ()
        self._numbers = 0
        self._fresh = False
        self._left = True
        self._forget()

    def _forget(self) -> None:
        """Begin anew: nothing is known of what lies there."""
        self._size: tuple[int, int] | None = None
        self._last: Small | None = None
        self._last_t = 0.0
        self._run: list[tuple[Frame, Small]] = []
        self._quiet_frames = 0
        self._run_from_t = 0.0
        self._stirred = 0
        self._dice: tuple[Lying, ...] = ()
        self._patches: dict[int, patches.Patch] = {}
        self._before_roll: tuple[Lying, ...] = ()
        self._doubtful: tuple[Die, ...] = ()
        """The best guess at what lies there, while it can't be read."""
        self._rested: tuple[int, ...] = ()
        self._reference: Small | None = None
        self._checked_t = 0.0
        self._unread = True
        self._moving_from_t = self._moving_to_t = 0.0
        self._reach = Reach()
        self._hand_t = 0.0
        self._hand_rests = False
        self._loose: list[tuple[float, float]] = []
        self._forget_motion()
        self._jumped = True
        self._moved = False
        self._evidence: Evidence | None = None
        self._read_numbers: set[int] = set()
        self._tries = 0
        self._next_try_t = 0.0

    # --- what the table may ask for --------------------------------------------------------------------------------

    @property
    def state(self) -> TrayState | None:
        """The state that was reported last; None before the first frame was understood."""
        return self._state

    @property
    def at_rest(self) -> bool:
        """Nothing moves, and nothing is left to read: fewer frames will do until that changes."""
        return self._quiet_frames >= _REST_FRAMES and not self._unread and not self._stirred

    def expect(
        self, dice: int | None, strip: Sequence[tuple[float, float]] | None = None, *, fresh: bool = False
    ) -> None:
        """From now on `dice` dice should lie in view (None: any number), the kept ones included.

        `strip` is a polygon in shares of the picture's width and height: dice that lie in it are kept, wherever they
        lay before. With `fresh` the next throw must be of all dice: it is a roll only if every die that lies there was
        seen to leave, and a question where that was not seen. What lies there now is looked at again; it becomes a roll
        only if something was thrown since the last one.
        """
        polygon = None if strip is None else np.array(strip, np.float32)
        same_strip = (
            polygon is None if self._strip is None else polygon is not None and np.array_equal(polygon, self._strip)
        )
        if fresh != self._fresh:
            self._fresh, self._left = fresh, not self._dice
        if dice == self._tray.dice and same_strip:
            return
        self._strip = polygon
        self._tray = replace(self._tray, dice=dice)
        self._unread = True
        self._restart_reading()

    def look_again(self) -> None:
        """Report once more what lies there, as the roll that it was: used after an undo."""
        self._dice = self._before_roll
        self._patches = {}
        self._jumped = True
        self._unread = True
        self._reference = None
        self._restart_reading()

    def entered(self) -> None:
        """The players have said what lies there, since it could not be read: however late it is read, it is no roll."""
        if self._unread and self._doubtful:
            self._before_roll = self._dice
            self._dice = tuple(Lying(die, self._new_number()) for die in self._doubtful)
            self._patches = {}
            self._forget_motion()

    def offline(self, code: str, t: float) -> list[TrayEvent]:
        """No pictures come any more, for the reason `code`. The next frame ends it."""
        if self._state is TrayState.OFFLINE:
            return []
        self._state, self._offline_code = TrayState.OFFLINE, code
        self._last = None
        self._gap = True
        self._end_run()
        number = -1
        return [
            TrayEvent(TrayEventKind.STATE, TrayState.OFFLINE, t, number, code=code),
            TrayEvent(TrayEventKind.OFFLINE, TrayState.OFFLINE, t, number, code=code),
        ]

    # --- one frame --------------------------------------------------------------------------------------------------

    def step(self, frame: Frame) -> list[TrayEvent]:
        """Look at the next frame (BGR uint8, its `t` in seconds and rising) and tell what happened, oldest first."""
        events: list[TrayEvent] = []
        size = frame.size
        if size != self._size:
            self._forget()
            self._size = size
        if self._state is TrayState.OFFLINE:
            # Nobody knows what happened meanwhile: any die may have been taken, and what lies there is read again.
            self._state = None
            self._unread = True
            self._dice = tuple(replace(d, handled=True) for d in self._dice)
            self._restart_reading()
            code = self._offline_code
            events.append(TrayEvent(TrayEventKind.ONLINE, TrayState.HAND, frame.t, frame.number, code=code))
        now = motion.shrink(frame.sketch, size[0])
        previous_t, self._last_t = self._last_t, frame.t
        change = motion.changed(now, self._last) if self._last is not None else None
        self._last = now
        count = 0 if change is None else int(change.sum())
        if count >= _QUIET_CHANGES and frame.t - previous_t > _GAP_S:
            # Something happened that nobody saw: any die may have been taken meanwhile.
            self._gap = True
            self._dice = tuple(replace(d, handled=True) for d in self._dice)
        if change is None or count < _QUIET_CHANGES:
            events += self._quiet(frame, now)
        else:
            events += self._moving(frame, now, change, previous_t)
        return events

    def _moving(self, frame: Frame, now: Small, change: motion.Mask, previous_t: float) -> list[TrayEvent]:
        events = self._confirm_from_run()
        was_still = self._quiet_frames >= _REST_FRAMES
        self._end_run()
        self._run = [(frame, now)]
        self._run_from_t = frame.t
        self._stirred += 1
        if was_still and float(change.mean()) > _JUMP_SHARE:
            self._jumped = True
        if self._stirred < 2 and int(change.sum()) < _STRONG_CHANGES:
            return events
        self._moving_frames += 1
        if self._moving_frames == 1:
            self._moving_from_t = frame.t
        self._moving_to_t = frame.t
        self._unread = True
        self._restart_reading()
        state = TrayState.HAND
        was_rolling = self._state is TrayState.ROLLING
        there = self._look_for_hand(now)
        if there is not None:
            free = there.free(change, self._places(), self._die_small_px())
            was_rolling |= bool(free)
            if free and not there.has_hand and frame.t - self._hand_t > _GAP_S:
                # The hand has gone, and now something flies: it did not lay that down.
                self._reach.forget()
            if free and motion.travelled(free, self._loose, self._die_small_px()):
                # Fingers may look like loose things, so what flies while a hand is there counts for half.
                self._flying_s += min(_GAP_S, frame.t - previous_t) * (0.5 if there.has_hand else 1.0)
            self._loose = there.centres()
        if was_rolling and there is not None and not there.has_hand:
            state = TrayState.ROLLING
        return events + self._enter(state, frame)

    def _look_for_hand(self, now: Small) -> Foreground | None:
        """What is there that was not there in the last scene; remembers which dice a hand reached over."""
        if self._reference is None or self._jumped:
            return None
        there = motion.foreground(motion.differs(now, self._reference), self._die_small_px())
        there = motion.without_light(there, now, self._reference)
        if there.share > _JUMP_SHARE * 2:
            return None
        if there.has_hand:
            self._hand_t = self._last_t
            self._reach.add(there.hand, self._die_small_px())
            reached = motion.covers(there.hand, self._places(), 0.7 * self._die_small_px())
            self._dice = tuple(
                replace(d, handled=d.handled or over) for d, over in zip(self._dice, reached, strict=True)
            )
        return there

    def _quiet(self, frame: Frame, now: Small) -> list[TrayEvent]:
        if not self._run:
            self._run_from_t = frame.t
        else:
            self._quiet_frames += 1
        self._run = [*self._run[-(_KEEP_FRAMES - 1) :], (frame, now)]
        if self._quiet_frames < _REST_FRAMES or frame.t - self._run_from_t < _REST_S:
            return []
        self._stirred = 0
        if self._tray.calibration is not None and (self._unread or self._moved) and frame.t >= self._next_try_t:
            moved = self._check_place(frame, now)
            if moved or self._moved:
                self._next_try_t = frame.t + _DRIFT_S
                return moved
        if not self._unread and self._reference is not None and frame.t - self._checked_t >= _DRIFT_S:
            self._checked_t = frame.t
            # Dice creep and light drifts without anything happening; less than a die's area is no new scene.
            if int(motion.changed(now, self._reference).sum()) >= max(_QUIET_CHANGES, self._die_small_px() ** 2):
                self._unread = True
                self._restart_reading()
        if not self._unread or frame.t < self._next_try_t:
            return []
        there = self._look_for_hand(now)
        self._hand_rests = there is not None and there.has_hand
        if there is not None and there.has_hand and not there.loose and frame.t - self._moving_to_t < _HAND_S:
            # A hand and nothing new: what it covers will be read when it is gone. What stays may be light.
            self._next_try_t = frame.t + _HAND_RETRY_S
            return self._enter(TrayState.HAND, frame)
        return self._attempt(frame)

    def _check_place(self, frame: Frame, now: Small) -> list[TrayEvent]:
        """Whether the calibrated tray lies where it lay. While it does not, nothing is read."""
        if self._empty is None or self._empty.shape != now.shape:
            self._empty = motion.shrink(self._tray.calibration.empty)
        found = motion.shift(now, self._empty)
        away = found is not None and max(abs(found[0]), abs(found[1])) > _MOVED_SHARE * now.shape[1]
        news = away and not self._moved
        self._moved = away
        if not news:
            return []
        reading = Reading(Status.UNSURE, (), (Reason("moved"),))
        event = TrayEvent(TrayEventKind.MOVED, TrayState.UNREADABLE, frame.t, frame.number, code=MOVED_CODE)
        return [*self._enter(TrayState.UNREADABLE, frame, reading), event]

    # --- reading ----------------------------------------------------------------------------------------------------

    def _attempt(self, frame: Frame) -> list[TrayEvent]:
        """Read a frame at rest, and take the scene as it is once enough readings agree."""
        reading = self._read_frame(frame)
        certain = self._weigh(frame, reading)
        if certain is None and self._tries == 0:
            # The first frame of this rest is a witness that need not be waited for.
            witness = self._run[0][0]
            if witness.number not in self._read_numbers:
                certain = self._weigh(witness, self._read_frame(witness))
        self._tries += 1
        self._next_try_t = frame.t + _RETRY_S[min(self._tries, len(_RETRY_S)) - 1]
        if self._hand_rests:
            # What a hand covers is not gone: only a full reading is believed while it rests in the tray.
            self._next_try_t = max(self._next_try_t, frame.t + _HAND_RETRY_S)
            nothing = certain is not None and certain.status is Status.EMPTY and not self._dice
            if certain is None or not (nothing or certain.status is Status.READ):
                return self._enter(TrayState.HAND, frame)
        if certain is not None:
            return self._accept(frame, certain)
        if self._tries < _UNREADABLE_TRIES:
            return []
        return self._enter(TrayState.UNREADABLE, frame, self._evidence.guess() if self._evidence else reading)

    def _confirm_from_run(self) -> list[TrayEvent]:
        """Motion comes back after a first reading: the other frames of the same rest may be enough for a roll."""
        if not self._unread or not self._read_numbers or self._quiet_frames < _REST_FRAMES:
            return []
        for frame, _ in reversed(self._run):
            if frame.number not in self._read_numbers:
                certain = self._weigh(frame, self._read_frame(frame))
                if certain is not None and (certain.status is Status.READ or not self._hand_rests):
                    return self._accept(frame, certain)
        return []

    def _weigh(self, frame: Frame, reading: Reading) -> Reading | None:
        """Add a reading to what is known of this rest; what is certain by now, if anything is."""
        if self._evidence is None:
            self._evidence = Evidence(self._tray.dice, self._untouched(frame.image))
        self._read_numbers.add(frame.number)
        return self._evidence.add(reading)

    def _untouched(self, image: Image) -> list[Die]:
        """The dice of the last scene that nothing reached over and that still look as they did."""
        if self._jumped:
            return []
        return [
            a.die
            for a in self._dice
            if not a.handled and a.number in self._patches and patches.same(self._patches[a.number], image, a.die)
        ]

    def _read_frame(self, frame: Frame) -> Reading:
        return counted(self._read(frame.image, self._tray), self._tray.dice)

    def _accept(self, frame: Frame, reading: Reading) -> list[TrayEvent]:
        """Enough frames agree: this is what lies there. Say what became of the dice."""
        if reading.status is Status.UNSURE:
            return self._accept_part(frame, reading)
        outcome = self._compare(frame, reading)
        state = TrayState.EMPTY if reading.status is Status.EMPTY else TrayState.SETTLED
        events = self._enter(state, frame, reading)
        if outcome.disturbed:
            was = tuple(a.die.value for a, _ in outcome.disturbed)
            values = tuple(b.value for _, b in outcome.disturbed)
            events.append(
                TrayEvent(
                    TrayEventKind.DISTURBED, state, frame.t, frame.number, reading=reading, was=was, values=values
                )
            )
        if outcome.new and (self._moving_frames or self._jumped or self._gap):
            self._before_roll = self._dice
            # Dice that changed while a hand was there, and that nobody saw roll, may have been laid down.
            seen_to_fly = _FLYING_S if reading.values != self._rested else _SAME_FLYING_S
            unseen = self._blind or self._gap
            by_hand = self._reach.may_have_laid(self._small_places(outcome.new), self._die_small_px())
            laid = by_hand and self._flying_s < seen_to_fly and not unseen
            # Dice of which a new turn knows nothing may be those of the last one, moved.
            stayed = self._fresh and not self._left and (unseen or bool(outcome.disturbed))
            events.append(
                TrayEvent(
                    TrayEventKind.QUESTION if laid or stayed else TrayEventKind.ROLL,
                    state,
                    frame.t,
                    frame.number,
                    reading=reading,
                    values=reading.values,
                    kept=tuple(sorted(b.value for _, b in outcome.kept)),
                    thrown=tuple(sorted(b.value for b in outcome.new)),
                )
            )
        self._rested = reading.values or self._rested
        self._left = self._left or reading.status is Status.EMPTY
        self._follow(frame, outcome)
        self._patches |= {a.number: patches.take(frame.image, a.die) for a in self._dice}
        self._patches = {a.number: self._patches[a.number] for a in self._dice}
        self._reference = self._small_of(frame)
        self._checked_t = frame.t
        self._unread = False
        self._forget_motion()
        self._restart_reading()
        return events

    def _accept_part(self, frame: Frame, reading: Reading) -> list[TrayEvent]:
        """Another number of dice than expected lies there. Never a roll; but dice that were taken away are gone."""
        events = self._enter(TrayState.UNREADABLE, frame, reading)
        outcome = self._compare(frame, reading)
        if not outcome.new and not outcome.disturbed and self._reference is not None:
            self._follow(frame, outcome)
            self._reference = self._small_of(frame)
            self._jumped = False
            self._reach.forget()
            self._flying_s = 0.0
        self._evidence = None
        self._tries = max(self._tries, _PART_TRIES)
        self._next_try_t = frame.t + _RETRY_S[min(self._tries, len(_RETRY_S)) - 1]
        return events

    @property
    def _blind(self) -> bool:
        """Whether one still scene followed another at once, so that nothing was seen of how it came about."""
        sudden = 1 <= self._moving_frames <= 2 and self._moving_to_t - self._moving_from_t <= _SUDDEN_S
        return self._jumped or sudden

    def _compare(self, frame: Frame, reading: Reading) -> identity.Outcome:
        """What became of the dice of the last scene."""
        before = self._dice
        here = self._small_of(frame)
        moved = motion.shift(here, self._reference) if here is not None and self._reference is not None else None
        if moved is not None and moved != (0, 0):
            dx, dy = (step / here.scale for step in moved) if here is not None else (0.0, 0.0)
            before = tuple(replace(a, die=replace(a.die, x=a.die.x + dx, y=a.die.y + dy)) for a in before)
        outcome = identity.compare(before, reading.dice, blind=self._blind)
        if self._strip is None:
            return outcome
        return identity.laid_aside(outcome, [die for die in outcome.new if self._in_strip(die, frame)])

    def _in_strip(self, die: Die, frame: Frame) -> bool:
        width, height = frame.size
        assert self._strip is not None
        return cv2.pointPolygonTest(self._strip, (die.x / width, die.y / height), False) >= 0

    def _follow(self, frame: Frame, outcome: identity.Outcome) -> None:
        lying = [Lying(now, before.number or self._new_number()) for before, now in (*outcome.kept, *outcome.disturbed)]
        # A die that merely was not found this time still looks as it did.
        lying += [
            replace(a, handled=False)
            for a in outcome.gone
            if a.number in self._patches and patches.same(self._patches[a.number], frame.image, a.die)
        ]
        self._dice = (*lying, *(Lying(die, self._new_number()) for die in outcome.new))

    def _new_number(self) -> int:
        self._numbers += 1
        return self._numbers

    # --- small helpers ----------------------------------------------------------------------------------------------

    def _enter(self, state: TrayState, frame: Frame, reading: Reading | None = None) -> list[TrayEvent]:
        codes = tuple(sorted({r.code for r in reading.reasons})) if reading and state is TrayState.UNREADABLE else ()
        if state is self._state and codes == self._reason_codes:
            return []
        self._state, self._reason_codes = state, codes
        if state is not TrayState.HAND:
            self._doubtful = reading.dice if reading and state is TrayState.UNREADABLE else ()
        return [
            TrayEvent(
                TrayEventKind.STATE,
                state,
                frame.t,
                frame.number,
                reading=reading,
                values=reading.values if reading else (),
                reasons=reading.reasons if reading and state is TrayState.UNREADABLE else (),
            )
        ]

    def _forget_motion(self) -> None:
        """Whatever moved so far has had its say."""
        self._jumped = self._gap = False
        self._moving_frames = 0
        self._reach.forget()
        self._flying_s = 0.0
        self._loose = []

    def _restart_reading(self) -> None:
        self._evidence = None
        self._read_numbers = set()
        self._tries = 0
        self._next_try_t = 0.0

    def _end_run(self) -> None:
        self._run = []
        self._quiet_frames = 0

    def _die_small_px(self) -> float:
        """A die's edge in small pixels."""
        height, width = self._last.shape if self._last is not None else (motion.SMALL_PX, motion.SMALL_PX)
        scale = self._last.scale if self._last is not None else 1.0
        if self._dice:
            return float(np.median([identity.edge_px(d.die) for d in self._dice])) * scale
        if self._tray.die_px is not None:
            return self._tray.die_px * scale
        if self._tray.calibration is not None:
            return float(self._tray.calibration.die_px) * scale
        return _DEFAULT_DIE * max(height, width)

    def _places(self) -> list[tuple[float, float]]:
        """Where the dice of the last scene lie, in small pixels."""
        return self._small_places([d.die for d in self._dice])

    def _small_places(self, dice: Sequence[Die]) -> list[tuple[float, float]]:
        scale = self._last.scale if self._last is not None else 1.0
        return [(die.x * scale, die.y * scale) for die in dice]

    def _small_of(self, frame: Frame) -> Small | None:
        return next((small for f, small in self._run if f.number == frame.number), self._last)
