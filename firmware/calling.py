"""The caller: says aloud what was thrown, what was written and what was refused, for everybody around the table.

Room: firmware. Pure: two moments in, words out, "" where there is nothing to call. After a correction only the value
that was put right is called.
"""

from __future__ import annotations

from firmware import sayings
from firmware.moment import Deed, Done, HeardDie, Moment
from firmware.sounding import TELLS
from rules.said import all_of, sentence
from rules.said import said as _
from rules.said import said_n as _n


def call(before: Moment, after: Moment) -> str:
    """What the caller says of the step from `before` to `after`."""
    if is_correction(before, after):
        return corrected(before, after)
    if not is_move(before, after):
        return ""
    match after.done.deed:
        case Deed.ROLL:
            return sentence(sayings.row(d.value for d in after.dice) if after.dice else "")
        case Deed.SCORE | Deed.STOP:
            return sayings.sentences([written(after.done), winner(after, before)])
        case _:
            return sayings.sentences([told(after) if is_told(before, after) else "", winner(after, before)])


def is_told(before: Moment, after: Moment) -> bool:
    """Has a message come up between the two that only tells something? Refusals are said by themselves, at once."""
    message = after.message
    return message is not None and message is not before.message and message.code in TELLS


def told(after: Moment) -> str:
    """What that message says."""
    return after.message.words if after.message is not None else ""


def is_move(before: Moment, after: Moment) -> bool:
    """Was a move made between the two? Not where one was taken back, or another game was brought back."""
    same = after.players == before.players or after.moves == 1
    return after.last is not None and same and after.moves > before.moves


def is_correction(before: Moment, after: Moment) -> bool:
    """Was the last roll put right between the two?"""
    rolls = (Deed.ROLL, Deed.BLANK)
    return (
        after.moves == before.moves > 0
        and after.players == before.players
        and after.last is not before.last
        and after.done.deed in rolls
        and before.done.deed in rolls
    )


def put_right(before: Moment, after: Moment) -> tuple[HeardDie, ...]:
    """The dice that show another value after a correction than before."""
    lay = {d.number: d.value for d in before.dice}
    return tuple(d for d in after.dice if lay.get(d.number) != d.value)


def corrected(before: Moment, after: Moment) -> str:
    """ "Corrected: a four, at seven o'clock."."""
    dice = put_right(before, after)
    if dice:
        return _("Corrected: {dice}.", dice=sayings.dice(dice))
    if after.done.deed is Deed.BLANK:
        return _("Corrected: {dice}.", dice=sayings.faces(after.done.faces))
    return ""


def written(done: Done) -> str:
    """What a score or a stop brought, and the player's total."""
    if done.deed is Deed.STOP:
        return _("{player} keeps {points}. {total} in all.", player=done.player, points=done.points, total=done.total)
    what = _n("{box}: {n} point.", "{box}: {n} points.", done.points, box=done.label)
    bonus = _n("A bonus of {n} point.", "A bonus of {n} points.", done.bonus) if done.bonus else ""
    total = _("{player} has {total}.", player=done.player, total=done.total)
    return sayings.sentences([what, bonus, total])


def winner(after: Moment, before: Moment) -> str:
    """Who has won, once it is over; of a match, who has won the game that has just ended."""
    if not after.winners:
        if after.finished <= before.finished:
            return ""
        return _n(
            "{names} wins this game.",
            "{names} win this game.",
            len(after.game_winners),
            names=all_of(after.game_winners),
        )
    if len(after.players) == 1:
        return _n("The game is over, with {n} point.", "The game is over, with {n} points.", after.totals[0])
    if len(after.winners) == 1:
        return _("{name} wins!", name=after.winners[0])
    return _("{names} win!", names=all_of(after.winners))
