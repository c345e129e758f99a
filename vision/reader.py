"""Read the dice in one picture: pips, lattices, outlines, and honest doubt.

Room: vision. Frame in, reading out; knows no game and no clock but the one that times its own work.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import partial

import numpy as np
import numpy.typing as npt

from vision import flat, known_tray
from vision.at_a_glance import standing
from vision.bodies import A_DIE, NO_DIE, Bodies
from vision.borne_out import are_borne_out, contradicted
from vision.calibration import Calibration
from vision.choose import (
    agree_on_reach,
    believed,
    best_together,
    by_tilt,
    contenders,
    distinct,
    drop_sides,
    first_of_each_place,
    geometry_sure,
    matters,
    of_known_size,
    of_one_scale,
    outdone,
    overlap,
    quality,
    support,
    suspected,
)
from vision.close_twos import find_close_twos
from vision.conditions import explain, is_softer, sharp_pips
from vision.consult import Witnesses, find_leaners
from vision.counted import agree, settle
from vision.direct import find_lattices, find_spots, like_pips, one_kind, plane_of
from vision.doubt import Doubt, crowded, cut_off, dotted, lost_bodies, lost_pips, on_tops, sideways
from vision.faces import Face, corners_of, find_faces
from vision.hands import find_hand
from vision.known_tray import Novelty
from vision.leaning import OFF, leaning
from vision.memory import keep_freed
from vision.middle import median_of
from vision.ones import find_ones
from vision.outline import find_outline
from vision.pips import Pips, find_pips, no_pips
from vision.pyramid import Pyramid, Sizes
from vision.stance import Stance, leaners, stances_of
from vision.things import notice
from vision.tiles import Tiles, pack
from vision.types import Die, Image, Reading, Reason, Status, Tray
from vision.work_picture import brightened, work_picture, zoom_of

_ROUND_NEW, _ROUND_DIRECT, _NEAR_NEW = 0.75, 0.5, 0.4
"""On a known tray so much round what is new is cut out, in edges of a die, and pips are looked for in so much of it: a
glossy face can look like the felt, and at a cut everything looks like something."""

_LARGE_PX = 26.0
"""Dice that are still so long in half of the size are read there first, in half of the time. In the simulator nearly
all dice of 27 pixels are read, a quarter of those of 23, and none of any size is read wrong."""

_HALF_SPOTS = 300

_OF_A_DIE = 0.5
"""A pip that is rounder than those of a face beside it lies on a die for sure if the network of bodies says so much."""

_QUICK_SPOTS = 24
"""So many spots, for every area of a die's top that is new, are looked at first."""

_OF_CONTRAST = 0.08
"""How distinct a spot must be on a known tray, as a part of the step from the dice's faces to their pips."""

_POSSIBLE = 0.002
"""Values that the witness holds for less probable are not worth a suggestion."""


class Look(Enum):
    """How a known tray is searched: for pips of the colours learnt, in lattices of the size learnt; for the most
    distinct spots; for all."""

    DIRECT = auto()
    QUICK = auto()
    FULL = auto()


@dataclass(slots=True)
class Scene:
    """Everything known about one picture while it is read; for tests and drawings."""

    work: npt.NDArray[np.uint8]
    zoom: float
    pips: Pips
    tiles: Tiles | None = None
    faces: list[Face] = field(default_factory=list)
    dice: tuple[Die, ...] = ()
    """The faces in pixels of the picture as given."""
    rivals: list[Face] = field(default_factory=list)
    leaning: list[Face] = field(default_factory=list)
    leaners: list[Face] = field(default_factory=list)
    flat: bool = False
    """A glance told that all of the faces lie flat."""
    stances: list[Stance] = field(default_factory=list)
    reasons: list[Reason] = field(default_factory=list)
    bodies: Bodies | None = None


