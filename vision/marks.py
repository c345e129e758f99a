"""Four printed marks on the tray's rim: what they look like, and where they are in a picture.

Room: vision. Knows pictures only: nothing of printing and of what a tray is for. The marks are ArUco's, 4 x 4 modules
(Garrido-Jurado and others, "Automatic generation and detection of highly reliable fiducial markers under occlusion",
2014), found by OpenCV.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import cv2
import numpy as np
import numpy.typing as npt

from vision.types import Corners, Image

COUNT = 4
MODULES = 6
"""A mark's side in modules, its black border included."""
_DICTIONARY = cv2.aruco.DICT_4X4_50

Point = tuple[float, float]


def pattern(mark: int) -> npt.NDArray[np.bool_]:
    """Mark number `mark`, 0 to 3, as MODULES x MODULES modules: True is black."""
    dictionary = cv2.aruco.getPredefinedDictionary(_DICTIONARY)
    modules: npt.NDArray[np.bool_] = np.asarray(cv2.aruco.generateImageMarker(dictionary, mark, MODULES)) < 128
    return modules


def find(image: Image) -> Mapping[int, Corners]:
    """The marks in a picture (BGR uint8): number 0 to 3 -> its four corners in pixels."""
    options = cv2.aruco.DetectorParameters()
    options.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    # The edge of the paper is a square around the mark's: OpenCV 5 takes two so near to each other for one.
    options.minMarkerDistanceRate = 0.01
    options.minDistanceToBorder = 1
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(_DICTIONARY), options)
    found, ids, _ = detector.detectMarkers(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    marks: dict[int, Corners] = {}
    for corners, number in zip(found, [] if ids is None else np.asarray(ids).reshape(-1), strict=True):
        if 0 <= number < COUNT:
            a, b, c, d = ((float(x), float(y)) for x, y in np.asarray(corners).reshape(4, 2))
            marks[int(number)] = (a, b, c, d)
    return marks


def missing(marks: Mapping[int, Corners]) -> tuple[int, ...]:
    """The numbers of the marks that were not found."""
    return tuple(number for number in range(COUNT) if number not in marks)


def floor_of(marks: Mapping[int, Corners]) -> Corners:
    """The tray's floor between four marks: of each the corner that looks to the middle, clockwise from the top left.

    It does not matter which mark is where, nor how it is turned. Raises ValueError where a mark is missing.
    """
    if missing(marks):
        raise ValueError(f"marks {missing(marks)} are missing")
    middle = np.mean([corner for corners in marks.values() for corner in corners], axis=0)
    inner = [min(corners, key=lambda p: math.dist(p, middle)) for corners in marks.values()]
    return clockwise(inner)


def clockwise(points: list[Point]) -> Corners:
    """Four points in the order top left, top right, bottom right, bottom left. Raises ValueError unless they are the
    corners of a quadrilateral without dents."""
    if len(points) != 4:
        raise ValueError(f"{len(points)} corners instead of four")
    x, y = (sum(p[k] for p in points) / 4 for k in (0, 1))
    ring = sorted(points, key=lambda p: math.atan2(p[1] - y, p[0] - x))
    if not cv2.isContourConvex(np.array(ring, np.float32).reshape(-1, 1, 2)) or _area(ring) < 1.0:
        raise ValueError("the corners have a dent, or lie in a line")
    first = min(range(4), key=lambda k: ring[k][0] + ring[k][1])
    a, b, c, d = (ring[(first + k) % 4] for k in range(4))
    return a, b, c, d


def _area(ring: list[Point]) -> float:
    return float(cv2.contourArea(np.array(ring, np.float32).reshape(-1, 1, 2)))
