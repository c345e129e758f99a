"""The window: owns pygame's display, shows views in it, and says what was pressed or touched.

Room: display. Knows no rule and no intent: what a key means is the table's business. The caller hands in the time.
Only pygame's display and font modules are started; SDL's own signal handlers stay off, or SIGTERM would become an
event that nobody reads.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pygame

from display.screen import Screen
from display.view import View
from display.words import ENGLISH, Words

log = logging.getLogger(__name__)

KIOSK_DRIVERS = ("wayland", "kmsdrm", "x11")
"""What a kiosk tries, in this order; never a driver that shows nothing."""

BLIND_DRIVERS = frozenset({"dummy", "offscreen", "evdev"})
"""Drivers of SDL that show nothing to anybody."""


class DisplayFault(Exception):
    """There is no screen to draw on. `code` is stable (`DSP-01`), `words` tell the person at the machine what to do."""

    def __init__(self, code: str, words: str) -> None:
        super().__init__(f"{code}: {words}")
        self.code = code
        self.words = words


@dataclass(frozen=True, slots=True)
class KeyDown:
    """A key went down. `key` is pygame's name of it: "s", "1", "space", "return", "up"."""

    key: str


@dataclass(frozen=True, slots=True)
class KeyUp:
    """A key was let go."""

    key: str


