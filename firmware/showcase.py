"""Views of a real table in all its scenes, in any language: for pictures of the screen and for the tests of its words.

Room: firmware. Leads tables through games by events, as the loop would; no camera, no clock and no window. The drawn
tray of `display.samples` stands in for the camera's picture.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

import rules
from display import samples
from display.view import Message, Scene, View
from firmware import (
    scene_attract,
    scene_calibrate,
    scene_fault,
    scene_parts,
    scene_pause,
    scene_pin,
    scene_players,
    scene_seats,
    scene_service,
    scene_setup,
    scene_teams,
    words,
)
from firmware.agreed import dealt
from firmware.events import CameraState, Handled, Intent, IntentKind, Record, Seen
from firmware.intents import hints
from firmware.language import Language
from firmware.play import Play
from firmware.scene import Scene as OpenScene
from firmware.table import Table, TableSettings
from firmware.views import key_hints, view_of
from hardware.faults import CODES as HARDWARE
from hardware.panel_keys import KEYS
from rules.said import said as _
from vision.types import REASONS, Die, Reading, Reason, Status, TrayEvent, TrayEventKind, TrayState

I = IntentKind  # noqa: E741
NAMES = ("Ann", "Bartholomäus", "Chloé", "Dagmara", "Élodie", "Françoise", "Grzegorz", "Hildegard")


class Player:
    """A table and somebody who plays at it."""

    def __init__(self, game: str = "yardzee", count: int = 2, layout: int = 8, **options: object) -> None:
        self.table = Table(TableSettings(game, count, NAMES, die_cursor=layout == 3))
        self.layout = layout
        self.options = options
        self._t = 0.0
        self._frame = 0
        self.table.handle(CameraState(True, 0.0))

    def start(self, names: Sequence[str | Sequence[str]] | None = None) -> Player:
        """Begin the game, with options that no button sets yet."""
        table = self.table
        chosen = list(names or table.seats())
        if self.options or names:
            data = {"name": table.game, "players": chosen, "options": dict(self.options), "first": 0}
            table.play = Play(Record("game", data))
            table.revision += 1
        else:
            self.press(I.SCORE)
        return self

    def press(self, kind: IntentKind, arg: int | str | None = None) -> Player:
        self.table.handle(Intent(kind, arg, self.table.revision, self._t))
        return self

    def _see(self, kind: TrayEventKind, state: TrayState, reading: Reading | None = None, **more: object) -> None:
        self._t += 0.5
        self._frame += 15
        values = reading.values if reading else ()
        event = TrayEvent(kind, state, self._t, self._frame, reading, values=values, **more)  # type: ignore[arg-type]
        self.table.handle(Seen(event, 640, 480))

    def state(self, state: TrayState, reading: Reading | None = None) -> Player:
        self._see(TrayEventKind.STATE, state, reading)
        return self

    def throw(self, values: Sequence[int], kept: Sequence[int] = ()) -> Player:
        """Dice roll and come to rest where `samples.tray_picture` draws them."""
        reading = _reading(values)
        rest = list(values)
        for value in kept:
            rest.remove(value)
        self.state(TrayState.ROLLING).state(TrayState.SETTLED, reading)
        self._see(TrayEventKind.ROLL, TrayState.SETTLED, reading, kept=tuple(kept), thrown=tuple(rest))
        return self

    def unreadable(self, values: Sequence[int], code: str) -> Player:
        """The dice lie there and can't be told, for the reason `code`."""
        where = (400.0, 300.0) if code not in ("count", "dark", "blur") else (None, None)
        reading = dataclasses.replace(_reading(values), status=Status.UNSURE, reasons=(Reason(code, *where),))
        return self.state(TrayState.ROLLING).state(TrayState.UNREADABLE, reading)

    def play_out(self, rolls: Sequence[Sequence[int]]) -> Player:
        """Play to the end: each throw goes into the best open box, or is banked."""
        for n in range(10_000):
            play = self.table.play
            if play is None or self.table.over:
                break
            self.throw(rolls[n % len(rolls)][: self.table.wanted or 5], ())
            if play.banking:
                self.press(I.SCORE)
            elif self.table.open_options:
                best = max(self.table.open_options, key=lambda o: o.value or 0)
                self.press(I.PICK, best.box)
        return self

    def view(self, language: Language) -> View:
        """What the screen shows, with a picture of the dice that lie there."""
        names = {b: k[0] for b, k in KEYS[self.layout].items()} if self.layout == 8 else {}
        shown = hints(self.table, self.layout, names.items() if names else ())
        view = view_of(self.table, shown, language)
        values = tuple(d.value for d in self.table.play.dice) if self.table.play is not None else ()
        if not values and self.table.sight.reading is not None:
            values = self.table.sight.reading.values
        if not self.table.sight.camera.delivering or self.table.play is None:
            return view
        return dataclasses.replace(view, tray=dataclasses.replace(view.tray, picture=samples.tray_picture(values)))


