"""Pictures of the screen, to be looked at: PNG files and contact sheets in build/pictures. And proof-reading.

Room: none; a tool for people who change the screen or its words.

    python scripts/pictures.py [--out DIR] [--only WORD] [--sizes 800x480,1280x720] [--themes dark,daylight]
    python scripts/pictures.py --proof       # draws nothing: is every text of every language whole at every size?
    python scripts/pictures.py --screens     # renew docs/screens, which the tests compare with

Every scene in every language is drawn at 800x480, made by a real table (`firmware.showcase`); example views
(`display.samples`) of every scene at every size in English.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from display import proof, samples
from display.layout import Metrics
from display.typeset import BOLD, picture
from display.view import View
from display.window import Window
from display.words import ENGLISH, Words
from firmware import showcase
from firmware.language import LANGUAGES, language

# After `display`, which keeps pygame's greeting out of the terminal.
import pygame  # isort: skip

ROOT = Path(__file__).resolve().parent.parent
WIDE = ((480, 320), (800, 480), (1024, 600), (1280, 720), (1920, 1080), (3840, 2160))
SIZES = (*WIDE, *((h, w) for w, h in WIDE))
"""Width and height in pixels of the screens that pictures are made for."""
USUAL = (800, 480)
LARGE = 1920
"""From this length of a side on only one view of each scene is drawn."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Draw every scene at several sizes into PNG files.")
    parser.add_argument("--out", type=Path, default=Path("build/pictures"))
    parser.add_argument("--only", default="", help="only views whose name contains this")
    parser.add_argument("--sizes", default=",".join(f"{w}x{h}" for w, h in SIZES))
    parser.add_argument("--languages", default=",".join(LANGUAGES))
    parser.add_argument("--themes", default="dark")
    parser.add_argument("--proof", action="store_true", help="draw nothing, proof-read everything")
    parser.add_argument("--screens", action="store_true", help="renew the pictures in docs/screens instead")
    args = parser.parse_args()
    begun = time.monotonic()
    if args.proof:
        return proof_read(args)
    made = screens(ROOT / "docs" / "screens") if args.screens else languages(args) + sizes(args)
    print(f"{made} pictures in {'docs/screens' if args.screens else args.out}, {time.monotonic() - begun:.0f} s")
    return 0


def asked_sizes(args: argparse.Namespace) -> list[tuple[int, int]]:
    return [(int(w), int(h)) for w, h in (size.split("x") for size in args.sizes.split(","))]


def languages(args: argparse.Namespace) -> int:
    """Every scene in every language at 800x480, as a real table says it."""
    made = 0
    tables = showcase.tables()
    for code in args.languages.split(","):
        spoken = language(code)
        views = {name: player.view(spoken) for name, player in tables.items()}
        views |= {name: spoken.shown(view) for name, view in showcase.books()}
        chosen = {n: v for n, v in views.items() if (args.only in n and not n.startswith("rules_")) or n.endswith("_6")}
        made += draw(chosen, USUAL, "dark", args.out, f"language-{code}", spoken.words)
    return made


def sizes(args: argparse.Namespace) -> int:
    """Every example view at every size in every theme that was asked for; on large screens one of each scene."""
    views = {name: view for name, view in samples.views().items() if args.only in name}
    one_each: dict[str, View] = {}
    for name, view in views.items():
        if view.scene not in {v.scene for v in one_each.values()} or name == "turn_8_long":
            one_each[name] = view
    made = 0
    for theme in args.themes.split(","):
        for size in asked_sizes(args):
            chosen = one_each if max(size) >= LARGE else views
            made += draw(chosen, size, theme, args.out, f"{size[0]}x{size[1]}-{theme}", ENGLISH)
    return made


def draw(views: dict[str, View], size: tuple[int, int], theme: str, out: Path, folder: str, words: Words) -> int:
    """Draw `views` into `out`/`folder`, with contact sheets of at most 24 of them."""
    (out / folder).mkdir(parents=True, exist_ok=True)
    shots = []
    for name, view in views.items():
        window = Window.offscreen(size, theme=theme, words=words)
        window.show(view, 0.0)
        window.save(out / folder / f"{name}.png")
        shots.append((name, small(window.surface)))
    for n in range(0, len(shots), 24):
        contact_sheet(shots[n : n + 24], out / f"sheet-{folder}-{n // 24 + 1}.png")
    return len(shots)


def small(surface: pygame.Surface) -> pygame.Surface:
    """A copy that a contact sheet can hold."""
    w, h = surface.get_size()
    if max(w, h) <= 1024:
        return surface
    scale = 1024 / max(w, h)
    return pygame.transform.smoothscale(surface, (round(w * scale), round(h * scale)))


def proof_read(args: argparse.Namespace) -> int:
    """Proof-read every view in every language at every size. Prints what is wrong; 1 if anything is."""
    wrong = 0
    for code in args.languages.split(","):
        spoken = language(code)
        views: Iterable[tuple[str, View]] = showcase.views(spoken).items()
        chosen = [(name, view) for name, view in views if args.only in name]
        for size in asked_sizes(args):
            begun, found = time.monotonic(), 0
            for name, view in chosen:
                for fault in proof.faults(view, Metrics(*size), spoken.words):
                    found += 1
                    print(f"{code} {size[0]}x{size[1]} {name}: {fault}")
            took = time.monotonic() - begun
            print(f"{code} {size[0]}x{size[1]}: {len(chosen)} views, {found} faults, {took:.0f} s", flush=True)
            wrong += found
    return 1 if wrong else 0


def screens(folder: Path) -> int:
    """The pictures of `samples.SCREENS`, which the tests compare with what is drawn now."""
    folder.mkdir(parents=True, exist_ok=True)
    views = samples.views()
    for shot in samples.SCREENS:
        window = Window.offscreen(shot.size, theme=shot.theme, rotation=shot.rotation)
        window.show(views[shot.view], 0.0)
        window.save(folder / f"{shot.name}.png")
    return len(samples.SCREENS)


def contact_sheet(shots: list[tuple[str, pygame.Surface]], path: Path, width: int = 2400) -> None:
    """All `shots` side by side, each with its name below."""
    if not shots:
        return
    w, h = shots[0][1].get_size()
    columns = 4 if w > h else 8
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
