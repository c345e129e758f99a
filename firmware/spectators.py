"""A second screen for those who watch: the same game without buttons, and the leaderboard while people set things up.

Room: firmware. It runs in a process of its own with its own window, so that nothing that goes wrong there (a screen
that is unplugged, a driver that blocks) reaches the game. Views go one way, only the latest counts.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection

from display.view import GridView, Scene, TrayView, View
from firmware.language import ENGLISH, Language
from rules.said import said as _

SHOWN = (Scene.ATTRACT, Scene.TURN, Scene.CHOOSE, Scene.CORRECT, Scene.ROLLOFF, Scene.RESULT, Scene.GRID)
"""Scenes that are for everybody; in the others somebody sets something up."""
PICTURES_S = 0.2
"""So often the tray's picture is passed on."""
STEP_S = 1 / 30


@dataclass(frozen=True, slots=True)
class SpectatorSpec:
    """The window: `display` from 0, in full or as a window of `size`; theme and language as at the table."""

    display: int = 0
    fullscreen: bool = True
    size: tuple[int, int] = (1280, 720)
    theme: str = "dark"
    language: str = "en"
    name: str = "dicetable"


def for_spectators(view: View, night: GridView | None, name: str, language: Language = ENGLISH) -> View:
    """What spectators see while the table shows `view`."""
    if view.scene not in SHOWN:
        prompt = language.say(_("The best of the night")) if night is not None else name
        return View(Scene.GRID if night is not None else Scene.ATTRACT, name, prompt, grid=night, since=view.since)
    detail = "" if view.scene is Scene.ATTRACT else view.detail
    prompt = name if view.scene is Scene.ATTRACT else view.prompt
    return replace(view, keys=(), message=None, prompt=prompt, detail=detail, banners=())


class Spectators:
    """Starts the process and passes views on from a thread, so that a slow screen holds nothing up."""

    def __init__(self, spec: SpectatorSpec) -> None:
        self._spec = spec
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=watch, args=(spec, theirs), daemon=True)
        self._process.start()
        theirs.close()
        self._latest: View | None = None
        self._sent: View | None = None
        self._pictured = 0.0
        self._news = threading.Event()
        self._closing = False
        self._thread = threading.Thread(target=self._pass_on, name="spectators", daemon=True)
        self._thread.start()

    def show(self, view: View, night: GridView | None, now: float, language: Language = ENGLISH) -> None:
        """This is on the table's screen now."""
        if view is self._sent:
            return
        old = self._sent
        only_picture = old is not None and replace(old, tray=TrayView()) == replace(view, tray=TrayView())
        if only_picture and now - self._pictured < PICTURES_S:
            return
        self._sent, self._pictured = view, now
        self._latest = for_spectators(view, night, self._spec.name, language)
        self._news.set()

    def close(self) -> None:
        """End the process. Idempotent."""
        self._closing = True
        self._news.set()
        self._thread.join(1.0)
        with suppress(OSError):
            self._pipe.close()
        self._process.join(1.0)
        if self._process.is_alive():
            self._process.kill()
            self._process.join(1.0)

    def _pass_on(self) -> None:
        while not self._closing:
            self._news.wait()
            self._news.clear()
            view, self._latest = self._latest, None
            if view is not None:
                try:
                    self._pipe.send(view)
                except (OSError, ValueError):
                    return  # the other process has gone; the game goes on


def watch(spec: SpectatorSpec, pipe: Connection) -> None:
    """The other process: a window that shows what comes, until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["SDL_NO_SIGNAL_HANDLERS"] = "1"
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    from display.window import CloseRequest, DisplayFault, Window
    from firmware.language import language

    words = language(spec.language).words
    size = None if spec.fullscreen else spec.size
    try:
        window = Window(
            size=size, fullscreen=spec.fullscreen, theme=spec.theme, words=words, display=spec.display, title=spec.name
        )
    except DisplayFault as fault:
        print(f"dicetable: spectators: {fault}", flush=True)
        return
    view = View(Scene.ATTRACT, spec.name, spec.name)
    try:
        while True:
            while pipe.poll():
                view = pipe.recv()
            if any(isinstance(event, CloseRequest) for event in window.inputs()):
                return
            window.show(view, time.monotonic())
            time.sleep(STEP_S)
    except (EOFError, OSError):
        return
    finally:
        window.close()
