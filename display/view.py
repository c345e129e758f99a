"""The View: all that a screen shows at one moment, as plain frozen values.

Room: display. Made by `firmware`, drawn by `display`; it holds words and numbers that are ready to be shown, and no
rule, no device and no clock. Two equal views look the same at the same time.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

Point = tuple[float, float]


class Scene(StrEnum):
    """START: who plays. TURN: throw and hold. CHOOSE: a box is chosen. CORRECT: values are entered or put right.
    RESULT: the game is over. FAULT: the table can't be played; `prompt` says what to do."""

    START = "start"
    TURN = "turn"
    CHOOSE = "choose"
    CORRECT = "correct"
    RESULT = "result"
    FAULT = "fault"


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """The tray as the camera sees it: RGB bytes, row by row. `number` rises with every new picture.

    Pictures compare by number and size, so that comparing two views never compares pixels.
    """

    number: int
    width: int
    height: int
    rgb: bytes

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Picture):
            return NotImplemented
        return (self.number, self.width, self.height) == (other.number, other.width, other.height)

    def __hash__(self) -> int:
        return hash((self.number, self.width, self.height))


@dataclass(frozen=True, slots=True)
class DieView:
    """One die, numbered from left to right from 1.

    `value` is None for a die that has none yet. `corners` are its top face's in the picture, as shares of the
    picture's width and height (0 to 1), None for a die that no camera saw. `held`: the player keeps it. `doubtful`:
    the reader is not certain. `selected`: the cursor is on it. `gone`: it was no die, and is crossed out.
    """

    number: int
    value: int | None
    corners: tuple[Point, Point, Point, Point] | None = None
    held: bool = False
    doubtful: bool = False
    selected: bool = False
    gone: bool = False


@dataclass(frozen=True, slots=True)
class TrayView:
    """The tray: `state` is one short word or two for the status line ("rolling"), `live` whether pictures arrive.

    `spots` are places in the picture (as shares) that the reader complains about, each with a few words.
    """

    picture: Picture | None = None
    dice: tuple[DieView, ...] = ()
    state: str = ""
    live: bool = False
    spots: tuple[tuple[Point, str], ...] = ()


class RowKind(StrEnum):
    BOX = "box"
    SUM = "sum"
    TOTAL = "total"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the card of the player whose turn it is.

    BOX: `written` is the score in it, None while it is open; `offer` is what the dice on the table would pay there,
    None where it may not be chosen; `why` says in a few words why it pays nothing or may not be chosen. SUM and TOTAL
    have only `written`. `section` groups lines ("upper", "lower", "" for the total). `selected`: the cursor is on it.
    `best`: no open box pays more. `note` is something extra beside the score ("38 of 63", "+100"). `progress`, 0 to 1,
    is drawn as a bar: how far the player is on the way to a bonus.
    """

    key: str
    label: str
    kind: RowKind = RowKind.BOX
    section: str = ""
    written: int | None = None
    offer: int | None = None
    why: str = ""
    selected: bool = False
    best: bool = False
    note: str = ""
    progress: float | None = None


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player (or team) in the order of the seats. `place` is 1 for first, set when the game is over."""

    name: str
    total: int
    active: bool = False
    winner: bool = False
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """Something that must be seen: a refusal, a question, a fault. `code` is stable, `words` say what to do."""

    code: str
    words: str


@dataclass(frozen=True, slots=True)
class KeyHint:
    """What a button or key does now: `key` is what is printed on it ("SCORE", "S"), `enabled` whether it may be
    pressed. `shown` is drawn in place of `key` where that is not all ("SCORE held"); a touch still finds `key`."""

    key: str
    action: str
    enabled: bool = True
    shown: str = ""


@dataclass(frozen=True, slots=True)
class MenuItem:
    """A line of a menu (START): `value` is its present setting, "" for a plain action."""

    label: str
    value: str = ""
    selected: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """All that the screen shows. Everything but `scene` may be absent.

    `title`: the game's name. `prompt`: the one sentence that says what to do now. `detail`: a second, smaller one.
    `roll`, `rolls`: this is roll number `roll` of at most `rolls` (0: none yet). `message`: a refusal or question,
    shown until it is answered or overtaken. `banners`: conditions that last ("simulated", "camera away", "saving").
    `curves`: for each player, in order, the total after each of their turns (RESULT).
    """

    scene: Scene
    title: str = ""
    prompt: str = ""
    detail: str = ""
    players: tuple[PlayerView, ...] = ()
    rows: tuple[Row, ...] = ()
    tray: TrayView = TrayView()
    roll: int = 0
    rolls: int = 0
    menu: tuple[MenuItem, ...] = ()
    message: Message | None = None
    banners: tuple[str, ...] = ()
    keys: tuple[KeyHint, ...] = ()
    curves: tuple[tuple[int, ...], ...] = ()
