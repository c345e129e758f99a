"""How a simulated die looks: a rounded cube with pips, drawn by a pinhole camera above the tray.

Room: hardware, part of the simulated tray. It draws one die in a given pose; where dice lie and how they move is
`sim_motion`, and which value they show is decided in `sim_tray`.

The world is in centimetres: x to the right, y up in the picture, z from the felt towards the camera. A cube's picture
is its silhouette, filled with the colour of its bevelled edges, and on it each face that looks at the camera, warped
from a square texture (a homography per face).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.types import Corners, Image

Floats = npt.NDArray[np.float64]
Bgr = tuple[int, int, int]

_TEXTURE_PX = 128
_BEVEL = 0.05
_ROUND = 0.15
_LIGHT_STEPS = 8

_X, _Y, _Z = np.eye(3)
# Normal and the two directions of each face, right-handed: 1, 2, 3 run counter-clockwise round their corner, and
# opposite faces add up to seven.
_FACES: Mapping[int, tuple[Floats, Floats, Floats]] = {
    1: (_Z, _X, _Y),
    6: (-_Z, _Y, _X),
    2: (_X, _Y, _Z),
    5: (-_X, _Z, _Y),
    3: (_Y, _Z, _X),
    4: (-_Y, _X, _Z),
}
_PIPS: Mapping[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
_CUBE = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float) / 2


@dataclass(frozen=True, slots=True)
class DieStyle:
    """Colours (BGR) and the make of a set of dice. `pitch` and `pip` are shares of the edge: from the middle of the
    face to the outer pips, and a pip's radius. `gloss`, 0 to 1, is how strongly lamps show in the pips."""

    body: Bgr
    pips: Bgr
    pitch: float = 0.26
    pip: float = 0.095
    gloss: float = 0.5


STYLES: Mapping[str, DieStyle] = {
    "ivory": DieStyle((196, 222, 232), (30, 28, 28)),
    "white": DieStyle((236, 238, 238), (24, 22, 22), pitch=0.25, pip=0.10),
    "red": DieStyle((42, 36, 176), (238, 240, 240), pitch=0.27),
    "blue": DieStyle((160, 84, 34), (240, 240, 238), pip=0.10),
    "black": DieStyle((38, 35, 34), (232, 234, 234), pitch=0.255),
    "green": DieStyle((66, 112, 34), (238, 240, 238)),
    "yellow": DieStyle((52, 182, 226), (26, 24, 24), pip=0.09),
}


@dataclass(frozen=True, slots=True)
class Lens:
    """A pinhole camera that looks straight down on the middle of the tray from `height_cm`.

    `shift_px` (right, down) is how far a knock has moved the picture.
    """

    width_px: int
    height_px: int
    px_per_cm: float
    height_cm: float
    shift_px: tuple[float, float] = (0.0, 0.0)

    def project(self, points: Floats) -> Floats:
        """World points (n x 3, cm) -> pixels (n x 2)."""
        scale = self.px_per_cm * self.height_cm / (self.height_cm - points[:, 2])
        x = self.width_px / 2 + self.shift_px[0] + scale * points[:, 0]
        y = self.height_px / 2 + self.shift_px[1] - scale * points[:, 1]
        return np.stack([x, y], axis=1)


@dataclass(frozen=True, slots=True)
class Lamp:
    """Light from one side over an even light. `direction` points from the tray to the lamp, of length 1; `even` is
    the share of light that comes from everywhere, 0 to 1."""

    direction: tuple[float, float, float]
    even: float

    def shade(self, normal: Floats) -> float:
        """Brightness of a matt face with this `normal`; a level one has 1.0."""
        toward = max(0.0, float(normal @ np.array(self.direction))) / self.direction[2]
        return float((self.even + (1.0 - self.even) * min(toward, 1.25)) ** 0.8)


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a die is: its centre in cm and its rotation (3 x 3)."""

    centre: tuple[float, float, float]
    rotation: Any

    def points(self, local: Floats, edge_cm: float) -> Floats:
        """Points of the unit cube, -0.5 to 0.5, in the world."""
        return np.asarray(local @ self.rotation.T * edge_cm + np.array(self.centre), float)


@dataclass(frozen=True, slots=True)
class Sprite:
    """A cut-out at pixel (x, y): `colour` premultiplied by `cover`, both uint8, h x w x 3."""

    x: int
    y: int
    colour: Image
    cover: Image

    def draw_on(self, image: Image) -> None:
        """Lay it on `image`, clipped at the border."""
        h, w = self.cover.shape[:2]
        x0, y0 = max(self.x, 0), max(self.y, 0)
        x1, y1 = min(self.x + w, image.shape[1]), min(self.y + h, image.shape[0])
        if x0 >= x1 or y0 >= y1:
            return
        part = (slice(y0 - self.y, y1 - self.y), slice(x0 - self.x, x1 - self.x))
        field = image[y0:y1, x0:x1]
        field[:] = cv2.add(cv2.multiply(field, 255 - self.cover[part], scale=1 / 255), self.colour[part])


def rotation_z(angle: float) -> Floats:
    """Turn by `angle` radians, counter-clockwise in the picture."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def rotation_about(axis: tuple[float, float], angle: float) -> Floats:
    """Turn by `angle` radians about a level axis of length 1 (Rodrigues' formula)."""
    x, y = axis
    c, s = math.cos(angle), math.sin(angle)
    return np.array(
        [
            [c + x * x * (1 - c), x * y * (1 - c), y * s],
            [x * y * (1 - c), c + y * y * (1 - c), -x * s],
            [-y * s, x * s, c],
        ]
    )


