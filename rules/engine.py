"""What every family of games shares: seats and turns, roll-offs, matches of several games, leaving and joining.

Room: rules. Knows neither boxes nor points. An engine is made once for a match and never changes; it turns a position
and a move into the next position. A family fills in the hooks at the end of the class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NoReturn

from rules.errors import BadOption, BadPlayers, IllegalMove
from rules.moves import Awaiting, Choice, Join, Leave, Move, Over, Roll, RollOff
from rules.options import Value
from rules.said import said as _
from rules.said import said_n as _n
from rules.state import CHOICE, OVER, ROLL, ROLL_OFF, Contest, Faces, GameResult, Match, State, position

Names = tuple[tuple[str, ...], ...]
ROLLS = tuple(Roll(n) for n in range(13))
CHOOSE = Choice()


def check_names(players: object) -> Names:
    """Seats from a list of names; a list of names in it is a team that shares a seat. Raises BadPlayers."""
    seats: list[tuple[str, ...]] = []
    if isinstance(players, list | tuple):
        for entry in players:
            partners = (entry,) if isinstance(entry, str) else entry
            if not isinstance(partners, list | tuple) or not all(isinstance(p, str) for p in partners):
                break
            seats.append(tuple(p.strip() for p in partners))
    if not seats or len(seats) != len(players) or not all(s and all(s) for s in seats):  # type: ignore[arg-type]
        raise BadPlayers("PLAYERS-01", "give a list of names, or of lists of names for teams; none may be blank")
    return tuple(seats)


class Engine:
    """One match of one game, as functions from positions to positions."""

    family = ""

    def __init__(self, game: str, title: str, options: Mapping[str, Value], names: Names) -> None:
        self.game = game
        self.title = title
        self.options = dict(options)
        self.names = names
        self.games = int(self.options["games"])  # type: ignore[arg-type]
        self.start_rule = str(self.options["start"])
        self.first = int(self.options["first"])  # type: ignore[arg-type]
        self.head_start: Faces = self.options["head_start"]  # type: ignore[assignment]
        if self.first >= len(names):
            raise BadOption("OPT-02", f"first can't be {self.first}: there are {len(names)} seats, counted from 0")
        if len(self.head_start) > len(names):
            raise BadOption("OPT-02", f"head_start names {len(self.head_start)} players, but there are {len(names)}")
        self.handlers: dict[type, Callable[[State, Any], State]] = {
            Roll: self.roll,
            RollOff: self.roll_off,
            Leave: self.leave,
            Join: self.join,
        }

    @cached_property
    def initial(self) -> State:
        """The position before anything was thrown."""
        n = len(self.names)
        return self._begin_game(1, self.first, self.names, (True,) * n, (0,) * n, ())

    def apply(self, state: State, move: Move) -> State:
        """The position after a move. Raises IllegalMove."""
        handler = self.handlers.get(type(move))
        if handler is None or state.phase >= ROLL_OFF:
            handler = self.handler(state, move)
        return handler(state, move)

    def handler(self, state: State, move: Move) -> Callable[[State, Any], State]:
        """What makes a move of this kind in this position. Raises IllegalMove."""
        if state.phase == OVER:
            self.refuse(state, "OVER-01", _("the game is over: start a new one"))
        if state.phase == ROLL_OFF and not isinstance(move, RollOff | Leave | Join):
            words = _n(
                "{who} rolls for the first turn: throw one die",
                "{who} rolls for the first turn: throw {n} dice",
                self.roll_off_dice,
                who=self.thrower(state),
            )
            self.refuse(state, "OFF-02", words)
        handler = self.handlers.get(type(move))
        if handler is None:
            self.refuse(state, "MOVE-01", _("{game} has no such move as '{move}'", game=self.title, move=str(move)))
        return handler

    def refuse(self, state: State, code: str, words: str) -> NoReturn:
        """Raise IllegalMove against this position."""
        raise IllegalMove(code, words, self.position(state))

    def who(self, state: State, seat: int | None = None) -> str:
        """A seat's name; partners are joined by '&'."""
        return " & ".join(state.match.names[state.turn if seat is None else seat])

    def thrower(self, state: State) -> str:
        """Who throws now: in a team the partners take turns, in their order over the whole match."""
        partners = state.match.names[state.turn]
        return partners[self.turns(state) % len(partners)]

    def awaiting(self, state: State) -> Awaiting:
        """What the position waits for."""
        if state.phase == ROLL:
            return ROLLS[self.hand(state)]
        if state.phase == CHOICE:
            return CHOOSE
        return Over() if state.phase == OVER else RollOff(self.roll_off_dice)

    def game_totals(self, state: State) -> tuple[int, ...]:
        """Every seat's points in the game that is going on (or was the last)."""
        return tuple(self.total(card, seat) for seat, card in enumerate(state.cards))

    def turns(self, state: State) -> int:
        """The finished turns of the seat to move, over the whole match."""
        return state.match.turns[state.turn] + state.cards[state.turn].turns  # type: ignore[no-any-return]

    def totals(self, state: State) -> tuple[int, ...]:
        """Every seat's points over all games of the match."""
        totals = [0] * len(state.cards)
        for result in state.match.results:
            for seat, points in enumerate(result.totals):
                totals[seat] += points
        if state.phase == OVER:
            return tuple(totals)
        return tuple(a + b for a, b in zip(totals, self.game_totals(state), strict=True))

    def winners(self, state: State, totals: tuple[int, ...]) -> tuple[int, ...]:
        """The present seats with the highest of these totals."""
        best = max(t for t, here in zip(totals, state.match.present, strict=True) if here)
        return tuple(s for s, t in enumerate(totals) if t == best and state.match.present[s])

    def position(self, state: State) -> str:
        """The position as one line of text, for messages and logs."""
        m = state.match
        left = ("" if here else " left" for here in m.present)
        cards = " ; ".join(self.card_text(card) + gone for card, gone in zip(state.cards, left, strict=True))
        dice = "".join(map(str, state.dice)) or "-"
        kept = "".join(map(str, state.kept)) or "-"
        parts = [
            f"{self.game} game {m.number}/{self.games} turn {state.turn} {self.awaiting(state)}",
            f"dice {dice} kept {kept} rolls {state.rolls_made}",
            *self.pot_text(state),
            f"cards {cards}",
        ]
        return " | ".join(parts)

    def check_faces(self, state: State, faces: Faces | None, count: int) -> Faces:
        """Refuse a throw that has not so many dice, or a face that no die has."""
        if faces is None:
            self.refuse(state, "MOVE-02", _("say which faces the dice show, not only how many dice"))
        for face in faces:
            if not 1 <= face <= 6:
                self.refuse(state, "ROLL-02", _("{face} is on no die: faces are 1 to 6", face=face))
        if len(faces) != count:
            words = _("{thrown} thrown, but {wanted} must be", thrown=how_many(len(faces)), wanted=how_many(count))
            self.refuse(state, "ROLL-01", words)
        return faces

    def end_turn(self, state: State, card: Any) -> State:
        """The position after a turn of `state.turn` that ended with this card."""
        seat, cards, match = state.turn, state.cards, state.match
        cards = cards[:seat] + (card,) + cards[seat + 1 :]  # noqa: RUF005 - half the time of unpacking
        following = self.next_seat(seat, cards, match)
        if following is None:
            return self._finish(seat, cards, match)
        return position((ROLL, following, (), (), 0, cards, self.new_pot, match))

    def _finish(self, seat: int, cards: tuple[Any, ...], match: Match) -> State:
        ended = State(OVER, seat, (), (), 0, cards, self.new_pot, match)
        totals = self.game_totals(ended)
        result = GameResult(cards, totals, self.winners(ended, totals), match.first)
        results = (*match.results, result)
        if len(results) == self.games:
            return ended._replace(match=match._replace(results=results))
        rotates = self.start_rule in ("rotate", "roll_off_rotate")
        first = _next_present(match.first, match.present) if rotates else self.first
        if not match.present[first]:
            first = _next_present(first, match.present)
        turns = tuple(t + card.turns for t, card in zip(match.turns, cards, strict=True))
        return self._begin_game(match.number + 1, first, match.names, match.present, turns, results)

    def _begin_game(
        self,
        number: int,
        first: int,
        names: Names,
        present: tuple[bool, ...],
        turns: tuple[int, ...],
        results: tuple[GameResult, ...],
    ) -> State:
        n = len(names)
        cards = tuple(self.new_card() for _ in range(n))
        match = Match(number, first, names, present, turns, results)
        rolled_for = self.start_rule == "roll_off" or (self.start_rule == "roll_off_rotate" and number == 1)
        if not rolled_for or sum(present) == 1:
            return State(ROLL, first, (), (), 0, cards, self.new_pot, match)
        match = match._replace(contest=Contest(_round_from(first, present)))
        return State(ROLL_OFF, first, (), (), 0, cards, self.new_pot, match)

    def may_roll_off(self, state: State) -> bool:
        """Whether a roll-off is going on, or may begin: nothing was thrown in this game yet."""
        m = state.match
        if m.contest is not None:
            return True
        fresh = (
            state.phase == ROLL and state.rolls_made == 0 and not any(c.turns for c in state.cards) and not m.rolled_off
        )
        return fresh and sum(m.present) > 1

    def roll_off(self, state: State, move: RollOff) -> State:
        """One player's throw for the first turn; of equal throws only the tied roll again (A13)."""
        if not self.may_roll_off(state):
            self.refuse(state, "OFF-01", _("there is no roll-off now: it comes before the first throw of a game"))
        faces = self.check_faces(state, move.faces, self.roll_off_dice)
        contest = state.match.contest or Contest(_round_from(state.turn, state.match.present))
        return self._contest(state, contest._replace(throws=(*contest.throws, sum(faces))))

    def _contest(self, state: State, contest: Contest) -> State:
        seats, throws, _ = contest
        if len(throws) == len(seats):
            best = max(throws)
            tied = tuple(s for s, t in zip(seats, throws, strict=True) if t == best)
            if len(tied) == 1:
                match = state.match._replace(contest=None, rolled_off=True, first=tied[0])
                return state._replace(phase=ROLL, turn=tied[0], match=match)
            contest = Contest(tied, (), True)
        turn = contest.seats[len(contest.throws)]
        return state._replace(phase=ROLL_OFF, turn=turn, match=state.match._replace(contest=contest))

    def leave(self, state: State, move: Leave) -> State:
        """A player leaves: the card stays, the turn passes on if it was theirs."""
        m, seat = state.match, move.seat
        if not 0 <= seat < len(m.names):
            self.refuse(
                state, "LEAVE-01", _("there is no seat {seat}: seats are 0 to {last}", seat=seat, last=len(m.names) - 1)
            )
        if not m.present[seat]:
            self.refuse(state, "LEAVE-02", _("{who} has left before", who=self.who(state, seat)))
        if sum(m.present) == 1:
            self.refuse(state, "LEAVE-03", _("the last player can't leave: end the game instead"))
        match = m._replace(
            present=(*m.present[:seat], False, *m.present[seat + 1 :]),
            pending=None if m.pending is None else tuple(s for s in m.pending if s != seat),
        )
        if m.contest is not None and seat in m.contest.seats:
            at = m.contest.seats.index(seat)
            seats = m.contest.seats[:at] + m.contest.seats[at + 1 :]
            throws = m.contest.throws[:at] + m.contest.throws[at + 1 :]
            if len(seats) == 1:
                throws = (0,)
            return self._contest(state._replace(match=match), Contest(seats, throws, m.contest.again))
        if seat != state.turn:
            return state._replace(match=match)
        if not any(card.turns for card in state.cards):
            match = match._replace(first=_next_present(seat, match.present))
        following = self.next_seat(seat, state.cards, match)
        if following is None:
            return self._finish(seat, state.cards, match)
        return State(ROLL, following, (), (), 0, state.cards, self.new_pot, match)

    def join(self, state: State, move: Join) -> State:
        """A player joins in a new seat after the last one, with an empty card."""
        m, name = state.match, move.name.strip()
        if not name:
            self.refuse(state, "JOIN-01", _("a player needs a name"))
        if m.pending is not None:
            self.refuse(state, "JOIN-02", _("these are the last turns: join the next game"))
        contest = m.contest
        if contest is not None and not contest.again:
            contest = Contest((*contest.seats, len(m.names)), contest.throws)
        match = m._replace(
            names=(*m.names, (name,)),
            present=(*m.present, True),
            turns=(*m.turns, 0),
            contest=contest,
        )
        return state._replace(cards=(*state.cards, self.new_card()), match=match)

    def given(self, seat: int) -> int:
        """A seat's head start in points."""
        return self.head_start[seat] if seat < len(self.head_start) else 0

    # What a family fills in.

    dice = 0
    roll_off_dice = 0

    def new_card(self) -> Any:
        raise NotImplementedError

    new_pot: Any = None

    def hand(self, state: State) -> int:
        """How many dice the next roll holds."""
        raise NotImplementedError

    def total(self, card: Any, seat: int) -> int:
        raise NotImplementedError

    def next_seat(self, seat: int, cards: tuple[Any, ...], match: Match) -> int | None:
        """Whose turn comes after this seat's, None when the game is over."""
        raise NotImplementedError

    def roll(self, state: State, move: Roll) -> State:
        raise NotImplementedError

    def choices(self, state: State) -> tuple[Sequence[Move], Sequence[Move]]:
        """All legal choices, in a fixed order, in two parts (putting the long parts together costs more than both)."""
        raise NotImplementedError

    def allows(self, state: State, move: Move) -> bool:
        """Whether a choice is legal."""
        raise NotImplementedError

    def rolls_max(self, state: State) -> int:
        """How many rolls this turn may have, 0 for no limit."""
        raise NotImplementedError

    def card_text(self, card: Any) -> str:
        raise NotImplementedError

    def pot_text(self, state: State) -> tuple[str, ...]:
        return ()


def how_many(n: int) -> str:
    return _n("one die", "{n} dice", n)


def no_position(at: int, dice: int) -> str:
    """Words for a die that is named by a position at which none lies."""
    return _("there is no die at position {at}: they are 0 to {last}", at=at, last=dice - 1)


def _next_present(seat: int, present: tuple[bool, ...]) -> int:
    n = len(present)
    return next(s % n for s in range(seat + 1, seat + n + 1) if present[s % n])


def _round_from(first: int, present: tuple[bool, ...]) -> tuple[int, ...]:
    n = len(present)
    return tuple(s % n for s in range(first, first + n) if present[s % n])
