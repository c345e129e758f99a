"""What the table makes of dice that came to rest: a roll, a refusal, or a question to the players.

Room: firmware. Between what the camera saw (`firmware.sight`) and what the turn says (`firmware.turns`). A throw that
is not accepted is remembered, dice and all, until it is put right, the players overrule it, or they pick the dice up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import rules
from display.view import Message
from firmware import turns, words
from firmware.events import Handled, Record, Seen
from firmware.play import TableDie
from firmware.scene_ask import Ask
from firmware.sight import near

if TYPE_CHECKING:
    from firmware.table import Table


@dataclass(frozen=True, slots=True)
class Refused:
    """A throw that was not accepted, for the reason `code`: all the dice that lie there, the faces that stayed, and
    the dice that flew."""

    code: str
    dice: tuple[TableDie, ...]
    kept: tuple[int, ...]
    thrown: tuple[TableDie, ...]


def rolled(table: Table, seen: Seen) -> Handled:
    """Dice were thrown and have come to rest."""
    play, reading = table.play, seen.event.reading
    if play is None or table.over or reading is None:
        return Handled()
    sight = table.sight
    dice = sight.dice_of(reading)
    if not sight.is_throw(dice, play.lies[-1] if play.lies else ()):
        return Handled()
    if play.waiting and sight.lie_there(play.waiting_dice, dice):
        return Handled()
    taken = table.scene.throw(table, seen)
    if taken is not None:
        return taken
    return judge(table, seen)


def judge(table: Table, seen: Seen) -> Handled:
    """Is this throw the turn's next roll?"""
    play, reading = table.play, seen.event.reading
    assert play is not None
    assert reading is not None
    told = seen.event.kept
    before = (*play.lying, *play.dice)
    dice, kept = table.sight.kept(table.sight.dice_of(reading), told, before)
    thrown = turns.thrown_of(dice, kept, before)
    if not _awaits_throw(table) and not table.rolls_left:
        table.sight.pending = seen
        return table.say("FOURTH" if kept else "EARLY")
    turned = len(told) + len(seen.event.thrown) < len(reading.dice)
    if table.turned and not turned:
        # Unless all that stayed lies as it was accepted: then the die that was turned over was thrown too.
        turned = not all(_lies_in(d, before) for d in dice if d not in thrown)
    code = "DISTURBED" if turned else ""
    if table.refused is not None:
        # Those that flew in the throw before, and still lie there, were thrown all the same.
        kept, thrown = _without(dice, kept, thrown, table.refused.thrown)
    return _decide(table, dice, kept, thrown, code)


def laid(table: Table, seen: Seen) -> Handled:
    """Dice lie otherwise than before, and nobody saw them fly: were they thrown, moved, or put right?"""
    play, reading = table.play, seen.event.reading
    if play is None or table.over or reading is None:
        return Handled()
    if play.asked is not None:
        return Handled() if table.open_scenes else table.again.throw(table, seen) or Handled()
    dice = table.sight.dice_of(reading)
    if play.dice and _same_faces(dice, (*play.dice, *(play.lying if play.banking else ()))):
        # Arranged, or turned back: it is as it was.
        return _put_right(table)
    if table.refused is not None:
        done = _mended(table, dice)
        if done is not None:
            return done
    if table.open_scenes and not isinstance(table.scene, Ask):
        return Handled()
    if not _awaits_throw(table) and not table.rolls_left:
        return table.say("BY_HAND")
    dice, kept = table.sight.kept(dice, seen.event.kept, (*play.lying, *play.dice))
    if len(dice) != play.all_dice:
        return table.say("COUNT")
    thrown = turns.thrown_of(dice, kept, (*play.lying, *play.dice))
    return _ask(table, Refused("QUESTION", dice, kept, thrown))


def turned(table: Table, seen: Seen) -> Handled:
    """A die that lay there shows another face, and was not thrown."""
    play, reading = table.play, seen.event.reading
    if play is None or table.over:
        return Handled()
    if reading is not None:
        dice = table.sight.dice_of(reading)
        if table.refused is not None:
            done = _mended(table, dice)
            if done is not None:
                return done
        lay = play.dice if not play.banking else (*play.lying, *play.dice)
        if (lay and _same_faces(dice, lay)) or (play.lying and not play.dice and _holds(dice, play.lying)):
            return _put_right(table)
    if not (play.dice or play.lying):
        return Handled()
    table.turned = True
    return table.say("TURNED")


