"""Reasons to ask: what in the picture could be a die, or hide one, and is not explained.

Room: vision. Knows the faces found and the pixels; never changes a value. Positions are those of the picture searched.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.bodies import likeness
from vision.crops import face_crop
from vision.faces import Face, leans_of
from vision.middle import median_of
from vision.pips import Pips
from vision.pyramid import Sizes, shrunk
from vision.witness import NO_FACE, classify

_A_BODY = 0.5
"""How like a die a place must be, to the network, to be taken for one."""

_ROUND, _FLAT = 0.85, 0.5
"""How round a lost pip must be, and how its axes' ratio must compare with that of the dice's pips."""

_WIDER, _FURTHER, _BESIDE = 1.1, 1.15, 0.12
"""A die reaches so much wider than its top, so much further than its bottom's middle, and so many edges more."""


_SCATTERED = 0.15
"""What covers less than this part of a top, all together, closes to no patch as large as a die."""

_DOT, _DOT_ROUND = 0.5, 0.9
"""A pip in what looks like a pip is so much smaller, and so round."""

_TURNED, _TURNED_PX, _SIDE_BY_SIDE = 0.2, 0.5, 0.625
"""Tilts (`Face.lean`) that differ by more than the first, and the second over a pip's radius in pixels, are not those
of two tops side by side, whose middles are nearer than the third of their edges' sum. In made and path-traced pictures
right ones differ by 0.2 at most, at pips of 2 to 5 pixels."""

_ASLANT, _SEEN_PX, _ALIKE_TILT = 0.8, 6.0, 0.15
"""Of a top that is flatter than the first, with pips of more than the second, a pip whose tilt differs by less than the
third lies on no side: it is on the top itself, or on one that touches it."""

_ROUNDER, _ROUND_FOR_SURE, _BESIDE_A_FACE = 0.1, 0.9, 1.25
"""A pip is rounder than those of a face if its axes' ratio is larger by the first. It lies on the same die if it is no
further than the third, in edges of the face as it is seen: in edges of the die that is about one, and the middles of
two faces of a die are 0.7 apart."""

_NOT_SURE, _NOTHING = 0.5, 0.95
"""A block is no face for sure if the witness gives more than the second, and may be one if it gives less than the
first. Of path-traced coins none looks like a body to 0.1, a blank face does to 0.8."""


@dataclass(frozen=True, slots=True, eq=False)
class Doubt:
    """A reason code with its place, and the corners of what is doubted where they are known."""

    code: str
    x: float | None = None
    y: float | None = None
    corners: npt.NDArray[np.float32] | None = None


def lost_pips(image: npt.NDArray[np.uint8], pips: Pips, faces: list[Face]) -> list[Doubt]:
    """Pips like those of the dice found, on a body like theirs, that no die explains: those of a die that was not read,
    or leans against one that was. A die explains what lies on its top and on its sides, which reach to where its bottom
    is; where that is not known, all that lies near."""
    if not faces or not len(pips):
        return []
    aspect = pips.aspect() / median_of(f.aspect for f in faces)
    x, y = (np.array([getattr(f, name) for f in faces], np.float32)[:, None] for name in ("x", "y"))
    reach = np.array([1.2 * max(f.size_px, f.edge_px) for f in faces], np.float32)[:, None]
    near = ((pips.x - x) ** 2 + (pips.y - y) ** 2 < reach**2).any(0)
    known = all(face.drop is not None for face in faces)
    free = ~near & (pips.round >= 0.9) & (aspect > 0.75)
    if known:
        # Pips beside a die are seen from the side where they belong to one that leans against it.
        free |= (pips.round >= _ROUND) & (aspect > _FLAT)
        free &= ~on_tops(pips, faces)
    if not free.any():
        return []
    step, pip_px = (np.array([getattr(f, name) for f in faces], np.float32)[:, None] for name in ("step", "pip_px"))
    body, ink = (np.stack([getattr(f, name) for f in faces])[:, None] for name in ("body", "ink"))
    # Faces x pips: like the pips of which die.
    same = free & (pips.r > 0.65 * pip_px) & (pips.r < 1.5 * pip_px) & (pips.step > 0.5 * step)
    same &= ((pips.outer - body) ** 2).sum(2) < (0.35 * step) ** 2
    same &= ((pips.inner - ink) ** 2).sum(2) < (0.6 * step) ** 2
    one, pip = np.nonzero(same)
    lies = np.zeros(len(pips), bool)
    lies[pip[_on_bodies(image, pips.x[pip], pips.y[pip], [faces[n] for n in one])]] = True
    those = np.nonzero(lies)[0].tolist()
    if known and those:
        leans = leans_of(pips.shape[those])
        those = [
            n for n, lean in zip(those, leans, strict=True)
            if not any(_explains(face, (float(pips.x[n]), float(pips.y[n])), lean) for face in faces)
        ]  # fmt: skip
    return [Doubt("disagree", float(pips.x[n]), float(pips.y[n])) for n in those]


