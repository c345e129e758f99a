"""The banking family: set dice aside for points, then throw the rest again or stop and bank.

Room: rules. Knows no game by name: a game of the family is a `Pad`, which is data, and the house rules are options.
Rule numbers such as YK-14 and A16 are those of docs/rules.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from rules.combos import Combo, doubled, sets, worth
from rules.engine import Engine, Names, no_position
from rules.errors import BadOption
from rules.moves import Move, Roll, SetAside, Stop
from rules.options import COMMON, Option, Value
from rules.said import said as _
from rules.state import CHOICE, ROLL, Faces, Match, State


@dataclass(frozen=True, slots=True, eq=False)
class Pad:
    """A banking game as data.

    `combos` are the scoring table for `dice` dice; `blank` is the game's word for a roll worth nothing. The other
    numbers are defaults of options: `opening` points are needed to get on the pad, `bank` for every later stop;
    `target` brings on the last turns; `three_blanks` points are lost after three blank turns in a row. `double_alike`:
    each die beyond three alike doubles the points.
    """

    name: str
    title: str
    blurb: str
    combos: tuple[Combo, ...]
    blank: str
    opening: int
    target: int
    bank: int = 0
    three_blanks: int = 0
    double_alike: bool = False
    dice: int = 6
    source: str = ""
    family: str = "banking"

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of this game."""
        return _options_of(self)

    def _options(self) -> tuple[Option, ...]:
        return (
            *COMMON,
            Option("opening", "number", self.opening, _("Points that get a player on the pad."), high=2000, step=50),
            Option("bank", "number", self.bank, _("The smallest sum that may be banked later on."), high=2000, step=50),
            Option("target", "number", self.target, _("The total that ends the game."), low=1000, high=50000, step=500),
            Option("last_round", "flag", True, _("At the target each of the others has one last turn.")),
            Option("double_alike", "flag", self.double_alike, _("Each die beyond three alike doubles their points.")),
            Option("hot_dice", "number", 1, _("Points after all dice were used count so many times."), low=1, high=5),
            Option("hot_must_throw", "flag", False, _("After all dice were used they must be thrown again.")),
            Option("three_blanks", "number", self.three_blanks, _three(self.blank), high=5000, step=50),
        )


@lru_cache(maxsize=64)
def _options_of(pad: Pad) -> tuple[Option, ...]:
    return pad._options()


def _three(blank: str) -> str:
    return _("Points that a third {blank} in a row costs; a score never falls below zero.", blank=blank)


class PadState(NamedTuple):
    """A seat's line on the pad: points banked, whether anything was banked yet, and blank turns in a row."""

    points: int
    on_pad: bool
    blanks: int
    turns: int


class Pot(NamedTuple):
    """What a turn holds: points set aside so far, and how often all dice were used up."""

    points: int
    hot: int


