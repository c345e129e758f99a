"""Play: open the table.

Room: firmware. Puts the parts together, runs the loop until SIGTERM, and takes everything apart again.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rules
from firmware import config as configuration
from firmware import words
from firmware.config import Config
from firmware.errors import Fault
from firmware.keeping import Keeping, Way
from firmware.kept_settings import KEYS, KeptSettings, value_of
from firmware.language import LANGUAGES, language
from firmware.lock import InstanceLock
from firmware.safe_start import StartGuard, guarded_config
from firmware.table import TableSettings
from firmware.watchdog import Watchdog, notifier, watchdog_s
from rules.said import said as _

if TYPE_CHECKING:
    from display.window import Window
    from firmware.audio import Audio
    from firmware.journal import Journal
    from firmware.results_file import ResultsFile
    from firmware.spectators import Spectators
    from firmware.table import Event

STEP_S = 1 / 60
SCREEN_WAIT_S = 60.0
"""A kiosk waits this long for a screen that is not there yet; then it ends, to be started again."""
SCREEN_TRY_S = 1.0
AGAIN = 75
"""What `play` returns when a menu asked for a new start."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration (default: the user's)")
    parser.add_argument("--platform", choices=["sim", "desk", "pi"], help="in place of the configuration's")
    parser.add_argument("--game", metavar="NAME", help="in place of the configuration's")
    parser.add_argument("--players", type=int, metavar="N", help="how many play, 1 to 8")
    parser.add_argument("--language", choices=list(LANGUAGES), help="of the screen, in place of the configuration's")
    parser.add_argument("--data", metavar="FOLDER", help="where the journal lies")
    parser.add_argument(
        "--offscreen",
        type=Path,
        metavar="FILE",
        help="draw on no screen at all, and write the last picture to FILE when it ends; for tests and remote helpers",
    )
    parser.add_argument(
        "--kiosk",
        action="store_true",
        help="take the whole screen, wait for it, and leave by SIGTERM only: what the service does, and platform pi",
    )
    parser.add_argument(
        "--demo-without-screen",
        action="store_true",
        help="where there is no screen, play a demonstration game in the terminal",
    )


def run(args: argparse.Namespace) -> int:
    stop = _Stop()
    # Before pygame: SDL must not take the signals for itself.
    os.environ["SDL_NO_SIGNAL_HANDLERS"] = "1"
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    config, guard = _configuration(args)
    # Imported late: SDL reads the environment when pygame is first loaded.
    from display.window import DisplayFault

    try:
        status = play(config, stop, args.offscreen, guard, args.kiosk)
        if status == AGAIN and "INVOCATION_ID" not in os.environ:
            # A service is started again by who started it.
            os.execv(sys.executable, [sys.executable, "-m", "firmware.cli", *sys.argv[1:]])
        return 0 if status == AGAIN else status
    except DisplayFault as fault:
        if fault.code != "DSP-01" or not args.demo_without_screen:
            raise
        print(f"dicetable: {fault}", file=sys.stderr)
        print("Playing a demonstration game in the terminal instead.\n")
        from firmware.demo_command import demonstrate

        return demonstrate(rounds=3, players=2, seed=7, out=Path("build/demo"))


def _configuration(args: argparse.Namespace) -> tuple[Config, StartGuard]:
    said = {
        "platform": args.platform,
        "game": args.game,
        "players": args.players,
        "data": args.data,
        "language": args.language,
    }
    if args.game is not None:
        check_game(args.game)
    found: Config | Fault
    try:
        found = configuration.load(args.config, **said)
        check_game(found.game)
    except Fault as fault:
        found = fault
    return guarded_config(found, args.config, **said)


def _names(config: Config) -> tuple[str, ...]:
    """The seats' names; those that the configuration leaves out are "Player 3" in the table's language."""
    named = config.names
    say = language(config.language).say
    return tuple(named[i] if i < len(named) else say(_("Player {n}", n=i + 1)) for i in range(8))


def check_game(name: str) -> None:
    """Raises Fault CFG-03 for a game that there is not."""
    playable = [g.name for g in rules.games()]
    if name not in playable:
        raise Fault("CFG-03", f"there is no game {name!r} for this table.", f"There are: {', '.join(playable)}.")


class _Stop:
    """SIGTERM and SIGINT ask the loop to end; SIGHUP, which a closing terminal sends, does not."""

    def __init__(self) -> None:
        self.asked = False
        signal.signal(signal.SIGTERM, self._ask)
        signal.signal(signal.SIGINT, self._ask)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    def _ask(self, *_: object) -> None:
        self.asked = True


