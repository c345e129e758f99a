"""How simulated dice move: where they come to rest, and the way there.

Room: hardware, part of the simulated tray. Times and lengths are handed in; it draws nothing and knows no game.

A throw is made backwards: first the pose at rest, then the way that leads there. Dice slow down by friction alone, so
`s` seconds before rest a die is a s^2 / 2 away; it tumbles about a level axis and slides the last bit flat. That is no
physics of collisions: of several ways to the same place one is taken on which a die meets no other, thrown or lying,
and where the tray is so full that there is none, the one with the shortest meeting. In some throws two dice hit each
other on their way and part in other directions. At rest dice may touch, and never overlap.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from hardware.sim_dice import Pose, flat_rotation, resting_height_cm, rotation_about

_OTHER_WAYS = 16
_HITS = 0.3
"""In so many throws two dice hit each other."""
_APART = 1.15
"""Dice that hit each other are so many edges apart, middle to middle."""
_STEP_S = 0.03
_INWARD = {"near": (0.0, 1.0), "far": (0.0, -1.0), "left": (1.0, 0.0), "right": (-1.0, 0.0)}


@dataclass(frozen=True, slots=True)
class Field:
    """The felt that dice may lie on, in cm from the middle: `half_width_cm` to the sides, `half_height_cm` up and
    down, inside the rim."""

    half_width_cm: float
    half_height_cm: float


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a die lies: middle (cm), `yaw` (radians), and for a cocked die its `tilt` (radians) towards `lean`."""

    x: float
    y: float
    yaw: float
    tilt: float = 0.0
    lean: float = 0.0

    def pose(self, value: int, edge_cm: float) -> Pose:
        """The pose of a die that lies here and shows `value`."""
        rotation = flat_rotation(value, self.yaw)
        if self.tilt:
            axis = (-math.sin(self.lean), math.cos(self.lean))
            rotation = rotation_about(axis, self.tilt) @ rotation
        return Pose((self.x, self.y, resting_height_cm(rotation, edge_cm)), rotation)


@dataclass(frozen=True, slots=True)
class Way:
    """How one die gets to its `spot`. Times are seconds of the camera's clock.

    `direction` is where it comes to rest from (of length 1), `slowing` its friction in cm/s^2, `slide_cm` the last bit
    that it slides flat, `roll` its turns about the level axis in radians a cm, `spin` radians a cm about the upright
    one, `hop_cm` and `hop_s` height and length of its bounces, `rock` the tilt (radians) with which it rocks for a
    moment when it comes to lie. `hit_s` seconds before rest it hit another die; until then it came from `came_from`.
    """

    spot: Spot
    value: int
    edge_cm: float
    begin_s: float
    rest_s: float
    direction: tuple[float, float]
    slowing: float
    slide_cm: float
    roll: float
    spin: float
    hop_cm: float
    hop_s: float
    rock: float = 0.0
    hit_s: float = math.inf
    came_from: tuple[float, float] = (0.0, 0.0)

    def middle(self, t: float) -> tuple[float, float, float]:
        """Where its middle is at time `t` in cm, and how high it hops."""
        s = max(0.0, self.rest_s - t)
        x, y = self._off(0.5 * self.slowing * s * s)
        return self.spot.x + x, self.spot.y + y, self._hop_cm(s)

    def _off(self, gone_cm: float) -> tuple[float, float]:
        """How far from its spot it is where so much of its way lies before it."""
        before = 0.0 if math.isinf(self.hit_s) else max(0.0, gone_cm - 0.5 * self.slowing * self.hit_s**2)
        after = gone_cm - before
        return (
            self.direction[0] * after + self.came_from[0] * before,
            self.direction[1] * after + self.came_from[1] * before,
        )

    def _hop_cm(self, s: float) -> float:
        airborne_s = s - math.sqrt(2 * self.slide_cm / self.slowing) - 0.05
        if airborne_s <= 0:
            return 0.0
        return self.hop_cm * abs(math.sin(math.pi * airborne_s / self.hop_s)) * min(1.0, airborne_s / 0.5)

    def pose(self, t: float) -> Pose:
        """The pose at time `t`; from `rest_s` on it is the same for ever."""
        s = self.rest_s - t
        if s <= 0:
            return self.spot.pose(self.value, self.edge_cm)
        gone_cm = 0.5 * self.slowing * s * s
        rotation = flat_rotation(self.value, self.spot.yaw + self.spin * gone_cm)
        if self.spot.tilt:
            axis = (-math.sin(self.spot.lean), math.cos(self.spot.lean))
            rotation = rotation_about(axis, self.spot.tilt) @ rotation
        angle = self.roll * max(0.0, gone_cm - self.slide_cm)
        if angle == 0.0 and self.rock:
            angle = self.rock * s * s / (s * s + 0.01) * math.sin(2 * math.pi * s / 0.11)
        x, y = self.direction if s < self.hit_s else self.came_from
        rotation = rotation_about((-y, x), -angle) @ rotation
        x, y, hop = self.middle(t)
        return Pose((x, y, resting_height_cm(rotation, self.edge_cm) + hop), rotation)


