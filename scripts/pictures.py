"""Pictures of every scene at several sizes, to be looked at: PNG files and contact sheets in build/pictures.

Room: none; a tool for people who change the screen.

    python scripts/pictures.py [--out DIR] [--only WORD] [--sizes 800x480,1280x720] [--themes dark,daylight]
    python scripts/pictures.py --screens     # renew docs/screens, which the tests compare with
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from display import samples
from display.typeset import BOLD, picture
from display.window import Window

# After `display`, which keeps pygame's greeting out of the terminal.
import pygame  # isort: skip

ROOT = Path(__file__).resolve().parent.parent
SIZES = (
    (800, 480),
    (1280, 720),
    (480, 320),
    (1024, 600),
    (1920, 1080),
    (3840, 2160),
    (480, 800),
    (320, 480),
    (600, 1024),
    (720, 1280),
)
"""Width and height in pixels of the screens that pictures are made for."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Draw every scene at several sizes into PNG files.")
    parser.add_argument("--out", type=Path, default=Path("build/pictures"))
    parser.add_argument("--only", default="", help="only views whose name contains this")
    parser.add_argument("--sizes", default=",".join(f"{w}x{h}" for w, h in SIZES))
    parser.add_argument("--themes", default="dark")
    parser.add_argument("--screens", action="store_true", help="renew the pictures in docs/screens instead")
    args = parser.parse_args()
    begun = time.monotonic()
    made = screens(ROOT / "docs" / "screens") if args.screens else every_scene(args)
    print(f"{made} pictures in {'docs/screens' if args.screens else args.out}, {time.monotonic() - begun:.0f} s")
    return 0


def every_scene(args: argparse.Namespace) -> int:
    """Every view at every size in every theme that was asked for, with a contact sheet for each size."""
    sizes = [(int(w), int(h)) for w, h in (size.split("x") for size in args.sizes.split(","))]
    views = {name: view for name, view in samples.views().items() if args.only in name}
    made = 0
    for theme in args.themes.split(","):
        for size in sizes:
            folder = args.out / f"{size[0]}x{size[1]}-{theme}"
            folder.mkdir(parents=True, exist_ok=True)
            shots = []
            for name, view in views.items():
                window = Window.offscreen(size, theme=theme)
                window.show(view, 0.0)
                window.save(folder / f"{name}.png")
                shots.append((name, window.surface))
                made += 1
            contact_sheet(shots, args.out / f"sheet-{size[0]}x{size[1]}-{theme}.png")
    return made


def screens(folder: Path) -> int:
    """The pictures of `samples.SCREENS`, which the tests compare with what is drawn now."""
    folder.mkdir(parents=True, exist_ok=True)
    views = samples.views()
    for shot in samples.SCREENS:
        window = Window.offscreen(shot.size, theme=shot.theme, rotation=shot.rotation)
        window.show(views[shot.view], 0.0)
        window.save(folder / f"{shot.name}.png")
    return len(samples.SCREENS)


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
