"""What can be heard of a table at one moment: dice with their places, the last move, whose turn it is.

Room: firmware. Plain frozen values made from a `Table`; what is said of them is in `firmware.calling` and
`firmware.speaking`, which sound belongs to them in `firmware.sounding`. It knows no sound, no screen and no clock.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

import rules
from display.view import Message
from firmware.play import Play, TableDie
from firmware.turns import best_aside, thrown_of

if TYPE_CHECKING:
    from firmware.table import Table

MIDDLE = 12
"""The place of a die that lies in the middle of the tray, where no hour of the clock would be of use."""
MIDDLE_RADIUS = 0.10
NOONS = ("top", "right", "bottom", "left")


@dataclass(frozen=True, slots=True)
class HeardDie:
    """A die of the last roll. `number` counts from the left, from 1, as the HOLD buttons do.

    `place` is the hour at which it lies (0 is noon, 11 the last) or MIDDLE, None where no camera saw it; `across` how
    far to the right it lies, -1 to 1. `thrown`: it flew in the last throw.
    """

    number: int
    value: int
    place: int | None
    across: float = 0.0
    held: bool = False
    thrown: bool = True


class Deed(StrEnum):
    """What the last move was."""

    NONE = ""
    ROLL = "roll"
    ROLLOFF = "rolloff"
    BLANK = "blank"  # a roll that was worth nothing, so that the turn is over
    KEEP = "keep"
    ASIDE = "aside"
    SCORE = "score"
    STOP = "stop"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Done:
    """The last move: who made it, and what it brought.

    SCORE: `points` in the box `label`, `bonus` besides. ASIDE: `points` for `faces`. STOP: `points` of the turn.
    BLANK: `points` that are lost. `total` is the player's (or for ASIDE the turn's) afterwards.
    """

    deed: Deed = Deed.NONE
    player: str = ""
    label: str = ""
    points: int = 0
    bonus: int = 0
    total: int = 0
    faces: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """What an open box would pay, or (in banking games) what may be set aside."""

    label: str
    points: int
    faces: tuple[int, ...] = ()
    column: int = 0


@dataclass(frozen=True, slots=True)
class Trouble:
    """A place in the tray that the reader complains about; `code` is one of vision.types.REASONS."""

    code: str
    place: int


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment of a table. `moves` counts the game's; `last` is the last of them, the same object as long as it is
    the same move. `choices` are sorted, the best first. `totals` go with `players`, `turn_points` are what a turn
    holds in a game of setting dice aside. `winners` are known at the end;
    `finished` counts the games of a match that are, and `game_winners` won the last of them."""

    mode: str = ""
    players: tuple[str, ...] = ()
    totals: tuple[int, ...] = ()
    turn: int | None = None
    roll: int = 0
    turn_points: int = 0
    moves: int = 0
    last: rules.Move | None = None
    done: Done = Done()
    dice: tuple[HeardDie, ...] = ()
    choices: tuple[Choice, ...] = ()
    winners: tuple[str, ...] = ()
    finished: int = 0
    game_winners: tuple[str, ...] = ()
    message: Message | None = None
    troubles: tuple[Trouble, ...] = ()


def hour(x: float, y: float, noon: str = "top") -> int:
    """The hour at which a place lies: 0 for noon to 11, or MIDDLE.

    `x`, `y` are shares of the picture, so the clock fills the tray whatever its shape. `noon` is the side of the
    picture (one of NOONS) that lies straight ahead of the player.
    """
    right, ahead = x - 0.5, 0.5 - y
    for _turn in range(NOONS.index(noon)):
        right, ahead = -ahead, right
    if math.hypot(right, ahead) < MIDDLE_RADIUS:
        return MIDDLE
    return round(math.degrees(math.atan2(right, ahead)) / 30) % 12


