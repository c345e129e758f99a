"""Find pips: round spots of either polarity and any colour, with their ellipse.

Room: vision. Knows spots only: no faces, no dice, no tray.

Method: spots are maxima of differences of Gaussians over the strongest colour channel, both polarities, on an image
pyramid. Each is then checked by radial symmetry: along rays from its centre the step from the spot's colour to the
colour around it is looked for, and an ellipse is fitted to the steps. Rays that glare or a neighbour spoils are
outvoted by the others.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

RAYS = 20
_STEPS = 18
_ANGLES = np.arange(RAYS, dtype=np.float32) * np.float32(2 * np.pi / RAYS)
_COS, _SIN = np.cos(_ANGLES), np.sin(_ANGLES)
_COS2, _SIN2 = np.cos(2 * _ANGLES), np.sin(2 * _ANGLES)
_RADII = np.linspace(0.2, 2.0, _STEPS, dtype=np.float32)
_STEP = float(_RADII[1] - _RADII[0])
_INNER = (_RADII > 0.15) & (_RADII < 0.7)
_OUTER = (_RADII > 1.3) & (_RADII < 1.8)

SPOT_RADII_PX = (2.0, 2.52, 3.18)
"""Radii looked for in each octave of the pyramid, in pixels of that octave."""


@dataclass(slots=True)
class Pips:
    """Spots, one row each. Lengths in pixels of the picture that was searched.

    `x`, `y` centre; `r` radius (geometric mean of the half axes); `shape` n x 2 x 2, symmetric, determinant 1: it maps
    the unit circle to the ellipse of area pi; `bright` is 1 where the spot is lighter than what surrounds it, else 0;
    `round` share of rays that agree, 0 to 1; `step` contrast in grey levels; `inner`, `outer` n x 3 BGR.
    """

    x: Floats
    y: Floats
    r: Floats
    shape: Floats
    bright: Floats
    round: Floats
    step: Floats
    inner: Floats
    outer: Floats

    def __len__(self) -> int:
        return len(self.x)

    def take(self, index: npt.NDArray[np.generic]) -> Pips:
        """The rows that `index` (mask or positions) names."""
        return Pips(*(getattr(self, f.name)[index] for f in fields(self)))

    @staticmethod
    def join(parts: list[Pips]) -> Pips:
        """All rows of `parts`, one after the other."""
        return Pips(*(np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(Pips)))


def pyramid(image: npt.NDArray[np.uint8], least_px: int = 24) -> list[npt.NDArray[np.uint8]]:
    """`image` and its halves, until a side falls under `least_px`."""
    levels = [image]
    while min(levels[-1].shape[:2]) >= 2 * least_px and len(levels) < 8:
        height, width = levels[-1].shape[:2]
        levels.append(cv2.resize(levels[-1], ((width + 1) // 2, (height + 1) // 2), interpolation=cv2.INTER_AREA))  # type: ignore[arg-type]
    return levels


def find_pips(
    levels: list[npt.NDArray[np.uint8]], threshold: float = 6.0, radius_px: tuple[float, float] | None = None
) -> Pips:
    """Find the round spots in a pyramid of BGR pictures; `radius_px` bounds the radii looked for (full-size pixels)."""
    low, high = radius_px or (1.6, 0.2 * min(levels[0].shape[:2]))
    parts = []
    for octave, level in enumerate(levels):
        zoom = float(2**octave)
        radii = [r for r in SPOT_RADII_PX if low / 1.2 <= r * zoom <= high * 1.2]
        if not radii:
            continue
        x, y, r, bright = _spots(level, radii, threshold)
        if not len(x):
            continue
        pips = _fit(level, x, y, r, bright)
        ok = (pips.r > 1.3) & (pips.r < 6.0)
        pips = pips.take(ok)
        pips.x = (pips.x + 0.5) * zoom - 0.5
        pips.y = (pips.y + 0.5) * zoom - 0.5
        pips.r = pips.r * zoom
        parts.append(pips)
    if not parts:
        return _none()
    return _distinct(Pips.join(parts))


def _none() -> Pips:
    zero = np.zeros(0, np.float32)
    return Pips(
        zero, zero, zero, np.zeros((0, 2, 2), np.float32), zero, zero, zero,
        np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32),
    )  # fmt: skip


def _spots(
    level: npt.NDArray[np.uint8], radii: list[float], threshold: float, most: int = 2500
) -> tuple[Floats, Floats, Floats, Floats]:
    """Maxima of the differences of Gaussians: x, y, radius, bright (1 or 0)."""
    found: list[tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], float, int, npt.NDArray[np.uint8]]] = []
    for r in radii:
        sigma = r / 1.414 / 1.27
        near = cv2.GaussianBlur(level, (0, 0), sigma)
        far = cv2.GaussianBlur(level, (0, 0), 1.9 * sigma)
        for bright in (0, 1):
            response = cv2.subtract(near, far) if bright else cv2.subtract(far, near)
            blue, green, red = cv2.split(response)
            top = cv2.max(cv2.max(blue, green), red)
            size = 2 * round(0.6 * r) + 1
            peak = cv2.dilate(top, np.ones((size, size), np.uint8))
            ys, xs = np.nonzero((top == peak) & (top >= threshold))
            found.append((xs, ys, r, bright, top[ys, xs]))
    strength = np.concatenate([f[4] for f in found])
    x = np.concatenate([f[0] for f in found]).astype(np.float32)
    y = np.concatenate([f[1] for f in found]).astype(np.float32)
    r_all = np.concatenate([np.full(len(f[0]), f[2], np.float32) for f in found])
    bright_all = np.concatenate([np.full(len(f[0]), f[3], np.float32) for f in found])
    if len(x) > most:
        keep = np.argsort(-strength.astype(np.float32), kind="stable")[:most]
        x, y, r_all, bright_all = x[keep], y[keep], r_all[keep], bright_all[keep]
    return x, y, r_all, bright_all


def _fit(level: npt.NDArray[np.uint8], x: Floats, y: Floats, r: Floats, bright: Floats) -> Pips:
    """Centre, ellipse and quality of each spot by its rays; two passes, the second from the first's result."""
    x, y, r, bright = x.copy(), y.copy(), r.copy(), bright.copy()
    shape = np.tile(np.eye(2, dtype=np.float32), (len(x), 1, 1))
    last = 2
    for turn in range(last + 1):
        edge, good, step, inner, outer = _rays(level, x, y, r, shape)
        weight = good.astype(np.float32)
        # Centre: first harmonic of the edge's distance, in the ellipse's own frame.
        total = weight.sum(1) + 1e-3
        model = (edge * weight).sum(1) / total
        for _ in range(2):
            near = np.abs(edge - model[:, None]) < 0.3 * model[:, None]
            w = weight * near
            model = (edge * w).sum(1) / (w.sum(1) + 1e-3)
        w = weight * (np.abs(edge - model[:, None]) < 0.3 * model[:, None])
        share = w.sum(1) / RAYS
        alive = (share >= (0.45, 0.5, 0.5)[turn]) & (step >= 6)
        # A spot must be one sort: the step's sign in brightness agrees with what was looked for, or colour decides.
        if turn == last:
            break
        dx = 2 * (edge * w * _COS).sum(1) / (w.sum(1) + 1e-3)
        dy = 2 * (edge * w * _SIN).sum(1) / (w.sum(1) + 1e-3)
        limit = 0.4 * model
        dx, dy = np.clip(dx, -limit, limit), np.clip(dy, -limit, limit)
        shift = np.einsum("nij,nj->ni", shape, np.stack([dx, dy], 1)) * r[:, None]
        # Second harmonic of 1/rho^2 is exactly the ellipse.
        rho = np.clip(edge - dx[:, None] * _COS - dy[:, None] * _SIN, 0.3, 3.0)
        inverse = 1.0 / rho**2
        a, b, c = _harmonics(inverse, w)
        size = np.hypot(b, c)
        clip = np.minimum(1.0, 0.6 * a / (size + 1e-6))
        b, c = b * clip, c * clip
        # Half axes in the frame: matrix [[a+b, c], [c, a-b]] is the inverse square of the shape.
        inv = np.stack([np.stack([a + b, c], 1), np.stack([c, a - b], 1)], 1)
        det = np.maximum(a * a - b * b - c * c, 1e-6)
        local = _inverse_root(inv)
        scale = det ** (-0.25)
        shape = np.einsum("nij,njk->nik", shape, local / scale[:, None, None])
        shape = _symmetric(shape)
        x, y, r = x + shift[:, 0], y + shift[:, 1], r * scale
        keep = alive & (r > 1.1) & (r < 7)
        x, y, r, bright, shape = x[keep], y[keep], r[keep], bright[keep], shape[keep]
        if not len(x):
            return _none()
    lighter = (inner.mean(1) > outer.mean(1)).astype(np.float32)
    pips = Pips(
        x.astype(np.float32), y.astype(np.float32), (r * model).astype(np.float32), shape.astype(np.float32), lighter,
        share.astype(np.float32), step.astype(np.float32), inner, outer,
    )  # fmt: skip
    aspect_ok = _aspect(shape) > 0.25
    return pips.take(alive & aspect_ok)


