"""What `dicetable check` says of sound, on made-up machines."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware import check_sound
from firmware.check_command import CHECKS
from firmware.config import Config
from firmware.findings import WARNING, Machine

QUIET = Config.model_validate({"sound": {"on": False}})
CALLER = Config.model_validate({"sound": {"caller": True}})
CARD = " 0 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones\n"


def machine(root: Path, cards: str | None = None, status: int = 127, **environment: str) -> Machine:
    if cards is not None:
        (root / "proc/asound").mkdir(parents=True)
        (root / "proc/asound/cards").write_text(cards)
    return Machine(root=root, run=lambda command: (status, ""), environment=environment, user="ann")


def test_no_device_is_a_warning_where_sound_is_wanted(tmp_path: Path) -> None:
    (found,) = check_sound.device(Config(), machine(tmp_path))
    assert found.code == "AUD-01" and found.level == WARNING
    assert not list(check_sound.device(QUIET, machine(tmp_path)))


@pytest.mark.parametrize(("cards", "wrong"), [(CARD, 0), ("--- no soundcards ---\n", 1)])
def test_the_kernel_says_whether_there_is_a_card(tmp_path: Path, cards: str, wrong: int) -> None:
    assert len(list(check_sound.device(Config(), machine(tmp_path, cards)))) == wrong


def test_a_card_that_may_not_be_opened_names_the_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "dev/snd").mkdir(parents=True)
    (tmp_path / "dev/snd/controlC0").touch()
    monkeypatch.setattr("os.access", lambda path, mode: False)
    (found,) = check_sound.device(Config(), machine(tmp_path, CARD))
    assert "usermod -aG audio ann" in found.fix


def test_the_sound_server_of_a_desktop_is_device_enough(tmp_path: Path) -> None:
    assert not list(check_sound.device(Config(), machine(tmp_path, PULSE_SERVER="tcp:host")))
    (tmp_path / "run/user/1000/pulse").mkdir(parents=True)
    (tmp_path / "run/user/1000/pulse/native").touch()
    assert not list(check_sound.device(Config(), machine(tmp_path, XDG_RUNTIME_DIR="/run/user/1000")))


def test_the_voice_is_asked_for_only_where_it_is_wanted(tmp_path: Path) -> None:
    assert not list(check_sound.voice(Config(), machine(tmp_path)))
    assert not list(check_sound.voice(CALLER, machine(tmp_path, status=0)))
    (found,) = check_sound.voice(CALLER, machine(tmp_path))
    assert found.code == "AUD-02" and "espeak-ng" in found.fix


def test_sounds_that_are_missing_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not list(check_sound.sounds(Config(), Machine()))
    monkeypatch.setattr(check_sound, "FOLDER", tmp_path)
    (found,) = check_sound.sounds(Config(), Machine())
    assert found.code == "AUD-04" and "press" in found.what


def test_the_command_asks_all_of_them() -> None:
    assert {check_sound.device, check_sound.voice, check_sound.sounds} <= set(CHECKS)
