"""What passes between `vision` and the rest: frames in, readings and tray events out.

Room: vision. Knows no game, no screen and no device; imports numpy only, never cv2, so that the table's own process
can hold these types without loading OpenCV.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture from a camera.

    `image` is BGR `uint8`, height x width x 3. `number` is the driver's and rises; `t` is monotonic, in seconds. A
    camera whose number or time stands still is not delivering.

    `small` is the same picture at a fraction of the size, where the camera gives one: motion is looked for in it, and
    `image` need not be touched while nothing is read.
    """

    image: Image
    number: int
    t: float
    small: Image | None = None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of `image` in pixels."""
        return self.image.shape[1], self.image.shape[0]

    @property
    def sketch(self) -> Image:
        """The smallest picture there is of it: `small`, else `image`."""
        return self.image if self.small is None else self.small

    def later(self, seconds: float) -> Frame:
        """The same frame with another time."""
        return Frame(self.image, self.number, self.t + seconds, self.small)


class LateFrame(Frame):
    """A frame whose full picture is made only when `image` is asked for, by `make`, once.

    `size` is the full picture's, width and height in pixels; `make` returns it as BGR uint8.
    """

    __slots__ = ("_full", "_make", "_size")

    _full: Image | None
    _make: Callable[[], Image]
    _size: tuple[int, int]

    def __init__(self, make: Callable[[], Image], size: tuple[int, int], number: int, t: float, small: Image) -> None:
        for name, value in (
            ("_full", None), ("_make", make), ("_size", size), ("number", number), ("t", t), ("small", small),
        ):  # fmt: skip
            object.__setattr__(self, name, value)

    @property
    def image(self) -> Image:
        """The full picture. Raises what `make` raises."""
        full = self._full
        if full is None:
            full = self._make()
            object.__setattr__(self, "_full", full)
        return full

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of `image` in pixels, told without making it."""
        return self._size

    def later(self, seconds: float) -> Frame:
        """The same frame with another time; its picture is still made late."""
        assert self.small is not None
        return LateFrame(lambda: self.image, self.size, self.number, self.t + seconds, self.small)


@dataclass(frozen=True, slots=True)
class Die:
    """A die's top face: `value` 1 to 6, `confidence` 0 to 1, centre and corners in pixels of the picture as given.

    `others` are the values that it may show if not that, with their probabilities, the likeliest first; those that
    are out of the question are left out.
    """

    value: int
    confidence: float
    x: float
    y: float
    corners: Corners
    others: tuple[tuple[int, float], ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a reading is not certain, or (with status `read`) a notice of something that does no harm.

    `code` is one of REASONS. `x`, `y` say where, in pixels; both are None for a reason about the whole picture.
    """

    code: str
    x: float | None = None
    y: float | None = None


def _(words: str) -> str:
    """Marks words that a player sees, so that the catalogues of translations have them."""
    return words


REASONS: Mapping[str, str] = {
    "cocked": _("one die leans: tap it flat"),
    "count": _("not the number of dice expected"),
    "foreign": _("something in the tray is not a die: take it out"),
    "glare": _("a light shines off a die: move the die or the light"),
    "dark": _("too dark to read: switch on a light"),
    "blur": _("the picture is not sharp: wait, or set the focus"),
    "edge": _("a die is cut off by the edge of the picture: move it in"),
    "small": _("a die is too small to read: bring the camera nearer"),
    "moved": _("the camera or the tray was moved: put it back, or run dicetable calibrate"),
    "disagree": _("one die can't be told for sure: turn it a little, or enter it by hand"),
}
"""Reason code -> what a player should do."""


class Status(StrEnum):
    """`read`: every die is certain. `unsure`: at least one reason. `empty`: no die, nothing that could be one."""

    READ = "read"
    UNSURE = "unsure"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Reading:
    """What vision makes of one frame: dice with value, corners and confidence, or why it can't tell.

    With status `unsure` the dice are the best guess. `ms` is the time that reading took, without decoding.
    """

    status: Status
    dice: tuple[Die, ...] = ()
    reasons: tuple[Reason, ...] = ()
    ms: float = 0.0

    @property
    def values(self) -> tuple[int, ...]:
        """The dice's values, sorted."""
        return tuple(sorted(d.value for d in self.dice))


@dataclass(frozen=True, slots=True, eq=False)
class Tray:
    """What is known beforehand about the tray; every part is optional, and `Tray()` knows nothing.

    `dice` is how many dice should lie in view, `die_px` how long a die's edge is in the picture, `calibration` what
    `calibrate` learnt (see `vision.calibration`).
    """

    dice: int | None = None
    die_px: float | None = None
    calibration: Any = None


class TrayState(StrEnum):
    """What goes on in the tray. Only SETTLED can become a roll.

    UNREADABLE: all lies still, but the reading is not certain. OFFLINE: no pictures come.
    """

    EMPTY = "empty"
    HAND = "hand"
    ROLLING = "rolling"
    SETTLED = "settled"
    UNREADABLE = "unreadable"
    OFFLINE = "offline"


class TrayEventKind(StrEnum):
    """`state`: the state changed. `roll`: a throw came to rest. The others are named as `dicetable watch` prints
    them."""

    STATE = "state"
    ROLL = "roll"
    DISTURBED = "disturbed"
    MOVED = "moved"
    QUESTION = "question"
    OFFLINE = "offline"
    ONLINE = "online"


@dataclass(frozen=True, slots=True)
class TrayEvent:
    """Something that `watch` saw, at the frame numbered `frame` and monotonic time `t`.

    `state` is the state that holds from here on. For `roll`, `kept` and `thrown` are the values of the dice that
    stayed and of the others; a kept die that was turned over is in neither, it is reported as `disturbed` with the
    value that it `was`. `values` are those of the event (all dice of a roll, the new values of disturbed dice).
    `reading` is the one that the event rests on, if there is one; `code` tells why for `offline` and `moved`.
    """

    kind: TrayEventKind
    state: TrayState
    t: float
    frame: int
    reading: Reading | None = None
    values: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()
    thrown: tuple[int, ...] = ()
    was: tuple[int, ...] = ()
    reasons: tuple[Reason, ...] = field(default=())
    code: str | None = None
