"""Checks of the machine: packages, camera, buttons, screen, disk, clock, power, heat, the service.

Room: firmware. Each check yields findings; it sees the computer through `Machine` only, so that each can be tested with
a made-up one. Where a file or a command is missing because this is no Raspberry Pi, there is nothing to find.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from firmware.config import Config
from firmware.findings import FAULT, WARNING, Finding, Machine
from firmware.libraries import missing_library
from firmware.platforms import eye_spec

FREE_BYTES = 200_000_000
HOT_C = 80.0
GROUPS = ("video", "render", "input", "gpio", "audio")
_BAD = {("gpiozero", "2.0.1.post1"), ("gpiozero", "2.0.1.post2")}
_FROM_APT = ("numpy", "cv2", "pygame", "gpiozero", "lgpio", "picamera2", "libcamera")
_FROM_LIST = ("pydantic", "pydantic_core", "platformdirs")
_PLAIN = ("numpy", "cv2", "pygame", "gpiozero", *_FROM_LIST)
_AGAIN = "install again: sudo systemd/install.sh"

THROTTLED: Mapping[int, tuple[str, str, str]] = {
    0: ("SYS-01", "the voltage is too low now", FAULT),
    16: ("SYS-01", "the voltage was too low since the start", FAULT),
    3: ("SYS-02", "the computer is slowed down for its heat now", FAULT),
    19: ("SYS-02", "the computer was slowed down for its heat since the start", WARNING),
}
"""Bit of `vcgencmd get_throttled` -> code, words, level (Raspberry Pi documentation, "vcgencmd")."""


# ---- packages -------------------------------------------------------------------------------------------------------


def packages(config: Config, machine: Machine) -> Iterator[Finding]:
    """Packages that can't be imported, and the library that is missing."""
    wanted = ["numpy", "cv2", "pygame", "pydantic", "gpiozero"]
    camera = eye_spec(config).kind == "picamera2"
    wanted += ["libcamera", "picamera2"] if camera else []
    wanted += ["lgpio"] if config.platform == "pi" else []
    for name in wanted:
        try:
            machine.load(name)
        except ImportError as error:
            library = missing_library(error)
            if library is not None:
                yield Finding("ENV-01", library.words, f"{name} needs it", library.fix.removeprefix("Install it: "))
            elif name in ("libcamera", "picamera2"):
                cause = f"the environment {machine.prefix} doesn't see the system's packages, or it is not installed"
                fix = f"sudo apt install python3-picamera2, and {_AGAIN} --kind pi"
                yield Finding("ENV-01", f"{name} can't be imported ({error})", cause, fix)
            else:
                fix = _AGAIN
                if name == "lgpio" and machine.kind == "plain":
                    fix = f"{_AGAIN}; an Intel or AMD processor with Debian 13 has none, use keys there: platform desk"
                elif name == "lgpio":
                    fix = "sudo apt install python3-lgpio"
                yield Finding("ENV-01", f"{name} can't be imported ({error})", "it is not installed, or damaged", fix)


def origins(_: Config, machine: Machine) -> Iterator[Finding]:
    """Packages that come from another place than this kind of installation says: their binaries won't fit together."""
    kind, wanted = machine.kind, dict.fromkeys(_PLAIN, "environment")
    if kind == "pi":
        wanted = dict.fromkeys(_FROM_APT, "system") | dict.fromkeys(_FROM_LIST, "environment")
    for name, place in wanted.items() if kind else ():
        path = _where(machine, name)
        if path is None:
            continue
        inside = path.is_relative_to(machine.prefix)
        if inside != (place == "environment"):
            cause = f"an installation of kind {kind} takes it from the {place}"
            fix = f"{machine.prefix}/bin/python -m pip uninstall {_DIST.get(name, name)}" if inside else _AGAIN
            yield Finding("ENV-02", f"{name} comes from {path}", cause, fix)
    for pair in (("opencv-python", "opencv-python-headless"), ("pygame", "pygame-ce")):
        if all(_version(machine, dist) for dist in pair):
            cause = "both write into the same folder, and the one installed last wins"
            fix = f"{machine.prefix}/bin/python -m pip uninstall {pair[0]} {pair[1]}, then {_AGAIN}"
            yield Finding("ENV-02", f"{pair[0]} and {pair[1]} are both installed", cause, fix)
    for dist, version in sorted(_BAD):
        if _version(machine, dist) == version:
            cause = "it chooses the wrong pin factory"
            yield Finding("ENV-03", f"{dist} {version} is installed", cause, f"sudo apt upgrade, or {_AGAIN}")


