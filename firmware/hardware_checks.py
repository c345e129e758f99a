"""The checks that need the real parts: camera, light, buttons, lamps, screen, sound, dice, power. About ten minutes.

Room: firmware. Run by `dicetable check --hardware`; docs/on-a-real-pi.md tells what to expect. Each check measures what
can be measured and asks what can only be seen or heard. The table must not be running. `Bench` is how the checks reach
whoever stands there and the parts, so that tests hand in made-up ones.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from firmware.check_config import lines_of
from firmware.check_machine import throttled
from firmware.config import Config
from firmware.findings import FAULT, Machine
from firmware.platforms import eye_spec, make_camera, make_panel, make_tray
from hardware.buttons import LAYOUTS, Edge, Press, PressKind
from hardware.debounce import Debouncer

if TYPE_CHECKING:
    from hardware.camera import Camera
    from vision.types import Frame

PRESS_S = 20.0
THROWS = 3
LEAST_HZ = 25.0
READ_S = 0.5
"""A reading on a real machine: two of them and the rest must fit into the second in which a roll is to be there."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a check. `passed` is None for one that was left out, and `words` say what was measured."""

    name: str
    passed: bool | None
    words: str


@dataclass
class Bench:
    """Who stands there, and the parts. `ask` puts a question and returns the answer; `say` prints a line."""

    config: Config
    machine: Machine
    ask: Callable[[str], str] = input
    say: Callable[[str], None] = print
    now: Callable[[], float] = time.monotonic
    pause: Callable[[float], None] = time.sleep
    open_camera: Callable[[Config], Camera] = field(default=lambda config: _camera_as_calibrated(config))
    open_panel: Callable[..., Any] = make_panel
    open_window: Callable[[Config], Any] | None = None
    open_speaker: Callable[[], Any] | None = None

    def yes(self, question: str) -> bool | None:
        """True, False, or None for "leave it out"."""
        while True:
            answer = self.ask(f"  {question} [y]es, [n]o, [s]kip: ").strip().lower()
            if answer[:1] in ("y", "n", "s"):
                return {"y": True, "n": False, "s": None}[answer[0]]


def _camera_as_calibrated(config: Config) -> Camera:
    """The camera with the exposure that the table plays with."""
    spec = eye_spec(config)
    known = make_tray(spec).calibration
    return make_camera(spec, lock=None if known is None else known.lock)


def frames(bench: Bench, camera: Camera, seconds: float) -> list[Frame]:
    """What the camera delivers within `seconds`."""
    found, until = [], bench.now() + seconds
    while bench.now() < until:
        frame = camera.grab(0.2)
        if frame is not None:
            found.append(frame)
    return found


def camera(bench: Bench) -> Result:
    """Rate and size, and whether pictures change at all; then the lens is covered."""
    device = bench.open_camera(bench.config)
    try:
        device.set_up()
        frames(bench, device, 1.0)
        got = frames(bench, device, 3.0)
        if len(got) < 2:
            return Result("camera", False, "no pictures come: push the cable in at both ends")
        hz = (got[-1].number - got[0].number) / max(1e-6, got[-1].t - got[0].t)
        share = len(got) / max(1, got[-1].number - got[0].number + 1)
        width, height = got[-1].size
        words = f"{width}x{height}, {hz:.1f} frames a second, {share:.0%} of them taken"
        bench.ask("  Cover the lens with a hand, then press ENTER. ")
        dark = frames(bench, device, 1.0)
        light_before, light_now = (float(f.sketch.mean()) for f in (got[-1], dark[-1] if dark else got[-1]))
        words += f", brightness {light_before:.0f}, covered {light_now:.0f}"
        return Result("camera", hz >= LEAST_HZ and light_now < light_before / 2, words)
    finally:
        device.tear_down()


def exposure(bench: Bench) -> Result:
    """Exposure that is locked must stay: the mean of the picture over ten seconds, of light that is as steady."""
    device = bench.open_camera(bench.config)
    try:
        device.set_up()
        device.tell("unlock", {})
        bench.ask("  Take everything out of the tray, switch the ring light on, then press ENTER. ")
        frames(bench, device, 2.0)
        device.tell("lock", {})
        frames(bench, device, 1.0)
        levels = [float(frame.sketch.mean()) for frame in frames(bench, device, 10.0)]
        lock = getattr(device, "lock", None)
        if not levels:
            return Result("exposure", False, "no pictures come")
        spread = max(levels) - min(levels)
        return Result("exposure", spread < 3.0, f"brightness {min(levels):.1f} to {max(levels):.1f}; locked: {lock}")
    finally:
        device.tear_down()


def dice(bench: Bench) -> Result:
    """Three throws: what is read is compared with what somebody sees, and timed."""
    from vision.reader import read

    device = bench.open_camera(bench.config)
    tray = make_tray(eye_spec(bench.config))
    said: list[str] = []
    good = True
    try:
        device.set_up()
        for number in range(1, THROWS + 1):
            if bench.ask(f"  Throw five dice ({number} of {THROWS}), hands off, press ENTER (s skips). ")[:1] == "s":
                return Result("dice", None, "left out")
            got = frames(bench, device, 1.0)
            if not got:
                return Result("dice", False, "no pictures come")
            began = bench.now()
            reading = read(got[-1].image, tray)
            took = bench.now() - began
            values = " ".join(str(die.value) for die in sorted(reading.dice, key=lambda d: d.value))
            reasons = ", ".join(reason.code for reason in reading.reasons)
            right = bench.yes(f"{reading.status.value}: {values} {reasons} ({1000 * took:.0f} ms). Right?")
            said.append(f"{reading.status.value} in {1000 * took:.0f} ms, {'right' if right else 'WRONG'}")
            good = good and right is not False and took <= READ_S
        return Result("dice", good, "; ".join(said))
    finally:
        device.tear_down()


