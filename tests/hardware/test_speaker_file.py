"""What would have been heard, as a file: everything at its time, on its side, as loud as it was."""

from __future__ import annotations

import io
import wave
from pathlib import Path

import numpy as np
import pytest

from hardware.sound_files import FOLDER, RATE_HZ
from hardware.speaker_file import FileSpeaker, samples_of


class Time:
    t = 100.0


def tone(seconds: float, rate_hz: int = 22_050, height: float = 0.5) -> bytes:
    x = height * np.sin(2 * np.pi * 440 * np.arange(round(seconds * rate_hz)) / rate_hz)
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes(np.round(x * 32767).astype("<i2").tobytes())
    return out.getvalue()


def saved(speaker: FileSpeaker, path: Path) -> np.ndarray:
    speaker.save(path)
    with wave.open(str(path)) as file:
        assert (file.getnchannels(), file.getframerate()) == (2, RATE_HZ)
        return np.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, 2) / 32768


def height(x: np.ndarray, begin_s: float, end_s: float) -> float:
    return float(np.abs(x[round(begin_s * RATE_HZ) : round(end_s * RATE_HZ)]).max(initial=0))


def test_sounds_stand_at_their_time_on_their_side_as_loud_as_is_set(tmp_path: Path) -> None:
    time = Time()
    speaker = FileSpeaker(lambda: time.t)
    time.t += 1.0
    speaker.play("press", pan=-1.0)
    time.t += 1.0
    speaker.volume(0.5)
    speaker.play("press")
    time.t += 1.0
    x = saved(speaker, tmp_path / "a.wav")
    alone = float(np.abs(samples_of((FOLDER / "press.wav").read_bytes())).max())
    assert height(x, 0, 1.0) == 0
    assert height(x[:, :1], 1.0, 2.0) == pytest.approx(alone, abs=0.01)
    assert height(x[:, 1:], 1.0, 2.0) == 0
    assert height(x[:, 1:], 2.0, 3.0) == pytest.approx(alone / 2, abs=0.01)
    assert [name for _, name in speaker.heard] == ["press", "press"]
    assert [t for t, _ in speaker.heard] == pytest.approx([1.0, 2.0])


def test_speech_is_cut_where_it_was_hushed_and_sounds_under_it_are_softer(tmp_path: Path) -> None:
    time = Time()
    speaker = FileSpeaker(lambda: time.t)
    speaker.speak(tone(2.0))
    time.t += 0.5
    assert speaker.speaking
    speaker.hush()
    assert not speaker.speaking
    time.t += 0.5
    speaker.speak(tone(0.1, height=0.01))
    speaker.play("score")
    x = saved(speaker, tmp_path / "b.wav")
    assert height(x, 0.0, 0.5) == pytest.approx(0.5, abs=0.02)
    assert height(x, 0.51, 0.99) == 0
    whole = float(np.abs(samples_of((FOLDER / "score.wav").read_bytes())).max())
    assert height(x, 1.2, 2.0) < 0.5 * whole


def test_another_rate_keeps_pitch_and_length() -> None:
    x = samples_of(tone(0.5))
    assert len(x) == pytest.approx(0.5 * RATE_HZ, abs=2)
    spectrum = np.abs(np.fft.rfft(x * np.hanning(len(x))))
    assert np.argmax(spectrum) * RATE_HZ / len(x) == pytest.approx(440, abs=3)
