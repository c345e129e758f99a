"""The talker: what is spoken next, what is cut short, and what happens when the voice fails.

Room: firmware. Between words that are ready and the two devices that make them heard. It is polled by the loop, which
hands it the time, and never waits: newer words win over older ones, and a press ends all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hardware.speaker import Speaker
from hardware.voice import Voice, VoiceFailed

MOST_WAITING = 3
"""Words that wait their turn; of more, the oldest are dropped."""
FAILURES = 3
"""So often in a row the voice may fail before it is left alone for REST_S seconds."""
REST_S = 60.0
OLD_S = 8.0
"""Words that have waited longer than this, in seconds, are about a table that is no more so."""


@dataclass(frozen=True, slots=True)
class _Words:
    text: str
    at: float


class Talker:
    """`say` and `hush` what is to be heard; `poll` often."""

    def __init__(self, speaker: Speaker, voice: Voice, log: Callable[[str], None]) -> None:
        self._speaker = speaker
        self._voice = voice
        self._log = log
        self._waiting: list[_Words] = []
        self._failed = 0
        self._rests_until = 0.0
        self.trouble = ""
        """Why nothing is spoken at present, "" if nothing is wrong."""
        self.last = ""
        """What was said last, for whoever asks to hear it again."""

    def speak_in(self, language: str) -> None:
        """Speak in this language from now on."""
        self._voice.language = language

    @property
    def talking(self) -> bool:
        """Is something spoken, being made, or waiting?"""
        return bool(self._waiting) or self._voice.busy or self._speaker.speaking

    def say(self, text: str, now: float, *, cut: bool = True) -> None:
        """Speak `text`. `cut`: in place of all that is spoken and waits; else after it."""
        if not text:
            return
        if cut:
            self.hush()
        self.last = text
        self._waiting = [*self._waiting, _Words(text, now)][-MOST_WAITING:]
        self.poll(now)

    def hush(self) -> None:
        """End what is spoken, and forget what waits."""
        self._waiting = []
        self._voice.cancel()
        self._speaker.hush()

    def poll(self, now: float) -> None:
        """Go on. `now` is monotonic, in seconds."""
        if now < self._rests_until:
            self._waiting = []
            return
        try:
            self._go_on(now)
        except VoiceFailed as failed:
            self._fail(failed.why, now)

    def _go_on(self, now: float) -> None:
        if self._voice.busy:
            wav = self._voice.poll(now)
            if wav is not None:
                self._failed, self.trouble = 0, ""
                self._speaker.speak(wav)
            return
        self._waiting = [w for w in self._waiting if now - w.at <= OLD_S or w is self._waiting[-1]]
        if self._waiting and not self._speaker.speaking:
            self._voice.begin(self._waiting.pop(0).text, now)

    def _fail(self, why: str, now: float) -> None:
        self._failed += 1
        if self._failed < FAILURES:
            return
        # Said once for each rest, not for each sentence.
        if not self.trouble:
            self._log(f"AUD-03: {why}")
        self.trouble = why
        self._failed, self._rests_until = 0, now + REST_S
        self._waiting = []
