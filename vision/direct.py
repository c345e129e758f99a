"""Pips and faces on a known tray, found directly: spots of the colours learnt, in lattices of the size learnt.

Room: vision. Knows pixels, and how large and of what colours the dice are; decides nothing. The general search
(`pips.py`, `faces.py`) takes none of this for granted, and three times as long; where this one leaves a doubt, that one
is asked.

A picture is reduced to one plane, from the colour of the dice's faces to that of their pips. Spots in it are maxima of
centre minus surround; area, centre and ellipse of each are its moments. Pairs of spots that can be a diagonal, and
pairs of rows of three, say where a lattice's nine places are; it stands if exactly a face's pattern of them holds a
spot, and nothing else on the face is one.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import Calibration
from vision.faces import PATTERNS, PLACES, Face, lattices
from vision.middle import median, median_of, median_row
from vision.nearby import later
from vision.pips import Pips, no_pips
from vision.pyramid import Floats, Ids, reduced

_BODY, _STEP = 60.0, 100.0
"""Levels in the plane: of a face, and from there to its pips."""
_ALIKE = 0.85
_STRONGER, _FAINTEST = 2.5, 20.0
"""Dice are of one kind if their ways from face to pips have this cosine with the mean at least, and differ in length by
the second at most; they must be longer than the third, in grey levels."""

_DIE_PX = 24.0
"""Spots are looked for in halves of the picture in which a die is still this long."""
_RADII = (0.085, 0.12)
"""Radii of pips looked for, in edges of a die."""
_DISTINCT = 7.0
_MOST = 120
"""So many spots are looked at, at most; `later` takes no more than 220."""

_REACH, _LIMIT = 0.17, 0.135
"""The window in which a spot's background is taken, and the largest radius of what is weighed, in edges."""
_SIZES = (0.045, 0.15)
_CONTRAST = 14.0
_SOLID = (0.75, 1.25)
"""A pip's area is that of the ellipse of its moments, within these."""
_FLAT = 0.45

_DIAGONAL = (0.53, 0.9)
_ROW = (0.34, 0.66)
_ROWS_APART = (0.28, 0.66)
"""Lengths in edges: from corner to corner of a lattice, of its rows, and between the two rows of a six."""
_SAME_WIDTH = 0.14
"""By so much, as a logarithm, two and three may be wider or narrower from corner to corner than faces of more pips."""
_NEAR = 0.065
_OWN = 1.7
"""A spot this near to a place lies at it; half a side of the square that holds nothing else, in lattice units."""

_LIKE = (0.45, 0.6)
"""Other spots on a face are none of its pips if they are less distinct, or smaller, than this part of them."""

_CODES = np.full(512, -1, np.intp)
for _n, _places in enumerate(PATTERNS.values()):
    _CODES[sum(1 << k for k in _places)] = _n


@lru_cache(maxsize=2)
def one_kind(calibration: Calibration) -> bool:
    """Are the dice that were learnt of one kind of colours, so that one plane shows the pips of all?"""
    _, away = _learnt(calibration)
    if not len(away):
        return False
    axis, sizes = away.mean(0), np.linalg.norm(away, axis=1)
    length = float(np.linalg.norm(axis))
    alike = (away @ axis >= _ALIKE * sizes * length).all() and sizes.max() <= _STRONGER * sizes.min()
    return length > _FAINTEST and bool(alike)


def plane_of(image: npt.NDArray[np.uint8], calibration: Calibration) -> npt.NDArray[np.uint8]:
    """The picture (BGR) from the colour of faces (60) to that of pips (160), for dice of `one_kind`."""
    # Three planes alike take a third of the time of one.
    return np.asarray(cv2.extractChannel(cv2.transform(image, _from_face_to_pip(calibration)), 0), np.uint8)


@lru_cache(maxsize=2)
def _from_face_to_pip(calibration: Calibration) -> npt.NDArray[np.float64]:
    """What each colour counts in the plane, and where it begins: 3 x 4, all rows the same."""
    face, away = _learnt(calibration)
    axis = away.mean(0)
    along = _STEP * axis / float(axis @ axis)
    return np.tile(np.append(along, _BODY - float(face.mean(0) @ along)), (3, 1))