def flat_rotation(value: int, yaw: float) -> Floats:
    """The rotation of a die that lies flat and shows `value`, turned by `yaw` radians."""
    normal, u, v = _FACES[value]
    return np.asarray(rotation_z(yaw) @ np.stack([u, v, normal]), float)


def resting_height_cm(rotation: Floats, edge_cm: float) -> float:
    """Height of the centre of a die in this rotation whose lowest corner touches the felt."""
    return float(-(_CUBE @ rotation.T * edge_cm)[:, 2].min())


def top_corners(value: int, pose: Pose, edge_cm: float, lens: Lens) -> Corners:
    """The corners in the picture of the face that shows `value`, in pixels."""
    a, b, c, d = lens.project(_face_corners(value, pose, edge_cm, 0.0)).tolist()
    return (a[0], a[1]), (b[0], b[1]), (c[0], c[1]), (d[0], d[1])


def draw_die(
    pose: Pose, style: DieStyle, edge_cm: float, lens: Lens, lamp: Lamp, fine: int = 2, bright: float = 1.0
) -> Sprite:
    """A die in this pose as a cut-out, drawn `fine` times finer than the picture (1 will do for a moving one).

    `bright` is how this die's colours differ from its set's.
    """
    half_px = lens.px_per_cm * edge_cm / 2
    inner = lens.project(pose.points(_CUBE * (1 - 2 * _ROUND), edge_cm))
    round_px = 2 * _ROUND * half_px * lens.height_cm / (lens.height_cm - pose.centre[2])
    low = np.floor(inner.min(axis=0) - round_px - 2).astype(int)
    high = np.ceil(inner.max(axis=0) + round_px + 2).astype(int)
    size = (high - low) * fine

    def local(points: Floats) -> Floats:
        return np.asarray((points - low + 0.5) * fine - 0.5, float)

    cover = np.zeros((size[1], size[0]), np.uint8)
    hull = cv2.convexHull(np.round(local(inner) * 16).astype(np.int32))
    cv2.fillConvexPoly(cover, hull, 255, cv2.LINE_AA, 4)
    cv2.polylines(cover, [hull], True, 255, max(1, round(2 * round_px * fine)), cv2.LINE_AA, 4)

    eye = np.array([0.0, 0.0, lens.height_cm])
    seen = []
    for value, (normal, _, _) in _FACES.items():
        n = pose.rotation @ normal
        middle = np.array(pose.centre) + n * edge_cm / 2
        facing = float(n @ (eye - middle)) / float(np.linalg.norm(eye - middle))
        if facing > 0.03:
            seen.append((facing, value, n))
    seen.sort(key=lambda entry: entry[0])
    bevel = 0.5 * (lamp.shade(seen[-1][2]) + lamp.shade(np.array(lamp.direction)))
    colour = np.empty((size[1], size[0], 3), np.uint8)
    colour[:] = _lit(style.body, 0.93 * bevel * bright)
    frame = np.array([[0, 0], [_TEXTURE_PX, 0], [_TEXTURE_PX, _TEXTURE_PX], [0, _TEXTURE_PX]], np.float32) - 0.5
    for facing, value, n in seen:
        quad = local(lens.project(_face_corners(value, pose, edge_cm, _BEVEL))).astype(np.float32)
        x0, y0 = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 1, 0)
        x1, y1 = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + 2, size)
        matrix = cv2.getPerspectiveTransform(frame, quad - np.array([x0, y0], np.float32))
        upright = facing > 0.8 and fine > 1
        texture = _texture(style, value, _light_step(lamp, pose.rotation, value) if upright else 0, upright)
        warped = cv2.warpPerspective(texture, matrix, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_AREA)
        shade = min(1.25, lamp.shade(n)) * bright
        lit = cv2.convertScaleAbs(warped[:, :, :3], alpha=shade)
        alpha = cv2.merge([warped[:, :, 3]] * 3)
        field = colour[y0:y1, x0:x1]
        field[:] = cv2.add(cv2.multiply(field, 255 - alpha, scale=1 / 255), lit)
    small = (int(high[0] - low[0]), int(high[1] - low[1]))
    cover3 = cv2.merge([cover] * 3)
    colour = cv2.resize(cv2.multiply(colour, cover3, scale=1 / 255), small, interpolation=cv2.INTER_AREA)
    cover3 = cv2.resize(cover3, small, interpolation=cv2.INTER_AREA)
    return Sprite(int(low[0]), int(low[1]), np.asarray(colour, np.uint8), np.asarray(cover3, np.uint8))


