"""What moves in the tray, seen on a picture of at most 160 pixels.

Room: vision. Knows no dice values and no states: only what differs between two small pictures, and what of it reaches
in over the border. Light is divided out, so that a step of exposure, flicker and soft shadows count for little.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.types import Image

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]

SMALL_PX = 160
"""Longest side of the picture that motion is looked for in."""

_LIGHT_PX = 31
_DARK = 16.0
_CHANGE = 10.0
_COLOUR_CHANGE = 9.0
_SOFT, _RIM = 8.0, 0.9
"""Of what is only light hardly a tenth changes by more than the first from pixel to pixel. On simulated trays light
stays under 4 there; of dice that fly that tenth lies over 25."""
_REACH_PX = 10
"""A knock of more than this many small pixels is not measured."""
_FITS = 0.8
"""Correlation of the edges of two pictures above which nothing has been moved."""
_CLIPPED = 250
_NOISES = 5.5
_STEADY = 0.03
"""Light that changes by less than this (natural logarithm) is steady."""
_LOGARITHMS = (100.0 * np.log((np.arange(256) + _DARK) / _DARK)).astype(np.float32)
_MEAN = np.full((1, 3), 1.0 / 3.0, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Small:
    """A small picture: `levels` is BGR uint8, `logs` 100 times the logarithm of each level, both height x width x 3,
    so that a difference of 10 is about a tenth more light. `scale` is small pixels per pixel of the frame.
    """

    levels: Image
    logs: Floats
    scale: float

    @property
    def shape(self) -> tuple[int, int]:
        return self.levels.shape[0], self.levels.shape[1]


def shrink(image: Image, full_width_px: int | None = None) -> Small:
    """The small picture of a frame's image (BGR uint8, height x width x 3). `full_width_px` is the frame's width, if
    `image` is a smaller picture of it already."""
    height, width = image.shape[:2]
    reduced = width / (full_width_px or width)
    scale = min(1.0, SMALL_PX / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    # Halving by two is the cheapest mean that OpenCV has; the rest of the way needs the exact one.
    while max(image.shape[:2]) >= 4 * SMALL_PX:
        half = (image.shape[1] // 2, image.shape[0] // 2)
        image = np.asarray(cv2.resize(image, half, interpolation=cv2.INTER_LINEAR), np.uint8)
    levels = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return Small(levels, np.asarray(cv2.LUT(levels, _LOGARITHMS), np.float32), scale * reduced)


def _unlit(now: Small, before: Small) -> Floats:
    """The difference of the logarithms without what is only a change of light: the median of the surroundings, which
    a soft shadow or a step of exposure moves and a die does not. Height x width x 3."""
    plain = _without_surroundings(now, before, before.logs)
    gains = _gains(now, before)
    if np.abs(np.log(gains)).max() < _STEADY:
        return plain
    # In the dark a logarithm hides part of a step of light, more of it the darker it is: at the border of a dark rim
    # that looks like something new. So the picture before is lit as this one is, unless that explains less.
    levels = np.arange(256, dtype=np.float32)[:, None, None] * gains[None, None, :]
    lit = (100.0 * np.log((np.minimum(levels, 255.0) + _DARK) / _DARK)).astype(np.float32)
    relit = _without_surroundings(now, before, np.asarray(cv2.LUT(before.levels, lit), np.float32))
    return relit if (np.abs(relit) > _CHANGE).sum() < (np.abs(plain) > _CHANGE).sum() else plain


def _without_surroundings(now: Small, before: Small, logs: Floats) -> Floats:
    difference = now.logs - logs
    mean = cv2.transform(difference, _MEAN)
    light = cv2.medianBlur(np.clip(mean + 128.0, 0.0, 255.0).astype(np.uint8), _LIGHT_PX).astype(np.float32) - 128.0
    result: Floats = difference - light[:, :, None]
    # What is as light as the camera can tell can't follow a change of light any further.
    result[(now.levels >= _CLIPPED) & (result < 0)] = 0.0
    result[(before.levels >= _CLIPPED) & (result > 0)] = 0.0
    return result


def _gains(now: Small, before: Small) -> Floats:
    """How much more light there is now, for each channel, as far as most of the picture tells."""
    one = before.levels[::3, ::3].reshape(-1, 3).astype(np.float32)
    other = now.levels[::3, ::3].reshape(-1, 3).astype(np.float32)
    gains: Floats = np.clip(np.median((other + 1.0) / (one + 1.0), axis=0), 0.3, 3.0).astype(np.float32)
    return gains


def changed(now: Small, before: Small) -> Mask:
    """Where something moved between the two pictures, not where it merely became lighter or darker."""
    if cv2.norm(now.logs, before.logs, cv2.NORM_INF) <= 0.5 * _CHANGE:
        # Light can move a pixel by no more than the largest difference, so nothing is left to look for.
        return np.zeros(now.shape, bool)
    difference = _unlit(now, before)
    mask: Mask = cv2.blur(_largest(difference), (2, 2)) > _limit(difference, now)
    return mask


def _limit(difference: Floats, now: Small) -> Floats | float:
    """What a difference must exceed to be more than noise: in dim parts a grey level of noise is much of the light."""
    part = (slice(None, None, 3), slice(None, None, 3))
    levels = now.levels[part].astype(np.float32) + _DARK
    noise = float(np.median(np.abs(difference[part]) * levels)) / 100.0
    if 100.0 * _NOISES * noise <= _CHANGE * _DARK:
        return _CHANGE
    dim = cv2.transform(now.levels, _MEAN).astype(np.float32) + _DARK
    limit: Floats = np.maximum(_CHANGE, 100.0 * _NOISES * noise / dim)
    return limit


def differs(now: Small, before: Small) -> Mask:
    """Where something else is to be seen: changed pattern or changed colour, with holes filled.

    For two pictures that lie further apart in time; a change of colour of the whole picture is divided out.
    """
    colour = _colour(now) - _colour(before)
    colour = _largest(colour - np.median(colour, axis=(0, 1)))
    mask = (changed(now, before) | (colour > _COLOUR_CHANGE)).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)).astype(np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(mask, contours, -1, (1,), cv2.FILLED)
    filled: Mask = mask.astype(bool)
    return filled


def _colour(small: Small) -> Floats:
    """Share of blue, green and red of each pixel in percent: what a shadow leaves as it is."""
    soft = cv2.blur(small.levels.astype(np.float32), (3, 3)) + _DARK
    share: Floats = soft * (100.0 / (3.0 * cv2.transform(soft, _MEAN)))[:, :, None]
    return share


def _largest(difference: Floats) -> Floats:
    """The largest absolute value of the three channels. Height x width."""
    size = np.abs(difference)
    largest: Floats = np.maximum(np.maximum(size[:, :, 0], size[:, :, 1]), size[:, :, 2])
    return largest


@dataclass(frozen=True, slots=True, eq=False)
class Foreground:
    """What of a difference is a hand and what is loose.

    `hand` covers what reaches in over the border; `loose` holds boxes (x, y, width, height in small pixels) of things
    about as large as a die that do not touch the border. `share` is the part of the picture that differs.
    """

    hand: Mask
    loose: tuple[tuple[int, int, int, int], ...]
    share: float

    @property
    def has_hand(self) -> bool:
        return bool(self.hand.any())

    def free(self, change: Mask, lying: Sequence[tuple[float, float]], die_px: float) -> list[tuple[float, float]]:
        """Centres of the loose things that move: they change from frame to frame, well away from the hand and from the
        places where dice were `lying`. All places are x, y in small pixels."""
        height, width = change.shape
        gap = max(1, round(0.8 * die_px))
        centres = []
        for x, y, w, h in self.loose:
            near = self.hand[max(0, y - gap) : min(height, y + h + gap), max(0, x - gap) : min(width, x + w + gap)]
            moves = change[y : y + h, x : x + w].sum() >= 3
            at = (x + w / 2, y + h / 2)
            known = any(abs(at[0] - px) < die_px and abs(at[1] - py) < die_px for px, py in lying)
            if moves and not near.any() and not known:
                centres.append(at)
        return centres

    def centres(self) -> list[tuple[float, float]]:
        """Centres of all loose things, x, y in small pixels."""
        return [(x + w / 2, y + h / 2) for x, y, w, h in self.loose]


def travelled(now: Sequence[tuple[float, float]], before: Sequence[tuple[float, float]], die_px: float) -> bool:
    """Whether something among `now` came here from one of `before`, the places of the last frame. What comes to light
    from under a hand does not: everything that lay there before lies there still."""
    step, stride = max(1.5, 0.2 * die_px), 6.0 * die_px

    def distance(one: tuple[float, float], other: tuple[float, float]) -> float:
        return math.hypot(one[0] - other[0], one[1] - other[1])

    left = [p for p in before if all(distance(p, q) > step for q in now)]
    come = [q for q in now if all(distance(p, q) > step for p in before)]
    return any(distance(p, q) <= stride for p in left for q in come)


def foreground(mask: Mask, die_px: float, border: Mask | None = None) -> Foreground:
    """Sort the parts of a difference mask. `die_px` is a die's edge in small pixels; `border` marks the pixels that
    count as the border besides the picture's own (outside a calibrated tray)."""
    height, width = mask.shape
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    die_area = max(4.0, die_px * die_px)
    hand = np.zeros(mask.shape, bool)
    loose = []
    for k in range(1, len(stats)):
        x, y, w, h, area = (int(v) for v in stats[k])
        touches = x <= 1 or y <= 1 or x + w >= width - 1 or y + h >= height - 1
        part = None
        if border is not None and not touches:
            part = labels[y : y + h, x : x + w] == k
            touches = bool((part & border[y : y + h, x : x + w]).any())
        if touches and area > 1.5 * die_area:
            hand |= labels == k
        elif not touches and 0.3 * die_area <= area <= 12.0 * die_area and max(w, h) <= 6.0 * die_px:
            loose.append((x, y, w, h))
    return Foreground(hand, tuple(loose), float(mask.mean()))


