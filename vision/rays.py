"""How round a spot is: rays from its centre, the steps that they cross, and the ellipse through those.

Room: vision. Knows pixels and where to look; not what a spot may be. As in the Starburst eye tracker (Li, Winfield and
Parkhurst 2005) edges are searched outwards from a centre; all spots go through together, one column each, since there
are hundreds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.pyramid import Floats, Ids, Pyramid

_CLEAR = 0.22
"""The rise over two samples, as a share of the whole step, from which a ray has an edge."""
_SCALE = 32
"""In what steps a place along a ray is favoured, 1 being so many."""
_PLACES = 16
"""Places along a ray are numbered below this, so that a step and its place fit one number."""

_ELONGATED = 0.25


@dataclass(frozen=True, slots=True)
class _Star:
    """Where rays are sampled: directions and distances (in radii), and sums over directions made ready."""

    cosine: Floats
    sine: Floats
    radii: Floats
    favour: npt.NDArray[np.int32]
    """How much a step at each of the inner distances counts, steps x 1 x 1, in `_PLACES` times `_SCALE`."""
    within: slice
    around: slice
    circle: Floats
    """Rows 1, cos, sin and their six products: what a fit of a shifted circle sums up."""
    double: Floats
    """The same of 1, cos 2t, sin 2t: of an ellipse."""


def _products(a: Floats, b: Floats) -> Floats:
    one = np.ones_like(a)
    return np.stack([one, a, b, a * a, a * b, b * b])


def _star(rays: int, low: float, high: float, steps: int) -> _Star:
    # In double precision first: versions of numpy differ in the cosines of single precision.
    angle = np.arange(rays) * (2 * np.pi / rays)
    cosine, sine = np.cos(angle).astype(np.float32), np.sin(angle).astype(np.float32)
    radii = np.linspace(low, high, steps, dtype=np.float32)
    # Prefer the step nearest to the radius expected: neighbours and borders of the face lie further out.
    favour = _PLACES * np.rint(_SCALE * np.exp(-0.5 * ((radii[1:-1] - 1.0) / 0.45) ** 2)).astype(np.int32)
    within, around = np.nonzero((radii > 0.15) & (radii < 0.7))[0], np.nonzero((radii > 1.3) & (radii < 1.8))[0]
    return _Star(
        cosine, sine, radii, favour[:, None, None], slice(int(within[0]), int(within[-1]) + 1),
        slice(int(around[0]), int(around[-1]) + 1), _products(cosine, sine),
        _products(cosine**2 - sine**2, 2 * cosine * sine),
    )  # fmt: skip


_COARSE = _star(12, 0.25, 1.95, 11)
_FINE = _star(18, 0.2, 1.97, 16)


@dataclass(slots=True)
class Rounds:
    """Spots with their ellipses, one entry each, in pixels of the level that each is looked at in.

    `x`, `y`, `r` as in `Pips`; `a`, `b`, `c` are the entries of its shape, [[a, b], [b, c]], of determinant 1; `layer`
    of the pyramid is where it is seen; `share` of the rays that agree, `step` in grey levels of that layer; `which`
    spot it was.
    """

    x: Floats
    y: Floats
    r: Floats
    a: Floats
    b: Floats
    c: Floats
    layer: Ids
    share: Floats
    step: Floats
    which: Ids

    def __len__(self) -> int:
        return len(self.x)

    def take(self, index: npt.NDArray[np.generic]) -> Rounds:
        """The entries that `index` (mask or positions) names."""
        return Rounds(
            self.x[index], self.y[index], self.r[index], self.a[index], self.b[index], self.c[index],
            self.layer[index], self.share[index], self.step[index], self.which[index],
        )  # fmt: skip


def first_look(pyramid: Pyramid, x: Floats, y: Floats, r: Floats, layer: Ids) -> Rounds:
    """A coarse look at all spots (radius as expected): which are roundish, with a first ellipse."""
    one, zero = np.ones_like(x), np.zeros_like(x)
    spots = Rounds(x, y, r, one, zero, one.copy(), layer, zero, zero, np.arange(len(x)))
    return _look(pyramid, _COARSE, spots, least=0.5, step=6.0)


def close_look(pyramid: Pyramid, spots: Rounds) -> Rounds:
    """A finer one at what a look has left: better ellipses, and fewer spots."""
    return _look(pyramid, _FINE, spots, least=0.55, step=4.0)


def last_look(pyramid: Pyramid, spots: Rounds) -> Rounds:
    """The share of rays that agree with the ellipse, and its size; spots that are not round are left out."""
    if not len(spots):
        return spots
    edge, good, step = _edges(pyramid, _FINE, spots)
    model, _, _, weight = _shifted_circle(edge, good, _FINE)
    share = weight.mean(0)
    spots.r, spots.share, spots.step = spots.r * model, share, step
    keep = (share >= 0.65) & (step >= 4) & (model > 0.3) & (_aspect(spots.a, spots.b, spots.c) > _ELONGATED)
    return spots.take(keep)


def _look(pyramid: Pyramid, star: _Star, spots: Rounds, least: float, step: float) -> Rounds:
    if not len(spots):
        return spots
    edge, good, contrast = _edges(pyramid, star, spots)
    model, dx, dy, weight = _shifted_circle(edge, good, star)
    share = weight.mean(0)
    alive = (share >= least) & (contrast >= step) & (model > 0.3)
    spots, edge, weight, model, dx, dy = (
        spots.take(alive), edge[:, alive], weight[:, alive], model[alive], dx[alive], dy[alive],
    )  # fmt: skip
    spots.share, spots.step = share[alive], contrast[alive]
    limit = 0.5 * model
    dx, dy = np.clip(dx, -limit, limit), np.clip(dy, -limit, limit)
    spots.x = spots.x + (spots.a * dx + spots.b * dy) * spots.r
    spots.y = spots.y + (spots.b * dx + spots.c * dy) * spots.r
    # The second harmonic of 1/distance^2 is exactly the ellipse.
    distance = np.clip(edge - star.cosine[:, None] * dx - star.sine[:, None] * dy, 0.3, 3.0)
    mean, even, odd = _harmonics(1.0 / distance**2, weight, star)
    size = np.sqrt(even * even + odd * odd)
    clip = np.minimum(1.0, 0.6 * mean / (size + 1e-6))
    even, odd = even * clip, odd * clip
    scale = np.maximum(mean * mean - even * even - odd * odd, 1e-6) ** np.float32(-0.25)
    # Inverse root of [[mean + even, odd], [odd, mean - even]], made of determinant 1: its adjoint's root.
    a, b, c = _root((mean - even) * scale**2, -odd * scale**2, (mean + even) * scale**2)
    spots.a, spots.b, spots.c = _combined(spots.a, spots.b, spots.c, a, b, c)
    spots.r = spots.r * scale
    return spots.take((spots.r > 1.1) & (spots.r < 16))


_BEYOND = 0.35
"""How far beyond the colour around a spot steps are followed, as a part of its contrast."""


def _edges(pyramid: Pyramid, star: _Star, spots: Rounds) -> tuple[Floats, npt.NDArray[np.bool_], Floats]:
    """Along each ray, rays x n: where the step is (in radii), whether it is a clear one; and each spot's contrast."""
    steps, rays, n = len(star.radii), len(star.cosine), len(spots)
    ux = (star.cosine[:, None] * spots.a + star.sine[:, None] * spots.b) * spots.r
    uy = (star.cosine[:, None] * spots.b + star.sine[:, None] * spots.c) * spots.r
    radii = star.radii[:, None, None]
    seen = pyramid.sample(spots.x + radii * ux, spots.y + radii * uy, spots.layer)
    values = seen.astype(np.int16)
    # Medians of means along each ray: glare spoils some rays, a neighbour some others.
    inner = _median(values[star.within].sum(0, dtype=np.int16)) / _count(star.within)
    around = values[star.around].sum(0, dtype=np.int16)
    sign = np.where(_median(around) / _count(star.around) < inner, -1, 1).astype(np.int16)
    # What lies around is the face, as far as it goes: near its edge a rim and the table lie there as well, and they are
    # often further off in colour than the face. So the nearer third counts, and what is far beyond it doesn't.
    third = len(around) // 3
    nearer = np.partition(np.ascontiguousarray((around * sign).T), third, axis=1)[:, third]
    outer = (sign * nearer).astype(np.float32) / _count(star.around)
    contrast = np.maximum(sign * (outer - inner), 0).astype(np.float32)
    most = np.ceil(sign * outer + _BEYOND * contrast).astype(np.int16)
    values = np.minimum(values * sign, most)
    slope = values[2:] - values[:-2]
    # The largest, and of equal ones the first: the largest number of both.
    favoured = slope * star.favour
    favoured += np.arange(_PLACES - 1, _PLACES + 1 - steps, -1, dtype=np.int32)[:, None, None]
    place = (_PLACES - 1 - (favoured.max(0) & (_PLACES - 1))).ravel().astype(np.intp)
    column = np.arange(rays * n)
    best, left, right = (
        slope.ravel().take(k * (rays * n) + column).astype(np.float32)
        for k in (place, np.maximum(place - 1, 0), np.minimum(place + 1, steps - 3))
    )
    whole = np.maximum(np.broadcast_to(contrast, (rays, n)).ravel(), 1e-3)
    curve = np.minimum(left - 2 * best + right, -1e-4 * whole)
    offset = np.clip(0.5 * (left - right) / curve, -0.5, 0.5)
    edge = star.radii[place + 1] + offset * (star.radii[1] - star.radii[0])
    return edge.reshape(rays, n), (best > _CLEAR * whole).reshape(rays, n), contrast


