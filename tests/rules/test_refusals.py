"""Every refusal: a position that asks for it, the code, the words, and that nothing changes."""

from __future__ import annotations

import pickle
from typing import Any, NamedTuple

import pytest

import rules
from rules import IllegalMove, Join, Keep, Leave, Move, Roll, RollOff, Score, SetAside, Stop, move_from_text


class Case(NamedTuple):
    """`moves` (in text form) lead to the position; `attempt` is refused with `code`; `words` are part of its words."""

    code: str
    game: str
    moves: str
    attempt: Move
    words: str
    players: int = 1
    options: dict[str, Any] = {}  # noqa: RUF012 - never changed


FIVES = "roll 66666; score five_kind; roll 55554; score fives; "

CASES = (
    Case("ROLL-01", "yardzee", "", Roll((1, 2, 3, 4)), "4 dice thrown, but 5 dice must be"),
    Case("ROLL-01", "yardkle", "roll 122346; aside 1", Roll((1,) * 6), "6 dice thrown, but 5 dice must be"),
    Case("ROLL-01", "yardkle", "roll 122346; aside 1; roll 11112; aside 1111", Roll((1, 1)), "but one die must be"),
    Case("ROLL-01", "yardzee", "", RollOff((1, 2)), "2 dice thrown", players=2),
    Case("ROLL-02", "yardzee", "", Roll((1, 2, 3, 4, 7)), "7 is on no die"),
    Case("ROLL-02", "yardkle", "", Roll((0, 2, 3, 4, 5, 6)), "0 is on no die"),
    Case("ROLL-03", "yardzee", "roll 12355; keep 55", Roll((1, 2, 3, 4, 5)), "5 is missing; put it back"),
    Case("ROLL-04", "yardzee", "roll 12345", Roll((1, 2, 3, 4, 5)), "say first which dice are kept"),
    Case("ROLL-04", "yardzee", "roll 12345; keep 1; roll 12345; keep 1; roll 12345", Roll((1,) * 5), "last of 3 rolls"),
    Case("ROLL-04", "yardkle", "roll 122346", Roll((1,) * 6), "set aside dice worth points first"),
    Case("KEEP-01", "yardzee", "", Keep((1,)), "throw them"),
    Case("KEEP-01", "yardzee", "roll 12345; keep 1", Keep((1,)), "throw them"),
    Case("KEEP-02", "yardzee", "roll 12345", Keep((5, 5)), "5 can't be kept"),
    Case("KEEP-03", "yardzee", "roll 12345; keep 1; roll 12345; keep 1; roll 12345", Keep((1,)), "choose a box"),
    Case("KEEP-04", "yardzee", "roll 12345", Keep.at((5,)), "no die at position 5"),
    Case("KEEP-04", "yardzee", "roll 12345", Keep.at((-1,)), "no die at position -1"),
    Case("KEEP-05", "yardzee", "roll 12345", Keep.at((0, 0)), "named twice"),
    Case("SCORE-01", "yardzee", "", Score("chance"), "throw the dice"),
    Case("SCORE-01", "yardzee", "roll 12345; keep 1", Score("chance"), "throw the dice"),
    Case("SCORE-02", "yardzee", "roll 12345", Score("poker"), "there is no box 'poker'"),
    Case("SCORE-03", "yardzee", "roll 12345; score ones; roll 12345", Score("ones"), "Ones is filled"),
    Case("SCORE-04", "yardzee", "roll 66666; score five_kind; roll 44444", Score("chance"), "must go in Fours"),
    Case("SCORE-04", "yahtzee", "roll 12345; score five_kind; roll 44444", Score("chance"), "must go in Fours"),
    Case("SCORE-05", "yahtzee", FIVES + "roll 55555", Score("ones"), "lower section"),
    Case("SCORE-06", "yahtzee", "roll 12345", Score("chance"), "first Ones, Twos", options={"upper_first": True}),
    Case("SCORE-06", "yatzy", "roll 12345", Score("twos"), "from the top down", options={"order": "top_down"}),
    Case("SCORE-07", "yardzee", "roll 12345", Score("ones", 1), "there is no column 1"),
    Case("SCORE-07", "yardzee", "roll 12345", Score("ones", 3), "columns are 0 to 2", options={"columns": 3}),
    Case("ASIDE-01", "yardkle", "", SetAside((1,)), "throw first"),
    Case("ASIDE-01", "yardkle", "roll 122346; aside 1", SetAside((1,)), "throw first"),
    Case("ASIDE-02", "yardkle", "roll 122346", SetAside(()), "at least one die"),
    Case("ASIDE-03", "yardkle", "roll 122346", SetAside((1, 5)), "5 can't be set aside"),
    Case("ASIDE-04", "yardkle", "roll 122346", SetAside((1, 2, 2)), "worth nothing"),
    Case("ASIDE-04", "yardkle", "roll 122334", SetAside((2, 2, 3, 3)), "worth nothing"),
    Case("ASIDE-05", "yardkle", "roll 122346", SetAside.at((6,)), "no die at position 6"),
    Case("ASIDE-06", "yardkle", "roll 122346", SetAside.at((0, 0)), "named twice"),
    Case("STOP-01", "yardkle", "", Stop(), "before you stop"),
    Case("STOP-01", "yardkle", "roll 122346", Stop(), "before you stop"),
    Case("STOP-02", "yardkle", "roll 444523; aside 4445", Stop(), "450 points do not get you on the pad: 500"),
    Case("STOP-03", "zilch", "roll 111234; aside 111; stop; roll 152346; aside 15", Stop(), "the smallest sum is 300"),
    Case("STOP-04", "yardkle", "roll 123456; aside 123456", Stop(), "thrown again", options={"hot_must_throw": True}),
    Case("OFF-01", "yardzee", "roll 12345", RollOff((1,) * 5), "before the first throw of a game", players=2),
    Case("OFF-01", "yardzee", "", RollOff((1,) * 5), "there is no roll-off now", players=1),
    Case("OFF-01", "yardkle", "rolloff 5; rolloff 6", RollOff((1,)), "there is no roll-off now", players=2),
    Case("OFF-02", "yardzee", "rolloff 11111", Roll((1,) * 5), "P1 rolls for the first turn: throw 5 dice", players=2),
    Case("OFF-02", "yardkle", "", Stop(), "P0 rolls for the first turn: throw one die", 2, {"start": "roll_off"}),
    Case("LEAVE-01", "yardzee", "", Leave(2), "there is no seat 2", players=2),
    Case("LEAVE-01", "yardzee", "", Leave(-1), "there is no seat -1", players=2),
    Case("LEAVE-02", "yardzee", "leave 1", Leave(1), "P1 has left before", players=3),
    Case("LEAVE-03", "yardzee", "leave 1", Leave(0), "the last player can't leave", players=2),
    Case("JOIN-01", "yardzee", "", Join("  "), "needs a name"),
    Case("JOIN-02", "yardkle", "roll 222222; aside 222222; stop", Join("Eve"), "last turns", 2, {"target": 2000}),
    Case("OVER-01", "yardkle", "roll 222222; aside 222222; stop", Roll((1,) * 6), "is over", 1, {"target": 2000}),
    Case("OVER-01", "yardkle", "roll 222222; aside 222222; stop", Leave(0), "is over", 1, {"target": 2000}),
    Case("OVER-01", "yardkle", "roll 222222; aside 222222; stop", Join("Eve"), "is over", 1, {"target": 2000}),
    Case("OVER-01", "yardkle", "roll 222222; aside 222222; stop", RollOff((1,)), "is over", 1, {"target": 2000}),
    Case("MOVE-01", "yardzee", "roll 12345", Stop(), "Yardzee has no such move as 'stop'"),
    Case("MOVE-01", "yardkle", "roll 122346", Keep((1,)), "Yardkle has no such move as 'keep 1'"),
    Case("MOVE-02", "yardzee", "", Roll(5), "which faces"),
    Case("MOVE-02", "yardkle", "", RollOff(1), "which faces", players=2),
)


