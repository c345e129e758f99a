"""The second witness: what a small network makes of upright face crops, to be asked beside the geometry.

Room: vision. Knows crops and weights only; not how a face was found, nor the tray, nor what the reader concludes. The
network was trained on made pictures only (`scripts/train/`), and is run by OpenCV's dnn module.

A witness is worth asking only as long as it is independent: it sees pixels, never the geometry's opinion, and says
"no face" as readily as a value.
"""

from __future__ import annotations

import threading
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.crops import CROP_PX
from vision.network import load

Probabilities = npt.NDArray[np.float32]

WEIGHTS = Path(__file__).resolve().parent / "weights" / "witness.onnx"

NO_FACE = 0
"""The class of a crop that shows no whole top face of a die; classes 1 to 6 are values."""

CLASSES = 7

# Crops go through in parts, so that memory stays bounded and small batches do not make the net plan anew each time.
_PART = 16

# Keeps the noise of an even grey crop from being blown up to look like structure.
_FLOOR_GREY = 4.0

# A net holds the state of one forward pass.
_lock = threading.Lock()


def normalise(crops: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """N x 64 x 64 grey `uint8` to what the network takes: N x 1 x 64 x 64, mean 0 and deviation near 1."""
    grey = crops.reshape(len(crops), -1).astype(np.float32)
    grey -= grey.mean(axis=1, keepdims=True)
    deviation = np.sqrt(np.einsum("nk,nk->n", grey, grey) / grey.shape[1])
    grey /= (deviation + _FLOOR_GREY)[:, None]
    return grey.reshape(-1, 1, *crops.shape[1:])


@cache
def _net() -> cv2.dnn.Net:
    return load(WEIGHTS)


def classify(crops: npt.NDArray[np.uint8]) -> Probabilities:
    """What each crop shows: N x 64 x 64 grey `uint8` in, N x 7 probabilities out (class 0 no face, 1 to 6 the value).

    Crops are those of `vision.crops.face_crop`, any of the four ways up and mirrored or not. The probabilities are
    calibrated on made pictures (temperature scaling, Guo et al. 2017). How many threads run is the caller's choice
    (`cv2.setNumThreads`). Raises ValueError for another shape or type, WitnessError (VIS-01) without weights.
    """
    if crops.ndim != 3 or crops.shape[1:] != (CROP_PX, CROP_PX) or crops.dtype != np.uint8:
        raise ValueError(f"crops must be N x {CROP_PX} x {CROP_PX} uint8, not {crops.shape} {crops.dtype}")
    logits = np.zeros((len(crops), CLASSES), np.float32)
    with _lock:
        net = _net()
        for start in range(0, len(crops), _PART):
            part = crops[start : start + _PART]
            net.setInput(normalise(part))
            logits[start : start + len(part)] = net.forward().reshape(len(part), CLASSES)
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    out: Probabilities = odds / odds.sum(axis=1, keepdims=True)
    return out
