"""Load the small networks that the witnesses ask.

Room: vision. Knows files of weights only; not what a network is asked, nor what it answers.
"""

from __future__ import annotations

from pathlib import Path

import cv2


class WitnessError(RuntimeError):
    """The weights are missing or damaged. `code` is stable: VIS-01."""

    code = "VIS-01"


def load(weights: Path) -> cv2.dnn.Net:
    """The network of an ONNX file. It holds the state of one forward pass, so let one thread at a time ask it.

    Raises WitnessError (VIS-01) where the file is missing or damaged.
    """
    problem = WitnessError(f"VIS-01: the weights {weights.name} can't be loaded; install dicetable again")
    if not weights.is_file():
        raise problem
    try:
        # OpenCV 5 has a second engine; on networks this small the classic one takes two thirds of its time.
        engine = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
        if engine is None:
            return cv2.dnn.readNetFromONNX(str(weights))
        return cv2.dnn.readNetFromONNX(str(weights), engine)
    except cv2.error as error:
        raise problem from error