def without_light(there: Foreground, now: Small, before: Small) -> Foreground:
    """The same without those loose things that are only light: the cone of a phone's lamp has a soft border all round,
    a die a sharp one even while it flies."""
    if not there.loose:
        return there
    difference = _unlit(now, before)
    steps = [_largest(np.diff(difference, axis=axis)) for axis in (0, 1)]
    steepest = np.maximum(steps[0][:, :-1], steps[1][:-1, :])

    def sharp(box: tuple[int, int, int, int]) -> bool:
        x, y, w, h = box
        part = steepest[max(0, y - 1) : y + h + 1, max(0, x - 1) : x + w + 1]
        return float(np.quantile(part, _RIM)) > _SOFT

    return replace(there, loose=tuple(box for box in there.loose if sharp(box)))


def covers(mask: Mask, places: Sequence[tuple[float, float]], radius_px: float) -> list[bool]:
    """For each place (x, y in small pixels) whether `mask` reaches within `radius_px` of it."""
    height, width = mask.shape
    result = []
    for x, y in places:
        left, right = max(0, int(x - radius_px)), min(width, int(x + radius_px) + 1)
        top, bottom = max(0, int(y - radius_px)), min(height, int(y + radius_px) + 1)
        result.append(bool(mask[top:bottom, left:right].any()))
    return result


