"""Grounds and grains for the made pictures that the second witness is trained on: felt, wood, weave, print, grass.

Room: none; a tool for whoever trains. Knows numpy and cv2 only; not dice, nor the reader. All colour is linear light,
float32, RGB, about 0 to 1.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

Field = npt.NDArray[np.float32]
Rng = np.random.Generator

BANK_PX = 512


def fbm(rng: Rng, height: int, width: int, coarse_px: float, octaves: int, stretch: float = 1.0) -> Field:
    """Smooth noise with mean 0 and deviation 1; its largest blobs are `coarse_px` across, `stretch` times as long."""
    out = np.zeros((height, width), np.float32)
    size = coarse_px
    for octave in range(octaves):
        rows = max(2, int(height / size) + 2)
        cols = max(2, int(width / (size * stretch)) + 2)
        grid = rng.standard_normal((rows, cols)).astype(np.float32)
        out += cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC) * 0.55**octave
        size = max(1.0, size / 2)
    out -= out.mean()
    return out / (out.std() + 1e-6)


@cache
def bank() -> dict[str, list[Field]]:
    """Noise made once, that many dice sample: soft, streaked (wood), veined (marble), specks."""
    rng = np.random.default_rng(20)
    soft = [fbm(rng, BANK_PX, BANK_PX, 90, 6) for _ in range(6)]
    streak = [fbm(rng, BANK_PX, BANK_PX, 18, 4, 14) for _ in range(6)]
    vein = []
    for _ in range(6):
        warp = fbm(rng, BANK_PX, BANK_PX, 120, 4)
        vein.append(np.sin(fbm(rng, BANK_PX, BANK_PX, 160, 3) * 3 + warp * 2).astype(np.float32))
    speck = []
    for _ in range(3):
        grain = cv2.GaussianBlur(rng.standard_normal((BANK_PX, BANK_PX)).astype(np.float32), (0, 0), 3)
        speck.append((grain / grain.std() > 1.6).astype(np.float32) * 2 - 0.4)
    return {"soft": soft, "streak": streak, "vein": vein, "speck": speck}


def sample(field: Field, u: Field, v: Field, scale: float, rng: Rng) -> Field:
    """Look `field` up at (u, v), in units of a die's edge, `scale` pixels of the field an edge, at a random offset."""
    angle = rng.integers(0, 2) * np.pi / 2 + rng.normal(0, 0.1)
    du, dv = rng.uniform(0, BANK_PX, 2)
    x = (np.cos(angle) * u - np.sin(angle) * v) * scale + du
    y = (np.sin(angle) * u + np.cos(angle) * v) * scale + dv
    size = field.shape[0]
    return field[y.astype(np.int32) % size, x.astype(np.int32) % size]


def colour(rng: Rng, low: float = 0.01, high: float = 0.9, grey: float = 0.3) -> Field:
    """A colour of any hue; with probability `grey` nearly without one."""
    value = np.exp(rng.uniform(np.log(low), np.log(high)))
    if rng.random() < grey:
        tint = rng.normal(1, 0.06, 3)
    else:
        tint = rng.uniform(0.08, 1, 3)
        tint = tint / tint.max()
    return np.clip(value * tint, 0.003, 0.95).astype(np.float32)


def blank(size: int, base: Field) -> Field:
    return np.broadcast_to(base, (size, size, 3)).astype(np.float32).copy()


def write(art: Field, text: str, at: tuple[int, int], font: int, scale: float, tone: list[float], thick: int) -> None:
    """Put text on a float picture; OpenCV 5 writes on 8-bit ones only."""
    mask = np.zeros(art.shape[:2], np.uint8)
    cv2.putText(mask, text, at, font, scale, 255, thick, cv2.LINE_AA)
    ink = mask.astype(np.float32)[..., None] / 255
    art[:] = art * (1 - ink) + np.array(tone, np.float32) * ink


def _strokes(rng: Rng, size: int, die_px: float) -> Field:
    """Grass: many thin blades over one another."""
    base = np.array([0.06, 0.16, 0.03], np.float32) * rng.uniform(0.5, 2)
    out = blank(size, base)
    for _ in range(int(rng.uniform(150, 500))):
        x, y = rng.uniform(0, size, 2)
        angle, length = rng.uniform(0, 2 * np.pi), die_px * rng.uniform(0.2, 1.3)
        shade = (base * np.exp(rng.normal(0.1, 0.6)) * rng.uniform(0.7, 1.3, 3)).tolist()
        end = (int(x + length * np.cos(angle)), int(y + length * np.sin(angle)))
        cv2.line(out, (int(x), int(y)), end, shade, max(1, int(die_px * rng.uniform(0.01, 0.07))), cv2.LINE_AA)
    return out


