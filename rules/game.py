"""The game: a position that can be asked, pushed to and popped from.

Room: rules. Knows no clock, no file, no random number: what the dice show is pushed to it. The shape is that of
python-chess: `legal_moves` is lazy, `push` and `pop` are each other's inverse, an illegal move raises and changes
nothing, and everything goes to text and back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from rules.banking import Banking
from rules.cards import AsideOption, BoxInfo, BoxOption, Card, ColumnCard, Finished
from rules.engine import CHOOSE, Engine
from rules.errors import IllegalMove
from rules.moves import Awaiting, Faces, Move, Pick, Roll, RollOff
from rules.options import Value
from rules.scorecard import Scorecard
from rules.state import CHOICE, OVER, ROLL_OFF, Outcome, State

if TYPE_CHECKING:
    from rules.correct import Correction


class LegalMoves:
    """The choices that are legal in one position, in a fixed order.

    Lazy: nothing is worked out before it is asked for, and `move in legal_moves` never makes the list.
    It can be indexed, as `random.choice` does. Rolls, `Leave` and `Join` are no choices and never in it.
    """

    __slots__ = ("_engine", "_found", "_state")

    def __init__(self, engine: Engine, state: State) -> None:
        self._engine = engine
        self._state = state
        self._found: tuple[Sequence[Move], Sequence[Move]] | None = None

    def __iter__(self) -> Iterator[Move]:
        return chain(*self._parts())

    def __len__(self) -> int:
        first, second = self._found or self._parts()
        return len(first) + len(second)

    def __getitem__(self, index: int) -> Move:
        first, second = self._found or self._parts()
        n = len(first)
        if 0 <= index < n:
            return first[index]
        return second[index - n] if index >= 0 else (*first, *second)[index]

    def __bool__(self) -> bool:
        return any(self._parts())

    def _parts(self) -> tuple[Sequence[Move], Sequence[Move]]:
        if self._found is None:
            self._found = self._engine.choices(self._state)
        return self._found

    def __contains__(self, move: object) -> bool:
        return self._engine.allows(self._state, move)  # type: ignore[arg-type]

    def __repr__(self) -> str:
        return f"<LegalMoves {', '.join(map(str, self))}>"


class Game:
    """A match of one or several games. Make one with `rules.new` or `rules.from_text`.

    A seat is a player or a team; seats are numbered from 0 in the order of turns.
    """

    __slots__ = ("_engine", "_handlers", "_moves", "_states")

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._handlers = engine.handlers
        self._states: list[State] = [engine.initial]
        self._moves: list[Move] = []

    # What is going on

    @property
    def name(self) -> str:
        """The game's name, as given to `rules.new`."""
        return self._engine.game

    @property
    def title(self) -> str:
        """The game's name for a screen."""
        return self._engine.title

    @property
    def family(self) -> str:
        """ "scorecard" or "banking"."""
        return self._engine.family

    @property
    def settings(self) -> dict[str, Value]:
        """Every option with its value."""
        return dict(self._engine.options)

    @property
    def players(self) -> tuple[str, ...]:
        """The name of each seat; partners are joined by ' & '."""
        return tuple(" & ".join(partners) for partners in self._state.match.names)

    @property
    def partners(self) -> tuple[tuple[str, ...], ...]:
        """The names of each seat's partners; one name where nobody shares the seat."""
        return self._state.match.names

    @property
    def present(self) -> tuple[bool, ...]:
        """For each seat, False once its player has left."""
        return self._state.match.present

    @property
    def turn(self) -> int:
        """The seat whose turn it is (after the end: that of the last turn)."""
        return self._states[-1].turn

    @property
    def partner(self) -> int:
        """Which partner of the seat throws now, 0 first: they take turns over the whole match."""
        state = self._state
        return self._engine.turns(state) % len(state.match.names[state.turn])

    @property
    def thrower(self) -> str:
        """The name of the person who throws now."""
        return self._engine.thrower(self._state)

    @property
    def round(self) -> int:
        """The round of this game, from 1: the turns that the seat to move has had, and this one."""
        state = self._state
        turns: int = state.cards[state.turn].turns
        return turns if state.phase == OVER else turns + 1

    @property
    def game_number(self) -> int:
        """Which game of the match this is, from 1."""
        return self._state.match.number

    @property
    def first(self) -> int:
        """The seat that began this game (or will, if no roll-off decides otherwise)."""
        return self._state.match.first

    @property
    def awaiting(self) -> Awaiting:
        """What must come next: `Roll(n)`, `RollOff(n)`, `Choice()` or `Over()`.

        A roll-off may also be pushed, if nobody has thrown yet, where `may_roll_off` says so.
        """
        state = self._states[-1]
        return CHOOSE if state.phase == CHOICE else self._engine.awaiting(state)

    @property
    def may_roll_off(self) -> bool:
        """Whether a `RollOff` may be pushed: one is going on, or nothing was thrown in this game yet."""
        return self._engine.may_roll_off(self._state)

    @property
    def contest(self) -> tuple[int, ...]:
        """The seats that take part in this round of the roll-off, () if none is going on."""
        contest = self._state.match.contest
        return contest.seats if contest else ()

    @property
    def contest_throws(self) -> tuple[int, ...]:
        """The sums thrown so far in this round of the roll-off, in the order of `contest`."""
        contest = self._state.match.contest
        return contest.throws if contest else ()

    @property
    def dice(self) -> Faces:
        """The last roll of this turn, in the order in which it was given; () before it."""
        return self._states[-1].dice

    @property
    def kept(self) -> Faces:
        """Faces lying kept while a roll is awaited, sorted; in a banking game the dice set aside in this turn."""
        return self._states[-1].kept

    @property
    def rolls_made(self) -> int:
        """Rolls in this turn so far."""
        return self._states[-1].rolls_made

    @property
    def rolls_max(self) -> int:
        """How many rolls this turn may have, 0 for no limit."""
        return self._engine.rolls_max(self._state)

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves so far."""
        return tuple(self._moves)

    @property
    def ply(self) -> int:
        """How many moves there were."""
        return len(self._moves)

    @property
    def turn_points(self) -> int:
        """Points of the running turn that are not banked yet (banking games)."""
        return self._state.pot.points if isinstance(self._engine, Banking) else 0

    @property
    def last_turns(self) -> tuple[int, ...]:
        """Seats that still have a last turn, once somebody reached the target (banking games)."""
        return self._state.match.pending or ()

    # Moves

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal choices; while a roll is awaited empty but for `Stop()` where stopping is allowed."""
        return LegalMoves(self._engine, self._states[-1])

    def push(self, move: Move) -> None:
        """Make a move. Raises IllegalMove, and then nothing has changed."""
        before = self._states[-1]
        handler = self._handlers.get(type(move))
        if handler is None or before.phase >= ROLL_OFF:
            handler = self._engine.handler(before, move)
        self._states.append(handler(before, move))
        if isinstance(move, Pick) and move.positions is not None:
            # The history holds faces only: it must replay after a correction has moved the dice about.
            move = type(move)(before.dice[at] for at in move.positions)
        self._moves.append(move)

    def pop(self) -> Move:
        """Take the last move back and return it. Raises IndexError if there is none."""
        move = self._moves.pop()
        self._states.pop()
        return move

    def check(self, move: Move) -> IllegalMove | None:
        """Why this move is illegal, None if it is legal. Changes nothing."""
        try:
            self._engine.apply(self._state, move)
        except IllegalMove as refusal:
            return refusal
        return None

    def copy(self) -> Game:
        """A game with the same history, that can be played on by itself."""
        other = Game.__new__(Game)
        other._engine = self._engine
        other._handlers = self._handlers
        other._states = self._states.copy()
        other._moves = self._moves.copy()
        return other

    # Cards and results

    @property
    def boxes(self) -> tuple[BoxInfo, ...]:
        """The boxes of one column of the card, in card order; () in a banking game."""
        engine = self._engine
        if not isinstance(engine, Scorecard):
            return ()
        return tuple(BoxInfo(b.key, b.label, b.section, b.face) for b in engine.boxes)

    @property
    def factors(self) -> tuple[int, ...]:
        """What each column of a card counts: (1,) for a plain card."""
        return tuple(range(1, self._engine.columns + 1)) if isinstance(self._engine, Scorecard) else (1,)

    @property
    def upper_bonus(self) -> tuple[int, int]:
        """(points to reach in the upper boxes, points that they then bring); (0, 0) in a banking game."""
        engine = self._engine
        return (engine.sheet.bonus_at, engine.sheet.bonus) if isinstance(engine, Scorecard) else (0, 0)

    def card(self, seat: int) -> Card:
        """A seat's card in the game that is going on (or was the last)."""
        return self._card(self._state.cards[seat], seat)

    def _card(self, card: Any, seat: int) -> Card:
        engine = self._engine
        total, given = engine.total(card, seat), engine.given(seat)
        if not isinstance(engine, Scorecard):
            return Card(total=total, head_start=given, on_pad=card.on_pad, blanks=card.blanks)
        n = len(engine.boxes)
        columns = []
        for c in range(engine.columns):
            sums = engine.column_sums(card, c)
            columns.append(ColumnCard(card.boxes[c * n : (c + 1) * n], card.bonuses[c], *sums, sum(sums), c + 1))
        upper, upper_bonus, lower, extra = (
            sum(c.factor * part for c, part in zip(columns, parts, strict=True))
            for parts in zip(*((c.upper, c.upper_bonus, c.lower, c.bonus_points) for c in columns), strict=True)
        )
        return Card(
            boxes=card.boxes,
            bonuses=sum(card.bonuses),
            upper=upper,
            upper_bonus=upper_bonus,
            lower=lower,
            bonus_points=extra,
            total=total,
            head_start=given,
            saved=card.saved,
            columns=tuple(columns),
        )

    @property
    def totals(self) -> tuple[int, ...]:
        """Every seat's points, all games of the match together."""
        return self._engine.totals(self._state)

    @property
    def game_totals(self) -> tuple[int, ...]:
        """Every seat's points in the game that is going on (or was the last)."""
        return self._engine.game_totals(self._state)

    @property
    def leaders(self) -> tuple[int, ...]:
        """The seats with the highest total so far; who has left is not ranked."""
        return self._engine.winners(self._state, self.totals)

    @property
    def finished(self) -> tuple[Finished, ...]:
        """The finished games of the match."""
        return tuple(
            Finished(tuple(self._card(c, s) for s, c in enumerate(r.cards)), r.totals, r.winners, r.first)
            for r in self._state.match.results
        )

    def outcome(self) -> Outcome | None:
        """Who has won the match, None while it is going on. Equal totals share the win (A12)."""
        if self._state.phase != OVER:
            return None
        return Outcome(self.leaders, self.totals)

    def options(self, dice: Faces | None = None) -> tuple[BoxOption, ...] | tuple[AsideOption, ...]:
        """What can be had for the dice (by default those of the last roll), for the player whose turn it is.

        Scorecard: every open box in card order, column after column. Banking: every set-aside that is worth points,
        the best first. () if there are no dice to ask about, or the game is over.
        """
        engine, state = self._engine, self._state
        if state.phase == OVER or (dice is None and state.phase != CHOICE):
            return ()
        faces = state.dice if dice is None else tuple(map(int, dice))
        if not isinstance(engine, Scorecard):
            return self._aside_options(faces)
        engine.check_faces(state, faces, engine.dice)
        card = state.cards[state.turn]
        line = engine.table[tuple(sorted(faces))]
        found = []
        for column in range(engine.columns):
            allowed = engine.allowed(card, line, column)
            bonus = engine.bonus(card, line, column)
            start = column * len(engine.boxes)
            for i, box in enumerate(engine.boxes):
                if not card.open >> start + i & 1:
                    continue
                if not allowed >> i & 1:
                    code, why = engine.why_not(card, line, i, column)
                    found.append(BoxOption(box.key, column, None, False, code, why))
                    continue
                value = engine.value(card, line, i, column)
                zero = ("ZERO", box.needs) if value == 0 else ("", "")
                found.append(BoxOption(box.key, column, value, True, *zero, bonus))
        return tuple(found)

    def _aside_options(self, faces: Faces) -> tuple[AsideOption, ...]:
        engine, state = self._engine, self._state
        assert isinstance(engine, Banking)
        before = len(state.kept)
        engine.check_faces(state, faces, engine.dice - before)
        return tuple(
            AsideOption(part, engine.points(state, part), (engine.dice - before - len(part)) or engine.dice)
            for part, _ in engine.sets(tuple(sorted(faces)))
        )

    # Words and text

    @property
    def position(self) -> str:
        """This position as one line of text."""
        return self._engine.position(self._state)

    def explain(self, move: Move) -> str:
        """A sentence that says what a move does here, or why it is not legal."""
        from rules.words import explain

        return explain(self, move)

    def told(self, index: int = -1) -> str:
        """The sentence of a past move, by its number; by default of the last one. Raises IndexError."""
        index = range(len(self._moves))[index]
        before = self.copy()
        del before._states[index + 1 :], before._moves[index:]
        return before.explain(self._moves[index])

    def rulebook(self) -> tuple[str, ...]:
        """The rules, with the options that are active, as short paragraphs."""
        from rules.rulebook import rulebook

        return rulebook(self._engine)

    def to_text(self) -> str:
        """The game with its whole history, as text. `rules.from_text` reads it."""
        from rules.text import to_text

        return to_text(self)

    def correct(self, index: int, roll: Roll | RollOff, *, cut: bool = False) -> Correction:
        """Replace the roll that is move number `index` (0 first) and play all later moves again.

        If they are all still legal, the game holds the corrected history afterwards; the Correction tells what
        changed. If one is not, nothing changes and the Correction says which one and why; with `cut` the game then
        ends before that move instead. Raises IllegalMove (`FIX-01`) if that move is no roll.
        """
        from rules.correct import correct

        return correct(self, index, roll, cut)

    def __repr__(self) -> str:
        return f"<Game {self.position}>"

    @property
    def _state(self) -> State:
        return self._states[-1]
