"""What a table learns about itself once: its empty tray, the scale, and the looks of its dice.

Room: vision. Knows no game, no screen and no camera: two pictures in, one file out. A calibration never holds how many
dice there are; only the table says that.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.crops import maps_of, through
from vision.stance import View
from vision.types import Corners, Image

FORMAT = "dicetable-calibration"
VERSION = 1
DEFAULT_SET = "dice"

Point = tuple[float, float]
Colour = tuple[float, float, float]


class CalibrationFault(ValueError):
    """A calibration that can't be learnt, written or used.

    `code` is stable, `words` tell the person at the machine what to do. CAL-01: the file can't be opened. CAL-02: it
    is not a calibration, or damaged. CAL-03: it was made by a newer program. CAL-04: it belongs to another picture
    size. CAL-05: the two pictures can't be learnt from. CAL-06: the file can't be written. CAL-07: the tray's corners
    are not found. CAL-08: there is no such set of dice.
    """

    def __init__(self, code: str, words: str) -> None:
        super().__init__(f"{code}: {words}")
        self.code = code
        self.words = words


@dataclass(frozen=True, slots=True)
class Look:
    """How one die of the calibration throw looks: mean colours (BGR, 0 to 255) of its top face and its pips.

    `pips_dark` is the polarity: True for pips darker than the face.
    """

    face: Colour
    pips: Colour
    pips_dark: bool


@dataclass(frozen=True, slots=True)
class DiceSet:
    """One set of dice: `die_px` as in `Calibration`, and the looks of those that were seen."""

    die_px: float
    looks: tuple[Look, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """What `calibrate` learnt.

    `empty` is the picture of the empty tray (BGR uint8, height x width x 3). `region` is the tray's floor as a polygon
    in pixels of that picture. `die_px` is the length of a top face's edge in pixels. `looks` has one entry a die seen
    in the throw; dice of one set look alike, so its length says nothing about how many are played with. `noise` is
    the standard deviation of a pixel between two pictures of the same tray, in grey levels. `corners` are those of the
    floor, clockwise from the top left, where marks or a person told them. `sets` are further sets of dice by name, and
    `name` is that of the one which `die_px` and `looks` describe. `lock` is the camera's exposure as it was locked, in
    the camera's own words. `score` is how many of how many throws the table then read for sure. `view` is how the
    camera sees dice that lie flat, in the picture as it is read (the flat one, where the tray is seen at a slant), by
    their silhouettes, and `glanced` the same as a glance tells it (`at_a_glance.py`).
    """

    empty: Image
    region: tuple[Point, ...]
    die_px: float
    looks: tuple[Look, ...]
    noise: float = 2.0
    corners: Corners | None = None
    name: str = DEFAULT_SET
    sets: Mapping[str, DiceSet] = field(default_factory=dict)
    lock: Mapping[str, Any] | None = None
    score: tuple[int, int] | None = None
    view: View | None = None
    glanced: View | None = None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture that it was learnt from, in pixels."""
        return self.empty.shape[1], self.empty.shape[0]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all sets of dice, the one in use first."""
        return (self.name, *sorted(self.sets))

    def using(self, name: str) -> Calibration:
        """The same table played with the set of dice called `name`. Raises CalibrationFault (CAL-08)."""
        if name == self.name:
            return self
        if name not in self.sets:
            known = ", ".join(self.names)
            raise CalibrationFault(
                "CAL-08", f"no dice called {name!r} were learnt: choose one of {known}, or learn them"
            )
        dice = self.sets[name]
        others = {key: value for key, value in self.sets.items() if key != name}
        others[self.name] = DiceSet(self.die_px, self.looks)
        return replace(self, name=name, die_px=dice.die_px, looks=dice.looks, sets=others)

    def with_dice(self, name: str, other: Calibration) -> Calibration:
        """The same table with one more set of dice, called `name`, as `other` has learnt them; in use from now on."""
        own = (
            self.using(name)
            if name in self.names
            else replace(self, name=name, sets={**self.sets, self.name: DiceSet(self.die_px, self.looks)})
        )
        return replace(
            own,
            die_px=other.die_px,
            looks=other.looks,
            view=own.view or other.view,
            glanced=own.glanced or other.glanced,
        )

    def keeping_sets(self, before: Calibration) -> Calibration:
        """This one in the place of `before`, whose other sets of dice are kept. Where both know dice of this name, the
        sizes of the others follow theirs: the camera may hang higher now."""
        known = before.using(self.name) if self.name in before.names else None
        scale = self.die_px / known.die_px if known is not None else 1.0
        others = {before.name: DiceSet(before.die_px, before.looks)} | dict(before.sets)
        others.pop(self.name, None)
        kept = {name: replace(dice, die_px=dice.die_px * scale) for name, dice in others.items()}
        return replace(self, sets={**kept, **self.sets})

    def mask(self, width: int, height: int) -> npt.NDArray[np.uint8]:
        """The floor as a picture of `width` x `height` pixels: 255 inside the region, 0 outside."""
        own_width, own_height = self.size
        scale = np.array([width / own_width, height / own_height])
        corners = np.round(np.array(self.region, np.float64) * scale).astype(np.int32)
        mask = np.zeros((height, width), np.uint8)
        cv2.fillPoly(mask, [corners], 255)
        return mask


# --- learning ---------------------------------------------------------------------------------------------------------

_DIFFERENCE_FLOOR = 8.0
_MIN_DIE_PX = 10.0
_ANGLES = tuple(7.5 * k for k in range(12))
_EDGE_STEP = 2
_PIP_FILTER_PX = 19
_ROUNDING = 1.06
"""A die's edges are rounded, so the flat face that a square fits is a little shorter than the die."""
_WORK_PX = 96.0
"""A blob is scaled to about this length before a face is fitted to it, so that the time does not hang on the camera."""


