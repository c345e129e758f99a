"""Random playouts of every game and option: `pop` undoes `push`, texts round-trip, refusals change nothing.

Not part of any room. Usage: soak_rules.py PLAYOUTS [FIRST_SEED]. Every playout is made from its seed alone; a failure
prints the seed. The tests run the first 200.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import rules
from rules import (
    Choice,
    Game,
    IllegalMove,
    Join,
    Keep,
    Leave,
    Move,
    Option,
    Over,
    Roll,
    RollOff,
    Score,
    SetAside,
    Stop,
)

MOST_MOVES = 160


def random_value(rng: random.Random, option: Option, seats: int) -> Any:
    """A value that the option may have."""
    if option.kind == "flag":
        return rng.random() < 0.5
    if option.kind == "choice":
        return rng.choice(option.choices)
    if option.kind == "points":
        return tuple(rng.randrange(0, 995, 5) for _ in range(rng.randint(0, seats)))
    if option.name == "first":
        return rng.randrange(seats)
    steps = (option.high - option.low) // option.step
    return option.low + option.step * rng.randint(0, min(steps, 6))


def random_game(rng: random.Random) -> Game:
    """A new game with random players and options."""
    info = rng.choice(rules.games())
    seats = rng.choice((1, 2, 2, 3, 4))
    players: list[Any] = [f"P{i}" for i in range(seats)]
    if rng.random() < 0.3:
        players = [[f"P{i}{k}" for k in range(rng.randint(1, 3))] for i in range(seats)]
    share = rng.choice((0.05, 0.4, 0.8))
    options = {o.name: random_value(rng, o, seats) for o in info.options if rng.random() < share}
    if options.get("upper_first") and options.get("order") not in (None, "any", "upper_first"):
        del options["upper_first"]
    if info.family == "banking" and rng.random() < 0.5:
        options["target"] = 1000
    return rules.new(info.name, players, **options)


def throw(rng: random.Random, game: Game) -> Move:
    """What may be thrown now; five alike more often than in life, so that jokers come up."""
    awaiting = game.awaiting
    assert isinstance(awaiting, Roll | RollOff)
    kept = game.kept if game.family == "scorecard" and isinstance(awaiting, Roll) else ()
    n = awaiting.count - len(kept)
    faces = [rng.randint(1, 6)] * n if rng.random() < 0.2 else [rng.randint(1, 6) for _ in range(n)]
    dice = [*kept, *faces]
    rng.shuffle(dice)
    if isinstance(awaiting, Roll) and game.may_roll_off and rng.random() < 0.3:
        return RollOff([rng.randint(1, 6) for _ in range(1 if game.family == "banking" else awaiting.count)])
    return type(awaiting)(dice)


def random_move(rng: random.Random, game: Game) -> Move:
    """Any move that is legal."""
    if rng.random() < 0.01 and sum(game.present) > 1:
        return Leave(rng.choice([s for s, here in enumerate(game.present) if here]))
    if rng.random() < 0.01 and not game.last_turns and game.check(Join("late")) is None:
        return Join(f"L{len(game.players)}")
    if isinstance(game.awaiting, Choice):
        scores = [m for m in game.legal_moves if not isinstance(m, Keep)]
        if scores and rng.random() < 0.6:
            return rng.choice(scores)
        return rng.choice(game.legal_moves)
    if game.legal_moves and rng.random() < 0.5:
        return game.legal_moves[0]
    return throw(rng, game)


def wild_move(rng: random.Random, game: Game) -> Move:
    """A move that is probably not legal."""
    faces = [rng.randint(0, 7) for _ in range(rng.randint(0, 7))]
    box = rng.choice([b.key for b in game.boxes] or ["ones"])
    wild: list[Move] = [
        Roll(faces),
        Roll(5),
        RollOff(faces),
        Keep(faces),
        Keep.at(faces),
        SetAside(faces),
        SetAside.at(faces),
        Score(box, rng.randint(-1, 3)),
        Score("nothing"),
        Stop(),
        Leave(rng.randint(-1, 5)),
        Join(" "),
    ]
    return rng.choice(wild)


def everything(game: Game) -> dict[str, Any]:
    """The value of every public question about a position."""
    seats = range(len(game.players))
    return {
        "text": game.to_text(),
        "position": game.position,
        "awaiting": game.awaiting,
        "players": (game.players, game.partners, game.present),
        "turn": (game.turn, game.partner, game.thrower, game.round, game.game_number, game.first),
        "roll-off": (game.may_roll_off, game.contest),
        "dice": (game.dice, game.kept, game.rolls_made, game.rolls_max),
        "moves": (game.moves, game.ply),
        "points": (game.turn_points, game.last_turns, game.totals, game.game_totals, game.leaders),
        "cards": tuple(game.card(s) for s in seats),
        "finished": game.finished,
        "outcome": game.outcome(),
        "legal": tuple(game.legal_moves),
        "options": game.options(),
    }


def check_refusal(rng: random.Random, game: Game) -> None:
    """A wild move is either legal or refused with a code, and `check`, `in` and `push` agree about it."""
    move, before = wild_move(rng, game), game.position
    refusal = game.check(move)
    if isinstance(move, Keep | SetAside | Score | Stop):
        assert (move in game.legal_moves) == (refusal is None), move
    assert game.explain(move)
    if refusal is None:
        return
    assert refusal.code in rules.CODES
    raised = None
    try:
        game.push(move)
    except IllegalMove as problem:
        raised = problem
    assert raised is not None, f"{move} was pushed though check refuses it"
    assert (raised.code, raised.words, raised.position) == (refusal.code, refusal.words, before)
    assert game.position == before


def playout(seed: int) -> int:
    """Play one game to its end (or for MOST_MOVES moves) and check it on the way. Returns the number of moves."""
    rng = random.Random(seed)
    game = random_game(rng)
    twin = game.copy()
    while not isinstance(game.awaiting, Over) and game.ply < MOST_MOVES:
        thorough = rng.random() < 0.1
        before = everything(game) if thorough else {"position": game.position}
        if rng.random() < 0.3:
            check_refusal(rng, game)
        move = random_move(rng, game)
        assert game.check(move) is None
        assert game.explain(move)
        game.push(move)
        after = game.position
        popped = game.pop()
        assert str(popped) == str(move)
        now = everything(game) if thorough else {"position": game.position}
        assert now == before, "pop did not undo push"
        game.push(popped)
        assert game.position == after
        if isinstance(game.awaiting, Choice):
            assert game.legal_moves
            assert all(game.check(m) is None for m in rng.sample(tuple(game.legal_moves), 1))
    again = rules.from_text(game.to_text())
    assert everything(again) == everything(game)
    assert twin.ply == 0, "a copy changed with the game"
    if isinstance(game.awaiting, Over):
        outcome = game.outcome()
        assert outcome is not None
        assert outcome.winners
    while game.ply:
        game.pop()
    assert everything(game) == everything(twin)
    return again.ply


def main(playouts: int, first: int) -> int:
    """Run and print; 1 at the first failure."""
    start, moves = time.monotonic(), 0
    for seed in range(first, first + playouts):
        try:
            moves += playout(seed)
        except Exception:
            print(f"playout with seed {seed} failed: run it again with {sys.argv[0]} 1 {seed}", flush=True)
            raise
        if (seed - first + 1) % 1000 == 0:
            print(f"{seed - first + 1} playouts, {moves} moves, {time.monotonic() - start:.0f} s", flush=True)
    print(f"rules: {playouts} playouts, {moves} moves, nothing found, {time.monotonic() - start:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200, int(sys.argv[2]) if len(sys.argv) > 2 else 0))
