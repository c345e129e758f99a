"""Ask the second and the third witness about faces that the geometry found.

Room: vision. Knows faces, crops and the witnesses; decides nothing.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.crops import face_crops
from vision.faces import Face
from vision.lean import drops_of, wide_crop
from vision.pyramid import GREY, Pyramid
from vision.witness import classify

SCALES = (0.81, 0.9, 1.0, 1.11, 1.23)
"""Where the first look leaves room, a face is shown in more sizes: where exactly a rounded face ends is the geometry's
weakest measure."""

TOGETHER = 3
"""So many sizes next to each other have to agree: their mean counts, so that one lucky crop is no witness. The network
was trained to bear 12 % in size, so a face that is one looks like it in three sizes in a row."""

SURE = 0.9
NOTHING = 0.985


def consult(pyramid: Pyramid, faces: list[Face]) -> None:
    """Set `witness` of every face: 7 probabilities (0 no face, 1 to 6), the mean over neighbouring sizes where the
    first look was not sure."""
    if not faces:
        return
    planes = np.array([_plane(face) for face in faces], np.intp)
    first = classify(face_crops(pyramid, np.stack([face.corners() for face in faces]), planes))
    again = []
    for n, face in enumerate(faces):
        face.witness = first[n]
        if first[n, face.value] < SURE and first[n, 0] < NOTHING:
            again.append(n)
    if not again:
        return
    other = [k for k, scale in enumerate(SCALES) if scale != 1.0]
    looks = np.stack([faces[n].corners(SCALES[k] * faces[n].reach) for n in again for k in other])
    crops = face_crops(pyramid, looks, planes[again].repeat(len(other)))
    told = np.empty((len(again), len(SCALES), first.shape[1]), np.float32)
    told[:, other] = classify(crops).reshape(len(again), len(other), -1)
    told[:, SCALES.index(1.0)] = first[again]
    means = np.stack([told[:, k : k + TOGETHER].mean(1) for k in range(len(SCALES) - TOGETHER + 1)], 1)
    for n, rows in zip(again, means, strict=True):
        faces[n].witness = rows[rows[:, 1:].max(1).argmax()]


def ask_drops(image: npt.NDArray[np.uint8], faces: list[Face]) -> None:
    """Set `drop` and `drop_error` of every face."""
    if not faces:
        return
    corners = [face.corners() for face in faces]
    drops, errors = drops_of(np.stack([wide_crop(image, c) for c in corners]))
    for face, c, drop, error in zip(faces, corners, drops, errors, strict=True):
        axes = np.stack([c[1] - c[0] + c[2] - c[3], c[3] - c[0] + c[2] - c[1]], 1) / 2
        face.drop, face.drop_error = (axes @ drop).astype(np.float32), float(error)


def _plane(face: Face) -> int:
    """Grey, or the one channel that shows this face's pips much better (green pips on purple)."""
    change = np.abs(face.ink - face.body)
    lightness = abs(float((face.ink - face.body) @ np.array([0.114, 0.587, 0.299])))
    return GREY if lightness > 0.6 * float(change.max()) else int(change.argmax())
