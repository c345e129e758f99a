"""display: a View in, pixels out. Knows no rules, no devices and no clock."""

import os

# Before anything here imports pygame: SDL's own signal handlers would turn SIGTERM into an event that nobody reads.
os.environ.setdefault("SDL_NO_SIGNAL_HANDLERS", "1")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
