"""What is wrong with a picture or with a place in it: too dark, not sharp, glare, dice too small.

Room: vision. Knows pixels and where something is in doubt; finds no dice, and never turns a doubt into a value. It only
gives a doubt its cause, so that a player is told what to do.

Everything is measured on the picture itself. Light: what the pips' steps could be, against the noise that they have to
stand out from. Sharpness: the spread of the sharpest edges, against a die's edge. The limits were set on sweeps over
throws of the simulated tray (`scripts/sweep_reader.py`): they lie where reading ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision import glare
from vision.crops import squares
from vision.faces import Face
from vision.identity import edge_px
from vision.middle import median, median_of
from vision.pips import Pips
from vision.pyramid import Sizes, shrunk
from vision.types import Die, Image, Reason

Floats = npt.NDArray[np.float32]

_LEVEL_PX = 160
"""The longer side of the picture of which the brightest part is taken."""

_LOOK_PX = 640
"""The longer side of the picture on which sharpness is measured."""

_SMALLEST_SHARE = 0.04
"""Dice are at least this part of the picture's height; a picture without dice is judged by the smallest that it could
hold."""

_FEWEST_STEPS = 5.0
"""Levels between black and the picture's brightest part, in units of the noise, under which no pips are found."""

_SOFT = 0.045
_VERY_SOFT = 0.065
"""Spread of the edges round a die, as a part of its edge: from the first on it is asked whether the whole picture is
soft, from the second on it is soft for certain. Pips run together, and whole dice are missed."""

_SOFTER = 0.036
"""A picture whose dice are softer than this is not sharp: in some of them pips run together, of tight sixes first."""

_SHARP = 0.6
"""On a table that was calibrated the camera is fixed; softness under this part of a limit is far from it."""

_SHARP_PIPS = 0.023
"""The same for the edges of pips, which are measured on their inner side, and less exactly: no picture of rendered and
simulated tables, made softer by steps, in which they were so sharp had a spread round its dice of more than 0.042."""

_SOFT_PICTURE = 0.058
"""Spread of the sharpest edges in the whole picture, as a part of a die's edge, from which it is soft."""

_SOFT_EMPTY = 0.11
"""The same for a picture in which no die was found, against the smallest die that it could hold."""

_LEAST_PX = 200
"""A picture with a side under this could hold dice of so few pixels that they are not seen; it is never `empty`."""

_SOFT_PX = 0.9
"""A spread under this is that of any small picture: pixels are no finer."""

_SMALL_PX = 16.0
"""A die's edge in pixels of the picture as given, under which its pips are hardly a pixel apart."""

_TINY_PX = 12.5
"""An edge from which on other dice are found for certain; below it some are missed, whatever was found."""

_PATCH_PX, _FACE_PX = 80, 40
"""Sharpness is measured in a patch round each die, turned upright, and scaled so that the die has the other size."""

_MOST_PATCHES = 6


def explain(
    picture: Image | Sizes, dice: Sequence[Die], reasons: Sequence[Reason], die_px: float | None = None,
    known: bool = False, sharp: bool = False,
) -> list[Reason]:  # fmt: skip
    """The reasons of a reading with their causes: `dark`, `blur`, `glare` and `small` where that is what is wrong.

    `picture` is BGR, `dice` what was read in it, `die_px` a die's edge in its pixels where that is known. One that
    is too dark or too soft to hold on to gets a reason even if there was none; one about the whole picture comes first.
    On a `known` tray somebody else has said where something may be a die, and glare is not searched for more. What is
    `sharp` (`sharp_pips`) is not looked at again for that.
    """
    sizes = Sizes.of(picture)
    image = sizes.image
    out = list(reasons)
    edge = die_px or _edge(dice)
    out += [Reason("glare", die.x, die.y) for die in glare.deceiving(image, dice)]
    if not known:
        out += [found for found in glare.on_bodies(sizes, dice) if not _near(found, out, edge)]
    soft = bool(dice) and not sharp and not _mostly(image, dice, _SOFT, known)
    if soft or (not dice and not out) or any(r.code == "disagree" for r in out):
        if (soft and not _mostly(image, dice, _VERY_SOFT)) or _is_soft(sizes, edge):
            out.insert(0, Reason("blur"))
        if not dice and not out and min(image.shape[:2]) < _LEAST_PX:
            out.append(Reason("small"))
    if is_dark(sizes):
        out.insert(0, Reason("dark"))
    if edge is None:
        edge = 2 * _SMALLEST_SHARE * image.shape[0]
    elif dice and edge < _TINY_PX and not any(r.code == "disagree" for r in out):
        smallest = min(dice, key=lambda die: _edge([die]) or 0.0)
        out.append(Reason("small", smallest.x, smallest.y))
    elif edge < _SMALL_PX:
        return [Reason("small", r.x, r.y) if r.code == "disagree" else r for r in out]
    return [Reason("glare", r.x, r.y) if r.code == "disagree" and glare.lies_at(image, r, edge) else r for r in out]