def _reading(values: Sequence[int]) -> Reading:
    dice = []
    for seen in samples.dice(tuple(values)):
        assert seen.corners is not None and seen.value is not None
        corners = [(x * 640, y * 480) for x, y in seen.corners]
        x, y = (sum(c[i] for c in corners) / 4 for i in (0, 1))
        a, b, c, d = corners
        dice.append(Die(seen.value, 0.7 if seen.number == 4 else 0.99, x, y, (a, b, c, d)))
    return Reading(Status.READ, tuple(dice))


MIXED = (
    (5, 5, 5, 1, 2, 4),
    (6, 6, 6, 6, 2, 2),
    (1, 2, 3, 4, 5, 6),
    (3, 3, 2, 2, 2, 3),
    (1, 1, 1, 1, 4, 1),
    (2, 3, 4, 5, 6, 1),
)
SENTENCE_ROLL = (5, 2, 5, 6, 5)


def tables() -> dict[str, Player]:
    """Name -> a table at that moment of an evening."""
    made: dict[str, Player] = {
        "lobby": Player(),
        "lobby_3": Player(count=8, layout=3),
        "lobby_8": Player(count=8),
        "lobby_teams": _paired(Player(count=8)),
        "invitation_3": _invites(Player(layout=3)),
        "invitation_8": _invites(Player(layout=8)),
        "waiting": Player().start().state(TrayState.EMPTY),
        "rolling": Player().start().state(TrayState.ROLLING),
        "rolled": Player().start().throw(SENTENCE_ROLL),
        "held": Player().start().throw(SENTENCE_ROLL).press(I.MARK, 1).press(I.MARK, 3),
        "all_held": _mark_all(Player().start().throw(SENTENCE_ROLL)),
        "again": Player().start().throw(SENTENCE_ROLL).press(I.MARK, 1).press(I.MARK, 3).press(I.ROLL),
        "second": Player().start().throw(SENTENCE_ROLL).throw((5, 1, 5, 3, 5), (5, 5, 5)),
        "choose": Player().start().throw(SENTENCE_ROLL).press(I.SCORE),
        "last": Player().start().throw(SENTENCE_ROLL).throw(SENTENCE_ROLL).throw((1, 2, 3, 4, 6)),
        "three_buttons": Player(layout=3).start().throw(SENTENCE_ROLL),
        "eleven_buttons": Player(layout=11).start().throw(SENTENCE_ROLL),
        "eight_play": Player(count=8).start().throw(SENTENCE_ROLL),
        "correct": Player().start().throw(SENTENCE_ROLL).press(I.CORRECT),
        "enter": _away(Player().start()).press(I.SCORE),
        "camera_away": _away(Player().start().throw(SENTENCE_ROLL)),
        "camera_away_waiting": _away(Player().start()),
        "taken_back": Player().start().throw(SENTENCE_ROLL).press(I.UNDO),
        "question": Player().start().throw(SENTENCE_ROLL).press(I.MARK, 1).press(I.ROLL).throw((1, 2, 3, 4, 6)),
        "upper_first": Player("yahtzee", upper_first=True).start().throw(SENTENCE_ROLL).press(I.SCORE),
        "joker": _after_alike(Player("yahtzee", 1).start()),
        "joker_choose": _after_alike(Player("yahtzee", 1).start()).press(I.SCORE),
        "columns": Player("yahtzee", columns=3).start().throw(SENTENCE_ROLL).press(I.SCORE).press(I.UP),
        "zero": Player("kniffel").start().throw((1, 2, 3, 4, 6)).press(I.SCORE).press(I.DOWN).press(I.DOWN),
        "teams": Player("classic", games=3).start([["Ann", "Bo"], ["Chloé", "Dagmara"]]).throw(SENTENCE_ROLL),
        "rolloff": Player("kniffel", 4, start="roll_off").start().throw((1, 2, 3, 4, 6)).throw((6, 6, 6, 4, 1)),
        "head_start": Player("yardzee", 3, head_start=(0, 50, 100)).start().throw(SENTENCE_ROLL),
        "aside": Player("yardkle", 3).start().throw((1, 5, 3, 3, 2, 6)),
        "aside_held": Player("yardkle", 3).start().throw((1, 5, 3, 3, 2, 6)).press(I.MARK, 1),
        "bank": Player("yardkle", 3).start().throw((1, 1, 1, 5, 2, 6)).press(I.MARK, 1).press(I.MARK, 2).press(I.ROLL),
        "blank": Player("yardkle", 3).start().throw((2, 2, 3, 3, 4, 6)),
        "zilch": Player("zilch", 2).start().throw((1, 1, 1, 5, 2, 6)),
        "names": Player().press(I.NAMES),
        "result_1": Player(count=1).start().play_out(MIXED),
        "result_2": Player().start().play_out(MIXED),
        "result_8": Player(count=8).start().play_out(MIXED),
        "result_match": Player("kniffel", 3, games=2).start().play_out(MIXED),
        "result_yardkle": Player("yardkle", 2, target=2000).start().play_out(((1, 1, 1, 1, 1, 5), (1, 1, 1, 5, 5, 5))),
    }
    made |= {name: _opened(scene) for name, scene in _around_a_game().items()}
    made["attract"].table.facts["night"] = tuple((name, 377 - 31 * n, "yardzee") for n, name in enumerate(NAMES))
    for code in REASONS:
        made[f"unreadable_{code}"] = Player().start().unreadable((5, 2, 5, 6), code)
    for game in rules.games():
        made[f"game_{game.name}"] = Player(game.name, 3).start().throw((5, 2, 5, 6, 5, 1)[: game.dice])
        made[f"house_{game.name}"] = _opened(scene_setup.House(), game.name)
    return made