def buttons(bench: Bench) -> Result:
    """Each button once: it must be heard once, and light its lamp while it is down."""
    if bench.config.platform != "pi":
        return Result("buttons", None, f"platform {bench.config.platform} has keys")
    layout = LAYOUTS[bench.config.panel.buttons]
    lines = lines_of(bench.config)
    edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
    panel, close = bench.open_panel(bench.config, edges.put, bench.now)
    debouncer = Debouncer(layout, stable_ms=bench.config.panel.stable_ms)
    wrong: list[str] = []
    try:
        debouncer.unmute(bench.now(), dict(panel.levels()))
        for wanted in layout:
            bench.say(f"  Press {wanted.value} ({lines.buttons[wanted]}).")
            until = bench.now() + PRESS_S
            heard: list[Press] = []
            while bench.now() < until and len(heard) < 2:
                while not edges.empty():
                    debouncer.feed(edges.get())
                for press in debouncer.poll(bench.now(), dict(panel.levels())):
                    heard.append(press)
                    panel.lamp(press.button, press.kind is PressKind.DOWN)
                bench.pause(0.005)
            if [(p.button, p.kind) for p in heard] != [(wanted, PressKind.DOWN), (wanted, PressKind.UP)]:
                others = ", ".join(f"{p.button.value} {p.kind.value}" for p in heard) or "nothing"
                wrong.append(f"{wanted.value}: heard {others}")
        lamps = bench.yes("Did each button's lamp light while it was down?") if lines.lamps else None
        noise = {button.value: count for button, count in debouncer.noise.items() if count}
    finally:
        close()
    words = f"{'; '.join(wrong) or 'each heard once'}; lamps {_word(lamps)}; too short to count: {noise or 'none'}"
    return Result("buttons", not wrong and lamps is not False, words)


def screen(bench: Bench) -> Result:
    """The driver, the time to the first picture, and whether all four corners are on the glass."""
    from display.samples import turn
    from display.window import DisplayFault, Window

    section = bench.config.screen
    began = bench.now()
    try:
        if bench.open_window is not None:
            window = bench.open_window(bench.config)
        else:
            window = Window(kiosk=True, rotation=section.rotation, theme=section.theme)
    except DisplayFault as fault:
        return Result("screen", False, str(fault))
    try:
        view = turn()
        window.show(view, bench.now())
        took = bench.now() - began
        until = bench.now() + 5.0
        while bench.now() < until:
            list(window.inputs())
            window.show(view, bench.now())
            bench.pause(0.05)
        words = f"driver {window.driver}, {window.size[0]}x{window.size[1]}, first picture after {took:.2f} s"
    finally:
        window.close()
    seen = bench.yes("Was there a picture for five seconds, upright, sharp, with nothing cut off at the edges?")
    return Result("screen", seen, words)


def sound(bench: Bench) -> Result:
    """One sound."""
    if bench.open_speaker is not None:
        speaker = bench.open_speaker()
    else:
        from hardware.speaker import MixerSpeaker

        speaker = MixerSpeaker()
    try:
        speaker.set_up()
        speaker.play("roll")
        bench.pause(1.5)
    except Exception as fault:
        return Result("sound", False, str(fault))
    finally:
        with suppress(Exception):
            speaker.tear_down()
    return Result("sound", bench.yes("Did you hear it?"), "one sound was played")


def power(bench: Bench) -> Result:
    """All cores at work for ten seconds, then: was the voltage too low, did it get too hot?"""
    status, before = bench.machine.run(["vcgencmd", "get_throttled"])
    if status != 0:
        return Result("power", None, "there is no vcgencmd here")
    command = "import time\nend = time.monotonic() + 10\nwhile time.monotonic() < end: sum(range(9999))"
    import os
    import subprocess
    import sys

    work = [subprocess.Popen([sys.executable, "-c", command]) for _ in range(os.cpu_count() or 1)]
    for process in work:
        process.wait()
    _, after = bench.machine.run(["vcgencmd", "get_throttled"])
    found = [finding for finding in throttled(after) if finding.level == FAULT]
    _, heat = bench.machine.run(["vcgencmd", "measure_temp"])
    words = f"{after}, {heat}" + "".join(f"; {finding.what}: {finding.fix}" for finding in found)
    return Result("power", not found, words if before == after else f"{words} (before: {before})")


CHECKS: Mapping[str, Callable[[Bench], Result]] = {
    "screen": screen,
    "sound": sound,
    "camera": camera,
    "exposure": exposure,
    "dice": dice,
    "buttons": buttons,
    "power": power,
}


def run_all(bench: Bench, names: list[str] | None = None) -> list[Result]:
    """Each check in turn, and what came of it. One that breaks has failed, and the others go on."""
    results = []
    asked = names or list(CHECKS)
    bench.say("Answer n if it is not as it should be, s to leave it out. What is measured comes as a table at the end.")
    for number, name in enumerate(asked, 1):
        bench.say(f"== {number} of {len(asked)}, {name}: {(CHECKS[name].__doc__ or '').strip()}")
        try:
            result = CHECKS[name](bench)
        except Exception as problem:
            result = Result(name, False, str(problem) or repr(problem))
        bench.say(f"   {_word(result.passed)}: {result.words}")
        results.append(result)
    return results


def table_of(results: list[Result]) -> str:
    """The results as a table, to be copied into a report."""
    rows = "\n".join(f"| {r.name} | {_word(r.passed)} | {r.words} |" for r in results)
    return f"| check | result | measured |\n|---|---|---|\n{rows}\n"


def _word(passed: bool | None) -> str:
    return "left out" if passed is None else "passed" if passed else "FAILED"
