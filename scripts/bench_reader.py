"""How long reading takes beside one default blob detector pass over the same picture, on one thread.

Room: scripts, for people who build; no part of the program. Photos are looked for under DATA (an argument, or
DICETABLE_DATA, or ../shared); without them pictures are drawn. Each picture is first scaled to 1280 pixels in width.
Memory is that of a process of its own which reads such pictures, and one of 5 megapixels, one after the other.

    python scripts/bench_reader.py [DATA] [--every N]
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from vision.reader import read  # noqa: E402
from vision.types import Image, Tray  # noqa: E402

PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def draw_tray(dice: int, width: int, height: int, die_px: float, seed: int = 1, noise: bool = True) -> Image:
    """A felt with plain white dice on a grid, turned at random: only for timing. Noise takes much memory to make."""
    rng = np.random.default_rng(seed)
    image = np.empty((height, width, 3), np.uint8)
    image[:] = (60, 90, 40)
    columns = max(1, int(np.ceil(np.sqrt(dice * width / height))))
    rows = max(1, int(np.ceil(dice / columns)))
    for n in range(dice):
        x = (n % columns + 0.5) * width / columns
        y = (n // columns + 0.5) * height / rows
        angle, half = rng.uniform(0, np.pi / 2), die_px / 2
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half @ turn.T + (x, y)
        cv2.fillConvexPoly(image, corners.round().astype(np.int32), (225, 230, 230), cv2.LINE_AA)
        for pip in PIPS[int(rng.integers(1, 7))]:
            px, py = np.array(pip) * die_px * 0.27 @ turn.T + (x, y)
            cv2.circle(
                image, (round(float(px)), round(float(py))), round(die_px * 0.095), (30, 30, 30), -1, cv2.LINE_AA
            )
    image = cv2.GaussianBlur(image, (0, 0), 0.8)  # type: ignore[assignment]
    return np.clip(image + rng.normal(0, 3, image.shape), 0, 255).astype(np.uint8) if noise else image


def best_ms(work: Callable[[], object], turns: int = 3) -> float:
    """Processor time of the fastest of some runs: what other programs do in between is not counted."""
    took = []
    for _ in range(turns):
        start = time.process_time()
        work()
        took.append(time.process_time() - start)
    return 1000 * min(took)


def compare(images: list[Image], tray: Tray) -> tuple[float, float, float]:
    """Median ms of a reading, of a blob pass, and the median of their ratios."""
    blobs = cv2.SimpleBlobDetector.create()
    rows = []
    for image in images:
        reading = best_ms(lambda image=image: read(image, tray))  # type: ignore[misc]
        blob = best_ms(lambda image=image: blobs.detect(image))  # type: ignore[misc]
        rows.append((reading, blob, reading / max(blob, 1e-3)))
    first, second, third = np.median(np.array(rows), axis=0)
    return float(first), float(second), float(third)


def at_1280(image: Image) -> Image:
    """The picture scaled to 1280 pixels in width."""
    height = max(1, round(image.shape[0] * 1280 / image.shape[1]))
    return cv2.resize(image, (1280, height), interpolation=cv2.INTER_AREA)  # type: ignore[return-value]


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", default=os.environ.get("DICETABLE_DATA", str(ROOT.parent / "shared")))
    parser.add_argument("--every", type=int, default=4)
    parser.add_argument("--memory", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    if args.memory:
        return memory(Path(args.data))
    data = Path(args.data)
    print(f"one thread, OpenCV {cv2.__version__}; processor time in ms, median")
    print(f"{'pictures':34}{'n':>5}{'read':>9}{'blobs':>9}{'ratio':>8}")

    def row(name: str, images: list[Image], tray: Tray = Tray()) -> None:  # noqa: B008
        if images:
            reading, blob, ratio = compare(images, tray)
            print(f"{name:34}{len(images):5}{reading:9.1f}{blob:9.1f}{ratio:8.1f}")

    photos = [cv2.imread(str(p)) for p in sorted((data / "dice-photos" / "images").glob("*.jpg"))[:: args.every]]
    row("photos, 1280 px wide", [at_1280(p) for p in photos if p is not None])  # type: ignore[arg-type]
    for folder in sorted((data / "tables").glob("*")):
        pictures = sorted(folder.glob("*.jpg"))
        if len(pictures) < 3:
            continue
        from vision.learning import learn_table

        images = [cv2.imread(str(p)) for p in pictures]
        tray = Tray(calibration=learn_table(images[0], images[1]))  # type: ignore[arg-type]
        some = [at_1280(image) for image in images[2 :: max(1, args.every // 2)]]  # type: ignore[arg-type]
        row(f"calibrated table {folder.name}", some, tray)
    for dice in (1, 5, 14):
        row(f"drawn, {dice} dice, 1.2 MP", [draw_tray(dice, 1280, 960, 80)])
    for megapixels in (0.3, 1.2, 5.0):
        width = round((megapixels * 1e6 * 4 / 3) ** 0.5)
        row(f"drawn, 5 dice, {megapixels} MP", [draw_tray(5, width, width * 3 // 4, width / 16)])
    child = [sys.executable, __file__, "--memory", str(data)]
    print(
        f"largest memory of a process that reads: {subprocess.run(child, check=True, stdout=-1, text=True).stdout} MB"
    )
    return 0


def memory(data: Path) -> int:
    """Read some pictures and print the largest memory in MB that this process has had."""
    for path in sorted((data / "dice-photos" / "images").glob("*.jpg"))[::40]:
        photo = cv2.imread(str(path))
        if photo is not None:
            read(at_1280(photo), Tray())  # type: ignore[arg-type]
    for width, die_px in ((1280, 60.0), (2560, 160.0)):
        read(draw_tray(5, width, width * 3 // 4, die_px, noise=False), Tray())
    status = Path("/proc/self/status")
    if status.is_file():
        # What `getrusage` tells holds the memory of the parent that this process was forked from.
        kb = next(line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    else:
        kb = str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    print(f"{int(kb) / 1024:.0f}", end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
