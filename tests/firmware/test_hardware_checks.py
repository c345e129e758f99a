"""The checks with somebody there, played through with a simulated tray and made-up parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from firmware import hardware_checks
from firmware.cli import main
from firmware.config import Config
from firmware.findings import Machine
from firmware.hardware_checks import CHECKS, Bench, Result, run_all, table_of
from firmware.stepped import HandClock
from hardware.buttons import LAYOUTS, Button, Edge
from hardware.camera import Camera
from hardware.camera_sim import SimCamera

PI = Config.model_validate({"platform": "pi", "panel": {"buttons": 3}})


class Passing(HandClock):
    """Waiting moves it."""

    def wait(self, seconds: float) -> None:
        self.t += seconds


class Hands:
    """Whoever stands there: answers questions, and does what they ask."""

    def __init__(self, config: Config = PI, lying: tuple[int, ...] = (), width: int = 160) -> None:
        self.clock = Passing()
        self.said: list[str] = []
        self.answers: dict[str, str] = {}
        self.light = 1.0
        self.eye = SimCamera(
            seed=3, width=width, height=width * 9 // 16, touching=0, cocked=0, lying=lying, clock=self.clock.clock
        )
        self.bench = Bench(
            config, Machine(run=lambda command: (127, "")), self.ask, self.said.append, self.clock.now, self.clock.wait,
            open_camera=self.open,
        )  # fmt: skip

    def open(self, config: Config) -> Camera:
        return self.eye

    def ask(self, question: str) -> str:
        if "Cover the lens" in question:
            self.eye.tell("faults", {"lamp": 0.1})
        for part, answer in self.answers.items():
            if part in question:
                return answer
        return "y"


def test_a_camera_that_delivers_and_one_that_is_covered_by_nobody() -> None:
    hands = Hands()
    result = CHECKS["camera"](hands.bench)
    assert result.passed
    assert result.words.startswith("160x90, 30.0 frames a second, 100% of them taken")
    hands = Hands()
    hands.bench.ask = lambda question: ""
    assert CHECKS["camera"](hands.bench).passed is False, "the brightness did not fall"


def test_a_camera_that_stops_has_failed_and_the_others_go_on() -> None:
    hands = Hands()
    hands.eye.tell("faults", {"drop": 1e9})
    results = run_all(hands.bench, ["camera", "power"])
    assert [r.passed for r in results] == [False, None]
    assert "CAM-01" in results[0].words


def test_exposure_that_stays() -> None:
    result = CHECKS["exposure"](Hands().bench)
    assert result.words.startswith("brightness")
    assert result.passed is not None


@pytest.mark.parametrize(("answer", "passed"), [("y", True), ("n", False)])
def test_what_is_read_is_what_somebody_sees(answer: str, passed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = Hands(lying=(1, 2, 3, 4, 5), width=640)
    hands.answers["Right?"] = answer
    monkeypatch.setattr(hardware_checks, "THROWS", 1)
    result = CHECKS["dice"](hands.bench)
    assert result.passed is passed
    assert result.words.startswith("read in 0 ms"), "the clock stands still while it reads"
    assert any("Throw five dice" not in line for line in [result.words])


class Panel:
    """Presses what is asked for, `after` the question; a button of `dead` is never heard."""

    def __init__(self, hands: Hands, put: Callable[[Edge], None], dead: set[Button]) -> None:
        self.hands, self.put, self.dead = hands, put, dead
        self.down: Button | None = None
        self.asked = 0
        self.lamps: list[tuple[Button, bool]] = []
        self.closed = False

    def levels(self) -> dict[Button, bool]:
        wanted = [line.split()[1] for line in self.hands.said if line.startswith("  Press")]
        if len(wanted) > self.asked and self.hands.clock.t % 0.5 < 0.01:
            self.asked = len(wanted)
            self.down = Button(wanted[-1])
            self.since = self.hands.clock.t
        elif self.down is not None and self.hands.clock.t - self.since > 0.2:
            self.down = None
        return {b: b is self.down and b not in self.dead for b in LAYOUTS[3]}

    def lamp(self, button: Button, on: bool) -> None:
        self.lamps.append((button, on))


@pytest.mark.parametrize(("dead", "passed"), [(set(), True), ({Button.ROLL}, False)])
def test_each_button_is_heard_and_lights_its_lamp(dead: set[Button], passed: bool) -> None:
    hands = Hands()
    panels: list[Panel] = []

    def open_panel(config: Config, put: Callable[[Edge], None], now: object) -> Any:
        panels.append(Panel(hands, put, dead))
        return panels[0], lambda: setattr(panels[0], "closed", True)

    hands.bench.open_panel = open_panel
    result = CHECKS["buttons"](hands.bench)
    assert result.passed is passed
    assert ("roll: heard nothing" in result.words) is bool(dead)
    assert (Button.SCORE, True) in panels[0].lamps
    assert panels[0].closed
    assert CHECKS["buttons"](Hands(Config()).bench).passed is None


def test_a_screen_and_a_sound() -> None:
    class Parts:
        driver, size = "kmsdrm", (1280, 720)

        def show(self, view: object, t: float) -> None: ...

        def inputs(self) -> list[object]:
            return []

        def set_up(self) -> None: ...

        def play(self, name: str) -> None: ...

        def close(self) -> None: ...

        tear_down = close

    hands = Hands()
    hands.bench.open_window = lambda config: Parts()
    hands.bench.open_speaker = Parts
    hands.answers["Did you hear it?"] = "s"
    screen, sound = run_all(hands.bench, ["screen", "sound"])
    assert (screen.passed, sound.passed) == (True, None)
    assert "driver kmsdrm, 1280x720" in screen.words


def test_the_voltage_under_load(monkeypatch: pytest.MonkeyPatch) -> None:
    import subprocess

    class Done:
        def wait(self) -> int:
            return 0

    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: Done())
    hands = Hands()
    hands.bench.machine = Machine(run=lambda command: (0, "throttled=0x50005"))
    result = CHECKS["power"](hands.bench)
    assert result.passed is False
    assert "the voltage is too low now" in result.words


def test_the_table_of_results() -> None:
    results = [Result("camera", True, "30 Hz"), Result("sound", False, "nothing"), Result("power", None, "no Pi")]
    assert table_of(results).splitlines()[2:] == [
        "| camera | passed | 30 Hz |", "| sound | FAILED | nothing |", "| power | left out | no Pi |",
    ]  # fmt: skip


def test_a_check_that_there_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--hardware", "coffee"]) == 2
    assert "CHK-02" in capsys.readouterr().err
