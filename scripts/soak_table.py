"""Random presses, rolls, readings and faults at `Table.handle`, for as many events as asked.

    soak_table.py [--events 100000] [--seed 1]

Must hold all the time: no exception; every press is answered; the journal leads to the same state; every score is what
the rules say of the moves; and from wherever it stands, presses alone bring the game on. The last line tells the
result; the exit status is 1 if anything failed. The same seed gives the same events.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from soak_tray import HEIGHT, WIDTH, SoakTray

import rules
from firmware.events import CameraState, Facts, Handled, Intent, IntentKind, Record, Seen, TableEvent, Tick
from firmware.intents import actions, hints, lamps_for
from firmware.keeping import LEFT_LYING, Keeping, Way
from firmware.play import Play, play_from
from firmware.scene_list import Around, ListScene
from firmware.table import Event, Mode, Table, TableSettings
from firmware.turns import best_aside, box_key
from firmware.views import view_of
from hardware.buttons import LAYOUTS
from vision.types import Reading, TrayEvent, TrayEventKind, TrayState

CHECK_EVERY = 25
RESTART_EVERY = 400
RESCUE_EVERY = 500
ALL_SCENES = 100_000
"""So many events must lead through every scene, but for at most RARE that chance may pass by."""
RARE = 2
PATIENCE = 300
"""Presses that must be enough, from anywhere, to bring the game to another turn."""
HEAD_STARTS = (0, 5, 50, 300)
OUT_SHARE = 0.2
"""At so many tables kept dice leave the tray. Where they are left lying or laid into the strip, the eye alone knows."""
LETTERS = "ABÄ "
FACTS = {
    "names": ("Cleo", "Dan"),
    "platform": "pi",
    "dice_sets": ("16 mm", "9 cm"),
    "dice": "16 mm",
    "night": (("Ann", 312, "yardzee"),),
    "language": "en",
    "faults": (("JRN-03", "the journal can't be written"),),
}
"""What the loop would tell."""
KINDS = [kind for kind in IntentKind if kind is not IntentKind.SERVICE]
CURSORS = (IntentKind.UP, IntentKind.DOWN, IntentKind.NEXT, IntentKind.COUNT, IntentKind.MARK, IntentKind.VALUE,
           IntentKind.REMOVE, IntentKind.LEFT, IntentKind.RIGHT)  # fmt: skip


class Wrong(AssertionError):
    """Something that must hold does not."""


def state_of(play: Play | None) -> object:
    """All that the journal must lead back to."""
    if play is None:
        return None
    game = play.game
    return (
        play.name,
        play.players,
        game.position,
        game.moves,
        sorted(play.marks),
        [[(d.value, d.raw, d.corners) for d in lie] for lie in play.lies],
        [(d.value, d.raw) for d in play.lying],
        play.asked,
        play.waiting,
    )


class Soak:
    """One table, and the people and accidents around it."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.done = 0
        self.t = 100.0
        self.tray = SoakTray(self.rng, self.see)
        self.new_table()

    # ---- the table ----------------------------------------------------------------------------------------------

    def new_table(self) -> None:
        """Another table, with another panel, game and number of players; sometimes with house rules."""
        rng = self.rng
        self.layout = rng.choice(list(LAYOUTS))
        info = rng.choice(rules.games())
        players = rng.choice([1, 2, 2, 3, 8])
        event = Event("Fair", {}, clock_s=20) if rng.random() < 0.2 else None
        self.settings = TableSettings(
            info.name,
            players,
            ("Ann", "Bo"),
            die_cursor=self.layout == 3,
            attract=rng.random() < 0.7,
            event=event,
            keeping=Keeping(Way.OUT) if rng.random() < OUT_SHARE else LEFT_LYING,
        )
        self.counts[f"game {info.name}"] += 1
        self.journal: list[Record] = []
        if rng.random() < 0.5:
            names = [f"P{i}" for i in range(players)]
            options: dict[str, object] = {}
            for option in info.options:
                if rng.random() < 0.2 and option.name != "first":
                    options[option.name] = _value(rng, option, players)
                    self.counts[f"rule {option.name}"] += 1
            if options.get("upper_first"):
                options.pop("order", None)  # short for one of them
            data = {"name": info.name, "players": names, "options": options, "first": rng.randrange(players)}
            self.journal.append(Record("game", data))
        self.table = Table(self.settings, self.journal)
        self.take(Facts({**FACTS, "buttons": self.layout, "pin": rng.choice(["", "", "3"])}))
        self.take(CameraState(True, self.t))

    def take(self, event: TableEvent) -> Handled:
        done = self.table.handle(event)
        self.done += 1
        self.counts[f"scene {self.table.mode}"] += 1
        for record in done.records:
            if record.kind == "game":
                self.journal = []
            self.journal.append(record)
            self.counts[record.kind] += 1
        if self.table.message is not None:
            self.counts[f"said {self.table.message.code}"] += 1
            if not (self.table.message.code and self.table.message.words.strip()):
                raise Wrong("a message without code or words")
        return done

    # ---- presses ------------------------------------------------------------------------------------------------

    def snapshot(self) -> object:
        """What a person would notice of the table's state."""
        t = self.table
        form = t.entry
        scene = t.scene
        own = {k: repr(v) for k, v in vars(scene).items()}
        agreed = (t.count, t.game, repr(t.house), t.teams, t.practice, t.seats(), repr(t.facts))
        return (t.revision, t.mode, t.die, agreed, own, form and (form.cursor, tuple(form.values)))

    def press(self, kind: IntentKind, arg: int | str | None = None, revision: int | None = None) -> Handled:
        before = self.snapshot()
        totals = self.table.play.game.totals if self.table.play else None
        stale = revision is not None and revision != self.table.revision
        done = self.take(Intent(kind, arg, self.table.revision if revision is None else revision, self.t))
        answered = done.records or done.orders or self.table.message is not None or self.snapshot() != before
        # One die, one box, one player: a cursor that can only stay where it is has answered too.
        if not answered and kind not in CURSORS:
            raise Wrong(f"no answer to {kind} {arg!r} in {self.table.mode}")
        if stale:
            if self.table.message is None or self.table.message.code != "STALE" or done.records:
                raise Wrong("a press against an older state was not refused")
            now = self.table.play.game.totals if self.table.play else None
            if now != totals or self.snapshot() != before:
                raise Wrong("a stale press changed something")
        return done

    def random_press(self) -> None:
        rng = self.rng
        offered = actions(self.table, self.layout)
        if rng.random() < 0.75 and offered:
            action = rng.choice(offered)
            self.press(action.intent, action.arg)
        elif rng.random() < 0.1:
            self.press(rng.choice(KINDS), None, self.table.revision - rng.randint(1, 3))
        elif rng.random() < 0.02:
            # Two buttons held: the seconds that are left, 0 when it has been long enough, -1 when they are let go.
            self.take(Intent(IntentKind.SERVICE, rng.choice([-1, 0, 0, 1, 4]), self.table.revision, self.t))
        else:
            kind = rng.choice(KINDS)
            arg: int | str | None = None
            match kind:
                case IntentKind.MARK | IntentKind.CORRECT:
                    arg = rng.choice([None, 0, 1, 2, 3, 4, 5, 6, 7])
                case IntentKind.VALUE:
                    arg = rng.choice([None, 1, 2, 3, 4, 5, 6])
                case IntentKind.PICK:
                    keys = [box_key(o) for o in self.table.options] or ["nothing"]
                    arg = rng.choice([*keys, *LETTERS, "no such thing"])
                case IntentKind.COUNT:
                    arg = rng.choice([None, 0, 1, 2, 8, 9])
                case _:
                    pass
            self.press(kind, arg)

    # ---- dice ---------------------------------------------------------------------------------------------------

    def see(self, kind: TrayEventKind, state: TrayState, reading: Reading | None = None, **more: object) -> None:
        self.t += 0.2
        event = TrayEvent(
            kind, state, self.t, self.done, reading, values=reading.values if reading else (), **more  # type: ignore[arg-type]
        )  # fmt: skip
        self.take(Seen(event, WIDTH, HEIGHT, f"p{self.done}"))

    def honest_throw(self) -> None:
        if self.table.play is not None:
            self.tray.honest_throw(self.table.play, self.settings.keeping.leave_tray)

    def wild_throw(self) -> None:
        self.tray.wild_throw(self.table.play.all_dice if self.table.play else 5)

    def blur(self) -> None:
        """A reading that is not certain, a state that comes and goes, or a camera that does."""
        if not self.tray.blur():
            code, words = self.rng.choice(
                [("CAM-02", "the camera has stopped"), ("CAM-04", "no library"), ("", ""), ("", "")]
            )
            self.take(CameraState(not code, self.t, code, words))

    def tick(self) -> None:
        self.t += self.rng.choice([0.02, 0.5, 5.0, 5.0])
        self.take(Tick(self.t))
        if self.rng.random() < 0.03:
            # Everybody has gone, for ten minutes or for more than an hour.
            self.t += self.rng.choice([601.0, 601.0, 3700.0])
            self.take(Tick(self.t))
        if self.table.mode is Mode.CALIBRATE:
            code = self.rng.choice(["", "", "LIGHT-01"])
            throw = (self.rng.randint(1, 11), 10, self.rng.choice([None, (), (1, 2, 3, 4, 5)]))
            self.take(Facts({"calibration_throw": throw}))
            self.take(Facts({"calibration": (getattr(self.table.scene, "step", ""), code, "too dark")}))

    # ---- what must hold -----------------------------------------------------------------------------------------

    def check(self) -> None:
        view = view_of(self.table, hints(self.table, self.layout))
        if not view.prompt:
            raise Wrong(f"nothing says what to do in {self.table.mode}")
        if not lamps_for(self.table, self.layout) and self.table.mode is not Mode.BUTTONS:
            raise Wrong(f"no lamp is lit in {self.table.mode}")
        play = self.table.play
        if play is not None and play.practice:
            return
        if state_of(play_from(self.journal)) != state_of(play):
            raise Wrong("the journal leads to another state")
        if play is None:
            return
        fresh = rules.new(play.name, players=list(play.seats), first=play.first, **play.options)
        for move in play.game.moves:
            fresh.push(move)
        if (fresh.position, fresh.totals) != (play.game.position, play.game.totals):
            raise Wrong("the moves lead to another score")
        shown = [p.total for p in view.players]
        if shown and shown != list(fresh.totals):
            raise Wrong(f"{shown} is shown, and {fresh.totals} is the score")

    def restart(self) -> None:
        """The power is cut, and comes back."""
        if self.table.play is not None and self.table.play.practice:
            return
        before = state_of(self.table.play)
        self.table = Table(self.settings, self.journal)
        if state_of(self.table.play) != before:
            raise Wrong("after a power cut the state is another")
        self.take(CameraState(True, self.t))

    def rescue(self) -> None:
        """By presses alone, and without a camera: the game goes on."""
        self.take(CameraState(False, self.t, "CAM-02", "the camera has stopped"))
        begun = self.table.play and (self.table.play.game.ply, self.table.play.game.turn, self.table.play.game.round)
        for _ in range(PATIENCE):
            if self._rescued(begun):
                break
            self._help()
        else:
            raise Wrong(f"a dead end in {self.table.mode}")
        self.take(CameraState(True, self.t))

    def _rescued(self, begun: object) -> bool:
        play = self.table.play
        if play is None or begun is None:
            return play is not None
        return (play.game.turn, play.game.round) != begun[1:] and not self.table.open_scenes  # type: ignore[index]

    def _help(self) -> None:
        """The press that somebody would make who wants the game to go on."""
        play = self.table.play
        match self.table.mode:
            case Mode.ASK | Mode.AGAIN:
                self.press(IntentKind.ROLL)
            case Mode.NAMES:
                self.press(IntentKind.UNDO)
            case Mode.ENTRY:
                form = self.table.entry
                assert form is not None
                if form.surplus > 0:
                    self.press(IntentKind.REMOVE)
                elif not form.complete:
                    # Worth nothing in a game of setting aside, so that its turn ends; but that nothing counts of six
                    # dice pays in some games, and then all are thrown again, for ever: so of those one counts.
                    last_of_six = form.count == 6 and form.cursor == 5
                    self.press(IntentKind.VALUE, 1 if last_of_six else (2, 3, 4, 6)[form.cursor % 4])
                else:
                    self.press(IntentKind.SCORE)
                    if self.table.entry is form and form.correcting and self.table.message is not None:
                        # What came after that roll does not allow it: it stays as it was.
                        self.press(IntentKind.BACK)
            case Mode.PLAY if play is not None and not play.dice:
                self.press(IntentKind.CORRECT if not isinstance(play.last_move, rules.Roll) else IntentKind.SCORE)
            case Mode.PLAY if play is not None and play.banking:
                self.press(IntentKind.SCORE)
                if self.table.mode is Mode.PLAY and play.dice and self.table.message is not None:
                    for n in sorted(play.marks):
                        self.press(IntentKind.MARK, n)
                    for face in best_aside(play):
                        free = (n for n, d in enumerate(play.dice, 1) if d.value == face and n not in play.marks)
                        self.press(IntentKind.MARK, next(free))
                    self.press(IntentKind.ROLL)
            case Mode.PLAY | Mode.CHOOSE | Mode.RESULT | Mode.MENU | Mode.ATTRACT:
                self.press(IntentKind.SCORE)
            case _:
                self._back()

    def _back(self) -> None:
        """Out of whatever is open, by a button that is there: back if one says so, else any."""
        offered = actions(self.table, self.layout)
        ways = [a for a in offered if a.intent in (IntentKind.BACK, IntentKind.UNDO)]
        action = self.rng.choice(ways if ways and self.rng.random() < 0.7 else offered)
        self.press(action.intent, action.arg)

    # ---- all together -------------------------------------------------------------------------------------------

    def open_a_menu(self) -> None:
        """The service menu, or the one that belongs to where the table stands."""
        if self.rng.random() < 0.4:
            self.take(Intent(IntentKind.SERVICE, 0, self.table.revision, self.t))
        elif self.table.mode is Mode.MENU:
            self.press(IntentKind.GAME)
        else:
            self.press(IntentKind.MENU)

    def step(self) -> None:
        if isinstance(self.table.scene, Around) and self.rng.random() < 0.7:
            # Who is in a menu looks about in it, by buttons or by touch.
            scene = self.table.scene
            if isinstance(scene, ListScene) and self.rng.random() < 0.5:
                lines = scene.lines(self.table)
                if lines:
                    self.press(IntentKind.PICK, self.rng.randrange(len(lines)))
                    return
            action = self.rng.choice(actions(self.table, self.layout))
            self.press(action.intent, action.arg)
            return
        if self.rng.random() < 0.02:
            self.open_a_menu()
            return
        do: Callable[[], None] = self.rng.choices(
            [
                self.random_press,
                self._help,
                self.honest_throw,
                self.wild_throw,
                self.tray.meddle,
                self.tray.look,
                self.blur,
                self.tick,
            ],
            [40, 15, 15, 6, 5, 3, 7, 9],
        )[0]
        do()


