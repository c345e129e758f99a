"""The picture of each accepted roll, kept for those who want to see what lay there.

Room: firmware. It runs in the camera process, which has the pictures; a thread writes them, so that neither frames nor
the loop wait for the disk. It imports cv2 when the first one is written. Space is bounded: the oldest go first.

A picture has a name from the moment that something is read from it; the roll's record holds the name (`picture` in
`firmware/play.py`), and the file is NAME.jpg in the folder `pictures` beside the journal.
"""

from __future__ import annotations

import queue
import sys
import threading
import uuid
from collections import OrderedDict, deque
from pathlib import Path

from firmware.errors import CODES
from vision.types import Frame

FOLDER = "pictures"
SUFFIX = ".jpg"
QUALITY = 85
_FRAMES = 6
"""A reading rests on one of the last frames: so many are at hand."""
_NAMED = 4
"""So many pictures that something was read from are remembered until they are asked for."""
_WAITING = 8


class RollPictures:
    """Remembers pictures, and writes those that are asked for into `folder`, which may grow to `limit_mb` megabytes.

    One thread calls it, the camera's. A disk that is full or read-only is told once on stderr, and costs the picture.
    """

    def __init__(self, folder: Path, limit_mb: float) -> None:
        self.folder = folder
        self._limit = int(limit_mb * 1_000_000)
        self._frames: deque[Frame] = deque(maxlen=_FRAMES)
        self._named: OrderedDict[str, Frame] = OrderedDict()
        self._todo: queue.Queue[tuple[str, Frame] | None] = queue.Queue(_WAITING)
        self._sizes: OrderedDict[Path, int] | None = None
        self._told = False
        self._thread: threading.Thread | None = None

    def see(self, frame: Frame) -> None:
        """A frame has come."""
        self._frames.append(frame)

    def name(self, number: int) -> str:
        """A name for the picture that was read from frame `number`; "" if it is gone."""
        frame = next((f for f in reversed(self._frames) if f.number == number), None)
        if frame is None:
            return ""
        known = next((name for name, f in self._named.items() if f is frame), None)
        if known is not None:
            return known
        name = uuid.uuid4().hex[:16]
        self._named[name] = frame
        while len(self._named) > _NAMED:
            self._named.popitem(last=False)
        return name

    def keep(self, name: str) -> None:
        """Write the picture of this name, if it is still remembered. Never waits: a disk that lags costs pictures."""
        frame = self._named.get(name)
        if frame is None or self._todo.full():
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="pictures", daemon=True)
            self._thread.start()
        self._todo.put((name, frame))

    def close(self) -> None:
        """Write what is waiting, and end. Idempotent."""
        if self._thread is not None:
            self._todo.put(None)
            self._thread.join(5.0)
            self._thread = None

    def _run(self) -> None:
        while True:
            item = self._todo.get()
            if item is None:
                return
            try:
                self._write(*item)
            except OSError as e:
                if not self._told:
                    self._told = True
                    print(f"dicetable: PIC-01: {CODES['PIC-01']} ({e})", file=sys.stderr, flush=True)

    def _write(self, name: str, frame: Frame) -> None:
        import cv2

        done, data = cv2.imencode(SUFFIX, frame.image, [int(cv2.IMWRITE_JPEG_QUALITY), QUALITY])
        if not done:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        if self._sizes is None:
            self._sizes = OrderedDict((p, size) for p, size, _ in sorted(_files(self.folder), key=lambda f: f[2]))
        path = self.folder / f"{name}{SUFFIX}"
        part = path.with_suffix(".part")
        # Room first: a card that is nearly full must not fail for a picture.
        while self._sizes and sum(self._sizes.values()) + len(data) > self._limit:
            oldest, _ = self._sizes.popitem(last=False)
            oldest.unlink(missing_ok=True)
        if len(data) > self._limit:
            return
        part.write_bytes(data.tobytes())
        part.replace(path)
        self._sizes[path] = len(data)


def _files(folder: Path) -> list[tuple[Path, int, float]]:
    """Each picture with its size in bytes and the time it was written."""
    found = []
    for path in folder.glob(f"*{SUFFIX}"):
        try:
            about = path.stat()
        except FileNotFoundError:
            continue
        found.append((path, about.st_size, about.st_mtime))
    return found


def delete_all(data_folder: Path) -> int:
    """Delete every picture of a roll that lies in this data folder. Returns how many there were."""
    folder = data_folder / FOLDER
    paths = [path for path, _, _ in _files(folder)] + list(folder.glob("*.part"))
    for path in paths:
        path.unlink(missing_ok=True)
    return len(paths)
