"""What stands beside the table at an event: results, spectators, names, and what menus ask of the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from display.view import GridView, KeyHint, Message, Scene, View
from firmware import check_config, play_command
from firmware.audio import Audio, AudioSettings
from firmware.config import Config
from firmware.errors import Fault
from firmware.events import Order, Record
from firmware.journal import Journal
from firmware.journal_names import known_names
from firmware.kept_settings import KeptSettings
from firmware.machine import ORDERS, Machine
from firmware.results_file import HEAD, ResultsFile
from firmware.spectators import Spectators, SpectatorSpec, for_spectators
from hardware.speaker_file import FileSpeaker

NIGHT = GridView(("Best", "Points"), (("Ann", "300"),))


def play_a_game(journal: Journal, names: list[str], sixes: int) -> None:
    """One game of one box after the other, of which only the sixes hold points."""
    import rules

    journal.append([Record("game", {"name": "yardzee", "players": names, "options": {}, "first": 0})])
    boxes = [b.key for b in rules.new("yardzee", ["A"]).boxes]
    for box in boxes:
        for _name in names:
            dice = [{"v": v, "p": 1.0, "c": None} for v in ((6,) * sixes + (1, 2, 2, 1, 2)[sixes:])]
            journal.append([Record("roll", {"dice": dice, "by": "hand"}), Record("score", {"box": box})])


def test_results_are_a_text_with_a_line_for_each_player(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite3", now=lambda: 0.0)
    play_a_game(journal, ["Ann", "Bo"], 2)
    journal.append([Record("game", {"name": "yatzy", "players": ["Ann"], "options": {}, "first": 0})])
    journal.close()
    results = ResultsFile(tmp_path / "out" / "results.txt", journal.path, "Fair")
    results.write()
    lines = results.path.read_text("utf-8").splitlines()
    assert lines[0] == "# Fair"
    assert lines[1].split("\t") == list(HEAD)
    rows = [line.split("\t") for line in lines[2:]]
    assert [(r[3], r[5]) for r in rows] == [("yardzee", "Ann"), ("yardzee", "Bo")], "a game that goes on has no result"
    assert rows[0][4] == "1"
    assert int(rows[0][6]) > 0


def test_a_folder_that_is_none_costs_only_the_file(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite3", now=lambda: 0.0)
    journal.close()
    (tmp_path / "file").write_text("")
    ResultsFile(tmp_path / "file" / "results.txt", journal.path).write()


def test_names_are_those_who_played_last_without_those_that_the_table_gave(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite3", now=lambda: 0.0)
    play_a_game(journal, ["Ann", "Player 2", "Spieler 3"], 1)
    play_a_game(journal, ["Bo"], 1)
    journal.close()
    assert known_names(journal.path) == ("Bo", "Ann")
    assert known_names(journal.path, ["Zoe", "Ann"]) == ("Zoe", "Ann", "Bo")
    assert known_names(tmp_path / "none.sqlite3") == ()


SHOWN = View(
    Scene.TURN,
    "Yardzee",
    "Ann: throw",
    keys=(KeyHint("SCORE", "write"),),
    message=Message("NOT_HERE", "no"),
    banners=("saving",),
)


@pytest.mark.parametrize(
    ("view", "night", "scene", "prompt"),
    [
        (SHOWN, None, Scene.TURN, "Ann: throw"),
        (View(Scene.MENU, "", "House rules"), NIGHT, Scene.GRID, "The best of the night"),
        (View(Scene.NAME, "", "Your name?"), None, Scene.ATTRACT, "Fair"),
        (View(Scene.ATTRACT, "Fair", "Press SCORE"), NIGHT, Scene.ATTRACT, "Fair"),
    ],
)
def test_spectators_see_the_game_and_no_buttons(view: View, night: GridView | None, scene: Scene, prompt: str) -> None:
    seen = for_spectators(view, night, "Fair")
    assert (seen.scene, seen.prompt, seen.keys, seen.message, seen.banners) == (scene, prompt, (), None, ())


def test_a_second_screen_that_is_not_there_holds_nothing_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    spectators = Spectators(SpectatorSpec(1))
    for n in range(50):
        spectators.show(View(Scene.TURN, prompt=str(n)), None, float(n))
    spectators.close()
    assert not spectators._process.is_alive()


class Glass:
    def __init__(self) -> None:
        self.changes: dict[str, object] = {}

    def restyle(self, **changes: object) -> None:
        self.changes |= changes


class Looped:
    closed = again = False

    def __init__(self) -> None:
        self.spoken = ""
        self.orders: list[Order] = []

    def speak(self, language: object) -> None:
        self.spoken = language.code  # type: ignore[attr-defined]

    def order_eye(self, order: Order) -> None:
        self.orders.append(order)


def test_what_menus_ask_of_the_machine_is_done_and_kept(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite3", now=lambda: 0.0)
    audio = Audio(FileSpeaker(lambda: 0.0), None, AudioSettings(), minute=lambda: 0, log=print)
    glass, loop = Glass(), Looped()
    ran: list[list[str]] = []
    kept = KeptSettings(tmp_path)
    kept.merged(Config())

    def power(command: list[str]) -> int:
        ran.append(command)
        return 1

    machine = Machine(glass, journal, audio=audio, kept=kept, power=power, say=print)

    def order(name: str, **args: object) -> None:
        assert name in ORDERS
        machine.order(Order(name, args), loop)  # type: ignore[arg-type]

    order("set", key="language", value="pl")
    order("set", key="screen.theme", value="contrast")
    order("set", key="sound.volume", value=30)
    order("set", key="sound.caller", value=True)
    order("set", key="dice", value="9 cm")
    order("poweroff")
    order("restart")
    order("session")
    assert loop.spoken == "pl"
    assert glass.changes["theme"] == "contrast"
    assert (audio.settings.volume, audio.settings.caller) == (0.3, True)
    assert [(o.name, dict(o.args)) for o in loop.orders] == [("respec", {"dice": "9 cm"})]
    assert loop.closed
    assert loop.again
    for thread in __import__("threading").enumerate():
        if thread.name in ("settings", "poweroff"):
            thread.join()
    assert ran == [["systemctl", "poweroff"]]
    assert [code for code, _words in machine.faults] == ["PWR-01"], "who may not do it is told so"
    again = KeptSettings(tmp_path).merged(Config())
    assert (again.language, again.sound.volume, again.camera.dice) == ("pl", 30, "9 cm")
    journal.close()


def test_an_event_with_options_that_the_game_does_not_have_is_refused() -> None:
    assert play_command.event_of(Config()) is None
    good = Config.model_validate({"event": {"name": "Fair", "options": {"extra": 50, "head_start": [0, 5]}}})
    event = play_command.event_of(good)
    assert event is not None
    assert dict(event.options) == {"extra": 50, "head_start": (0, 5)}
    bad = Config.model_validate({"event": {"options": {"colour": 1}}})
    with pytest.raises(Fault, match=r"CFG-02.*no option"):
        play_command.event_of(bad)
    assert [f.code for f in check_config.event(bad, None)] == ["CFG-02"]  # type: ignore[arg-type]
    assert not list(check_config.event(good, None))  # type: ignore[arg-type]
