"""What lies round the simulated dice: the tray, its light, a player's hand, and things that are no dice.

Room: hardware, part of the simulated tray. It makes pictures and cut-outs once; moving and composing them is
`sim_tray`'s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.sim_dice import STYLES, Bgr, Lamp, Lens, Sprite
from hardware.sim_motion import Field
from vision.types import Image

Plane = npt.NDArray[np.float32]

FELTS: Mapping[str, Bgr] = {
    "green": (58, 94, 38),
    "blue": (118, 74, 36),
    "burgundy": (46, 30, 92),
    "grey": (106, 106, 104),
    "tan": (112, 150, 174),
}
_WOOD: Bgr = (52, 82, 122)
_WALL_CM = 0.65
_MARK_CM = 0.9
_MARK_GAP_CM = 0.12
LAMPS: Mapping[str, Lamp] = {
    "ring": Lamp((0.10, 0.12, 0.988), 0.85),
    "window": Lamp((-0.50, 0.20, 0.843), 0.60),
    "ceiling": Lamp((0.30, 0.36, 0.883), 0.62),
    "desk": Lamp((0.52, -0.10, 0.848), 0.50),
}
"""Kinds of light: a ring round the camera, a window to the left, lamps on the ceiling, a desk lamp to the right."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One table: its felt, lamp and dice by name, and an edge of its dice in cm."""

    felt: str
    lamp: str
    style: str
    edge_cm: float = 1.6


def choose_setting(rng: np.random.Generator) -> Setting:
    """A table as a person would set it up: with dice that stand out from the felt."""
    pairs = [(felt, style) for felt in FELTS for style in STYLES if _stands_out(felt, style)]
    felt, style = pairs[int(rng.integers(len(pairs)))]
    return Setting(felt, list(LAMPS)[int(rng.integers(len(LAMPS)))], style)


def _stands_out(felt: str, style: str) -> bool:
    return float(np.abs(np.array(FELTS[felt], float) - np.array(STYLES[style].body, float)).max()) > 75.0


def draw_tray(felt: str, lamp: Lamp, lens: Lens, field: Field, rng: np.random.Generator) -> Image:
    """The empty tray: felt with its nap, a wooden rim, and light that falls off to the sides."""
    h, w = lens.height_px, lens.width_px
    x_cm = ((np.arange(w) - w / 2 - lens.shift_px[0]) / lens.px_per_cm).astype(np.float32)[None, :]
    y_cm = ((h / 2 + lens.shift_px[1] - np.arange(h)) / lens.px_per_cm).astype(np.float32)[:, None]
    nap = 1.0 + _noise(rng, h, w, 0.8) * np.float32(0.035) + _noise(rng, h, w, 9.0) * np.float32(0.01)
    out_x = np.abs(x_cm) - np.float32(field.half_width_cm)
    out_y = np.abs(y_cm) - np.float32(field.half_height_cm)
    streaks = np.where(out_y > out_x, _stretched(rng, h, w, across=True), _stretched(rng, h, w, across=False))
    grain = 1.0 + np.float32(0.14) * streaks
    # The camera looks at the inside of the rim before it sees its top.
    top = np.clip((np.maximum(out_x, out_y) - np.float32(_WALL_CM)) * np.float32(lens.px_per_cm), 0, 1)
    grain *= np.float32(0.62) + np.float32(0.38) * top
    # Rounded inner corners.
    radius = np.float32(1.2)
    corner = np.hypot(np.maximum(out_x + radius, 0), np.maximum(out_y + radius, 0)) - radius
    out = np.maximum(corner, np.maximum(out_x, out_y))
    outside = np.clip(out * np.float32(lens.px_per_cm) + np.float32(0.5), 0, 1)
    # The rim stands above the felt and keeps light off it.
    rim_shadow = 1.0 - np.float32(0.32) * np.exp(np.minimum(out, 0) / np.float32(0.5)) * (1 - outside)
    toward = np.array(lamp.direction[:2], np.float32) / np.float32(lamp.direction[2] * max(0.2, lamp.even))
    fall = 1.0 + np.float32(0.012) * (x_cm * toward[0] + y_cm * toward[1])
    fall = fall * (1.0 - np.float32(0.00035) * (x_cm**2 + y_cm**2))
    felt_light = nap * (1 - outside) * rim_shadow * fall
    wood_light = grain * outside * fall
    planes = [
        np.clip(felt_light * np.float32(of_felt) + wood_light * np.float32(of_wood), 0, 255).astype(np.uint8)
        for of_felt, of_wood in zip(FELTS[felt], _WOOD, strict=True)
    ]
    return np.asarray(cv2.merge(planes), np.uint8)


