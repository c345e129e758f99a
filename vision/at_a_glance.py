"""Dice that lie plainly on a known tray: what a glance at each tells, and whether that is enough.

Room: vision. Knows faces, a picture and how a glance saw flat dice when the tray was learnt; it believes a glance only
where it is sure, and leaves the rest to the witnesses (`consult.py`) and to silhouettes (`stance.py`).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.faces import Face, corners_of
from vision.glance import Glimpse, glance, glance_crops
from vision.lean import TURNED_BACK
from vision.leaning import gaps_beside
from vision.pyramid import Sizes
from vision.stance import View, agreed_view, places_of
from vision.types import Image

Doubles = npt.NDArray[np.float64]

_SURE = 0.97
"""So probable a glance must hold a face's value to be believed."""

_MAY_BE_OFF = 0.1
"""A drop that may be further off than so many edges tells nothing."""

_LOOK_AGAIN, _FLAT, _LEANS, _CLOSE = 0.08, 0.14, 0.18, 0.06
"""Those whose drops are off by the first, in edges, are glanced at once more. If all are then off by less than the
second, all lie flat; one that is off by the third leans, if that is told to the fourth. In the simulator nearly all
pictures of flat dice are told so and none is doubted; of some 800 with a die that leans by 15 to 42 degrees one was
taken for flat, and in nine of ten it was named; the others were left to silhouettes."""


def look(image: Image | Sizes, faces: list[Face], away: npt.NDArray[np.floating]) -> list[Face]:
    """Glance at faces in a BGR picture, in which each lies `away` (N x 2 pixels) from where it says. Sets `glimpse` of
    all, and `witness` of those whose value a glance is sure of; the others are returned."""
    if not faces:
        return []
    odds, glimpses = _glance_at(image, corners_of(faces) + away[:, None])
    unsure = []
    for face, told, glimpse in zip(faces, odds, glimpses, strict=True):
        face.glimpse = glimpse
        if told[face.value] > _SURE:
            face.witness = face.surest = told
        else:
            unsure.append(face)
    return unsure


def standing(image: Image | Sizes, faces: list[Face], view: View | None) -> tuple[bool, list[Face]]:
    """Do all of the faces, where they lie in a BGR picture, lie flat for sure; and which of them lean for sure? Told by
    glances, held against the `view` that one has of flat dice; without that, nothing is said. `gap` of all is set if
    they lie flat."""
    if view is None:
        return False, []
    if not faces:
        return True, []
    new = [face for face in faces if face.glimpse is None]
    if new:
        for face, glimpse in zip(new, _glance_at(image, corners_of(new))[1], strict=True):
            face.glimpse = glimpse
    glimpses = [face.glimpse for face in faces if face.glimpse is not None]
    drops, errors = np.array([g.drop for g in glimpses]), np.array([g.error for g in glimpses])
    places = places_of(np.array([(face.x, face.y) for face in faces], np.float64), image.shape[:2])
    off = drops - view.drops(places)
    gaps = gaps_beside(off, errors)
    again = np.nonzero(gaps >= _LOOK_AGAIN)[0]
    if len(again):
        _, seen, may_be_off = glance(np.stack([np.rot90(glimpses[n].crop) for n in again]))
        for n, drop, error in zip(again, seen @ TURNED_BACK, may_be_off, strict=True):
            mine, its = 1.0 / errors[n] ** 2, 1.0 / error**2
            off[n] += its / (mine + its) * (glimpses[n].axes @ drop - drops[n])
            errors[n] = np.sqrt(errors[n] * error)
        gaps = gaps_beside(off, errors)
    if gaps.max() < _FLAT and errors.max() <= _MAY_BE_OFF:
        for face, gap in zip(faces, gaps.tolist(), strict=True):
            face.gap = gap
        return True, []
    return False, [faces[n] for n in _out_of_line(off, errors)]


def _out_of_line(off: Doubles, errors: Doubles) -> list[int]:
    """Which dice lean, by how far off they are, the furthest first; each is held against those that don't."""
    left, found = np.arange(len(off)), []
    while len(left):
        gaps = np.where(errors[left] <= _CLOSE, gaps_beside(off[left], errors[left]), 0.0)
        worst = int(gaps.argmax())
        if gaps[worst] < _LEANS:
            break
        found.append(int(left[worst]))
        left = np.delete(left, worst)
    return found


def learn_glance(throw: Image, corners: npt.NDArray[np.floating]) -> View | None:
    """How a glance sees the flat dice of a throw (BGR), of which the corners (N x 4 x 2) are known; None where too few
    agree."""
    quads = np.asarray(corners, np.float64).reshape(-1, 4, 2)
    if not len(quads):
        return None
    _, glimpses = _glance_at(throw, quads)
    good = np.array([g.error <= _MAY_BE_OFF for g in glimpses])
    drops = np.array([g.drop for g in glimpses])
    return agreed_view(drops[good], places_of(quads.mean(1)[good], throw.shape[:2]))


def _glance_at(image: Image | Sizes, quads: npt.NDArray[np.floating]) -> tuple[npt.NDArray[np.float32], list[Glimpse]]:
    """The odds of faces, N x 7, and what was glimpsed of them."""
    crops = glance_crops(image, quads)
    odds, drops, errors = glance(crops)
    axes = np.stack([quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]], 2).astype(np.float64)
    axes /= np.sqrt(np.maximum(np.abs(np.linalg.det(axes)), 1e-6))[:, None, None]
    told = (axes @ drops[:, :, None])[:, :, 0]
    return odds, [Glimpse(*one) for one in zip(crops, axes, told, errors.tolist(), strict=True)]
