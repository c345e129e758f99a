"""Words in the language of the table: forms, numbers, words within words, and what stays as it is.

Room: tests of firmware.
"""

from __future__ import annotations

import copy
import pickle
import re

import pytest

from display.view import KeyHint, Message, PlayerView, Scene, View
from firmware import words
from firmware.language import LANGUAGES, language
from hardware.faults import CODES
from rules.said import Said, all_of, any_of, in_line, said, said_as, said_n, sentence


def test_words_are_english_to_whoever_only_prints_them():
    assert said("{who} joins.", who="Ann") == "Ann joins."
    assert said_n("one die left", "{n} dice left", 1) == "one die left"
    assert said_n("one die left", "{n} dice left", 3) == "3 dice left"
    assert isinstance(said("Total").upper(), str) and not isinstance(said("Total").upper(), Said)


@pytest.mark.parametrize("copied", [pickle.loads(pickle.dumps(said_n("a {n}", "b {n}", 2))), copy.deepcopy(said("x"))])
def test_words_survive_a_pipe(copied):
    assert isinstance(copied, Said)
    assert copied.msgid in ("a {n}", "x")
    assert copied in ("b 2", "x")


@pytest.mark.parametrize(
    ("n", "shown"), [(1, "Ann: 1 punkt"), (2, "Ann: 2 punkty"), (5, "Ann: 5 punktów"), (22, "Ann: 22 punkty")]
)
def test_polish_has_three_forms(n, shown):
    assert language("pl").say(said_n("{name}: {n} point", "{name}: {n} points", n, name="Ann")) == shown


@pytest.mark.parametrize(
    ("code", "thousand", "ten_thousand"),
    [
        ("en", "1,000", "10,000"),
        ("de", "1.000", "10.000"),
        ("es", "1000", "10.000"),
        ("fr", "1\u00a0000", "10\u00a0000"),
        ("nl", "1.000", "10.000"),
        ("pl", "1000", "10\u00a0000"),
    ],
)
def test_numbers_are_written_as_in_the_country(code, thousand, ten_thousand):
    spoken = language(code)
    assert (spoken.number(1000), spoken.number(10000), spoken.number(-10000)) == (
        thousand,
        ten_thousand,
        f"-{ten_thousand}",
    )
    assert spoken.number(377) == "377"
    assert ten_thousand in spoken.say(said("{points} points", points=10000))
    assert spoken.words.number(10000) == ten_thousand


def test_words_within_words_are_translated_too():
    german = language("de")
    box = said("Full house")
    assert german.say(said("{box} is filled: choose an open box", box=box)).startswith("Full House ist schon gefüllt")
    twice = sentence(said("{before}; {after}", before=said("no such"), after=said("set aside dice worth points first")))
    assert german.say(twice) == "No such; zuerst Würfel herauslegen, die Punkte bringen."


def test_lists_are_joined_as_people_do():
    german = language("de")
    assert all_of(["Ann", "Bo", "Cy"]) == "Ann, Bo and Cy"
    assert german.say(all_of(["Ann", "Bo", "Cy"])) == "Ann, Bo und Cy"
    assert german.say(any_of([said("Ones"), said("Twos")])) == "Einser oder Zweier"
    assert in_line(["a", "b", "c"]) == "a, b, c"
    assert (all_of(["Ann"]), all_of([])) == ("Ann", "")


def test_the_same_english_may_mean_two_things():
    assert language("de").say(said_as("mark on a die", "HELD")) == "GEHALTEN"
    assert language("de").say(said("HELD")) == "HELD"


def test_a_view_is_said_again_whole_but_names_stay():
    view = View(
        Scene.TURN,
        "Yardzee",
        said("Throw the dice first."),
        players=(PlayerView("Total", 3, note=said("{name} throws", name="Bo")),),
        message=Message("NO_ROLL", said("Was that a throw? SCORE: yes. ROLL: no.")),
        keys=(KeyHint("ENTER", said("undo")),),
    )
    german = language("de").shown(view, {"SCORE": "ENTER", "ROLL": said("{key} held", key="SPACE")})
    assert german.prompt == "Zuerst die Würfel werfen."
    assert (german.players[0].name, german.players[0].note) == ("Total", "Bo wirft")
    assert german.message == Message("NO_ROLL", "War das ein Wurf? ENTER: ja. SPACE lang: nein.")
    assert german.keys == (KeyHint("ENTER", "zurück"),)
    assert language("en").shown(view).prompt == view.prompt


@pytest.mark.parametrize("code", CODES)
def test_a_fault_of_a_device_is_found_again_from_its_words(code):
    """The camera process sends English words; the screen needs what they were made of."""
    entry = CODES[code]
    fields = dict.fromkeys(re.findall(r"{(\w+)", entry.words), "xyz")
    made = words.fault(code, entry.words.format(**fields))
    assert isinstance(made, Said)
    assert language("en").say(made) == entry.words.format(**fields)
    german = language("de").say(made)
    assert german != made
    assert ("xyz" in german) == ("xyz" in made)


def test_a_fault_with_details_is_said_shortly_in_other_languages():
    found = words.with_code("JRN-03", "the journal can't be written (disk full). The game goes on.")
    assert found == "JRN-03: the journal can't be written (disk full). The game goes on."
    assert language("de").say(found).startswith("JRN-03: das Spielbuch")
    assert words.fault("XYZ-99", "whatever it says") == "whatever it says"


def test_an_unknown_language_is_no_language():
    with pytest.raises(KeyError, match="xx"):
        language("xx")
    assert set(LANGUAGES) == {"en", "de", "es", "fr", "nl", "pl"}
