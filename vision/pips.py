"""Find pips: round spots of either polarity and any colour, with their ellipse.

Room: vision. Knows spots only: no faces, no dice, no tray.

Method: spots are maxima of centre minus surround (differences of boxes, as in CenSurE: Agrawal et al. 2008) over the
strongest colour channel, both polarities, on an image pyramid. Each is then checked by radial symmetry: along rays from
its centre the step from the spot's colour to the colour around it is looked for, and an ellipse is fitted to the steps.
Rays that glare or a neighbour spoils are outvoted by the others.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Star:
    """Where rays are sampled: directions and distances (in radii)."""

    cosine: Floats
    sine: Floats
    radii: Floats

    @property
    def rays(self) -> int:
        return len(self.cosine)


def _star(rays: int, low: float, high: float, steps: int) -> _Star:
    angle = np.arange(rays, dtype=np.float32) * np.float32(2 * np.pi / rays)
    return _Star(np.cos(angle), np.sin(angle), np.linspace(low, high, steps, dtype=np.float32))


_COARSE = _star(12, 0.25, 1.95, 11)
_FINE = _star(18, 0.2, 1.97, 16)

SPOT_RADII_PX = (2.0, 2.52, 3.18)
"""Radii looked for in each octave of the pyramid but the first, in pixels of that octave."""

MOST_PIPS = 1000

SMALLEST_SPOT_PX = 1.4
"""The smallest radius looked for, in pixels of the second octave: 2.8 in the picture itself, a die of about 28."""


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
    if not levels:
        return _none()
    low, high = radius_px or (1.6, 0.2 * min(levels[0].shape[:2]))
    parts = []
    for octave in range(1, len(levels)):
        # Spots are found on halves and measured one level finer, where thin rims between pip and edge survive.
        found_in = 2.0**octave
        zoom = found_in / 2
        wanted = SPOT_RADII_PX if octave > 1 else (SMALLEST_SPOT_PX, *SPOT_RADII_PX)
        radii = [r for r in wanted if low / 1.2 <= r * found_in <= high * 1.2]
        if not radii:
            continue
        x, y, r, channel = _spots(levels[octave], radii, threshold)
        if not len(x):
            continue
        pips = _fit(levels[octave - 1], 2 * x + 0.5, 2 * y + 0.5, 2 * r, channel)
        pips = pips.take(pips.r > 1.3)
        pips.x = (pips.x + 0.5) * zoom - 0.5
        pips.y = (pips.y + 0.5) * zoom - 0.5
        pips.r = pips.r * zoom
        parts.append(pips)
    if not parts:
        return _none()
    pips = _distinct(Pips.join(parts))
    # Texture can hold thousands of spots; pairs of them are looked at, so their number must be bounded.
    return pips.take(np.arange(min(len(pips), MOST_PIPS)))


def _none() -> Pips:
    zero = np.zeros(0, np.float32)
    return Pips(
        zero, zero, zero, np.zeros((0, 2, 2), np.float32), zero, zero, zero,
        np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32),
    )  # fmt: skip


def _spots(
    level: npt.NDArray[np.uint8], radii: list[float], threshold: float, most: int = 1600
) -> tuple[Floats, Floats, Floats, npt.NDArray[np.intp]]:
    """Maxima of centre minus surround: x, y, radius, and the colour channel that shows them best."""
    planes = [np.ascontiguousarray(level[:, :, c]) for c in range(3)]
    tops: list[list[npt.NDArray[np.uint8]]] = [[], []]
    for r in radii:
        small, large = 2 * round(0.55 * r) + 1, 2 * round(1.55 * r) + 1
        best: list[npt.NDArray[np.uint8] | None] = [None, None]
        for plane in planes:
            near, far = cv2.blur(plane, (small, small)), cv2.blur(plane, (large, large))
            for bright, response in ((0, cv2.subtract(far, near)), (1, cv2.subtract(near, far))):
                top = best[bright]
                best[bright] = response if top is None else cv2.max(top, response)  # type: ignore[assignment]
        tops[0].append(best[0])  # type: ignore[arg-type]
        tops[1].append(best[1])  # type: ignore[arg-type]
    parts = []
    for bright in (0, 1):
        for n, r in enumerate(radii):
            top = tops[bright][n]
            size = 2 * round(0.6 * r) + 1
            peak = cv2.dilate(top, np.ones((size, size), np.uint8))
            mask = cv2.bitwise_and(
                cv2.compare(top, peak, cv2.CMP_EQ), cv2.compare(top, np.full_like(top, threshold), cv2.CMP_GE)
            )
            at = cv2.findNonZero(mask)
            if at is None:
                continue
            xs, ys = at.reshape(-1, 2).T  # OpenCV 4 and 5 give other shapes
            strength = top[ys, xs]
            keep = np.ones(len(ys), bool)
            for other in (n - 1, n + 1):
                if 0 <= other < len(radii):
                    keep &= strength >= 0.8 * tops[bright][other][ys, xs]
            xs, ys, strength = xs[keep], ys[keep], strength[keep]
            channel = _contrast_channel(planes, xs.astype(np.intp), ys.astype(np.intp), r)
            parts.append(np.stack([xs, ys, np.full(len(xs), r, np.float32), channel, strength]))
    if not parts:
        return (*(np.zeros(0, np.float32) for _ in range(3)), np.zeros(0, np.intp))  # type: ignore[return-value]
    found = np.concatenate(parts, 1).astype(np.float32)
    if found.shape[1] > most:
        found = found[:, np.argsort(-found[4], kind="stable")[:most]]
    return found[0], found[1], found[2], found[3].astype(np.intp)


def _contrast_channel(
    planes: list[npt.NDArray[np.uint8]], xs: npt.NDArray[np.intp], ys: npt.NDArray[np.intp], r: float
) -> npt.NDArray[np.intp]:
    """Which channel differs most between a spot's middle and four points just outside it."""
    height, width = planes[0].shape
    reach = round(1.6 * r)
    left, right = np.maximum(xs - reach, 0), np.minimum(xs + reach, width - 1)
    above, below = np.maximum(ys - reach, 0), np.minimum(ys + reach, height - 1)
    change = [
        np.abs(4.0 * p[ys, xs] - p[ys, left] - p[ys, right] - p[above, xs] - p[below, xs]) for p in planes
    ]  # fmt: skip
    return np.asarray(np.argmax(change, axis=0), np.intp)


