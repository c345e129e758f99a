"""The service menu: two buttons together, a PIN, settings, players, and a table that is calibrated from it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firmware.config import Config
from firmware.events import Facts, Tick
from firmware.events import IntentKind as I
from firmware.intents import CHORD_S, MENU_S, SERVICE_S, PressReader, actions
from firmware.kept_settings import KeptSettings
from firmware.scene import Mode
from hardware.buttons import LAYOUTS, Button, Press, PressKind

from .evening import Evening, go, prompt


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
