"""How often the reader is right, on pictures with known truth: the tables of docs/vision.md.

Room: scripts, for people who build; no part of the program. Reads every picture twice: with default settings, and
knowing what a calibrated table knows (the number of dice, and a die's edge where the truth has it); the tables with a
calibration made from their first two pictures. Folders are looked for under DATA (an argument, or DICETABLE_DATA, or
../shared): `dice-photos` with manifest.csv, `trays` and `tables/*` with truth.jsonl.

    python scripts/accuracy.py [DATA] [--wrong] [--every N] [--only WORD] [--plain] [--write PAGE] [--dump FILE]
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import platform
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import cv2
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from firmware.read_command import open_picture  # noqa: E402
from vision.learning import learn_table  # noqa: E402
from vision.reader import read  # noqa: E402
from vision.types import Reading, Status, Tray  # noqa: E402

BEGIN, END = "<!-- accuracy: made by `make accuracy-table`, do not edit -->", "<!-- accuracy: end -->"

PHOTOS = ("photos from above, easy and medium", "photos from above, hard", "photos, oblique", "photos, nothing to read")
TARGETS: Mapping[str, str] = {
    PHOTOS[0]: "90 %, none misread",
    PHOTOS[1]: "75 %, at most 1",
    PHOTOS[2]: "65 %, at most 1",
    PHOTOS[3]: "none read",
    "rendered, to be read": "97 %, none misread",
    "rendered, must ask": "90 % for the right reason",
}
"""What the project asks of each row."""


@dataclass(frozen=True)
class Case:
    """One picture with its truth; `group` is its row in the table."""

    path: Path
    values: tuple[int, ...]
    expect: str
    group: str
    source: str
    difficulty: str = ""
    die_px: float | None = None
    tilted: tuple[tuple[float, float], ...] = ()


def photos(folder: Path) -> Iterator[Case]:
    """Real photos: easy and medium from above, hard from above, oblique, and those with nothing to read."""
    with open(folder / "manifest.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            values = tuple(sorted(int(v) for v in row["values"].split("-"))) if row["values"] else ()
            hard = row["difficulty"] == "hard"
            group = PHOTOS[3 if not values else 2 if row["view"] == "oblique" else 1 if hard else 0]
            yield Case(
                folder / "images" / row["file"], values, "read" if values else "ask", group, row["repo"],
                row["difficulty"],
            )  # fmt: skip


def renders(folder: Path, name: str) -> Iterator[Case]:
    """Rendered trays: to be read, and those where it must ask."""
    for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        edges = sorted(
            float(np.hypot(*np.subtract(a, b)))
            for d in row["dice"]
            for a, b in zip(d["corners"], d["corners"][1:] + d["corners"][:1], strict=True)
        )
        tilted = tuple((d["x"], d["y"]) for d in row["dice"] if d["tilt_deg"] > 15)
        group = name if name.startswith("table") else name + (
            ", to be read" if row["expect"] == "read" else ", must ask"
        )  # fmt: skip
        yield Case(
            folder / row["file"], tuple(row["values"]), row["expect"], group, row["scene"],
            die_px=round(edges[len(edges) // 2]) if edges else None, tilted=tilted,
        )  # fmt: skip


def verdict(case: Case, reading: Reading) -> str:
    """exact, misread, unsure or nothing; where it must ask, exact or wrong reason."""
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


@dataclass(frozen=True)
class Told:
    """What came of one picture. `kind` is a verdict."""

    case: Case
    mode: str
    kind: str
    reading: Reading

    def as_json(self) -> dict[str, object]:
        """For comparing two runs, of two versions of OpenCV or of the reader."""
        return {
            "file": f"{self.case.path.parent.name}/{self.case.path.name}",
            "mode": self.mode,
            "kind": self.kind,
            "status": self.reading.status.value,
            "truth": list(self.case.values),
            "values": list(self.reading.values),
            "dice": [d.value for d in self.reading.dice],
            "confidence": [round(d.confidence, 3) for d in self.reading.dice],
            "reasons": sorted({r.code for r in self.reading.reasons}),
            "ms": round(self.reading.ms),
        }


def measure(data: Path, modes: Sequence[str], every: int = 1, only: str = "") -> Iterator[Told]:
    """Read all there is under `data`, in each of `modes`: `default`, `know`, `table`."""
    cases: list[Case] = []
    if (data / "dice-photos" / "manifest.csv").is_file():
        cases += photos(data / "dice-photos")
    if (data / "trays" / "truth.jsonl").is_file():
        cases += renders(data / "trays", "rendered")
    for mode in [m for m in modes if m != "table"]:
        for case in [c for c in cases if only in f"{c.group} {c.path.name}"][::every]:
            tray = Tray()
            if mode == "know":
                tray = Tray(dice=len(case.values) or None, die_px=case.die_px)
            reading = read(open_picture(str(case.path)), tray)
            yield Told(case, mode, verdict(case, reading), reading)
    if "table" not in modes:
        return
    for truth in sorted(data.glob("tables/*/truth.jsonl")):
        table = list(renders(truth.parent, f"table {truth.parent.name}"))
        table = [c for c in table if only in f"{c.group} {c.path.name}"]
        if not table:
            continue
        empty, throw = (open_picture(str(truth.parent / f"tray_{n:04d}.jpg")) for n in (0, 1))
        known = Tray(calibration=learn_table(empty, throw))
        for case in table[::every]:
            reading = read(open_picture(str(case.path)), known)
            yield Told(case, "table", verdict(case, reading), reading)


def count(told: Iterable[Told], key: str) -> dict[str, Counter[str]]:
    """Verdicts by `group`, `source` or `difficulty` of the case."""
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for one in told:
        row = table[getattr(one.case, key)]
        row.update((one.kind, "n"))
    return table


def rows(title: str, table: Mapping[str, Counter[str]], targets: Mapping[str, str] | None = None) -> list[str]:
    """A table in Markdown."""
    head = f"| {title} | number | exact | misread | asks | nothing found | wrong reason |"
    out = [head + (" target |" if targets else ""), "|---" * (8 if targets else 7) + "|"]
    for name, found in table.items():
        n = found["n"]
        exact = f"{found['exact'] / n:.1%}".replace("%", " %")
        cells = (name, n, exact, *(found[kind] or "-" for kind in ("misread", "unsure", "nothing", "wrong reason")))
        line = "| " + " | ".join(str(c) for c in cells) + " |"
        out.append(line + f" {targets.get(name, 'all but one')} |" if targets else line)
    return out


def mean_exact(table: Mapping[str, Counter[str]]) -> str:
    """The mean over the rows of a table of how many are exact."""
    share = float(np.mean([found["exact"] / found["n"] for found in table.values()]))
    return f"{share:.1%}".replace("%", " %")


def report(told: Sequence[Told]) -> list[str]:
    """All tables, as lines of Markdown."""
    out = [
        f"{date.today():%d %B %Y}, OpenCV {cv2.__version__}, numpy {np.__version__},"
        f" Python {platform.python_version()}, one thread. Exact: status `read` and every value right; where it"
        " must ask: the right status, and the right reason at the right place.",
    ]  # fmt: skip
    words = {
        "default": "Default settings",
        "know": "With the number of dice given, and a die's edge where the truth has it (`--know`)",
        "table": "Calibrated tables",
    }
    for mode, heading in words.items():
        own = [t for t in told if t.mode == mode]
        if own:
            out += ["", f"{heading}:", "", *rows("pictures", count(own, "group"), TARGETS)]
    for mode in ("default", "know"):
        own = [t for t in told if t.mode == mode and t.case.group in PHOTOS[:3]]
        if not own:
            continue
        by_source = count(own, "source")
        out += ["", f"Photos by source, {'default settings' if mode == 'default' else '`--know`'}:", ""]
        out += rows("source", dict(sorted(by_source.items())))
        out += ["", f"Mean over {len(by_source)} sources: {mean_exact(by_source)} exact."]
        if mode == "default":
            out += ["", "Photos by difficulty, default settings:", ""]
            out += rows("difficulty", dict(sorted(count(own, "difficulty").items())))
    rendered = [t for t in told if t.mode == "default" and t.case.group.startswith("rendered")]
    if rendered:
        out += ["", "Rendered trays by scene, default settings:", ""]
        out += rows("scene", dict(sorted(count(rendered, "source").items())))
    return out


def write(path: Path, lines: Sequence[str]) -> None:
    """Put the tables between their marks in a page; raises ValueError where the marks are missing."""
    text = path.read_text(encoding="utf-8")
    if BEGIN not in text or END not in text:
        raise ValueError(f"{path} has no lines {BEGIN!r} and {END!r}: put them where the tables should be")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    path.write_text(f"{before}{BEGIN}\n\n" + "\n".join(lines) + f"\n\n{END}{after}", encoding="utf-8")


def main() -> int:
    """Measure; exit status 1 if a photo or a rendered tray was misread."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", default=os.environ.get("DICETABLE_DATA", str(ROOT.parent / "shared")))
    parser.add_argument("--wrong", action="store_true", help="name every picture that is not exact")
    parser.add_argument("--every", type=int, default=1, help="only every Nth picture")
    parser.add_argument("--only", default="", help="only rows or files with this word in them")
    parser.add_argument("--plain", action="store_true", help="only with default settings")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the tables into this page, between their marks")
    parser.add_argument("--dump", type=Path, metavar="FILE", help="write every reading there, for parity_reader.py")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    told = []
    for one in measure(
        Path(args.data), ["default"] if args.plain else ["default", "know", "table"], args.every, args.only
    ):
        told.append(one)
        if args.wrong and one.kind != "exact":
            codes = [r.code for r in one.reading.reasons]
            print(
                f"{one.kind:13} {one.mode:8} {one.case.path.name} {one.case.values} as {one.reading.values} {codes}",
                flush=True,
            )
    if not told:
        print(
            f"accuracy: skipped, no pictures with truth under {args.data}: set DATA to where dice-photos and trays are"
        )
        return 0
    lines = report(told)
    print("\n".join(lines))
    print(f"\nms a picture, median: {np.median([t.reading.ms for t in told]):.0f}")
    if args.write:
        write(args.write, lines)
    if args.dump:
        args.dump.write_text("\n".join(json.dumps(t.as_json()) for t in told) + "\n", encoding="utf-8")
    return int(any(t.kind == "misread" for t in told))


if __name__ == "__main__":
    sys.exit(main())
