"""Menus: what is agreed before a game, who joins and leaves, practice and events."""

from __future__ import annotations

from firmware.events import Facts, Tick
from firmware.events import IntentKind as I
from firmware.intents import hints
from firmware.play import play_from
from firmware.scene import Mode
from firmware.table import Event
from firmware.views import view_of
from vision.types import TrayState

from .evening import Evening, go


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
