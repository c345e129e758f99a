"""How fast `rules` is: random full games a second beside the package pyhtzee, and the time of the slow questions.

Not part of any room. Usage: bench_rules.py [SECONDS]. Prints one line a measurement; exit status 1 if a limit is
missed. Without pyhtzee (`pip install pyhtzee`) the comparison is skipped and says so.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from itertools import count, product
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import rules
from rules import Choice, Game, Keep, Over, Roll

TIMES_FASTER = 3.0
LIMIT_MS = 1.0
WARM_UP_GAMES = 500
ROUNDS = 10
THROWS = [tuple(product((1, 2, 3, 4, 5, 6), repeat=n)) for n in range(6)]


def random_game(rng: random.Random) -> Game:
    """One solo Yahtzee game: every choice is drawn from all legal moves, the dice that are not kept are thrown."""
    game, random_share = rules.new("yahtzee", ["Ann"]), rng.random
    while not isinstance(game.awaiting, Over):
        kept = game.kept
        throws = THROWS[5 - len(kept)]
        game.push(Roll(kept + throws[int(random_share() * len(throws))]))
        moves = game.legal_moves
        game.push(moves[int(random_share() * len(moves))])
    return game


def pyhtzee_game(seed: int) -> object:
    """The same with pyhtzee, as its own documentation plays a random game."""
    from pyhtzee import Pyhtzee  # type: ignore[import-not-found]

    game = Pyhtzee(seed=seed)
    while not game.is_finished():
        game.take_action(game.sample_action())
    return game


def per_second(plays: list[Callable[[], object]], seconds: float) -> list[float]:
    """Games a second of processor time for each way to play, taken in turns; the best of the rounds counts."""
    best = [0.0] * len(plays)
    for play in plays:
        for _ in range(WARM_UP_GAMES):
            play()
    for _ in range(ROUNDS):
        for i, play in enumerate(plays):
            played, start = 0, time.process_time()
            while (spent := time.process_time() - start) < seconds / ROUNDS:
                for _ in range(10):
                    play()
                played += 10
            best[i] = max(best[i], played / spent)
    return best


def worst_ms(name: str, question: Callable[[Game], object], seed: int = 7) -> float:
    """The slowest median of a question over all choices of random games, in milliseconds."""
    rng = random.Random(seed)
    options = {"columns": 3} if any(o.name == "columns" for o in _info(name).options) else {}
    game, worst = rules.new(name, ["Ann", "Bo"], **options), 0.0
    while not isinstance(game.awaiting, Over) and game.ply < 400:
        awaiting = game.awaiting
        if isinstance(awaiting, Choice):
            times = []
            for _ in range(5):
                start = time.perf_counter()
                question(game)
                times.append((time.perf_counter() - start) * 1000)
            worst = max(worst, sorted(times)[2])
            game.push(rng.choice([m for m in game.legal_moves if not isinstance(m, Keep)] or list(game.legal_moves)))
        else:
            game.push(Roll(game.kept * (game.family == "scorecard") + _throw(rng, game)))
    return worst


def _throw(rng: random.Random, game: Game) -> tuple[int, ...]:
    fixed = len(game.kept) if game.family == "scorecard" else 0
    assert isinstance(game.awaiting, Roll)
    return tuple(rng.choices((1, 2, 3, 4, 5, 6), k=game.awaiting.count - fixed))


def _info(name: str) -> rules.GameInfo:
    return next(g for g in rules.games() if g.name == name)


def main(seconds: float) -> int:
    """Measure and print; 1 if a limit is missed."""
    failed = False
    rng, seeds = random.Random(1), count(1)
    plays: list[Callable[[], object]] = [lambda: random_game(rng)]
    try:
        pyhtzee_game(1)
        plays.append(lambda: pyhtzee_game(next(seeds)))
    except ImportError:
        print("pyhtzee: skipped, it is not installed (pip install pyhtzee)")
    rate = per_second(plays, seconds)
    print(f"rules    {rate[0]:6.0f} random full games a second")
    for theirs in rate[1:]:
        faster = rate[0] / theirs
        failed |= faster < TIMES_FASTER
        print(f"pyhtzee  {theirs:6.0f} random full games a second")
        print(f"rules is {faster:.1f} times as fast (at least {TIMES_FASTER:.0f} wanted)")
    for name in (g.name for g in rules.games()):
        moves = worst_ms(name, lambda game: list(game.legal_moves))
        options = worst_ms(name, lambda game: game.options())
        failed |= max(moves, options) > LIMIT_MS
        print(f"{name:11s} legal_moves {moves:.3f} ms, options {options:.3f} ms at worst (below {LIMIT_MS:.0f} wanted)")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0))