_WORDS = [
    "ROLL",
    "score",
    "Yes",
    "87",
    "The quick",
    "TOTAL 35",
    "oOo",
    "8%",
    "B&B",
    "bonus",
    ":::",
    "* * *",
    "0",
    "i",
    "%",
]
_FONTS = [cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX]


def _print(rng: Rng, size: int, die_px: float) -> Field:
    """Print on cloth, board or paper: words, lines, rings, discs."""
    base, ink = colour(rng, 0.05, 0.9), colour(rng, 0.01, 0.6)
    out = blank(size, base)
    for _ in range(int(rng.uniform(4, 40))):
        x, y = (int(c) for c in rng.uniform(-0.1, 1.0, 2) * size)
        kind, tone = rng.integers(0, 5), ink.tolist()
        thick = max(1, int(die_px * rng.uniform(0.02, 0.1)))
        if kind <= 1:
            write(
                out,
                str(rng.choice(_WORDS)),
                (x, y),
                int(rng.choice(_FONTS)),
                die_px * rng.uniform(0.008, 0.05),
                tone,
                thick,
            )
        elif kind == 2:
            dx, dy = (int(c) for c in rng.normal(0, die_px * 2, 2))
            cv2.line(out, (x, y), (x + dx, y + dy), tone, thick, cv2.LINE_AA)
        elif kind == 3:
            cv2.circle(out, (x, y), max(1, int(die_px * rng.uniform(0.05, 0.8))), tone, thick, cv2.LINE_AA)
        else:
            cv2.circle(out, (x, y), max(1, int(die_px * rng.uniform(0.04, 0.25))), tone, -1, cv2.LINE_AA)
    return out


def _dots(rng: Rng, size: int, die_px: float) -> Field:
    """A cloth of regular dots or squares, the ground that looks most like pips."""
    base, ink = colour(rng, 0.03, 0.9), colour(rng, 0.03, 0.9)
    step = die_px * rng.uniform(0.18, 0.9)
    radius = step * rng.uniform(0.12, 0.42)
    angle = rng.uniform(0, np.pi)
    yy, xx = np.mgrid[0:size, 0:size].astype(np.float32)
    u = (np.cos(angle) * xx + np.sin(angle) * yy) / step
    v = (-np.sin(angle) * xx + np.cos(angle) * yy) / step
    if rng.random() < 0.4:
        u = u + 0.5 * (np.floor(v) % 2)
    du, dv = u - np.floor(u) - 0.5, v - np.floor(v) - 0.5
    away = np.hypot(du, dv) if rng.random() < 0.7 else np.maximum(np.abs(du), np.abs(dv))
    mask = np.clip((radius - away * step) + 0.5, 0, 1)[..., None]
    return (base * (1 - mask) + ink * mask).astype(np.float32)


def _weave(rng: Rng, size: int, die_px: float) -> Field:
    base = colour(rng, 0.02, 0.7)
    step = max(2.2, die_px * rng.uniform(0.05, 0.3))
    angle = rng.uniform(0, np.pi)
    yy, xx = np.mgrid[0:size, 0:size].astype(np.float32)
    u = (np.cos(angle) * xx + np.sin(angle) * yy) * (np.pi / step)
    v = (-np.sin(angle) * xx + np.cos(angle) * yy) * (np.pi / step)
    over = np.where(np.sin(u) * np.sin(v) > 0, np.abs(np.sin(u)), np.abs(np.sin(v)))
    depth = rng.uniform(0.1, 0.8)
    tone = (1 - depth + depth * over) * np.exp(0.12 * fbm(rng, size, size, die_px, 3))
    return (base * tone[..., None]).astype(np.float32)


def _wood(rng: Rng, size: int, die_px: float) -> Field:
    base = (
        np.array([0.4, 0.22, 0.1], np.float32)
        * np.exp(rng.normal(0, 0.5))
        * rng.uniform(0.85, 1.15, 3).astype(np.float32)
    )
    grain = fbm(rng, size, size, die_px * rng.uniform(0.06, 0.4), 4, rng.uniform(6, 25))
    rings = np.sin(fbm(rng, size, size, die_px * 3, 2, 5) * rng.uniform(3, 14))
    tone = np.exp(rng.uniform(0.05, 0.3) * grain + rng.uniform(0, 0.25) * rings)
    for _ in range(rng.integers(0, 3)):
        y = int(rng.uniform(0, size))
        tone[y : y + max(1, int(die_px * 0.04))] *= rng.uniform(0.2, 0.7)
    for _ in range(rng.integers(0, 4)):
        centre = tuple(int(c) for c in rng.uniform(0, size, 2))
        axes = (int(die_px * rng.uniform(0.05, 0.25)) + 1, int(die_px * rng.uniform(0.04, 0.15)) + 1)
        knot = np.zeros((size, size), np.float32)
        cv2.ellipse(knot, centre, axes, 0, 0, 360, 1.0, -1, cv2.LINE_AA)
        tone *= 1 - rng.uniform(0.2, 0.7) * cv2.GaussianBlur(knot, (0, 0), max(0.5, die_px * 0.03))
    out = (base * tone[..., None]).astype(np.float32)
    return np.rot90(out).copy() if rng.random() < 0.5 else out


