"""What the trainers of all networks do alike: blocks of layers, roughened pictures, and a course of steps.

Room: none; a tool for whoever trains. Knows torch; no network, no data and no reader.
"""

from __future__ import annotations

import copy
from pathlib import Path

import torch
from torch import nn


def block(inputs: int, outputs: int, kernel: int, stride: int, border: int) -> list[nn.Module]:
    return [nn.Conv2d(inputs, outputs, kernel, stride, border, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()]


class Course:
    """A model in training, and `steady`, the mean of its weights over some 500 steps, which is what is kept.

    `go_on` is a file of weights of an earlier course to start from; gradients longer than `longest` are shortened.
    """

    def __init__(
        self, model: nn.Module, rate: float, steps: int, go_on: Path | None = None, longest: float | None = None
    ) -> None:
        if go_on is not None:
            model.load_state_dict(torch.load(go_on))
        self.model = model
        self.steady = copy.deepcopy(model)
        self.mean_loss = 0.0
        self._longest = longest
        self._step = 0
        self._optimiser = torch.optim.AdamW(model.parameters(), weight_decay=1e-2)
        self._schedule = torch.optim.lr_scheduler.OneCycleLR(self._optimiser, rate, steps, pct_start=0.15)

    def learn(self, loss: torch.Tensor) -> None:
        """One step."""
        self._optimiser.zero_grad()
        loss.backward()
        if self._longest is not None:
            nn.utils.clip_grad_norm_(self.model.parameters(), self._longest)
        self._optimiser.step()
        self._schedule.step()
        self.mean_loss = 0.98 * self.mean_loss + 0.02 * loss.item()
        self._follow()
        self._step += 1

    @torch.no_grad()
    def _follow(self) -> None:
        decay = min(0.998, (1 + self._step) / (10 + self._step))
        for kept, new in zip(self.steady.state_dict().values(), self.model.state_dict().values(), strict=True):
            if kept.dtype.is_floating_point:
                kept.mul_(decay).add_(new, alpha=1 - decay)
            else:
                kept.copy_(new)


def few(count: int, share: float, gen: torch.Generator) -> torch.Tensor:
    """Which of a batch: what is done to a few is computed for these only, or it would be most of a batch's time."""
    return torch.nonzero(torch.rand(count, generator=gen) < share)[:, 0]


def turned(crops: torch.Tensor, drops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Each eighth of a batch of crops turned and mirrored in another way, with its drops."""
    xs, vs = [], []
    for k, (part, drop) in enumerate(zip(crops.chunk(8), drops.chunk(8), strict=True)):
        part = torch.rot90(part, k % 4, (2, 3))
        for _ in range(k % 4):  # rot90 turns x, y to y, -x in a picture whose y goes down
            drop = torch.stack([drop[:, 1], -drop[:, 0]], 1)
        if k >= 4:
            part, drop = part.flip(3), drop * torch.tensor([-1.0, 1.0])
        xs.append(part)
        vs.append(drop)
    return torch.cat(xs), torch.cat(vs)


def recoloured(x: torch.Tensor, share: float, gen: torch.Generator) -> torch.Tensor:
    """Mix the colours of this share of a batch."""
    rows = few(len(x), share, gen)
    mix = torch.eye(3) + 0.25 * torch.randn(len(rows), 3, 3, generator=gen)
    x[rows] = torch.bmm(mix, x[rows].flatten(2)).view(-1, *x.shape[1:])
    return x


def roughened(x: torch.Tensor, soft: float, gen: torch.Generator) -> torch.Tensor:
    """Soften this share of a batch (N x channels x height x width), add noise and slopes of light, change contrast."""

    def amount(rows: torch.Tensor) -> torch.Tensor:
        return torch.rand(len(rows), 1, 1, 1, generator=gen)

    rows = few(len(x), soft, gen)
    blurred = nn.functional.avg_pool2d(nn.functional.pad(x[rows], (1, 1, 1, 1), mode="replicate"), 3, 1)
    x[rows] = torch.lerp(x[rows], blurred, amount(rows))
    rows = few(len(x), 0.3, gen)
    x[rows] += 0.3 * amount(rows) * torch.randn(x[rows].shape, generator=gen)
    rows = few(len(x), 0.3, gen)
    slope = torch.linspace(-1, 1, x.shape[2]).view(1, 1, -1, 1)
    x[rows] += 0.4 * torch.randn(len(rows), 1, 1, 1, generator=gen) * slope
    return x * torch.exp(0.15 * torch.randn(len(x), 1, 1, 1, generator=gen))


def folded(model: nn.Sequential, temperature: float = 1.0) -> nn.Sequential:
    """The same function with batch norm folded into the convolutions and the temperature into the last layer."""
    layers: list[nn.Module] = []
    source = list(model.eval())
    for k, layer in enumerate(source):
        if isinstance(layer, nn.Conv2d) and k + 1 < len(source):
            layers.append(nn.utils.fusion.fuse_conv_bn_eval(layer, source[k + 1]))
        elif isinstance(layer, nn.Linear):
            last = copy.deepcopy(layer)
            last.weight.data /= temperature
            last.bias.data /= temperature
            layers.append(last)
        elif not isinstance(layer, nn.BatchNorm2d | nn.Dropout):
            layers.append(layer)
    return nn.Sequential(*layers).eval()
