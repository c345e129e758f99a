"""The table: what is accepted, what is refused, and what the players are asked.

Room: firmware. `Table.handle` is a function of the table's state and the event: no I/O, no clock, no random number. It
decides, and what it decides becomes records; `Play.apply` alone moves the game on. What is not in a record (cursors,
messages, an open form) is lost with the power, and can be.

What a press means is the business of the scene that is open (`firmware.scene`); here is what they share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import rules
from display.view import Message
from firmware import entry as forms
from firmware import turns
from firmware.entry import Entry
from firmware.events import (
    CameraState,
    Handled,
    Intent,
    Order,
    Record,
    Seen,
    TableEvent,
    Tick,
)
from firmware.play import Play, play_from, roll_record
from firmware.scene import Mode as Mode
from firmware.scene import Scene
from firmware.scene_entry import EntryScene
from firmware.scene_menu import Menu
from firmware.scene_result import Result
from firmware.scene_turn import Choose, Turn
from firmware.sight import Sight
from firmware.words import OF_RULES, REFUSALS
from rules.said import said as _
from rules.said import said_n as _n
from vision.types import TrayEventKind, TrayState

_OVERRULED = {"DISTURBED", "QUESTION", "KEPT_CHANGED", "NOT_ALL", "LEAVE_SOME"}
"""Refusals of a throw that players may overrule by entering the dice; the journal then says that they did."""
HAND_S = 3.0
ANNOUNCE_S = 4.0
"""A turn that ended by itself is announced for this long, in seconds."""


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What a table is set up for. `names` are the seats' names; a seat beyond them is "Player N"."""

    game: str = "yardzee"
    players: int = 2
    names: tuple[str, ...] = ()
    die_cursor: bool = False
    """The panel has one HOLD button, which moves a cursor along the dice."""


