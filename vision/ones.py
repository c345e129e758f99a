"""Ones: a single pip in the middle of a square.

Room: vision. Knows pips, outlines and faces already found; not how many dice there should be.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.faces import Face, lean_of
from vision.outline import evenness, find_outline
from vision.pips import Floats, Pips

_TURNS = 9


def find_ones(
    image: npt.NDArray[np.uint8], pips: Pips, candidates: npt.NDArray[np.intp], half_px: tuple[float, float] | None
) -> list[Face]:
    """Squares around single pips, best first. `half_px` bounds half the length of an edge, where it is known."""
    if not len(candidates):
        return []
    p = pips.take(candidates)
    n = len(p)
    weight = np.clip((p.r - 1.5) / 4.0, 0.3, 1.0)[:, None, None]
    shape = weight * p.shape + (1 - weight) * np.eye(2, dtype=np.float32)
    shape = shape / np.sqrt(np.linalg.det(shape))[:, None, None]
    unit = 3.0 * p.r
    angles = np.arange(_TURNS) * (np.pi / 2 / _TURNS)
    turn = np.stack([np.cos(angles), -np.sin(angles), np.sin(angles), np.cos(angles)], 1).reshape(-1, 2, 2)
    frames = (shape[:, None] @ turn.astype(np.float32)[None]) * unit[:, None, None, None]
    centres = np.stack([p.x, p.y], 1)[:, None, :].repeat(_TURNS, 1)
    low, high = np.full(n, 0.95, np.float32), np.full(n, 2.9, np.float32)
    if half_px is not None:
        low = np.maximum(low, half_px[0] / unit).astype(np.float32)
        high = np.minimum(high, half_px[1] / unit).astype(np.float32)
    fits = high > low * 1.02
    if not fits.any():
        return []
    p, frames, centres, low, high = p.take(fits), frames[fits], centres[fits], low[fits], high[fits]
    ids = candidates[fits]
    n = len(p)
    outline = find_outline(
        image, centres.reshape(-1, 2).astype(np.float32), frames.reshape(-1, 2, 2).astype(np.float32),
        low.repeat(_TURNS), high.repeat(_TURNS), steps=20,
    )  # fmt: skip
    sides = outline.sides.reshape(n, _TURNS, 4)
    reach = outline.reach.reshape(n, _TURNS)
    worth: Floats = np.sort(np.minimum(sides, 40), 2)[:, :, 1:].sum(2)  # the three best sides
    best = worth.argmax(1)
    rows = np.arange(n)
    reach, frame = reach[rows, best].astype(np.float32), frames[rows, best].astype(np.float32)
    body = outline.body.reshape(n, _TURNS, 3)[rows, best]
    middle = np.stack([p.x, p.y], 1).astype(np.float32)
    rough, _ = evenness(image, middle, frame, reach, np.full(n, 1.5 / 3.0, np.float32))
    faces = []
    for i in rows:
        values = np.linalg.eigvalsh(p.shape[i])
        step = float(p.step[i])
        # The face round the pip and the face near its edge must be one colour.
        drift = float(np.linalg.norm(body[i] - p.outer[i])) / (step + 10)
        face = Face(
            1, float(p.x[i]), float(p.y[i]), frame[i], float(reach[i]), 0.0, 0.0,
            float(values[0] / values[1]), float(p.r[i]), (int(ids[i]),), body[i], p.inner[i], np.zeros(9, np.float32),
        )  # fmt: skip
        face.sides = sides[i, best[i]]
        face.fit = drift
        face.rough = float(rough[i]) / (step + 10)
        face.step = step
        face.lean = lean_of(p.shape[i])
        face.score = float(p.round[i]) * float(worth[i, best[i]]) / 120 - 0.5 * drift - 0.5 * face.rough
        faces.append(face)
    faces.sort(key=lambda f: -f.score)
    return faces
