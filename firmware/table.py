"""The table: what is accepted, what is refused, and what the players are asked.

Room: firmware. `Table.handle` is a function of the table's state and the event: no I/O, no clock, no random number. It
decides, and what it decides becomes records; `Play.apply` alone moves the game on. What is not in a record (cursors,
messages, an open form) is lost with the power, and can be.

What a press means is the business of the scene that is open (`firmware.scene`); here is what they share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import rules
from display.view import Message
from firmware import agreed, entering, pace, throws, turns, undoing
from firmware.chord import chord
from firmware.entry import Entry
from firmware.events import (
    CameraState,
    Facts,
    Handled,
    Intent,
    IntentKind,
    Order,
    Record,
    Seen,
    TableEvent,
    Tick,
)
from firmware.keeping import expectation, throw_order, whole
from firmware.play import Play, TableDie, play_from
from firmware.scene import Mode as Mode
from firmware.scene import Scene
from firmware.scene_again import Again
from firmware.scene_ask import Ask
from firmware.scene_attract import Attract
from firmware.scene_entry import EntryScene
from firmware.scene_fault import FaultScreen, faults_of
from firmware.scene_menu import Menu
from firmware.scene_pause import Pause
from firmware.scene_result import Result
from firmware.scene_turn import Choose, Turn
from firmware.sight import Sight
from firmware.table_settings import Event as Event
from firmware.table_settings import TableSettings as TableSettings
from firmware.throws import Refused
from firmware.words import OF_RULES, REFUSALS
from hardware.faults import CODES as HARDWARE
from rules.said import said as _
from rules.said import said_n as _n
from vision.types import TrayEventKind, TrayState

HAND_S = 3.0
ANNOUNCE_S = 4.0
"""A turn that ended by itself is announced for this long, in seconds."""


class Table:
    """State and decisions. `restore` are the records of the last game, from the journal."""

    def __init__(self, settings: TableSettings, restore: Sequence[Record] = ()) -> None:
        self.settings = settings
        self.count = settings.players
        self.game = settings.game
        self.house: dict[str, dict[str, Any]] = {settings.game: dict(settings.event.options)} if settings.event else {}
        """House rules of each game, as far as they are not as in the book."""
        self.teams: tuple[int, ...] = ()
        """For each seat the number of its team; () while everybody plays alone."""
        self.practice = False
        self.facts: dict[str, Any] = {}
        """What the loop has told (see `Facts`), and what menus have changed since."""
        self.play: Play | None = play_from(restore)
        self.revision = 0
        """Rises whenever a press would come to mean something else; presses made against an older one are refused."""
        self.lobby: Scene = Menu()
        """What is shown while no game is under way."""
        self.turn = Turn()
        self.choose = Choose()
        self.result = Result()
        self.open_scenes: list[Scene] = []
        """Forms and menus that are open, the last one on top."""
        self.choosing = False
        self.die = 1  # the cursor among the dice, for panels with one HOLD
        self.message: Message | None = None
        self.again = Again()
        self.refused: Refused | None = None
        """A throw that was not accepted, until it is put right, overruled or picked up."""
        self.turned = False
        """A die that lay there was turned over."""
        self.stood = False
        """The last roll was taken back, read again, and stands: UNDO goes further back from here."""
        self.hand_rests = False
        """Something has reached into the tray for longer than a throw takes."""
        self._announced = False  # a message that goes by itself was put up, and no tick has come since
        self._announced_until = 0.0
        self.sight = Sight(resumed=self.play is not None)
        self.clock_left: int | None = None
        """Seconds of the shot clock that are left; None where there is none, or nobody's turn."""
        self.clock_from: float | None = None
        self.stirred = True
        """A press or a change in the tray has come since the last tick."""
        self.stirred_at = 0.0
        begun = [r for r in restore if r.kind == "game"]
        if begun:
            agreed.same_again(self, self.play or Play(begun[-1]))
        if settings.attract and self.play is None:
            self.open_scenes.append(Attract())
        if self.play is not None:
            self._after_move()

    # ---- what the table is about --------------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """What the table is about now: what is open on top, or what the game's position says."""
        if self.open_scenes:
            return self.open_scenes[-1]
        if self.play is None:
            return self.lobby
        if self.over:
            return self.result
        if self.play.asked is not None:
            return self.again
        return self.choose if self.choosing else self.turn

    @property
    def mode(self) -> Mode:
        """The scene's name."""
        return self.scene.mode

    @property
    def event(self) -> Event | None:
        """What a host has fixed; None at a table that people run by themselves."""
        return self.settings.event

    @property
    def entry(self) -> Entry | None:
        """The form that is open, if it is one for dice."""
        scene = self.scene
        return scene.form if isinstance(scene, EntryScene) else None

    @property
    def row(self) -> int:
        """The cursor in the list of open boxes."""
        return self.choose.row

    @property
    def over(self) -> bool:
        return self.play is not None and self.play.game.outcome() is not None

    @property
    def wanted(self) -> int | None:
        """How many dice should lie in the tray once it is at rest; None while no game needs any."""
        if self.play is None or self.over:
            return None
        return self.play.all_dice

    @property
    def expectation(self) -> Mapping[str, Any]:
        """What the eye is told to look for (order `expect`)."""
        return expectation(self.play, self.settings.keeping)

    @property
    def must_enter(self) -> bool:
        """The dice can't be read or are covered, or what was read was refused: SCORE offers to enter them."""
        hidden = self.sight.tray is TrayState.UNREADABLE or self.hand_rests
        return hidden or not self.sight.camera.delivering or self.refused is not None or self.turned

    @property
    def rolls_left(self) -> int:
        if self.play is None:
            return 0
        game = self.play.game
        return game.rolls_max - game.rolls_made if game.rolls_max else 1  # no limit: there is always one more

    @property
    def options(self) -> tuple[rules.BoxOption, ...]:
        """What each open box would pay for the dice that lie there, in the card's order; () while none lie there."""
        if self.play is None or not self.play.dice:
            return ()
        return tuple(o for o in self.play.game.options() if isinstance(o, rules.BoxOption))

    @property
    def open_options(self) -> tuple[rules.BoxOption, ...]:
        """Those of them that may be chosen."""
        return tuple(o for o in self.options if o.legal)

    # ---- events -------------------------------------------------------------------------------------------------

    def handle(self, event: TableEvent) -> Handled:
        """Take one event. What it led to is in the table's state; what must be kept and ordered is returned."""
        practised = self._practises
        done = self._handle(event)
        if practised or self._practises:
            # Practice leaves no record, and no picture.
            return Handled((), tuple(o for o in done.orders if o.name != "keep_picture"))
        return done

    @property
    def _practises(self) -> bool:
        return self.play is not None and self.play.practice

    def _handle(self, event: TableEvent) -> Handled:
        self.stirred = self.stirred or isinstance(event, Intent | Seen)
        match event:
            case Facts():
                self.facts.update(event.values)
                return self.scene.told(self)
            case Intent(kind=IntentKind.SERVICE):
                return chord(self, int(event.arg or 0))
            case Intent():
                if event.revision != self.revision:
                    return self.refuse("STALE")
                return self._intent(event)
            case Seen():
                return self._seen(event)
            case CameraState():
                self.sight.camera_says(event, playing=self.play is not None)
                if event.delivering and event.code and self.message is None:
                    self.message = Message(event.code, event.words)
                self._show_fault(event)
                return Handled()
            case Tick():
                return self._tick(event.t)

    def _show_fault(self, event: CameraState) -> None:
        """Before a game a fault that will not pass by itself has a screen of its own; in a game a banner is enough."""
        if isinstance(self.scene, FaultScreen) and event.delivering and self.scene.by_itself:
            self.close()
        elif not event.delivering and event.code and self.mode in (Mode.MENU, Mode.ATTRACT) and self.play is None:
            known = HARDWARE.get(event.code)
            if known is None or not known.temporary:
                self.open(FaultScreen(faults_of(self)[0], by_itself=True))

    def _tick(self, t: float) -> Handled:
        self.hand_rests = self.sight.tray is TrayState.HAND and t - self.sight.since > HAND_S
        if self._announced:
            self._announced, self._announced_until = False, t + ANNOUNCE_S
        elif self.message is not None and self.message.code == "BLANK" and t >= self._announced_until:
            self.message = None
        self.scene.tick(self, t)
        pace.run_clock(self, t)
        return pace.left_alone(self, t) if self.settings.attract else Handled()

    def _intent(self, intent: Intent) -> Handled:
        # Every press answers with something: what it did, or a refusal.
        self.message = None
        if intent.kind is IntentKind.MENU and self.may_pause:
            return self.open(Pause())
        return self.scene.press(self, intent)

    @property
    def may_pause(self) -> bool:
        """Does the game's own menu open here? Forms must be closed first."""
        return self.play is not None and not self.open_scenes

    # ---- scenes -------------------------------------------------------------------------------------------------

    def open(self, scene: Scene) -> Handled:
        """Open a form or a menu on top of what is shown."""
        self.open_scenes.append(scene)
        self.revision += 1
        return Handled()

    def close(self) -> Handled:
        """Close what is open on top; what lies beneath is shown again."""
        self.open_scenes.pop()
        self.revision += 1
        return Handled()

    def leave(self) -> None:
        """No game is under way any more. The caller records `leave`. Seats and rules are kept for the next one."""
        if self.play is not None:
            agreed.same_again(self, self.play)
        self.play = None
        self.open_scenes.clear()
        self.revision += 1

    # ---- decisions ----------------------------------------------------------------------------------------------

    def seats(self) -> tuple[str, ...]:
        """The names of those who would play now."""
        names = self.settings.names
        return tuple((names[i] if i < len(names) else "") or _("Player {n}", n=i + 1) for i in range(self.count))

    def name_seats(self, names: Sequence[str]) -> None:
        """The seats are called so from now on."""
        self.settings = replace(self.settings, names=tuple(names))

    def sides(self) -> list[str | list[str]]:
        """Who would play now, side by side: a name, or the list of names of a team."""
        return agreed.sides(self)

    def options_now(self) -> dict[str, Any]:
        """The house rules of the game that is chosen, for those who would play."""
        return agreed.options_now(self)

    def begin(self, names: Sequence[str | Sequence[str]], first: int) -> Handled:
        """A game begins; a list of names is a team. Which game and which rules is set."""
        record = agreed.game_record(self, names, first)
        self.play = Play(record)
        # Dice may lie in the tray already, from the last game or from somebody who could not wait: only dice that
        # come to rest from now on are a throw.
        self.sight.pending = None
        self._after_move()
        return Handled((record,))

    def rematch(self) -> Handled:
        """The same once more, without who has left; the next seat begins."""
        return agreed.rematch(self)

    def mark(self, die: int) -> Handled:
        assert self.play is not None
        if not 1 <= die <= len(self.play.dice):
            return self.refuse("NO_DIE")
        if not self.rolls_left:
            return self.refuse("NO_ROLLS")
        self.die = die
        return self.accept([Record("mark", {"marks": sorted(self.play.marks ^ {die})})], moved=False)

    def roll_pressed(self) -> Handled:
        assert self.play is not None
        game = self.play.game
        if isinstance(game.awaiting, rules.Roll | rules.RollOff):
            return Handled(orders=(throw_order(self.play, self.settings.keeping),))
        done = self.accept(turns.roll_pressed(self.play, self.rolls_left))
        return Handled(done.records, (throw_order(self.play, self.settings.keeping),)) if done.records else done

    def throw_again(self) -> Handled:
        """The dice are to be thrown once more: on the simulated tray they are."""
        assert self.play is not None
        awaited = isinstance(self.play.game.awaiting, rules.Roll | rules.RollOff)
        return Handled(orders=(throw_order(self.play, self.settings.keeping),)) if awaited else Handled()

    def open_boxes(self) -> None:
        options = self.open_options
        self.choosing = True
        self.choose.row = max(range(len(options)), key=lambda i: options[i].value or 0)
        self.revision += 1

    def close_boxes(self) -> None:
        """Back from the list of boxes to the dice."""
        self.choosing = False
        self.revision += 1

    def score(self, key: str) -> Handled:
        """Fill a box: its key, with `*2` behind it for the column that counts twice."""
        option = next((o for o in self.open_options if turns.box_key(o) == key), None)
        if option is None:
            return self.refuse("CLOSED_BOX")
        return self.accept(
            [Record("score", {"box": option.box} | ({"column": option.column} if option.column else {}))]
        )

    # ---- forms, and taking back ---------------------------------------------------------------------------------

    def correct(self, intent: Intent) -> Handled:
        """Open the form for the roll that lies there, or for one that could not be read."""
        return entering.correct(self, intent)

    def open_entry(self, overruled: str = "", guess: Sequence[TableDie] = ()) -> Handled:
        """Open the form for the roll that is awaited, filled with `guess` or with what the camera makes of it."""
        return entering.open_entry(self, overruled, guess)

    def confirm_entry(self, form: Entry) -> Handled:
        """The form is as the players want it."""
        return entering.confirm_entry(self, form)

    def overrule(self) -> Handled:
        """The players say that the throw which was refused counts."""
        return throws.overrule(self)

    def undo(self) -> Handled:
        """Take the last move back."""
        return undoing.undo(self)

    def look(self) -> tuple[Order, ...]:
        """Ask the camera what lies there, if it is the roll that was taken back."""
        return undoing.look(self)

    def undo_further(self) -> Handled:
        """Once more UNDO while a roll is asked for."""
        return undoing.undo_further(self)

    def open_past_roll(self, back: int) -> Handled:
        """A form for a roll of this turn that other rolls came after."""
        return undoing.open_past_roll(self, back)

    # ---- what the camera sees -----------------------------------------------------------------------------------

    def _seen(self, seen: Seen) -> Handled:
        seen = whole(seen, self.play, self.settings.keeping)
        event = seen.event
        self.sight.take(seen)
        if event.state is TrayState.EMPTY:
            # Who picks up the dice of a throw that was refused throws anew.
            self.refused = None
            if isinstance(self.scene, Ask):
                self.close()
                self.message = None
        match event.kind:
            case TrayEventKind.ROLL:
                return throws.rolled(self, seen)
            case TrayEventKind.DISTURBED:
                return throws.turned(self, seen)
            case TrayEventKind.QUESTION:
                return throws.laid(self, seen)
            case TrayEventKind.MOVED:
                return self.say("CAM-06")
            case _:
                return Handled()

    def take_pending(self, records: tuple[Record, ...] = ()) -> Handled:
        """Accept the throw that came too early, now that its time may have come."""
        seen, self.sight.pending = self.sight.pending, None
        awaits = self.play is not None and isinstance(self.play.game.awaiting, rules.Roll | rules.RollOff)
        if seen is None or not awaits or self.play is None or self.play.asked is not None:
            return Handled(records)
        more = throws.judge(self, seen)
        return Handled(records + more.records, more.orders)

    # ---- moving on ----------------------------------------------------------------------------------------------

    def accept(self, decided: turns.Outcome, *, moved: bool = True) -> Handled:
        """Apply records one after the other, or none of them: what the rules refuse becomes a message."""
        play = self.play
        assert play is not None
        if isinstance(decided, str):
            return self.say(decided)
        seat, points = play.game.turn, play.game.turn_points
        try:
            play.attempt(decided)
        except rules.IllegalMove as e:
            code = OF_RULES.get(e.code)
            if code is not None:
                return self.refuse(code)
            self.message = Message(e.code, e.words)
            return Handled()
        if not moved:
            return Handled(tuple(decided))
        self.message = None
        decided = [*decided, *self._waiting_turn()]
        rolls = [r for r in decided if r.kind in ("roll", "rolloff")]
        told: tuple[Order, ...] = ()
        if rolls:
            by = rolls[-1].data["by"]
            self.sight.accepted(by)
            told = (Order("entered"),) if by == "hand" else ()
        self._after_move()
        if play.banking and decided[-1].kind == "roll" and play.asked is None and not play.dice:
            self._announce_blank(seat, points)
        done = self.take_pending(tuple(decided))
        return Handled(done.records, (*told, *self._pictures(decided), *done.orders))

    def _waiting_turn(self) -> tuple[Record, ...]:
        """The turn that was kept for its player, once it has come."""
        play = self.play
        assert play is not None
        begins = isinstance(play.game.awaiting, rules.Roll) and play.game.rolls_made == 0 and play.asked is None
        if not (play.waiting and begins):
            return ()
        kept = play.waiting
        try:
            play.attempt(kept)
        except rules.IllegalMove:
            return ()
        return kept

    @staticmethod
    def _pictures(records: Sequence[Record]) -> tuple[Order, ...]:
        names = [r.data["picture"] for r in records if r.kind in ("roll", "rolloff") and r.data.get("picture")]
        return tuple(Order("keep_picture", {"name": name}) for name in names)

    def _announce_blank(self, seat: int, points: int) -> None:
        """A roll was worth nothing, and the turn is over by that: say so, until a press or for a while."""
        assert self.play is not None
        follows = self.play.players[self.play.game.turn]
        who = self.play.players[seat]
        words: str = _("{who}: nothing counts. {next} throws all dice. UNDO if it was misread.", who=who, next=follows)
        if points:
            words = _n(
                "{who}: nothing counts. {n} point is lost. {next} throws all dice. UNDO if it was misread.",
                "{who}: nothing counts. {n} points are lost. {next} throws all dice. UNDO if it was misread.",
                points,
                who=who,
                next=follows,
            )
        self.message = Message("BLANK", words)
        self._announced = True

    def _after_move(self) -> None:
        """Set what follows from the game's position: cursors, and whether a box must be chosen."""
        assert self.play is not None
        self.open_scenes.clear()
        self.die = 1
        self.choosing = False
        self.refused = None
        self.turned = self.stood = False
        self.clock_from = None
        self.revision += 1
        if self.play.dice and not self.rolls_left and not self.over:
            self.open_boxes()

    def refuse(self, code: str) -> Handled:
        self.message = Message(code, REFUSALS[code])
        return Handled()

    say = refuse
