"""Every problem at once, each with a code, a cause and a fix; on made-up machines."""

from __future__ import annotations

import json
import sys
import types
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from firmware import check_config, check_machine
from firmware.check_command import CHECKS, find_all, report
from firmware.cli import main
from firmware.config import Config
from firmware.errors import CODES as FAULTS
from firmware.findings import CODES, FAULT, Finding, Machine
from hardware.faults import CODES as HARDWARE


def made(root: Path, files: Mapping[str, str] | None = None, **parts: Any) -> Machine:
    """A computer with these files and nothing else; its commands are in `commands`: first word -> status, words."""
    for name, text in (files or {}).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    commands: Mapping[str, tuple[int, str]] = parts.pop("commands", {})
    parts.setdefault("run", lambda command: commands.get(" ".join(command), commands.get(command[0], (127, ""))))
    parts.setdefault("load", lambda name: types.SimpleNamespace(__file__=f"/env/lib/{name}/__init__.py"))
    parts.setdefault("free_bytes", lambda path: 10**10)
    parts.setdefault("environment", {})
    parts.setdefault("prefix", root / "env")
    parts.setdefault("user", "ann")
    return Machine(root=root, **parts)


def codes(found: object) -> list[str]:
    return [finding.code for finding in found]  # type: ignore[attr-defined]


PI = Config.model_validate({"platform": "pi"})
DESK = Config.model_validate({"platform": "desk"})


# ---- the whole ------------------------------------------------------------------------------------------------------


def test_every_wrong_key_and_every_fault_of_the_machine_comes_at_once(tmp_path: Path) -> None:
    file = tmp_path / "d.toml"
    file.write_text('platform = "desk"\ngmae = "x"\nplayers = 99\n[panel]\ndebounce_ms = 3\n')
    machine = made(
        tmp_path, {"sys/class/thermal/thermal_zone0/temp": "91000"}, free_bytes=lambda _: 5, today="1970-01-01"
    )
    found = find_all(file, machine)
    assert codes(found)[:3] == ["CFG-02"] * 3
    assert {"SYS-02", "SYS-03", "SYS-04", "CAM-01", "DSP-01", "CAL-01"} <= set(codes(found))
    assert all(f.what and f.fix for f in found)
    words = report(found)
    assert "panel.debounce_ms: is not known" in words
    assert "do:      write panel.stable_ms" in words


def test_a_check_that_breaks_is_told_and_the_others_go_on(tmp_path: Path) -> None:
    def broken(path: Path) -> int:
        raise ZeroDivisionError

    found = find_all(tmp_path / "none.toml", made(tmp_path, free_bytes=broken))
    assert "CHK-01" in codes(found)
    assert "CFG-01" in codes(found)
    assert "DSP-01" in codes(found), "later than the broken one or not"


def test_nothing_wrong_is_said_so() -> None:
    assert report([]) == "Nothing is wrong.\n"


def test_every_code_is_a_known_one() -> None:
    sources = [Path(m.__file__ or "").read_text() for m in (check_config, check_machine)]
    said = {part.split('"')[0] for text in sources for part in text.split('Finding("')[1:]}
    assert said <= {*FAULTS, *CODES, *HARDWARE}
    assert len(CHECKS) == len(set(CHECKS))