@dataclass(frozen=True, slots=True)
class Reach:
    """A hand's way in from one `side`: points (time, x, y) in s and cm, the first and the last of them out of view."""

    points: tuple[tuple[float, float, float], ...]
    side: str

    def at(self, t: float) -> tuple[float, float] | None:
        """Where the fingertips are at time `t`, in cm; None while it is away."""
        for (t0, x0, y0), (t1, x1, y1) in zip(self.points, self.points[1:], strict=False):
            if t0 <= t < t1:
                share = (t - t0) / (t1 - t0)
                share = share * share * (3 - 2 * share)
                return x0 + (x1 - x0) * share, y0 + (y1 - y0) * share
        return None


def place(
    rng: random.Random,
    lying: Sequence[Spot],
    count: int,
    field: Field,
    edge_cm: float,
    touching: float = 0.0,
    free: Callable[[Spot], bool] = lambda spot: True,
) -> list[Spot]:
    """Spots for `count` more dice that overlap neither each other nor those that are `lying`.

    `touching`, 0 to 1, is how likely a die comes to lie against another; `free` says where one may lie. Raises
    ValueError if there is no room.
    """
    spots: list[Spot] = []
    for _ in range(count):
        others = [*lying, *spots]
        for attempt in range(2000):
            yaw = rng.uniform(0.0, 2 * math.pi)
            if others and attempt < 50 and rng.random() < touching:
                spot = _against(rng, rng.choice(others), yaw, edge_cm)
            else:
                room = edge_cm * 0.85
                spot = Spot(
                    rng.uniform(-field.half_width_cm + room, field.half_width_cm - room),
                    rng.uniform(-field.half_height_cm + room, field.half_height_cm - room),
                    yaw,
                )
                # Apart, unless it is packed.
                if attempt < 1000 and any(math.hypot(spot.x - o.x, spot.y - o.y) < 1.6 * edge_cm for o in others):
                    continue
            if not (_inside(spot, field, edge_cm) and free(spot)):
                continue
            if not any(overlap(spot, other, edge_cm) for other in others):
                spots.append(spot)
                break
        else:
            raise ValueError(f"no room for {count} dice of {edge_cm} cm")
    return spots


def cock(rng: random.Random, spot: Spot, others: Sequence[Spot]) -> Spot:
    """The same die, but leaning: against the nearest of the `others`, or on its own if there is none."""
    lean = rng.uniform(0.0, 2 * math.pi)
    if others:
        near = min(others, key=lambda other: math.hypot(spot.x - other.x, spot.y - other.y))
        lean = math.atan2(near.y - spot.y, near.x - spot.x)
    return Spot(spot.x, spot.y, spot.yaw, tilt=rng.uniform(0.35, 0.7), lean=lean)


def ways(
    rng: random.Random,
    spots: Sequence[Spot],
    values: Sequence[int],
    begin_s: float,
    field: Field,
    edge_cm: float,
    lying: Sequence[Spot] = (),
) -> list[Way]:
    """The dice thrown by one hand from the near side, the first let go at `begin_s`; all start out of the picture.

    `lying` are dice that stay in the tray.
    """
    hand = (rng.uniform(-0.5, 0.5) * field.half_width_cm, -field.half_height_cm * 1.3 - 4.0)
    found: list[Way] = []
    for n, (spot, value) in enumerate(zip(spots, values, strict=True)):
        way = _way(rng, spot, value, begin_s, hand, edge_cm)
        met_s = _meeting_s(way, found, lying)
        for attempt in range(_OTHER_WAYS):
            if not met_s:
                break
            # Numbers of its own, so that a way that is changed changes no die's value or place.
            other = _way(random.Random(f"{begin_s}/{n}/{attempt}"), spot, value, begin_s, hand, edge_cm)
            other_s = _meeting_s(other, found, lying)
            if other_s < met_s:
                way, met_s = other, other_s
        found.append(way)
    # Numbers of its own: that dice hit each other must not change what they show and where they lie.
    chance = random.Random(f"{begin_s}/{spots[0].x if spots else 0}/hit")
    if len(found) > 1 and chance.random() < _HITS:
        _hit(chance, found, begin_s, hand, field, lying)
    return found


