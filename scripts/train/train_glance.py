"""Train the network of `vision.glance`: `python scripts/train/train_glance.py DATA... --check HELD --out WEIGHTS.onnx`.

Room: none; a tool for whoever trains. Knows the crops of `glances.py` and `vision.lean.normalise`; not the reader.
Needs torch and onnx, which the program itself never does. Values are learnt as the second witness learns them, drops as
the third does (`train_lean.py`); what a crop has no truth of is not asked.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import torch
from course import Course, block, few, folded, recoloured, roughened, turned
from glances import NOT_ASKED
from torch import nn
from train import temperature_of
from train_lean import loss_of, told_by

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from vision.lean import normalise

_VALUES = 7
_DROPS_COUNT = 0.3
"""What a drop weighs beside a value, in training."""


def network() -> nn.Sequential:
    """3 x 48 x 48 to 7 logits, the drop's two parts and the logarithm of its likely error: 3.0 million
    multiplications a crop, half of what either of the witnesses takes."""
    return nn.Sequential(
        *block(3, 16, 6, 3, 2),
        *block(16, 24, 3, 1, 1),
        *block(24, 32, 3, 2, 1),
        *block(32, 48, 3, 1, 1),
        *block(48, 48, 3, 2, 1),
        nn.Flatten(),
        nn.Dropout(0.05),
        nn.Linear(48 * 4 * 4, _VALUES + 3),
    )


def augment(crops: torch.Tensor, drops: torch.Tensor, gen: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Turn and mirror crops with their drops; change colours, add noise and slopes of light."""
    x, v = turned(crops, drops)
    x = recoloured(x, 0.4, gen)
    rows = few(len(x), 0.1, gen)
    x[rows] = -x[rows]
    return roughened(x, 0.2, gen), v


def figures(told: np.ndarray, labels: np.ndarray, drops: np.ndarray) -> str:
    """How well the held-out crops are told."""
    asked, shown = labels != NOT_ASKED, np.isfinite(drops[:, 0])
    right = told[asked, :_VALUES].argmax(1) == labels[asked]
    odds = np.exp(told[asked, :_VALUES] - told[asked, :_VALUES].max(1, keepdims=True))
    sure = odds[:, 1:].max(1) / odds.sum(1) > 0.95
    wrong = (~right & sure).sum() / max(1, sure.sum())
    off = np.linalg.norm(told[shown, _VALUES : _VALUES + 2] - drops[shown], axis=1)
    told_sure = told[shown, _VALUES + 2] < np.log(0.08)
    return (
        f"right {right.mean():.4f}; sure of a value {sure.mean():.2f}, of these wrong {wrong:.4f};"
        f" drop off {off.mean():.3f}; sure {told_sure.mean():.2f}, of these {off[told_sure].mean():.3f}"
    )


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("data", type=Path, nargs="+")
    ap.add_argument("--check", type=Path, required=True)
    ap.add_argument("--out", type=Path, required=True)
    ap.add_argument("--go-on", type=Path, help="a .pt file of an earlier run to start from")
    ap.add_argument("--steps", type=int, default=9000)
    ap.add_argument("--batch", type=int, default=128)
    ap.add_argument("--rate", type=float, default=4e-3)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--threads", type=int, default=1)
    args = ap.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    gen = torch.Generator().manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    parts = [np.load(p) for p in args.data]
    crops, labels, drops = (np.concatenate([p[k] for p in parts]) for k in ("crops", "labels", "drops"))
    held = np.load(args.check)
    print(f"{len(crops)} crops to learn from, {len(held['crops'])} held out", flush=True)
    model = network()
    course = Course(model, args.rate, args.steps, args.go_on, longest=5.0)
    start = time.monotonic()
    for step in range(args.steps):
        model.train()
        chosen = rng.integers(0, len(crops), args.batch)
        shown = torch.from_numpy(drops[chosen])
        x, away = augment(torch.from_numpy(normalise(crops[chosen])), shown, gen)
        told = model(x)
        # `augment` keeps the order of the batch.
        value = torch.from_numpy(labels[chosen].astype(np.int64))
        loss = nn.functional.cross_entropy(told[:, :_VALUES], value, ignore_index=NOT_ASKED)
        has_drop = torch.isfinite(away[:, 0])
        loss = loss + _DROPS_COUNT * loss_of(told[has_drop, _VALUES:], away[has_drop])
        course.learn(loss)
        if step % 500 == 499 or step == args.steps - 1:
            said = figures(told_by(course.steady, held["crops"]), held["labels"], held["drops"])
            print(f"step {step + 1} loss {course.mean_loss:.3f} {said} {time.monotonic() - start:.0f} s", flush=True)
            torch.save(course.steady.state_dict(), args.out.with_suffix(".pt"))
    told = told_by(course.steady, held["crops"])
    asked = held["labels"] != NOT_ASKED
    temperature = temperature_of(told[asked, :_VALUES], held["labels"][asked])
    kept = folded(course.steady)
    with torch.no_grad():
        kept[-1].weight[:_VALUES] /= temperature
        kept[-1].bias[:_VALUES] /= temperature
    torch.onnx.export(
        kept, (torch.zeros(1, 3, 48, 48),), str(args.out), input_names=["crop"], output_names=["told"],
        dynamic_axes={"crop": {0: "n"}, "told": {0: "n"}}, opset_version=13, dynamo=False,
    )  # fmt: skip
    print(f"temperature {temperature:.3f}; wrote {args.out}")


if __name__ == "__main__":
    main()