def _rays(
    level: npt.NDArray[np.uint8], x: Floats, y: Floats, r: Floats, shape: Floats
) -> tuple[Floats, npt.NDArray[np.bool_], Floats, Floats, Floats]:
    """Along each ray: where the step is (in radii), whether it is a good one; and step, inner and outer colour."""
    unit = np.einsum("nij,jk->nik", shape, np.stack([_COS, _SIN])) * r[:, None, None]  # n x 2 x rays
    px = (x[:, None, None] + unit[:, 0, :, None] * _RADII).reshape(len(x), -1)
    py = (y[:, None, None] + unit[:, 1, :, None] * _RADII).reshape(len(x), -1)
    values = sample(level, px, py).reshape(len(x), RAYS, _STEPS, 3)
    inner = np.median(values[:, :, _INNER].reshape(len(x), -1, 3)[:, ::3], axis=1)
    outer = np.median(values[:, :, _OUTER].reshape(len(x), -1, 3)[:, ::2], axis=1)
    axis = outer - inner
    step = np.sqrt((axis**2).sum(1) + 1e-6)
    grey = np.einsum("nrsc,nc->nrs", values - inner[:, None, None], axis / (step**2)[:, None])
    slope = grey[:, :, 2:] - grey[:, :, :-2]
    # Prefer the step nearest to the radius expected: neighbours and borders of the face lie further out.
    favour = np.exp(-0.5 * ((_RADII[1:-1] - 1.0) / 0.45) ** 2).astype(np.float32)
    weighted = slope * favour
    at = weighted.argmax(2)
    best = np.take_along_axis(slope, at[:, :, None], 2)[:, :, 0]
    left = np.take_along_axis(slope, np.maximum(at - 1, 0)[:, :, None], 2)[:, :, 0]
    right = np.take_along_axis(slope, np.minimum(at + 1, _STEPS - 3)[:, :, None], 2)[:, :, 0]
    curve = left - 2 * best + right
    offset = np.where(np.abs(curve) > 1e-4, 0.5 * (left - right) / np.where(np.abs(curve) > 1e-4, curve, 1), 0)
    edge = _RADII[1:-1][at] + np.clip(offset, -0.5, 0.5) * _STEP
    return edge.astype(np.float32), best > 0.22, step, inner, outer


