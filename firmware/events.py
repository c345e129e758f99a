"""What goes onto the one queue, and what the table hands back.

Room: firmware. Everything here is frozen: other threads make these values and put them on the queue, the loop takes
them off. `Table.handle` takes Intent, Seen, CameraState, Tick and Facts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from vision.types import TrayEvent


class IntentKind(StrEnum):
    """What a press, a key or a touch asks for, whatever device it came from."""

    MARK = "mark"  # arg: number of the die from the left, from 1; None: the one under the cursor
    ROLL = "roll"
    SCORE = "score"
    UNDO = "undo"
    BACK = "back"
    CORRECT = "correct"  # arg: number of the die to begin with, or None
    VALUE = "value"  # arg: the face to enter, 1 to 6; None: the next one
    REMOVE = "remove"  # what is under the cursor is no die, or is one after all
    NAMES = "names"  # enter who plays
    UP = "up"
    DOWN = "down"
    NEXT = "next"
    PICK = "pick"  # arg: the key of a box, or the number of a menu line, that was touched
    COUNT = "count"  # arg: how many players; None: one more
    GAME = "game"  # which game, and all else that is agreed before it
    LEFT = "left"  # less of what is under the cursor; arg: by how many steps
    RIGHT = "right"  # more of it
    MENU = "menu"  # the menu of the game that is under way, or how to play
    LANGUAGE = "language"  # the next language
    SERVICE = "service"  # arg: seconds that the chord must still be held; 0: long enough; -1: let go
    NOTHING = "nothing"  # a button that means nothing here was pressed


@dataclass(frozen=True, slots=True)
class Intent:
    """`revision` is that of the table's state when the person acted: an intent made against an older one is refused."""

    kind: IntentKind
    arg: int | str | None = None
    revision: int = 0
    t: float = 0.0


@dataclass(frozen=True, slots=True)
class Seen:
    """Something that `vision.watch` saw, in a picture of `width` x `height` pixels.

    `picture` names that picture for as long as the camera process remembers it; "" where it does not.
    """

    event: TrayEvent
    width: int
    height: int
    picture: str = ""


@dataclass(frozen=True, slots=True)
class CameraState:
    """Whether pictures arrive. While they don't, `code` and `words` tell what is wrong and what to do."""

    delivering: bool
    t: float
    code: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has come to `t` (monotonic, in seconds)."""

    t: float


@dataclass(frozen=True, slots=True)
class Facts:
    """What the table can't know by itself and its menus show: settings, names that are remembered, the best of the
    night, what the parts measure. `values` replace what was told before."""

    values: Mapping[str, Any]


TableEvent = Intent | Seen | CameraState | Tick | Facts


@dataclass(frozen=True, slots=True)
class Preview:
    """A picture for the screen lies in slot `slot` of the shared memory: RGB, `width` x `height`."""

    slot: int
    number: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class EyePulse:
    """The camera process is alive. `fps` is the rate at which frames come.

    `reading`: it begins to read a picture in full, so it may be silent for longer than usual; `silent_s` says for how
    much longer where that is known, in seconds.
    """

    t: float
    fps: float = 0.0
    reading: bool = False
    silent_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Record:
    """One accepted event, as the journal keeps it: enough to bring the table back by applying records in order.

    `data` holds JSON values only. The kinds are listed in `firmware/play.py`.
    """

    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Order:
    """What the table asks of the camera: `expect` (so many dice), `look` (report again what lies there), `keep_picture`
    (of an accepted roll), `throw` (the simulated tray throws)."""

    name: str
    args: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Handled:
    """What came of an event: what the journal must keep, and what the camera is asked for."""

    records: tuple[Record, ...] = ()
    orders: tuple[Order, ...] = ()
