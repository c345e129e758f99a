"""Every promise of the units, read from the files themselves."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from firmware.cli import COMMANDS

FOLDER = Path(__file__).resolve().parents[2] / "systemd"
UNITS = sorted(path for kind in ("service", "timer", "path") for path in FOLDER.glob(f"*.{kind}"))
Unit = dict[str, dict[str, list[str]]]


def unit(name: str) -> Unit:
    """Section -> key -> its values, in order. An empty value empties the list, as systemd has it."""
    found: Unit = {}
    section: dict[str, list[str]] = {}
    for line in (FOLDER / name).read_text("utf-8").splitlines():
        if line.startswith("["):
            section = found.setdefault(line.strip("[]"), {})
        elif line and not line.startswith("#"):
            key, _, value = line.partition("=")
            section.setdefault(key, []).append(value)
    return found


def seconds(text: str) -> float:
    number, unit_of = re.fullmatch(r"([\d.]+)(s|min|)", text).groups()  # type: ignore[union-attr]
    return float(number) * (60 if unit_of == "min" else 1)


SERVICE = unit("dicetable.service")["Service"]
OF_UNIT = unit("dicetable.service")["Unit"]


def one(key: str, of: dict[str, list[str]] = SERVICE) -> str:
    (value,) = of[key]
    return value


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("Type", "notify"),
        ("NotifyAccess", "main"),
        ("Restart", "always"),
        ("KillMode", "mixed"),
        ("TimeoutStopSec", "5s"),
        ("User", "dicetable"),
        ("Group", "dicetable"),
        ("StateDirectory", "dicetable"),
        ("RuntimeDirectory", "dicetable"),
        ("WorkingDirectory", "/var/lib/dicetable"),
        ("StandardError", "journal"),
        ("StandardOutput", "journal"),
        ("NoNewPrivileges", "yes"),
        ("ProtectSystem", "strict"),
        ("ProtectHome", "yes"),
        ("CapabilityBoundingSet", ""),
        ("DevicePolicy", "closed"),
        ("LimitCORE", "0"),
    ],
)
def test_the_service_promises(key: str, value: str) -> None:
    assert one(key) == value


def test_groups_are_those_that_are_needed_and_no_others() -> None:
    assert set(one("SupplementaryGroups").split()) == {"video", "render", "input", "gpio", "audio"}


def test_environment() -> None:
    said = dict(value.partition("=")[::2] for value in SERVICE["Environment"])
    assert said["LG_WD"] == "/run/dicetable"
    assert said["GPIOZERO_PIN_FACTORY"] == "lgpio"
    assert said["HOME"] == "/var/lib/dicetable"


def test_watchdog_and_limits_make_sense_together() -> None:
    assert 5 <= seconds(one("WatchdogSec")) <= 30
    # Safe mode needs three starts, and waiting a minute for a screen must never reach the limit.
    limit, burst = seconds(one("StartLimitIntervalSec", OF_UNIT)), int(one("StartLimitBurst", OF_UNIT))
    assert burst > 3
    assert limit / (60 + seconds(one("RestartSec"))) < burst
    assert seconds(one("TimeoutStartSec")) > 60
    assert seconds(one("LogRateLimitIntervalSec")) > 0
    assert int(one("LogRateLimitBurst")) <= 1000


def test_nothing_sleeps_and_the_console_makes_room() -> None:
    assert not [key for key in SERVICE if key.startswith("ExecStartPre")]
    assert "sleep" not in (FOLDER / "dicetable.service").read_text("utf-8")
    assert "getty@tty1.service" in one("Conflicts", OF_UNIT)
    assert one("TTYPath") == "/dev/tty1"
    assert one("StandardInput") == "tty"
    assert one("RequiresMountsFor", OF_UNIT) == "/var/lib/dicetable"


def test_devices_are_named_one_by_one() -> None:
    classes = {value.split()[0] for value in SERVICE["DeviceAllow"]}
    assert {"char-drm", "char-input", "char-video4linux", "char-media", "char-gpiochip", "char-alsa"} <= classes
    assert not [value for value in SERVICE["DeviceAllow"] if value.split()[0] in ("/dev/*", "char-*", "block-*")]


@pytest.mark.parametrize("name", ["dicetable.service", "dicetable-backup.service"])
def test_what_is_started_is_a_command_of_ours(name: str) -> None:
    program, command, *_ = one("ExecStart", unit(name)["Service"]).split()
    assert program == "/opt/dicetable/current/bin/dicetable"
    assert command in COMMANDS


def test_the_backup_is_made_daily_and_seven_are_kept() -> None:
    backup, timer = unit("dicetable-backup.service")["Service"], unit("dicetable-backup.timer")["Timer"]
    assert one("Type", backup) == "oneshot"
    assert one("ExecStart", backup).endswith("--keep 7")
    assert one("User", backup) == "dicetable"
    # The table's shared memory belongs to the same user.
    assert "RemoveIPC" not in backup
    assert one("Persistent", timer) == "true"
    assert one("OnCalendar", timer).startswith("*-*-* ")


def test_the_table_may_ask_for_the_machine_to_be_switched_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from firmware import machine

    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    machine._run(["systemctl", "poweroff"])
    (asked,) = tmp_path.iterdir()
    wait = unit("dicetable-poweroff.path")["Path"]
    assert one("PathExists", wait) == f"/run/{one('RuntimeDirectory')}/{asked.name}"
    assert one("Unit", wait) == "dicetable-poweroff.service"
    assert unit("dicetable-poweroff.service")["Service"]["ExecStart"][-1].endswith("poweroff")


@pytest.mark.parametrize("script", ["install.sh", "uninstall.sh"])
def test_the_scripts_know_every_unit(script: str) -> None:
    text = (FOLDER / script).read_text("utf-8")
    assert not [path.name for path in UNITS if path.name not in text]


tool = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")


@tool
def test_verify_has_nothing_to_say() -> None:
    done = subprocess.run(["systemd-analyze", "verify", *map(str, UNITS)], capture_output=True, text=True, check=False)
    if "Failed to" in done.stderr and "bus" in done.stderr:
        pytest.skip("systemd-analyze can't work here")
    said = [line for line in done.stderr.splitlines() if "/opt/dicetable/current/bin/dicetable" not in line]
    assert said == []


@tool
@pytest.mark.parametrize("name", [path.name for path in UNITS if path.suffix == ".service"])
def test_it_is_hardened(name: str) -> None:
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", "--no-pager", str(FOLDER / name)],
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.search(r"exposure level for \S+: ([\d.]+)", done.stdout)
    assert found, done.stderr
    assert float(found.group(1)) <= 3.0
