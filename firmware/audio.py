"""All that the table lets be heard: sounds, the caller and the spoken mode, at the volume and the hours that are set.

Room: firmware. The loop tells it what was answered and what is shown, and polls it. Which sound and which words belong
to what is decided by pure functions (`sounding`, `calling`, `speaking`); here is only when, how loud, and whether at
all. It has no clock: the time, and the time of the day, are handed in.
"""

from __future__ import annotations

import functools
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from display.view import Message, View
from firmware import calling, sayings, sounding, speaking
from firmware.language import ENGLISH, Language, with_keys
from firmware.moment import moment_of
from firmware.speaking import Heard
from firmware.table import Table
from firmware.talker import Talker
from firmware.words import with_code
from hardware.faults import CODES
from hardware.speaker import Speaker, SpeakerFault
from hardware.voice import Voice
from rules.said import said as _

TRY_AGAIN_S = (30.0, 60.0, 300.0, 600.0)
"""Pauses after which a sound device that was missing is looked for again; the last one stays."""
WARNING_S = 12.0
"""How long the warning about a missing device stands on the screen."""
SETTLED_S = 1.2
"""A sentence that only explains is spoken once it has stood so long; the tray changes its mind quickly."""
DAY_MIN = 24 * 60


@dataclass(frozen=True, slots=True)
class AudioSettings:
    """`volume` is 0 to 1; `quiet` the minutes of the day from when to when nothing is played or called; `noon` see
    `firmware.moment.hour`."""

    sounds: bool = True
    volume: float = 0.6
    quiet: tuple[int, int] | None = None
    caller: bool = False
    spoken: bool = False
    noon: str = "top"


def is_quiet(quiet: tuple[int, int] | None, minute: int) -> bool:
    """Are these the quiet hours? `minute` is that of the day; hours may go over midnight, and begin belongs to them."""
    if quiet is None or quiet[0] == quiet[1]:
        return False
    return (minute - quiet[0]) % DAY_MIN < (quiet[1] - quiet[0]) % DAY_MIN


_M = TypeVar("_M", bound=Callable[..., Any])


def _never_ends_the_game(method: _M) -> _M:
    """What goes wrong with sound is said once, and from then on there is none; the game goes on."""

    @functools.wraps(method)
    def guarded(self: Audio, *args: Any, **more: Any) -> None:
        if self.broken:
            return
        try:
            method(self, *args, **more)
        except Exception as error:
            self.broken = repr(error)
            self._log("AUD-05: " + "".join(traceback.format_exception(error)))

    return guarded  # type: ignore[return-value]


