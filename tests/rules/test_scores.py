"""Every roll of five and of six dice against a second scorer.

The second scorer shares nothing with `rules`: it works on sorted lists and sets of dice, tries all ways to split them,
and its numbers are written out from the rule sheets again.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product

import pytest

import rules
from rules import Roll, Score

UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")


def groups(dice: tuple[int, ...], sizes: list[int]) -> int:
    """The highest sum of groups of these sizes, each of another face; 0 if there are none."""
    best = 0
    for picked in product(sorted(set(dice)), repeat=len(sizes)):
        if len(set(picked)) == len(sizes) and all(dice.count(f) >= n for f, n in zip(picked, sizes, strict=True)):
            best = max(best, sum(f * n for f, n in zip(picked, sizes, strict=True)))
    return best


def longest_run(dice: tuple[int, ...]) -> int:
    """How many faces follow each other at most."""
    text = "".join(str(f) if f in dice else " " for f in range(1, 7))
    return max(len(part) for part in text.split(" "))


def upper(dice: tuple[int, ...]) -> dict[str, int]:
    return {key: sum(d for d in dice if d == face) for face, key in enumerate(UPPER, 1)}


@cache
def american(dice: tuple[int, ...]) -> dict[str, int]:
    """Thirteen boxes, no joker."""
    most = max(dice.count(f) for f in dice)
    return upper(dice) | {
        "three_kind": sum(dice) * (most >= 3),
        "four_kind": sum(dice) * (most >= 4),
        "full_house": 25 * (sorted(dice.count(f) for f in set(dice)) == [2, 3]),
        "small_straight": 30 * (longest_run(dice) >= 4),
        "large_straight": 40 * (longest_run(dice) == 5),
        "five_kind": 50 * (most == 5),
        "chance": sum(dice),
    }


@cache
def scandinavian(dice: tuple[int, ...]) -> dict[str, int]:
    """The fifteen boxes of Yatzy."""
    return upper(dice) | {
        "one_pair": groups(dice, [2]),
        "two_pairs": groups(dice, [2, 2]),
        "three_kind": groups(dice, [3]),
        "four_kind": groups(dice, [4]),
        "small_straight": 15 * (set(dice) >= {1, 2, 3, 4, 5}),
        "large_straight": 20 * (set(dice) >= {2, 3, 4, 5, 6}),
        "full_house": groups(dice, [3, 2]),
        "chance": sum(dice),
        "yatzy": 50 * (len(set(dice)) == 1),
    }


@cache
def yacht(dice: tuple[int, ...]) -> dict[str, int]:
    """The thirteen boxes of Yacht."""
    found = scandinavian(dice)
    return {k: v for k, v in found.items() if k not in ("one_pair", "two_pairs", "yatzy")} | {"yacht": found["yatzy"]}


@cache
def maxi(dice: tuple[int, ...]) -> dict[str, int]:
    """The twenty boxes of Maxi Yatzy."""
    found = scandinavian(dice) | {
        "three_pairs": groups(dice, [2, 2, 2]),
        "five_kind": groups(dice, [5]),
        "full_straight": 21 * (len(set(dice)) == 6),
        "villa": groups(dice, [3, 3]),
        "tower": groups(dice, [4, 2]),
        "maxi_yatzy": 100 * (len(set(dice)) == 1),
    }
    del found["yatzy"]
    return found


def rolls(dice: int) -> Iterator[tuple[int, ...]]:
    return product(range(1, 7), repeat=dice)


@pytest.mark.parametrize(
    ("name", "scorer", "dice"),
    [
        ("yardzee", american, 5),
        ("yahtzee", american, 5),
        ("classic", american, 5),
        ("kniffel", american, 5),
        ("yatzy", scandinavian, 5),
        ("yacht", yacht, 5),
        ("maxi_yatzy", maxi, 6),
    ],
)
def test_every_roll_in_every_box(name, scorer, dice) -> None:
    game = rules.new(name, ["Ann"])
    keys = [b.key for b in game.boxes]
    compared = 0
    for roll in rolls(dice):
        expected = scorer(tuple(sorted(roll)))
        line = game._engine.thrown.get(roll) or game._engine.table[tuple(sorted(roll))]
        assert dict(zip(keys, line.plain, strict=True)) == expected, roll
        if compared % 97 == 0:  # and through the front door
            assert {o.box: o.value for o in game.options(roll)} == expected, roll
        compared += 1
    assert compared == 6**dice


def test_written_scores_are_those_of_the_options() -> None:
    for roll in [(5, 2, 5, 6, 5), (2, 3, 2, 5, 4), (3, 3, 2, 3, 2), (2, 3, 3, 4, 6), (4, 4, 4, 4, 4)]:
        for box, value in american(tuple(sorted(roll))).items():
            game = rules.new("yardzee", ["Ann"])
            game.push(Roll(roll))
            game.push(Score(box))
            assert game.card(0).boxes[[b.key for b in game.boxes].index(box)] == value


@pytest.mark.parametrize("face", range(1, 7))
def test_jokers_pay_what_is_printed(face) -> None:
    five = (face,) * 5
    joker = {"full_house": 25, "small_straight": 30, "large_straight": 40}
    joker |= dict.fromkeys(("three_kind", "four_kind", "chance"), sum(five))
    for name in ("yardzee", "yahtzee", "classic", "kniffel"):
        game = rules.new(name, ["Ann"])
        for roll, box in [((6, 6, 6, 6, 6), "five_kind"), (five, UPPER[face - 1])]:
            game.push(Roll(roll))
            game.push(Score(box))
        game.push(Roll(five))
        legal = {o.box: o.value for o in game.options() if o.legal}
        above = {key: 0 for key in UPPER if key != UPPER[face - 1]} if name == "yardzee" else {}
        assert legal == above | joker
        assert all(o.bonus == (50 if name == "kniffel" else 100) for o in game.options() if o.legal)


# Banking games: split the dice into blocks in all ways, each block being one line of the sheet.


def yardkle_block(block: tuple[int, ...]) -> int:
    n, face = len(block), block[0]
    if n == 1:
        return {1: 100, 5: 50}.get(face, 0)
    if len(set(block)) == 1:
        return {3: {1: 300}.get(face, face * 100), 4: 1000, 5: 2000, 6: 3000}.get(n, 0)
    if n != 6:
        return 0
    shape = sorted(block.count(f) for f in set(block))
    return {(1,) * 6: 1500, (2, 2, 2): 1500, (2, 4): 1500, (3, 3): 2500}.get(tuple(shape), 0)


def doubling_block(block: tuple[int, ...]) -> int:
    n, face = len(block), block[0]
    if n == 1:
        return {1: 100, 5: 50}.get(face, 0)
    if len(set(block)) == 1 and n >= 3:
        return (1000 if face == 1 else face * 100) * 2 ** (n - 3)
    return 0


def zilch_block(block: tuple[int, ...]) -> int:
    shape = tuple(sorted(block.count(f) for f in set(block)))
    return max(doubling_block(block), 1500 * (shape in ((1,) * 6, (2, 2, 2), (2, 4))))


def farkle_block(block: tuple[int, ...]) -> int:
    shape = tuple(sorted(block.count(f) for f in set(block)))
    return max(doubling_block(block), {(1,) * 6: 1000, (2, 2, 2): 500}.get(shape, 0))


def best_split(dice: tuple[int, ...], block, known: dict) -> int | None:
    """The best sum over all ways to split the dice into blocks that are worth something; None if there is none."""
    if not dice:
        return 0
    if dice not in known:
        best = None
        rest = range(1, len(dice))
        for n in range(len(dice)):
            for others in combinations(rest, n):  # the block of the first die
                worth = block((dice[0], *(dice[i] for i in others)))
                left = best_split(tuple(dice[i] for i in rest if i not in others), block, known) if worth else None
                if left is not None and (best is None or worth + left > best):
                    best = worth + left
        known[dice] = best
    return known[dice]


@pytest.mark.parametrize(
    ("name", "block", "nothing"),
    [("yardkle", yardkle_block, 0), ("zilch", zilch_block, 500), ("farkle", farkle_block, 0)],
)
def test_every_roll_of_six_in_banking_games(name, block, nothing) -> None:
    game = rules.new(name, ["Ann"])
    known: dict = {}
    expected: dict = {}
    compared = 0
    for roll in rolls(6):
        sort = tuple(sorted(roll))
        if sort not in expected:
            asides = {tuple(sort[i] for i in at) for n in range(1, 7) for at in combinations(range(6), n)}
            worths = {aside: best_split(aside, block, known) for aside in asides}
            expected[sort] = {aside: worth for aside, worth in worths.items() if worth is not None}
            if not expected[sort] and nothing:
                expected[sort] = {sort: nothing}
        assert {o.faces: o.value for o in game.options(roll)} == expected[sort], roll
        compared += 1
    assert compared == 46656


def test_yardkle_chances_are_the_published_ones() -> None:
    game = rules.new("yardkle", ["Ann"])
    blank = {n: sum(not game._engine.sets(tuple(sorted(r))) for r in rolls(n)) for n in range(1, 7)}
    assert blank == {1: 4, 2: 16, 3: 60, 4: 204, 5: 600, 6: 1080}