def _fit(level: npt.NDArray[np.uint8], x: Floats, y: Floats, r: Floats, channel: npt.NDArray[np.intp] | None) -> Pips:
    """Centre, ellipse and quality of each spot by its rays: a coarse look at all, then a finer one at the good ones."""
    shape = np.tile(np.eye(2, dtype=np.float32), (len(x), 1, 1))
    for star, least, last in ((_COARSE, 0.5, False), (_FINE, 0.55, False), (_FINE, 0.65, True)):
        if not len(x):
            return _none()
        edge, good, step, inner, outer = _rays(level, star, x, y, r, shape, channel)
        channel = None
        weight = good.astype(np.float32)
        model = (edge * weight).sum(1) / (weight.sum(1) + 1e-3)
        dx = dy = np.zeros_like(model)
        for _ in range(2):
            wanted = model[:, None] + dx[:, None] * star.cosine + dy[:, None] * star.sine
            w = weight * (np.abs(edge - wanted) < 0.3 * model[:, None])
            model, dx, dy = _circle(edge, w, star)
        wanted = model[:, None] + dx[:, None] * star.cosine + dy[:, None] * star.sine
        w = weight * (np.abs(edge - wanted) < 0.3 * model[:, None])
        share = w.sum(1) / star.rays
        alive = (share >= least) & (step >= 6) & (model > 0.3)
        if last:
            # The strongest channel decides: mean brightness is a toss-up for green pips on purple.
            change = inner - outer
            lighter = change[np.arange(len(x)), np.abs(change).argmax(1)] > 0
            pips = Pips(
                x.astype(np.float32), y.astype(np.float32), (r * model).astype(np.float32), shape.astype(np.float32),
                lighter.astype(np.float32), share.astype(np.float32), step.astype(np.float32), inner, outer,
            )  # fmt: skip
            return pips.take(alive & (_aspect(shape) > 0.25))
        limit = 0.5 * model
        dx, dy = np.clip(dx, -limit, limit), np.clip(dy, -limit, limit)
        shift = (shape @ np.stack([dx, dy], 1)[:, :, None])[:, :, 0] * r[:, None]
        # The second harmonic of 1/distance^2 is exactly the ellipse.
        distance = np.clip(edge - dx[:, None] * star.cosine - dy[:, None] * star.sine, 0.3, 3.0)
        a, b, c = _harmonics(1.0 / distance**2, w, star)
        size = np.hypot(b, c)
        clip = np.minimum(1.0, 0.6 * a / (size + 1e-6))
        b, c = b * clip, c * clip
        inverse_square = np.stack([np.stack([a + b, c], 1), np.stack([c, a - b], 1)], 1)
        scale = np.maximum(a * a - b * b - c * c, 1e-6) ** (-0.25)
        local = _inverse_root(inverse_square) / scale[:, None, None]
        shape = _symmetric(shape @ local)
        x, y, r = x + shift[:, 0], y + shift[:, 1], r * scale
        keep = alive & (r > 1.1) & (r < 16)
        x, y, r, shape = x[keep], y[keep], r[keep], shape[keep]
    return _none()