def on_tops(pips: Pips, faces: list[Face], wider: float = _WIDER) -> npt.NDArray[np.bool_]:
    """Which pips lie on one of the tops, or within as much of it as `wider` says?"""
    if not faces:
        return np.zeros(len(pips), bool)
    inverse = np.linalg.inv(np.stack([f.frame for f in faces]))
    away = np.stack([pips.x, pips.y]) - np.array([(f.x, f.y) for f in faces], np.float32)[:, :, None]
    reach = np.array([wider * f.reach for f in faces], np.float32)[:, None]
    return np.asarray((np.abs(inverse @ away).max(1) <= reach).any(0), bool)


def _explains(face: Face, at: tuple[float, float], lean: tuple[float, float]) -> bool:
    """Does a pip lie on one of a die's sides: on its body, and tilted another way than its top?"""
    turned = math.hypot(lean[0] - face.lean[0], lean[1] - face.lean[1])
    if face.aspect < _ASLANT and face.pip_px > _SEEN_PX and turned < _ALIKE_TILT:
        return False
    top = face.corners(_WIDER * face.reach)
    drop = np.zeros(2, np.float32) if face.drop is None else face.drop
    whole = cv2.convexHull(np.concatenate([top, top + _FURTHER * drop]).astype(np.float32))
    return cv2.pointPolygonTest(whole, at, True) > -_BESIDE * face.size_px


_ANGLES = np.arange(16) * np.pi / 8
_AROUND = np.concatenate([np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], 1) * r for r in (0.25, 0.37, 0.48)])


def _on_bodies(
    image: npt.NDArray[np.uint8], x: npt.NDArray[np.floating], y: npt.NDArray[np.floating], faces: list[Face]
) -> npt.NDArray[np.bool_]:
    """Is most of what lies round a pip, within half an edge of a face, of that body's colour? One pip and one face
    each."""
    if not faces:
        return np.zeros(0, bool)
    size, step = np.array([(f.size_px, f.step) for f in faces], np.float32).T[:, :, None]
    column = np.clip(x[:, None] + _AROUND[:, 0] * size, 0, image.shape[1] - 1).astype(np.intp)
    row = np.clip(y[:, None] + _AROUND[:, 1] * size, 0, image.shape[0] - 1).astype(np.intp)
    off = image[row, column].astype(np.float32) - np.stack([f.body for f in faces])[:, None]
    alike = np.einsum("nkc,nkc->nk", off, off) < (0.4 * step) ** 2
    return np.asarray(alike.mean(1) > 0.55, bool)


def dotted(pips: Pips, faces: list[Face]) -> list[Doubt]:
    """Faces all of whose pips hold a smaller pip, more distinct than themselves and of the other polarity: small dice
    that lie like the pips of a large one."""
    round_ones = np.nonzero(pips.round >= _DOT_ROUND)[0]
    if not faces or not len(round_ones):
        return []
    own, dot = np.array([n for face in faces for n in face.pips])[:, None], round_ones[None]
    step = np.array([face.step for face in faces for _ in face.pips])[:, None]
    dots = (pips.x[dot] - pips.x[own]) ** 2 + (pips.y[dot] - pips.y[own]) ** 2 < pips.r[own] ** 2
    dots &= (pips.r[dot] < _DOT * pips.r[own]) & ((pips.bright[dot] > 0.5) != (pips.bright[own] > 0.5))
    dotted_pips = (dots & (pips.step[dot] > step)).any(1)
    first = np.cumsum([0] + [len(face.pips) for face in faces[:-1]])
    whole = np.logical_and.reduceat(dotted_pips, first).tolist()
    return [Doubt("disagree", face.x, face.y) for face, is_dotted in zip(faces, whole, strict=True) if is_dotted]


def crowded(faces: list[Face]) -> list[Doubt]:
    """Tops nearer to each other than two dice can lie; and those side by side that are tilted another way each, as two
    faces of one die are."""
    doubts = []
    for i, a in enumerate(faces):
        for b in faces[:i]:
            gap = math.hypot(a.x - b.x, a.y - b.y)
            turned = math.hypot(a.lean[0] - b.lean[0], a.lean[1] - b.lean[1])
            of_one_die = turned > _TURNED + _TURNED_PX / min(a.pip_px, b.pip_px)
            if gap < 0.89 * (a.size_px + b.size_px) / 2 or (
                of_one_die and gap < _SIDE_BY_SIDE * (a.edge_px + b.edge_px)
            ):
                doubts.append(Doubt("disagree", (a.x + b.x) / 2, (a.y + b.y) / 2))
    return doubts