_DIST = {"cv2": "opencv-python opencv-python-headless", "pygame": "pygame pygame-ce"}


def _where(machine: Machine, name: str) -> Path | None:
    try:
        file = getattr(machine.load(name), "__file__", None)
    except Exception:
        return None
    return Path(file) if file else None


def _version(machine: Machine, dist: str) -> str:
    try:
        version: str = machine.load("importlib.metadata").version(dist)
        return version
    except Exception:
        return ""


# ---- parts ----------------------------------------------------------------------------------------------------------


def camera(config: Config, machine: Machine) -> Iterator[Finding]:
    """No camera where one is asked for, one that somebody else holds, or no right to open it."""
    spec = eye_spec(config)
    if spec.kind == "picamera2":
        status, words = machine.run(["rpicam-hello", "--list-cameras"])
        if status != 127 and "No cameras available" in words:
            cause = "its cable, or config.txt has neither camera_auto_detect=1 nor the camera's overlay"
            yield Finding("CAM-01", "no camera module is found", cause, "push the cable in at both ends, start again")
        devices = ["/dev/media"]
    elif spec.kind == "webcam":
        named = str(spec.options.get("device", ""))
        there = sorted((machine.root / "dev").glob("video[0-9]*"))
        if named.startswith("/dev") and not (machine.root / named.lstrip("/")).exists():
            by_id = sorted(str(p) for p in (machine.root / "dev/v4l/by-id").glob("*-video-index0"))
            fix = f"camera.source = {by_id[0]!r}" if by_id else "plug it in"
            yield Finding("CAM-01", f"there is no camera {named}", "it is not plugged in, or has another name", fix)
        elif not there:
            yield Finding("CAM-01", "there is no webcam", "it is not plugged in, or needs more power", "plug it in")
        locked = [path for path in there if not os.access(path, os.R_OK | os.W_OK)]
        if locked:
            fix = f"sudo usermod -aG video {machine.user}"
            yield Finding("CAM-10", f"no permission to open {locked[0]}", "not in the group video", fix)
        devices = [str(path) for path in there]
    else:
        return
    from hardware.holders import holders

    for pid in holders(devices, machine.root / "proc"):
        name = machine.text(f"proc/{pid}/comm") or "a program"
        if "dicetable" in (machine.text(f"proc/{pid}/cmdline") or ""):
            continue
        yield Finding("CAM-03", f"the camera is held by {name} (process {pid})", "only one may have it", f"kill {pid}")


def pins(config: Config, machine: Machine) -> Iterator[Finding]:
    """No chip, no right to open it, or a pin factory that is not lgpio. On platform pi only."""
    if config.platform != "pi":
        return
    factory = machine.environment.get("GPIOZERO_PIN_FACTORY", "lgpio")
    if factory != "lgpio":
        cause = "the variable GPIOZERO_PIN_FACTORY says so"
        yield Finding("GPIO-08", f"the pin factory {factory} is asked for", cause, "set it to lgpio, or remove it")
    chips = sorted((machine.root / "dev").glob("gpiochip[0-9]*"))
    if not chips:
        cause = "this is no Raspberry Pi, or its kernel has no GPIO"
        yield Finding("GPIO-01", "there is no /dev/gpiochip", cause, "platform = desk, if there is no panel")
    locked = [path for path in chips if not os.access(path, os.R_OK | os.W_OK)]
    if locked:
        fix = f"sudo usermod -aG gpio {machine.user}"
        yield Finding("GPIO-01", f"no permission to open {locked[0]}", "not in the group gpio", fix)
    labels = {(machine.text(f"sys/bus/gpio/devices/{path.name}/label") or "") for path in chips}
    from firmware.check_config import lines_of
    from hardware.faults import PanelFault
    from hardware.gpio_chips import HEADER_LABELS
    from hardware.lines import HEADER

    try:
        wanted = lines_of(config).chips
    except PanelFault:
        return
    for label in wanted if any(labels) else ():
        if not labels & (set(HEADER_LABELS) if label == HEADER else {label}):
            cause = f"there are {', '.join(sorted(labels))}; an expander needs its overlay in config.txt"
            fix = "check panel.lines, and dtoverlay in config.txt"
            yield Finding("GPIO-01", f"there is no GPIO chip {label}", cause, fix)