def _around_a_game() -> dict[str, OpenScene]:
    """The scenes that are opened by hand, before, between and beside games."""
    option = next(o for g in rules.games() for o in g.options if o.kind == "points")
    return {
        "attract": scene_attract.Attract(),
        "how_to": scene_attract.HowTo(),
        "best": scene_attract.Best(),
        "setup": scene_setup.Setup(),
        "games": scene_setup.Games(),
        "head_starts": scene_setup.HeadStart(option),
        "book": scene_setup.Rules(),
        "seats": scene_seats.Seats(),
        "who_with_whom": scene_teams.Teams(),
        "pick_name": scene_seats.PickName((), lambda name: Handled()),
        "one_name": scene_seats.OneName((), lambda name: Handled()),
        "pause": scene_pause.Pause(),
        "leaves": scene_pause.Leaves(),
        "end": scene_pause.End(),
        "service": scene_service.Service(),
        "dice_sets": scene_service.DiceSets(),
        "settings": scene_service.Settings(),
        "known_players": scene_players.Players(),
        "one_player": scene_players.OnePlayer("Bartholomäus"),
        "new_name": scene_players.NewName((), "Bartholomäus", lambda name: Handled()),
        "forget": scene_players.Forget("Bartholomäus"),
        "set_name": scene_service.SetName((), lambda name: Handled()),
        "about": scene_service.About(),
        "power": scene_service.Power("restart"),
        "new_evening": scene_service.NewEvening(),
        "pin": scene_pin.Pin("1234"),
        "camera_test": scene_parts.CameraTest(),
        "button_test": scene_parts.ButtonTest(),
        "calibrate": scene_calibrate.Calibrate(),
        "calibrate_test": _calibrating("test"),
        "calibrate_use": _calibrating("use"),
        "faults": scene_fault.Faults(),
        "fault": scene_fault.FaultScreen(Message("CAM-02", words.fault("CAM-02", HARDWARE["CAM-02"].words))),
    }


