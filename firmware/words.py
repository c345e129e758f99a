"""The sentences that the table says: prompts, refusals, names of states.

Room: firmware. In one place, so that they can be read through and translated. Refusals of the rules themselves bring
their own words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from vision.types import REASONS, TrayState

REFUSALS: dict[str, str] = {
    "STALE": "That was meant for the picture before. Look again, and press once more.",
    "NO_ROLL": "Throw the dice first.",
    "NO_DIE": "There is no die with that number.",
    "NO_ROLLS": "That was the last roll. Choose a box.",
    "ALL_HELD": "All dice are held, so there is nothing to throw. Press SCORE, or let go of a die.",
    "MUST_CHOOSE": "No roll is left: a box must be chosen.",
    "INCOMPLETE": "Some dice have no value yet.",
    "NOTHING_TO_UNDO": "There is nothing to take back.",
    "NOTHING_TO_CORRECT": "No roll lies there that could be put right.",
    "NOT_HERE": "That button does nothing here.",
    "CLOSED_BOX": "That box may not be chosen now.",
    "EARLY": "I saw a throw, but the last one has no box yet. Choose a box; then the new throw counts.",
    "OPEN_ENTRY": "I saw a throw. Finish entering the dice first, then it counts.",
    "KEPT_CHANGED": "The dice that were kept are not all there. Put them back, or press SCORE and enter the dice.",
    "NOT_ALL": "Not all the dice were thrown. Pick them up and throw, or press SCORE and enter the dice.",
    "LEAVE_SOME": "At least one die that counts must stay lying. Put it back, or press SCORE and enter the dice.",
    "MARK_FIRST": "Set at least one die aside first: hold the dice that count.",
    "COUNT": "That is not the right number of dice.",
    "DISTURBED": "A die that was kept was turned over. Turn it back, or press SCORE and enter the dice.",
    "NO_ROLL_AGAIN": "A roll is not thrown again. Put the values right if they were read wrong.",
    "QUESTION": "Was that a throw? Throw again, or press SCORE and enter the dice.",
    "CAM-06": "The camera was moved. Put it back, or calibrate again.",
}
"""Code -> what to do."""

OF_RULES: dict[str, str] = {"ROLL-01": "COUNT", "ROLL-03": "KEPT_CHANGED"}
"""Refusals of the rules that mean more at a table with real dice than they say; the others bring their own words."""

STATES: dict[TrayState, str] = {
    TrayState.EMPTY: "tray empty",
    TrayState.HAND: "hand in the tray",
    TrayState.ROLLING: "rolling",
    TrayState.SETTLED: "dice at rest",
    TrayState.UNREADABLE: "can't tell",
    TrayState.OFFLINE: "camera away",
}

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def number(n: int) -> str:
    return _NUMBERS[n] if 0 <= n < len(_NUMBERS) else str(n)


def dice(n: int) -> str:
    return f"{number(n)} {'die' if n == 1 else 'dice'}"


def faces(values: tuple[int, ...]) -> str:
    return "-".join(str(v) for v in values)


def with_keys(text: str, names: Mapping[str, str]) -> str:
    """`text` with the buttons called what is printed on them here: `names` is SCORE, ROLL -> the key's name."""
    return re.sub(r"\b(SCORE|ROLL)\b", lambda found: names.get(found.group(), found.group()), text)


def reason(code: str) -> str:
    return REASONS.get(code, code)


def unreadable(codes: list[str], seen: int, expected: int) -> str:
    """What to do about a tray that can't be read: the first reason's words, with the count where that is the matter."""
    if "count" in codes and seen != expected:
        return f"{seen} of {expected} dice seen"
    return REASONS.get(codes[0], codes[0]) if codes else "the dice can't be read"