def _circle(edge: Floats, weight: Floats, star: _Star) -> tuple[Floats, Floats, Floats]:
    """Weighted least squares of edge = model + dx cos + dy sin, row by row; a little ridge on the shift."""
    basis = np.stack([np.ones_like(star.cosine), star.cosine, star.sine], 1)
    normal = weight @ (basis[:, :, None] * basis[:, None, :]).reshape(len(basis), 9)
    normal = normal.reshape(-1, 3, 3) + np.diag([1e-2, 1.0, 1.0]).astype(np.float32)
    right = (weight * edge) @ basis
    solved = np.linalg.solve(normal, right[:, :, None])[:, :, 0]
    return solved[:, 0], solved[:, 1], solved[:, 2]


def _rays(
    level: npt.NDArray[np.uint8],
    star: _Star,
    x: Floats,
    y: Floats,
    r: Floats,
    shape: Floats,
    channel: npt.NDArray[np.intp] | None,
) -> tuple[Floats, npt.NDArray[np.bool_], Floats, Floats, Floats]:
    """Along each ray: where the step is (in radii), whether it is a good one; and step, inner and outer colour."""
    n, steps = len(x), len(star.radii)
    unit = (shape @ np.stack([star.cosine, star.sine])) * r[:, None, None]
    px = (x[:, None, None] + unit[:, 0, :, None] * star.radii).reshape(n, -1)
    py = (y[:, None, None] + unit[:, 1, :, None] * star.radii).reshape(n, -1)
    if channel is None:
        values = sample(level, px, py)
    else:
        values = np.empty((n, star.rays * steps, 1), np.float32)
        for c in range(3):
            rows = np.nonzero(channel == c)[0]
            if len(rows):
                values[rows] = sample(np.ascontiguousarray(level[:, :, c]), px[rows], py[rows])
    values = values.reshape(n, star.rays, steps, -1)
    within = (star.radii > 0.15) & (star.radii < 0.7)
    around = (star.radii > 1.3) & (star.radii < 1.8)
    # Medians of means along each ray: glare spoils some rays, a neighbour some others.
    inner = np.median(values[:, :, within].mean(2), axis=1)
    outer = np.median(values[:, :, around].mean(2), axis=1)
    axis = outer - inner
    step = np.sqrt((axis**2).sum(1) + 1e-6)
    grey = (values.reshape(n, star.rays * steps, -1) @ (axis / (step**2)[:, None])[:, :, None]).reshape(
        n, star.rays, steps
    )
    slope = grey[:, :, 2:] - grey[:, :, :-2]
    # Prefer the step nearest to the radius expected: neighbours and borders of the face lie further out.
    middle = star.radii[1:-1]
    favour = np.exp(-0.5 * ((middle - 1.0) / 0.45) ** 2).astype(np.float32)
    at = (slope * favour).argmax(2)[:, :, None]
    best = np.take_along_axis(slope, at, 2)[:, :, 0]
    left = np.take_along_axis(slope, np.maximum(at - 1, 0), 2)[:, :, 0]
    right = np.take_along_axis(slope, np.minimum(at + 1, steps - 3), 2)[:, :, 0]
    curve = np.minimum(left - 2 * best + right, -1e-4)
    offset = np.clip(0.5 * (left - right) / curve, -0.5, 0.5)
    edge = middle[at[:, :, 0]] + offset * (star.radii[1] - star.radii[0])
    return edge.astype(np.float32), best > 0.22, step, inner, outer


