"""The one interface that every camera has, and what can go wrong with one.

Room: hardware. A camera is a small service: set up, run, tear down. It says where the next picture is, never what is
in it. Back ends live in modules of their own: `camera_sim`, `camera_files`, `camera_webcam`, `camera_picamera2`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from vision.types import Frame


@dataclass(frozen=True, slots=True)
class Clock:
    """Monotonic seconds, and a way to let them pass. Tests hand in one that they move themselves."""

    now: Callable[[], float] = time.monotonic
    wait: Callable[[float], None] = time.sleep


class CameraFault(Exception):
    """A camera that does not deliver.

    `code` is stable (`CAM-03`), `words` tell the person at the machine what to do. `temporary` faults are tried again
    with growing pauses, permanent ones are shown and stay.
    """

    def __init__(self, code: str, words: str, *, temporary: bool) -> None:
        super().__init__(f"{code}: {words}")
        self.code = code
        self.words = words
        self.temporary = temporary

    def __reduce__(self) -> tuple[Any, ...]:
        return (_camera_fault, (self.code, self.words, self.temporary))


def _camera_fault(code: str, words: str, temporary: bool) -> CameraFault:
    return CameraFault(code, words, temporary=temporary)


class Camera(Protocol):
    """What the camera process drives. Used from one thread only."""

    def set_up(self) -> None:
        """Open the device. Raises CameraFault. May be called again after `tear_down`."""

    def grab(self, timeout_s: float) -> Frame | None:
        """The next frame, waiting at most `timeout_s` seconds for it; None if none came. Raises CameraFault.

        Frames are BGR uint8, and own their pixels: the caller may keep them.
        """

    def tear_down(self) -> None:
        """Let go of the device. Idempotent, and never raises because the device is already gone."""

    def tell(self, order: str, args: Mapping[str, Any]) -> None:
        """An order from the table, such as `throw` for the simulated tray or `next` for pictures from files.

        `lock` keeps exposure, white balance and focus as they are now; `unlock` lets them follow the light again.

        `pace` with `hz`: so many frames a second will do (0: all of them), and only those need be made ready; the
        device goes on at its own rate, so that none is old.

        A camera ignores orders that it does not know: a real tray can't be told to throw.
        """

    @property
    def at_end(self) -> bool:
        """True when no frame will ever come again (a video that is over)."""

    @property
    def repeats(self) -> bool:
        """True where the same pixels again are nothing odd: pictures from files. A sensor's noise never repeats, so
        from a sensor they mean that it has stopped."""

    @property
    def lock(self) -> Mapping[str, Any] | None:
        """Exposure, white balance and focus as they are locked, in the camera's own words, to be handed in as its
        option `lock` another time; None while they follow the light, or where there is nothing to lock."""
