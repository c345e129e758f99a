"""Fixtures of the rules' tests: the vectors' folder, and scripts that tests share with the soak."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType

import pytest
import rules_transcripts
import soak_rules

HERE = Path(__file__).resolve().parent
COMPARED: pytest.StashKey[dict[str, int]] = pytest.StashKey()


def vector_files(config: pytest.Config) -> list[Path]:
    """The vectors to compare; a folder that is not there, or holds none, ends the run."""
    folder = Path(config.getoption("--vectors") or HERE / "vectors")
    files = sorted(folder.glob("*.json"))
    if not files:
        raise pytest.UsageError(f"--vectors: {folder} is no folder with vectors (*.json)")
    return files


def pytest_configure(config: pytest.Config) -> None:
    config.stash[COMPARED] = {}
    vector_files(config)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "vector_file" in metafunc.fixturenames:
        files = vector_files(metafunc.config)
        metafunc.parametrize("vector_file", files, ids=[f.stem for f in files])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    compared = config.stash[COMPARED]
    if compared:
        each = ", ".join(f"{name} {n}" for name, n in sorted(compared.items()))
        terminalreporter.write_line(f"vectors: {sum(compared.values())} cases compared ({each})")


@pytest.fixture
def vectors(vector_file: Path) -> dict:
    return json.loads(vector_file.read_text())


@pytest.fixture
def compared(request: pytest.FixtureRequest, vector_file: Path):
    """Call it with the number of cases that a test compared."""

    def add(n: int) -> None:
        counts = request.config.stash[COMPARED]
        counts[vector_file.stem] = counts.get(vector_file.stem, 0) + n

    return add


@pytest.fixture(scope="session")
def soak() -> ModuleType:
    return soak_rules


@pytest.fixture(scope="session")
def transcripts() -> ModuleType:
    return rules_transcripts


@pytest.fixture
def play():
    """`play(game, "roll 12345; score ones")`: push moves given in their text form."""
    from rules import move_from_text

    def push(game, moves: str):
        for text in filter(None, moves.split("; ")):
            game.push(move_from_text(text))
        return game

    return push


@pytest.fixture
def pays():
    """`pays(game, dice)`: the legal boxes with what they pay."""

    def ask(game, dice=None) -> dict[str, int]:
        return {f"{o.box}/{o.column}" if o.column else o.box: o.value for o in game.options(dice) if o.legal}

    return ask
