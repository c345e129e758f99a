"""Which sound belongs to what has changed. Pure: two moments in, the name of a sound out.

Room: firmware. The names are those of `hardware.sound_files.NAMES`; how they are played is not its business.
"""

from __future__ import annotations

from display.view import Message
from firmware.moment import Deed, Moment

TELLS = frozenset({"BLANK", "KEPT_FOR", "READ_AGAIN", "SAME_DICE", "MOVED_DICE", "BY_HAND", "CAM-11", "SERVICE"})
"""Codes of messages that only tell something; all others refuse or ask."""


def answer(pressed: bool, before: Message | None, after: Message | None) -> str | None:
    """The sound with which the table answers an event at once, before anything is committed or drawn.

    `pressed`: it was a press (also a key or a touch); `before`, `after`: the message on the screen.
    """
    if after is not None and after is not before and after.code not in TELLS:
        return "refusal"
    return "press" if pressed else None


def change(before: Moment, after: Moment) -> str | None:
    """The sound of what happened in the game between two moments that were shown; the most important one."""
    if after.players != before.players and after.moves:
        return None  # another game was brought back, nothing happened in it
    if after.winners and not before.winners:
        return "win"
    if after.last is None or (after.last is before.last and after.moves == before.moves):
        return None
    if after.moves < before.moves:
        return None  # something was taken back; the press has been heard
    if after.finished > before.finished:
        return "win"
    match after.done.deed:
        case Deed.SCORE:
            return "bonus" if after.done.bonus else "score"
        case Deed.STOP:
            return "score"
        case Deed.BLANK:
            return "lost"
        case Deed.ROLL | Deed.ROLLOFF:
            return "roll"
        case _:
            return None


def pan_of(before: Moment, after: Moment) -> float:
    """From where a press is heard: from the die that was marked or let go, else from the middle."""
    changed = [a.across for a, b in zip(after.dice, before.dice, strict=False) if a.held != b.held]
    return 0.7 * changed[0] if len(changed) == 1 else 0.0
