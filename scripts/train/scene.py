"""Whole made scenes: several dice on a ground, lamps, shadows, things that are no dice, and what a camera adds.

Room: none; a tool for whoever trains. Knows numpy and cv2 only; not the reader. What comes out is a picture as a
camera stores it, and the truth about every top face in it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import dice
import numpy as np
import textures
from textures import Field, Rng

VALUES = (0.22, 0.19, 0.16, 0.14, 0.15, 0.14)
"""How often each value lies on top: ones and twos are the hardest to tell from other things."""

LEANING = 0.3
"""The share of scenes in which a die leans."""


@dataclass
class Face:
    """A die's top face: what it shows (0: nothing to read), corners and pips in pixels, how much of it is in view."""

    value: int
    corners: Field
    pips: Field
    seen: float
    sides: list[Field] = field(default_factory=list)
    drops: list[Field] = field(default_factory=list)
    """For the top and then each of `sides`: from the middle of the face to that of the opposite one, in pixels."""
    lean: float = 0.0
    """How far the die leans, in radians."""


@dataclass
class Scene:
    """A BGR `uint8` picture with its faces; `die_px` is a die's edge, `occluded` where something lies over dice."""

    image: Field
    faces: list[Face]
    die_px: float
    spots: Field
    bodies: Field
    """Whose a pixel is, `uint8`: 0 no die's, 1 a die's with pips, 2 a die's that is none to read."""


def _camera(rng: Rng, size: int, die_px: float) -> dice.Camera:
    """From above, from above and off the axis, or aslant up to 50 degrees."""
    distance = float(np.exp(rng.uniform(np.log(7), np.log(32))))
    pick = rng.random()
    tilt = 0.0 if pick < 0.45 else rng.uniform(0, 0.3) if pick < 0.75 else rng.uniform(0.3, 0.85)
    azimuth = rng.uniform(0, 2 * np.pi)
    forward = -np.array([np.sin(tilt) * np.cos(azimuth), np.sin(tilt) * np.sin(azimuth), np.cos(tilt)])
    spot = -forward * distance
    if pick < 0.45:
        off = rng.uniform(0, 0.55) if rng.random() < 0.6 else 0.0
        spot = spot + distance * off * np.array([np.cos(azimuth), np.sin(azimuth), 0])
    roll = rng.uniform(0, 2 * np.pi)
    hint = np.array([np.cos(roll), np.sin(roll), 0.0])
    right = hint - forward * (hint @ forward)
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    rotation = np.stack([right, down, forward]).astype(np.float32)
    camera = dice.Camera(rotation, spot.astype(np.float32), die_px * (distance - 1), (0.0, 0.0))
    middle = camera.project([(0.0, 0.0, 1.0)])[0]
    camera.centre = (size / 2 - float(middle[0]), size / 2 - float(middle[1]))
    return camera


def _lights(rng: Rng) -> tuple[list[dice.Light], Field]:
    lamps = []
    for _ in range(int(rng.choice([1, 2, 3], p=[0.6, 0.28, 0.12]))):
        height = np.deg2rad(rng.uniform(18, 88))
        azimuth = rng.uniform(0, 2 * np.pi)
        to = np.array([np.cos(height) * np.cos(azimuth), np.cos(height) * np.sin(azimuth), np.sin(height)], np.float32)
        tint = rng.uniform(0.75, 1, 3) if rng.random() < 0.8 else rng.uniform(0.1, 1, 3)
        half = np.deg2rad(rng.uniform(2, 30))
        power = (rng.uniform(0.3, 1.2) * tint).astype(np.float32)
        lamps.append(dice.Light(to, power, np.float32(np.cos(half)), float(rng.uniform(0.003, 0.05))))
    ambient = (np.exp(rng.uniform(np.log(0.05), np.log(0.9))) * rng.uniform(0.8, 1, 3)).astype(np.float32)
    return lamps, ambient


