"""Train the look-out for hands: `python scripts/train/hands.py --out vision/weights/hands.onnx`.

Room: none; a tool for whoever trains. Makes its own pictures, 128 x 96: a table or a tray from above with dice, things
that are no hands (books, pens, cables, glasses, cards, cloth, rims, wood of the colour of skin), and in half of them a
hand or an arm that reaches in over the border. No photo is used. The same seed gives the same pictures.

A cell of 8 x 8 pixels is a hand if half of it is covered by one, none if a twelfth is or less; what lies between is not
trained on.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import textures
from textures import Field, Rng

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from vision.hands import CELL_PX, LOOK_PX, largest, normalise

WIDE, TALL = LOOK_PX
_FINE = 2


@dataclass
class Paint:
    """Colour (linear light, RGB) and shade being painted, at twice the size of the picture."""

    colour: Field
    light: Field


def surface(rng: Rng, height: int, width: int) -> Field:
    """A plain or grained colour."""
    colour = textures.colour(rng, 0.02, 0.8, 0.35)
    if rng.random() < 0.3:  # wood, leather, card: the colours of skin
        colour = skin(rng) * rng.uniform(0.5, 1.2)
    out = np.broadcast_to(colour, (height, width, 3)).astype(np.float32).copy()
    pick = rng.random()
    if pick < 0.35:
        out *= (1 + rng.uniform(0.02, 0.2) * textures.fbm(rng, height, width, rng.uniform(2, 30), 3))[..., None]
    elif pick < 0.6:
        grain = textures.fbm(rng, height, width, rng.uniform(2, 8), 3, rng.uniform(6, 30))
        if rng.random() < 0.5:
            grain = cv2.resize(np.ascontiguousarray(grain.T), (width, height))
        out *= np.exp(rng.uniform(0.05, 0.35) * grain)[..., None]
    elif pick < 0.7:
        other = textures.colour(rng, 0.02, 0.8, 0.3)
        period = int(rng.integers(4, 30))
        yy, xx = np.mgrid[0:height, 0:width]
        stripes = ((xx + (yy if rng.random() < 0.5 else 0)) // period) % 2 == 0
        out[stripes] = other
    return np.clip(out, 0.003, 1.2)


def skin(rng: Rng) -> Field:
    """From pale to dark, linear light, RGB."""
    pale, tan, dark = np.array([0.78, 0.52, 0.42]), np.array([0.45, 0.25, 0.16]), np.array([0.12, 0.06, 0.04])
    t = rng.uniform(0, 2)
    base = pale + (tan - pale) * t if t < 1 else tan + (dark - tan) * (t - 1)
    return (base * rng.uniform(0.85, 1.15, 3)).astype(np.float32)


def cover(paint: Paint, mask: Field, colour: Field, shade: Field | None = None) -> None:
    """Lay `colour` over `mask`; `shade` is its own relief."""
    amount = mask[..., None]
    tone = colour if shade is None else colour * shade[..., None]
    paint.colour[:] = paint.colour * (1 - amount) + tone * amount


def drop_shadow(rng: Rng, paint: Paint, mask: Field, far: float) -> None:
    """The shadow that something `far` pixels away from the ground throws."""
    angle = rng.uniform(0, 2 * np.pi)
    move = np.float32([[1, 0, far * np.cos(angle)], [0, 1, far * np.sin(angle)]])
    shape = mask.shape[::-1]
    moved = cv2.warpAffine(mask, move, shape, borderMode=cv2.BORDER_REPLICATE)
    soft = cv2.GaussianBlur(moved, (0, 0), max(0.5, far * rng.uniform(0.15, 0.7)))
    paint.colour[:] *= (1 - rng.uniform(0.1, 0.65) * soft)[..., None]


def polygon(shape: tuple[int, int], points: Field) -> Field:
    mask = np.zeros(shape, np.float32)
    cv2.fillPoly(mask, [np.round(points * 8).astype(np.int32)], 1.0, cv2.LINE_AA, 3)
    return mask


def box(x: float, y: float, length: float, width: float, angle: float) -> Field:
    """Corners of a rectangle that begins at (x, y) and goes `length` in the direction `angle`."""
    along, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    start = np.array([x, y])
    return np.array(
        [start - across * width / 2, start + along * length - across * width / 2,
         start + along * length + across * width / 2, start + across * width / 2]
    )  # fmt: skip


def relief(mask: Field, depth_px: float, rng: Rng) -> Field:
    """Shade of a rounded thing: brighter where it faces the lamp, darker towards its edges."""
    depth = cv2.distanceTransform((mask > 0.5).astype(np.uint8), cv2.DIST_L2, 3) / max(depth_px, 1.0)
    height = np.sqrt(np.clip(1 - (1 - np.clip(depth, 0, 1)) ** 2, 0, 1)).astype(np.float32)
    height = cv2.GaussianBlur(height, (0, 0), max(0.6, depth_px * 0.15))
    angle = rng.uniform(0, 2 * np.pi)
    slope = np.cos(angle) * cv2.Sobel(height, cv2.CV_32F, 1, 0) + np.sin(angle) * cv2.Sobel(height, cv2.CV_32F, 0, 1)
    up = rng.uniform(0.1, 0.6)
    return np.clip((1 - up) + up * height - rng.uniform(0.05, 0.35) * depth_px * 0.25 * slope, 0.1, 1.5).astype(
        np.float32
    )


# Things that are no hands


def _border_point(rng: Rng, shape: tuple[int, int]) -> tuple[float, float, float]:
    """A point on the border and a direction that leads into the picture."""
    height, width = shape
    side = int(rng.integers(4))
    if side % 2 == 0:
        x, y = rng.uniform(0, width), 0.0 if side == 0 else float(height)
        inward = np.pi / 2 if side == 0 else -np.pi / 2
    else:
        x, y = 0.0 if side == 1 else float(width), rng.uniform(0, height)
        inward = 0.0 if side == 1 else np.pi
    return float(x), float(y), inward + rng.uniform(-0.9, 0.9)


def _thing(rng: Rng, paint: Paint) -> None:
    shape = paint.colour.shape[:2]
    height, width = shape
    from_border = rng.random() < 0.65
    if from_border:
        x, y, angle = _border_point(rng, shape)
        x, y = x - 12 * np.cos(angle), y - 12 * np.sin(angle)
    else:
        x, y, angle = rng.uniform(0, width), rng.uniform(0, height), rng.uniform(0, 2 * np.pi)
    kind = rng.choice(["book", "pen", "cable", "disc", "cloth", "strip", "bottle", "blob"])
    tone = skin(rng) * rng.uniform(0.7, 1.1) if rng.random() < 0.35 else textures.colour(rng, 0.02, 0.85, 0.3)
    depth = None
    if kind == "book":
        mask = polygon(shape, box(x, y, rng.uniform(25, 150), rng.uniform(20, 130), angle))
    elif kind == "pen":
        mask = polygon(shape, box(x, y, rng.uniform(40, 160), rng.uniform(3, 12), angle))
        depth = rng.uniform(2, 6)
    elif kind == "cable":
        mask = np.zeros(shape, np.float32)
        points, heading = [(x, y)], angle
        for _ in range(30):
            heading += rng.normal(0, 0.25)
            points.append((points[-1][0] + 9 * np.cos(heading), points[-1][1] + 9 * np.sin(heading)))
        line = np.round(np.array(points) * 8).astype(np.int32)
        cv2.polylines(mask, [line], False, 1.0, int(rng.integers(2, 9)), cv2.LINE_AA, 3)
        depth = 2.0
    elif kind == "disc":
        mask = np.zeros(shape, np.float32)
        cv2.circle(mask, (round(x), round(y)), round(rng.uniform(5, 60)), 1.0, -1, cv2.LINE_AA)
        if rng.random() < 0.4:
            depth = rng.uniform(3, 25)
    elif kind == "cloth":
        turn = rng.uniform(0, 2 * np.pi)
        yy, xx = np.mgrid[0:height, 0:width].astype(np.float32)
        edge = np.cos(turn) * (xx - x) + np.sin(turn) * (yy - y)
        edge += rng.uniform(0, 10) * textures.fbm(rng, height, width, rng.uniform(15, 80), 2)
        mask = np.clip(edge, 0, 1).astype(np.float32)
    elif kind == "strip":  # a rim, a ruler, the edge of a table: from border to border
        mask = polygon(shape, box(x - 400 * np.cos(angle), y - 400 * np.sin(angle), 800, rng.uniform(8, 70), angle))
        depth = None if rng.random() < 0.5 else rng.uniform(4, 25)
    elif kind == "bottle":
        radius = rng.uniform(8, 30)
        mask = polygon(shape, box(x, y, rng.uniform(30, 120), 2 * radius, angle))
        depth = radius
    else:
        mask = np.zeros(shape, np.float32)
        turn = np.arange(24) / 24 * 2 * np.pi
        reach = rng.uniform(8, 30) * np.exp(0.25 * rng.standard_normal(24))
        reach = (reach + np.roll(reach, 1) + np.roll(reach, -1)) / 3
        mask = polygon(shape, np.stack([x + reach * np.cos(turn), y + reach * np.sin(turn)], 1))
        depth = rng.uniform(3, 15) if rng.random() < 0.5 else None
    if rng.random() < 0.7:
        drop_shadow(rng, paint, mask, rng.uniform(0.5, 14))
    shade = None if depth is None else relief(mask, depth, rng)
    fill = np.broadcast_to(tone, (height, width, 3)).astype(np.float32)
    if rng.random() < 0.4:
        fill = (
            fill * np.exp(rng.uniform(0.03, 0.3) * textures.fbm(rng, height, width, rng.uniform(2, 20), 3))[..., None]
        )
    cover(paint, mask, fill, shade)
    if kind == "book" and rng.random() < 0.5:  # print
        for _ in range(int(rng.integers(1, 8))):
            inner = polygon(shape, box(x + rng.uniform(0, 40), y + rng.uniform(0, 40), rng.uniform(5, 60), 2, angle))
            cover(paint, inner * mask, textures.colour(rng, 0.02, 0.85, 0.3))


def _dice(rng: Rng, paint: Paint, edge: float) -> None:
    shape = paint.colour.shape[:2]
    body, pip = textures.colour(rng, 0.02, 0.9, 0.4), textures.colour(rng, 0.01, 0.9, 0.6)
    for _ in range(int(rng.integers(0, 9))):
        x, y, angle = rng.uniform(0, shape[1]), rng.uniform(0, shape[0]), rng.uniform(0, 2 * np.pi)
        lean = (np.array([x, y]) - np.array(shape[::-1]) / 2) / shape[1] * rng.uniform(0, 0.8) * edge
        top = box(x, y, edge, edge, angle)
        low = polygon(shape, cv2.convexHull(np.concatenate([top, top - lean]).astype(np.float32))[:, 0])
        drop_shadow(rng, paint, low, 0.3 * edge)
        cover(paint, low, body * rng.uniform(0.3, 0.7))
        cover(paint, polygon(shape, top), body * rng.uniform(0.85, 1.1))
        u, v = (top[1] - top[0]) / 2, (top[3] - top[0]) / 2
        for a, b in rng.permutation([(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0), (1, 0), (-1, 0)])[
            : rng.integers(1, 7)
        ]:
            middle = top.mean(0) + 0.52 * (a * u + b * v)
            dot = np.zeros(shape, np.float32)
            at = (round(float(middle[0]) * 8), round(float(middle[1]) * 8))
            cv2.circle(dot, at, round(0.095 * edge * 8), 1.0, -1, cv2.LINE_AA, 3)
            cover(paint, dot, pip)


# Hands


def _capsule(mask: Field, a: Field, b: Field, radius: float, oval: bool) -> None:
    """A limb from a to b: with round ends, or (`oval`) swelling towards its middle."""
    if oval:
        middle, along = (a + b) / 2, b - a
        axes = (round((np.hypot(*along) / 2 + radius) * 8), round(radius * 8))
        angle = float(np.degrees(np.arctan2(along[1], along[0])))
        centre = (round(float(middle[0]) * 8), round(float(middle[1]) * 8))
        cv2.ellipse(mask, centre, axes, angle, 0, 360, 1.0, -1, cv2.LINE_AA, 3)
        return
    ends = [tuple(int(c) for c in np.round(p * 8)) for p in (a, b)]
    cv2.line(mask, ends[0], ends[1], 1.0, max(1, round(2 * radius)), cv2.LINE_AA, 3)


def _hand(rng: Rng, paint: Paint) -> Field:
    """Paint a hand that reaches in over the border; its mask."""
    shape = paint.colour.shape[:2]
    height, width = shape
    unit = float(np.exp(rng.uniform(np.log(3.2), np.log(10))))  # a finger's half width
    for _ in range(20):
        x, y, inward = _border_point(rng, shape)
        reach = rng.uniform(0.15, 0.75) * min(shape) * (1.0 if rng.random() < 0.85 else 1.4)
        tip = np.array([x + reach * np.cos(inward), y + reach * np.sin(inward)])
        if 0 <= tip[0] < width and 0 <= tip[1] < height:
            break
    back = np.array([-np.cos(inward), -np.sin(inward)])
    across = np.array([-back[1], back[0]])
    oval = rng.random() < 0.4
    parts: list[tuple[Field, Field, float]] = []
    pose = rng.choice(["open", "fist", "point", "arm", "pinch"], p=[0.55, 0.13, 0.12, 0.1, 0.1])
    long = rng.uniform(5.0, 8.5)
    palm = tip + back * unit * long
    spread = rng.uniform(1.6, 2.7)
    fingers = {"open": (-1.5, -0.5, 0.5, 1.5), "point": (-0.5,), "pinch": (-0.6, 0.6)}.get(pose, ())
    for k in fingers:
        bent = rng.uniform(0.55, 1.0) if pose == "open" else 1.0
        end = (
            palm + (tip + back * unit * 0.8 * abs(k) - palm) * bent + across * k * unit * spread * rng.uniform(0.8, 1.3)
        )
        parts.append((end, palm + across * k * unit * 1.9, unit * rng.uniform(0.85, 1.1)))
    if rng.random() < 0.6 and pose != "arm":
        side = rng.choice([-1, 1])
        root = palm + back * unit * 2 + across * side * unit * 3.2
        parts.append(
            (root - back * unit * rng.uniform(2, 4.5) + across * side * unit * rng.uniform(0.5, 3), root, unit * 1.1)
        )
    wide = rng.uniform(3.2, 4.6)
    if pose != "arm":
        parts.append((palm - back * unit * rng.uniform(0, 1.2), palm + back * unit * rng.uniform(3, 6.5), unit * wide))
    far = palm + back * 500.0
    bend = across * rng.uniform(-0.25, 0.25) * 500
    start = tip + back * unit * 3 if pose == "arm" else palm + back * unit * 4
    arm = (start, far + bend, unit * wide * rng.uniform(0.6, 0.95))
    mask = np.zeros(shape, np.float32)
    tone = skin(rng)
    base = np.broadcast_to(tone, (height, width, 3)).astype(np.float32)
    base = base * (1 + rng.uniform(0, 0.08) * textures.fbm(rng, height, width, rng.uniform(4, 30), 3))[..., None]
    _capsule(mask, *arm, False)
    for part in parts:
        _capsule(mask, *part, oval)
    drop_shadow(rng, paint, mask, rng.uniform(3, 25))
    whole = mask.copy()
    shade = relief(mask, unit * wide * rng.uniform(0.5, 1.0), rng)
    # Fingers lie over the palm with edges of their own.
    for part in parts:
        own = np.zeros(shape, np.float32)
        _capsule(own, *part, oval)
        if rng.random() < 0.8:
            own_shade = relief(own, part[2], rng)
            shade = shade * (1 - own) + own_shade * own
    cover(paint, whole, base, shade)
    if rng.random() < 0.4:  # a sleeve
        from_palm = rng.uniform(5, 14)
        cut = palm + back * unit * from_palm
        sleeve = np.zeros(shape, np.float32)
        _capsule(sleeve, cut, far + bend, arm[2] * rng.uniform(1.0, 1.35), False)
        cloth = np.broadcast_to(textures.colour(rng, 0.02, 0.8, 0.35), (height, width, 3)).astype(np.float32)
        cloth = cloth * np.exp(0.15 * textures.fbm(rng, height, width, 12, 3))[..., None]
        cover(paint, sleeve, cloth, relief(sleeve, arm[2], rng))
        whole = np.maximum(whole, sleeve)
    return whole


def make(rng: Rng) -> tuple[Field, Field]:
    """One picture, TALL x WIDE x 3 BGR `uint8`, and the part of each cell that a hand covers."""
    height, width = TALL * _FINE, WIDE * _FINE
    paint = Paint(surface(rng, height, width), np.ones((height, width), np.float32))
    if rng.random() < 0.5:  # a tray: rim and floor
        left, right, top, bottom = (rng.uniform(-0.05, 0.16) * s for s in (width, width, height, height))
        rim = rng.uniform(4, 16)
        middle = (left + width - right) / 2
        floor = box(left, (top + height - bottom) / 2, width - right - left, height - bottom - top, 0.0)
        turn = cv2.getRotationMatrix2D((middle, height / 2), rng.normal(0, 3), 1.0)
        floor = floor @ turn[:, :2].T + turn[:, 2]
        centre = floor.mean(0)
        outer = centre + (floor - centre) * (1 + 2 * rim / np.ptp(floor, axis=0))
        wall = polygon((height, width), outer)
        cover(paint, wall, surface(rng, height, width))
        inner = polygon((height, width), floor)
        cover(paint, inner, surface(rng, height, width))
        drop_shadow(rng, paint, wall * (1 - inner), rng.uniform(0.5, 5))
        cover(paint, wall * (1 - inner), surface(rng, height, width))
    for _ in range(int(rng.choice([0, 1, 2, 3, 5], p=[0.4, 0.25, 0.15, 0.1, 0.1]))):
        _thing(rng, paint)
    edge = float(np.exp(rng.uniform(np.log(8), np.log(48))))
    if rng.random() < 0.85:
        _dice(rng, paint, edge)
    mask = np.zeros((height, width), np.float32)
    if rng.random() < 0.5:
        mask = _hand(rng, paint)
        if rng.random() < 0.12:
            mask = np.maximum(mask, _hand(rng, paint))
    return _photograph(rng, paint.colour), cv2.resize(
        mask, (WIDE // CELL_PX, TALL // CELL_PX), interpolation=cv2.INTER_AREA
    )


def _photograph(rng: Rng, colour: Field) -> Field:
    height, width = colour.shape[:2]
    yy, xx = np.mgrid[0:height, 0:width].astype(np.float32)
    turn = rng.uniform(0, 2 * np.pi)
    across = np.cos(turn) * (xx / width - 0.5) + np.sin(turn) * (yy / height - 0.5)
    light = np.clip(1 + rng.normal(0, 0.5) * across, 0.15, 3)[..., None] * np.ones(3, np.float32)
    if rng.random() < 0.25:  # two lamps of different colours
        one, two = rng.uniform(0.1, 1, 3), rng.uniform(0.1, 1, 3)
        share = np.clip(0.5 + across * rng.uniform(0.2, 1.2), 0, 1)[..., None]
        light = light * (one * share + two * (1 - share))
    else:
        light = light * rng.uniform(0.65, 1, 3)
    if rng.random() < 0.15:  # a patch of sun
        patch = cv2.GaussianBlur(
            polygon((height, width), rng.uniform(0, 1, (4, 2)) * (width, height)), (0, 0), rng.uniform(0.5, 8)
        )
        light = light * (1 + rng.uniform(0.3, 2) * patch)[..., None]
    out = colour * light
    gain = rng.uniform(0.08, 0.5) / max(float(out.mean()), 1e-3)
    gain = min(gain, rng.uniform(0.8, 1.5) / max(float(np.percentile(out, 99)), 1e-3))
    out = np.clip(out * gain, 0, 1) ** np.float32(1 / rng.uniform(1.8, 2.4)) * 255
    out = cv2.resize(out.astype(np.float32), (WIDE, TALL), interpolation=cv2.INTER_AREA)
    if rng.random() < 0.3:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, 1.2))
    out = out + rng.standard_normal(out.shape).astype(np.float32) * rng.uniform(0.2, 4)
    image = np.clip(out, 0, 255).astype(np.uint8)[..., ::-1]
    return np.ascontiguousarray(image)


# Training


def many(seed: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """`count` pictures and their cells: N x 96 x 128 x 3 `uint8`, N x 12 x 16."""
    made = [make(np.random.default_rng([seed, n])) for n in range(count)]
    return np.stack([image for image, _ in made]), np.stack([cells for _, cells in made])


def network() -> Any:
    """Three halvings, then five dilated layers, so that a cell knows of the whole picture: about 75,000 weights."""
    from torch import nn

    def layer(inputs: int, outputs: int, stride: int = 1, dilation: int = 1) -> list[Any]:
        return [
            nn.Conv2d(inputs, outputs, 3, stride, dilation, dilation, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(),
        ]

    return nn.Sequential(
        *layer(3, 16, 2), *layer(16, 24, 2), *layer(24, 36, 2),
        *layer(36, 36), *layer(36, 36, 1, 2), *layer(36, 36, 1, 4), *layer(36, 36, 1, 8), *layer(36, 36),
        nn.Conv2d(36, 1, 1),
    )  # fmt: skip


def report(scores: np.ndarray, cells: np.ndarray) -> str:
    """How many hands are found, and how many pictures without one are said to hold one."""
    odds = 1 / (1 + np.exp(-np.clip(scores, -30, 30)))
    hand = (cells > 0.5).sum((1, 2)) >= 6
    none = cells.max((1, 2)) == 0
    found = np.array([largest(o.astype(np.float32), WIDE, TALL) is not None for o in odds])
    return f"hands found {found[hand].mean():.3f} of {hand.sum()}, false {found[none].mean():.4f} of {none.sum()}"


def main() -> None:
    """Make, train, check on held-out pictures, write the ONNX file."""
    import torch
    from course import Course, folded
    from torch import nn

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=2400)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="keep the made pictures here, and use them if they are there")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    start = time.monotonic()
    if args.keep and args.keep.is_file():
        kept = np.load(args.keep)
        images, cells = kept["images"], kept["cells"]
    else:
        images, cells = many(args.seed, args.count)
        if args.keep:
            np.savez(args.keep, images=images, cells=cells)
    held, held_cells = many(args.seed + 1000, 600)
    print(f"{len(images)} made, {time.monotonic() - start:.0f} s", flush=True)
    model = network()
    course = Course(model, 4e-3, args.steps)
    rng = np.random.default_rng(args.seed)
    for step in range(args.steps):
        chosen = rng.integers(0, len(images), args.batch)
        x, want = images[chosen], cells[chosen]
        if rng.random() < 0.5:
            x, want = x[:, :, ::-1], want[:, :, ::-1]
        if rng.random() < 0.5:
            x, want = x[:, ::-1], want[:, ::-1]
        model.train()
        logits = model(torch.from_numpy(normalise(np.ascontiguousarray(x))))[:, 0]
        target = torch.from_numpy((want > 0.5).astype(np.float32))
        counts = torch.from_numpy(((want >= 0.5) | (want <= 1 / 12)).astype(np.float32))
        loss = (nn.functional.binary_cross_entropy_with_logits(logits, target, reduction="none") * counts).mean()
        course.learn(loss)
        if step % 500 == 499:
            with torch.no_grad():
                scores = course.steady.eval()(torch.from_numpy(normalise(held)))[:, 0].numpy()
            took_s = time.monotonic() - start
            print(
                f"step {step + 1} loss {course.mean_loss:.4f} {report(scores, held_cells)} {took_s:.0f} s", flush=True
            )
    torch.onnx.export(
        folded(course.steady), (torch.zeros(1, 3, TALL, WIDE),), str(args.out), input_names=["picture"],
        output_names=["cells"], opset_version=13, dynamo=False,
    )  # fmt: skip


if __name__ == "__main__":
    main()
