"""A table without camera and screen, played by somebody who presses at random, for the power-cut runs.

The loop, the table, the rules and the journal are the real ones; the dice come from a seeded generator, and the window
only remembers what it was last shown.
"""

from __future__ import annotations

import json
import queue
import random
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from display.view import Picture, Scene, View
from display.window import RawInput, Touch
from firmware.events import CameraState, Order, Preview, Seen
from firmware.journal import Journal
from firmware.loop import Loop, LoopEvent, Parts
from firmware.table import Mode, Table, TableSettings
from hardware.buttons import Button
from vision.types import Die, Reading, Status, TrayEvent, TrayEventKind, TrayState

SETTINGS = TableSettings("yardzee", 2, ("Ann", "Bo"))
WIDTH, HEIGHT = 1000, 600


class _Eye:
    def order(self, order: Order) -> None: ...

    def picture(self, preview: Preview) -> Picture | None:
        return None

    def close(self) -> None: ...


class _Panel:
    def levels(self) -> Mapping[Button, bool]:
        return {}

    def lamp(self, button: Button, lit: bool) -> None: ...

    def close(self) -> None: ...


class _Window:
    """Touches are put in by name; what is shown is kept."""

    def __init__(self) -> None:
        self.touched: list[str] = []
        self.shown: View | None = None

    def inputs(self) -> Iterable[RawInput]:
        return [Touch(0.0, 0.0)] * len(self.touched)

    def hit(self, x: float, y: float) -> str | None:
        return self.touched.pop(0)

    def show(self, view: View, t: float) -> None:
        self.shown = view


def same_screen(a: str, b: str) -> bool:
    """Is it the same state of the game? Where one has a form open, dice and offers can't be compared."""
    x, y = json.loads(a), json.loads(b)
    return bool(x[:4] == y[:4] and all(p == q for p, q in zip(x[4:], y[4:], strict=True) if None not in (p, q)))


class DryTable:
    """A table over the journal in `folder`, as after any start. Time moves by `step` only."""

    def __init__(self, folder: Path, seed: int = 1, players: int = 2) -> None:
        self.t = 1000.0
        self.rng = random.Random(seed)
        self.frame = 0
        self.events: queue.SimpleQueue[LoopEvent] = queue.SimpleQueue()
        self.journal = Journal(folder / "journal.sqlite3", now=lambda: self.t)
        self.table = Table(replace(SETTINGS, players=players), self.journal.last_game())
        self.window = _Window()
        self.loop = Loop(
            Parts(
                self.table,
                self.journal,
                _Eye(),  # type: ignore[arg-type]
                _Panel(),  # type: ignore[arg-type]
                self.window,
                self.events,
                lambda: self.t,
                layout=11,
            )
        )
        self.events.put(CameraState(True, self.t))
        self.step()

    def step(self, seconds: float = 1 / 30) -> None:
        self.t += seconds
        self.loop.step()

    @property
    def settled(self) -> bool:
        """Is all that was accepted shown?"""
        return self.journal.committed >= self.loop.token

    @property
    def screen(self) -> str:
        """What a person would call the state of the game, as far as the screen shows it."""
        view = self.window.shown
        assert view is not None
        # A list of boxes or a form that is open is closed after a start; nothing in it was accepted.
        form = view.scene is Scene.CORRECT or (view.message is not None and view.message.asks)
        return json.dumps(
            [
                "game" if view.scene in (Scene.TURN, Scene.CHOOSE, Scene.CORRECT) else view.scene,
                [(p.name, p.total, p.active, p.winner) for p in view.players],
                [(r.key, r.written) for r in view.rows],
                view.roll,
                None if form else [(d.value, d.held) for d in view.tray.dice],
                None if form else [(r.key, r.offer) for r in view.rows],
            ]
        )

    @property
    def honest(self) -> bool:
        """Does the screen show no fault of the disk? Then what it shows must be on the disk."""
        assert self.window.shown is not None
        return not any(b.startswith(("JRN-03", "JRN-04")) for b in self.window.shown.banners)

    def act(self) -> None:
        """One thing that somebody at the table does."""
        rng, table = self.rng, self.table
        match table.mode:
            case Mode.MENU:
                self._touch("key:SCORE")
            case Mode.RESULT:
                self._touch(rng.choice(["key:SCORE", "key:ROLL", "key:UNDO"]))
            case Mode.ENTRY:
                self._touch(rng.choice(["key:HOLD 1-6", "key:SCORE", "key:SCORE", "key:ROLL long"]))
            case Mode.CHOOSE:
                if rng.random() < 0.1:
                    self._touch(rng.choice(["key:UNDO", "key:SCORE long", "key:UP"]))
                else:
                    self._touch(f"row:{rng.choice(table.open_options).box}")
            case Mode.PLAY:
                self._play()
            case Mode.ASK | Mode.AGAIN:
                self._touch(rng.choice(["key:SCORE", "key:ROLL", "key:UNDO"]))
            case _:
                self._touch("key:UNDO")
        self.step()

    def _play(self) -> None:
        rng, play = self.rng, self.table.play
        assert play is not None
        if not play.dice:
            if rng.random() < 0.05:
                self._touch("key:UNDO")
            kept = play.game.kept
            self._throw([*kept, *(rng.randint(1, 6) for _ in range((self.table.wanted or 5) - len(kept)))], kept)
        elif rng.random() < 0.5:
            self._touch(f"die:{rng.randint(1, 5)}")
        else:
            self._touch(rng.choice(["key:ROLL", "key:SCORE", "key:SCORE", "key:SCORE long"]))

    def _touch(self, what: str) -> None:
        self.window.touched.append(what)

    def _throw(self, values: list[int], kept: tuple[int, ...]) -> None:
        self.frame += 30
        thrown = list(values)
        for v in kept:
            thrown.remove(v)
        dice = tuple(
            Die(v, 0.99, x, 300.0, ((x - 20, 280.0), (x + 20, 280.0), (x + 20, 320.0), (x - 20, 320.0)))
            for v, x in zip(values, (self.rng.uniform(50, 950) for _ in values), strict=True)
        )
        reading = Reading(Status.READ, dice)
        for kind, state, r in (
            (TrayEventKind.STATE, TrayState.ROLLING, None),
            (TrayEventKind.STATE, TrayState.SETTLED, reading),
            (TrayEventKind.ROLL, TrayState.SETTLED, reading),
        ):
            roll = kind is TrayEventKind.ROLL
            event = TrayEvent(
                kind,
                state,
                self.t,
                self.frame,
                r,
                values=r.values if r else (),
                kept=tuple(kept) if roll else (),
                thrown=tuple(thrown) if roll else (),
            )
            self.events.put(Seen(event, WIDTH, HEIGHT))

    def close(self) -> bool:
        return self.journal.close()
