"""The third witness: how far a die's far face lies from the near one in the picture, told by a small network.

Room: vision. Knows crops and weights only; not what a face shows, nor what follows from an answer (`leaning.py`).

A top face hides the bottom face, but for what the view from aslant shows: the sides. Where the bottom's middle lies,
seen from the top's, is the *drop*: one vector a die. Of dice that lie flat it changes slowly over the picture; that of
a die that leans, or of a side face taken for a top, points elsewhere. The network was trained on made pictures only
(`scripts/train/`) and is run by OpenCV's dnn module.
"""

from __future__ import annotations

import threading
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.crops import CROP_PX, MARGIN_PX, edges_of, face_crop, squares
from vision.network import load
from vision.pyramid import Sizes, reduced
from vision.types import Image

Floats = npt.NDArray[np.float32]

WEIGHTS = Path(__file__).resolve().parent / "weights" / "lean.onnx"

WIDE = 1.7
"""How much more than a face a crop shows to each side, as a factor: sides reach out by up to an edge."""

TURNED_BACK = np.array([(0, 1), (-1, 0)], np.float32)
"""`drops @ TURNED_BACK` takes what is seen in a crop after a quarter turn, which takes (x, y) to (y, -x), back to the
crop's own axes."""

_FLOOR_GREY = 6.0
_lock = threading.Lock()


def wide_crop(image: Image, corners: npt.NDArray[np.floating]) -> Image:
    """The face between `corners` (4 x 2, going round) with what lies round it: CROP_PX x CROP_PX BGR."""
    quad = np.asarray(corners, np.float32)
    middle = quad.mean(0)
    return face_crop(image, middle + (quad - middle) * WIDE)


def wide_crops(image: Image | Sizes, corners: npt.NDArray[np.floating]) -> npt.NDArray[np.uint8]:
    """`wide_crop` of many faces at once, N x 4 x 2 corners: N x CROP_PX x CROP_PX x 3. Large ones are taken from a
    reduced picture instead of being averaged down."""
    quads = np.asarray(corners, np.float64)
    side_px = WIDE * float(edges_of(quads).mean(1).max())
    level = int(np.clip(np.log2(max(side_px / (CROP_PX - 2 * MARGIN_PX), 1.0)), 0, 3))
    quads = (quads + 0.5) / 2**level - 0.5
    return squares(reduced(image, 2**level), quads, CROP_PX, WIDE * CROP_PX / (CROP_PX - 2 * MARGIN_PX))


def normalise(crops: npt.NDArray[np.uint8]) -> Floats:
    """N x 64 x 64 x 3 BGR `uint8` to what the network takes: N x 3 x 64 x 64; the light divided out of all together."""
    # Plane by plane: arrays that are read in the order that they lie in take a third of the time.
    colours = np.ascontiguousarray(crops.transpose(0, 3, 1, 2)).astype(np.float32)
    every = colours.reshape(len(crops), 3, -1)
    mean = every.mean(axis=2)
    total = every.reshape(len(crops), -1)
    variance = np.einsum("nk,nk->n", total, total) / total.shape[1] - mean.mean(axis=1) ** 2
    colours -= mean[:, :, None, None]
    colours /= (np.sqrt(np.maximum(variance, 0)) + _FLOOR_GREY)[:, None, None, None]
    return colours


@cache
def _net() -> cv2.dnn.Net:
    return load(WEIGHTS)


def drops_of(crops: npt.NDArray[np.uint8]) -> tuple[Floats, Floats]:
    """Where the far face's middle lies in each wide crop: N x 2, in edges of the near face along the crop's axes, and
    N, how far off that may be (mean absolute error, in edges).

    Raises ValueError for another shape or type, WitnessError (VIS-01) without weights.
    """
    if crops.ndim != 4 or crops.shape[1:] != (CROP_PX, CROP_PX, 3) or crops.dtype != np.uint8:
        raise ValueError(f"crops must be N x {CROP_PX} x {CROP_PX} x 3 uint8, not {crops.shape} {crops.dtype}")
    if not len(crops):
        return np.zeros((0, 2), np.float32), np.zeros(0, np.float32)
    with _lock:
        net = _net()
        net.setInput(normalise(crops))
        told = net.forward().reshape(len(crops), 3)
    return told[:, :2].astype(np.float32), np.exp(np.clip(told[:, 2], -6, 2)).astype(np.float32)
