"""The one loop: events in, the table's decisions out to journal, camera, lamps and screen.

Room: firmware. The main thread owns it, and with it all state; other threads only put frozen events on the queue. The
loop never waits for the camera or for the disk: what is accepted is shown once it is committed, and until then the
screen keeps what it showed, with "saving" if that takes long.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from display.view import Message, Picture, Scene, View
from display.window import CloseRequest, FocusLost, KeyDown, KeyUp, RawInput, Touch
from firmware import words
from firmware.audio import Audio
from firmware.events import (
    CameraState,
    EyePulse,
    Facts,
    Handled,
    Intent,
    IntentKind,
    Order,
    Preview,
    Seen,
    TableEvent,
    Tick,
)
from firmware.eye_service import EyePort
from firmware.intents import Action, PressReader, actions, hints, lamps_for
from firmware.journal import Journal
from firmware.language import ENGLISH, Language
from firmware.machine import ORDERS, Machine
from firmware.results_file import ResultsFile
from firmware.scene_attract import best_of_night
from firmware.spectators import Spectators
from firmware.table import Table
from firmware.views import names_of, view_of
from firmware.watchdog import Beats
from hardware.buttons import LAYOUTS, Button, Edge, Press, PressKind
from hardware.debounce import Debouncer
from hardware.faults import PanelFault
from hardware.panel import Panel
from hardware.panel_keys import KeyPanel

LAST_S = 5
"""The last seconds of the shot clock are heard."""
MEASURE_S = 0.25
"""So often scenes that show what the parts measure are told."""
SAVING_S = 0.3
"""A commit that takes longer than this is shown."""

LoopEvent = Edge | CameraState | Seen | Preview | EyePulse | Facts
Queue = queue.SimpleQueue[LoopEvent]


class WindowPort(Protocol):
    """What the loop needs of a window; `display.window.Window` is one."""

    def inputs(self) -> Iterable[RawInput]: ...

    def show(self, view: View, t: float) -> object: ...

    def hit(self, x: float, y: float) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Parts:
    """What the loop connects. `now` gives monotonic seconds; tests move it themselves. `facts` are what menus show
    (see `firmware.events.Facts`)."""

    table: Table
    journal: Journal
    eye: EyePort
    panel: Panel
    window: WindowPort
    events: Queue
    now: Callable[[], float]
    layout: int = 8
    stable_ms: float = 20.0
    banners: tuple[str, ...] = ()
    language: Language = ENGLISH
    audio: Audio | None = None
    machine: Machine | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    spectators: Spectators | None = None
    results: ResultsFile | None = None


class Loop:
    """`step` does one turn of everything, without waiting."""

    def __init__(self, parts: Parts) -> None:
        self._p = parts
        self._debouncer = Debouncer(LAYOUTS[parts.layout], stable_ms=parts.stable_ms)
        self._reader = PressReader()
        self._keys = parts.panel if isinstance(parts.panel, KeyPanel) else None
        # Where there are real buttons, a keyboard that is plugged in asks for the same; its keys don't bounce.
        self._typed: list[Edge] = []
        self._keyboard = self._keys or KeyPanel(parts.layout, self._typed.append)
        self._picture: Picture | None = None
        self._pictured = True
        self.token = 0
        self._appended_at = 0.0
        self._changed = True
        self._expected: Mapping[str, Any] = {}
        self._saving = parts.language.say(words.SAVING)
        self._panel_fault: Message | None = None
        self._troubles: tuple[str, ...] = ()  # the journal's
        self._hints: tuple[Action, ...] = ()  # what the screen says that the buttons do
        self.fps = 0.0
        self.beats = Beats()
        """What has moved so far; the watchdog is fed by it."""
        self.again = False
        """Somebody asked in a menu that the program start again."""
        self.closed = False
        """Somebody closed the window; never true on a kiosk."""
        self._night: object = None
        self._measured_at = 0.0
        self._told_faults: tuple[tuple[str, str], ...] = ()
        parts.table.handle(Facts({"buttons": parts.layout, **parts.facts}))
        self.mode = parts.table.mode
        self.offered = actions(parts.table, parts.layout)
        self.revision = parts.table.revision
        self.view = self._make_view()
        """What the screen shows: the table as far as it is committed."""
        now = parts.now()
        self._let_hear(now)
        self._tell_eye()

    def step(self) -> None:
        """Take what has come in, decide, and show what is committed."""
        now = self._p.now()
        self._take_input(now)
        self.beats.input += 1
        self._take_queue()
        self._take_presses(now)
        self._tick(now)
        self._refresh(now)
        self._p.window.show(self.view, now)
        if self._p.spectators is not None:
            spoken = self._p.language
            night = spoken.shown(best_of_night(self._p.table))
            self._p.spectators.show(self.view, night, now, spoken)
        if self._debouncer.muted:
            # Nobody means what was pressed before there was a picture.
            self._debouncer.unmute(now, self._levels())
        if self._p.audio is not None:
            self._p.audio.poll(now)
        self.beats.drawing += 1
        self.beats.loop += 1

    @property
    def noise(self) -> Mapping[Button, int]:
        """Button -> pulses too short to be a press since the start."""
        return self._debouncer.noise

    def speak(self, spoken: Language) -> None:
        """Go on in another language. The window's own words are changed by `Window.restyle`."""
        self._p = replace(self._p, language=spoken)
        self._saving = spoken.say(words.SAVING)
        self._changed = True

    def order_eye(self, order: Order) -> None:
        """Pass an order on to the camera."""
        self._p.eye.order(order)

    # ---- in -----------------------------------------------------------------------------------------------------

    def _take_input(self, now: float) -> None:
        for event in self._p.window.inputs():
            match event:
                case KeyDown() | KeyUp():
                    self._keyboard.key(event.key, isinstance(event, KeyDown), now)
                case FocusLost():
                    self._keyboard.release_all(now)
                case Touch():
                    self._touched(self._p.window.hit(event.x, event.y), now)
                case CloseRequest():
                    self.closed = True
                case _:
                    pass

    def _take_queue(self) -> None:
        while True:
            try:
                event = self._p.events.get_nowait()
            except queue.Empty:
                return
            match event:
                case Edge():
                    self._debouncer.feed(event)
                case Preview():
                    picture = self._p.eye.picture(event)
                    if picture is not None:
                        self._picture = picture
                case EyePulse():
                    self.fps = self.fps if event.reading else event.fps
                case CameraState() | Seen() | Facts():
                    self._handle(event)

    def _take_presses(self, now: float) -> None:
        typed = [Press(e.button, PressKind.DOWN if e.level else PressKind.UP, e.t) for e in self._typed]
        self._typed.clear()
        for press in (*self._debouncer.poll(now, self._levels()), *typed):
            for intent in self._reader.feed(press, self.offered, self.revision):
                self._handle(intent)
        for intent in self._reader.poll(now, self.offered, self.revision):
            self._handle(intent)

    def _tick(self, now: float) -> None:
        table = self._p.table
        said = table.message, table.hand_rests, table.revision, table.clock_left
        done = table.handle(Tick(now))
        if done.records or done.orders:
            self._do(done)
        if (table.message, table.hand_rests, table.revision, table.clock_left) != said:
            self._changed = True
        left = table.clock_left
        if left is not None and left != said[3] and left <= LAST_S and self._p.audio is not None:
            self._p.audio.tick()
        self._tell_facts(now)

    def _tell_facts(self, now: float) -> None:
        """What the table's menus show and only the loop knows."""
        table = self._p.table
        told: dict[str, Any] = {}
        if self._night is not self._p.journal.night:
            self._night = self._p.journal.night
            if self._p.results is not None:
                self._p.results.update()
            told["night"] = tuple((b.name, b.points, b.game) for b in self._p.journal.night)
        faults = self._faults()
        if faults != self._told_faults:
            self._told_faults = told["faults"] = faults
        if table.scene.measures and now - self._measured_at >= MEASURE_S:
            self._measured_at = now
            told |= {
                "fps": round(self.fps, 1),
                "levels": dict(self._levels()),
                "presses": dict(self._debouncer.presses),
                "noise": dict(self._debouncer.noise),
            }
        if told:
            table.handle(Facts(told))
            self._changed = True

    def _faults(self) -> tuple[tuple[str, str], ...]:
        """All that is wrong besides the camera, as code and words."""
        journal, machine = self._p.journal, self._p.machine
        found = [(f.code, f"{f.words} {f.fix}".rstrip()) for f in (journal.fault, *journal.notices) if f is not None]
        if self._panel_fault is not None:
            found.append((self._panel_fault.code, self._panel_fault.words))
        if self._p.audio is not None and self._p.audio.fault is not None:
            found.append((self._p.audio.fault.code, self._p.audio.fault.words))
        found += self._p.table.facts.get("health", ())
        return (*found, *(machine.faults if machine is not None else ()))

    def _levels(self) -> dict[Button, bool]:
        try:
            levels = dict(self._p.panel.levels())
        except PanelFault as fault:
            if self._panel_fault is None or self._panel_fault.code != fault.code:
                self._panel_fault = Message(fault.code, words.fault(fault.code, fault.words))
                self._changed = True
            return {}
        if self._panel_fault is not None:
            self._panel_fault = None
            self._changed = True
        return levels

    def _touched(self, what: str | None, now: float) -> None:
        """A touch asks for what the thing under the finger stands for."""
        kind, _, key = (what or "").partition(":")
        intent: tuple[IntentKind, int | str | None] | None = None
        match kind:
            case "key":
                action = next((a for a in self._hints if a.key == key), None)
                intent = (action.intent, action.arg) if action else None
            case "letter":
                intent = (IntentKind.PICK, key)
            case "page":
                intent = (IntentKind.UP if key == "up" else IntentKind.DOWN, None)
            case "row":
                intent = (IntentKind.PICK, key)
            case "die":
                intent = (IntentKind.MARK, int(key))
            case "menu" if self.view.scene is not Scene.START:
                intent = (IntentKind.PICK, int(key))
            case "menu":
                intent = ((IntentKind.COUNT, None), (IntentKind.SCORE, None), (IntentKind.GAME, None))[int(key)]
            case _:
                pass
        if intent is not None:
            self._handle(Intent(intent[0], intent[1], self.revision, now))

    # ---- out ----------------------------------------------------------------------------------------------------

    def _handle(self, event: TableEvent) -> None:
        done = self._p.table.handle(event)
        if self._p.audio is not None:
            counts = isinstance(event, Intent) and event.kind is IntentKind.SERVICE
            if counts and self._p.table.message is not None:
                self._p.audio.tick()
            pressed = isinstance(event, Intent) and not counts
            self._p.audio.answered(self._p.table, self._p.now(), pressed=pressed)
        self._do(done)

    def _do(self, done: Handled) -> None:
        """Keep what was accepted, and pass on what is asked for."""
        if done.records:
            self.token = self._p.journal.append(done.records)
            self._appended_at = self._p.now()
        self._tell_eye()
        for order in done.orders:
            if order.name not in ORDERS:
                self._p.eye.order(order)
            elif self._p.machine is not None:
                self._p.machine.order(order, self)
        self._changed = True

    def _tell_eye(self) -> None:
        wanted = self._p.table.expectation
        if wanted != self._expected:
            self._expected = wanted
            self._p.eye.order(Order("expect", wanted))

    def _refresh(self, now: float) -> None:
        # A disk that is full, read-only or stuck doesn't stop the game: it is shown, and the game goes on.
        faults = (f for f in (self._p.journal.fault, *self._p.journal.notices) if f is not None)
        troubles = tuple(words.with_code(f.code, f"{f.words} {f.fix}".rstrip()) for f in faults)
        if self._p.audio is not None:
            troubles = (*troubles, *self._p.audio.banners(now))
        for code, _words in self._p.table.facts.get("health", ()):
            troubles = (*troubles, words.with_code(code, words.SHORT_FAULTS[code]))
        if troubles != self._troubles:
            self._troubles, self._changed = troubles, True
        if self._p.journal.committed < self.token and self._p.journal.fault is None:
            # What is decided may not be shown yet, but what was refused must be.
            banners = self.view.banners
            if now - self._appended_at > SAVING_S and self._saving not in banners:
                banners = (*banners, self._saving)
            tray = replace(self.view.tray, picture=self._shown_picture)
            said = self._p.language.shown(self._p.table.message, names_of(self._hints))
            message = said or self.view.message
            self.view = self._stamped(replace(self.view, tray=tray, message=message, banners=banners), now)
            return
        if not self._changed and self._saving not in self.view.banners:
            # Ten pictures a second must not make and say the whole view anew.
            if self.view.tray.picture is not self._shown_picture:
                self.view = replace(self.view, tray=replace(self.view.tray, picture=self._shown_picture))
            return
        self._changed = False
        self.mode, self.revision = self._p.table.mode, self._p.table.revision
        self.offered = actions(self._p.table, self._p.layout)
        self.view = self._stamped(self._make_view(), now)
        self._let_hear(now)
        self._light_lamps()

    def _make_view(self) -> View:
        table = self._p.table
        names = self._keys.hints.items() if self._keys is not None else ()
        self._hints = hints(table, self._p.layout, names)
        self._pictured = table.scene.pictured
        view = view_of(table, self._hints, self._p.language)
        own = self._p.language.shown((*self._p.banners, *self._troubles))
        count = len(self._p.banners)
        banners = (*own[:count], *view.banners, *own[count:])
        message = view.message or self._p.language.shown(self._panel_fault)
        return replace(view, tray=replace(view.tray, picture=self._shown_picture), banners=banners, message=message)

    @property
    def _shown_picture(self) -> Picture | None:
        """The tray's picture, where it belongs to the scene that is shown."""
        return self._picture if self._pictured else None

    def _stamped(self, view: View, now: float) -> View:
        """The view with the time at which its scene, its message or the tray's state changed: movements begin then."""
        last = self.view
        same = (view.scene, view.message, view.tray.state) == (last.scene, last.message, last.tray.state)
        return replace(view, since=last.since if same else now)

    def _let_hear(self, now: float) -> None:
        if self._p.audio is not None:
            self._p.audio.shown(self._p.table, self.view, names_of(self._hints), now)

    def _light_lamps(self) -> None:
        lit = lamps_for(self._p.table, self._p.layout)
        try:
            for button in LAYOUTS[self._p.layout]:
                self._p.panel.lamp(button, button in lit)
        except PanelFault as fault:
            self._panel_fault = Message(fault.code, words.fault(fault.code, fault.words))
