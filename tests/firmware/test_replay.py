"""`dicetable replay`: scripts in the vectors' form, saved games, and files that are neither."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

import rules
from firmware import replay

VECTORS = Path(__file__).resolve().parent.parent / "rules" / "vectors"


@pytest.fixture
def run(capsys):
    """Run the command: exit status, the JSON lines printed, and what went to stderr."""

    def command(*words: str | Path):
        parser = argparse.ArgumentParser()
        replay.add_arguments(parser)
        status = replay.run(parser.parse_args([str(w) for w in words]))
        out, err = capsys.readouterr()
        return status, [json.loads(line) for line in out.splitlines() if line.startswith("{")] or out, err

    return command


@pytest.mark.parametrize(
    "name", ["games_yardzee", "games_article", "games_article_upper_first", "games_classic", "extremes"]
)
def test_scorecard_scripts(run, name) -> None:
    script = json.loads((VECTORS / f"{name}.json").read_text())
    expected = [g for group in script.get("by_ruleset", {"": script.get("games", [])}).values() for g in group]
    status, lines, err = run(VECTORS / f"{name}.json", "--json")
    assert (status, err) == (0, "")
    assert lines == [
        {
            "id": g["id"],
            "players": g["players"],
            "boxes": [final["boxes"] for final in g["final"]],
            "totals": [final["total"] for final in g["final"]],
            "winners": g["winners"],
        }
        for g in expected
    ]


def test_yardkle_scripts(run) -> None:
    script = json.loads((VECTORS / "games_yardkle.json").read_text())
    status, lines, _ = run(VECTORS / "games_yardkle.json", "--json")
    assert status == 0
    assert lines == [
        {"id": g["id"], "players": g["players"], "scores": g["final"], "winners": g["winners"]} for g in script["games"]
    ]
    assert any(line["winners"] is None for line in lines)


def test_matches_are_one_line_each(run) -> None:
    script = json.loads((VECTORS / "matches_classic.json").read_text())
    status, lines, _ = run(VECTORS / "matches_classic.json", "--json")
    assert status == 0
    for line, expected in zip(lines, script["matches"], strict=True):
        assert list(line) == ["id", "players", "games", "totals", "winners"]
        assert (line["id"], line["players"]) == (expected["id"], expected["columns"])
        assert (line["totals"], line["winners"]) == (expected["totals"], expected["winners"])
        assert [list(g) for g in line["games"]] == [["boxes", "totals", "winners"]] * len(expected["games"])
        assert [g["totals"] for g in line["games"]] == [g["final"] for g in expected["games"]]


def test_one_game_by_its_id(run) -> None:
    status, lines, _ = run(f"{VECTORS / 'matches_classic.json'}#match-02", "--json")
    assert (status, [line["id"] for line in lines]) == (0, ["match-02"])
    status, lines, _ = run(f"{VECTORS / 'extremes.json'}#classic-tie", "--json")
    assert (status, lines[0]["winners"]) == (0, [0, 1])


def test_a_match_of_one_game_is_printed_as_a_match(run) -> None:
    _, lines, _ = run(f"{VECTORS / 'matches_classic.json'}#match-00", "--json")
    assert len(lines[0]["games"]) == 1


def test_a_script_that_stops_early(run, tmp_path) -> None:
    script = json.loads((VECTORS / "matches_classic.json").read_text())
    match = script["matches"][1]
    for part in match["games"][2:]:
        part["turns"], part["roll_off"] = [], []
    match["games"][2]["roll_off"] = [{"0": [1] * 5, "1": [6] * 5}]
    match["games"][1]["turns"] = match["games"][1]["turns"][:3]
    match["games"][2]["roll_off"] = []
    path = tmp_path / "match.json"
    path.write_text(json.dumps(script | {"matches": [match]}))
    status, lines, err = run(path, "--json")
    assert (status, err) == (0, "")
    assert len(lines[0]["games"]) == 2
    assert sum(v is not None for boxes in lines[0]["games"][1]["boxes"] for v in boxes) == 3
    assert lines[0]["totals"] == [a + b for a, b in zip(*(g["totals"] for g in lines[0]["games"]), strict=True)]


def test_a_saved_game(run, tmp_path) -> None:
    game = rules.new("yardkle", ["Ann", "Bo"])
    game.push(rules.Roll((5, 5, 5, 2, 3, 4)))
    game.push(rules.SetAside((5, 5, 5)))
    game.push(rules.Stop())
    path = tmp_path / "evening.txt"
    path.write_text(game.to_text())
    assert run(path, "--json")[:2] == (0, [{"id": "evening", "players": 2, "scores": [500, 0], "winners": None}])
    assert run(path)[1] == "evening: Yardkle, not finished: Ann 500, Bo 0\n"


def test_words_for_people(run) -> None:
    status, out, _ = run(f"{VECTORS / 'games_yardkle.json'}#tie-10000")
    assert (status, out) == (
        0,
        "tie-10000: Yardkle, won by Player 1 and Player 2: Player 1 10000, Player 2 10000\n",
    )


def test_other_games_by_their_names(run, tmp_path) -> None:
    turn = {"p": 0, "rolls": ["11111"], "keeps": [], "cat": "yatzy"}
    script = {
        "schema": "scorecard-games/1",
        "ruleset": "yatzy",
        "games": [{"id": "a", "players": 1, "first": 0, "turns": [turn]}],
    }
    path = tmp_path / "yatzy.json"
    path.write_text(json.dumps(script))
    assert run(path, "--json")[1][0]["totals"] == [50]


def broken(tmp_path: Path, change) -> Path:
    script = json.loads((VECTORS / "games_yardzee.json").read_text())
    script["games"] = script["games"][:1]
    change(script)
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(script))
    return path


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        (lambda s: s.update(schema="chess/1"), "REPLAY-02", "schema is 'chess/1'"),
        (lambda s: s.pop("ruleset"), "REPLAY-02", "'ruleset' is missing"),
        (lambda s: s["games"][0].pop("id"), "REPLAY-02", "'id' is missing"),
        (lambda s: s["games"][0].pop("turns"), "REPLAY-02", "'turns' is missing"),
        (lambda s: s["games"].clear(), "REPLAY-03", "holds no game"),
        (lambda s: s.update(ruleset="chess"), "REPLAY-04", "there is no game 'chess'"),
        (lambda s: s["games"][0]["turns"][0].update(cat="poker"), "REPLAY-04", "SCORE-02"),
        (lambda s: s["games"][0]["turns"][0].update(rolls=["12347"]), "REPLAY-04", "ROLL-02"),
        (lambda s: s["games"][0]["turns"][0].update(rolls=["1234x"]), "REPLAY-02", "no whole game"),
        (lambda s: s["games"][0]["turns"][0].update(keeps=[]), "REPLAY-02", "no whole game"),
        (lambda s: s["games"][0]["turns"][0].update(p=1), "REPLAY-02", "a turn of player 1"),
    ],
)
def test_a_file_that_cannot_be_played(run, tmp_path, change, code, words) -> None:
    status, out, err = run(broken(tmp_path, change), "--json")
    assert (status, out) == (1, "")
    assert err.startswith(f"dicetable: {code}: ")
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "code"),
    [(None, "REPLAY-01"), (b"", "REPLAY-02"), (b"\xff\xfe", "REPLAY-02"), (b"[1]", "REPLAY-02")],
)
def test_what_is_no_script(run, tmp_path, content, code) -> None:
    path = tmp_path / "file"
    if content is not None:
        path.write_bytes(content)
    status, _, err = run(path)
    assert status == 1
    assert err.startswith(f"dicetable: {code}: ")


def test_an_unknown_id(run) -> None:
    status, _, err = run(f"{VECTORS / 'extremes.json'}#nobody")
    assert (status, err.split(": ")[1]) == (1, "REPLAY-03")


def test_a_saved_game_with_an_illegal_move(run, tmp_path) -> None:
    path = tmp_path / "game.txt"
    path.write_text('dicetable game 1\ngame yardzee\nplayer "Ann"\nscore ones\n')
    status, _, err = run(path)
    assert status == 1
    assert "line 4: 'score ones' is illegal here: there is nothing to score yet" in err


def test_the_other_games_are_still_played(run, tmp_path) -> None:
    script = json.loads((VECTORS / "games_yardzee.json").read_text())
    script["games"] = script["games"][:3]
    script["games"][1]["turns"][0]["cat"] = "poker"
    path = tmp_path / "three.json"
    path.write_text(json.dumps(script))
    status, lines, err = run(path, "--json")
    assert status == 1
    assert [line["id"] for line in lines] == [script["games"][0]["id"], script["games"][2]["id"]]
    assert f"#{script['games'][1]['id']} can't be played" in err
