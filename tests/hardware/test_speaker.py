"""The loudspeaker through a real mixer that plays to nowhere, and the voice through programs that misbehave."""

from __future__ import annotations

import shutil
import stat
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pygame
import pytest

from hardware import sound_files, speaker, voice
from hardware.speaker import MixerSpeaker, SpeakerFault
from hardware.voice import EspeakVoice, VoiceFailed

WAV = (sound_files.FOLDER / "win.wav").read_bytes()


@pytest.fixture
def mixer(monkeypatch: pytest.MonkeyPatch) -> Iterator[MixerSpeaker]:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    made = MixerSpeaker()
    made.set_up()
    yield made
    made.tear_down()


def test_it_plays_every_sound_and_several_at_once(mixer: MixerSpeaker) -> None:
    for name in sound_files.NAMES:
        mixer.play(name)
    assert pygame.mixer.get_busy()
    assert not mixer.speaking, "sounds never take the channel of speech"
    assert pygame.mixer.get_init() == (sound_files.RATE_HZ, -16, 2)
    with pytest.raises(KeyError):
        mixer.play("gong")


def test_pan_and_volume_reach_the_channels(mixer: MixerSpeaker) -> None:
    mixer.volume(0.5)
    mixer.play("press", pan=0.0)
    # Whether left and right have been set can't be asked of pygame; that the call takes all of the range can.
    for pan in (-1.0, -0.3, 0.8, 1.0):
        mixer.play("press", pan)
    said(mixer)
    assert pygame.mixer.Channel(speaker.SPEECH).get_volume() == pytest.approx(0.5, abs=0.01)
    mixer.volume(7)
    assert pygame.mixer.Channel(speaker.SPEECH).get_volume() == 1.0


def said(mixer: MixerSpeaker) -> None:
    """Speak, and wait until it is heard."""
    mixer.speak(WAV)
    assert mixer._thread is not None
    mixer._thread.join(10)


def test_speech_is_ended_at_once_and_replaced_by_newer_speech(mixer: MixerSpeaker) -> None:
    mixer.speak(WAV)
    assert mixer.speaking, "from the call on, not once it is heard"
    said(mixer)
    assert mixer.speaking
    assert pygame.mixer.Channel(speaker.SPEECH).get_busy()
    mixer.hush()
    assert not mixer.speaking
    assert not pygame.mixer.Channel(speaker.SPEECH).get_busy()


def test_speech_that_was_hushed_before_it_was_ready_is_never_heard(mixer: MixerSpeaker) -> None:
    for _ in range(5):
        mixer.speak(WAV)
        mixer.hush()
        assert mixer._thread is not None
        mixer._thread.join(10)
        assert not mixer.speaking
        assert not pygame.mixer.Channel(speaker.SPEECH).get_busy()


def test_what_is_no_sound_is_passed_over(mixer: MixerSpeaker) -> None:
    mixer.speak(b"RIFFnonsense")
    assert mixer._thread is not None
    mixer._thread.join(10)
    assert not mixer.speaking


def test_no_sound_device_is_one_fault_and_then_silence(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "there-is-no-such-driver")
    mute = MixerSpeaker()
    with pytest.raises(SpeakerFault) as fault:
        mute.set_up()
    assert fault.value.code == "AUD-01"
    assert fault.value.temporary
    assert "loudspeaker" in fault.value.words
    mute.volume(0.3)
    mute.play("press")
    mute.speak(WAV)
    mute.hush()
    assert not mute.speaking
    mute.tear_down()
    assert capfd.readouterr().err == "", "no page of the driver's own"


def program(folder: Path, body: str) -> str:
    path = folder / "voice"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def wait_for(spoken: EspeakVoice, now: float, real_s: float = 10.0) -> bytes | None:
    """Poll at the moment `now` until the program has done its part; only that is waited for."""
    until = time.monotonic() + real_s
    while spoken.busy and time.monotonic() < until:
        got = spoken.poll(now)
        if got is not None:
            return got
    return None


