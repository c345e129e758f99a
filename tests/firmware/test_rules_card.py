"""`dicetable rules`: on the terminal, and as a card of one page whose fonts are in it."""

from __future__ import annotations

import re
import zlib
from importlib import resources
from pathlib import Path

import pytest

import rules
from firmware import handling, rules_card
from firmware.cli import main
from firmware.language import LANGUAGES, language
from firmware.pdf import Page, pdf
from firmware.rules_command import game_of, text_of
from firmware.truetype import TrueType

GAMES = [g.name for g in rules.games()]
FONT = TrueType((resources.files("display") / "fonts" / "BarlowSemiCondensed-Medium.ttf").read_bytes())


def shown_in(document: bytes) -> str:
    """The text of a document, by the table in it that says which character each glyph stands for."""
    streams = [
        (head, zlib.decompress(body) if b"FlateDecode" in head else body)
        for head, body in re.findall(rb"<<([^>]*)>>\nstream\n(.*?)\nendstream", document, re.S)
    ]
    chars: dict[str, dict[str, str]] = {}
    for n, body in enumerate(b for _, b in streams if b.startswith(b"/CIDInit")):
        chars[f"T{n}"] = {g.decode(): chr(int(c, 16)) for g, c in re.findall(rb"<(\w{4})> <(\w{4})>", body)}
    (content,) = (b for _, b in streams if b" Tf " in b)
    words = []
    for font, glyphs in re.findall(rb"/(T\d) [^<]*<(\w*)> Tj", content):
        table = chars[font.decode()]
        text = glyphs.decode()
        words.append("".join(table.get(text[k : k + 4], "?") for k in range(0, len(text), 4)))
    return " ".join(words).replace("\u00a0", " ")


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_card_holds_all_rules_in_every_language(code: str) -> None:
    said = language(code)
    game = rules.new("yardkle", players=["Ann", "Bo"])
    text = shown_in(pdf([rules_card.card(game, said, 8)], "x"))
    assert "?" not in re.sub(r"[¿ ]?\?", "", text)
    squeezed = re.sub(r"[\s:.]", "", text)
    for sentence in (*game.rulebook(), *handling.lines(game, 8)):
        wanted = re.sub(r"[\s:.]", "", said.say(sentence).replace("\u202f", " "))
        assert wanted in squeezed, sentence


@pytest.mark.parametrize("name", GAMES)
def test_every_game_fits_on_one_page_and_nothing_leaves_it(name: str) -> None:
    game = rules.new(name, players=["Ann", "Bo"])
    for code in ("de", "pl"):
        page = rules_card.card(game, language(code), 3)
        places = re.findall(rb"/(T\d) ([\d.]+) Tf ([\d.]+) ([\d.]+) Td <(\w*)>", page.content)
        assert len(places) > 20
        for font_name, size, x, y, glyphs in places:
            font = page.fonts[int(font_name[1:])]
            width = sum(font.advance(int(glyphs[k : k + 4], 16)) for k in range(0, len(glyphs), 4)) / 1000 * float(size)
            assert float(x) > 40 and float(x) + width < 595 - 40
            assert 40 < float(y) < 842 - 40
            assert float(size) > 7.0, "it can be read"


def test_a_font_is_read_as_it_is() -> None:
    assert FONT.glyph("A") != FONT.glyph("B") != 0
    assert FONT.glyph("\u4e2d") == 0
    assert all(FONT.glyph(char) for char in "ąęłńóśźżäöüßñ¿¡éèêçœ’…–")
    assert FONT.width("MM") == 2 * FONT.advance(FONT.glyph("M")) > FONT.width("ii")
    left, bottom, right, top = FONT.box
    assert left < 0 < right and bottom < FONT.descent + 100 and top >= FONT.cap_height > 600
    with pytest.raises(ValueError, match="no TrueType"):
        TrueType(b"OTTO" + bytes(100))


def test_helvetica_and_fonts_of_our_own_stand_in_one_document() -> None:
    pages = [Page(), Page()]
    pages[0].text(20, 20, "plain (text)", bold=True)
    pages[1].text(20, 20, "Łódź", font=FONT)
    pages[1].text(20, 30, "Łódź", font=FONT)
    document = pdf(pages, "two")
    assert document.count(b"/FontFile2") == 1, "a font is put in once"
    places = [int(m) for m in re.findall(rb"^(\d{10}) 00000 n", document, re.M)]
    assert all(document[place:].startswith(b"%d 0 obj" % n) for n, place in enumerate(places, 1))
    assert b"(plain \\(text\\)) Tj" in document


@pytest.mark.parametrize("buttons", [3, 8, 11])
@pytest.mark.parametrize("name", ["yardzee", "farkle"])
def test_how_to_play_names_only_buttons_that_are_there(name: str, buttons: int) -> None:
    said = " ".join(handling.lines(rules.new(name, players=["Ann"]), buttons))
    assert ("HOLD 1" in said) == (buttons > 3)
    assert ("UNDO" in said) == (buttons == 11)
    assert "SCORE" in said


def test_the_command_prints_and_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "c.toml"
    config.write_text('game = "kniffel"\nlanguage = "de"\n')
    assert main(["rules", "--config", str(config)]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Kniffel\n=======\n")
    assert "Dreierpasch" in shown
    assert max(map(len, shown.splitlines())) <= 88
    path = tmp_path / "card.pdf"
    assert main(["rules", "yardkle", "--config", str(config), "--lang", "en", "--pdf", str(path)]) == 0
    assert path.read_bytes().startswith(b"%PDF-1.4")
    assert main(["rules", "--list", "--config", str(config)]) == 0
    assert "farkle: Farkle" in capsys.readouterr().out


def test_options_change_what_is_printed() -> None:
    english = language("en")
    plain = text_of(game_of("farkle", []), english, 80)
    changed = text_of(game_of("farkle", ["opening=350", "last_round=no"]), english, 80)
    assert "350 points in one turn" in changed
    assert "one last turn" in plain and "one last turn" not in changed


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["rules", "chess"], "CFG-03"),
        (["rules", "farkle", "--option", "colour=red"], "CARD-02"),
        (["rules", "farkle", "--option", "opening=7"], "CARD-02"),
        (["rules", "farkle", "--option", "opening=many"], "CARD-02"),
        (["rules", "farkle", "--option", "last_round=perhaps"], "CARD-02"),
        (["rules", "farkle", "--pdf", "/nowhere/at/all.pdf"], "CARD-01"),
    ],
)
def test_what_can_not_be_is_said(arguments: list[str], code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert code in capsys.readouterr().err
