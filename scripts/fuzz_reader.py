"""Read random and damaged pictures: a reading or a clear error, never a crash, never too long.

Room: scripts, for people who build; no part of the program. Pictures are made from a seed: noise, flats, stripes,
spots, blocks, numbers and squares with pips, from 1x1 to 20 MP, grey, alpha, 16 bit; encoded as PNG or JPEG, with odd
EXIF rotations, and then cut short or spoilt. Time is processor time on one thread, decoding included.

    python scripts/fuzz_reader.py [--count 2000] [--seed 1] [--limit-s 2]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from firmware.read_command import as_json, open_picture  # noqa: E402
from vision.reader import read  # noqa: E402
from vision.types import Status, Tray  # noqa: E402

Any8 = npt.NDArray[np.uint8]


def size_of(rng: np.random.Generator, most_mp: float = 20.0) -> tuple[int, int]:
    """Height and width: mostly ordinary, at times tiny, long and thin, or as large as `most_mp`."""
    kind = rng.random()
    if kind < 0.2:
        return int(rng.integers(1, 40)), int(rng.integers(1, 40))
    if kind < 0.3:
        thin = int(rng.integers(1, 400 if rng.random() < 0.3 else 12)), int(rng.integers(500, 4000))
        return thin if rng.random() < 0.5 else (thin[1], thin[0])
    if kind < 0.33:
        height = int(rng.integers(2400, 3900) * (most_mp / 20) ** 0.5)
        return height, int(min(rng.uniform(1.2, 2.2) * height, most_mp * 1e6 / height))
    return int(rng.integers(40, 900)), int(rng.integers(40, 1300))


def picture(rng: np.random.Generator, most_mp: float = 20.0) -> npt.NDArray[np.generic]:
    """One picture: 1, 3 or 4 channels, 8 or 16 bits."""
    height, width = size_of(rng, most_mp)
    kind = int(rng.integers(7))
    image = np.full((height, width, 3), rng.integers(0, 256, 3), np.uint8)
    if kind == 1:
        image = rng.integers(0, 256, (height, width, 3)).astype(np.uint8)
    elif kind == 2:
        period = rng.uniform(2, 60)
        wave = 127 + 127 * np.sin(np.add.outer(np.arange(height) * rng.uniform(-1, 1), np.arange(width)) / period)
        image = np.repeat(wave.astype(np.uint8)[:, :, None], 3, 2)
    elif kind >= 3:
        for _ in range(int(rng.integers(1, 120))):
            at = (int(rng.integers(0, width)), int(rng.integers(0, height)))
            radius = int(rng.integers(1, max(2, min(height, width) // 6)))
            colour = tuple(int(c) for c in rng.integers(0, 256, 3))
            if kind == 3:
                cv2.circle(image, at, radius, colour, -1)
            elif kind == 4:
                cv2.rectangle(image, at, (at[0] + radius, at[1] + radius), colour, -1)
            elif kind == 6:
                cv2.rectangle(image, at, (at[0] + radius, at[1] + radius), colour, -1)
                for u, v in rng.permutation([(1, 1), (3, 3), (1, 3), (3, 1), (2, 2), (1, 2), (3, 2)])[
                    : rng.integers(8)
                ]:
                    pip = (at[0] + int(u) * radius // 4, at[1] + int(v) * radius // 4)
                    cv2.circle(image, pip, max(1, radius // 10), tuple(255 - c for c in colour), -1)
            else:
                cv2.putText(image, str(rng.integers(0, 100)), at, 0, radius / 12, colour, max(1, radius // 8))
    form = rng.random()
    if form < 0.15:
        return cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    if form < 0.3:
        return np.dstack([image, rng.integers(0, 256, (height, width)).astype(np.uint8)])
    if form < 0.45:
        return (image.astype(np.uint16) * 257).astype(np.uint16)
    return image


def spoil(rng: np.random.Generator, data: bytes) -> bytes:
    """Half of the files stay whole; the others are cut short, overwritten in places, or emptied."""
    kind = rng.random()
    if kind < 0.5:
        return data
    if kind < 0.75:
        return data[: int(rng.integers(0, len(data) + 1))]
    if kind < 0.95:
        raw = bytearray(data)
        for _ in range(int(rng.integers(1, 30))):
            raw[int(rng.integers(0, len(raw)))] = int(rng.integers(0, 256))
        return bytes(raw)
    return rng.integers(0, 256, int(rng.integers(0, 500))).astype(np.uint8).tobytes()


def turned(rng: np.random.Generator, data: bytes) -> bytes:
    """A JPEG with an EXIF block that turns it, at times by a number that means nothing, or cut off in its middle."""
    turn = int(rng.choice([1, 2, 3, 4, 5, 6, 7, 8, 0, 9, 77]))
    exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0" + bytes([turn]) + b"\0" * 7
    if rng.random() < 0.2:
        exif = exif[: int(rng.integers(6, len(exif)))]
    return data[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + data[2:]


def fuzz(count: int, seed: int, limit_s: float, most_mp: float = 20.0, told: dict[str, int] | None = None) -> list[str]:
    """What went wrong, a line each; nothing is good.

    `limit_s` is processor time for opening and reading one picture. `told` counts what came of them.
    """
    wrong: list[str] = []
    slowest = 0.0

    def count_one(what: str) -> None:
        if told is not None:
            told[what] = told.get(what, 0) + 1

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture"
        for n in range(count):
            rng = np.random.default_rng([seed, n])
            image = picture(rng, most_mp)
            suffix = ".jpg" if image.dtype == np.uint8 and image.shape[-1] != 4 and rng.random() < 0.5 else ".png"
            ok, data = cv2.imencode(suffix, image)
            if not ok:
                continue
            raw = data.tobytes()
            if suffix == ".jpg" and rng.random() < 0.4:
                raw = turned(rng, raw)
            path.write_bytes(spoil(rng, raw))
            started = time.process_time()
            try:
                opened = open_picture(str(path))
            except ValueError as error:
                if not str(error).startswith(("READ-01", "READ-05")):
                    wrong.append(f"{n}: an error without its code: {error}")
                count_one("error")
                continue
            try:
                reading = read(opened, Tray(dice=int(rng.integers(1, 7)) if rng.random() < 0.3 else None))
                as_json(reading)
                count_one(reading.status.value)
                if reading.status is Status.UNSURE and not reading.reasons:
                    wrong.append(f"{n}: unsure without a reason")
                for reason in reading.reasons:
                    count_one(f"reason {reason.code}")
            except Exception as error:
                wrong.append(f"{n}: {type(error).__name__}: {error} at {opened.shape}")
            took = time.process_time() - started
            slowest = max(slowest, took)
            if took > limit_s:
                wrong.append(f"{n}: {took:.1f} s at {opened.shape}")
    if told is not None:
        told["slowest, ms"] = round(slowest * 1000)
    return wrong


def main() -> int:
    """Print what went wrong; 1 if anything did."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit-s", type=float, default=2.0)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    told: dict[str, int] = {}
    wrong = fuzz(args.count, args.seed, args.limit_s, told=told)
    print("; ".join(f"{what} {number}" for what, number in sorted(told.items())))
    print("\n".join(wrong) or f"{args.count} pictures: all read or refused with a code")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