def draw_shadow(image: Image, pose: Pose, edge_cm: float, lens: Lens, lamp: Lamp) -> None:
    """Darken the felt where a die in this pose keeps the light off: a soft shadow away from the lamp, a tight one
    where it stands."""
    corners = pose.points(_CUBE * 0.96, edge_cm)
    away = np.array(lamp.direction[:2]) / lamp.direction[2]
    cast = corners.copy()
    cast[:, :2] -= away * corners[:, 2:3]
    cast[:, 2] = 0.0
    under = corners.copy()
    under[:, 2] = 0.0
    lift_cm = float(corners[:, 2].min())
    soft_px = lens.px_per_cm * (0.16 * edge_cm + 0.22 * lift_cm)
    tight_px = lens.px_per_cm * (0.10 * edge_cm + 0.6 * lift_cm)
    _darken(image, lens.project(cast), soft_px, 0.62 * (1.0 - lamp.even))
    _darken(image, lens.project(under), tight_px, 0.45 * edge_cm / (edge_cm + 2.0 * lift_cm))


def smeared(sprites: Sequence[Sprite], way_px: tuple[float, float]) -> Sprite:
    """A moving die while the shutter is open: cut-outs of it from one moment to the next, each smeared over its part of
    the way (right, down)."""
    steps = min(12, max(2, round(math.hypot(*way_px) / 6)))
    parts = []
    for sprite in sprites:
        for n in range(steps):
            right, down = (share * ((n + 0.5) / steps - 0.5) / len(sprites) for share in way_px)
            parts.append((sprite, sprite.x + round(right), sprite.y + round(down)))
    x0, y0 = min(x for _, x, _ in parts), min(y for _, _, y in parts)
    x1 = max(x + sprite.cover.shape[1] for sprite, x, _ in parts)
    y1 = max(y + sprite.cover.shape[0] for sprite, _, y in parts)
    colour = np.zeros((y1 - y0, x1 - x0, 3), np.uint16)
    cover = np.zeros_like(colour)
    for sprite, x, y in parts:
        h, w = sprite.cover.shape[:2]
        spot = (slice(y - y0, y - y0 + h), slice(x - x0, x - x0 + w))
        colour[spot] += sprite.colour
        cover[spot] += sprite.cover
    scale = 1.0 / len(parts)
    return Sprite(
        x0,
        y0,
        np.asarray(cv2.convertScaleAbs(colour, alpha=scale)),
        np.asarray(cv2.convertScaleAbs(cover, alpha=scale)),
    )


def _darken(image: Image, points: Floats, blur_px: float, strength: float) -> None:
    margin = 2.5 * blur_px + 2
    low = np.maximum(np.floor(points.min(axis=0) - margin).astype(int), 0)
    high = np.minimum(np.ceil(points.max(axis=0) + margin).astype(int), [image.shape[1], image.shape[0]])
    if (high <= low).any():
        return
    # A soft shadow has no detail: half the size is enough.
    mask = np.zeros(((high[1] - low[1]) // 2 + 1, (high[0] - low[0]) // 2 + 1), np.uint8)
    hull = cv2.convexHull(np.round((points - low) * 8).astype(np.int32))
    cv2.fillConvexPoly(mask, hull, round(255 * min(strength, 0.9)), cv2.LINE_AA, 4)
    mask = np.asarray(cv2.blur(cv2.blur(mask, (k := max(1, round(blur_px)), k)), (k, k)), np.uint8)
    field = image[low[1] : high[1], low[0] : high[0]]
    light = cv2.resize(255 - mask, (field.shape[1], field.shape[0]), interpolation=cv2.INTER_LINEAR)
    field[:] = cv2.multiply(field, cv2.merge([light] * 3), scale=1 / 255)


def _face_corners(value: int, pose: Pose, edge_cm: float, inset: float) -> Floats:
    normal, u, v = _FACES[value]
    side = 0.5 - inset
    local = np.array([normal / 2 + u * x * side + v * y * side for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))])
    return pose.points(local, edge_cm)


