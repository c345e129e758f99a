"""Ask the second witness about faces that the geometry found.

Room: vision. Knows faces, crops and the witness; decides nothing.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.crops import face_crop
from vision.faces import Face
from vision.witness import classify

SCALES = (0.81, 0.9, 1.11, 1.23)
"""Where the first look leaves room, a face is shown in more sizes: where exactly a rounded face ends is the
geometry's weakest measure."""

SURE = 0.9
NOTHING = 0.985


def consult(image: npt.NDArray[np.uint8], faces: list[Face]) -> None:
    """Set `witness` of every face: 7 probabilities (0 no face, 1 to 6), those of the size that it is surest of."""
    if not faces:
        return
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    planes = [_plane(image, grey, face) for face in faces]
    first = classify(np.stack([face_crop(p, f.corners()) for p, f in zip(planes, faces, strict=True)]))
    again = []
    for n, face in enumerate(faces):
        face.witness = first[n]
        if first[n, face.value] < SURE and first[n, 0] < NOTHING:
            again.append(n)
    if not again:
        return
    crops = [face_crop(planes[n], corners) for n in again for corners in _more(faces[n])]
    told = classify(np.stack(crops)).reshape(len(again), len(SCALES) + 1, -1)
    for n, rows in zip(again, told, strict=True):
        every = np.concatenate([first[n : n + 1], rows])
        faces[n].witness = every[every[:, 1:].max(1).argmax()]


def _more(face: Face) -> list[npt.NDArray[np.float32]]:
    """Corners for the other looks: more sizes, and one with the lattice made square, as a six with close rows needs."""
    looks = [face.corners(scale * face.reach) for scale in SCALES]
    frame = face.frame if face.lattice is None else face.lattice
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32) * 1.8
    looks.append((square @ frame.T + np.array([face.x, face.y])).astype(np.float32))
    return looks


def _plane(image: npt.NDArray[np.uint8], grey: cv2.typing.MatLike, face: Face) -> npt.NDArray[np.uint8]:
    """Grey, or the one channel that shows this face's pips much better (green pips on purple)."""
    change = np.abs(face.ink - face.body)
    lightness = abs(float((face.ink - face.body) @ np.array([0.114, 0.587, 0.299])))
    if lightness > 0.6 * float(change.max()):
        return np.asarray(grey, np.uint8)
    return np.ascontiguousarray(image[:, :, int(change.argmax())])