def test_a_voice_that_is_not_there_or_dies_says_so(tmp_path: Path) -> None:
    with pytest.raises(VoiceFailed, match="can't be started"):
        EspeakVoice(program="/nowhere/espeak-ng").begin("hello", 0.0)
    for body in ("exit 3", "exit 0", "echo RIFF; exit 0", "head -c 400 /dev/zero; exit 0"):
        dies = EspeakVoice(program=program(tmp_path, body))
        dies.begin("hello", 0.0)
        with pytest.raises(VoiceFailed):
            wait_for(dies, 0.0)
        assert not dies.busy
        assert dies.poll(0.0) is None, "it is said once"


def test_a_voice_that_hangs_never_blocks_and_is_killed_at_its_deadline(tmp_path: Path) -> None:
    hangs = EspeakVoice(program=program(tmp_path, "exec sleep 1000"))
    hangs.begin("hello", 100.0)
    process = hangs._process
    assert process is not None
    began = time.monotonic()
    for _ in range(50):
        assert hangs.poll(100.0 + voice.DEADLINE_S - 0.01) is None
    assert time.monotonic() - began < 0.5
    with pytest.raises(VoiceFailed, match="longer"):
        hangs.poll(100.0 + voice.DEADLINE_S)
    assert process.wait(10) == -9
    assert not hangs.busy


def test_a_voice_that_never_stops_talking_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voice, "MOST_BYTES", 500_000)
    babbles = EspeakVoice(program=program(tmp_path, "exec cat /dev/zero"))
    babbles.begin("hello", 0.0)
    with pytest.raises(VoiceFailed):
        wait_for(babbles, 0.0)


def test_a_newer_text_gives_up_the_older(tmp_path: Path) -> None:
    slow = EspeakVoice(program=program(tmp_path, "exec sleep 1000"))
    slow.begin("one", 0.0)
    first = slow._process
    slow.begin("two", 0.0)
    assert first is not None and first.wait(10) == -9
    slow.cancel()
    assert not slow.busy


@pytest.mark.skipif(shutil.which(voice.PROGRAM) is None, reason="espeak-ng is not installed")
@pytest.mark.parametrize("language", sorted(voice.LANGUAGES))
def test_espeak_speaks_every_language(language: str) -> None:
    spoken = EspeakVoice(language, 200)
    spoken.begin("5, 5, 2.", 0.0)
    wav = wait_for(spoken, 0.0)
    assert wav is not None
    assert 0.5 < speaker.length_s(wav) < 10
    x = np.frombuffer(wav[44:], "<i2")
    assert np.abs(x).max() > 1000


@pytest.mark.skipif(shutil.which(voice.PROGRAM) is None, reason="espeak-ng is not installed")
def test_a_higher_rate_speaks_faster() -> None:
    lengths = []
    for rate_wpm in (120, 300):
        spoken = EspeakVoice("en", rate_wpm)
        spoken.begin("two fives, at three and seven o'clock", 0.0)
        wav = wait_for(spoken, 0.0)
        assert wav is not None
        lengths.append(speaker.length_s(wav))
    assert lengths[1] < 0.7 * lengths[0]


@pytest.mark.skipif(shutil.which(voice.PROGRAM) is None, reason="espeak-ng is not installed")
def test_a_patient_voice_has_its_speech_at_the_first_poll() -> None:
    patient = voice.PatientVoice("de")
    patient.begin("eins", 0.0)
    assert patient.poll(0.0) is not None


def test_even_a_patient_voice_gives_up_what_dies(tmp_path: Path) -> None:
    patient = voice.PatientVoice(program=program(tmp_path, "exit 3"))
    patient.begin("hello", 0.0)
    with pytest.raises(VoiceFailed):
        patient.poll(0.0)
    assert patient.poll(0.0) is None
