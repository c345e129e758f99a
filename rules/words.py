"""Sentences about moves.

Room: rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.moves import Join, Keep, Leave, Move, Roll, RollOff, Score

if TYPE_CHECKING:
    from rules.game import Game


def explain(game: Game, move: Move) -> str:
    """See `Game.explain`."""
    refusal = game.check(move)
    if refusal is not None:
        return f"Not allowed: {refusal.words}."
    who = game.players[game.turn]
    if isinstance(move, Roll | RollOff):
        faces = " ".join(map(str, move.faces or ()))
        why = " for the first turn" if isinstance(move, RollOff) else ""
        return f"{game.thrower} throws {faces}{why}."
    if isinstance(move, Keep):
        kept = [game.dice[p] for p in move.positions] if move.positions is not None else list(move.faces)
        rest = len(game.dice) - len(kept)
        again = "throws one die again" if rest == 1 else f"throws {rest} dice again"
        return f"{who} keeps {' '.join(map(str, sorted(kept)))} and {again}." if kept else f"{who} {again}."
    if isinstance(move, Leave):
        return f"{game.players[move.seat]} leaves; the card is kept but not ranked."
    if isinstance(move, Join):
        return f"{move.name.strip()} joins."
    if isinstance(move, Score):
        label = next(b.label for b in game.boxes if b.key == move.box)
        option = next(o for o in game.options() if o.box == move.box and o.column == move.column)  # type: ignore[union-attr]
        where = f"{label} of column {move.column + 1}" if len(game.factors) > 1 else label
        return f"{who} writes {option.value} in {where}."
    return str(move)
