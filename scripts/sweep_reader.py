"""How far the reader goes: brightness, blur, noise, rotation and scale, step by step, as figures and plots.

Room: scripts, for people who build; no part of the program. Scenes are those of the simulated tray, and the rendered
trays under DATA where they are. Each step changes them a little more; what is counted is how many are read exactly,
asked about, or misread. Writes one SVG a sweep and `sweeps.json`.

    python scripts/sweep_reader.py [DATA] [--scenes 12] [--trays 8] [--out docs/sweeps] [--only blur] [--print]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import cv2
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from firmware.read_command import open_picture  # noqa: E402
from hardware.sim_scene import choose_setting  # noqa: E402
from hardware.sim_tray import SimTray  # noqa: E402
from vision.reader import read  # noqa: E402
from vision.types import Image, Status, Tray  # noqa: E402


@dataclass(frozen=True)
class Shot:
    """A picture as it is without any trouble, what lies in it, and how long a die's edge is."""

    image: Image
    values: tuple[int, ...]
    die_px: float
    seed: int


def simulated(count: int) -> Iterator[Shot]:
    """Throws of the simulated tray, 960 x 720, with its light and a camera's own noise."""
    for seed in range(500, 500 + count):
        rng = np.random.default_rng(seed)
        throw = random.Random(seed)
        values = tuple(throw.randint(1, 6) for _ in range(5))
        touching = 0.3 if seed % 3 == 0 else 0.0
        tray = SimTray(choose_setting(rng), seed=seed, width=960, height=720, touching=touching, lying=values)
        tray.step(0.0)
        image = tray.draw(0.0).astype(np.float32) + rng.normal(0, 2.0, (720, 960, 3)).astype(np.float32)
        corners = tray.truth(0.0).dice[0].corners
        die_px = float(np.hypot(*np.subtract(corners[0], corners[1])))
        yield Shot(np.clip(image, 0, 255).astype(np.uint8), tuple(sorted(values)), die_px, seed)