def _count(part: slice) -> np.float32:
    return np.float32(part.stop - part.start)


def _median(rows: npt.NDArray[np.int16]) -> Floats:
    """Median down the columns of an even number of rows."""
    half = len(rows) // 2
    sorted_ = np.sort(np.ascontiguousarray(rows.T), axis=1)
    return np.asarray((sorted_[:, half - 1] + sorted_[:, half]) / 2, np.float32)


def _shifted_circle(edge: Floats, good: npt.NDArray[np.bool_], star: _Star) -> tuple[Floats, Floats, Floats, Floats]:
    """Radius and centre of the circle that most edges of a spot lie on, and each edge's weight (0 or 1)."""
    weight = good.astype(np.float32)
    model = (edge * weight).sum(0) / (weight.sum(0) + 1e-3)
    dx = dy = np.zeros_like(model)
    w = weight
    for turn in range(3):
        wanted = model + star.cosine[:, None] * dx + star.sine[:, None] * dy
        w = weight * (np.abs(edge - wanted) < 0.3 * model)
        if turn < 2:
            # Weighted least squares of edge = model + dx cos + dy sin; a little ridge on the shift.
            model, dx, dy = _fit(star.circle, w, w * edge, (1e-2, 1.0, 1.0))
    return model, dx, dy, w


