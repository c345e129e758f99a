"""What a throw, ROLL and SCORE lead to in a turn, for each family of games.

Room: firmware. Pure: from a `Play` and what was asked or seen to the records that say so, or to a refusal's code. The
rules have the last word on the records; here is only what the rules can't know, since they see no table: which dice
stayed lying, which were thrown, and what was meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import rules
from firmware.events import Record
from firmware.play import Play, TableDie, roll_record

Outcome = list[Record] | str
"""Records to accept, or the code of a refusal."""


def throw(play: Play, dice: Sequence[TableDie], kept: Sequence[int], by: str = "camera", **more: str) -> Outcome:
    """Dice have come to rest: `dice` are all that lie there, `kept` the faces of those that were not thrown.

    `more` goes into the roll's record (see `firmware.play`).
    """
    if isinstance(play.game.awaiting, rules.RollOff):
        return [Record("rolloff", roll_record(dice, by, **more).data)]
    return _banking_throw(play, dice, kept, by, more) if play.banking else _scorecard_throw(play, dice, kept, by, more)


def _scorecard_throw(
    play: Play, dice: Sequence[TableDie], kept: Sequence[int], by: str, more: Mapping[str, str]
) -> Outcome:
    game = play.game
    roll = roll_record(dice, by, **more)
    if isinstance(game.awaiting, rules.Roll):
        return _as_declared(kept, game.kept) or [roll]
    if Counter(kept) - Counter(d.value for d in play.dice) or len(kept) == len(dice):
        return "QUESTION"
    return [Record("keep", {"faces": sorted(kept)}), roll]


def _banking_throw(
    play: Play, dice: Sequence[TableDie], kept: Sequence[int], by: str, more: Mapping[str, str]
) -> Outcome:
    game = play.game
    thrown = thrown_of(dice, kept, play.lying)
    lying = [d.value for d in play.lying]
    roll = roll_record(thrown, by, **more)
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


def overruled(
    play: Play, dice: Sequence[TableDie], kept: Sequence[int], code: str, picture: str = ""
) -> list[Record] | None:
    """The players say that this throw counts as it lies, though it was refused for `code`.

    What stayed is what they kept, whatever they said before; what was turned over or laid down was thrown. None where
    no legal turn can be made of it: then the dice are entered by hand.
    """
    game = play.game
    if play.banking:
        return _banking_overruled(play, dice, kept, code, picture)
    roll = roll_record(dice, "camera", overruled=code, picture=picture)
    if isinstance(game.awaiting, rules.Roll):
        if not Counter(game.kept) - Counter(d.value for d in dice):
            return [roll]
        lay = [d.value for d in play.lies[-1]]
        return [Record("undo"), Record("keep", {"faces": sorted((Counter(kept) & Counter(lay)).elements())}), roll]
    stayed = sorted((Counter(kept) & Counter(d.value for d in play.dice)).elements())
    return [Record("keep", {"faces": stayed}), roll] if len(stayed) < len(dice) else None


def _banking_overruled(
    play: Play, dice: Sequence[TableDie], kept: Sequence[int], code: str, picture: str
) -> list[Record] | None:
    game = play.game
    lying = [d.value for d in play.lying]
    if isinstance(game.awaiting, rules.Roll):
        thrown = thrown_of(dice, lying, play.lying)
        fits = len(thrown) == game.awaiting.count
        return [roll_record(thrown, "camera", overruled=code, picture=picture)] if fits else None
    stayed = Counter(kept) - Counter(lying)
    options = [o for o in game.options() if isinstance(o, rules.AsideOption) and not Counter(o.faces) - stayed]
    if not options:
        return None
    aside = list(options[0].faces)
    thrown = thrown_of(dice, [*lying, *aside], (*play.lying, *play.dice))
    return [
        Record("aside", {"faces": aside}),
        roll_record(thrown, "camera", overruled=code, picture=picture),
    ]


def worthless(play: Play, kept: Sequence[int]) -> tuple[int, ...]:
    """Those of the faces that were left lying that may not stay: no legal set holds them."""
    left = Counter(kept) - Counter(d.value for d in play.lying)
    return tuple(sorted((left - Counter(_best_of(play, left))).elements()))


def _best_of(play: Play, faces: Counter[int]) -> tuple[int, ...]:
    """The largest legal set of these faces, () if there is none."""
    options = [o for o in play.game.options() if isinstance(o, rules.AsideOption) and not Counter(o.faces) - faces]
    return max(options, key=lambda o: (len(o.faces), o.value)).faces if options else ()


@dataclass(frozen=True, slots=True)
class Left:
    """Dice of the last roll that are left lying while the others are picked up: what may stay, what that is worth, and
    the faces that may not stay."""

    faces: tuple[int, ...]
    points: int
    worthless: tuple[int, ...]


def left_lying(play: Play, seen: Sequence[TableDie]) -> Left | None:
    """What is left of the roll that lies there; None where all of it lies there, or something else."""
    rest = list(play.dice)
    for die in seen:
        same = [d for d in rest if d.raw == die.value]
        if same:
            rest.remove(min(same, key=lambda d: _nearest(die, [d])))
        elif not any(d.raw == die.value for d in play.lying):
            return None
    left = [d.value for d in play.dice]
    for d in rest:
        left.remove(d.value)
    if not rest or not left:
        return None
    faces = _best_of(play, Counter(left))
    points = next((o.value for o in play.game.options() if isinstance(o, rules.AsideOption) and o.faces == faces), 0)
    return Left(faces, points, worthless(play, [*left, *(d.value for d in play.lying)]))


def aside_best(play: Play) -> Outcome:
    """Set aside what is worth most of the dice that lie there."""
    return [Record("aside", {"faces": list(best_aside(play))})]


def entered(play: Play, dice: Sequence[TableDie], code: str) -> list[Record]:
    """A roll that was entered by hand, though kept dice are not in it: what is left of them was kept."""
    lay = Counter(d.value for d in play.lies[-1])
    stayed = Counter(play.game.kept) & lay & Counter(d.value for d in dice)
    keep = Record("keep", {"faces": sorted(stayed.elements())})
    return [Record("undo"), keep, roll_record(dice, "hand", overruled=code)]


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


def box_key(option: rules.BoxOption) -> str:
    """A box of the card by name: its key, and the factor of its column where that is not the first."""
    return option.box if not option.column else f"{option.box}*{option.column + 1}"
