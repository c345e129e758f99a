"""The sentences that the table says: prompts, refusals, names of states.

Room: firmware. In one place, so that they can be read through and translated: words that a player sees are made by
`_("...")`, `_n("one", "many", n)` or `_as("what is meant", "...")` of `rules.said`, with arguments by name, and
`make catalogues` collects them. Never cut such words up or put them into an f-string: they would be English for ever.
Refusals of the rules themselves bring their own words.
"""

from __future__ import annotations

import re

from hardware.faults import CODES as HARDWARE
from rules.said import Said
from rules.said import said as _
from rules.said import said_n as _n
from vision.types import REASONS, TrayState

REFUSALS: dict[str, str] = {
    "STALE": _("That was meant for the picture before. Look again, and press once more."),
    "NO_ROLL": _("Throw the dice first."),
    "NO_DIE": _("There is no die with that number."),
    "NO_ROLLS": _("That was the last roll. Choose a box."),
    "ALL_HELD": _("All dice are held, so there is nothing to throw. Press SCORE, or let go of a die."),
    "MUST_CHOOSE": _("No roll is left: a box must be chosen."),
    "INCOMPLETE": _("Some dice have no value yet."),
    "NOTHING_TO_UNDO": _("There is nothing to take back."),
    "NOTHING_TO_CORRECT": _("No roll lies there that could be put right."),
    "NOT_HERE": _("That button does nothing here."),
    "CLOSED_BOX": _("That box may not be chosen now."),
    "EARLY": _("I saw a throw, but the last one has no box yet. Choose a box; then the new throw counts."),
    "OPEN_ENTRY": _("I saw a throw. Finish entering the dice first, then it counts."),
    "FOURTH": _("No roll was left for that throw. Put the dice back as they were, and choose a box."),
    "KEPT_CHANGED": _("The dice that were kept are not all there: put them back. SCORE: it counts as it lies."),
    "KEPT_GONE": _("A die that was kept is not among these. Put it right, or press SCORE once more if it is so."),
    "NOT_ALL": _("Not all the dice were thrown: throw the others too. SCORE: it counts as it lies."),
    "LEAVE_SOME": _("At least one die that counts must stay lying: put it back. SCORE: enter the dice."),
    "MARK_FIRST": _("Set at least one die aside first: hold the dice that count."),
    "COUNT": _("That is not the right number of dice."),
    "DISTURBED": _("A die that was kept was turned over: turn it back. SCORE: it counts as it lies."),
    "TURNED": _("A die was turned over: turn it back. The roll stands as it was."),
    "BY_HAND": _("The dice were moved by hand. The roll stands as it was."),
    "READ_AGAIN": _("The roll is read again. ROLL: it stands as it was. SCORE: enter the dice."),
    "SAME_DICE": _("The same dice were read again. UNDO once more goes further back."),
    "MOVED_DICE": _("The dice were moved, so the roll stands. UNDO once more goes further back."),
    "TOO_FAR": _("Nothing further back can be taken back."),
    "QUESTION": _("Was that a throw? SCORE: yes. ROLL: no."),
    "NAME_LONG": _("The name is as long as it can be. Press SCORE."),
    "NAME_BLANK": _("A name begins with a letter."),
    "NAME_TAKEN": _("Somebody is called that already."),
    "NOT_NOW": _("That can't be chosen now."),
    "NO_THROW_NOW": _("That throw does not count: a menu is open."),
    "PIN_WRONG": _("That is not the PIN. Try again."),
    "PLAYS_NOW": _("That player is in the game. End it first."),
    "CAL_WAIT": _("The camera is still looking."),
    "CAL_NO_THROW": _("No throw was read yet."),
    "TEAMS_FEW": _("A team needs two players or more."),
    "CAM-06": _("The camera was moved. Put it back, or calibrate again."),
}
"""Code -> what to do."""

OF_RULES: dict[str, str] = {"ROLL-01": "COUNT", "ROLL-03": "KEPT_CHANGED"}
"""Refusals of the rules that mean more at a table with real dice than they say; the others bring their own words."""

STATES: dict[TrayState, str] = {
    TrayState.EMPTY: _("tray empty"),
    TrayState.HAND: _("hand in the tray"),
    TrayState.ROLLING: _("rolling"),
    TrayState.SETTLED: _("dice at rest"),
    TrayState.UNREADABLE: _("can't tell"),
    TrayState.OFFLINE: _("camera away"),
}

