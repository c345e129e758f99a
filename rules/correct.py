"""Correction of a past roll: the game is played again, and what changed is told.

Room: rules. Knows no family: it only pops and pushes. Who saw that the roll was wrong, and when, is not its business.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rules.errors import IllegalMove
from rules.moves import Move, Roll, RollOff
from rules.said import said as _

if TYPE_CHECKING:
    from rules.game import Game


@dataclass(frozen=True, slots=True)
class Change:
    """Something that the correction changed: of which seat, what ("fives", "total", "turn"), from what to what."""

    seat: int
    what: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class Broken:
    """The first later move that the correction made illegal: number `index` (0 first), with the refusal's words."""

    index: int
    move: Move
    code: str
    words: str


@dataclass(frozen=True, slots=True)
class Correction:
    """What a correction did. `applied` is False, and the game as it was, if `broken` is set and it was not cut."""

    applied: bool
    changes: tuple[Change, ...] = ()
    broken: Broken | None = None


def correct(game: Game, index: int, roll: Roll | RollOff, cut: bool) -> Correction:
    """See `Game.correct`."""
    moves = game.moves
    if not -len(moves) <= index < len(moves) or not isinstance(moves[index], Roll | RollOff):
        raise IllegalMove("FIX-01", _("move {index} is no roll that could be corrected", index=index), game.position)
    index %= len(moves)
    if type(roll) is not type(moves[index]):
        words = _(
            "move {index} is '{move}': it can't become '{roll}'", index=index, move=str(moves[index]), roll=str(roll)
        )
        raise IllegalMove("FIX-01", words, game.position)
    replay = game.copy()
    turns: list[int] = []
    while replay.ply > index:
        replay.pop()
        turns.append(replay.turn)
    turns.reverse()
    replay.push(roll)
    broken: Broken | None = None
    for n, move in enumerate(moves[index + 1 :], index + 1):
        if replay.turn != turns[n - index]:
            was, now = game.players[turns[n - index]], replay.players[replay.turn]
            why = _("it was made in the turn of {was}; now it is the turn of {now}", was=was, now=now)
            broken = Broken(n, move, "FIX-02", why)
            break
        try:
            replay.push(move)
        except IllegalMove as refusal:
            broken = Broken(n, move, refusal.code, refusal.words)
            break
    if broken is not None and not cut:
        return Correction(False, (), broken)
    changes = tuple(_changes(game, replay))
    game._states, game._moves = replay._states, replay._moves
    return Correction(True, changes, broken)


def _changes(before: Game, after: Game) -> list[Change]:
    found: list[Change] = []
    keys = [b.key + (f"*{f}" if f > 1 else "") for f in before.factors for b in before.boxes]
    for seat in range(min(len(before.players), len(after.players))):
        old, new = before.card(seat), after.card(seat)
        if before.game_number == after.game_number:
            for key, a, b in zip(keys, old.boxes, new.boxes, strict=False):
                if a != b:
                    found.append(Change(seat, key, a, b))
            for what in ("bonuses", "upper_bonus"):
                if getattr(old, what) != getattr(new, what):
                    found.append(Change(seat, what, getattr(old, what), getattr(new, what)))
        if before.totals[seat] != after.totals[seat]:
            found.append(Change(seat, "total", before.totals[seat], after.totals[seat]))
    if before.turn != after.turn:
        found.append(Change(after.turn, "turn", before.turn, after.turn))
    return found