def _light_step(lamp: Lamp, rotation: Floats, value: int) -> int:
    _, u, v = _FACES[value]
    direction = np.array(lamp.direction)
    angle = math.atan2(float(rotation @ v @ direction), float(rotation @ u @ direction))
    return round(angle / (2 * math.pi) * _LIGHT_STEPS) % _LIGHT_STEPS


def _lit(colour: Bgr, shade: float) -> tuple[float, float, float]:
    b, g, r = (min(255.0, channel * shade) for channel in colour)
    return b, g, r


@lru_cache(maxsize=32)
def _texture(style: DieStyle, value: int, light_step: int, upright: bool) -> Image:
    """A face as BGRA, premultiplied. `light_step` is the lamp's direction in the face; only a face that lies
    `upright` to the camera shows the lamp in its pips."""
    scale = 2
    size = _TEXTURE_PX * scale
    face = np.empty((size, size, 3), np.uint8)
    face[:] = style.body
    angle = 2 * math.pi * light_step / _LIGHT_STEPS
    toward = np.array([math.cos(angle), -math.sin(angle)])
    unit = size / (1 - 2 * _BEVEL)
    radius = style.pip * unit
    dark_pip = sum(style.pips) < sum(style.body)
    for column, row in _PIPS[value]:
        middle = np.array([size / 2 + column * style.pitch * unit, size / 2 - row * style.pitch * unit])
        _disc(face, middle, radius * 1.06, tuple(0.75 * c for c in style.body))
        _disc(face, middle, radius, style.pips)
        if dark_pip:
            # A hollow: its far wall catches the lamp.
            _disc(face, middle - toward * radius * 0.32, radius * 0.55, _mix(style.pips, (110, 110, 110), 0.3))
            if upright and style.gloss > 0:
                spot = _mix(style.pips, (255, 255, 255), 0.75 * style.gloss)
                _disc(face, middle - toward * radius * 0.42, radius * 0.2, spot)
        else:
            _disc(face, middle + toward * radius * 0.1, radius * 0.82, _mix(style.pips, (150, 150, 150), 0.35))
            _disc(face, middle - toward * radius * 0.08, radius * 0.8, style.pips)
    if upright:
        # A lamp never lights a face quite evenly.
        x, y = np.meshgrid(np.linspace(-1, 1, size, dtype=np.float32), np.linspace(-1, 1, size, dtype=np.float32))
        sheen = 1.0 + 0.05 * (x * np.float32(toward[0]) + y * np.float32(toward[1]))
        face = np.asarray(cv2.multiply(face, cv2.merge([sheen] * 3), dtype=cv2.CV_8U), np.uint8)
    alpha = np.zeros((size, size), np.uint8)
    corner = int((_ROUND - _BEVEL) * 1.4 * unit)
    cv2.rectangle(alpha, (corner, corner), (size - 1 - corner, size - 1 - corner), 255, -1)
    box = np.array(
        [[corner, corner], [size - 1 - corner, corner], [size - 1 - corner] * 2, [corner, size - 1 - corner]]
    )
    cv2.polylines(alpha, [box.astype(np.int32)], True, 255, 2 * corner - 4, cv2.LINE_AA)
    alpha = np.asarray(cv2.blur(alpha, (9, 9)), np.uint8)
    face = np.asarray(cv2.multiply(face, cv2.merge([alpha] * 3), scale=1 / 255), np.uint8)
    small = cv2.resize(cv2.merge([face, alpha]), (_TEXTURE_PX, _TEXTURE_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _disc(image: Image, middle: Floats, radius: float, colour: tuple[float, ...]) -> None:
    x, y = np.round(middle * 16).astype(int).tolist()
    cv2.circle(image, (x, y), round(radius * 16), colour, -1, cv2.LINE_AA, 4)


def _mix(a: Bgr, b: Bgr, share: float) -> tuple[float, float, float]:
    x, y, z = (p + (q - p) * share for p, q in zip(a, b, strict=True))
    return x, y, z
