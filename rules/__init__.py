"""rules: games; what is legal, what it scores, who has won.

    >>> import rules
    >>> from rules import Keep, Roll, Score
    >>> game = rules.new("yardzee", players=["Ann", "Bo"])
    >>> game.awaiting
    Roll(faces=None, count=5)
    >>> game.push(Roll((5, 2, 5, 6, 5)))
    >>> game.push(Keep((5, 5, 5)))
    >>> game.push(Roll((5, 5, 5, 1, 5)))
    >>> game.push(Score("fives"))
    >>> game.totals
    (20, 0)
    >>> game.pop()
    Score(box='fives', column=0)

Room: rules. Imports the standard library and itself; sees no clock, no file and no random number: a roll is an input.
"""

from __future__ import annotations

from rules.cards import AsideOption, BoxInfo, BoxOption, Card, ColumnCard, Finished
from rules.correct import Broken, Change, Correction
from rules.errors import CODES, BadOption, BadPlayers, BadText, IllegalMove, RulesError, UnknownGame
from rules.game import Game, LegalMoves
from rules.lookup import GameInfo, games, new
from rules.moves import (
    Awaiting,
    Choice,
    Join,
    Keep,
    Leave,
    Move,
    Over,
    Roll,
    RollOff,
    Score,
    SetAside,
    Stop,
    move_from_text,
)
from rules.options import Option
from rules.state import Outcome
from rules.text import from_text

__all__ = [
    "CODES",
    "AsideOption",
    "Awaiting",
    "BadOption",
    "BadPlayers",
    "BadText",
    "BoxInfo",
    "BoxOption",
    "Broken",
    "Card",
    "Change",
    "Choice",
    "ColumnCard",
    "Correction",
    "Finished",
    "Game",
    "GameInfo",
    "IllegalMove",
    "Join",
    "Keep",
    "Leave",
    "LegalMoves",
    "Move",
    "Option",
    "Outcome",
    "Over",
    "Roll",
    "RollOff",
    "RulesError",
    "Score",
    "SetAside",
    "Stop",
    "UnknownGame",
    "from_text",
    "games",
    "move_from_text",
    "new",
]
