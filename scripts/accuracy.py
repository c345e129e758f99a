"""How often the reader is right, on pictures with known truth: the table of docs/vision.md.

Room: scripts, for people who build; no part of the program. Prints tables by set, by difficulty and by source, and how
often readings of each confidence are right. Folders are looked for under DATA (an argument, or DICETABLE_DATA, or
../shared): `dice-photos` with manifest.csv, `trays` and `tables/*` with truth.jsonl.

    python scripts/accuracy.py [DATA] [--know] [--wrong] [--every N]
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from firmware.read_command import open_picture  # noqa: E402
from vision.reader import read  # noqa: E402
from vision.types import Reading, Status, Tray  # noqa: E402


@dataclass(frozen=True)
class Case:
    """One picture with its truth; `group` is its row in the table."""

    path: Path
    values: tuple[int, ...]
    expect: str
    group: str
    source: str
    die_px: float | None = None
    tilted: tuple[tuple[float, float], ...] = ()


def photos(folder: Path) -> Iterator[Case]:
    """Real photos: easy and medium from above, hard from above, oblique, and those with nothing to read."""
    with open(folder / "manifest.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            values = tuple(sorted(int(v) for v in row["values"].split("-"))) if row["values"] else ()
            if not values:
                group = "photos, nothing to read"
            elif row["view"] == "oblique":
                group = "photos, oblique"
            else:
                group = "photos from above, " + ("hard" if row["difficulty"] == "hard" else "easy and medium")
            path = folder / "images" / row["file"]
            yield Case(path, values, "read" if values else "ask", group, row["repo"])


def renders(folder: Path, name: str) -> Iterator[Case]:
    """Rendered trays: to be read, and those where it should ask."""
    for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        edges = [float(np.hypot(*np.subtract(d["corners"][0], d["corners"][1]))) for d in row["dice"]]
        kind = "to be read" if row["expect"] == "read" else "should ask"
        tilted = tuple((d["x"], d["y"]) for d in row["dice"] if d["tilt_deg"] > 15)
        size = float(np.median(edges)) if edges else None
        yield Case(
            folder / row["file"], tuple(row["values"]), row["expect"], f"{name}, {kind}", row["scene"], size, tilted
        )  # fmt: skip


def verdict(case: Case, reading: Reading) -> str:
    """exact, misread, unsure or nothing; where it should ask, exact or wrong reason."""
    if case.expect == "read":
        if reading.status is Status.READ:
            return "exact" if reading.values == case.values else "misread"
        return "unsure" if reading.status is Status.UNSURE else "nothing"
    if reading.status is Status.READ:
        return "misread"
    codes = {r.code for r in reading.reasons}
    if case.expect == "empty":
        right = reading.status is Status.EMPTY
    elif case.expect == "foreign":
        right = reading.status is Status.UNSURE and "foreign" in codes
    elif case.expect == "cocked":
        right = any(
            r.code == "cocked" and r.x is not None and r.y is not None
            and any(np.hypot(r.x - x, r.y - y) < 1.2 * (case.die_px or 0) for x, y in case.tilted)
            for r in reading.reasons
        )  # fmt: skip
    else:
        right = True
    return "exact" if right else "wrong reason"


COLUMNS = (("exact", 8), ("misread", 9), ("unsure", 8), ("nothing", 9), ("wrong reason", 14), ("guess", 8))


def show(title: str, table: dict[str, Counter[str]]) -> None:
    """Print one table, a row a group."""
    print(f"\n{title:48}{'n':>5}{'exact':>8}{'misread':>9}{'unsure':>8}{'nothing':>9}{'wrong reason':>14}{'guess':>8}")
    for name, count in sorted(table.items()):
        n = count["n"]
        row = "".join(
            f"{count[k] / n:{w}.1%}"
            for k, w in (
                ("exact", 8),
                ("misread", 9),
                ("unsure", 8),
                ("nothing", 9),
                ("wrong reason", 14),
                ("guess", 8),
            )
        )
        print(f"{name:48}{n:5}{row}")


def main() -> int:
    """Measure; 1 if there was nothing to measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", default=os.environ.get("DICETABLE_DATA", str(ROOT.parent / "shared")))
    parser.add_argument("--know", action="store_true", help="give the number of dice, and their size where it is known")
    parser.add_argument("--wrong", action="store_true", help="name every picture that is not exact")
    parser.add_argument("--every", type=int, default=1, help="only every Nth picture")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    data = Path(args.data)
    cases: list[Case] = []
    if (data / "dice-photos" / "manifest.csv").is_file():
        cases += photos(data / "dice-photos")
    if (data / "trays" / "truth.jsonl").is_file():
        cases += renders(data / "trays", "rendered trays")
    if not cases:
        print(
            f"accuracy: skipped, no pictures with truth under {data}; set DATA to the folder of dice-photos and trays"
        )
        return 0
    by_set: dict[str, Counter[str]] = defaultdict(Counter)
    by_source: dict[str, Counter[str]] = defaultdict(Counter)
    by_confidence: dict[str, Counter[str]] = defaultdict(Counter)
    times = []
    for case in cases[:: args.every]:
        known = Tray(
            dice=len(case.values) if args.know and case.values else None, die_px=case.die_px if args.know else None
        )
        reading = read(open_picture(str(case.path)), known)
        kind = verdict(case, reading)
        times.append(reading.ms)
        rows = [by_set[case.group]]
        if case.expect == "read" and case.group.startswith("photos"):
            rows.append(by_source[case.source])
        if case.expect == "read" and reading.dice:
            worst = min(d.confidence for d in reading.dice)
            rows.append(by_confidence[f"lowest confidence {int(worst * 10) / 10:.1f} and up"])
        for row in rows:
            row[kind] += 1
            row["n"] += 1
            row["guess"] += reading.values == case.values
        if args.wrong and kind != "exact":
            codes = [r.code for r in reading.reasons]
            print(f"{kind:13} {case.path.name} truth {case.values} read {reading.values} {codes}")
    show("set", by_set)
    show("source of photo", by_source)
    show("confidence of the weakest die", by_confidence)
    if by_source:
        share = [c["exact"] / c["n"] for c in by_source.values()]
        print(f"\nmean over {len(share)} sources: exact {sum(share) / len(share):.1%}")
    print(f"OpenCV {cv2.__version__}, numpy {np.__version__}; ms median {np.median(times):.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
