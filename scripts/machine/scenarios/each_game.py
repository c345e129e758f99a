"""A turn of each game: throws before the camera, presses with contacts that bounce, screens and lamps compared."""

from __future__ import annotations

from lab import UP, Lab
from twin import LONG_S, Rehearsal

import rules

TITLE = "a turn of each game by lines and camera"
FROM = UP
FACES = {5: (5, 2, 5, 6, 5), 6: (1, 1, 1, 1, 5, 2)}


def rehearse(evening: Rehearsal) -> None:
    games = [game.name for game in rules.games()]
    evening.press("score")
    for number, game in enumerate(games):
        if number:
            choose_next_game(evening)
        evening.press("score")
        assert evening.table.play.name == game
        dice = evening.table.wanted
        faces = FACES[dice]
        evening.throw(*faces)
        assert sorted(die.value for die in evening.table.play.dice) == sorted(faces), f"{game}: the twin was not sure"
        if number == 0:
            # One turn in full: dice are held, the rest is thrown again.
            at = [n for n, die in enumerate(evening.table.play.dice, 1) if die.value == 5]
            for n in at:
                evening.press(f"hold{n}")
            evening.throw(1, 3, keep=(5, 5, 5))
        evening.press("score")
        if not evening.table.play.banking:
            evening.press("score")
        assert evening.table.play.game.turn == 1, f"{game}: the turn is not over"


def choose_next_game(evening: Rehearsal) -> None:
    """By the menus: end this game, and take the next one in the list."""
    evening.press("roll", "score", held_s=LONG_S)
    for _ in range(3):
        evening.press("hold1")
    evening.press("score")
    evening.press("hold2")
    evening.press("score")
    evening.press("roll", held_s=LONG_S)
    evening.press("hold4")
    evening.press("roll")


def prove(lab: Lab) -> str:
    acts = list(lab.acts)
    lab.perform()
    lab.journal_agrees(acts[-1])
    presses, throws = sum(bool(act.buttons) for act in acts), sum(bool(act.film) for act in acts)
    games = len(rules.games())
    return f"{games} games, {presses} presses, {throws} throws; {lab.checked} screens with their lamps as the twin's"