def sideways(pips: Pips, faces: list[Face]) -> list[Doubt]:
    """Pips beside a face, like its own but rounder: what they lie on is seen more from above, so it is the top of the
    die, and the face is one of its sides."""
    # Nothing is much rounder than the top of a die that is seen from above.
    aslant = [face for face in faces if face.aspect < 1 - _ROUNDER]
    if not aslant:
        return []
    aspect, tops = pips.aspect(), on_tops(pips, faces)
    doubts = []
    for face in aslant:
        reach = _BESIDE_A_FACE * max(face.size_px, face.edge_px)
        like = ~tops & ((pips.x - face.x) ** 2 + (pips.y - face.y) ** 2 < reach**2)
        like &= (pips.round >= _ROUND_FOR_SURE) & (aspect > face.aspect + _ROUNDER) & (pips.step > 0.5 * face.step)
        like &= (pips.r > 0.65 * face.pip_px) & (pips.r < 1.75 * face.pip_px)
        like &= ((pips.inner - face.ink) ** 2).sum(1) < (0.6 * face.step) ** 2
        doubts += [Doubt("disagree", float(pips.x[n]), float(pips.y[n])) for n in np.nonzero(like)[0]]
    return doubts


def cut_off(size: tuple[int, int], faces: list[Face]) -> list[Doubt]:
    """Tops that the border of the picture cuts where they could hold a pip."""
    height, width = size
    doubts = []
    for face in faces:
        (a, b), (c, d) = face.frame.tolist()
        across, down = 1.15 * (abs(a) + abs(b)), 1.15 * (abs(c) + abs(d))
        if not (across <= face.x <= width - 1 - across and down <= face.y <= height - 1 - down):
            doubts.append(Doubt("edge", float(np.clip(face.x, 0, width - 1)), float(np.clip(face.y, 0, height - 1))))
    return doubts


