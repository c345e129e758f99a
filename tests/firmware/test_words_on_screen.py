"""What a real table says, in every language: nothing clipped, overlapped or too small, and nothing left in English.

Room: tests of firmware. Each language is proof-read at one size here; `make pictures` does it at all of them.
"""

from __future__ import annotations

import dataclasses
import re
from functools import cache

import pytest

from display import proof
from display.layout import Metrics
from display.view import Picture, View
from firmware import showcase
from firmware.intents import hints
from firmware.language import LANGUAGES, language
from firmware.scene import Mode

SIZES = {"en": (800, 480), "de": (480, 320), "es": (480, 800), "fr": (1024, 600), "nl": (320, 480), "pl": (800, 480)}
SAME = """
    dicetable calibrate sudo install python3 picamera2 lgpio gpio usermod video USER sim webcam dev video0 gpiochip0
    Yardzee Yahtzee Kniffel Yatzy Yacht Maxi Yardkle Zilch Farkle RETURN SPACE HOLD ROLL SCORE UNDO DOWN True False
"""
"""What is the same in every language: commands, games, and what is printed on buttons."""
ALIKE = "menu Menu Service contrast Chance Full house Joker Bonus Villa Start Total Normal demonstration Match"
"""English words that other languages use too."""


@cache
def _tables():
    return showcase.tables()


def _views(code: str) -> dict[str, View]:
    """A selection: every scene, the longest messages, and a page of each book of rules."""
    spoken = language(code)
    found = {name: player.view(spoken) for name, player in _tables().items()}
    around = dict(showcase.books())
    found |= {n: spoken.shown(v) for n, v in around.items() if not n.startswith("rules_") or n.endswith("_6")}
    longest = sorted(showcase.messages().items(), key=lambda item: -len(spoken.say(item[1].words)))[:12]
    for name, message in longest:
        found[f"says_{name}"] = dataclasses.replace(found["rolled"], message=spoken.shown(message))
    return found


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_text_is_whole_and_large_enough(code):
    metrics, words = Metrics(*SIZES[code]), language(code).words
    found = [f"{name}: {fault}" for name, view in _views(code).items() for fault in proof.faults(view, metrics, words)]
    assert not found, f"{len(found)} faults\n" + "\n".join(found[:20])


def _texts(value: object) -> set[str]:
    if isinstance(value, str):
        return {str(value)}
    if isinstance(value, tuple | list):
        return set().union(*map(_texts, value)) if value else set()
    if dataclasses.is_dataclass(value) and not isinstance(value, Picture):
        skip = {"scene", "key", "kind", "section", "letters", "icon", "code", "name"}
        return set().union(*(_texts(getattr(value, f.name)) for f in dataclasses.fields(value) if f.name not in skip))
    return set()


@pytest.mark.parametrize("code", ["de", "pl"])
def test_nothing_is_left_in_english(code):
    """Words that were cut up or put into an f-string would be English here."""
    spoken, english = language(code), language("en")
    left = set()
    for player in _tables().values():
        both = _texts(player.view(spoken)) & _texts(player.view(english))
        both -= {*showcase.NAMES, *LANGUAGES.values()}
        left |= {t for t in both if set(re.findall(r"[A-Za-z]{4,}", t)) - set((SAME + ALIKE).split())}
    assert left == set()


def test_every_scene_of_the_table_is_shown():
    assert {p.table.mode for p in _tables().values()} >= set(Mode)


def test_touch_reaches_all_that_buttons_reach():
    """Each action has a hint to touch, or something on the screen that asks for the same."""
    from firmware.events import IntentKind as I

    by_things = {I.MARK, I.PICK, I.VALUE, I.UP, I.DOWN, I.COUNT, I.NEXT}
    for name, player in _tables().items():
        for layout in (3, 8, 11):
            table = player.table
            offered = {a.intent for a in table.scene.actions(table, layout)}
            reached = {a.intent for a in hints(table, layout)}
            assert offered - reached <= by_things, name
