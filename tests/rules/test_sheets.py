"""Games by their published sheets: examples and sums as they are printed there."""

from __future__ import annotations

import pytest

import rules
from rules import Roll, Score, Stop

YATZY_BEST = {
    "ones": "11111",
    "twos": "22222",
    "threes": "33333",
    "fours": "44444",
    "fives": "55555",
    "sixes": "66666",
    "one_pair": "66123",
    "two_pairs": "66551",
    "three_kind": "66612",
    "four_kind": "66661",
    "small_straight": "12345",
    "large_straight": "23456",
    "full_house": "66655",
    "chance": "66666",
    "yatzy": "11111",
}


def filled(name: str, rolls: dict[str, str]) -> rules.Game:
    game = rules.new(name, ["Ann"])
    for box, roll in rolls.items():
        game.push(Roll(map(int, roll)))
        game.push(Score(box))
    return game


# Yatzy: en.wikipedia.org


def test_the_highest_yatzy_score_is_374() -> None:
    game = filled("yatzy", YATZY_BEST)
    assert game.outcome().totals == (374,)
    card = game.card(0)
    assert card.boxes == (5, 10, 15, 20, 25, 30, 12, 22, 18, 24, 15, 20, 28, 30, 50)
    assert (card.upper, card.upper_bonus, card.lower) == (105, 50, 219)


@pytest.mark.parametrize(
    ("roll", "box", "points"),
    [
        ("33345", "one_pair", 6),
        ("33445", "two_pairs", 14),
        ("33344", "two_pairs", 14),
        ("33334", "two_pairs", 0),  # the pairs must differ
        ("33333", "two_pairs", 0),
        ("33333", "full_house", 0),
        ("33344", "full_house", 17),
        ("22334", "one_pair", 6),  # the highest pair
        ("12346", "small_straight", 0),
        ("23456", "small_straight", 0),
        ("12345", "large_straight", 0),
        ("33335", "three_kind", 9),
        ("33335", "four_kind", 12),
    ],
)
def test_yatzy_examples(pays, roll, box, points) -> None:
    assert pays(rules.new("yatzy", ["Ann"]), tuple(map(int, roll)))[box] == points


def test_yatzy_has_no_bonus_for_a_second_yatzy(play, pays) -> None:
    game = play(rules.new("yatzy", ["Ann"]), "roll 66666; score yatzy; roll 44444")
    found = pays(game)
    assert (found["chance"], found["large_straight"], found["full_house"]) == (20, 0, 0)
    assert not any(o.bonus for o in game.options())


# Yacht: houseofmarbles.us


@pytest.mark.parametrize(
    ("roll", "box", "points"),
    [
        ("33345", "three_kind", 9),
        ("44441", "four_kind", 16),
        ("33322", "full_house", 13),
        ("33333", "full_house", 0),
        ("12345", "small_straight", 15),
        ("23456", "large_straight", 20),
        ("22222", "yacht", 50),
        ("13466", "chance", 20),
    ],
)
def test_yacht_examples(pays, roll, box, points) -> None:
    assert pays(rules.new("yacht", ["Ann"]), tuple(map(int, roll)))[box] == points


def test_the_yacht_bonus_is_50(play) -> None:
    game = rules.new("yacht", ["Ann"])
    for face, box in enumerate(("ones", "twos", "threes", "fours", "fives", "sixes"), 1):
        play(game, f"roll {str(face) * 3}{face % 6 + 1}{face % 6 + 1}; score {box}")
    assert (game.card(0).upper, game.card(0).upper_bonus) == (63, 50)


# Maxi Yatzy: maxiyahtzee.com


@pytest.mark.parametrize(
    ("roll", "box", "points"),
    [
        ("116143", "ones", 3),
        ("254326", "twos", 4),
        ("321343", "threes", 9),
        ("434544", "fours", 16),
        ("512554", "fives", 15),
        ("463166", "sixes", 18),
        ("642651", "one_pair", 12),
        ("213355", "two_pairs", 16),
        ("225566", "three_pairs", 26),
        ("222266", "three_pairs", 0),
        ("453554", "three_kind", 15),
        ("242252", "four_kind", 8),
        ("332333", "five_kind", 15),
        ("123453", "small_straight", 15),
        ("234566", "large_straight", 20),
        ("123456", "full_straight", 21),
        ("123456", "small_straight", 15),
        ("344666", "full_house", 26),
        ("222555", "villa", 21),
        ("222222", "villa", 0),
        ("336666", "tower", 30),
        ("342654", "chance", 24),
        ("555555", "maxi_yatzy", 100),
        ("555555", "five_kind", 25),
    ],
)
def test_maxi_yatzy_examples(pays, roll, box, points) -> None:
    assert pays(rules.new("maxi_yatzy", ["Ann"]), tuple(map(int, roll)))[box] == points


@pytest.mark.parametrize(("sixes", "bonus"), [("666612", 100), ("666512", 0)])
def test_the_maxi_yatzy_bonus_needs_84(sixes, bonus) -> None:
    rolls = {"ones": "111123", "twos": "222213", "threes": "333312", "fours": "444412", "fives": "555512"}
    card = filled("maxi_yatzy", rolls | {"sixes": sixes}).card(0)
    assert (card.upper, card.upper_bonus) == (84 if bonus else 78, bonus)


