"""A glance at each die of a known tray: one small network tells what its face shows and where its far face lies.

Room: vision. Knows crops and weights only; who believes it, and when, is said in `at_a_glance.py`. On a tray that is
known nearly every die lies plainly there, and the two witnesses (`witness.py`, `lean.py`), four times the work, need
not be asked about it: this network sees a top in colour with what lies round it, and says what both would. Trained on
made pictures only (`scripts/train/train_glance.py`), run by OpenCV's dnn module.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.crops import edges_of, squares
from vision.lean import normalise
from vision.network import load
from vision.pyramid import Sizes, reduced
from vision.types import Image

Floats = npt.NDArray[np.float32]

WEIGHTS = Path(__file__).resolve().parent / "weights" / "glance.onnx"

CROP_PX = 48
"""Side of a crop, in pixels."""

WIDE = 2.2
"""So many edges of a face are shown each way: sides reach out by up to an edge."""

_CLASSES = 7
_FEW = 2
_lock = threading.Lock()


@dataclass(frozen=True, slots=True, eq=False)
class Glimpse:
    """What a glance told of a face: the crop that it saw, its axes in edges (2 x 2, columns along the picture's axes),
    the drop in edges along the picture's axes, and how far off that may be."""

    crop: npt.NDArray[np.uint8]
    axes: npt.NDArray[np.float64]
    drop: npt.NDArray[np.float64]
    error: float


def glance_crops(image: Image | Sizes, corners: npt.NDArray[np.floating]) -> npt.NDArray[np.uint8]:
    """Faces with what lies round them, N x 4 x 2 corners going round: N x CROP_PX x CROP_PX x 3 BGR. Large ones are
    taken from a reduced picture instead of being averaged down."""
    quads = np.asarray(corners, np.float64)
    side_px = WIDE * float(edges_of(quads).mean(1).max())
    level = int(np.clip(np.log2(max(side_px / CROP_PX, 1.0)), 0, 3))
    return squares(reduced(image, 2**level), (quads + 0.5) / 2**level - 0.5, CROP_PX, WIDE)


@cache
def _net(crops: int) -> cv2.dnn.Net:
    """One of its own for few `crops`, since a network plans anew for every other number of them; 0 for all others."""
    return load(WEIGHTS)


def glance(crops: npt.NDArray[np.uint8]) -> tuple[Floats, Floats, Floats]:
    """What each crop of `glance_crops` shows: N x 7 probabilities (0 no face, 1 to 6 the value); where the far face's
    middle lies, N x 2, in edges of the face along the crop's axes; and N, how far off that may be (mean absolute error,
    in edges).

    Raises ValueError for another shape or type, WitnessError (VIS-01) without weights.
    """
    if crops.ndim != 4 or crops.shape[1:] != (CROP_PX, CROP_PX, 3) or crops.dtype != np.uint8:
        raise ValueError(f"crops must be N x {CROP_PX} x {CROP_PX} x 3 uint8, not {crops.shape} {crops.dtype}")
    if not len(crops):
        return np.zeros((0, _CLASSES), np.float32), np.zeros((0, 2), np.float32), np.zeros(0, np.float32)
    with _lock:
        net = _net(len(crops) if len(crops) <= _FEW else 0)
        net.setInput(normalise(crops))
        told = net.forward().reshape(len(crops), _CLASSES + 3)
    odds = np.exp(told[:, :_CLASSES] - told[:, :_CLASSES].max(axis=1, keepdims=True))
    drops, error = told[:, _CLASSES : _CLASSES + 2], np.exp(np.clip(told[:, _CLASSES + 2], -6, 2))
    return odds / odds.sum(axis=1, keepdims=True), drops.astype(np.float32), error.astype(np.float32)
