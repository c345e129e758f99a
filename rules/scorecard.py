"""The scorecard family: throw up to three times, then fill one box of a card.

Room: rules. Knows no game by name: a game of the family is a `Sheet`, which is data, and the house rules are options.
Rule numbers such as A5 are those of docs/rules.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from rules.engine import Engine, Names, no_position
from rules.lines import Line, printed
from rules.moves import Faces, Keep, Move, Roll, Score
from rules.options import Value
from rules.said import any_of
from rules.said import said as _
from rules.sheet import SHORT_ORDERS, Sheet
from rules.state import CHOICE, ROLL, Match, State, position


class CardState(NamedTuple):
    """A seat's card: the boxes of column 0, then column 1 ...; `open` has a bit set for each open box in that order.

    `bonuses` counts the further five alike of each column, `saved` the rolls left over from earlier turns.
    """

    boxes: tuple[int | None, ...]
    open: int
    bonuses: tuple[int, ...]
    saved: int
    turns: int


_card = partial(tuple.__new__, CardState)

MOST_THROWN = 8192
"""How many throws, in the order in which the dice lie, are remembered with their Line: all 7776 of five dice."""


class Scorecard(Engine):
    """A match of a scorecard game."""

    family = "scorecard"

    def __init__(self, sheet: Sheet, options: Mapping[str, Value], names: Names) -> None:
        super().__init__(sheet.name, sheet.title, options, names)
        self.sheet = sheet
        self.card = printed(sheet, bool(options.get("alike_full_house")), int(options["columns"]))  # type: ignore[arg-type]
        self.boxes, self.table, self.index = self.card.boxes, self.card.table, self.card.index
        self.scores, self.own, self.thrown = self.card.scores, self.card.own, self.card.thrown
        self.upper, self.lower, self.alike_at = self.card.upper, self.card.lower, self.card.alike_at
        self.dice = self.roll_off_dice = sheet.dice
        self.columns = int(options["columns"])  # type: ignore[arg-type]
        self.order = str(options["order"])
        self.joker = str(options.get("joker", sheet.joker))
        self.extra = int(options.get("extra", sheet.extra))  # type: ignore[arg-type]
        self.handlers |= {Keep: self.keep, Score: self.score}

    def new_card(self) -> CardState:
        n = len(self.boxes) * self.columns
        return CardState((None,) * n, (1 << n) - 1, (0,) * self.columns, 0, 0)

    def hand(self, state: State) -> int:
        return self.dice

    def rolls_max(self, state: State) -> int:
        return self.sheet.rolls + state.cards[state.turn].saved  # type: ignore[no-any-return]

    def next_seat(self, seat: int, cards: tuple[CardState, ...], match: Match) -> int | None:
        n, present = len(cards), match.present
        following = seat
        while True:
            following = (following + 1) % n
            if present[following] and cards[following].open:
                return following
            if following == seat:
                return None

    # Moves

    def roll(self, state: State, move: Roll) -> State:
        """All the dice, the kept ones included (YZ-5, YZ-6)."""
        phase, turn, _dice, kept, rolls_made, cards, _pot, match = state
        if phase != ROLL:
            self.refuse(state, "ROLL-04", self._after_roll(state))
        faces = move.faces
        line = self.thrown.get(faces)  # type: ignore[arg-type]
        if line is None:
            faces = self.check_faces(state, faces, self.dice)
            line = self.table[tuple(sorted(faces))]
            if len(self.thrown) < MOST_THROWN:
                self.thrown[faces] = line
        if kept and kept not in line.parts:
            words = " ".join(map(str, sorted((Counter(kept) - Counter(faces)).elements())))
            self.refuse(
                state,
                "ROLL-03",
                _("a kept die changed: {faces} is missing; put it back or correct the roll", faces=words),
            )
        return position((CHOICE, turn, faces, (), rolls_made + 1, cards, line, match))

    def _after_roll(self, state: State) -> str:
        if state.rolls_made < self.rolls_max(state):
            return _("say first which dice are kept, or score them")
        return _("that was the last of {rolls} rolls: choose a box", rolls=self.rolls_max(state))

    def keep(self, state: State, move: Keep) -> State:
        """Dice left lying; any die may be picked up again (YZ-6), none need be."""
        phase, turn, dice, _kept, rolls_made, cards, line, match = state
        if phase != CHOICE:
            self.refuse(state, "KEEP-01", _("there are no dice to keep yet: throw them"))
        if rolls_made >= self.sheet.rolls + cards[turn].saved:
            self.refuse(state, "KEEP-03", self._after_roll(state))
        faces = move.faces if move.positions is None else self.faces_of(state, move)
        if faces not in line.parts:
            words = " ".join(map(str, sorted((Counter(faces) - Counter(dice)).elements())))
            self.refuse(state, "KEEP-02", _("{faces} can't be kept: it is not among the dice", faces=words))
        return position((ROLL, turn, dice, faces, rolls_made, cards, line, match))

    def faces_of(self, state: State, move: Keep) -> Faces:
        """A keep's faces, found by position if it was given so."""
        if move.positions is None:
            return move.faces
        for at in move.positions:
            if not 0 <= at < len(state.dice):
                self.refuse(state, "KEEP-04", no_position(at, len(state.dice)))
        if len(set(move.positions)) < len(move.positions):
            self.refuse(state, "KEEP-05", _("the same die is named twice"))
        return tuple(sorted(state.dice[at] for at in move.positions))

    def score(self, state: State, move: Score) -> State:
        """Fill a box, which ends the turn."""
        phase, turn, _dice, _kept, rolls_made, cards, line, _match = state
        i = self.index.get(move.box)
        column = move.column
        if i is None:
            words = _("there is no box {box}: boxes are {boxes}", box=repr(move.box), boxes=", ".join(self.index))
            self.refuse(state, "SCORE-02", words)
        if not 0 <= column < self.columns:
            words = _("there is no column {column}: columns are 0 to {last}", column=column, last=self.columns - 1)
            self.refuse(state, "SCORE-07", words)
        if phase != CHOICE:
            self.refuse(state, "SCORE-01", _("there is nothing to score yet: throw the dice"))
        card: CardState = cards[turn]
        boxes, still_open, bonuses, saved, turns = card
        at = column * len(self.boxes) + i
        value = line.plain[i]
        if line.alike or self.order != "any":
            if not self.allowed(card, line, column) >> i & 1:
                self.refuse(state, *self.why_not(card, line, i, column))
            value = self.value(card, line, i, column)
            if self.bonus(card, line, column):
                bonuses = (*bonuses[:column], bonuses[column] + 1, *bonuses[column + 1 :])
        elif not still_open >> at & 1:
            self.refuse(state, *self.why_not(card, line, i, column))
        if self.sheet.saves_rolls:
            saved += self.sheet.rolls - rolls_made
        boxes = boxes[:at] + (value,) + boxes[at + 1 :]  # noqa: RUF005 - half the time of unpacking
        return self.end_turn(state, _card((boxes, still_open ^ 1 << at, bonuses, saved, turns + 1)))

    # What a roll may do on a card

    def alike_value(self, card: CardState, column: int) -> int | None:
        """What the box for dice all alike holds in a column."""
        return card.boxes[column * len(self.boxes) + self.alike_at] if self.alike_at >= 0 else None

    def is_joker(self, card: CardState, line: Line, column: int) -> bool:
        """Whether the joker rules hold for this roll (A5: `joker_when` says whether a zero in the box is enough)."""
        if not line.alike or self.joker == "none":
            return False
        held = self.alike_value(card, column)
        return held is not None and (held > 0 or self.sheet.joker_when == "filled")

    def bonus(self, card: CardState, line: Line, column: int) -> int:
        """Points for a further five alike: only while the box holds points (A3)."""
        return self.extra if line.alike and (self.alike_value(card, column) or 0) > 0 else 0

    def allowed(self, card: CardState, line: Line, column: int) -> int:
        """The boxes of a column that may be chosen, as bits. The order of filling goes before the joker rules (A11)."""
        n = len(self.boxes)
        mask = card.open >> column * n & (1 << n) - 1
        if self.order != "any":
            mask = self.in_order(mask)
        if line.alike and self.is_joker(card, line, column) and self.joker != "free":
            own = self.own.get(line.alike, 0)
            if mask & own:
                return own
            if self.joker == "lower_first":
                return mask & self.lower or mask
        return mask

    def in_order(self, mask: int) -> int:
        """Of these open boxes, those that the agreed order lets be filled now."""
        if self.order == "any" or not mask:
            return mask
        if self.order == "upper_first":
            return mask & self.upper or mask
        if self.order == "lower_first":
            return mask & self.lower or mask
        return mask & -mask if self.order == "top_down" else 1 << mask.bit_length() - 1

    def value(self, card: CardState, line: Line, i: int, column: int) -> int:
        """What the roll pays in box i, the bonus for a further five alike not counted."""
        return line.joker[i] if line.alike and self.is_joker(card, line, column) else line.plain[i]

    def why_not(self, card: CardState, line: Line, i: int, column: int) -> tuple[str, str]:
        """Code and words for a box that may not be chosen."""
        n = len(self.boxes)
        mask = card.open >> column * n & ((1 << n) - 1)
        if not mask >> i & 1:
            return "SCORE-03", _("{box} is filled: choose an open box", box=self.boxes[i].label)
        if not self.in_order(mask) >> i & 1:
            allowed = self.in_order(mask)
            first = [b.label for j, b in enumerate(self.boxes) if allowed >> j & 1]
            return "SCORE-06", _("{order}: first {boxes}", order=SHORT_ORDERS[self.order], boxes=any_of(first))
        own = self.own.get(line.alike, 0)
        if self.in_order(mask) & own:
            label = next(b.label for b in self.boxes if b.face == line.alike)
            return "SCORE-04", _("five alike again: they must go in {box}", box=label)
        return "SCORE-05", _("five alike again: they must go in an open box of the lower section")

    def choices(self, state: State) -> tuple[Sequence[Move], Sequence[Move]]:
        phase, turn, _dice, _kept, rolls_made, cards, line, _match = state
        if phase != CHOICE:
            return (), ()
        card: CardState = cards[turn]
        mask = card.open
        if line.alike or self.order != "any":
            n = len(self.boxes)
            mask = sum(self.allowed(card, line, c) << c * n for c in range(self.columns))
        scores = self.card.listed.get(mask)
        if scores is None:
            scores = self._listed(mask)
        return line.keeps if rolls_made < self.sheet.rolls + card.saved else (), scores

    def _listed(self, mask: int) -> tuple[Score, ...]:
        scores = tuple(score for bit, score in self.scores if mask & bit)
        # One column of 13 boxes has 8191 sets of open boxes; several columns have far too many.
        if self.columns == 1 and len(self.card.listed) < 16384:
            self.card.listed[mask] = scores
        return scores

    def allows(self, state: State, move: Move) -> bool:
        if state.phase != CHOICE:
            return False
        if isinstance(move, Keep):
            if state.rolls_made >= self.sheet.rolls + state.cards[state.turn].saved:
                return False
            if move.positions is not None:
                n = len(state.dice)
                return len(set(move.positions)) == len(move.positions) and all(0 <= p < n for p in move.positions)
            return move.faces in state.pot.parts
        if not isinstance(move, Score) or move.box not in self.index or not 0 <= move.column < self.columns:
            return False
        line: Line = state.pot
        return bool(self.allowed(state.cards[state.turn], line, move.column) >> self.index[move.box] & 1)

    # Sums

    def column_sums(self, card: CardState, column: int) -> tuple[int, int, int, int]:
        """Upper, upper bonus, lower and bonus points of one column, its factor not applied."""
        n = len(self.boxes)
        boxes = card.boxes[column * n : (column + 1) * n]
        upper = sum(v or 0 for v, b in zip(boxes, self.boxes, strict=True) if b.section == "upper")
        lower = sum(v or 0 for v, b in zip(boxes, self.boxes, strict=True) if b.section == "lower")
        bonus = self.sheet.bonus if upper >= self.sheet.bonus_at else 0
        return upper, bonus, lower, card.bonuses[column] * self.extra

    def total(self, card: CardState, seat: int) -> int:
        return self.given(seat) + sum((c + 1) * sum(self.column_sums(card, c)) for c in range(self.columns))

    def card_text(self, card: CardState) -> str:
        boxes = ",".join("-" if v is None else str(v) for v in card.boxes)
        bonuses = f" bonuses {','.join(map(str, card.bonuses))}" if any(card.bonuses) else ""
        return boxes + bonuses + (f" saved {card.saved}" if card.saved else "")
