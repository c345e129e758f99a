"""What the whole service costs: memory and processor while nobody plays, and how soon a roll is there under a limit.

    measure_service.py [--seconds 20] [--strict]

The real program is started with its journal, a screen of 1280x720 that nobody sees, and a webcam of 1280x720 at 30
frames a second. The webcam is the real back end on a made-up device: its JPEGs were drawn before, with the simulated
tray. Then the same again with 512 MB and half a core, as far as control groups can be made here (root). Memory is the
proportional set size of both processes. With --strict the exit status is 1 if a target is missed: 250 MB, 10 % of a
core, a roll within a second of the dice's rest under the limit.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

FPS, WIDTH, HEIGHT = 30, 1280, 720
STILL = 12
"""So many pictures of a tray at rest come in turn; only their noise differs."""
LIMIT_BYTES, LIMIT_CORES = 512 * 1024 * 1024, 0.5
TARGETS = {"MB": 250.0, "%": 10.0, "s": 1.0}


# ---- the device: also runs in the camera process ---------------------------------------------------------------------


class Device:
    """What OpenCV's VideoCapture is to `WebcamCamera`: JPEGs of the film in `folder`, at their time.

    Before the time in the file `throw_at` the tray is empty, then comes the throw, then the rest.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._index: dict[str, Any] = json.loads((folder / "index.json").read_text())
        self._film = os.open(folder / "film", os.O_RDONLY)
        self._number = int(time.monotonic() * FPS)
        self._throw_at: float | None = None

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def set(self, key: int, value: float) -> bool:
        return True

    def get(self, key: int) -> float:
        sizes = {cv2.CAP_PROP_FRAME_WIDTH: WIDTH, cv2.CAP_PROP_FRAME_HEIGHT: HEIGHT}
        return float(sizes.get(key, self._number * 1000 / FPS if key == cv2.CAP_PROP_POS_MSEC else 0.0))

    def grab(self) -> bool:
        """Wait for the next picture; those that came while nobody looked are gone, as with a real webcam."""
        self._number = max(self._number + 1, int(time.monotonic() * FPS))
        time.sleep(max(0.0, self._number / FPS - time.monotonic()))
        return True

    def retrieve(self) -> tuple[bool, Any]:
        if self._throw_at is None and (self._folder / "throw_at").exists():
            self._throw_at = float((self._folder / "throw_at").read_text())
        kind, at = "empty", self._number % STILL
        if self._throw_at is not None and self._number / FPS >= self._throw_at:
            frame = round(self._number - self._throw_at * FPS)
            throw = len(self._index["throw"])
            kind, at = ("throw", frame) if frame < throw else ("rest", (frame - throw) % STILL)
        offset, size = self._index[kind][at]
        return True, np.frombuffer(os.pread(self._film, size, offset), np.uint8)

    def release(self) -> None:
        os.close(self._film)


if "DICETABLE_FILM" in os.environ:
    # The camera process imports this file as well (multiprocessing, "spawn"), and so gets the same device.
    import hardware.cameras
    from hardware.camera_webcam import WebcamCamera

    _FILM = Path(os.environ["DICETABLE_FILM"])
    hardware.cameras.open_camera = lambda kind, options=None, clock=None: WebcamCamera(  # type: ignore[assignment]
        str(_FILM), clock=clock, open_device=lambda path, api: Device(_FILM)
    )


# ---- the film -------------------------------------------------------------------------------------------------------


def draw_film(folder: Path) -> float:
    """Draw an empty tray, a throw and the rest. Returns after how many seconds of the throw the dice lie still."""
    from firmware.stepped import HandClock
    from hardware.camera_sim import SimCamera

    clock = HandClock()
    camera = SimCamera(seed=7, width=WIDTH, height=HEIGHT, rate_hz=FPS, touching=0, cocked=0, clock=clock.clock)
    camera.set_up()
    index: dict[str, list[tuple[int, int]]] = {"empty": [], "throw": [], "rest": []}
    still_at = 0.0

    def take(kind: str) -> None:
        clock.t += 1 / FPS
        frame = camera.grab(0)
        assert frame is not None
        data = cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, 88])[1].tobytes()
        index[kind].append((film.tell(), len(data)))
        film.write(data)

    with (folder / "film").open("wb") as film:
        for _ in range(STILL):
            take("empty")
        camera.tell("throw", {"dice": 5})
        while not (camera.truth.state == "settled" and camera.truth.throws == 1 and not camera.busy):
            take("throw")
            if camera.truth.state != "settled":
                still_at = len(index["throw"]) / FPS
        for _ in range(STILL):
            take("rest")
    (folder / "index.json").write_text(json.dumps(index))
    calibrate(folder, index)
    return still_at


def calibrate(folder: Path, index: dict[str, list[tuple[int, int]]]) -> None:
    """Learn tray and dice from the film, as whoever sets up a table does."""
    film = (folder / "film").read_bytes()
    pictures = folder / "pictures"
    pictures.mkdir(exist_ok=True)
    for name, (offset, size) in (("1.jpg", index["empty"][0]), ("2.jpg", index["rest"][0])):
        (pictures / name).write_bytes(film[offset : offset + size])
    from firmware.cli import main as program

    with contextlib.redirect_stdout(io.StringIO()):
        if program(["calibrate", "--from", str(pictures), "--out", str(folder / "calibration.json")]):
            raise SystemExit("the film can't be calibrated")


# ---- measuring ------------------------------------------------------------------------------------------------------


def tree(pid: int) -> list[int]:
    """`pid` and its children, and theirs."""
    found = [pid]
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            found += tree(int(child))
    return found


