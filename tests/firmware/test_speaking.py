"""What is spoken, in every language: dice and places as people say them, and nothing said twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

import rules
from display.view import DieView, FormView, GridView, MenuItem, Message, Scene, TrayView, View
from firmware import calling, sayings, speaking
from firmware.language import LANGUAGES, language
from firmware.moment import MIDDLE, Choice, Deed, Done, HeardDie, Moment, Trouble
from firmware.speaking import Heard


def heard(*dice: tuple[int, int | None]) -> tuple[HeardDie, ...]:
    return tuple(HeardDie(n, value, place) for n, (value, place) in enumerate(dice, 1))


TWO_FIVES = heard((5, 3), (5, 7))
FULL = heard((5, 0), (2, 7), (5, 3), (6, MIDDLE), (5, 3))
SAYS = {
    "en": (
        "two fives, at three and seven o'clock",
        "three fives, at noon and three o'clock; a six, in the middle; a two, at seven o'clock",
        "The die at noon leans: tap it flat.",
        "The dice at noon and one o'clock and in the middle lean: tap them flat.",
    ),
    "de": (
        "zwei Fünfen, auf drei und auf sieben Uhr",
        "drei Fünfen, auf zwölf und auf drei Uhr; eine Sechs, in der Mitte; eine Zwei, auf sieben Uhr",
        "Der Würfel auf zwölf Uhr steht schief: flach tippen.",
        "Die Würfel auf zwölf und auf ein Uhr und in der Mitte stehen schief: flach tippen.",
    ),
    "es": (
        "dos cincos, a las tres y a las siete",
        "tres cincos, a las doce y a las tres; un seis, en el centro; un dos, a las siete",
        "El dado a las doce está inclinado: ponlo plano.",
        "Los dados a las doce y a la una y en el centro están inclinados: ponlos planos.",
    ),
    "fr": (
        "deux cinq, à trois heures et à sept heures",
        "trois cinq, à midi et à trois heures ; un six, au milieu ; un deux, à sept heures",
        "Le dé à midi penche : le poser à plat.",
        "Les dés à midi et à une heure et au milieu penchent : les poser à plat.",
    ),
    "nl": (
        "twee vijven, op drie en op zeven uur",
        "drie vijven, op twaalf en op drie uur; een zes, in het midden; een twee, op zeven uur",
        "De steen op twaalf uur staat scheef: tik hem plat.",
        "De stenen op twaalf en op één uur en in het midden staan scheef: tik ze plat.",
    ),
    "pl": (
        "dwie piątki, na trzeciej i na siódmej",
        "trzy piątki, na dwunastej i na trzeciej; szóstka, pośrodku; dwójka, na siódmej",
        "Kość na dwunastej jest przechylona: połóż ją płasko.",
        "Kości na dwunastej i na pierwszej i pośrodku są przechylone: połóż je płasko.",
    ),
}


def plain(text: str) -> str:
    return text.replace("\u00a0", " ").replace("\u202f", " ")


@pytest.mark.parametrize("code", LANGUAGES)
def test_dice_and_places_in_every_language(code: str) -> None:
    said = language(code)
    two, full, one_leans, three_lean = SAYS[code]
    assert plain(said.say(sayings.dice(TWO_FIVES))) == two
    assert plain(said.say(sayings.dice(FULL))) == full
    assert plain(said.say(sayings.leaning([0]))) == one_leans
    assert plain(said.say(sayings.leaning([1, 0, MIDDLE]))) == three_lean


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_face_and_number_and_hour_has_its_own_words(code: str) -> None:
    said = language(code)
    counts = {said.say(sayings.count_of(face, n)) for face in range(1, 7) for n in range(1, 7)}
    assert len(counts) == 36
    assert not any("{" in words for words in counts)
    places = {said.say(sayings.at([place])) for place in range(13)}
    assert len(places) == 13


def test_polish_has_its_forms() -> None:
    said = language("pl")
    forms = [said.say(sayings.count_of(5, n)) for n in (1, 2, 4, 5, 6)]
    assert forms == ["piątka", "dwie piątki", "cztery piątki", "pięć piątek", "sześć piątek"]


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("Ann: 1,200 points", "Ann: 1200 points"),
        ("1.200 Punkte, 10.000.", "1200 Punkte, 10000."),
        ("1\u202f200 points", "1200 points"),
        ("Held: 5-5-2. One roll left.", "Held: 5, 5, 2. One roll left."),
        ("1, 2, 300", "1, 2, 300"),
        ("Player-1 has 12.", "Player-1 has 12."),
    ],
)
def test_numbers_and_dice_are_read_as_people_say_them(written: str, spoken: str) -> None:
    assert sayings.for_the_ear(written) == spoken


# ---- steps ----------------------------------------------------------------------------------------------------------

FIRST, SECOND = rules.Roll((5, 2, 5, 6, 5)), rules.Roll((5, 1, 5, 1, 5))
SCORE = rules.Score("full_house")
START = Moment("play", ("Ann", "Bo"), (0, 0), 0)
ROLLED = replace(
    START, moves=1, last=FIRST, roll=1, done=Done(Deed.ROLL, "Ann"), dice=heard((5, 0), (2, 7), (5, 3), (6, 9), (5, 5)),
    choices=(Choice("Chance", 23), Choice("Fives", 15), Choice("Ones", 0)),
)  # fmt: skip
AGAIN = replace(
    ROLLED, moves=3, last=SECOND, roll=2,
    dice=tuple(replace(d, value=v, thrown=v == 1) for d, v in zip(ROLLED.dice, (5, 1, 5, 1, 5), strict=True)),
)  # fmt: skip
WRITTEN = replace(
    START, moves=4, last=SCORE, turn=1, totals=(25, 0), done=Done(Deed.SCORE, "Ann", "Full house", 25, 0, 25)
)
TURN = View(Scene.TURN, "Yardzee", "Ann: throw 5 dice")
HOLD = View(Scene.TURN, "Yardzee", "Ann: hold dice and throw, or score", "2 rolls left.")
NEXT = View(Scene.TURN, "Yardzee", "Bo: throw 5 dice")


def step(before: Moment, after: Moment, was: View = HOLD, now: View = HOLD) -> str:
    return str(speaking.speak(Heard(before, was), Heard(after, now)))


def test_a_throw_is_told_with_places_choices_and_what_to_do() -> None:
    assert step(START, ROLLED, TURN, HOLD) == (
        "Thrown: three fives, at noon, three and five o'clock; a six, at nine o'clock; a two, at seven o'clock. "
        "It pays: Chance 23, Fives 15. Ann: hold dice and throw, or score. 2 rolls left."
    )


def test_on_a_later_throw_only_the_dice_that_were_thrown_are_told() -> None:
    assert step(ROLLED, AGAIN).startswith("Thrown: two ones, at seven and nine o'clock. It pays:")


def test_after_a_correction_only_the_corrected_value_is_told() -> None:
    right = replace(
        ROLLED,
        last=rules.Roll((5, 4, 5, 6, 5)),
        dice=(ROLLED.dice[0], replace(ROLLED.dice[1], value=4), *ROLLED.dice[2:]),
    )
    assert step(ROLLED, right) == calling.call(ROLLED, right) == "Corrected: a four, at seven o'clock."


def test_a_roll_that_was_misread_as_worth_nothing_is_put_right() -> None:
    blank = replace(START, moves=1, last=FIRST, turn=1, done=Done(Deed.BLANK, "Ann", points=300, faces=(2, 3, 4)))
    right = replace(ROLLED, last=SECOND)
    assert step(blank, right).startswith("Corrected: ")
    wrong_way = replace(blank, last=SECOND)
    assert step(ROLLED, wrong_way) == "Corrected: a four, a three and a two."


def test_a_score_a_bonus_and_the_end() -> None:
    assert step(AGAIN, WRITTEN, HOLD, NEXT) == "Full house: 25 points. Ann has 25. Bo: throw 5 dice."
    bonus = replace(WRITTEN, done=replace(WRITTEN.done, bonus=35, total=60))
    assert calling.call(AGAIN, bonus) == "Full house: 25 points. A bonus of 35 points. Ann has 60."
    over = replace(WRITTEN, winners=("Ann",), turn=None, mode="result")
    assert calling.call(AGAIN, over) == "Full house: 25 points. Ann has 25. Ann wins!"
    assert "Ann 25, Bo 0." in step(AGAIN, over, HOLD, View(Scene.RESULT, prompt="Ann wins!"))
    alone = replace(over, players=("Ann",), totals=(25,))
    assert calling.call(replace(AGAIN, players=("Ann",)), alone).endswith("The game is over, with 25 points.")
    both = replace(over, winners=("Ann", "Bo"))
    assert calling.call(AGAIN, both).endswith("Ann and Bo win!")


def test_the_end_of_a_game_of_a_match() -> None:
    ended = replace(WRITTEN, finished=1, game_winners=("Ann",))
    assert calling.call(AGAIN, ended) == "Full house: 25 points. Ann has 25. Ann wins this game."
    assert step(AGAIN, ended, HOLD, NEXT) == (
        "Full house: 25 points. Ann has 25. Ann wins this game. Ann 25, Bo 0. Bo: throw 5 dice."
    )
    both = replace(ended, game_winners=("Ann", "Bo"))
    assert calling.call(AGAIN, both).endswith("Ann and Bo win this game.")
    next_one = replace(ended, moves=5, last=rules.Roll((1, 1, 1, 1, 2)), done=Done(Deed.ROLL, "Bo"))
    assert "wins" not in calling.call(ended, next_one)


def test_a_banking_game_tells_what_is_set_aside_kept_and_lost() -> None:
    aside = replace(
        START,
        moves=2,
        last=rules.SetAside((5, 5, 1)),
        done=Done(Deed.ASIDE, "Ann", points=200, total=350, faces=(1, 5, 5)),
    )
    assert (
        step(ROLLED, aside)
        == "Set aside: two fives and a one, 200. 350 in this turn. " + HOLD.prompt + ". " + HOLD.detail
    )
    stop = replace(START, moves=2, last=rules.Stop(), done=Done(Deed.STOP, "Ann", points=350, total=1200))
    assert calling.call(ROLLED, stop) == "Ann keeps 350. 1200 in all."
    message = Message("BLANK", "Ann: nothing counts.")
    blank = replace(
        START, moves=2, last=SECOND, done=Done(Deed.BLANK, "Ann", points=350, faces=(2, 3, 3, 4)), message=message
    )
    assert calling.call(ROLLED, blank) == "Ann: nothing counts."
    assert (
        step(ROLLED, blank, HOLD, NEXT)
        == "Thrown: two threes, a four and a two. Ann: nothing counts. Bo: throw 5 dice."
    )
    later = replace(ROLLED, turn_points=200)
    assert "a two, at seven o'clock. 200 points so far in this turn." in step(START, later)
    choice = replace(ROLLED, choices=(Choice("", 200, (1, 5, 5)),))
    assert "The best to set aside: two fives and a one, 200." in step(START, choice)


def test_what_is_marked_and_let_go() -> None:
    held = replace(ROLLED, dice=(replace(ROLLED.dice[0], held=True), *ROLLED.dice[1:]))
    assert step(ROLLED, held) == "Held: a five, at noon."
    assert step(held, ROLLED) == "Let go: a five, at noon."
    started = str(speaking.speak(None, Heard(held, HOLD)))
    assert started.startswith("Yardzee. The dice: three fives,") and "Held: a five, at noon." in started


def test_a_die_that_leans_is_told_once() -> None:
    leans = replace(START, troubles=(Trouble("cocked", 0), Trouble("glare", 4)))
    assert step(START, leans) == "The die at noon leans: tap it flat."
    assert step(leans, leans) == ""
    assert step(leans, START) == ""
    moved = replace(START, troubles=(Trouble("cocked", 6),))
    assert step(leans, moved) == "The die at six o'clock leans: tap it flat."
    two = replace(START, troubles=(*leans.troubles, Trouble("cocked", 3)))
    assert step(leans, two) == "The dice at noon and three o'clock lean: tap them flat."


def test_nothing_changed_means_nothing_said() -> None:
    for moment in (START, ROLLED, AGAIN, WRITTEN):
        assert step(moment, moment) == ""
        assert calling.call(moment, moment) == ""


def test_another_game_that_is_brought_back_is_no_move() -> None:
    assert calling.call(Moment("menu", ("Player 1",)), AGAIN) == ""


def test_taking_back_is_told() -> None:
    assert step(WRITTEN, AGAIN, NEXT, HOLD).startswith("Taken back. Ann: hold")


def test_the_cursor_is_read_out_in_menus_lists_and_forms() -> None:
    def menu(count: str, selected: int = 0) -> View:
        items = (MenuItem("Players", count, selected == 0), MenuItem("Start", "", selected == 1))
        return View(Scene.START, prompt="How many play?", menu=items)

    lobby = Moment("menu", ("Player 1", "Player 2"))
    assert step(lobby, lobby, menu("2"), menu("3")) == "Players: 3."
    assert step(lobby, lobby, menu("2"), menu("2", 1)) == "Start."

    def form(cursor: int, *values: int | None) -> View:
        dice = tuple(DieView(n, v, selected=n == cursor) for n, v in enumerate(values, 1))
        return View(Scene.CORRECT, prompt=f"what does die {cursor} show?", tray=TrayView(dice=dice))

    assert step(ROLLED, ROLLED, form(1, 5, 2), form(2, 4, 2)) == "4. what does die 2 show?"
    assert step(ROLLED, ROLLED, form(1, None, None), form(2, 6, None)) == "6. what does die 2 show?"
    assert step(ROLLED, ROLLED, form(1, 4, 2), form(2, 4, 2)) == "2. what does die 2 show?"


LOBBY = Moment("menu", ("Player 1", "Player 2"))


def test_a_name_is_entered_by_ear() -> None:
    def name(text: str, letter: str) -> View:
        menu = (MenuItem(text, selected=True),)
        return View(Scene.NAME, prompt="Player 1: what is your name?", menu=menu, form=FormView(text, letter, "AB -"))

    assert step(LOBBY, LOBBY, HOLD, name("A", "A")) == "Player 1: what is your name? A."
    assert step(LOBBY, LOBBY, name("A", "A"), name("B", "B")) == "B."
    assert step(LOBBY, LOBBY, name("B", "B"), name("Ba", "A")) == "B. A."
    assert step(LOBBY, LOBBY, name("Ba", "A"), name("B-", "-")) == "hyphen"
    assert step(LOBBY, LOBBY, name("B-", "-"), name("B ", " ")) == "space"
    assert step(LOBBY, LOBBY, name("B ", " "), name("B ", " ")) == ""


def test_pages_and_tables_are_read_from_where_they_are_shown() -> None:
    def page(at: int) -> View:
        return View(Scene.PAGE, prompt="The rules", paragraphs=("One.", "Two", "Three."), at=at)

    assert step(LOBBY, LOBBY, HOLD, page(0)) == "The rules. One. Two. Three."
    assert step(LOBBY, LOBBY, page(0), page(1)) == "Two. Three."
    grid = GridView(("", "Games", "Points"), (("Ann", "2", "410"), ("Bo", "1", "")))
    assert step(LOBBY, LOBBY, HOLD, View(Scene.GRID, prompt="The match", grid=grid)) == (
        "The match. Ann: 2, 410. Bo: 1."
    )


def test_a_line_of_a_menu_is_read_with_what_it_explains() -> None:
    def menu(selected: int) -> View:
        items = (MenuItem("Yardzee", more="13 boxes, 5 dice"), MenuItem("Farkle", more="6 dice"))
        return View(Scene.MENU, menu=tuple(replace(m, selected=k == selected) for k, m in enumerate(items)))

    assert step(LOBBY, LOBBY, HOLD, menu(0)) == "Yardzee. 13 boxes, 5 dice."
    assert step(LOBBY, LOBBY, menu(0), menu(1)) == "Farkle. 6 dice."


def test_a_throw_for_the_first_turn_is_told() -> None:
    threw = replace(START, moves=1, last=rules.RollOff((6, 5)), done=Done(Deed.ROLLOFF, "Ann", faces=(5, 6)), turn=1)
    assert step(START, threw, TURN, NEXT) == "Thrown: a six and a five. Bo: throw 5 dice."


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_whole_step_has_no_english_left_in_it(code: str) -> None:
    said = language(code)
    mute = View(Scene.TURN)
    rolled = replace(ROLLED, choices=(Choice("Full", 25), Choice("X", 5, (), 2)))
    written = replace(WRITTEN, done=replace(WRITTEN.done, bonus=5))
    stopped = replace(START, moves=2, last=rules.Stop(), done=Done(Deed.STOP, "Ann", points=1, total=5))
    parts = [
        speaking.speak(Heard(START, TURN), Heard(rolled, mute)),
        speaking.speak(Heard(AGAIN, TURN), Heard(written, mute)),
        speaking.speak(Heard(WRITTEN, TURN), Heard(AGAIN, mute)),
        calling.call(ROLLED, stopped),
        speaking.choices(replace(ROLLED, choices=(Choice("Ones", 0),))),
    ]
    english = language("en")
    for words in parts:
        text = said.say(words)
        assert text
        assert "{" not in text
        if code != "en":
            for word in ("Thrown", "pays", "point ", "bonus of", "has", "Taken", "keeps", "open box"):
                assert word not in text
            assert text != english.say(words)
