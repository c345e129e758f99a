"""From presses to intents: one reading of what was pressed, for buttons, keys and touch alike.

Room: firmware. What a button means is the scene's to say (`Scene.actions`). Short presses act when the button is let
go, long ones as soon as they are long enough, and the letting go then means nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from firmware.events import Intent
from firmware.events import IntentKind as I
from hardware.buttons import HOLDS, Button, Press, PressKind
from rules.said import said as _

if TYPE_CHECKING:
    from firmware.table import Table

LONG_S = 0.8
MANY = {
    I.MARK: _("hold a die"),
    I.CORRECT: _("correct a die"),
    I.VALUE: _("set its value"),
    I.COUNT: _("players"),
}
"""What the six HOLD buttons do together."""
REPEAT_S = 0.6
"""An action that `repeats` comes again so often while its button stays down."""
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
    both: Button | None = None
    """Another button that must be held together with this one."""
    repeats: bool = False
    """It comes again and again while the button stays down, also in a scene that was opened by it."""


GAME_MENU = Action(Button.ROLL, I.MENU, _("menu"), both=Button.SCORE)
"""The menu of a game: on all panels two buttons together, since each alone has something to do."""


def actions(table: Table, layout: int) -> tuple[Action, ...]:
    """All that the panel with `layout` buttons can ask for now, in the order in which the screen lists it."""
    made = [*table.scene.actions(table, layout), *((GAME_MENU,) if table.may_pause else ())]
    return tuple(replace(a, key=a.key or _printed(a, layout)) for a in made)


def _printed(action: Action, layout: int) -> str:
    name = action.button.value
    plain = "HOLD" if layout == 3 and action.button is Button.HOLD1 else name.upper().replace("HOLD", "HOLD ")
    if action.both is not None:
        return f"{plain} + {_printed(replace(action, button=action.both, both=None), layout)}"
    return f"{plain} long" if action.long else plain


def undo_actions(layout: int) -> list[Action]:
    """UNDO where a scene has it: a button of its own, or ROLL held."""
    if layout == 11:
        return [Action(Button.UNDO, I.UNDO, _("undo"))]
    return [Action(Button.ROLL, I.UNDO, _("undo"), long=True)]


CHORD_S = 0.6
"""Two buttons that are down together for so long are meant together; let go sooner, each is a press of its own."""
MENU_S = 1.0
SERVICE_S = 5.0
SERVICE = frozenset({Button.HOLD1, Button.SCORE})
"""What opens the service menu, on every panel and in every scene."""


class PressReader:
    """Turns presses into intents. `feed` takes a press, `poll` notices that a button has been down long enough, or two
    of them together.

    `offered` are the actions that the person saw, `revision` the state that they belong to.
    """

    def __init__(self) -> None:
        self._down: dict[Button, tuple[float, int]] = {}  # since when, and the revision that was on the screen
        self._running: dict[Button, float] = {}  # when an action that repeats comes again
        self._chord: tuple[frozenset[Button], float, int] | None = None
        self._left_s = 0

    def feed(self, press: Press, offered: Sequence[Action], revision: int) -> list[Intent]:
        if press.kind is PressKind.DOWN:
            self._down[press.button] = (press.t, revision)
            return []
        if self._chord is not None and press.button in self._chord[0]:
            chord, self._chord = self._chord[0], None
            return [Intent(I.SERVICE, -1, revision, press.t)] if chord == SERVICE else []
        self._running.pop(press.button, None)
        since, seen = self._down.pop(press.button, (None, revision))
        if since is None:
            return []  # a long press that has acted already
        action = _find(offered, press.button, long=False)
        if action is None:
            return [Intent(I.NOTHING, None, seen, press.t)]
        return [Intent(action.intent, action.arg, seen, press.t)]

    def poll(self, t: float, offered: Sequence[Action], revision: int = 0) -> list[Intent]:
        """`revision` is the state that is on the screen now: what repeats is meant for it."""
        forming = self._forming(t, offered)
        intents = self._chorded(t, offered)
        for button, (since, seen) in list(self._down.items()):
            action = _find(offered, button, long=True)
            if action is None or button in forming:
                continue
            if t - since >= (UNDO_S if action.button is Button.ROLL else LONG_S):
                del self._down[button]
                intents.append(Intent(action.intent, action.arg, seen, t))
                if action.repeats:
                    self._running[button] = t + REPEAT_S
        for button, due in list(self._running.items()):
            action = _find(offered, button, long=True)
            if t >= due and action is not None and action.repeats:
                self._running[button] = t + REPEAT_S
                intents.append(Intent(action.intent, action.arg, revision, t))
        return intents

    def _forming(self, t: float, offered: Sequence[Action]) -> frozenset[Button]:
        """The buttons that are down together and mean something together."""
        pairs = [SERVICE, *(frozenset({a.button, a.both}) for a in offered if a.both is not None)]
        for pair in pairs:
            if not all(button in self._down for button in pair):
                continue
            since = max(self._down[b][0] for b in pair if b is not None)
            if t - since < CHORD_S:
                return frozenset(b for b in pair if b is not None)
            revision = max(self._down.pop(b)[1] for b in pair if b is not None)
            self._chord = (frozenset(b for b in pair if b is not None), since, revision)
            self._left_s = round(SERVICE_S)
        return frozenset()

    def _chorded(self, t: float, offered: Sequence[Action]) -> list[Intent]:
        if self._chord is None:
            return []
        pair, since, revision = self._chord
        if pair != SERVICE:
            found = next((a for a in offered if a.both is not None and frozenset({a.button, a.both}) == pair), None)
            if found is None or t - since < MENU_S:
                return []
            self._chord = (frozenset(), t, revision)  # it has acted; what is let go means nothing
            return [Intent(found.intent, found.arg, revision, t)]
        left_s = max(0, round(SERVICE_S - (t - since) + 0.499))
        if left_s >= self._left_s:
            return []
        self._left_s = left_s
        if not left_s:
            self._chord = (frozenset(), t, revision)
        return [Intent(I.SERVICE, left_s, revision, t)]


def _find(offered: Sequence[Action], button: Button, *, long: bool) -> Action | None:
    return next((a for a in offered if a.button is button and a.long is long and a.both is None), None)


def hints(table: Table, layout: int, names: Iterable[tuple[Button, str]] = ()) -> tuple[Action, ...]:
    """The actions worth a place on the screen, each with the key that stands for its button where there is one.

    The six HOLD buttons of one kind become one line.
    """
    printed = dict(names)
    out: list[Action] = []
    for a in actions(table, layout):
        key = printed.get(a.button, "").upper() or _printed(Action(a.button, a.intent, ""), layout)
        if a.both is not None:
            key = f"{key} + {printed.get(a.both, '').upper() or _printed(Action(a.both, a.intent, ''), layout)}"
            out.append(replace(a, key=key))
            continue
        of_six = a.intent in MANY and not a.repeats
        if of_six and a.arg is not None and a.arg > 1:
            continue
        if of_six and a.arg == 1:
            first, last = (printed.get(b, "") for b in (HOLDS[0], HOLDS[-1]))
            key = f"{first}-{last}" if first else "HOLD 1-6"
            a = Action(a.button, a.intent, MANY[a.intent], None, a.long)
        out.append(Action(a.button, a.intent, a.words, a.arg, a.long, f"{key} long" if a.long else key))
    return tuple(out)


def lamps_for(table: Table, layout: int) -> frozenset[Button]:
    """The buttons whose lamps are lit: those of held dice, and the ones whose short press would not be refused."""
    offered = actions(table, layout)
    held = table.scene.held(table)
    if held is None:
        holds = {a.button for a in offered if a.button in HOLDS}
    elif layout == 3:
        holds = {Button.HOLD1} if table.die in held else set()
    else:
        holds = {HOLDS[n - 1] for n in held if n <= len(HOLDS)}
    rest = {a.button for a in offered if a.button not in HOLDS and not a.long and a.both is None and may(table, a)}
    return frozenset(holds | rest)


def may(table: Table, action: Action) -> bool:
    """Would this button be taken now? Only what can be told beforehand; a refusal still says why."""
    return table.scene.may(table, action)
