"""The golden transcripts: every public question about every position of a match (scripts/rules_transcripts.py)."""

from __future__ import annotations

import pytest

import rules


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "scenario_name" in metafunc.fixturenames:
        from pathlib import Path

        folder = Path(__file__).resolve().parent / "transcripts"
        metafunc.parametrize("scenario_name", sorted(p.stem for p in folder.glob("*.txt")))


def test_a_transcript_is_as_it_was(transcripts, scenario_name) -> None:
    scenario = next(s for s in transcripts.SCENARIOS if s.name == scenario_name)
    expected = (transcripts.FOLDER / f"{scenario_name}.txt").read_text().splitlines()
    found = transcripts.transcript(scenario).splitlines()
    for n, (a, b) in enumerate(zip(expected, found, strict=False), 1):
        assert b == a, (
            f"line {n} of {scenario_name}.txt; if the rules were meant to change: scripts/rules_transcripts.py"
        )
    assert len(found) == len(expected)


def test_every_scenario_has_a_transcript(transcripts) -> None:
    assert {s.name for s in transcripts.SCENARIOS} == {p.stem for p in transcripts.FOLDER.glob("*.txt")}


def test_every_game_and_option_has_a_scenario(transcripts) -> None:
    assert {s.game for s in transcripts.SCENARIOS if s.name == s.game} == {g.name for g in rules.games()}
    used = {name for s in transcripts.SCENARIOS for name in s.options}
    assert used == {o.name for g in rules.games() for o in g.options}


def test_transcripts_end_with_a_text_that_can_be_loaded(transcripts) -> None:
    for path in transcripts.FOLDER.glob("*.txt"):
        lines = path.read_text().splitlines()
        game = rules.from_text("\n".join(lines[lines.index("dicetable game 1") :]))
        assert game.outcome() is not None
