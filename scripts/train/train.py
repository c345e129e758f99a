"""Train the second witness on made crops: `python scripts/train/train.py DATA... --check HELD_OUT --out WEIGHTS.onnx`.

Room: none; a tool for whoever trains. Knows crops, labels and `vision.witness.normalise`; not the reader. Needs torch
and onnx, which the program itself never does. Fixed seeds: the same crops, steps and version of torch give the same
weights on the same kind of processor.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import torch
from course import Course, block, few, folded, roughened
from torch import nn

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from vision.witness import normalise


def network() -> nn.Sequential:
    """64 x 64 grey to 7 logits: 108,000 weights, 5.4 million multiplications a crop.

    The first layer looks at 8 x 8 pixels, about one pip of a face 48 pixels wide, every 4 pixels: half the time of two
    small layers, and the pips' places are kept as fine as a tight six needs.
    """
    return nn.Sequential(
        *block(1, 24, 8, 4, 2),
        *block(24, 32, 3, 1, 1),
        *block(32, 48, 3, 2, 1),
        *block(48, 64, 3, 1, 1),
        *block(64, 64, 3, 2, 1),
        nn.Flatten(),
        nn.Dropout(0.1),
        nn.Linear(64 * 4 * 4, 7),
    )


def load(paths: list[Path]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    parts = [np.load(p) for p in paths]
    crops, labels, kinds = (np.concatenate([p[k] for p in parts]) for k in ("crops", "labels", "kinds"))
    return crops, labels, kinds


def augment(crops: torch.Tensor, gen: torch.Generator) -> torch.Tensor:
    """Turn, mirror, invert, soften and roughen a batch of normalised crops."""
    parts = [torch.rot90(part, k % 4, (2, 3)) for k, part in enumerate(crops.chunk(8))]
    parts = [part.flip(3) if k >= 4 else part for k, part in enumerate(parts)]
    x = torch.cat(parts)
    rows = few(len(x), 0.12, gen)
    x[rows] = -x[rows]
    return roughened(x, 0.2, gen)


def batches(labels: np.ndarray, kinds: np.ndarray, size: int, steps: int, seed: int, none_share: float):
    """Indices for each step, `none_share` of them without a face, the hard kinds among those as often as the rest."""
    rng = np.random.default_rng(seed)
    weight = np.zeros(len(labels))
    for value in range(1, 7):
        weight[labels == value] = (1 - none_share) / 6 / max(1, (labels == value).sum())
    none = [k for k in np.unique(kinds) if k > 0]
    # Kinds by their number in `generate.KINDS`: hidden ones are few, odd ones and sides hard, found ones what matters.
    share = {k: {2: 0.4, 1: 1.5, 6: 1.5, 9: 3.0}.get(int(k), 1.0) for k in none}
    for k in none:
        weight[kinds == k] = none_share * share[k] / sum(share.values()) / (kinds == k).sum()
    ladder = np.cumsum(weight) / weight.sum()
    for _ in range(steps):
        yield np.searchsorted(ladder, rng.random(size)).clip(0, len(ladder) - 1)


@torch.no_grad()
def logits_of(model: nn.Module, crops: np.ndarray) -> np.ndarray:
    model.eval()
    return np.concatenate(
        [model(torch.from_numpy(normalise(part))).numpy() for part in np.array_split(crops, len(crops) // 512 + 1)]
    )


def temperature_of(logits: np.ndarray, labels: np.ndarray) -> float:
    """The divisor of the logits that makes the held-out crops most likely."""
    scores, truth = torch.from_numpy(logits), torch.from_numpy(labels.astype(np.int64))
    grid = np.exp(np.linspace(np.log(0.5), np.log(3), 80))
    return float(min(grid, key=lambda t: float(nn.functional.cross_entropy(scores / t, truth))))


def export(model: nn.Sequential, path: Path) -> None:
    torch.onnx.export(
        model, (torch.zeros(1, 1, 64, 64),), str(path), input_names=["crop"], output_names=["logits"],
        dynamic_axes={"crop": {0: "n"}, "logits": {0: "n"}}, opset_version=13, dynamo=False,
    )  # fmt: skip


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("data", type=Path, nargs="+")
    ap.add_argument("--check", type=Path, required=True, help="held-out crops, for temperature and figures")
    ap.add_argument("--out", type=Path, required=True)
    ap.add_argument("--go-on", type=Path, help="a .pt file of an earlier run to start from")
    ap.add_argument("--steps", type=int, default=6000)
    ap.add_argument("--batch", type=int, default=128)
    ap.add_argument("--rate", type=float, default=3e-3)
    ap.add_argument("--none-share", type=float, default=0.45)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--threads", type=int, default=1)
    args = ap.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    gen = torch.Generator().manual_seed(args.seed)
    crops, labels, kinds = load(args.data)
    held, held_labels, _ = load([args.check])
    print(f"{len(crops)} crops to learn from, {len(held)} held out", flush=True)
    model = network()
    course = Course(model, args.rate, args.steps, args.go_on)
    start = time.monotonic()
    for step, chosen in enumerate(batches(labels, kinds, args.batch, args.steps, args.seed, args.none_share)):
        model.train()
        x = augment(torch.from_numpy(normalise(crops[chosen])), gen)
        # `augment` keeps the order of the batch.
        loss = nn.functional.cross_entropy(model(x), torch.from_numpy(labels[chosen].astype(np.int64)))
        course.learn(loss)
        if step % 500 == 499:
            right = (logits_of(course.steady, held[::4]).argmax(1) == held_labels[::4]).mean()
            took_s = time.monotonic() - start
            print(f"step {step + 1} loss {course.mean_loss:.3f} held-out right {right:.4f} {took_s:.0f} s", flush=True)
            torch.save(course.steady.state_dict(), args.out.with_suffix(".pt"))
    logits = logits_of(course.steady, held)
    temperature = temperature_of(logits, held_labels)
    export(folded(course.steady, temperature), args.out)
    print(f"temperature {temperature:.3f}; wrote {args.out}")


if __name__ == "__main__":
    main()
