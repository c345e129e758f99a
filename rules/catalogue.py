"""The scorecard games: each a table of boxes and a few numbers.

Room: rules. To add a game, add a table here (see docs/adding-a-game.md). Rule numbers are those of docs/rules.md.
Names of games are used to describe the rules only.
"""

from __future__ import annotations

from rules.boxes import AllAlike, Anything, Box, Face, Groups, Run
from rules.scorecard import Sheet


def _upper(*labels: str) -> tuple[Box, ...]:
    keys = ("ones", "twos", "threes", "fours", "fives", "sixes")
    return tuple(
        Box(key, label, "upper", Face(face), needs=f"no die shows {face}")
        for face, (key, label) in enumerate(zip(keys, labels, strict=True), 1)
    )


def _thirteen(upper: tuple[Box, ...], alike: str) -> tuple[Box, ...]:
    return (
        *upper,
        Box("three_kind", "3 of a kind", "lower", Groups((3,)), "all", "all", "needs three alike"),
        Box("four_kind", "4 of a kind", "lower", Groups((4,)), "all", "all", "needs four alike"),
        Box("full_house", "Full house", "lower", Groups((3, 2)), 25, 25, "needs three of one face and two of another"),
        Box("small_straight", "Small straight", "lower", Run(4), 30, 30, "needs four faces in sequence"),
        Box("large_straight", "Large straight", "lower", Run(5), 40, 40, "needs five faces in sequence"),
        Box("five_kind", alike, "lower", AllAlike(), 50, needs="needs five alike"),
        Box("chance", "Chance", "lower", Anything(), "all", "all"),
    )


ENGLISH = _upper("Ones", "Twos", "Threes", "Fours", "Fives", "Sixes")

YARDZEE = Sheet(
    name="yardzee",
    title="Yardzee",
    blurb="Thirteen boxes, three rolls a turn. A second Yardzee is worth 100 more.",
    boxes=_thirteen(ENGLISH, "Yardzee"),
    bonus_at=63,
    bonus=35,
    alike_box="five_kind",
    extra=100,
    joker="any_box",
    joker_when="scored",
    source="The Yardzee sheet for yard dice",
)

YAHTZEE = Sheet(
    name="yahtzee",
    title="Yahtzee",
    blurb="Thirteen boxes, three rolls a turn. Further five alike are jokers and worth 100 more.",
    boxes=_thirteen(ENGLISH, "Yahtzee"),
    bonus_at=63,
    bonus=35,
    alike_box="five_kind",
    extra=100,
    joker="lower_first",
    joker_when="filled",
    source="A web article on the present rules",
)

CLASSIC = Sheet(
    name="classic",
    title="Classic Yahtzee",
    blurb="The score pad's game: up to six games a match, bonus chips, partners in one column.",
    boxes=_thirteen(_upper("Aces", "Twos", "Threes", "Fours", "Fives", "Sixes"), "Yahtzee"),
    bonus_at=63,
    bonus=35,
    alike_box="five_kind",
    extra=100,
    joker="lower_first",
    joker_when="filled",
    source="Classic Yahtzee with retro artwork, instructions (1167)",
)

SHEETS: tuple[Sheet, ...] = (YARDZEE, YAHTZEE, CLASSIC)
