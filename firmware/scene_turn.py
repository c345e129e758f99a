"""A turn: throw, hold, throw again; and the choice of a box.

Room: firmware. What a throw leads to is in `firmware.turns`; here is what the buttons mean meanwhile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import rules
from firmware import turns
from firmware.events import Handled, Intent
from firmware.events import IntentKind as I
from firmware.intents import Action, undo_actions
from firmware.scene import Mode, Scene
from firmware.turns import box_key
from hardware.buttons import HOLDS, Button
from rules.said import said as _

if TYPE_CHECKING:
    from firmware.table import Table


class Turn(Scene):
    """Dice are thrown and held."""

    mode = Mode.PLAY

    def press(self, table: Table, intent: Intent) -> Handled:
        play = table.play
        assert play is not None
        thrown = bool(play.dice)
        match intent.kind:
            case I.MARK if thrown:
                return table.mark(table.die if intent.arg is None else int(intent.arg))
            case I.NEXT if thrown:
                table.die = table.die % len(play.dice) + 1
                return Handled()
            case I.ROLL:
                return table.roll_pressed()
            case I.SCORE if thrown and not play.banking:
                table.open_boxes()
                return Handled()
            case I.SCORE if not thrown and table.must_enter:
                # Whoever has thrown what can't be read must not be able to bank instead.
                return table.open_entry()
            case I.SCORE if play.banking and play.game.rolls_made:
                return table.accept(turns.stop_pressed(play))
            case I.CORRECT:
                return table.correct(intent)
            case I.UNDO:
                return table.undo()
            case I.PICK if thrown and isinstance(intent.arg, str):
                return table.score(intent.arg)
            case I.MARK | I.NEXT | I.SCORE | I.PICK:
                return table.refuse("NO_ROLL")
            case _:
                return table.refuse("NOT_HERE")

    def actions(self, table: Table, layout: int) -> list[Action]:
        made = [
            Action(Button.ROLL, I.ROLL, _("throw")),
            Action(Button.SCORE, I.SCORE, _("choose a box")),
            Action(Button.SCORE, I.CORRECT, _("correct a die"), long=True),
            *undo_actions(layout),
        ]
        if layout == 3:
            hold = Button.HOLD1
            return [*made, Action(hold, I.NEXT, _("next die")), Action(hold, I.MARK, _("hold it"), long=True)]
        made += [Action(b, I.MARK, _("hold die {n}", n=n), n) for n, b in enumerate(HOLDS, 1)]
        return made + [Action(b, I.CORRECT, _("correct die {n}", n=n), n, long=True) for n, b in enumerate(HOLDS, 1)]

    def may(self, table: Table, action: Action) -> bool:
        play = table.play
        assert play is not None
        thrown = bool(play.dice)
        match action.intent:
            case I.MARK | I.NEXT:
                return thrown and table.rolls_left > 0 and (action.arg is None or action.arg <= len(play.dice))
            case I.ROLL:
                return not thrown or table.rolls_left > 0
            case I.SCORE:
                return thrown or table.must_enter or (play.banking and play.game.check(rules.Stop()) is None)
            case I.UNDO:
                return play.last_move is not None
            case _:
                return True

    def held(self, table: Table) -> frozenset[int] | None:
        assert table.play is not None
        return table.play.marks if table.play.dice else frozenset()


class Choose(Scene):
    """A box is chosen. `row` is the cursor in the list of open boxes."""

    mode = Mode.CHOOSE

    def __init__(self) -> None:
        self.row = 0

    def press(self, table: Table, intent: Intent) -> Handled:
        options = table.open_options
        match intent.kind:
            case I.UP:
                self.row = (self.row - 1) % len(options)
            case I.DOWN | I.NEXT:
                self.row = (self.row + 1) % len(options)
            case I.SCORE:
                return table.score(box_key(options[self.row]))
            case I.PICK if isinstance(intent.arg, str):
                return table.score(intent.arg)
            case I.ROLL | I.BACK:
                if not table.rolls_left:
                    return table.refuse("MUST_CHOOSE")
                table.close_boxes()
            case I.CORRECT:
                return table.correct(intent)
            case I.UNDO:
                if not table.rolls_left:
                    return table.undo()
                table.close_boxes()
            case _:
                return table.refuse("NOT_HERE")
        return Handled()

    def actions(self, table: Table, layout: int) -> list[Action]:
        made = [
            Action(Button.SCORE, I.SCORE, _("write it")),
            Action(Button.ROLL, I.BACK, _("back")),
            Action(Button.SCORE, I.CORRECT, _("correct a die"), long=True),
            *undo_actions(layout),
        ]
        if layout == 3:
            hold = Button.HOLD1
            return [*made, Action(hold, I.DOWN, _("next box")), Action(hold, I.UP, _("box before"), long=True)]
        made += [Action(HOLDS[0], I.UP, _("up")), Action(HOLDS[1], I.DOWN, _("down"))]
        if layout == 11:
            made += [Action(Button.UP, I.UP, _("up")), Action(Button.DOWN, I.DOWN, _("down"))]
        return made

    def may(self, table: Table, action: Action) -> bool:
        return action.intent is not I.BACK or table.rolls_left > 0
