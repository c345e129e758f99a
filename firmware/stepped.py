"""A whole table whose time is moved by hand: for demonstrations that need no waiting, and for tests.

Room: firmware. Everything is the real thing, camera back end, reader, loop, journal, screen; only the clock is ours,
the screen is drawn offscreen, and the eye runs in this process and is stepped.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from display.window import Window
from firmware.audio import Audio
from firmware.eye import Eye
from firmware.eye_service import EyeEvent, InlineEye
from firmware.journal import Journal
from firmware.kept_settings import KeptSettings
from firmware.loop import Loop, LoopEvent, Parts
from firmware.machine import Machine
from firmware.previews import PreviewRing
from firmware.roll_pictures import FOLDER, RollPictures
from firmware.table import Table, TableSettings
from hardware.buttons import Button, Edge
from hardware.camera import Camera, Clock
from hardware.mock_panel import MockPanel
from hardware.panel import Panel
from hardware.panel_keys import KEYS, KeyPanel
from vision.once import ReadOnce
from vision.types import Tray
from vision.watcher import Read, Watcher

TICK_S = 1 / 30


class HandClock:
    """Monotonic seconds that stand still until they are moved."""

    def __init__(self, t: float = 1000.0) -> None:
        self.t = t

    def now(self) -> float:
        return self.t

    def wait(self, seconds: float) -> None:
        """Nobody waits here: whoever moves the clock decides when a frame is due."""

    @property
    def clock(self) -> Clock:
        return Clock(self.now, self.wait)


class SteppedTable:
    """A table over the journal in `folder`. `camera` is made with `clock.clock` and not set up yet.

    With `mock` the buttons are presses on gpiozero mock pins (see `hardware.mock_panel`), else keys. The table carries
    on with the game that the journal holds, as after any start. `facts` are what its menus show, `read` stands in for
    the reader, `kept` remembers what menus change.
    """

    def __init__(
        self,
        folder: Path,
        camera: Camera,
        clock: HandClock,
        *,
        settings: TableSettings | None = None,
        layout: int = 8,
        mock: MockPanel | None = None,
        make_panel: Callable[[Callable[[Edge], None], Callable[[], float]], Panel] | None = None,
        size: tuple[int, int] = (1280, 720),
        tray: Tray | None = None,
        banners: tuple[str, ...] = (),
        tick_s: float = TICK_S,
        pictures_mb: float = 0.0,
        audio: Audio | None = None,
        facts: Mapping[str, Any] | None = None,
        read: Read | None = None,
        kept: KeptSettings | None = None,
    ) -> None:
        self.clock = clock
        self.tick_s = tick_s
        self.layout = layout
        self.mock = mock
        self.events: queue.SimpleQueue[LoopEvent] = queue.SimpleQueue()
        self.journal = Journal(folder / "journal.sqlite3", now=clock.now)
        self.table = Table(settings or TableSettings(), self.journal.last_game())

        pictures = RollPictures(folder / FOLDER, pictures_mb) if pictures_mb else None

        def make_eye(ring: PreviewRing, put: Callable[[EyeEvent], None]) -> Eye:
            watcher = Watcher(tray or Tray(), read=ReadOnce(read) if read else ReadOnce())
            return Eye(camera, watcher, ring, put, clock.now, pictures=pictures)

        self.inline = InlineEye(make_eye, self.events.put)
        self.camera = camera
        if make_panel is not None:
            now = mock.now if mock is not None else clock.now
            self.panel: Panel = make_panel(self.events.put, now)
        else:
            self.panel = KeyPanel(layout, self.events.put)
        if mock is not None:
            mock.advance(clock.t)
        self.window = Window.offscreen(size)
        self.loop = Loop(
            Parts(
                self.table,
                self.journal,
                self.inline,
                self.panel,
                self.window,
                self.events,
                clock.now,
                layout=layout,
                stable_ms=20.0 if mock is not None else 0.0,
                banners=banners,
                audio=audio,
                machine=Machine(self.window, self.journal, audio=audio, kept=kept),
                facts=facts or {},
            )
        )

    def step(self) -> None:
        """Let one tick pass: the panel's contacts, at most one frame, one turn of the loop, and the commit."""
        self.clock.t += self.tick_s
        if self.mock is not None:
            self.mock.advance(self.clock.t)
        self.inline.eye.step(0.0)
        self.loop.step()
        self.journal.wait(self.loop.token, 10.0)

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        end = self.clock.t + seconds - 1e-9
        while self.clock.t < end:
            self.step()

    def until(self, true: Callable[[], bool], seconds: float) -> bool:
        """Let time pass until something is true, for at most `seconds`. Was it?"""
        end = self.clock.t + seconds
        while not true():
            if self.clock.t >= end:
                return False
            self.step()
        return True

    def press(self, button: Button, held_s: float = 0.1) -> None:
        """Press a button, and let the time pass that this takes. People press what they see, so it is shown first."""
        self.advance(2 * self.tick_s)
        if self.mock is not None:
            self.mock.press(button, self.clock.t + 1e-3, held_s)
            self.advance(held_s + 5 * self.tick_s)
            return
        assert isinstance(self.panel, KeyPanel)
        key = KEYS[self.layout][button][0]
        self.panel.key(key, True, self.clock.t)
        self.advance(held_s + 2 * self.tick_s)
        self.panel.key(key, False, self.clock.t)
        self.advance(3 * self.tick_s)

    def save(self, path: Path) -> None:
        """Write what the screen shows as a PNG."""
        self.window.save(path)

    def tell_camera(self, order: str, **args: Any) -> None:
        self.camera.tell(order, args)

    def close(self) -> None:
        self.inline.close()
        self.panel.close()
        self.journal.close()
        self.window.close()
