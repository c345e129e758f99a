"""The few words that the screen says by itself. All others come with the View.

Room: display. Knows no view and no game.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """Words of the screen in one language. `roll` takes {roll} and {rolls}; `no_roll` takes {rolls}.

    `group` stands between the thousands of a number that has `group_from` digits or more.
    """

    roll: str = "Roll {roll} of {rolls}"
    no_roll: str = "{rolls} rolls"
    held: str = "HELD"
    total: str = "Total"
    no_picture: str = "No picture from the camera"
    winner: str = "WINNER"
    winners: str = "WINNERS"
    group: str = ","
    group_from: int = 4

    def number(self, n: int) -> str:
        """A whole number as people write it."""
        digits = str(abs(n))
        if len(digits) >= self.group_from:
            digits = f"{abs(n):,}".replace(",", self.group)
        return f"-{digits}" if n < 0 else digits


ENGLISH = Words()
