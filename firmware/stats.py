"""Figures of players and dice, computed from the journal anew each time.

Room: firmware. Reads a copy in memory, so a running table is never disturbed. Knows no terminal and no page: see
`firmware/stats_command.py` and `firmware/stats_page.py`.

Luck compares dice, not decisions: how far the pips that a player threw are from 3.5 a die, in standard errors, and how
often a first roll of five dice held three or more alike. Fairness is Pearson's chi-square test of the six faces against
equal shares, over all dice that were thrown; dice that were kept are not counted again.
"""

from __future__ import annotations

import math
import sqlite3
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from firmware import journal_book as book
from firmware import journal_rescue as rescue
from firmware import journal_schema as schema
from firmware.errors import Fault

ENOUGH_DICE = 30
"""Fewer dice than this are no test: five of each face should be expected at least."""
_MEAN, _VARIANCE = 3.5, 35 / 12


@dataclass(frozen=True, slots=True)
class GameFigures:
    """Finished games of one kind that one player sat in. `results`: (game, points) in order."""

    game: str
    results: tuple[tuple[int, int], ...]
    won: int

    @property
    def played(self) -> int:
        return len(self.results)

    @property
    def average(self) -> float:
        return sum(p for _, p in self.results) / len(self.results)

    @property
    def best(self) -> int:
        return max(p for _, p in self.results)


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """`streak` is of games won in a row up to now, `longest` the longest ever; games played alone count for neither.

    `dice` were thrown, with `pips` in all. Of `firsts` first rolls of five dice, `alike` held three alike or more.
    """

    name: str
    games: tuple[GameFigures, ...] = ()
    streak: int = 0
    longest: int = 0
    dice: int = 0
    pips: int = 0
    firsts: int = 0
    alike: int = 0

    @property
    def luck(self) -> float:
        """How many standard errors the pips are above (or below) what is expected; 0 without dice."""
        return (self.pips - _MEAN * self.dice) / math.sqrt(_VARIANCE * self.dice) if self.dice else 0.0


@dataclass(frozen=True, slots=True)
class DiceFigures:
    """One set of dice: how often each face, 1 to 6, was thrown."""

    name: str
    counts: tuple[int, ...]

    @property
    def thrown(self) -> int:
        return sum(self.counts)

    @property
    def chi2(self) -> float:
        expected = self.thrown / 6
        return sum((c - expected) ** 2 for c in self.counts) / expected if expected else 0.0

    @property
    def p(self) -> float | None:
        """How often fair dice would be at least this uneven; None while too few were thrown."""
        return chi2_p5(self.chi2) if self.thrown >= ENOUGH_DICE else None


@dataclass(frozen=True, slots=True)
class GameLine:
    """One game of the journal, finished or not."""

    id: int
    game: str
    started: str
    session: int
    over: bool
    struck: bool
    trouble: str
    seats: tuple[tuple[str, int, bool], ...]
    """(name, points, won) in the order of the seats."""


@dataclass(frozen=True, slots=True)
class Figures:
    players: tuple[PlayerFigures, ...] = ()
    dice: tuple[DiceFigures, ...] = ()
    games: tuple[GameLine, ...] = ()
    sessions: tuple[int, ...] = field(default=())


def chi2_p5(x: float) -> float:
    """P(chi-square with 5 degrees of freedom >= x), in closed form (Abramowitz and Stegun 26.4.4)."""
    root = math.sqrt(x)
    return math.erfc(math.sqrt(x / 2)) + math.sqrt(2 / math.pi) * math.exp(-x / 2) * (root + root**3 / 3)


def three_alike_share(dice: int = 5) -> float:
    """How often a throw of so many fair dice holds three or more alike."""
    throws = list(product(range(6), repeat=dice))
    return sum(max(Counter(t).values()) >= 3 for t in throws) / len(throws)


