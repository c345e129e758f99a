"""Which sound belongs to what has changed, as a table."""

from __future__ import annotations

from dataclasses import replace

import pytest

import rules
from display.view import Message
from firmware import sounding
from firmware.moment import MIDDLE, Deed, Done, HeardDie, Moment, hour
from hardware.sound_files import NAMES

ROLL, SCORE = rules.Roll((5, 5, 2, 1, 6)), rules.Score("fives")
DICE = tuple(HeardDie(n, v, 0, across=-0.8 + 0.4 * (n - 1)) for n, v in enumerate((5, 5, 2, 1, 6), 1))
START = Moment("play", ("Ann", "Bo"), (0, 0), 0)
ROLLED = replace(START, moves=1, last=ROLL, done=Done(Deed.ROLL, "Ann"), dice=DICE, roll=1)
WRITTEN = replace(START, moves=2, last=SCORE, done=Done(Deed.SCORE, "Ann", "Fives", 10, 0, 10), totals=(10, 0), turn=1)


def done(deed: Deed, **more: object) -> Moment:
    return replace(WRITTEN, done=Done(deed, **more))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("before", "after", "sound"),
    [
        (START, START, None),
        (START, ROLLED, "roll"),
        (ROLLED, replace(ROLLED, message=Message("EARLY", "x")), None),
        (ROLLED, WRITTEN, "score"),
        (ROLLED, done(Deed.SCORE, bonus=35), "bonus"),
        (ROLLED, done(Deed.STOP), "score"),
        (ROLLED, done(Deed.BLANK), "lost"),
        (ROLLED, done(Deed.KEEP), None),
        (ROLLED, done(Deed.ASIDE), None),
        (ROLLED, replace(WRITTEN, winners=("Ann",)), "win"),
        (replace(WRITTEN, winners=("Ann",)), replace(WRITTEN, winners=("Ann",)), None),
        (ROLLED, replace(WRITTEN, finished=1), "win"),
        (replace(WRITTEN, finished=1), replace(ROLLED, moves=3, last=rules.Roll((1, 1, 1, 1, 2)), finished=1), "roll"),
        # A correction is heard as the roll that it is; taking back is not heard at all.
        (ROLLED, replace(ROLLED, last=rules.Roll((5, 5, 2, 1, 4))), "roll"),
        (WRITTEN, ROLLED, None),
        (replace(WRITTEN, winners=("Ann",)), ROLLED, None),
        # After a start, or with another game, nothing has happened.
        (Moment(), ROLLED, None),
        (Moment(), replace(WRITTEN, winners=("Ann",)), None),
    ],
)
def test_the_sound_of_a_change(before: Moment, after: Moment, sound: str | None) -> None:
    assert sounding.change(before, after) == sound
    assert sound is None or sound in NAMES


OLD, NEW, TOLD = Message("NO_ROLL", "a"), Message("NO_ROLL", "b"), Message("BLANK", "c")


@pytest.mark.parametrize(
    ("pressed", "before", "after", "sound"),
    [
        (True, None, None, "press"),
        (True, OLD, None, "press"),
        (True, None, NEW, "refusal"),
        (True, OLD, NEW, "refusal"),
        (True, None, TOLD, "press"),
        (False, None, None, None),
        (False, None, NEW, "refusal"),
        (False, OLD, OLD, None),
        (False, None, TOLD, None),
    ],
)
def test_the_answer_to_an_event(
    pressed: bool, before: Message | None, after: Message | None, sound: str | None
) -> None:
    assert sounding.answer(pressed, before, after) == sound


def test_a_mark_is_heard_from_where_the_die_lies() -> None:
    held = replace(ROLLED, dice=(*DICE[:4], replace(DICE[4], held=True)))
    assert 0.5 < sounding.pan_of(ROLLED, held) <= 1
    first = replace(ROLLED, dice=(replace(DICE[0], held=True), *DICE[1:]))
    assert -1 <= sounding.pan_of(ROLLED, first) < -0.5
    assert sounding.pan_of(ROLLED, ROLLED) == 0
    assert sounding.pan_of(START, ROLLED) == 0


@pytest.mark.parametrize(
    ("x", "y", "noon", "place"),
    [
        (0.5, 0.1, "top", 0),
        (0.9, 0.5, "top", 3),
        (0.5, 0.9, "top", 6),
        (0.1, 0.5, "top", 9),
        (0.7, 0.5 - 0.2 * 3**0.5, "top", 1),
        (0.28, 0.1, "top", 11),
        (0.52, 0.47, "top", MIDDLE),
        (0.9, 0.5, "right", 0),
        (0.5, 0.9, "right", 3),
        (0.5, 0.9, "bottom", 0),
        (0.9, 0.5, "bottom", 9),
        (0.1, 0.5, "left", 0),
        (0.5, 0.1, "left", 3),
    ],
)
def test_places_on_the_clock(x: float, y: float, noon: str, place: int) -> None:
    assert hour(x, y, noon) == place
