"""Make the table's sounds anew: `python scripts/sounds.py` writes hardware/sounds/*.wav and prints what they measure.

All of them are plucked wood and small bells in D major, so that they belong together: pressing knocks, what is good
rises, what is refused or lost falls. They are heard for hours, so they are short, soft at the start and never shrill.
The noise in them comes from one seed; the same numpy makes the same files.

    python scripts/sounds.py [--pictures FOLDER]      with a spectrogram of each
"""

from __future__ import annotations

import argparse
import sys
import wave
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

RATE_HZ = 48_000
SEED = 20_261_130
FOLDER = Path(__file__).resolve().parent.parent / "hardware" / "sounds"
LOUDNESS_DB = -20.0
"""What every sound is brought to; see `loudness_db`."""
PEAK_DB = -3.0
"""No sample is louder than this."""
LEAD_S, TAIL_S = 0.002, 0.010
"""Silence at the beginning and at the end."""

D4, A4, D5, E5, FS5, A5, D6, FS6 = (293.66, 440.0, 587.33, 659.26, 739.99, 880.0, 1174.66, 1479.98)
B3, FS4, E4, G4 = 246.94, 369.99, 329.63, 392.0


@dataclass(frozen=True)
class Timbre:
    """Partials as (multiple, share, how much faster it dies), and how long the note rings (to a thousandth)."""

    partials: tuple[tuple[float, float, float], ...]
    ring_s: float
    attack_s: float
    knock: float  # share of filtered noise at the beginning


# A bar of wood has its second partial two octaves up (a marimba is tuned so), a bell a few that don't fit.
WOOD = Timbre(((1.0, 1.0, 1.0), (3.93, 0.22, 2.6), (9.2, 0.05, 5.0)), 0.45, 0.003, 0.10)
BELL = Timbre(((1.0, 1.0, 1.0), (2.0, 0.30, 1.4), (3.0, 0.12, 2.0), (4.2, 0.06, 3.0)), 1.0, 0.006, 0.02)
SOFT = Timbre(((1.0, 1.0, 1.0), (2.0, 0.12, 1.8), (3.93, 0.05, 3.5)), 0.60, 0.008, 0.03)
KNOCK = Timbre(((1.0, 1.0, 1.0), (2.76, 0.35, 1.6), (5.4, 0.12, 2.4)), 0.10, 0.0015, 0.30)

Note = tuple[float, float, float, Timbre]
"""When it begins in seconds, its pitch in Hz, its share, and what it is played on."""

SOUNDS: Mapping[str, tuple[Note, ...]] = {
    # A finger on wood.
    "press": ((0.0, D5, 1.0, KNOCK),),
    # Two notes down, muted: no, but nothing is lost.
    "refusal": ((0.0, A4, 1.0, SOFT), (0.13, FS4, 0.9, SOFT)),
    # Dice that come to rest: three knocks, closer and closer, and the answer.
    "roll": (
        (0.0, D4 * 2.02, 0.7, KNOCK),
        (0.075, D4 * 1.78, 0.6, KNOCK),
        (0.125, D4 * 1.9, 0.5, KNOCK),
        (0.17, D5, 0.9, WOOD),
    ),
    # The two notes that everything here is made of.
    "score": ((0.0, D5, 0.9, WOOD), (0.10, A5, 1.0, WOOD)),
    "bonus": ((0.0, D5, 0.8, WOOD), (0.08, FS5, 0.8, WOOD), (0.16, A5, 0.9, WOOD), (0.24, D6, 1.0, BELL)),
    "win": (
        (0.0, D5, 0.8, WOOD),
        (0.14, A5, 0.9, WOOD),
        (0.28, FS5, 0.8, WOOD),
        (0.42, A5, 0.9, WOOD),
        (0.56, D6, 1.0, BELL),
        (0.56, FS5, 0.5, BELL),
        (0.58, A5, 0.5, BELL),
        (0.60, D4, 0.5, SOFT),
        (0.86, FS6, 0.35, BELL),
    ),
    # The points of a turn are gone.
    "lost": ((0.0, A4, 0.9, SOFT), (0.16, FS4, 0.9, SOFT), (0.32, E4, 0.9, SOFT), (0.52, B3, 1.0, SOFT)),
    # A second of a count-down.
    "tick": ((0.0, A5, 1.0, KNOCK),),
}


