"""The scorecard games: each a table of boxes and a few numbers.

Room: rules. Data only, no code that plays. To add a game, add a table here (see docs/adding-a-game.md). Rule numbers
are those of docs/rules.md. Names of games are used to describe the rules only.
"""

from __future__ import annotations

from rules.boxes import AllAlike, Anything, Box, Face, Groups, Run, These
from rules.said import said as _
from rules.sheet import Sheet


def _upper(*labels: str) -> tuple[Box, ...]:
    keys = ("ones", "twos", "threes", "fours", "fives", "sixes")
    return tuple(
        Box(key, label, "upper", Face(face), needs=_("no die shows {face}", face=face))
        for face, (key, label) in enumerate(zip(keys, labels, strict=True), 1)
    )


def _thirteen(upper: tuple[Box, ...], alike: str) -> tuple[Box, ...]:
    return (
        *upper,
        Box("three_kind", _("3 of a kind"), "lower", Groups((3,)), "all", "all", _("needs three alike")),
        Box("four_kind", _("4 of a kind"), "lower", Groups((4,)), "all", "all", _("needs four alike")),
        Box(
            "full_house",
            _("Full house"),
            "lower",
            Groups((3, 2)),
            25,
            25,
            _("needs three of one face and two of another"),
        ),
        Box("small_straight", _("Small straight"), "lower", Run(4), 30, 30, _("needs four faces in sequence")),
        Box("large_straight", _("Large straight"), "lower", Run(5), 40, 40, _("needs five faces in sequence")),
        Box("five_kind", alike, "lower", AllAlike(), 50, needs=_("needs five alike")),
        Box("chance", _("Chance"), "lower", Anything(), "all", "all"),
    )


ENGLISH_LABELS = (_("Ones"), _("Twos"), _("Threes"), _("Fours"), _("Fives"), _("Sixes"))
ENGLISH = _upper(*ENGLISH_LABELS)

YARDZEE = Sheet(
    name="yardzee",
    title="Yardzee",
    blurb=_("Thirteen boxes, three rolls a turn. A second Yardzee is worth 100 more."),
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
    blurb=_("Thirteen boxes, three rolls a turn. Further five alike are jokers and worth 100 more."),
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
    title=_("Classic Yahtzee"),
    blurb=_("The score pad's game: up to six games a match, bonus chips, partners in one column."),
    boxes=_thirteen(_upper(_("Aces"), *ENGLISH_LABELS[1:]), "Yahtzee"),
    bonus_at=63,
    bonus=35,
    alike_box="five_kind",
    extra=100,
    joker="lower_first",
    joker_when="filled",
    source="Classic Yahtzee with retro artwork, instructions (1167)",
)

KNIFFEL = Sheet(
    name="kniffel",
    title="Kniffel",
    blurb=_("The German score sheet: thirteen boxes, a further Kniffel is worth 50 more, the first turn goes round."),
    boxes=_thirteen(ENGLISH, "Kniffel"),
    bonus_at=63,
    bonus=35,
    alike_box="five_kind",
    extra=50,
    joker="lower_first",
    joker_when="filled",
    changes=(("start", "rotate"),),
    source="spielregeln.de, Kniffel; some editions give 100 for a further Kniffel (option extra)",
)


def _alike(alike: tuple[int, ...]) -> tuple[Box, ...]:
    """So many dice alike, of which only those count, as in Scandinavian games."""
    names = {3: _("3 of a kind"), 4: _("4 of a kind"), 5: _("5 of a kind")}
    keys = {3: "three_kind", 4: "four_kind", 5: "five_kind"}
    needs = {3: _("needs three alike"), 4: _("needs four alike"), 5: _("needs five alike")}
    return tuple(Box(keys[n], names[n], "lower", Groups((n,)), needs=needs[n]) for n in alike)


ONE_PAIR = Box("one_pair", _("One pair"), "lower", Groups((2,)), needs=_("needs two alike"))
TWO_PAIRS = Box("two_pairs", _("Two pairs"), "lower", Groups((2, 2)), needs=_("needs two pairs of different faces"))
SMALL = Box("small_straight", _("Small straight"), "lower", These((1, 2, 3, 4, 5)), 15, needs=_("needs 1 2 3 4 5"))
LARGE = Box("large_straight", _("Large straight"), "lower", These((2, 3, 4, 5, 6)), 20, needs=_("needs 2 3 4 5 6"))
HOUSE = Box(
    "full_house", _("Full house"), "lower", Groups((3, 2)), needs=_("needs three of one face and two of another")
)
CHANCE = Box("chance", _("Chance"), "lower", Anything(), "all")

YATZY = Sheet(
    name="yatzy",
    title="Yatzy",
    blurb=_("The Scandinavian card: fifteen boxes with pairs; only the dice of a combination count."),
    boxes=(
        *ENGLISH,
        ONE_PAIR,
        TWO_PAIRS,
        *_alike((3, 4)),
        SMALL,
        LARGE,
        HOUSE,
        CHANCE,
        Box("yatzy", _("Yatzy"), "lower", AllAlike(), 50, needs=_("needs five alike")),
    ),
    bonus_at=63,
    bonus=50,
    source="en.wikipedia.org, Yatzy",
)

YACHT = Sheet(
    name="yacht",
    title="Yacht",
    blurb=_("Thirteen boxes; only the dice of a combination count, and a further Yacht is nothing special."),
    boxes=(
        *ENGLISH,
        *_alike((3, 4)),
        HOUSE,
        SMALL,
        LARGE,
        Box("yacht", _("Yacht"), "lower", AllAlike(), 50, needs=_("needs five alike")),
        CHANCE,
    ),
    bonus_at=63,
    bonus=50,
    source="houseofmarbles.us, Yacht",
)

MAXI_YATZY = Sheet(
    name="maxi_yatzy",
    title="Maxi Yatzy",
    blurb=_("Six dice, twenty boxes; rolls that you do not use are saved for later turns."),
    boxes=(
        *ENGLISH,
        ONE_PAIR,
        TWO_PAIRS,
        Box(
            "three_pairs", _("Three pairs"), "lower", Groups((2, 2, 2)), needs=_("needs three pairs of different faces")
        ),
        *_alike((3, 4, 5)),
        SMALL,
        LARGE,
        Box("full_straight", _("Full straight"), "lower", These((1, 2, 3, 4, 5, 6)), 21, needs=_("needs 1 2 3 4 5 6")),
        HOUSE,
        Box("villa", _("Villa"), "lower", Groups((3, 3)), needs=_("needs three of one face and three of another")),
        Box("tower", _("Tower"), "lower", Groups((4, 2)), needs=_("needs four of one face and two of another")),
        CHANCE,
        Box("maxi_yatzy", _("Maxi Yatzy"), "lower", AllAlike(), 100, needs=_("needs six alike")),
    ),
    bonus_at=84,
    bonus=100,
    dice=6,
    saves_rolls=True,
    source="maxiyahtzee.com, MaxiYatzy rules",
)

SHEETS: tuple[Sheet, ...] = (YARDZEE, YAHTZEE, CLASSIC, KNIFFEL, YATZY, YACHT, MAXI_YATZY)