def play(
    config: Config,
    stop: _Stop,
    offscreen: Path | None = None,
    guard: StartGuard | None = None,
    kiosk: bool = False,
) -> int:
    """Run the table that `config` describes until `stop` is asked for. `guard` is told how the start went."""
    from firmware.journal import Journal

    dog = Watchdog(notifier(), watchdog_s())
    closers: list[Callable[[], object]] = []
    lock = InstanceLock(config.data_folder)
    closers.append(lock.close)
    guard = guard or StartGuard(config.data_folder)
    guard.begin()
    shown = False

    def now_shown() -> None:
        nonlocal shown
        if not shown:
            shown = True
            guard.shown()

    try:
        journal = Journal(config.data_folder / "journal.sqlite3")
        closers.append(journal.close)
        kiosk = kiosk or config.platform == "pi"
        status = _play(config, stop, journal, closers, offscreen, guard.banner, now_shown, dog, kiosk)
        if not shown:
            guard.called_off()
        return status
    except Exception as problem:
        if getattr(problem, "code", "") == "DSP-01":
            guard.called_off()
        elif not shown:
            guard.failed(problem)
        raise
    finally:
        dog.stopping()
        for close in reversed(closers):
            close()


def _play(
    config: Config,
    stop: _Stop,
    journal: Journal,
    closers: list[Callable[[], object]],
    offscreen: Path | None,
    banner: str,
    shown: Callable[[], None],
    dog: Watchdog,
    kiosk: bool,
) -> int:
    from firmware.eye_service import EyeService
    from firmware.health import Health
    from firmware.loop import Loop, LoopEvent, Parts
    from firmware.machine import Machine
    from firmware.platforms import eye_spec, make_panel
    from firmware.table import Table

    kept = KeptSettings(config.data_folder)
    # Safe mode means defaults, whatever was changed before.
    config = config if banner else kept.merged(config)
    events: queue.SimpleQueue[LoopEvent] = queue.SimpleQueue()
    # The camera process starts before the screen, so that nothing of SDL is in it.
    eye = EyeService(eye_spec(config), events.put)
    closers.append(eye.close)

    window = wait_for_screen(lambda: _open_window(config, offscreen, kiosk), stop, dog, kiosk=kiosk)
    if window is None:
        return 0
    closers.append(window.close)
    if offscreen is not None:
        closers.append(lambda: window.save(offscreen))
    panel, close_panel = make_panel(config, events.put, time.monotonic)
    closers.append(close_panel)
    keeping = Keeping(Way(config.keeping.way), tuple(config.keeping.strip))
    settings = TableSettings(
        config.game,
        config.players,
        _names(config),
        die_cursor=config.panel.buttons == 3,
        keeping=keeping,
        attract=True,
        event=event_of(config),
    )
    table = Table(settings, journal.last_game())
    spectators = _spectators(config)
    if spectators is not None:
        closers.append(spectators.close)
    audio = make_audio(config)
    closers.append(audio.close)
    audio.set_up(time.monotonic())
    health = Health(config, events.put)
    closers.append(health.close)
    health.start()
    loop = Loop(
        Parts(
            table,
            journal,
            eye,
            panel,
            window,
            events,
            time.monotonic,
            layout=config.panel.buttons,
            language=language(config.language),
            audio=audio,
            machine=Machine(window, journal, audio=audio, kept=kept, say=_log),
            facts=facts_of(config, journal.path),
            results=results_of(config, journal.path),
            spectators=spectators,
            stable_ms=config.panel.stable_ms if config.platform == "pi" else 0.0,
            banners=(*((words.SIMULATED,) if config.platform == "sim" else ()), *((banner,) if banner else ())),
        )
    )
    while not (stop.asked or loop.closed):
        began = time.monotonic()
        loop.step()
        shown()
        dog.ready(f"playing, screen {window.driver}, {window.size[0]}x{window.size[1]}")
        dog.feed(began, loop.beats)
        time.sleep(max(0.0, STEP_S - (time.monotonic() - began)))
    shown()
    return AGAIN if loop.again else 0


def make_audio(config: Config) -> Audio:
    """What the table lets be heard; its device is not opened yet."""
    from firmware.audio import Audio, AudioSettings
    from hardware.speaker import MixerSpeaker
    from hardware.voice import EspeakVoice, available

    sound = config.sound
    return Audio(
        MixerSpeaker(sound.device),
        EspeakVoice(config.language, sound.rate) if available() else None,
        AudioSettings(sound.on, sound.volume / 100, sound.quiet, sound.caller, sound.spoken, sound.noon),
        language=language(config.language),
        minute=_minute_of_day,
        log=_log,
    )


