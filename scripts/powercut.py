"""Power cuts, failing disks and damaged files: play, break something, start again, compare.

    python scripts/powercut.py [--part shim|kills|cuts|flips|full] [--share N] [--seed S]

`--share 20` does every twentieth of the runs. Exit status 1 if anything was lost that the screen had shown, if a start
ended in an exception, or if the control run, with `synchronous=OFF`, lost nothing: then this test can't see losses.
A part that can't be run here says so in one line that begins with "skipped".
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import firmware.journal as journal_module  # noqa: E402
import firmware.journal_schema as schema  # noqa: E402
import rules  # noqa: E402
from firmware.table import Mode  # noqa: E402
from scripts.powercut_table import DryTable, same_screen  # noqa: E402

COUNT, FAIL, DELAY, DROP = 1, 2, 3, 4
ACTS = 600
"""More than a game takes."""
PARTS = ("shim", "kills", "cuts", "flips", "full")


class Lost(Exception):
    """Something that was shown is gone."""


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder in memory: what is tested is what is written, not how fast."""
    memory = Path("/dev/shm")
    parent = memory if memory.is_dir() and os.access(memory, os.W_OK) else None
    folder = Path(tempfile.mkdtemp(prefix="dicetable-powercut-", dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Counted(DryTable):
    """Counts the events that were handed to the journal, and knows how many of them are shown."""

    def __init__(self, folder: Path, seed: int, players: int = 2) -> None:
        super().__init__(folder, seed, players)
        self.appended = self.shown = events_in(folder)
        append = self.journal.append

        def counting(records: object) -> int:
            self.appended += len(records)  # type: ignore[arg-type]
            return append(records)  # type: ignore[arg-type]

        self.journal.append = counting  # type: ignore[assignment,method-assign]

    def act_and_show(self, tell: Callable[[str], None], wait_s: float = 0.05) -> None:
        """Do something, wait until the screen shows it, and tell what it shows, unless it says that it isn't saved."""
        self.act()
        for _ in range(200):
            self.journal.wait(self.loop.token, wait_s)
            self.step()
            if self.settled:
                self.step()
                self.shown = self.appended
                break
            view = self.window.shown
            if view is not None and "saving" in view.banners:
                tell(json.dumps({"saving": True}))
            if not self.honest:
                tell(json.dumps({"banner": True}))
                return
        if self.settled:
            tell(json.dumps({"events": self.shown, "screen": self.screen}))


def events_in(folder: Path) -> int:
    try:
        db = schema.connect_to_read(folder / "journal.sqlite3")
    except sqlite3.OperationalError:
        return 0
    try:
        number: int = db.execute("select count(*) from events").fetchone()[0]
    except sqlite3.OperationalError:
        return 0  # the disk failed before there was a table
    finally:
        db.close()
    return number


def in_child(work: Callable[[Callable[[str], None]], None]) -> Iterator[str]:
    """Run `work` in a forked process and yield the lines that it tells. The first line is its process id."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.close(reader)
            work(lambda line: _write_line(writer, line))
            status = 0
        except BaseException:
            _write_line(writer, json.dumps({"error": traceback.format_exc()}))
        finally:
            os._exit(status)
    os.close(writer)
    yield str(pid)
    with os.fdopen(reader) as lines:
        yield from lines
    os.waitpid(pid, 0)


def _write_line(fd: int, line: str) -> None:
    os.write(fd, line.encode() + b"\n")


def compare(folder: Path, lines: list[str], *, all_of: bool = False) -> None:
    """Start again and compare with what was told before. Raises Lost."""
    told = [json.loads(line) for line in lines]
    for line in told:
        if "error" in line:
            raise Lost(line["error"])
    shown = [line for line in told if "screen" in line]
    if not shown:
        return
    last = shown[-1]
    table = DryTable(folder)
    try:
        events = events_in(folder)
        if events < last["events"]:
            raise Lost(f"{last['events']} events were shown, {events} are there")
        if events == last["events"] and not same_screen(last["screen"], table.screen):
            raise Lost(f"the screen showed {last['screen']}, now it shows {table.screen}")
        if all_of and events < max(line.get("appended", 0) for line in told):
            raise Lost("what could not be written at first was never written")
    finally:
        table.close()


# ---- a disk that fails at the n-th call -----------------------------------------------------------------------------


def play_armed(folder: Path, mode: int, n: int, tell: Callable[[str], None], synchronous: str = "full") -> None:
    """Play one game with the shim armed."""
    schema.SYNCHRONOUS = synchronous
    journal_module._RETRY_S = 0.02
    shim = ctypes.CDLL(os.environ["LD_PRELOAD"])
    shim.shim_count.restype = ctypes.c_long
    shim.shim_arm.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_long]
    shim.shim_arm(str(folder).encode(), mode, n)
    table = Counted(folder, seed=3, players=1)
    after = 0
    for _ in range(ACTS):
        table.act_and_show(tell, wait_s=0.05 if mode == DROP else 0.005)
        after += mode != DROP and n > 0 and shim.shim_count() > n
        # Once the call has failed, twenty more acts tell whether the game goes on.
        if table.table.mode is Mode.RESULT or after > 20:
            break
    deadline = time.monotonic() + 5
    while not table.settled and time.monotonic() < deadline:
        table.journal.wait(table.loop.token, 0.1)
        table.step()
    table.close()
    tell(json.dumps({"appended": table.appended, "calls": shim.shim_count()}))


def shim_inside(share: int) -> int:
    """The part that runs with the shim loaded."""
    with scratch() as folder:
        lines = list(in_child(lambda tell: play_armed(_fresh(folder), COUNT, 0, tell)))[1:]
        calls = json.loads(lines[-1])["calls"]
        compare(folder / "data", lines, all_of=True)
    print(f"  a whole game is {calls} calls")
    losses = 0
    for name, mode, step in (("power cut", DROP, 1), ("failing call", FAIL, 1), ("delayed call", DELAY, 10)):
        banners = runs = 0
        began = time.monotonic()
        for n in range(1 + (share // 2) % calls, calls + 1, share * step):
            with scratch() as folder:
                lines = list(in_child(partial(_armed, folder, mode, n)))[1:]
                runs += 1
                banners += any('"banner"' in line or '"saving"' in line for line in lines)
                try:
                    compare(folder / "data", lines, all_of=mode != DROP)
                except (Lost, sqlite3.Error) as e:
                    losses += 1
                    print(f"  LOST: {name} at call {n}: {e}")
        print(f"  {name}: {runs} runs, {banners} with a banner, {time.monotonic() - began:.0f} s")
        if mode != DROP and runs > 5 and banners == 0:
            print(f"  LOST: a {name} was never on the screen")
            losses += 1
    return losses + _control(calls)


def _armed(folder: Path, mode: int, n: int, tell: Callable[[str], None]) -> None:
    play_armed(_fresh(folder), mode, n, tell)


def _control(calls: int) -> int:
    """Without syncs the same power cuts must lose something."""
    lost = 0
    for n in range(calls // 4, calls, calls // 4):
        with scratch() as folder:
            lines = list(in_child(lambda tell, n=n: play_armed(_fresh(folder), DROP, n, tell, "off")))[1:]
            try:
                compare(folder / "data", lines)
            except (Lost, sqlite3.Error):
                lost += 1
    print(f"  control run with synchronous=OFF: {lost} of 3 power cuts lost something")
    if not lost:
        print("  LOST: the control run lost nothing, so this test can't see losses")
    return int(not lost)


def _fresh(folder: Path) -> Path:
    data = folder / "data"
    data.mkdir()
    return data


def shim(share: int, seed: int) -> int:
    """At every call in turn: a power cut, a failure, a delay."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        print("skipped: there is no C compiler")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "shim.so"
        source = ROOT / "scripts" / "powercut_shim.c"
        subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl", "-lpthread"], check=True)
        command = [sys.executable, __file__, "--part", "shim", "--inside", "--share", str(share)]
        return subprocess.run(command, env={**os.environ, "LD_PRELOAD": str(library)}, check=False).returncode


# ---- kill -9 --------------------------------------------------------------------------------------------------------


def kills(share: int, seed: int) -> int:
    """An evening that is killed again and again, and carries on each time."""
    rng = random.Random(seed)
    losses = 0
    last: dict[str, object] | None = None
    with scratch() as folder:

        def evening(tell: Callable[[str], None]) -> None:
            table = Counted(folder, seed=rng.randrange(1 << 30))
            tell(json.dumps({"start": events_in(folder), "screen": table.screen, "found": len(table.journal.notices)}))
            while True:
                table.act_and_show(tell)

        runs = max(1, 300 // share)
        for number in range(runs):
            rng.random()
            child = in_child(evening)
            pid = int(next(child))
            start = json.loads(next(child))
            problem = _differs(last, start)
            if problem:
                losses += 1
                print(f"  LOST: after kill {number}: {problem}")
            time.sleep(rng.uniform(0.0, 0.25))
            os.kill(pid, signal.SIGKILL)
            told = [json.loads(line) for line in child if line.endswith("\n")]
            shown = [line for line in told if "screen" in line]
            last = shown[-1] if shown else {"events": start.get("start"), "screen": start.get("screen")}
        games = len(journal_module.game_ids(folder / "journal.sqlite3"))
        print(f"  {runs} kills in an evening of {games} games and {last and last['events']} events")
    return losses


def _differs(last: dict[str, object] | None, start: dict[str, object]) -> str:
    if "error" in start:
        return str(start["error"])
    if last is None:
        return ""
    if start["found"]:
        return "the journal was called damaged"
    before, now = int(str(last["events"])), int(str(start["start"]))
    if now < before:
        return f"{before} events were shown, {now} are there"
    if now == before and not same_screen(str(last["screen"]), str(start["screen"])):
        return f"the screen showed {last['screen']}, now it shows {start['screen']}"
    return ""


# ---- damaged files --------------------------------------------------------------------------------------------------


def _damaged_evening(folder: Path, *, after_a_game: bool) -> None:
    """What the power leaves: the beginning of a game, all of it in the log; or `after_a_game`, which is in the database
    and in a copy."""
    live = folder / "live"
    live.mkdir()
    table = Counted(live, seed=3, players=1)
    while after_a_game and table.table.mode is not Mode.RESULT:
        table.act_and_show(lambda _: None)
    if after_a_game:
        _wait_for_copy(live)
        db = sqlite3.connect(live / "journal.sqlite3")
        db.execute("pragma wal_checkpoint(truncate)").fetchall()
        db.close()
    for _ in range(20):
        table.act_and_show(lambda _: None)
    shutil.copytree(live, folder / "base")
    table.close()


def _wait_for_copy(folder: Path) -> None:
    for _ in range(500):
        if list(folder.glob("copies/*.sqlite3")):
            return
        time.sleep(0.01)
    raise Lost("a game has ended, and no copy was made")


def _truth(path: Path) -> dict[int, tuple[object, ...]]:
    db = schema.connect_to_read(path)
    try:
        rows = db.execute("select seq, game, kind, data from events order by seq").fetchall()
    finally:
        db.close()
    return {row[0]: row for row in rows}


def _start_with(
    base: Path, work: Path, name: str, change: Callable[[bytes], bytes], truth: dict[int, tuple[object, ...]], tail: int
) -> str:
    """Start with one file changed. Returns what is wrong, "" if nothing is. `tail`: so many events may be missing
    without a word, since this is what a power cut leaves."""
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(base, work)
    file = work / name
    file.write_bytes(change(file.read_bytes()))
    try:
        table = DryTable(work)
        notices = [n.code for n in table.journal.notices]
        table.act()
        table.close()
    except Exception:
        return traceback.format_exc()
    now = _truth(work / "journal.sqlite3")
    wrong = [n for n in now if n in truth and now[n] != truth[n] and n <= len(truth) - tail]
    missing = [n for n in truth if n not in now]
    if "JRN-05" in notices:
        return "" if list(work.glob("*.corrupt-*")) or not file.stat().st_size else "nothing was set aside"
    if wrong:
        return f"events {wrong} were changed, and it was not said"
    if [n for n in missing if n <= len(truth) - tail]:
        return f"events {missing} are missing, and it was not said"
    return ""


def cuts(share: int, seed: int) -> int:
    """The database and its log, cut at every 512th byte."""
    losses = runs = 0
    for after_a_game in (False, True):
        with scratch() as folder:
            _damaged_evening(folder, after_a_game=after_a_game)
            base = folder / "base"
            truth = _truth(base / "journal.sqlite3")
            copied = max((int(c.stem.rpartition("-")[2]) for c in base.glob("copies/*")), default=0)
            places = [
                (name, at)
                for name in ("journal.sqlite3", "journal.sqlite3-wal")
                for at in range(0, (base / name).stat().st_size, 512)
            ]
            for name, at in places[share // 2 :: share]:
                runs += 1
                # A log may end anywhere; but what is in the last copy can't be gone.
                tail = len(truth) - copied if name.endswith("-wal") else 0
                problem = _start_with(base, folder / "work", name, lambda b, at=at: b[:at], truth, tail)
                if problem:
                    losses += 1
                    print(f"  LOST: {name} cut at {at}: {problem}")
    print(f"  {runs} cuts")
    return losses


def flips(share: int, seed: int) -> int:
    """Random bytes of the database and its log, changed."""
    rng = random.Random(seed)
    losses = runs = said = 0
    for after_a_game in (False, True):
        with scratch() as folder:
            _damaged_evening(folder, after_a_game=after_a_game)
            base = folder / "base"
            truth = _truth(base / "journal.sqlite3")
            names = ["journal.sqlite3", "journal.sqlite3-wal"]
            sizes = [(base / name).stat().st_size for name in names]
            for _ in range(max(1, 500 // share)):
                name = rng.choices(names, sizes)[0]
                at, bits = rng.randrange((base / name).stat().st_size), rng.randrange(1, 256)

                def change(b: bytes, at: int = at, bits: int = bits) -> bytes:
                    return b[:at] + bytes([b[at] ^ bits]) + b[at + 1 :]

                runs += 1
                # The last transaction looks as if the power had gone while it was written.
                problem = _start_with(base, folder / "work", name, change, truth, tail=2)
                said += bool(list((folder / "work").glob("*.corrupt-*")))
                if problem:
                    losses += 1
                    print(f"  LOST: byte {at} of {name} ^ {bits}: {problem}")
    print(f"  {runs} flipped bytes, {said} found and set aside; the others changed nothing that counts")
    return losses


# ---- a full disk ----------------------------------------------------------------------------------------------------


def full(share: int, seed: int) -> int:
    """A small disk that runs full and is then made larger; and one that turns read-only."""
    with scratch() as folder:
        disk = folder / "disk"
        disk.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=400k", "dicetable", str(disk)]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
            print("skipped: a small disk can be mounted by root only")
            return 0
        try:
            return _play_full(disk, "size=400k", "size=40m", "full") + _play_full(disk, "ro", "rw", "read-only")
        finally:
            subprocess.run(["umount", "-l", str(disk)], check=False)


def _play_full(disk: Path, narrow: str, wide: str, what: str) -> int:
    journal_module._RETRY_S = 0.05
    data = disk / what
    data.mkdir()
    table = Counted(data, seed=3)
    losses = without = acts = 0
    if narrow == "ro":
        for _ in range(20):
            table.act_and_show(lambda _: None)
        table.close()
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        before_it, screen = table.appended, table.screen
        table = Counted(data, seed=4)
        table.appended = before_it
        if not same_screen(screen, table.screen):
            print(f"  LOST: {what}: the game that is on the disk is not on the screen")
            losses += 1
    for _ in range(3 * ACTS):
        table.act_and_show(lambda _: None, wait_s=0.01)
        acts += 1
        without += not table.honest
        if without > 60:
            break
    if without <= 60:
        print(f"  LOST: {what}: in {acts} acts the screen never said it")
        losses += 1
    before = table.appended
    for _ in range(10):
        table.act_and_show(lambda _: None, wait_s=0.01)
    if table.appended == before:
        print(f"  LOST: {what}: the game does not go on")
        losses += 1
    subprocess.run(["mount", "-o", f"remount,{wide}", str(disk)], check=True)
    table.journal.wait(table.loop.token, 20)
    table.step()
    table.step()
    if not table.settled or not table.honest:
        print(f"  LOST: {what}: it is not written when it could be ({table.journal.fault})")
        losses += 1
    shown, screen = table.appended, table.screen
    table.close()
    after = DryTable(data)
    if events_in(data) != shown or not same_screen(screen, after.screen):
        print(f"  LOST: {what}: {shown} events were shown, {events_in(data)} are there")
        losses += 1
    after.close()
    print(f"  {what}: {without + 10} acts were played while nothing could be written")
    return losses


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=PARTS, action="append", help="only this; may be given again")
    parser.add_argument("--share", type=int, default=1, metavar="N", help="every N-th run only")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    rules.games()  # read before any fork, so that not every child has to
    rules.new("yardzee", players=["Ann"])
    if args.inside:
        return min(1, shim_inside(args.share))
    losses = 0
    for part in args.part or PARTS:
        began = time.monotonic()
        print(f"{part}:", flush=True)
        losses += globals()[part](args.share, args.seed)
        print(f"  {time.monotonic() - began:.0f} s", flush=True)
    print("something was lost" if losses else "nothing was lost")
    return int(bool(losses))


if __name__ == "__main__":
    sys.exit(main())