class Banking(Engine):
    """A match of a banking game."""

    family = "banking"
    new_pot = Pot(0, 0)

    def __init__(self, pad: Pad, options: Mapping[str, Value], names: Names) -> None:
        super().__init__(pad.name, pad.title, options, names)
        self.pad = pad
        self.dice = pad.dice
        self.roll_off_dice = 1
        self.opening, self.bank, self.target, self.hot_dice, self.three_blanks = (
            int(options[name])  # type: ignore[arg-type]
            for name in ("opening", "bank", "target", "hot_dice", "three_blanks")
        )
        if any(points >= self.target for points in self.head_start):
            raise BadOption("OPT-02", f"a head start must be below the target of {self.target}")
        self.hot_must = bool(options["hot_must_throw"])
        self.combos = doubled(pad.combos, pad.dice) if options["double_alike"] else pad.combos
        self.worth = worth(self.combos, pad.dice)
        self._sets: dict[Faces, tuple[tuple[Faces, int], ...]] = {}
        self._choices: dict[Faces, tuple[SetAside, ...]] = {}
        self.handlers |= {SetAside: self.set_aside, Stop: self.stop}

    def new_card(self) -> PadState:
        return PadState(0, False, 0, 0)

    def hand(self, state: State) -> int:
        return self.dice - len(state.kept)

    def rolls_max(self, state: State) -> int:
        return 0

    def total(self, card: PadState, seat: int) -> int:
        return self.given(seat) + card.points

    def next_seat(self, seat: int, cards: tuple[PadState, ...], match: Match) -> int | None:
        if match.pending is not None:
            return match.pending[0] if match.pending else None
        n = len(cards)
        return next(s % n for s in range(seat + 1, seat + n + 1) if match.present[s % n])

    def sets(self, roll: Faces) -> tuple[tuple[Faces, int], ...]:
        """Every set-aside of a roll (sorted faces) with its points, the best first."""
        found = self._sets.get(roll)
        if found is None:
            found = self._sets[roll] = sets(self.combos, self.dice, roll)
        return found

    def points(self, state: State, faces: Faces) -> int:
        """What a set-aside adds to the turn's points."""
        return self.worth[faces] * (self.hot_dice if state.pot.hot else 1)

    # Moves

    def roll(self, state: State, move: Roll) -> State:
        """The dice that are not set aside, all of them; a roll worth nothing ends the turn (YK-10 to YK-13)."""
        if state.phase != ROLL:
            self.refuse(state, "ROLL-04", _("set aside dice worth points first"))
        faces = self.check_faces(state, move.faces, self.hand(state))
        roll = tuple(sorted(faces))
        if self.sets(roll):
            return State(
                CHOICE, state.turn, faces, state.kept, state.rolls_made + 1, state.cards, state.pot, state.match
            )
        card: PadState = state.cards[state.turn]
        blanks = card.blanks + 1
        points = card.points
        if blanks == 3 and self.three_blanks:
            points, blanks = max(0, points - self.three_blanks), 0
        return self._end(state, PadState(points, card.on_pad, blanks, card.turns + 1))

    def set_aside(self, state: State, move: SetAside) -> State:
        """Dice of the last roll, each of them part of a line of the scoring table (A15); at least one (YK-7)."""
        if state.phase != CHOICE:
            self.refuse(state, "ASIDE-01", _("there are no dice to set aside: throw first"))
        faces = self.faces_of(state, move)
        if not faces:
            self.refuse(state, "ASIDE-02", _("set aside at least one die worth points"))
        missing = Counter(faces) - Counter(state.dice)
        if missing:
            words = " ".join(map(str, sorted(missing.elements())))
            self.refuse(
                state, "ASIDE-03", _("{faces} can't be set aside: it is not among the dice just thrown", faces=words)
            )
        if faces not in self.worth:
            self.refuse(state, "ASIDE-04", _("one of these dice is worth nothing: leave it to be thrown again"))
        pot = Pot(state.pot.points + self.points(state, faces), state.pot.hot)
        kept = tuple(sorted(state.kept + faces))
        if len(kept) == self.dice:
            kept, pot = (), Pot(pot.points, pot.hot + 1)
        return State(ROLL, state.turn, state.dice, kept, state.rolls_made, state.cards, pot, state.match)

    def faces_of(self, state: State, move: SetAside) -> Faces:
        """A set-aside's faces, found by position if it was given so."""
        if move.positions is None:
            return move.faces
        for at in move.positions:
            if not 0 <= at < len(state.dice):
                self.refuse(state, "ASIDE-05", no_position(at, len(state.dice)))
        if len(set(move.positions)) < len(move.positions):
            self.refuse(state, "ASIDE-06", _("the same die is named twice"))
        return tuple(sorted(state.dice[at] for at in move.positions))

    def stop(self, state: State, move: Stop) -> State:
        """Bank the turn's points (YK-14 to YK-18)."""
        if not self.may_stop(state):
            self.refuse(state, *self.why_no_stop(state))
        m, seat = state.match, state.turn
        before: PadState = state.cards[seat]
        card = PadState(before.points + state.pot.points, True, 0, before.turns + 1)
        if m.pending is None and self.total(card, seat) >= self.target:
            n = len(m.names)
            others = tuple(s % n for s in range(seat + 1, seat + n) if m.present[s % n])
            pending = others if self.options["last_round"] else ()
            return self.end_turn(state._replace(match=m._replace(pending=pending)), card)
        return self._end(state, card)

    def _end(self, state: State, card: PadState) -> State:
        m = state.match
        if m.pending is not None:
            state = state._replace(match=m._replace(pending=tuple(s for s in m.pending if s != state.turn)))
        return self.end_turn(state, card)

    def may_stop(self, state: State) -> bool:
        """Whether the turn's points may be banked now."""
        if state.phase != ROLL or not state.rolls_made:
            return False
        if self.hot_must and not state.kept:
            return False
        needed = self.bank if state.cards[state.turn].on_pad else max(self.opening, self.bank)
        return bool(state.pot.points >= needed)

    def why_no_stop(self, state: State) -> tuple[str, str]:
        """Code and words for a stop that is not allowed."""
        if state.phase != ROLL or not state.rolls_made:
            return "STOP-01", _("throw, and set aside dice worth points, before you stop")
        points = state.pot.points
        if not state.cards[state.turn].on_pad and points < self.opening:
            return (
                "STOP-02",
                _(
                    "{points} points do not get you on the pad: {opening} are needed, throw again",
                    points=points,
                    opening=self.opening,
                ),
            )
        if points < self.bank:
            words = _(
                "{points} points can't be banked: the smallest sum is {bank}, throw again",
                points=points,
                bank=self.bank,
            )
            return "STOP-03", words
        return "STOP-04", _("all {dice} dice are used: they must be thrown again", dice=self.dice)

    def choices(self, state: State) -> tuple[Sequence[Move], Sequence[Move]]:
        if state.phase == CHOICE:
            return self._asides(tuple(sorted(state.dice))), ()
        return (), (Stop(),) if self.may_stop(state) else ()

    def _asides(self, roll: Faces) -> tuple[SetAside, ...]:
        found = self._choices.get(roll)
        if found is None:
            found = self._choices[roll] = tuple(SetAside(faces) for faces, _ in self.sets(roll))
        return found

    def allows(self, state: State, move: Move) -> bool:
        if isinstance(move, Stop):
            return self.may_stop(state)
        if not isinstance(move, SetAside) or state.phase != CHOICE:
            return False
        faces = move.faces
        if move.positions is not None:
            n = len(state.dice)
            if len(set(move.positions)) < len(move.positions) or not all(0 <= p < n for p in move.positions):
                return False
            faces = tuple(sorted(state.dice[p] for p in move.positions))
        return faces in self.worth and not Counter(faces) - Counter(state.dice)

    def card_text(self, card: PadState) -> str:
        return f"{card.points}{' on pad' if card.on_pad else ''}" + (f" blanks {card.blanks}" if card.blanks else "")

    def pot_text(self, state: State) -> tuple[str, ...]:
        pot: Pot = state.pot
        return (f"pot {pot.points}{f' hot {pot.hot}' if pot.hot else ''}",)
