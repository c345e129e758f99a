"""The few words that the screen says by itself. All others come with the View.

Room: display. Knows no view and no game.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """Words of the screen in one language. `roll` takes {roll} and {rolls}."""

    roll: str = "Roll {roll} of {rolls}"
    no_roll: str = "{rolls} rolls"
    held: str = "HELD"
    total: str = "Total"
    no_picture: str = "No picture from the camera"
    winner: str = "WINNER"
    winners: str = "WINNERS"


ENGLISH = Words()
