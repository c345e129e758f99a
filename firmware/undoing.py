"""Taking back: a score at once, a roll by asking for what lies there, and the turn before with this one kept.

Room: firmware. A roll is never thrown again by taking it back. What `undo` means to a game is in `firmware.play`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import rules
from display.view import Message
from firmware import entry as forms
from firmware import words
from firmware.events import Handled, Order, Record
from firmware.scene_again import stands
from firmware.scene_entry import EntryScene
from rules.said import said as _

if TYPE_CHECKING:
    from firmware.table import Table


def undo(table: Table) -> Handled:
    """Take the last move back. A roll is not thrown again by that: what lies there is asked for."""
    assert table.play is not None
    match table.play.last_move:
        case None:
            return table.refuse("NOTHING_TO_UNDO")
        case rules.Roll() if table.stood:
            return open_past_roll(table, 1)
        case rules.Roll():
            done = table.accept([Record("undo")])
            table.sight.ask_again()
            return Handled(done.records, look(table))
        case _:
            return table.accept([Record("undo")])


def look(table: Table) -> tuple[Order, ...]:
    """Ask the camera what lies there, if it is the roll that was taken back."""
    asks = table.play is not None and table.play.asked is not None and not table.play.waiting
    return (Order("look"),) if asks else ()


def undo_further(table: Table) -> Handled:
    """Once more UNDO while a roll is asked for: the roll before it, or the end of the turn before."""
    play = table.play
    assert play is not None
    if play.waiting:
        return table.refuse("TOO_FAR")
    if play.turn_rolls < 1:
        return undo_turn(table)
    done = table.accept([stands(table)])
    if not done.records:
        return done
    more = open_past_roll(table, 1)
    return Handled(done.records + more.records, (*done.orders, *more.orders))


def open_past_roll(table: Table, back: int) -> Handled:
    """A form for a roll of this turn that other rolls came after, or for the turn before once there is none."""
    assert table.play is not None
    if not table.play.game.rolls_made:
        return table.refuse("TOO_FAR")  # the roll had ended its turn, and does so again
    if back >= table.play.game.rolls_made:
        return undo_turn(table)
    form = forms.correct(table.sight.with_others(table.play.lies[-1 - back]), None, table.settings.die_cursor)
    form.back = back
    table.open_scenes.clear()
    return table.open(EntryScene(form))


def undo_turn(table: Table) -> Handled:
    """Take back what ended the turn before. This turn is kept for its player."""
    play = table.play
    assert play is not None
    if play.waiting:
        return table.refuse("TOO_FAR")
    if play.ended_by not in ("score", "stop", "roll"):
        return table.refuse("NOTHING_TO_UNDO")
    bo = play.players[play.game.turn]
    faces = words.faces(tuple(d.value for d in play.asked_dice or play.lies[-1]))
    done = table.accept([Record("undo", {"turn": True})])
    ann = play.players[play.game.turn]
    said = _(
        "{player}: choose again. {next}: leave the dice, your roll {faces} is kept.",
        player=ann,
        next=bo,
        faces=faces,
    )
    table.message = Message("KEPT_FOR", said)
    return done