def sharp_pips(pips: Pips, faces: Sequence[Face]) -> bool:
    """Are the edges of these faces' pips so sharp that the picture is, where their spread was measured?"""
    own = [n for face in faces for n in face.pips]
    if pips.spread is None or not own:
        return False
    return median_of(pips.spread[own].tolist()) < _SHARP_PIPS * median_of(face.size_px for face in faces)


def is_softer(image: Image, dice: Sequence[Die]) -> bool:
    """Are the edges round these dice so soft that a tight six may have been missed beside them?"""
    return not _mostly(image, dice, _SOFTER)


def _near(place: Reason, others: Sequence[Reason], edge: float | None) -> bool:
    """Is one of the others less than a die from this place?"""
    x, y = place.x or 0.0, place.y or 0.0
    return any(
        o.x is not None and o.y is not None and np.hypot(x - o.x, y - o.y) < (edge or 0.0) for o in others
    )  # fmt: skip


def _edge(dice: Sequence[Die]) -> float | None:
    """The median edge of dice, in pixels."""
    if not dice:
        return None
    return median_of(edge_px(die) for die in dice)


def _mostly(image: Image, dice: Sequence[Die], limit: float, fixed: bool = False) -> bool:
    """Are the edges round these dice spread over this part of a die's edge at most, by the median over some of them? As
    soon as more than half are, no more are looked at; dice without edges have no say. Where the camera is `fixed`, one
    die that is far sharper than that speaks for all."""
    some = list(dice)[:: max(1, len(dice) // _MOST_PATCHES)][:_MOST_PATCHES]
    spreads: list[float] = []
    for spread in _softnesses(image, some, at_once=1 if fixed else len(some) // 2 + 1):
        if spread is not None:
            spreads.append(spread)
            if fixed and spread < _SHARP * limit:
                return True
        if 2 * sum(one <= limit for one in spreads) > len(some):
            return True
    return not spreads or median_of(spreads) <= limit


def _is_soft(image: Sizes, edge: float | None) -> bool:
    """Are the sharpest edges of the picture too soft for dice of this edge, or for any that it could hold?"""
    spread = spread_px(image)
    limit = _SOFT_PICTURE * edge if edge else _SOFT_EMPTY * _SMALLEST_SHARE * image.shape[0]
    return spread is not None and spread > max(limit, _SOFT_PX)


def spread_px(image: Image | Sizes) -> float | None:
    """How far the sharpest edges of a BGR picture are spread (sigma in its pixels); None without clear edges."""
    height, width = image.shape[:2]
    shrink = max(1.0, max(height, width) / _LOOK_PX)
    small = shrunk(image, max(1, round(width / shrink)), max(1, round(height / shrink)))
    spread = _blur(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32))
    return None if spread is None else spread * shrink


def is_dark(picture: Image | Sizes) -> bool:
    """Is there too little light in a BGR picture to tell pips from noise?"""
    sizes = Sizes.of(picture)
    image = sizes.image
    least = _FEWEST_STEPS * _noise(image)
    # Where many single pixels are far brighter than that, so are means of some.
    if _share_of(image[::16, ::16, 1].astype(np.float32), 0.97) > 3 * least:
        return False
    return _level(sizes) < least


def _level(image: Sizes) -> float:
    """The brightest part of a picture in grey levels, noise averaged out."""
    height, width = image.shape[:2]
    shrink = max(1.0, max(height, width) / _LEVEL_PX)
    small = shrunk(image, max(1, round(width / shrink)), max(1, round(height / shrink)))
    blue, green, red = cv2.split(small)
    return _share_of(np.asarray(cv2.max(cv2.max(blue, green), red), np.float32), 0.99)


def _noise(image: Image) -> float:
    """Noise in grey levels, by the second difference of neighbours, of which most lie on even ground (after Immerkaer
    1996, with a median so that edges and texture don't count); at least what rounding to whole levels adds."""
    height, width = image.shape[:2]
    if min(height, width) < 3:
        return 1.0
    # Noise is that of single pixels, so a part of the picture tells it as well as the whole.
    every = max(1, min(height, width) // 40)
    green = image[:, :, 1]

    def part(down: int, right: int) -> Floats:
        return green[down : height - 2 + down : every, right : width - 2 + right : every].astype(np.float32)

    second = np.abs(part(0, 1) + part(2, 1) + part(1, 0) + part(1, 2) - 4 * part(1, 1))
    # The even half of the picture; 0.32 is the mean of the lower half of |x| for a normal x of deviation 1.
    half = max(1, second.size // 2)
    quiet = np.partition(second, half - 1, axis=None)[:half]
    return float(max(0.5, float(quiet.sum()) / half / (0.32 * np.sqrt(20.0))))


def _blur(grey: Floats, clear: float = 5.0) -> float | None:
    """Sigma in pixels of the sharpest edges, by the ratio of the slopes at two scales; None without
    edges that are `clear` times as steep as the picture usually is."""
    if min(grey.shape) < 16:
        return None
    coarse = _slope(grey, 2.0)
    strongest = _share_of(coarse, 0.995)
    if strongest < 0.8 or (clear > 1 and strongest < clear * median(coarse)):
        return None
    at = coarse > 0.4 * strongest
    for fine_px, coarse_px in ((1.0, 2.0), (2.0, 4.0), (4.0, 8.0)):
        if coarse_px > 2.0:
            coarse = _slope(grey, coarse_px)
            at = coarse > 0.4 * _share_of(coarse, 0.995)
        ratio = _share_of(_slope(grey, fine_px)[at] / coarse[at], 0.75)
        # An edge of spread s has the slope A / sqrt(2 pi (s^2 + t^2)) after smoothing with t.
        squared = (coarse_px**2 - ratio**2 * fine_px**2) / max(ratio**2 - 1, 1e-3)
        spread = float(np.sqrt(max(squared, 0.0)))
        if spread < 2 * fine_px:
            break
    return spread


def _share_of(values: Floats, share: float) -> float:
    """The value that `share` of some lie under, as `np.percentile` has it, which takes four times as long."""
    at = share * (values.size - 1)
    low = int(at)
    part = np.partition(values, low, axis=None)
    beyond = part[low + 1 :]
    return float(part[low] + (at - low) * (beyond.min() - part[low]) if beyond.size else part[low])


def _slope(grey: Floats, sigma_px: float) -> Floats:
    smooth = cv2.GaussianBlur(grey, (0, 0), sigma_px)
    right, down = cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)
    return np.asarray(0.125 * cv2.magnitude(right, down), np.float32)


def softness(image: Image, die: Die) -> float | None:
    """Spread of the edges on and round a die's face, as a part of its edge; None where there is no step."""
    return next(_softnesses(image, [die], 1))


def _softnesses(image: Image, dice: Sequence[Die], at_once: int) -> Iterator[float | None]:
    """The `softness` of one die after the other; so many are cut out of the picture at once, when the first is asked
    for."""
    for start in range(0, len(dice), at_once):
        corners = np.array([die.corners for die in dice[start : start + at_once]])
        for patch in squares(image, corners, _PATCH_PX, _PATCH_PX / _FACE_PX):
            blue, green, red = cv2.split(patch)
            spread = _blur(np.asarray(cv2.max(cv2.max(blue, green), red), np.float32), clear=1.0)
            yield None if spread is None else spread / _FACE_PX
