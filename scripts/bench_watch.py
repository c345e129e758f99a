"""What watching costs at 1280x720: share of one core at 30 frames a second, from the frame in memory.

    bench_watch.py [--strict]

A tray is drawn: empty, a throw, ten seconds of rest, a hand. "still" is the rest with the readings that it needs,
"in motion" the throw and the hand; both are processor time divided by the time that the frames stand for. Decoding a
video is measured apart. With --strict the exit status is 1 if a target is missed (still 8 %, in motion 25 %).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from vision.types import Frame, Image, Tray, TrayEventKind
from vision.watcher import Watcher

WIDTH, HEIGHT, FPS, EDGE = 1280, 720, 30.0, 56.0
STILL_LIMIT, MOTION_LIMIT = 0.08, 0.25
SPOTS = ((300.0, 200.0, 10.0), (560.0, 160.0, 35.0), (860.0, 240.0, 60.0), (420.0, 480.0, 80.0), (760.0, 500.0, 25.0))
VALUES = (3, 5, 2, 6, 4)
PIPS = {
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strict", action="store_true")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    random = np.random.default_rng(1)
    felt = np.clip(np.full((HEIGHT, WIDTH, 3), (60, 95, 50)) + random.normal(0, 6, (HEIGHT, WIDTH, 1)), 0, 255)
    felt[:50] = felt[-50:] = felt[:, :50] = felt[:, -50:] = (40, 70, 110)
    grain = [random.normal(0, 2, (HEIGHT, WIDTH, 3)).astype(np.float32) for _ in range(4)]

    def noisy(picture: Image) -> Image:
        return np.clip(picture + grain[int(random.integers(4))], 0, 255).astype(np.uint8)

    empty = felt.astype(np.uint8)
    thrown = dice(empty, 1.0)
    rest = [noisy(thrown) for _ in range(8)]
    phases: list[tuple[str, list[Image]]] = [
        ("", [noisy(empty) for _ in range(10)]),
        ("in motion", [noisy(dice(empty, (k + 1) / 24)) for k in range(24)]),
        ("still", [rest[k % 8] for k in range(300)]),
        ("in motion", [noisy(hand(thrown, k / 24)) for k in range(24)]),
    ]
    watcher = Watcher(Tray(dice=5))
    spent: dict[str, float] = {}
    frames: dict[str, int] = {}
    number, rolls = 0, []
    for name, pictures in phases:
        for picture in pictures:
            frame = Frame(picture, number, number / FPS)
            start = time.process_time()
            rolls += [e for e in watcher.step(frame) if e.kind is TrayEventKind.ROLL]
            spent[name] = spent.get(name, 0.0) + time.process_time() - start
            frames[name] = frames.get(name, 0) + 1
            number += 1
    missed = [roll.values for roll in rolls] != [tuple(sorted(VALUES))]
    if missed:
        print(f"the throw was not read as {sorted(VALUES)}: {[roll.values for roll in rolls]}")
    for name, limit in (("still", STILL_LIMIT), ("in motion", MOTION_LIMIT)):
        share = spent[name] * FPS / frames[name]
        verdict = "" if share <= limit else f"  over {limit:.0%}"
        print(
            f"watching {name:10} {spent[name] / frames[name] * 1000:6.2f} ms a frame, {share:6.1%} of a core{verdict}"
        )
        missed |= share > limit
    print(f"decoding             {decoding(rest) * 1000:6.2f} ms a frame (MJPEG)")
    print(
        f"decoding for motion  {decoding_small(rest) * 1000:6.2f} ms a frame (MJPEG at half the size, as for a webcam)"
    )
    return 1 if missed and args.strict else 0


def dice(picture: Image, share: float) -> Image:
    """The five dice, `share` of the way from the left border to where they come to rest."""
    image = picture.copy()
    for value, (end, y, turn) in zip(VALUES, SPOTS, strict=True):
        x = 80 + (end - 80) * (1 - (1 - share) ** 2)
        angle = turn + 300.0 * (1 - share)
        corners = cv2.boxPoints(((x, y), (EDGE, EDGE), angle))
        cv2.fillPoly(image, [np.round(corners * 16).astype(np.int32)], (215, 225, 230), cv2.LINE_AA, 4)
        c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        for u, v in PIPS[value]:
            px, py = x + 0.26 * EDGE * (u * c - v * s), y + 0.26 * EDGE * (u * s + v * c)
            cv2.circle(image, (round(px * 16), round(py * 16)), round(1.4 * EDGE), (30, 25, 25), -1, cv2.LINE_AA, 4)
    return image


def hand(picture: Image, share: float) -> Image:
    image = picture.copy()
    x = round(WIDTH + 60 - 700 * share)
    cv2.line(image, (x, 330), (WIDTH + 100, 380), (120, 150, 205), 140)
    return image


def decoding(pictures: list[Image]) -> float:
    """Seconds of processor time to decode one frame."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "clip.avi")
        writer = cv2.VideoWriter(path, cv2.VideoWriter.fourcc(*"MJPG"), FPS, (WIDTH, HEIGHT))
        for picture in pictures * 5:
            writer.write(picture)
        writer.release()
        video = cv2.VideoCapture(path)
        start, count = time.process_time(), 0
        while video.read()[0]:
            count += 1
        return (time.process_time() - start) / max(1, count)


def decoding_small(pictures: list[Image]) -> float:
    """Seconds of processor time to decode one frame at half its size."""
    jpegs = [cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 80])[1] for picture in pictures * 3]
    start = time.process_time()
    for jpeg in jpegs:
        cv2.imdecode(jpeg, cv2.IMREAD_REDUCED_COLOR_2)
    return (time.process_time() - start) / len(jpegs)


if __name__ == "__main__":
    sys.exit(main())