def test_the_command_counts_warnings_as_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "d.toml"
    file.write_text('game = "ludo"\n')
    assert main(["check", "--json", "--config", str(file)]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert "CFG-03" in [line["code"] for line in lines]
    assert all(set(line) == {"code", "what", "cause", "fix", "level"} for line in lines)


# ---- configuration --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("panel", "settings", "said"),
    [
        ({"buttons": 3}, "", []),
        ({"buttons": 8}, "", []),
        ({"buttons": 8}, "dtparam=spi=on\ndtparam=i2c_arm=on\n", []),
        ({"buttons": 8}, "dtoverlay=hifiberry-dac\n", ["GPIO-06"] * 4),
        ({"buttons": 8}, "dtoverlay=gpio-fan,gpiopin=13\n", ["GPIO-06"]),
        ({"buttons": 8}, "dtoverlay=gpio-fan\n", ["GPIO-06"]),
        ({"buttons": 8}, "dtoverlay=mcp23017,addr=0x20\n", ["GPIO-06"]),
        ({"buttons": 8}, "dtoverlay=mcp23017,addr=0x20,noints\n", []),
        ({"buttons": 8}, "[cm4]\n# dtoverlay=hifiberry-dac\n[pi3]\ndtoverlay=hifiberry-dac\n", []),
        (
            {"buttons": 3, "lines": {"buttons": {"hold1": ("header", 4), "roll": ("header", 4)}}},
            "",
            ["GPIO-05", "GPIO-02"],
        ),
        ({"buttons": 3, "lines": {"buttons": {"hop": ("header", 4)}}}, "", ["GPIO-05"]),
    ],
)
def test_lines(panel: dict[str, Any], settings: str, said: list[str], tmp_path: Path) -> None:
    config = Config.model_validate({"platform": "pi", "panel": panel})
    machine = made(tmp_path, {"boot/firmware/config.txt": settings})
    assert codes(check_config.panel_lines(config, machine)) == said


def test_options_of_the_camera(tmp_path: Path) -> None:
    camera = {"kind": "sim", "options": {"seed": 3, "fps": 30}}
    (found,) = check_config.camera_options(Config.model_validate({"camera": camera}), made(tmp_path))
    assert found.what == "camera.options.fps: the camera sim does not know it"
    assert "rate_hz" in found.fix


def test_a_calibration_that_is_none(tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    file.write_text("{}")
    config = Config.model_validate({"camera": {"calibration": str(file)}})
    assert codes(check_config.calibration(config, made(tmp_path))) == ["CAL-02"]
    assert codes(check_config.calibration(Config(), made(tmp_path))) == []


# ---- machine --------------------------------------------------------------------------------------------------------


def missing(*names: str) -> Callable[[str], Any]:
    def load(name: str) -> Any:
        if name in names:
            raise ImportError(f"No module named {name!r}")
        return types.SimpleNamespace(__file__=f"/env/lib/{name}/__init__.py")

    return load


def test_libcamera_that_the_environment_does_not_see(tmp_path: Path) -> None:
    found = list(check_machine.packages(PI, made(tmp_path, load=missing("libcamera"))))
    assert codes(found) == ["ENV-01"]
    assert "sudo apt install python3-picamera2" in found[0].fix
    assert codes(check_machine.packages(DESK, made(tmp_path, load=missing("libcamera")))) == []


def placed(places: Mapping[str, str], versions: Mapping[str, str] | None = None) -> Callable[[str], Any]:
    def load(name: str) -> Any:
        if name == "importlib.metadata":
            return types.SimpleNamespace(version=lambda dist: (versions or {})[dist])
        return types.SimpleNamespace(__file__=f"{places.get(name, places['*'])}/{name}/__init__.py")

    return load


@pytest.mark.parametrize(
    ("kind", "places", "versions", "said"),
    [
        ("pi", {"*": "/usr", "pydantic": "ENV", "pydantic_core": "ENV", "platformdirs": "ENV"}, {}, []),
        (
            "pi",
            {"*": "/usr", "numpy": "ENV", "pydantic": "ENV", "pydantic_core": "ENV", "platformdirs": "ENV"},
            {},
            ["numpy"],
        ),
        ("pi", {"*": "/usr", "pydantic_core": "ENV", "platformdirs": "ENV"}, {}, ["pydantic"]),
        ("plain", {"*": "ENV"}, {}, []),
        ("plain", {"*": "ENV", "cv2": "/usr"}, {}, ["cv2"]),
        ("", {"*": "/anywhere"}, {}, []),
        ("", {"*": "/x"}, {"opencv-python": "5", "opencv-python-headless": "5"}, ["opencv-python"]),
        ("", {"*": "/x"}, {"pygame": "2", "pygame-ce": "2"}, ["pygame"]),
    ],
)
def test_mixed_installs(
    kind: str, places: dict[str, str], versions: dict[str, str], said: list[str], tmp_path: Path
) -> None:
    environment = tmp_path / "env"
    environment.mkdir()
    if kind:
        (environment / ".kind").write_text(kind + "\n")
    load = placed({k: v.replace("ENV", f"{environment}/lib") for k, v in places.items()}, versions)
    found = list(check_machine.origins(Config(), made(tmp_path, load=load)))
    assert [f.what.split()[0] for f in found] == said
    assert all(f.code == "ENV-02" for f in found)


def test_a_version_that_is_known_to_be_broken(tmp_path: Path) -> None:
    load = placed({"*": "/x"}, {"gpiozero": "2.0.1.post1"})
    assert codes(check_machine.origins(Config(), made(tmp_path, load=load))) == ["ENV-03"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("throttled=0x0", []),
        ("throttled=0x50000", ["SYS-01"]),
        ("throttled=0x50005", ["SYS-01", "SYS-01"]),
        ("throttled=0x80008", ["SYS-02", "SYS-02"]),
        ("nonsense", []),
    ],
)
def test_power(text: str, said: list[str], tmp_path: Path) -> None:
    assert codes(check_machine.throttled(text)) == said
    assert codes(check_machine.power(PI, made(tmp_path, commands={"vcgencmd": (0, text)}))) == said


