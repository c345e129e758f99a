"""Sentences about moves, for a screen, a log or an argument at the table.

Room: rules. Words only: what is legal and what it pays is asked of the engines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.banking import Banking, PadState
from rules.boxes import count
from rules.engine import how_many
from rules.moves import Faces, Join, Keep, Leave, Move, Roll, RollOff, Score, SetAside
from rules.scorecard import Scorecard
from rules.state import State

if TYPE_CHECKING:
    from rules.game import Game

NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


def listed(faces: Faces) -> str:
    """Faces with spaces between them: "5 5 2"."""
    return " ".join(map(str, faces))


def explain(game: Game, move: Move) -> str:
    """See `Game.explain`."""
    refusal = game.check(move)
    if refusal is not None:
        return f"Not allowed: {refusal.words}."
    engine, state = game._engine, game._state
    who = game.thrower
    if isinstance(move, RollOff):
        return f"{game.thrower} throws {sum(move.faces or ())} for the first turn."
    if isinstance(move, Leave):
        return f"{game.players[move.seat]} leaves; the card is kept but not ranked."
    if isinstance(move, Join):
        return f"{move.name.strip()} joins."
    if isinstance(move, Roll):
        thrown = f"{game.thrower} throws {listed(move.faces or ())}"
        if isinstance(engine, Banking) and not engine.sets(tuple(sorted(move.faces or ()))):
            return f"{thrown}: {_blank(engine, state)}."
        return f"{thrown}."
    if isinstance(move, Keep):
        assert isinstance(engine, Scorecard)
        kept = engine.faces_of(state, move)
        rest = f"throws {how_many(len(state.dice) - len(kept))} again"
        if len(kept) == len(state.dice):
            rest = "throws none again"
        return f"{who} keeps {listed(kept)} and {rest}." if kept else f"{who} {rest}."
    if isinstance(move, Score):
        assert isinstance(engine, Scorecard)
        return _written(engine, state, move, who)
    assert isinstance(engine, Banking)
    if isinstance(move, SetAside):
        faces = engine.faces_of(state, move)
        points = engine.points(state, faces)
        left = engine.dice - len(state.kept) - len(faces)
        after = f"{how_many(left)} left" if left else f"all {engine.dice} dice may be thrown again"
        return f"{who} sets {listed(faces)} aside for {points}: {state.pot.points + points} points so far, {after}."
    total = engine.total(state.cards[state.turn], state.turn) + state.pot.points
    return f"{who} stops and banks {state.pot.points} points: {total} in all."


def _blank(engine: Banking, state: State) -> str:
    card: PadState = state.cards[state.turn]
    words = f"worth nothing, a {engine.pad.blank}"
    if state.pot.points:
        words += f"; {state.pot.points} points are lost"
    if engine.three_blanks and card.blanks == 2:
        words += f"; the third in a row costs {min(engine.three_blanks, card.points)} points"
    return words


def _written(engine: Scorecard, state: State, move: Score, who: str) -> str:
    card = state.cards[state.turn]
    roll = tuple(sorted(state.dice))
    line, i = engine.table[roll], engine.index[move.box]
    box = engine.boxes[i]
    value = engine.value(card, line, i, move.column)
    where = f"{box.label} of column {move.column + 1}" if engine.columns > 1 else box.label
    if box.face is not None:
        shown = count(roll)[box.face]
        reason = f"{NUMBERS[shown]} {'die shows' if shown == 1 else 'dice show'} {box.face}"
    elif value == 0:
        reason = f"it {box.needs}"
    elif value != line.plain[i]:
        reason = "five alike as a joker"
    else:
        reason = f"the dice are {listed(roll)}"
    bonus = engine.bonus(card, line, move.column)
    more = f", and gets {bonus} more for a further {NUMBERS[engine.dice]} alike" if bonus else ""
    return f"{who} writes {value} in {where}: {reason}{more}."
