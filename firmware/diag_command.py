"""What a helper needs to know: versions, parts, configuration, findings, the service's last words; in one file with
--bundle.

Names of players are replaced, and there are no pictures unless --pictures asks for them. With --buttons it shows each
button's line, its level and how often it was pressed, until Ctrl-C: is it the wire, or the program?

Room: firmware. It changes nothing, except that --buttons and --pictures take panel and camera for a moment, for which
the table must not be running.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import sqlite3
import sys
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any

from firmware import check_config
from firmware.check_command import find_all, report, this_machine
from firmware.config import Config
from firmware.config_command import chosen_of
from firmware.errors import Fault
from firmware.findings import Machine
from firmware.journal import stamp
from firmware.options import file_text

PACKAGES = (
    "dicetable",
    "numpy",
    "opencv-python",
    "opencv-python-headless",
    "pygame",
    "pygame-ce",
    "pydantic",
    "gpiozero",
    "lgpio",
    "picamera2",
)
LOG_LINES = 400


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration (default: the user's)")
    parser.add_argument("--bundle", nargs="?", const="", metavar="FILE", help="write all of it into one ZIP file")
    parser.add_argument("--pictures", action="store_true", help="with --bundle: three pictures of the camera as well")
    parser.add_argument("--buttons", action="store_true", help="show lines, levels and presses until Ctrl-C")
    parser.add_argument("--log", metavar="FILE", help="the service's log, - for standard input (default: journalctl)")


def run(args: argparse.Namespace) -> int:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    config, _ = check_config.read(args.config)
    if args.buttons:
        return show_buttons(config)
    machine = this_machine()
    parts = sections(config, machine, args.config, _log(args.log, machine))
    if args.bundle is None:
        for name, text in parts.items():
            if name != "log.txt":
                print(f"== {name.removesuffix('.txt')}\n{text}")
        return 0
    file = Path(args.bundle) if args.bundle else _place(config) / f"dicetable-{stamp()[:10]}.zip"
    pictures = dict(take_pictures(config)) if args.pictures else {}
    try:
        write(file, parts, pictures)
    except OSError as e:
        raise Fault("SYS-03", f"{file} can't be written ({e.strerror}).", "Name another place after --bundle.") from e
    print(f"Written: {file}. It holds no names of players{'' if pictures else ' and no pictures'}.")
    return 0


def sections(config: Config, machine: Machine, path: Path | None, log: str) -> dict[str, str]:
    """Name of a part -> its text, all names of players replaced."""
    parts = {
        "versions.txt": versions(machine),
        "machine.txt": about(machine),
        "configuration.txt": file_text(chosen_of(config)),
        "findings.txt": report(find_all(path, machine)),
        "journal.txt": about_journal(config.data_folder / "journal.sqlite3"),
        "log.txt": log,
    }
    hide = scrubber(names_of(config))
    return {name: hide(text) for name, text in parts.items()}


def write(file: Path, parts: Mapping[str, str], pictures: Mapping[str, bytes]) -> None:
    """The bundle. Written beside, then put in place: a full disk leaves no half one."""
    partial = file.with_name(file.name + ".part")
    try:
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as bundle:
            for name, text in parts.items():
                bundle.writestr(name, text)
            for name, data in pictures.items():
                bundle.writestr(f"pictures/{name}", data)
        partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)


# ---- the parts ------------------------------------------------------------------------------------------------------


def versions(machine: Machine) -> str:
    lines = [
        f"Python {platform.python_version()} in {machine.prefix}",
        f"kind of installation: {machine.kind or 'none'}",
    ]
    for name in PACKAGES:
        with suppress(metadata.PackageNotFoundError):
            lines.append(f"{name} {metadata.version(name)}")
    lines.append(f"SQLite {sqlite3.sqlite_version}")
    for module, path in (("gpiozero", "gpiozero"), ("cv2", "cv2"), ("pygame", "pygame"), ("numpy", "numpy")):
        with suppress(ImportError):
            lines.append(f"{module} from {Path(str(machine.load(path).__file__)).parent}")
    return "\n".join(lines) + "\n"


def about(machine: Machine) -> str:
    release = re.search(r'^PRETTY_NAME="?([^"\n]*)', machine.text("etc/os-release") or "", re.MULTILINE)
    lines = [
        f"model: {machine.model or platform.machine()}",
        f"system: {release.group(1) if release else 'unknown'}, kernel {platform.release()}",
        f"cores: {os.cpu_count()}",
        f"memory: {(re.search(r'MemTotal:[^0-9]*([0-9]+ kB)', machine.text('proc/meminfo') or '') or ['', '?'])[1]}",
        f"free for the programs: {machine.free_bytes(machine.prefix) // 1_000_000} MB",
    ]
    for chip in sorted((machine.root / "dev").glob("gpiochip[0-9]*")):
        label = machine.text(f"sys/bus/gpio/devices/{chip.name}/label") or machine.text(
            f"sys/class/gpio/{chip.name}/label"
        )
        lines.append(f"GPIO chip: {chip} {label or ''}".rstrip())
    factory = machine.environment.get("GPIOZERO_PIN_FACTORY", "lgpio")
    lines.append(f"pin factory: {factory}")
    for pattern in ("dev/video[0-9]*", "dev/dri/card*", "dev/v4l/by-id/*"):
        lines += [f"device: /{path.relative_to(machine.root)}" for path in sorted(machine.root.glob(pattern))]
    for path in sorted(machine.root.glob("sys/class/drm/card*-*/status")):
        lines.append(f"screen: {path.parent.name} {machine.text(str(path.relative_to(machine.root)))}")
    for command in (
        ["vcgencmd", "get_throttled"],
        ["vcgencmd", "measure_temp"],
        ["systemctl", "show", "dicetable", "-p", "ActiveState,SubState,NRestarts,Result,StatusText"],
        ["rpicam-hello", "--list-cameras"],
    ):
        status, words = machine.run(command)
        if status != 127:
            lines += [f"$ {' '.join(command)}", *(f"  {line}" for line in words.splitlines()[:30])]
    settings = machine.firmware_settings()
    if settings is not None:
        lines += ["config.txt:", *(f"  {line}" for line in settings)]
    return "\n".join(lines) + "\n"


def about_journal(path: Path) -> str:
    """Counts only, no contents."""
    if not path.exists():
        return "there is none yet\n"
    try:
        db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=5)
        try:
            schema = db.execute("pragma user_version").fetchone()[0]
            events, last = db.execute("select count(*), max(at) from events").fetchone()
            kinds = db.execute("select kind, count(*) from events group by kind order by kind").fetchall()
        finally:
            db.close()
    except sqlite3.Error as error:
        return f"can't be read: {error}\n"
    lines = [f"schema {schema}, {path.stat().st_size} bytes, {events} events, the last at {last}"]
    lines += [f"  {kind}: {count}" for kind, count in kinds]
    beside = sorted(p.name for p in path.parent.iterdir())
    return "\n".join([*lines, "beside it:", *(f"  {name}" for name in beside)]) + "\n"


def _log(said: str | None, machine: Machine) -> str:
    if said == "-":
        return "".join(sys.stdin.readlines()[-LOG_LINES:])
    if said:
        try:
            return Path(said).read_text("utf-8", "replace")
        except OSError as e:
            raise Fault("CFG-01", f"{said} can't be read ({e.strerror}).", "Check the name after --log.") from e
    command = ["journalctl", "-q", "-u", "dicetable", "-n", str(LOG_LINES), "--no-pager", "-o", "short-iso"]
    status, words = machine.run(command)
    return words + "\n" if status == 0 and words else "no log could be read; root can: sudo dicetable diag --bundle\n"


# ---- names ----------------------------------------------------------------------------------------------------------


def names_of(config: Config) -> list[str]:
    """Every name that the configuration or the journal knows."""
    found = set(config.names)
    path = config.data_folder / "journal.sqlite3"
    with suppress(sqlite3.Error, ValueError, TypeError):
        db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=5)
        try:
            for (data,) in db.execute("select data from events where kind='game'"):
                found.update(str(name) for name in json.loads(data).get("players", ()))
            found.update(name for (name,) in db.execute("select name from players"))
        finally:
            db.close()
    return sorted((name for name in found if name.strip()), key=len, reverse=True)


def scrubber(names: list[str]) -> Callable[[str], str]:
    """What replaces each of `names`, as a whole word in any case, and the folder of whoever calls."""
    numbered = {name.casefold(): f"PLAYER-{i}" for i, name in enumerate(names, 1)}
    pattern = (
        re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names), re.IGNORECASE) if names else None
    )
    home = str(Path.home())

    def hide(text: str) -> str:
        if len(home) > 1:
            text = text.replace(home + "/", "~/")
        return pattern.sub(lambda m: numbered.get(m.group().casefold(), "PLAYER"), text) if pattern else text

    return hide


# ---- with the parts in hand -----------------------------------------------------------------------------------------


def take_pictures(config: Config, count: int = 3) -> Iterator[tuple[str, bytes]]:
    """A few pictures as PNG. Raises CameraFault."""
    import cv2

    from firmware.platforms import eye_spec, make_camera

    camera = make_camera(eye_spec(config))
    camera.set_up()
    try:
        got = 0
        for _ in range(count * 10):
            frame = camera.grab(1.0)
            if frame is not None:
                got += 1
                yield f"{got}.png", cv2.imencode(".png", frame.image)[1].tobytes()
            if got == count:
                return
    finally:
        camera.tear_down()


def show_buttons(config: Config, seconds: float | None = None) -> int:
    """Print a line for each change of a button, and each button's numbers at the end. Raises PanelFault."""
    import queue

    from firmware.platforms import make_panel
    from hardware.buttons import LAYOUTS, Edge, PressKind
    from hardware.debounce import Debouncer

    if config.platform != "pi":
        raise Fault("CFG-02", f"platform {config.platform} has no buttons on lines.", "Set platform = pi first.")
    edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
    panel, close = make_panel(config, edges.put, time.monotonic)
    lines = check_config.lines_of(config)
    layout = LAYOUTS[config.panel.buttons]
    debouncer = Debouncer(layout, stable_ms=config.panel.stable_ms)
    presses: dict[Any, int] = dict.fromkeys(layout, 0)
    began = time.monotonic()
    try:
        debouncer.unmute(began, dict(panel.levels()))
        for button in layout:
            print(f"{button.value:8}{lines.buttons[button]}  {'DOWN' if panel.levels()[button] else 'up'}")
        print("Press each button. Ctrl-C ends.")
        while seconds is None or time.monotonic() - began < seconds:
            while not edges.empty():
                debouncer.feed(edges.get())
            for press in debouncer.poll(time.monotonic(), dict(panel.levels())):
                presses[press.button] += press.kind is PressKind.DOWN
                panel.lamp(press.button, press.kind is PressKind.DOWN)
                print(f"{press.button.value:8}{press.kind.value:5} presses {presses[press.button]}", flush=True)
            time.sleep(0.005)
    except KeyboardInterrupt:
        print()
    finally:
        close()
    for button in layout:
        print(f"{button.value:8}presses {presses[button]:3}  too short to count {debouncer.noise[button]:3}")
    return 0


def _place(config: Config) -> Path:
    """Where a bundle goes when nobody says: here, or else beside the journal."""
    here = Path.cwd()
    return here if os.access(here, os.W_OK) else config.data_folder
