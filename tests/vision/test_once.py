from __future__ import annotations

import numpy as np

from vision.once import ReadOnce
from vision.types import Image, Reading, Status, Tray


def test_equal_pixels_are_read_once_and_others_anew() -> None:
    calls: list[int] = []

    def read(image: Image, tray: Tray) -> Reading:
        calls.append(int(image[0, 0, 0]))
        return Reading(Status.EMPTY, ms=5.0)

    once, tray = ReadOnce(read), Tray()
    dark, light = np.zeros((4, 4, 3), np.uint8), np.full((4, 4, 3), 9, np.uint8)
    assert once(dark, tray).ms == 5.0
    assert once(dark.copy(), tray).ms == 0.0
    once(light, tray)
    once(dark, tray)
    once(dark, Tray(dice=5))
    assert calls == [0, 9, 0, 0], "another picture, and other knowledge, are read anew"
