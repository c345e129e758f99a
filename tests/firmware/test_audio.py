"""What interrupts what, what fails, and when it is quiet: with a loudspeaker and a voice that only write down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from firmware.audio import Audio, AudioSettings, is_quiet
from firmware.events import CameraState, Intent, IntentKind, TableEvent
from firmware.intents import hints
from firmware.language import language
from firmware.table import Table, TableSettings
from firmware.talker import FAILURES, REST_S, Talker
from firmware.views import names_of, view_of
from hardware.speaker import SpeakerFault
from hardware.voice import VoiceFailed


class WritingSpeaker:
    """A loudspeaker that writes down what it would play. Speech goes on until `finish` is called."""

    def __init__(self, missing: bool = False) -> None:
        self.played: list[str] = []
        self.pans: list[float] = []
        self.spoken: list[str] = []
        self.share = 1.0
        self.missing = missing
        self.tries = 0
        self.open = False
        self._speaking = False

    def set_up(self) -> None:
        self.tries += 1
        if self.missing:
            raise SpeakerFault("AUD-01", what="none")
        self.open = True

    def volume(self, share: float) -> None:
        self.share = share

    def play(self, name: str, pan: float = 0.0) -> None:
        self.played.append(name)
        self.pans.append(pan)

    def speak(self, wav: bytes) -> None:
        self.spoken.append(wav.decode())
        self._speaking = True

    @property
    def speaking(self) -> bool:
        return self._speaking

    def finish(self) -> None:
        self._speaking = False

    def hush(self) -> None:
        self._speaking = False

    def tear_down(self) -> None:
        self.open = False


class FakeVoice:
    """A voice that needs `makes` polls for each text. `dies`: it fails instead; `hangs`: nothing ever comes."""

    def __init__(self, makes: int = 1) -> None:
        self.makes = makes
        self.language, self.rate_wpm = "en", 160
        self.dies = self.hangs = False
        self.begun: list[str] = []
        self._text = ""
        self._left = 0

    def begin(self, text: str, now: float) -> None:
        self.begun.append(text)
        if self.dies:
            raise VoiceFailed("it is dead")
        self._text, self._left = text, self.makes

    def poll(self, now: float) -> bytes | None:
        if not self._text or self.hangs:
            return None
        self._left -= 1
        if self._left > 0:
            return None
        text, self._text = self._text, ""
        return text.encode()

    @property
    def busy(self) -> bool:
        return bool(self._text)

    def cancel(self) -> None:
        self._text = ""


# ---- the talker -----------------------------------------------------------------------------------------------------


def talker(voice: FakeVoice) -> tuple[Talker, WritingSpeaker, list[str]]:
    speaker, log = WritingSpeaker(), []
    return Talker(speaker, voice, log.append), speaker, log


def test_newer_words_cut_older_ones_short() -> None:
    t, speaker, _ = talker(FakeVoice())
    t.say("one", 0.0)
    t.poll(0.1)
    assert speaker.spoken == ["one"] and speaker.speaking
    t.say("two", 0.2)
    assert not speaker.speaking, "the first is cut at once, not once the second is made"
    t.poll(0.3)
    assert speaker.spoken == ["one", "two"]


def test_words_that_do_not_cut_wait_their_turn() -> None:
    t, speaker, _ = talker(FakeVoice())
    t.say("one", 0.0)
    t.say("two", 0.0, cut=False)
    for _turn in range(5):
        t.poll(0.1)
    assert speaker.spoken == ["one"]
    speaker.finish()
    t.poll(0.2)
    t.poll(0.2)
    assert speaker.spoken == ["one", "two"]


def test_of_many_that_wait_only_the_newest_stay() -> None:
    t, speaker, _ = talker(FakeVoice())
    for n in range(10):
        t.say(str(n), 0.0, cut=False)
    for _turn in range(30):
        t.poll(0.1)
        speaker.finish()
    assert speaker.spoken == ["0", "7", "8", "9"]


def test_a_slow_voice_says_only_what_is_still_wanted() -> None:
    t, speaker, _ = talker(FakeVoice(makes=100))
    for n in range(20):
        t.say(f"roll {n}", 0.1 * n)
        t.poll(0.1 * n)
    for _turn in range(200):
        t.poll(3.0)
    assert speaker.spoken == ["roll 19"]


def test_hush_ends_all_of_it() -> None:
    t, speaker, _ = talker(FakeVoice(makes=2))
    t.say("one", 0.0)
    t.say("two", 0.0, cut=False)
    t.hush()
    for _turn in range(10):
        t.poll(0.1)
    assert speaker.spoken == [] and not t.talking


def test_a_dead_voice_is_told_of_once_and_left_alone_for_a_while() -> None:
    voice = FakeVoice()
    t, speaker, log = talker(voice)
    voice.dies = True
    for n in range(3 * FAILURES):
        t.say(f"{n}", float(n))
    assert len(log) == 1 and log[0].startswith("AUD-03")
    assert len(voice.begun) == FAILURES, "it is not started over and over"
    assert t.trouble
    # Still dead after a rest: no second line in the log.
    for n in range(3 * FAILURES):
        t.say(f"{n}", 100.0 + n)
    assert len(log) == 1 and len(voice.begun) == 2 * FAILURES
    voice.dies = False
    t.say("well again", 100.0 + 9 + REST_S)
    t.poll(100.0 + 9 + REST_S)
    assert speaker.spoken == ["well again"] and not t.trouble


def test_one_failure_costs_one_sentence() -> None:
    voice = FakeVoice()
    t, speaker, log = talker(voice)
    voice.dies = True
    t.say("lost", 0.0)
    voice.dies = False
    t.say("heard", 1.0)
    t.poll(1.1)
    assert speaker.spoken == ["heard"] and not log


def test_a_voice_that_hangs_stops_nothing() -> None:
    voice = FakeVoice()
    t, speaker, _ = talker(voice)
    voice.hangs = True
    t.say("one", 0.0)
    for _turn in range(100):
        t.poll(1.0)
    voice.hangs = False
    t.say("two", 2.0)
    t.poll(2.0)
    assert speaker.spoken == ["two"]


# ---- the table ------------------------------------------------------------------------------------------------------


class Heard:
    """A table with audio, as the loop has it: each event is answered at once, then shown."""

    def __init__(
        self, *, voice: FakeVoice | None = None, missing: bool = False, code: str = "en", **settings: Any
    ) -> None:
        self.table = Table(TableSettings(names=("Ann", "Bo")))
        self.speaker, self.voice, self.log = WritingSpeaker(missing), voice or FakeVoice(), list[str]()
        self.minute = 12 * 60
        self.language = language(code)
        self.t = 0.0
        self.audio = Audio(
            self.speaker, self.voice, AudioSettings(**settings), language=self.language,
            minute=lambda: self.minute, log=self.log.append,
        )  # fmt: skip
        self.audio.set_up(self.t)
        self.show()
        self.event(CameraState(True, 0.0))

    def show(self) -> None:
        offered = hints(self.table, 8)
        self.audio.shown(self.table, view_of(self.table, offered, self.language), names_of(offered), self.t)
        self.audio.poll(self.t)

    def event(self, event: TableEvent) -> None:
        self.table.handle(event)
        self.audio.answered(self.table, self.t, pressed=isinstance(event, Intent))
        self.show()
        self.t += 0.2

    def press(self, kind: IntentKind, arg: int | str | None = None) -> None:
        self.event(Intent(kind, arg, self.table.revision, self.t))

    def enter(self, *values: int) -> None:
        """Throw by entering the dice by hand: no camera is needed for that."""
        self.event(CameraState(False, self.t, "CAM-02", "the camera has stopped"))
        self.press(IntentKind.SCORE)
        for value in values:
            self.press(IntentKind.VALUE, value)
        self.press(IntentKind.SCORE)


def test_press_refusal_roll_and_score_are_heard() -> None:
    heard = Heard()
    heard.press(IntentKind.SCORE)
    heard.press(IntentKind.MARK, 1)
    assert heard.speaker.played == ["press", "refusal"]
    heard.speaker.played.clear()
    heard.enter(5, 5, 5, 2, 2)
    assert heard.speaker.played[-2:] == ["press", "roll"]
    heard.press(IntentKind.PICK, "full_house")
    assert heard.speaker.played[-2:] == ["press", "score"]
    assert heard.speaker.spoken == [], "neither caller nor spoken mode is on"


def test_each_way_to_be_quiet() -> None:
    heard = Heard(sounds=False)
    heard.press(IntentKind.SCORE)
    assert heard.speaker.played == []
    heard.audio.change(sounds=True, volume=0.25)
    assert heard.speaker.share == 0.25
    heard.audio.sample()
    assert heard.speaker.played == ["score"]
    heard.speaker.played.clear()
    heard.press(IntentKind.MARK, 1)
    assert heard.speaker.played == ["refusal"]
    night = Heard(quiet=(22 * 60, 7 * 60), caller=True)
    night.minute = 23 * 60
    night.audio.poll(1.0)
    night.press(IntentKind.SCORE)
    night.press(IntentKind.MARK, 1)
    assert night.speaker.played == [] and night.speaker.spoken == []
    assert [str(b) for b in night.audio.banners(1.0)] == ["quiet until 7:00"]
    night.minute = 7 * 60
    night.audio.poll(2.0)
    night.press(IntentKind.MARK, 1)
    assert night.speaker.played == ["refusal"]
    assert night.audio.banners(2.0) == ()


@pytest.mark.parametrize(
    ("quiet", "minute", "is_so"),
    [
        (None, 0, False),
        ((60, 60), 60, False),
        ((60, 120), 59, False),
        ((60, 120), 60, True),
        ((60, 120), 119, True),
        ((60, 120), 120, False),
        ((22 * 60, 7 * 60), 23 * 60, True),
        ((22 * 60, 7 * 60), 0, True),
        ((22 * 60, 7 * 60), 7 * 60, False),
        ((22 * 60, 7 * 60), 12 * 60, False),
    ],
)
def test_quiet_hours(quiet: tuple[int, int] | None, minute: int, is_so: bool) -> None:
    assert is_quiet(quiet, minute) is is_so


def test_no_sound_device_is_one_warning_and_it_is_looked_for_again() -> None:
    heard = Heard(missing=True)
    assert len(heard.log) == 1 and heard.log[0].startswith("AUD-01")
    assert any("AUD-01" in b for b in heard.audio.banners(1.0)), "it is shown"
    assert heard.audio.banners(60.0) == (), "and goes away: nobody needs to read it for weeks"
    for t in range(0, 3600, 5):
        heard.audio.poll(float(t))
    assert 4 <= heard.speaker.tries <= 10 and len(heard.log) == 1
    heard.speaker.missing = False
    heard.audio.poll(3600.0 + 600)
    assert heard.speaker.open and heard.audio.fault is None


def test_a_missing_device_stays_on_the_screen_where_somebody_needs_speech() -> None:
    heard = Heard(missing=True, spoken=True)
    assert any("AUD-01" in b for b in heard.audio.banners(10_000.0))
    assert heard.voice.begun == [], "no speech is made that nobody can hear"


def test_a_voice_that_is_not_installed_is_said_on_the_screen() -> None:
    audio = Audio(WritingSpeaker(), None, AudioSettings(caller=True), minute=lambda: 0, log=lambda line: None)
    assert any("AUD-02" in b for b in audio.banners(0.0))
    audio.change(caller=False)
    assert audio.banners(0.0) == ()


def test_whatever_goes_wrong_with_sound_the_game_goes_on() -> None:
    heard = Heard(spoken=True)

    def broken(name: str, pan: float = 0.0) -> None:
        raise ZeroDivisionError

    heard.speaker.play = broken  # type: ignore[method-assign]
    heard.press(IntentKind.SCORE)
    heard.press(IntentKind.MARK, 1)
    assert heard.table.play is not None
    assert len(heard.log) == 1 and heard.log[0].startswith("AUD-05") and "ZeroDivisionError" in heard.log[0]
    assert any("AUD-05" in b for b in heard.audio.banners(0.0)), "it is no silent fall-back"


def drain(heard: Heard) -> list[str]:
    for _turn in range(10):
        heard.audio.poll(heard.t)
        heard.speaker.finish()
    said, heard.speaker.spoken = heard.speaker.spoken, []
    return said


def test_the_caller_calls_rolls_scores_and_refusals() -> None:
    heard = Heard(caller=True)
    heard.press(IntentKind.SCORE)
    drain(heard)
    heard.press(IntentKind.MARK, 1)
    assert drain(heard) == ["Throw the dice first."]
    heard.enter(5, 1, 5, 2, 5)
    assert drain(heard) == ["1, 2, 5, 5, 5."]
    heard.press(IntentKind.PICK, "fives")
    assert drain(heard) == ["Fives: 15 points. Ann has 15."]


def test_after_a_correction_only_the_corrected_value_is_called() -> None:
    for mode in ("caller", "spoken"):
        heard = Heard(**{mode: True})
        heard.press(IntentKind.SCORE)
        heard.enter(5, 1, 5, 2, 5)
        drain(heard)
        heard.press(IntentKind.CORRECT, 2)
        heard.press(IntentKind.VALUE, 4)
        drain(heard)
        heard.press(IntentKind.SCORE)
        assert drain(heard) == ["Corrected: a four."]


def test_one_press_silences_it_and_is_answered() -> None:
    heard = Heard(spoken=True)
    heard.press(IntentKind.SCORE)
    heard.audio.poll(heard.t)
    assert heard.speaker.speaking
    heard.press(IntentKind.MARK, 1)
    heard.audio.poll(heard.t)
    assert heard.speaker.spoken[-1] == "Throw the dice first."
    heard.event(Intent(IntentKind.NOTHING, None, heard.table.revision, heard.t))
    drain(heard)
    heard.audio.again(heard.t)
    assert drain(heard) == ["That button does nothing here."]


def test_a_press_does_not_end_what_is_called_for_everybody() -> None:
    heard = Heard(caller=True)
    heard.press(IntentKind.SCORE)
    drain(heard)
    heard.enter(5, 1, 5, 2, 5)
    heard.audio.poll(heard.t)
    assert heard.speaker.speaking
    heard.press(IntentKind.MARK, 1)
    assert heard.speaker.speaking
    heard.press(IntentKind.PICK, "nonsense")
    assert heard.speaker.spoken == ["1, 2, 5, 5, 5.", "That box may not be chosen now."], "newer words do"


def test_the_spoken_mode_leads_through_a_turn() -> None:
    heard = Heard(spoken=True)
    assert drain(heard) == ["Yardzee. How many play? Then press SCORE to begin. Players: 2."]
    heard.press(IntentKind.COUNT, 1)
    assert drain(heard) == ["Players: 1."]
    heard.press(IntentKind.SCORE)
    assert drain(heard) == ["Ann: throw 5 dice."]
    heard.enter(5, 5, 2, 2, 5)
    said = " ".join(drain(heard))
    assert "Thrown: three fives and two twos." in said
    assert "It pays: Full house 25" in said
    assert said.endswith("Ann: hold dice and throw, or press SCORE. 2 rolls left.")
    heard.press(IntentKind.MARK, 1)
    assert drain(heard) == ["Held: a five."]
    heard.press(IntentKind.MARK, 1)
    assert drain(heard) == ["Let go: a five."]
    heard.press(IntentKind.SCORE)
    assert drain(heard) == ["Full house: 25. Ann: choose a box."]
    heard.press(IntentKind.DOWN)
    assert len(drain(heard)[0].split(": ")) == 2
    heard.press(IntentKind.UP)
    heard.press(IntentKind.SCORE)
    assert drain(heard)[-1].startswith("Full house: 25 points. Ann has 25. Ann: throw 5 dice.")


def test_a_sentence_that_only_explains_is_spoken_once_it_stays() -> None:
    heard = Heard(spoken=True)
    heard.press(IntentKind.SCORE)
    drain(heard)
    heard.event(CameraState(False, heard.t, "CAM-02", "the camera has stopped"))
    assert drain(heard) == []
    heard.t += 2
    assert drain(heard) == ["No camera: press SCORE and enter the dice."]
    heard.event(CameraState(True, heard.t))
    heard.event(CameraState(False, heard.t, "CAM-02", "the camera has stopped"))
    heard.event(CameraState(True, heard.t))
    heard.t += 2
    assert not any("No camera" in said for said in drain(heard)), "what was so for a moment is not said"


def test_the_press_on_a_die_is_heard_from_its_side(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = Heard()
    heard.press(IntentKind.SCORE)
    heard.enter(1, 2, 3, 4, 6)
    assert set(heard.speaker.pans) == {0.0}
    make: Callable[..., float] = lambda before, after: -0.7  # noqa: E731
    monkeypatch.setattr("firmware.audio.sounding.pan_of", make)
    heard.press(IntentKind.MARK, 1)
    assert heard.speaker.pans[-1] == -0.7


def test_another_language_is_spoken_from_then_on() -> None:
    heard = Heard(spoken=True)
    heard.press(IntentKind.SCORE)
    heard.language = language("de")
    heard.audio.speak_in(heard.language)
    drain(heard)
    heard.press(IntentKind.MARK, 1)
    assert drain(heard) == ["Zuerst die Würfel werfen.", "Ann: 5 Würfel werfen."]
    assert heard.voice.language == "de"


def test_a_player_who_only_listens_plays_a_whole_game() -> None:
    heard = Heard(spoken=True)
    said: list[str] = []

    def listen() -> str:
        heard.t += 2.0
        said.extend(drain(heard))
        return " ".join(said)

    def press(kind: IntentKind, arg: int | None = None) -> str:
        said.clear()
        heard.press(kind, arg)
        return listen()

    assert "How many play?" in listen()
    assert press(IntentKind.COUNT, 1).endswith("Players: 1.")
    assert "throw 5 dice" in press(IntentKind.SCORE)
    heard.event(CameraState(False, heard.t, "CAM-02", "the camera has stopped"))
    assert "press SCORE and enter the dice" in listen()
    thrown = iter(((1, 2, 3, 4, 5), (6, 6, 6, 2, 2), (5, 5, 5, 5, 5)) * 5)
    for turn in range(13):
        now = press(IntentKind.SCORE)
        for number, value in enumerate(next(thrown), 1):
            assert f"what does die {number} show?" in now
            now = press(IntentKind.VALUE, value)
        now = press(IntentKind.SCORE)
        assert "Thrown: " in now and ("It pays: " in now or "No open box pays anything." in now)
        best = now.partition("It pays: ")[2].partition(".")[0].split(", ")[0]
        now = press(IntentKind.SCORE)
        name, _, points = best.rpartition(" ") if best else (now.partition(":")[0], "", "0")
        assert f"{name}: {points}." in now and "choose a box" in now
        now = press(IntentKind.SCORE)
        assert f"{name}: {points} point" in now and "has " in now
        assert ("throw 5 dice" in now) == (turn < 12)
    assert "Ann: " in now and "points" in now.rpartition("has ")[2]
