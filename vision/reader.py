"""Read the dice in one picture: pips, lattices, outlines, and honest doubt.

Room: vision. Frame in, reading out; knows no game and no clock but the one that times its own work.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from vision.doubt import Doubt, crowded, cut_off, lost_bodies, lost_pips
from vision.faces import Face, find_faces
from vision.ones import find_ones
from vision.outline import find_outline
from vision.pips import Pips, find_pips, pyramid
from vision.types import Die, Image, Reading, Reason, Status, Tray

WORK_PX = 1280
"""The longer side of the picture that is searched; larger ones are reduced, smaller ones than half of it doubled."""


@dataclass(slots=True)
class Scene:
    """Everything known about one picture while it is read; for tests and drawings."""

    work: npt.NDArray[np.uint8]
    zoom: float
    pips: Pips
    faces: list[Face] = field(default_factory=list)
    rivals: list[Face] = field(default_factory=list)
    reasons: list[Reason] = field(default_factory=list)
    notices: list[Reason] = field(default_factory=list)


def read(image: Image, tray: Tray) -> Reading:
    """Read one picture: BGR `uint8`, height x width x 3. See `Reading` for what comes back.

    Raises `ValueError` for anything that is not such a picture.
    """
    started = time.perf_counter()
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise ValueError("CAM-10 a picture must be BGR uint8, height x width x 3: convert it first")
    scene = survey(image, tray)
    dice = tuple(_die(f, scene.zoom) for f in sorted(scene.faces, key=lambda f: (f.y, f.x)))
    reasons = list(scene.reasons)
    if tray.dice is not None and len(dice) != tray.dice and (dice or reasons or tray.dice):
        reasons.append(Reason("count"))
    if reasons:
        status = Status.UNSURE
    elif dice:
        status = Status.READ
    else:
        status = Status.EMPTY
    ms = (time.perf_counter() - started) * 1000
    return Reading(status, dice, tuple(reasons + scene.notices), ms)


def _die(face: Face, zoom: float) -> Die:
    corners = tuple((round(float(x), 1), round(float(y), 1)) for x, y in _out(face.corners(), zoom))
    (x, y), *_ = _out(np.array([[face.x, face.y]], np.float32), zoom)
    confidence = float(np.clip(face.score / face.value, 0, 1))
    return Die(face.value, round(confidence, 3), round(float(x), 1), round(float(y), 1), corners)  # type: ignore[arg-type]


def _out(points: npt.NDArray[np.float32], zoom: float) -> npt.NDArray[np.float32]:
    """From pixels of the searched picture to those of the picture as given."""
    return (points + 0.5) / zoom - 0.5


def survey(image: Image, tray: Tray) -> Scene:
    """All of the reading but its verdict."""
    work, zoom = _work(image)
    if min(work.shape[:2]) < 24:
        return Scene(work, zoom, find_pips([]))
    levels = pyramid(work)
    pips = find_pips(levels)
    scene = Scene(work, zoom, pips)
    known_px = tray.die_px * zoom if tray.die_px else None
    faces = [f for f in find_faces(work, pips) if f.score > 0.2][:160]
    _outlines(work, faces)
    if known_px:
        faces = [f for f in faces if 0.7 < f.size_px / known_px < 1.4]
    chosen, rivals = _choose(faces)
    scale = _scale(chosen) if known_px is None else known_px
    chosen, rivals = _ones(scene, chosen, rivals, scale, known_px is not None)
    chosen, sides = _drop_sides(chosen)
    flat, leaning = _by_tilt(chosen)
    chosen = flat
    rivals += leaning
    scene.faces, scene.rivals = chosen, rivals
    _doubts(scene)
    return scene


def _work(image: Image) -> tuple[npt.NDArray[np.uint8], float]:
    height, width = image.shape[:2]
    side = max(height, width)
    zoom = 1.0
    if side > WORK_PX:
        zoom = WORK_PX / side
    elif side < 0.55 * WORK_PX:
        zoom = 2.0
    if zoom == 1.0:
        return image, zoom
    size = (max(1, round(width * zoom)), max(1, round(height * zoom)))
    how = cv2.INTER_AREA if zoom < 1 else cv2.INTER_CUBIC
    return cv2.resize(image, size, interpolation=how), zoom  # type: ignore[return-value]


def _outlines(work: npt.NDArray[np.uint8], faces: list[Face]) -> None:
    if not faces:
        return
    n = len(faces)
    centre = np.array([[f.x, f.y] for f in faces], np.float32)
    frame = np.stack([f.frame for f in faces])
    outline = find_outline(work, centre, frame, np.full(n, 1.25, np.float32), np.full(n, 2.9, np.float32))
    for i, face in enumerate(faces):
        face.reach = float(outline.reach[i])
        face.sides = outline.sides[i]


def edges(face: Face) -> float:
    """How well a face is bounded: 0 none, 1 its three best sides have a clear edge."""
    return float(np.minimum(np.sort(face.sides)[1:], 40).sum() / 120)


def quality(face: Face) -> float:
    """How well the pips fit, a pip; true faces lie over 0.6."""
    return face.score / face.value


def _overlap(a: Face, b: Face, share: float = 0.75) -> bool:
    gap = np.hypot(a.x - b.x, a.y - b.y)
    return bool(gap < share * (a.size_px + b.size_px) / 2)


def _certain(face: Face) -> bool:
    q, e = quality(face), edges(face)
    if face.value >= 4:
        return q > 0.55 and e > 0.25 and face.fit < 0.25
    if face.value == 3:
        return q > 0.58 and e > 0.35
    return q > 0.5 and e > 0.45


def _possible(face: Face) -> bool:
    return quality(face) > 0.42 and edges(face) > 0.4


def _choose(faces: list[Face]) -> tuple[list[Face], list[Face]]:
    """The faces that together explain most without overlapping; and rivals that may be dice but aren't certain."""
    good: list[Face] = []
    maybe: list[Face] = []
    for face in sorted(faces, key=lambda f: -(f.score + edges(f))):
        if any(o.value == face.value and _overlap(face, o, 0.25) for o in good):
            continue
        if _certain(face):
            good.append(face)
        elif _possible(face):
            maybe.append(face)
    chosen = _best_together(good[:60])
    chosen = _of_one_scale(chosen)
    _agree_on_reach(chosen)
    chosen, _ = _drop_sides(chosen)
    rivals = [r for r in maybe if not any(_overlap(r, c, 1.1) for c in chosen)]
    return chosen, rivals


