"""Every panel plays every game: buttons as they are pressed, with dice that are entered by hand or seen."""

from __future__ import annotations

import random

import pytest

import rules
from firmware.events import Handled
from firmware.events import IntentKind as I
from firmware.intents import UNDO_S, PressReader, actions, lamps_for
from firmware.table import Mode
from firmware.turns import best_aside
from hardware.buttons import HOLDS, LAYOUTS, Button, Press, PressKind

from .evening import Evening

GAMES = [g.name for g in rules.games()]


class Panelled(Evening):
    """An evening at a table with so many buttons."""

    def __init__(self, layout: int, **settings: object) -> None:
        super().__init__(die_cursor=layout == 3, **settings)
        self.layout = layout
        self.reader = PressReader()

    def push(self, button: Button, *, long: bool = False) -> Handled:
        """Press a button, short or long, through the reader of presses."""
        assert button in LAYOUTS[self.layout]
        offered = actions(self.table, self.layout)
        self.t += 1.0
        self.reader.feed(Press(button, PressKind.DOWN, self.t), offered, self.table.revision)
        if long:
            intents = self.reader.poll(self.t + UNDO_S, offered)
            self.reader.feed(Press(button, PressKind.UP, self.t + UNDO_S), offered, self.table.revision)
        else:
            intents = self.reader.feed(Press(button, PressKind.UP, self.t + 0.1, 0.1), offered, self.table.revision)
        done = Handled()
        for intent in intents:
            done = self._take(self.table.handle(intent))
        return done

    def ask(self, intent: I, arg: int | None = None) -> Handled:
        """Press whatever button asks for this here; the panel must have one."""
        found = [a for a in actions(self.table, self.layout) if a.intent is intent and a.arg in (arg, None)]
        assert found, f"no button of {self.layout} asks for {intent} in {self.table.mode}"
        exact = [a for a in found if a.arg == arg]
        action = (exact or found)[0]
        return self.push(action.button, long=action.long)

    def hold(self, die: int) -> None:
        if self.layout != 3:
            self.push(HOLDS[die - 1])
            return
        while self.table.die != die:
            self.push(Button.HOLD1)
        self.push(Button.HOLD1, long=True)

    def set_value(self, value: int) -> None:
        """Give the die under the cursor a value."""
        form = self.table.entry
        assert form is not None
        if self.layout != 3:
            self.push(HOLDS[value - 1])
            return
        while form.values[form.cursor] != value:
            self.push(Button.HOLD1)

    def enter(self, values: tuple[int, ...]) -> None:
        """Enter dice in the form that is open, and accept them."""
        form = self.table.entry
        assert form is not None
        for n, value in enumerate(values):
            while form.cursor != n:
                self.ask(I.NEXT)
            if form.values[n] != value:
                self.set_value(value)
        self.ask(I.SCORE)


def turn(e: Panelled, rng: random.Random) -> None:
    """Throw, perhaps hold and throw again, and score or bank, by buttons."""
    play = e.table.play
    assert play is not None
    before = play.game.ply
    kept = tuple(d.value for d in play.lying)
    e.throw([*kept, *(rng.randint(1, 6) for _ in range(play.all_dice - len(kept)))], kept, rng.uniform(0, 60))
    assert play.game.ply > before
    if not play.dice:
        return
    if play.banking:
        e.ask(I.SCORE)
        if e.code:  # not enough to stop
            for face in best_aside(play):
                e.hold(next(n for n, d in enumerate(play.dice, 1) if d.value == face and n not in play.marks))
            e.ask(I.ROLL)
            assert not play.dice
        return
    if rng.random() < 0.3 and e.table.rolls_left:
        e.hold(rng.randint(1, len(play.dice)))
        e.ask(I.ROLL)
        held = tuple(d.value for d in play.lying)
        e.throw([*held, *(rng.randint(1, 6) for _ in range(play.all_dice - len(held)))], held, rng.uniform(0, 60))
    if e.table.mode is Mode.PLAY:
        e.ask(I.SCORE)
    for _ in range(rng.randrange(3)):
        e.ask(I.DOWN)
    e.ask(I.SCORE)
    assert e.code is None


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played_to_its_end_on_every_panel(game: str, layout: int) -> None:
    rng = random.Random(f"{game}{layout}")
    e = Panelled(layout, game=game, players=2)
    e.ask(I.SCORE)
    for _ in range(2000):
        if e.table.over:
            break
        turn(e, rng)
        assert lamps_for(e.table, layout), "some lamp is always lit"
    assert e.table.mode is Mode.RESULT
    e.ask(I.UNDO)
    assert e.table.mode is not Mode.RESULT
    mode = e.table.mode
    e.restart()
    assert e.table.mode is mode, "the journal leads to the same"


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_correction_and_an_undo_on_every_panel(layout: int) -> None:
    e = Panelled(layout, players=2)
    e.ask(I.SCORE)
    e.throw((5, 2, 5, 6, 5))
    e.ask(I.CORRECT)
    e.enter((5, 2, 5, 5, 5))
    assert e.dice == (5, 2, 5, 5, 5)
    e.hold(2)
    e.ask(I.ROLL)
    e.ask(I.UNDO)
    assert e.dice == (5, 2, 5, 5, 5)
    e.ask(I.UNDO)
    assert e.table.mode is Mode.AGAIN
    e.ask(I.SCORE)
    e.enter((5, 2, 5, 4, 5))
    assert e.dice == (5, 2, 5, 4, 5)
    e.ask(I.SCORE)
    e.ask(I.SCORE)
    assert e.totals[0] > 0
    e.ask(I.UNDO)
    assert e.totals == (0, 0)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_misread_takes_at_most_three_presses(layout: int) -> None:
    e = Panelled(layout, players=2)
    e.ask(I.SCORE)
    e.throw((5, 2, 5, 6, 5))
    if layout == 3:
        # One button for all: the least certain die comes first, with what the reader thought of besides.
        _doubted(e)
        e.push(Button.SCORE, long=True)
        e.push(Button.HOLD1)
    else:
        e.push(Button.HOLD4, long=True)
        e.push(Button.HOLD4)
    e.push(Button.SCORE)
    assert e.dice == (5, 2, 5, 4, 5)


