"""Menus: what is agreed before a game, who joins and leaves, practice, events, service, and two buttons together."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firmware.config import Config
from firmware.events import Facts, Tick
from firmware.events import IntentKind as I
from firmware.intents import CHORD_S, MENU_S, SERVICE_S, PressReader, actions, hints
from firmware.kept_settings import KeptSettings
from firmware.play import play_from
from firmware.scene import Mode
from firmware.scene_list import ListScene
from firmware.table import Event
from firmware.views import view_of
from hardware.buttons import LAYOUTS, Button, Press, PressKind
from vision.types import TrayState

from .evening import Evening


def go(e: Evening, *labels: str) -> None:
    """Move to each of these lines in turn, and take it."""
    for label in labels:
        scene = e.table.scene
        assert isinstance(scene, ListScene), f"{e.table.mode} is no list"
        for _ in scene.lines(e.table):
            line = scene.line(e.table)
            if line is not None and str(line.label) == label:
                break
            e.press(I.DOWN)
        else:
            raise AssertionError(f"no line {label!r} in {e.table.mode}")
        e.press(I.SCORE)


def prompt(e: Evening) -> str:
    return view_of(e.table, hints(e.table, 8)).prompt


def test_game_and_house_rules_are_chosen_by_buttons_and_the_rules_say_so() -> None:
    e = Evening(players=2)
    e.press(I.GAME)
    go(e, "Game", "Yahtzee")
    go(e, "House rules")
    go(e, "Columns on a card; the second counts twice, the third three times.")
    e.press(I.ROLL)
    go(e, "The rules as you play them")
    assert any("2 columns" in p for p in view_of(e.table, hints(e.table, 8)).paragraphs)
    e.press(I.SCORE)
    e.press(I.ROLL)
    e.press(I.SCORE)
    play = e.table.play
    assert play is not None
    assert (play.name, play.options) == ("yahtzee", {"columns": 2})
    e.restart()
    assert e.table.play is not None
    assert e.table.play.options == {"columns": 2}


def test_as_in_the_book_again() -> None:
    e = Evening(players=2)
    e.press(I.GAME)
    go(e, "House rules", "Points for a further five alike.")
    assert e.table.options_now() == {"extra": 150}
    go(e, "As in the book again")
    assert e.table.options_now() == {}


def test_teams_of_two_sit_opposite_each_other() -> None:
    e = Evening(players=1, names=("Ann", "Bo", "Cy", "Di"))
    e.press(I.GAME)
    go(e, "Teams")
    assert e.code == "TEAMS_FEW"
    e.press(I.ROLL)
    e.press(I.COUNT, 4)
    e.press(I.GAME)
    go(e, "Teams", "All in teams")
    assert [m.value for m in e.table.scene.menu(e.table) or ()] == ["2 + 2", "team 1", "team 2", "team 1", "team 2"]
    e.press(I.ROLL)
    e.press(I.ROLL)
    e.press(I.SCORE)
    play = e.table.play
    assert play is not None
    assert play.players == ("Ann & Cy", "Bo & Di")
    e.throw((1, 2, 3, 4, 5))
    e.restart()
    assert e.table.play is not None
    assert e.table.play.players == ("Ann & Cy", "Bo & Di")
    e.table.leave()
    assert e.table.seats() == ("Ann", "Bo", "Cy", "Di")
    assert e.table.sides() == [["Ann", "Cy"], ["Bo", "Di"]]


def test_teams_may_have_any_shape_and_are_found_again() -> None:
    e = Evening(game="classic", players=5, names=("Ann", "Bo", "Cy", "Di", "Ed"))
    e.press(I.GAME)
    shapes = []
    for _ in range(6):
        go(e, "Teams")
        shapes.append((e.table.scene.menu(e.table) or ())[0].value)
        e.press(I.RIGHT)
        e.press(I.ROLL)
    assert shapes == ["no", "3 + 2", "2 + 2 + 1", "2 + 1 + 1 + 1", "5", "no"]
    go(e, "Teams")
    while e.table.sides() != ["Ann", "Bo", "Cy", "Di", "Ed"]:
        e.press(I.RIGHT)
    go(e, "Cy", "Cy", "Cy")  # with Di, with Ed, with Ann
    assert e.table.sides() == [["Ann", "Cy"], "Bo", "Di", "Ed"]
    go(e, "Ed")  # alone is what he was, so the next is the first team
    assert e.table.sides() == [["Ann", "Cy", "Ed"], "Bo", "Di"]
    e.press(I.ROLL)
    e.press(I.ROLL)
    e.press(I.SCORE)
    play = e.table.play
    assert play is not None
    assert play.players == ("Ann & Cy & Ed", "Bo", "Di")
    throwers = []
    for _ in range(7):
        throwers.append(play.game.thrower)
        e.throw((1, 2, 3, 4, 6), shift=40.0 * len(throwers))
        e.press(I.SCORE)
        e.press(I.SCORE)
    assert throwers == ["Ann", "Bo", "Di", "Cy", "Bo", "Di", "Ed"]
    e.table.leave()
    assert e.table.sides() == [["Ann", "Cy", "Ed"], "Bo", "Di"]
    assert e.table.count == 5
    e.table.house["classic"] = {"head_start": (0, 10, 20)}
    assert e.table.options_now() == {"head_start": [0, 10, 20]}


def test_names_come_from_those_that_are_remembered_and_seats_change_places() -> None:
    e = Evening(players=2, names=("Ann", "Bo"))
    e.table.handle(Facts({"names": ("Bo", "Cleo")}))
    e.press(I.GAME)
    go(e, "Names and seats")
    go(e, "Seat 1")
    assert [m.label for m in e.table.scene.menu(e.table) or ()] == ["A new name", "Cleo"], "who sits is not offered"
    go(e, "Cleo")
    assert e.table.seats() == ("Cleo", "Bo")
    e.press(I.RIGHT)
    assert e.table.seats() == ("Bo", "Cleo")
    go(e, "Seat 1", "A new name")
    e.press(I.SCORE)
    assert e.code == "NAME_BLANK"
    for letter in "EVE":
        e.press(I.PICK, letter)
    e.press(I.SCORE)
    assert e.table.seats() == ("Eve", "Cleo")
    assert e.table.facts["names"][0] == "Eve", "she is remembered from now on"


def test_a_late_player_joins_between_two_rolls_and_nothing_else_changes() -> None:
    e = Evening(players=2, names=("Ann", "Bo"))
    e.table.handle(Facts({"names": ("Cleo",)}))
    e.press(I.SCORE)
    e.throw((5, 2, 5, 6, 5))
    e.press(I.MARK, 1)
    e.press(I.MARK, 3)
    e.press(I.ROLL)
    e.press(I.MENU)
    go(e, "A player joins", "Cleo")
    play = e.table.play
    assert play is not None
    assert play.players == ("Ann", "Bo", "Cleo")
    assert (play.game.turn, [d.value for d in play.lying]) == (0, [5, 5])
    e.throw((5, 1, 5, 3, 4), kept=(5, 5))
    assert e.dice == (5, 1, 5, 3, 4)
    e.press(I.CORRECT, 1)  # one of those that were kept, before and after she came
    e.press(I.VALUE, 6)
    e.press(I.SCORE)
    assert e.dice == (6, 1, 5, 3, 4)
    assert [d.value for d in play.lies[0]] == [6, 2, 5, 6, 5]
    e.restart()
    assert e.table.play is not None
    assert e.table.play.players == ("Ann", "Bo", "Cleo")
    assert e.dice == (6, 1, 5, 3, 4)


def test_who_leaves_is_asked_no_more_and_is_not_in_the_rematch() -> None:
    e = Evening(players=3, names=("Ann", "Bo", "Cy"))
    e.press(I.SCORE)
    e.throw((5, 2, 5, 6, 5))
    e.press(I.MENU)
    go(e, "A player leaves", "Ann")
    play = e.table.play
    assert play is not None
    assert (play.game.present, play.game.turn) == ((False, True, True), 1)
    e.press(I.UNDO)
    assert play.game.present == (True, True, True)
    e.press(I.MENU)
    go(e, "A player leaves", "Bo")
    e.table.rematch()
    assert e.table.play is not None
    assert (e.table.play.players, e.table.play.first) == (("Ann", "Cy"), 1)


def test_who_leaves_takes_along_a_roll_that_was_taken_back() -> None:
    e = Evening(game="yardkle", players=3, names=("Ann", "Bo", "Cy"))
    e.press(I.SCORE)
    e.throw((1, 5, 3, 3, 2, 6))
    e.throw((1, 5, 4, 4, 2, 6), kept=(1, 5))
    e.press(I.UNDO)
    assert e.table.mode is Mode.AGAIN
    e.press(I.MENU)
    go(e, "A player leaves", "Ann")
    assert e.table.mode is Mode.PLAY
    play = e.table.play
    assert play is not None
    assert (play.game.turn, play.asked, play.lying) == (1, None, ())
    e.throw((1, 5, 3, 3, 2, 6), shift=40.0)
    assert e.dice == (1, 5, 3, 3, 2, 6)


def test_the_game_is_ended_early_only_after_a_question() -> None:
    e = Evening(players=2, names=("Ann", "Bo"))
    e.press(I.SCORE)
    e.press(I.MENU)
    go(e, "End the game now", "No, go back")
    assert e.table.play is not None
    go(e, "End the game now", "Yes, nobody wins it")
    assert e.table.play is None
    assert e.journal[-1].kind == "leave"


def test_practice_leaves_no_record() -> None:
    e = Evening(players=1)
    e.press(I.GAME)
    go(e, "Practice, without a record")
    e.press(I.ROLL)
    e.press(I.SCORE)
    e.picture = "p1"
    done = e.throw((5, 2, 5, 6, 5))
    e.press(I.PICK, "fives")
    assert e.totals == (15,)
    assert e.journal == []
    assert not [o for o in done.orders if o.name == "keep_picture"]
    assert "practice" in view_of(e.table, hints(e.table, 8)).banners
    e.press(I.MENU)
    go(e, "End the game now", "Yes, nobody wins it")
    assert e.journal == []


def test_an_event_has_its_own_game_and_a_shot_clock_that_decides_nothing() -> None:
    e = Evening(players=2, names=("Ann", "Bo"), event=Event("Fair", {"extra": 50}, clock_s=20))
    e.press(I.GAME)
    labels = [m.label for m in e.table.scene.menu(e.table) or ()]
    assert "Game" not in labels
    assert "House rules" not in labels
    e.press(I.ROLL)
    e.press(I.SCORE)
    assert e.journal[0].data["options"] == {"extra": 50}
    e.table.handle(Tick(100.0))
    assert e.table.clock_left == 20
    e.table.handle(Tick(115.5))
    assert e.table.clock_left == 5
    assert "5 seconds" in view_of(e.table, hints(e.table, 8)).banners
    e.press(I.MENU)
    e.table.handle(Tick(500.0))
    assert e.table.clock_left == 5, "it stands while a menu is open"
    e.press(I.ROLL)
    e.table.handle(Tick(505.0))
    assert e.code == "TIME"
    assert e.table.play is not None
    assert e.table.play.game.ply == 0
    e.throw((1, 2, 3, 4, 6))
    e.table.handle(Tick(506.0))
    assert e.table.clock_left == 20


@pytest.mark.parametrize("layout", LAYOUTS)
def test_two_buttons_open_the_game_menu_and_five_seconds_of_them_service(layout: int) -> None:
    e = Evening(players=2, die_cursor=layout == 3)
    e.press(I.SCORE)

    def hold(pair: tuple[Button, Button], seconds: float) -> None:
        reader, t = PressReader(), 10.0
        for button in pair:
            offered = actions(e.table, layout)
            for intent in reader.feed(Press(button, PressKind.DOWN, t), offered, e.table.revision):
                e._take(e.table.handle(intent))
            t += 0.1
        until = t + seconds
        while t < until:
            offered = actions(e.table, layout)
            for intent in reader.poll(t, offered):
                said.append((e.table.handle(intent), e.table.message and e.table.message.words)[1])
            t += 0.05
        for button in pair:
            for intent in reader.feed(Press(button, PressKind.UP, t), actions(e.table, layout), e.table.revision):
                e._take(e.table.handle(intent))

    said: list[object] = []
    hold((Button.ROLL, Button.SCORE), MENU_S + 0.2)
    assert e.table.mode is Mode.PAUSE
    e.press(I.ROLL)
    hold((Button.HOLD1, Button.SCORE), SERVICE_S - 1.0)
    assert e.table.mode is Mode.PLAY
    assert e.table.message is None, "let go: nothing has happened"
    assert [s for s in said if s and "4" in str(s)]
    hold((Button.SCORE, Button.HOLD1), SERVICE_S + 0.3)
    assert e.table.mode is Mode.SERVICE
    e.press(I.ROLL)
    assert e.table.mode is Mode.PLAY
    e.throw((1, 2, 3, 4, 6))
    hold((Button.HOLD1, Button.SCORE), CHORD_S / 3)
    assert e.table.mode is Mode.CHOOSE, "a short overlap is two presses"


def test_a_pin_keeps_guests_out() -> None:
    e = Evening(players=2)
    e.table.handle(Facts({"pin": "26"}))
    e.press(I.SERVICE, 0)
    assert e.table.mode is Mode.PIN
    for digit in (2, 2):
        e.press(I.VALUE, digit)
    assert e.code == "PIN_WRONG"
    for digit in (2, 6):
        e.press(I.VALUE, digit)
    assert e.table.mode is Mode.SERVICE


def test_service_changes_settings_and_asks_before_it_switches_off() -> None:
    e = Evening(players=2)
    e.table.handle(Facts({"platform": "pi", "screen.theme": "dark", "sound.volume": 60}))
    e.press(I.SERVICE, 0)
    go(e, "Sound, screen, language")
    for _ in range(5):
        e.press(I.DOWN)
    done = e.press(I.SCORE)
    assert [(o.name, o.args) for o in done.orders] == [("set", {"key": "screen.theme", "value": "daylight"})]
    e.press(I.ROLL)
    go(e, "Switch off", "No, go back")
    assert e.table.mode is Mode.SERVICE
    go(e, "Switch off")
    e.press(I.DOWN)
    done = e.press(I.SCORE)
    assert [o.name for o in done.orders] == ["poweroff"]


def test_a_remembered_name_is_changed_or_forgotten_by_buttons() -> None:
    e = Evening(players=2, names=("Ann", "Bo"))
    e.table.handle(Facts({"names": ("Ann", "Bo", "Cleo")}))
    e.press(I.SCORE)
    e.press(I.SERVICE, 0)
    go(e, "Players", "Ann", "Another name")
    assert e.code == "PLAYS_NOW"
    e.table.leave()
    e.press(I.SERVICE, 0)
    go(e, "Players", "Ann", "Another name")
    for letter in "BO":
        e.press(I.PICK, letter)
    e.press(I.SCORE)
    assert e.code == "NAME_TAKEN"
    e.press(I.PICK, "B")
    done = e.press(I.SCORE)
    assert [(o.name, o.args) for o in done.orders] == [("rename", {"old": "Ann", "new": "Bob"})]
    assert (e.table.mode, e.table.facts["names"]) == (Mode.PLAYERS, ("Bob", "Bo", "Cleo"))
    assert e.table.seats() == ("Bob", "Bo")
    go(e, "Bo", "Forget the name", "No, go back", "Forget the name")
    assert prompt(e) == "Forget Bo for good?"
    done = e.press(I.DOWN)
    done = e.press(I.SCORE)
    assert [(o.name, o.args) for o in done.orders] == [("forget", {"name": "Bo"})]
    assert (e.table.mode, e.table.facts["names"]) == (Mode.PLAYERS, ("Bob", "Cleo"))
    assert e.table.seats() == ("Bob", "Player 2")


def test_nobody_is_seated_under_a_name_that_was_erased() -> None:
    e = Evening(players=2, names=("Erased 1", "Bo"))
    e.press(I.SCORE)
    e.restart()
    e.table.leave()
    assert e.table.seats() == ("Player 1", "Bo")


def test_a_throw_in_the_service_menu_does_not_count() -> None:
    e = Evening(players=2)
    e.press(I.SCORE)
    e.press(I.SERVICE, 0)
    e.throw((1, 2, 3, 4, 6))
    assert e.code == "NO_THROW_NOW"
    assert e.table.play is not None
    assert e.table.play.game.ply == 0


def answer(e: Evening, step: str, code: str = "", said: str = "") -> list[tuple[str, object]]:
    """The camera process has ended a step; what is ordered by that."""
    done = e.table.handle(Facts({"calibration": (step, code, said)}))
    return [(o.name, o.args.get("step", o.args.get("value"))) for o in done.orders]


def calibrating() -> Evening:
    e = Evening(players=2)
    e.table.handle(Facts({"calibration_file": "/data/table.json", "dice": "16 mm", "dice_sets": ("16 mm", "9 cm")}))
    e.press(I.SERVICE, 0)
    return e


def test_calibration_goes_step_by_step_with_the_camera_process() -> None:
    e = calibrating()
    go(e, "Calibrate the tray")
    done = e.press(I.SCORE)
    assert [(o.name, o.args) for o in done.orders] == [("calibrate", {"step": "empty", "dice": "", "add": False})]
    e.press(I.SCORE)
    assert e.code == "CAL_WAIT"
    assert answer(e, "empty", "LIGHT-01", "it is too dark") == []
    assert e.code == "LIGHT-01"
    for step in ("empty", "throw"):
        done = e.press(I.SCORE)
        assert done.orders[0].args["step"] == step
        assert answer(e, step) == ([("calibrate", "test")] if step == "throw" else [])
    # Ten throws: one that is not sure, one that was read wrong, one that was not after all.
    e.press(I.SCORE)
    assert e.code == "CAL_NO_THROW"
    for number in range(2, 12):
        values = () if number == 4 else (1, 2, 3, 4, number % 6 + 1)
        before = e.table.revision
        e.table.handle(Facts({"calibration_throw": (number, 10, values)}))
        assert e.table.revision > before, "a press for the throw before is not meant for this one"
        if number == 4:
            assert "not sure" in str(e.table.scene.prompt(e.table))
            e.press(I.SCORE)
            assert e.code == "CAL_NO_THROW"
        if number in (6, 7):
            e.press(I.SCORE)
        if number == 7:
            e.press(I.SCORE)
    assert answer(e, "test") == []
    assert prompt(e) == "Of 10 throws: 8 right, 1 not sure, 1 wrong"
    done = e.press(I.SCORE)
    assert done.orders[0].args | {"step": "use", "file": "/data/table.json", "wrong": 1} == done.orders[0].args
    assert answer(e, "use", "CAL-06", "it can't be written") == []
    assert e.code == "CAL-06"
    assert e.table.mode is Mode.CALIBRATE
    e.press(I.SCORE)
    e.table.handle(Facts({"dice_sets": ("16 mm", "9 cm"), "dice": "16 mm"}))
    assert answer(e, "use") == [("set", "16 mm"), ("set", "/data/table.json")]
    assert e.table.mode is Mode.SERVICE


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_test_of_a_calibration_may_be_cut_short_and_all_of_it_given_up(layout: int) -> None:
    e = calibrating()
    go(e, "Calibrate the tray")
    for step in ("empty", "throw"):
        e.press(I.SCORE)
        answer(e, step)
    e.table.handle(Facts({"calibration_throw": (2, 10, (1, 2, 3, 4, 5))}))
    enough = next(a for a in actions(e.table, layout) if a.words == "enough throws")
    done = e.press(enough.intent)
    assert [o.args["step"] for o in done.orders] == ["stop"]
    assert prompt(e) == "Of 1 throw: 1 right, 0 not sure, 0 wrong"
    done = e.press(I.BACK)
    assert [o.args["step"] for o in done.orders] == ["stop"]
    assert e.table.mode is Mode.SERVICE


def test_a_camera_that_goes_away_meanwhile_ends_the_step_that_waited_for_it() -> None:
    e = calibrating()
    go(e, "Calibrate the tray")
    e.press(I.SCORE)
    answer(e, "empty")
    e.press(I.SCORE)
    e.camera(False)
    e.table.handle(Tick(1.0))
    assert prompt(e) == "Take everything out of the tray"
    e.camera(True)
    assert e.press(I.SCORE).orders[0].args["step"] == "empty"


def test_another_set_of_dice_is_named_and_learnt_from_the_menu() -> None:
    e = calibrating()
    go(e, "Sets of dice", "Learn another set")
    assert prompt(e) == "What are these dice called?"
    for letter in "RED":
        e.press(I.PICK, letter)
    e.press(I.SCORE)
    assert e.table.mode is Mode.CALIBRATE
    done = e.press(I.SCORE)
    assert [o.args for o in done.orders] == [{"step": "empty", "dice": "Red", "add": True}]
    e.press(I.BACK)
    assert e.table.mode is Mode.DICE


def test_settings_are_kept_over_a_restart_until_the_configuration_says_otherwise(tmp_path: Path) -> None:
    config = Config()
    kept = KeptSettings(tmp_path)
    assert kept.merged(config) == config
    kept.keep("screen.theme", "daylight")
    kept.keep("language", "de")
    for thread in __import__("threading").enumerate():
        if thread.name == "settings":
            thread.join()
    again = KeptSettings(tmp_path).merged(config)
    assert (again.screen.theme, again.language) == ("daylight", "de")
    edited = config.model_copy(update={"language": "fr"})
    assert KeptSettings(tmp_path).merged(edited).language == "fr", "whoever edits the file is obeyed"
    data = json.loads((tmp_path / "settings.json").read_text())
    data["screen.theme"]["is"] = "pink"
    (tmp_path / "settings.json").write_text(json.dumps(data))
    assert KeptSettings(tmp_path).merged(config).screen.theme == "dark"
    (tmp_path / "settings.json").write_text("nonsense")
    assert KeptSettings(tmp_path).merged(config) == config


def test_every_change_of_a_seat_is_found_again_from_the_journal() -> None:
    e = Evening(players=2, names=("Ann", "Bo"))
    e.table.handle(Facts({"names": ("Cleo",)}))
    e.press(I.SCORE)
    e.press(I.MENU)
    go(e, "A player joins", "Cleo")
    e.throw((1, 2, 3, 4, 6))
    e.press(I.PICK, "chance")
    e._see(__import__("vision.types").types.TrayEventKind.STATE, TrayState.EMPTY)
    play = play_from(e.journal)
    assert play is not None
    assert e.table.play is not None
    assert play.game.position == e.table.play.game.position
