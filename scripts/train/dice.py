"""Made dice: what a die is like (shape, colours, pips) and how one is ray-cast under given lights.

Room: none; a tool for whoever trains. Knows numpy and cv2 only; not the reader. Lengths are in edges of a die, the die
stands on z = 0 with its centre at z = 0.5; colours are linear light, RGB.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt
import textures
from textures import Field, Rng

VALID: tuple[frozenset[tuple[int, int]], ...] = (
    frozenset({(0, 0)}),
    frozenset({(-1, -1), (1, 1)}),
    frozenset({(-1, -1), (0, 0), (1, 1)}),
    frozenset({(-1, -1), (-1, 1), (1, -1), (1, 1)}),
    frozenset({(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)}),
    frozenset({(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)}),
)
_MIRRORED = {
    frozenset((a * x, b * y) if not swap else (b * y, a * x) for x, y in face)
    for face in VALID
    for a in (-1, 1)
    for b in (-1, 1)
    for swap in (False, True)
}
# Straight twos and threes exist on a few makers' dice: neither shown as right nor as wrong.
_SPARED = {frozenset({(-1, 0), (1, 0)}), frozenset({(0, -1), (0, 1)}), frozenset({(-1, 0), (0, 0), (1, 0)}),
           frozenset({(0, -1), (0, 0), (0, 1)})}  # fmt: skip


@dataclass
class Style:
    """How one maker's dice look."""

    body: Field
    pip: Field
    kind: str
    round_edge: float
    ball: float
    pitch: float
    six: tuple[float, float]
    two: float
    straight: bool
    """Does the two lie along an edge, not on a diagonal?"""
    radius: float
    ace: float
    ace_colour: Field
    depth: float
    gloss: float
    shine: float
    sharp: float
    grain: float
    hand_made: float
    ring: float
    clear: float
    worn: float
    soft: float
    """How much of a pip's radius its edge takes to fade into the face."""


@dataclass
class Mark:
    """What is on a face: pips (u, v, radius), or a glyph drawn in a bitmap. `value` 0 means not a face to read."""

    value: int
    pips: list[tuple[float, float, float]] = field(default_factory=list)
    glyph: Field | None = None


@dataclass
class Placed:
    """One die in the scene: where it stands, how it is turned, what is on its six faces (axis, sign)."""

    style: Style
    x: float
    y: float
    yaw: float
    marks: dict[tuple[int, int], Mark]
    seed: int
    lean: float = 0.0
    """How far it leans, in radians; it then stands on an edge or a corner."""
    lean_to: float = 0.0
    """Where its top leans to: an angle in the plane of the ground."""

    @property
    def top(self) -> Mark:
        return self.marks[(2, 1)]

    def turn(self) -> Field:
        """Rotation from the die's own frame to the world's."""
        c, s = np.cos(self.yaw), np.sin(self.yaw)
        flat = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]], np.float32)
        if not self.lean:
            return flat
        a, b = np.cos(self.lean_to), np.sin(self.lean_to)
        k = np.array([[0, 0, a], [0, 0, b], [-a, -b, 0]], np.float32)
        rodrigues = np.eye(3) + np.sin(self.lean) * k + (1 - np.cos(self.lean)) * (k @ k)
        return (rodrigues @ flat).astype(np.float32)

    def centre(self) -> Field:
        """Where its middle is; its lowest corner stands on the ground."""
        low = 0.5 * float(np.abs(self.turn()[2]).sum())
        return np.array([self.x, self.y, low], np.float32)

    def world(self, points: Field) -> Field:
        """Points (N x 3) of the die's own frame, seen from its middle, in the world."""
        out: Field = np.asarray(points, np.float32) @ self.turn().T + self.centre()
        return out


@dataclass
class Light:
    """A lamp far away: direction to it, strength per channel, half its width as an angle's cosine and its soft edge."""

    to: Field
    power: Field
    cosine: float
    edge: float


