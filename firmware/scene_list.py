"""Lists, pages and tables around a game: one way to move, to take and to go back, on every panel.

Room: firmware. The bases of all scenes that are no turn. What their lines do is theirs to say; it knows no game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from display.view import GridView, MenuItem, TrayView, View
from display.view import Scene as Shown
from firmware.events import Handled, Intent, Seen
from firmware.events import IntentKind as I
from firmware.intents import Action
from firmware.scene import Scene
from hardware.buttons import HOLDS, Button
from rules.said import said as _

if TYPE_CHECKING:
    from firmware.table import Table

BY_MANY = 10
"""HOLD 5 and 6 change a value by so many steps at once."""


class Around(Scene):
    """A scene around a game: it makes its own view, and the tray's picture is no part of it unless it says so."""

    shows: ClassVar[Shown] = Shown.MENU
    pictured = False
    lasts = False

    def title(self, table: Table) -> str:
        """What stands in the corner; "": the game's name."""
        return ""

    def back(self, table: Table) -> Handled:
        """Where ROLL (and UNDO) leads: to what lies beneath."""
        return table.close()

    def paragraphs(self, table: Table) -> tuple[str, ...]:
        return ()

    def grid(self, table: Table) -> GridView | None:
        return None

    def tray(self, table: Table) -> TrayView:
        """Of use only where the picture is shown."""
        return TrayView()

    @property
    def first(self) -> int:
        """The first paragraph or row that is shown."""
        return 0

    def view(self, table: Table, actions: tuple[Action, ...]) -> View | None:
        from firmware.views import around

        return around(table, self, actions)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a list. `take`: what SCORE does; `turn`: what less and more do, by so many steps. A line with `turn`
    alone goes on by one step with SCORE."""

    label: str
    value: str = ""
    more: str = ""
    take: Callable[[], Handled] | None = None
    turn: Callable[[int], Handled] | None = None
    dice: tuple[int, ...] = ()
    icon: str = ""
    enabled: bool = True
    many: bool = False
    """There are so many values that steps of BY_MANY are offered too."""


class ListScene(Around):
    """Lines to choose from. HOLD 1 and 2 (or UP, DOWN, or the one HOLD) move, SCORE takes, ROLL goes back."""

    def __init__(self) -> None:
        self.at = 0

    def lines(self, table: Table) -> Sequence[Line]:
        raise NotImplementedError

    def line(self, table: Table) -> Line | None:
        """The one under the cursor."""
        lines = self.lines(table)
        return lines[min(self.at, len(lines) - 1)] if lines else None

    def press(self, table: Table, intent: Intent) -> Handled:
        lines = self.lines(table)
        self.at = min(self.at, max(0, len(lines) - 1))
        match intent.kind:
            case I.UP | I.DOWN | I.NEXT if lines:
                self.at = (self.at + (-1 if intent.kind is I.UP else 1)) % len(lines)
                return Handled()
            case I.SCORE if lines:
                return self._take(table, lines[self.at])
            case I.PICK if isinstance(intent.arg, int) and 0 <= intent.arg < len(lines):
                self.at = intent.arg
                return self._take(table, lines[self.at])
            case I.LEFT | I.RIGHT if lines and lines[self.at].turn is not None:
                turn, by = lines[self.at].turn, int(intent.arg or 1)
                assert turn is not None
                return turn(-by if intent.kind is I.LEFT else by)
            case I.ROLL | I.BACK | I.UNDO:
                return self.back(table)
            case _:
                return table.refuse("NOT_HERE")

    def _take(self, table: Table, line: Line) -> Handled:
        if not line.enabled:
            return table.refuse("NOT_NOW")
        if line.take is not None:
            return line.take()
        return line.turn(1) if line.turn is not None else table.refuse("NOT_HERE")

    def actions(self, table: Table, layout: int) -> list[Action]:
        line = self.line(table)
        turns = line is not None and line.turn is not None
        taken = _("change it") if turns and line is not None and line.take is None else _("take it")
        made = [Action(Button.SCORE, I.SCORE, taken), Action(Button.ROLL, I.BACK, _("back"))]
        if layout == 3:
            made += [
                Action(Button.HOLD1, I.DOWN, _("next line")),
                Action(Button.HOLD1, I.UP, _("line before"), long=True),
            ]
            return [*made, Action(Button.SCORE, I.LEFT, _("less"), long=True)] if turns else made
        made += [Action(HOLDS[0], I.UP, _("up")), Action(HOLDS[1], I.DOWN, _("down"))]
        if turns:
            made += [Action(HOLDS[2], I.LEFT, _("less")), Action(HOLDS[3], I.RIGHT, _("more"))]
        if turns and line is not None and line.many:
            made += [
                Action(HOLDS[4], I.LEFT, _("much less"), BY_MANY),
                Action(HOLDS[5], I.RIGHT, _("much more"), BY_MANY),
            ]
        if layout == 11:
            made += [
                Action(Button.UP, I.UP, _("up")),
                Action(Button.DOWN, I.DOWN, _("down")),
                Action(Button.UNDO, I.UNDO, _("back")),
            ]
        return made

    def may(self, table: Table, action: Action) -> bool:
        line = self.line(table)
        return action.intent is not I.SCORE or (line is not None and line.enabled)

    def menu(self, table: Table) -> tuple[MenuItem, ...]:
        lines = self.lines(table)
        at = min(self.at, max(0, len(lines) - 1))
        return tuple(
            MenuItem(n.label, n.value, i == at, n.more, n.dice, n.icon, n.enabled) for i, n in enumerate(lines)
        )


class Reading(Around):
    """Something to read that may be longer than the screen: HOLD 1 and 2 (or UP, DOWN, or HOLD) move, SCORE or ROLL
    goes back."""

    shows = Shown.PAGE

    def __init__(self) -> None:
        self.at = 0

    def length(self, table: Table) -> int:
        """How many paragraphs or rows there are."""
        return len(self.paragraphs(table))

    @property
    def first(self) -> int:
        return self.at

    def press(self, table: Table, intent: Intent) -> Handled:
        length = max(1, self.length(table))
        match intent.kind:
            case I.UP:
                self.at = max(0, self.at - 1)
                return Handled()
            case I.DOWN | I.NEXT:
                self.at = (self.at + 1) % length
                return Handled()
            case I.SCORE | I.ROLL | I.BACK | I.UNDO:
                return self.back(table)
            case _:
                return table.refuse("NOT_HERE")

    def actions(self, table: Table, layout: int) -> list[Action]:
        made = [Action(Button.SCORE, I.SCORE, _("back")), Action(Button.ROLL, I.BACK, _("back"))]
        if layout == 3:
            hold = Button.HOLD1
            return [*made, Action(hold, I.DOWN, _("go on")), Action(hold, I.UP, _("go back up"), long=True)]
        made += [Action(HOLDS[0], I.UP, _("up")), Action(HOLDS[1], I.DOWN, _("down"))]
        if layout == 11:
            made += [
                Action(Button.UP, I.UP, _("up")),
                Action(Button.DOWN, I.DOWN, _("down")),
                Action(Button.UNDO, I.UNDO, _("back")),
            ]
        return made

    def prompt(self, table: Table) -> tuple[str, str] | None:
        return _("SCORE goes back"), ""


class Sure(ListScene):
    """A question before something that can't be taken back: no comes first."""

    def __init__(self, question: str, yes: str, then: Callable[[Table], Handled]) -> None:
        super().__init__()
        self.question = question
        self.yes = yes
        self.then = then

    def lines(self, table: Table) -> Sequence[Line]:
        return (
            Line(_("No, go back"), take=lambda: self.back(table)),
            Line(self.yes, take=lambda: self.then(table)),
        )

    def prompt(self, table: Table) -> tuple[str, str] | None:
        return self.question, _("SCORE takes the marked line.")


def not_mine(table: Table, seen: Seen) -> Handled:
    """What scenes answer to a throw that is not the game's business."""
    return table.refuse("NO_THROW_NOW")
