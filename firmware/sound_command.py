"""Let the loudspeaker be heard: every sound by its name, then a sentence in the table's language.

Room: firmware. For whoever sets up a table; the service must be stopped, or another output be named, where only one
program may have the device.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from firmware import config as configuration
from firmware import sayings
from firmware.errors import Fault
from firmware.language import LANGUAGES, language
from firmware.moment import HeardDie
from rules.said import said as _

GAP_S = 0.4
WAIT_S = 0.05
LONGEST_S = 15.0
"""Longer than any sentence; then something is wrong with the device."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration (default: the user's)")
    parser.add_argument("--lang", choices=list(LANGUAGES), help="the language (default: the configuration's)")
    parser.add_argument("--device", metavar="NAME", help="the output (default: the configuration's)")
    parser.add_argument("--list", action="store_true", help="list the outputs instead; their names fit sound.device")


def run(args: argparse.Namespace, pause: Callable[[float], None] = time.sleep) -> int:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    from hardware.sound_files import NAMES
    from hardware.speaker import MixerSpeaker, SpeakerFault, outputs
    from hardware.voice import EspeakVoice, available

    config = configuration.load(args.config)
    sound, said = config.sound, language(args.lang or config.language)
    speaker = MixerSpeaker(args.device or sound.device)
    try:
        if args.list:
            print("\n".join(outputs()))
            return 0
        speaker.set_up()
    except SpeakerFault as fault:
        raise Fault(fault.code, f"{fault.words}.") from fault
    try:
        speaker.volume(sound.volume / 100)
        for name in NAMES:
            print(name, flush=True)
            speaker.play(name)
            _until(lambda: not speaker.playing, pause)
            pause(GAP_S)
        if not available():
            print("AUD-02: the voice is not installed: sudo apt install espeak-ng", file=sys.stderr)
            return 0
        dice = sayings.dice([HeardDie(1, 5, 3), HeardDie(2, 5, 7)])
        words = said.say(_("Thrown: {dice}.", dice=dice))
        print(words, flush=True)
        voice = EspeakVoice(said.code, sound.rate)
        voice.begin(sayings.for_the_ear(words), time.monotonic())

        def spoken() -> bool:
            wav = voice.poll(time.monotonic())
            if wav is not None:
                speaker.speak(wav)
            return not (voice.busy or speaker.speaking)

        _until(spoken, pause)
    finally:
        speaker.tear_down()
    return 0


def _until(true: Callable[[], bool], pause: Callable[[float], None]) -> None:
    waited = 0.0
    while not true() and waited < LONGEST_S:
        pause(WAIT_S)
        waited += WAIT_S
