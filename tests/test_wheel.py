"""The wheel, installed in an environment of its own, does its work from an empty folder: nothing is missing in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def run(*command: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return subprocess.run(
        [str(c) for c in command], cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=300
    )


@pytest.fixture(scope="module")
def bin_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    built = run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT, cwd=ROOT)
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = folder.glob("dicetable-*.whl")
    venv.create(folder / "env", with_pip=True, symlinks=True)
    python = folder / "env" / "bin" / "python"
    pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    lock = run(*pip, "--require-hashes", "--only-binary", ":all:", "-r", ROOT / "requirements.lock", cwd=folder)
    if lock.returncode != 0 and "No matching distribution" in lock.stderr + lock.stdout:
        pytest.skip("no package index can be reached to install what the wheel needs")
    assert lock.returncode == 0, lock.stderr
    done = run(*pip, "--no-deps", wheel, cwd=folder)
    assert done.returncode == 0, done.stderr
    return python.parent


def test_it_plays_a_demonstration_and_reads_a_picture_from_an_empty_folder(bin_folder: Path, tmp_path: Path) -> None:
    where = run(bin_folder / "python", "-c", "import firmware, display; print(firmware.__file__)", cwd=tmp_path)
    assert str(bin_folder.parent) in where.stdout, "the installed packages, not those of the checkout"
    code = "from hardware.sound_files import FOLDER, NAMES; print(all((FOLDER / f'{n}.wav').exists() for n in NAMES))"
    sounds = run(bin_folder / "python", "-c", code, cwd=tmp_path)
    assert sounds.stdout.strip() == "True", sounds.stderr
    code = "from firmware.language import LANGUAGES, language; print([language(c).words.total for c in LANGUAGES])"
    spoken = run(bin_folder / "python", "-c", code, cwd=tmp_path)
    assert "Summe" in spoken.stdout, spoken.stderr
    demo = run(bin_folder / "dicetable", "demo", "--rounds", "1", "--players", "1", "--out", "shots", cwd=tmp_path)
    assert demo.returncode == 0, demo.stderr
    assert "Yardzee: Ann" in demo.stdout
    shots = sorted((tmp_path / "shots").glob("*.png"))
    assert len(shots) >= 3
    tray = tmp_path / "tray.png"
    code = (
        "import cv2; from hardware.camera_sim import SimCamera; from firmware.stepped import HandClock\n"
        "clock = HandClock()\n"
        "camera = SimCamera(seed=5, touching=0, cocked=0, lying=(1, 2, 3, 4, 5), clock=clock.clock)\n"
        "camera.set_up(); clock.t += 1; cv2.imwrite('tray.png', camera.grab(0).image)\n"
    )
    made = run(bin_folder / "python", "-c", code, cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    read = run(bin_folder / "dicetable", "read", "--json", "--annotate", "drawn", tray, cwd=tmp_path)
    assert read.returncode == 0, read.stderr
    reading = json.loads(read.stdout)
    assert reading["status"] == "read"
    assert reading["values"] == [1, 2, 3, 4, 5]
    assert list((tmp_path / "drawn").iterdir())