def _doubted(e: Panelled) -> None:
    """A roll whose fourth die is doubted most, and the second next; the reader thought of 2 and 4 for the one, of 1 for
    the other."""
    from dataclasses import replace

    from vision.types import Reading, Status, TrayEventKind, TrayState

    from .evening import die

    e.press(I.PICK, "chance")
    sure = {6: 0.5, 2: 0.7}
    thought = {6: ((2, 0.3), (4, 0.2)), 2: ((1, 0.1),)}
    seen = tuple(
        replace(die(v, 130 + 120 * i, confidence=sure.get(v, 0.95)), others=thought.get(v, ()))
        for i, v in enumerate((5, 2, 5, 6, 5))
    )
    e._see(TrayEventKind.ROLL, TrayState.SETTLED, Reading(Status.READ, seen), thrown=(2, 5, 5, 5, 6))


@pytest.mark.parametrize(
    ("between", "after"),
    [
        ((), (5, 2, 5, 2, 5)),  # the likeliest misread is offered at once
        (((Button.HOLD1, False),), (5, 2, 5, 4, 5)),  # the second suggestion
        (((Button.ROLL, False),), (5, 1, 5, 6, 5)),  # the next die, and what was only offered is as it was
        (((Button.ROLL, False), (Button.HOLD1, True), (Button.HOLD1, False)), (5, 2, 5, 4, 5)),
        (((Button.HOLD1, False),) * 5, (5, 2, 5, 6, 5)),  # round to what the camera saw
    ],
)
def test_one_button_offers_what_the_reader_thought_of(
    between: tuple[tuple[Button, bool], ...], after: tuple[int, ...]
) -> None:
    e = Panelled(3, players=2)
    e.ask(I.SCORE)
    e.throw((5, 2, 5, 6, 5))
    _doubted(e)
    e.push(Button.SCORE, long=True)
    for button, long in between:
        e.push(button, long=long)
    e.push(Button.SCORE)
    assert e.dice == after
    assert e.table.mode is Mode.PLAY


def test_every_misread_is_put_right_on_one_button_in_eight_presses() -> None:
    from firmware.entry import correct
    from firmware.play import TableDie

    worst = 0
    for die in range(5):
        for value in range(1, 7):
            form = correct([TableDie(5, 0.9 - 0.1 * n) for n in range(5)], None, offers=True)
            way = (form.cursor - die) % 5
            for _ in range(min(way, 5 - way)):
                form.step(1 if way <= 2 else -1)
            turns = 0
            while form.values[die] != value:
                form.put(None)
                turns += 1
            assert [v for n, v in enumerate(form.values) if n != die] == [5] * 4
            if value != 5:
                worst = max(worst, 2 + min(way, 5 - way) + turns)
    assert worst == 8


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_name_is_entered_on_every_panel(layout: int) -> None:
    e = Panelled(layout, players=2)
    e.ask(I.NAMES)
    assert e.table.mode is Mode.NAMES
    scene = e.table.scene
    for letter in "ÉVE":
        while scene.letter != letter:  # type: ignore[attr-defined]
            e.ask(I.DOWN)
        e.ask(I.NEXT)
    e.ask(I.SCORE)
    e.ask(I.SCORE)
    assert e.table.mode is Mode.MENU
    assert e.table.seats() == ("Éve", "Player 2")
    e.ask(I.SCORE)
    assert e.table.play is not None
    assert e.table.play.players == ("Éve", "Player 2")


def test_what_a_name_may_be() -> None:
    e = Panelled(8, players=2, names=("Ann", "Bo"))
    e.ask(I.NAMES)
    for letter in "BO":
        e.press(I.PICK, letter)
    e.ask(I.SCORE)
    assert e.code == "NAME_TAKEN"
    e.ask(I.BACK)
    e.ask(I.BACK)
    e.press(I.PICK, " ")
    assert e.code == "NAME_BLANK"
    for _ in range(20):
        e.press(I.PICK, "X")
    assert e.code == "NAME_LONG"
    e.ask(I.SCORE)
    assert e.table.seats()[0] == "Xxxxxxxxxxx"
    e.press(I.UNDO)
    assert e.table.seats()[1] == "Bo"


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_roll_is_entered_without_a_camera_on_every_panel(layout: int) -> None:
    e = Panelled(layout, players=2)
    e.camera(False)
    e.ask(I.SCORE)
    e.ask(I.SCORE)
    e.enter((6, 6, 1, 2, 3))
    assert e.dice == (6, 6, 1, 2, 3)
