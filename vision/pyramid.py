"""A picture at halves of its size, and at each size the planes that spots and faces are seen in.

Room: vision. Knows pixels only. Planes are made when they are asked for, once: spots and witnesses share them.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ids = npt.NDArray[np.intp]

GREY = 3
"""The plane after blue, green and red: their mean by brightness, which is less noisy than any of them."""


class Pyramid:
    """`levels`: a BGR picture and its halves, until a side would fall under `least_px`, eight at most.

    Blue, green, red and grey of all levels lie in one tall picture, the atlas, so that places of all sizes and colours
    are sampled together. A plane of a level is named by its layer: four times the level, plus 0 to 3.
    """

    def __init__(self, image: npt.NDArray[np.uint8] | Sizes, least_px: int = 24) -> None:
        halves = Sizes.of(image)
        self.levels = [halves.image]
        even = True
        while min(self.levels[-1].shape[:2]) >= 2 * least_px and len(self.levels) < 8:
            height, width = self.levels[-1].shape[:2]
            even &= height % 2 == width % 2 == 0
            if even:
                half = halves.by(1 << len(self.levels))
            else:
                size = ((width + 1) // 2, (height + 1) // 2)
                half = np.asarray(cv2.resize(self.levels[-1], size, interpolation=cv2.INTER_AREA), np.uint8)
            self.levels.append(half)
        sizes = np.array([level.shape[:2] for level in self.levels], np.float32).repeat(4, axis=0)
        self._bottom, self._right = sizes[:, 0] - 1, sizes[:, 1] - 1
        self._top = (np.cumsum(sizes[:, 0]) - sizes[:, 0]).astype(np.float32)
        self._atlas: npt.NDArray[np.uint8] | None = None
        self._there = np.zeros(4 * len(self.levels), bool)

    def sample(self, x: Floats, y: Floats, layer: Ids) -> npt.NDArray[np.uint8]:
        """Values at `x`, `y` (each ... x n, in pixels of the layer's level) in `layer` (n); bilinear, the
        border repeated."""
        self._make(layer)
        column, row = np.maximum(x, 0), np.maximum(y, 0)
        np.minimum(column, self._right[layer], out=column)
        np.minimum(row, self._bottom[layer], out=row)
        row += self._top[layer]
        return self._remap(column, row)

    def crops(self, x: npt.NDArray[np.floating], y: npt.NDArray[np.floating], layer: Ids) -> npt.NDArray[np.uint8]:
        """As `sample`, for small pictures that show parallelograms: `x`, `y` are n x height x width."""
        self._make(layer)
        rest = (slice(None), None, None)
        column, row = (
            places if (ends.min(initial=0) >= 0 and (ends <= most).all()) else np.minimum(np.maximum(places, 0), most)
            for places, ends, most in (
                (x, x[:, :: x.shape[1] - 1, :: x.shape[2] - 1], self._right[layer][rest]),
                (y, y[:, :: y.shape[1] - 1, :: y.shape[2] - 1], self._bottom[layer][rest]),
            )
        )
        return self._remap(column, row + self._top[layer][rest])

    def _remap(self, column: npt.NDArray[np.floating], row: npt.NDArray[np.floating]) -> npt.NDArray[np.uint8]:
        flat = (column.size // column.shape[-1], column.shape[-1])
        assert self._atlas is not None
        out = np.empty(flat, np.uint8)
        # remap takes pictures under 32767 on a side. Places are rounded to whole 32nds of a pixel first: with them
        # every version of OpenCV gives the same numbers.
        for start in range(0, max(flat), 30000):
            part = (slice(None), slice(start, start + 30000)) if flat[1] > flat[0] else (slice(start, start + 30000),)
            x, y = (np.ascontiguousarray(v.reshape(flat)[part], np.float32) for v in (column, row))
            whole, rest = cv2.convertMaps(x, y, cv2.CV_16SC2)
            out[part] = cv2.remap(self._atlas, whole, rest, cv2.INTER_LINEAR)
        return out.reshape(column.shape)

    def _make(self, layers: Ids) -> None:
        """Make the planes that are asked for, once."""
        wanted = np.zeros(len(self._there), bool)
        wanted[layers] = True
        if self._atlas is None:
            # Beside the smaller levels there is room that nobody looks at.
            width = self.levels[0].shape[1]
            self._atlas = np.empty((int(self._top[-1] + self._bottom[-1]) + 1, width), np.uint8)
        for layer in np.nonzero(wanted & ~self._there)[0].tolist():
            if self._there[layer]:
                continue
            if layer % 4 == GREY:
                cv2.cvtColor(self.levels[layer // 4], cv2.COLOR_BGR2GRAY, dst=self._place(layer))
                self._there[layer] = True
            else:
                # All three take less time than one alone.
                first = layer - layer % 4
                cv2.split(self.levels[layer // 4], [self._place(first + colour) for colour in range(3)])
                self._there[first : first + 3] = True

    def _place(self, layer: int) -> npt.NDArray[np.uint8]:
        """Where a layer lies in the atlas."""
        assert self._atlas is not None
        (height, width), top = self.levels[layer // 4].shape[:2], int(self._top[layer])
        return self._atlas[top : top + height, :width]


class Sizes:
    """A picture (BGR or grey `uint8`) with what it is when averaged over squares of pixels, each made once."""

    def __init__(self, image: npt.NDArray[np.uint8]) -> None:
        self.image = image
        self.shape = image.shape
        self._made = {1: image}
        self._larger: tuple[Sizes, int] | None = None

    @staticmethod
    def of(image: npt.NDArray[np.uint8] | Sizes) -> Sizes:
        """The picture as one with sizes, if it is none yet."""
        return image if isinstance(image, Sizes) else Sizes(image)

    def of_part(self, part: npt.NDArray[np.uint8]) -> Sizes:
        """What `part` is when averaged further: if it is a half of this picture, or a half of that, nothing is made
        twice."""
        sizes = Sizes(part)
        for whole, made in self._made.items():
            if made is part and whole & -whole == whole:
                sizes._larger = (self, whole)
        return sizes

    def by(self, whole: int) -> npt.NDArray[np.uint8]:
        """Averaged over squares of `whole` pixels, without what is left over at the right and lower border."""
        if self._larger is not None and whole & -whole == whole:
            larger, halved = self._larger
            return larger.by(halved * whole)
        if whole not in self._made:
            # Halving is what OpenCV does fast: by two and two it takes a quarter of the time that it takes by four.
            halves = whole & -whole
            before, step = (self.by(whole // 2), 2) if halves == whole else (self.by(halves), whole // halves)
            size = (before.shape[1] // step, before.shape[0] // step)
            part = before[: size[1] * step, : size[0] * step]
            if step == 3:
                # What OpenCV does for any odd number takes twice as long.
                means = cv2.blur(part, (3, 3), anchor=(0, 0))
                self._made[whole] = np.asarray(cv2.resize(means, size, interpolation=cv2.INTER_NEAREST), np.uint8)
            else:
                self._made[whole] = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
        return self._made[whole]


def reduced(image: npt.NDArray[np.uint8] | Sizes, whole: int) -> npt.NDArray[np.uint8]:
    """A picture averaged over squares of `whole` pixels, without what is left over at the right and lower border."""
    return Sizes.of(image).by(max(1, whole))


def shrunk(image: npt.NDArray[np.uint8] | Sizes, width: int, height: int) -> npt.NDArray[np.uint8]:
    """A picture averaged down to `width` x `height`, neither larger than its own. By halves first, which OpenCV does
    fast and which are made once; up to a few pixels at the right and lower border are left out for that."""
    whole = max(1, min(image.shape[1] // width, image.shape[0] // height))
    part = reduced(image, 1 << (whole.bit_length() - 1))
    if (width, height) == (part.shape[1], part.shape[0]):
        return part
    # What is left is less than a half, where neighbours' means do as well as averages and take a tenth of the time.
    return np.asarray(cv2.resize(part, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def sample(level: npt.NDArray[np.uint8], px: Floats, py: Floats) -> Floats:
    """Colours at (px, py), any 2-D shape, bilinear, the border repeated: shape + (3,), float32."""
    rows, columns = px.shape
    depth = level.shape[2] if level.ndim == 3 else 1
    out = np.empty((rows, columns, depth), np.float32)
    # remap takes pictures under 32767 on a side.
    for start in range(0, rows, 30000):
        stop = start + 30000
        column, row = px[start:stop].astype(np.float32), py[start:stop].astype(np.float32)
        whole, part = cv2.convertMaps(column, row, cv2.CV_16SC2)
        got = cv2.remap(level, whole, part, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        out[start:stop] = got.reshape(*got.shape[:2], depth)
    return out
