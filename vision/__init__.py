"""vision: frame in, reading out; frames in, tray events out.

Importing this package does not import OpenCV: `read` and `watch` load it when they are first called, so that a
process that only passes readings on stays small.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from vision.types import (
    REASONS,
    Die,
    Frame,
    Image,
    Reading,
    Reason,
    Status,
    Tray,
    TrayEvent,
    TrayEventKind,
    TrayState,
)

__all__ = [
    "REASONS",
    "Die",
    "Frame",
    "Image",
    "Reading",
    "Reason",
    "Status",
    "Tray",
    "TrayEvent",
    "TrayEventKind",
    "TrayState",
    "read",
    "watch",
]


def read(frame: Frame | Image, tray: Tray | None = None) -> Reading:
    """Read the dice in one picture (a `Frame`, or BGR `uint8`, height x width x 3). See `vision.reader.read`."""
    from vision.reader import read as read_image

    return read_image(frame.image if isinstance(frame, Frame) else frame, tray or Tray())


def watch(frames: Iterable[Frame], tray: Tray | None = None) -> Iterator[TrayEvent]:
    """Follow the tray from frame to frame and tell what happens in it. See `vision.watcher.Watcher`."""
    from vision.watcher import Watcher

    watcher = Watcher(tray or Tray())
    for frame in frames:
        yield from watcher.step(frame)