def _awaits_throw(table: Table) -> bool:
    assert table.play is not None
    return isinstance(table.play.game.awaiting, rules.Roll | rules.RollOff)


def _decide(
    table: Table, dice: tuple[TableDie, ...], kept: tuple[int, ...], thrown: tuple[TableDie, ...], code: str
) -> Handled:
    assert table.play is not None
    outcome = code or turns.throw(table.play, dice, kept, picture=table.sight.picture)
    if not isinstance(outcome, str):
        done = table.accept(outcome)
        if done.records:
            return done
        assert table.message is not None
        code = table.message.code
        useless = turns.worthless(table.play, kept) if code == "ASIDE-04" else ()
        if useless:
            table.message = Message(code, words.worthless(useless))
        return _ask(table, Refused(code, dice, kept, thrown), told=True)
    return _ask(table, Refused(outcome, dice, kept, thrown))


def _ask(table: Table, refused: Refused, *, told: bool = False) -> Handled:
    """Say what is wrong with a throw, and let one press answer."""
    if isinstance(table.scene, Ask):
        table.close()
    table.refused = refused
    if not told:
        table.say(refused.code)
    return table.open(Ask(refused.code, table.message))


def overrule(table: Table) -> Handled:
    """The players say that the refused throw counts as it lies. What can't be made of it is entered by hand."""
    refused, play = table.refused, table.play
    assert play is not None
    if refused is None:
        return table.open_entry()
    outcome = turns.overruled(play, refused.dice, refused.kept, refused.code, table.sight.picture)
    if outcome is not None:
        done = table.accept(outcome)
        if done.records:
            return done
        table.message = None
    before: tuple[Record, ...] = ()
    if play.banking and play.dice:
        # Something must be set aside before the throw can count: the best that lay there.
        done = table.accept(turns.aside_best(play))
        if not done.records:
            return done
        before = done.records
    opened = table.open_entry(overruled=refused.code, guess=refused.dice)
    return Handled(before + opened.records)


def _put_right(table: Table) -> Handled:
    table.turned = False
    if table.message is not None and table.message.code in ("TURNED", "BY_HAND"):
        table.message = None
    if isinstance(table.scene, Ask) and table.refused is not None and table.refused.code == "QUESTION":
        table.refused = None
        table.close()
        table.message = None
    return Handled()


def _mended(table: Table, dice: tuple[TableDie, ...]) -> Handled | None:
    """Has somebody put right by hand what was wrong with the refused throw? None: not yet."""
    play, refused = table.play, table.refused
    assert play is not None
    assert refused is not None
    flown = tuple(d for d in dice if _lies_in(d, refused.thrown))
    rest = tuple(d for d in dice if d not in flown)
    dice, kept = table.sight.kept(dice, [d.value for d in rest], (*play.lying, *play.dice))
    outcome = turns.throw(play, dice, kept, picture=table.sight.picture)
    if isinstance(outcome, str) or not flown:
        return None
    message = table.message
    done = table.accept(outcome)
    if done.records:
        return done
    table.message = message
    return None


def _without(
    dice: tuple[TableDie, ...],
    kept: tuple[int, ...],
    thrown: tuple[TableDie, ...],
    flown: tuple[TableDie, ...],
) -> tuple[tuple[int, ...], tuple[TableDie, ...]]:
    """The faces that stayed and the dice that flew, once those of the throw before count as flown too."""
    stayed = [d for d in dice if d not in thrown]
    also = [d for d in stayed if _lies_in(d, flown)]
    left = list(kept)
    for die in also:
        if die.value in left:
            left.remove(die.value)
    return tuple(left), (*thrown, *also)


def _lies_in(die: TableDie, dice: tuple[TableDie, ...]) -> bool:
    """Does this die lie where one of those lies, and show the same?"""
    return any(die.value == d.value and near(die, d) for d in dice)


def _same_faces(dice: tuple[TableDie, ...], accepted: tuple[TableDie, ...]) -> bool:
    """Do the same faces lie there, wherever they lie? A die that the camera misreads counts as what it shows."""
    rest = list(accepted)
    for die in dice:
        same = next((a for a in rest if die.value in (a.value, a.raw)), None)
        if same is None:
            return False
        rest.remove(same)
    return not rest


def _holds(dice: tuple[TableDie, ...], lying: tuple[TableDie, ...]) -> bool:
    """Are all the dice that were to stay among these?"""
    rest = list(dice)
    for die in lying:
        same = next((d for d in rest if d.value in (die.value, die.raw)), None)
        if same is None:
            return False
        rest.remove(same)
    return True
