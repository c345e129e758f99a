"""An evening at the simulated table: throw, press, advance, expect. Real camera back end, reader, loop and journal.

Only for tests. What people would do about a doubt is done: leaning dice are tapped, and what can't be read is entered.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from firmware.events import IntentKind as I
from firmware.intents import actions
from firmware.play import Play
from firmware.stepped import HandClock, SteppedTable
from firmware.table import Mode, TableSettings
from hardware.buttons import HOLDS, Button
from hardware.camera_sim import SimCamera
from vision.types import TrayState

RATE_HZ = 15.0
PATIENCE_S = 12.0


class Simulated:
    """Ann and Bo at a table with so many buttons."""

    def __init__(
        self,
        folder: Path,
        game: str = "yardzee",
        *,
        layout: int = 8,
        seed: int = 4,
        players: int = 2,
        pictures_mb: float = 0.0,
        begin: bool = True,
    ) -> None:
        self.folder = folder
        self.clock = HandClock()
        self.camera = SimCamera(
            seed=seed, width=960, height=540, rate_hz=RATE_HZ, touching=0.0, cocked=0.0, clock=self.clock.clock
        )
        self.settings = TableSettings(game, players, ("Ann", "Bo"), die_cursor=layout == 3)
        self.layout = layout
        self.misread = self.asked = 0
        self.s = SteppedTable(
            folder,
            self.camera,
            self.clock,
            settings=self.settings,
            layout=layout,
            size=(480, 320),
            tick_s=1 / RATE_HZ,
            pictures_mb=pictures_mb,
        )
        self.table = self.s.table
        self.s.advance(0.5)
        if begin:
            self.press(Button.SCORE)

    @property
    def play(self) -> Play:
        assert self.table.play is not None
        return self.table.play

    @property
    def code(self) -> str | None:
        return self.table.message.code if self.table.message else None

    @property
    def dice(self) -> tuple[int, ...]:
        """The dice of the roll that lies there, sorted."""
        return tuple(sorted(d.value for d in self.play.dice))

    @property
    def shown(self) -> str:
        """All the words on the screen that say what is and what to do."""
        view = self.s.loop.view
        said = [view.prompt, view.detail, *view.banners]
        return " | ".join([*said, f"{view.message.code}: {view.message.words}" if view.message else ""])

    # ---- what people do -----------------------------------------------------------------------------------------

    def press(self, button: Button, *, long: bool = False) -> None:
        self.s.press(button, held_s=1.6 if long else 0.1)

    def ask(self, intent: I, arg: int | None = None) -> None:
        """Press whatever button asks for this; on another panel that is another one."""
        found = [a for a in actions(self.table, self.layout) if a.intent is intent and a.arg in (arg, None)]
        assert found, f"no button asks for {intent} in {self.table.mode}: {self.shown}"
        action = next((a for a in found if a.arg == arg), found[0])
        self.press(action.button, long=action.long)

    def hold(self, *values: int) -> None:
        """Mark dice that show these values, by their buttons."""
        for value in values:
            n = next(n for n, d in enumerate(self.play.dice, 1) if d.value == value and n not in self.play.marks)
            if self.layout != 3:
                self.press(HOLDS[n - 1])
                continue
            while self.table.die != n:
                self.press(Button.HOLD1)
            self.press(Button.HOLD1, long=True)

    def toss(self, values: Sequence[int], keep: Sequence[int] = (), **more: object) -> None:
        """Dice are picked up and thrown by hand, those that show `keep` stay; until they rest and were looked at.

        `keep` are true faces of dice that lie there. Nothing is done about what the table then says.
        """
        throws = self.camera.truth.throws
        at = self._numbers(keep)
        lying = len(values) + len(at)
        args = {"dice": lying, "kept_at": at, "values": list(values), "hand": bool(self.camera.truth.dice), **more}
        self.s.tell_camera("throw", **args)
        assert self.s.until(lambda: self.camera.truth.throws > throws, 15.0)
        self.settle()

    def throw(self, values: Sequence[int], keep: Sequence[int] = (), **more: object) -> None:
        """The same, and it is accepted as a roll of the turn; what was read wrong or not at all is put right."""
        ply = self.play.game.ply
        self.toss(values, keep, **more)
        self.s.until(lambda: self.play.game.ply > ply or self.table.must_enter, 6.0)
        self._put_right(self._true_roll(values, keep))

    def roll(self) -> None:
        """ROLL: the simulated tray throws what is not kept; and it is accepted, entered by hand if need be."""
        ply, throws = self.play.game.ply, self.camera.truth.throws
        self.ask(I.ROLL)
        kept = [d.value for d in self.play.lying]
        assert self.s.until(lambda: self.camera.truth.throws > throws, 15.0), self.shown
        self.settle()
        self.s.until(lambda: self.play.game.ply > ply + 1 or self.table.must_enter, 6.0)
        flat = [d.value for d in self.camera.truth.dice if d.value is not None]
        for face in kept if self.play.banking else ():
            flat.remove(face)
        self._put_right(sorted(flat))

    def settle(self, seconds: float = PATIENCE_S) -> None:
        """Until all lies still and the table has made up its mind."""
        self.s.advance(0.8)
        rest = (TrayState.SETTLED, TrayState.UNREADABLE, TrayState.EMPTY)
        assert self.s.until(lambda: not self.camera.busy and self.table.sight.tray in rest, seconds), self.shown
        self.s.advance(0.4)

    def do(self, order: str, **args: object) -> None:
        """Something else happens in the tray (see `SimTray.order`), and is over."""
        self.s.tell_camera(order, **args)
        self.s.advance(0.3)
        assert self.s.until(lambda: not self.camera.busy, 15.0)
        self.settle()

    def advance(self, seconds: float) -> None:
        self.s.advance(seconds)

    def choose(self, box: str) -> None:
        if self.table.mode is not Mode.CHOOSE:
            self.ask(I.SCORE)
        assert self.table.mode is Mode.CHOOSE, self.shown
        for _ in self.table.open_options:
            if self.table.open_options[self.table.row].box == box:
                break
            self.ask(I.DOWN)
        self.ask(I.SCORE)

    def restart(self) -> None:
        """The power is cut and comes back; the dice lie where they lay."""
        self.s.journal.close()
        camera = self.camera
        self.s = SteppedTable(
            self.folder, camera, self.clock, settings=self.settings, layout=self.layout, size=(480, 320),
            tick_s=1 / RATE_HZ,
        )  # fmt: skip
        self.table = self.s.table
        self.s.advance(1.5)

    # ---- putting right ------------------------------------------------------------------------------------------

    def _numbers(self, keep: Sequence[int]) -> list[int]:
        """Which dice of the truth show these faces."""
        found: list[int] = []
        for face in keep:
            same = (i for i, d in enumerate(self.camera.truth.dice) if d.value == face and i not in found)
            found.append(next(same))
        return found

    def _true_roll(self, values: Sequence[int], keep: Sequence[int]) -> list[int]:
        return sorted(values) if self.play.banking else sorted([*values, *keep])

    def _put_right(self, truth: list[int]) -> None:
        """What a player does who looks into the tray: enter what the table could not read, mend what it misread."""
        rolls = [m for m in self.play.game.moves if type(m).__name__ == "Roll"]
        last = self.play.lies[-1] if rolls and self.play.last_move is rolls[-1] else ()
        if sorted(d.value for d in last) == truth:
            return
        if last:
            self.misread += 1
        else:
            self.asked += 1
        if self.table.mode is Mode.ASK:
            return
        self.ask(I.CORRECT)
        form = self.table.entry
        assert form is not None, self.shown
        for n, value in enumerate(truth):
            while form.cursor != n:
                self.ask(I.NEXT)
            if form.values[n] == value:
                continue
            if self.layout != 3:
                self.press(HOLDS[value - 1])
            else:
                while form.values[n] != value:
                    self.press(Button.HOLD1)
        self.ask(I.SCORE)

    def close(self) -> None:
        self.s.close()
