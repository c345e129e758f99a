"""The program as a process: killed in the middle of a turn, asked to end, started twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from display.view import View
from firmware.stepped import HandClock, SteppedTable
from firmware.table import TableSettings
from hardware.buttons import HOLDS, Button
from hardware.camera_sim import SimCamera

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = TableSettings("yardzee", 2, ("Ann", "Bo"))

# Plays in a folder until the middle of Bo's turn, tells what is on the screen, and is then killed from outside.
CHILD = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from tests.table.test_restart import half_a_turn, on_screen, open_table
table = open_table(Path(sys.argv[1]))
half_a_turn(table)
print(on_screen(table.loop.view), flush=True)
sys.stdin.read()
"""


def open_table(folder: Path) -> SteppedTable:
    clock = HandClock()
    camera = SimCamera(seed=4, width=640, height=360, touching=0.0, cocked=0.0, clock=clock.clock)
    return SteppedTable(folder, camera, clock, settings=SETTINGS, size=(800, 480))


def throw(table: SteppedTable, values: list[int]) -> None:
    """The tray throws these values; what can't be read is entered by hand."""
    play = table.table.play
    assert play is not None
    table.press(Button.ROLL)
    if not table.until(lambda: bool(play.dice), 12):
        table.press(Button.SCORE)
        form = table.table.entry
        assert form is not None
        for n, value in enumerate(values):
            form.cursor = n
            table.press(HOLDS[value - 1])
        table.press(Button.SCORE)


def half_a_turn(table: SteppedTable) -> None:
    """Ann scores; Bo throws and holds two dice."""
    table.advance(0.5)
    table.press(Button.SCORE)
    throw(table, [1, 2, 3, 4, 5])
    table.press(Button.SCORE)
    table.press(Button.SCORE)
    throw(table, [2, 2, 3, 4, 5])
    table.press(HOLDS[0])
    table.press(HOLDS[2])
    table.advance(0.2)


def on_screen(view: View) -> str:
    """What a person would call the state of the game, as far as the screen shows it."""
    return json.dumps(
        {
            "scene": view.scene,
            "prompt": view.prompt,
            "players": [(p.name, p.total, p.active) for p in view.players],
            "card": [(r.key, r.written, r.offer) for r in view.rows],
            "dice": [(d.value, d.held) for d in view.tray.dice],
            "roll": view.roll,
        }
    )


def test_killed_in_the_middle_of_a_turn_the_same_turn_is_on_the_screen(tmp_path: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(tmp_path), str(ROOT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert child.stdout is not None
    shown = child.stdout.readline().strip()
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    assert child.stdin is not None
    child.stdin.close()
    assert '"dice": [[' in shown
    assert shown.count("true") == 3, "Bo is active, and two dice are held"
    table = open_table(tmp_path)
    table.advance(0.3)
    assert on_screen(table.loop.view) == shown
    table.close()


def start(folder: Path, *more: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "DICETABLE_CONFIG": str(folder / "none.toml")}
    return subprocess.Popen(
        [sys.executable, "-m", "firmware.cli", "play", "--platform", "sim", "--data", str(folder / "data"), *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment,
    )


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    """Until the table has taken its lock, which it does once its signal handlers are set."""
    for _ in range(600):
        if path.exists() and path.read_text():
            return
        try:
            process.wait(0.1)
        except subprocess.TimeoutExpired:
            continue
        raise AssertionError(process.communicate())
    raise AssertionError("it does not start")


def test_sigterm_ends_it_cleanly_and_a_second_instance_is_refused(tmp_path: Path) -> None:
    picture = tmp_path / "last.png"
    first = start(tmp_path, "--offscreen", str(picture))
    wait_for(tmp_path / "data" / "dicetable.lock", first)
    second = start(tmp_path, "--offscreen", str(tmp_path / "other.png"))
    _, said = second.communicate(timeout=60)
    assert second.returncode == 2
    assert said.startswith("dicetable: APP-02: ")
    assert str(first.pid) in said
    assert said.count("\n") == 1
    first.send_signal(signal.SIGHUP)
    first.send_signal(signal.SIGTERM)
    _, said = first.communicate(timeout=60)
    assert (first.returncode, said) == (0, "")
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("text", "arguments", "code"),
    [
        ("game = [", (), "CFG-01"),
        ('gmae = "yardzee"', (), "CFG-02"),
        ("players = 9\n[panel]\nbuttons = 7", (), "CFG-02"),
        ("", ("--game", "ludo"), "CFG-03"),
    ],
)
def test_bad_input_is_one_clear_line(tmp_path: Path, text: str, arguments: tuple[str, ...], code: str) -> None:
    config = tmp_path / "dicetable.toml"
    config.write_text(text)
    process = start(tmp_path, "--config", str(config), *arguments)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 2
    assert said.startswith(f"dicetable: {code}: ")
    assert said.count("\n") == 1
    assert config.read_text() == text, "nothing is overwritten"
    assert not (tmp_path / "data").exists()


def test_without_a_screen_it_says_so(tmp_path: Path) -> None:
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment["SDL_VIDEODRIVER"] = "dummy"
    done = subprocess.run(
        [sys.executable, "-m", "firmware.cli", "--data", str(tmp_path / "data2")],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment,
        check=False,
        timeout=120,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("dicetable: DSP-01: ")


def test_a_journal_can_be_played_back(tmp_path: Path) -> None:
    table = open_table(tmp_path)
    half_a_turn(table)
    totals = table.table.play.game.totals if table.table.play else ()
    table.close()
    done = subprocess.run(
        [sys.executable, "-m", "firmware.cli", "replay", "--json", str(tmp_path / "journal.sqlite3")],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    (line,) = done.stdout.splitlines()
    played = json.loads(line)
    assert played["players"] == 2
    assert played["totals"] == list(totals)
    assert played["id"] == "1"
