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

SCALES = (0.9, 1.0, 1.11)
"""Each face is shown in three sizes: where exactly a rounded face ends is the geometry's weakest measure."""


def consult(image: npt.NDArray[np.uint8], faces: list[Face]) -> None:
    """Set `witness` of every face: 7 probabilities (0 no face, 1 to 6), those of the size that it is surest of."""
    if not faces:
        return
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    crops = []
    for face in faces:
        plane = _plane(image, grey, face)
        crops += [face_crop(plane, face.corners(scale * face.reach)) for scale in SCALES]
    told = classify(np.stack(crops)).reshape(len(faces), len(SCALES), -1)
    for face, rows in zip(faces, told, strict=True):
        face.witness = rows[rows[:, 1:].max(1).argmax()]


def _plane(
    image: npt.NDArray[np.uint8], grey: npt.NDArray[np.uint8], face: Face
) -> npt.NDArray[np.uint8]:
    """Grey, or the one channel that shows this face's pips much better (green pips on purple)."""
    change = np.abs(face.ink - face.body)
    lightness = abs(float((face.ink - face.body) @ np.array([0.114, 0.587, 0.299])))
    if lightness > 0.6 * float(change.max()):
        return grey
    return np.ascontiguousarray(image[:, :, int(change.argmax())])
