"""A kiosk can't be left by whoever stands at it, and ends at once when the system asks.

Room: tests of the whole table. The program runs as it is, but draws on SDL's dummy driver, which it would refuse.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
import os, sys
os.environ["SDL_VIDEODRIVER"] = "dummy"
import display.window as window
import pygame
from firmware import cli

window.BLIND_DRIVERS = frozenset()
shown = window.Window.show
count = 0

def show(self, view, t):
    global count
    count += 1
    if count == 5:
        key = dict(unicode="", scancode=0)
        for kind in (pygame.KEYDOWN, pygame.KEYUP):
            pygame.event.post(pygame.event.Event(kind, key=pygame.K_ESCAPE, mod=0, **key))
            pygame.event.post(pygame.event.Event(kind, key=pygame.K_F4, mod=pygame.KMOD_LALT, **key))
        pygame.event.post(pygame.event.Event(pygame.QUIT))
        pygame.event.post(pygame.event.Event(pygame.WINDOWCLOSE, window=None))
    if count == 15:
        left = [e for e in pygame.event.get() if e.type in (pygame.QUIT, pygame.KEYDOWN)]
        print("alive", pygame.mouse.get_visible(), self.driver, len(left), view.message, flush=True)
    return shown(self, view, t)

window.Window.show = show
sys.exit(cli.main(["play", "--platform", "sim", "--kiosk", "--data", sys.argv[1]]))
"""


def test_escape_alt_f4_and_close_do_nothing_and_sigterm_ends_it_in_five_seconds(tmp_path: Path) -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert program.stdout is not None
        line = program.stdout.readline()
        assert line.split() == ["alive", "False", "dummy", "0", "None"], program.communicate(timeout=60)
        program.send_signal(signal.SIGTERM)
        asked = time.monotonic()
        _, said = program.communicate(timeout=60)
        assert time.monotonic() - asked < 5.0
        assert (program.returncode, said) == (0, "")
    finally:
        program.kill()