@dataclass
class Camera:
    """A pinhole: world to camera rotation, its place, focal length and principal point in pixels."""

    rotation: Field
    place: Field
    focal_px: float
    centre: tuple[float, float]

    def project(self, points: Field | list[tuple[float, float, float]]) -> Field:
        q = (np.asarray(points, np.float32) - self.place) @ self.rotation.T
        return q[:, :2] / q[:, 2:] * self.focal_px + np.asarray(self.centre, np.float32)


def style(rng: Rng) -> Style:
    """A maker: every number drawn apart, so that odd ones come up together too."""
    kind = str(
        rng.choice(["plastic", "wood", "marble", "clear", "speck", "pearl"], p=[0.52, 0.14, 0.1, 0.12, 0.05, 0.07])
    )
    light_body = rng.random() < 0.55
    body = textures.colour(rng, 0.35, 0.9) if light_body else textures.colour(rng, 0.008, 0.3, 0.35)
    if kind == "wood":
        body = (
            np.array([0.62, 0.4, 0.2], np.float32)
            * np.float32(np.exp(rng.normal(-0.1, 0.5)))
            * rng.uniform(0.85, 1.1, 3)
        )
        body = body.astype(np.float32).clip(0.02, 0.9)
        light_body = bool(body.mean() > 0.15)
    pip = textures.colour(rng, 0.003, 0.08) if light_body else textures.colour(rng, 0.5, 0.95, 0.8)
    if rng.random() < 0.25:  # red, blue, gold on anything
        pip = textures.colour(rng, 0.02, 0.8, 0.0)
    gap = abs(float(np.log(pip.mean() / body.mean())))
    if gap < (0.7 if rng.random() < 0.85 else 0.4):
        pip = (pip * 0.25 if light_body else np.minimum(pip * 4, 0.95)).astype(np.float32)
    pitch = float(np.clip(rng.normal(0.265, 0.03), 0.2, 0.37)) if rng.random() < 0.8 else float(rng.uniform(0.22, 0.4))
    radius = float(np.clip(rng.normal(0.095, 0.018), 0.055, 0.14)) if rng.random() < 0.8 else rng.uniform(0.06, 0.16)
    close = rng.random() < 0.22
    if close:  # others set all pips close round the middle
        pitch = float(rng.uniform(0.17, 0.235))
    six = (pitch, pitch)
    if rng.random() < 0.45:
        # Some makers set a six's two rows hardly further apart than its pips in a row.
        six = (pitch * rng.uniform(0.5, 1.1), pitch * rng.uniform(0.72, 1.12))
    # And some of them the two along an edge.
    straight = bool(rng.random() < (0.5 if close else 0.06))
    two = pitch if rng.random() < (0.4 if straight or close else 0.85) else float(rng.uniform(0.11, 0.2))
    radius = min(radius, 1.15 * two, 0.9 * six[0], 0.455 * six[1], 0.475 - pitch, 0.46 * pitch * 1.414)
    ace = radius * (1.0 if rng.random() < 0.65 else rng.uniform(1.1, 2.3))
    special = rng.random() < 0.2
    ace_colour = np.array([0.6, 0.02, 0.02], np.float32) if special and body.mean() > 0.2 else pip
    depth = float(rng.choice([0.0, rng.uniform(0.1, 0.5), rng.uniform(0.5, 1.1)], p=[0.3, 0.35, 0.35]))
    return Style(
        body=body, pip=pip, kind=kind,
        round_edge=float(rng.uniform(0.02, 0.2)) if rng.random() < 0.8 else float(rng.uniform(0.02, 0.06)),
        ball=float(rng.uniform(0.68, 0.8)) if rng.random() < 0.4 else 9.0,
        pitch=pitch, six=six, two=two, straight=straight, radius=max(radius, 0.05), ace=min(ace, 0.24),
        ace_colour=ace_colour, depth=depth,
        gloss=float(rng.uniform(0.0, 0.06) if rng.random() < 0.45 else rng.uniform(0.05, 0.9)),
        shine=float(rng.uniform(0.0, 0.3)), sharp=float(rng.uniform(0.02, 0.12)),
        grain=float(rng.uniform(0.05, 0.55)), hand_made=float(rng.uniform(0, 0.03 if kind == "wood" else 0.006)),
        ring=float(rng.choice([0, rng.uniform(0.1, 0.6)], p=[0.85, 0.15])),
        clear=float(rng.uniform(0.25, 0.85)) if kind == "clear" else 0.0,
        worn=float(rng.choice([0, rng.uniform(0.1, 0.6)], p=[0.85, 0.15])),
        soft=float(rng.choice([0, rng.uniform(0.1, 0.6)], p=[0.8, 0.2])),
    )  # fmt: skip