def _hit(
    rng: random.Random,
    ways: list[Way],
    begin_s: float,
    hand: tuple[float, float],
    field: Field,
    lying: Sequence[Spot],
) -> None:
    """Let two of the dice hit each other on their way, where there is room for it."""
    for _ in range(_OTHER_WAYS):
        pair = rng.sample(range(len(ways)), 2)
        others = [way for n, way in enumerate(ways) if n not in pair]
        a, b = (ways[n].spot for n in pair)
        apart = math.hypot(a.x - b.x, a.y - b.y)
        share, toward = rng.uniform(0.3, 0.7), rng.uniform(0.2, 0.5)
        x = (a.x * share + b.x * (1 - share)) * (1 - toward) + hand[0] * toward
        y = (a.y * share + b.y * (1 - share)) * (1 - toward) + hand[1] * toward
        if not _inside(Spot(x, y, 0.0), field, ways[0].edge_cm) or apart < 3 * ways[0].edge_cm:
            continue
        half = _APART * ways[0].edge_cm / 2 / apart
        bent = []
        for n, side in zip(pair, (1, -1), strict=True):
            dx, dy = side * (a.x - b.x) * half, side * (a.y - b.y) * half
            bent.append(_bent(ways[n], (x + dx, y + dy), (hand[0] + 2.5 * dx, hand[1] + 2.5 * dy)))
        # They are where they meet at the same time; the first of the two leaves the hand when the throw begins.
        late = [way.rest_s - way.hit_s for way in bent]
        bent = [_later(way, max(late) - own) for way, own in zip(bent, late, strict=True)]
        bent = [_later(way, begin_s - min(way.begin_s for way in bent)) for way in bent]
        turned = [w.direction[0] * w.came_from[0] + w.direction[1] * w.came_from[1] for w in bent]
        meets = _meeting_s(bent[0], [bent[1]], ()) or any(_meeting_s(way, others, lying) for way in bent)
        if min(turned) > -0.3 and not meets:
            for n, way in zip(pair, bent, strict=True):
                ways[n] = way
            return


def _bent(way: Way, at: tuple[float, float], hand: tuple[float, float]) -> Way:
    """The same die to the same spot by way of a place, where it hits another."""
    last_cm = math.hypot(at[0] - way.spot.x, at[1] - way.spot.y)
    first_cm = math.hypot(hand[0] - at[0], hand[1] - at[1])
    return replace(
        way,
        rest_s=way.begin_s + math.sqrt(2 * (first_cm + last_cm) / way.slowing),
        direction=((at[0] - way.spot.x) / last_cm, (at[1] - way.spot.y) / last_cm),
        slide_cm=min(way.slide_cm, 0.5 * last_cm),
        hit_s=math.sqrt(2 * last_cm / way.slowing),
        came_from=((hand[0] - at[0]) / first_cm, (hand[1] - at[1]) / first_cm),
    )


def _later(way: Way, by_s: float) -> Way:
    return replace(way, begin_s=way.begin_s + by_s, rest_s=way.rest_s + by_s)


def _way(rng: random.Random, spot: Spot, value: int, begin_s: float, hand: tuple[float, float], edge_cm: float) -> Way:
    from_x, from_y = hand[0] + rng.uniform(-3.0, 3.0), hand[1]
    distance = math.hypot(from_x - spot.x, from_y - spot.y)
    slowing = rng.uniform(55.0, 130.0)
    start_s = begin_s + rng.uniform(0.0, 0.2)
    return Way(
        spot=spot,
        value=value,
        edge_cm=edge_cm,
        begin_s=start_s,
        rest_s=start_s + math.sqrt(2 * distance / slowing),
        direction=((from_x - spot.x) / distance, (from_y - spot.y) / distance),
        slowing=slowing,
        slide_cm=rng.uniform(0.1, 1.2),
        roll=rng.uniform(0.5, 0.95) / edge_cm * 1.6,
        spin=rng.uniform(-0.12, 0.12),
        hop_cm=rng.uniform(0.2, 1.6),
        hop_s=rng.uniform(0.12, 0.25),
        rock=rng.choice((0.0, 0.0, 0.0, rng.uniform(0.03, 0.12))),
    )


def _meeting_s(way: Way, others: Sequence[Way], lying: Sequence[Spot]) -> float:
    """For how many seconds a die on this way shares room with others."""
    edge_cm = way.edge_cm
    met = 0
    steps = max(1, math.ceil((way.rest_s - way.begin_s) / _STEP_S))
    for k in range(steps):
        t = way.rest_s - k * _STEP_S
        x, y, hop = way.middle(t)
        there = [other.middle(t) for other in others if t >= other.begin_s]
        there += [(spot.x, spot.y, 0.0) for spot in lying]
        # Dice that lie against each other in the end come near each other by right.
        near = edge_cm * min(1.05, 0.75 + 0.05 * k)
        met += any(math.hypot(x - ox, y - oy) < near and abs(hop - oh) < edge_cm for ox, oy, oh in there)
    return met * _STEP_S


