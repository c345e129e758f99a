"""What the room promises about itself: no clock, no file, no chance, nobody else's code; small files; quick answers."""

from __future__ import annotations

import ast
import doctest
import importlib
import sys
import time
from pathlib import Path

import pytest

import rules
from rules import Choice, Keep, Over, Roll, Score

ROOM = Path(rules.__file__).parent
SOURCES = sorted(ROOM.rglob("*.py"))
ALLOWED = {
    "__future__",
    "collections",
    "collections.abc",
    "dataclasses",
    "functools",
    "itertools",
    "json",
    "typing",
}
"""Modules of the standard library that can know neither the time nor a file nor a random number."""


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            found.add(node.module)
    return found


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_imports_are_the_rooms_own_or_harmless(path) -> None:
    others = {name for name in imported(path) if name != "rules" and not name.startswith("rules.")}
    assert others <= ALLOWED
    assert others <= set(sys.stdlib_module_names) | {"collections.abc"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_no_file_and_no_foreign_code_by_other_ways(path) -> None:
    calls = [node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    called = {func.id for func in calls if isinstance(func, ast.Name)}
    assert not called & {"open", "print", "input", "eval", "exec", "__import__", "compile"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_a_file_has_a_docstring_about_its_room_and_one_subject(path) -> None:
    text = path.read_text()
    docstring = ast.get_docstring(ast.parse(text))
    assert docstring
    assert "Room: rules." in docstring
    assert text.count("\n") <= 500


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_examples_in_docstrings_run(path) -> None:
    name = "rules" if path.stem == "__init__" else f"rules.{path.stem}"
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_the_example_of_the_design() -> None:
    game = rules.new("yardzee", players=["Ann", "Bo"])
    assert game.awaiting == Roll(5)
    assert not game.legal_moves
    game.push(Roll((5, 2, 5, 6, 5)))
    assert game.awaiting == Choice()
    assert Keep((5, 5, 5)) in game.legal_moves
    assert Keep.at((0, 2, 4)) in game.legal_moves
    assert Score("fives") in game.legal_moves
    assert Keep((5, 5, 5, 5)) not in game.legal_moves
    assert Roll((1, 1, 1, 1, 1)) not in game.legal_moves
    game.push(Keep((5, 5, 5)))
    assert (game.awaiting, game.kept, game.dice) == (Roll(5), (5, 5, 5), (5, 2, 5, 6, 5))
    game.push(Roll((5, 5, 5, 1, 5)))
    assert (game.rolls_made, game.rolls_max, game.kept) == (2, 3, ())
    game.push(Score("fives"))
    assert (game.turn, game.totals, game.round) == (1, (20, 0), 1)
    assert game.pop() == Score("fives")
    assert game.turn == 0
    assert game.outcome() is None
    copy = game.copy()
    copy.push(Score("chance"))
    assert (copy.ply, game.ply) == (4, 3)


def test_a_keep_by_position_becomes_faces(play) -> None:
    game = play(rules.new("yardzee", ["Ann"]), "roll 52565; keep at 4,0")
    assert game.pop() == Keep((5, 5))


def test_legal_moves_is_a_sequence_that_is_made_when_asked(play) -> None:
    game = play(rules.new("yardzee", ["Ann"]), "roll 52565")
    legal = game.legal_moves
    everything = list(legal)
    assert len(legal) == len(everything) == 4 * 2 * 2 + 13
    assert [legal[i] for i in range(len(legal))] == everything
    assert legal[-1] == everything[-1] == Score("chance")
    assert legal[-len(everything)] == everything[0] == Keep(())
    with pytest.raises(IndexError):
        legal[len(everything)]
    assert len(set(everything)) == len(everything)
    assert "score chance" in repr(legal)
    game.pop()
    assert len(legal) == len(everything)  # of the position that it was asked about
    assert not game.legal_moves


def test_after_the_last_roll_only_boxes_are_left(play) -> None:
    game = play(rules.new("yardzee", ["Ann"]), "roll 52565; keep -; roll 12345; keep 12345; roll 12345")
    assert all(isinstance(m, Score) for m in game.legal_moves)


def test_boxes_and_cards(play) -> None:
    game = play(rules.new("classic", ["Ann", "Bo"]), "roll 66666; score five_kind; roll 12345; score chance")
    assert [b.label for b in game.boxes][:2] == ["Aces", "Twos"]
    assert [b.section for b in game.boxes] == ["upper"] * 6 + ["lower"] * 7
    assert [b.face for b in game.boxes][:7] == [1, 2, 3, 4, 5, 6, None]
    play(game, "roll 66666; score sixes")
    card = game.card(0)
    assert (card.upper, card.upper_bonus, card.lower, card.bonuses, card.bonus_points, card.total) == (
        30,
        0,
        50,
        1,
        100,
        180,
    )
    assert card.columns[0].boxes == card.boxes
    assert game.card(1).total == game.totals[1] == 15
    assert rules.new("yardkle", ["Ann"]).boxes == ()


def test_options_give_the_reason(play) -> None:
    game = rules.new("yahtzee", ["Ann"])
    assert game.options() == ()
    why = {o.box: (o.value, o.why_code, o.why) for o in game.options((2, 3, 3, 4, 6))}
    assert why["fives"] == (0, "ZERO", "no die shows 5")
    assert why["full_house"] == (0, "ZERO", "needs three of one face and two of another")
    assert why["threes"] == (6, "", "")
    play(game, "roll 66666; score five_kind; roll 44444")
    found = {o.box: o for o in game.options()}
    assert (found["fours"].value, found["fours"].bonus, found["fours"].legal) == (20, 100, True)
    assert (found["chance"].value, found["chance"].legal) == (None, False)
    assert found["chance"].why_code == "SCORE-04"
    assert found["chance"].why == "five alike again: they must go in Fours"
    assert "five_kind" not in found
    assert [o.box for o in game.options()] == [b.key for b in game.boxes if b.key != "five_kind"]


def test_options_of_a_banking_game(play) -> None:
    game = play(rules.new("yardkle", ["Ann"]), "roll 115234")
    assert [(o.faces, o.value, o.hand) for o in game.options()] == [
        ((1, 1, 5), 250, 3),
        ((1, 1), 200, 4),
        ((1, 5), 150, 4),
        ((1,), 100, 5),
        ((5,), 50, 5),
    ]
    assert game.options((2, 2, 3, 4, 6, 6)) == ()
    play(game, "aside 115")
    assert game.options() == ()
    assert [o.hand for o in game.options((1, 1, 1))] == [6, 1, 2]


def test_every_move_has_a_sentence(play) -> None:
    game = rules.new("yardzee", [["Ann", "Cy"], "Bo"])
    assert game.explain(rules.RollOff((1, 2, 3, 4, 5))) == "Ann throws 15 for the first turn."
    assert game.explain(Roll((5, 2, 5, 6, 5))) == "Ann throws 5 2 5 6 5."
    play(game, "roll 52565")
    assert game.told() == "Ann throws 5 2 5 6 5."
    assert game.explain(Keep((5, 5))) == "Ann keeps 5 5 and throws 3 dice again."
    assert game.explain(Keep((5, 5, 5, 2))) == "Ann keeps 2 5 5 5 and throws one die again."
    assert game.explain(Keep(())) == "Ann throws 5 dice again."
    assert game.explain(Keep.at((1,))) == "Ann keeps 2 and throws 4 dice again."
    assert game.explain(Score("fives")) == "Ann writes 15 in Fives: three dice show 5."
    assert game.explain(Score("twos")) == "Ann writes 2 in Twos: one die shows 2."
    assert game.explain(Score("full_house")) == (
        "Ann writes 0 in Full house: it needs three of one face and two of another."
    )
    assert game.explain(Score("chance")) == "Ann writes 23 in Chance: the dice are 2 5 5 5 6."
    assert game.explain(rules.Stop()) == "Not allowed: Yardzee has no such move as 'stop'."
    play(game, "score fives; roll 66666; score five_kind; roll 12345; score ones; roll 66666")
    assert game.explain(Score("sixes")) == (
        "Bo writes 30 in Sixes: five dice show 6, and gets 100 more for a further five alike."
    )
    assert game.explain(rules.Leave(0)) == "Ann & Cy leaves; the card is kept but not ranked."
    assert game.explain(rules.Join(" Di ")) == "Di joins."
    assert game.told(0) == "Ann throws 5 2 5 6 5."


def test_sentences_of_a_banking_game(play) -> None:
    game = rules.new("yardkle", ["Ann"], three_blanks=300)
    play(game, "roll 111156; aside 1111")
    assert game.told() == "Ann sets 1 1 1 1 aside for 1000: 1000 points so far, 2 dice left."
    assert game.explain(rules.Stop()) == "Ann stops and banks 1000 points: 1000 in all."
    assert game.explain(Roll((2, 3))) == "Ann throws 2 3: worth nothing, a Yardkle; 1000 points are lost."
    play(game, "stop; roll 223346; roll 223346")
    assert game.explain(Roll((2, 2, 3, 3, 4, 6))) == (
        "Ann throws 2 2 3 3 4 6: worth nothing, a Yardkle; the third in a row costs 300 points."
    )
    play(game, "roll 123456; aside 123456")
    assert game.told().endswith("1500 points so far, all 6 dice may be thrown again.")


@pytest.mark.parametrize("info", rules.games(), ids=lambda i: i.name)
def test_the_rulebook_is_short_paragraphs_that_fit_the_options(info) -> None:
    plain = rules.new(info.name, ["Ann", "Bo"]).rulebook()
    assert all(0 < len(p) < 200 for p in plain)
    assert not any("{" in p or "None" in p for p in plain)
    for option in info.options:
        if option.name in ("first", "upper_first"):
            continue
        changed = {"flag": not option.default, "points": (50,)}.get(option.kind)
        if option.kind == "choice":
            changed = next(c for c in option.choices if c != option.default)
        elif option.kind == "number":
            changed = option.default + (option.step if option.default < option.high else -option.step)
        game = rules.new(info.name, ["Ann", "Bo"], **{option.name: changed})
        assert game.rulebook() != plain, f"the rulebook of {info.name} does not tell {option.name}={changed}"


def test_the_list_of_games() -> None:
    assert [g.name for g in rules.games()] == [
        "yardzee",
        "yahtzee",
        "classic",
        "kniffel",
        "yatzy",
        "yacht",
        "maxi_yatzy",
        "yardkle",
        "zilch",
        "farkle",
    ]
    for info in rules.games():
        game = rules.new(info.name, ["Ann"])
        assert (game.title, game.family, game.name) == (info.title, info.family, info.name)
        assert game.awaiting == Roll(info.dice)
        assert info.blurb.endswith(".")
        assert game.settings == {o.name: o.default for o in info.options}


def test_questions_take_less_than_a_millisecond(play) -> None:
    """A wide limit for a slow machine; `scripts/bench_rules.py` measures the real figures."""
    game = play(rules.new("maxi_yatzy", ["Ann"], columns=3), "roll 123456")
    for question in (lambda: list(game.legal_moves), game.options):
        question()
        times = []
        for _ in range(20):
            start = time.perf_counter()
            question()
            times.append(time.perf_counter() - start)
        assert min(times) < 0.001


def test_a_game_over_has_nothing_left(play) -> None:
    game = play(rules.new("yardkle", ["Ann"], target=1000), "roll 222222; aside 222222; stop")
    assert isinstance(game.awaiting, Over)
    assert not game.legal_moves
    assert game.options() == ()
    assert game.options((1,) * 6) == ()
    assert game.outcome() == rules.Outcome((0,), (3000,))
    assert game.round == 1
    assert repr(game).startswith("<Game yardkle game 1/1 turn 0 over")
