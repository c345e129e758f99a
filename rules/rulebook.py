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
from rules.scorecard import Scorecard
from rules.sheet import JOKERS, ORDERS
from rules.words import NUMBERS, listed


def rulebook(engine: Engine) -> tuple[str, ...]:
    """See `Game.rulebook`."""
    if isinstance(engine, Scorecard):
        return (*_scorecard(engine), *_match(engine))
    assert isinstance(engine, Banking)
    return (*_banking(engine), *_match(engine))


def _scorecard(engine: Scorecard) -> Iterator[str]:
    sheet = engine.sheet
    n, rolls = NUMBERS[sheet.dice], NUMBERS[sheet.rolls]
    yield f"Fill the {len(engine.boxes) * engine.columns} boxes of your card, one each turn. The most points win."
    yield (
        f"Throw all {n} dice. You may throw any of them again, up to {rolls} rolls a turn; "
        "dice kept before may be picked up again."
    )
    if sheet.saves_rolls:
        yield "Rolls that you do not use are saved: you may use them in a later turn."
    yield "After any roll you may choose a box. After the last one you must, even for zero. A filled box stays filled."
    yield (
        "Upper section: the dice that show the box's number count, added up. "
        f"{sheet.bonus_at} points or more in the upper section earn {sheet.bonus} more."
    )
    for box in engine.boxes:
        if box.section == "lower":
            yield f"{box.label}: {_pays(box)}."
    if sheet.alike_box:
        label = engine.boxes[engine.alike_at].label
        if engine.extra:
            yield f"If the {label} box holds points, each further {n} alike earns {engine.extra} more."
        if engine.joker != "none":
            since = "is filled, even with zero" if sheet.joker_when == "filled" else "holds points"
            yield f"Once the {label} box {since}: {JOKERS[engine.joker]}"
            yield "A joker pays what is printed: the straights and the full house in full, the other boxes as usual."
    if engine.options.get("alike_full_house"):
        yield "Five alike count as a full house."
    if engine.order != "any":
        yield ORDERS[engine.order]
    if engine.columns > 1:
        factors = ", ".join(("the second twice", "the third three times")[: engine.columns - 1])
        yield f"Your card has {engine.columns} columns. The first counts once, {factors}; choose column and box freely."
        yield "Each column is a card of its own: its bonus and its rules for five alike look at that column only."


def _pays(box: Box) -> str:
    paid = {"all": "all dice added up", "used": "those dice added up"}.get(str(box.pays), f"{box.pays} points")
    return f"{box.needs}, pays {paid}" if box.needs else f"any dice, pays {paid}"


def _banking(engine: Banking) -> Iterator[str]:
    blank = engine.pad.blank
    yield f"Be the player with the most points once somebody has {engine.target} or more."
    yield (
        f"Throw all {engine.dice} dice. After each roll set aside at least one die that is worth points; "
        "then throw the rest, or stop and bank the points of your turn."
    )
    yield f"A roll in which nothing is worth points is a {blank}: your turn ends and its points are lost."
    for combo in engine.combos:
        yield f"{combo.label}: {_worth(combo)}."
    yield "Dice count together only if they were thrown together. Every die set aside must be worth points."
    must = "must" if engine.hot_must else "may"
    yield f"When all {engine.dice} dice are set aside you {must} throw all of them again and go on adding."
    if engine.hot_dice > 1:
        yield f"What you set aside after that counts {engine.hot_dice} times."
    if engine.opening:
        yield f"To get on the pad for the first time you need {engine.opening} points in one turn."
    if engine.bank:
        yield f"Fewer than {engine.bank} points can't be banked."
    if engine.three_blanks:
        yield f"Three turns in a row that end in a {blank} cost {engine.three_blanks} points, but never below zero."
    if engine.options["last_round"]:
        yield f"When a player has {engine.target} or more, each of the others has one last turn."
    else:
        yield f"The game ends as soon as a player has {engine.target} or more."


def _worth(combo: Combo) -> str:
    if isinstance(combo, Alike) and not isinstance(combo.points, int):
        return ", ".join(f"{listed((face,) * combo.count)} {points}" for face, points in enumerate(combo.points, 1))
    if isinstance(combo, Exactly):
        return f"{combo.points} points"
    if isinstance(combo, Nothing):
        return f"{combo.count} dice of one roll of which none is worth anything else, {combo.points} points"
    if isinstance(combo, Shape):
        return f"{combo.points} points, {sum(combo.sizes)} dice of one roll"
    return f"{combo.points} points"


def _match(engine: Engine) -> Iterator[str]:
    if engine.games > 1:
        yield f"A match is {engine.games} games; the points of all games are added."
    if len(engine.names) > 1:
        yield STARTS[engine.start_rule]
        if engine.roll_off_dice == 1:
            yield "To roll for the first turn each throws one die; of equal throws only those are thrown again."
        else:
            yield "To roll for the first turn each throws all dice and adds them; of equal sums only those throw again."
        yield "Equal totals share the win."
    if any(len(partners) > 1 for partners in engine.names):
        yield "Partners share a card and take turns throwing."
    given = [f"{' & '.join(engine.names[s])} {p}" for s, p in enumerate(engine.head_start) if p]
    if given:
        yield f"Head start: {', '.join(given)}."
