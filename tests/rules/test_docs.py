"""What the documents say about the rules is so."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import rules

ROOT = Path(__file__).resolve().parent.parent.parent
ADDING = (ROOT / "docs" / "adding-a-game.md").read_text()
NUMBER = re.compile(r"\b(?:Y[ZKAC]-\d+|A\d+)\b")


def test_every_rule_number_in_the_code_is_explained() -> None:
    explained = set(re.findall(r"^\| (Y[ZKAC]-\d+|A\d+) \|", (ROOT / "docs" / "rules.md").read_text(), re.MULTILINE))
    named = {n for path in (ROOT / "rules").glob("*.py") for n in NUMBER.findall(path.read_text())}
    assert len(named) > 10
    assert named <= explained


def test_the_example_is_the_real_table() -> None:
    example = ADDING.split("```python\n", 1)[1].split("```", 1)[0]
    assert example in (ROOT / "rules" / "catalogue.py").read_text()


def test_all_options_are_listed_with_their_choices() -> None:
    listed = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", ADDING.split("## All options")[1], re.MULTILINE))
    options = {o.name: o for game in rules.games() for o in game.options}
    assert set(listed) == set(options)
    for name, option in options.items():
        for choice in option.choices:
            assert f"`{choice}`" in listed[name]
        if option.kind == "number" and name != "first":
            assert listed[name].startswith(f"{option.low} to {option.high}")


def test_the_tour_is_as_it_is_told() -> None:
    tried = doctest.testfile(str(ROOT / "docs" / "rules.md"), module_relative=False)
    assert (tried.failed, tried.attempted > 15) == (0, True)