def _value(rng: random.Random, option: rules.Option, players: int) -> object:
    if option.kind == "flag":
        return rng.random() < 0.5
    if option.kind == "choice":
        return rng.choice(option.choices)
    if option.kind == "points":
        return [rng.choice(HEAD_STARTS) for _ in range(players)]
    if option.name == "target":
        return 1000
    return rng.randrange(option.low, option.high + 1, option.step)


def soak(events: int, seed: int) -> tuple[Counter[str], int]:
    """Let `events` events happen. Raises what goes wrong, with the seed and the number of the event."""
    s = Soak(seed)
    steps = 0
    try:
        while s.done < events:
            steps += 1
            s.step()
            if steps % CHECK_EVERY == 0:
                s.check()
            if steps % RESTART_EVERY == 0:
                s.restart()
            if steps % RESCUE_EVERY == 0:
                s.rescue()
            if s.rng.random() < 1 / 400:
                s.new_table()
        s.check()
    except Exception as problem:
        problem.add_note(f"seed {seed}, event {s.done}, {s.settings.game}, {s.layout} buttons, {s.table.mode}")
        raise
    return s.counts, s.done


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tell", action="store_true", help="print how often each thing happened")
    args = parser.parse_args()
    begun = time.monotonic()
    try:
        counts, done = soak(args.events, args.seed)
    except Exception:
        traceback.print_exc()
        print(f"table: 1 failures, seed {args.seed}")
        return 1
    missing = sorted(mode for mode in Mode if not counts[f"scene {mode}"])
    unplayed = [g.name for g in rules.games() if not counts[f"game {g.name}"]]
    unplayed += sorted(
        {o.name for g in rules.games() for o in g.options if o.name != "first" and not counts[f"rule {o.name}"]}
    )
    if (len(missing) > RARE or unplayed) and args.events >= ALL_SCENES:
        print(f"table: 1 failures, seed {args.seed}: nobody came to {', '.join([*missing, *unplayed])}")
        return 1
    if args.tell:
        for what, n in sorted(counts.items()):
            print(f"{n:8} {what}")
    print(
        f"table: {done} events, {counts['roll']} rolls, {counts['score'] + counts['stop']} scores, "
        f"{counts['undo']} taken back, {counts['correct']} put right, "
        f"{time.monotonic() - begun:.0f} s, seed {args.seed}: all well"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