def moment_of(table: Table, before: Moment | None = None, noon: str = "top") -> Moment:
    """What can be heard of `table` now. What `before` knows of the same move is not worked out again."""
    play = table.play
    message = table.message
    troubles = tuple(Trouble(r.code, hour(x, y, noon)) for (x, y), r in table.sight.spots)
    if play is None:
        return Moment(table.mode, table.seats(), message=message, troubles=troubles)
    game = play.game
    last, moves = play.last_move, game.ply
    outcome = game.outcome()
    made = Moment(
        mode=table.mode,
        players=play.players,
        totals=game.totals,
        turn=None if outcome else game.turn,
        roll=game.rolls_made,
        turn_points=game.turn_points,
        moves=moves,
        last=last,
        winners=tuple(play.players[i] for i in outcome.winners) if outcome else (),
        message=message,
        troubles=troubles,
    )
    if before is not None and before.last is last and before.moves == moves and before.players == play.players:
        held = tuple(replace(d, held=d.number in play.marks) for d in before.dice)
        games = {"finished": before.finished, "game_winners": before.game_winners}
        return replace(made, done=before.done, dice=held, choices=before.choices, **games)  # type: ignore[arg-type]
    finished = game.finished
    return replace(
        made,
        done=_done(play),
        dice=_dice(play, noon),
        choices=_choices(table, play),
        finished=len(finished),
        game_winners=tuple(play.players[i] for i in finished[-1].winners) if finished else (),
    )


def _dice(play: Play, noon: str) -> tuple[HeardDie, ...]:
    thrown = list(_thrown(play))
    heard = []
    for number, die in enumerate(play.dice, 1):
        flew = die in thrown
        if flew:
            thrown.remove(die)
        place, across = None, 0.0
        if die.centre is not None:
            x, y = die.centre
            place, across = hour(x, y, noon), max(-1.0, min(1.0, 2 * x - 1))
        heard.append(HeardDie(number, die.value, place, across, number in play.marks, flew))
    return tuple(heard)


def _thrown(play: Play) -> Sequence[TableDie]:
    """The dice of the last roll that flew; in banking games a roll holds no others."""
    moves = play.game.moves
    if play.banking or len(moves) < 2 or not isinstance(moves[-2], rules.Keep):
        return play.dice
    return thrown_of(play.dice, _faces_of(moves[-2], play.lies[-2]), play.lies[-2])


def _faces_of(keep: rules.Keep, dice: Sequence[TableDie]) -> tuple[int, ...]:
    return keep.faces if keep.positions is None else tuple(dice[i].value for i in keep.positions)


def _done(play: Play) -> Done:
    last = play.last_move
    if last is None:
        return Done()
    position = play.game.copy()
    position.pop()
    seat = position.turn
    player, before, after = play.players[seat], position.totals[seat], play.game.totals[seat]
    match last:
        case rules.Score():
            option = next(
                o
                for o in position.options()
                if isinstance(o, rules.BoxOption) and (o.box, o.column) == (last.box, last.column)
            )
            label = next(b.label for b in position.boxes if b.key == last.box)
            points = option.value or 0
            factor = position.factors[last.column] if position.factors else 1
            # What the total gained beyond the box itself: the upper bonus, further five alike.
            return Done(Deed.SCORE, player, label, points, max(0, after - before - points * factor), after)
        case rules.SetAside():
            points = play.game.turn_points - position.turn_points
            return Done(Deed.ASIDE, player, "", points, 0, play.game.turn_points, tuple(last.faces))
        case rules.Stop():
            return Done(Deed.STOP, player, "", position.turn_points, 0, after)
        case rules.Keep():
            return Done(Deed.KEEP, player, faces=tuple(last.faces))
        case rules.Roll():
            if play.banking and not play.dice:
                return Done(Deed.BLANK, player, points=position.turn_points, faces=tuple(last.faces or ()))
            return Done(Deed.ROLL, player, faces=tuple(last.faces or ()))
        case rules.RollOff():
            return Done(Deed.ROLLOFF, player, faces=tuple(last.faces or ()))
        case _:
            return Done(Deed.OTHER, player)


def _choices(table: Table, play: Play) -> tuple[Choice, ...]:
    if not play.dice:
        return ()
    if play.banking:
        faces = best_aside(play)
        worth = {o.faces: o.value for o in play.game.options() if isinstance(o, rules.AsideOption)}
        return (Choice("", worth[faces], faces),) if faces else ()
    labels = {b.key: b.label for b in play.game.boxes}
    many = len(play.game.factors) > 1
    found = [Choice(labels[o.box], o.value or 0, (), o.column + 1 if many else 0) for o in table.open_options]
    return tuple(sorted(found, key=lambda c: -c.points))
