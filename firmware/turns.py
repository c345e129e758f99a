"""What a throw, ROLL and SCORE lead to in a turn, for each family of games.

Room: firmware. Pure: from a `Play` and what was asked or seen to the records that say so, or to a refusal's code. The
rules have the last word on the records; here is only what the rules can't know, since they see no table: which dice
stayed lying, which were thrown, and what was meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import rules
from firmware.events import Record
from firmware.play import Play, TableDie, roll_record

Outcome = list[Record] | str
"""Records to accept, or the code of a refusal."""


def throw(play: Play, dice: Sequence[TableDie], kept: Sequence[int], by: str = "camera") -> Outcome:
    """Dice have come to rest: `dice` are all that lie there, `kept` the faces of those that were not thrown."""
    return _banking_throw(play, dice, kept, by) if play.banking else _scorecard_throw(play, dice, kept, by)


def _scorecard_throw(play: Play, dice: Sequence[TableDie], kept: Sequence[int], by: str) -> Outcome:
    game = play.game
    roll = roll_record(dice, by)
    if isinstance(game.awaiting, rules.Roll):
        return _as_declared(kept, game.kept) or [roll]
    if Counter(kept) - Counter(d.value for d in play.dice) or len(kept) == len(dice):
        return "QUESTION"
    return [Record("keep", {"faces": sorted(kept)}), roll]


def _banking_throw(play: Play, dice: Sequence[TableDie], kept: Sequence[int], by: str) -> Outcome:
    game = play.game
    thrown = thrown_of(dice, kept, play.lying)
    lying = [d.value for d in play.lying]
    roll = roll_record(thrown, by)
    if isinstance(game.awaiting, rules.Roll):
        return _as_declared(kept, lying) or [roll]
    whole = tuple(sorted(d.value for d in play.dice))
    if not kept and game.check(rules.SetAside(whole)) is None:
        # All are thrown again only where all of them count.
        return [Record("aside", {"faces": list(whole)}), roll]
    if Counter(lying) - Counter(kept):
        return "KEPT_CHANGED"
    aside = sorted((Counter(kept) - Counter(lying)).elements())
    if not aside:
        return "LEAVE_SOME"
    if Counter(aside) - Counter(d.value for d in play.dice):
        return "QUESTION"
    return [Record("aside", {"faces": aside}), roll]


def _as_declared(kept: Sequence[int], declared: Sequence[int]) -> str | None:
    """Do the dice that stayed agree with those that were to stay? The code of a refusal if not."""
    if Counter(declared) - Counter(kept):
        return "KEPT_CHANGED"
    if Counter(kept) - Counter(declared):
        return "NOT_ALL"
    return None


def thrown_of(dice: Sequence[TableDie], kept: Sequence[int], lying: Sequence[TableDie]) -> tuple[TableDie, ...]:
    """The dice without those that were kept: of equal faces, the ones nearest to where dice lay stayed."""
    rest = list(dice)
    for value in kept:
        same = [d for d in rest if d.value == value]
        if not same:
            continue
        rest.remove(min(same, key=lambda d: _nearest(d, lying)))
    return tuple(rest)


def _nearest(die: TableDie, lying: Sequence[TableDie]) -> float:
    if die.centre is None:
        return 9.0
    x, y = die.centre
    return min((abs(c[0] - x) + abs(c[1] - y) for d in lying if d.value == die.value and (c := d.centre)), default=9.0)


def roll_pressed(play: Play, rolls_left: int) -> Outcome:
    """ROLL while dice lie there: what the marks say stays, the others are about to be thrown."""
    if play.banking:
        return [Record("aside", {"faces": list(play.held)})] if play.held else "MARK_FIRST"
    if not rolls_left:
        return "NO_ROLLS"
    if len(play.marks) == len(play.dice):
        return "ALL_HELD"
    return [Record("keep", {"faces": list(play.held)})]


def stop_pressed(play: Play) -> Outcome:
    """SCORE in a banking game: stop with the marked dice or, with none marked, with the best that lies there."""
    if not isinstance(play.game.awaiting, rules.Choice):
        return [Record("stop")]
    faces = play.held or best_aside(play)
    return [Record("aside", {"faces": list(faces)}), Record("stop")]


def best_aside(play: Play) -> tuple[int, ...]:
    """The faces worth most of the dice that lie there, () if none is."""
    options = [o for o in play.game.options() if isinstance(o, rules.AsideOption)]
    return options[0].faces if options else ()
