"""The banking games: each a scoring table and a few numbers.

Room: rules. Data only, no code that plays. To add a game, add a table here (see docs/adding-a-game.md). Rule numbers
are those of docs/rules.md.
"""

from __future__ import annotations

from rules.banking import Pad
from rules.combos import Alike, Combo, Exactly, Nothing, Shape
from rules.said import said as _

YARDKLE_TABLE: tuple[Combo, ...] = (
    Exactly(_("Single 1"), (1,), 100),
    Exactly(_("Single 5"), (5,), 50),
    Alike(_("Three alike"), 3, (300, 200, 300, 400, 500, 600)),
    Alike(_("Four alike"), 4, 1000),
    Alike(_("Five alike"), 5, 2000),
    Alike(_("Six alike"), 6, 3000),
    Exactly(_("Straight 1 to 6"), (1, 2, 3, 4, 5, 6), 1500),
    Shape(_("Three pairs"), (2, 2, 2), 1500),
    Shape(_("Four alike and a pair"), (4, 2), 1500),
    Shape(_("Two triplets"), (3, 3), 2500),
)

YARDKLE = Pad(
    name="yardkle",
    title="Yardkle",
    blurb=_("Six dice. Set aside what is worth points and throw on, or bank before a Yardkle takes it all."),
    combos=YARDKLE_TABLE,
    blank="Yardkle",
    opening=500,
    target=10000,
    source="The Yardkle sheet for yard dice",
)

HUNDREDS = Alike(_("Three alike"), 3, (1000, 200, 300, 400, 500, 600))

ZILCH = Pad(
    name="zilch",
    title="Zilch",
    blurb=_("Three 1s are worth 1000, each die more doubles it. Bank 300 or more; a third Zilch in a row costs 500."),
    combos=(
        Exactly(_("Single 1"), (1,), 100),
        Exactly(_("Single 5"), (5,), 50),
        HUNDREDS,
        Exactly(_("Straight 1 to 6"), (1, 2, 3, 4, 5, 6), 1500),
        Shape(_("Three pairs"), (2, 2, 2), 1500),
        # "Any three pairs": four alike are two of them.
        Shape(_("Three pairs, two of them alike"), (4, 2), 1500),
        Nothing(_("No scoring dice"), 6, 500),
    ),
    blank="Zilch",
    opening=300,
    bank=300,
    target=10000,
    three_blanks=500,
    double_alike=True,
    source="zilch.playr.co.uk, rules",
)

FARKLE = Pad(
    name="farkle",
    title="Farkle",
    blurb=_("The house game: three 1s are worth 1000, each die more doubles it, and three Farkles in a row cost 1000."),
    combos=(
        Exactly(_("Single 1"), (1,), 100),
        Exactly(_("Single 5"), (5,), 50),
        HUNDREDS,
        Exactly(_("Straight 1 to 6"), (1, 2, 3, 4, 5, 6), 1000),
        Shape(_("Three pairs"), (2, 2, 2), 500),
    ),
    blank="Farkle",
    opening=500,
    target=10000,
    three_blanks=1000,
    double_alike=True,
    source="htfbw.com, Farkle, with its common variations; three Farkles in a row: reference.com",
)

PADS: tuple[Pad, ...] = (YARDKLE, ZILCH, FARKLE)
