"""The banking games: each a scoring table and a few numbers.

Room: rules. To add a game, add a table here (see docs/adding-a-game.md). Rule numbers are those of docs/rules.md.
"""

from __future__ import annotations

from rules.banking import Pad
from rules.combos import Alike, Combo, Exactly, Shape

YARDKLE_TABLE: tuple[Combo, ...] = (
    Exactly("Single 1", (1,), 100),
    Exactly("Single 5", (5,), 50),
    Alike("Three alike", 3, (300, 200, 300, 400, 500, 600)),
    Alike("Four alike", 4, 1000),
    Alike("Five alike", 5, 2000),
    Alike("Six alike", 6, 3000),
    Exactly("Straight 1 to 6", (1, 2, 3, 4, 5, 6), 1500),
    Shape("Three pairs", (2, 2, 2), 1500),
    Shape("Four alike and a pair", (4, 2), 1500),
    Shape("Two triplets", (3, 3), 2500),
)

YARDKLE = Pad(
    name="yardkle",
    title="Yardkle",
    blurb="Six dice. Set aside what is worth points and throw on, or bank before a Yardkle takes it all.",
    combos=YARDKLE_TABLE,
    blank="Yardkle",
    opening=500,
    target=10000,
    source="The Yardkle sheet for yard dice",
)

PADS: tuple[Pad, ...] = (YARDKLE,)
