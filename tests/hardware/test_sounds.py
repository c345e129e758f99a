"""The sounds that ship: each is measured, and is what the script makes."""

from __future__ import annotations

import numpy as np
import pytest
import sounds

from hardware import sound_files

LONGEST_S = {
    "press": 0.25,
    "tick": 0.25,
    "refusal": 0.8,
    "roll": 0.8,
    "score": 0.8,
    "bonus": 1.3,
    "lost": 1.3,
    "win": 2.0,
}


def test_every_sound_has_its_file_and_no_file_is_left_over() -> None:
    assert sorted(sound_files.NAMES) == sorted(sounds.SOUNDS) == sorted(p.stem for p in sound_files.FOLDER.iterdir())
    assert sum(p.stat().st_size for p in sound_files.FOLDER.iterdir()) < 1_000_000


@pytest.mark.parametrize("name", sound_files.NAMES)
def test_length_peak_loudness_and_silence_at_both_ends(name: str) -> None:
    x, rate_hz = sounds.read_wav(sound_files.FOLDER / f"{name}.wav")
    assert rate_hz == sound_files.RATE_HZ
    m = sounds.measure(x, rate_hz)
    assert 0.1 < m.length_s < LONGEST_S[name]
    assert -15.0 < m.peak_db <= -3.0
    assert abs(m.loudness_db - sounds.LOUDNESS_DB) < 2.0, "all are as loud as each other"
    assert 0.001 <= m.before_s <= 0.01, "no click at the start, and no lag"
    assert 0.01 <= m.after_s <= 0.05, "no click at the end, and no tail that nobody hears"
    assert abs(float(x.mean())) < 1e-3


@pytest.mark.parametrize("name", sound_files.NAMES)
def test_no_sample_jumps(name: str) -> None:
    # A click is a jump: what no note of this pitch and loudness can do from one sample to the next.
    x, _ = sounds.read_wav(sound_files.FOLDER / f"{name}.wav")
    assert float(np.abs(np.diff(x)).max()) < 0.2
    assert float(np.abs(np.diff(x[:120])).max()) < 0.05, "it begins softly"


@pytest.mark.parametrize("name", ["press", "roll", "win"])
def test_the_script_makes_the_same_again(name: str) -> None:
    x, _ = sounds.read_wav(sound_files.FOLDER / f"{name}.wav")
    made = sounds.make(name)
    assert made.shape == x.shape
    assert float(np.abs(made - x).max()) < 4 / 32768


def test_loudness_is_measured_as_the_standard_says() -> None:
    # BS.1770: a sine of 997 Hz at full scale in one channel measures -3.01 LKFS.
    t = np.arange(48_000) / 48_000
    assert sounds.loudness_db(np.sin(2 * np.pi * 997 * t)) == pytest.approx(-3.01, abs=0.1)
    # Half the height is 6 dB less, and low notes count less than high ones.
    assert sounds.loudness_db(0.5 * np.sin(2 * np.pi * 997 * t)) == pytest.approx(-9.03, abs=0.1)
    assert sounds.loudness_db(np.sin(2 * np.pi * 30 * t)) < sounds.loudness_db(np.sin(2 * np.pi * 3000 * t)) - 5
