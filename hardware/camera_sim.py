"""The simulated tray as a camera: `SimTray` seen by a sensor with noise, under a light that is never quite steady.

Room: hardware. It ships: it is the demonstration, and what whole-table tests run on. It makes pictures and knows what
is truly in them (`truth`, for tests only); it reads none.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from typing import Any

import cv2
import numpy as np

from hardware.camera import Clock
from hardware.faults import camera_fault
from hardware.pacing import Pacing
from hardware.sim_scene import Setting, choose_setting
from hardware.sim_tray import SimTray
from hardware.sim_truth import Lie, Truth
from vision.types import Frame, Image

# The noise field is larger than the picture and laid on at another place for every frame.
_MARGIN_PX = 64
_GAINS = (0.4, 4.0)
# How much of the way to the right exposure is made from one frame to the next.
_FOLLOWS = 0.15


class SimCamera:
    """A camera over a simulated tray.

    `seed` repeats an evening: the same orders give the same dice. It also picks the table's looks, unless `felt`,
    `lamp` and `style` name them (`sim_scene.FELTS`, `sim_scene.LAMPS`, `sim_dice.STYLES`). `noise` is the sensor's,
    in grey levels (standard deviation). `touching`, `cocked`, `lying` and `marks` as in `SimTray`. `life` is 0 for a
    tray that is new, and counts the cameras that looked at it before this one: its dice go on and don't begin anew.
    `lock` is the exposure's `gain` (1 if it is left out).

    Orders are those of `SimTray.order`, and `faults` with any of: `freeze` seconds (the same picture again and again;
    with `how` = `number` the number and the time stand still as well), `stop` seconds (no frame comes), `block` seconds
    (grab does not return), `drop` seconds (the camera is gone), `dim` seconds with `to` (share of the light, 0.15),
    `lamp` share of the light from now on, `knock` pixels to the right (or [right, down]; 0 mends it). `unlock` lets
    exposure follow the light, `lock` keeps it as it is.

    Raises CameraFault CAM-02 from `grab` and CAM-01 from `set_up` while it is dropped.
    """

    def __init__(
        self,
        *,
        seed: int = 0,
        width: int = 1280,
        height: int = 720,
        rate_hz: float = 30.0,
        felt: str | None = None,
        lamp: str | None = None,
        style: str | None = None,
        noise: float | None = None,
        touching: float = 0.12,
        cocked: float = 0.015,
        lying: Sequence[int | Lie] = (),
        life: int = 0,
        marks: bool = False,
        lock: Mapping[str, float] | None = None,
        clock: Clock | None = None,
    ) -> None:
        rng = np.random.default_rng([seed, 0])
        chosen = choose_setting(rng)
        setting = Setting(felt or chosen.felt, lamp or chosen.lamp, style or chosen.style)
        self._tray = SimTray(
            setting,
            seed=seed,
            life=life,
            width=width,
            height=height,
            touching=touching,
            cocked=cocked,
            lying=lying,
            marks=marks,
        )
        self._clock = clock or Clock()
        self._pacing = Pacing(rate_hz, self._clock)
        self._seed = seed
        self._phase = float(rng.uniform(0, 2 * math.pi))
        sigma = float(rng.uniform(1.2, 2.6)) if noise is None else noise
        shape = (height + _MARGIN_PX, width + _MARGIN_PX, 3)
        # Colour noise of a sensor is smeared by its demosaicing.
        smeared = np.asarray(cv2.GaussianBlur(rng.standard_normal(shape, np.float32), (0, 0), 0.6))
        field = smeared * np.float32(sigma / float(smeared.std()))
        self._over = np.clip(np.round(field), 0, 255).astype(np.uint8)
        self._under = np.clip(np.round(-field), 0, 255).astype(np.uint8)
        self._faults: dict[str, float] = {}
        self._frozen_number = False
        self._dim_to = 1.0
        self._light = 1.0
        self._gain = float((lock or {}).get("gain", 1.0))
        self._follows = False
        self._last: Frame | None = None
        self._truth = Truth()
        self._up = False

    @property
    def setting(self) -> Setting:
        """What this table looks like."""
        return self._tray.setting

    @property
    def truth(self) -> Truth:
        """What is truly in the frame that was grabbed last. For tests."""
        return self._truth

    @property
    def busy(self) -> bool:
        """Whether an order is still being carried out. For tests."""
        return self._tray.busy

    def set_up(self) -> None:
        """Begin to deliver. The tray, its dice and the numbers go on where they were. Raises CameraFault CAM-01."""
        if self._on("drop"):
            raise camera_fault("CAM-01", where="the simulated tray")
        self._pacing.start()
        self._up = True

    def grab(self, timeout_s: float) -> Frame | None:
        """See `hardware.camera.Camera.grab`."""
        if not self._up:
            return None
        if self._on("block"):
            self._clock.wait(self._faults.pop("block") - self._clock.now())
        if self._on("drop"):
            raise camera_fault("CAM-02")
        number = self._pacing.next(timeout_s)
        if number is None or self._on("stop"):
            return None
        t = self._pacing.time_s(number)
        if self._on("freeze") and self._last is not None:
            if self._frozen_number:
                return self._last
            return Frame(self._last.image.copy(), number, t)
        self._tray.step(t)
        image = self._expose(self._tray.draw(t), number, t)
        self._truth = self._tray.truth(t)
        self._last = Frame(image, number, t)
        return self._last

    def tear_down(self) -> None:
        """Stop delivering. Idempotent."""
        self._up = False

    def tell(self, order: str, args: Mapping[str, Any]) -> None:
        """An order for the tray, or `faults`. Unknown ones are ignored."""
        if order == "faults":
            self._order_faults(args)
        elif order in ("lock", "unlock"):
            self._follows = order == "unlock"
        elif order == "pace":
            self._pacing.pace(float(args.get("hz", 0.0)))
        else:
            self._tray.order(order, args)

    @property
    def at_end(self) -> bool:
        """Never: a tray has no end."""
        return False

    @property
    def repeats(self) -> bool:
        """Never: it stands for a sensor, and adds the noise of one."""
        return False

    @property
    def lock(self) -> Mapping[str, float] | None:
        """What is locked: `gain`, the sensor's."""
        return None if self._follows else {"gain": self._gain}

    def _order_faults(self, args: Mapping[str, Any]) -> None:
        now_s = self._clock.now()
        for name in ("freeze", "stop", "block", "drop", "dim"):
            if name in args:
                self._faults[name] = now_s + float(args[name])
        self._frozen_number = args.get("how") == "number"
        self._dim_to = float(args.get("to", 0.15))
        self._light = float(args.get("lamp", self._light))
        if "knock" in args:
            by = args["knock"]
            right_px, down_px = by if isinstance(by, (list, tuple)) else (by, 0.0)
            self._tray.knock(float(right_px), float(down_px))

    def _on(self, fault: str) -> bool:
        until_s = self._faults.get(fault)
        if until_s is None:
            return False
        if self._clock.now() >= until_s:
            del self._faults[fault]
            return False
        return True

    def _expose(self, image: Image, number: int, t: float) -> Image:
        # Mains flicker that exposure does not quite cancel, and a day's light that comes and goes.
        gain = 1.0 + 0.02 * math.sin(2 * math.pi * t / 37.0 + self._phase) + 0.004 * math.sin(2 * math.pi * 7.3 * t)
        light = self._light * (self._dim_to if self._on("dim") else 1.0)
        if self._follows:
            wanted = min(_GAINS[1], max(_GAINS[0], 1.0 / max(light, 0.01)))
            self._gain += _FOLLOWS * (wanted - self._gain)
        gain *= light * self._gain
        cv2.convertScaleAbs(image, image, gain)
        place = random.Random(self._seed * 1_000_003 + number)
        y, x = place.randrange(_MARGIN_PX), place.randrange(_MARGIN_PX)
        h, w = image.shape[:2]
        cv2.add(image, self._over[y : y + h, x : x + w], image)
        cv2.subtract(image, self._under[y : y + h, x : x + w], image)
        return image
