"""Every fault of camera, panel and loudspeaker: a stable code, whether trying again may help, and what to do about it.

Room: hardware. The one list of codes; modules raise them by `camera_fault` and `panel_fault`. It knows no device.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hardware.camera import CameraFault


@dataclass(frozen=True, slots=True)
class Code:
    """What a code means. `words` may hold fields in braces; `temporary` faults are tried again with growing pauses."""

    words: str
    temporary: bool


CODES: Mapping[str, Code] = {
    "CAM-01": Code("no camera found at {where}: push its cable in at both ends", True),
    "CAM-02": Code("the camera has stopped: check its cable and its power supply", True),
    "CAM-03": Code("the camera is busy{who}: close the other program", True),
    "CAM-04": Code("the camera library is missing ({what}): sudo apt install python3-picamera2", False),
    "CAM-05": Code("the focus has moved from {want} to {got}: run dicetable calibrate", False),
    "CAM-06": Code("the camera was moved: run dicetable calibrate", False),
    "CAM-07": Code("{path} can't be read as a picture or video: replace the file, or leave it out", False),
    "CAM-08": Code("no pictures in {path}: name a picture, a video, or a folder of pictures", False),
    "CAM-09": Code("the camera delivers {got} instead of {want}: {fix}", False),
    "CAM-10": Code("no permission to open {where}: sudo usermod -aG video $USER, then log in again", False),
    "CAM-11": Code("the light has changed: exposure was set anew", True),
    "CAM-12": Code("{kind!r} is no camera: choose one of {kinds} in the configuration", False),
    "GPIO-01": Code(
        "the buttons can't be reached ({what}): sudo apt install python3-lgpio, and be in the group gpio", False
    ),
    "GPIO-02": Code("{line} is used twice, by {first} and {second}: give each its own line", False),
    "GPIO-03": Code("{line} ({name}) is held by another program: stop it, then start the table again", True),
    "GPIO-04": Code("{line} ({name}) does not exist: check chip and number in the configuration", False),
    "GPIO-05": Code("the panel's table is wrong: {what}", False),
    "GPIO-06": Code(
        "{line} ({name}) belongs to {bus}, which is switched on: use another line, or switch {bus} off", False
    ),
    "GPIO-07": Code("the buttons no longer answer ({what}): check the wires to the panel", True),
    "AUD-01": Code("no sound device ({what}): check the loudspeaker's cable, or switch sound off", True),
    "AUD-02": Code("the voice is not installed: sudo apt install espeak-ng, or switch caller and speech off", False),
    "AUD-03": Code("the voice does not answer ({what}): it is tried again in a minute", True),
    "AUD-05": Code("sound has stopped working ({what}): start the table again, the game goes on", False),
}
"""Code -> what it means. CAM-02 is also what the camera process reports when frames stop or repeat."""


class PanelFault(Exception):
    """A panel that can't be used. Fields as in `CameraFault`: `code`, `words`, `temporary`."""

    def __init__(self, code: str, words: str, *, temporary: bool) -> None:
        super().__init__(f"{code}: {words}")
        self.code = code
        self.words = words
        self.temporary = temporary


def camera_fault(code: str, **fields: Any) -> CameraFault:
    """The CameraFault for `code`, its words filled in from `fields`. Raises KeyError if a field is missing."""
    entry = CODES[code]
    return CameraFault(code, entry.words.format(**fields), temporary=entry.temporary)


def panel_fault(code: str, **fields: Any) -> PanelFault:
    """The PanelFault for `code`, its words filled in from `fields`. Raises KeyError if a field is missing."""
    entry = CODES[code]
    return PanelFault(code, entry.words.format(**fields), temporary=entry.temporary)
