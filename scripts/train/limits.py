"""What limits do on made pictures: `python scripts/train/limits.py FOLDER... [--whole] [--try FILE.NAME=VALUE]`.

Room: none; a tool for whoever sets limits. Knows the reader and folders with `truth.jsonl`, as `stage.py`,
`simulated.py` and the path tracer write them; no photos. Pictures must be of other seeds than those trained on.

Every face that the witness was asked about is right (a die's value in its place), or wrong. For each limit the faces
are taken that pass all other conditions of its rule. Printed are the limit, how many right and wrong ones pass it, the
same for other values round it, and the margin: how far it may move before more than one in a hundred of the right ones
is lost (down, up to the next wrong one).

With `--whole` whole pictures are read instead, and counted: what their truth expects, and what came of it. `--try
choose.BELIEVE=0.85` moves a limit of any file of `vision` first, so that two runs say what a limit is worth.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from vision import choose, reader
from vision.faces import Face
from vision.types import Tray


@dataclass(frozen=True)
class Limit:
    """A limit of `choose.py`: its name there, what is compared with it, and the faces that it decides about."""

    name: str
    of: Callable[[Face], float]
    decides: Callable[[Face], bool]


def _few(face: Face) -> bool:
    return face.value in (2, 3)


def _many(face: Face) -> bool:
    return face.value >= 4


def _witness(face: Face) -> float:
    surest = 0.0 if face.surest is None else float(face.surest[face.value])
    return max(choose.support(face), surest)


def _believes(face: Face) -> bool:
    return choose.support(face) > choose.BELIEVE_FEW if face.value <= 3 else _witness(face) > choose.BELIEVE


def _fits(face: Face) -> bool:
    return choose.quality(face) > choose.FITS


LIMITS = (
    Limit("BELIEVE", _witness, lambda f: _many(f) and _fits(f) and choose.edges(f) > choose.BOUNDED),
    Limit("BELIEVE_FEW", choose.support, lambda f: _few(f) and _fits(f) and choose.edges(f) > choose.BOUNDED),
    Limit("BELIEVE_FEW", choose.support, lambda f: f.value == 1 and f.score > choose.ONE),
    Limit("FITS", choose.quality, lambda f: f.value >= 2 and _believes(f) and choose.edges(f) > choose.BOUNDED),
    Limit("BOUNDED", choose.edges, lambda f: f.value >= 2 and _believes(f) and _fits(f)),
    Limit("ONE", lambda f: f.score, lambda f: f.value == 1 and _believes(f)),
    Limit("ONE_ALONE", lambda f: f.score, lambda f: f.value == 1 and _believes(f)),
)


def asked(folder: Path, most: int) -> list[tuple[Face, bool]]:
    """The faces that the witness was asked about in the pictures of a folder, and whether each is right. Faces of dice
    that lean or are partly hidden are left out: no answer about them is right or wrong."""
    seen: list[Face] = []
    consult = reader.consult

    def spy(pyramid: reader.Pyramid, faces: list[Face]) -> None:
        consult(pyramid, faces)
        seen.extend(faces)

    out = []
    reader.consult = spy
    try:
        for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines()[:most]:
            row = json.loads(line)
            image = cv2.imread(str(folder / row["file"]))
            if image is None or row["expect"] == "hidden":
                continue
            seen.clear()
            scene = reader.survey(image, Tray())
            for face in seen:
                label = _label(face, row["dice"], scene.zoom)
                if label is not None and face.witness is not None:
                    out.append((face, label))
    finally:
        reader.consult = consult
    return out


def _label(face: Face, dice: list[dict], zoom: float) -> bool | None:
    for die in dice:
        corners = (np.array(die["corners"], np.float32) + 0.5) * zoom - 0.5
        middle = corners.mean(0)
        edge = float(np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1).mean())
        away = float(np.hypot(face.x - middle[0], face.y - middle[1])) / edge
        if away > 0.9:
            continue
        if die.get("tilt_deg"):
            return None
        if away < 0.15 and 0.75 < face.size_px / edge < 1.33:
            return bool(face.value == die["value"])
        if away < 0.3:
            return False if face.value != die["value"] else None
    return False


def told(limit: Limit, faces: list[tuple[Face, bool]]) -> str:
    """One line about a limit."""
    now = float(getattr(choose, limit.name))
    right = np.sort([limit.of(f) for f, good in faces if good and limit.decides(f)])
    wrong = np.sort([limit.of(f) for f, good in faces if not good and limit.decides(f)])
    if not len(right):
        return f"{limit.name:12} {now:5.2f}   no face to decide about"

    def passing(value: float) -> str:
        return f"{(right > value).mean():6.1%} {int((wrong > value).sum()):4d}"

    lost = float(np.quantile(right, 0.01))
    over = wrong[wrong > now]
    margin = f"one in a hundred right ones is under {lost:.2f}; next wrong one at " + (
        f"{over[0]:.2f}" if len(over) else "none"
    )
    sides = "   ".join(f"{value:.2f}: {passing(value)}" for value in (now - 0.1, now, min(now + 0.1, 0.99)))
    return f"{limit.name:12} {now:5.2f}   {len(right):5d} right {len(wrong):5d} wrong   {sides}   {margin}"


def move(change: str) -> None:
    """Move a limit, `FILE.NAME=VALUE`, wherever it is known by its name."""
    place, value = change.split("=")
    file, name = place.split(".")
    old = getattr(importlib.import_module(f"vision.{file}"), name)
    for module in [m for key, m in sys.modules.items() if key.startswith("vision.")]:
        if getattr(module, name, None) is old:
            setattr(module, name, float(value))


def whole(folder: Path, most: int) -> Counter[str]:
    """How often what is expected of a picture (see `stage.py`) comes out as what."""
    found: Counter[str] = Counter()
    for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines()[:most]:
        row = json.loads(line)
        image = cv2.imread(str(folder / row["file"]))
        if image is not None:
            reading = reader.read(image, Tray())
            told = reading.status.value
            if told == "read":
                told += " right" if reading.values == tuple(row["values"]) else " wrong"
            found[f"{row['expect']}: {told}"] += 1
    return found


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("folder", type=Path, nargs="+")
    ap.add_argument("--most", type=int, default=10_000, help="so many pictures of each folder")
    ap.add_argument("--whole", action="store_true", help="read whole pictures, and count what comes of them")
    ap.add_argument("--try", dest="changes", action="append", default=[], metavar="FILE.NAME=VALUE")
    args = ap.parse_args()
    cv2.setNumThreads(1)
    for change in args.changes:
        move(change)
    if args.whole:
        for folder in args.folder:
            print(folder.name, ", ".join(f"{kind} {n}" for kind, n in sorted(whole(folder, args.most).items())))
        return
    faces = [face for folder in args.folder for face in asked(folder, args.most)]
    print("limit        value   faces it decides about; of the right ones and number of wrong ones that pass at")
    for limit in LIMITS:
        print(told(limit, faces))


if __name__ == "__main__":
    main()