def _gobo(rng: Rng, size: int) -> Field:
    """How much of the lamps' light comes through, per pixel: sometimes an edge of shadow or a blind lies over all."""
    yy, xx = np.mgrid[0:size, 0:size].astype(np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    across = np.cos(angle) * (xx - size * rng.uniform(0.2, 0.8)) + np.sin(angle) * (yy - size * rng.uniform(0.2, 0.8))
    pick = rng.random()
    if pick < 0.6:
        return np.clip(1 + rng.normal(0, 0.15) * across / size, 0.2, 2).astype(np.float32)
    low, soft = rng.uniform(0.05, 0.7), rng.uniform(0.5, 20)
    if pick < 0.85:
        edge = 1 / (1 + np.exp(np.clip(-across / soft, -30, 30)))
    else:
        edge = 1 / (
            1 + np.exp(np.clip(-np.sin(across * 2 * np.pi / rng.uniform(20, 160)) * rng.uniform(1, 12), -30, 30))
        )
    return (low + (1 - low) * edge).astype(np.float32)


def _layout(rng: Rng, reach: float) -> list[tuple[float, float, float]]:
    """Places (x, y, yaw) of 1 to 9 dice: scattered, and touching in rows and blocks."""
    count = int(rng.choice([1, 2, 3, 4, 5, 6, 7, 9], p=[0.08, 0.12, 0.15, 0.15, 0.2, 0.15, 0.08, 0.07]))
    touching = rng.random() < 0.45
    block = rng.random() < 0.12
    out: list[tuple[float, float, float]] = []
    if block:
        yaw, step = rng.uniform(0, 2 * np.pi), rng.uniform(1.0, 1.12)
        rows, cols = int(rng.integers(1, 4)), int(rng.integers(2, 4))
        for a in range(rows):
            for b in range(cols):
                u, v = (a - rows / 2 + 0.5) * step, (b - cols / 2 + 0.5) * step
                out.append(
                    (u * np.cos(yaw) - v * np.sin(yaw), u * np.sin(yaw) + v * np.cos(yaw), yaw + rng.normal(0, 0.01))
                )
        return out
    for _ in range(count):
        for _ in range(60):
            if touching and out and rng.random() < 0.7:
                bx, by, yaw = out[int(rng.integers(len(out)))]
                side, gap, slide = yaw + rng.integers(4) * np.pi / 2, rng.uniform(1.0, 1.04), rng.uniform(-0.8, 0.8)
                slide = slide if rng.random() < 0.6 else 0.0
                x = bx + gap * np.cos(side) - slide * np.sin(side)
                y = by + gap * np.sin(side) + slide * np.cos(side)
            else:
                x, y = rng.uniform(-reach, reach, 2)
                yaw = rng.uniform(0, 2 * np.pi)
            if max(abs(x), abs(y)) > reach or not all(_apart((x, y, yaw), other) for other in out):
                continue
            out.append((float(x), float(y), float(yaw)))
            break
    return out


def _apart(a: tuple[float, float, float], b: tuple[float, float, float]) -> bool:
    dx, dy = a[0] - b[0], a[1] - b[1]
    if np.hypot(dx, dy) > 1.43:
        return True
    if abs((a[2] - b[2] + np.pi / 4) % (np.pi / 2) - np.pi / 4) > 1e-6:
        return False
    u = abs(dx * np.cos(a[2]) + dy * np.sin(a[2]))
    v = abs(-dx * np.sin(a[2]) + dy * np.cos(a[2]))
    return bool(max(u, v) >= 0.999)


def _box(die: dice.Placed) -> Field:
    """The die's eight corners: four of the bottom, four of the top above them."""
    square = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return die.world(np.array([[a / 2, b / 2, z] for z in (-0.5, 0.5) for a, b in square]))


def _shadows(size: int, camera: dice.Camera, boxes: list[Field], light: dice.Light, soft_px: float) -> Field:
    """1 where the ground lies in the dice's shadow of one lamp."""
    mask = np.zeros((size, size), np.float32)
    for box in boxes:
        flat = box - light.to * (box[:, 2:] / max(float(light.to[2]), 0.25))
        hull = cv2.convexHull(camera.project(flat).astype(np.float32))
        cv2.fillConvexPoly(mask, (hull * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
    return cv2.GaussianBlur(mask, (0, 0), soft_px)


def _things(rng: Rng, art: Field, die_px: float, count: int) -> Field:
    """Coins, counters, buttons, discs, cards, pens and dice of other shapes, painted flat; returns dot-like spots."""
    size, spots = art.shape[0], []
    for _ in range(count):
        x, y = rng.uniform(0.05, 0.95, 2) * size
        tone = textures.colour(rng, 0.01, 0.9)
        other = textures.colour(rng, 0.01, 0.9).tolist()
        kind, at = rng.integers(0, 8), (int(x), int(y))
        if kind == 0:  # coin or counter
            radius = die_px * rng.uniform(0.3, 1.1)
            cv2.circle(art, at, int(radius), tone.tolist(), -1, cv2.LINE_AA)
            cv2.circle(
                art,
                at,
                int(radius * 0.85),
                (tone * rng.uniform(0.5, 1.3)).tolist(),
                max(1, int(die_px * 0.04)),
                cv2.LINE_AA,
            )
            if rng.random() < 0.5:
                cv2.circle(art, at, int(radius * rng.uniform(0.1, 0.4)), other, -1, cv2.LINE_AA)
        elif kind == 1:  # a button with holes
            radius, holes = die_px * rng.uniform(0.3, 0.8), int(rng.choice([2, 4]))
            cv2.circle(art, at, int(radius), tone.tolist(), -1, cv2.LINE_AA)
            turn = rng.uniform(0, 6)
            for k in range(holes):
                angle = turn + k * 2 * np.pi / holes
                spot = (x + radius * 0.35 * np.cos(angle), y + radius * 0.35 * np.sin(angle))
                cv2.circle(art, (int(spot[0]), int(spot[1])), max(1, int(radius * 0.14)), other, -1, cv2.LINE_AA)
                spots.append(spot)
        elif kind in (2, 3):  # loose dots, sometimes in the pattern of a face, without a face round them
            pattern = (
                sorted(dice.VALID[int(rng.integers(0, 3))])
                if rng.random() < 0.5
                else rng.normal(0, 1.5, (int(rng.integers(1, 6)), 2))
            )
            step, radius, turn = (
                die_px * rng.uniform(0.2, 0.35),
                max(1, int(die_px * rng.uniform(0.05, 0.14))),
                rng.uniform(0, 6),
            )
            for a, b in pattern:
                spot = (
                    x + step * (a * np.cos(turn) - b * np.sin(turn)),
                    y + step * (a * np.sin(turn) + b * np.cos(turn)),
                )
                cv2.circle(art, (int(spot[0]), int(spot[1])), radius, tone.tolist(), -1, cv2.LINE_AA)
                spots.append(spot)
        elif kind == 4:  # a card or mat
            sides = die_px * rng.uniform(0.7, 4, 2)
            quad = cv2.boxPoints(((float(x), float(y)), (float(sides[0]), float(sides[1])), float(rng.uniform(0, 180))))
            cv2.fillConvexPoly(art, (quad * 16).astype(np.int32), tone.tolist(), cv2.LINE_AA, 4)
            textures.write(
                art,
                str(rng.choice(["A", "7", "K", "10", "o", "%"])),
                at,
                cv2.FONT_HERSHEY_DUPLEX,
                die_px * 0.02,
                other,
                1,
            )
        elif kind == 5:  # a pen
            angle, length = rng.uniform(0, 6), die_px * rng.uniform(2, 6)
            end = (int(x + length * np.cos(angle)), int(y + length * np.sin(angle)))
            cv2.line(art, at, end, tone.tolist(), max(2, int(die_px * rng.uniform(0.1, 0.5))), cv2.LINE_AA)
        else:  # a die of another shape, with numerals
            corners = int(rng.choice([3, 4, 5, 6, 6]))
            angles = np.arange(corners) * 2 * np.pi / corners + rng.uniform(0, 6)
            for part, shade in ((1.0, 0.6), (0.62, 1.0)):
                radius = die_px * 0.7 * part
                shape = np.stack([x + radius * np.cos(angles + part), y + radius * np.sin(angles + part)], 1)
                cv2.fillPoly(art, [(shape * 16).astype(np.int32)], (tone * shade).tolist(), cv2.LINE_AA, 4)
            text = str(rng.integers(1, 21))
            textures.write(
                art,
                text,
                (int(x - die_px * 0.25), int(y + die_px * 0.15)),
                cv2.FONT_HERSHEY_DUPLEX,
                die_px * 0.017,
                other,
                max(1, int(die_px * 0.05)),
            )
    return np.array(spots, np.float32).reshape(-1, 2)


def _tip(rng: Rng, placed: list[dice.Placed]) -> None:
    """Let one die or two lean: on an edge against what stands beside it, or any way."""
    for _ in range(1 if rng.random() < 0.7 else 2):
        die = placed[int(rng.integers(len(placed)))]
        die.lean = float(np.deg2rad(rng.uniform(12, 45)))
        die.lean_to = die.yaw + np.pi / 2 * int(rng.integers(4))
        if rng.random() < 0.25:
            die.lean_to += rng.uniform(-np.pi / 4, np.pi / 4)


def _wall(rng: Rng, ground: Field, camera: dice.Camera, die: dice.Placed) -> None:
    """Beside one die, where it leans to or away from, another ground begins: the tray's rim, a book, a step."""
    way = die.lean_to + np.pi * int(rng.integers(2)) if die.lean else rng.uniform(0, 2 * np.pi)
    out, along = np.array([np.cos(way), np.sin(way)]), np.array([-np.sin(way), np.cos(way)])
    middle = np.array([die.x, die.y]) + out * rng.uniform(0.6, 1.1)
    # Not further than the camera stands, or it would lie behind it.
    far = min(12.0, 0.6 * float(camera.place[2]))
    edges = [
        middle + along * far,
        middle + out * far + along * far,
        middle + out * far - along * far,
        middle - along * far,
    ]
    spots = camera.project([(float(x), float(y), 0.0) for x, y in edges])
    mask = np.zeros(ground.shape[:2], np.float32)
    cv2.fillConvexPoly(mask, (spots * 16).clip(-30000, 30000).astype(np.int32), 1.0, cv2.LINE_AA, 4)
    tone = textures.colour(rng, 0.02, 0.8) if rng.random() < 0.6 else ground.mean((0, 1)) * rng.uniform(0.3, 1.6)
    grain = np.exp(rng.uniform(0, 0.25) * textures.fbm(rng, *ground.shape[:2], ground.shape[0] / 4, 3))[..., None]
    ground[:] = ground * (1 - mask[..., None]) + (tone * grain).clip(0.002, 1) * mask[..., None]


def make(rng: Rng, size_px: int | None = None, leaning: float = LEANING) -> Scene:
    """One scene, wholly decided by `rng`: a small one to cut crops from, or one of `size_px` to be read as a whole.
    In a share of `leaning` of them dice lean."""
    if size_px is None:
        die_px = float(np.exp(rng.uniform(np.log(17), np.log(52))))
        size = int(np.clip(die_px * rng.uniform(4.2, 7), 110, 300))
    else:
        size = size_px
        die_px = size / float(np.exp(rng.uniform(np.log(6), np.log(18))))
    camera = _camera(rng, size, die_px)
    lamps, ambient = _lights(rng)
    gobo = _gobo(rng, size)
    ground = textures.ground(rng, size, die_px)
    spots = _things(rng, ground, die_px, int(rng.choice([0, 1, 2, 4], p=[0.55, 0.2, 0.15, 0.1])))

    maker, mixed, odd_set = dice.style(rng), rng.random() < 0.25, rng.random() < 0.12
    placed = []
    for x, y, yaw in _layout(rng, size / die_px / 2 - 0.7):
        own = dice.style(rng) if mixed else maker
        placed.append(
            dice.place(int(rng.choice(6, p=VALUES)) + 1, own, x, y, yaw, rng, odd=odd_set and rng.random() < 0.8)
        )
    if maker.body.mean() and rng.random() < 0.12:  # hardly any contrast between dice and ground
        ground = (
            (ground / (ground.mean((0, 1)) + 1e-3) * maker.body * rng.uniform(0.75, 1.3))
            .astype(np.float32)
            .clip(0.002, 1)
        )

    if placed and rng.random() < leaning:
        _tip(rng, placed)
    if placed and leaning > LEANING and rng.random() < 0.25:
        _wall(rng, ground, camera, next((d for d in placed if d.lean and rng.random() < 0.8), placed[0]))
    boxes = [_box(d) for d in placed]
    lit = np.broadcast_to(ambient, (size, size, 3)).astype(np.float32).copy()
    if boxes:
        contact = np.zeros((size, size), np.float32)
        for box in boxes:
            cv2.fillConvexPoly(
                contact,
                (cv2.convexHull(camera.project(box[:4]).astype(np.float32)) * 16).astype(np.int32),
                1.0,
                cv2.LINE_AA,
                4,
            )
        lit *= (1 - rng.uniform(0.2, 0.7) * cv2.GaussianBlur(contact, (0, 0), die_px * rng.uniform(0.06, 0.25)))[
            ..., None
        ]
    for lamp in lamps:
        direct = gobo * lamp.to[2]
        if boxes:
            direct = direct * (1 - _shadows(size, camera, boxes, lamp, die_px * rng.uniform(0.01, 0.15)))
        lit += direct[..., None] * lamp.power
    picture = ground * lit

    owner = np.full((size, size), -1, np.int16)
    near_last = np.argsort([-float(np.linalg.norm(camera.place - [d.x, d.y, 0.5])) for d in placed])
    fine = 3 if die_px < 22 else 2
    for k in near_last:
        shot = dice.cast(placed[k], camera, lamps, ambient, picture, gobo, fine)
        if shot is None:
            continue
        colour, cover, (x0, y0, x1, y1) = shot
        part = picture[y0:y1, x0:x1]
        part[:] = part * (1 - cover[..., None]) + colour
        owner[y0:y1, x0:x1][cover > 0.5] = k
    if rng.random() < 0.15:
        _cover(rng, picture, owner, die_px)

    faces = [_face(camera, d, owner, k) for k, d in enumerate(placed)]
    bodies = np.zeros((size, size), np.uint8)
    for k, die in enumerate(placed):
        bodies[owner == k] = 1 if die.top.value else 2
    return _photograph(rng, picture, faces, spots, die_px, bodies)


def _face(camera: dice.Camera, die: dice.Placed, owner: Field, number: int) -> Face:
    box = _box(die)
    corners = camera.project(box[4:])
    inner = np.zeros(owner.shape, np.uint8)
    small = corners.mean(0) + (corners - corners.mean(0)) * 0.72
    cv2.fillConvexPoly(inner, (small * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    # What the frame cuts off counts as not seen.
    area = max(1.0, float(cv2.contourArea(small)))
    seen = float(((owner == number) & (inner > 0)).sum()) / area
    marks = np.array([(u, v, 0.5) for u, v, _ in die.top.pips]).reshape(-1, 3)
    pips = camera.project(die.world(marks)) if len(marks) else np.zeros((0, 2), np.float32)
    sides, drops = [], [_drop(camera, box[4:], box[:4])]
    for a in range(4):
        b = (a + 1) % 4
        side, back = box[[a, b, b + 4, a + 4]], box[[(a + 3) % 4, (a + 2) % 4, (a + 2) % 4 + 4, (a + 3) % 4 + 4]]
        middle = side.mean(0)
        if (middle - die.centre()) @ (camera.place - middle) > 0:
            sides.append(camera.project(side))
            drops.append(_drop(camera, side, back))
    return Face(die.top.value, corners, pips, seen, sides, drops, die.lean)


def _drop(camera: dice.Camera, face: Field, back: Field) -> Field:
    ends = camera.project(np.stack([face.mean(0), back.mean(0)]))
    return ends[1] - ends[0]


def _cover(rng: Rng, picture: Field, owner: Field, die_px: float) -> None:
    """A finger, a hand or a card over some of it."""
    size = picture.shape[0]
    mask = np.zeros((size, size), np.float32)
    x, y = rng.uniform(0.1, 0.9, 2) * size
    for _ in range(int(rng.integers(1, 4))):
        angle, length = rng.uniform(0, 2 * np.pi), die_px * rng.uniform(1, 5)
        end = (int(x + length * np.cos(angle)), int(y + length * np.sin(angle)))
        cv2.line(mask, (int(x), int(y)), end, 1.0, max(2, int(die_px * rng.uniform(0.3, 1.4))), cv2.LINE_AA)
    mask = cv2.GaussianBlur(mask, (0, 0), max(0.5, die_px * 0.02))
    tone = textures.colour(rng, 0.05, 0.6, 0.1) * np.exp(0.2 * textures.fbm(rng, size, size, die_px * 2, 3))[..., None]
    picture[:] = picture * (1 - mask[..., None]) + tone * mask[..., None]
    owner[mask > 0.3] = -2


def _photograph(rng: Rng, picture: Field, faces: list[Face], spots: Field, die_px: float, bodies: Field) -> Scene:
    """Exposure, flare, defocus, size of the sensor, noise, sharpening, JPEG."""
    size = picture.shape[0]
    if rng.random() < 0.25:
        flare = np.zeros((size, size), np.float32)
        spot = rng.uniform(0, size, 2)
        if faces and rng.random() < 0.6:  # on a die
            spot = faces[int(rng.integers(len(faces)))].corners.mean(0) + rng.normal(0, 0.3, 2) * die_px
        at = (int(spot[0]), int(spot[1]))
        cv2.circle(flare, at, max(2, int(die_px * rng.uniform(0.1, 0.8))), 1.0, -1)
        picture = (
            picture
            + (rng.uniform(0.1, 1.5) * cv2.GaussianBlur(flare, (0, 0), die_px * rng.uniform(0.05, 0.5)))[..., None]
        )
    if rng.random() < 0.15:
        picture = picture + np.float32(rng.uniform(0, 0.25) * picture.mean())
    level = float(np.exp(rng.uniform(np.log(0.05), np.log(0.5))))
    gain = level / max(float(picture.mean()), 1e-3)
    if rng.random() < 0.7:  # most cameras hold the bright end
        gain = min(gain, rng.uniform(0.8, 1.6) / max(float(np.percentile(picture, 99)), 1e-3))
    tone = np.clip(picture * gain * rng.uniform(0.85, 1.15, 3).astype(np.float32), 0, None)
    tone = np.where(tone > 0.8, 0.8 + (1 - np.exp(-(tone - 0.8) * 3)) * 0.2, tone) if rng.random() < 0.5 else tone
    out = np.clip(tone, 0, 1).astype(np.float32) ** np.float32(1 / rng.uniform(1.8, 2.5)) * 255
    blur = die_px * rng.uniform(0, 0.022) if rng.random() < 0.7 else die_px * rng.uniform(0.02, 0.055)
    if blur > 0.25:
        out = cv2.GaussianBlur(out, (0, 0), blur)
    if rng.random() < 0.07:
        length = max(1, int(die_px * rng.uniform(0.02, 0.12)))
        kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
        angle = rng.uniform(0, np.pi)
        reach = (int(length * np.cos(angle)), int(length * np.sin(angle)))
        cv2.line(kernel, (length - reach[0], length - reach[1]), (length + reach[0], length + reach[1]), 1.0)
        out = cv2.filter2D(out, -1, kernel / kernel.sum())
    scale = float(rng.choice([1.0, rng.uniform(0.6, 1.0), rng.uniform(1.0, 1.8)], p=[0.4, 0.3, 0.3]))
    scale = max(scale, 15 / die_px)
    new = max(64, round(size * scale))
    if new != size:
        out = cv2.resize(out, (new, new), interpolation=cv2.INTER_AREA if new < size else cv2.INTER_CUBIC)
    noise = rng.uniform(0.3, 4) if rng.random() < 0.75 else rng.uniform(3, 11)
    grain = rng.standard_normal(out.shape).astype(np.float32)
    if rng.random() < 0.3:
        grain = cv2.GaussianBlur(grain, (0, 0), 0.8) * 2
    if rng.random() < 0.15:  # spots of colour, as small sensors have them
        coloured = rng.standard_normal(out.shape).astype(np.float32)
        coloured -= coloured.mean(2, keepdims=True)
        grain = grain + cv2.GaussianBlur(coloured, (0, 0), rng.uniform(1, 2.5)) * rng.uniform(1, 5)
    out = out + grain * noise * np.sqrt(np.maximum(out, 6) / 128)
    if rng.random() < 0.35:
        out = out + rng.uniform(0.2, 1.2) * (out - cv2.GaussianBlur(out, (0, 0), rng.uniform(0.8, 2)))
    image = np.clip(out, 0, 255).astype(np.uint8)[..., ::-1]
    if rng.random() < 0.8:
        quality = int(rng.uniform(35, 96))
        image = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
    if rng.random() < 0.12:  # made smaller for sending, and larger again to be read
        small = max(48, round(new * max(rng.uniform(0.45, 0.8), 14 / (die_px * new / size))))
        image = cv2.resize(image, (small, small), interpolation=cv2.INTER_AREA)
        quality = int(rng.uniform(40, 92))
        image = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
        image = cv2.resize(image, (new, new), interpolation=cv2.INTER_CUBIC)
    ratio = new / size

    def move(points: Field) -> Field:
        return ((np.asarray(points, np.float32) + 0.5) * ratio - 0.5).astype(np.float32)

    moved = [
        Face(
            f.value, move(f.corners), move(f.pips), f.seen, [move(s) for s in f.sides],
            [(d * ratio).astype(np.float32) for d in f.drops], f.lean,
        )
        for f in faces
    ]  # fmt: skip
    bodies = cv2.resize(bodies, (new, new), interpolation=cv2.INTER_NEAREST)
    return Scene(np.ascontiguousarray(image), moved, die_px * ratio, move(spots), bodies)
