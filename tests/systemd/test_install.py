"""The installer's parts: lists of packages, the trial of a new version, what a dry run says."""

from __future__ import annotations

import re
import shutil
import sqlite3
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import trial
from packaging.markers import Marker

ROOT = Path(__file__).resolve().parents[2]
SYSTEMD = ROOT / "systemd"
FROM_APT = {"numpy", "opencv-python", "opencv-python-headless", "pygame", "pygame-ce", "picamera2", "gpiozero", "lgpio"}


def listed(kind: str) -> dict[str, str]:
    """Package -> the rest of its entry, hashes included."""
    text = (SYSTEMD / f"requirements-{kind}.lock").read_text("utf-8").replace("\\\n", " ")
    return {line.split("==")[0]: line for line in text.splitlines() if "==" in line}


@pytest.mark.parametrize("kind", ["pi", "plain"])
def test_every_package_has_its_hashes(kind: str) -> None:
    for name, entry in listed(kind).items():
        assert re.search(r"==[\w.]+.*--hash=sha256:[0-9a-f]{64}", entry), name


def test_the_list_for_a_raspberry_pi_names_nothing_that_comes_from_apt() -> None:
    assert not FROM_APT & set(listed("pi"))
    assert {"pydantic", "pydantic-core", "platformdirs"} <= set(listed("pi"))


def test_buttons_are_reached_on_debian_12_and_on_13_where_there_are_lines() -> None:
    """lgpio has no wheel for Python 3.13, so that Adafruit's of the same library serves on ARM."""
    entries = listed("plain")
    for version, machine, wanted in (
        ("3.11", "x86_64", {"lgpio"}),
        ("3.11", "aarch64", {"lgpio"}),
        ("3.13", "aarch64", {"adafruit-lgpio"}),
        ("3.13", "x86_64", set()),
    ):
        where = {"python_full_version": f"{version}.1", "python_version": version, "platform_machine": machine}
        found = {
            name
            for name in ("lgpio", "adafruit-lgpio")
            if Marker(entries[name].split(";")[1].split("--hash")[0]).evaluate(where)
        }
        assert found == wanted, (version, machine)


def test_what_the_program_needs_comes_from_one_place_or_the_other() -> None:
    needed = {
        re.split(r"[<>=!~ ]", d)[0]
        for d in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    }
    script = (SYSTEMD / "install.sh").read_text("utf-8")
    for name in needed:
        apt = f"python3-{name.removesuffix('-python')}" in script
        assert name in listed("pi") or (name in FROM_APT and apt), f"on a Raspberry Pi nothing brings {name}"
        stand_ins = {"opencv-python": "opencv-python-headless", "pygame": "pygame-ce"}
        assert stand_ins.get(name, name) in listed("plain"), f"elsewhere nothing brings {name}"


def test_the_list_for_a_raspberry_pi_downloads_for_its_processor(tmp_path: Path) -> None:
    # One platform tag is one tag to pip, so the older ones that a system with glibc 2.28 takes as well are named, too.
    tags = [f"--platform=manylinux{tag}_aarch64" for tag in ("_2_28", "_2_17", "2014")]
    running = {}
    for python in ("311", "313"):
        command = [
            sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps",
            "--require-hashes", "--only-binary=:all:", *tags, f"--python-version={python}", "--implementation=cp",
            f"--abi=cp{python}", "--abi=none", "-d", str(tmp_path / python),
            "-r", str(SYSTEMD / "requirements-pi.lock"),
        ]  # fmt: skip
        running[python] = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for python, process in running.items():
        _, said = process.communicate()
        if process.returncode and re.search(r"Connection|Temporary failure|timed out|from versions: none", said):
            pytest.skip("no package index can be reached")
        assert process.returncode == 0, said
        core = list((tmp_path / python).glob("pydantic_core-*"))
        assert [f"cp{python}" in wheel.name and "aarch64" in wheel.name for wheel in core] == [True]


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
@pytest.mark.parametrize("script", ["systemd/install.sh", "systemd/uninstall.sh", "scripts/install_test.sh"])
def test_shellcheck_has_nothing_to_say(script: str) -> None:
    done = subprocess.run(["shellcheck", str(ROOT / script)], capture_output=True, text=True, check=False)
    assert done.stdout == ""