def test_maxi_yatzy_saves_rolls(play) -> None:
    game = play(rules.new("maxi_yatzy", ["Ann"]), "roll 123456; score ones; roll 123456; score twos")
    assert (game.rolls_max, game.card(0).saved) == (7, 4)


# Kniffel: spielregeln.de


def test_kniffel(play, pays) -> None:
    game = play(rules.new("kniffel", ["Ann"]), "roll 66666; score five_kind; roll 66666; score sixes; roll 66666")
    assert pays(game)["large_straight"] == 40
    assert "ones" not in pays(game)  # lower section first
    assert game.card(0).bonus_points == 50
    zero = play(rules.new("kniffel", ["Ann"]), "roll 12345; score five_kind; roll 66666; score sixes")
    assert zero.card(0).bonus_points == 0


def test_the_first_turn_of_kniffel_goes_round() -> None:
    assert rules.new("kniffel", ["Ann", "Bo"]).settings["start"] == "rotate"


# Zilch: zilch.playr.co.uk


@pytest.mark.parametrize(
    ("roll", "faces", "points"),
    [
        ("123456", (1, 2, 3, 4, 5, 6), 1500),
        ("223344", (2, 2, 3, 3, 4, 4), 1500),
        ("222233", (2, 2, 2, 2, 3, 3), 1500),
        ("223446", (2, 2, 3, 4, 4, 6), 500),
        ("111346", (1, 1, 1), 1000),
        ("222246", (2, 2, 2, 2), 400),
        ("222226", (2, 2, 2, 2, 2), 800),
        ("333333", (3,) * 6, 2400),
        ("333336", (3,) * 5, 1200),
        ("333346", (3,) * 4, 600),
        ("333246", (3,) * 3, 300),
        ("123346", (1,), 100),
        ("523346", (5,), 50),
    ],
)
def test_zilch_scores(roll, faces, points) -> None:
    game = rules.new("zilch", ["Ann"])
    found = {o.faces: o.value for o in game.options(tuple(map(int, roll)))}
    assert found[faces] == points


def test_a_roll_of_fewer_than_six_worth_nothing_is_a_zilch(play) -> None:
    game = play(rules.new("zilch", ["Ann"]), "roll 123446; aside 1; roll 23446")
    assert game.card(0).blanks == 1


def test_no_scoring_dice_give_all_six_again(play) -> None:
    game = play(rules.new("zilch", ["Ann"]), "roll 223446; aside 223446")
    assert game.turn_points == 500
    assert game.awaiting == Roll(6)
    assert Stop() in game.legal_moves


def test_zilch_banks_300_or_more(play) -> None:
    assert Stop() in play(rules.new("zilch", ["Ann"]), "roll 333246; aside 333").legal_moves
    assert Stop() not in play(rules.new("zilch", ["Ann"]), "roll 115246; aside 115").legal_moves


def test_the_third_zilch_in_a_row_costs_500(play) -> None:
    game = play(rules.new("zilch", ["Ann"]), "roll 111246; aside 111; stop")
    for _ in range(3):
        play(game, "roll 123446; aside 1; roll 23446")
    assert game.totals == (500,)


# Farkle with the house table


@pytest.mark.parametrize(
    ("roll", "faces", "points"),
    [
        ("111346", (1, 1, 1), 1000),
        ("111146", (1, 1, 1, 1), 2000),
        ("666662", (6,) * 5, 2400),
        ("123456", (1, 2, 3, 4, 5, 6), 1000),
        ("223344", (2, 2, 3, 3, 4, 4), 500),
    ],
)
def test_farkle_scores(roll, faces, points) -> None:
    found = {o.faces: o.value for o in rules.new("farkle", ["Ann"]).options(tuple(map(int, roll)))}
    assert found[faces] == points


def test_three_farkles_cost_1000(play) -> None:
    game = play(rules.new("farkle", ["Ann"]), "roll 111146; aside 1111; stop; roll 223446; roll 223446; roll 223446")
    assert game.totals == (1000,)


# Yardkle and Yardzee: examples that are printed on their sheets


def test_dice_of_different_rolls_are_not_added_together(play) -> None:
    game = play(rules.new("yardkle", ["Ann"]), "roll 522346; aside 5; roll 55234; aside 55")
    assert game.turn_points == 150


def test_the_yardzee_sheet(pays) -> None:
    game = rules.new("yardzee", ["Ann"])
    found = pays(game, (5, 2, 5, 6, 5))
    assert [found[b] for b in ("ones", "twos", "threes", "fours", "fives", "sixes")] == [0, 2, 0, 0, 15, 6]
    assert pays(game, (2, 3, 2, 5, 4))["small_straight"] == 30
    assert pays(game, (2, 3, 2, 5, 4))["large_straight"] == 0
    assert pays(game, (3, 3, 2, 3, 2))["full_house"] == 25
    assert pays(game, (2, 3, 3, 4, 6))["fives"] == 0