def read(image: Image, tray: Tray) -> Reading:
    """Read one picture: BGR `uint8`, height x width x 3. See `Reading` for what comes back.

    Raises `ValueError` for anything that is not such a picture.
    """
    started = time.perf_counter()
    keep_freed()
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise ValueError("CAM-10 a picture must be BGR uint8, height x width x 3: convert it first")
    if tray.calibration is not None and flat.slanted(tray.calibration.corners):
        return flat.read_flat(image, tray, read)
    sizes = Sizes(image)
    large, vouched = _large(sizes, tray) if tray.calibration is None else (None, False)
    if large is not None and vouched:
        status, dice, reasons = large
    elif tray.calibration is None:
        status, dice, reasons = _judged(sizes, tray, survey(sizes, tray), None)
        if large is not None and status is Status.EMPTY:
            # Nothing else is there.
            status, dice, reasons = large
        if tray.die_px and status is Status.UNSURE and not _leans(reasons):
            # The top of a die that leans is not of the size that is known, and so may be why something is in doubt.
            free = replace(tray, die_px=None)
            told = _judged(sizes, free, survey(sizes, free), None)
            if told[0] is Status.READ and len(told[1]) == tray.dice and agree(dice, told[1]):
                # As sure as without a size, and as many dice as there are.
                status, dice, reasons = told
            else:
                reasons = (*_leans(told[2]), *reasons)
    else:
        new = known_tray.novelty(sizes, tray.calibration)
        for look in Look:
            if look is Look.DIRECT and not one_kind(tray.calibration):
                continue
            # Nearly always a look at what the dice learnt let expect tells all. Where it leaves a doubt, less is taken
            # for granted, which takes longer.
            status, dice, reasons = _judged(sizes, tray, survey(sizes, tray, new, look), new, last=look is Look.FULL)
            if status is not Status.UNSURE:
                break
    ms = (time.perf_counter() - started) * 1000
    return Reading(status, dice, reasons, ms)


def _large(sizes: Sizes, tray: Tray) -> tuple[tuple[Status, tuple[Die, ...], tuple[Reason, ...]] | None, bool]:
    """What half as many pixels each way tell, where they tell all for sure, of dice that are large enough for that; and
    whether something vouches for their scale. Two small dice far apart look like a large two, unless it has a body."""
    if min(sizes.shape[:2]) * zoom_of(*sizes.shape[:2]) < 2 * _LARGE_PX:
        return None, False
    scene = survey(sizes, tray, half=True)
    faces = scene.faces
    if not faces or min(face.size_px for face in faces) < _LARGE_PX:
        return None, False
    told = _judged(sizes, tray, scene, None)
    if told[0] is not Status.READ:
        return None, False
    ones = all(face.value == 1 for face in faces)
    if not ones and (len(faces) > 1 or faces[0].value > 3):
        return told, True
    vouched = are_borne_out(_bodies(sizes, scene), scene.dice)
    return (told, True) if vouched else (None if ones else told, False)


