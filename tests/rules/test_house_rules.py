"""What each option does, by hand."""

from __future__ import annotations

import pytest

import rules
from rules import Over, Roll, Score, Stop

UPPER = ["ones", "twos", "threes", "fours", "fives", "sixes"]
LOWER = ["three_kind", "four_kind", "full_house", "small_straight", "large_straight", "five_kind", "chance"]


@pytest.mark.parametrize(
    ("order", "first"),
    [
        ("any", UPPER + LOWER),
        ("top_down", ["ones"]),
        ("bottom_up", ["chance"]),
        ("upper_first", UPPER),
        ("lower_first", LOWER),
    ],
)
def test_order(order, first) -> None:
    game = rules.new("yahtzee", ["Ann"], order=order)
    filled = []
    while not isinstance(game.awaiting, Over):
        game.push(Roll((1, 2, 3, 4, 6)))
        open_boxes = [o.box for o in game.options() if o.legal]
        if not filled:
            assert open_boxes == first
        assert [m.box for m in game.legal_moves if isinstance(m, Score)] == open_boxes
        filled.append(open_boxes[0])
        game.push(Score(open_boxes[0]))
    expected = {"bottom_up": list(reversed(UPPER + LOWER)), "lower_first": LOWER + UPPER}
    assert filled == expected.get(order, UPPER + LOWER)


def test_upper_first_is_short_for_an_order() -> None:
    a, b = rules.new("yahtzee", ["Ann"], upper_first=True), rules.new("yahtzee", ["Ann"], order="upper_first")
    assert a.settings == b.settings
    assert a.settings["order"] == "upper_first"
    assert a.settings["upper_first"] is True


def test_the_order_goes_before_the_joker_rules(play, pays) -> None:
    game = play(rules.new("yahtzee", ["Ann"], order="lower_first"), "roll 66666; score five_kind; roll 44444")
    assert pays(game) == {
        "three_kind": 20,
        "four_kind": 20,
        "full_house": 25,
        "small_straight": 30,
        "large_straight": 40,
        "chance": 20,
    }


def test_columns_count_by_their_factor(play) -> None:
    game = rules.new("yahtzee", ["Ann"], columns=3)
    assert game.factors == (1, 2, 3)
    play(game, "roll 12345; score chance; roll 12345; score chance 1; roll 12345; score chance 2")
    card = game.card(0)
    assert card.boxes == (None,) * 12 + (15,) + (None,) * 12 + (15,) + (None,) * 12 + (15,)
    assert [c.total for c in card.columns] == [15, 15, 15]
    assert [c.factor for c in card.columns] == [1, 2, 3]
    assert card.lower == card.total == game.totals[0] == 15 + 30 + 45


def test_three_columns_have_39_turns() -> None:
    game = rules.new("yatzy", ["Ann"], columns=3)
    turns = 0
    while not isinstance(game.awaiting, Over):
        game.push(Roll((1, 1, 1, 1, 1)))
        game.push(game.legal_moves[-1])
        turns += 1
    assert turns == 45  # Yatzy has 15 boxes
    assert game.round == 45


def test_each_column_is_a_card_of_its_own(play, pays) -> None:
    game = play(rules.new("yahtzee", ["Ann"], columns=2), "roll 66666; score five_kind 1; roll 44444")
    found = pays(game)
    assert found["full_house"] == 0  # column one: a first five of a kind, plain values
    assert found["five_kind"] == 50
    assert {k for k in found if k.endswith("/1")} == {"fours/1"}  # column two: a further one
    play(game, "score fours 1; roll 66666; score sixes")
    card = game.card(0)
    assert (card.bonuses, card.bonus_points) == (1, 200)
    assert card.total == 30 + 2 * (50 + 20 + 100)


def test_the_upper_bonus_is_each_columns_own(play) -> None:
    game = rules.new("yahtzee", ["Ann"], columns=2)
    for face, box in enumerate(UPPER, 1):
        play(game, f"roll {str(face) * 4}{face % 6 + 1}; score {box} 1")
    card = game.card(0)
    assert [c.upper_bonus for c in card.columns] == [0, 35]
    assert (card.upper, card.upper_bonus, card.total) == (168, 70, 238)


def test_five_alike_as_a_full_house(pays) -> None:
    assert pays(rules.new("yahtzee", ["Ann"]), (3,) * 5)["full_house"] == 0
    assert pays(rules.new("yahtzee", ["Ann"], alike_full_house=True), (3,) * 5)["full_house"] == 25
    assert pays(rules.new("yatzy", ["Ann"], alike_full_house=True), (3,) * 5)["full_house"] == 15
    assert pays(rules.new("yahtzee", ["Ann"], alike_full_house=True), (3, 3, 3, 3, 2))["full_house"] == 0


def test_joker_free(play, pays) -> None:
    game = play(rules.new("yahtzee", ["Ann"], joker="free"), "roll 66666; score five_kind; roll 44444")
    found = pays(game)
    assert found.pop("fours") == 20
    assert [found.pop(b) for b in ("full_house", "small_straight", "large_straight")] == [25, 30, 40]
    assert [found.pop(b) for b in ("three_kind", "four_kind", "chance")] == [20, 20, 20]
    assert found == dict.fromkeys(["ones", "twos", "threes", "fives", "sixes"], 0)


def test_joker_none(play, pays) -> None:
    game = play(rules.new("yahtzee", ["Ann"], joker="none"), "roll 66666; score five_kind; roll 44444")
    assert pays(game)["large_straight"] == 0
    assert pays(game)["fours"] == 20
    assert game.options()[0].bonus == 100