def sample(level: npt.NDArray[np.uint8], px: Floats, py: Floats) -> Floats:
    """Colours at (px, py), any 2-D shape, bilinear, the border repeated: shape + (3,), float32."""
    rows, columns = px.shape
    depth = level.shape[2] if level.ndim == 3 else 1
    out = np.empty((rows, columns, depth), np.float32)
    # remap takes pictures under 32767 on a side.
    for start in range(0, rows, 30000):
        stop = start + 30000
        got = cv2.remap(
            level, px[start:stop].astype(np.float32), py[start:stop].astype(np.float32), cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )  # fmt: skip
        out[start:stop] = got.reshape(*got.shape[:2], depth)
    return out


def _harmonics(value: Floats, weight: Floats, star: _Star) -> tuple[Floats, Floats, Floats]:
    """Weighted least squares of value = a + b cos 2t + c sin 2t, row by row."""
    double = star.cosine**2 - star.sine**2, 2 * star.cosine * star.sine
    basis = np.stack([np.ones_like(star.cosine), *double], 1)
    normal = weight @ (basis[:, :, None] * basis[:, None, :]).reshape(len(basis), 9)
    normal = normal.reshape(-1, 3, 3) + 0.3 * np.eye(3, dtype=np.float32)
    mean = (value * weight).sum(1) / (weight.sum(1) + 1e-3)
    right = (weight * (value - mean[:, None])) @ basis
    solved = np.linalg.solve(normal, right[:, :, None])[:, :, 0]
    return np.maximum(mean + solved[:, 0], 1e-3), solved[:, 1], solved[:, 2]


def _inverse_root(m: Floats) -> Floats:
    """Inverse square root of symmetric positive 2 x 2 matrices."""
    values, vectors = np.linalg.eigh(m)
    root: Floats = (vectors / np.sqrt(np.maximum(values, 1e-4))[:, None, :]) @ vectors.transpose(0, 2, 1)
    return root.astype(np.float32)


def _symmetric(m: Floats) -> Floats:
    """The symmetric factor of each matrix (its ellipse, freed from rotation), with determinant 1."""
    square = m @ m.transpose(0, 2, 1)
    values, vectors = np.linalg.eigh(square)
    values = np.sqrt(np.maximum(values, 1e-6))
    values = values / np.sqrt(values[:, :1] * values[:, 1:])
    factor: Floats = (vectors * values[:, None, :]) @ vectors.transpose(0, 2, 1)
    return factor.astype(np.float32)


def _aspect(shape: Floats) -> Floats:
    values = np.linalg.eigvalsh(shape)
    ratio: Floats = values[:, 0] / values[:, 1]
    return ratio


def _distinct(pips: Pips) -> Pips:
    """Of spots of like size that lie on each other, the best."""
    order = np.argsort(-(pips.round * np.minimum(pips.step, 60) ** 0.25), kind="stable")
    pips = pips.take(order)
    kept: list[int] = []
    # Buckets by place and size; the bucket's side grows with the size, so that few buckets are looked at.
    buckets: dict[tuple[int, int, int], list[int]] = {}
    xs, ys, rs = pips.x.tolist(), pips.y.tolist(), pips.r.tolist()
    octaves = np.floor(np.log2(np.maximum(pips.r, 1.0))).astype(int).tolist()
    for i, (x, y, r, octave) in enumerate(zip(xs, ys, rs, octaves, strict=True)):
        clash = False
        for near in (octave - 1, octave, octave + 1):
            side = 2.0 ** (near + 1)
            reach = 0.75 * max(r, side)
            for gx in range(int((x - reach) / side), int((x + reach) / side) + 1):
                for gy in range(int((y - reach) / side), int((y + reach) / side) + 1):
                    for j in buckets.get((near, gx, gy), ()):
                        limit = 0.75 * max(r, rs[j])
                        if (xs[j] - x) ** 2 + (ys[j] - y) ** 2 < limit * limit and 0.6 < rs[j] / r < 1.7:
                            clash = True
                            break
                    if clash:
                        break
                if clash:
                    break
            if clash:
                break
        if not clash:
            kept.append(i)
            side = 2.0 ** (octave + 1)
            buckets.setdefault((octave, int(x / side), int(y / side)), []).append(i)
    return pips.take(np.array(kept, np.intp))
