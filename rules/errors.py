"""What `rules` says no with: every refusal has a stable code and words for the person at the table.

Room: rules. Imports the standard library only; knows no screen, no device, no clock and no file.
"""

from __future__ import annotations

from typing import Any

CODES: dict[str, str] = {
    "ROLL-01": "a roll with the wrong number of dice",
    "ROLL-02": "a face that no die has",
    "ROLL-03": "a kept die is missing from the roll",
    "ROLL-04": "a roll while a choice is awaited",
    "KEEP-01": "a keep while no dice lie on the table",
    "KEEP-02": "a keep of faces that were not rolled",
    "KEEP-03": "a keep after the last roll of the turn",
    "KEEP-04": "a position that no die has",
    "KEEP-05": "the same die named twice",
    "SCORE-01": "a score before the dice are thrown",
    "SCORE-02": "a box that this game does not have",
    "SCORE-03": "a box that is filled",
    "SCORE-04": "five alike must go in their own upper box",
    "SCORE-05": "five alike must go in the lower section",
    "SCORE-06": "a box out of the agreed order",
    "SCORE-07": "a column that this game does not have",
    "ASIDE-01": "dice set aside before a roll",
    "ASIDE-02": "nothing set aside",
    "ASIDE-03": "dice set aside that were not rolled",
    "ASIDE-04": "a die set aside that is worth nothing",
    "ASIDE-05": "a position that no die has",
    "ASIDE-06": "the same die named twice",
    "STOP-01": "stopping before anything was set aside from the last roll",
    "STOP-02": "stopping below the points needed to get on the pad",
    "STOP-03": "stopping below the smallest sum that may be banked",
    "STOP-04": "stopping where the rules say that all dice are thrown again",
    "OFF-01": "a roll-off where none is due",
    "OFF-02": "another move while the roll-off is not decided",
    "LEAVE-01": "nobody sits there",
    "LEAVE-02": "that player has left before",
    "LEAVE-03": "the last player can't leave",
    "JOIN-01": "a player without a name",
    "JOIN-02": "joining in the last turns of a game",
    "OVER-01": "a move after the end",
    "MOVE-01": "a move that this kind of game does not have",
    "MOVE-02": "a move that can't be played because a number is expected",
    "FIX-01": "a correction of something that is not a roll",
    "FIX-02": "a correction that would make a later move another player's",
}
"""Every code that an `IllegalMove` can carry -> what it stands for. Codes are never renamed."""


class RulesError(ValueError):
    """The base of everything that `rules` raises: `code` is stable, `words` tell a person what to do."""

    def __init__(self, code: str, words: str) -> None:
        super().__init__(f"{code}: {words}")
        self.code = code
        self.words = words


class IllegalMove(RulesError):
    """A move that the rules do not allow. Nothing was changed.

    `code` is a key of `CODES`; `position` is the position that the move was made against, as one line of text.
    """

    def __init__(self, code: str, words: str, position: str = "") -> None:
        super().__init__(code, words)
        self.position = position

    def __reduce__(self) -> tuple[Any, ...]:
        return (IllegalMove, (self.code, self.words, self.position))


class _SetUpError(RulesError):
    """A RulesError that can be pickled: its arguments are its code and words."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.code, self.words))


class UnknownGame(_SetUpError):
    """There is no game of that name (`GAME-01`)."""


class BadOption(_SetUpError):
    """An option that the game does not have (`OPT-01`), or a value that it can't take (`OPT-02`)."""


class BadPlayers(_SetUpError):
    """A list of players that no game can be played with (`PLAYERS-01`)."""


class BadText(_SetUpError):
    """A text that is no game (`TEXT-01`), or holds a move that is none (`TEXT-02`) or is illegal (`TEXT-03`)."""
