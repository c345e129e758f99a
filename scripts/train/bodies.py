"""Train the look-out for bodies of dice: `python scripts/train/bodies.py --out vision/weights/bodies.onnx`.

Room: none; a tool for whoever trains. Knows the made scenes (`scene.py`) and `vision.bodies.normalise`; not the reader.
Two steps: `--make DATA.npz` cuts pictures of 72 x 72 pixels, in which a die is about 12 pixels long, out of made
scenes; then it trains on such files (torch and onnx are needed only then). A cell of 4 x 4 pixels is a die's if half of
it is, none if a tenth is or less; what lies between, and dice that carry no pips, are not trained on, but numerals
are: as none.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from vision.bodies import CELL_PX, DIE_PX, normalise

SIDE_PX = 72
NOT_ASKED = 255


def cut(
    rng: np.random.Generator, image: np.ndarray, owners: np.ndarray, die_px: float
) -> tuple[np.ndarray, np.ndarray]:
    """One picture of SIDE_PX with its cells (0 no die, 1 a die, NOT_ASKED) out of a scene."""
    scale = DIE_PX / die_px * float(np.exp(rng.normal(0, 0.13)))
    size = max(24, round(image.shape[0] * scale))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = cv2.resize(image, (size, size), interpolation=how)
    if size < SIDE_PX:
        pad = SIDE_PX - size
        before = int(rng.integers(0, pad + 1))
        sides = (before, pad - before, before, pad - before)
        kind = cv2.BORDER_REFLECT_101
        small = cv2.copyMakeBorder(small, *sides, kind)
        pad_cells = cv2.copyMakeBorder(cv2.resize(owners, (size, size), interpolation=cv2.INTER_AREA), *sides, kind)
    else:
        pad_cells = cv2.resize(owners, (size, size), interpolation=cv2.INTER_AREA)
    x, y = (int(rng.integers(0, small.shape[0] - SIDE_PX + 1)) for _ in range(2))
    small, shares = small[y : y + SIDE_PX, x : x + SIDE_PX], pad_cells[y : y + SIDE_PX, x : x + SIDE_PX]
    cells = SIDE_PX // CELL_PX
    shares = shares.reshape(cells, CELL_PX, cells, CELL_PX, -1).mean((1, 3))
    label = np.full((cells, cells), NOT_ASKED, np.uint8)
    label[shares[..., 0] < 0.1] = 0
    label[shares[..., 0] > 0.5] = 1
    label[shares[..., 1] > 0.1] = NOT_ASKED
    return small, label


def make_data(out: Path, seed: int, start: int, count: int) -> None:
    """Scenes to pictures and cells, in one file."""
    import scene
    import textures

    cv2.setNumThreads(1)
    textures.bank()
    images, cells = [], []
    begun = time.monotonic()
    for number in range(start, start + count):
        rng = np.random.default_rng([seed, number])
        made = scene.make(rng)
        owners = np.stack([made.bodies == 1, (made.bodies == 2) & (rng.random() < 0.5)], -1).astype(np.float32)
        for _ in range(3):
            image, label = cut(rng, made.image, owners, made.die_px)
            images.append(image)
            cells.append(label)
    np.savez(out, images=np.array(images, np.uint8), cells=np.array(cells, np.uint8))
    print(f"{len(images)} pictures in {time.monotonic() - begun:.0f} s")


def train(args: argparse.Namespace) -> None:
    """Train on the files of `--make` and write the ONNX file."""
    import torch
    from course import Course, block, folded
    from torch import nn

    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    gen = torch.Generator().manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    parts = [np.load(p) for p in args.data]
    images, cells = (np.concatenate([p[k] for p in parts]) for k in ("images", "cells"))
    held = np.load(args.check)
    model = nn.Sequential(
        *block(3, 24, 6, 4, 1), *block(24, 32, 3, 1, 1), *block(32, 32, 3, 1, 1), *block(32, 32, 3, 1, 1),
        *block(32, 32, 3, 1, 1), nn.Conv2d(32, 1, 1),
    )  # fmt: skip
    course = Course(model, args.rate, args.steps, args.go_on)
    begun = time.monotonic()
    for step in range(args.steps):
        model.train()
        chosen = rng.integers(0, len(images), args.batch)
        x = torch.from_numpy(normalise(images[chosen]))
        y = torch.from_numpy(cells[chosen].astype(np.int64))
        k = int(rng.integers(8))
        x, y = torch.rot90(x, k % 4, (2, 3)), torch.rot90(y, k % 4, (1, 2))
        if k >= 4:
            x, y = x.flip(3), y.flip(2)
        n = len(x)
        mix = torch.eye(3) + 0.2 * torch.randn(n, 3, 3, generator=gen)
        x = torch.einsum("nij,njhw->nihw", mix, x) + 0.08 * torch.randn(x.shape, generator=gen)
        x = x * torch.exp(0.3 * torch.randn(n, 1, 1, 1, generator=gen))
        told = model(x)[:, 0]
        loss = nn.functional.binary_cross_entropy_with_logits(told, (y == 1).float(), reduction="none")
        asked = (y != NOT_ASKED).float()
        loss = (loss * asked).sum() / asked.sum()
        course.learn(loss)
        if step % 500 == 499 or step == args.steps - 1:
            steady = course.steady.eval()
            with torch.no_grad():
                told = torch.cat([steady(torch.from_numpy(normalise(p))) for p in np.array_split(held["images"], 20)])
            said, truth = torch.sigmoid(told[:, 0]).numpy(), held["cells"]
            figures = " ".join(
                f"{t}: found {(said[truth == 1] > t).mean():.3f} false {(said[truth == 0] > t).mean():.4f}"
                for t in (0.5, 0.8, 0.95)
            )
            print(f"step {step + 1} loss {course.mean_loss:.3f} {figures} {time.monotonic() - begun:.0f} s", flush=True)
            torch.save(steady.state_dict(), args.out.with_suffix(".pt"))
    torch.onnx.export(
        folded(course.steady), (torch.zeros(1, 3, 72, 72),), str(args.out), input_names=["picture"],
        output_names=["cells"], dynamic_axes={"picture": {2: "h", 3: "w"}, "cells": {2: "h", 3: "w"}},
        opset_version=13, dynamo=False,
    )  # fmt: skip
    print(f"wrote {args.out}")


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("data", type=Path, nargs="*")
    ap.add_argument("--make", type=Path, help="write pictures here instead of training")
    ap.add_argument("--scenes", type=int, default=1500)
    ap.add_argument("--start", type=int, default=0)
    ap.add_argument("--check", type=Path)
    ap.add_argument("--out", type=Path)
    ap.add_argument("--go-on", type=Path)
    ap.add_argument("--steps", type=int, default=3000)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--rate", type=float, default=4e-3)
    ap.add_argument("--seed", type=int, default=1)
    args = ap.parse_args()
    if args.make:
        make_data(args.make, args.seed, args.start, args.scenes)
    else:
        train(args)


if __name__ == "__main__":
    main()
