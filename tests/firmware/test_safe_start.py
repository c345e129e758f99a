"""Two starts that fail lead to safe mode; the user's file is never touched."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.config import load
from firmware.errors import Fault
from firmware.safe_start import NAME, StartGuard, bad_key, guarded_config, safe_config

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "dicetable.toml"
    path.write_text('platform = "desk"\n[panel]\nbuttons = 7\n')
    return path


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


def start(config: Path, data: Path) -> StartGuard:
    """What a start does up to its first picture."""
    try:
        found: object = load(config, data=str(data))
    except Fault as fault:
        found = fault
    _, guard = guarded_config(found, config, data=str(data))  # type: ignore[arg-type]
    guard.begin()
    return guard


def test_the_third_start_uses_defaults_and_names_the_key(config: Path, data: Path) -> None:
    before = config.read_text()
    for _ in range(2):
        with pytest.raises(Fault, match=r"CFG-02.*panel\.buttons"):
            start(config, data)
    guard = start(config, data)
    assert guard.safe
    assert guard.banner == "safe mode, with defaults: CFG-02: mend panel.buttons in the configuration"
    safe = safe_config(config, data=str(data))
    assert (safe.platform, safe.panel.buttons, safe.data) == ("desk", 8, str(data)), "it is still a desk"
    assert config.read_text() == before
    guard.shown()
    assert start(config, data).safe, "the file is as bad as it was"


def test_a_file_that_was_mended_ends_safe_mode(config: Path, data: Path) -> None:
    for _ in range(2):
        with pytest.raises(Fault):
            start(config, data)
    start(config, data).shown()
    config.write_text('platform = "desk"\n[panel]\nbuttons = 11\n')
    guard = start(config, data)
    assert not guard.safe
    assert guard.banner == ""
    guard.shown()
    assert not (data / NAME).exists()


def test_crashes_without_a_word_count_and_a_good_start_forgets_them(config: Path, data: Path) -> None:
    config.write_text("")
    start(config, data)
    start(config, data)
    guard = start(config, data)
    assert guard.banner == "safe mode, with defaults: two starts ended before there was a picture"
    guard.shown()
    assert not start(config, data).safe


def test_one_failure_or_no_screen_is_no_reason(config: Path, data: Path) -> None:
    config.write_text("")
    start(config, data).failed(Fault("DSP-02", "the screen can't be opened at that size."))
    for _ in range(3):
        guard = start(config, data)
        assert not guard.safe
        guard.called_off()
    start(config, data).failed(Fault("DSP-02", "the screen can't be opened at that size."))
    assert start(config, data).banner == "safe mode, with defaults: DSP-02: mend screen in the configuration"


@pytest.mark.parametrize(
    ("why", "key"),
    [
        ("CFG-02: /etc/d.toml: camera.kind: Input should be 'sim'; x: no. Mend these keys.", "camera.kind"),
        ("CFG-03: there is no game 'ludo'.", "game"),
        ("GPIO-04: GPIO99 (roll) does not exist", "panel"),
        ("CFG-01: d.toml can't be read (line 3).", ""),
        ("division by zero", ""),
    ],
)
def test_the_key_is_found_in_the_words(why: str, key: str) -> None:
    assert bad_key(why) == key


@pytest.mark.parametrize("content", ["", "{", "[]", '{"fails": "x"}', "\0\0"])
def test_a_damaged_file_of_ours_is_no_failed_start(data: Path, config: Path, content: str) -> None:
    (data / NAME).write_text(content)
    assert StartGuard(data, config).fails == 0


def test_nothing_is_written_where_there_is_no_data_yet(tmp_path: Path, config: Path) -> None:
    with pytest.raises(Fault):
        start(config, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_file_that_is_no_toml_leads_to_plain_defaults(config: Path, data: Path) -> None:
    config.write_text("game = [")
    assert safe_config(config, data=str(data)).platform == "sim"


def test_the_program_comes_up_in_safe_mode(config: Path, data: Path) -> None:
    config.write_text('gmae = "yardzee"\n')
    picture = data / "last.png"
    command = [sys.executable, "-m", "firmware.cli", "play", "--config", str(config), "--data", str(data)]
    command += ["--offscreen", str(picture)]
    for _ in range(2):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr[:19]) == (2, "dicetable: CFG-02: ")
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, env=dict(os.environ))
    try:
        for _ in range(300):
            # Counted up when the start begins, back when there is a picture.
            if json.loads((data / NAME).read_text())["fails"] == 2 and (data / "journal.sqlite3").exists():
                break
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0.1)
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, said) == (0, "")
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert config.read_text() == 'gmae = "yardzee"\n'
