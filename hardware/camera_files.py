"""Pictures or a video as if a camera saw them now, or one after the other as fast as they are asked for.

Room: hardware. It delivers what the files hold and adds nothing, no noise and no correction; what is in the pictures
it does not know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from hardware.camera import Clock
from hardware.faults import camera_fault
from hardware.pacing import Pacing
from vision.types import Frame, Image

PICTURE_SUFFIXES = frozenset({".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"})

Source = str | Path | Sequence[str | Path]


def load_picture(path: Path) -> Image:
    """The picture in a file as BGR uint8, height x width x 3, as it is stored: a rotation noted in it is not applied.

    Raises CameraFault CAM-07 naming the file.
    """
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
        image = cv2.imdecode(data, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION) if data.size else None
    except (OSError, cv2.error) as error:
        raise camera_fault("CAM-07", path=path) from error
    if image is None:
        raise camera_fault("CAM-07", path=path)
    return np.asarray(image, np.uint8)


class FilesCamera:
    """Pictures, a folder of pictures (in the order of their names), or one video, as frames.

    `live`: frames come at `rate_hz` by `clock`, and a reader that is slow misses some, as with any camera. A picture
    stays in view for `seconds_each`, or until the order `next`; the last one stays for good, or with `loop` the first
    comes again. With `seconds_each` the order `next` does nothing, and without `loop` the camera is at its end when the
    last picture's time is over. Pixels of pictures are read-only.

    Not `live`: every picture comes once, right away, with `t = number / rate_hz`.

    `rate_hz` is by default a video's own rate, else 30. Orders: `next`; `show` with `path`, which puts any picture in
    view and leaves the place in the row as it is. Both are for pictures; a video ignores them.

    Raises CameraFault: CAM-07 a file can't be read, CAM-08 there is nothing to show. Sizes may change from picture to
    picture.
    """

    def __init__(
        self,
        source: Source,
        *,
        rate_hz: float | None = None,
        seconds_each: float | None = None,
        live: bool = True,
        loop: bool = False,
        clock: Clock | None = None,
    ) -> None:
        self._paths = [Path(source)] if isinstance(source, (str, Path)) else [Path(path) for path in source]
        self._wanted_hz = rate_hz
        self._seconds_each = seconds_each
        self._live = live
        self._loop = loop
        self._clock = clock or Clock()
        self._pictures: list[Path] = []
        self._video: cv2.VideoCapture | None = None
        self._at_end = False
        self._up = False
        self.rate_hz = rate_hz or 30.0

    def set_up(self) -> None:
        """Find the files and start the clock. Raises CameraFault CAM-07, CAM-08."""
        self.tear_down()
        paths = self._find()
        self._pictures = []
        if len(paths) == 1 and paths[0].suffix.lower() not in PICTURE_SUFFIXES:
            self._open_video(paths[0])
        else:
            self._pictures = paths
        self._pacing = Pacing(self.rate_hz, self._clock)
        self._pacing.start()
        self._slot = -1
        self._index = 0
        self._in_view: Image | None = None
        self._shown: Path | None = None
        self._at_end = False
        self._up = True

    def grab(self, timeout_s: float) -> Frame | None:
        """See `hardware.camera.Camera.grab`."""
        if not self._up or self._at_end:
            return None
        slot = self._pacing.next(timeout_s) if self._live else self._slot + 1
        if slot is None:
            return None
        self._slot = slot
        image = self._video_image(slot) if self._video is not None else self._picture_image(slot)
        if image is None:
            self._at_end = True
            return None
        t = self._pacing.time_s(slot) if self._live else slot / self.rate_hz
        return Frame(image, slot, t)

    def tear_down(self) -> None:
        """Close the files. Idempotent."""
        self._up = False
        if self._video is not None:
            self._video.release()
            self._video = None

    def tell(self, order: str, args: Mapping[str, Any]) -> None:
        """`next`: the next picture. `show`: the picture in the file `path`. Others are ignored."""
        if self._video is not None or not self._up:
            return
        if order == "next":
            self._shown = None
            if self._index + 1 < len(self._pictures):
                self._index += 1
            elif self._loop:
                self._index = 0
            self._in_view = None
        elif order == "show":
            self._shown = Path(args["path"])
            self._in_view = None

    @property
    def at_end(self) -> bool:
        """True when the video or the row of pictures is over."""
        return self._at_end

    @property
    def repeats(self) -> bool:
        """A picture stays in view."""
        return True

    @property
    def lock(self) -> None:
        """There is nothing to lock."""
        return None

    @property
    def path(self) -> Path | None:
        """The file whose picture is in view."""
        if self._shown is not None:
            return self._shown
        return self._pictures[self._index] if self._pictures else self._paths[0]

    def _find(self) -> list[Path]:
        found: list[Path] = []
        for path in self._paths:
            if path.is_dir():
                found += sorted(entry for entry in path.iterdir() if entry.suffix.lower() in PICTURE_SUFFIXES)
            elif path.is_file():
                found.append(path)
            else:
                raise camera_fault("CAM-07", path=path)
        if not found:
            raise camera_fault("CAM-08", path=", ".join(map(str, self._paths)) or "an empty list")
        return found

    def _open_video(self, path: Path) -> None:
        video = cv2.VideoCapture(str(path))
        if not video.isOpened():
            video.release()
            raise camera_fault("CAM-07", path=path)
        self._video = video
        self._video_frame = -1
        own_hz = video.get(cv2.CAP_PROP_FPS)
        self.rate_hz = self._wanted_hz or (own_hz if 0.1 < own_hz < 1000.0 else 30.0)

    def _picture_image(self, slot: int) -> Image | None:
        if not self._live:
            if slot >= len(self._pictures) and not self._loop:
                return None
            self._index = slot % len(self._pictures)
            self._shown = self._in_view = None
        elif self._seconds_each is not None and self._shown is None:
            index = int(slot / self.rate_hz / self._seconds_each + 1e-9)
            if index >= len(self._pictures) and not self._loop:
                return None
            index %= len(self._pictures)
            if index != self._index:
                self._index, self._in_view = index, None
        if self._in_view is None:
            path = self.path
            assert path is not None
            self._in_view = load_picture(path)
            # Many frames share these pixels; a reader that drew on them would change frames still to come.
            self._in_view.setflags(write=False)
        return self._in_view

    def _video_image(self, slot: int) -> Image | None:
        video = self._video
        assert video is not None
        image = None
        restarted = False
        while self._video_frame < slot:
            if self._video_frame < slot - 1:
                # Missed: move past it without decoding.
                ok = video.grab()
            else:
                ok, image = video.read()
            if ok:
                self._video_frame += 1
                restarted = False
            elif self._video_frame < 0 or restarted:
                raise camera_fault("CAM-07", path=self._paths[0])
            elif self._loop:
                video.set(cv2.CAP_PROP_POS_FRAMES, 0)
                restarted = True
            else:
                return None
        return np.asarray(image, np.uint8)