@dataclass(frozen=True, slots=True)
class _Face:
    x: float
    y: float
    angle_deg: float
    edge_px: float


def learn(empty: Image, throw: Image, corners: Corners | None = None) -> Calibration:
    """Learn a table from two pictures of one size: the empty tray, and a throw whose dice lie apart. `corners` are
    those of the tray's floor, where they are known.

    Both are BGR uint8, height x width x 3. The dice are what differs between the pictures; a square is fitted to the
    brightness edges of each, one size for all, and `die_px` comes from its median edge. Raises CalibrationFault
    (CAL-05).
    """
    if empty.shape != throw.shape:
        raise CalibrationFault("CAL-05", "the two pictures differ in size: take both with the same camera settings")
    difference, level = _difference(empty, throw)
    blobs = _blobs(difference, level)
    if not blobs:
        raise CalibrationFault(
            "CAL-05", "nothing lies in the second picture that the first has not: throw the dice, then take it again"
        )
    faces = _fit_faces(throw, difference, blobs)
    if not faces:
        raise CalibrationFault(
            "CAL-05", "no dice were found in the second picture: throw them so that they lie apart, and take it again"
        )
    die_px = _ROUNDING * float(np.median([face.edge_px for face in faces]))
    return Calibration(
        empty=empty.copy(),
        region=corners or _floor(empty, [(face.x, face.y) for face in faces], die_px),
        die_px=die_px,
        looks=tuple(_look(throw, face) for face in faces),
        noise=max(0.5, level * 1.4826),
        corners=corners,
    )


def _difference(empty: Image, throw: Image) -> tuple[npt.NDArray[np.float32], float]:
    """Difference per pixel in grey levels (largest channel, light made equal), and its median: the noise."""
    before = cv2.GaussianBlur(empty, (0, 0), 1.5).astype(np.float32)
    after = cv2.GaussianBlur(throw, (0, 0), 1.5).astype(np.float32)
    gain = np.median((after + 4.0) / (before + 4.0), axis=(0, 1))
    difference = np.abs(after - before * gain).max(axis=2)
    return difference, float(np.median(difference))


def _blobs(difference: npt.NDArray[np.float32], level: float) -> list[tuple[int, int, int, int]]:
    """Boxes (x, y, width, height) of what was thrown: things of one size, the most common one."""
    mask = (difference > max(_DIFFERENCE_FLOOR, 4.0 * level)).astype(np.uint8)
    kernel = np.ones((5, 5), np.uint8)
    whole = cv2.morphologyEx(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel), cv2.MORPH_OPEN, kernel)
    _, _, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(whole, kernel))
    boxes = [(int(x), int(y), int(w), int(h)) for x, y, w, h, _ in stats[1:] if min(w, h) >= _MIN_DIE_PX]
    if not boxes:
        return []
    sizes = np.array([max(w, h) for _, _, w, h in boxes], np.float64)
    # Specks are many and small, a hand or a coin is alone: the size that holds the most area wins.
    alike = np.abs(np.log(sizes[:, None] / sizes[None, :])) < 0.4
    areas = np.array([w * h for _, _, w, h in boxes], np.float64)
    votes = (alike * areas[None, :]).sum(axis=1) * np.sqrt(alike.sum(axis=1))
    return [box for box, same in zip(boxes, alike[int(np.argmax(votes))], strict=True) if same]