def _learnt(calibration: Calibration) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Colours of the faces learnt, and the ways from there to their pips: n x 3 each."""
    face = np.array([look.face for look in calibration.looks], np.float64).reshape(-1, 3)
    return face, np.array([look.pips for look in calibration.looks], np.float64).reshape(-1, 3) - face


def find_spots(plane: npt.NDArray[np.uint8], image: npt.NDArray[np.uint8], die_px: float) -> Pips:
    """Spots of about a pip's size in the plane of a picture (BGR), as `find_pips` gives them, in no order."""
    x, y = _maxima(plane, die_px)
    if not len(x):
        return no_pips()
    reach = max(3, round(_REACH * die_px))
    away, moments = _window(reach)
    ahead = np.arange(-reach, reach + 1)
    x, y = (np.clip(v, reach, side - 1 - reach) for v, side in ((x, plane.shape[1]), (y, plane.shape[0])))
    levels = plane[(y[:, None] + ahead)[:, :, None], (x[:, None] + ahead)[:, None, :]].reshape(len(x), -1)
    ring = levels[:, np.nonzero((away > 0.85 * reach) & (away <= reach + 0.5))[0]].astype(np.float32)
    # A neighbour on one side or the table beyond an edge is less than half of what lies around.
    around = np.partition(ring, ring.shape[1] // 2, axis=1)[:, ring.shape[1] // 2]
    inside = levels[:, np.nonzero(away <= max(1.5, 0.04 * die_px))[0]].mean(1, dtype=np.float32)
    contrast = inside - around
    good = np.nonzero(contrast > _CONTRAST)[0]
    around, contrast, inside, x, y = around[good, None], contrast[good, None], inside[good], x[good], y[good]
    # From a quarter to three quarters of the step: a soft edge counts by how far it reaches.
    share = np.clip((levels[good] - around) * (2.0 / contrast) - 0.5, 0.0, 1.0)
    limit = _LIMIT * die_px
    first = (share * (away < limit)) @ moments[:, :3]
    middle = first[:, 1:] / (first[:, :1] + 1e-3)
    # Once more round where it lies: how far off that each pixel is, squared.
    off_it = away * away - 2 * middle @ moments[:, 1:3].T + (middle * middle).sum(1)[:, None]
    weight = share * (off_it < limit**2)
    area, across, down, xx, yy, xy = (weight @ moments).T
    area = area + 1e-3
    dx, dy = across / area, down / area
    xx, yy, xy = xx / area - dx * dx, yy / area - dy * dy, xy / area - dx * dy
    det = np.sqrt(np.maximum(xx * yy - xy * xy, 1e-3))
    half = (xx + yy) / 2
    off = np.sqrt(np.maximum(half * half - det * det, 0))
    # A disc's variance along any direction is a quarter of its radius squared.
    solid = area / (4 * np.pi * det)
    radius = np.sqrt(area / np.pi)
    keep = (radius > _SIZES[0] * die_px) & (radius < _SIZES[1] * die_px) & (solid > _SOLID[0]) & (solid < _SOLID[1])
    keep &= (half - off) > _FLAT**2 * (half + off)
    keep &= np.hypot(dx, dy) < 0.1 * die_px
    # Where an edge goes from half of its step to three quarters, two thirds of its spread lie.
    spread = ((weight > 0.5) & (weight < 1.0)).sum(1) / (0.6745 * 2 * np.pi * radius)
    keep = np.nonzero(keep)[0]
    keep = keep[_single(x[keep] + dx[keep], y[keep] + dy[keep], radius[keep], inside[keep])]
    if not len(keep):
        return no_pips()
    # The root of the matrix of moments, made of determinant 1, maps the unit circle to the ellipse.
    root = np.stack([xx + det, xy, xy, yy + det], 1)[keep].reshape(-1, 2, 2)
    root /= np.sqrt(np.maximum(np.linalg.det(root), 1e-6))[:, None, None]
    px, py, r = (x + dx)[keep], (y + dy)[keep], radius[keep]
    inner, outer = _colours(image, px, py, r)
    change = inner - outer
    step = np.sqrt((change**2).sum(1))
    lighter = change[np.arange(len(change)), np.abs(change).argmax(1)] > 0
    good_share = np.clip(1.0 - 0.4 * np.abs(1 - solid[keep]), 0, 1)
    return Pips(
        px.astype(np.float32), py.astype(np.float32), r.astype(np.float32), root.astype(np.float32),
        lighter.astype(np.float32), good_share.astype(np.float32), step.astype(np.float32), inner, outer,
        spread[keep].astype(np.float32),
    )  # fmt: skip


@lru_cache(maxsize=4)
def _window(reach: int) -> tuple[Floats, Floats]:
    """Of the pixels of a square window, row by row: how far each is from the middle, and 1, x, y, x^2, y^2 and x y."""
    y, x = (v.ravel().astype(np.float32) for v in np.mgrid[-reach : reach + 1, -reach : reach + 1])
    return np.hypot(x, y), np.stack([np.ones_like(x), x, y, x * x, y * y, x * y], 1)


def _maxima(plane: npt.NDArray[np.uint8], die_px: float) -> tuple[Ids, Ids]:
    """Where the plane's centre minus surround is largest, most distinct first."""
    halvings = 0
    while die_px / 2 ** (halvings + 1) >= _DIE_PX:
        halvings += 1
    small = reduced(plane, 2**halvings)
    die = die_px / 2**halvings
    top = None
    for share in _RADII:
        near, far = (2 * max(1, round(k * share * die)) + 1 for k in (0.5, 1.55))
        response = cv2.subtract(cv2.blur(small, (near, near)), cv2.blur(small, (far, far)))
        top = response if top is None else cv2.max(top, response)
    side = 2 * max(1, round(0.055 * die)) + 1
    mask = cv2.compare(top, cv2.dilate(top, np.ones((side, side), np.uint8)), cv2.CMP_EQ)  # type: ignore[arg-type]
    mask = cv2.bitwise_and(mask, cv2.threshold(top, _DISTINCT, 255, cv2.THRESH_BINARY)[1])  # type: ignore[arg-type]
    at = cv2.findNonZero(mask)
    if at is None:
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    x, y = at.reshape(-1, 2).T.astype(np.intp)
    if len(x) > _MOST:
        best = np.argsort(-np.asarray(top)[y, x].astype(np.intp), kind="stable")[:_MOST]
        x, y = x[best], y[best]
    middle = (2**halvings - 1) / 2
    return (x * 2**halvings + middle).astype(np.intp), (y * 2**halvings + middle).astype(np.intp)


def _single(x: Floats, y: Floats, r: Floats, worth: Floats) -> Ids:
    """Of spots that lie on each other the one of most worth: their positions, in order."""
    order = np.argsort(-worth, kind="stable")
    x, y, r = x[order], y[order], r[order]
    near = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2 < (0.75 * np.maximum(r[:, None], r)) ** 2
    # The one before is better; those that fall by one that falls itself are few and are lost by it.
    return np.asarray(order[~(near & later(len(x))).any(0)], np.intp)


_AROUND = np.arange(12) * (np.pi / 6)
_TELLS = np.concatenate(
    [np.stack([np.cos(_AROUND), np.sin(_AROUND)], 1) * k for k in (0.45, 1.45)] + [np.zeros((1, 2), np.float32)]
).astype(np.float32)


def _colours(image: npt.NDArray[np.uint8], x: Floats, y: Floats, r: Floats) -> tuple[Floats, Floats]:
    """Colour of each spot and of what is around it, n x 3 each: medians over directions."""
    column = np.clip(np.rint(x[:, None] + r[:, None] * _TELLS[:, 0]), 0, image.shape[1] - 1).astype(np.intp)
    row = np.clip(np.rint(y[:, None] + r[:, None] * _TELLS[:, 1]), 0, image.shape[0] - 1).astype(np.intp)
    seen = image[row, column].astype(np.float32)
    n = len(_AROUND)
    inner = np.concatenate([seen[:, :n], seen[:, -1:]], 1).mean(1)
    outer = np.sort(seen[:, n : 2 * n], axis=1)[:, n // 2 - 1 : n // 2 + 1].mean(1)
    return inner.astype(np.float32), outer.astype(np.float32)


def find_lattices(image: npt.NDArray[np.uint8], pips: Pips, die_px: float) -> list[Face]:
    """Faces of two to six whose every place says the same, and that hold nothing else; as `find_faces` gives them."""
    if len(pips) < 2:
        return []
    at = np.stack([pips.x, pips.y], 1)
    apart = at[None] - at[:, None]
    gap = np.hypot(apart[:, :, 0], apart[:, :, 1]) / die_px
    alike = np.abs(np.log(pips.r[:, None] / pips.r)) < 0.45
    first, second = np.nonzero((gap > _DIAGONAL[0]) & (gap < _DIAGONAL[1]) & alike & later(len(at)))
    half = apart[first, second] / 2
    turned = np.stack([-half[:, 1], half[:, 0]], 1)
    frames = np.stack([(half - turned) / 2, (half + turned) / 2], 2)
    centres = (at[first] + at[second]) / 2
    squares = len(centres)
    six = _sixes(at, gap, alike, die_px)
    centres, frames = np.concatenate([centres, six[0]]), np.concatenate([frames, six[1]])
    first, second = np.concatenate([first, six[2]]), np.concatenate([second, six[3]])
    if not len(first):
        return []
    # Grain is fainter than pips, specks are smaller, and a bright corner of a face is no more than that.
    step, least = np.minimum(pips.step[first], pips.step[second])[:, None], np.minimum(pips.r[first], pips.r[second])
    like = (pips.step > _LIKE[0] * step) & (pips.r > _LIKE[1] * least[:, None])
    like &= ((pips.inner - pips.inner[first][:, None]) ** 2).sum(2) < (0.6 * pips.step[first][:, None]) ** 2
    local = (at[None] - centres[:, None]) @ np.linalg.inv(frames).transpose(0, 2, 1)
    places = centres[:, None] + PLACES @ frames.transpose(0, 2, 1)
    away = (places[:, :, :1] - at[:, 0]) ** 2 + (places[:, :, 1:] - at[:, 1]) ** 2
    away[~np.broadcast_to(like[:, None], away.shape)] = np.inf
    hit = away.argmin(2)
    there = away.min(2) < (_NEAR * die_px) ** 2
    pattern = _CODES[(there << np.arange(9)).sum(1)]
    lonely = ((np.abs(local).max(2) < _OWN) & like).sum(1) == there.sum(1)
    good = np.nonzero((pattern >= 0) & lonely)[0]
    if not len(good):
        return []
    hits = np.where(there[good], hit[good], -1)
    # The same places come from several pairs.
    first_of: dict[tuple[int, ...], int] = {}
    for n, pips_hit in enumerate(np.sort(hits, 1).tolist()):
        first_of.setdefault(tuple(pips_hit), n)
    once = np.array([first_of[key] for key in sorted(first_of)], np.intp)
    good, hits = good[once], hits[once]
    # From corner to corner; a six's rows may be nearer to each other than those of a square.
    wide = np.where(good < squares, gap[first[good], second[good]], 8**0.5 / die_px * np.hypot(*frames[good, :, 0].T))
    many = (hits >= 0).sum(1) >= 4
    if many.any():
        # Dice of one kind have their corners alike: what else looks like a two or a three is pips of several faces.
        same = many | (np.abs(np.log(wide / median(wide[many]))) < _SAME_WIDTH)
        good, hits = good[same], hits[same]
    # How a face is tilted, its pips' ellipses say.
    frames[:squares] = np.nan
    return lattices(
        image, pips, centres[good].astype(np.float32), frames[good].astype(np.float32), first[good], second[good], hits
    )


def like_pips(pips: Pips, faces: list[Face]) -> npt.NDArray[np.bool_]:
    """Which spots are as distinct and large as the pips of these faces, and of their colour; all if there are none."""
    if not faces:
        return np.ones(len(pips), bool)
    step, r = median_of(f.step for f in faces), median_of(f.pip_px for f in faces)
    ink = median_row(np.array([f.ink for f in faces]))
    like = (pips.step > _LIKE[0] * step) & (pips.r > _LIKE[1] * r) & (pips.r * _LIKE[1] < r)
    return np.asarray(like & (((pips.inner - ink) ** 2).sum(1) < (0.6 * step) ** 2), bool)


def _sixes(at: Floats, gap: Floats, alike: npt.NDArray[np.bool_], die_px: float) -> tuple[Floats, Floats, Ids, Ids]:
    """Pairs of rows of three: centres, frames (along the rows, across them), and two opposite corners of each."""
    p, q = np.nonzero((gap > _ROW[0]) & (gap < _ROW[1]) & alike & later(len(at)))
    middle = (at[p] + at[q]) / 2
    between = ((middle[:, None] - at) ** 2).sum(2).min(1) < (_NEAR * die_px) ** 2 if len(p) else np.zeros(0, bool)
    p, q, middle = p[between], q[between], middle[between]
    along = at[q] - at[p]
    length = np.hypot(along[:, 0], along[:, 1])
    i, j = np.nonzero(np.triu(np.ones((len(p), len(p)), bool), 1))
    across = middle[j] - middle[i]
    far = np.hypot(across[:, 0], across[:, 1]) / die_px
    skew = np.abs((across * along[i]).sum(1)) / length[i] / die_px
    turn = (along[i] * along[j]).sum(1) / (length[i] * length[j])
    ok = (far > _ROWS_APART[0]) & (far < _ROWS_APART[1]) & (skew < 0.08) & (np.abs(turn) > 0.97)
    ok &= np.abs(length[i] - length[j]) < 0.1 * die_px
    i, j, across, sign = i[ok], j[ok], across[ok], np.sign(turn[ok])
    frame = np.stack([(along[i] + sign[:, None] * along[j]) / 4, across / 2], 2)
    return (middle[i] + middle[j]) / 2, frame, p[i], np.where(sign > 0, q[j], p[j])