def _opened(scene: OpenScene, game: str = "yardzee") -> Player:
    player = Player(game, layout=11)
    if game == "yardzee":
        player.start().throw(SENTENCE_ROLL)
    player.table.open(scene)
    return player


def _calibrating(step: str) -> scene_calibrate.Calibrate:
    """After three throws of the test, of which one was not sure and one read wrong."""
    scene = scene_calibrate.Calibrate()
    scene.step, scene.waits = step, step == "test"
    scene.results, scene.wrong = [(1, 2, 3, 4, 5), (), (2, 2, 4, 5, 6)], {0}
    return scene


def _invites(player: Player) -> Player:
    """Nobody plays yet."""
    player.table.open(scene_attract.Attract())
    return player


def _paired(player: Player) -> Player:
    player.table.teams = dealt(player.table.count, player.table.count // 2)
    return player


def _away(player: Player) -> Player:
    what = HARDWARE["CAM-02"].words
    player.table.handle(CameraState(False, 1.0, "CAM-02", what))
    return player


def _mark_all(player: Player) -> Player:
    for n in range(1, 6):
        player.press(I.MARK, n)
    return player


def _after_alike(player: Player) -> Player:
    """Five alike once more, after their box and their own upper box are filled."""
    alike = (6, 6, 6, 6, 6)
    player.throw(alike).press(I.PICK, "five_kind")
    player.throw(alike).press(I.PICK, "sixes")
    return player.throw(alike)


def books() -> Iterator[tuple[str, View]]:
    """The rules of every game, page by page."""
    player = Player()
    keys = key_hints(player.table, hints(player.table, 11))
    for game in rules.games():
        book = rules.new(game.name, NAMES[:2]).rulebook()
        for at in range(0, len(book), 6):
            prompt = _("The rules as you play them")
            yield f"rules_{game.name}_{at}", View(Scene.PAGE, game.title, prompt, paragraphs=book, at=at, keys=keys)


def messages() -> dict[str, Message]:
    """Every refusal and every fault that can stand on the screen while people play."""
    found = {code: Message(code, said) for code, said in words.REFUSALS.items()}
    fields = {
        "where": "/dev/video0", "who": " (1234)", "what": "lgpio", "want": "4.2", "got": "3.9", "path": "a.png",
        "fix": "", "kind": "sun", "kinds": "sim, webcam", "line": "gpiochip0/17", "first": "ROLL", "second": "SCORE",
        "name": "ROLL", "bus": "SPI",
    }  # fmt: skip
    for code, entry in HARDWARE.items():
        found[code] = Message(code, words.fault(code, entry.words.format(**fields)))
    for code, said in words.SHORT_FAULTS.items():
        found[code] = Message(code, said)
    return found


def views(language: Language) -> dict[str, View]:
    """Name -> view, all in `language`: every table, what stands around a game, and every message."""
    found = {name: player.view(language) for name, player in tables().items()}
    found |= {name: language.shown(view, {}) for name, view in books()}
    ground = found["rolled"]
    for code, message in messages().items():
        found[f"says_{code}"] = dataclasses.replace(ground, message=language.shown(message, {}))
        if code in HARDWARE or code in words.SHORT_FAULTS:
            banner = language.say(words.with_code(code, message.words))
            found[f"banner_{code}"] = dataclasses.replace(ground, banners=(banner,))
    return found