def lost_bodies(image: npt.NDArray[np.uint8] | Sizes, faces: list[Face]) -> list[Doubt]:
    """Things as large as a die, and as distinct, where no die was read.

    Two looks: patches of the dice's own colour, and whatever stands out from the ground as the dice do. A die whose
    pips drown in glare, or one that leans, shows in one of them. Backgrounds of the same colour are larger than any
    die, coins are round, streaks are thin: they are passed over.
    """
    if not faces:
        return []
    shrink = max(1.0, min(f.size_px for f in faces) / 16)
    height, width = image.shape[:2]
    small = shrunk(image, max(1, round(width / shrink)), max(1, round(height / shrink)))
    view = _View(small.astype(np.float32), shrink, faces)
    size = median_of(f.size_px for f in faces) / shrink
    # The ground is smooth, so its median is taken on a quarter of the size.
    tiny = cv2.resize(small, (max(1, small.shape[1] // 4), max(1, small.shape[0] // 4)), interpolation=cv2.INTER_AREA)
    tiny = cv2.medianBlur(tiny, min(2 * int(0.45 * size) + 1, 255))
    ground = cv2.resize(tiny, (small.shape[1], small.shape[0]), interpolation=cv2.INTER_LINEAR).astype(np.float32)
    out = _nearer(view.colours, ground, max(14.0, 0.75 * view.contrast))
    blocks = view.unexplained(_filled(255 - out, size), size)
    doubts = [block for block in blocks if _may_be_a_face(Sizes.of(image).image, block, faces)]
    for face in _looks(faces):
        tolerance = min(0.2 * face.step, 30.0)
        alike = view.nearer(face.body, tolerance)
        if view.leaves(alike, face.size_px / shrink):
            doubts += view.unexplained(view.without_ground(alike, face), face.size_px / shrink)
    return doubts


def _looks(faces: list[Face]) -> list[Face]:
    """One face of each colour and size among these: what is like one is like the others."""
    kept: list[Face] = []
    for face in faces:
        if not any(
            np.linalg.norm(face.body - o.body) < 0.05 * face.step and 0.8 < face.size_px / o.size_px < 1.25
            for o in kept
        ):
            kept.append(face)
    return kept


class _View:
    """A reduced picture with the dice found in it."""

    def __init__(self, colours: npt.NDArray[np.float32], shrink: float, faces: list[Face]) -> None:
        self.colours, self.shrink, self.faces = colours, shrink, faces
        self.explained = np.zeros(colours.shape[:2], np.uint8)
        for face in faces:
            square = ((face.corners(1.3 * face.reach) + 0.5) / shrink - 0.5).round().astype(np.int32)
            cv2.fillConvexPoly(self.explained, square, 255)
            # Sides are seen beside a top, the more of them the more aslant the view is.
            at = (round(face.x / shrink), round(face.y / shrink))
            reach = (0.95 + 1.5 * float(np.hypot(*face.lean))) * max(face.size_px, face.edge_px) / shrink
            cv2.circle(self.explained, at, max(1, round(reach)), 255, -1)
        self.free = cv2.bitwise_not(self.explained)
        self._squares = cv2.transform(colours * colours, np.ones((1, 3), np.float32))
        self.contrast = 0.6 * median_of(_contrasts(colours, faces, shrink))
        self.seen = np.zeros(colours.shape[:2], np.uint8)

    def nearer(self, colour: npt.NDArray[np.float32], limit: float) -> npt.NDArray[np.uint8]:
        """255 where the picture is nearer than `limit` to a colour, else 0."""
        # |a - b|^2 = |a|^2 - 2 a b + |b|^2: what is the same for all colours is made once.
        rest = np.append(-2.0 * colour, colour @ colour).reshape(1, 4).astype(np.float32)
        squared = cv2.add(self._squares, cv2.transform(self.colours, rest))
        return np.asarray(cv2.compare(squared, limit * limit, cv2.CMP_LT), np.uint8)  # type: ignore[call-overload]

    def leaves(self, mask: npt.NDArray[np.uint8], size: float) -> bool:
        """Does a mask hold enough, away from the dice found, for a patch of about a die's size?"""
        return cv2.countNonZero(cv2.bitwise_and(mask, self.free)) > _SCATTERED * size * size

    def without_ground(self, alike: npt.NDArray[np.uint8], face: Face) -> npt.NDArray[np.uint8]:
        """`alike` less what hangs together over more than the dice in it do."""
        size = face.size_px / self.shrink
        whole = cv2.morphologyEx(alike, cv2.MORPH_CLOSE, _disc(0.2 * size))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(whole)
        row, column = np.array([_at(labels, f.y / self.shrink, f.x / self.shrink) for f in self.faces]).T
        inside = np.bincount(labels[row, column], minlength=count)
        box = np.maximum(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT])
        large = (stats[:, cv2.CC_STAT_AREA] > (2.5 + 2.5 * inside) * size * size) | (box > (3 + 3 * inside) * size)
        return np.where((labels > 0) & ~large[labels], 255, 0).astype(np.uint8)

    def unexplained(self, mask: npt.NDArray[np.uint8], size: float) -> list[Doubt]:
        """Compact patches of about a die's size in `mask`, away from the dice found and the border."""
        if not self.leaves(mask, size):
            return []
        whole = cv2.bitwise_and(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _disc(0.12 * size)), self.free)
        opened = cv2.morphologyEx(whole, cv2.MORPH_OPEN, _disc(0.32 * size))
        if not self.leaves(np.asarray(opened, np.uint8), size):
            return []
        count, labels, stats, centres = cv2.connectedComponentsWithStats(opened)
        height, width = mask.shape
        doubts = []
        for n in range(1, count):
            left, top, w, h, area = (int(v) for v in stats[n])
            x, y = centres[n]
            if not 0.4 * size * size < area < 2.6 * size * size:
                continue
            if left == 0 or top == 0 or left + w == width or top + h == height or self.seen[int(y), int(x)]:
                continue
            # As much round it as is looked at below; whole pictures for every patch take seconds where there are many.
            margin = round(0.35 * size) + 2
            first, above = max(0, left - margin), max(0, top - margin)
            part = np.s_[above : top + h + margin, first : left + w + margin]
            body = (labels[part] == n).astype(np.uint8)
            points = (np.argwhere(body)[:, ::-1] + [first, above]).astype(np.float32)
            if not _is_blocky(points):
                continue
            # A die stands out all round as those found do; a brighter streak of the table shades off.
            ring = cv2.dilate(body, _disc(0.35 * size)) - cv2.dilate(body, _disc(0.15 * size))
            ring[self.explained[part] > 0] = 0
            if not ring.any():
                continue
            colours = self.colours[part]
            step = np.median(colours[ring > 0], axis=0) - np.median(colours[body > 0], axis=0)
            if np.linalg.norm(step) > self.contrast:
                cv2.circle(self.seen, (round(x), round(y)), max(1, round(size)), 255, -1)
                corners = (_box(points) + 0.5) * self.shrink - 0.5
                px, py = corners.mean(0)
                doubts.append(Doubt("disagree", float(px), float(py), corners.astype(np.float32)))
        return doubts


def _may_be_a_face(image: npt.NDArray[np.uint8], doubt: Doubt, faces: list[Face]) -> bool:
    """Does the witness hold a block that stands out for a face, of whatever value?"""
    if doubt.corners is None:
        return True
    block = doubt.corners
    middle = block.mean(0)
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    # The block was opened and reduced: its size is known to some ten per cent only.
    crops = np.stack([face_crop(grey, (block - middle) * k + middle) for k in (0.9, 1.0, 1.1, 1.22)])
    nothing = float(classify(crops)[:, NO_FACE].min())
    if _NOT_SURE < nothing < _NOTHING:
        # A blank face is none, as the witness sees it: a die whose pips drown in light. Then its body tells.
        size = median_of(f.size_px for f in faces)
        return likeness(image, [(float(middle[0]), float(middle[1]))], size)[0] > _A_BODY
    return nothing <= _NOT_SURE


def _filled(mask: npt.NDArray[np.uint8], size: float) -> npt.NDArray[np.uint8]:
    """`mask` with its holes closed that a top could be: a glossy top in which the light hides the pips can be just as
    bright as the table, and only its rounded edges and sides stand out."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.bitwise_not(mask), connectivity=4)
    left, top, width, height, area = stats[:count].T
    hole = (area < size * size) & (left > 0) & (top > 0) & (left + width < mask.shape[1])
    hole &= top + height < mask.shape[0]
    hole[0] = False
    if not hole.any():
        return mask
    return np.where(hole[labels], np.uint8(255), mask)


def _box(points: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The corners of the smallest box round some points, 4 x 2 in whole 16ths: going round from the upper left one,
    which each version of OpenCV chooses in its own way."""
    corners = np.round(cv2.boxPoints(cv2.minAreaRect(points)) * 16) / 16
    away = corners - corners.mean(0)
    corners = corners[np.argsort(np.arctan2(away[:, 1], away[:, 0]))]
    first = int((corners @ [1.0, 1.3]).argmin())
    return np.roll(corners, -first, axis=0).astype(np.float32)


def _is_blocky(points: npt.NDArray[np.float32]) -> bool:
    """Are these pixels, n x 2, square enough for a die: not long, not a wedge, and not a coin, which fills its
    enclosing circle?"""
    area = float(len(points))
    _, (long, short), _ = cv2.minAreaRect(points)
    long, short = max(long, short) + 1, min(long, short) + 1
    _, radius = cv2.minEnclosingCircle(points)
    return long < 1.5 * short and area > 0.76 * long * short and area < 0.86 * np.pi * (radius + 0.4) ** 2


_ROUND_A_DIE = 1.75 * np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], 1)


