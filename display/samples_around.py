"""Example views of what stands around a game: invitation, lists, pages, tables, a name, a roll-off.

Room: display. Made of plain values, like those in `display.samples`.
"""

from __future__ import annotations

import dataclasses

from display.samples import dice, players, tray_picture
from display.view import FormView, GridView, KeyHint, MenuItem, Scene, TrayView, View

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÅÆÇÉÈÊËÍÏŁÑÓÖØŚÜŻ -'.0123456789"
_VALUES = (5, 2, 5, 6, 5)


def around() -> dict[str, View]:
    """What stands around a game: invitation, lists, pages, tables, a name, a roll-off."""
    keys = (KeyHint("UP", "up"), KeyHint("DOWN", "down"), KeyHint("SCORE", "take it"), KeyHint("ROLL", "back"))
    games = (
        ("Yardzee", "Thirteen boxes, three rolls a turn. A second Yardzee is worth 100 more.", (5, 5, 5)),
        ("Yahtzee", "Further five alike are jokers and worth 100 more.", (6, 6, 6)),
        ("Kniffel", "The German score sheet: the first turn goes round.", (3, 3, 3)),
        (
            "Maxi Yatzy",
            "Six dice, twenty boxes; rolls that you do not use are saved for later turns.",
            (1, 2, 3, 4, 5, 6),
        ),
        ("Yardkle", "Six dice. Set aside what is worth points and throw on, or bank.", (1, 5, 1)),
        ("Zilch", "Three 1s are worth 1000, each die more doubles it.", (1, 1, 1)),
        ("Farkle", "The house game: three Farkles in a row cost 1000.", (5, 1, 5)),
    )
    choice = tuple(MenuItem(a, more=b, dice=c, selected=i == 1) for i, (a, b, c) in enumerate(games))
    settings = (
        MenuItem("Sound", "on"),
        MenuItem("Volume", "7 of 10", selected=True),
        MenuItem("Theme", "dark"),
        MenuItem("Language", "English"),
        MenuItem("Button test"),
        MenuItem("Restart", enabled=False),
    )
    best = GridView(
        ("best of the night", "points"),
        (("Ann", "377"), ("Françoise", "341"), ("Grzegorz", "287"), ("Christopher", "255"), ("Bo", "196")),
        (0,),
    )
    match = GridView(
        ("Match", "1", "2", "3", "Total"),
        (
            ("Ann & Bo", "287", "301", "244", "832"),
            ("Élodie", "312", "198", "255", "765"),
            ("Cy", "196", "240", "–", "436"),
        ),
        (0,),
    )
    rules = (
        *(b for _, b, _ in games),
        "Throw all five dice. You may throw any of them again, up to three rolls a turn; dice kept before may be "
        "picked up again.",
        "Upper section: the dice that show the box's number count, added up. 63 points or more earn 35 more.",
        "Full house: needs three of one face and two of another, pays 25 points.",
    )
    contest = tuple(
        dataclasses.replace(p, note=("17", "21", "", "–")[i], active=i == 2, away=i == 3)
        for i, p in enumerate(players(4, active=None))
    )
    return {
        "attract": View(
            Scene.ATTRACT, "dicetable", "Press SCORE to play", "UP and DOWN: English · Deutsch · Français", keys=keys,
            grid=best,
        ),
        "menu_games": View(Scene.MENU, "dicetable", "Which game?", "SCORE takes it.", menu=choice, keys=keys),
        "menu_settings": View(
            Scene.MENU, "Service", "Choose what to change", menu=settings, keys=keys,
            tray=TrayView(tray_picture(_VALUES), dice(_VALUES), "settled", True),
        ),
        "page_rules": View(Scene.PAGE, "Yardzee", "The rules as you play them", paragraphs=rules, at=2, keys=keys),
        "name": View(
            Scene.NAME, "dicetable", "Player 2: what is your name?", "ROLL takes the letter.",
            players=players(3, active=1), keys=keys, form=FormView("Franço", "O", LETTERS),
        ),
        "grid_match": View(Scene.GRID, "Yahtzee", "Press SCORE for the next game", grid=match, keys=keys),
        "grid_best": View(Scene.GRID, "dicetable", "Press SCORE to go back", grid=best, keys=keys),
        "rolloff": View(
            Scene.ROLLOFF, "Yahtzee", "Christopher: throw all five dice", "The highest sum begins.", players=contest,
            tray=TrayView(tray_picture(()), (), "tray empty", True), keys=keys,
        ),
    }  # fmt: skip
