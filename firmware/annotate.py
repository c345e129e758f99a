"""Draw what was read into a copy of a picture: dice with their values, reasons where they are, and words below.

Room: firmware. Knows pictures and readings; reads nothing itself.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.types import REASONS, Die, Image, Reading, Status

_SURE = (80, 200, 80)
_ASKING = (0, 165, 255)
_NOTICE = (220, 190, 90)
_DARK = (24, 24, 24)
_LIGHT = (255, 255, 255)

_LEAST_PX = 640
"""Smaller pictures are drawn larger, so that words have room."""


def draw(image: Image, reading: Reading) -> Image:
    """A copy of a BGR picture with dice, reasons and a line of words; small pictures come out larger."""
    height, width = image.shape[:2]
    zoom = max(1, -(-_LEAST_PX // max(height, width)))
    out = np.ascontiguousarray(
        image if zoom == 1 else cv2.resize(image, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_NEAREST), np.uint8
    )
    out = out.copy()
    unit = max(out.shape[:2]) / 1000
    taken: list[tuple[int, int, int, int]] = []
    colour = _SURE if reading.status is Status.READ else _ASKING
    for die in reading.dice:
        _outline(out, die, zoom, colour, unit)
    for die in reading.dice:
        corners = (np.array(die.corners) + 0.5) * zoom - 0.5
        edge = float(np.linalg.norm(corners[0] - corners[1]))
        size = float(np.clip(edge / 55, 0.7 * unit, 3.0 * unit))
        _badge(out, str(die.value), _beside(corners), size, colour, taken)
    for reason in reading.reasons:
        if reason.x is None or reason.y is None:
            continue
        at = (round((reason.x + 0.5) * zoom), round((reason.y + 0.5) * zoom))
        tone = _NOTICE if reading.status is Status.READ else _ASKING
        for ink, thick in ((_DARK, 5), (tone, 2)):
            cv2.circle(out, at, round(16 * unit), ink, max(1, round(thick * unit)), cv2.LINE_AA)
        _badge(out, reason.code, (at[0] + 18 * unit, at[1] - 18 * unit), 0.65 * unit, tone, taken)
    return np.concatenate([out, _line(out.shape[1], summary(reading), unit, colour)])


def summary(reading: Reading) -> Sequence[str]:
    """What the line under the picture says: the values, and what to do about each kind of reason."""
    values = " ".join(str(v) for v in reading.values)
    if reading.status is Status.READ:
        first = f"read: {values}"
    elif reading.status is Status.EMPTY:
        first = "empty: no dice"
    else:
        first = f"not sure; best guess: {values or 'none'}"
    return [first, *(f"{code}: {REASONS.get(code, code)}" for code in dict.fromkeys(r.code for r in reading.reasons))]


def _outline(out: Image, die: Die, zoom: int, colour: tuple[int, int, int], unit: float) -> None:
    corners = ((np.array(die.corners) + 0.5) * zoom - 0.5).round().astype(np.int32)
    for ink, thick in ((_DARK, 4), (colour, 2)):
        cv2.polylines(out, [corners], True, ink, max(1, round(thick * unit)), cv2.LINE_AA)


def _beside(corners: np.ndarray) -> tuple[float, float]:
    """The corner furthest to the upper right: a label there hides no pip."""
    best = corners[int(np.argmax(corners[:, 0] - corners[:, 1]))]
    return float(best[0]), float(best[1])


def _badge(
    out: Image, words: str, at: tuple[float, float], size: float, colour: tuple[int, int, int],
    taken: list[tuple[int, int, int, int]],
) -> None:  # fmt: skip
    """Dark words on a block of colour, left lower corner near `at`, inside the picture and clear of other labels."""
    thick = max(1, round(1.6 * size))
    (wide, tall), below = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
    pad = max(2, round(4 * size))
    block_w, block_h = wide + 2 * pad, tall + below + pad
    height, width = out.shape[:2]
    left, top = round(at[0]), round(at[1]) - block_h
    for down, right in ((0, 0), (1, 0), (-1, 0), (0, -1), (2, 0), (1, -1), (-2, 0)):
        x = min(max(0, left + right * block_w), max(0, width - block_w))
        y = min(max(0, top + down * block_h), max(0, height - block_h))
        box = (x, y, x + block_w, y + block_h)
        if not any(box[0] < o[2] and o[0] < box[2] and box[1] < o[3] and o[1] < box[3] for o in taken):
            break
    taken.append(box)
    cv2.rectangle(out, box[:2], box[2:], colour, -1)
    cv2.rectangle(out, box[:2], box[2:], _DARK, max(1, round(size)))
    cv2.putText(
        out, words, (x + pad, y + block_h - below), cv2.FONT_HERSHEY_SIMPLEX, size, _DARK, thick, cv2.LINE_AA
    )  # fmt: skip


def _line(width: int, lines: Sequence[str], unit: float, colour: tuple[int, int, int]) -> Image:
    """A strip under the picture, a line a sentence, the words made small enough to fit."""
    pad, step = max(4, round(10 * unit)), max(14, round(34 * unit))
    strip = np.full((len(lines) * step + pad, width, 3), _DARK, np.uint8)
    for n, words in enumerate(lines):
        size = 0.9 * unit if n == 0 else 0.7 * unit
        wide = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, size, 1)[0][0]
        size *= min(1.0, (width - 2 * pad) / max(1, wide))
        ink = colour if n == 0 else _LIGHT
        at = (pad, (n + 1) * step - round(0.25 * step) + pad // 2)
        cv2.putText(strip, words, at, cv2.FONT_HERSHEY_SIMPLEX, size, ink, max(1, round(1.5 * size)), cv2.LINE_AA)
    return strip