def load(path: Path) -> sqlite3.Connection:
    """The journal at `path` in memory, with its tables up to date. The file is not changed. Raises Fault JRN-01 if
    there is none or it can't be read, JRN-02 if a newer version wrote it."""
    if not path.exists():
        raise Fault("JRN-01", f"there is no journal {path} yet.", "Play a game first, or check --data.")
    memory = sqlite3.connect(":memory:", isolation_level=None)
    memory.text_factory = schema.readable
    try:
        source = schema.connect_to_read(path)
        try:
            schema.refuse_newer(source, path)
            source.backup(memory)
        finally:
            source.close()
        schema.migrate(memory)
        book.distrust(memory)
        book.bring_up_to_date(memory)
        book.name_seats(memory)
    except sqlite3.Error as e:
        memory.close()
        fix = "Start the table once: it puts together what is whole." if rescue.is_damage(e) else "Check the disk."
        raise Fault("JRN-01", f"the journal {path} can't be read ({e}).", fix) from e
    except Fault:
        memory.close()
        raise
    return memory


def figures(db: sqlite3.Connection, session: int | None = None) -> Figures:
    """All figures, or those of one evening. Games that were struck count for nothing but the list of games."""
    games = _games(db, session)
    counted = [g for g in games if not g.struck]
    players = _players(db, counted)
    return Figures(tuple(players), tuple(_dice(db, counted)), tuple(games), tuple(sorted({g.session for g in games})))


def _games(db: sqlite3.Connection, session: int | None) -> list[GameLine]:
    lines = []
    rows = db.execute("select id, name, started, session, over, struck, trouble from games order by id").fetchall()
    for game, name, started, of, over, struck, trouble in rows:
        if session is not None and of != session:
            continue
        seats = db.execute(
            "select players.name, total, won from seats join players on players.id=seats.player "
            "where game=? order by seat",
            (game,),
        )
        seated = tuple((n, total, bool(won)) for n, total, won in seats)
        lines.append(GameLine(game, name, started, of, bool(over), bool(struck), trouble, seated))
    return lines


def _players(db: sqlite3.Connection, games: Iterable[GameLine]) -> list[PlayerFigures]:
    results: dict[str, dict[str, list[tuple[int, int, bool]]]] = {}
    streaks: dict[str, list[int]] = {}
    thrown: dict[str, list[int]] = {}
    for game in games:
        for name, total, won in game.seats:
            thrown.setdefault(name, [0, 0, 0, 0])
            if game.over:
                results.setdefault(name, {}).setdefault(game.game, []).append((game.id, total, won))
                if len(game.seats) > 1:
                    now, longest = streaks.get(name, [0, 0])
                    now = now + 1 if won else 0
                    streaks[name] = [now, max(now, longest)]
        for seat, dice, kept in db.execute("select seat, thrown, kept from rolls where game=?", (game.id,)):
            if seat < len(game.seats):
                counts = thrown[game.seats[seat][0]]
                counts[0] += len(dice)
                counts[1] += sum(map(int, dice))
                if len(dice) == 5 and not kept:
                    counts[2] += 1
                    counts[3] += max(Counter(dice).values()) >= 3
    made = []
    for name in sorted(thrown):
        kinds = tuple(
            GameFigures(kind, tuple((g, p) for g, p, _ in rows), sum(won for *_, won in rows))
            for kind, rows in sorted(results.get(name, {}).items())
        )
        now, longest = streaks.get(name, [0, 0])
        made.append(PlayerFigures(name, kinds, now, longest, *thrown[name]))
    return made


def _dice(db: sqlite3.Connection, games: Iterable[GameLine]) -> list[DiceFigures]:
    sets: dict[str, Counter[str]] = {}
    for game in games:
        name = db.execute("select dice from games where id=?", (game.id,)).fetchone()[0]
        counts = sets.setdefault(name or "the dice of this table", Counter())
        for (dice,) in db.execute("select thrown from rolls where game=?", (game.id,)):
            counts.update(dice)
    return [DiceFigures(n, tuple(c[str(f)] for f in range(1, 7))) for n, c in sorted(sets.items()) if c.total()]
