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
    RESULT: the game is over. FAULT: the table can't be played; `prompt` says what to do.

    For everything around a game: ATTRACT invites whoever passes, with dice that move and `grid` as the best of the
    night. MENU is a list to choose from (`menu`), with the tray's picture beside it if there is one. PAGE is text
    (`paragraphs`). NAME enters a name letter by letter (`form`). GRID is a table of words and figures (`grid`): a
    match's standing, a leaderboard. ROLLOFF: who throws highest begins; each player's `note` is the throw."""

    ATTRACT = "attract"
    MENU = "menu"
    PAGE = "page"
    NAME = "name"
    GRID = "grid"
    ROLLOFF = "rolloff"
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
    """The tray: `state` is one short word or two for the status line ("rolling"), `live` whether pictures arrive,
    `moving` whether dice roll there now.

    `spots` are places in the picture (as shares) that the reader complains about, each with a few words.
    """

    picture: Picture | None = None
    dice: tuple[DieView, ...] = ()
    state: str = ""
    live: bool = False
    spots: tuple[tuple[Point, str], ...] = ()
    moving: bool = False


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
    is drawn as a bar: how far the player is on the way to a bonus. `chips` are drawn as counters: bonuses so far.
    `others` is the same line in the further columns of a card that has several; only their values are shown.
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
    chips: int = 0
    others: tuple[Row, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player (or team) in the order of the seats. `place` is 1 for first, set when the game is over.

    `note` stands beside the name in small letters: which partner throws, a head start, the throw of a roll-off.
    `away`: has left, or does not take part in this round.
    """

    name: str
    total: int
    active: bool = False
    winner: bool = False
    place: int | None = None
    note: str = ""
    away: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """Something that must be seen: a refusal, a question, a fault. `code` is stable, `words` say what to do.

    `asks`: it is a question, and no fault of anybody.
    """

    code: str
    words: str
    asks: bool = False


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
    """A line of a menu: `value` is its present setting, "" for a plain action.

    In a MENU: `more` is a second, smaller line; the picture before it are `dice` of these values, or the icon of this
    name (see `display.shapes`). `enabled`: it may be chosen.
    """

    label: str
    value: str = ""
    selected: bool = False
    more: str = ""
    dice: tuple[int, ...] = ()
    icon: str = ""
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class FormView:
    """A name that is being entered: `text` as it looks now, of which the last letter is the one under the cursor; that
    `letter` as it stands among all the `letters` to choose from."""

    text: str
    letter: str
    letters: str


@dataclass(frozen=True, slots=True)
class GridView:
    """A table: `heads` over the columns, and rows of as many cells. The first column is words, the others figures.

    `marked` are the numbers of rows that stand out, from 0.
    """

    heads: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    marked: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """All that the screen shows. Everything but `scene` may be absent.

    `title`: the game's name. `prompt`: the one sentence that says what to do now. `detail`: a second, smaller one.
    `roll`, `rolls`: this is roll number `roll` of at most `rolls` (0: none yet). `message`: a refusal or question,
    shown until it is answered or overtaken. `banners`: conditions that last ("simulated", "camera away", "saving").
    `curves`: for each player, in order, the total after each of their turns (RESULT). `paragraphs`, `grid`, `form`: see
    PAGE, GRID and NAME. `at` is the first paragraph or row that is shown. `since` is when the scene, the message or the
    tray's state last changed (monotonic, in seconds): movements begin there, and have ended by default.
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
    paragraphs: tuple[str, ...] = ()
    grid: GridView | None = None
    form: FormView | None = None
    at: int = 0
    since: float = -1e9
