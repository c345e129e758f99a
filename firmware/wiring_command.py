"""Show where the wires of the panel go: a table here, or a drawing with --svg FILE.

Room: firmware. From the configuration, or for a panel of --buttons N at its usual lines.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from firmware import config as configuration
from firmware.check_config import lines_of
from firmware.errors import Fault
from firmware.wiring import svg, table
from hardware.buses import enabled_buses
from hardware.lines import DEFAULT_LINES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration (default: the user's)")
    parser.add_argument("--buttons", type=int, choices=sorted(DEFAULT_LINES), help="a panel of so many, as usual")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="write the drawing")


def run(args: argparse.Namespace) -> int:
    if args.buttons:
        layout, lines = args.buttons, DEFAULT_LINES[args.buttons]
    else:
        config = configuration.load(args.config)
        layout, lines = config.panel.buttons, lines_of(config)
    print(table(lines, layout, enabled_buses()), end="")
    if args.svg:
        try:
            args.svg.write_text(svg(lines, layout), "utf-8")
        except OSError as e:
            raise Fault("CFG-01", f"{args.svg} can't be written ({e.strerror}).", "Name another file.") from e
        print(f"Drawn: {args.svg}")
    return 0