def _log(line: str) -> None:
    print(f"dicetable: {line}", file=sys.stderr)


def event_of(config: Config) -> Event | None:
    """What a host has fixed for the evening. Raises Fault CFG-02 for options that the game does not have."""
    from firmware.table import Event

    event = config.event
    if not (event.name or event.options or event.clock_s):
        return None
    options = {k: tuple(v) if isinstance(v, list) else v for k, v in event.options.items()}
    try:
        rules.new(config.game, ["A"], **{k: v for k, v in options.items() if k != "head_start"})
    except rules.RulesError as error:
        raise Fault("CFG-02", f"event.options: {error.words}.", "Mend these keys; nothing was changed.") from error
    return Event(event.name, options, event.clock_s)


def results_of(config: Config, journal: Path) -> ResultsFile | None:
    """The text file of results: where the configuration says, else beside the journal."""
    from firmware.results_file import ResultsFile

    path = Path(config.event.results).expanduser() if config.event.results else config.data_folder / "results.txt"
    return ResultsFile(path, journal, config.event.name)


def _spectators(config: Config) -> Spectators | None:
    """The second screen, where the configuration asks for one."""
    if config.event.spectators < 0:
        return None
    from firmware.spectators import Spectators, SpectatorSpec

    return Spectators(
        SpectatorSpec(
            config.event.spectators,
            fullscreen=config.platform == "pi" or config.event.spectators > 0,
            theme=config.screen.theme,
            language=config.language,
            name=config.event.name or "dicetable",
        )
    )


def facts_of(config: Config, journal: Path) -> dict[str, Any]:
    """What the table's menus show: what is set, names that are remembered, sets of dice, version and platform."""
    from firmware.journal_names import known_names

    sets = _dice_sets(config.camera.calibration)
    return {
        "language": config.language,
        "names": known_names(journal, config.names),
        "platform": config.platform,
        "version": _version(),
        "data": str(config.data_folder),
        "calibration_file": str(config.data_folder / "table.json"),
        "dice": config.camera.dice or next(iter(sets), ""),
        "dice_sets": sets,
        "pin": config.service.pin,
        **{key: value_of(config, key) for key in KEYS if key.startswith(("sound.", "screen."))},
    }


def _version() -> str:
    with suppress(PackageNotFoundError):
        return installed_version("dicetable")
    return "?"


def _dice_sets(calibration: str) -> tuple[str, ...]:
    """The names of the sets that were learnt, the one in use first: read as plain JSON, since the table's process never
    imports OpenCV."""
    if not calibration:
        return ()
    with suppress(OSError, ValueError, AttributeError, TypeError, KeyError):
        known = json.loads(Path(calibration).expanduser().read_text("utf-8"))
        return (str(known["name"]), *(str(name) for name in known["sets"]))
    return ()


def _minute_of_day() -> int:
    now = time.localtime()
    return now.tm_hour * 60 + now.tm_min


def wait_for_screen(
    open_window: Callable[[], Window],
    stop: _Stop,
    dog: Watchdog,
    *,
    kiosk: bool,
    now: Callable[[], float] = time.monotonic,
    pause: Callable[[float], None] = time.sleep,
) -> Window | None:
    """The window; None if the end was asked for while there was none.

    A kiosk's screen may be switched on after the machine, so it is tried again for SCREEN_WAIT_S. Raises DisplayFault.
    """
    from display.window import DisplayFault

    until = now() + SCREEN_WAIT_S
    while True:
        try:
            return open_window()
        except DisplayFault as fault:
            if not kiosk or fault.code != "DSP-01" or now() >= until:
                raise
            dog.waiting("waiting for a screen (DSP-01)", until - now() + 30.0)
        for _part in range(10):
            if stop.asked:
                return None
            pause(SCREEN_TRY_S / 10)


def _open_window(config: Config, offscreen: Path | None, kiosk: bool) -> Window:
    from display.window import Window

    screen, said = config.screen, language(config.language)
    size = (screen.width, screen.height)
    if offscreen is not None:
        return Window.offscreen(
            size,
            rotation=screen.rotation,
            theme=screen.theme,
            words=said.words,
            reduced_motion=screen.reduced_motion,
            brightness=screen.brightness,
        )
    return Window(
        size=None if kiosk or screen.fullscreen else size,
        fullscreen=screen.fullscreen,
        kiosk=kiosk,
        rotation=screen.rotation,
        theme=screen.theme,
        words=said.words,
        reduced_motion=screen.reduced_motion,
        brightness=screen.brightness,
    )