def test_nothing_sleeps_and_no_pip_as_root_into_the_system() -> None:
    for script in ("install.sh", "uninstall.sh"):
        text = (SYSTEMD / script).read_text("utf-8")
        assert not re.search(r"\bsleep\b|sudo pip|break-system-packages", text)
    for page in [*(ROOT / "docs").glob("*.md"), *(ROOT / "hardware").glob("*.md"), ROOT / "README.md"]:
        assert "sudo pip" not in page.read_text("utf-8"), page


@pytest.mark.skipif(shutil.which("apt-get") is None, reason="there is no apt-get here")
@pytest.mark.parametrize("script", ["install.sh", "uninstall.sh"])
def test_a_dry_run_says_what_it_would_do_and_does_nothing(script: str) -> None:
    done = subprocess.run(["sh", str(SYSTEMD / script), "--dry-run"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    if script == "install.sh":
        for part in ("dry run", "would build", "would write: /etc/systemd/system/dicetable.service", "would point"):
            assert part in done.stdout
    assert "  wrote:" not in done.stdout
    assert "  removed:" not in done.stdout


@pytest.mark.parametrize(
    "arguments", [["--kind", "mac"], ["--platform", "tv"], ["--wheel", "/none.whl"], ["--hop"], ["--kind"]]
)
def test_a_wrong_option_is_told(arguments: list[str]) -> None:
    command = ["sh", str(SYSTEMD / "install.sh"), "--dry-run", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "install: " in done.stderr


# ---- the trial ------------------------------------------------------------------------------------------------------


GOOD = """import os, signal, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
signal.signal(signal.SIGTERM, lambda *_: sys.exit(STATUS))
s.sendto(b"READY=1\\nSTATUS=playing", os.environ["NOTIFY_SOCKET"])
signal.pause()
"""


@pytest.mark.parametrize(
    ("program", "status", "said"),
    [
        (GOOD.replace("STATUS)", "0)"), 0, ""),
        (GOOD.replace("STATUS)", "3)"), 1, "status 3 after SIGTERM"),
        ("import sys; sys.exit('no camera in here')", 1, "no camera in here"),
        ("pass", 1, "ended with status 0 before its first picture"),
    ],
)
def test_the_trial_of_a_new_version(
    program: str, status: int, said: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "program"
    file.write_text(f"#!{sys.executable}\n{program}")
    file.chmod(0o755)
    assert trial.try_to_start(str(file), tmp_path) == status
    assert said in capfd.readouterr().err


def database(path: Path, version: int, row: str) -> None:
    db = sqlite3.connect(path)
    db.execute("create table t (x)")
    db.execute("insert into t values (?)", (row,))
    db.execute(f"pragma user_version={version}")
    db.commit()
    db.close()


@pytest.mark.parametrize(("now", "row"), [(3, "before"), (2, "after")])
def test_the_journal_comes_back_if_the_new_version_changed_its_shape(now: int, row: str, tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    saved.mkdir()
    database(saved / "journal-000001-2026-11-29.sqlite3", 1, "old")
    database(saved / "journal-000002-2026-11-30.sqlite3", 2, "before")
    journal = tmp_path / "journal.sqlite3"
    database(journal, now, "after")
    assert trial.put_back(journal, saved) == 0
    db = sqlite3.connect(journal)
    assert db.execute("select x from t").fetchone() == (row,)
    db.close()
    assert (tmp_path / "journal.sqlite3.after-upgrade").exists() == (now == 3), "nothing is thrown away"
