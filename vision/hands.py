"""Look out for a hand or an arm that reaches into the picture, whatever lies there.

Room: vision. Knows the picture only: no dice, no tray, no motion. A small network on a reduced picture says for each
cell whether a hand covers it. It was trained on made pictures only (`scripts/train/hands.py`); OpenCV's dnn runs it.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.network import load
from vision.pyramid import Sizes, reduced
from vision.types import Die, Image

Floats = npt.NDArray[np.float32]

WEIGHTS = Path(__file__).resolve().parent / "weights" / "hands.onnx"

LOOK_PX = (128, 96)
"""Width and height that a picture is reduced to; its shape is not kept."""

CELL_PX = 8

_SURE = 0.5
_VERY_SURE = 0.9
_FEWEST_CELLS = 6
"""A hand covers so many of the 192 cells at least, one of them very surely, and comes in over the border."""

_FLOOR = 8.0

_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class Hand:
    """The middle of the part of a hand that is in the picture, in its pixels, and how much of the picture it covers."""

    x: float
    y: float
    share: float


def normalise(images: npt.NDArray[np.uint8]) -> Floats:
    """N x 96 x 128 x 3 BGR to what the network takes: N x 3 x 96 x 128, mean 0 and deviation near 1 a picture."""
    # Plane by plane: arrays that are read in the order that they lie in take a third of the time.
    out: Floats = np.ascontiguousarray(images.transpose(0, 3, 1, 2)).astype(np.float32)
    every = out.reshape(len(images), -1)
    every -= every.mean(axis=1, keepdims=True)
    deviation = np.sqrt(np.einsum("nk,nk->n", every, every) / every.shape[1])
    every /= (deviation + _FLOOR)[:, None]
    return out


@cache
def _net() -> cv2.dnn.Net:
    return load(WEIGHTS)


def covered(image: Image | Sizes) -> Floats:
    """How probably a hand covers each cell of a BGR picture: 12 x 16."""
    # By halves first, which is fast.
    whole = max(1, min(image.shape[1] // LOOK_PX[0], image.shape[0] // LOOK_PX[1]))
    small = np.asarray(
        cv2.resize(reduced(image, 1 << (whole.bit_length() - 1)), LOOK_PX, interpolation=cv2.INTER_AREA), np.uint8
    )
    with _lock:
        net = _net()
        net.setInput(normalise(small[None]))
        logits = np.asarray(net.forward(), np.float32).reshape(LOOK_PX[1] // CELL_PX, LOOK_PX[0] // CELL_PX)
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(logits, -30, 30))), np.float32)


def find_hand(image: Image | Sizes, dice: Sequence[Die] = ()) -> Hand | None:
    """The largest hand that reaches in over the border of a BGR picture, or None. Raises WitnessError (VIS-01).

    A die that was read, and fills much of the picture, is no hand.
    """
    hand = largest(covered(image), image.shape[1], image.shape[0])
    if hand is None:
        return None
    for die in dice:
        reach = 0.75 * max(math.dist(a, b) for a, b in zip(die.corners, die.corners[1:], strict=False))
        if math.dist((hand.x, hand.y), (die.x, die.y)) < reach:
            return None
    return hand


def largest(cells: Floats, width_px: int, height_px: int) -> Hand | None:
    """The hand in a map of cells as `covered` gives it, for a picture of this size."""
    rows, columns = cells.shape
    count, labels, stats, centres = cv2.connectedComponentsWithStats((cells > _SURE).astype(np.uint8))
    best: Hand | None = None
    for n in range(1, count):
        left, top, wide, tall, area = (int(v) for v in stats[n])
        # A cell at the border shows little of an arm, and is the least sure.
        at_border = left <= 1 or top <= 1 or left + wide >= columns - 1 or top + tall >= rows - 1
        if area < _FEWEST_CELLS or not at_border or float(cells[labels == n].max()) < _VERY_SURE:
            continue
        share = area / cells.size
        if best is None or share > best.share:
            x, y = (centres[n] + 0.5) * (width_px / columns, height_px / rows) - 0.5
            best = Hand(float(x), float(y), share)
    return best
