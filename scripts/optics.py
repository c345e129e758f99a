"""How high each camera hangs over the tray, what it sees from there, and how large a die is in its picture.

    optics.py [--tray 300x220] [--margin 15] [--die 16]

Sensor sizes, focal lengths and nearest distances are those of the makers' pages (Raspberry Pi documentation, "Camera",
read 2026-11). The picture is 16:9, so of a 4:3 sensor the full width is used and the height is cut. Distances are from
the tray's floor to the lens. With --markdown the table of hardware/README.md is printed.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass

WIDTH_PX, ASPECT = 1280, 16 / 9
LEAST_DIE_PX = 40.0
"""A die's edge in pixels, that leaves room for dim light and dice far out (reading ends at 16)."""


@dataclass(frozen=True, slots=True)
class Module:
    """A camera: width of the sensor's active area and focal length in mm, nearest sharp distance in mm, a note."""

    name: str
    sensor: str
    width_mm: float
    focal_mm: float
    near_mm: float
    note: str


MODULES = (
    Module("Camera Module 3", "imx708", 6.45, 4.74, 100, "autofocus, locked by calibration; the one to buy"),
    Module("Camera Module 3 Wide", "imx708_wide", 6.45, 2.75, 50, "for a low mast; dice lean at the border"),
    Module("Camera Module 2", "imx219", 3.68, 3.04, 100, "fixed focus: turn the lens to the distance with its tool"),
    Module("Camera Module 1", "ov5647", 3.76, 3.60, 1000, "fixed focus at 1 m: turn the lens, it is glued"),
    Module("HQ Camera, 6 mm lens", "imx477", 6.287, 6.0, 200, "ring of the lens locked by its screw; aperture at f/4"),
    Module("Global Shutter Camera, 6 mm lens", "imx296", 5.02, 6.0, 200, "no smear while dice roll; aperture at f/4"),
    Module("USB webcam with 70 degrees", "uvc", 4.8, 3.43, 100, "switch autofocus off: `calibrate` does it"),
)


def height_mm(module: Module, width_mm: float, depth_mm: float) -> float:
    """How far the lens is from the floor so that `width_mm` x `depth_mm` are in the picture, or the nearest distance
    at which it is sharp."""
    wanted = max(width_mm, depth_mm * ASPECT)
    return max(module.near_mm, wanted * module.focal_mm / module.width_mm)


def field_mm(module: Module, distance_mm: float) -> tuple[float, float]:
    """Width and depth of what is in the picture at this distance."""
    width = distance_mm * module.width_mm / module.focal_mm
    return width, width / ASPECT


def lean_share(module: Module, distance_mm: float, tray_mm: tuple[float, float], die_mm: float) -> float:
    """How much of a die's side is seen beside its top in the corner of the tray, as a share of its edge."""
    out = math.hypot(tray_mm[0], tray_mm[1]) / 2 - die_mm
    return out / (distance_mm - die_mm)


def rows(tray_mm: tuple[float, float], margin_mm: float, die_mm: float) -> Iterator[tuple[str, ...]]:
    for module in MODULES:
        distance = height_mm(module, tray_mm[0] + 2 * margin_mm, tray_mm[1] + 2 * margin_mm)
        width, depth = field_mm(module, distance)
        die_px = WIDTH_PX * die_mm / field_mm(module, distance - die_mm)[0]
        lean = lean_share(module, distance, tray_mm, die_mm)
        angle = math.degrees(2 * math.atan(module.width_mm / 2 / module.focal_mm))
        small = " (too small)" if die_px < LEAST_DIE_PX else ""
        yield (
            module.name, f"{module.focal_mm:.2f} mm", f"{angle:.0f}°", f"{distance / 10:.0f} cm",
            f"{width / 10:.0f} x {depth / 10:.0f} cm", f"{die_px:.0f} px{small}", f"{100 * lean:.0f} %", module.note,
        )  # fmt: skip


HEAD = ("camera", "focal length", "angle", "lens above floor", "in the picture", "a die's edge", "side seen", "note")


def markdown(tray_mm: tuple[float, float], margin_mm: float, die_mm: float) -> str:
    """The table for a page."""
    lines = [f"| {' | '.join(HEAD)} |", "|" + "---|" * len(HEAD)]
    lines += [f"| {' | '.join(row)} |" for row in rows(tray_mm, margin_mm, die_mm)]
    return "\n".join(lines) + "\n"


def size(text: str) -> tuple[float, float]:
    width, _, depth = text.partition("x")
    return float(width), float(depth)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tray", type=size, default=(300.0, 220.0), metavar="WxD", help="inside of the tray, in mm")
    parser.add_argument("--margin", type=float, default=15.0, metavar="MM", help="what is seen beyond it on each side")
    parser.add_argument("--die", type=float, default=16.0, metavar="MM", help="a die's edge")
    parser.add_argument("--markdown", action="store_true")
    args = parser.parse_args()
    if args.markdown:
        print(markdown(args.tray, args.margin, args.die), end="")
        return 0
    table = [HEAD, *rows(args.tray, args.margin, args.die)]
    widths = [max(len(row[i]) for row in table) for i in range(len(HEAD))]
    for row in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