def _judged(
    sizes: Sizes, tray: Tray, scene: Scene, new: Novelty | None, last: bool = True
) -> tuple[Status, tuple[Die, ...], tuple[Reason, ...]]:
    """The verdict on what was found in a picture, with its reasons and notices; not all of the reasons if this is not
    the `last` look at it."""
    image = sizes.image
    order = sorted(range(len(scene.faces)), key=lambda n: (scene.faces[n].y, scene.faces[n].x))
    faces, dice = [scene.faces[n] for n in order], tuple(scene.dice[n] for n in order)
    reasons = list(scene.reasons)
    steady = [face for face, stance in zip(scene.faces, scene.stances, strict=False) if stance.steady]
    gaps = [0.0 if any(f is o for o in steady) else f.gap for f in faces]
    by_shape = leaning(dice, gaps) if max(gaps, default=0.0) >= OFF else []
    by_drop = [i for i, face in enumerate(faces) if any(face is o for o in scene.leaners) and i not in by_shape]
    reasons += [Reason("cocked", dice[i].x, dice[i].y) for i in by_shape + by_drop]
    if new is not None:
        dice, reasons = known_tray.check(dice, reasons, image, tray.calibration, new)
        if reasons and not last and len(dice) != tray.dice:
            return Status.UNSURE, dice, tuple(reasons)
        told = [(r.x, r.y) for r in reasons if r.code == "cocked"]
        if scene.stances:
            off = [die for die, stance in zip(scene.dice, scene.stances, strict=True) if stance.leans]
            lean = [die for die in dice if die in off]
        else:
            # Of a die that was not read, what stands out beyond the others may tell that it leans.
            plain = scene.flat and not reasons
            lean = [] if plain else [dice[i] for i in leaners(image, dice, tray.calibration)]
        reasons += [Reason("cocked", d.x, d.y) for d in lean if (d.x, d.y) not in told]
    sharp = sharp_pips(scene.pips, scene.faces)
    reasons = explain(sizes, dice, reasons, _known_px(image, tray), new is not None, sharp)
    if new is None and (hand := find_hand(sizes, dice)) is not None:
        reasons.insert(0, Reason("foreign", round(hand.x, 1), round(hand.y, 1)))
    # A tray with nothing in it is empty, however many dice will be thrown into it.
    if tray.dice is not None and len(dice) != tray.dice and (dice or reasons):
        reasons.append(Reason("count"))
    reasons, notices = settle(dice, reasons, tray.dice)
    if dice and not reasons and new is None:
        things = notice(sizes, dice)
        seen = _bodies(sizes, scene)
        soft = partial(is_softer, image, dice)
        reasons += contradicted(seen, dice, min(image.shape[:2]), tray.dice is None, soft)
        # What lies beside the dice is no harm, unless it is one that was not read.
        like = [seen.likeness(t.x or 0.0, t.y or 0.0) > A_DIE for t in things]
        reasons += [replace(t, code="disagree") for t, is_like in zip(things, like, strict=True) if is_like]
        notices += [t for t, is_like in zip(things, like, strict=True) if not is_like]
    if reasons:
        status = Status.UNSURE
    elif dice:
        status = Status.READ
    else:
        status = Status.EMPTY
    return status, dice, tuple(reasons + notices)


def _bodies(sizes: Sizes, scene: Scene) -> Bodies:
    """What the network of bodies sees in the picture as given; it is asked once."""
    if scene.bodies is None:
        scene.bodies = Bodies(sizes, median_of(face.size_px for face in scene.faces) / scene.zoom)
    return scene.bodies


def _leans(reasons: tuple[Reason, ...]) -> tuple[Reason, ...]:
    return tuple(reason for reason in reasons if reason.code == "cocked")


def _known_px(image: Image, tray: Tray) -> float | None:
    """A die's edge in pixels of the picture, if it is known beforehand."""
    if tray.die_px or tray.calibration is None:
        return tray.die_px
    return float(tray.calibration.die_px * image.shape[1] / tray.calibration.size[0])


def _dice(faces: Sequence[Face], zoom: float) -> tuple[Die, ...]:
    """Faces as dice, in pixels of the picture as given."""
    if not faces:
        return ()
    points = np.concatenate([corners_of(faces), np.array([[(f.x, f.y)] for f in faces], np.float32)], 1)
    dice = []
    for face, places in zip(faces, _out(points, zoom).tolist(), strict=True):
        *corners, (x, y) = ((round(x, 1), round(y, 1)) for x, y in places)
        confidence = round(min(max(quality(face), 0.0), 1.0) * support(face), 3)
        dice.append(Die(face.value, confidence, x, y, tuple(corners), _others(face)))  # type: ignore[arg-type]
    return tuple(dice)


def _others(face: Face) -> tuple[tuple[int, float], ...]:
    """What else the face may show, by the witness, the likeliest first."""
    if face.witness is None:
        return ()
    told = [(value, round(p, 3)) for value, p in enumerate(face.witness.tolist()) if value not in (0, face.value)]
    return tuple(sorted((t for t in told if t[1] >= _POSSIBLE), key=lambda t: -t[1]))


def _out(points: npt.NDArray[np.floating], zoom: float) -> npt.NDArray[np.floating]:
    """From pixels of the searched picture to those of the picture as given."""
    return (points + 0.5) / zoom - 0.5