def firmware_settings(config: Config, machine: Machine) -> Iterator[Finding]:
    """Overlays of config.txt that are missing or in the way."""
    lines = machine.firmware_settings()
    if lines is None or config.platform != "pi":
        return
    words = " ".join(lines)
    fix = "put it into /boot/firmware/config.txt, then start again"
    if "dtoverlay=vc4-kms-v3d" not in words:
        cause = "without it nothing can draw without a desktop"
        yield Finding("SYS-05", "dtoverlay=vc4-kms-v3d is not there", cause, fix)
    spec = eye_spec(config)
    if spec.kind == "picamera2":
        sensors = "imx|ov5647|ov64|ov9281"
        if "camera_auto_detect=1" not in words and not re.search(rf"dtoverlay=(?:{sensors})", words):
            cause = "then the camera module is not looked for"
            yield Finding("SYS-05", "neither camera_auto_detect=1 nor a camera's overlay is there", cause, fix)
        if "start_x=1" in lines:
            cause = "it switches the old camera system on, and libcamera finds nothing"
            yield Finding("SYS-05", "start_x=1 is there", cause, "remove it from /boot/firmware/config.txt")


def screen(config: Config, machine: Machine) -> Iterator[Finding]:
    """No driver that shows anything, nothing plugged in, or a screen that goes dark."""
    variable = machine.environment.get
    desktop = variable("DISPLAY") or variable("WAYLAND_DISPLAY")
    cards = sorted((machine.root / "dev/dri").glob("card*"))
    if not desktop and not cards:
        cause = "neither a desktop nor a graphics driver is there"
        yield Finding("DSP-01", "there is nothing to draw on", cause, "on a Raspberry Pi: dtoverlay=vc4-kms-v3d")
    states = {
        path.parent.name: (machine.text(str(path.relative_to(machine.root))) or "")
        for path in sorted((machine.root / "sys/class/drm").glob("card*-*/status"))
    }
    if states and "connected" not in states.values():
        cause = f"{', '.join(states)}: nothing answers"
        fix = "switch it on first, or force it: install.sh --screen HDMI-A-1"
        yield Finding("DSP-01", "no screen is plugged in", cause, fix)
    locked = [path for path in cards if not os.access(path, os.R_OK | os.W_OK)]
    if not desktop and cards and len(locked) == len(cards):
        fix = f"sudo usermod -aG video,render {machine.user}"
        yield Finding("DSP-01", f"no permission to open {locked[0]}", "not in the group video", fix)
    blank = machine.text("sys/module/kernel/parameters/consoleblank")
    if not desktop and blank and blank.isdigit() and int(blank) > 0:
        fix = "consoleblank=0 on the kernel's command line (install.sh does it)"
        yield Finding("DSP-04", f"the screen goes dark after {blank} s", "consoleblank is set", fix, WARNING)


_TRY_DRIVER = """import os, pygame
os.environ["SDL_VIDEODRIVER"] = "kmsdrm"
try:
    pygame.display.init()
    print("works")
except pygame.error as error:
    print(error)
"""