ORDERS: dict[str, str] = {
    "top_down": _("from the top down"),
    "bottom_up": _("from the bottom up"),
    "upper_first": _("upper section first"),
    "lower_first": _("lower section first"),
}
"""Which box comes first, beside one that is not its turn yet."""

ERASED = "Erased "
"""What stands in the journal in the place of a name that was taken out begins so, and a number follows."""

SIMULATED = _("simulated")
DEMONSTRATION = _("demonstration")
SAVING = _("saving")
"""What stands at the edge of the screen for as long as it is so."""

ROLLS_LEFT = (_("No roll left."), _("One roll left."))


def figure(n: int) -> str:
    """A number among words, as people of the table's language write it."""
    return Said("{n}", {"n": n})


def faces(values: tuple[int, ...]) -> str:
    return "-".join(str(v) for v in values)


def worthless(values: tuple[int, ...]) -> str:
    """What to do with dice that were left lying and may not stay."""
    return _n(
        "The {faces} is worth nothing: pick it up.", "{faces} are worth nothing: pick them up.", len(values),
        faces=faces(values),
    )  # fmt: skip


def rolls_left(n: int) -> str:
    return ROLLS_LEFT[n] if n < len(ROLLS_LEFT) else _n("{n} roll left.", "{n} rolls left.", n)


def reason(code: str) -> str:
    """What to do about dice that can't be read for this reason."""
    return Said(REASONS[code]) if code in REASONS else code


def place(code: str) -> str:
    """The same in a few words, for a place in the picture."""
    return PLACES.get(code, code)


PLACES: dict[str, str] = {
    "cocked": _("leans"),
    "foreign": _("no die"),
    "glare": _("glare"),
    "edge": _("cut off"),
    "small": _("too small"),
    "disagree": _("unclear"),
    "moved": _("moved"),
}
"""Reason code -> a label in the picture."""


def unreadable(codes: list[str], seen: int, expected: int) -> str:
    """What to do about a tray that can't be read: the first reason's words, with the count where that is the matter."""
    if "count" in codes and seen != expected:
        return _("{seen} of {expected} dice seen", seen=seen, expected=expected)
    return reason(codes[0]) if codes else _("the dice can't be read")


SHORT_FAULTS: dict[str, str] = {
    "JRN-03": _("the journal can't be written: make room on the disk"),
    "JRN-04": _("the disk is slow, moves are not saved yet"),
    "JRN-05": _("the journal was damaged: check the last moves"),
    "PWR-01": _("the table can't switch itself off: pull its plug, nothing is lost"),
    "JRN-06": _("no copy of the journal could be made: make room on the disk"),
    "SYS-01": _("the power supply is too weak: use a stronger one and a short, thick cable"),
    "SYS-02": _("the computer is too hot: see that its fan turns, and give it air"),
    "SYS-03": _("the disk needs a look: dicetable check says what is wrong with it"),
}
"""Faults of the program that are shown while people play. English has them with what is known of the cause."""


def _as_made(template: str, words: str) -> dict[str, str] | None:
    """What stands in the fields of `template` if `words` were made of it."""
    pattern, seen = "", set()
    for part in re.split(r"(\{\w+(?:!r)?\})", template):
        name = part.strip("{}").removesuffix("!r")
        if not part.startswith("{"):
            pattern += re.escape(part)
        elif name in seen:
            pattern += f"(?P={name})"
        else:
            pattern += f"(?P<{name}>.*)"
            seen.add(name)
    found = re.fullmatch(pattern, words)
    return found.groupdict() if found else None


def fault(code: str, words: str) -> str:
    """The words of a fault, so that they can be translated: found again from the code that they were made for."""
    entry = HARDWARE.get(code)
    found = _as_made(entry.words, words) if entry is not None else None
    if entry is not None and found is not None:
        return Said(entry.words.replace("!r}", "}"), found, english=words)
    if code in SHORT_FAULTS:
        return Said(SHORT_FAULTS[code], english=words)
    return words


def with_code(code: str, words: str) -> str:
    """A fault as a banner: its code, then what to do."""
    return _("{code}: {words}", code=code, words=fault(code, words))
