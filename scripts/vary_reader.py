"""How the reader does on photos that are taken otherwise: turned, mirrored, from further away, in other light.

Room: scripts, for people who build; no part of the program. There are few photos with a known truth, and whoever looks
at them long enough learns them by heart. Each is varied some times at random, from a seed that nobody has looked at
yet, and what is read without a doubt and wrong is listed. Photos are looked for under DATA (an argument, or
DICETABLE_DATA, or ../shared).

    python scripts/vary_reader.py [DATA] [--seed N] [--times N] [--every N] [--keep FOLDER]
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from pathlib import Path

import cv2
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
sys.path.insert(0, str(ROOT))

from accuracy import photos  # noqa: E402

from firmware.read_command import open_picture  # noqa: E402
from vision.reader import read  # noqa: E402
from vision.types import Image, Status, Tray  # noqa: E402

WIDTH_PX = 1280


def varied(photo: Image, rng: np.random.Generator) -> Image:
    """The photo (BGR) turned by any angle, scaled to 50 to 100 %, three in ten times mirrored; with another curve of
    brightness, another colour of light, noise of up to 8 levels, half of the times softer, and as a JPEG."""
    if photo.shape[1] > WIDTH_PX:
        size = (WIDTH_PX, round(photo.shape[0] * WIDTH_PX / photo.shape[1]))
        photo = np.asarray(cv2.resize(photo, size, interpolation=cv2.INTER_AREA), np.uint8)
    if rng.random() < 0.3:
        photo = np.ascontiguousarray(photo[:, ::-1])
    height, width = photo.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), rng.uniform(0, 360), rng.uniform(0.5, 1.0))
    cosine, sine = abs(turn[0, 0]), abs(turn[0, 1])
    size = (int(height * sine + width * cosine), int(height * cosine + width * sine))
    turn[:, 2] += (size[0] - width) / 2, (size[1] - height) / 2
    turned = cv2.warpAffine(photo, turn, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    light = 255 * (turned / 255.0) ** rng.uniform(0.7, 1.4)
    light *= rng.uniform(0.7, 1.2) * np.array([rng.uniform(0.85, 1.15), 1.0, rng.uniform(0.85, 1.15)])
    light = np.clip(light, 0, 255)
    if rng.random() < 0.5:
        light = cv2.GaussianBlur(light, (0, 0), rng.uniform(0.3, 1.2))  # type: ignore[assignment]
    light = light + rng.normal(0, rng.uniform(0, 8), light.shape)
    seen = np.clip(light, 0, 255).astype(np.uint8)
    _, jpeg = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 95))])
    return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)


def main() -> int:
    """Print what is read wrong without a doubt, and a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", default=os.environ.get("DICETABLE_DATA", str(ROOT.parent / "shared")))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--times", type=int, default=5, help="how often each photo is varied")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for the pictures that are misread")
    args = parser.parse_args()
    folder = Path(args.data) / "dice-photos"
    if not folder.is_dir():
        print(f"no photos: {folder} is missing")
        return 2
    if args.keep:
        args.keep.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(args.seed)
    counts: dict[str, Counter[str]] = {}
    for case in list(photos(folder))[:: args.every]:
        photo = open_picture(case.path)
        for turn in range(args.times):
            picture = varied(photo, rng)
            reading = read(picture, Tray())
            if reading.status is not Status.READ:
                what = "asks or finds nothing"
            elif reading.values == case.values:
                what = "exact"
            else:
                what = "misread"
                print(f"{case.path.name} {turn}: {reading.values}, truth {case.values}", flush=True)
                if args.keep:
                    cv2.imwrite(str(args.keep / f"{case.path.stem}_{turn}.png"), picture)
            counts.setdefault(case.group, Counter())[what] += 1
    print(f"\nseed {args.seed}, OpenCV {cv2.__version__}")
    print("\n| pictures | number | exact | asks or finds nothing | misread |\n|---|---|---|---|---|")
    for group, count in counts.items():
        print(
            f"| {group} | {count.total()} | {count['exact']} | {count['asks or finds nothing']} | {count['misread']} |"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
