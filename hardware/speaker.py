"""The loudspeaker: plays the table's own sounds, and speech that somebody else has made, by pygame's mixer.

Room: hardware. Knows sounds by name and nothing of what they mean. A service like all devices: set up, run, tear down.
Without a sound device it raises SpeakerFault AUD-01 once when it is set up, and is silent from then on.
"""

from __future__ import annotations

import contextlib
import io
import os
import threading
import wave
from collections.abc import Iterator
from typing import Protocol

import pygame

from hardware.faults import CODES
from hardware.sound_files import FOLDER, NAMES, RATE_HZ

BUFFER_SAMPLES = 512
"""About 11 ms from a press to its sound; larger buffers are heard as lag."""
CHANNELS = 6
SPEECH = 0
"""The mixer's channel that is kept for speech."""
UNDER_SPEECH = 0.35
"""Sounds go down to this share while somebody speaks."""


class SpeakerFault(Exception):
    """Nothing can be heard. `code` is one of hardware.faults.CODES."""

    def __init__(self, code: str, **fields: object) -> None:
        words = CODES[code].words.format(**fields)
        super().__init__(f"{code}: {words}")
        self.code = code
        self.words = words
        self.temporary = CODES[code].temporary


class Speaker(Protocol):
    """What plays. All calls return at once; before `set_up`, and after it has failed, they do nothing."""

    def set_up(self) -> None:
        """Open the sound device. Raises SpeakerFault."""

    def volume(self, share: float) -> None:
        """How loud everything is from now on, 0 to 1."""

    def play(self, name: str, pan: float = 0.0) -> None:
        """Start one of `sound_files.NAMES`; `pan` from -1 (left) to 1 (right). Raises KeyError for any other."""

    def speak(self, wav: bytes) -> None:
        """Play this WAV file in place of the speech before it."""

    @property
    def speaking(self) -> bool:
        """Is speech being heard?"""

    def hush(self) -> None:
        """End the speech now."""

    def tear_down(self) -> None:
        """Close the sound device."""


class MixerSpeaker:
    """pygame's mixer. `device` names an output as `pygame._sdl2.audio` lists them; "" takes the system's own."""

    def __init__(self, device: str = "") -> None:
        self._device = device
        self._sounds: dict[str, pygame.mixer.Sound] = {}
        self._share = 1.0
        self._next = SPEECH  # the channel that was used last
        self._lock = threading.Lock()  # around the channel of speech
        self._speech = 0  # the number of the speech that is wanted
        self._making = False
        self._thread: threading.Thread | None = None
        self.open = False

    def set_up(self) -> None:
        if self.open:
            return
        try:
            with _quiet_libraries():
                pygame.mixer.init(RATE_HZ, -16, 2, BUFFER_SAMPLES, devicename=self._device or None)
            pygame.mixer.set_num_channels(CHANNELS)
            self._sounds = {name: pygame.mixer.Sound(str(FOLDER / f"{name}.wav")) for name in NAMES}
        except (pygame.error, OSError) as error:
            pygame.mixer.quit()
            self._sounds = {}
            raise SpeakerFault("AUD-01", what=error) from error
        self.open = True

    def volume(self, share: float) -> None:
        self._share = min(1.0, max(0.0, share))
        if self.open:
            pygame.mixer.Channel(SPEECH).set_volume(self._share)

    def play(self, name: str, pan: float = 0.0) -> None:
        if name not in NAMES:
            raise KeyError(name)
        if not self.open:
            return
        # Told to take the oldest, pygame's own find_channel would take the one that is kept for speech.
        self._next = self._next % (CHANNELS - 1) + 1
        channel = pygame.mixer.Channel(self._next)
        channel.play(self._sounds[name])
        share = self._share * (UNDER_SPEECH if self.speaking else 1.0)
        left, right = min(1.0, 1.0 - pan), min(1.0, 1.0 + pan)
        channel.set_volume(share * max(0.0, left), share * max(0.0, right))

    def speak(self, wav: bytes) -> None:
        if not self.open:
            return
        with self._lock:
            self._speech += 1
            self._making = True
            number = self._speech
        # Bringing ten seconds of speech to the mixer's rate takes longer than the loop may be away.
        self._thread = threading.Thread(target=self._start, args=(wav, number), name="speech", daemon=True)
        self._thread.start()

    def _start(self, wav: bytes, number: int) -> None:
        try:
            sound = pygame.mixer.Sound(file=io.BytesIO(wav))
        except pygame.error:
            sound = None
        with self._lock:
            if number != self._speech:
                return  # hushed, or overtaken by newer speech
            self._making = False
            if sound is not None and self.open:
                channel = pygame.mixer.Channel(SPEECH)
                channel.play(sound)
                channel.set_volume(self._share)

    @property
    def playing(self) -> bool:
        """Is anything heard, sounds or speech?"""
        return self.open and bool(pygame.mixer.get_busy())

    @property
    def speaking(self) -> bool:
        with self._lock:
            return self.open and (self._making or bool(pygame.mixer.Channel(SPEECH).get_busy()))

    def hush(self) -> None:
        with self._lock:
            self._speech += 1
            self._making = False
            if self.open:
                pygame.mixer.Channel(SPEECH).stop()

    def tear_down(self) -> None:
        self.hush()
        if self._thread is not None:
            self._thread.join()
        if self.open:
            pygame.mixer.quit()
            self.open = False


def length_s(wav: bytes) -> float:
    """How long a WAV file plays. Raises wave.Error or EOFError for what is none."""
    with wave.open(io.BytesIO(wav)) as file:
        return float(file.getnframes() / file.getframerate())


def outputs() -> list[str]:
    """The outputs that there are, by the names that `MixerSpeaker` takes. Raises SpeakerFault if there is no sound."""
    from pygame._sdl2 import audio

    try:
        with _quiet_libraries():
            pygame.mixer.init()
            return list(audio.get_audio_device_names(False))
    except pygame.error as error:
        raise SpeakerFault("AUD-01", what=error) from error
    finally:
        pygame.mixer.quit()


@contextlib.contextmanager
def _quiet_libraries() -> Iterator[None]:
    """ALSA prints a page to stderr where there is no device; the fault says it in one line instead."""
    try:
        kept, sink = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    except OSError:
        yield
        return
    try:
        os.dup2(sink, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(sink)
