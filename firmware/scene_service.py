"""The service menu: what a host looks after. Camera, buttons, calibration, dice, settings, players, power.

Room: firmware. It shows facts that the loop tells and hands back orders; it touches no device itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from firmware.events import Handled, Order, Seen
from firmware.scene import Mode
from firmware.scene_attract import Attract, next_language, set_key
from firmware.scene_calibrate import Calibrate
from firmware.scene_fault import Faults, faults_of
from firmware.scene_list import Line, ListScene, Reading, Sure, not_mine
from firmware.scene_parts import ButtonTest, CameraTest
from firmware.scene_players import OfService, Players
from firmware.scene_seats import OneName
from firmware.scene_setup import language_name
from rules.said import said as _
from rules.said import said_as as _as

if TYPE_CHECKING:
    from firmware.table import Table

SERVICE_MODES = frozenset(
    {
        Mode.SERVICE,
        Mode.PIN,
        Mode.CAMERA,
        Mode.BUTTONS,
        Mode.CALIBRATE,
        Mode.DICE,
        Mode.SETTINGS,
        Mode.PLAYERS,
        Mode.PLAYER,
        Mode.FORGET,
        Mode.ABOUT,
        Mode.POWER,
        Mode.FAULTS,
        Mode.FAULT,
    }
)
THEMES = {
    "dark": _as("colours", "dark"),
    "daylight": _as("colours", "daylight"),
    "contrast": _as("colours", "contrast"),
}
ROTATIONS = (0, 90, 180, 270)


class Service(ListScene):
    """All that a host looks after."""

    mode = Mode.SERVICE

    def lines(self, table: Table) -> Sequence[Line]:
        faults = faults_of(table)
        lines = [
            Line(_("Faults"), str(len(faults)) if faults else _("none"), take=lambda: table.open(Faults())),
            Line(_("Camera: what it sees"), take=lambda: table.open(CameraTest())),
            Line(_("Test the buttons"), take=lambda: table.open(ButtonTest())),
            Line(_("Calibrate the tray"), take=lambda: table.open(Calibrate())),
            Line(_("Sets of dice"), str(table.facts.get("dice", "")), take=lambda: table.open(DiceSets())),
            Line(_("Sound, screen, language"), take=lambda: table.open(Settings())),
            Line(_("Players"), take=lambda: table.open(Players())),
            Line(_("Begin a new evening"), take=lambda: table.open(NewEvening())),
            Line(_("About this table"), str(table.facts.get("version", "")), take=lambda: table.open(About())),
            Line(_("Start again"), take=lambda: table.open(Power("restart"))),
        ]
        if table.facts.get("platform") == "pi":
            lines.append(Line(_("Switch off"), take=lambda: table.open(Power("poweroff"))))
        return [*lines, Line(_("To the invitation"), take=lambda: self._attract(table))]

    def _attract(self, table: Table) -> Handled:
        table.close()
        return table.open(Attract())

    def title(self, table: Table) -> str:
        return _("Service")

    def throw(self, table: Table, seen: Seen) -> Handled | None:
        return not_mine(table, seen)

    def prompt(self, table: Table) -> tuple[str, str] | None:
        return _("Service menu"), _("SCORE takes the marked line, ROLL leaves the menu.")


class DiceSets(OfService):
    """Which of the sets of dice that were learnt is played with."""

    mode = Mode.DICE

    def lines(self, table: Table) -> Sequence[Line]:
        now = table.facts.get("dice")
        sets = [str(s) for s in table.facts.get("dice_sets", ())]
        made = [
            Line(n, _("in use") if n == now else "", take=lambda n=n: set_key(table, "dice", n))  # type: ignore[misc]
            for n in sets
        ]
        if sets:
            named = SetName(sets, lambda name: self._learn(table, name))
            made.append(Line(_("Learn another set"), take=lambda: table.open(named)))
        return [*made, Line(_("Back"), take=table.close)]

    def _learn(self, table: Table, name: str) -> Handled:
        table.close()
        return table.open(Calibrate(name, adds=True))

    def prompt(self, table: Table) -> tuple[str, str] | None:
        if not table.facts.get("dice_sets"):
            return _("No dice were learnt yet"), _("Calibrate the tray to learn them.")
        return _("Which dice are played with?"), _("SCORE takes the marked line, ROLL goes back.")


class SetName(OneName):
    """What a set of dice is called, letter by letter."""

    def prompt(self, table: Table) -> tuple[str, str] | None:
        return _("What are these dice called?"), _("ROLL takes the letter, SCORE ends the name.")


class Settings(OfService):
    """Sound, screen and language; each takes effect at once."""

    mode = Mode.SETTINGS

    def lines(self, table: Table) -> Sequence[Line]:
        facts = table.facts

        def flag(key: str) -> Callable[[int], Handled]:
            return lambda _by: set_key(table, key, not facts.get(key, False))

        def one_of(key: str, values: Sequence[Any]) -> Callable[[int], Handled]:
            def change(by: int) -> Handled:
                now = facts.get(key, values[0])
                at = values.index(now) if now in values else 0
                return set_key(table, key, values[(at + by) % len(values)])

            return change

        def shown(key: str) -> str:
            return _("on") if facts.get(key, False) else _("off")

        volume, bright = int(facts.get("sound.volume", 60)), int(facts.get("screen.brightness", 100))
        theme = str(facts.get("screen.theme", "dark"))
        return [
            Line(_("Sounds"), shown("sound.on"), turn=flag("sound.on")),
            Line(_("Volume"), f"{volume} %", turn=one_of("sound.volume", range(0, 101, 10))),
            Line(_("Caller"), shown("sound.caller"), turn=flag("sound.caller")),
            Line(_("Spoken mode"), shown("sound.spoken"), turn=flag("sound.spoken")),
            Line(_("Brightness"), f"{bright} %", turn=one_of("screen.brightness", range(30, 101, 10))),
            Line(_("Colours"), THEMES.get(theme, theme), turn=one_of("screen.theme", list(THEMES))),
            Line(
                _("Turn the picture"),
                f"{facts.get('screen.rotation', 0)}°",
                turn=one_of("screen.rotation", ROTATIONS),
            ),
            Line(_("Language"), language_name(table), turn=lambda n: next_language(table, n)),
        ]

    def prompt(self, table: Table) -> tuple[str, str] | None:
        return _("Sound, screen, language"), _("SCORE changes the marked line, ROLL goes back.")


class About(Reading):
    """Version, platform and where things lie."""

    mode = Mode.ABOUT

    def paragraphs(self, table: Table) -> tuple[str, ...]:
        facts = table.facts
        return (
            _(
                "Version {version}, platform {platform}.",
                version=facts.get("version", "?"),
                platform=facts.get("platform", "?"),
            ),
            _("Journal and settings lie in {folder}.", folder=facts.get("data", "?")),
            _("Panel with {n} buttons.", n=facts.get("buttons", 8)),
            _("What a helper needs to know: dicetable diag --bundle"),
        )

    def prompt(self, table: Table) -> tuple[str, str] | None:
        return _("About this table"), _("SCORE goes back.")

    def throw(self, table: Table, seen: Seen) -> Handled | None:
        return not_mine(table, seen)


class Power(Sure):
    """Start again, or switch off. A game is found again after both."""

    mode = Mode.POWER

    def __init__(self, what: str) -> None:
        question = _("Start the table again?") if what == "restart" else _("Switch the table off?")

        def done(table: Table) -> Handled:
            table.close()
            return Handled(orders=(Order(what),))

        super().__init__(question, _("Yes, the game is kept"), done)


class NewEvening(Sure):
    """The best of the night begins anew."""

    mode = Mode.POWER

    def __init__(self) -> None:
        def done(table: Table) -> Handled:
            table.close()
            return Handled(orders=(Order("session"),))

        super().__init__(_("Begin a new evening?"), _("Yes, the best of the night begins anew"), done)
