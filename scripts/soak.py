"""Evenings at the simulated tray and random events at the table: everything that must hold for hours, in minutes.

    soak.py [--throws 200] [--seed 1] [--parts frames,table] [--bare]

`frames` plays throws with faults through real frames (`soak_frames.py`), several tables one after the other, each in a
process of its own, calibrated as every table should be, with other games and ways of keeping. `table` plays random events at
`Table.handle` (`soak_table.py`). Two processes run at a time. The last line tells the result; the exit status is 1 if
anything failed.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
EVENING = 50
"""Throws at one table; a long soak has twice as many a table."""
AT_ONCE = 2
SIZE = "960x540"
KINDS = (("yardzee", "leave"), ("yardkle", "leave"), ("yardzee", "out"), ("yardzee", "leave"))
_FIGURES = re.compile(r"(\d+) (throws|accepted|asked|faults|failures)")
_GROWTH = re.compile(r"memory ([+-][\d.]+) MB")


@dataclass(frozen=True)
class Part:
    """One process: what it is called, and its command."""

    name: str
    command: tuple[str, ...]


def parts_of(throws: int, seed: int, names: Sequence[str], size: str, bare: bool = False) -> list[Part]:
    """The processes that make up a soak. `bare`: tables that nobody has calibrated."""
    parts = []
    if "table" in names and (HERE / "soak_table.py").exists():
        parts.append(Part("table", ("soak_table.py", "--seed", str(seed))))
    if "frames" in names:
        each = EVENING if throws <= 10 * EVENING else 2 * EVENING
        for k, begun in enumerate(range(0, throws, each)):
            command = ("soak_frames.py", "--throws", str(min(each, throws - begun)), "--seed", str(seed + k))
            game, way = KINDS[k % len(KINDS)]
            more = ("--size", size, "--game", game, "--way", way, *(() if bare else ("--calibrated",)))
            parts.append(Part(f"frames {seed + k}", (*command, *more)))
    return parts


def run(part: Part) -> tuple[Part, int, str]:
    """Run one part; its exit status and what it printed."""
    command = [sys.executable, str(HERE / part.command[0]), *part.command[1:]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return part, done.returncode, done.stdout + done.stderr


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--throws", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--parts", default="frames,table")
    parser.add_argument("--size", default=SIZE)
    parser.add_argument("--bare", action="store_true", help="tables that nobody has calibrated")
    args = parser.parse_args()
    begun = time.monotonic()
    parts = parts_of(args.throws, args.seed, args.parts.split(","), args.size, args.bare)
    totals: Counter[str] = Counter()
    failed: list[str] = []
    growth: list[float] = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for part, status, said in pool.map(run, parts):
            lines = said.strip().splitlines() or ["said nothing"]
            shown = lines if status else lines[-1:]
            print("\n".join(shown), flush=True)
            for count, what in _FIGURES.findall(lines[-1]):
                totals[what] += int(count)
            growth += [float(mb) for mb in _GROWTH.findall(lines[-1])]
            if status:
                failed.append(part.name)
    verdict = f"FAILED: {', '.join(failed)}" if failed else "all well"
    print(
        f"soak: {totals['throws']} throws, {totals['accepted']} accepted, {totals['asked']} asked, "
        f"{totals['faults']} faults, memory {max(growth, default=0.0):+.1f} MB at most, "
        f"{time.monotonic() - begun:.0f} s, seed {args.seed}: {verdict}"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
