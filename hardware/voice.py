"""The voice: makes speech of text by espeak-ng, a program of its own, without ever waiting for it.

Room: hardware. Knows text, a language and a rate; what is said and when is not its business, nor is playing it. What
espeak-ng writes is taken from a pipe piece by piece whenever `poll` is called, so a voice that hangs costs nothing: it
is killed at its deadline, and `poll` says that it failed.
"""

from __future__ import annotations

import contextlib
import io
import os
import select
import shutil
import subprocess
import time
import wave
from typing import Protocol

PROGRAM = "espeak-ng"
LANGUAGES = {"en": "en-gb", "de": "de", "es": "es", "fr": "fr-fr", "nl": "nl", "pl": "pl"}
"""The table's languages -> the voices of espeak-ng."""

DEADLINE_S = 4.0
"""Speech that is not made by then is given up; a sentence takes 70 ms on a desk computer."""
HEADER_BYTES = 44
MOST_BYTES = 8_000_000
"""Three minutes; nobody wants to hear more."""


class VoiceFailed(Exception):
    """This text could not be spoken; `why` says what happened, for a log."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Voice(Protocol):
    """What makes speech. One text at a time: `begin` gives up the one before.

    `language` (a key of LANGUAGES) and `rate_wpm` (words a minute) may be set; the next text is spoken so.
    """

    language: str
    rate_wpm: int

    def begin(self, text: str, now: float) -> None:
        """Start to make speech of `text`; `now` is monotonic, in seconds. Raises VoiceFailed."""

    def poll(self, now: float) -> bytes | None:
        """The finished speech as a WAV file, once; None while there is none. Raises VoiceFailed, once."""

    @property
    def busy(self) -> bool:
        """Is there a text whose speech is not finished?"""

    def cancel(self) -> None:
        """Give the text up."""


def available(program: str = PROGRAM) -> bool:
    """Is the program there?"""
    return shutil.which(program) is not None


class EspeakVoice:
    """espeak-ng, started anew for each text. `rate_wpm`: words a minute. `program`: in tests, another that fails."""

    def __init__(self, language: str = "en", rate_wpm: int = 160, program: str = PROGRAM) -> None:
        self.language = language
        self.rate_wpm = rate_wpm
        self._program = program
        self._process: subprocess.Popen[bytes] | None = None
        self._got = bytearray()
        self._until = 0.0
        self._leaving: list[subprocess.Popen[bytes]] = []  # killed, and not yet gone

    def begin(self, text: str, now: float) -> None:
        self.cancel()
        command = [self._program, "-v", LANGUAGES[self.language], "-s", str(self.rate_wpm), "--stdin", "--stdout"]
        try:
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, close_fds=True
            )
        except OSError as error:
            raise VoiceFailed(f"{self._program} can't be started ({error})") from error
        assert process.stdin is not None and process.stdout is not None
        os.set_blocking(process.stdin.fileno(), False)
        os.set_blocking(process.stdout.fileno(), False)
        self._process, self._until = process, now + DEADLINE_S
        self._got.clear()
        with contextlib.suppress(BrokenPipeError, BlockingIOError):
            # A sentence fits into any pipe; who does not read it has died, and poll notices.
            os.write(process.stdin.fileno(), text.encode()[:4096])
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()

    def poll(self, now: float) -> bytes | None:
        self._leaving = [p for p in self._leaving if p.poll() is None]
        process = self._process
        if process is None:
            return None
        assert process.stdout is not None
        ended = False
        while True:
            try:
                piece = os.read(process.stdout.fileno(), 65536)
            except BlockingIOError:
                break
            if not piece:
                ended = True
                break
            self._got += piece
        if len(self._got) > MOST_BYTES or (now >= self._until and not ended):
            self.cancel()
            raise VoiceFailed(f"{self._program} took longer than {DEADLINE_S:.0f} s")
        if not ended:
            return None
        # It has closed its end, but may need a moment to go; the same deadline holds for that.
        status = process.poll()
        if status is None and now < self._until:
            return None
        self.cancel()
        if status != 0 or len(self._got) <= HEADER_BYTES:
            raise VoiceFailed(f"{self._program} ended with status {status} and {len(self._got)} bytes")
        return _whole_wav(bytes(self._got))

    @property
    def busy(self) -> bool:
        return self._process is not None

    def cancel(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdout is not None
        if process.poll() is None:
            process.kill()
            self._leaving.append(process)
        process.stdout.close()


class PatientVoice(EspeakVoice):
    """The same, but `poll` waits for the speech: for recordings, whose time stands still meanwhile."""

    def poll(self, now: float) -> bytes | None:
        until = time.monotonic() + DEADLINE_S
        while self.busy:
            wav = super().poll(now if time.monotonic() < until else now + 2 * DEADLINE_S)
            if wav is not None:
                return wav
            process = self._process
            if process is not None and process.stdout is not None:
                select.select([process.stdout], [], [], 0.05)
        return None


def _whole_wav(streamed: bytes) -> bytes:
    """A WAV file with true lengths: into a pipe, espeak-ng writes the header before it knows them."""
    channels = int.from_bytes(streamed[22:24], "little")
    rate_hz = int.from_bytes(streamed[24:28], "little")
    if streamed[:4] != b"RIFF" or not channels or not rate_hz:
        raise VoiceFailed("what came is no sound")
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        samples = streamed[HEADER_BYTES:]
        file.writeframes(samples[: len(samples) // 2 * 2])
    return out.getvalue()