def _harmonics(value: Floats, weight: Floats, star: _Star) -> tuple[Floats, Floats, Floats]:
    """Weighted least squares of value = mean + even cos 2t + odd sin 2t."""
    mean = (value * weight).sum(0) / (weight.sum(0) + 1e-3)
    add, even, odd = _fit(star.double, weight, weight * (value - mean), (0.3, 0.3, 0.3))
    return np.maximum(mean + add, 1e-3), even, odd


def _fit(
    basis: Floats, weight: Floats, value: Floats, ridge: tuple[float, float, float]
) -> tuple[Floats, Floats, Floats]:
    """Weighted least squares over three functions, given as rows 1, f, g, ff, fg, gg of `basis`, for all columns."""
    w, f, g, ff, fg, gg = (basis @ weight).astype(np.float64)
    p, q, s = (basis[:3] @ value).astype(np.float64)
    w, ff, gg = w + ridge[0], ff + ridge[1], gg + ridge[2]
    # Cramer's rule: thousands of systems of three, each too small for a library.
    c0, c1, c2 = ff * gg - fg * fg, fg * g - f * gg, f * fg - ff * g
    det = w * c0 + f * c1 + g * c2
    c3, c4, c5 = w * gg - g * g, f * g - w * fg, w * ff - f * f
    first, second, third = c0 * p + c1 * q + c2 * s, c1 * p + c3 * q + c4 * s, c2 * p + c4 * q + c5 * s
    return (first / det).astype(np.float32), (second / det).astype(np.float32), (third / det).astype(np.float32)


def _root(a: Floats, b: Floats, c: Floats) -> tuple[Floats, Floats, Floats]:
    """Square root of symmetric positive matrices [[a, b], [b, c]], scaled to determinant 1."""
    det = np.sqrt(np.maximum(a * c - b * b, 1e-8))
    trace = a + c + 2 * det
    scale = 1 / np.sqrt(np.maximum(trace * det, 1e-8))
    # The root is (M + sqrt(det) I) / sqrt(trace + 2 sqrt(det)), of determinant sqrt(det).
    return (a + det) * scale, b * scale, (c + det) * scale


def _combined(a: Floats, b: Floats, c: Floats, d: Floats, e: Floats, f: Floats) -> tuple[Floats, Floats, Floats]:
    """The ellipse of the product of two shapes, freed from rotation: the root of M M', M = [[a, b], [b, c]] [[d, e],
    [e, f]]."""
    p, q, r, s = a * d + b * e, a * e + b * f, b * d + c * e, b * e + c * f
    return _root(p * p + q * q, p * r + q * s, r * r + s * s)


def _aspect(a: Floats, b: Floats, c: Floats) -> Floats:
    """Short axis to long axis of shapes of determinant 1."""
    half = (a + c) / 2
    off = np.sqrt(np.maximum(half * half - (a * c - b * b), 0))
    return np.asarray((half - off) / np.maximum(half + off, 1e-6), np.float32)
