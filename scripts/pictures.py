"""Pictures of every scene at several sizes, to be looked at: PNG files and contact sheets in build/pictures.

Room: none; a tool for people who change the screen. Usage: python scripts/pictures.py [--out DIR] [--only WORD]
[--sizes 800x480,1280x720] [--themes dark,daylight]
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import pygame

from display import samples
from display.typeset import BOLD, picture
from display.window import Window

SIZES = (
    (800, 480),
    (1280, 720),
    (480, 320),
    (1024, 600),
    (1920, 1080),
    (480, 800),
    (320, 480),
    (600, 1024),
    (720, 1280),
)
"""Width and height in pixels of the screens that pictures are made for."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("build/pictures"))
    parser.add_argument("--only", default="", help="only views whose name contains this")
    parser.add_argument("--sizes", default=",".join(f"{w}x{h}" for w, h in SIZES))
    parser.add_argument("--themes", default="dark")
    args = parser.parse_args()
    sizes = [tuple(int(n) for n in size.split("x")) for size in args.sizes.split(",")]
    views = {name: view for name, view in samples.views().items() if args.only in name}
    begun = time.monotonic()
    made = 0
    for theme in args.themes.split(","):
        for w, h in sizes:
            folder = args.out / f"{w}x{h}-{theme}"
            folder.mkdir(parents=True, exist_ok=True)
            shots = []
            for name, view in views.items():
                window = Window.offscreen((w, h), theme=theme)
                window.show(view, 0.0)
                window.save(folder / f"{name}.png")
                shots.append((name, window.surface))
                made += 1
            contact_sheet(shots, args.out / f"sheet-{w}x{h}-{theme}.png")
    print(f"{made} pictures in {args.out}, {time.monotonic() - begun:.0f} s")
    return 0


def contact_sheet(shots: list[tuple[str, pygame.Surface]], path: Path, width: int = 1800) -> None:
    """All `shots` side by side, each with its name below."""
    if not shots:
        return
    w, h = shots[0][1].get_size()
    columns = 3 if w > h else 6
    cell_w = width // columns - 8
    cell_h = round(cell_w * h / w)
    lines = -(-len(shots) // columns)
    sheet = pygame.Surface((width, lines * (cell_h + 30)))
    sheet.fill((90, 90, 90))
    for i, (name, shot) in enumerate(shots):
        x, y = (i % columns) * (cell_w + 8) + 4, (i // columns) * (cell_h + 30) + 4
        sheet.blit(pygame.transform.smoothscale(shot, (cell_w, cell_h)), (x, y))
        sheet.blit(picture(BOLD, 18, name, (255, 255, 255)), (x, y + cell_h))
    pygame.image.save(sheet, str(path))


if __name__ == "__main__":
    sys.exit(main())
