"""A bundle for a helper: everything but names and pictures."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from firmware.cli import main
from firmware.config import Config
from firmware.diag_command import names_of, scrubber, show_buttons
from firmware.events import Record
from firmware.journal import Journal


@pytest.fixture
def config_file(tmp_path: Path) -> Path:
    data = tmp_path / "data"
    data.mkdir()
    journal = Journal(data / "journal.sqlite3")
    players = ["Annabel", "Żółw Nr. 2"]
    token = journal.append([Record("game", {"name": "yardzee", "players": players, "options": {}, "first": 0})])
    assert journal.wait(token, 20)
    journal.close()
    file = tmp_path / "d.toml"
    file.write_text(f'data = "{data}"\nnames = ["Bo", "Annabel"]\nplayers = 3\n')
    return file


def test_a_bundle_holds_everything_but_names_and_pictures(
    config_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    log.write_text("dicetable: annabel pressed; Bo waits; a Bottle; żółw nr. 2 left\n")
    monkeypatch.chdir(tmp_path)
    assert main(["diag", "--config", str(config_file), "--log", str(log), "--bundle", "b.zip"]) == 0
    assert "no names of players and no pictures" in capsys.readouterr().out
    with zipfile.ZipFile(tmp_path / "b.zip") as bundle:
        texts = {name: bundle.read(name).decode() for name in bundle.namelist()}
    assert sorted(texts) == [
        "configuration.txt", "findings.txt", "journal.txt", "log.txt", "machine.txt", "versions.txt",
    ]  # fmt: skip
    everything = "\n".join(texts.values())
    for name in ("Annabel", "annabel", "Żółw", '"Bo"', " Bo "):
        assert name not in everything
    assert "a Bottle" in texts["log.txt"], "only whole names are replaced"
    assert texts["log.txt"].count("PLAYER-") == 3
    assert "players = 3" in texts["configuration.txt"]
    assert "1 events" in texts["journal.txt"]
    assert "gpiozero" in texts["versions.txt"]
    assert "pin factory" in texts["machine.txt"]


def test_pictures_only_when_asked_for(config_file: Path, tmp_path: Path) -> None:
    config_file.write_text(config_file.read_text() + '[camera]\nkind = "sim"\noptions = { seed = 1 }\n')
    bundle = tmp_path / "p.zip"
    arguments = ["diag", "--config", str(config_file), "--log", str(config_file), "--bundle", str(bundle), "--pictures"]
    assert main(arguments) == 0
    with zipfile.ZipFile(bundle) as file:
        pictures = [name for name in file.namelist() if name.startswith("pictures/")]
        assert len(pictures) == 3
        assert file.read(pictures[0]).startswith(b"\x89PNG")


def test_a_bundle_that_can_not_be_written_leaves_nothing(
    config_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "no" / "b.zip"
    assert main(["diag", "--config", str(config_file), "--log", str(config_file), "--bundle", str(target)]) == 2
    assert "SYS-03" in capsys.readouterr().err
    assert not list(tmp_path.glob("**/*.part"))


def test_names_of_a_journal_that_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite3").write_bytes(b"nonsense" * 500)
    assert names_of(Config(data=str(tmp_path), names=["Bo"])) == ["Bo"]
    assert scrubber([])("Bo") == "Bo"


def test_buttons_are_shown_on_real_lines_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diag", "--buttons", "--config", "/nowhere.toml"]) == 2
    assert "platform sim has no buttons" in capsys.readouterr().err


def test_each_button_with_its_line_level_and_presses(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from firmware import platforms
    from hardware.buttons import Button, Edge

    class Panel:
        def __init__(self, put: object) -> None:
            self.asked = 0
            self.lit: list[tuple[Button, bool]] = []

        def levels(self) -> dict[Button, bool]:
            self.asked += 1
            down = self.asked > 12
            return {Button.HOLD1: False, Button.ROLL: down, Button.SCORE: False}

        def lamp(self, button: Button, on: bool) -> None:
            self.lit.append((button, on))

    panels = []

    def make_panel(config: Config, put: object, now: object) -> object:
        panels.append(Panel(put))
        put(Edge(Button.ROLL, True, now()))  # type: ignore[operator]
        return panels[0], lambda: None

    monkeypatch.setattr(platforms, "make_panel", make_panel)
    config = Config.model_validate({"platform": "pi", "panel": {"buttons": 3}})
    assert show_buttons(config, seconds=0.3) == 0
    said = capsys.readouterr().out
    assert "roll    GPIO13 (pin 33)" in said
    assert "roll    presses   1" in said
    assert "score   presses   0" in said
    assert panels[0].lit == [(Button.ROLL, True)]
