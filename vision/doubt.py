"""Reasons to ask: what in the picture could be a die, or hide one, and is not explained.

Room: vision. Knows the faces found and the pixels; never changes a value. Positions are those of the picture searched.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.faces import Face
from vision.pips import Pips


@dataclass(frozen=True, slots=True)
class Doubt:
    """A reason code with its place; `weak` ones are notices when every die is certain."""

    code: str
    x: float | None = None
    y: float | None = None


def lost_pips(pips: Pips, faces: list[Face]) -> list[Doubt]:
    """Pips like those of the dice found, on a body like theirs, that no die explains."""
    if not faces or not len(pips):
        return []
    values = np.linalg.eigvalsh(pips.shape)
    usual = float(np.median([f.aspect for f in faces]))
    free = (pips.round >= 0.9) & (values[:, 0] / values[:, 1] > 0.75 * usual)
    for face in faces:
        gap = np.hypot(pips.x - face.x, pips.y - face.y)
        free &= gap > 1.2 * max(face.size_px, face.edge_px)
    like = np.zeros(len(pips), bool)
    for face in faces:
        same = (pips.r > 0.65 * face.pip_px) & (pips.r < 1.5 * face.pip_px) & (pips.step > 0.5 * face.step)
        same &= np.linalg.norm(pips.outer - face.body, axis=1) < 0.35 * face.step
        same &= np.linalg.norm(pips.inner - face.ink, axis=1) < 0.6 * face.step
        like |= same
    return [Doubt("disagree", float(pips.x[n]), float(pips.y[n])) for n in np.nonzero(free & like)[0]]


def crowded(faces: list[Face]) -> list[Doubt]:
    """Tops nearer to each other than two dice can lie."""
    doubts = []
    for i, a in enumerate(faces):
        for b in faces[:i]:
            if np.hypot(a.x - b.x, a.y - b.y) < 0.85 * (a.size_px + b.size_px) / 2:
                doubts.append(Doubt("disagree", (a.x + b.x) / 2, (a.y + b.y) / 2))
    return doubts


def cut_off(size: tuple[int, int], faces: list[Face]) -> list[Doubt]:
    """Tops that the border of the picture cuts where they could hold a pip."""
    height, width = size
    doubts = []
    for face in faces:
        holds = face.corners(1.15)
        if holds.min() < 0 or holds[:, 0].max() > width - 1 or holds[:, 1].max() > height - 1:
            doubts.append(Doubt("edge", float(np.clip(face.x, 0, width - 1)), float(np.clip(face.y, 0, height - 1))))
    return doubts


def lost_bodies(image: npt.NDArray[np.uint8], faces: list[Face]) -> list[Doubt]:
    """Patches of the dice's own colour, as large as a die, where no die was read.

    A die whose pips drown in glare, or one that leans, still shows its body. Backgrounds of the same colour are larger
    than any die and are passed over.
    """
    if not faces:
        return []
    smallest = min(f.size_px for f in faces)
    shrink = max(1.0, smallest / 16)
    height, width = image.shape[:2]
    small = cv2.resize(
        image, (max(1, round(width / shrink)), max(1, round(height / shrink))), interpolation=cv2.INTER_AREA
    )  # fmt: skip
    small_f = small.astype(np.float32)
    explained = np.zeros(small.shape[:2], np.uint8)
    for face in faces:
        at = (round(face.x / shrink), round(face.y / shrink))
        cv2.circle(explained, at, max(1, round(1.15 * max(face.size_px, face.edge_px) / shrink)), 255, -1)
    contrast = 0.6 * float(np.median([_contrast(small_f, f, shrink) for f in faces]))
    doubts: list[Doubt] = []
    seen = np.zeros(small.shape[:2], np.uint8)
    for face in faces:
        size = face.size_px / shrink
        tolerance = min(0.2 * face.step, 30.0)
        alike = (np.linalg.norm(small_f - face.body, axis=2) < tolerance).astype(np.uint8) * 255
        whole = cv2.morphologyEx(alike, cv2.MORPH_CLOSE, _disc(0.2 * size))
        # What belongs to the background hangs together over more than dice do.
        count, labels, stats, _ = cv2.connectedComponentsWithStats(whole)
        large = np.zeros(count, bool)
        for n in range(1, count):
            box = max(stats[n, cv2.CC_STAT_WIDTH], stats[n, cv2.CC_STAT_HEIGHT])
            dice_in = sum(1 for f in faces if labels[_at(labels, f.y / shrink, f.x / shrink)] == n)
            large[n] = stats[n, cv2.CC_STAT_AREA] > (2.5 + 2.5 * dice_in) * size * size or box > (3 + 3 * dice_in) * size
        kept = np.where((labels > 0) & ~large[labels] & (explained == 0), 255, 0).astype(np.uint8)
        opened = cv2.morphologyEx(kept, cv2.MORPH_OPEN, _disc(0.34 * size))
        count, labels, stats, centres = cv2.connectedComponentsWithStats(opened)
        for n in range(1, count):
            area = stats[n, cv2.CC_STAT_AREA]
            x, y = centres[n]
            if area < 0.3 * size * size or seen[int(y), int(x)]:
                continue
            # A die stands out as those found do; a brighter streak of the table shades off.
            body = (labels == n).astype(np.uint8)
            ring = cv2.dilate(body, _disc(0.35 * size)) - cv2.dilate(body, _disc(0.15 * size))
            ring[explained > 0] = 0
            if ring.any() and np.linalg.norm(
                np.median(small_f[ring > 0], axis=0) - np.median(small_f[body > 0], axis=0)
            ) > contrast:  # fmt: skip
                cv2.circle(seen, (round(x), round(y)), max(1, round(size)), 255, -1)
                doubts.append(Doubt("disagree", float((x + 0.5) * shrink - 0.5), float((y + 0.5) * shrink - 0.5)))
    return doubts


def _contrast(image: npt.NDArray[np.float32], face: Face, shrink: float) -> float:
    """How much a die found differs from what lies round it, in grey levels."""
    angle = np.arange(16) * (np.pi / 8)
    around = np.stack([np.cos(angle), np.sin(angle)], 1) * 1.75 * face.reach @ face.frame.T
    x = np.clip((face.x + around[:, 0]) / shrink, 0, image.shape[1] - 1).astype(int)
    y = np.clip((face.y + around[:, 1]) / shrink, 0, image.shape[0] - 1).astype(int)
    return float(np.median(np.linalg.norm(image[y, x] - face.body, axis=1)))


def _disc(radius: float) -> npt.NDArray[np.uint8]:
    side = 2 * max(1, round(radius)) + 1
    return cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))  # type: ignore[return-value]


def _at(grid: npt.NDArray[np.generic], row: float, column: float) -> tuple[int, int]:
    return (int(np.clip(row, 0, grid.shape[0] - 1)), int(np.clip(column, 0, grid.shape[1] - 1)))
