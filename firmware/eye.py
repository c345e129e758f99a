"""The eye: a camera and `vision.watch`, stepped frame by frame.

Room: firmware. This is what runs in the camera process; tests step the same object inside their own. It imports cv2,
so the table's process must not import this module.

A camera that fails is torn down and set up again with growing pauses (`firmware/supply.py`); meanwhile the eye says
what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from firmware.events import CameraState, EyePulse, Facts, Order, Preview, Seen
from firmware.previews import MAX_HEIGHT, MAX_WIDTH, PreviewRing
from firmware.roll_pictures import RollPictures
from firmware.supply import Supply
from firmware.tray_lesson import Answer, TrayLesson
from hardware.camera import Camera, CameraFault
from hardware.exposure import ExposureKeeper
from hardware.faults import camera_fault
from vision.calibration import Calibration
from vision.types import Frame, Image, TrayState
from vision.watcher import Read, Watcher

EyeMessage = CameraState | Seen | Preview | EyePulse | Facts

PREVIEW_S, PREVIEW_CALM_S = 0.1, 0.5
"""So often a small picture goes to the screen while something moves, and while all rests and only noise differs."""
PULSE_S = 0.5
BRIGHTNESS_S = 0.2
REST_HZ = 10.0
"""So many frames a second do while nothing moves: motion is then noticed after 0.1 s at most."""
CALM_S = 1.0
"""What has been at rest for this long is taken to go on so."""


class Eye:
    """`camera` is not set up yet. Messages go to `put`; `now` gives monotonic seconds; previews go into `ring`.

    `keeper` watches over a locked exposure; without one exposure is left alone. `pictures` keeps those of rolls. With
    `rest_hz` the camera is asked for so many frames a second while nothing moves. `known` is the calibration in use;
    `throws_itself` says that this is the simulated tray, which is asked to throw where a person would, and `read`
    reads the throws that test a calibration.
    """

    def __init__(
        self,
        camera: Camera,
        watcher: Watcher,
        ring: PreviewRing,
        put: Callable[[EyeMessage], None],
        now: Callable[[], float],
        keeper: ExposureKeeper | None = None,
        pictures: RollPictures | None = None,
        rest_hz: float = 0.0,
        known: Calibration | None = None,
        throws_itself: bool = False,
        read: Read | None = None,
    ) -> None:
        self.camera = camera
        self.watcher = watcher
        self._supply = Supply(camera, now)
        self._ring = ring
        self._put = put
        self._now = now
        self._keeper = keeper
        self._lesson = TrayLesson(
            camera.tell,
            lambda: camera.lock,
            known,
            lambda facts: put(Facts(facts)),
            throws_itself=throws_itself,
            read=read,
            # Whoever listens must not take the silence for a driver that hangs.
            busy=lambda seconds: put(EyePulse(now(), reading=True, silent_s=seconds)),
        )
        self._pictures = pictures
        self._rest_hz = rest_hz
        self._calm_since: float | None = None
        self._paced = False
        self._turn = False
        self._told = False
        self._previewed = float("-inf")
        self._pulsed = float("-inf")
        self._measured = float("-inf")
        self._frames = 0

    def order(self, order: Order) -> None:
        """Do what the table asks: `expect`, `look` and `entered` are for the watcher, `keep_picture` writes the picture
        of a roll, `calibrate` takes a step of learning the tray, all else is for the camera."""
        match order.name:
            case "expect":
                self._turn = bool(order.args.get("turn", False))
                args = order.args
                self.watcher.expect(args.get("dice"), args.get("strip"), fresh=bool(args.get("fresh", False)))
            case "look":
                self.watcher.look_again()
            case "entered":
                self.watcher.entered()
            case "keep_picture":
                if self._pictures is not None:
                    self._pictures.keep(str(order.args["name"]))
            case "calibrate":
                self._answer(self._lesson.begin(str(order.args["step"]), order.args))
            case _:
                self.camera.tell(order.name, order.args)

    def step(self, timeout_s: float) -> Frame | None:
        """Take at most one frame, waiting at most `timeout_s` for it, and report what came of it."""
        got = self._supply.step(timeout_s)
        frame = None
        if isinstance(got, CameraFault):
            self._away(got)
        elif got is not None:
            try:
                self._take(got)
                frame = got
            except CameraFault as fault:
                news = self._supply.lose(fault)
                if news is not None:
                    self._away(news)
        self._pulse()
        return frame

    def close(self) -> None:
        self._supply.close()
        if self._pictures is not None:
            self._pictures.close()

    def _take(self, frame: Frame) -> None:
        self._frames += 1
        if not self._told:
            self._told = True
            self._put(CameraState(True, frame.t))
        width, height = frame.size
        if self._pictures is not None:
            self._pictures.see(frame)
        answer = self._lesson.feed(frame)
        watched = self._lesson.events if self._lesson.watches else self.watcher.step(frame)
        for event in watched:
            picture = ""
            if self._pictures is not None and event.reading is not None:
                picture = self._pictures.name(event.frame)
            self._put(Seen(event, width, height, picture))
        self._answer(answer)
        if not self._lesson.open:
            self._keep_exposure(frame)
            self._keep_pace(frame)
        if frame.t - self._previewed >= (PREVIEW_CALM_S if self._paced else PREVIEW_S):
            self._previewed = frame.t
            self._put(self._ring.write(_preview(frame)))

    def _answer(self, answer: Answer | None) -> None:
        if answer is not None:
            self._put(Facts({"calibration": (answer.step, answer.code, answer.words)}))

    def _keep_pace(self, frame: Frame) -> None:
        """Fewer frames while nothing moves, all of them from the first that differs."""
        if self._rest_hz <= 0:
            return
        if not self.watcher.at_rest:
            self._calm_since = None
        elif self._calm_since is None:
            self._calm_since = frame.t
        calm = self._calm_since is not None and frame.t - self._calm_since >= CALM_S
        if calm != self._paced:
            self._paced = calm
            self.camera.tell("pace", {"hz": self._rest_hz if calm else 0.0})

    def _keep_exposure(self, frame: Frame) -> None:
        if self._keeper is None or frame.t - self._measured < BRIGHTNESS_S:
            return
        self._measured = frame.t
        may = not self._turn and self.watcher.state is TrayState.EMPTY
        order = self._keeper.feed(frame.t, brightness(frame.sketch), may)
        if order is None:
            return
        self.camera.tell(order, {})
        if order == "lock":
            note = camera_fault("CAM-11")
            self._put(CameraState(True, frame.t, note.code, note.words))

    def _away(self, fault: CameraFault) -> None:
        t = self._now()
        self._told = False
        self.watcher.offline(fault.code, t)
        self._put(CameraState(False, t, fault.code, fault.words))

    def _pulse(self) -> None:
        t = self._now()
        if t - self._pulsed >= PULSE_S:
            fps = self._frames / (t - self._pulsed) if self._pulsed > float("-inf") else 0.0
            self._pulsed, self._frames = t, 0
            self._put(EyePulse(t, fps))


def brightness(image: Image) -> float:
    """How bright a picture (BGR uint8) is: the mean of its grey levels, 0 to 255."""
    return float(image[::8, ::8].mean())


def _preview(frame: Frame) -> Image:
    """The frame as a small RGB picture for the screen."""
    image = frame.sketch
    height, width = image.shape[:2]
    scale = min(1.0, MAX_WIDTH / width, MAX_HEIGHT / height)
    if scale < 1.0:
        size = (max(1, int(width * scale)), max(1, int(height * scale)))
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    # Ten times a second: a reversed view of numpy's takes twenty times as long to copy.
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), dtype=np.uint8)
