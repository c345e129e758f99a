"""Ask the second and the third witness about faces that the geometry found.

Room: vision. Knows faces, crops and the witnesses; decides nothing.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from vision import at_a_glance
from vision.choose import LATTICE, quality
from vision.crops import face_crops
from vision.faces import Face, corners_of
from vision.lean import TURNED_BACK, drops_of, wide_crops
from vision.leaning import LINE, ONE_LOOK, gaps_of, out_of_line
from vision.pyramid import GREY, Ids, Pyramid, Sizes
from vision.silhouette import side_drops
from vision.tiles import Tiles
from vision.types import Image
from vision.witness import classify

Floats = npt.NDArray[np.float32]

SCALES = (0.81, 0.9, 1.0, 1.11, 1.23)
"""Where the first look leaves room, a face is shown in more sizes: where exactly a rounded face ends is the geometry's
weakest measure."""

TOGETHER = 3
"""The mean over so many sizes next to each other is what the witness says, so that one lucky crop is none: that is a
face's confidence, and what makes a rival. Where geometry holds a face for one as well, its surest look is enough."""

EXPECTED = (LATTICE[0], 1.8, 2.0, LATTICE[1])
"""Half an edge in lattice units, as most makers have it."""

_TURNS = 4
_BACK = np.array([np.linalg.matrix_power(TURNED_BACK, k) for k in range(_TURNS)], np.float32)
SURE = 0.9
NOTHING = 0.985
GOOD = 0.8


class Witnesses:
    """Those who are asked about the faces found in a picture. Where it is `packed` of what is new on a known tray (that
    picture, and what of it is where), a glance comes first, and only what it isn't sure of is asked in full."""

    def __init__(self, searched: Image | Sizes, packed: tuple[Image | Sizes, Tiles] | None = None) -> None:
        self._searched = searched
        self._packed = packed

    @cached_property
    def pyramid(self) -> Pyramid:
        """The picture at halves of its size."""
        return Pyramid(self._searched)

    def ask(self, faces: list[Face]) -> None:
        """Set what they say of the faces: see `consult`."""
        if self._packed is not None and faces:
            whole, tiles = self._packed
            at = np.array([(face.x, face.y) for face in faces])
            faces = at_a_glance.look(whole, faces, np.stack(tiles.back(*at.T), 1) - at)
        if faces:
            consult(self.pyramid, faces)


def consult(pyramid: Pyramid, faces: list[Face]) -> None:
    """Set `witness` of every face: 7 probabilities (0 no face, 1 to 6), the mean over neighbouring sizes where the
    first look was not sure; and `surest`, those of the single look that is surest of a value."""
    if not faces:
        return
    planes = np.array([_plane(face) for face in faces], np.intp)
    first = classify(face_crops(pyramid, corners_of(faces), planes))
    again = []
    for n, face in enumerate(faces):
        face.witness = face.surest = first[n]
        # Four pips or more on a good lattice are looked at again, whatever the first look made of them.
        worth = first[n, 0] < NOTHING or (face.value >= 4 and quality(face) > GOOD)
        if first[n, face.value] < SURE and worth:
            again.append(n)
    if not again:
        return
    other = [k for k, scale in enumerate(SCALES) if scale != 1.0]
    looks = [look for n in again for look in _looks(faces[n], other)]
    crops = face_crops(pyramid, np.stack(looks), planes[again].repeat(len(other) + len(EXPECTED)))
    asked = classify(crops).reshape(len(again), len(other) + len(EXPECTED), -1)
    told = np.empty((len(again), len(SCALES), first.shape[1]), np.float32)
    told[:, other] = asked[:, : len(other)]
    told[:, SCALES.index(1.0)] = first[again]
    means = [told[:, k : k + TOGETHER].mean(1) for k in range(len(SCALES) - TOGETHER + 1)]
    usual = asked[:, len(other) :]
    means += [usual[:, k : k + TOGETHER].mean(1) for k in range(len(EXPECTED) - TOGETHER + 1)]
    for n, rows, single in zip(again, np.stack(means, 1), asked, strict=True):
        faces[n].witness = rows[rows[:, 1:].max(1).argmax()]
        every = np.concatenate([first[n : n + 1], single])
        faces[n].surest = every[every[:, 1:].max(1).argmax()]


