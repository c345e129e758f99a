"""Evenings at the simulated tray and random events at the table: everything that must hold for hours, in minutes.

    soak.py [--throws 200] [--seed 1] [--parts frames,table] [--bare] [--keep FILE] [--most N]

`frames` plays throws with faults through real frames (`soak_frames.py`), several tables one after the other, each in a
process of its own, calibrated as every table should be, with other games and ways of keeping. `table` plays random
events at `Table.handle` (`soak_table.py`). Two processes run at a time. The last line tells the result; the exit status
is 1 if anything failed.

A long soak can be made in pieces: with `--keep` what each process said is kept in a file, and a process that is in it
is not run again; with `--most` so many are run and the others are left for another time.
"""

from __future__ import annotations

import argparse
import json
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
KINDS = (("yardzee", "leave"), ("yardkle", "leave"), ("yatzy", "out"), ("maxi_yatzy", "strip"))
MORE = (("yardkle", "out"), ("kniffel", "leave"), ("zilch", "strip"), ("yahtzee", "out"), ("farkle", "leave"),
        ("yacht", "strip"), ("classic", "leave"), ("yardkle", "strip"))  # fmt: skip
"""Games and ways of keeping, table by table; a long soak has more tables and comes to all of them."""
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
            game, way = (*KINDS, *MORE)[k % (len(KINDS) + len(MORE))]
            more = ("--size", size, "--game", game, "--way", way, *(() if bare else ("--calibrated",)))
            parts.append(Part(f"frames {seed + k}", (*command, *more)))
    return parts


@dataclass(frozen=True)
class Ran:
    """How one of them ended: its exit status, the lines that it printed, and how many seconds it took."""

    status: int
    said: list[str]
    seconds: float


def run(part: Part) -> Ran:
    command = [sys.executable, str(HERE / part.command[0]), *part.command[1:]]
    begun = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = (done.stdout + done.stderr).strip().splitlines() or ["said nothing"]
    return Ran(done.returncode, lines, time.monotonic() - begun)


def kept_in(path: Path | None) -> dict[str, Ran]:
    """What was kept of an earlier piece, by command."""
    if path is None or not path.exists():
        return {}
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return {row["command"]: Ran(row["status"], row["said"], row["seconds"]) for row in rows}


def keep(path: Path, part: Part, ran: Ran) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    row = {"command": " ".join(part.command), "status": ran.status, "said": ran.said, "seconds": ran.seconds}
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--throws", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--parts", default="frames,table")
    parser.add_argument("--size", default=SIZE)
    parser.add_argument("--bare", action="store_true", help="tables that nobody has calibrated")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep in FILE what was run, and don't run it again")
    parser.add_argument("--most", type=int, metavar="N", help="run at most N processes, and leave the others")
    args = parser.parse_args()
    begun = time.monotonic()
    known = kept_in(args.keep)
    parts = parts_of(args.throws, args.seed, args.parts.split(","), args.size, args.bare)
    missing = [part for part in parts if " ".join(part.command) not in known]
    chosen = missing if args.most is None else missing[: args.most]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for part, ran in zip(chosen, pool.map(run, chosen), strict=True):
            known[" ".join(part.command)] = ran
            if args.keep is not None:
                keep(args.keep, part, ran)
            print("\n".join(ran.said if ran.status else ran.said[-1:]), flush=True)
    done = [(part, known[name]) for part in parts if (name := " ".join(part.command)) in known]
    print(closing_line(done, len(parts) - len(done), args.seed, time.monotonic() - begun))
    return 1 if any(ran.status for _, ran in done) else 0


def closing_line(done: Sequence[tuple[Part, Ran]], left: int, seed: int, took_s: float) -> str:
    """What all of them say together. `took_s`: this piece."""
    totals: Counter[str] = Counter()
    growth = [0.0]
    for _, ran in done:
        for count, what in _FIGURES.findall(ran.said[-1]):
            totals[what] += int(count)
        growth += [float(mb) for mb in _GROWTH.findall(ran.said[-1])]
    failed = [part.name for part, ran in done if ran.status]
    verdict = f"FAILED: {', '.join(failed)}" if failed else "all well"
    if left:
        verdict += f" so far, {left} of {left + len(done)} processes are left"
    return (
        f"soak: {totals['throws']} throws, {totals['accepted']} accepted, {totals['asked']} asked, "
        f"{totals['faults']} faults, memory {max(growth):+.1f} MB at most, "
        f"{took_s:.0f} s, seed {seed}: {verdict}"
    )


if __name__ == "__main__":
    sys.exit(main())
