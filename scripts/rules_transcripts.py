"""Golden transcripts: whole matches with the value of every public question about every position.

Not part of any room. Usage: rules_transcripts.py [--check]. Writes tests/rules/transcripts/*.txt, one file a scenario;
with --check only compares. A change in such a file is a change of the rules: read it before you commit it.

A transcript gives, after each move, the values that the move changed; a value that is not given is as before.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

import rules  # noqa: E402 - found only after the line above
from rules import AsideOption, BoxOption, Choice, Game, Join, Keep, Leave, Move, Over, Roll, RollOff, Stop  # noqa: E402

FOLDER = ROOT / "tests" / "rules" / "transcripts"
ANN_BO = ("Ann", "Bo")


@dataclass(frozen=True)
class Scenario:
    """A match to write down: made with `rules.new(game, players, **options)` and played from a seed.

    `extra` are moves to push at a number of moves: somebody leaves or joins. `alike` is the share of throws whose
    thrown dice all show one face, `stop` the share of chances to stop that are taken.
    """

    name: str
    game: str
    players: Any = ("Ann",)
    options: dict[str, Any] = field(default_factory=dict)
    extra: dict[int, Move] = field(default_factory=dict)
    alike: float = 0.15
    stop: float = 0.6


SCENARIOS: tuple[Scenario, ...] = (
    Scenario("yardzee", "yardzee", ANN_BO),
    Scenario("yahtzee", "yahtzee", ANN_BO),
    Scenario("classic", "classic", (("Ann", "Cy"), ("Bo", "Di", "Ed")), {"games": 2, "start": "roll_off"}),
    Scenario("kniffel", "kniffel", ANN_BO, {"games": 2}),
    Scenario("yatzy", "yatzy", ANN_BO),
    Scenario("yacht", "yacht", ANN_BO),
    Scenario("maxi_yatzy", "maxi_yatzy", ANN_BO),
    Scenario("yardkle", "yardkle", ("Ann", "Bo", "Cy"), {"start": "roll_off"}),
    Scenario("zilch", "zilch", ANN_BO),
    Scenario("farkle", "farkle", ANN_BO),
    Scenario("order_top_down", "yardzee", options={"order": "top_down"}),
    Scenario("order_bottom_up", "yahtzee", options={"order": "bottom_up"}),
    Scenario("order_upper_first", "yahtzee", options={"upper_first": True}),
    Scenario("order_lower_first", "classic", options={"order": "lower_first"}, alike=0.4),
    Scenario("columns_2", "yatzy", options={"columns": 2}),
    Scenario("columns_3", "yahtzee", options={"columns": 3}, alike=0.3),
    Scenario("alike_full_house", "yahtzee", options={"alike_full_house": True}, alike=0.4),
    Scenario("joker_free", "yahtzee", options={"joker": "free"}, alike=0.5),
    Scenario("joker_any_box", "classic", options={"joker": "any_box"}, alike=0.5),
    Scenario("joker_lower_first", "yardzee", options={"joker": "lower_first"}, alike=0.5),
    Scenario("joker_none", "yardzee", options={"joker": "none"}, alike=0.5),
    Scenario("extra", "kniffel", options={"extra": 100}, alike=0.5),
    Scenario("head_start", "yatzy", ANN_BO, {"head_start": (0, 40)}),
    Scenario("start_rotate", "yatzy", ("Ann", "Bo", "Cy"), {"games": 2, "start": "rotate", "first": 1}),
    Scenario("start_roll_off_rotate", "yardkle", ANN_BO, {"games": 3, "start": "roll_off_rotate", "target": 2000}),
    Scenario("leave_and_join", "yardzee", ("Ann", "Bo", "Cy"), extra={17: Leave(1), 40: Join("Di")}),
    Scenario("leave_and_join_yardkle", "yardkle", ("Ann", "Bo", "Cy"), {"target": 4000}, {9: Leave(0), 12: Join("Di")}),
    Scenario("opening", "yardkle", options={"opening": 1000, "target": 3000}),
    Scenario("bank", "yardkle", options={"bank": 350, "target": 3000}),
    Scenario("target", "farkle", ANN_BO, {"target": 2500}),
    Scenario("last_round", "yardkle", ANN_BO, {"last_round": False, "target": 3000}),
    Scenario("double_alike", "yardkle", options={"double_alike": True, "target": 4000}, alike=0.4),
    Scenario("hot_dice", "yardkle", options={"hot_dice": 2, "target": 6000}, alike=0.5),
    Scenario("hot_must_throw", "zilch", options={"hot_must_throw": True, "target": 6000}, alike=0.5),
    Scenario("three_blanks", "yardkle", options={"three_blanks": 500, "target": 8000}, stop=0.15),
    Scenario("head_start_yardkle", "yardkle", ANN_BO, {"head_start": (1000,), "target": 2000}),
)


def dice(rng: random.Random, n: int, alike: float) -> tuple[int, ...]:
    """A throw made of `random.random` alone, which is the same in every version of Python."""
    if rng.random() < alike:
        return (int(rng.random() * 6) + 1,) * n
    return tuple(int(rng.random() * 6) + 1 for _ in range(n))


def next_move(rng: random.Random, game: Game, scenario: Scenario) -> Move:
    """A move as a careless player makes it: keeps the most frequent face, writes the best box, stops soon."""
    awaiting = game.awaiting
    if isinstance(awaiting, RollOff):
        return RollOff(dice(rng, awaiting.count, 0))
    if isinstance(awaiting, Roll):
        if Stop() in game.legal_moves and rng.random() < scenario.stop:
            return Stop()
        kept = game.kept if game.family == "scorecard" else ()
        return Roll(kept + dice(rng, awaiting.count - len(kept), scenario.alike))
    choices = tuple(game.legal_moves)
    if isinstance(choices[0], Keep) and rng.random() < 0.6:
        often = max(game.dice, key=lambda f: (game.dice.count(f), f))
        return Keep([f for f in game.dice if f == often])
    if rng.random() < 0.1:
        choices = tuple(m for m in choices if not isinstance(m, Keep))
        return choices[int(rng.random() * len(choices))]
    return best(game)


def best(game: Game) -> Move:
    """The choice that pays most now."""
    found = max((o for o in game.options() if o.value is not None), key=lambda o: o.value or 0)
    if isinstance(found, AsideOption):
        return rules.SetAside(found.faces)
    return rules.Score(found.box, found.column)


def questions(game: Game) -> Iterator[tuple[str, str]]:
    """Every public question about a position, with its answer in words."""
    yield "players", f"{', '.join(game.players)}; present {list(map(int, game.present))}"
    yield "game", f"{game.game_number}, first {game.first}, round {game.round}"
    yield "turn", f"{game.turn}, partner {game.partner}, {game.thrower} throws"
    yield "awaiting", str(game.awaiting)
    yield "roll-off", f"{'possible' if game.may_roll_off else 'no'}, contest {game.contest}"
    yield "dice", f"{game.dice}, kept {game.kept}, roll {game.rolls_made} of {game.rolls_max}"
    yield "legal", legal(game)
    yield "options", " ".join(map(option, game.options()))
    yield "turn points", f"{game.turn_points}, last turns {game.last_turns}"
    for seat in range(len(game.players)):
        card = game.card(seat)
        boxes = " ".join("-" if v is None else str(v) for v in card.boxes)
        sums = f"upper {card.upper}+{card.upper_bonus} lower {card.lower} bonuses {card.bonuses}={card.bonus_points}"
        rest = f"head start {card.head_start} saved {card.saved} pad {int(card.on_pad)} blanks {card.blanks}"
        yield f"card {seat}", f"{boxes} | {sums} | {rest} | total {card.total}"
        if len(card.columns) > 1:
            yield f"columns {seat}", " ".join(f"{c.factor}x{c.total}" for c in card.columns)
    yield "totals", f"{game.totals}, this game {game.game_totals}, leaders {game.leaders}"
    yield "finished", " ".join(f"{done.totals} won by {done.winners}" for done in game.finished)
    yield "outcome", str(game.outcome())
    yield "position", game.position.partition(" | cards ")[0]  # the cards are above


def legal(game: Game) -> str:
    """The legal choices; of keeps only how many there are."""
    keeps = sum(isinstance(m, Keep) for m in game.legal_moves)
    others = ", ".join(str(m).removeprefix("score ") for m in game.legal_moves if not isinstance(m, Keep))
    return f"{len(game.legal_moves)}: {keeps} keeps; {others}"


def option(found: BoxOption | AsideOption) -> str:
    """One option in short: `fives=15`, `sixes=no(SCORE-04)`, `chance/1=20+100`, `115=250>3`."""
    if isinstance(found, AsideOption):
        return f"{''.join(map(str, found.faces))}={found.value}>{found.hand}"
    where = f"{found.box}/{found.column}" if found.column else found.box
    if found.value is None:
        return f"{where}=no({found.why_code})"
    return f"{where}={found.value}" + (f"+{found.bonus}" if found.bonus else "")


def transcript(scenario: Scenario) -> str:
    """The whole transcript of a scenario."""
    game = rules.new(scenario.game, scenario.players, **scenario.options)
    rng = random.Random(f"transcript {scenario.name}")
    lines = [f"{game.title}: {scenario.game} with {scenario.options}", ""]
    lines += [f"  {paragraph}" for paragraph in game.rulebook()]
    shown: dict[str, str] = {}
    while True:
        lines.append("")
        if game.ply:
            lines += [f"{game.ply}. {game.moves[-1]}", f"  {game.told()}"]
        for question, answer in questions(game):
            if shown.get(question) != answer:
                lines.append(f"  {question}: {answer}".rstrip())
                shown[question] = answer
        if isinstance(game.awaiting, Over):
            break
        move = scenario.extra.get(game.ply) or next_move(rng, game, scenario)
        assert not isinstance(game.awaiting, Choice) or move in game.legal_moves or isinstance(move, Leave | Join)
        game.push(move)
    text = game.to_text()
    assert rules.from_text(text).position == game.position
    return "\n".join([*lines, "", *text.splitlines()]) + "\n"


def main(check: bool) -> int:
    """Write all transcripts, or compare them; 1 if one differs."""
    FOLDER.mkdir(exist_ok=True)
    differ = 0
    for scenario in SCENARIOS:
        path, text = FOLDER / f"{scenario.name}.txt", transcript(scenario)
        if path.exists() and path.read_text() == text:
            continue
        differ += 1
        print(f"{path.name} {'differs' if check else 'written'}")
        if not check:
            path.write_text(text)
    return int(check and differ > 0)


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
