"""Checks of the configuration: every key that is wrong, lines that are used twice, files that are missing.

Room: firmware. Reads the configuration file and the files that it names; of the machine only what `Machine` shows.
"""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Iterator
from pathlib import Path

import rules
from firmware.config import Config, default_path
from firmware.findings import Finding, Machine
from firmware.options import problems_in
from firmware.platforms import eye_spec
from firmware.safe_start import safe_config
from hardware.buses import enabled_buses
from hardware.faults import PanelFault
from hardware.lines import DEFAULT_LINES, HEADER, PanelLines, parse_lines, problems, read_lines

_TAKES = {
    "gpio-fan": 12,
    "pwm-gpio-fan": 18,
    "mcp23017": 4,
    "gpio-ir": 18,
    "gpio-led": 17,
    "gpio-shutdown": 3,
    "gpio-poweroff": 26,
}
"""Overlay -> the line of the header that it takes where it names none."""


def read(path: Path | None) -> tuple[Config, list[Finding]]:
    """The configuration, as far as it is good, and everything that is wrong in its file."""
    from pydantic import ValidationError

    where = path or default_path()
    if path is None and not where.exists():
        return Config(), []
    try:
        data = tomllib.loads(where.read_text("utf-8"))
    except FileNotFoundError:
        what = f"there is no configuration file {where}"
        return Config(), [Finding("CFG-01", what, "the name is wrong", "check the name after --config")]
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        fix = f"mend that place, or make a fresh file: dicetable config --defaults > {where}"
        return Config(), [Finding("CFG-01", f"{where} can't be read", str(error), fix)]
    try:
        return Config.model_validate(data), []
    except ValidationError as error:
        found = [
            Finding("CFG-02", f"{p.key}: {p.words}", f"it stands so in {where}", p.fix or "docs/configuration.md")
            for p in problems_in(error)
        ]
        return safe_config(path), found


def game(config: Config, _: Machine) -> Iterator[Finding]:
    """A game that there is not."""
    names = [g.name for g in rules.games()]
    if config.game not in names:
        yield Finding("CFG-03", f"there is no game {config.game!r}", "the name is wrong", f"one of {', '.join(names)}")


def event(config: Config, _: Machine) -> Iterator[Finding]:
    """House rules of an event that the game does not have."""
    if config.game not in [g.name for g in rules.games()]:
        return
    options = {k: v for k, v in config.event.options.items() if k != "head_start"}
    try:
        rules.new(config.game, ["A"], **options)
    except rules.RulesError as error:
        yield Finding("CFG-02", "event.options", error.words, f"dicetable rules {config.game} shows what there is")


def calibration(config: Config, _: Machine) -> Iterator[Finding]:
    """A calibration that can't be used."""
    if not config.camera.calibration:
        if config.platform != "sim":
            cause = "without it dice are still read, but what belongs into the tray is not known"
            yield Finding("CAL-01", "there is no calibration", cause, "dicetable calibrate", "warning")
        return
    from vision.calibration import CalibrationFault, load

    try:
        load(config.camera.calibration)
    except CalibrationFault as fault:
        yield Finding(fault.code, fault.words, "camera.calibration names it", "dicetable calibrate")


def camera_options(config: Config, _: Machine) -> Iterator[Finding]:
    """Options that this kind of camera does not know."""
    from hardware import camera_files, camera_picamera2, camera_sim, camera_webcam

    kinds = {
        "sim": camera_sim.SimCamera,
        "files": camera_files.FilesCamera,
        "webcam": camera_webcam.WebcamCamera,
        "picamera2": camera_picamera2.PicameraCamera,
    }
    spec = eye_spec(config)
    known = [name for name in inspect.signature(kinds[spec.kind]).parameters if name != "clock"]
    for name in spec.options:
        if name not in known:
            what = f"camera.options.{name}: the camera {spec.kind} does not know it"
            yield Finding("CFG-02", what, "a slip of the pen", f"it knows {', '.join(known)}")
    if spec.kind == "files" and not spec.options.get("source"):
        yield Finding("CFG-02", "camera.source: is empty", "the camera files reads pictures", "name a folder or file")


def lines_of(config: Config) -> PanelLines:
    """The panel's lines. Raises PanelFault."""
    layout = config.panel.buttons
    return parse_lines(config.panel.lines, layout) if config.panel.lines else DEFAULT_LINES[layout]


def panel_lines(config: Config, machine: Machine) -> Iterator[Finding]:
    """Lines that are used twice, don't exist, or belong to a bus that is on, now or after the next start."""
    table = config.panel.lines
    if config.platform != "pi" and not table:
        return
    try:
        # Not parse_lines, which stops at the first.
        lines = read_lines(table) if table else DEFAULT_LINES[config.panel.buttons]
    except PanelFault as fault:
        yield Finding(fault.code, fault.words, "panel.lines", "docs/configuration.md shows how it is written")
        return
    buses = {*enabled_buses(machine.root), *buses_asked_for(machine)}
    for problem in problems(lines, config.panel.buttons, buses):
        words, _, fix = problem.words.partition(": ")
        yield Finding(
            problem.code, words, "panel.lines, beside what is switched on in config.txt", fix or "panel.lines"
        )
    taken = taken_lines(machine)
    for line in (*lines.buttons.values(), *lines.lamps.values()):
        if line.chip == HEADER and line.offset in taken:
            what = f"{line} ({lines.name(line)}) is taken by {taken[line.offset]}"
            yield Finding("GPIO-06", what, "a dtoverlay in config.txt", "use another line, or give the overlay one")


def buses_asked_for(machine: Machine) -> set[str]:
    """Buses that config.txt switches on with the next start (Raspberry Pi documentation, "config.txt")."""
    found = set()
    for line in machine.firmware_settings() or ():
        key, _, value = line.partition("=")
        words = [word.strip() for word in value.split(",")]
        if key == "dtparam":
            for word in words:
                name, _, state = word.partition("=")
                if state in ("", "on", "true", "yes", "1"):
                    found |= {"i2c_arm": {"i2c1"}, "i2c": {"i2c1"}, "spi": {"spi0"}, "i2s": {"i2s"}}.get(name, set())
        elif key == "dtoverlay" and words:
            name = words[0]
            if name.startswith("spi1-"):
                found.add("spi1")
            elif name.startswith(("hifiberry", "i2s-", "googlevoicehat", "iqaudio")):
                found.add("i2s")
            elif name == "w1-gpio":
                found.add("1-wire")
            elif name.startswith("uart0"):
                found.add("uart")
        elif line == "enable_uart=1":
            found.add("uart")
    return found


def taken_lines(machine: Machine) -> dict[int, str]:
    """Lines of the header that an overlay takes -> which one. Where an overlay names none it is its default
    (raspberrypi/linux, arch/arm/boot/dts/overlays/README)."""
    found = {}
    for line in machine.firmware_settings() or ():
        key, _, value = line.partition("=")
        name, *words = [word.strip() for word in value.split(",")]
        if key != "dtoverlay" or name not in _TAKES or "noints" in words:
            continue
        said = [word.partition("=")[2] for word in words if word.startswith(("gpiopin=", "gpio_pin=", "gpio="))]
        found[int(said[0]) if said and said[0].isdigit() else _TAKES[name]] = name
    return found
