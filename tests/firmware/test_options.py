"""One table of options: the file, the page, and what is said of a key that is wrong."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from firmware.cli import main
from firmware.config import Config, load
from firmware.errors import Fault
from firmware.options import REPLACED, file_text, options, page

PAGE = Path(__file__).resolve().parents[2] / "docs" / "configuration.md"
OPTIONS = list(options())


@pytest.mark.parametrize("option", OPTIONS, ids=[o.key for o in OPTIONS])
def test_every_option_has_a_type_and_a_sentence_and_its_numbers_a_range(option: object) -> None:
    assert option.kind != "value"  # type: ignore[attr-defined]
    assert option.sentence.endswith(".")  # type: ignore[attr-defined]
    if option.kind in ("number", "whole number"):  # type: ignore[attr-defined]
        assert option.span  # type: ignore[attr-defined]


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == page(), "run python scripts/configuration.py"


def test_a_fresh_file_says_nothing_and_names_everything() -> None:
    text = file_text()
    assert Config.model_validate(tomllib.loads(text)) == Config()
    for option in OPTIONS:
        assert f"# {option.key.rpartition('.')[2]} = " in text


def test_each_default_is_written_so_that_it_reads_back() -> None:
    everything = file_text({option.key: option.default for option in OPTIONS})
    assert Config.model_validate(tomllib.loads(everything)) == Config()


def test_what_is_chosen_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["config", "--defaults", "--set", "platform=pi", "--set", "screen.rotation=90", "--set", 'names=["Ann"]'])
        == 0
    )
    file = tmp_path / "d.toml"
    file.write_text(capsys.readouterr().out)
    found = load(file)
    assert (found.platform, found.screen.rotation, found.names) == ("pi", 90, ["Ann"])
    assert main(["config", "--config", str(file)]) == 0
    assert capsys.readouterr().out == file.read_text()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("gmae = 'yardzee'", "gmae: is not known (did you mean game?)"),
        ("[panel]\ndebounce_ms = 5", "panel.debounce_ms: is not known (write panel.stable_ms)"),
        ("[camera]\ndevice = '/dev/video0'", "camera.device: is not known (write camera.source)"),
        ("zzz = 1", "zzz: is not known (docs/configuration.md lists all keys)"),
        ("[screen]\nrotation = 45", "screen.rotation: Input should be 0, 90, 180 or 270"),
        ("players = 99", "players: Input should be less than or equal to 8 (allowed: 1 to 8)"),
        ("players = 99\nzzz = 1\n[screen]\nrotation = 45", "players: "),
    ],
)
def test_a_wrong_key_is_named_with_what_to_write(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "d.toml"
    file.write_text(text)
    with pytest.raises(Fault) as caught:
        load(file)
    assert caught.value.code == "CFG-02"
    assert said in caught.value.words
    if text.count("\n") > 2:
        assert "zzz: " in caught.value.words
        assert "screen.rotation: " in caught.value.words


def test_what_replaces_a_key_is_a_key() -> None:
    known = {option.key for option in OPTIONS} | set(Config.model_fields)
    for old, new in REPLACED.items():
        assert old not in known
        for word in new.split(" and "):
            word = word.split(" (")[0]
            assert word in known or word.startswith("camera.options."), word


def test_the_menus_offer_what_the_table_of_options_has() -> None:
    from firmware.kept_settings import KEYS
    from firmware.scene_service import ROTATIONS, THEMES

    spans = {option.key: option.span for option in OPTIONS}
    assert set(KEYS) <= set(spans)
    assert ", ".join(map(str, ROTATIONS)) == spans["screen.rotation"]
    assert {f'"{theme}"' for theme in THEMES} == set(spans["screen.theme"].split(", "))


def test_a_wrong_value_after_set_is_a_fault(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "--defaults", "--set", "screen.rotation=45"]) == 2
    assert "CFG-02" in capsys.readouterr().err
