"""The text form: of moves and of whole games."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rules
from rules import (
    BadText,
    Choice,
    Join,
    Keep,
    Leave,
    Over,
    Roll,
    RollOff,
    Score,
    SetAside,
    Stop,
    from_text,
    move_from_text,
)

FACES = st.lists(st.integers(1, 6), max_size=6)
MOVES = st.one_of(
    FACES.map(Roll),
    st.integers(1, 6).map(Roll),
    FACES.map(RollOff),
    FACES.map(Keep),
    FACES.map(Keep.at),
    FACES.map(SetAside),
    FACES.map(SetAside.at),
    st.builds(Score, st.text(string.ascii_lowercase + "_", min_size=1), st.integers(0, 3)),
    st.just(Stop()),
    st.integers(0, 9).map(Leave),
    st.text().map(Join),
)


@given(MOVES)
def test_a_move_survives_its_text(move) -> None:
    text = str(move)
    assert "\n" not in text
    assert move_from_text(text) == move
    assert hash(move_from_text(text)) == hash(move)


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (Roll((5, 2, 5, 6, 5)), "roll 52565"),
        (Roll(5), "roll ?????"),
        (RollOff((6,)), "rolloff 6"),
        (Keep((5, 2, 5)), "keep 255"),
        (Keep(()), "keep -"),
        (Keep.at((2, 0)), "keep at 2,0"),
        (SetAside((5, 1)), "aside 15"),
        (SetAside.at(()), "aside at -"),
        (Score("fives"), "score fives"),
        (Score("fives", 2), "score fives 2"),
        (Stop(), "stop"),
        (Leave(1), "leave 1"),
        (Join('Jo "x"'), 'join "Jo \\"x\\""'),
        (Choice(), "choice"),
        (Over(), "over"),
    ],
)
def test_text_forms(move, text) -> None:
    assert str(move) == text
    if not isinstance(move, Choice | Over):
        assert move_from_text(text) == move


@pytest.mark.parametrize(
    "text",
    ["", "roll", "roll 5x", "keep 5 5", "keep at x", "score", "stop now", "leave", "join Ann", "join 5", "fly 1"],
)
def test_what_is_no_move(text) -> None:
    with pytest.raises(BadText) as refused:
        move_from_text(text)
    assert refused.value.code == "TEXT-02"


def test_keeps_are_multisets_and_rolls_are_not() -> None:
    assert Keep((5, 2, 5)) == Keep((2, 5, 5))
    assert SetAside([5, 1]) == SetAside((1, 5))
    assert Roll((5, 2)) != Roll((2, 5))
    assert Keep((1,)) != SetAside((1,))
    assert Roll((1,)) != RollOff((1,))
    assert Roll(1) != Roll((1,))
    assert len({Keep((1, 2)), Keep((2, 1)), Keep(())}) == 2


def test_faces_from_numpy_become_plain_numbers() -> None:
    np = pytest.importorskip("numpy")
    roll = Roll(tuple(np.array([1, 2, 3, 4, 6])))
    assert all(type(face) is int for face in roll.faces)
    assert all(type(face) is int for face in Keep(np.array([1, 2])).faces)


GAME = """\
dicetable game 1
game yahtzee
option head_start [0, 10]
option order "upper_first"
option upper_first true
player "Ann"
player "Bo" "Cy"
roll 52565
keep 555
roll 55515
score fives
join "Di"
leave 0
"""


def test_the_text_of_a_game(play) -> None:
    game = rules.new("yahtzee", ["Ann", ["Bo", "Cy"]], upper_first=True, head_start=(0, 10))
    play(game, 'roll 52565; keep 555; roll 55515; score fives; join "Di"; leave 0')
    assert game.to_text() == GAME
    again = from_text(GAME)
    assert again.position == game.position
    assert again.moves == game.moves
    assert again.players == ("Ann", "Bo & Cy", "Di")


def test_comments_and_blank_lines_are_skipped() -> None:
    assert from_text("\n# ours\n" + GAME.replace("roll 52565", "\n  # first\n  roll 52565")).to_text() == GAME


def test_a_keep_by_position_is_written_as_faces(play) -> None:
    game = play(rules.new("yardzee", ["Ann"]), "roll 52565; keep at 0,2")
    assert game.moves[-1] == Keep((5, 5))
    game = play(rules.new("yardkle", ["Ann"]), "roll 523465; aside at 5,0")
    assert game.moves[-1] == SetAside((5, 5))


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        (("dicetable game 1", "dicetable game 9"), "TEXT-01", "the first line must be"),
        (("game yahtzee", "game chess"), "TEXT-01", "no game 'chess'"),
        (("[0, 10]", "[0, x]"), "TEXT-01", "line 3"),
        (("[0, 10]", "5"), "TEXT-01", "head_start can't be 5"),
        (('player "Ann"', "player Ann"), "TEXT-01", "line 6"),
        (("keep 555", "keep 5 5"), "TEXT-02", "line 9"),
        (("keep 555", "keep 666"), "TEXT-03", "line 9: 'keep 666' is illegal here: 6 6 can't be kept"),
    ],
)
def test_what_is_no_game(change, code, words) -> None:
    with pytest.raises(BadText) as refused:
        from_text(GAME.replace(*change))
    assert refused.value.code == code
    assert words in refused.value.words


def test_an_empty_text_is_no_game() -> None:
    with pytest.raises(BadText):
        from_text("")
