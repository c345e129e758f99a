"""How long the journal takes: commit to shown, size after 1,000 games, start-up with them.

    python scripts/bench_journal.py [--games N] [--folder DIR]

`--folder` is where the files are made: put it on the card that you want to know about (default: a temporary folder).
The row "slow disk" has every sync delayed by 50 ms, as on a card that is busy; it needs a C compiler.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import firmware.journal_schema as schema  # noqa: E402
from firmware.events import Record  # noqa: E402
from firmware.journal import Journal  # noqa: E402
from firmware.journal_book import bring_up_to_date  # noqa: E402
from firmware.journal_rescue import make_copy  # noqa: E402
from firmware.stats import figures, load  # noqa: E402
from scripts.powercut_table import DryTable  # noqa: E402

COMMITS = 300
STEP_S = 1 / 60
"""The loop of the table turns this often."""
SLOW = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
int slow_us;
int fsync(int fd) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    if (slow_us) usleep(slow_us);
    return real(fd);
}
int fdatasync(int fd) { return fsync(fd); }
"""


def milliseconds(times: list[float]) -> str:
    worst = sorted(times)
    return (
        f"median {statistics.median(times) * 1000:.1f} ms, "
        f"99 of 100 below {worst[int(len(worst) * 0.99)] * 1000:.1f} ms, worst {worst[-1] * 1000:.1f} ms"
    )


def commits(folder: Path) -> list[float]:
    """From handing over an event until the journal says that it is committed, as the loop does it."""
    journal = Journal(folder / "commits.sqlite3")
    dice = [{"v": v, "p": 0.99, "c": [[0.1234, 0.5678]] * 4} for v in range(1, 6)]
    journal.wait(
        journal.append([Record("game", {"name": "yardzee", "players": ["Ann"], "options": {}, "first": 0})]), 60
    )
    times = []
    for _ in range(COMMITS):
        began = time.perf_counter()
        token = journal.append([Record("roll", {"dice": dice, "by": "camera"})])
        journal.wait(token, 60)
        times.append(time.perf_counter() - began)
        time.sleep(0.002)
    journal.close()
    for path in folder.glob("commits.sqlite3*"):
        path.unlink()
    return times


def shown(folder: Path) -> tuple[list[float], int]:
    """From a press until the screen shows what came of it, with the loop turning 60 times a second; and how often the
    screen said "saving" meanwhile."""
    table = DryTable(folder, seed=5)
    times, saving = [], 0
    while len(times) < COMMITS // 3:
        began = time.perf_counter()
        token = table.loop.token
        table.t = time.monotonic()
        table.act()
        said = False
        while table.journal.committed < table.loop.token:
            time.sleep(STEP_S)
            table.step(STEP_S)
            said = said or "saving" in table.loop.view.banners
        table.step(0.0)
        if table.loop.token != token:
            times.append(time.perf_counter() - began)
            saving += said
    table.close()
    return times, saving


def thousand(folder: Path, games: int) -> None:
    """Write the events of many whole games (two players, three rolls a turn), then measure."""
    rng = random.Random(1)
    path = folder / "journal.sqlite3"
    Journal(path).close()
    upper = ["ones", "twos", "threes", "fours", "fives", "sixes"]
    lower = ["three_kind", "four_kind", "full_house", "small_straight", "large_straight", "five_kind", "chance"]
    db = schema.connect(path)
    db.execute("pragma synchronous=off")
    db.execute("begin")
    seq = 0
    at = "2026-01-01T20:00:00+00:00"
    for game in range(1, games + 1):
        names = [f"Player {rng.randint(1, 20)}", f"Guest {rng.randint(1, 20)}"]
        head = {"name": "yardzee", "players": names, "options": {}, "first": 0}
        records: list[tuple[str, object]] = [("game", head)]
        for box in upper + lower:
            for _ in names:
                kept: list[int] = []
                values: list[int] = []
                for n in range(3):
                    if n:
                        kept = values[: rng.randint(1, 4)]
                        records.append(("keep", {"faces": kept}))
                    values = kept + [rng.randint(1, 6) for _ in range(5 - len(kept))]
                    dice = [
                        {"v": v, "p": 0.991, "c": [[round(rng.random(), 4), round(rng.random(), 4)] for _ in range(4)]}
                        for v in values
                    ]
                    records.append(("roll", {"dice": dice, "by": "camera"}))
                records.append(("score", {"box": box}))
        players = json.dumps(names)
        db.execute(
            "insert into games(id, name, players, options, started) values (?, 'yardzee', ?, '{}', ?)",
            (game, players, at),
        )
        for kind, data in records:
            seq += 1
            text = json.dumps(data)
            total = schema.event_sum(seq, game, kind, text, at, seq * 1000, 1)
            db.execute(
                "insert into events(seq, game, kind, data, at, table_ms, session, sum) values (?, ?, ?, ?, ?, ?, 1, ?)",
                (seq, game, kind, text, at, seq * 1000, total),
            )
    db.execute("commit")
    db.close()
    db = schema.connect(path)
    began = time.perf_counter()
    bring_up_to_date(db)
    print(f"tables of {games} games made anew: {time.perf_counter() - began:.1f} s; the table does it while it plays")
    db.execute("pragma wal_checkpoint(truncate)").fetchall()
    db.close()
    size = path.stat().st_size
    print(f"{games} games: {seq} events, {size / 1e6:.1f} MB, {size / games / 1000:.1f} kB a game")
    times = []
    for _ in range(3):
        began = time.perf_counter()
        journal = Journal(path)
        journal.last_game()
        times.append(time.perf_counter() - began)
        journal.close()
    print(f"start-up with {games} games: {statistics.median(times):.2f} s, every page and every sum checked")
    began = time.perf_counter()
    make_copy(path)
    print(f"a copy of it: {time.perf_counter() - began:.2f} s")
    began = time.perf_counter()
    figures(load(path))
    print(f"`dicetable stats` on it: {time.perf_counter() - began:.1f} s")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="dicetable-bench-", dir=args.folder))
    try:
        if args.inside:
            slow = ctypes.c_int.in_dll(ctypes.CDLL(os.environ["LD_PRELOAD"]), "slow_us")
            slow.value = 50_000
            print(f"commit, every sync 50 ms late: {milliseconds(commits(folder))}")
            slow.value = 400_000
            times, saving = shown(folder)
            print(
                f"press to shown, every sync 400 ms late: {milliseconds(times)}; {saving} of {len(times)} said 'saving'"
            )
            return 0
        print(f"commit: {milliseconds(commits(folder))}", flush=True)
        times, _ = shown(folder)
        print(f"press to shown, loop included: {milliseconds(times)}", flush=True)
        _slow(folder)
        many = folder / "many"
        many.mkdir()
        thousand(many, args.games)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


def _slow(folder: Path) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        print("skipped: a slow disk needs a C compiler", flush=True)
        return
    source, library = folder / "slow.c", folder / "slow.so"
    source.write_text(SLOW)
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    command = [sys.executable, __file__, "--inside", "--folder", str(folder)]
    subprocess.run(command, env={**os.environ, "LD_PRELOAD": str(library)}, check=True)


if __name__ == "__main__":
    sys.exit(main())