def position(case: Case) -> rules.Game:
    game = rules.new(case.game, [f"P{i}" for i in range(case.players)], **case.options)
    for text in filter(None, case.moves.split("; ")):
        game.push(move_from_text(text))
    return game


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.code}-{c.attempt}".replace(" ", "-"))
def test_refusal(case: Case) -> None:
    game = position(case)
    before, text = game.position, game.to_text()
    with pytest.raises(IllegalMove) as refused:
        game.push(case.attempt)
    refusal = refused.value
    assert refusal.code == case.code
    assert case.words in refusal.words
    assert refusal.position == before
    assert str(refusal) == f"{case.code}: {refusal.words}"
    assert (game.position, game.to_text()) == (before, text)
    assert case.attempt not in game.legal_moves
    assert game.explain(case.attempt) == f"Not allowed: {refusal.words}."
    again = game.check(case.attempt)
    assert again is not None
    assert again.code == case.code


def test_every_code_is_refused_by_some_test() -> None:
    elsewhere = {"FIX-01", "FIX-02"}  # test_correct.py
    assert {c.code for c in CASES} | elsewhere == set(rules.CODES)


def test_a_refusal_survives_pickling() -> None:
    refusal = IllegalMove("ROLL-01", "words", "position")
    again = pickle.loads(pickle.dumps(refusal))
    assert (again.code, again.words, again.position) == ("ROLL-01", "words", "position")
    unknown = pickle.loads(pickle.dumps(rules.UnknownGame("GAME-01", "no such game")))
    assert (type(unknown), unknown.code, unknown.words) == (rules.UnknownGame, "GAME-01", "no such game")