class Table:
    """State and decisions. `restore` are the records of the last game, from the journal."""

    def __init__(self, settings: TableSettings, restore: Sequence[Record] = ()) -> None:
        self.settings = settings
        self.count = settings.players
        self.game = settings.game
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
        self._stuck = False  # the last throw was refused: SCORE offers to enter the dice
        self.hand_rests = False
        """Something has reached into the tray for longer than a throw takes."""
        self._announced = False  # a message that goes by itself was put up, and no tick has come since
        self._announced_until = 0.0
        self.sight = Sight(resumed=self.play is not None)
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
        return self.choose if self.choosing else self.turn

    @property
    def mode(self) -> Mode:
        """The scene's name."""
        return self.scene.mode

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
    def must_enter(self) -> bool:
        """The dice can't be read or are covered, or what was read was refused: SCORE offers to enter them."""
        hidden = self.sight.tray is TrayState.UNREADABLE or self.hand_rests
        return hidden or not self.sight.camera.delivering or self._stuck

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
        match event:
            case Intent():
                if event.revision != self.revision:
                    return self.refuse("STALE")
                return self._intent(event)
            case Seen():
                return self._seen(event)
            case CameraState():
                self.sight.camera_says(event, playing=self.play is not None)
                return Handled()
            case Tick():
                return self._tick(event.t)

    def _tick(self, t: float) -> Handled:
        self.hand_rests = self.sight.tray is TrayState.HAND and t - self.sight.since > HAND_S
        if self._announced:
            self._announced, self._announced_until = False, t + ANNOUNCE_S
        elif self.message is not None and self.message.code == "BLANK" and t >= self._announced_until:
            self.message = None
        return Handled()

    def _intent(self, intent: Intent) -> Handled:
        # Every press answers with something: what it did, or a refusal.
        self.message = None
        return self.scene.press(self, intent)

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
        """No game is under way any more. The caller records `leave`."""
        self.play = None
        self.open_scenes.clear()
        self.revision += 1

    # ---- decisions ----------------------------------------------------------------------------------------------

    def seats(self) -> tuple[str, ...]:
        """The names of those who would play now."""
        names = self.settings.names
        return tuple(names[i] if i < len(names) else _("Player {n}", n=i + 1) for i in range(self.count))

    def begin(self, names: Sequence[str], first: int) -> Handled:
        record = Record("game", {"name": self.game, "players": list(names), "options": {}, "first": first})
        self.play = Play(record)
        # Dice may lie in the tray already, from the last game or from somebody who could not wait: only dice that
        # come to rest from now on are a throw.
        self.sight.pending = None
        self._after_move()
        return Handled((record,))

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
        if isinstance(game.awaiting, rules.Roll):
            return Handled(orders=(self._throw_order(),))
        done = self.accept(turns.roll_pressed(self.play, self.rolls_left))
        return Handled(done.records, (self._throw_order(),)) if done.records else done

    def _throw_order(self) -> Order:
        """What the simulated tray is to do: the kept dice stay where they lie, the others are thrown."""
        assert self.play is not None
        lying = self.play.lying
        places = [list(d.centre) for d in lying if d.centre]
        return Order("throw", {"dice": self.wanted or 0, "kept": [d.value for d in lying], "places": places})

    def open_boxes(self) -> None:
        options = self.open_options
        self.choosing = True
        self.choose.row = max(range(len(options)), key=lambda i: options[i].value or 0)
        self.revision += 1

    def close_boxes(self) -> None:
        """Back from the list of boxes to the dice."""
        self.choosing = False
        self.revision += 1

    def score(self, box: str) -> Handled:
        if not any(o.box == box for o in self.open_options):
            return self.refuse("CLOSED_BOX")
        return self.accept([Record("score", {"box": box})])

    def correct(self, intent: Intent) -> Handled:
        assert self.play is not None
        start = None if intent.arg is None else int(intent.arg)
        if isinstance(self.play.last_move, rules.Roll):
            # Also a roll that ended a turn by itself: it may only have been misread.
            dice = self.play.lies[-1]
            if start is not None and start > len(dice):
                return self.refuse("NO_DIE")
            return self.open(EntryScene(forms.correct(dice, start)))
        if isinstance(self.play.game.awaiting, rules.Roll):
            return self.open_entry()
        return self.refuse("NOTHING_TO_CORRECT")

    def open_entry(self) -> Handled:
        assert self.play is not None
        assert self.wanted is not None
        guess = () if self.sight.tray in (TrayState.ROLLING, TrayState.HAND) else self.sight.guess
        kept = tuple(d.value for d in self.play.lying)
        if self.play.banking:
            # Only the thrown dice are entered.
            count = self.play.game.awaiting.count if isinstance(self.play.game.awaiting, rules.Roll) else 0
            return self.open(EntryScene(forms.enter(count, turns.thrown_of(guess, kept, self.play.lying), ())))
        return self.open(EntryScene(forms.enter(self.wanted, guess, kept)))

    def confirm_entry(self, form: Entry) -> Handled:
        assert self.play is not None
        if not form.complete:
            return self.refuse("INCOMPLETE")
        dice = form.result()
        if not form.correcting:
            record = roll_record(dice, by="hand")
        elif [d.value for d in dice] == [d.value for d in self.play.lies[-1]]:
            self.close()
            return self.take_pending()
        else:
            record = Record("correct", {"values": [d.value for d in dice]})
        return self.accept([record])

    def undo(self) -> Handled:
        assert self.play is not None
        match self.play.last_move:
            case None:
                return self.refuse("NOTHING_TO_UNDO")
            case rules.Roll():
                # A roll can't be undone into a free re-roll; what can be wrong with it is how it was read.
                self.open(EntryScene(forms.correct(self.play.lies[-1], None)))
                return self.say("NO_ROLL_AGAIN")
            case _:
                return self.accept([Record("undo")])

    # ---- what the camera sees -----------------------------------------------------------------------------------

    def _seen(self, seen: Seen) -> Handled:
        event = seen.event
        self.sight.take(seen)
        match event.kind:
            case TrayEventKind.ROLL:
                return self._throw_seen(seen)
            case TrayEventKind.DISTURBED if self.play is not None and not self.over:
                return self.say("DISTURBED")
            case TrayEventKind.QUESTION if self.play is not None and not self.over:
                return self.say("QUESTION")
            case TrayEventKind.MOVED:
                return self.say("CAM-06")
            case _:
                return Handled()

    def _throw_seen(self, seen: Seen) -> Handled:
        play = self.play
        if play is None or self.over or seen.event.reading is None:
            return Handled()
        dice = self.sight.dice_of(seen.event.reading)
        if not self.sight.is_throw(dice, play.lies[-1] if play.lies else ()):
            return Handled()
        taken = self.scene.throw(self, seen)
        if taken is not None:
            return taken
        if self.entry is not None:
            if isinstance(play.game.awaiting, rules.Roll) and self.message is None:
                # The dice were moved or the light came back while the form was open: what is seen now is better.
                self.open_scenes.clear()
            else:
                self.sight.pending = seen
                return self.say("OPEN_ENTRY")
        if not isinstance(play.game.awaiting, rules.Roll) and not self.rolls_left:
            self.sight.pending = seen
            return self.say("EARLY")
        kept = self.sight.kept(dice, seen.event.kept, (*play.lying, *play.dice))
        return self.accept(turns.throw(play, dice, kept))

    def take_pending(self, records: tuple[Record, ...] = ()) -> Handled:
        """Accept the throw that came too early, now that its time may have come."""
        seen, self.sight.pending = self.sight.pending, None
        if seen is None or self.play is None or not isinstance(self.play.game.awaiting, rules.Roll):
            return Handled(records)
        more = self._throw_seen(seen)
        return Handled(records + more.records, more.orders)

    # ---- moving on ----------------------------------------------------------------------------------------------

    def accept(self, decided: turns.Outcome, *, moved: bool = True) -> Handled:
        """Apply records one after the other, or none of them: what the rules refuse becomes a message."""
        play = self.play
        assert play is not None
        if isinstance(decided, str):
            return self.say(decided)
        marks, done, seat, points = play.marks, 0, play.game.turn, play.game.turn_points
        try:
            for record in decided:
                play.apply(record)
                done += 1
        except rules.IllegalMove as e:
            for _ in range(done):
                play.apply(Record("undo"))
            play.marks = marks
            self._stuck = True
            code = OF_RULES.get(e.code)
            if code is not None:
                return self.refuse(code)
            self.message = Message(e.code, e.words)
            return Handled()
        if not moved:
            return Handled(tuple(decided))
        self.message = None
        if any(r.kind == "roll" for r in decided):
            self.sight.accepted(decided[-1].data["by"])
        self._after_move()
        if play.banking and isinstance(play.last_move, rules.Roll) and not play.dice:
            self._announce_blank(seat, points)
        return self.take_pending(tuple(decided))

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
        self._stuck = False
        self.revision += 1
        if self.play.dice and not self.rolls_left and not self.over:
            self.open_boxes()

    def refuse(self, code: str) -> Handled:
        self.message = Message(code, REFUSALS[code])
        return Handled()

    def say(self, code: str) -> Handled:
        if code in _OVERRULED:
            self._stuck = True
        return self.refuse(code)
