"""A tray drawn for tests of the watcher: dice, a hand, light, and a reader that knows what was drawn.

It is plain on purpose. What real pictures look like is tested elsewhere, with the real reader.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.types import Die, Frame, Image, Reading, Reason, Status, Tray, TrayEvent, TrayEventKind
from vision.watcher import Watcher

from .drawn_dice import PIPS

WIDTH, HEIGHT = 320, 200
EDGE = 17.0
SPOTS = ((60.0, 50.0), (130.0, 45.0), (205.0, 60.0), (90.0, 130.0), (165.0, 140.0), (240.0, 135.0))


@dataclass
class DrawnDie:
    value: int
    x: float
    y: float
    angle_deg: float = 20.0

    def seen(self) -> Die:
        turn = math.radians(self.angle_deg)
        c, s = math.cos(turn) * EDGE / 2, math.sin(turn) * EDGE / 2
        corners = tuple(
            (self.x + u * c - v * s, self.y + u * s + v * c) for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        )
        return Die(self.value, 0.95, self.x, self.y, corners)  # type: ignore[arg-type]


@dataclass
class DrawnTray:
    """Frames come at `fps`; `watcher` has seen all of them and `events` holds what it said."""

    expected: int | None = 5
    fps: float = 30.0
    tray: Tray | None = None
    dice: list[DrawnDie] = field(default_factory=list)
    hand: tuple[float, float] | None = None
    glass: tuple[float, float] | None = None
    gain: float = 1.0
    shadow: tuple[float, float, float] | None = None
    """Centre x, y and darkness of a soft round shadow."""
    knock: tuple[float, float] = (0.0, 0.0)
    noise: float = 2.0
    doubts: tuple[Reason, ...] = ()
    lie: dict[int, int] = field(default_factory=dict)
    """For the next readings: index of a die -> the value that is read instead."""

    def __post_init__(self) -> None:
        self.random = np.random.default_rng(7)
        self.number = 0
        self.events: list[TrayEvent] = []
        self.readings = 0
        self.truth: dict[int, tuple[Image, list[Die], bool, tuple[Reason, ...]]] = {}
        self.felt = self._felt()
        self.grain = self.random.normal(0, self.noise, (8, HEIGHT, WIDTH, 3)).astype(np.float32)
        self.watcher = Watcher(self.tray or Tray(dice=self.expected), read=self.read)

    def _felt(self) -> Image:
        picture = np.full((HEIGHT, WIDTH, 3), (60, 95, 50), np.float32)
        picture += self.random.normal(0, 6, (HEIGHT, WIDTH, 1)).astype(np.float32)
        rim = 13
        wood = (40, 70, 110)
        picture[:rim] = picture[-rim:] = wood
        picture[:, :rim] = picture[:, -rim:] = wood
        return np.clip(picture, 0, 255).astype(np.uint8)

    def picture(self) -> Image:
        """What the camera sees now."""
        image = self.felt.copy()
        for die in self.dice:
            seen = die.seen()
            cv2.fillPoly(
                image, [np.round(np.array(seen.corners) * 16).astype(np.int32)], (215, 225, 230), cv2.LINE_AA, 4
            )
            turn = math.radians(die.angle_deg)
            for u, v in PIPS[die.value]:
                x = die.x + 0.26 * EDGE * (u * math.cos(turn) - v * math.sin(turn))
                y = die.y + 0.26 * EDGE * (u * math.sin(turn) + v * math.cos(turn))
                cv2.circle(
                    image, (round(x * 16), round(y * 16)), round(0.09 * EDGE * 16), (30, 25, 25), -1, cv2.LINE_AA, 4
                )
        if self.glass is not None:
            cv2.circle(image, (int(self.glass[0]), int(self.glass[1])), 22, (200, 190, 170), 3, cv2.LINE_AA)
        if self.hand is not None:
            x, y = int(self.hand[0]), int(self.hand[1])
            cv2.line(image, (x, y), (WIDTH + 30, y + 20), (120, 150, 205), 40)
            for k in (-15, 0, 15):
                cv2.line(image, (x, y + k // 2), (x - 15, y + k), (120, 150, 205), 9)
        picture = image.astype(np.float32) * np.float32(self.gain)
        if self.shadow is not None:
            x, y, dark = self.shadow
            yy, xx = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
            picture *= (1.0 - dark * np.exp(-((xx - x) ** 2 + (yy - y) ** 2) / (2 * 45.0**2)))[:, :, None]
        if self.knock != (0.0, 0.0):
            move = np.array([[1, 0, self.knock[0]], [0, 1, self.knock[1]]], np.float64)
            picture = cv2.warpAffine(picture, move, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE)
        picture += self.grain[int(self.random.integers(len(self.grain)))]
        return np.clip(picture, 0, 255).astype(np.uint8)

    def read(self, image: Image, tray: Tray) -> Reading:
        """The reader: it tells what was drawn, and doubts what a hand or a glass may hide."""
        self.readings += 1
        _, dice, hidden, doubts = self.truth[id(image)]
        seen = [Die(self.lie.get(k, d.value), d.confidence, d.x, d.y, d.corners) for k, d in enumerate(dice)]
        reasons = (*doubts, *((Reason("foreign", 150.0, 100.0),) if hidden else ()))
        if tray.dice is not None and len(seen) != tray.dice and seen:
            reasons = (*reasons, Reason("count"))
        if reasons:
            return Reading(Status.UNSURE, tuple(seen), reasons, 1.0)
        return Reading(Status.READ if seen else Status.EMPTY, tuple(seen), (), 1.0)

    # --- what happens at the table ---

    def frame(self) -> list[TrayEvent]:
        """One more frame; what the watcher said to it."""
        image = self.picture()
        hidden = self.hand is not None or self.glass is not None
        self.truth[id(image)] = (image, [d.seen() for d in self.dice], hidden, self.doubts)
        while len(self.truth) > 16:
            self.truth.pop(next(iter(self.truth)))
        events = self.watcher.step(Frame(image, self.number, self.number / self.fps))
        self.number += 1
        self.events += events
        return events

    def rest(self, seconds: float) -> list[TrayEvent]:
        """Let time pass with nothing moving."""
        said: list[TrayEvent] = []
        for _ in range(round(seconds * self.fps)):
            said += self.frame()
        return said

    def throw(self, values: Sequence[int], spots: Sequence[tuple[float, float]]) -> list[TrayEvent]:
        """Dice come rolling from the left and stop at `spots` with `values` on top."""
        said: list[TrayEvent] = []
        rolling = [DrawnDie(1, 30.0, y) for _, y in spots]
        self.dice += rolling
        frames = max(3, round(0.6 * self.fps))
        for k in range(frames):
            share = 1 - (1 - (k + 1) / frames) ** 2
            for die, value, (x, y) in zip(rolling, values, spots, strict=True):
                last = k == frames - 1
                die.x, die.y = 30.0 + (x - 30.0) * share, y
                die.value = value if last else int(self.random.integers(1, 7))
                die.angle_deg = 20.0 + (0.0 if last else 300.0 * (1 - share))
            said += self.frame()
        return said

    def reach(self, x: float, y: float, then: object = None) -> list[TrayEvent]:
        """A hand comes in from the right to (x, y), does `then`, and leaves."""
        said: list[TrayEvent] = []
        steps = max(3, round(0.4 * self.fps))
        path = [(WIDTH + 20 + (x - WIDTH - 20) * k / steps, y) for k in range(1, steps + 1)]
        for self.hand in path:
            said += self.frame()
        if callable(then):
            then()
        for self.hand in reversed(path):
            said += self.frame()
        self.hand = None
        return said + self.frame()

    def take(self, *indices: int) -> list[TrayEvent]:
        """A hand takes the dice with these indices, one after the other."""
        said: list[TrayEvent] = []
        for die in [self.dice[i] for i in indices]:
            said += self.reach(die.x + 10, die.y, lambda die=die: self.dice.remove(die))
        return said


def rolls(events: Sequence[TrayEvent]) -> list[TrayEvent]:
    return [e for e in events if e.kind is TrayEventKind.ROLL]


def states(events: Sequence[TrayEvent]) -> list[str]:
    return [e.state.value for e in events if e.kind is TrayEventKind.STATE]


def kinds(events: Sequence[TrayEvent]) -> list[str]:
    return [e.kind.value for e in events if e.kind is not TrayEventKind.STATE]