def _of_one_scale(faces: list[Face]) -> list[Face]:
    """Dice in one picture differ in size by a factor of two at most; lattices of whole dice or of specks by more."""
    if not faces:
        return faces
    weight = np.array([max(0.05, f.score - 1.0) for f in faces])
    size = np.log([f.size_px for f in faces])
    order = np.argsort(size)
    middle = size[order][np.searchsorted(np.cumsum(weight[order]), weight.sum() / 2)]
    return [f for f, s in zip(faces, size, strict=True) if abs(s - middle) < np.log(2.1)]


def _best_together(faces: list[Face]) -> list[Face]:
    """The set of faces without overlaps whose scores add up to most."""
    n = len(faces)
    clash = [[i != j and _clash(faces[i], faces[j]) for j in range(n)] for i in range(n)]
    left = set(range(n))
    chosen: list[int] = []
    while left:
        group, edge = set(), [min(left)]
        while edge:
            i = edge.pop()
            if i not in group:
                group.add(i)
                edge += [j for j in left if clash[i][j]]
        left -= group
        chosen += _heaviest(sorted(group)[:14], clash, [f.score + 0.5 * edges(f) - 0.9 for f in faces])[1]
    return [faces[i] for i in sorted(chosen)]


def _heaviest(group: list[int], clash: list[list[bool]], weight: list[float]) -> tuple[float, list[int]]:
    if not group:
        return 0.0, []
    first, rest = group[0], group[1:]
    apart = [j for j in rest if not clash[first][j]]
    with_first = _heaviest(apart, clash, weight)
    taken = (with_first[0] + weight[first], [first, *with_first[1]])
    if len(apart) == len(rest):
        return taken
    without = _heaviest(rest, clash, weight)
    return taken if taken[0] >= without[0] else without


def _clash(a: Face, b: Face) -> bool:
    return _overlap(a, b) or bool(set(a.pips) & set(b.pips))


def _agree_on_reach(faces: list[Face]) -> None:
    """Dice of one kind have one ratio of edge to pip pitch: outliers take the median of their kind."""
    for face in faces:
        kin = [
            o.reach for o in faces
            if abs(np.log(o.unit_px / face.unit_px)) < 0.2 and np.linalg.norm(o.body - face.body) < 0.5 * face.step + 15
        ]  # fmt: skip
        middle = float(np.median(kin))
        if len(kin) >= 3 and abs(face.reach / middle - 1) > 0.12:
            face.reach = middle


