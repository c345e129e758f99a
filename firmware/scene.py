"""A scene: what the table is about at one moment, with everything that belongs to it in one place.

Room: firmware. A scene says what an intent leads to, what the buttons mean, what a throw is worth now and, where it is
none of the table's own, what the screen shows. Like the table it has no clock, no device and no random number.

`Table.scene` is the scene that is asked. Forms and menus are opened on top with `Table.open` and closed with
`Table.close`; underneath lies what the game's position says: the lobby, a turn, the choice of a box, or the result.
To add one, write a class in a file beside this one, give it a `Mode`, and open it from another scene
(docs/architecture.md tells it step by step).
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

from firmware.events import Handled, Intent, Seen
from firmware.intents import Action

if TYPE_CHECKING:
    from display.view import MenuItem, View
    from firmware.table import Table


class Mode(StrEnum):
    """The scenes' names: what the buttons mean now."""

    MENU = "menu"
    PLAY = "play"
    CHOOSE = "choose"
    ENTRY = "entry"
    RESULT = "result"
    ASK = "ask"
    AGAIN = "again"
    NAMES = "names"
    ATTRACT = "attract"
    HOWTO = "howto"
    BEST = "best"
    SETUP = "setup"
    GAMES = "games"
    HOUSE = "house"
    HEAD_START = "head_start"
    RULES = "rules"
    SEATS = "seats"
    TEAMS = "teams"
    PICK_NAME = "pick_name"
    NAME = "name"
    PAUSE = "pause"
    LEAVES = "leaves"
    END = "end"
    SERVICE = "service"
    PIN = "pin"
    CAMERA = "camera"
    BUTTONS = "buttons"
    CALIBRATE = "calibrate"
    DICE = "dice"
    SETTINGS = "settings"
    PLAYERS = "players"
    PLAYER = "player"
    FORGET = "forget"
    ABOUT = "about"
    POWER = "power"
    FAULTS = "faults"
    FAULT = "fault"


class Scene:
    """The base of all scenes. What it holds (a cursor, a draft) is lost with the power; what must not be is a record.

    `modal`: while it is open, a throw is not the turn's business, unless `throw` says otherwise.
    """

    mode: ClassVar[Mode]
    pictured: ClassVar[bool] = True
    """The tray's picture belongs on the screen."""
    lasts: ClassVar[bool] = True
    """It is found again after the table was left alone, or after the service menu; menus are not."""
    measures: ClassVar[bool] = False
    """It shows what the parts measure, and is told several times a second."""

    def press(self, table: Table, intent: Intent) -> Handled:
        """Answer an intent made against this very state: do something, or refuse. Never neither."""
        return table.refuse("NOT_HERE")

    def throw(self, table: Table, seen: Seen) -> Handled | None:
        """Dice have come to rest that were thrown. None: the table takes them as the turn says."""
        return None

    def tick(self, table: Table, t: float) -> None:
        """Time has come to `t` (monotonic, in seconds)."""

    def told(self, table: Table) -> Handled:
        """Facts have come (see `firmware.events.Facts`); `table.facts` holds them."""
        return Handled()

    def actions(self, table: Table, layout: int) -> list[Action]:
        """What the buttons of a panel with `layout` buttons ask for here, in the order in which the screen lists it."""
        return []

    def may(self, table: Table, action: Action) -> bool:
        """Would this button be taken now? It lights the lamp; a refusal still says why."""
        return True

    def held(self, table: Table) -> frozenset[int] | None:
        """Numbers of the HOLD buttons whose lamps are lit; None: of those that mean something here."""
        return None

    def prompt(self, table: Table) -> tuple[str, str] | None:
        """The one sentence that says what to do, and a smaller one. None: `firmware.views` knows."""
        return None

    def menu(self, table: Table) -> tuple[MenuItem, ...] | None:
        """The lines of a menu. None: `firmware.views` knows."""
        return None

    def view(self, table: Table, actions: tuple[Action, ...]) -> View | None:
        """What the screen shows. None: `firmware.views` knows how to show it."""
        return None
