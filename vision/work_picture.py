"""The picture that is searched: how much a given one is reduced or enlarged for it, and how dark ones are brought up.

Room: vision. Knows pixels only.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.pyramid import Sizes

WORK_PX = 1280
"""The longer side of the picture that is searched; larger ones are reduced, small ones doubled."""

_WORK_AREA = 1280 * 960
_LONGEST_PX = 4096


def work_picture(sizes: Sizes, part: float = 1.0) -> tuple[npt.NDArray[np.uint8], float]:
    """The picture that is searched, or one of `part` its size, and how large it is against the one given."""
    height, width = sizes.shape[:2]
    zoom = part * zoom_of(height, width)
    # Averaging over whole pixels is fast, over parts of them it takes as long as all of the search.
    whole = max(1, int(1 / zoom))
    image, rest = sizes.by(whole), zoom * whole
    if rest == 1.0:
        return image, zoom
    size = (max(1, round(image.shape[1] * rest)), max(1, round(image.shape[0] * rest)))
    how = cv2.INTER_LINEAR if rest < 1 else cv2.INTER_CUBIC
    return cv2.resize(image, size, interpolation=how), zoom  # type: ignore[return-value]


def zoom_of(height: int, width: int) -> float:
    """What a picture is scaled by before it is searched, so that neither time nor small dice are lost.

    A long narrow picture may stay longer than others: a die of 4 % of its height has to keep its pips.
    """
    short, long = sorted((height, width))
    if long <= 640:
        return 2.0
    usual = WORK_PX / long
    narrow = min(480 / short, (_WORK_AREA / (short * long)) ** 0.5, _LONGEST_PX / long)
    return float(min(1.0, max(usual, narrow)))


def brightened(whole: npt.NDArray[np.uint8], part: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """`part` of a picture with the brightest parts of a dark `whole` brought up to white, so that contrasts in grey
    levels mean the same."""
    blue, green, red = cv2.split(np.ascontiguousarray(whole[::3, ::3] if whole is part else whole[::12, ::12]))
    brightest = cv2.max(cv2.max(blue, green), red)
    shares = np.cumsum(cv2.calcHist([brightest], [0], None, [256], [0, 256])) / brightest.size
    # Nothing may saturate: white pips on a face in glare are told by their last few grey levels.
    gain = min(4.0, 245.0 / max(1.0, float(np.searchsorted(shares, 0.999))))
    return cv2.convertScaleAbs(part, alpha=gain) if gain > 1.15 else part  # type: ignore[return-value]