@dataclass(frozen=True, slots=True)
class Touch:
    """A finger or the mouse touched pixel (`x`, `y`) of the window; `Window.hit` says what lies there."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class CloseRequest:
    """Somebody asked the window to close. Never comes from a kiosk."""


@dataclass(frozen=True, slots=True)
class FocusLost:
    """The keyboard went to another window: keys that are down will never be seen going up."""


RawInput = KeyDown | KeyUp | Touch | CloseRequest | FocusLost


class Window:
    """A window or a whole screen that shows views.

    `size` None takes the screen's own size when `fullscreen`, else 1280x720. `driver` is an SDL video driver's name;
    None lets a kiosk try KIOSK_DRIVERS and a desk take SDL's choice. A `kiosk` is full screen, hides the pointer, and
    passes on neither Escape nor Alt-F4 nor a request to close. Raises DisplayFault `DSP-01` if there is no driver
    that shows anything, listing what was tried. `rotation`, `theme` and the rest: see `Screen`.
    `display`: which of several screens, from 0.
    """

    def __init__(
        self,
        *,
        size: tuple[int, int] | None = None,
        fullscreen: bool = False,
        kiosk: bool = False,
        driver: str | None = None,
        rotation: int = 0,
        theme: str = "dark",
        words: Words = ENGLISH,
        reduced_motion: bool = False,
        brightness: int = 100,
        title: str = "dicetable",
        display: int = 0,
    ) -> None:
        self.kiosk = kiosk
        self._style: dict[str, Any] = {
            "rotation": rotation,
            "theme": theme,
            "words": words,
            "reduced_motion": reduced_motion,
            "brightness": brightness,
        }
        self._owns_display = True
        self.driver = _open_driver(driver, kiosk)
        flags = pygame.FULLSCREEN if fullscreen or kiosk else pygame.RESIZABLE
        if size is None:
            size = (0, 0) if flags == pygame.FULLSCREEN else (1280, 720)
        pygame.display.set_caption(title)
        try:
            self.surface = pygame.display.set_mode(size, flags, display=display)
        except pygame.error as error:
            pygame.display.quit()
            raise DisplayFault("DSP-02", f"the screen can't be opened at {size}: {error}. Try another size.") from error
        pygame.mouse.set_visible(not kiosk)
        pygame.key.set_repeat()
        log.info("display: driver %s, %dx%d, rotation %d", self.driver, *self.surface.get_size(), rotation)
        self._screen = self._new_screen()

    @classmethod
    def offscreen(
        cls,
        size: tuple[int, int],
        *,
        rotation: int = 0,
        theme: str = "dark",
        words: Words = ENGLISH,
        reduced_motion: bool = False,
        brightness: int = 100,
    ) -> Window:
        """A window that nobody sees, for tests and demonstrations without a screen; it uses no driver at all."""
        window = cls.__new__(cls)
        window.kiosk = False
        window._style = {
            "rotation": rotation,
            "theme": theme,
            "words": words,
            "reduced_motion": reduced_motion,
            "brightness": brightness,
        }
        window._owns_display = False
        window.driver = "none"
        window.surface = pygame.Surface(size, 0, 32)
        window._screen = window._new_screen()
        return window

    def _new_screen(self) -> Screen:
        return Screen(self.surface.get_size(), **self._style)

    def restyle(self, **changes: Any) -> None:
        """Change how the screen looks from now on: `rotation`, `theme`, `words`, `reduced_motion`, `brightness`.

        Raises ValueError for a value that there is not, TypeError for another name; then nothing has changed.
        """
        screen = Screen(self.surface.get_size(), **{**self._style, **changes})
        self._style.update(changes)
        self._screen = screen

    @property
    def size(self) -> tuple[int, int]:
        return self.surface.get_size()

    def show(self, view: View, t: float) -> list[pygame.Rect]:
        """Draw `view` as of time `t` and bring what changed onto the glass; returns the changed rectangles."""
        if self.surface.get_size() != self._screen.size:
            self._refresh()
        rects = self._screen.draw(self.surface, view, t)
        if rects and self._owns_display:
            pygame.display.update(rects)
        return rects

    def hit(self, x: float, y: float) -> str | None:
        """What lies at pixel (`x`, `y`) of the window; see `Screen.hit`."""
        return self._screen.hit(x, y)

    def save(self, path: str | Path) -> None:
        """Write what is shown as a PNG file."""
        pygame.image.save(self.surface, str(path))

    def inputs(self) -> Iterator[RawInput]:
        """What was pressed or touched since the last call. Never waits."""
        if not self._owns_display:
            return
        for event in pygame.event.get():
            if event.type in (pygame.VIDEORESIZE, pygame.WINDOWEXPOSED, pygame.WINDOWRESTORED):
                self._refresh()
                continue
            found = translate(event, self.size, self.kiosk)
            if found is not None:
                yield found

    def _refresh(self) -> None:
        """The window was resized or uncovered: draw all of it next time."""
        now = pygame.display.get_surface()
        if now is not None and (now is not self.surface or now.get_size() != self._screen.size):
            self.surface = now
            self._screen = self._new_screen()
        self._screen.forget()

    def close(self) -> None:
        """Give the screen back. Idempotent."""
        if self._owns_display and pygame.display.get_init():
            pygame.display.quit()


def translate(event: pygame.event.Event, size: tuple[int, int], kiosk: bool) -> RawInput | None:
    """A pygame event as a plain value; None for one that means nothing here, or that a `kiosk` keeps to itself.

    `size` is the window's, in pixels: fingers come as shares of it. SDL makes a mouse event of every touch as well;
    those are left out, or a touch would count twice.
    """
    if event.type in (pygame.KEYDOWN, pygame.KEYUP):
        name = pygame.key.name(event.key)
        leaves = name == "escape" or (name == "f4" and event.mod & pygame.KMOD_ALT)
        if not name or (kiosk and leaves):
            return None
        return KeyDown(name) if event.type == pygame.KEYDOWN else KeyUp(name)
    if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and not getattr(event, "touch", False):
        return Touch(float(event.pos[0]), float(event.pos[1]))
    if event.type == pygame.FINGERDOWN:
        return Touch(event.x * size[0], event.y * size[1])
    if event.type == pygame.WINDOWFOCUSLOST:
        return FocusLost()
    if event.type == pygame.QUIT and not kiosk:
        return CloseRequest()
    return None


def _open_driver(driver: str | None, kiosk: bool) -> str:
    """Start pygame's display with a driver that shows something, and return the driver's name."""
    asked = driver or os.environ.get("SDL_VIDEODRIVER")
    candidates: tuple[str | None, ...] = (asked,) if asked else KIOSK_DRIVERS if kiosk else (None,)
    tried = []
    for candidate in candidates:
        if candidate is not None:
            os.environ["SDL_VIDEODRIVER"] = candidate
        try:
            pygame.display.quit()
            pygame.display.init()
        except pygame.error as error:
            tried.append(f"{candidate or 'SDL`s choice'} ({error})")
            continue
        name = pygame.display.get_driver()
        if name.lower() not in BLIND_DRIVERS:
            if name.lower() == "kmsdrm":
                # Where libGL.so.1 is missing, SDL's first choice ("opengl") gets a GLES context, draws nothing and
                # reports no error: the screen stays black.
                os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "opengles2")
            return name
        pygame.display.quit()
        tried.append(f"{name} (shows nothing)")
    if not asked:
        os.environ.pop("SDL_VIDEODRIVER", None)
    raise DisplayFault(
        "DSP-01",
        f"no screen to draw on; tried {', '.join(tried)}. Connect a screen and start again, "
        "or on Raspberry Pi OS Lite install python3-pygame, which can draw without a desktop.",
    )