def make(name: str) -> np.ndarray:
    """The sound as float samples, one channel, RATE_HZ a second, within +-1."""
    noise = np.random.default_rng([SEED, *name.encode()])
    notes = SOUNDS[name]
    length_s = max(at + timbre.ring_s for at, _pitch, _share, timbre in notes)
    sound = np.zeros(round((length_s + 0.06) * RATE_HZ))
    for at, pitch, share, timbre in notes:
        played = _note(pitch, timbre, noise) * share
        begin = round(at * RATE_HZ)
        sound[begin : begin + len(played)] += played
    sound = _room(sound, noise)
    sound *= 10 ** ((LOUDNESS_DB - loudness_db(sound)) / 20)
    peak = 10 ** (PEAK_DB / 20)
    sound = peak * np.tanh(sound / peak)  # rounds off what would be louder; below, it changes nothing that can be heard
    return np.concatenate([np.zeros(round(LEAD_S * RATE_HZ)), _trimmed(sound), np.zeros(round(TAIL_S * RATE_HZ))])


def _note(pitch_hz: float, timbre: Timbre, noise: np.random.Generator) -> np.ndarray:
    t = np.arange(round(timbre.ring_s * RATE_HZ)) / RATE_HZ
    rings = 6.9 / timbre.ring_s  # to a thousandth
    played = np.zeros_like(t)
    for multiple, share, faster in timbre.partials:
        if pitch_hz * multiple < 0.4 * RATE_HZ:
            played += share * np.sin(2 * np.pi * pitch_hz * multiple * t) * np.exp(-rings * faster * t)
    if timbre.knock:
        burst = noise.standard_normal(len(t)) * np.exp(-t / 0.006)
        played += timbre.knock * _low_pass(burst, 2400.0)
    attack = np.clip(t / timbre.attack_s, 0, 1)
    played *= 0.5 - 0.5 * np.cos(np.pi * attack)
    fade = np.clip((t[-1] - t) / 0.02, 0, 1)
    return played * (0.5 - 0.5 * np.cos(np.pi * fade))


def _low_pass(x: np.ndarray, edge_hz: float) -> np.ndarray:
    spectrum = np.fft.rfft(x, 2 * len(x))
    f = np.fft.rfftfreq(2 * len(x), 1 / RATE_HZ)
    return np.fft.irfft(spectrum / (1 + (f / edge_hz) ** 4))[: len(x)]


def _room(x: np.ndarray, noise: np.random.Generator) -> np.ndarray:
    """A little of a small room, so that the notes do not stop dead."""
    t = np.arange(round(0.16 * RATE_HZ)) / RATE_HZ
    echoes = _low_pass(noise.standard_normal(len(t)) * np.exp(-t / 0.03), 3500.0)
    echoes[: round(0.008 * RATE_HZ)] = 0
    n = len(x) + len(t)
    wet = np.fft.irfft(np.fft.rfft(x, n) * np.fft.rfft(echoes, n), n)
    wet *= 0.12 * np.abs(x).max() / np.abs(wet).max()
    out = wet
    out[: len(x)] += x
    return out


