"""From presses to intents: what a button means, on each panel and in each mode.

Room: firmware. Plain tables; one place decides, for buttons, keys and touch alike. Short presses act when the button
is let go, long ones as soon as they are long enough, and the letting go then means nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import rules
from firmware.events import Intent
from firmware.events import IntentKind as I
from firmware.table import Mode, Table
from hardware.buttons import HOLDS, Button, Press, PressKind

LONG_S = 0.8
UNDO_S = 1.5
"""ROLL held for this long is UNDO, on panels that have no button for it."""


@dataclass(frozen=True, slots=True)
class Action:
    """What a button asks for. `long`: when held. `key` is what is printed on the button."""

    button: Button
    intent: I
    words: str
    arg: int | None = None
    long: bool = False
    key: str = ""


def actions(layout: int, mode: Mode) -> tuple[Action, ...]:
    """All that the panel with `layout` buttons can ask for in `mode`, in the order in which the screen lists it."""
    made = [*_shared(layout, mode), *(_three(mode) if layout == 3 else _eight(mode))]
    if layout == 11:
        made += _eleven(mode)
    return tuple(Action(a.button, a.intent, a.words, a.arg, a.long, a.key or _printed(a, layout)) for a in made)


def _printed(action: Action, layout: int) -> str:
    name = action.button.value
    plain = "HOLD" if layout == 3 and action.button is Button.HOLD1 else name.upper().replace("HOLD", "HOLD ")
    return f"{plain} long" if action.long else plain


def _shared(layout: int, mode: Mode) -> list[Action]:
    roll, score = Button.ROLL, Button.SCORE
    match mode:
        case Mode.MENU:
            return [
                Action(score, I.SCORE, "start"),
                Action(roll, I.COUNT, "one more player"),
                Action(roll, I.GAME, "next game", long=True),
            ]
        case Mode.PLAY:
            made = [
                Action(roll, I.ROLL, "throw"),
                Action(score, I.SCORE, "choose a box"),
                Action(score, I.CORRECT, "correct a die", long=True),
            ]
        case Mode.CHOOSE:
            made = [
                Action(score, I.SCORE, "write it"),
                Action(roll, I.BACK, "back"),
                Action(score, I.CORRECT, "correct a die", long=True),
            ]
        case Mode.ENTRY:
            return [
                Action(score, I.SCORE, "accept"),
                Action(roll, I.NEXT, "next die"),
                Action(roll, I.BACK, "cancel", long=True),
            ]
        case Mode.RESULT:
            made = [Action(score, I.SCORE, "play again"), Action(roll, I.ROLL, "change players")]
    if layout != 11:
        made.append(Action(roll, I.UNDO, "undo", long=True))
    return made


def _three(mode: Mode) -> list[Action]:
    hold = Button.HOLD1
    match mode:
        case Mode.MENU:
            return [Action(hold, I.DOWN, "one player less")]
        case Mode.PLAY:
            return [Action(hold, I.NEXT, "next die"), Action(hold, I.MARK, "hold it", long=True)]
        case Mode.CHOOSE:
            return [Action(hold, I.DOWN, "next box"), Action(hold, I.UP, "box before", long=True)]
        case Mode.ENTRY:
            return [Action(hold, I.VALUE, "next value"), Action(hold, I.UP, "die before", long=True)]
        case Mode.RESULT:
            return []


def _eight(mode: Mode) -> list[Action]:
    match mode:
        case Mode.MENU:
            return [Action(b, I.COUNT, f"{n} players" if n > 1 else "1 player", n) for n, b in enumerate(HOLDS, 1)]
        case Mode.PLAY:
            marks = [Action(b, I.MARK, f"hold die {n}", n) for n, b in enumerate(HOLDS, 1)]
            return marks + [Action(b, I.CORRECT, f"correct die {n}", n, long=True) for n, b in enumerate(HOLDS, 1)]
        case Mode.CHOOSE:
            return [Action(HOLDS[0], I.UP, "up"), Action(HOLDS[1], I.DOWN, "down")]
        case Mode.ENTRY:
            return [Action(b, I.VALUE, str(n), n) for n, b in enumerate(HOLDS, 1)]
        case Mode.RESULT:
            return []


def _eleven(mode: Mode) -> list[Action]:
    made = [] if mode is Mode.MENU else [Action(Button.UNDO, I.UNDO, "undo")]
    match mode:
        case Mode.MENU:
            made += [Action(Button.UP, I.UP, "one more"), Action(Button.DOWN, I.DOWN, "one less")]
        case Mode.CHOOSE | Mode.ENTRY:
            made += [Action(Button.UP, I.UP, "up"), Action(Button.DOWN, I.DOWN, "down")]
        case _:
            pass
    return made


class PressReader:
    """Turns presses into intents. `feed` takes a press, `poll` notices that a button has been down long enough."""

    def __init__(self, layout: int) -> None:
        self.layout = layout
        self._down: dict[Button, tuple[float, int]] = {}  # since when, and the revision that was on the screen

    def feed(self, press: Press, mode: Mode, revision: int) -> list[Intent]:
        """`mode` and `revision` are those that the person saw when pressing."""
        if press.kind is PressKind.DOWN:
            self._down[press.button] = (press.t, revision)
            return []
        since, seen = self._down.pop(press.button, (None, revision))
        if since is None:
            return []  # a long press that has acted already
        action = self._find(press.button, mode, long=False)
        if action is None:
            return [Intent(I.NOTHING, None, seen, press.t)]
        return [Intent(action.intent, action.arg, seen, press.t)]

    def poll(self, t: float, mode: Mode) -> list[Intent]:
        intents = []
        for button, (since, seen) in list(self._down.items()):
            action = self._find(button, mode, long=True)
            if action is None:
                continue
            if t - since >= (UNDO_S if action.button is Button.ROLL else LONG_S):
                del self._down[button]
                intents.append(Intent(action.intent, action.arg, seen, t))
        return intents

    def _find(self, button: Button, mode: Mode, *, long: bool) -> Action | None:
        return next((a for a in actions(self.layout, mode) if a.button is button and a.long is long), None)


def hints(layout: int, mode: Mode, names: Iterable[tuple[Button, str]] = ()) -> tuple[Action, ...]:
    """The actions worth a place on the screen, each with the key that stands for its button where there is one.

    The six HOLD buttons of one kind become one line.
    """
    printed = dict(names)
    out: list[Action] = []
    for a in actions(layout, mode):
        key = printed.get(a.button, "").upper() or _printed(Action(a.button, a.intent, ""), layout)
        if a.arg is not None and a.arg > 1:
            continue
        if a.arg == 1 and a.intent in (I.MARK, I.CORRECT, I.VALUE, I.COUNT):
            first, last = (printed.get(b, "") for b in (HOLDS[0], HOLDS[-1]))
            key = f"{first}-{last}" if first else "HOLD 1-6"
            text = {I.MARK: "hold a die", I.CORRECT: "correct a die", I.VALUE: "set its value", I.COUNT: "players"}[
                a.intent
            ]
            a = Action(a.button, a.intent, text, None, a.long)
        out.append(Action(a.button, a.intent, a.words, a.arg, a.long, f"{key} long" if a.long else key))
    return tuple(out)


def lamps_for(table: Table, layout: int) -> frozenset[Button]:
    """The buttons whose lamps are lit: those of held dice, and the ones that would not be refused."""
    mode = table.mode
    if mode is Mode.PLAY and table.play is not None and table.play.dice:
        if layout == 3:
            holds = {Button.HOLD1} if table.die in table.play.marks else set()
        else:
            holds = {HOLDS[n - 1] for n in table.play.marks if n <= len(HOLDS)}
    else:
        holds = {a.button for a in actions(layout, mode) if a.button in HOLDS and mode is not Mode.PLAY}
    return frozenset(holds | {a.button for a in actions(layout, mode) if a.button not in HOLDS and may(table, a)})


def may(table: Table, action: Action) -> bool:
    """Would this button be taken now? Only what can be told beforehand; a refusal still says why."""
    play = table.play
    if play is None or table.mode not in (Mode.PLAY, Mode.CHOOSE):
        return True
    thrown = bool(play.dice)
    match action.intent:
        case I.MARK | I.NEXT if table.mode is Mode.PLAY:
            return thrown and table.rolls_left > 0 and (action.arg is None or action.arg <= len(play.dice))
        case I.ROLL | I.BACK:
            return not thrown or table.rolls_left > 0
        case I.SCORE:
            return thrown or table.must_enter or (play.banking and play.game.check(rules.Stop()) is None)
        case I.UNDO:
            return play.last_move is not None
        case _:
            return True
