"""Light that the sensor can't measure: where it lies, and whether it could hide a pip or look like one.

Room: vision. Knows pixels, and a die's corners and value; it gives reasons to ask, and never changes a value.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.crops import squares
from vision.identity import edge_px
from vision.middle import median_of, median_row
from vision.pyramid import Sizes, shrunk
from vision.types import Die, Image, Reason

_CLIPPED = 250
_SHARE = 0.06
"""Part of a face at the end of the sensor's range, in a patch at least so large, from which it counts as glare."""

_SIDE_PX = 60
_PITCH = 0.26
_PIP = 0.09
"""A face is looked at upright and this large; its nine places lie so many edges apart, and a pip is so large."""

_COVERED = 0.4
"""Part of an empty place in glare from which a dark pip could be lost under it."""

_TOUCHED = 0.3
_FREE = 0.05
"""A light pip is in glare from the first on, and has none up to the second."""

_FEWEST = 0.0015
"""Part of the box round a die: glare that touches a place enough to count covers 0.0038 of it at least."""

_EVEN = 235.0
"""A body as bright as this is at the end of the range itself: then no patch can be told on it."""

_DIE_PX = 24.0
_PATCH = (0.02, 0.6)
"""A patch of glare on a body: its area in those of a die's top, at a size at which that is so long."""

_SAME = 45.0
"""Distance in colour up to which a body is like another of the set."""

