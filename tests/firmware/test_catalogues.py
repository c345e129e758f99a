"""The catalogues are what the code says, whole, and can be drawn.

Room: tests of firmware. After adding words: make catalogues, then translate what it says is missing.
"""

from __future__ import annotations

import gettext
import importlib
import re
from pathlib import Path

import pytest

from display import typeset
from firmware.language import DOMAIN, LANGUAGES, LOCALES

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def catalogues():
    pytest.importorskip("babel", reason="Babel is missing: run make setup")
    return importlib.import_module("catalogues")


def test_every_catalogue_is_up_to_date_and_complete(catalogues):
    """Nothing is missing or fuzzy, and fields and buttons agree with the original."""
    found = catalogues.problems()
    assert not found, "run make catalogues, and translate:\n" + "\n".join(found[:20])


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ("", "is not translated"),
        ("{name}: drücken", "does not agree on SCORE"),
        ("{who}: SCORE drücken", "has the fields"),
        ("{name}: SCORE drücken!", "ends otherwise"),
    ],
)
def test_what_is_wrong_in_a_catalogue_is_said(catalogues, said, fault):
    catalogue = catalogues.Catalog(locale="de")
    catalogue.add("{name}: press SCORE", said)
    found = list(catalogues.faults_of("de", catalogue))
    assert any(fault in line for line in found), found


def test_the_form_of_a_plural_that_is_missing_is_said(catalogues):
    catalogue = catalogues.Catalog(locale="pl")
    catalogue.add(("one die", "{n} dice"), ("jedna kość", "{n} kości", ""))
    assert list(catalogues.faults_of("pl", catalogue)) == ["pl: 'one die' is not translated"]


@pytest.mark.parametrize("code", [c for c in LANGUAGES if c != "en"])
def test_every_letter_of_a_language_can_be_drawn(code):
    with (LOCALES / code / "LC_MESSAGES" / f"{DOMAIN}.mo").open("rb") as file:
        found = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    letters = "".join(sorted(set("".join(str(text) for text in found.values()))))
    assert len(found) > 400
    assert typeset.missing_glyphs(letters) == ""


def test_no_sentence_stands_in_two_languages():
    """Somebody once left a German sentence in all of them."""
    said: dict[tuple[str, str], str] = {}
    for code in (c for c in LANGUAGES if c != "en"):
        with (LOCALES / code / "LC_MESSAGES" / f"{DOMAIN}.mo").open("rb") as file:
            found = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
        for key, text in found.items():
            if len(re.findall(r"\w+", re.sub(r"\{\w+\}", "", str(text)))) < 5 or not key:
                continue
            other = said.setdefault((str(key), str(text)), code)
            assert other == code, f"{code} says this in the words of {other}: {text}"
