"""Which parts a platform is made of: `pi` (real parts), `desk` (webcam, keys), `sim` (simulated tray, keys).

Room: firmware. The one place that chooses a camera and a panel. On `pi` a missing part is a visible fault; nothing here
ever falls back to a mock. Imports drivers only when they are asked for, and never cv2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from firmware.config import Config
from firmware.roll_pictures import FOLDER
from hardware.buttons import Edge
from hardware.camera import Camera, Clock
from hardware.lines import DEFAULT_LINES, parse_lines
from hardware.panel import Panel
from hardware.panel_keys import KeyPanel
from vision.types import Tray

_CAMERAS = {"sim": "sim", "desk": "webcam", "pi": "picamera2"}


SimLie = tuple[int, float, float, float]
"""A die in the simulated tray: value, centre of its top face in shares of the picture, yaw in radians."""


@dataclass(frozen=True)
class EyeSpec:
    """All that the camera process is told when it starts; plain values, since they cross between processes."""

    kind: str
    options: Mapping[str, Any] = field(default_factory=dict)
    calibration: str = ""
    pictures: str = ""
    """Folder for the pictures of accepted rolls; empty: none are kept."""
    pictures_mb: float = 0.0
    dice: str = ""
    """The set of dice that is played with, by name; empty: the one that was learnt last."""

    def again(self, life: int, lies: Sequence[SimLie]) -> EyeSpec:
        """The same for process number `life` from 0. A real tray is what it is; the simulated one must be told what
        lay in it when the process before this one ended."""
        if self.kind != "sim" or not life:
            return self
        return replace(self, options={**self.options, "lying": tuple(lies), "life": life})


def eye_spec(config: Config) -> EyeSpec:
    """The camera that this configuration asks for."""
    kind = config.camera.kind or _CAMERAS[config.platform]
    options = dict(config.camera.options)
    if config.camera.source:
        options["source" if kind == "files" else "device"] = config.camera.source
    pictures = str(config.data_folder / FOLDER) if config.pictures.keep else ""
    return EyeSpec(kind, options, config.camera.calibration, pictures, config.pictures.megabytes, config.camera.dice)


def make_camera(spec: EyeSpec, clock: Clock | None = None, lock: Mapping[str, Any] | None = None) -> Camera:
    """The camera, not yet set up; `lock` is how calibration has locked it. Raises CameraFault for a kind that there is
    not."""
    from hardware.cameras import open_camera

    options = dict(spec.options)
    if lock is not None and spec.kind != "files":
        options.setdefault("lock", lock)
    return open_camera(spec.kind, options, clock)


def make_tray(spec: EyeSpec) -> Tray:
    """What is known about the tray beforehand. Raises CalibrationFault."""
    if not spec.calibration:
        return Tray()
    from vision.calibration import load

    known = load(spec.calibration)
    return Tray(calibration=known.using(spec.dice) if spec.dice else known)


def make_panel(
    config: Config, put: Callable[[Edge], None], now: Callable[[], float]
) -> tuple[Panel, Callable[[], None]]:
    """The panel, and what closes it: real lines on `pi`, keys elsewhere. Raises PanelFault; never a mock instead."""
    layout = config.panel.buttons
    if config.platform != "pi":
        keys = KeyPanel(layout, put)
        return keys, keys.close
    lines = parse_lines(config.panel.lines, layout) if config.panel.lines else DEFAULT_LINES[layout]
    from hardware.gpio_chips import close_chips, open_chips
    from hardware.panel_gpio import GpioPanel

    factories = open_chips(lines.chips)
    try:
        panel = GpioPanel(lines, factories, put, now)
    except BaseException:
        close_chips(factories)
        raise

    def close() -> None:
        panel.close()
        close_chips(factories)

    return panel, close