_PLACES = tuple((v, u) for v in (-1, 0, 1) for u in (-1, 0, 1))
_FACES: dict[int, tuple[tuple[tuple[int, int], ...], ...]] = {
    1: (((0, 0),),),
    2: (((-1, -1), (1, 1)), ((-1, 1), (1, -1))),
    3: (((-1, -1), (0, 0), (1, 1)), ((-1, 1), (0, 0), (1, -1))),
    4: (((-1, -1), (-1, 1), (1, -1), (1, 1)),),
    5: (((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),),
    6: (
        ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
        ((-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1)),
    ),
}
_TOLD = {
    value: [(frozenset(face), np.array([place not in face for place in _PLACES])) for face in faces]
    for value, faces in _FACES.items()
}
_VALID = frozenset(frozenset(face) for faces in _FACES.values() for face in faces)


def lies_at(image: Image, place: Reason, die_px: float) -> bool:
    """Is a part of what lies at this place, as large as a die of `die_px`, at the end of the sensor's range?"""
    if place.x is None or place.y is None:
        return False
    height, width = image.shape[:2]
    half = max(2.0, 0.5 * die_px)
    left, right = max(0, round(place.x - half)), min(width, round(place.x + half) + 1)
    top, bottom = max(0, round(place.y - half)), min(height, round(place.y + half) + 1)
    part = image[top:bottom, left:right]
    if part.size == 0:
        return False
    clipped = (part.min(axis=2) >= _CLIPPED).astype(np.uint8)
    if float(clipped.mean()) < _SHARE:
        return False
    count, _, stats, _ = cv2.connectedComponentsWithStats(clipped)
    return count > 1 and float(stats[1:, cv2.CC_STAT_AREA].max()) >= _SHARE * die_px * die_px


def on_bodies(image: Image | Sizes, dice: Sequence[Die]) -> list[Reason]:
    """Patches of glare, smaller than a die, on a body like those of these dice where none of them lies: `glare` there.

    Glare can drown all pips of a die, and a body without pips is easily passed over.
    """
    if not dice:
        return []
    edges = [edge_px(die) for die in dice]
    edge = median_of(edges)
    scale = 1.0 / max(1, min(round(edge / _DIE_PX), min(image.shape[:2])))
    small = shrunk(image, int(image.shape[1] * scale), int(image.shape[0] * scale))
    clipped = _clipped(small)
    area = (edge * scale) ** 2
    beside = clipped.copy()
    for die, e in zip(dice, edges, strict=True):
        at = (round((die.x + 0.5) * scale - 0.5), round((die.y + 0.5) * scale - 0.5))
        cv2.circle(beside, at, max(1, int(e * scale)), (0,), -1)
    # Most of a patch that counts lies beside the dice; finding patches takes longer than to see that none does.
    if cv2.countNonZero(beside) < 0.5 * _PATCH[0] * area:
        return []
    count, labels, stats, middles = cv2.connectedComponentsWithStats(clipped)
    bodies: list[npt.NDArray[np.float32]] | None = None
    out = []
    for n in range(1, count):
        if not _PATCH[0] * area < stats[n, cv2.CC_STAT_AREA] < _PATCH[1] * area:
            continue
        x, y = (middles[n] + 0.5) / scale - 0.5
        if any(np.hypot(x - d.x, y - d.y) < 1.0 * e for d, e in zip(dice, edges, strict=True)):
            continue
        bodies = _bodies(Sizes.of(image).image, dice) if bodies is None else bodies
        left, top = (max(0, round(float(v) - 2 * edge * scale)) for v in middles[n])
        right, bottom = (round(float(v) + 2 * edge * scale) + 1 for v in middles[n])
        patch = (labels[top:bottom, left:right] == n).astype(np.uint8)
        if any(_alike(small[top:bottom, left:right], patch, edge * scale, body) for body in bodies):
            out.append(Reason("glare", round(float(x), 1), round(float(y), 1)))
    return out


def _bodies(image: Image, dice: Sequence[Die]) -> list[npt.NDArray[np.float32]]:
    """Body colours of dice, but for those that are as bright as glare."""
    found = []
    for die in dice:
        colours = _places(_upright(image, die))
        empty = [n for n, place in enumerate(_PLACES) if all(place not in face for face in _FACES[die.value])]
        body = median_row(colours[empty or slice(None)]).astype(np.float32)
        if float(body.min()) < _EVEN:
            found.append(body)
    return found


def _alike(image: Image, patch: npt.NDArray[np.uint8], edge: float, body: npt.NDArray[np.float32]) -> bool:
    """Is most of what lies close round a patch of glare of this body's colour, and most of what is further off not?"""
    like = np.linalg.norm(image.astype(np.float32) - body, axis=2) < _SAME
    away = cv2.distanceTransform(1 - patch, cv2.DIST_L2, 3) / edge
    close, far = like[(away > 0.06) & (away < 0.2)], like[(away > 1.0) & (away < 1.3)]
    return bool(close.size and far.size and close.mean() > 0.5 and far.mean() < 0.3)


def could_deceive(image: Image, die: Die) -> bool:
    """Could glare on this die's top hide a pip, or be taken for one, so that another value is true?

    A lamp's image on a light body can lie over a dark pip; on a body with light pips it looks like one of them. Both
    are told by the nine places of a face: a patch of glare on an empty one, or one pip in glare while others are not,
    and a face of another value if that place is the other way.
    """
    return bool(deceiving(image, [die]))


def deceiving(image: Image, dice: Sequence[Die]) -> list[Die]:
    """Those of the dice on which glare could deceive, see `could_deceive`."""
    dice = [die for die in dice if _shines(image, die)]
    if not dice:
        return []
    faces = squares(image, np.array([die.corners for die in dice]), _SIDE_PX)
    clipped = _clipped(faces.reshape(-1, _SIDE_PX, 3)).reshape(len(dice), -1)
    found = []
    for die, face, glare in zip(dice, faces, clipped, strict=True):
        if glare.any() and _deceives(die.value, _places(face), _places((glare > 0).view(np.uint8))[:, 0]):
            found.append(die)
    return found


def _shines(image: Image, die: Die) -> bool:
    """Is enough on or close round a die at the end of the sensor's range to touch one of its nine places?"""
    (left, *_, right), (top, *_, bottom) = (sorted(v) for v in zip(*die.corners, strict=True))
    part = image[max(0, int(top) - 1) : max(0, int(bottom) + 3), max(0, int(left) - 1) : max(0, int(right) + 3)]
    # A corner outside of the picture shows the border's pixels.
    return not part.size or cv2.countNonZero(_clipped(part)) > _FEWEST * (right - left) * (bottom - top)


def _deceives(value: int, colours: npt.NDArray[np.float32], glaring: npt.NDArray[np.float32]) -> bool:
    """The same for the colours of a face's nine places, and the part of each that is in glare."""
    for pattern, empty in _TOLD[value]:
        filled = ~empty
        body, pips = _median(colours[empty]), _median(colours[filled])
        if np.linalg.norm(pips - body) < 20 or not _fits(colours, filled, body, pips):
            continue
        if pips.mean() > body.mean():
            odd = [p for n, p in enumerate(_PLACES) if filled[n] and glaring[n] > _TOUCHED]
            plain = [p for n, p in enumerate(_PLACES) if filled[n] and glaring[n] < _FREE]
            # All pips of a face are as bright as each other; two that are not could both be deceiving.
            if odd and plain and _other_face(pattern, odd):
                return True
        elif float(body.min()) < _EVEN:
            odd = [p for n, p in enumerate(_PLACES) if not filled[n] and glaring[n] > _COVERED]
            if odd and _other_face(pattern, odd):
                return True
    return False


def _median(values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Down the columns: `np.median` takes ten times as long for so few."""
    ordered, half = np.sort(values, axis=0), len(values) // 2
    middle: npt.NDArray[np.float32] = (ordered[half] + ordered[-1 - half]) / 2
    return middle


def _clipped(image: Image) -> npt.NDArray[np.uint8]:
    """255 where all colours are at the end of the sensor's range, else 0."""
    if image.size == 0:
        return np.zeros(image.shape[:2], np.uint8)
    return np.asarray(cv2.inRange(image, (_CLIPPED,) * 3, (255,) * 3), np.uint8)


def _upright(image: Image, die: Die) -> Image:
    return np.asarray(squares(image, np.array([die.corners]), _SIDE_PX)[0], np.uint8)


def _fits(
    colours: npt.NDArray[np.float32], filled: npt.NDArray[np.bool_],
    body: npt.NDArray[np.float32], pips: npt.NDArray[np.float32],
) -> bool:  # fmt: skip
    """Are most places on the side of body or pips that the pattern says? Else it is turned another way."""
    axis = pips - body
    along = (colours - body) @ axis / float(axis @ axis)
    return int(((along > 0.5) == filled).sum()) >= 8


def _other_face(pattern: frozenset[tuple[int, int]], odd: list[tuple[int, int]]) -> bool:
    """Does turning one of the odd places from filled to empty, or back, make a face of a die? One lamp, one image."""
    return any(pattern ^ {place} in _VALID for place in odd)


def _places(face: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """The mean in each of a face's nine places: 9 x channels."""
    return np.asarray(_DISCS @ face.reshape(_SIDE_PX * _SIDE_PX, -1).astype(np.float32), np.float32)


def _discs() -> npt.NDArray[np.float32]:
    """What each pixel of a face counts in the mean of each place: 9 x pixels."""
    radius = max(1, round(_PIP * _SIDE_PX))
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
    discs = np.zeros((len(_PLACES), _SIDE_PX, _SIDE_PX), np.float32)
    for place, (v, u) in zip(discs, _PLACES, strict=True):
        row, column = (round((0.5 + _PITCH * k) * _SIDE_PX - 0.5) for k in (v, u))
        place[row - radius : row + radius + 1, column - radius : column + radius + 1] = disc / disc.sum()
    return discs.reshape(len(_PLACES), -1)


_DISCS = _discs()