def sample(level: npt.NDArray[np.uint8], px: Floats, py: Floats) -> Floats:
    """Colours at (px, py), any 2-D shape, bilinear, the border repeated: shape + (3,), float32."""
    rows, columns = px.shape
    if rows == 0:
        return np.zeros((0, columns, level.shape[2]), np.float32)
    out = np.empty((rows, columns, level.shape[2]), np.float32)
    # remap takes pictures under 32767 on a side.
    for start in range(0, rows, 30000):
        stop = start + 30000
        out[start:stop] = cv2.remap(
            level, px[start:stop].astype(np.float32), py[start:stop].astype(np.float32), cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )  # fmt: skip
    return out


def _harmonics(value: Floats, weight: Floats) -> tuple[Floats, Floats, Floats]:
    """Weighted least squares of value = a + b cos 2t + c sin 2t, row by row."""
    basis = np.stack([np.ones(RAYS, np.float32), _COS2, _SIN2], 1)
    normal = np.einsum("nr,ri,rj->nij", weight, basis, basis) + 0.3 * np.eye(3, dtype=np.float32)
    mean = (value * weight).sum(1) / (weight.sum(1) + 1e-3)
    right = np.einsum("nr,ri->ni", weight * (value - mean[:, None]), basis)
    solved = np.linalg.solve(normal, right[:, :, None])[:, :, 0]
    return np.maximum(mean + solved[:, 0], 1e-3), solved[:, 1], solved[:, 2]


def _inverse_root(m: Floats) -> Floats:
    """Inverse square root of symmetric positive 2 x 2 matrices."""
    values, vectors = np.linalg.eigh(m)
    return np.einsum("nij,nj,nkj->nik", vectors, 1 / np.sqrt(np.maximum(values, 1e-4)), vectors).astype(np.float32)


def _symmetric(m: Floats) -> Floats:
    """The symmetric factor of each matrix (its ellipse, freed from rotation), with determinant 1."""
    square = np.einsum("nij,nkj->nik", m, m)
    values, vectors = np.linalg.eigh(square)
    values = np.sqrt(np.maximum(values, 1e-6))
    values = values / np.sqrt(values[:, :1] * values[:, 1:])
    return np.einsum("nij,nj,nkj->nik", vectors, values, vectors).astype(np.float32)


def _aspect(shape: Floats) -> Floats:
    values = np.linalg.eigvalsh(shape)
    return values[:, 0] / values[:, 1]


def _distinct(pips: Pips) -> Pips:
    """Of spots that lie on each other, the best."""
    order = np.argsort(-(pips.round * np.minimum(pips.step, 60) ** 0.25), kind="stable")
    pips = pips.take(order)
    kept = np.ones(len(pips), bool)
    cell: dict[tuple[int, int], list[int]] = {}
    size = 16.0
    for i in range(len(pips)):
        x, y, r = float(pips.x[i]), float(pips.y[i]), float(pips.r[i])
        reach = max(1, int(0.6 * r / size) + 1)
        cx, cy = int(x / size), int(y / size)
        clash = False
        for gx in range(cx - reach, cx + reach + 1):
            for gy in range(cy - reach, cy + reach + 1):
                for j in cell.get((gx, gy), ()):
                    gap = (pips.x[j] - x) ** 2 + (pips.y[j] - y) ** 2
                    if gap < (0.6 * min(r, pips.r[j])) ** 2 and 0.5 < pips.r[j] / r < 2.0:
                        clash = True
                        break
                if clash:
                    break
            if clash:
                break
        if clash:
            kept[i] = False
        else:
            cell.setdefault((cx, cy), []).append(i)
    return pips.take(kept)
