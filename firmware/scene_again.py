"""A roll that was taken back: what lies there is read again, or entered by hand, or the roll stands.

Room: firmware. A roll is never thrown again by taking it back. Same dice in the same places: what they show is
believed. Dice that were moved since: the roll stands, unless the players enter it by hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware import throws
from firmware.entry import again
from firmware.events import Handled, Intent, Record, Seen
from firmware.events import IntentKind as I
from firmware.intents import Action, undo_actions
from firmware.play import roll_record
from firmware.scene import Mode, Scene
from firmware.scene_entry import EntryScene
from hardware.buttons import Button
from rules.said import said as _

if TYPE_CHECKING:
    from firmware.table import Table


class Again(Scene):
    """The dice are read once more. ROLL: the roll stands. SCORE: enter it. UNDO: one step further back."""

    mode = Mode.AGAIN

    def press(self, table: Table, intent: Intent) -> Handled:
        play = table.play
        assert play is not None
        match intent.kind:
            case I.ROLL | I.BACK:
                done = table.accept([stands(table)])
                table.stood = True
                return done
            case I.SCORE | I.CORRECT:
                return table.open(EntryScene(again(play.asked_dice)))
            case I.UNDO:
                return table.undo_further()
            case _:
                return table.refuse("READ_AGAIN")

    def throw(self, table: Table, seen: Seen) -> Handled | None:
        play, reading = table.play, seen.event.reading
        assert play is not None
        assert reading is not None
        if play.waiting:
            # What lies there is the next player's.
            table.sight.pending = seen
            return table.say("READ_AGAIN")
        asked = play.asked_dice
        dice = table.sight.dice_of(reading)
        lay = (*play.lying, *asked) if play.banking else asked
        if not table.sight.same_places(dice, lay):
            rolled = table.sight.rolled
            done = table.accept([stands(table)])
            if rolled and done.records and table.play is not None and not table.over:
                more = throws.judge(table, seen)
                return Handled(done.records + more.records, more.orders)
            table.stood = True
            return Handled(done.records, table.say("MOVED_DICE").orders)
        found = table.sight.read_again(dice, asked)
        if [d.value for d in found] == [d.value for d in asked]:
            done = table.accept([stands(table)])
            table.stood = True
            table.say("SAME_DICE")
            return done
        done = table.accept([roll_record(found, "camera", again=True, picture=table.sight.picture)])
        table.stood = bool(done.records)
        return done

    def actions(self, table: Table, layout: int) -> list[Action]:
        return [
            Action(Button.ROLL, I.ROLL, _("the roll stands")),
            Action(Button.SCORE, I.SCORE, _("enter the dice")),
            *undo_actions(layout),
        ]

    def prompt(self, table: Table) -> tuple[str, str] | None:
        play = table.play
        assert play is not None
        name = play.players[play.game.turn]
        faces = "-".join(str(d.value) for d in play.asked_dice)
        if play.waiting or not table.sight.camera.delivering:
            prompt = _("{name}: what was the roll?", name=name)
        else:
            prompt = _("{name}: leave the dice, they are read again", name=name)
        return prompt, _("It was {faces}. ROLL: it stands. SCORE: enter the dice.", faces=faces)


def stands(table: Table) -> Record:
    """The roll that was taken back, as it was."""
    assert table.play is not None
    assert table.play.asked is not None
    return Record("roll", {**table.play.asked.data, "stands": True})
