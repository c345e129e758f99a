"""The form in which dice are entered by hand or put right.

Room: firmware. The form itself is `firmware.entry`; here is what the buttons do to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import rules
from firmware.entry import Entry
from firmware.events import Handled, Intent, Seen
from firmware.events import IntentKind as I
from firmware.intents import Action
from firmware.scene import Mode, Scene
from hardware.buttons import HOLDS, Button
from rules.said import said as _

if TYPE_CHECKING:
    from firmware.table import Table


class EntryScene(Scene):
    """Values are entered, die by die."""

    mode = Mode.ENTRY

    def __init__(self, form: Entry) -> None:
        self.form = form

    def press(self, table: Table, intent: Intent) -> Handled:
        form = self.form
        match intent.kind:
            case I.VALUE:
                form.put(None if intent.arg is None else int(intent.arg))
            case I.NEXT | I.DOWN:
                form.step()
            case I.UP:
                form.step(-1)
            case I.MARK if intent.arg is not None and 1 <= int(intent.arg) <= len(form.values):
                form.move(int(intent.arg) - 1)
            case I.SCORE:
                return table.confirm_entry(form)
            case I.REMOVE if not form.remove():
                return table.refuse("NO_DIE")
            case I.REMOVE:
                pass
            case I.UNDO if form.back:
                return table.open_past_roll(form.back + 1)
            case I.BACK | I.UNDO | I.CORRECT:
                table.close()
                done = table.take_pending()
                return Handled(done.records, (*done.orders, *table.look()))
            case _:
                return table.refuse("NOT_HERE")
        return Handled()

    def throw(self, table: Table, seen: Seen) -> Handled | None:
        play = table.play
        assert play is not None
        if play.asked is not None:
            return Handled()  # it was read again, but the players say what it is
        if isinstance(play.game.awaiting, rules.Roll | rules.RollOff) and table.message is None:
            # The dice were moved or the light came back while the form was open: what is seen now is better.
            table.close()
            return None
        table.sight.pending = seen
        return table.refuse("OPEN_ENTRY")

    def prompt(self, table: Table) -> tuple[str, str] | None:
        play, form = table.play, self.form
        assert play is not None
        name, n = play.players[play.game.turn], form.cursor + 1
        if form.cursor in form.removed:
            return _("{name}: number {n} is no die", name=name, n=n), _("SCORE held: it is one. ROLL: the next die.")
        prompt = _("{name}: what does die {n} show?", name=name, n=n)
        if form.surplus > 0:
            return prompt, _("There are too many. SCORE held takes out what is no die.")
        if form.dice[form.cursor] is None:
            return prompt, _("SCORE accepts, ROLL goes to the next die.")
        first, second = form.likely
        likely = _("If not that, then likely {first} or {second}. SCORE accepts.", first=first, second=second)
        return prompt, likely

    def actions(self, table: Table, layout: int) -> list[Action]:
        made = [
            Action(Button.SCORE, I.SCORE, _("accept")),
            Action(Button.ROLL, I.NEXT, _("next die")),
            Action(
                Button.SCORE,
                I.REMOVE,
                _("it is a die") if self.form.cursor in self.form.removed else _("that is no die"),
                long=True,
            ),
        ]
        if self.form.back:
            made.append(Action(Button.ROLL, I.UNDO, _("further back"), long=True))
        else:
            made.append(Action(Button.ROLL, I.BACK, _("cancel"), long=True))
        if layout == 3:
            hold = Button.HOLD1
            return [*made, Action(hold, I.VALUE, _("next value")), Action(hold, I.UP, _("die before"), long=True)]
        made += [Action(b, I.VALUE, str(n), n) for n, b in enumerate(HOLDS, 1)]
        if layout == 11:
            made += [
                Action(Button.UNDO, I.UNDO, _("undo")),
                Action(Button.UP, I.UP, _("up")),
                Action(Button.DOWN, I.DOWN, _("down")),
            ]
        return made
