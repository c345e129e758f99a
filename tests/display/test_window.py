"""The window: offscreen only when asked for, no driver that shows nothing, and inputs as plain values.

Room: tests of display.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pygame
import pytest

from display import samples
from display.theme import DAYLIGHT
from display.window import CloseRequest, DisplayFault, FocusLost, KeyDown, KeyUp, Touch, Window, translate
from display.words import Words

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def keyboard():
    """Names of keys need SDL's video; the tests' own driver shows nothing and is gone afterwards."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SDL_VIDEODRIVER", "dummy")
        pygame.display.init()
        yield
        pygame.display.quit()


@pytest.mark.parametrize("kiosk", [True, False])
@pytest.mark.parametrize("driver", ["dummy", "offscreen"])
def test_a_driver_that_shows_nothing_is_refused(driver, kiosk, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", driver)
    with pytest.raises(DisplayFault, match="Connect a screen") as fault:
        Window(kiosk=kiosk)
    assert fault.value.code == "DSP-01"
    assert driver in fault.value.words
    assert not pygame.display.get_init()


@pytest.mark.parametrize(("driver", "renderer"), [("KMSDRM", "opengles2"), ("x11", None)])
def test_straight_on_the_screen_sdl_draws_with_gles(driver, renderer, monkeypatch):
    """Seen in an emulated machine without libGL: SDL's first choice draws nothing there and says nothing about it."""
    monkeypatch.setenv("SDL_FRAMEBUFFER_ACCELERATION", "")
    monkeypatch.delenv("SDL_FRAMEBUFFER_ACCELERATION")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(pygame.display, "get_driver", lambda: driver)
    monkeypatch.setattr(pygame.display, "set_mode", lambda size, *_, **__: pygame.Surface((800, 480), 0, 32))
    monkeypatch.setattr(pygame.mouse, "set_visible", lambda _: True)
    window = Window(kiosk=True)
    try:
        assert os.environ.get("SDL_FRAMEBUFFER_ACCELERATION") == renderer
    finally:
        window.close()


def test_an_offscreen_window_starts_only_what_it_needs(tmp_path):
    """In a process of its own: no video, no mixer, no joystick; and the picture is written."""
    code = (
        "from display.window import Window; from display import samples; import pygame, sys;"
        "w = Window.offscreen((800, 480)); assert w.show(samples.turn(2), 0.0); w.save(sys.argv[1]);"
        "assert not pygame.display.get_init() and not pygame.mixer.get_init() and not pygame.joystick.get_init();"
        "assert list(w.inputs()) == []; w.close()"
    )
    path = tmp_path / "turn.png"
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "", "pygame's greeting is hidden"
    assert pygame.image.load(str(path)).get_size() == (800, 480)


def test_the_display_room_leaves_signals_alone():
    """SIGTERM must end the program even after SDL's video has started."""
    code = (
        "import os; os.environ['SDL_VIDEODRIVER'] = 'dummy';"
        "import display, pygame, signal; pygame.display.init();"
        "assert os.environ['SDL_NO_SIGNAL_HANDLERS'] == '1'; os.kill(os.getpid(), signal.SIGTERM)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, timeout=60, check=False)
    assert done.returncode == -15


def test_show_says_what_changed():
    window = Window.offscreen((480, 320))
    assert window.show(samples.turn(2), 0.0)
    assert window.show(samples.turn(2), 0.5) == []
    assert window.hit(1, 1) is None


def _key(kind: int, key: int, mod: int = 0) -> pygame.event.Event:
    return pygame.event.Event(kind, key=key, mod=mod, unicode="", scancode=0)


def test_keys_come_by_name(keyboard):
    size = (800, 480)
    assert translate(_key(pygame.KEYDOWN, pygame.K_s), size, False) == KeyDown("s")
    assert translate(_key(pygame.KEYUP, pygame.K_1), size, False) == KeyUp("1")
    assert translate(_key(pygame.KEYDOWN, pygame.K_ESCAPE), size, False) == KeyDown("escape")


def test_a_kiosk_cannot_be_left_by_keyboard(keyboard):
    size = (800, 480)
    assert translate(_key(pygame.KEYDOWN, pygame.K_ESCAPE), size, True) is None
    assert translate(_key(pygame.KEYDOWN, pygame.K_F4, pygame.KMOD_LALT), size, True) is None
    assert translate(pygame.event.Event(pygame.QUIT), size, True) is None
    assert translate(pygame.event.Event(pygame.QUIT), size, False) == CloseRequest()
    assert translate(pygame.event.Event(pygame.WINDOWFOCUSLOST), size, True) == FocusLost()
    assert translate(_key(pygame.KEYDOWN, pygame.K_s), size, True) == KeyDown("s")


def test_a_finger_counts_once():
    size = (800, 480)
    finger = pygame.event.Event(pygame.FINGERDOWN, x=0.5, y=0.25, touch_id=1, finger_id=1)
    shadow = pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(400, 120), touch=True)
    mouse = pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(10, 20), touch=False)
    wheel = pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=4, pos=(10, 20), touch=False)
    assert translate(finger, size, False) == Touch(400.0, 120.0)
    assert translate(shadow, size, False) is None
    assert translate(mouse, size, False) == Touch(10.0, 20.0)
    assert translate(wheel, size, False) is None


def test_a_window_changes_its_looks_at_once():
    window = Window.offscreen((480, 320))
    window.show(samples.turn(2), 0.0)
    bright = pygame.image.tobytes(window.surface, "RGB")
    window.restyle(brightness=50)
    assert window.show(samples.turn(2), 0.0) == [pygame.Rect(0, 0, 480, 320)]
    dim = pygame.image.tobytes(window.surface, "RGB")
    assert all(d <= b // 2 + 1 for d, b in zip(dim, bright, strict=True))
    window.restyle(brightness=100, theme="daylight", words=Words(total="Summe"), rotation=180)
    window.show(samples.turn(2), 0.0)
    assert window.surface.get_at((240, 2))[:3] == DAYLIGHT.ground
    with pytest.raises(ValueError, match="pink"):
        window.restyle(theme="pink")
    with pytest.raises(ValueError, match="30 to 100"):
        window.restyle(brightness=5)
    assert window.show(samples.turn(2), 0.0) == []