def survey(
    picture: Image | Sizes, tray: Tray, new: Novelty | None = None, look: Look = Look.FULL, half: bool = False
) -> Scene:
    """All of the reading but its verdict; `new` says where the tray is not as it was when it was empty, and `look` how
    it is searched there. At `half` of the usual size only large dice are looked for: without any, nothing is told."""
    sizes = Sizes.of(picture)
    work, zoom = work_picture(sizes, 0.5 if half else 1.0)
    shown = sizes.of_part(work)
    if min(work.shape[:2]) < 24:
        return Scene(work, zoom, no_pips(), reasons=[Reason("small")])
    known_px = tray.die_px * zoom if tray.die_px else None
    if half and known_px is not None and known_px < _LARGE_PX:
        return Scene(work, zoom, no_pips())
    tiles: Tiles | None = None
    proposed: list[Face] | None = None
    if new is not None:
        known_px = known_px or tray.calibration.die_px * work.shape[1] / tray.calibration.size[0]
        boxes = new.boxes(_ROUND_DIRECT if look is Look.DIRECT else _ROUND_NEW, work.shape[1], work.shape[0])
        if not boxes:
            return Scene(work, zoom, no_pips())
        tiles = pack(work, boxes)
    searched = brightened(work, work if tiles is None else tiles.image)
    packed = (shown, tiles) if tiles is not None and look is Look.DIRECT else None
    witnesses = Witnesses(shown if searched is work else searched, packed)
    if tiles is None or new is None:
        radii = (0.04 * known_px, 0.25 * known_px) if known_px else None
        pips = find_pips(witnesses.pyramid, radius_px=radii, most=_HALF_SPOTS if half else None)
    elif packed is not None:
        pips, proposed = _expected(tray.calibration, searched, tiles, new, work.shape[1])
    else:
        pips = _pips_on(tray.calibration, witnesses.pyramid, tiles, new, work.shape[1], look is Look.QUICK)
    faces, strong = _faces(searched, pips, known_px, tiles, proposed, witnesses)
    scene = Scene(searched, zoom, pips, tiles)
    if half and strong and min(face.size_px for face in strong) < _LARGE_PX:
        return scene
    like = None if proposed is None and not half else like_pips(pips, strong)
    ones = [o for o in _ones(scene, strong, known_px, like, proposed is None) if matters(o)]
    witnesses.ask(ones)
    scale_known = bool(strong) or known_px is not None or _alike([o for o in ones if believed(o)])
    usual_step = median_of(f.step for f in strong) if strong else 0.0
    sound = [
        o for o in ones
        if (believed(o, scale_known) or (known_px is not None and support(o) > 0.9 and o.score > 0.25))
        and o.step > 0.4 * usual_step
        and _alone(o, pips)
    ]  # fmt: skip
    chosen = best_together(strong + sound)
    agree_on_reach(chosen)
    chosen, sides = drop_sides(chosen)
    scene.faces, more_sides, leaning = by_tilt(chosen)
    others = [f for f in faces + ones if f not in scene.faces + sides + more_sides + leaning]
    scene.rivals = contenders(distinct([f for f in others if suspected(f)], 30), scene.faces)
    scene.leaning = leaning
    if tiles is None:
        scene.leaners = find_leaners(shown, scene.faces)
    found = lost_pips(searched, pips, scene.faces)
    rounder = sideways(pips, scene.faces)
    if tiles is None and rounder:
        seen = _bodies(sizes, scene)
        rounder = [d for d in rounder if seen.likeness(*_out(np.array([d.x, d.y]), zoom).tolist()) > _OF_A_DIE]
    found += rounder
    if tiles is not None:
        # From here on everything lies where it lies in the picture.
        scene.work = work
        every = scene.faces + scene.rivals + scene.leaning
        for face, x, y in zip(every, *_back(tiles, every), strict=True):
            face.x, face.y = x, y
        found = [replace(d, x=x, y=y) for d, x, y in zip(found, *_back(tiles, found), strict=True)]
    scene.dice = _dice(scene.faces, zoom)
    if tiles is not None and (look is Look.FULL or not (found or scene.rivals or scene.leaning)):
        scene.flat, scene.leaners = standing(shown, scene.faces, tray.calibration.glanced)
        if not scene.flat:
            scene.stances = stances_of(sizes, scene.dice, tray.calibration)
            if not (scene.stances and all(stance.steady for stance in scene.stances)):
                scene.leaners = scene.leaners + find_leaners(shown, scene.faces)
    if new is None:
        # On a known tray `known_tray.check` tells what is not explained.
        found = _could_be_dice(sizes, scene, found + lost_bodies(shown if searched is work else searched, scene.faces))
    _doubts(scene, found)
    return scene