@pytest.mark.parametrize(
    ("make", "error", "code", "words"),
    [
        (lambda: rules.new("chess", ["Ann"]), rules.UnknownGame, "GAME-01", "games are yardzee, yahtzee"),
        (lambda: rules.new("yardzee", []), rules.BadPlayers, "PLAYERS-01", "names"),
        (lambda: rules.new("yardzee", "Ann"), rules.BadPlayers, "PLAYERS-01", "names"),
        (lambda: rules.new("yardzee", ["Ann", " "]), rules.BadPlayers, "PLAYERS-01", "blank"),
        (lambda: rules.new("yardzee", [["Ann"], []]), rules.BadPlayers, "PLAYERS-01", "blank"),
        (lambda: rules.new("yardzee", [1]), rules.BadPlayers, "PLAYERS-01", "names"),
        (lambda: rules.new("yardzee", ["Ann"], colour=1), rules.BadOption, "OPT-01", "no option 'colour'"),
        (lambda: rules.new("yardkle", ["Ann"], order="any"), rules.BadOption, "OPT-01", "no option 'order'"),
        (lambda: rules.new("yardzee", ["Ann"], games=7), rules.BadOption, "OPT-02", "a number from 1 to 6"),
        (lambda: rules.new("yardzee", ["Ann"], games=True), rules.BadOption, "OPT-02", "a number from 1 to 6"),
        (lambda: rules.new("yardkle", ["Ann"], opening=510), rules.BadOption, "OPT-02", "in steps of 50"),
        (lambda: rules.new("yardzee", ["Ann"], order="random"), rules.BadOption, "OPT-02", "top_down"),
        (lambda: rules.new("yardzee", ["Ann"], upper_first=1), rules.BadOption, "OPT-02", "True or False"),
        (lambda: rules.new("yardzee", ["Ann"], head_start="12"), rules.BadOption, "OPT-02", "for each player"),
        (lambda: rules.new("yardzee", ["Ann"], head_start=(5, 5)), rules.BadOption, "OPT-02", "there are 1"),
        (lambda: rules.new("yardzee", ["Ann"], first=1), rules.BadOption, "OPT-02", "counted from 0"),
        (lambda: rules.new("yardkle", ["Ann"], head_start=(9000,), target=9000), rules.BadOption, "OPT-02", "below"),
        (
            lambda: rules.new("yahtzee", ["Ann"], upper_first=True, order="lower_first"),
            rules.BadOption,
            "OPT-02",
            "contradicts",
        ),
    ],
)
def test_a_bad_set_up_is_a_value_error_with_a_code(make, error, code, words) -> None:
    with pytest.raises(error) as refused:
        make()
    assert isinstance(refused.value, ValueError)
    assert refused.value.code == code
    assert words in refused.value.words
