"""The simulated tray: dice, a hand that takes and throws them, and the orders that it obeys.

Room: hardware. The only place in the whole table where something decides what a die shows. It knows no game and no
score; it is told how many dice to throw and which faces stay. Times are the camera's, handed in; the same seed and the
same orders give the same dice, whatever the frame rate.
"""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from hardware import sim_motion
from hardware.sim_dice import STYLES, Lens, Pose, Sprite, draw_die, draw_shadow, smeared, top_corners
from hardware.sim_motion import Field, Reach, Spot, Way
from hardware.sim_scene import (
    LAMPS,
    Cutout,
    Setting,
    draw_crossing,
    draw_hand,
    draw_marks,
    draw_phone,
    draw_thing,
    draw_tray,
)
from hardware.sim_strip import Strip
from hardware.sim_truth import Lie, TrueDie, Truth
from vision.types import Image

_EXPOSURE_S = 1 / 60
_PICTURE_CM = 37.0
_LENS_CM = 48.0
_RIM_CM = (1.5, 1.2)
_SAME_PLACE = 0.03
_STAYING = "staying"
"""In an order that the tray gives itself: the dice that stay."""


@dataclass(slots=True, eq=False)
class _Die:
    value: int
    spot: Spot
    bright: float
    way: Way | None = None

    def moving(self, t: float) -> bool:
        return self.way is not None and t < self.way.rest_s

    def pose(self, t: float, edge_cm: float) -> Pose:
        return self.way.pose(t) if self.way is not None else self.spot.pose(self.value, edge_cm)


@dataclass(slots=True)
class _Habits:
    """How often things happen that players curse, as shares of throws."""

    touching: float = 0.12
    cocked: float = 0.015


@dataclass(slots=True)
class _Plan:
    """What is going to happen: actions by time, and when the next order may begin."""

    actions: list[tuple[float, Callable[[], None]]] = field(default_factory=list)
    free_s: float = float("-inf")


