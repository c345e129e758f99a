"""Pictures for the screen, from the camera process to the table's, through shared memory.

Room: firmware. A ring of slots in one piece of memory. Each slot begins with the number of the picture in it; the
number is 0 while the slot is being written, so that a reader can tell a picture that changed under its hands. Numpy
only: the table's process reads previews without OpenCV.
"""

from __future__ import annotations

import struct

import numpy as np

from display.view import Picture
from firmware.events import Preview
from vision.types import Image

MAX_WIDTH = 640
MAX_HEIGHT = 480
SLOTS = 3
_HEADER = struct.Struct("<Q")
_SLOT_BYTES = 16 + MAX_WIDTH * MAX_HEIGHT * 3
RING_BYTES = SLOTS * _SLOT_BYTES


class PreviewRing:
    """A ring of pictures in `buffer` (at least RING_BYTES long). One side writes, the other reads."""

    def __init__(self, buffer: memoryview) -> None:
        self._buffer = buffer
        self._slot = 0
        self._number = 0

    def write(self, rgb: Image) -> Preview:
        """Put a picture (RGB, at most MAX_WIDTH x MAX_HEIGHT) into the next slot."""
        height, width = rgb.shape[:2]
        if width > MAX_WIDTH or height > MAX_HEIGHT:
            raise ValueError(f"a preview of {width}x{height} is too large")
        self._slot = (self._slot + 1) % SLOTS
        self._number += 1
        at = self._slot * _SLOT_BYTES
        _HEADER.pack_into(self._buffer, at, 0)
        pixels = np.ascontiguousarray(rgb).reshape(-1)
        self._buffer[at + 16 : at + 16 + pixels.size] = pixels.data
        _HEADER.pack_into(self._buffer, at, self._number)
        return Preview(self._slot, self._number, width, height)

    def read(self, preview: Preview) -> Picture | None:
        """The picture that `preview` tells of; None if it has been written over since."""
        at = preview.slot * _SLOT_BYTES
        if _HEADER.unpack_from(self._buffer, at)[0] != preview.number:
            return None
        rgb = bytes(self._buffer[at + 16 : at + 16 + preview.width * preview.height * 3])
        if _HEADER.unpack_from(self._buffer, at)[0] != preview.number:
            return None
        return Picture(preview.number, preview.width, preview.height, rgb)
