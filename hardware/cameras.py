"""A camera by its kind, from plain values that can cross into the camera process.

Room: hardware. Drivers are imported only for the kind that is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hardware.camera import Camera, Clock
from hardware.faults import camera_fault

KINDS = ("sim", "files", "webcam", "picamera2")


def open_camera(kind: str, options: Mapping[str, Any] | None = None, clock: Clock | None = None) -> Camera:
    """The camera of this `kind` (one of KINDS), not yet set up.

    `options` are the keyword arguments of its class: `SimCamera`, `FilesCamera`, `WebcamCamera`, `PicameraCamera`.
    Raises CameraFault CAM-12 for an unknown kind, TypeError for an unknown option.
    """
    arguments = {**(options or {}), "clock": clock}
    if kind == "sim":
        from hardware.camera_sim import SimCamera

        return SimCamera(**arguments)
    if kind == "files":
        from hardware.camera_files import FilesCamera

        return FilesCamera(**arguments)
    if kind == "webcam":
        from hardware.camera_webcam import WebcamCamera

        return WebcamCamera(**arguments)
    if kind == "picamera2":
        from hardware.camera_picamera2 import PicameraCamera

        return PicameraCamera(**arguments)
    raise camera_fault("CAM-12", kind=kind, kinds=", ".join(KINDS))
