"""What moves on the screen, as a function of the view and the time: when it moves, and how far it has come.

Room: display. Reads no clock: the time is handed in. Time goes in steps, so that between two of them nothing is drawn.
"""

from __future__ import annotations

import math

from display.view import Scene, View

STEP_S = 1 / 15
"""Movements go on in steps of this, in seconds."""
STILL = -1
"""The step of a picture in which nothing moves, or no longer does."""
MESSAGE_S = 0.45
COUNT_S = 1.4
BUMP = (5, 2, 6, 3, 1, 4)
"""What the dice of the invitation show, one after the other."""


def step(view: View, t: float, *, reduced: bool = False) -> int:
    """A number that changes whenever the picture of `view` changes by itself; STILL while it does not.

    `reduced`: nothing moves at all; movements are shown as they end.
    """
    if reduced:
        return STILL
    if view.scene is Scene.ATTRACT or view.tray.moving:
        return math.floor(t / STEP_S)
    since = t - view.since
    lasts = COUNT_S if view.scene is Scene.RESULT else MESSAGE_S if view.message is not None else 0.0
    return math.floor(since / STEP_S) if 0 <= since < lasts else STILL


def counted(at: int, lasts_s: float) -> float:
    """How much of a movement that lasts so long is done at step `at`: 0 to 1, fast at first."""
    if at == STILL:
        return 1.0
    share = min(1.0, max(0.0, at * STEP_S / lasts_s))
    return 1 - (1 - share) ** 3


def flashes(at: int) -> bool:
    """Whether a message that has just come is shown inverted."""
    return at != STILL and at * STEP_S < MESSAGE_S and (at // 2) % 2 == 0


def tumbling(at: int, n: int, width: float, height: float, side: float) -> tuple[float, float, int, int]:
    """Where die `n` of the invitation is at step `at`: left, top, a turn in 24ths, and its value.

    The dice hop through a band of `width` x `height` from left to right, one after the other.
    """
    if at == STILL:
        return (0.06 + 0.19 * n) * width, height - side, 0, BUMP[n % 6]
    seconds = at * STEP_S
    speed = width / 9.0
    way = width + 2 * side
    x = (seconds * speed + n * way / 5) % way - side
    hop = x / max(1.0, 1.6 * side) + 0.37 * n
    whole, part = divmod(hop, 1.0)
    y = (height - side) * (1 - 0.85 * 4 * part * (1 - part) * (0.6 + 0.4 * math.cos(n)))
    rounds = math.floor((seconds * speed + n * way / 5) / way)
    return x, y, int(part * 24) % 24, BUMP[(int(whole) + n + rounds) % 6]


def hopping(at: int, n: int) -> float:
    """How high above its place a die that rolls is drawn, as a share of its side."""
    if at == STILL:
        return 0.0
    return 0.28 * abs(math.sin(at * STEP_S * 7 + n * 1.3))