def _leather(rng: Rng, size: int, die_px: float) -> Field:
    base = colour(rng, 0.01, 0.5)
    cell = max(1.0, die_px * rng.uniform(0.03, 0.2))
    noise = rng.standard_normal((size, size)).astype(np.float32)
    bumps = cv2.GaussianBlur(noise, (0, 0), cell) - cv2.GaussianBlur(noise, (0, 0), cell * 2)
    bumps /= bumps.std() + 1e-6
    tone = np.exp(rng.uniform(0.1, 0.5) * np.tanh(bumps * 1.5))
    return (base * tone[..., None]).astype(np.float32)


def _felt(rng: Rng, size: int, die_px: float) -> Field:
    base = colour(rng, 0.008, 0.8)
    tone = rng.uniform(0.02, 0.35) * fbm(rng, size, size, max(1.5, die_px * rng.uniform(0.03, 0.2)), 3)
    tone = tone + rng.uniform(0, 0.2) * fbm(rng, size, size, die_px * 3, 2)
    return (base * np.exp(tone)[..., None]).astype(np.float32)


def _plain(rng: Rng, size: int, die_px: float) -> Field:
    return (
        blank(size, colour(rng, 0.006, 0.95))
        * np.exp(rng.uniform(0, 0.1) * fbm(rng, size, size, die_px * 4, 2))[..., None]
    )


def _tiles(rng: Rng, size: int, die_px: float) -> Field:
    """A chequered board, or tiles with joints: squares the size of dice without pips."""
    light, dark = colour(rng, 0.1, 0.9), colour(rng, 0.01, 0.5)
    step = die_px * rng.uniform(0.6, 2.2)
    angle = rng.uniform(0, np.pi)
    yy, xx = np.mgrid[0:size, 0:size].astype(np.float32)
    u = (np.cos(angle) * xx + np.sin(angle) * yy) / step
    v = (-np.sin(angle) * xx + np.cos(angle) * yy) / step
    if rng.random() < 0.5:
        mask = ((np.floor(u) + np.floor(v)) % 2).astype(np.float32)
    else:
        joint = rng.uniform(0.02, 0.1)
        mask = ((u % 1 < joint) | (v % 1 < joint)).astype(np.float32)
    mask = mask[..., None]
    return ((light * (1 - mask) + dark * mask) * np.exp(0.1 * fbm(rng, size, size, die_px, 3))[..., None]).astype(
        np.float32
    )


def _marble(rng: Rng, size: int, die_px: float) -> Field:
    base, vein = colour(rng, 0.05, 0.9), colour(rng, 0.02, 0.9)
    warp = fbm(rng, size, size, die_px * 3, 4)
    mask = (0.5 + 0.5 * np.sin(warp * rng.uniform(2, 6)))[..., None] ** rng.uniform(1, 6)
    return (base * (1 - mask) + vein * mask).astype(np.float32)


def _gravel(rng: Rng, size: int, die_px: float) -> Field:
    base = colour(rng, 0.02, 0.6)
    out = blank(size, base)
    for _ in range(int(rng.uniform(30, 600))):
        x, y = (int(c) for c in rng.uniform(0, size, 2))
        axes = tuple(max(1, int(a)) for a in die_px * rng.uniform(0.02, 0.16, 2))
        tone = (base * np.exp(rng.normal(0, 0.6))).clip(0.003, 0.95).tolist()
        cv2.ellipse(out, (x, y), axes, rng.uniform(0, 180), 0, 360, tone, -1, cv2.LINE_AA)
    return out


_GROUNDS = [_felt, _plain, _wood, _leather, _weave, _print, _dots, _strokes, _tiles, _marble, _gravel]
_WEIGHTS = np.array([5, 4, 3, 1.5, 1.5, 1.5, 1.2, 1, 0.8, 0.8, 1.2])


def ground(rng: Rng, size: int, die_px: float) -> Field:
    """A size x size x 3 ground of a random kind, its grain in proportion to a die of `die_px` pixels."""
    make = _GROUNDS[int(rng.choice(len(_GROUNDS), p=_WEIGHTS / _WEIGHTS.sum()))]
    return make(rng, size, die_px).clip(0.002, 1.0)
