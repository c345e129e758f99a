"""Dice that are entered by hand: the form is opened, and what it says becomes a record.

Room: firmware. The form is `firmware.entry`, its buttons are `firmware.scene_entry`; here is what it means to the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import rules
from firmware import entry as forms
from firmware import turns
from firmware.entry import Entry
from firmware.events import Handled, Intent, Record
from firmware.play import TableDie, roll_record
from firmware.scene_again import stands
from firmware.scene_entry import EntryScene
from vision.types import TrayState

if TYPE_CHECKING:
    from firmware.table import Table


def correct(table: Table, intent: Intent) -> Handled:
    assert table.play is not None
    start = None if intent.arg is None else int(intent.arg)
    if isinstance(table.play.last_move, rules.Roll):
        # Also a roll that ended a turn by itself: it may only have been misread.
        dice = table.play.lies[-1]
        if start is not None and not 1 <= start <= len(dice):
            return table.refuse("NO_DIE")
        return table.open(EntryScene(forms.correct(table.sight.with_others(dice), start, table.settings.die_cursor)))
    if isinstance(table.play.game.awaiting, rules.Roll | rules.RollOff):
        return open_entry(table)
    return table.refuse("NOTHING_TO_CORRECT")


def open_entry(table: Table, overruled: str = "", guess: Sequence[TableDie] = ()) -> Handled:
    """Open the form for the roll that is awaited, filled with `guess` or with what the camera makes of it."""
    play = table.play
    assert play is not None
    awaited = play.game.awaiting
    if not isinstance(awaited, rules.Roll | rules.RollOff):
        return table.refuse("NO_ROLLS" if not table.rolls_left else "NOTHING_TO_CORRECT")
    table.open_scenes.clear()
    if not guess and table.sight.tray not in (TrayState.ROLLING, TrayState.HAND):
        guess = table.sight.guess
    kept = tuple(d.value for d in play.lying)
    if play.banking:
        # Only the thrown dice are entered.
        guess, kept = turns.thrown_of(guess, kept, play.lying), ()
    return table.open(EntryScene(forms.enter(awaited.count, guess, kept, overruled)))


def confirm_entry(table: Table, form: Entry) -> Handled:
    assert table.play is not None
    if not form.complete:
        return table.refuse("INCOMPLETE")
    play, dice = table.play, form.result()
    values = [d.value for d in dice]
    if form.correcting:
        if values == [d.value for d in play.lies[-1 - form.back]]:
            table.close()
            return table.take_pending()
        data: dict[str, object] = {"values": values, "back": form.back}
        if form.removed:
            data["dice"] = [d.to_json() for d in dice]
        return table.accept([Record("correct", {k: v for k, v in data.items() if v})])
    if isinstance(play.game.awaiting, rules.RollOff):
        return table.accept([Record("rolloff", roll_record(dice, by="hand").data)])
    if play.asked is not None and values == [d.value for d in play.asked_dice]:
        return table.accept([stands(table)])
    refused = play.game.check(rules.Roll(tuple(values)))
    if refused is not None and refused.code == "ROLL-03" and play.lies:
        # A kept die is not in it. Once more, and the players overrule what was kept.
        if not form.sure:
            form.sure = True
            return table.refuse("KEPT_GONE")
        return table.accept(turns.entered(play, dice, form.overruled or "KEPT_CHANGED"))
    return table.accept(
        [roll_record(dice, "hand", overruled=form.overruled, again=play.asked is not None, picture=table.sight.picture)]
    )