def _fit_faces(
    throw: Image, difference: npt.NDArray[np.float32], blobs: Sequence[tuple[int, int, int, int]]
) -> list[_Face]:
    """One square per blob, all of nearly one size: the size that the edges of all blobs together favour."""
    longest = float(np.median([max(w, h) for _, _, w, h in blobs]))
    scale = _WORK_PX / longest
    edges = np.arange(2 * round(_WORK_PX * 0.19), round(_WORK_PX * 0.98), _EDGE_STEP)
    scores = []
    fits: list[dict[int, tuple[float, float, float, float]]] = []
    for x, y, w, h in blobs:
        fit = _squares(throw, (x, y, w, h), scale, edges)
        fits.append(fit)
        scores.append([fit[int(edge)][0] for edge in edges])
    total = np.array(scores).sum(axis=0)
    total = np.convolve(np.pad(total, 1, mode="edge"), np.array([0.25, 0.5, 0.25]), mode="valid")
    best = int(edges[int(np.argmax(total))])
    faces = []
    for fit in fits:
        edge = max((int(e) for e in edges if abs(int(e) - best) <= 3), key=lambda e: fit[e][0])
        _, cx, cy, angle = fit[edge]
        faces.append(_Face(cx, cy, angle, edge / scale))
    return faces


def _squares(
    throw: Image, box: tuple[int, int, int, int], scale: float, edges: npt.NDArray[Any]
) -> dict[int, tuple[float, float, float, float]]:
    """For every edge length (working pixels) the best square in `box`: score, centre x, y in the picture, angle."""
    x, y, w, h = box
    centre = (x + w / 2, y + h / 2)
    # Room for the square at every angle without the corners that turning leaves without pixels.
    side = 2 * round(0.5 * 1.9 * max(w, h) * scale)
    reach = round(0.25 * max(w, h) * scale)
    upright = np.array([[scale, 0.0, side / 2 - scale * centre[0]], [0.0, scale, side / 2 - scale * centre[1]]])
    view = through(throw, maps_of(upright, (side, side)))
    # A row of pips is as straight as an edge: the median takes the pips away and leaves the face's outline.
    view = np.asarray(cv2.medianBlur(view, _PIP_FILTER_PX), np.uint8)
    result = {int(edge): (-1.0, centre[0], centre[1], 0.0) for edge in edges}
    middle = ((side - 1) / 2, (side - 1) / 2)
    for angle in _ANGLES:
        turn = cv2.getRotationMatrix2D(middle, angle, 1.0)
        smooth = cv2.GaussianBlur(through(view, maps_of(turn, (side, side))), (0, 0), 1.2).astype(np.float32)
        across = np.abs(cv2.Sobel(smooth, cv2.CV_32F, 1, 0)).max(axis=2)
        down = np.abs(cv2.Sobel(smooth, cv2.CV_32F, 0, 1)).max(axis=2)
        for edge in edges:
            half, left = int(edge) // 2, side - int(edge)
            rows = cv2.blur(down, (int(edge), 1))
            columns = cv2.blur(across, (1, int(edge)))
            top, bottom = rows[:left, half : left + half], rows[int(edge) :, half : left + half]
            west, east = columns[half : left + half, :left], columns[half : left + half, int(edge) :]
            score = top + bottom + west + east + 4.0 * np.minimum(np.minimum(top, bottom), np.minimum(west, east))
            first = max(0, left // 2 - reach)
            inner = score[first : left // 2 + reach + 1, first : left // 2 + reach + 1]
            at = np.unravel_index(int(np.argmax(inner)), inner.shape)
            value = float(inner[at]) * float(edge) ** 0.5
            if value > result[int(edge)][0]:
                back = cv2.invertAffineTransform(turn) @ np.array(
                    [first + at[1] + edge / 2, first + at[0] + edge / 2, 1.0]
                )
                px, py = (back - upright[:, 2]) / scale
                result[int(edge)] = (value, float(px), float(py), angle)
    return result


def _look(throw: Image, face: _Face) -> Look:
    """Colours of a face and its pips: the two clusters of its inner pixels, the larger one being the face."""
    side = 32
    turn = cv2.getRotationMatrix2D((face.x, face.y), face.angle_deg, side / (0.8 * face.edge_px))
    turn[0, 2] += side / 2 - face.x
    turn[1, 2] += side / 2 - face.y
    inner = through(throw, maps_of(turn, (side, side))).reshape(-1, 3).astype(np.float32)
    darkest, lightest = inner[np.argmin(inner.sum(axis=1))], inner[np.argmax(inner.sum(axis=1))]
    centres = np.stack([darkest, lightest])
    labels = np.zeros(len(inner), np.int64)
    for _ in range(10):
        labels = np.argmin(((inner[:, None] - centres[None]) ** 2).sum(axis=2), axis=1)
        for k in (0, 1):
            if (labels == k).any():
                centres[k] = inner[labels == k].mean(axis=0)
    major = int((labels == 1).sum() * 2 > len(labels))
    colours = [(float(c[0]), float(c[1]), float(c[2])) for c in centres]
    return Look(face=colours[major], pips=colours[1 - major], pips_dark=major == 1)


def _floor(empty: Image, seeds: Sequence[Point], die_px: float) -> tuple[Point, ...]:
    """The tray's floor: what is joined to the places of the dice without crossing an edge in the empty picture.

    The polygon is convex. Where nothing bounds the floor it is the whole picture.
    """
    height, width = empty.shape[:2]
    whole: tuple[Point, ...] = ((0.0, 0.0), (float(width), 0.0), (float(width), float(height)), (0.0, float(height)))
    scale = min(1.0, 12.0 / die_px)
    small = cv2.GaussianBlur(cv2.resize(empty, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), (0, 0), 1.2)
    work = small.astype(np.float32)
    slope = np.maximum(np.abs(cv2.Scharr(work, cv2.CV_32F, 1, 0)), np.abs(cv2.Scharr(work, cv2.CV_32F, 0, 1)))
    slope = slope.max(axis=2) / 32.0
    at = [(min(int(x * scale), small.shape[1] - 1), min(int(y * scale), small.shape[0] - 1)) for x, y in seeds]
    usual = float(np.median(slope))
    flat = (slope < max(3.0, 4.0 * usual)).astype(np.uint8)
    flat = cv2.erode(flat, np.ones((3, 3), np.uint8), borderValue=1)
    _, labels = cv2.connectedComponents(flat, connectivity=4)
    hits = [int(labels[y, x]) for x, y in at if labels[y, x]]
    if not hits:
        return whole
    floor = (labels == max(set(hits), key=hits.count)).astype(np.uint8)
    floor = cv2.dilate(floor, np.ones((5, 5), np.uint8))
    contours, _ = cv2.findContours(floor, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    hull = cv2.convexHull(max(contours, key=cv2.contourArea))
    if cv2.contourArea(hull) < 0.15 * small.shape[0] * small.shape[1]:
        return whole
    outline = cv2.approxPolyDP(hull, 0.01 * cv2.arcLength(hull, True), True).reshape(-1, 2)
    return tuple((float(x / scale), float(y / scale)) for x, y in outline)


# --- file -------------------------------------------------------------------------------------------------------------


def save(calibration: Calibration, path: str | os.PathLike[str]) -> None:
    """Write a calibration as one JSON file that holds the picture too (PNG, base64). Replaces `path` at once or not
    at all. Raises CalibrationFault (CAL-06)."""
    ok, png = cv2.imencode(".png", calibration.empty)
    if not ok:
        raise CalibrationFault("CAL-06", f"{path}: the empty picture can't be stored")
    body = {
        "format": FORMAT,
        "version": VERSION,
        "die_px": round(calibration.die_px, 3),
        "noise": round(calibration.noise, 3),
        "region": [[round(x, 2), round(y, 2)] for x, y in calibration.region],
        "looks": _looks_out(calibration.looks),
        "name": calibration.name,
        "sets": {
            name: {"die_px": round(dice.die_px, 3), "looks": _looks_out(dice.looks)}
            for name, dice in calibration.sets.items()
        },
        "corners": None
        if calibration.corners is None
        else [[round(x, 2), round(y, 2)] for x, y in calibration.corners],
        "lock": None if calibration.lock is None else dict(calibration.lock),
        "score": calibration.score,
        "view": None if calibration.view is None else _view_out(calibration.view),
        "glanced": None if calibration.glanced is None else _view_out(calibration.glanced),
        "empty_png": base64.b64encode(png.tobytes()).decode("ascii"),
    }
    target = Path(path)
    name = ""
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="ascii", dir=target.parent, prefix=f".{target.name}.", delete=False
        ) as file:
            name = file.name
            json.dump(body, file)
            file.flush()
            os.fsync(file.fileno())
        # A temporary file is private; a calibration may be read by whoever runs the table.
        os.chmod(name, 0o644)
        os.replace(name, target)
    except OSError as error:
        if name:
            Path(name).unlink(missing_ok=True)
        raise CalibrationFault("CAL-06", f"{path} can't be written: {error.strerror or error}") from error


def load(path: str | os.PathLike[str]) -> Calibration:
    """Read what `save` wrote. Raises CalibrationFault (CAL-01, CAL-02, CAL-03)."""
    try:
        text = Path(path).read_bytes()
    except OSError as error:
        raise CalibrationFault("CAL-01", f"{path} can't be opened: {error.strerror or error}") from error
    broken = f"{path} is not a calibration, or it is damaged: make it again with `dicetable calibrate`"
    try:
        body = json.loads(text)
    except ValueError as error:
        raise CalibrationFault("CAL-02", broken) from error
    if not isinstance(body, dict) or body.get("format") != FORMAT or not isinstance(body.get("version"), int):
        raise CalibrationFault("CAL-02", broken)
    if body["version"] > VERSION:
        raise CalibrationFault(
            "CAL-03",
            f"{path} was made by a newer dicetable: update this one, or make it again with `dicetable calibrate`",
        )
    try:
        png = np.frombuffer(base64.b64decode(body["empty_png"], validate=True), np.uint8)
        picture = cv2.imdecode(png, cv2.IMREAD_COLOR)
        if picture is None:
            raise ValueError("picture")
        calibration = Calibration(
            empty=np.asarray(picture, np.uint8),
            region=tuple((float(x), float(y)) for x, y in body["region"]),
            die_px=float(body["die_px"]),
            looks=_looks_in(body["looks"]),
            noise=float(body["noise"]),
            corners=_corners_in(body.get("corners")),
            name=str(body.get("name", DEFAULT_SET)),
            sets={
                str(name): DiceSet(float(dice["die_px"]), _looks_in(dice["looks"]))
                for name, dice in body.get("sets", {}).items()
            },
            lock=None if body.get("lock") is None else dict(body["lock"]),
            score=None if body.get("score") is None else (int(body["score"][0]), int(body["score"][1])),
            view=_view_in(body.get("view")),
            glanced=_view_in(body.get("glanced")),
        )
    except (AttributeError, KeyError, IndexError, TypeError, ValueError, binascii.Error, cv2.error) as error:
        raise CalibrationFault("CAL-02", broken) from error
    if len(calibration.region) < 3 or not 1.0 <= calibration.die_px <= max(calibration.size):
        raise CalibrationFault("CAL-02", broken)
    return calibration


def _looks_out(looks: Sequence[Look]) -> list[dict[str, Any]]:
    return [
        {
            "face": [round(c, 1) for c in look.face],
            "pips": [round(c, 1) for c in look.pips],
            "pips_dark": look.pips_dark,
        }
        for look in looks
    ]


def _looks_in(looks: Any) -> tuple[Look, ...]:
    return tuple(
        Look(face=_colour(look["face"]), pips=_colour(look["pips"]), pips_dark=bool(look["pips_dark"]))
        for look in looks
    )


def _corners_in(corners: Any) -> Corners | None:
    if corners is None:
        return None
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d


def _view_out(view: View) -> list[float]:
    return [*view.at, view.per, view.beyond]


def _view_in(view: Any) -> View | None:
    if view is None:
        return None
    # Files from before lack the last number.
    x, y, per, *beyond = (float(v) for v in view)
    return View((x, y), per, *beyond)


def _colour(values: Sequence[float]) -> Colour:
    blue, green, red = (float(v) for v in values)
    return blue, green, red