def pips(value: int, maker: Style, rng: Rng) -> Mark:
    """The usual pips of `value`, with the maker's spacing, turned at random by 90 degrees."""
    spread = maker.six if value == 6 else (maker.two, maker.two) if value == 2 else (maker.pitch, maker.pitch)
    turn = rng.random() < 0.5
    out = []
    for a, b in sorted(VALID[value - 1]):
        u, v = a * spread[0], b * spread[1]
        if value == 2 and maker.straight:
            u, v = 1.2 * u, 0.0
        if turn:
            u, v = v, -u
        size = maker.ace if value == 1 else maker.radius
        wobble = rng.normal(0, maker.hand_made, 3)
        out.append((u + wobble[0], v + wobble[1], max(0.035, size * (1 + 3 * wobble[2]))))
    return Mark(value, out)


def no_face(maker: Style, rng: Rng) -> Mark:
    """A face that carries no value: numeral, letter, sign, nothing at all, or pips in a wrong pattern."""
    pick = rng.random()
    if pick < 0.4:
        return Mark(0, glyph=_glyph(rng))
    if pick < 0.55:
        return Mark(0)
    places = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
    while True:
        chosen = [p for p in places if rng.random() < rng.choice([0.3, 0.5, 0.7])]
        if chosen and frozenset(chosen) not in _MIRRORED | _SPARED:
            return Mark(0, [(a * maker.pitch, b * maker.pitch, maker.radius) for a, b in chosen])