def pss_mb(pid: int) -> float:
    total = 0
    for process in tree(pid):
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        total += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


def cpu_s(pids: list[int]) -> float:
    ticks = 0
    for process in pids:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


class Limit:
    """A control group with LIMIT_BYTES and LIMIT_CORES; `made` says whether there is one (version 1 or 2, as root)."""

    def __init__(self) -> None:
        self._folders: list[Path] = []
        root, name = Path("/sys/fs/cgroup"), f"dicetable-measure-{os.getpid()}"
        settings = {
            root / "cpu" / name: {"cpu.cfs_period_us": 100_000, "cpu.cfs_quota_us": int(LIMIT_CORES * 100_000)},
            root / "memory" / name: {"memory.limit_in_bytes": LIMIT_BYTES},
        }
        if (root / "cgroup.controllers").exists():
            settings = {root / name: {"cpu.max": f"{int(LIMIT_CORES * 100_000)} 100000", "memory.max": LIMIT_BYTES}}  # type: ignore[dict-item]
        try:
            for folder, values in settings.items():
                folder.mkdir()
                self._folders.append(folder)
                for key, value in values.items():
                    (folder / key).write_text(str(value))
            self.made = True
        except OSError:
            self.close()
            self.made = False

    def enter(self) -> None:
        """Put this process into the group; whatever it starts is in it, too."""
        for folder in self._folders:
            (folder / "cgroup.procs").write_text(str(os.getpid()))

    def close(self) -> None:
        for folder in self._folders:
            for _ in range(100):
                try:
                    folder.rmdir()
                    break
                except OSError:
                    time.sleep(0.1)  # the last process in it is still being buried
        self._folders = []


def prime(data: Path) -> None:
    """A journal with a game in it, so that the table waits for a roll."""
    from firmware.events import Record
    from firmware.journal import Journal

    data.mkdir()
    journal = Journal(data / "journal.sqlite3")
    game = {"name": "yardzee", "players": ["Ann", "Bo"], "options": {}, "first": 0}
    journal.wait(journal.append([Record("game", game)]), 20)
    journal.close()


def rolls(journal: Path) -> int:
    db = sqlite3.connect(f"{journal.as_uri()}?mode=ro", uri=True, timeout=5)
    try:
        found: int = db.execute("select count(*) from events where kind='roll'").fetchone()[0]
        return found
    finally:
        db.close()


def measure(film: Path, still_at: float, seconds: float, limit: Limit | None) -> dict[str, float]:
    """One run. Returns MB and % for the empty tray and for dice at rest, and the roll's delay in seconds."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        prime(data)
        (film / "throw_at").unlink(missing_ok=True)
        process = subprocess.Popen(
            [sys.executable, __file__, "--service", str(data)],
            env={**os.environ, "DICETABLE_FILM": str(film), "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
            preexec_fn=limit.enter if limit else None,
        )
        try:
            began = time.monotonic()
            while len(tree(process.pid)) < 3 and time.monotonic() - began < 60:
                time.sleep(0.2)
            time.sleep(12 if limit else 8)
            found = {}
            for name in ("empty", "dice"):
                parts = {"table": [process.pid], "eye": tree(process.pid)[1:]}
                before, t = {part: cpu_s(pids) for part, pids in parts.items()}, time.monotonic()
                time.sleep(seconds)
                took = time.monotonic() - t
                share = {part: 100 * (cpu_s(pids) - before[part]) / took for part, pids in parts.items()}
                found[f"{name} %"] = sum(share.values())
                print("   ", name, *(f"{part} {value:.1f} %" for part, value in share.items()), flush=True)
                found[f"{name} MB"] = pss_mb(process.pid)
                if name == "empty":
                    at = time.monotonic() + 0.5
                    (film / "throw_at.part").write_text(str(at))
                    (film / "throw_at.part").rename(film / "throw_at")
                    while rolls(data / "journal.sqlite3") == 0:
                        if time.monotonic() > at + still_at + 20:
                            found["roll s"] = float("inf")
                            break
                        time.sleep(0.01)
                    else:
                        found["roll s"] = time.monotonic() - at - still_at
                    time.sleep(4)
            return found
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def service(data: Path) -> int:
    """The program itself, as the unit starts it, but on a screen that nobody sees."""
    from firmware.cli import main as program

    config = data / "measure.toml"
    calibration = Path(os.environ["DICETABLE_FILM"]) / "calibration.json"
    config.write_text(f'platform = "desk"\n[camera]\nkind = "webcam"\ncalibration = "{calibration}"\n')
    return program(["play", "--config", str(config), "--data", str(data), "--offscreen", str(data / "shown.png")])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20.0, help="how long each rest is measured")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--service", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.service:
        return service(args.service)
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        film = Path(folder)
        still_at = draw_film(film)
        limit = Limit()
        runs: list[tuple[str, Limit | None]] = [("no limit", None)]
        if limit.made:
            runs.append(("512 MB, half a core", limit))
        else:
            print("no control group can be made here: run as root to measure under a limit")
        try:
            for name, within in runs:
                found = measure(film, still_at, args.seconds, within)
                print(f"{name:20}" + "  ".join(f"{key}: {value:.2f}" for key, value in found.items()), flush=True)
                for key, value in found.items():
                    unit = key.split()[1]
                    if value > TARGETS[unit] and (within is None or unit == "s"):
                        missed.append(f"{name}: {key} {value:.2f}, target {TARGETS[unit]}")
        finally:
            if limit.made:
                limit.close()
    for line in missed:
        print(f"MISSED {line}")
    return int(bool(missed) and args.strict)


if __name__ == "__main__":
    sys.exit(main())