def push(
    rng: random.Random,
    spot: Spot,
    value: int,
    others: Sequence[Spot],
    field: Field,
    edge_cm: float,
    begin_s: float,
) -> Way:
    """A die that lies at `spot` and is pushed by another one at `begin_s`, a third of its edge at most.

    Where there is no room among `others` it stays where it is.
    """
    lasts_s = 0.12
    for _ in range(50):
        angle, far_cm = rng.uniform(0.0, 2 * math.pi), rng.uniform(0.1, 0.33) * edge_cm
        new = Spot(
            spot.x + far_cm * math.cos(angle), spot.y + far_cm * math.sin(angle), spot.yaw + rng.uniform(-0.2, 0.2)
        )
        if _inside(new, field, edge_cm) and not any(overlap(new, other, edge_cm) for other in others):
            break
    else:
        new, far_cm, angle = spot, 0.01, 0.0
    return Way(
        spot=new,
        value=value,
        edge_cm=edge_cm,
        begin_s=begin_s,
        rest_s=begin_s + lasts_s,
        direction=(-math.cos(angle), -math.sin(angle)),
        slowing=2 * far_cm / lasts_s**2,
        slide_cm=far_cm,
        roll=0.0,
        spin=(spot.yaw - new.yaw) / far_cm,
        hop_cm=0.0,
        hop_s=1.0,
    )


def reach(
    rng: random.Random,
    t: float,
    targets: Sequence[tuple[float, float]],
    dwell_s: float,
    side: str,
    size_cm: tuple[float, float],
) -> tuple[Reach, list[float]]:
    """A hand that comes in from `side` at time `t`, rests `dwell_s` at each of `targets` (cm) and leaves.

    `size_cm` is how much the picture sees. Also returns when it is at each target, at mid-rest. Raises KeyError for a
    side that is none of `near`, `far`, `left`, `right`.
    """
    in_x, in_y = _INWARD[side]
    out_cm = (size_cm[0] if in_x else size_cm[1]) / 2 + 3.0

    def out_at(x: float, y: float, spread: float) -> tuple[float, float]:
        along = (x if in_y else y) * 0.8 + spread
        return (along, -in_y * out_cm) if in_y else (-in_x * out_cm, along)

    points = [(t, *out_at(*targets[0], rng.uniform(-2.0, 2.0)))]
    times = []
    for target_x, target_y in targets:
        # The die comes under the fingers, not under their tips.
        x, y = target_x + 1.2 * in_x, target_y + 1.2 * in_y
        _, last_x, last_y = points[-1]
        go_s = max(0.12, math.hypot(x - last_x, y - last_y) / 45.0)
        points += [(points[-1][0] + go_s, x, y), (points[-1][0] + go_s + dwell_s, x, y)]
        times.append(points[-1][0] - dwell_s / 2)
    points.append((points[-1][0] + 0.35, *out_at(points[-1][1], points[-1][2], 0.0)))
    return Reach(tuple(points), side), times


def overlap(a: Spot, b: Spot, edge_cm: float) -> bool:
    """Whether two dice would share room: their squares seen from above, by separating axes."""
    dx, dy = b.x - a.x, b.y - a.y
    if math.hypot(dx, dy) >= edge_cm * math.sqrt(2):
        return False
    for yaw in (a.yaw, b.yaw):
        for axis in (yaw, yaw + math.pi / 2):
            gap = abs(dx * math.cos(axis) + dy * math.sin(axis))
            if gap >= _reach(a, axis, edge_cm) + _reach(b, axis, edge_cm):
                return False
    return True


def _reach(spot: Spot, axis: float, edge_cm: float) -> float:
    return edge_cm / 2 * (abs(math.cos(spot.yaw - axis)) + abs(math.sin(spot.yaw - axis)))


def _against(rng: random.Random, other: Spot, yaw: float, edge_cm: float) -> Spot:
    if rng.random() < 0.5:
        yaw = other.yaw + rng.choice((0.0, math.pi / 2)) + rng.uniform(-0.03, 0.03)
    side = rng.uniform(0.0, 2 * math.pi)
    distance = edge_cm * 0.98
    while True:
        spot = Spot(other.x + distance * math.cos(side), other.y + distance * math.sin(side), yaw)
        if not overlap(spot, other, edge_cm):
            return spot
        distance += 0.01 * edge_cm


def _inside(spot: Spot, field: Field, edge_cm: float) -> bool:
    room = edge_cm * 0.75
    return abs(spot.x) <= field.half_width_cm - room and abs(spot.y) <= field.half_height_cm - room