class Audio:
    """`minute` gives the minute of the local day. `voice` is None where espeak-ng is not installed."""

    def __init__(
        self,
        speaker: Speaker,
        voice: Voice | None,
        settings: AudioSettings,
        *,
        language: Language = ENGLISH,
        minute: Callable[[], int],
        log: Callable[[str], None],
    ) -> None:
        self._speaker = speaker
        self._talker = Talker(speaker, voice, log) if voice is not None else None
        self._language = language
        self._minute = minute
        self._log = log
        self._heard: Heard | None = None
        self._names: Mapping[str, str] = {}
        self._message: Message | None = None
        self._said_message = False  # since the last view
        self._later: tuple[float, Heard] | None = None
        self._tries = 0
        self._next_try: float | None = None
        self._warn_until = 0.0
        self._quiet = False
        self.settings = settings
        self.fault: SpeakerFault | None = None
        """Why nothing can be heard; None if the device is open."""
        self.broken = ""
        """What went wrong that nobody foresaw; nothing is heard after it."""

    # ---- life ---------------------------------------------------------------------------------------------------

    @_never_ends_the_game
    def set_up(self, now: float) -> None:
        """Open the sound device. Without one there is one warning, and it is looked for again now and then."""
        first = self._tries == 0
        try:
            self._speaker.set_up()
        except SpeakerFault as missing:
            if first:
                self._log(str(missing))
                self._warn_until = now + WARNING_S
            self.fault = missing
            self._next_try = now + TRY_AGAIN_S[min(self._tries, len(TRY_AGAIN_S) - 1)]
            self._tries += 1
            return
        self.fault, self._next_try = None, None
        self._speaker.volume(self.settings.volume)

    @_never_ends_the_game
    def change(self, **settings: object) -> None:
        """Set some of AudioSettings anew, as from a menu."""
        self.settings = replace(self.settings, **settings)  # type: ignore[arg-type]
        self._speaker.volume(self.settings.volume)
        if not (self.settings.spoken or self.settings.caller) and self._talker is not None:
            self._talker.hush()

    @_never_ends_the_game
    def speak_in(self, language: Language) -> None:
        """The table's language is this one from now on."""
        self._language = language
        if self._talker is not None:
            self._talker.hush()
            self._talker.speak_in(language.code)

    def close(self) -> None:
        if self._talker is not None:
            self._talker.hush()
        self._speaker.tear_down()

    # ---- what is heard ------------------------------------------------------------------------------------------

    @_never_ends_the_game
    def answered(self, table: Table, now: float, *, pressed: bool) -> None:
        """The table has answered an event, and nothing is committed yet. A press ends what is spoken; what is called
        goes on, since it is for everybody, and only newer words end it."""
        before, self._message = self._message, table.message
        if pressed and self._talker is not None and self.settings.spoken:
            self._talker.hush()
            self._later = None
        after = table.message
        if pressed and after is not None and after is before:
            before = None  # the same refusal once more
        sound = sounding.answer(pressed, before, after)
        if sound is not None and self.plays:
            pan = 0.0
            if sound == "press" and self._heard is not None:
                pan = sounding.pan_of(self._heard.moment, moment_of(table, self._heard.moment, self.settings.noon))
            self._speaker.play(sound, pan)
        if sound == "refusal" and after is not None:
            self._said_message = self._say(after.words, now)

    @_never_ends_the_game
    def shown(self, table: Table, view: View, names: Mapping[str, str], now: float) -> None:
        """This is on the screen now. `names` are what is printed on the buttons."""
        self._names = names
        before = self._heard
        after = Heard(moment_of(table, before.moment if before else None, self.settings.noon), view)
        self._heard = after
        if before is not None and self.plays:
            sound = sounding.change(before.moment, after.moment)
            if sound is not None:
                self._speaker.play(sound)
        words = ""
        if self.settings.spoken:
            words = speaking.speak(before, after)
        elif before is not None and self.settings.caller:
            words = calling.call(before.moment, after.moment)
        if words:
            self._say(words, now, cut=not self._said_message)
            self._later = None
        elif before is not None and self.settings.spoken and speaking.second_thought(before, after):
            self._later = (now + SETTLED_S, after)
        elif self._later is not None and after.view.detail != self._later[1].view.detail:
            self._later = None
        self._said_message = False

    @_never_ends_the_game
    def tick(self) -> None:
        """A second of a count-down has passed."""
        if self.plays:
            self._speaker.play("tick")

    @_never_ends_the_game
    def sample(self) -> None:
        """Play something, so that whoever sets the volume hears it; also in quiet hours."""
        self._speaker.play("score")

    @_never_ends_the_game
    def again(self, now: float) -> None:
        """Say once more what was said last."""
        if self._talker is not None:
            self._talker.say(self._talker.last, now)

    @_never_ends_the_game
    def hush(self) -> None:
        """End what is spoken."""
        if self._talker is not None:
            self._talker.hush()

    @_never_ends_the_game
    def poll(self, now: float) -> None:
        """Go on with what is spoken, and look for a device that is missing."""
        self._quiet = is_quiet(self.settings.quiet, self._minute()) if self.settings.quiet else False
        if self._next_try is not None and now >= self._next_try:
            self.set_up(now)
        if self._later is not None and now >= self._later[0]:
            detail, self._later = self._later[1].view.detail, None
            self._say(detail, now, cut=False)
        if self._talker is not None:
            self._talker.poll(now)

    # ---- what is set, and what is wrong -------------------------------------------------------------------------

    @property
    def plays(self) -> bool:
        """Are sounds heard now?"""
        return self.settings.sounds and not self._quiet

    @property
    def talks(self) -> bool:
        """Is anything said now? The spoken mode goes on in quiet hours: without it there is no game for its player."""
        return self.settings.spoken or (self.settings.caller and not self._quiet)

    def banners(self, now: float) -> tuple[str, ...]:
        """What the screen should say about sound: faults, and that it is quiet of its own accord."""
        wants_voice = self.settings.caller or self.settings.spoken
        found: list[str] = []
        if self.broken:
            return (with_code("AUD-05", CODES["AUD-05"].words.format(what=self.broken)),)
        if self.fault is not None and (wants_voice or (self.settings.sounds and now < self._warn_until)):
            found.append(with_code(self.fault.code, self.fault.words))
        if wants_voice and self._talker is None:
            found.append(with_code("AUD-02", CODES["AUD-02"].words))
        if wants_voice and self._talker is not None and self._talker.trouble:
            found.append(with_code("AUD-03", CODES["AUD-03"].words.format(what=self._talker.trouble)))
        if self._quiet and self.settings.quiet is not None and (self.settings.sounds or self.settings.caller):
            hours, minutes = divmod(self.settings.quiet[1], 60)
            end = f"{hours}:{minutes:02}"
            found.append(_("quiet until {time}", time=end))
        return tuple(found)

    def _say(self, words: str, now: float, *, cut: bool = True) -> bool:
        if self._talker is None or not self.talks or self.fault is not None:
            return False
        names = {button: self._language.say(name) for button, name in self._names.items()}
        text = with_keys(self._language.say(words), names)
        self._talker.say(sayings.for_the_ear(text), now, cut=cut)
        return True