def _contrasts(image: npt.NDArray[np.float32], faces: list[Face], shrink: float) -> list[float]:
    """How much each die found differs from what lies round it, in grey levels."""
    around = _ROUND_A_DIE @ np.stack([f.reach * f.frame for f in faces]).transpose(0, 2, 1)
    x, y, body = (np.array([getattr(f, name) for f in faces])[:, None] for name in ("x", "y", "body"))
    column = np.clip((x + around[:, :, 0]) / shrink, 0, image.shape[1] - 1).astype(np.intp)
    row = np.clip((y + around[:, :, 1]) / shrink, 0, image.shape[0] - 1).astype(np.intp)
    off = image[row, column] - body
    away = np.sort(np.sqrt((off * off).sum(2)), axis=1)
    half = away.shape[1] // 2
    return ((away[:, half - 1] + away[:, half]) / 2).tolist()  # type: ignore[no-any-return]


def _nearer(colours: npt.NDArray[np.float32], other: npt.NDArray[np.float32], limit: float) -> npt.NDArray[np.uint8]:
    """255 where a picture's colours are nearer than `limit` to others (a picture, or one colour), else 0."""
    off = colours - other
    # A sum over three channels is what numpy does slowly.
    squared = cv2.transform(off * off, np.ones((1, 3), np.float32))
    return np.where(squared < limit * limit, np.uint8(255), np.uint8(0))


def _disc(radius: float) -> npt.NDArray[np.uint8]:
    side = 2 * max(1, round(radius)) + 1
    return cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))  # type: ignore[return-value]


def _at(grid: npt.NDArray[np.generic], row: float, column: float) -> tuple[int, int]:
    return (int(np.clip(row, 0, grid.shape[0] - 1)), int(np.clip(column, 0, grid.shape[1] - 1)))