def _glyph(rng: Rng) -> Field:
    """A numeral or sign in a 128 x 128 bitmap that spans the face."""
    size = 128
    art = np.zeros((size, size), np.uint8)
    kind = rng.random()
    if kind < 0.7:
        text = str(
            rng.choice([*"123456789", "10", "12", "20", "00", "A", "K", "X", "?", "3", "6.", "9.", "B", "8", "0"])
        )
        font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX]))
        scale, thick = rng.uniform(1.6, 3.6), int(rng.integers(3, 13))
        (width, height), _ = cv2.getTextSize(text, font, scale, thick)
        cv2.putText(art, text, ((size - width) // 2, (size + height) // 2), font, scale, 255, thick, cv2.LINE_AA)
    elif kind < 0.8:
        cv2.circle(art, (64, 64), int(rng.uniform(20, 46)), 255, int(rng.integers(4, 14)), cv2.LINE_AA)
    elif kind < 0.9:
        corners = int(rng.integers(3, 11))
        angles = np.arange(corners) * 2 * np.pi / corners + rng.uniform(0, 6)
        radii = rng.uniform(18, 50, 2)[np.arange(corners) % 2]
        star = np.stack([64 + radii * np.cos(angles), 64 + radii * np.sin(angles)], 1)
        cv2.fillPoly(art, [star.astype(np.int32)], 255, cv2.LINE_AA)
    else:
        for _ in range(int(rng.integers(1, 5))):
            a, b = rng.uniform(15, 113, (2, 2)).astype(int).tolist()
            cv2.line(art, a, b, 255, int(rng.integers(3, 14)), cv2.LINE_AA)
    return art.astype(np.float32) / 255


def place(value: int, maker: Style, x: float, y: float, yaw: float, rng: Rng, odd: bool = False) -> Placed:
    """A die with `value` on top (or, if `odd`, with something on top that is not to be read)."""
    pairs = [p for p in ((1, 6), (2, 5), (3, 4)) if value not in p]
    if rng.random() < 0.5:
        pairs.reverse()
    marks: dict[tuple[int, int], Mark] = {}
    marks[(2, 1)] = no_face(maker, rng) if odd else pips(value, maker, rng)
    marks[(2, -1)] = pips(7 - value, maker, rng)
    for axis, (low, high) in enumerate(pairs):
        flip = 1 if rng.random() < 0.5 else -1
        marks[(axis, flip)], marks[(axis, -flip)] = pips(low, maker, rng), pips(high, maker, rng)
        if odd and marks[(2, 1)].glyph is not None:
            marks[(axis, flip)], marks[(axis, -flip)] = Mark(0, glyph=_glyph(rng)), Mark(0, glyph=_glyph(rng))
    return Placed(maker, x, y, yaw, marks, int(rng.integers(1 << 31)))


def _distance(p: Field, maker: Style) -> tuple[Field, Field, Field]:
    """Signed distance of points (3 x N) to a cube with rounded edges, cut by a ball; with its two parts."""
    q = np.abs(p) - np.float32(0.5 - maker.round_edge)
    most = np.minimum(np.maximum(np.maximum(q[0], q[1]), q[2]), 0)
    np.maximum(q, 0, out=q)
    box = _length(q) + most - np.float32(maker.round_edge)
    if maker.ball > 1:
        return box, box, np.full_like(box, -1)
    ball = _length(p) - np.float32(maker.ball)
    return np.maximum(box, ball), box, ball


def _dot(a: Field, b: Field) -> Field:
    """Of vectors in columns; a sum over three rows written out is several times as fast as one over an axis."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _length(a: Field) -> Field:
    return np.sqrt(_dot(a, a))


Shot = tuple[Field, Field, tuple[int, int, int, int]]


def cast(
    die: Placed, camera: Camera, lights: list[Light], ambient: Field, under: Field, gobo: Field, fine: int
) -> Shot | None:
    """Ray-cast one die over the picture `under`: (colour, coverage, (x0, y0, x1, y1)), or None outside of it.

    `gobo` dims the lamps' light per pixel; `fine` rays each way per pixel. Sphere tracing of a signed distance.
    """
    size = under.shape[0]
    maker = die.style
    top_z = 2 * float(die.centre()[2])
    corners = [(die.x + dx, die.y + dy, z) for dx in (-0.87, 0.87) for dy in (-0.87, 0.87) for z in (0.0, top_z)]
    spots = camera.project(corners)
    x0, y0 = np.maximum(np.floor(spots.min(0)).astype(int), 0)
    x1, y1 = np.minimum(np.ceil(spots.max(0)).astype(int) + 1, size)
    if x1 - x0 < 3 or y1 - y0 < 3:
        return None
    height, width = (y1 - y0) * fine, (x1 - x0) * fine
    xs = x0 + (np.arange(width, dtype=np.float32) + 0.5) / fine - 0.5
    ys = y0 + (np.arange(height, dtype=np.float32) + 0.5) / fine - 0.5
    gx, gy = np.meshgrid(xs, ys)
    ray = np.empty((3, gx.size), np.float32)
    ray[0] = (gx.ravel() - camera.centre[0]) / camera.focal_px
    ray[1] = (gy.ravel() - camera.centre[1]) / camera.focal_px
    ray[2] = 1
    turn = die.turn()
    ray = (camera.rotation @ turn).T @ ray
    ray /= _length(ray)
    origin = (camera.place - die.centre()) @ turn
    along = origin @ ray
    inside = along**2 - (origin @ origin - np.float32(0.87**2))
    alive = np.nonzero(inside > 0)[0]
    if alive.size < 20:
        return None
    d = ray[:, alive]
    t = -along[alive] - np.sqrt(inside[alive])
    for _ in range(8):
        t = t + _distance(origin[:, None] + t * d, maker)[0]
    p = origin[:, None] + t * d
    gap, box, ball = _distance(p, maker)
    keep = gap < 0.015
    alive, d, p, box, ball = alive[keep], d[:, keep], p[:, keep], box[keep], ball[keep]
    rng = np.random.default_rng(die.seed)
    q = np.maximum(np.abs(p) - np.float32(0.5 - maker.round_edge), 0)
    normal = np.sign(p) * q / (_length(q) + np.float32(1e-6))
    if maker.ball < 1:
        normal = np.where(ball > box, p / _length(p), normal)

    albedo, normal, hollow = _skin(die, p, normal, d, rng)
    gy_i = np.minimum(y0 + alive // width // fine, size - 1)
    gx_i = np.minimum(x0 + alive % width // fine, size - 1)
    dim = gobo[gy_i, gx_i]
    out = albedo * (ambient[:, None] * ((0.62 + 0.38 * (turn[2] @ normal)) * (1 - 0.45 * hollow)))
    slant = -_dot(normal, d)
    mirror = 2 * slant * normal + d
    fresnel = 0.25 + 0.75 * (1 - np.abs(slant)) ** 3
    for light in lights:
        to = light.to @ turn
        power = light.power[:, None]
        out += albedo * power * (np.maximum(to @ normal, 0) * dim)
        near = to @ mirror
        spot = 1 / (1 + np.exp(np.clip(-(near - light.cosine) / (light.edge + maker.sharp * 0.3), -30, 30)))
        out += power * (spot * np.float32(maker.gloss * 3) * fresnel * dim)
    out += ambient[:, None] * (np.float32(maker.shine * 0.5) * fresnel)
    if maker.clear > 0:
        blur = cv2.GaussianBlur(under[y0:y1, x0:x1], (0, 0), max(0.6, 0.03 * (x1 - x0)))
        through = blur[(gy_i - y0).clip(0, y1 - y0 - 1), (gx_i - x0).clip(0, x1 - x0 - 1)].T
        facet = rng.uniform(0.4, 1.4, 6).astype(np.float32)[np.abs(p).argmax(0) * 2 + (p.max(0) > -p.min(0))]
        tint = (maker.body / (maker.body.max() + np.float32(1e-3)))[:, None]
        part = maker.clear * (1 - 0.9 * hollow)
        out = out * (1 - part) + part * through * tint * facet * 0.9
    colour = np.zeros((height * width, 3), np.float32)
    cover = np.zeros(height * width, np.float32)
    colour[alive], cover[alive] = out.T, 1
    colour = cv2.resize(colour.reshape(height, width, 3), (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)
    cover = cv2.resize(cover.reshape(height, width), (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)
    return colour, cover, (int(x0), int(y0), int(x1), int(y1))


def _skin(die: Placed, p: Field, normal: Field, d: Field, rng: Rng) -> tuple[Field, Field, Field]:
    """Colour, bent normal and hollowness (0 to 1) of the surface at points `p` (3 x N) of the die's own frame."""
    maker, banks = die.style, textures.bank()
    size = np.abs(p)
    axis = np.where(size[2] >= np.maximum(size[0], size[1]), 2, np.where(size[1] >= size[0], 1, 0))
    side = np.where(np.choose(axis, p) > 0, 1, -1)
    body = maker.body * np.float32(rng.uniform(0.9, 1.1))
    albedo = np.broadcast_to(body[:, None], p.shape).astype(np.float32).copy()
    hollow = np.zeros(p.shape[1], np.float32)
    normal = normal.copy()
    for (which, sign), mark in die.marks.items():
        here = np.nonzero((axis == which) & (side == sign))[0]
        if here.size == 0:
            continue
        iu, iv = [(1, 2), (0, 2), (0, 1)][which]
        u, v = p[iu, here], p[iv, here]
        tone = np.zeros_like(u)
        if maker.kind == "wood":
            if rng.random() < 0.25:  # end grain
                away = np.hypot(u - rng.uniform(-2, 2), v - rng.uniform(-2, 2))
                tone = np.sin(away * rng.uniform(25, 70)) * 0.7
            tone = tone + textures.sample(banks["streak"][rng.integers(6)], u, v, rng.uniform(60, 260), rng)
        elif maker.kind in ("marble", "pearl"):
            bank = banks["vein" if maker.kind == "marble" else "soft"]
            tone = textures.sample(bank[rng.integers(6)], u, v, rng.uniform(60, 200), rng)
        elif maker.kind == "speck":
            tone = textures.sample(banks["speck"][rng.integers(3)], u, v, rng.uniform(120, 300), rng) * rng.choice(
                [-1, 1]
            )
        elif rng.random() < 0.5:
            tone = 0.15 * textures.sample(banks["soft"][rng.integers(6)], u, v, rng.uniform(40, 400), rng)
        albedo[:, here] *= np.exp(np.float32(maker.grain) * tone).astype(np.float32)
        if mark.glyph is not None:
            gu = ((u + 0.5) * 128).astype(np.int32).clip(0, 127)
            gv = ((v + 0.5) * 128).astype(np.int32).clip(0, 127)
            ink = mark.glyph[gv, gu]
            albedo[:, here] = albedo[:, here] * (1 - ink) + maker.pip[:, None] * ink
            continue
        if maker.clear > 0 and (which, sign) == (2, 1):
            _show_bottom(die, here, u, v, d[:, here], albedo, rng)
        ink_tone = maker.ace_colour if mark.value == 1 else maker.pip
        for pu, pv, radius in mark.pips:
            away = np.hypot(u - pu, v - pv)
            inner = np.nonzero(away < radius)[0]
            if inner.size == 0:
                continue
            at = here[inner]
            paint = np.ones(inner.size, np.float32)
            if maker.worn:
                loss = textures.sample(banks["soft"][rng.integers(6)], u[inner], v[inner], 300, rng)
                paint = np.clip(1 - maker.worn * (loss > 0.4), 0, 1).astype(np.float32)
            if maker.soft:
                paint = paint * np.clip((1 - away[inner] / radius) / maker.soft, 0, 1).astype(np.float32)
            if maker.ring:
                paint = paint * np.where(away[inner] > radius * 0.75, 1 - maker.ring, 1).astype(np.float32)
            albedo[:, at] = albedo[:, at] * (1 - paint) + ink_tone[:, None] * paint
            hollow[at] = np.float32(min(1.0, 0.35 + maker.depth))
            if maker.depth:
                bent = normal[:, at]
                bent[iu] -= (u[inner] - pu) / radius * maker.depth
                bent[iv] -= (v[inner] - pv) / radius * maker.depth
                normal[:, at] = bent / _length(bent)
    return albedo, normal, hollow


def _show_bottom(
    die: Placed, here: npt.NDArray[np.intp], u: Field, v: Field, d: Field, albedo: Field, rng: Rng
) -> None:
    """Let the pips of the bottom face shine through a clear die, at the place where refraction (1.49) shows them."""
    maker = die.style
    bent = d[:2] / 1.49
    down = np.sqrt(np.maximum(1 - bent[0] ** 2 - bent[1] ** 2, 0.2))
    bu, bv = u + bent[0] / down, v + bent[1] / down
    strength, soft = rng.uniform(0.1, 0.6), rng.uniform(0.01, 0.06)
    for pu, pv, radius in die.marks[(2, -1)].pips:
        away = np.hypot(bu - pu, bv - pv)
        ink = strength * np.clip((radius - away) / soft, 0, 1).astype(np.float32)
        albedo[:, here] = albedo[:, here] * (1 - ink) + maker.pip[:, None] * ink
