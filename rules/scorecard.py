"""The scorecard family: throw up to three times, then fill one box of a card.

Room: rules. A game of the family is a `Sheet`, which is data; the house rules are options. Rule numbers such as A5
are those of the decisions listed in docs/rules.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Literal, NamedTuple

from rules.boxes import Box, Groups, Line, table
from rules.engine import Engine, Names
from rules.moves import Keep, Move, Roll, Score
from rules.options import COMMON, Option, Value
from rules.state import CHOICE, ROLL, Faces, Match, State, position

JOKERS = {
    "lower_first": "Five alike again: in its own upper box; if filled, a joker in the lower section; else zero above.",
    "any_box": "Five alike again: in its own upper box; if filled, in any open box, as a joker in the lower section.",
    "free": "Five alike again may go in any open box, as a joker in the lower section.",
    "none": "Five alike is never a joker.",
}
ORDERS = {
    "any": "Boxes may be filled in any order.",
    "top_down": "Boxes must be filled from the top down.",
    "bottom_up": "Boxes must be filled from the bottom up.",
    "upper_first": "The upper section must be full before the lower one is begun.",
    "lower_first": "The lower section must be full before the upper one is begun.",
}


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A scorecard game as data.

    `rolls` a turn with `dice` dice; `bonus` points when the upper boxes hold `bonus_at`; `alike_box` is the key of
    the box for dice that are all alike, "" if further ones are nothing special. Further ones are worth `extra` points
    while that box holds points, and are jokers by the rule `joker` once the box is "filled" or "scored" (holds
    points; see A5). `saves_rolls`: rolls that a turn did not use may be used later. `changes` are other defaults of
    options.
    """

    name: str
    title: str
    blurb: str
    boxes: tuple[Box, ...]
    bonus_at: int
    bonus: int
    dice: int = 5
    rolls: int = 3
    alike_box: str = ""
    extra: int = 0
    joker: Literal["lower_first", "any_box", "none"] = "none"
    joker_when: Literal["filled", "scored"] = "filled"
    saves_rolls: bool = False
    changes: tuple[tuple[str, Value], ...] = ()
    source: str = ""
    family: str = "scorecard"

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of this game."""
        return _options_of(self)

    def _options(self) -> Iterator[Option]:
        yield from COMMON
        yield _choice("order", "any", "In which order boxes are filled.", ORDERS)
        yield Option("upper_first", "flag", False, "Short for the order upper_first.")
        yield Option(
            "columns", "number", 1, "Columns on a card; the second counts twice, the third three times.", low=1, high=3
        )
        if any(b.key == "full_house" for b in self.boxes) and self.dice == 5:
            yield Option("alike_full_house", "flag", False, "Five alike count as a full house too.")
        if self.alike_box and self.joker != "none":
            yield _choice("joker", self.joker, "What a further five alike may do.", JOKERS)
            yield Option("extra", "number", self.extra, "Points for a further five alike.", high=200, step=50)


@lru_cache(maxsize=64)
def _options_of(sheet: Sheet) -> tuple[Option, ...]:
    return tuple(_with_default(o, dict(sheet.changes)) for o in sheet._options())


def _choice(name: str, default: str, sentence: str, choices: Mapping[str, str]) -> Option:
    return Option(name, "choice", default, sentence, tuple(choices), tuple(choices.values()))


def _with_default(option: Option, changes: Mapping[str, Value]) -> Option:
    return replace(option, default=changes[option.name]) if option.name in changes else option


class CardState(NamedTuple):
    """A seat's card: the boxes of column 0, then column 1 ...; `open` has a bit set for each open box in that order.

    `bonuses` counts the further five alike of each column, `saved` the rolls left over from earlier turns.
    """

    boxes: tuple[int | None, ...]
    open: int
    bonuses: tuple[int, ...]
    saved: int
    turns: int


@lru_cache(maxsize=2048)
def keeps(dice: Faces) -> tuple[Keep, ...]:
    """Every keep of a roll (sorted faces), the fewest dice first; 32 at most for five dice."""
    counted = sorted(Counter(dice).items())
    kept = [
        tuple(f for (f, _), n in zip(counted, ns, strict=True) for _ in range(n))
        for ns in product(*(range(n + 1) for _, n in counted))
    ]
    return tuple(Keep(k) for k in sorted(kept, key=lambda k: (len(k), k)))


@lru_cache(maxsize=2048)
def parts(dice: Faces) -> frozenset[Faces]:
    """Every sub-multiset of a roll (sorted faces)."""
    return frozenset(k.faces for k in keeps(dice))


@dataclass(frozen=True, slots=True)
class Printed:
    """What is worked out once for a card: the boxes, what each roll pays in them, and sets of boxes as bits.

    `scores` pairs each box's bit with its move, column after column; `listed` are those moves for sets of open boxes
    that were met; `own` is the bit of each face's upper box.
    """

    boxes: tuple[Box, ...]
    table: dict[Faces, Line]
    index: dict[str, int]
    scores: tuple[tuple[int, Score], ...]
    listed: dict[int, tuple[Score, ...]]
    own: dict[int, int]
    upper: int
    lower: int
    alike_at: int


@lru_cache(maxsize=64)
def printed(sheet: Sheet, alike_full_house: bool, columns: int) -> Printed:
    """The card of a game with these options."""
    boxes = sheet.boxes
    if alike_full_house:
        boxes = tuple(_alike_too(b) if b.key == "full_house" else b for b in boxes)
    n = len(boxes)
    index = {b.key: i for i, b in enumerate(boxes)}
    upper = sum(1 << i for i, b in enumerate(boxes) if b.section == "upper")
    return Printed(
        boxes=boxes,
        table=table(boxes, sheet.dice),
        index=index,
        scores=tuple((1 << c * n + i, Score(b.key, c)) for c in range(columns) for i, b in enumerate(boxes)),
        listed={},
        own={b.face: 1 << i for i, b in enumerate(boxes) if b.face is not None},
        upper=upper,
        lower=(1 << n) - 1 - upper,
        alike_at=index.get(sheet.alike_box, -1),
    )


class Scorecard(Engine):
    """A match of a scorecard game."""

    family = "scorecard"

    def __init__(self, sheet: Sheet, options: Mapping[str, Value], names: Names) -> None:
        super().__init__(sheet.name, sheet.title, options, names)
        self.sheet = sheet
        self.card = printed(sheet, bool(options.get("alike_full_house")), int(options["columns"]))  # type: ignore[arg-type]
        self.boxes, self.table, self.index = self.card.boxes, self.card.table, self.card.index
        self.scores, self.own = self.card.scores, self.card.own
        self.upper, self.lower, self.alike_at = self.card.upper, self.card.lower, self.card.alike_at
        self.dice = self.roll_off_dice = sheet.dice
        self.columns = int(options["columns"])  # type: ignore[arg-type]
        self.order = str(options["order"])
        self.joker = str(options.get("joker", sheet.joker))
        self.extra = int(options.get("extra", sheet.extra))  # type: ignore[arg-type]
        self._moves |= {Keep: self.keep, Score: self.score}

    def new_card(self) -> CardState:
        n = len(self.boxes) * self.columns
        return CardState((None,) * n, (1 << n) - 1, (0,) * self.columns, 0, 0)

    def hand(self, state: State) -> int:
        return self.dice

    def rolls_max(self, state: State) -> int:
        return self.sheet.rolls + state.cards[state.turn].saved  # type: ignore[no-any-return]

    def next_seat(self, seat: int, cards: tuple[CardState, ...], match: Match) -> int | None:
        n = len(cards)
        for following in range(seat + 1, seat + n + 1):
            if match.present[following % n] and cards[following % n].open:
                return following % n
        return None

    # Moves

    def roll(self, state: State, move: Roll) -> State:
        """All the dice, the kept ones included (YZ-5, YZ-6)."""
        if state.phase != ROLL:
            self.refuse(state, "ROLL-04", self._after_roll(state))
        faces = move.faces
        roll = tuple(sorted(faces or ()))
        if faces is None or roll not in self.table:
            faces = self.check_faces(state, faces, self.dice)
        if state.kept and state.kept not in parts(roll):
            missing = Counter(state.kept) - Counter(faces)
            words = " ".join(map(str, sorted(missing.elements())))
            self.refuse(state, "ROLL-03", f"a kept die changed: {words} is missing; put it back or correct the roll")
        return position((CHOICE, state.turn, faces, roll, (), state.rolls_made + 1, state.cards, None, state.match))

    def _after_roll(self, state: State) -> str:
        if state.rolls_made < self.rolls_max(state):
            return "say first which dice are kept, or score them"
        return f"that was the last of {self.rolls_max(state)} rolls: choose a box"

    def keep(self, state: State, move: Keep) -> State:
        """Dice left lying; any die may be picked up again (YZ-6), none need be."""
        if state.phase != CHOICE:
            self.refuse(state, "KEEP-01", "there are no dice to keep yet: throw them")
        if state.rolls_made >= self.sheet.rolls + state.cards[state.turn].saved:
            self.refuse(state, "KEEP-03", self._after_roll(state))
        faces = move.faces if move.positions is None else self.faces_of(state, move)
        _, turn, dice, roll, _, rolls_made, cards, _, match = state
        if faces not in parts(roll):
            missing = " ".join(map(str, sorted((Counter(faces) - Counter(dice)).elements())))
            self.refuse(state, "KEEP-02", f"{missing} can't be kept: it is not among the dice")
        return position((ROLL, turn, dice, roll, faces, rolls_made, cards, None, match))

    def faces_of(self, state: State, move: Keep) -> Faces:
        """A keep's faces, found by position if it was given so."""
        if move.positions is None:
            return move.faces
        for at in move.positions:
            if not 0 <= at < len(state.dice):
                self.refuse(state, "KEEP-04", f"there is no die at position {at}: they are 0 to {len(state.dice) - 1}")
        if len(set(move.positions)) < len(move.positions):
            self.refuse(state, "KEEP-05", "the same die is named twice")
        return tuple(sorted(state.dice[at] for at in move.positions))

    def score(self, state: State, move: Score) -> State:
        """Fill a box, which ends the turn."""
        i = self.index.get(move.box)
        if i is None:
            self.refuse(state, "SCORE-02", f"there is no box {move.box!r}: boxes are {', '.join(self.index)}")
        if not 0 <= move.column < self.columns:
            self.refuse(state, "SCORE-07", f"there is no column {move.column}: columns are 0 to {self.columns - 1}")
        if state.phase != CHOICE:
            self.refuse(state, "SCORE-01", "there is nothing to score yet: throw the dice")
        card: CardState = state.cards[state.turn]
        line = self.table[state.roll]
        column = move.column
        at = column * len(self.boxes) + i
        plain = not line.alike and self.order == "any"
        if not (card.open >> at if plain else self.allowed(card, line, column) >> i) & 1:
            self.refuse(state, *self.why_not(card, line, i, column))
        value, bonuses = line.plain[i], card.bonuses
        if line.alike:
            value = self.value(card, line, i, column)
            if self.bonus(card, line, column):
                bonuses = (*bonuses[:column], bonuses[column] + 1, *bonuses[column + 1 :])
        saved = self.rolls_max(state) - state.rolls_made if self.sheet.saves_rolls else 0
        boxes = (*card.boxes[:at], value, *card.boxes[at + 1 :])
        new = CardState(boxes, card.open ^ 1 << at, bonuses, saved, card.turns + 1)
        return self.end_turn(state, new)

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
            return "SCORE-03", f"{self.boxes[i].label} is filled: choose an open box"
        if not self.in_order(mask) >> i & 1:
            allowed = self.in_order(mask)
            first = [b.label for j, b in enumerate(self.boxes) if allowed >> j & 1]
            return "SCORE-06", f"{ORDERS[self.order][:-1].lower()}: first {' or '.join(first)}"
        own = self.own.get(line.alike, 0)
        if self.in_order(mask) & own:
            label = next(b.label for b in self.boxes if b.face == line.alike)
            return "SCORE-04", f"five alike again: they must go in {label}"
        return "SCORE-05", "five alike again: they must go in an open box of the lower section"

    def choices(self, state: State) -> Sequence[Move]:
        if state.phase != CHOICE:
            return ()
        card: CardState = state.cards[state.turn]
        line = self.table[state.roll]
        mask = card.open
        if line.alike or self.order != "any":
            n = len(self.boxes)
            mask = sum(self.allowed(card, line, c) << c * n for c in range(self.columns))
        scores = self.card.listed.get(mask)
        if scores is None:
            scores = self._listed(mask)
        return keeps(state.roll) + scores if state.rolls_made < self.sheet.rolls + card.saved else scores

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
            return move.faces in parts(state.roll)
        if not isinstance(move, Score) or move.box not in self.index or not 0 <= move.column < self.columns:
            return False
        line = self.table[state.roll]
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


def _alike_too(box: Box) -> Box:
    assert isinstance(box.pattern, Groups)
    return replace(box, pattern=replace(box.pattern, alike=True))
