"""Dice and places in words that are spoken: "two fives, at three and seven o'clock".

Room: firmware. Pure: values in, words out; `firmware.language` says them in the table's language. What is spoken is
never shown, so it may be as long as a sentence needs to be.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from firmware.moment import MIDDLE, HeardDie
from rules.said import all_of, in_line
from rules.said import said as _
from rules.said import said_as as _as
from rules.said import said_n as _n

_COUNTS = (
    "",
    _as("how many dice of one face, as in: one five", "one"),
    _as("how many dice of one face, as in: two fives", "two"),
    _as("how many dice of one face, as in: three fives", "three"),
    _as("how many dice of one face, as in: four fives", "four"),
    _as("how many dice of one face, as in: five fives", "five"),
    _as("how many dice of one face, as in: six fives", "six"),
)

_NOON_ALONE = _as("the only place on a clock face", "at noon")
_FIRST = (
    _as("first of some places on a clock face, as in: at noon and seven o'clock", "at noon"),
    _as("first of some places on a clock face, as in: at one and seven o'clock", "at one"),
    _as("first of some places on a clock face, as in: at two and seven o'clock", "at two"),
    _as("first of some places on a clock face, as in: at three and seven o'clock", "at three"),
    _as("first of some places on a clock face, as in: at four and seven o'clock", "at four"),
    _as("first of some places on a clock face, as in: at five and seven o'clock", "at five"),
    _as("first of some places on a clock face, as in: at six and seven o'clock", "at six"),
    _as("first of some places on a clock face, as in: at seven and eight o'clock", "at seven"),
    _as("first of some places on a clock face, as in: at eight and nine o'clock", "at eight"),
    _as("first of some places on a clock face, as in: at nine and ten o'clock", "at nine"),
    _as("first of some places on a clock face, as in: at ten and eleven o'clock", "at ten"),
    _as("first of some places on a clock face, as in: at eleven o'clock", "at eleven"),
)
_FURTHER = (
    "",
    _as("further place on a clock face, as in: at noon and one o'clock", "one"),
    _as("further place on a clock face, as in: at one and two o'clock", "two"),
    _as("further place on a clock face, as in: at one and three o'clock", "three"),
    _as("further place on a clock face, as in: at one and four o'clock", "four"),
    _as("further place on a clock face, as in: at one and five o'clock", "five"),
    _as("further place on a clock face, as in: at one and six o'clock", "six"),
    _as("further place on a clock face, as in: at one and seven o'clock", "seven"),
    _as("further place on a clock face, as in: at one and eight o'clock", "eight"),
    _as("further place on a clock face, as in: at one and nine o'clock", "nine"),
    _as("further place on a clock face, as in: at one and ten o'clock", "ten"),
    _as("further place on a clock face, as in: at one and eleven o'clock", "eleven"),
)
_MIDDLE = _as("place in the tray", "in the middle")


def count_of(face: int, n: int) -> str:
    """ "a five", "two fives". `n` is 1 to 6."""
    number = _COUNTS[n]
    match face:
        case 1:
            return _n("a one", "{n} ones", n, n=number)
        case 2:
            return _n("a two", "{n} twos", n, n=number)
        case 3:
            return _n("a three", "{n} threes", n, n=number)
        case 4:
            return _n("a four", "{n} fours", n, n=number)
        case 5:
            return _n("a five", "{n} fives", n, n=number)
        case _:
            return _n("a six", "{n} sixes", n, n=number)


def at(places: Iterable[int]) -> str:
    """ "at three and seven o'clock", "at noon", "in the middle", "at three o'clock and in the middle"."""
    found = sorted(set(places))
    hours = [p for p in found if p != MIDDLE]
    parts: list[str] = []
    if hours == [0]:
        parts.append(_NOON_ALONE)
    elif hours:
        first, *further = hours
        listed = all_of([_FIRST[first], *(_FURTHER[h] for h in further)])
        parts.append(_as("places on a clock face", "{places} o'clock", places=listed))
    if MIDDLE in found:
        parts.append(_MIDDLE)
    return all_of(parts)


def dice(heard: Sequence[HeardDie]) -> str:
    """ "two fives, at three and seven o'clock; a two, at noon": the faces of which there are most come first."""
    values = sorted({d.value for d in heard}, key=lambda v: (-sum(d.value == v for d in heard), -v))
    groups = []
    placed = False
    for value in values:
        same = [d for d in heard if d.value == value]
        words = count_of(value, len(same))
        places = [d.place for d in same if d.place is not None]
        if places:
            placed = True
            words = _("{dice}, {places}", dice=words, places=at(places))
        groups.append(words)
    if not placed:
        return all_of(groups)
    words = groups[0] if groups else ""
    for group in groups[1:]:
        words = _("{some}; {more}", some=words, more=group)
    return words


def faces(values: Sequence[int]) -> str:
    """ "two fives and a six": faces without places."""
    wanted = sorted(set(values), key=lambda v: (-values.count(v), -v))
    return all_of(count_of(v, values.count(v)) for v in wanted)


def row(values: Iterable[int]) -> str:
    """ "1, 2, 5, 5, 6": as a caller calls a roll."""
    return in_line(str(v) for v in sorted(values))


def leaning(places: Sequence[int]) -> str:
    """ "The die at noon leans."."""
    return _n(
        "The die {place} leans: tap it flat.",
        "The dice {place} lean: tap them flat.",
        len(places),
        place=at(places),
    )


_GROUPED = re.compile(r"(?<=\d)[.,\u202f\u00a0](?=\d{3}(?!\d))")
_DASHED = re.compile(r"(?<=\d)-(?=\d)")


def for_the_ear(text: str) -> str:
    """Text as a voice reads it well: numbers in one piece, and dice that are written "5-5-2" one by one."""
    return _DASHED.sub(", ", _GROUPED.sub("", text)).replace("&", ",")


def sentences(parts: Iterable[str]) -> str:
    """Spoken parts one after the other; empty ones are left out."""
    said: str = ""
    for part in parts:
        if not part:
            continue
        said = _("{first} {then}", first=said, then=part) if said else part
    return said