def rendered(folder: Path, count: int) -> Iterator[Shot]:
    """Path-traced trays to be read, from DATA, evenly taken."""
    truth = folder / "truth.jsonl"
    if not truth.is_file():
        return
    rows = [json.loads(line) for line in truth.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["expect"] == "read" and row["dice"]]
    for row in rows[:: max(1, len(rows) // max(1, count))][:count]:
        edges = [float(np.hypot(*np.subtract(d["corners"][0], d["corners"][1]))) for d in row["dice"]]
        image = open_picture(str(folder / row["file"]))
        yield Shot(image, tuple(row["values"]), float(np.median(edges)), int(row["file"][5:9]))


def brighter(shot: Shot, step: float) -> Image:
    """Exposure: values times `step`, and the sensor's noise, which stays."""
    rng = np.random.default_rng(shot.seed)
    noise = rng.normal(0, 1.0, shot.image.shape).astype(np.float32)
    return np.clip(shot.image.astype(np.float32) * step + noise, 0, 255).astype(np.uint8)


def blurred(shot: Shot, step: float) -> Image:
    """A Gaussian of `step` hundredths of a die's edge."""
    sigma = step / 100 * shot.die_px
    return shot.image if sigma <= 0 else np.asarray(cv2.GaussianBlur(shot.image, (0, 0), sigma), np.uint8)


def noisier(shot: Shot, step: float) -> Image:
    """Gaussian noise of `step` grey levels in every pixel and channel."""
    rng = np.random.default_rng(shot.seed)
    noise = rng.normal(0, 1.0, shot.image.shape).astype(np.float32) * np.float32(step)
    return np.clip(shot.image.astype(np.float32) + noise, 0, 255).astype(np.uint8)


def rotated(shot: Shot, step: float) -> Image:
    """The picture turned by `step` degrees, the border filled with its mirror image's average colour."""
    height, width = shot.image.shape[:2]
    cosine, sine = abs(np.cos(np.radians(step))), abs(np.sin(np.radians(step)))
    size = (round(width * cosine + height * sine), round(width * sine + height * cosine))
    matrix = cv2.getRotationMatrix2D((width / 2 - 0.5, height / 2 - 0.5), step, 1.0)
    matrix[:, 2] += (size[0] / 2 - width / 2, size[1] / 2 - height / 2)
    edge = np.concatenate([shot.image[0], shot.image[-1]]).mean(0)
    return np.asarray(
        cv2.warpAffine(shot.image, matrix, size, flags=cv2.INTER_CUBIC, borderValue=tuple(float(c) for c in edge)),
        np.uint8,
    )


def resized(shot: Shot, step: float) -> Image:
    """The picture made so large or small that a die's edge is `step` pixels."""
    ratio = step / shot.die_px
    how = cv2.INTER_AREA if ratio < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(shot.image, None, fx=ratio, fy=ratio, interpolation=how), np.uint8)


@dataclass(frozen=True)
class Sweep:
    """A name, the words under its plot, the steps, and what a step does to a picture."""

    name: str
    axis: str
    steps: tuple[float, ...]
    change: Callable[[Shot, float], Image]


SWEEPS = (
    Sweep("brightness", "brightness, times the picture as taken",
          (0.03, 0.06, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6), brighter),
    Sweep("blur", "blur, hundredths of a die's edge (sigma)", (0, 2, 4, 6, 8, 11, 15, 20, 30), blurred),
    Sweep("noise", "noise, grey levels (sigma)", (0, 5, 10, 15, 20, 30, 40, 60), noisier),
    Sweep("rotation", "rotation, degrees", (0, 10, 20, 30, 45, 60, 75, 90), rotated),
    Sweep("scale", "a die's edge, pixels", (8, 11, 14, 18, 24, 32, 48, 72, 110), resized),
)  # fmt: skip


def measure(sweep: Sweep, shots: list[Shot], show: bool) -> list[dict[str, object]]:
    """A row per step: how many exact, asked, nothing found and misread, and the reasons given, each counted once."""
    rows: list[dict[str, object]] = []
    for step in sweep.steps:
        kinds: Counter[str] = Counter()
        codes: Counter[str] = Counter()
        for shot in shots:
            reading = read(sweep.change(shot, step), Tray())
            if reading.status is Status.READ:
                kind = "exact" if reading.values == shot.values else "misread"
            else:
                kind = "asked" if reading.status is Status.UNSURE else "nothing"
                codes.update({r.code for r in reading.reasons})
            if kind == "misread" or (show and kind != "exact"):
                said = sorted({r.code for r in reading.reasons})
                print(f"{kind:8} {sweep.name} {step:g} seed {shot.seed}: {shot.values} as {reading.values} {said}")
            kinds[kind] += 1
        rows.append({"step": step, "n": len(shots), **kinds, "reasons": dict(codes.most_common())})
        told = "  ".join(f"{code} {n}" for code, n in codes.most_common(5))
        print(
            f"{sweep.name:10} {step:6g}  exact {kinds['exact']:3}  asked {kinds['asked']:3}"
            f"  nothing {kinds['nothing']:3}  misread {kinds['misread']:3}   {told}",
            flush=True,
        )
    return rows


_COLOURS = {"exact": "#4c9a6a", "asked": "#e3b04b", "nothing": "#b9b9b9", "misread": "#c0392b"}


def plot(sweep: Sweep, rows: list[dict[str, object]]) -> str:
    """Stacked bars as SVG, a bar a step; shares are also written into the bars, so that colour is not needed."""
    wide, tall, left, top, bar = 720, 300, 50, 40, 200
    column = (wide - left - 20) / len(rows)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {tall}" font-family="sans-serif" font-size="12">',
        f'<rect width="{wide}" height="{tall}" fill="#ffffff"/>',
    ]
    for n, (kind, colour) in enumerate(_COLOURS.items()):
        out.append(f'<rect x="{left + 130 * n}" y="12" width="12" height="12" fill="{colour}"/>')
        out.append(f'<text x="{left + 130 * n + 17}" y="22">{kind}</text>')
    for share in (0, 50, 100):
        y = top + bar * (1 - share / 100)
        out.append(f'<line x1="{left}" x2="{wide - 20}" y1="{y:.1f}" y2="{y:.1f}" stroke="#dddddd"/>')
        out.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{share} %</text>')
    for n, row in enumerate(rows):
        x, y = left + n * column + 0.12 * column, float(top + bar)
        for kind, colour in _COLOURS.items():
            share = float(row.get(kind, 0)) / float(row["n"])  # type: ignore[arg-type]
            if share <= 0:
                continue
            y -= share * bar
            size = f'width="{0.76 * column:.1f}" height="{share * bar:.1f}"'
            out.append(f'<rect x="{x:.1f}" y="{y:.1f}" {size} fill="{colour}"/>')
            if share * bar > 14:
                middle = y + share * bar / 2 + 4
                out.append(
                    f'<text x="{x + 0.38 * column:.1f}" y="{middle:.1f}" text-anchor="middle" fill="#111111">'
                    f"{100 * share:.0f}</text>"
                )
        out.append(
            f'<text x="{x + 0.38 * column:.1f}" y="{top + bar + 16}" text-anchor="middle">{row["step"]:g}</text>'
        )
    out.append(f'<text x="{wide / 2}" y="{top + bar + 38}" text-anchor="middle">{sweep.axis}</text>')
    out.append("</svg>")
    return "\n".join(out) + "\n"


def main() -> int:
    """Measure, print, plot; 1 if anything was misread."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", default=os.environ.get("DICETABLE_DATA", str(ROOT.parent / "shared")))
    parser.add_argument("--scenes", type=int, default=12, help="throws of the simulated tray")
    parser.add_argument("--trays", type=int, default=8, help="rendered trays from DATA")
    parser.add_argument("--only", help="one sweep")
    parser.add_argument("--print", action="store_true", help="only print, write nothing; name what is not exact")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "sweeps")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    shots = [*simulated(args.scenes), *rendered(Path(args.data) / "trays", args.trays)]
    print(f"{len(shots)} scenes, OpenCV {cv2.__version__}, numpy {np.__version__}")
    known = args.out / "sweeps.json"
    result = json.loads(known.read_text(encoding="utf-8")) if known.is_file() else {}
    misread = 0
    for sweep in SWEEPS:
        if args.only and sweep.name != args.only:
            continue
        rows = measure(sweep, shots, args.print)
        misread += sum(int(row.get("misread", 0)) for row in rows)  # type: ignore[call-overload]
        result[sweep.name] = rows
        if not args.print:
            args.out.mkdir(parents=True, exist_ok=True)
            (args.out / f"{sweep.name}.svg").write_text(plot(sweep, rows), encoding="utf-8")
    if not args.print:
        result["made"] = {"date": date.today().isoformat(), "opencv": cv2.__version__, "numpy": np.__version__}
        known.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(f"{misread} misread")
    return 1 if misread else 0


if __name__ == "__main__":
    sys.exit(main())