def test_power_without_vcgencmd(tmp_path: Path) -> None:
    files = {"sys/class/hwmon/hwmon1/name": "rpi_volt", "sys/class/hwmon/hwmon1/in0_lcrit_alarm": "1"}
    assert codes(check_machine.power(PI, made(tmp_path, files))) == ["SYS-01"]


def test_pins(tmp_path: Path) -> None:
    found = codes(check_machine.pins(PI, made(tmp_path, environment={"GPIOZERO_PIN_FACTORY": "mock"})))
    assert found == ["GPIO-08", "GPIO-01"]
    chip = {"dev/gpiochip0": "", "sys/bus/gpio/devices/gpiochip0/label": "pinctrl-rp1"}
    assert codes(check_machine.pins(PI, made(tmp_path, chip))) == []
    (tmp_path / "sys/bus/gpio/devices/gpiochip0/label").write_text("mcp23017")
    (found_,) = check_machine.pins(PI, made(tmp_path))
    assert found_.what == "there is no GPIO chip header"
    assert codes(check_machine.pins(DESK, made(tmp_path))) == []


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("dtoverlay=vc4-kms-v3d\ncamera_auto_detect=1", 0),
        ("dtoverlay=vc4-kms-v3d\ndtoverlay=imx708", 0),
        ("camera_auto_detect=1", 1),
        ("dtoverlay=vc4-kms-v3d", 1),
        ("start_x=1", 3),
    ],
)
def test_config_txt(settings: str, said: int, tmp_path: Path) -> None:
    found = codes(check_machine.firmware_settings(PI, made(tmp_path, {"boot/firmware/config.txt": settings})))
    assert found == ["SYS-05"] * said


def test_screen(tmp_path: Path) -> None:
    assert codes(check_machine.screen(PI, made(tmp_path))) == ["DSP-01"]
    files = {"dev/dri/card0": "", "sys/class/drm/card0-HDMI-A-1/status": "disconnected\n"}
    files["sys/module/kernel/parameters/consoleblank"] = "600"
    found = list(check_machine.screen(PI, made(tmp_path, files)))
    assert codes(found) == ["DSP-01", "DSP-04"]
    assert "HDMI-A-1" in found[0].cause
    (tmp_path / "sys/class/drm/card0-HDMI-A-1/status").write_text("connected")
    assert codes(check_machine.screen(PI, made(tmp_path, environment={"DISPLAY": ":0"}))) == []


@pytest.mark.parametrize(
    ("active", "said", "found"),
    [(3, "works", 0), (3, "kmsdrm not available", 1), (0, "kmsdrm not available", 0), (3, "", 1)],
)
def test_whether_the_driver_can_draw(active: int, said: str, found: int, tmp_path: Path) -> None:
    commands = {"systemctl": (active, ""), sys.executable: (0, f"pygame 2.6\n{said}\n" if said else "\n")}
    machine = made(tmp_path, {"dev/dri/card0": ""}, commands=commands)
    assert codes(check_machine.driver(PI, machine)) == ["DSP-01"] * found
    assert codes(check_machine.driver(PI, made(tmp_path, commands=commands, environment={"DISPLAY": ":0"}))) == []