@pytest.mark.parametrize(("extra", "points"), [(0, 0), (50, 50), (100, 100)])
def test_extra(play, extra, points) -> None:
    game = play(rules.new("kniffel", ["Ann"], extra=extra), "roll 66666; score five_kind; roll 66666; score sixes")
    assert game.card(0).bonus_points == points
    assert game.totals == (80 + points,)


def test_head_start(play) -> None:
    game = rules.new("yardzee", ["Ann", "Bo"], head_start=(0, 40))
    assert game.totals == (0, 40)
    assert game.leaders == (1,)
    play(game, "roll 12345; score chance; roll 12345; score chance")
    assert game.totals == (15, 55)
    assert game.card(1).head_start == 40


def test_head_start_does_not_put_a_player_on_the_pad(play) -> None:
    game = play(rules.new("yardkle", ["Ann"], head_start=(1000,)), "roll 122346; aside 1")
    assert game.totals == (1000,)
    assert not game.card(0).on_pad
    assert not game.legal_moves


# Banking


def test_opening(play) -> None:
    assert Stop() in play(rules.new("yardkle", ["Ann"], opening=100), "roll 122346; aside 1").legal_moves
    assert Stop() not in play(rules.new("yardkle", ["Ann"], opening=150), "roll 122346; aside 1").legal_moves
    assert Stop() in play(rules.new("yardkle", ["Ann"], opening=0), "roll 522346; aside 5").legal_moves


def test_smallest_bank(play) -> None:
    game = play(rules.new("yardkle", ["Ann"], bank=200), "roll 123456; aside 123456; stop; roll 155223")
    assert game.card(0).on_pad
    assert Stop() not in play(game.copy(), "aside 15").legal_moves
    assert Stop() in play(game.copy(), "aside 155").legal_moves
    low = play(rules.new("yardkle", ["Ann"], bank=700, opening=500), "roll 555234; aside 555")
    assert Stop() not in low.legal_moves  # the first time too


def test_target_and_last_round(play) -> None:
    game = play(rules.new("yardkle", ["Ann", "Bo", "Cy"], target=2000), "roll 222222; aside 222222; stop")
    assert game.last_turns == (1, 2)
    assert game.outcome() is None
    play(game, "roll 222222; aside 222222; stop")
    assert game.last_turns == (2,)
    play(game, "roll 223346")
    assert game.outcome().winners == (0, 1)
    assert game.outcome().totals == (3000, 3000, 0)


def test_without_a_last_round_the_game_ends_at_once(play) -> None:
    game = rules.new("yardkle", ["Ann", "Bo"], target=2000, last_round=False)
    play(game, "roll 222222; aside 222222; stop")
    assert game.outcome().winners == (0,)


def test_double_alike() -> None:
    game = rules.new("yardkle", ["Ann"], double_alike=True)
    assert {o.faces: o.value for o in game.options((2, 2, 2, 2, 2, 6))} == {
        (2,) * 5: 800,
        (2,) * 4: 400,
        (2,) * 3: 200,
    }
    assert {o.faces: o.value for o in game.options((1, 1, 1, 1, 6, 6))}[(1, 1, 1, 1)] == 600


def test_hot_dice_count_more_times(play) -> None:
    game = play(rules.new("yardkle", ["Ann"], hot_dice=2), "roll 123456; aside 123456; roll 155223")
    assert game.turn_points == 1500
    assert {o.faces: o.value for o in game.options()}[(1, 5, 5)] == 400
    play(game, "aside 155; roll 123; aside 1")
    assert game.turn_points == 1500 + 400 + 200
    play(game, "stop; roll 122346")
    assert {o.faces: o.value for o in game.options()}[(1,)] == 100  # the next turn is a new one


def test_hot_dice_must_be_thrown(play) -> None:
    game = play(rules.new("yardkle", ["Ann"], hot_must_throw=True), "roll 123456; aside 123456")
    assert not game.legal_moves
    assert Stop() in play(game, "roll 122346; aside 1").legal_moves


def test_three_blank_turns_cost_points(play) -> None:
    game = rules.new("yardkle", ["Ann", "Bo"], three_blanks=500)
    blank = "roll 223346; "
    play(game, "roll 555234; aside 555; stop; " + blank)
    play(game, blank * 4)
    assert game.card(0).blanks == 2
    assert game.card(1).blanks == 0  # Bo's third: nothing to lose, and counted from the start again
    assert game.totals == (500, 0)
    play(game, blank)
    assert game.totals == (0, 0)
    assert game.card(0).on_pad


def test_a_banked_turn_breaks_the_row_of_blanks(play) -> None:
    game = rules.new("zilch", ["Ann"], opening=50, bank=50)
    play(game, "roll 111234; aside 111; stop")
    for _ in range(2):
        play(game, "roll 123446; aside 1; roll 23446")
    assert game.card(0).blanks == 2
    play(game, "roll 123446; aside 1; stop")
    assert game.card(0).blanks == 0
    assert game.totals == (1100,)


def test_a_score_never_falls_below_zero(play) -> None:
    game = rules.new("yardkle", ["Ann"], three_blanks=1000)
    play(game, "roll 555234; aside 555; stop; " + "roll 223346; " * 2 + "roll 223346")
    assert game.totals == (0,)


def test_every_option_has_words_and_a_default_that_it_accepts() -> None:
    for info in rules.games():
        assert len({o.name for o in info.options}) == len(info.options)
        for option in info.options:
            assert option.check(option.default) == option.default
            assert option.sentence.endswith(".")
            assert len(option.sentence) < 90
            assert len(option.choices) == len(option.choice_words)
            assert option.limits()