def draw_marks(image: Image, lens: Lens, field: Field) -> None:
    """Four printed marks (ArUco, 4 x 4 modules, numbers 0 to 3) on the rim, one at each corner of the felt."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    module_px = max(1, round(_MARK_CM / 6 * lens.px_per_cm))
    mark_px, white_px = 6 * module_px, module_px
    for number, (right, up) in enumerate(((-1, 1), (1, 1), (1, -1), (-1, -1))):
        x_cm, y_cm = right * field.half_width_cm, up * field.half_height_cm
        # The corner that looks to the middle lies on the rim, just off the felt.
        x_px, y_px = (
            round(float(v))
            for v in lens.project(np.array([[x_cm + right * _MARK_GAP_CM, y_cm + up * _MARK_GAP_CM, 0.0]]))[0]
        )
        left, top = (x_px if right > 0 else x_px - mark_px), (y_px if up < 0 else y_px - mark_px)
        paper = np.full((mark_px + 2 * white_px,) * 2, 225, np.uint8)
        mark = np.asarray(cv2.aruco.generateImageMarker(dictionary, number, mark_px), np.uint8)
        paper[white_px:-white_px, white_px:-white_px] = np.clip(mark, 28, 225)
        x0, y0 = max(0, left - white_px), max(0, top - white_px)
        x1, y1 = min(lens.width_px, left + mark_px + white_px), min(lens.height_px, top + mark_px + white_px)
        part = paper[y0 - top + white_px : y1 - top + white_px, x0 - left + white_px : x1 - left + white_px]
        image[y0:y1, x0:x1] = part[:, :, None]


def _noise(rng: np.random.Generator, h: int, w: int, sigma: float) -> Plane:
    small = max(1, int(sigma))
    coarse = rng.standard_normal((h // small + 1, w // small + 1)).astype(np.float32)
    smooth = cv2.GaussianBlur(coarse, (0, 0), sigma / small)
    return _even_out(smooth, h, w)


def _stretched(rng: np.random.Generator, h: int, w: int, across: bool) -> Plane:
    shape = (h, w // 60 + 2) if across else (h // 60 + 2, w)
    coarse = rng.standard_normal(shape).astype(np.float32)
    return _even_out(cv2.GaussianBlur(coarse, (0, 0), 0.6), h, w)


def _even_out(values: Any, h: int, w: int) -> Plane:
    full = cv2.resize(values, (w, h), interpolation=cv2.INTER_LINEAR)
    return np.asarray(full / np.float32(full.std()), np.float32)


@dataclass(frozen=True, slots=True)
class Cutout:
    """Something drawn once and laid down anywhere: `tip` is the pixel in it that is moved about."""

    colour: Image
    cover: Image
    shadow: Image
    tip: tuple[int, int]
    shadow_by: tuple[int, int]

    def draw_on(self, image: Image, x_px: float, y_px: float) -> None:
        """Lay it on `image`, its shadow first, with its tip at this pixel."""
        x, y = round(x_px) - self.tip[0], round(y_px) - self.tip[1]
        black = np.zeros_like(self.shadow)
        Sprite(x + self.shadow_by[0], y + self.shadow_by[1], black, self.shadow).draw_on(image)
        Sprite(x, y, self.colour, self.cover).draw_on(image)


_SKINS: tuple[Bgr, ...] = ((128, 158, 204), (98, 130, 184), (62, 92, 142), (44, 62, 98))
_SLEEVES: tuple[Bgr, ...] = ((92, 60, 40), (60, 60, 62), (50, 46, 120), (150, 150, 146))


SIDES: Mapping[str, int] = {"near": 0, "left": 3, "far": 2, "right": 1}
"""Side of the picture that a hand comes from -> quarter turns, counter-clockwise, from the near side."""


def draw_hand(lens: Lens, lamp: Lamp, rng: np.random.Generator, side: str = "near") -> Cutout:
    """A hand that reaches in from one of SIDES, with as much of the arm as the picture needs."""
    turns = SIDES[side]
    # Drawn from the near side, by a lamp turned the other way, and then turned.
    lamp_x, lamp_y = lamp.direction[:2]
    for _ in range(turns):
        lamp_x, lamp_y = lamp_y, -lamp_x
    scale = lens.px_per_cm * 1.12
    reach_cm = (lens.width_px if turns % 2 else lens.height_px) / lens.px_per_cm + 4.0
    w, h = round(13 * scale), round(reach_cm * scale)
    mid = 6.5

    def at(x: float, y: float) -> tuple[int, int]:
        return round((mid + x) * scale), round((y + 1.2) * scale)

    mask = np.zeros((h, w), np.uint8)
    for x0, y0, x1, y1, r in (
        (-2.7, 6.5, -3.0, 1.7, 0.82),
        (-0.9, 6.0, -1.0, 0.3, 0.88),
        (0.9, 6.0, 1.0, 0.0, 0.88),
        (2.6, 6.5, 2.9, 0.9, 0.78),
        (-3.0, 9.0, -5.0, 5.0, 0.98),
        (0.0, 10.0, 0.0, reach_cm, 2.9),
    ):
        cv2.line(mask, at(x0, y0), at(x1, y1), 255, round(2 * r * scale), cv2.LINE_AA)
    cv2.ellipse(mask, at(0, 8.2), (round(3.7 * scale), round(4.3 * scale)), 0, 0, 360, 255, -1, cv2.LINE_AA)
    depth = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3) / (1.5 * scale)
    height = np.sqrt(np.clip(1 - (1 - np.clip(depth, 0, 1)) ** 2, 0, 1)).astype(np.float32)
    height = cv2.GaussianBlur(height, (0, 0), 0.12 * scale)
    slope_x = cv2.Sobel(height, cv2.CV_32F, 1, 0) * scale * 0.07
    slope_y = cv2.Sobel(height, cv2.CV_32F, 0, 1) * scale * 0.07
    slope = slope_x * np.float32(lamp_x) - slope_y * np.float32(lamp_y)
    light = np.float32(0.62) + np.float32(0.38) * height - np.float32(0.5) * slope
    light *= 1.0 + np.float32(0.03) * _noise(rng, h, w, 12.0)
    skin = np.array(_SKINS[int(rng.integers(len(_SKINS)))], np.float32)
    sleeve = np.array(_SLEEVES[int(rng.integers(len(_SLEEVES)))], np.float32)
    rows = np.arange(h)[:, None] / scale
    is_sleeve = np.clip((rows - 16.0) * 4, 0, 1)[:, :, None].astype(np.float32)
    colour = (skin * (1 - is_sleeve) + sleeve * is_sleeve) * np.clip(light, 0.25, 1.2)[:, :, None]
    cover = cv2.merge([mask] * 3)
    premultiplied = cv2.multiply(np.clip(colour, 0, 255).astype(np.uint8), cover, scale=1 / 255)
    margin = round(2.5 * scale)
    padded = cv2.copyMakeBorder(mask, margin, 0, margin, margin, cv2.BORDER_CONSTANT)
    small = cv2.resize(padded, None, fx=0.125, fy=0.125, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), 0.9 * scale / 8)
    shadow = cv2.resize(cv2.convertScaleAbs(soft, alpha=0.5 - 0.25 * lamp.even), (padded.shape[1], padded.shape[0]))
    away = -np.array(lamp.direction[:2]) / lamp.direction[2] * 4.0 * lens.px_per_cm
    tip = at(0.0, 1.0)
    shadow_tip = (tip[0] + margin, tip[1] + margin)
    turned = tuple(np.ascontiguousarray(np.rot90(part, turns)) for part in (premultiplied, cover, shadow))
    new_tip, new_shadow_tip = _turned(tip, (w, h), turns), _turned(shadow_tip, padded.shape[1::-1], turns)
    return Cutout(
        np.asarray(turned[0], np.uint8),
        np.asarray(turned[1], np.uint8),
        np.asarray(cv2.merge([turned[2]] * 3), np.uint8),
        new_tip,
        (
            round(float(away[0])) + new_tip[0] - new_shadow_tip[0],
            round(float(-away[1])) + new_tip[1] - new_shadow_tip[1],
        ),
    )


def _turned(point: tuple[int, int], size: Sequence[int], turns: int) -> tuple[int, int]:
    """Where a pixel of a picture of `size` (width, height) is after quarter turns counter-clockwise."""
    (x, y), (w, h) = point, (size[0], size[1])
    for _ in range(turns):
        (x, y), (w, h) = (y, w - 1 - x), (h, w)
    return x, y


def draw_thing(kind: str, lens: Lens, lamp: Lamp) -> Cutout:
    """A `glass` (a tumbler seen from above) or a `coin`. Raises KeyError for anything else."""
    radius_cm = {"glass": 3.4, "coin": 1.15}[kind]
    scale = lens.px_per_cm
    size = round(2 * (radius_cm + 1.5) * scale)
    middle, r = size // 2, radius_cm * scale
    disc = np.zeros((size, size), np.uint8)
    cv2.circle(disc, (middle, middle), round(r), 255, -1, cv2.LINE_AA)
    colour = np.zeros((size, size, 3), np.uint8)
    if kind == "coin":
        colour[:] = (84, 146, 176)
        cv2.circle(colour, (middle, middle), round(0.86 * r), (64, 116, 142), max(1, round(0.05 * r)), cv2.LINE_AA)
        cv2.ellipse(colour, (middle, middle), (round(0.4 * r), round(0.55 * r)), 20, 0, 360, (70, 126, 152), -1)
        cover = disc
    else:
        cover = np.asarray(disc * 0.25, np.uint8)
        colour[:] = (196, 200, 196)
        for share, width, strength in ((0.97, 0.07, 235), (0.72, 0.05, 150)):
            cv2.circle(cover, (middle, middle), round(share * r), strength, max(2, round(width * r)), cv2.LINE_AA)
        for begin, colour_of in ((200, (250, 252, 250)), (20, (70, 74, 70))):
            cv2.ellipse(
                colour, (middle, middle), (round(0.97 * r),) * 2, 0, begin, begin + 70, colour_of, round(0.08 * r)
            )
    cover3 = cv2.merge([cover] * 3)
    shadow = cv2.GaussianBlur(cv2.convertScaleAbs(disc, alpha=0.4), (0, 0), 0.25 * scale)
    away = -np.array(lamp.direction[:2]) / lamp.direction[2] * (0.2 if kind == "coin" else 1.2) * scale
    return Cutout(
        np.asarray(cv2.multiply(colour, cover3, scale=1 / 255), np.uint8),
        np.asarray(cover3, np.uint8),
        np.asarray(cv2.merge([shadow] * 3), np.uint8),
        (middle, middle),
        (round(float(away[0])), round(float(-away[1]))),
    )


def draw_phone(image: Image, share: float) -> None:
    """The light of a phone that has gone this share of its way from left to right across the picture."""
    height, width = image.shape[:2]
    step = 8
    x, y = np.meshgrid(np.arange(width // step) * step / width, np.arange(height // step) * step / width)
    far = np.hypot(x - (1.6 * share - 0.3), y - 0.45 * height / width)
    # The lamp's own cone, and a little all over the tray.
    light = 255 * (0.5 + 0.45 * np.exp(-((far / 0.12) ** 2)) + 0.03 * np.exp(-((far / 0.5) ** 2)))
    full = cv2.resize(light.astype(np.uint8), (width, height), interpolation=cv2.INTER_LINEAR)
    image[:] = cv2.multiply(image, cv2.merge([full] * 3), scale=2 / 255)


def draw_crossing(image: Image, share: float) -> None:
    """A soft shadow that has gone this share of its way from left to right across the picture."""
    height, width = image.shape[:2]
    columns = np.arange(width // 16) / (width // 16)
    band = np.exp(-(((columns - (1.6 * share - 0.3)) / 0.12) ** 2) * 0.5)
    light = np.broadcast_to((255 * (1 - 0.45 * band)).astype(np.uint8), (height // 16, width // 16))
    full = cv2.resize(np.ascontiguousarray(light), (width, height), interpolation=cv2.INTER_LINEAR)
    image[:] = cv2.multiply(image, cv2.merge([full] * 3), scale=1 / 255)