def _looks(face: Face, scales: list[int]) -> list[npt.NDArray[np.float32]]:
    """Corners for more looks: the face in other sizes; and as large as its lattice lets expect, which
    helps where no outline was found, or that of something else."""
    frame = face.frame if face.lattice is None else face.lattice
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32)
    middle = np.array([face.x, face.y], np.float32)
    expected = [(square * reach @ frame.T + middle).astype(np.float32) for reach in EXPECTED]
    return [face.corners(SCALES[k] * face.reach) for k in scales] + expected


def find_leaners(image: Image | Sizes, faces: list[Face]) -> list[Face]:
    """Those of the faces that do not lie flat as the others do; BGR `uint8`, faces where they lie in it. `drop` of all
    is set, and `gap` where there are others to compare with."""
    if not faces:
        return []
    corners = corners_of(faces)
    size = (image.shape[0], image.shape[1])
    sizes = np.array([face.size_px for face in faces])
    wide = wide_crops(image, corners)
    places, gaps = corners.mean(1), np.zeros(0)
    which: list[int] = []
    # Most dice lie so flat that one look tells, or one more at those that may not; only where it doesn't are all looks
    # worth their time.
    looks: list[tuple[Floats, Floats]] = []
    for more in (1, 1, _TURNS - 2):
        some = np.nonzero(gaps >= ONE_LOOK / 2)[0] if len(looks) == 1 else None
        looks += _looks_at(wide, range(len(looks), len(looks) + more), some)
        told, errors = _drops(looks, corners)
        for face, drop in zip(faces, told, strict=True):
            face.drop = drop.astype(np.float32)
        if len(faces) < LINE:
            # Nothing to hold it against.
            return []
        drops = told / sizes[:, None]
        if len(looks) == 1:
            gaps = gaps_of(places, (drops, errors), size)
        else:
            which, gaps = out_of_line(places, (drops, errors), (drops, np.full(len(faces), np.inf)), size)
        if gaps.max() < ONE_LOOK:
            break
    if which:
        # Silhouettes can only speak for a die that is off: where none is they need not be asked.
        which, gaps = out_of_line(places, (drops, errors), side_drops(Sizes.of(image).image, corners), size)
    for face, gap in zip(faces, gaps, strict=True):
        face.gap = float(gap)
    return [faces[n] for n in which]


def _looks_at(wide: npt.NDArray[np.uint8], turns: range, some: Ids | None = None) -> list[tuple[Floats, Floats]]:
    """What the third witness tells of the wide crops after so many quarter turns each, turned back: drops (N x 2, along
    the crops' axes) and errors, in edges. If only `some` are looked at, the errors of the others are infinite."""
    those = np.arange(len(wide)) if some is None else some
    told, errors = drops_of(np.concatenate([np.rot90(wide[those], k, (1, 2)) for k in turns]))
    looks = []
    for k, drops, error in zip(turns, np.split(told, len(turns)), np.split(errors, len(turns)), strict=True):
        every, off = np.zeros((len(wide), 2), np.float32), np.full(len(wide), np.inf, np.float32)
        every[those], off[those] = drops @ _BACK[k], error
        looks.append((every, off))
    return looks


def _drops(looks: list[tuple[Floats, Floats]], corners: npt.NDArray[np.float32]) -> tuple[Floats, Floats]:
    """The third witness's drops in pixels of the picture, N x 2, and their errors in edges: means over the looks that
    each was given."""
    told, errors = np.stack([drops for drops, _ in looks]), np.stack([error for _, error in looks])
    trust = 1 / errors**2
    mean = (told * trust[:, :, None]).sum(0) / trust.sum(0)[:, None]
    axes = np.stack(
        [corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3],
         corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]], 2,
    ) / 2  # fmt: skip
    given = np.isfinite(errors)
    return (axes @ mean[:, :, None])[:, :, 0], np.exp(
        np.log(errors, where=given, out=np.zeros_like(errors)).sum(0) / given.sum(0)
    )


def _plane(face: Face) -> int:
    """Grey, or the one channel that shows this face's pips much better (green pips on purple)."""
    change = np.abs(face.ink - face.body)
    lightness = abs(float((face.ink - face.body) @ np.array([0.114, 0.587, 0.299])))
    return GREY if lightness > 0.6 * float(change.max()) else int(change.argmax())