class SimTray:
    """A tray of `width` x `height` pixels. `setting` says what it looks like.

    `lying` are dice that lie in it at the start, as values or with their places. `life` is another number for every
    time that the same tray is made anew, so that it does not throw the same dice again. `touching` is how likely a
    thrown die comes to rest against another, `cocked` how likely one die of a throw leans. `marks`: printed marks lie
    on its rim.
    """

    def __init__(
        self,
        setting: Setting,
        *,
        seed: int = 0,
        life: int = 0,
        width: int = 1280,
        height: int = 720,
        touching: float = 0.12,
        cocked: float = 0.015,
        lying: Sequence[int | Lie] = (),
        marks: bool = False,
    ) -> None:
        self.setting = setting
        self.lens = Lens(width, height, width / _PICTURE_CM, _LENS_CM)
        self._field = Field(width / 2 / self.lens.px_per_cm - _RIM_CM[0], height / 2 / self.lens.px_per_cm - _RIM_CM[1])
        self._lamp = LAMPS[setting.lamp]
        self._seed = seed
        self._chance = f"{seed}.{life}" if life else str(seed)
        self._habits = _Habits(touching, cocked)
        self._hands: dict[str, Cutout] = {}
        self._side = "near"
        self._things: dict[str, tuple[Cutout, float, float]] = {}
        self._dice: list[_Die] = []
        self._orders: deque[tuple[str, Mapping[str, Any]]] = deque()
        self._plan = _Plan()
        self._reaches: list[Reach] = []
        self._crossing: tuple[Callable[[Image, float], None], float, float] | None = None
        self._throws = 0
        self._count = 0
        self._last: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
        self._still: tuple[Any, Image] | None = None
        self._marks = marks
        self._draw_empty()
        if lying:
            rng = self._random("lying")
            placed = [(lie[0], self._spot_of(lie)) for lie in lying if not isinstance(lie, int)]
            values = [value for value in lying if isinstance(value, int)]
            there = [spot for _, spot in placed]
            spots = sim_motion.place(rng, there, len(values), self._field, setting.edge_cm, touching)
            lies = [*placed, *zip(values, spots, strict=True)]
            self._dice = [self._new(value, spot, rng) for value, spot in lies]

    # Orders

    def order(self, name: str, args: Mapping[str, Any]) -> None:
        """An order, carried out when those before it are done. Unknown ones are ignored.

        `throw`: `dice` lie in the tray afterwards; `kept` are the faces that stay lying, `places` where some of them
        are in shares of the picture (or `kept_at` their numbers in `truth.dice`); a hand takes the others out and
        throws again. With a `strip`, a polygon in shares of the picture, it first lays the kept ones in there.
        `values` forces what is thrown (the thrown dice, or all of them); `cocked` is how many of them lean; `hand`
        False: no hand is seen. `clear`: a hand takes all dice. `hand`: one reaches in and rests for
        `seconds`. `lift`: it picks up `dice` dice and lays them back. `turn`: it turns the die at place `at` to
        `value`. `tap`: it taps what leans flat. `put`: a `thing` (`glass`, `coin`) comes in; `take`: it goes.
        `shadow`, `phone`: a shadow or the light of a phone crosses for `seconds`.

        Hands come from the `side` given: `near` (the lower border, if it is left out), `far`, `left` or `right`. In a
        throw `nudge` is how many of the kept dice are pushed a little, and `knock_over` how many are turned to another
        face.
        """
        if name in self._handlers():
            self._orders.append((name, dict(args)))

    @property
    def busy(self) -> bool:
        """Whether an order is still being carried out, as of the last `step`."""
        return bool(self._orders or self._plan.actions)

    def knock(self, right_px: float, down_px: float) -> None:
        """The camera was knocked: from now on the picture is moved by so much."""
        self.lens = replace(self.lens, shift_px=(right_px, down_px))
        self._draw_empty()

    def step(self, t: float) -> None:
        """Let everything happen that is due by time `t` in seconds. Time must not run backwards."""
        while True:
            while self._plan.actions and self._plan.actions[0][0] <= t:
                self._plan.actions.pop(0)[1]()
            if self._plan.actions or not self._orders or self._plan.free_s > t:
                break
            name, args = self._orders.popleft()
            self._count += 1
            self._side = str(args.get("side", "near"))
            self._handlers()[name](t, args, self._random(str(self._count)))
            self._plan.actions.sort(key=lambda action: action[0])
        self._reaches = [reach for reach in self._reaches if reach.points[-1][0] > t]
        if self._crossing is not None and t >= self._crossing[2]:
            self._crossing = None

    def _handlers(self) -> dict[str, Callable[[float, Mapping[str, Any], random.Random], None]]:
        return {
            "throw": self._throw,
            "clear": self._clear,
            "hand": self._rest_hand,
            "lift": self._lift,
            "turn": self._turn,
            "tap": self._tap,
            "put": self._put,
            "take": self._take,
            "shadow": partial(self._cross, draw_crossing),
            "phone": partial(self._cross, draw_phone),
        }

    def _throw(self, t: float, args: Mapping[str, Any], rng: random.Random) -> None:
        staying = self._kept(args)
        going = [die for die in self._dice if die not in staying]
        count = max(0, int(args.get("dice", 5)) - len(staying))
        strip = self._strip(args)
        if strip is not None and self._lay_in(t, strip, [die for die in staying if not strip.holds(die.spot)], rng):
            self._orders.appendleft(("throw", {**args, _STAYING: staying}))
            return
        if going and args.get("hand", True):
            t = self._fetch(t, going, rng)
        else:
            self._do(t, lambda: self._remove(going))
        if count == 0:
            return
        t += rng.uniform(0.35, 0.8)
        values, forced = self._values(args, count, staying, rng)
        edge_cm = self.setting.edge_cm
        spots = sim_motion.place(
            rng,
            [die.spot for die in staying],
            count,
            self._field,
            edge_cm,
            self._habits.touching,
            (lambda spot: strip.clear_of(spot, edge_cm)) if strip is not None else (lambda spot: True),
        )
        leaning = int(args.get("cocked", 0 if forced else rng.random() < self._habits.cocked))
        for n in range(min(leaning, count)):
            others = [die.spot for die in staying] + [spot for k, spot in enumerate(spots) if k != n]
            spots[n] = sim_motion.cock(rng, spots[n], others)
        staying_at = [die.spot for die in staying]
        ways = sim_motion.ways(rng, spots, values, t, self._field, self.setting.edge_cm, staying_at)
        thrown = [self._new(way.value, way.spot, rng, way) for way in ways]
        self._do(t, lambda: self._dice.extend(thrown))
        self._disturb(staying, ways, args)
        self._do(max(way.rest_s for way in ways), lambda: self._at_rest(staying, thrown))

    def _disturb(self, staying: list[_Die], ways: Sequence[Way], args: Mapping[str, Any]) -> None:
        """Dice that were thrown push dice that stayed, or turn them over."""
        # Numbers of its own: that a die is pushed must not change what the thrown ones show.
        rng = self._random(f"{self._count}/disturb")
        nudged, turned = int(args.get("nudge", 0)), int(args.get("knock_over", 0))
        pushed = list(staying)[: nudged + turned]
        for n, die in enumerate(pushed):
            others = [other.spot for other in staying if other is not die] + [way.spot for way in ways]
            value = (
                die.value if n < nudged else rng.choice([v for v in range(1, 7) if v not in (die.value, 7 - die.value)])
            )
            way = sim_motion.push(rng, die.spot, value, others, self._field, self.setting.edge_cm, ways[0].rest_s - 0.3)
            self._do(way.begin_s, partial(self._shove, die, way))
            if n >= nudged:
                staying.remove(die)

    def _clear(self, t: float, args: Mapping[str, Any], rng: random.Random) -> None:
        if self._dice:
            self._fetch(t, list(self._dice), rng)

    def _rest_hand(self, t: float, args: Mapping[str, Any], rng: random.Random) -> None:
        x = rng.uniform(-0.6, 0.6) * self._field.half_width_cm
        y = rng.uniform(-0.4, 0.3) * self._field.half_height_cm
        self._reach(t, [(x, y)], rng, float(args.get("seconds", 1.0)))

    def _lift(self, t: float, args: Mapping[str, Any], rng: random.Random) -> None:
        dice = list(self._dice)[: int(args.get("dice", len(self._dice)))]
        if not dice:
            return
        t = self._fetch(t, dice, rng) + rng.uniform(0.3, 0.6)
        lying = [die.spot for die in self._dice if die not in dice]
        spots = sim_motion.place(rng, lying, len(dice), self._field, self.setting.edge_cm)
        back = [self._new(die.value, spot, rng) for die, spot in zip(dice, spots, strict=True)]
        times = self._reach(t, [(die.spot.x, die.spot.y) for die in back], rng, 0.12)
        for when, die in zip(times, back, strict=True):
            self._do(when, partial(self._dice_back, die))

    def _turn(self, t: float, args: Mapping[str, Any], rng: random.Random) -> None:
        if not self._dice:
            return
        die = self._dice[int(args.get("at", 0)) % len(self._dice)]
        value = int(args.get("value", rng.choice([v for v in range(1, 7) if v not in (die.value, 7 - die.value)])))
        (when,) = self._reach(t, [(die.spot.x, die.spot.y)], rng, 0.15)
        self._do(when, lambda: self._lay(die, value, replace(die.spot, yaw=die.spot.yaw + rng.uniform(-0.2, 0.2))))

    def _tap(self, t: float, args: Mapping[str, Any], rng: random.Random) -> None:
        leaning = [die for die in self._dice if die.spot.tilt]
        times = self._reach(t, [(die.spot.x, die.spot.y) for die in leaning], rng, 0.1) if leaning else []
        for when, die in zip(times, leaning, strict=True):
            self._do(when, partial(self._lay, die, die.value, replace(die.spot, tilt=0.0)))

    def _put(self, t: float, args: Mapping[str, Any], rng: random.Random) -> None:
        kind = str(args.get("thing", "glass"))
        x, y = self._room(rng, 4.6)
        x, y = float(args.get("x", x)), float(args.get("y", y))
        cutout = draw_thing(kind, self.lens, self._lamp)
        (when,) = self._reach(t, [(x, y)], rng, 0.15)
        self._do(when, lambda: self._things.update({kind: (cutout, x, y)}))

    def _take(self, t: float, args: Mapping[str, Any], rng: random.Random) -> None:
        for kind, (_, x, y) in list(self._things.items()):
            (when,) = self._reach(t, [(x, y)], rng, 0.15)
            self._do(when, partial(self._clear_away, kind))

    def _cross(
        self, draw: Callable[[Image, float], None], t: float, args: Mapping[str, Any], rng: random.Random
    ) -> None:
        end_s = t + float(args.get("seconds", 1.5))
        self._crossing = (draw, t, end_s)
        self._do(end_s, lambda: None)

    def _strip(self, args: Mapping[str, Any]) -> Strip | None:
        points = [self._spot_of((1, float(x), float(y), 0.0)) for x, y in args.get("strip") or ()]
        return Strip(tuple((p.x, p.y) for p in points)) if points else None

    def _lay_in(self, t: float, strip: Strip, dice: Sequence[_Die], rng: random.Random) -> bool:
        """A hand lays dice into the strip, as far as there is room. Is any on its way there now?"""
        spots = [die.spot for die in self._dice]
        moves: list[tuple[_Die, Spot]] = []
        for die in dice:
            new = strip.place(rng, spots, self._field, self.setting.edge_cm)
            if new is not None:
                moves.append((die, new))
                spots.append(new)
        ways = [(spot.x, spot.y) for die, new in moves for spot in (die.spot, new)]
        times = self._reach(t, ways, rng, 0.1) if ways else []
        for n, (die, new) in enumerate(moves):
            self._do(times[2 * n], partial(self._remove, [die]))
            self._do(times[2 * n + 1], partial(self._put_down, die, new))
        return bool(moves)

    def _put_down(self, die: _Die, spot: Spot) -> None:
        self._lay(die, die.value, spot)
        self._dice.append(die)

    def _kept(self, args: Mapping[str, Any]) -> list[_Die]:
        if _STAYING in args:
            return list(args[_STAYING])
        if "kept_at" in args:
            return [self._dice[int(n)] for n in args["kept_at"] if int(n) < len(self._dice)]
        faces = [int(face) for face in args.get("kept", ())]
        count = len(faces)
        # A place says more than a face: two dice may show the same, and one may have been misread.
        staying: list[_Die] = []
        for x, y in args.get("places", ()):
            near = [(self._share_off(die, x, y), n) for n, die in enumerate(self._dice) if die not in staying]
            if near and min(near)[0] < _SAME_PLACE:
                staying.append(self._dice[min(near)[1]])
        for die in staying:
            if die.value in faces:
                faces.remove(die.value)
        for die in self._dice:
            if len(staying) < count and die not in staying and not die.spot.tilt and die.value in faces:
                faces.remove(die.value)
                staying.append(die)
        return staying

    def _share_off(self, die: _Die, x: float, y: float) -> float:
        """How far from a place, in shares of the picture, the top face of a die lies."""
        edge_cm = self.setting.edge_cm
        corners = top_corners(die.value, die.spot.pose(die.value, edge_cm), edge_cm, self.lens)
        die_x, die_y = (sum(corner[k] for corner in corners) / 4 for k in (0, 1))
        return math.hypot(die_x / self.lens.width_px - x, die_y / self.lens.height_px - y)

    def _values(
        self, args: Mapping[str, Any], count: int, staying: Sequence[_Die], rng: random.Random
    ) -> tuple[list[int], bool]:
        rolled = [rng.randint(1, 6) for _ in range(count)]
        wanted = args.get("values")
        if wanted is None:
            return rolled, False
        values = [int(value) for value in wanted]
        if len(values) != count:
            for die in staying:
                if die.value in values:
                    values.remove(die.value)
        if len(values) != count or not all(1 <= value <= 6 for value in values):
            raise ValueError(f"values {list(wanted)} don't fit a throw of {count} dice")
        return values, True

    def _do(self, t: float, action: Callable[[], None]) -> None:
        self._plan.actions.append((t, action))
        self._plan.free_s = max(self._plan.free_s, t)

    def _fetch(self, t: float, dice: Sequence[_Die], rng: random.Random) -> float:
        """A hand takes `dice` out; returns when it is gone."""
        ordered = sorted(dice, key=lambda die: die.spot.x)
        times = self._reach(t, [(die.spot.x, die.spot.y) for die in ordered], rng, 0.08)
        for when, die in zip(times, ordered, strict=True):
            self._do(when, partial(self._remove, [die]))
        return self._plan.free_s

    def _reach(
        self, t: float, targets: Sequence[tuple[float, float]], rng: random.Random, dwell_s: float
    ) -> list[float]:
        """A hand goes to each of `targets` (cm), rests there and leaves; returns when it is at each, at mid-rest."""
        size_cm = (self.lens.width_px / self.lens.px_per_cm, self.lens.height_px / self.lens.px_per_cm)
        reach, times = sim_motion.reach(rng, t, targets, dwell_s, self._side, size_cm)
        self._reaches.append(reach)
        self._do(reach.points[-1][0], lambda: None)
        return times

    def _spot_of(self, lie: Lie) -> Spot:
        _, x, y, yaw = lie
        edge_cm = self.setting.edge_cm
        cm_per_px = (self.lens.height_cm - edge_cm) / self.lens.height_cm / self.lens.px_per_cm
        return Spot((x - 0.5) * self.lens.width_px * cm_per_px, (0.5 - y) * self.lens.height_px * cm_per_px, yaw)

    def _room(self, rng: random.Random, radius_cm: float) -> tuple[float, float]:
        """A place, in cm, that no die is nearer to than `radius_cm`; any place if the dice leave none."""
        for _ in range(200):
            x = rng.uniform(-0.75, 0.75) * self._field.half_width_cm
            y = rng.uniform(-0.5, 0.5) * self._field.half_height_cm
            if all(math.hypot(x - die.spot.x, y - die.spot.y) > radius_cm for die in self._dice):
                break
        return x, y

    def _remove(self, dice: Sequence[_Die]) -> None:
        self._dice = [die for die in self._dice if die not in dice]

    def _dice_back(self, die: _Die) -> None:
        self._dice.append(die)

    def _clear_away(self, kind: str) -> None:
        self._things.pop(kind, None)

    def _shove(self, die: _Die, way: Way) -> None:
        die.value, die.spot, die.way = way.value, way.spot, way

    def _lay(self, die: _Die, value: int, spot: Spot) -> None:
        die.value, die.spot, die.way = value, spot, None

    def _at_rest(self, staying: Sequence[_Die], thrown: Sequence[_Die]) -> None:
        self._throws += 1
        self._last = (
            tuple(sorted(die.value for die in staying if not die.spot.tilt)),
            tuple(sorted(die.value for die in thrown if not die.spot.tilt)),
        )

    def _new(self, value: int, spot: Spot, rng: random.Random, way: Way | None = None) -> _Die:
        # No two dice of a set are quite the same colour.
        return _Die(value, spot, rng.uniform(0.97, 1.02), way)

    def _random(self, what: str) -> random.Random:
        return random.Random(f"{self._chance}/{what}")

    # Pictures

    def draw(self, t: float) -> Image:
        """The tray at time `t`, as light falls on it: without the camera's noise. Call `step` first."""
        image = self._still_image(t).copy()
        moving = [die for die in self._dice if die.way is not None and die.way.begin_s <= t < die.way.rest_s]
        for die in moving:
            draw_shadow(image, die.pose(t, self.setting.edge_cm), self.setting.edge_cm, self.lens, self._lamp)
        for die in sorted(moving, key=lambda die: die.pose(t, self.setting.edge_cm).centre[2]):
            self._blurred(die, t).draw_on(image)
        for reach in self._reaches:
            at = reach.at(t)
            if at is not None:
                x, y = self.lens.project(np.array([[at[0], at[1], 4.0]]))[0]
                self._hand(reach.side).draw_on(image, float(x), float(y))
        if self._crossing is not None:
            draw, begin_s, end_s = self._crossing
            draw(image, (t - begin_s) / (end_s - begin_s))
        return image

    def truth(self, t: float) -> Truth:
        """What is in the tray at time `t`. Call `step` first."""
        dice = []
        rolling = False
        for die in self._dice:
            moving = die.moving(t)
            rolling |= moving
            if die.way is not None and t < die.way.begin_s:
                continue
            corners = top_corners(die.value, die.pose(t, self.setting.edge_cm), self.setting.edge_cm, self.lens)
            x = sum(corner[0] for corner in corners) / 4
            y = sum(corner[1] for corner in corners) / 4
            dice.append(TrueDie(None if moving or die.spot.tilt else die.value, x, y, corners))
        hand = any(reach.at(t) is not None for reach in self._reaches)
        state = "hand" if hand else "rolling" if rolling else "settled" if dice else "empty"
        return Truth(state, tuple(dice), self._throws, *self._last)

    def _draw_empty(self) -> None:
        rng = np.random.default_rng([self._seed, 2])
        self._empty = draw_tray(self.setting.felt, self._lamp, self.lens, self._field, rng)
        if self._marks:
            draw_marks(self._empty, self.lens, self._field)
        self._still = None

    def _still_image(self, t: float) -> Image:
        lying = [die for die in self._dice if not die.moving(t)]
        key = tuple((id(die), die.value, die.spot) for die in lying), tuple(self._things)
        if self._still is None or self._still[0] != key:
            image = self._empty.copy()
            poses = [(die, die.pose(t, self.setting.edge_cm)) for die in lying]
            # A die shows the side that looks to the middle, and one nearer to it may hide that side.
            poses.sort(key=lambda entry: -math.hypot(*entry[1].centre[:2]))
            for _, pose in poses:
                draw_shadow(image, pose, self.setting.edge_cm, self.lens, self._lamp)
            for die, pose in poses:
                self._sprite(die, pose, 2).draw_on(image)
            for cutout, x, y in self._things.values():
                px, py = self.lens.project(np.array([[x, y, 0.0]]))[0]
                cutout.draw_on(image, float(px), float(py))
            self._still = (key, image)
        return self._still[1]

    def _blurred(self, die: _Die, t: float) -> Sprite:
        """A moving die while the shutter is open: one or two poses, each smeared over its part of the way."""
        edge_cm = self.setting.edge_cm
        ends = self.lens.project(np.array([die.pose(t - _EXPOSURE_S, edge_cm).centre, die.pose(t, edge_cm).centre]))
        way_px = ends[1] - ends[0]
        length_px = float(np.hypot(*way_px))
        if length_px < 1.0:
            return self._sprite(die, die.pose(t, edge_cm), 2)
        shares = (0.75, 0.25) if length_px > 8.0 else (0.5,)
        poses = [die.pose(t - _EXPOSURE_S * share, edge_cm) for share in shares]
        return smeared([self._sprite(die, pose, 1) for pose in poses], (float(way_px[0]), float(way_px[1])))

    def _sprite(self, die: _Die, pose: Pose, fine: int) -> Sprite:
        style = STYLES[self.setting.style]
        return draw_die(pose, style, self.setting.edge_cm, self.lens, self._lamp, fine, die.bright)

    def _hand(self, side: str) -> Cutout:
        if side not in self._hands:
            self._hands[side] = draw_hand(self.lens, self._lamp, np.random.default_rng([self._seed, 1]), side)
        return self._hands[side]
