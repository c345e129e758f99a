"""`dicetable sound`, through a real mixer that plays to nowhere."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from firmware import sound_command
from firmware.cli import main
from hardware import voice
from hardware.sound_files import NAMES
from hardware.speaker import MixerSpeaker


def arguments(config: Path, *more: str) -> argparse.Namespace:
    config.write_text('language = "de"\n')
    parser = argparse.ArgumentParser()
    sound_command.add_arguments(parser)
    return parser.parse_args(["--config", str(config), *more])


def test_every_sound_is_played_and_a_sentence_spoken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    monkeypatch.setattr(voice, "available", lambda: True)
    monkeypatch.setattr(voice, "EspeakVoice", Instead)
    played: list[str] = []
    monkeypatch.setattr(MixerSpeaker, "play", lambda self, name, pan=0.0: played.append(name))
    assert sound_command.run(arguments(tmp_path / "c.toml"), pause=lambda seconds: None) == 0
    assert played == list(NAMES)
    assert Instead.said == ["Geworfen: zwei Fünfen, auf drei und auf sieben Uhr."]
    assert capsys.readouterr().out.splitlines()[-1] == Instead.said[0]


class Instead:
    """A voice that has nothing to say at once."""

    said: list[str] = []  # noqa: RUF012
    busy = False

    def __init__(self, code: str, rate_wpm: int) -> None:
        assert code == "de"

    def begin(self, text: str, now: float) -> None:
        self.said.append(text)

    def poll(self, now: float) -> None:
        return None


def test_without_a_device_it_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "there-is-no-such-driver")
    for more in ([], ["--list"]):
        assert main(["sound", *more]) == 2
        assert "AUD-01" in capsys.readouterr().err


def test_without_a_voice_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    monkeypatch.setattr(voice, "available", lambda: False)
    monkeypatch.setattr(MixerSpeaker, "play", lambda self, name, pan=0.0: None)
    assert sound_command.run(arguments(tmp_path / "c.toml"), pause=lambda seconds: None) == 0
    assert "AUD-02" in capsys.readouterr().err
