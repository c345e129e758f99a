"""Look for the bodies of dice, whatever they show: a small network on a reduced picture.

Room: vision. Knows a picture and how large dice are in it; no pips, no faces, no tray. What it finds and no reading
explains is a reason to ask: a die that leans, whose pips drown in glare, or that is half covered. The network was
trained on made pictures only (`scripts/train/bodies.py`) and is run by OpenCV's dnn module.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.network import load
from vision.pyramid import Sizes, reduced
from vision.types import Image

Floats = npt.NDArray[np.float32]

WEIGHTS = Path(__file__).resolve().parent / "weights" / "bodies.onnx"

DIE_PX = 12.0
"""Pictures are reduced so that a die's edge is this long."""

CELL_PX = 4
"""The network answers for cells of so many reduced pixels."""

MOST_PX = 160_000
"""More reduced pixels are not looked at: dice so small are seen in a coarser picture."""

A_DIE = 0.85
"""So probably the surest third of a place belongs to dice, if it does. On path-traced trays coins reach 0.75."""

NO_DIE = 0.1
"""Where it is less, nothing is a die: of 373 dice in made and path-traced pictures none came under it, and none of the
130 path-traced ones under 0.5. Of a die whose edge is more than `FILLS` of the picture's shorter side it says nothing:
the network has never seen one so close."""

FILLS = 0.4

_OWN = 1.2
"""So far from its middle, in edges, what is seen may be a die's own."""

_FLOOR_GREY = 8.0
_lock = threading.Lock()


def normalise(images: npt.NDArray[np.uint8]) -> Floats:
    """N x H x W x 3 BGR `uint8` to what the network takes: N x 3 x H x W, the light divided out."""
    # Plane by plane: arrays that are read in the order that they lie in take a third of the time.
    out: Floats = np.ascontiguousarray(images.transpose(0, 3, 1, 2)).astype(np.float32)
    colours, every = out.reshape(*out.shape[:2], -1), out.reshape(len(out), -1)
    mean = colours.mean(axis=2)
    colours -= mean[:, :, None]
    # The planes' own means are apart from that of all.
    apart = ((mean - mean.mean(axis=1, keepdims=True)) ** 2).mean(axis=1)
    deviation = np.sqrt(np.einsum("nk,nk->n", every, every) / every.shape[1] + apart)
    every /= (deviation + _FLOOR_GREY)[:, None]
    return out


@cache
def _net() -> cv2.dnn.Net:
    return load(WEIGHTS)


class Bodies:
    """How probably each cell of a picture (BGR `uint8`) is part of a die whose edge is `die_px` long: `cells`, rows x
    columns, 0 to 1, each `cell_px` pixels of the picture wide. Raises WitnessError (VIS-01) without weights."""

    def __init__(self, image: Image | Sizes, die_px: float) -> None:
        height, width = image.shape[:2]
        scale = min(DIE_PX / die_px, (MOST_PX / (height * width)) ** 0.5)
        size = tuple(max(6, round(side * scale / CELL_PX)) * CELL_PX for side in (width, height))
        # By halves first, which is fast.
        whole = max(1, min(width // size[0], height // size[1]))
        half = reduced(image, 1 << (whole.bit_length() - 1))
        small = cv2.resize(half, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
        with _lock:
            net = _net()
            net.setInput(normalise(np.asarray(small, np.uint8)[None]))
            told = net.forward()
        told = told.reshape(size[1] // CELL_PX, size[0] // CELL_PX)
        self.cells: Floats = (1 / (1 + np.exp(-np.clip(told, -30, 30)))).astype(np.float32)
        self.cell_px = width * CELL_PX / size[0]
        self._die_px = die_px

    def likeness(self, x: float, y: float) -> float:
        """How much a place (in pixels of the picture) looks like part of a die, 0 to 1: the surest third of what lies
        within half an edge."""
        reach = max(1, int(0.5 * self._die_px / self.cell_px))
        row, column = (
            int(np.clip((v + 0.5) / self.cell_px, 0, most - 1))
            for v, most in zip((y, x), self.cells.shape, strict=True)
        )
        part = np.sort(
            self.cells[max(0, row - reach) : row + reach + 1, max(0, column - reach) : column + reach + 1].ravel()
        )
        return float(part[-max(1, len(part) // 3) :].mean())

    def beside(self, dice: Sequence[tuple[float, float, float]]) -> tuple[float, float, float]:
        """How much what looks most like a die does, 0 to 1, further off than these dice (x, y, edge in pixels) and
        their sides reach: the mean over a die's area; and where its middle is, x and y."""
        side = max(1, round(self._die_px / self.cell_px))
        means = np.asarray(cv2.blur(self.cells, (side, side), borderType=cv2.BORDER_REPLICATE), np.float32)
        down, across = ((np.arange(most) + 0.5) * self.cell_px - 0.5 for most in means.shape)
        for x, y, edge_px in dice:
            means[(across - x) ** 2 + (down[:, None] - y) ** 2 < (_OWN * edge_px) ** 2] = 0
        row, column = divmod(int(means.argmax()), means.shape[1])
        return float(means[row, column]), float(across[column]), float(down[row])


def likeness(image: Image | Sizes, places: Sequence[tuple[float, float]], die_px: float) -> list[float]:
    """How much each of the places (x, y in pixels of the picture) looks like part of a die, 0 to 1 (see `Bodies`)."""
    if not places:
        return []
    seen = Bodies(image, die_px)
    return [seen.likeness(x, y) for x, y in places]
