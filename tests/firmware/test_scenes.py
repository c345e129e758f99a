"""Every scene is reached by buttons, leads back to the invitation, and says what to press, on every panel."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable

import pytest

from firmware.events import CameraState, Facts, Intent, Tick
from firmware.events import IntentKind as I
from firmware.intents import Action, PressReader, actions, hints, lamps_for
from firmware.pace import IDLE_S, KEPT_S
from firmware.scene import Mode
from firmware.scene_list import ListScene
from firmware.table import Table
from firmware.views import view_of
from hardware.buttons import HOLDS, LAYOUTS, Button, Press, PressKind
from hardware.faults import CODES

from .evening import Evening

FACTS = {
    "names": ("Cleo", "Dan"),
    "platform": "pi",
    "dice_sets": ("16 mm", "9 cm"),
    "dice": "16 mm",
    "night": (("Ann", 312, "yardzee"),),
    "language": "en",
}
FORMS = (Mode.ENTRY, Mode.ASK, Mode.NAMES)
Step = Action | str
Key = tuple[object, ...]

HAPPENS: dict[str, Callable[[Evening], object]] = {
    "throw": lambda e: e.throw((5, 2, 5, 6, 5)),
    "lay": lambda e: e.lay((5, 2, 5, 6, 1), (2, 5, 5, 6)),
    "hidden": lambda e: e.unreadable((5, 2, 5), "cocked"),
    "chord": lambda e: e.table.handle(Intent(I.SERVICE, 0, -1, e.t)),
    "no camera": lambda e: e.table.handle(CameraState(False, e.t, "CAM-04", CODES["CAM-04"].words)),
    "answer": lambda e: e.table.handle(Facts({"calibration": (getattr(e.table.scene, "step", ""), "", "")})),
    "thrown": lambda e: e.table.handle(Facts({"calibration_throw": (2, 10, (1, 2, 3, 4, 5))})),
    "tick": lambda e: e.table.handle(Tick(e.t)),
}
"""What happens besides presses."""


def arrive(path: tuple[Step, ...], layout: int) -> Evening:
    """A table that this has happened to, from the invitation on."""
    e = Evening(names=("Ann", "Bo"), attract=True, die_cursor=layout == 3)
    e.table.handle(Facts({**FACTS, "buttons": layout, "pin": "1" if layout == 8 else ""}))
    for step in path:
        if isinstance(step, str):
            HAPPENS[step](e)
        else:
            e.press(step.intent, step.arg)
    return e


def key_of(table: Table) -> Key:
    """What makes a place in the graph: the scenes that are open, the line that is marked, how far the game is."""
    scene = table.scene
    play, up = table.play, table.sight.camera.delivering
    at = min(scene.at, len(scene.lines(table)) - 1) if isinstance(scene, ListScene) else 0
    if table.open_scenes and table.mode not in FORMS:
        # What lies beneath a menu makes no difference to it, but for whether there is a game.
        return (table.mode, tuple(s.mode for s in table.open_scenes if s.mode not in FORMS), at, play is None, up)
    stage = None if play is None else (bool(play.dice), table.over)
    return (table.mode, tuple(s.mode for s in table.open_scenes), stage, up)


def explore(layout: int) -> tuple[dict[Key, tuple[Step, ...]], dict[Key, set[Key]]]:
    """All places that lie within reach, each with a way to it; and what leads where."""
    start = arrive((), layout)
    ways: dict[Key, tuple[Step, ...]] = {key_of(start.table): ()}
    leads: dict[Key, set[Key]] = defaultdict(set)
    todo = deque(ways)
    while todo:
        here = todo.popleft()
        path = ways[here]
        e = arrive(path, layout)
        steps: list[Step] = list(dict.fromkeys(actions(e.table, layout)))
        if here[0] in (Mode.ATTRACT, Mode.MENU, Mode.PLAY, Mode.CALIBRATE):
            steps += list(HAPPENS)
        for step in steps:
            there = key_of(arrive((*path, step), layout).table)
            leads[here].add(there)
            if there not in ways and len(path) < 20:
                ways[there] = (*path, step)
                todo.append(there)
    return ways, leads


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_scene_is_reached_and_leads_back_to_the_invitation(layout: int) -> None:
    ways, leads = explore(layout)
    reached = {key[0] for key in ways}
    unreached = set(Mode) - reached - ({Mode.PIN} if layout != 8 else set())
    assert unreached <= {Mode.RESULT}, "the result is at the end of a game, which is played out elsewhere"

    back: dict[Key, set[Key]] = defaultdict(set)
    for here, there in leads.items():
        for place in there:
            back[place].add(here)
    good = {key for key in ways if key[0] is Mode.ATTRACT}
    todo = list(good)
    while todo:
        for place in back[todo.pop()] - good:
            good.add(place)
            todo.append(place)
    stuck = [(key, ways[key]) for key in ways if key not in good and key in leads]
    assert not stuck, f"no way back to the invitation from {stuck[:3]}"

    for key, path in ways.items():
        e = arrive(path, layout)
        view = view_of(e.table, hints(e.table, layout))
        assert view.prompt, f"nothing says what to do in {key}"
        assert view.keys, f"no button is named in {key}"
        assert lamps_for(e.table, layout) or key[0] is Mode.BUTTONS, f"no lamp is lit in {key}"


def test_the_result_leads_back_too() -> None:
    e = Evening(players=1, attract=True)
    e.press(I.SCORE)
    e.press(I.SCORE)
    for _ in range(13):
        e.throw((1, 2, 3, 4, 6))
        e.press(I.SCORE)
        e.press(I.SCORE)
    assert e.table.mode is Mode.RESULT
    e.press(I.ROLL)
    e.press(I.UNDO)
    assert e.table.mode is Mode.ATTRACT


class Hand:
    """Presses real buttons of a panel, and counts how often."""

    def __init__(self, layout: int) -> None:
        self.e = Evening(names=("Ann", "Bo"), attract=True, die_cursor=layout == 3)
        self.e.table.handle(Facts({"buttons": layout}))
        self.layout, self.reader, self.presses = layout, PressReader(), 0

    def press(self, button: Button, until: Callable[[Table], bool] | None = None) -> None:
        """Press a button; with `until` keep it down until that is to be seen."""
        e, t = self.e, self.e.t + 1.0
        self.presses += 1
        self._say(self.reader.feed(Press(button, PressKind.DOWN, t), self._offered(), e.table.revision))
        while until is not None and not until(e.table):
            t += 0.05
            assert t < e.t + 12.0, "that never comes"
            self._say(self.reader.poll(t, self._offered(), e.table.revision))
        self._say(self.reader.feed(Press(button, PressKind.UP, t + 0.1), self._offered(), e.table.revision))
        e.t = t + 0.1

    def _offered(self) -> tuple[Action, ...]:
        return actions(self.e.table, self.layout)

    def _say(self, intents: list[Intent]) -> None:
        for intent in intents:
            self.e._take(self.e.table.handle(intent))
            assert self.e.code is None


@pytest.mark.parametrize("layout", LAYOUTS)
def test_from_the_invitation_to_the_first_throw_in_two_presses(layout: int) -> None:
    """The same again, and every number of players."""
    hand = Hand(layout)
    hand.press(Button.SCORE)
    hand.press(Button.SCORE)
    play = hand.e.table.play
    assert play is not None
    assert (play.players, hand.presses) == (("Ann", "Bo"), 2)

    for players in range(1, 9):
        hand = Hand(layout)

        def there(table: Table, players: int = players) -> bool:
            return table.mode is Mode.MENU and table.count == players

        if layout == 3:
            hand.press(Button.HOLD1, until=there)
        elif players <= len(HOLDS):
            hand.press(HOLDS[players - 1])
        else:
            hand.press(HOLDS[-1], until=there)
        hand.press(Button.SCORE)
        play = hand.e.table.play
        assert play is not None
        assert (len(play.players), hand.presses) == (players, 2)
        hand.e.throw((5, 2, 5, 6, 5))
        assert hand.e.dice == (5, 2, 5, 6, 5)


def test_a_button_that_counts_goes_no_further_than_its_scene() -> None:
    """It counts on round and round, and letting go means nothing; what is opened meanwhile is not moved by it."""
    hand = Hand(3)
    hand.press(Button.HOLD1, until=lambda table: table.count == 8)
    assert hand.e.table.mode is Mode.MENU
    reader, table = PressReader(), hand.e.table
    reader.feed(Press(Button.HOLD1, PressKind.DOWN, 20.0), actions(table, 3), table.revision)
    for intent in reader.poll(21.0, actions(table, 3), table.revision):
        table.handle(intent)
    assert table.count == 1
    hand.e.press(I.GAME)
    assert reader.poll(23.0, actions(table, 3), table.revision) == []
    assert reader.feed(Press(Button.HOLD1, PressKind.UP, 23.1), actions(table, 3), table.revision) == []


def test_a_name_that_is_half_entered_is_forgotten_with_its_menu() -> None:
    e = Evening(names=("Ann", "Bo"), attract=True)
    for kind in (I.SCORE, I.SCORE, I.MENU):
        e.press(kind)
    for _ in range(3):
        e.press(I.DOWN)
    for kind in (I.SCORE, I.SCORE):
        e.press(kind)
    assert e.table.mode is Mode.NAME
    e.table.handle(Tick(100.0))
    e.table.handle(Tick(100.0 + IDLE_S))
    e.press(I.SCORE)
    assert e.table.mode is Mode.PLAY


def test_a_table_that_is_left_alone_invites_and_keeps_the_game_for_an_hour() -> None:
    e = Evening(names=("Ann", "Bo"), attract=True)
    e.press(I.SCORE)
    e.press(I.SCORE)
    e.throw((5, 2, 5, 6, 5))
    for t in range(0, int(IDLE_S), 60):
        e.table.handle(Tick(1000.0 + t))
        assert e.table.mode is Mode.PLAY
    e.table.handle(Tick(1000.0 + IDLE_S))
    assert e.table.mode is Mode.ATTRACT
    assert "Ann and Bo" in view_of(e.table, hints(e.table, 8)).prompt
    e.press(I.SCORE)
    assert e.table.mode is Mode.PLAY
    assert e.dice == (5, 2, 5, 6, 5), "the game is as it was"

    e.table.handle(Tick(3000.0))
    e.table.handle(Tick(3000.0 + IDLE_S))
    assert e.table.mode is Mode.ATTRACT
    e.throw((5, 5, 5, 1, 5), kept=(5, 5, 5))
    assert e.table.mode is Mode.PLAY, "whoever throws is back in the game"

    e.table.handle(Tick(9000.0))
    e.table.handle(Tick(9000.0 + IDLE_S))
    e.table.handle(Tick(9000.0 + KEPT_S - 1))
    assert e.table.play is not None
    done = e._take(e.table.handle(Tick(9000.0 + KEPT_S)))
    assert [r.kind for r in done.records] == ["leave"]
    assert e.table.play is None
    assert e.table.mode is Mode.ATTRACT
    e.press(I.SCORE)
    assert e.table.seats() == ("Ann", "Bo"), "seats are kept"
