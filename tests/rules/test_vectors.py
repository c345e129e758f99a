"""All conformance vectors, whatever files the folder holds: each is played or asked by its schema."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest

import rules
from rules import Choice, Game, IllegalMove, Keep, Over, Roll, RollOff, Score, SetAside, Stop
from rules.scorecard import CardState, Scorecard

RULESETS = {"article": ("yahtzee", {}), "article_upper_first": ("yahtzee", {"upper_first": True})}
FIVE_KIND = 11


def new(ruleset: str, players: Any, **options: Any) -> Game:
    name, more = RULESETS.get(ruleset, (ruleset, {}))
    return rules.new(name, players, **more, **options)


def names(n: int) -> list[str]:
    return [f"P{i}" for i in range(n)]


def faces(roll: str) -> tuple[int, ...]:
    return tuple(map(int, roll))


def offers(game: Game, dice: tuple[int, ...] | None = None) -> list[int | None]:
    """What `options` says, as a list over all boxes."""
    found = {o.box: o.value for o in game.options(dice)}
    return [found.get(b.key) for b in game.boxes]


def case(engine: Scorecard, mask: int, held: int | None, face: int) -> tuple[list[int | None], int]:
    """Legal scores and bonus for five alike on a card with these open boxes; `held` is in the five-of-a-kind box."""
    boxes = [None if mask >> i & 1 else 0 for i in range(13)]
    boxes[FIVE_KIND] = held
    card = CardState(tuple(boxes), mask, (0,), 0, 0)
    line = engine.table[(face,) * 5]
    allowed = engine.allowed(card, line, 0)
    legal = [engine.value(card, line, i, 0) if allowed >> i & 1 else None for i in range(13)]
    return legal, engine.bonus(card, line, 0)


def score_table(data: dict) -> int:
    compared = 0
    for ruleset in data["rulesets"]:
        game = new(ruleset, ["Ann"])
        for roll, scores in data["plain"].items():
            if ruleset != "article_upper_first":
                assert offers(game, faces(roll)) == scores, (ruleset, roll)
            line = game._engine.table[faces(roll)]
            assert list(line.plain) == scores, (ruleset, roll)
            compared += 1
        for roll, scores in data["joker"].items():
            assert list(game._engine.table[faces(roll)].joker) == scores, (ruleset, roll)
            compared += 1
    return compared


def joker_cases(data: dict) -> int:
    compared = 0
    for ruleset, cases in data["cases"].items():
        engine = new(ruleset, ["Ann"])._engine
        for open_boxes, held, face, legal, bonus in cases:
            mask = sum(1 << i for i, c in enumerate(open_boxes) if c == "1")
            assert case(engine, mask, held, face) == (legal, bonus), (ruleset, open_boxes, held, face)
            compared += 1
    return compared


def joker_digest(data: dict) -> int:
    compared = 0
    for ruleset, expected in data["rulesets"].items():
        engine, digest, lines = new(ruleset, ["Ann"])._engine, hashlib.sha256(), 0
        for mask in range(1, 8192):
            for held in (None,) if mask >> FIVE_KIND & 1 else (0, 50):
                for face in range(1, 7):
                    legal, bonus = case(engine, mask, held, face)
                    entries = ",".join("x" if v is None else str(v) for v in legal)
                    digest.update(f"{mask} {'-' if held is None else held} {face} {entries} {bonus}\n".encode())
                    lines += 1
        assert lines == expected["lines"]
        assert digest.hexdigest() == expected["sha256"], ruleset
        compared += lines
    return compared


def play_turn(game: Game, turn: dict) -> None:
    """One scripted scorecard turn, everything that it claims compared with the game."""
    assert game.turn == turn["p"]
    assert game.awaiting == Roll(5)
    for n, roll in enumerate(turn["rolls"]):
        if n:
            keep = Keep.at(turn["keeps"][n - 1])
            assert keep in game.legal_moves
            game.push(keep)
            assert game.kept == tuple(sorted(int(turn["rolls"][n - 1][at]) for at in turn["keeps"][n - 1]))
        assert game.rolls_made == n
        game.push(Roll(faces(roll)))
        assert game.awaiting == Choice()
    if "legal" in turn:
        assert offers(game) == turn["legal"]
        scores = {m.box for m in game.legal_moves if isinstance(m, Score)}
        assert scores == {b.key for b, v in zip(game.boxes, turn["legal"], strict=True) if v is not None}
    option = next(o for o in game.options() if o.box == turn["cat"])
    assert (option.value, option.bonus) == (turn["score"], turn["bonus"])
    finished = len(game.finished)
    game.push(Score(turn["cat"]))
    card = game.finished[-1].cards[turn["p"]] if len(game.finished) > finished else game.card(turn["p"])
    assert [card.upper, card.upper_bonus, card.lower, card.bonus_points, card.total] == turn["run"]


def scorecard_game(ruleset: str, script: dict) -> int:
    game = new(ruleset, names(script["players"]), first=script["first"])
    for turn in script["turns"]:
        play_turn(game, turn)
    for seat, final in enumerate(script["final"]):
        card = game.card(seat)
        assert list(card.boxes) == final["boxes"]
        assert card.bonuses == final["bonuses"]
        assert card.total == final["total"] == game.totals[seat]
    assert list(game.leaders) == script["winners"]
    full = all(None not in final["boxes"] for final in script["final"])
    assert (game.outcome() is not None) == full
    if full:
        assert list(game.outcome().winners) == script["winners"]
    return len(script["turns"])


def scorecard_games(data: dict) -> int:
    groups = data["by_ruleset"] if "by_ruleset" in data else {data["ruleset"]: data["games"]}
    return sum(scorecard_game(ruleset, script) for ruleset, group in groups.items() for script in group)


def matches(data: dict) -> int:
    compared = 0
    for script in data["matches"]:
        sizes = script["team_sizes"]
        seats = (
            names(script["columns"]) if sizes is None else [[f"P{i}{k}" for k in range(n)] for i, n in enumerate(sizes)]
        )
        game = new(data["ruleset"], seats, games=len(script["games"]), start="roll_off")
        for n, part in enumerate(script["games"]):
            for throws in part["roll_off"]:
                assert sorted(map(str, game.contest)) == sorted(throws)
                for _ in throws:
                    assert game.awaiting == RollOff(5)
                    game.push(RollOff(throws[str(game.turn)]))
            assert game.first == part["first"]
            for turn in part["turns"]:
                assert game.partner == turn.get("partner", 0)
                play_turn(game, turn)
                compared += 1
            done = game.finished[n]
            assert list(done.totals) == part["final"]
            assert [card.bonuses for card in done.cards] == part["bonuses"]
            assert list(game.totals) == part["running"]
        assert list(game.outcome().totals) == script["totals"]
        assert list(game.outcome().winners) == script["winners"]
    return compared


def yardkle_table(data: dict) -> int:
    for roll, (whole, sets) in data["rolls"].items():
        game = rules.new("yardkle", ["Ann"])
        if len(roll) < 6:  # set dice aside until as many are left
            game.push(Roll((1,) * 6))
            game.push(SetAside((1,) * (6 - len(roll))))
        found = {"".join(map(str, o.faces)): o.value for o in game.options(faces(roll))}
        assert found == sets, roll
        assert found.get(roll) == whole, roll
    return len(data["rolls"])


def yardkle_games(data: dict) -> int:
    compared = 0
    for script in data["games"]:
        game = rules.new(
            "yardkle", names(script["players"]), first=script["first"], opening=data["opening"], target=data["target"]
        )
        for turn in script["turns"]:
            assert game.turn == turn["p"]
            for step in turn["steps"]:
                before, turns = game.turn_points, game.round
                game.push(Roll(faces(step["roll"])))
                if "set" not in step:
                    assert game.turn != turn["p"] or game.round == turns + 1 or isinstance(game.awaiting, Over)
                    assert not game.dice
                    continue
                aside = SetAside.at(step["set"])
                assert aside in game.legal_moves
                game.push(aside)
                assert game.turn_points - before == step["value"]
                assert game.turn_points == step["run"]
                assert game.awaiting == Roll(step["hand"])
                assert (Stop() in game.legal_moves) == step["may_stop"]
            if turn["end"] == "stop":
                game.push(Stop())
            assert list(game.totals) == turn["scores"]
            compared += 1
        assert list(game.totals) == script["final"]
        assert isinstance(game.awaiting, Over) == script["over"]
        assert (list(game.outcome().winners) if game.outcome() else None) == script["winners"]
    return compared


def refusal_moves(entry: dict) -> tuple[list[Any], list[Any]]:
    """The moves before the attempt of a scorecard case, and those of the attempt."""
    before: list[Any] = []
    for roll, box in entry["setup"]:
        before += [Roll(faces(roll)), Score(box)]
    for n, roll in enumerate(entry["rolls"]):
        if n:
            before.append(Keep.at(entry["keeps"][n - 1]))
        before.append(Roll(faces(roll)))
    attempt = entry["attempt"]
    if "score" in attempt:
        return before, [Score(attempt["score"])]
    # The first roll of a turn follows no keep.
    keep = [Keep.at(attempt["keep"])] if entry["rolls"] else []
    return before, [*keep, Roll(faces(attempt["roll"]))]


def yardkle_move(action: list) -> Any:
    kind, *rest = action
    if kind == "roll":
        return Roll(faces(rest[0]))
    return SetAside.at(rest[0]) if kind == "set" else Stop()


def expect(game: Game, attempt: list[Any], refused: bool, why: str) -> None:
    before = game.to_text()
    if not refused:
        for move in attempt:
            game.push(move)
        return
    # A keep that is legal by itself may come before the roll that is refused.
    while len(attempt) > 1 and game.check(attempt[0]) is None:
        game.push(attempt.pop(0))
        before = game.to_text()
    assert isinstance(attempt[0], Roll) or attempt[0] not in game.legal_moves, why
    with pytest.raises(IllegalMove) as refusal:
        game.push(attempt[0])
    assert refusal.value.code in rules.CODES
    assert refusal.value.words
    assert refusal.value.position == game.position
    assert game.to_text() == before, f"{why}: the refused move changed the game"


def refusals(data: dict) -> int:
    compared = 0
    for kind in ("refused", "allowed"):
        for entry in data["scorecard"][kind]:
            for ruleset in entry["rulesets"]:
                game = new(ruleset, ["Ann"])
                before, attempt = refusal_moves(entry)
                for move in before:
                    game.push(move)
                if "value" in entry:
                    assert next(o.value for o in game.options() if o.box == entry["attempt"]["score"]) == entry["value"]
                expect(game, attempt, kind == "refused", entry["why"])
                compared += 1
        for entry in data["yardkle"][kind]:
            game = rules.new("yardkle", names(entry.get("players", 1)))
            for action in entry["actions"]:
                game.push(yardkle_move(action))
            expect(game, [yardkle_move(entry["attempt"])], kind == "refused", entry["why"])
            compared += 1
    return compared


def first_player(data: dict) -> int:
    for entry in data["cases"]:
        name = {5: "classic", 1: "yardkle"}[entry["dice"]]
        game = rules.new(name, names(entry["players"]), start="roll_off")
        for throws in entry["rounds"]:
            assert sorted(map(str, game.contest)) == sorted(throws)
            for _ in throws:
                assert game.awaiting == RollOff(entry["dice"])
                game.push(RollOff(throws[str(game.turn)]))
        assert not isinstance(game.awaiting, RollOff)
        assert game.turn == game.first == entry["first"]
    return len(data["cases"])


SCHEMAS: dict[str, Callable[[dict], int]] = {
    "score-table/1": score_table,
    "joker-cases/1": joker_cases,
    "joker-digest/1": joker_digest,
    "scorecard-games/1": scorecard_games,
    "matches/1": matches,
    "yardkle-table/1": yardkle_table,
    "yardkle-games/1": yardkle_games,
    "refusals/1": refusals,
    "first-player/1": first_player,
}


def test_vectors(vectors: dict, compared: Callable[[int], None]) -> None:
    n = SCHEMAS[vectors["schema"]](vectors)
    compared(n)
    assert n > 0


# Vectors that were made wrong in one place, to show that a wrong one is found.
WRONG: dict[str, dict] = {
    "score-table/1": {
        "rulesets": ["classic"],
        "plain": {"11111": [6, 0, 0, 0, 0, 0, 5, 5, 0, 0, 0, 50, 5]},
        "joker": {},
    },
    "joker-cases/1": {"cases": {"yardzee": [["1" * 13, None, 3, [0] * 13, 0]]}},
    "yardkle-table/1": {"rolls": {"15": [200, {"1": 100, "5": 50, "15": 150}]}},
    "first-player/1": {"cases": [{"dice": 1, "players": 2, "rounds": [{"0": [6], "1": [4]}], "first": 1}]},
}


@pytest.mark.parametrize("schema", WRONG)
def test_wrong_vectors_are_found(schema: str) -> None:
    with pytest.raises(AssertionError):
        SCHEMAS[schema](WRONG[schema])
