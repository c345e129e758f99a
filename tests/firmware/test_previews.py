from __future__ import annotations

import numpy as np
import pytest

from firmware.previews import MAX_WIDTH, RING_BYTES, SLOTS, PreviewRing


def picture(seed: int, width: int = 8, height: int = 4) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)


def test_a_picture_comes_through_as_it_was() -> None:
    memory = memoryview(bytearray(RING_BYTES))
    writer, reader = PreviewRing(memory), PreviewRing(memory)
    told = writer.write(picture(1))
    got = reader.read(told)
    assert got is not None
    assert (got.width, got.height) == (8, 4)
    assert got.rgb == picture(1).tobytes()


def test_a_picture_that_was_written_over_is_not_shown() -> None:
    memory = memoryview(bytearray(RING_BYTES))
    ring = PreviewRing(memory)
    told = ring.write(picture(0))
    for n in range(SLOTS):
        assert ring.read(told) is not None
        ring.write(picture(n + 1))
    assert ring.read(told) is None


def test_a_picture_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="too large"):
        PreviewRing(memoryview(bytearray(RING_BYTES))).write(picture(0, MAX_WIDTH + 1))