def _trimmed(x: np.ndarray) -> np.ndarray:
    """Without what is too soft to hear at the end, faded to nothing."""
    heard = np.flatnonzero(np.abs(x) > 10 ** (-66 / 20))
    x = x[: heard[-1] + 1].copy()
    fade = min(len(x) // 4, round(0.03 * RATE_HZ))
    x[-fade:] *= 0.5 + 0.5 * np.cos(np.linspace(0, np.pi, fade))
    x[0] = 0.0
    return x


def loudness_db(x: np.ndarray, rate_hz: int = RATE_HZ) -> float:
    """How loud the loudest fifth of a second is: weighted as in ITU-R BS.1770, which measures 0.4 s at a time."""
    weighted = _k_weighted(x, rate_hz)
    n = round(0.2 * rate_hz)
    padded = np.concatenate([weighted, np.zeros(max(0, n - len(weighted)))])
    power = np.convolve(padded**2, np.ones(n) / n, "valid")
    return -0.691 + 10 * float(np.log10(power.max() + 1e-12))


def _k_weighted(x: np.ndarray, rate_hz: int) -> np.ndarray:
    """The two filters of BS.1770 (a shelf of 4 dB above 1.7 kHz, a high pass at 38 Hz), as their curves over
    frequency."""
    n = 2 * len(x) + rate_hz // 10
    f = np.fft.rfftfreq(n, 1 / rate_hz)
    shelf = _biquad(f, rate_hz, 1681.97, 0.7072, 3.99984)
    high = f**2 / np.sqrt((f**2 - 38.135**2) ** 2 + (f * 38.135 / 0.5003) ** 2 + 1e-12)
    return np.fft.irfft(np.fft.rfft(x, n) * shelf * high, n)[: len(x)]


def _biquad(f: np.ndarray, rate_hz: int, edge_hz: float, q: float, gain_db: float) -> np.ndarray:
    k = np.tan(np.pi * edge_hz / rate_hz)
    vh = 10 ** (gain_db / 20)
    vb = vh**0.4996667741545416
    a0 = 1 + k / q + k * k
    b = np.array([vh + vb * k / q + k * k, 2 * (k * k - vh), vh - vb * k / q + k * k]) / a0
    a = np.array([1.0, 2 * (k * k - 1) / a0, (1 - k / q + k * k) / a0])
    z = np.exp(-2j * np.pi * f / rate_hz)
    return np.abs((b[0] + b[1] * z + b[2] * z * z) / (a[0] + a[1] * z + a[2] * z * z))


@dataclass(frozen=True)
class Measured:
    """Of a sound: length, loudest sample and loudness (dB below full scale), silence at both ends in seconds."""

    length_s: float
    peak_db: float
    loudness_db: float
    before_s: float
    after_s: float


def measure(x: np.ndarray, rate_hz: int = RATE_HZ) -> Measured:
    """`x`: float samples within +-1. Silence is what stays below -80 dB."""
    heard = np.flatnonzero(np.abs(x) > 1e-4)
    peak = 20 * float(np.log10(np.abs(x).max()))
    before, after = int(heard[0]), len(x) - 1 - int(heard[-1])
    return Measured(len(x) / rate_hz, peak, loudness_db(x, rate_hz), before / rate_hz, after / rate_hz)


def read_wav(path: Path) -> tuple[np.ndarray, int]:
    """The samples of a WAV file of one channel and 16 bit, within +-1, and how many there are a second."""
    with wave.open(str(path)) as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
        return np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768.0, file.getframerate()


def write_wav(path: Path, x: np.ndarray) -> None:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE_HZ)
        file.writeframes(np.round(x * 32767).astype("<i2").tobytes())


def picture(x: np.ndarray, path: Path) -> None:
    """The wave above, its spectrogram (0 to 12 kHz, 90 dB) below."""
    import cv2

    n, hop = 1024, 128
    padded = np.concatenate([np.zeros(n // 2), x, np.zeros(n)])
    frames = np.lib.stride_tricks.sliding_window_view(padded, n)[::hop] * np.hanning(n)
    power = 20 * np.log10(np.abs(np.fft.rfft(frames, axis=1)) / (n / 4) + 1e-6)
    top = int(12_000 / (RATE_HZ / n))
    shades = np.clip((power[:, :top].T[::-1] + 90) / 90 * 255, 0, 255).astype(np.uint8)
    colours = cv2.applyColorMap(cv2.resize(shades, (900, 400), interpolation=cv2.INTER_AREA), cv2.COLORMAP_INFERNO)
    wave_part = np.full((160, 900, 3), 20, np.uint8)
    for column, part in enumerate(np.array_split(x, 900)):
        low, high = (int(80 - 78 * float(v)) for v in (part.min(), part.max()))
        cv2.line(wave_part, (column, low), (column, high), (120, 220, 120), 1)
    cv2.putText(
        wave_part, f"{path.stem}  {len(x) / RATE_HZ:.2f} s", (8, 20), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (255,) * 3, 1
    )
    cv2.imwrite(str(path), np.vstack([wave_part, colours]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="write a spectrogram of each sound there")
    args = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    if args.pictures:
        args.pictures.mkdir(parents=True, exist_ok=True)
    print("sound     length  peak      loudness  silence before, after")
    for name in SOUNDS:
        path = FOLDER / f"{name}.wav"
        write_wav(path, make(name))
        x, rate = read_wav(path)
        m = measure(x, rate)
        print(
            f"{name:<8}{m.length_s:6.2f} s  {m.peak_db:6.1f} dB {m.loudness_db:6.1f} LUFS"
            f"  {m.before_s * 1000:.1f} ms, {m.after_s * 1000:.1f} ms"
        )
        if args.pictures:
            picture(x, args.pictures / f"{name}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
