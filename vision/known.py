"""What a calibrated tray tells the reader: where the picture differs from the empty tray.

Room: vision. Knows the empty picture and pixels; not what a die looks like.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import Calibration

_SHADOW_DARKEST = 0.35


def changed(work: npt.NDArray[np.uint8], calibration: Calibration) -> npt.NDArray[np.uint8]:
    """255 where `work` shows something on the tray's floor that the empty tray has not, 0 elsewhere; size of `work`.

    Light that changed everywhere is divided out. A shadow, the empty tray's own colour but darker, doesn't count.
    """
    height, width = work.shape[:2]
    # Half size is enough to find things as large as dice, and cheaper.
    size = (max(1, width // 2), max(1, height // 2))
    now = _smooth(cv2.resize(work, size, interpolation=cv2.INTER_AREA))
    empty = _smooth(cv2.resize(calibration.empty, size, interpolation=cv2.INTER_AREA))
    floor = calibration.mask(*size)
    gain = np.median((now[floor > 0] + 4) / (empty[floor > 0] + 4), axis=0) if floor.any() else np.ones(3)
    expected = empty * gain.astype(np.float32)
    difference = np.abs(now - expected).max(axis=2)
    threshold = max(10.0, 4.0 * calibration.noise)
    out = difference > threshold
    ratio = (now + 4) / (expected + 4)
    middle = ratio.mean(axis=2)
    # Noise weighs more in dark pixels, so the colour of a shadow may stray further there.
    stray = 0.06 + 5.0 / (expected.mean(axis=2) + 10)
    shadow = (middle < 1) & (middle > _SHADOW_DARKEST) & (ratio.max(axis=2) - ratio.min(axis=2) < stray)
    mask = np.where(out & ~shadow & (floor > 0), 255, 0).astype(np.uint8)
    return cv2.resize(mask, (width, height), interpolation=cv2.INTER_NEAREST)  # type: ignore[return-value]


def near(mask: npt.NDArray[np.uint8], distance_px: float) -> npt.NDArray[np.uint8]:
    """The mask grown by `distance_px`."""
    side = 2 * max(1, round(distance_px)) + 1
    return cv2.dilate(mask, np.ones((side, side), np.uint8))  # type: ignore[return-value]


def _smooth(image: cv2.typing.MatLike) -> npt.NDArray[np.float32]:
    return cv2.GaussianBlur(image, (0, 0), 1.0).astype(np.float32)
