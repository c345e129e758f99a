"""Train the network of `vision.lean`: `python scripts/train/train_lean.py DATA... --check HELD_OUT --out WEIGHTS.onnx`.

Room: none; a tool for whoever trains. Knows wide crops, drops and `vision.lean.normalise`; not the reader. Needs torch
and onnx, which the program itself never does. The net says a drop and how far off it may be: the likelihood is that of
a Laplace distribution with one width for both axes.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import torch
from course import Course, block, few, folded, recoloured, roughened, turned
from torch import nn

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from vision.lean import normalise


def network() -> nn.Sequential:
    """3 x 64 x 64 to the drop's two parts and the logarithm of its likely error."""
    return nn.Sequential(
        *block(3, 24, 8, 4, 2),
        *block(24, 32, 3, 1, 1),
        *block(32, 48, 3, 2, 1),
        *block(48, 64, 3, 1, 1),
        *block(64, 64, 3, 2, 1),
        nn.Flatten(),
        nn.Dropout(0.1),
        nn.Linear(64 * 4 * 4, 3),
    )


def augment(crops: torch.Tensor, drops: torch.Tensor, gen: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Turn and mirror crops with their drops; change colours, add noise and slopes of light."""
    x, v = turned(crops, drops)
    x = recoloured(x, 0.5, gen)
    rows = few(len(x), 0.15, gen)
    x[rows] = x[rows].mean(1, keepdim=True).expand(-1, 3, -1, -1)
    return roughened(x, 0.25, gen), v


def loss_of(told: torch.Tensor, drops: torch.Tensor) -> torch.Tensor:
    width = told[:, 2].clamp(-4, 1)
    return ((told[:, :2] - drops).abs().sum(1) * torch.exp(-width) + 2 * width).mean()


@torch.no_grad()
def told_by(model: nn.Module, wide: np.ndarray) -> np.ndarray:
    model.eval()
    return np.concatenate(
        [model(torch.from_numpy(normalise(part))).numpy() for part in np.array_split(wide, len(wide) // 256 + 1)]
    )


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("data", type=Path, nargs="+")
    ap.add_argument("--check", type=Path, required=True)
    ap.add_argument("--out", type=Path, required=True)
    ap.add_argument("--go-on", type=Path, help="a .pt file of an earlier run to start from")
    ap.add_argument("--steps", type=int, default=4000)
    ap.add_argument("--batch", type=int, default=96)
    ap.add_argument("--rate", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=1)
    args = ap.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    gen = torch.Generator().manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    parts = [np.load(p) for p in args.data]
    wide, drops = (np.concatenate([p[k] for p in parts]) for k in ("wide", "drops"))
    held = np.load(args.check)
    print(f"{len(wide)} wide crops to learn from, {len(held['wide'])} held out", flush=True)
    model = network()
    course = Course(model, args.rate, args.steps, args.go_on, longest=5.0)
    start = time.monotonic()
    for step in range(args.steps):
        model.train()
        chosen = rng.integers(0, len(wide), args.batch)
        x, v = augment(torch.from_numpy(normalise(wide[chosen])), torch.from_numpy(drops[chosen]), gen)
        loss = loss_of(model(x), v)
        course.learn(loss)
        if step % 500 == 499 or step == args.steps - 1:
            told = told_by(course.steady, held["wide"])
            off = np.linalg.norm(told[:, :2] - held["drops"], axis=1)
            sure = told[:, 2] < np.log(0.08)
            of_these = f", of these {off[sure].mean():.3f}, {np.quantile(off[sure], 0.98):.3f}" if sure.any() else ""
            print(
                f"step {step + 1} loss {course.mean_loss:.3f} held out: off {off.mean():.3f}, nine in ten under"
                f" {np.quantile(off, 0.9):.3f}; sure {sure.mean():.2f}{of_these} {time.monotonic() - start:.0f} s",
                flush=True,
            )
            torch.save(course.steady.state_dict(), args.out.with_suffix(".pt"))
    torch.onnx.export(
        folded(course.steady), (torch.zeros(1, 3, 64, 64),), str(args.out), input_names=["crop"], output_names=["drop"],
        dynamic_axes={"crop": {0: "n"}, "drop": {0: "n"}}, opset_version=13, dynamo=False,
    )  # fmt: skip
    print(f"wrote {args.out}")


if __name__ == "__main__":
    main()
