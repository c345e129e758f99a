"""Train the network of `vision.lean`: `python scripts/train/train_lean.py DATA... --check HELD_OUT --out WEIGHTS.onnx`.

Room: none; a tool for whoever trains. Knows wide crops, drops and `vision.lean.normalise`; not the reader. Needs torch
and onnx, which the program itself never does. The net says a drop and how far off it may be: the likelihood is that of
a Laplace distribution with one width for both axes.
"""

from __future__ import annotations

import argparse
import copy
import sys
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from train import block, folded, follow

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
    xs, vs = [], []
    for k, (part, drop) in enumerate(zip(crops.chunk(8), drops.chunk(8), strict=True)):
        part = torch.rot90(part, k % 4, (2, 3))
        for _ in range(k % 4):  # rot90 turns x, y to y, -x in a picture whose y goes down
            drop = torch.stack([drop[:, 1], -drop[:, 0]], 1)
        if k >= 4:
            part, drop = part.flip(3), drop * torch.tensor([-1.0, 1.0])
        xs.append(part)
        vs.append(drop)
    x, v = torch.cat(xs), torch.cat(vs)
    count = len(x)

    def some(share: float) -> torch.Tensor:
        # What is done to a few is computed for these only: that is most of the time a batch takes.
        return torch.nonzero(torch.rand(count, generator=gen) < share)[:, 0]

    def amount(rows: torch.Tensor) -> torch.Tensor:
        return torch.rand(len(rows), 1, 1, 1, generator=gen)

    rows = some(0.5)
    mix = torch.eye(3) + 0.25 * torch.randn(len(rows), 3, 3, generator=gen)
    x[rows] = torch.bmm(mix, x[rows].flatten(2)).view(-1, *x.shape[1:])
    rows = some(0.15)
    x[rows] = x[rows].mean(1, keepdim=True).expand(-1, 3, -1, -1)
    rows = some(0.25)
    soft = nn.functional.avg_pool2d(nn.functional.pad(x[rows], (1, 1, 1, 1), mode="replicate"), 3, 1)
    x[rows] = torch.lerp(x[rows], soft, amount(rows))
    rows = some(0.3)
    x[rows] += 0.3 * amount(rows) * torch.randn(x[rows].shape, generator=gen)
    rows = some(0.3)
    slope = torch.linspace(-1, 1, 64).view(1, 1, 64, 1)
    x[rows] += 0.4 * torch.randn(len(rows), 1, 1, 1, generator=gen) * slope
    return x * torch.exp(0.15 * torch.randn(count, 1, 1, 1, generator=gen)), v


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
    if args.go_on:
        model.load_state_dict(torch.load(args.go_on))
    steady = copy.deepcopy(model)
    optimiser = torch.optim.AdamW(model.parameters(), weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, args.rate, args.steps, pct_start=0.15)
    start, mean_loss = time.monotonic(), 0.0
    for step in range(args.steps):
        model.train()
        chosen = rng.integers(0, len(wide), args.batch)
        x, v = augment(torch.from_numpy(normalise(wide[chosen])), torch.from_numpy(drops[chosen]), gen)
        loss = loss_of(model(x), v)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        mean_loss = 0.98 * mean_loss + 0.02 * loss.item()
        follow(steady, model, step)
        if step % 500 == 499 or step == args.steps - 1:
            told = told_by(steady, held["wide"])
            off = np.linalg.norm(told[:, :2] - held["drops"], axis=1)
            sure = told[:, 2] < np.log(0.08)
            print(
                f"step {step + 1} loss {mean_loss:.3f} held out: off {off.mean():.3f}, nine in ten under"
                f" {np.quantile(off, 0.9):.3f}; sure {sure.mean():.2f}, of these {off[sure].mean():.3f},"
                f" {np.quantile(off[sure], 0.98):.3f} {time.monotonic() - start:.0f} s",
                flush=True,
            )
            torch.save(steady.state_dict(), args.out.with_suffix(".pt"))
    torch.onnx.export(
        folded(steady, 1.0), (torch.zeros(1, 3, 64, 64),), str(args.out), input_names=["crop"], output_names=["drop"],
        dynamic_axes={"crop": {0: "n"}, "drop": {0: "n"}}, opset_version=13, dynamo=False,
    )  # fmt: skip
    print(f"wrote {args.out}")


if __name__ == "__main__":
    main()
