"""The harness of the whole machine, as far as it can be looked at without one: `make machine` is its real test.

Room: tests of scripts.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

MACHINE = Path(__file__).resolve().parents[2] / "scripts" / "machine"
SCENARIOS = sorted(MACHINE.glob("scenarios/*.py"))


def test_every_scenario_is_listed_under_its_title() -> None:
    # `__main__.py` says in the same way which of the project's versions is played.
    where = {**os.environ, "PYTHONPATH": str(MACHINE.parents[1])}
    command = [sys.executable, str(MACHINE / "evening.py"), "--list"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True, env=where)
    listed = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
    assert sorted(listed) == [path.stem for path in SCENARIOS]
    assert len(set(listed.values())) == len(listed)


def test_where_no_image_was_made_the_short_evening_says_so_and_ends_well(tmp_path: Path) -> None:
    """As `.ci/run` starts it, on any computer."""
    where = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    command = [sys.executable, str(MACHINE), "--quick"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True, env=where)
    assert done.stdout.startswith("machine: skipped, ")
    assert done.stdout.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_scenario_never_waits_for_a_fixed_time(path: Path) -> None:
    """It waits for what it wants to see. Only a power cut may fall at any moment."""
    tree = ast.parse(path.read_text("utf-8"))
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert {"rehearse", "prove"} <= defined
    sleeps = [n for n in ast.walk(tree) if isinstance(n, ast.Attribute) and n.attr == "sleep"]
    assert len(sleeps) == (path.stem == "power_cut")


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
def test_shellcheck_has_nothing_to_say() -> None:
    scripts = [str(path) for path in sorted(MACHINE.rglob("*.sh"))]
    done = subprocess.run(["shellcheck", *scripts], capture_output=True, text=True, check=False)
    assert done.stdout == ""