def driver(_: Config, machine: Machine) -> Iterator[Finding]:
    """Whether pygame can draw without a desktop. Not asked while the table itself is on the screen."""
    variable = machine.environment.get
    if variable("DISPLAY") or variable("WAYLAND_DISPLAY") or not any((machine.root / "dev/dri").glob("card*")):
        return
    if machine.run(["systemctl", "is-active", "dicetable.service"])[0] == 0:
        return
    status, words = machine.run([sys.executable, "-c", _TRY_DRIVER])
    said = words.splitlines()[-1] if words else ""
    if status == 0 and said != "works":
        cause = f"SDL says: {said}; pygame's own wheel can't draw without a desktop, pygame-ce's and apt's can"
        fix = "sudo apt install python3-pygame, or " + _AGAIN
        yield Finding("DSP-01", "the driver kmsdrm can't draw on this screen", cause, fix)


def fonts(_: Config, machine: Machine) -> Iterator[Finding]:
    """Fonts that ship with the program and are missing or damaged."""
    try:
        typeset: Any = machine.load("display.typeset")
        pygame: Any = machine.load("pygame")
    except ImportError:
        return  # `packages` says so
    pygame.font.init()
    folder = Path(typeset.__file__).parent / "fonts"
    for file in sorted(set(typeset.FACES.values())):
        try:
            # SDL_ttf opens almost anything, so the signature is looked at as well (OpenType specification, "otff").
            whole = (folder / file).read_bytes()[:4] in (b"\0\1\0\0", b"OTTO")
            if not whole or pygame.font.Font(str(folder / file), 20).size("0")[0] <= 0:
                raise OSError("it is no font, or damaged")
        except Exception as error:
            yield Finding("DSP-03", f"the font {file} can't be used", str(error), _AGAIN)


def weights(_: Config, machine: Machine) -> Iterator[Finding]:
    """What the reader has learnt."""
    for name in ("vision.witness", "vision.lean", "vision.hands"):
        try:
            module: Any = machine.load(name)
        except ImportError:
            continue
        path = getattr(module, "WEIGHTS", None)
        if isinstance(path, Path) and not (path.is_file() and path.stat().st_size > 0):
            yield Finding("VIS-01", f"{path} is missing or empty", "the installation is damaged", _AGAIN)


# ---- the computer ---------------------------------------------------------------------------------------------------


def disk(config: Config, machine: Machine) -> Iterator[Finding]:
    """Too little room for the journal, or a folder that can't be written."""
    folder = config.data_folder
    near = next(path for path in (folder, *folder.parents) if path.exists())
    try:
        free = machine.free_bytes(near)
    except OSError as error:
        yield Finding("SYS-03", f"{near} can't be looked at", str(error), "check the disk: dmesg | tail")
        return
    if free < FREE_BYTES:
        cause = f"{free // 1_000_000} MB are free at {near}"
        fix = "make room: sudo journalctl --vacuum-size=50M; old *.corrupt-* files beside the journal may go"
        yield Finding("SYS-03", "the disk is nearly full", cause, fix)
    if not os.access(near, os.W_OK):
        cause = f"it belongs to somebody else, or the disk is read-only (you are {machine.user or 'unknown'})"
        fix = f"sudo chown -R dicetable: {folder}, or a data partition (docs/install.md)"
        yield Finding("SYS-03", f"{near} can't be written", cause, fix)


def keeps(config: Config, machine: Machine) -> Iterator[Finding]:
    """Data that would not outlive a restart: the folder lies in memory, or under an overlay."""
    mounts = [line.split() for line in (machine.text("proc/mounts") or "").splitlines()]
    over = [m for m in mounts if len(m) > 2 and config.data_folder.is_relative_to(m[1])]
    if not over or not machine.kind:
        return
    _, point, kind, *_ = max(reversed(over), key=lambda m: len(m[1]))
    if kind in ("overlay", "tmpfs", "ramfs"):
        cause = f"it lies on {point}, which is {kind}: kept in memory only"
        fix = "a data partition, and overlayroot=tmpfs:recurse=0 (docs/install.md)"
        yield Finding("SYS-03", f"games in {config.data_folder} are lost with the next start", cause, fix)