def _drop_sides(faces: list[Face]) -> tuple[list[Face], list[Face]]:
    """Tell top faces from side faces of the same die, whose centres are nearer than two tops can be.

    Two dice that touch are an edge apart; a top and a side of one die at most about 0.8 of it. The rounder is the top.
    """
    sides: list[Face] = []
    for face in sorted(faces, key=lambda f: f.aspect):
        for other in faces:
            if other is face or other in sides or other.aspect < face.aspect:
                continue
            gap = float(np.hypot(face.x - other.x, face.y - other.y))
            if not 0.5 < face.edge_px / other.edge_px < 1.4:
                continue
            flatter = other.aspect - face.aspect
            # All tops share one tilt, so the more a face's differs, the less it can be a neighbour's top.
            reach = 0.9 + min(0.35, max(0.0, 1.5 * (flatter - 0.06)))
            if gap < reach * max(face.edge_px, other.edge_px, face.size_px, other.size_px) and (
                flatter > 0.06 or other.size_px > 1.12 * face.size_px
            ):
                sides.append(face)
                break
    return [f for f in faces if f not in sides], sides


def _by_tilt(faces: list[Face]) -> tuple[list[Face], list[Face]]:
    """All tops are seen under about one tilt: what is much flatter than the rest is a side whose top was not read."""
    if not faces:
        return [], []
    usual = float(np.median([f.aspect for f in faces for _ in range(f.value)]))
    flat = [f for f in faces if f.aspect > 0.68 * usual and f.aspect > 0.5]
    return flat, [f for f in faces if f not in flat]


def _scale(faces: list[Face]) -> float | None:
    """Edge of a die in pixels by consensus."""
    if not faces:
        return None
    return float(np.median([f.size_px for f in faces for _ in range(f.value)]))


def _ones(
    scene: Scene, chosen: list[Face], rivals: list[Face], scale: float | None, known: bool
) -> tuple[list[Face], list[Face]]:
    pips = scene.pips
    free = pips.round >= 0.8
    tilt = float(np.median([f.aspect for f in chosen])) if chosen else 0.7
    aspect = np.linalg.eigvalsh(pips.shape)
    free &= aspect[:, 0] / aspect[:, 1] > max(0.5, 0.7 * tilt)
    if scale:
        free &= (pips.r > 0.05 * scale) & (pips.r < 0.24 * scale)
    for face in chosen:
        inverse = np.linalg.inv(face.frame)
        local = np.stack([pips.x - face.x, pips.y - face.y], 1) @ inverse.T
        free &= np.abs(local).max(1) > 1.1 * face.reach
    candidates = np.nonzero(free)[0]
    if len(candidates) > 120:
        worth = pips.round[candidates] * np.minimum(pips.step[candidates], 80)
        candidates = candidates[np.argsort(-worth, kind="stable")[:120]]
    half = None
    if scale:
        half = (0.4 * scale, 0.6 * scale) if known else (0.3 * scale, 0.85 * scale)
    for one in find_ones(scene.work, pips, candidates, half):
        if any(_overlap(one, other, 0.8) for other in chosen):
            continue
        alone = _alone(one, pips)
        if one.score > 0.62 and one.fit < 0.35 and one.rough < 0.5 and alone:
            chosen.append(one)
        elif one.score > 0.45 and one.fit < 0.5:
            rivals.append(one)
    return chosen, rivals


def _alone(one: Face, pips: Pips) -> bool:
    """Is there no other spot like its pip on the face?"""
    pip = one.pips[0]
    inverse = np.linalg.inv(one.frame)
    local = np.stack([pips.x - one.x, pips.y - one.y], 1) @ inverse.T
    like = (np.abs(local).max(1) < 0.9 * one.reach) & (pips.round >= 0.8)
    like &= np.linalg.norm(pips.inner - one.ink, axis=1) < 0.5 * one.step
    like &= (pips.r > 0.6 * one.pip_px) & (pips.r < 1.6 * one.pip_px) & (pips.step > 0.5 * one.step)
    like[pip] = False
    return not like.any()


def _doubts(scene: Scene) -> None:
    faces = scene.faces
    for rival in scene.rivals:
        if not any(_overlap(rival, c, 0.9) for c in faces):
            _say(scene, Doubt("disagree", rival.x, rival.y))
    found = crowded(faces) + cut_off(scene.work.shape[:2], faces) + lost_pips(scene.pips, faces)
    for doubt in found + lost_bodies(scene.work, faces):
        _say(scene, doubt)


def _say(scene: Scene, doubt: Doubt) -> None:
    if doubt.x is None or doubt.y is None:
        scene.reasons.append(Reason(doubt.code))
        return
    px, py = _out(np.array([[doubt.x, doubt.y]], np.float32), scene.zoom)[0]
    scene.reasons.append(Reason(doubt.code, round(float(px), 1), round(float(py), 1)))
