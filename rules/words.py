"""Sentences about moves, for a screen, a log or an argument at the table.

Room: rules. Words only: what is legal and what it pays is asked of the engines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.banking import Banking, PadState
from rules.boxes import count
from rules.moves import Faces, Join, Keep, Leave, Move, Roll, RollOff, Score, SetAside
from rules.said import said as _
from rules.said import said_n as _n
from rules.scorecard import Scorecard
from rules.state import State

if TYPE_CHECKING:
    from rules.game import Game

NUMBERS = ("", _("one"), _("two"), _("three"), _("four"), _("five"), _("six"))


def listed(faces: Faces) -> str:
    """Faces with spaces between them: "5 5 2"."""
    return " ".join(map(str, faces))


def explain(game: Game, move: Move) -> str:
    """See `Game.explain`."""
    refusal = game.check(move)
    if refusal is not None:
        return _("Not allowed: {why}.", why=refusal.words)
    engine, state = game._engine, game._state
    who = game.thrower
    if isinstance(move, RollOff):
        return _("{who} throws {points} for the first turn.", who=game.thrower, points=sum(move.faces or ()))
    if isinstance(move, Leave):
        return _("{who} leaves; the card is kept but not ranked.", who=game.players[move.seat])
    if isinstance(move, Join):
        return _("{who} joins.", who=move.name.strip())
    if isinstance(move, Roll):
        faces = listed(move.faces or ())
        if isinstance(engine, Banking) and not engine.sets(tuple(sorted(move.faces or ()))):
            return _("{who} throws {faces}: {blank}.", who=game.thrower, faces=faces, blank=_blank(engine, state))
        return _("{who} throws {faces}.", who=game.thrower, faces=faces)
    if isinstance(move, Keep):
        assert isinstance(engine, Scorecard)
        kept = engine.faces_of(state, move)
        left = len(state.dice) - len(kept)
        if not left:
            return _("{who} keeps {faces} and throws none again.", who=who, faces=listed(kept))
        if not kept:
            return _n("{who} throws one die again.", "{who} throws {n} dice again.", left, who=who)
        return _n(
            "{who} keeps {faces} and throws one die again.",
            "{who} keeps {faces} and throws {n} dice again.",
            left,
            who=who,
            faces=listed(kept),
        )
    if isinstance(move, Score):
        assert isinstance(engine, Scorecard)
        return _written(engine, state, move, who)
    assert isinstance(engine, Banking)
    if isinstance(move, SetAside):
        aside = engine.faces_of(state, move)
        points = engine.points(state, aside)
        left = engine.dice - len(state.kept) - len(aside)
        after = (
            _n("one die left", "{n} dice left", left)
            if left
            else _("all {dice} dice may be thrown again", dice=engine.dice)
        )
        return _(
            "{who} sets {faces} aside for {points}: {sum} points so far, {after}.",
            who=who,
            faces=listed(aside),
            points=points,
            sum=state.pot.points + points,
            after=after,
        )
    total = engine.total(state.cards[state.turn], state.turn) + state.pot.points
    return _("{who} stops and banks {points} points: {total} in all.", who=who, points=state.pot.points, total=total)


def _blank(engine: Banking, state: State) -> str:
    card: PadState = state.cards[state.turn]
    parts = [_("worth nothing, a {blank}", blank=engine.pad.blank)]
    if state.pot.points:
        parts.append(_("{points} points are lost", points=state.pot.points))
    if engine.three_blanks and card.blanks == 2:
        parts.append(_("the third in a row costs {points} points", points=min(engine.three_blanks, card.points)))
    words = parts[0]
    for part in parts[1:]:
        words = _("{before}; {after}", before=words, after=part)
    return words


def _written(engine: Scorecard, state: State, move: Score, who: str) -> str:
    card = state.cards[state.turn]
    roll = tuple(sorted(state.dice))
    line, i = engine.table[roll], engine.index[move.box]
    box = engine.boxes[i]
    value = engine.value(card, line, i, move.column)
    where = box.label
    if engine.columns > 1:
        where = _("{box} of column {column}", box=box.label, column=move.column + 1)
    if box.face is not None:
        shown = count(roll)[box.face]
        reason = (
            _n("one die shows {face}", "{number} dice show {face}", shown, face=box.face, number=NUMBERS[shown])
            if shown
            else _("no dice show {face}", face=box.face)
        )
    elif value == 0:
        reason = _("it {needs}", needs=box.needs)
    elif value != line.plain[i]:
        reason = _("five alike as a joker")
    else:
        reason = _("the dice are {faces}", faces=listed(roll))
    bonus = engine.bonus(card, line, move.column)
    if bonus:
        return _(
            "{who} writes {value} in {box}: {reason}, and gets {bonus} more for a further {number} alike.",
            who=who,
            value=value,
            box=where,
            reason=reason,
            bonus=bonus,
            number=NUMBERS[engine.dice],
        )
    return _("{who} writes {value} in {box}: {reason}.", who=who, value=value, box=where, reason=reason)