def clock(config: Config, machine: Machine) -> Iterator[Finding]:
    """A clock that was never set: the dates in the journal would be wrong. Nothing else depends on it."""
    if not machine.today:
        return
    status, words = machine.run(["timedatectl", "show", "-p", "NTPSynchronized", "--value"])
    built = newest_file(Path(__file__).parent)
    if machine.today < built:
        cause = f"it says {machine.today}, but the program was made on {built}"
        fix = "connect a network for a minute, fit a battery for the clock, or: sudo timedatectl set-time ..."
        yield Finding("SYS-04", "the clock is years or days behind", cause, fix)
    elif status == 0 and words == "no" and machine.model:
        cause = "there is no network, and perhaps no battery for the clock"
        yield Finding("SYS-04", "the clock is not set by a time server", cause, "only dates depend on it", WARNING)


def newest_file(folder: Path) -> str:
    """The date of the newest file of the program."""
    from datetime import UTC, datetime

    newest = max((path.stat().st_mtime for path in folder.glob("*.py")), default=0.0)
    return datetime.fromtimestamp(newest, UTC).strftime("%Y-%m-%d")


def throttled(text: str) -> list[Finding]:
    """What `throttled=0x50005` means."""
    found = re.search(r"0x([0-9a-fA-F]+)", text)
    bits = int(found.group(1), 16) if found else 0
    causes = {
        "SYS-01": "the power supply or its cable is too weak",
        "SYS-02": "the case is closed, or the fan stands still",
    }
    fixes = {
        "SYS-01": "a supply of 5.1 V, 3 A (27 W for a Raspberry Pi 5); hardware/README.md has the power budget",
        "SYS-02": "a heat sink or a fan",
    }
    return [
        Finding(code, words, causes[code], fixes[code], level)
        for bit, (code, words, level) in THROTTLED.items()
        if bits >> bit & 1
    ]


def power(_: Config, machine: Machine) -> Iterator[Finding]:
    """Under-voltage and throttling, now and since the start."""
    status, words = machine.run(["vcgencmd", "get_throttled"])
    if status == 0:
        yield from throttled(words)
        return
    for path in sorted((machine.root / "sys/class/hwmon").glob("hwmon*")):
        name = str(path.relative_to(machine.root))
        if machine.text(f"{name}/name") == "rpi_volt" and machine.text(f"{name}/in0_lcrit_alarm") == "1":
            yield from throttled("0x10000")


def heat(_: Config, machine: Machine) -> Iterator[Finding]:
    """The temperature now."""
    for path in sorted((machine.root / "sys/class/thermal").glob("thermal_zone*/temp")):
        text = machine.text(str(path.relative_to(machine.root))) or ""
        if text.lstrip("-").isdigit() and int(text) / 1000 >= HOT_C:
            what = f"the computer is at {int(text) / 1000:.0f} °C"
            yield Finding("SYS-02", what, "the case is closed, or the fan stands still", "a heat sink or a fan")
            return


def service(_: Config, machine: Machine) -> Iterator[Finding]:
    """The service, where install.sh has set one up; and whether its user is in the groups that it needs."""
    if not machine.kind:
        return
    status, words = machine.run(["systemctl", "is-enabled", "dicetable.service"])
    if status not in (0, 127) and "bus" not in words:
        cause, fix = words.splitlines()[-1] if words else "", "sudo systemctl enable dicetable"
        yield Finding("SYS-07", "the table does not start with the machine", cause, fix)
    status, words = machine.run(["systemctl", "is-failed", "dicetable.service"])
    if status == 0:
        fix = "journalctl -u dicetable -n 30 says why; then: sudo systemctl reset-failed dicetable, and restart it"
        yield Finding("SYS-07", "the service has failed", "it was started again too often", fix)
    groups = machine.text("etc/group") or ""
    members = dict(re.findall(r"^([^:]+):[^:]*:[^:]*:(.*)$", groups, re.MULTILINE))
    for group in GROUPS:
        if "dicetable" not in members.get(group, "").split(","):
            fix = f"sudo usermod -aG {group} dicetable"
            yield Finding("SYS-06", f"the user dicetable is not in the group {group}", "it was taken out", fix)
