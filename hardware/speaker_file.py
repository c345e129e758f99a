"""A loudspeaker that writes a sound file: what would have been heard, at the time when it would have been.

Room: hardware. For demonstrations and tests whose time is moved by hand; it needs no sound device. `now` gives the
seconds of that time.
"""

from __future__ import annotations

import io
import wave
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from hardware.sound_files import FOLDER, NAMES, RATE_HZ
from hardware.speaker import UNDER_SPEECH

Samples = npt.NDArray[np.float32]
TAIL_S = 1.0
"""Silence at the end, so that nobody thinks that it was cut off."""


class FileSpeaker:
    """A `Speaker`; `save` writes what it has heard since it was made."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._began = now()
        self._share = 1.0
        self._sounds = {name: samples_of((FOLDER / f"{name}.wav").read_bytes()) for name in NAMES}
        self._parts: list[tuple[float, Samples, float, float]] = []  # when, what, how loud left and right
        self._speech_ends = -1.0
        self.heard: list[tuple[float, str]] = []
        """When (seconds since the beginning) which sound began; speech is "speech"."""

    def set_up(self) -> None:
        """There is nothing to open."""

    def volume(self, share: float) -> None:
        self._share = min(1.0, max(0.0, share))

    def play(self, name: str, pan: float = 0.0) -> None:
        share = self._share * (UNDER_SPEECH if self.speaking else 1.0)
        left, right = share * max(0.0, min(1.0, 1.0 - pan)), share * max(0.0, min(1.0, 1.0 + pan))
        self._parts.append((self._at(), self._sounds[name], left, right))
        self.heard.append((self._at(), name))

    def speak(self, wav: bytes) -> None:
        self.hush()
        samples = samples_of(wav)
        self._parts.append((self._at(), samples, self._share, self._share))
        self._speech_ends = self._at() + len(samples) / RATE_HZ
        self.heard.append((self._at(), "speech"))

    @property
    def speaking(self) -> bool:
        return self._at() < self._speech_ends

    def hush(self) -> None:
        if not self.speaking:
            return
        self._speech_ends = self._at()
        k = max(i for i, (_t, what, *_shares) in enumerate(self._parts) if not self._is_sound(what))
        at, what, left, right = self._parts[k]
        self._parts[k] = (at, what[: round((self._at() - at) * RATE_HZ)], left, right)

    def tear_down(self) -> None:
        """There is nothing to close."""

    def save(self, path: Path) -> None:
        """Write all of it as a WAV file of two channels."""
        end = max([self._at(), *(at + len(what) / RATE_HZ for at, what, *_ in self._parts)]) + TAIL_S
        mixed = np.zeros((round(end * RATE_HZ) + 1, 2), np.float32)
        for at, what, left, right in self._parts:
            begin = round(at * RATE_HZ)
            mixed[begin : begin + len(what), 0] += left * what
            mixed[begin : begin + len(what), 1] += right * what
        mixed = np.clip(mixed, -1.0, 1.0)
        with wave.open(str(path), "wb") as file:
            file.setnchannels(2)
            file.setsampwidth(2)
            file.setframerate(RATE_HZ)
            file.writeframes(np.round(mixed * 32767).astype("<i2").tobytes())

    def _at(self) -> float:
        return self._now() - self._began

    def _is_sound(self, what: Samples) -> bool:
        return any(what is sound for sound in self._sounds.values())


def samples_of(wav: bytes) -> Samples:
    """A WAV file of 16 bit as one channel at RATE_HZ, within +-1."""
    with wave.open(io.BytesIO(wav)) as file:
        channels, rate_hz = file.getnchannels(), file.getframerate()
        raw = np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(np.float32) / 32768
    mono = raw.reshape(-1, channels).mean(axis=1)
    if rate_hz == RATE_HZ:
        same: Samples = mono.astype(np.float32)
        return same
    length = round(len(mono) * RATE_HZ / rate_hz)
    places = np.arange(length) * (rate_hz / RATE_HZ)
    resampled: Samples = np.interp(places, np.arange(len(mono)), mono).astype(np.float32)
    return resampled