def test_camera(tmp_path: Path) -> None:
    none = {"rpicam-hello": (0, "No cameras available!")}
    assert codes(check_machine.camera(PI, made(tmp_path, commands=none))) == ["CAM-01"]
    assert codes(check_machine.camera(DESK, made(tmp_path))) == ["CAM-01"]
    gone = Config.model_validate({"platform": "desk", "camera": {"source": "/dev/v4l/by-id/usb-old-video-index0"}})
    files = {"dev/video0": "", "dev/v4l/by-id/usb-new-video-index0": ""}
    (found,) = check_machine.camera(gone, made(tmp_path, files))
    assert "usb-new-video-index0" in found.fix
    assert codes(check_machine.camera(DESK, made(tmp_path))) == []
    assert codes(check_machine.camera(Config(), made(tmp_path))) == []


def test_disk_and_clock(tmp_path: Path) -> None:
    config = Config(data=str(tmp_path / "not" / "yet"))
    assert codes(check_machine.disk(config, made(tmp_path))) == []
    assert codes(check_machine.disk(config, made(tmp_path, free_bytes=lambda _: 10**6))) == ["SYS-03"]
    assert codes(check_machine.clock(config, made(tmp_path, today="2001-01-01"))) == ["SYS-04"]
    assert codes(check_machine.clock(config, made(tmp_path, today="2999-01-01"))) == []
    pi = {"proc/device-tree/model": "Raspberry Pi 5\0"}
    unset = {"timedatectl": (0, "no")}
    (found,) = check_machine.clock(config, made(tmp_path, pi, today="2999-01-01", commands=unset))
    assert (found.code, found.level) == ("SYS-04", "warning")


def test_data_that_a_restart_would_take(tmp_path: Path) -> None:
    config = Config(data="/var/lib/dicetable")
    root = "overlayroot / overlay rw 0 0\n/dev/sda1 /boot/firmware vfat rw 0 0\n"
    own = root + "/dev/sda3 /var/lib/dicetable ext4 rw 0 0\n"
    twice = own + "overlay /var/lib/dicetable overlay rw 0 0\n"
    for mounts, said in ((root, 1), (own, 0), (twice, 1), ("/dev/sda1 / ext4 rw 0 0\n", 0), ("", 0)):
        machine = made(tmp_path, {"env/.kind": "pi", "proc/mounts": mounts})
        assert codes(check_machine.keeps(config, machine)) == ["SYS-03"] * said, mounts


def test_service(tmp_path: Path) -> None:
    group = "".join(f"{name}:x:1:dicetable\n" for name in check_machine.GROUPS if name != "gpio") + "gpio:x:2:pi\n"
    machine = made(
        tmp_path,
        {"env/.kind": "pi", "etc/group": group},
        commands={
            "systemctl is-enabled dicetable.service": (1, "disabled"),
            "systemctl is-failed dicetable.service": (0, "failed"),
        },
    )
    found = list(check_machine.service(PI, machine))
    assert codes(found) == ["SYS-07", "SYS-07", "SYS-06"]
    assert found[2].fix == "sudo usermod -aG gpio dicetable"
    assert codes(check_machine.service(PI, made(tmp_path / "elsewhere"))) == []


def test_a_font_that_is_damaged(tmp_path: Path) -> None:
    import pygame

    folder = tmp_path / "display" / "fonts"
    folder.mkdir(parents=True)
    (folder / "a.ttf").write_bytes(b"no font")
    typeset = types.SimpleNamespace(__file__=str(folder.parent / "typeset.py"), FACES={"text": "a.ttf"})
    machine = made(tmp_path, load=lambda name: pygame if name == "pygame" else typeset)
    assert codes(check_machine.fonts(Config(), machine)) == ["DSP-03"]
    assert codes(check_machine.fonts(Config(), Machine())) == []


def test_findings_say_what_to_do() -> None:
    finding = Finding("SYS-01", "too weak", "", "another supply")
    assert report([finding]) == "SYS-01: too weak\n    do:      another supply\n"
    assert finding.level == FAULT