def _could_be_dice(sizes: Sizes, scene: Scene, found: list[Doubt]) -> list[Doubt]:
    """Drop the rivals, and of the doubts, where nothing has the body of a die."""
    if not scene.faces or not (scene.rivals or found):
        return found
    places = [(rival.x, rival.y) for rival in scene.rivals] + [(doubt.x or 0.0, doubt.y or 0.0) for doubt in found]
    seen = _bodies(sizes, scene)
    like = [seen.likeness(x, y) >= NO_DIE for x, y in _out(np.array(places), scene.zoom).tolist()]
    count = len(scene.rivals)
    scene.rivals = [rival for rival, is_like in zip(scene.rivals, like, strict=False) if is_like]
    return [doubt for doubt, is_like in zip(found, like[count:], strict=True) if is_like or doubt.code != "disagree"]


def _pips_on(calibration: Calibration, pyramid: Pyramid, tiles: Tiles, new: Novelty, width: int, quick: bool) -> Pips:
    """Pips on a known tray: of the size of the dice, where something is new, and as distinct as on the dice learnt."""
    contrast = min((max(abs(a - b) for a, b in zip(k.face, k.pips, strict=True)) for k in calibration.looks), default=0)
    threshold = float(np.clip(_OF_CONTRAST * contrast, 6.0, 16.0))
    where, die_px = new.places(_NEAR_NEW, width), new.die_px * width / new.mask.shape[1]
    most = round(_QUICK_SPOTS * max(2.0, float(new.mask.sum()) / new.die_px**2)) if quick else None
    return find_pips(pyramid, threshold, (0.05 * die_px, 0.22 * die_px), lambda x, y: where(*tiles.back(x, y)), most)


def _back(tiles: Tiles, things: Sequence[Face] | Sequence[Doubt]) -> tuple[list[float], list[float]]:
    """Where things in the packed picture lie in the whole one."""
    if not things:
        return [], []
    places = np.array([(t.x or 0.0, t.y or 0.0) for t in things], np.float64).reshape(-1, 2)
    x, y = tiles.back(places[:, 0], places[:, 1])
    return x.tolist(), y.tolist()


def _expected(
    calibration: Calibration, searched: npt.NDArray[np.uint8], tiles: Tiles, new: Novelty, width: int
) -> tuple[Pips, list[Face]]:
    """Pips and faces of two to six on a known tray, of the colours and the size of its dice."""
    die_px = new.die_px * width / new.mask.shape[1]
    pips = find_spots(plane_of(searched, calibration), searched, die_px)
    pips = pips.take(new.places(_NEAR_NEW, width)(*tiles.back(pips.x, pips.y)))
    return pips, find_lattices(searched, pips, die_px)


def _faces(
    work: npt.NDArray[np.uint8], pips: Pips, known_px: float | None, tiles: Tiles | None,
    proposed: list[Face] | None, witnesses: Witnesses,
) -> tuple[list[Face], list[Face]]:  # fmt: skip
    """Faces of two to six that the witness was asked about, and those that are believed and of one scale; of those
    `proposed`, or of all that the pips support."""
    faces = find_faces(work, pips) if proposed is None else proposed
    if tiles is not None:
        tile = tiles.tile_of(pips.x, pips.y)
        faces = [f for f in faces if len({int(tile[n]) for n in f.pips}) == 1]
    _outlines(work, faces)
    if known_px:
        faces = of_known_size(faces, known_px)
    faces = [f for f in distinct(faces, 48) if matters(f)]
    leaders = first_of_each_place(faces)
    witnesses.ask(leaders)
    sure = [f for f in leaders if believed(f)]
    rest = [f for f in faces if f not in leaders and not outdone(f, sure)]
    witnesses.ask(rest)
    return faces, of_one_scale(best_together([f for f in faces if believed(f)]))