def shift(now: Small, before: Small) -> tuple[int, int] | None:
    """How far the whole picture lies from where it lay (x, y in small pixels); None where that can't be told.

    The edges of `before` are looked for nearby, whatever the light; a shift is believed only if it fits clearly
    better than none.
    """
    if now.shape != before.shape:
        return None
    one, other = _contrast(before), _contrast(now)
    ys, xs = np.nonzero(np.abs(one) > max(_CHANGE, float(np.percentile(np.abs(one), 85))))
    if len(ys) < 40:
        return None
    # Some hundreds of pixels tell as much as all of them.
    step = max(1, len(ys) // 600)
    ys, xs = ys[::step], xs[::step]
    values = _standard(one[ys, xs])
    wide = cv2.copyMakeBorder(other, _REACH_PX, _REACH_PX, _REACH_PX, _REACH_PX, cv2.BORDER_REPLICATE)

    def fit(dx: int, dy: int) -> float:
        there = np.asarray(wide[ys + dy + _REACH_PX, xs + dx + _REACH_PX], np.float32)
        return float(np.dot(values, _standard(there))) / len(values)

    stays = fit(0, 0)
    if stays > _FITS:
        return 0, 0
    reach = range(-_REACH_PX, _REACH_PX + 1)
    best, dx, dy = max((fit(dx, dy), dx, dy) for dy in reach for dx in reach)
    if best > max(0.45, stays + 0.12):
        return dx, dy
    return None


def _standard(contrast: Floats) -> Floats:
    """Contrasts with mean 0 and spread 1, the few largest cut, so that a dice's pips do not outweigh the tray's rim."""
    centred = contrast - contrast.mean()
    limit = 2.0 * float(np.abs(centred).mean()) + 1e-6
    cut = np.clip(centred, -limit, limit)
    standard: Floats = (cut - cut.mean()) / (cut.std() + 1e-6)
    return standard


def _contrast(small: Small) -> Floats:
    grey = cv2.transform(small.logs, _MEAN)
    contrast: Floats = grey - cv2.blur(grey, (_LIGHT_PX, _LIGHT_PX))
    return contrast
