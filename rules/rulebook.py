"""The rules of a game in words, as they are with the options that are active.

Room: rules. Decides nothing. Every paragraph is short enough for a screen, and made from the same data that the
engines use.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules.banking import Banking
from rules.boxes import Box
from rules.combos import Alike, Combo, Exactly, Nothing, Shape
from rules.engine import Engine
from rules.options import STARTS
from rules.said import in_line
from rules.said import said as _
from rules.said import said_as as _as
from rules.scorecard import Scorecard
from rules.sheet import JOKERS, ORDERS
from rules.words import NUMBERS, listed

# Other languages decline numbers: these are not the words that count dice elsewhere.
ALL = {
    5: _as("a number of dice, as in: throw all five dice", "five"),
    6: _as("a number of dice, as in: throw all five dice", "six"),
}
UP_TO = {
    2: _as("a number of rolls, as in: up to three rolls", "two"),
    3: _as("a number of rolls, as in: up to three rolls", "three"),
    4: _as("a number of rolls, as in: up to three rolls", "four"),
}
"""Numbers of dice and of rolls in words; other numbers are figures."""


def rulebook(engine: Engine) -> tuple[str, ...]:
    """See `Game.rulebook`."""
    if isinstance(engine, Scorecard):
        return (*_scorecard(engine), *_match(engine))
    assert isinstance(engine, Banking)
    return (*_banking(engine), *_match(engine))


def _scorecard(engine: Scorecard) -> Iterator[str]:
    sheet = engine.sheet
    n = NUMBERS[sheet.dice]
    yield _(
        "Fill the {boxes} boxes of your card, one each turn. The most points win.",
        boxes=len(engine.boxes) * engine.columns,
    )
    yield _(
        "Throw all {n} dice. You may throw any of them again, up to {rolls} rolls a turn; "
        "dice kept before may be picked up again.",
        n=ALL.get(sheet.dice, str(sheet.dice)),
        rolls=UP_TO.get(sheet.rolls, str(sheet.rolls)),
    )
    if sheet.saves_rolls:
        yield _("Rolls that you do not use are saved: you may use them in a later turn.")
    yield _(
        "After any roll you may choose a box. After the last one you must, even for zero. A filled box stays filled."
    )
    yield _(
        "Upper section: the dice that show the box's number count, added up. "
        "{least} points or more in the upper section earn {bonus} more.",
        least=sheet.bonus_at,
        bonus=sheet.bonus,
    )
    for box in engine.boxes:
        if box.section == "lower":
            yield _("{box}: {what}.", box=box.label, what=_pays(box))
    if sheet.alike_box:
        label = engine.boxes[engine.alike_at].label
        if engine.extra:
            yield _(
                "If the {box} box holds points, each further {n} alike earns {extra} more.",
                box=label,
                n=n,
                extra=engine.extra,
            )
        if engine.joker != "none":
            rule = JOKERS[engine.joker]
            if sheet.joker_when == "filled":
                yield _("Once the {box} box is filled, even with zero: {rule}", box=label, rule=rule)
            else:
                yield _("Once the {box} box holds points: {rule}", box=label, rule=rule)
            yield _("A joker pays what is printed: the straights and the full house in full, the other boxes as usual.")
    if engine.options.get("alike_full_house"):
        yield _("Five alike count as a full house.")
    if engine.order != "any":
        yield ORDERS[engine.order]
    if engine.columns > 1:
        if engine.columns == 2:
            yield _("Your card has 2 columns. The first counts once, the second twice; choose column and box freely.")
        else:
            yield _(
                "Your card has 3 columns. The first counts once, the second twice, the third three times; "
                "choose column and box freely."
            )
        yield _("Each column is a card of its own: its bonus and its rules for five alike look at that column only.")


def _pays(box: Box) -> str:
    if box.pays == "all":
        paid = _("all dice added up")
    elif box.pays == "used":
        paid = _("those dice added up")
    else:
        paid = _("{points} points", points=box.pays)
    if not box.needs:
        return _("any dice, pays {what}", what=paid)
    return _("{needs}, pays {what}", needs=box.needs, what=paid)


def _banking(engine: Banking) -> Iterator[str]:
    blank = engine.pad.blank
    yield _("Be the player with the most points once somebody has {target} or more.", target=engine.target)
    yield _(
        "Throw all {dice} dice. After each roll set aside at least one die that is worth points; "
        "then throw the rest, or stop and bank the points of your turn.",
        dice=engine.dice,
    )
    yield _(
        "A roll in which nothing is worth points is a {blank}: your turn ends and its points are lost.", blank=blank
    )
    for combo in engine.combos:
        yield _("{box}: {what}.", box=combo.label, what=_worth(combo))
    yield _("Dice count together only if they were thrown together. Every die set aside must be worth points.")
    if engine.hot_must:
        yield _(
            "When all {dice} dice are set aside you must throw all of them again and go on adding.", dice=engine.dice
        )
    else:
        yield _(
            "When all {dice} dice are set aside you may throw all of them again and go on adding.", dice=engine.dice
        )
    if engine.hot_dice > 1:
        yield _("What you set aside after that counts {times} times.", times=engine.hot_dice)
    if engine.opening:
        yield _("To get on the pad for the first time you need {points} points in one turn.", points=engine.opening)
    if engine.bank:
        yield _("Fewer than {points} points can't be banked.", points=engine.bank)
    if engine.three_blanks:
        yield _(
            "Three turns in a row that end in a {blank} cost {points} points, but never below zero.",
            blank=blank,
            points=engine.three_blanks,
        )
    if engine.options["last_round"]:
        yield _("When a player has {target} or more, each of the others has one last turn.", target=engine.target)
    else:
        yield _("The game ends as soon as a player has {target} or more.", target=engine.target)


def _worth(combo: Combo) -> str:
    if isinstance(combo, Alike) and not isinstance(combo.points, int):
        return in_line(
            _("{faces} = {points}", faces=listed((face,) * combo.count), points=points)
            for face, points in enumerate(combo.points, 1)
        )
    if isinstance(combo, Exactly):
        return _("{points} points", points=combo.points)
    if isinstance(combo, Nothing):
        return _(
            "{dice} dice of one roll of which none is worth anything else, {points} points",
            dice=combo.count,
            points=combo.points,
        )
    if isinstance(combo, Shape):
        return _("{points} points, {dice} dice of one roll", points=combo.points, dice=sum(combo.sizes))
    return _("{points} points", points=combo.points)


def _match(engine: Engine) -> Iterator[str]:
    if engine.games > 1:
        yield _("A match is {games} games; the points of all games are added.", games=engine.games)
    if len(engine.names) > 1:
        yield STARTS[engine.start_rule]
        if engine.roll_off_dice == 1:
            yield _("To roll for the first turn each throws one die; of equal throws only those are thrown again.")
        else:
            yield _(
                "To roll for the first turn each throws all dice and adds them; of equal sums only those throw again."
            )
        yield _("Equal totals share the win.")
    if any(len(partners) > 1 for partners in engine.names):
        yield _("Partners share a card and take turns throwing.")
    given = [f"{' & '.join(engine.names[s])} {p}" for s, p in enumerate(engine.head_start) if p]
    if given:
        yield _("Head start: {points}.", points=", ".join(given))
