"""Boot a whole machine and show that the table works in it: python scripts/machine [SCENARIO...]

    --list           what there is
    --quick          only what fits into six minutes, and only if an image is there (for .ci/run)
    --pictures DIR   where pictures of the screen are kept (build/machine)
    --guests N       so many machines at a time (one more than processors: each waits now and then)
    --write FILE     put the table of what was proved into this page
    --work DIR       keep the disks there; the next time the first picture and the turn are there, and nothing is booted

Needs root, QEMU and debootstrap; the image is made once and kept in ~/.cache/dicetable/machine. docs/proof.md tells
more.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import image


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario", nargs="*")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--guests", type=int)
    parser.add_argument("--pictures", type=Path, default=image.PROJECT / "build" / "machine")
    parser.add_argument("--write", type=Path)
    parser.add_argument("--work", type=Path)
    args = parser.parse_args()
    why = image.lacking()
    if why:
        print(f"machine: skipped, {why}")
        return
    if args.quick and image.cached() != image.wanted():
        there = "the cached image is of another version" if image.cached() else "there is no cached image"
        print(f"machine: skipped, {there} (make machine makes one)")
        return
    if not (args.quick or args.list):
        image.make(lambda what: print(f"machine: {what}", flush=True))
    # The twin must be the table that is in the image, whatever has been changed since.
    environment = {**os.environ, "PYTHONPATH": str(image.SOURCE), "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    sys.stdout.flush()
    os.execve(sys.executable, [sys.executable, str(Path(__file__).parent / "evening.py"), *sys.argv[1:]], environment)


if __name__ == "__main__":
    main()