def candidates(work: npt.NDArray[np.uint8]) -> list[Face]:
    """What the geometry alone proposes in a picture that is searched as it is, best first: faces of two to six, then
    ones. For whoever trains the witness on what it will be asked about."""
    pips = find_pips(Pyramid(work))
    faces = find_faces(work, pips)
    _outlines(work, faces)
    faces = distinct(faces, 48)
    sure = [f for f in faces if geometry_sure(f)]
    return faces + _ones(Scene(work, 1.0, pips), best_together(sure), None)


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


def _ones(
    scene: Scene, faces: list[Face], known_px: float | None, like: npt.NDArray[np.bool_] | None = None,
    every: bool = True,
) -> list[Face]:  # fmt: skip
    """Squares round single pips, or two that lie close together, that no face explains, best first; of `every` pip, or
    of those `like` the faces' only, which also are the ones that are searched again."""
    pips = scene.pips
    scale = known_px or (median_of(f.size_px for f in faces for _ in range(f.value)) if faces else None)
    tilt = median_of(f.aspect for f in faces) if faces else 0.7
    free = (pips.round >= 0.7) & (pips.aspect() > max(0.5, 0.7 * tilt))
    if like is not None and not every:
        free &= like
    if scale:
        free &= (pips.r > 0.05 * scale) & (pips.r < 0.24 * scale)
    free &= ~on_tops(pips, faces, 1.1)
    candidates = np.nonzero(free)[0]
    if len(candidates) > 120:
        worth = pips.round[candidates] * np.minimum(pips.step[candidates], 80)
        candidates = candidates[np.argsort(-worth, kind="stable")[:120]]
    half = None
    again = like if every else np.zeros(len(pips), bool)
    if scale:
        half = (0.42 * scale, 0.57 * scale) if known_px else (0.28 * scale, 1.05 * scale)
    least = 0.2 if known_px else 0.35
    found = [f for f in find_ones(scene.work, pips, candidates, half, again) if f.score > least]
    if half is not None:
        found += find_close_twos(scene.work, pips, free, half)
    return [f for f in found if not any(overlap(f, o, 0.6) for o in faces)][:24]


def _alike(ones: list[Face]) -> bool:
    """Do at least two ones agree on their size, and lie as far apart as dice do? Then they vouch for each other."""
    sizes, places = np.array([o.size_px for o in ones]), np.array([(o.x, o.y) for o in ones]).reshape(-1, 2)
    apart = np.hypot(*(places[:, None] - places).T) > (sizes[:, None] + sizes) / 2
    return bool((apart & (np.abs(np.log(sizes[:, None] / sizes)) < 0.2)).any())


def _alone(one: Face, pips: Pips) -> bool:
    """Is there no other spot like its pip on the face?"""
    inverse = np.linalg.inv(one.frame)
    local = np.stack([pips.x - one.x, pips.y - one.y], 1) @ inverse.T
    like = (np.abs(local).max(1) < 0.9 * one.reach) & (pips.round >= 0.8)
    like &= np.linalg.norm(pips.inner - one.ink, axis=1) < 0.5 * one.step
    like &= (pips.r > 0.6 * one.pip_px) & (pips.r < 1.6 * one.pip_px) & (pips.step > 0.5 * one.step)
    like[list(one.pips)] = False
    return not like.any()


def _doubts(scene: Scene, lost: list[Doubt]) -> None:
    faces = scene.faces
    for rival in scene.rivals:
        _say(scene, Doubt("disagree", rival.x, rival.y))
    for face in scene.leaning:
        # Much flatter than the rest it is a side whose top was not read; in between, a die that leans.
        _say(scene, Doubt("cocked" if face.aspect > 0.6 else "disagree", face.x, face.y))
    for doubt in dotted(scene.pips, faces) + crowded(faces) + cut_off(scene.work.shape[:2], faces) + lost:
        _say(scene, doubt)


def _say(scene: Scene, doubt: Doubt) -> None:
    if doubt.x is None or doubt.y is None:
        scene.reasons.append(Reason(doubt.code))
        return
    px, py = _out(np.array([[doubt.x, doubt.y]], np.float32), scene.zoom)[0]
    scene.reasons.append(Reason(doubt.code, round(float(px), 1), round(float(py), 1)))
