"""Rehearse at the twin, perform in the machine, and print what was proved. Started by __main__.py.

Part of the machine harness. Runs with the project as it is in the image, so that twin and machine are the same table.
"""

from __future__ import annotations

import argparse
import importlib
import os
import resource
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from image import HERE, IMAGE
from lab import TURN, UP, Lab
from machine import Machine
from twin import Act, Rehearsal, begin_turn

FIRST = ("first_picture", "one_turn")
"""The power switch, and on from there. They keep the moments from which all others go on."""
THEN = (
    "each_game", "power_cut", "upgrade", "hung_machine", "safe_mode", "crash", "read_only", "watchdog", "no_screen",
    "clock_back", "full_disk", "camera_away",
)  # fmt: skip
"""Each for itself, several at a time. The longest come first."""
QUICK = ("crash",)
"""What .ci/run does of these where there is an image, in QUICK_S."""
QUICK_S = 345
Row = tuple[str, str, str, float]
"""Title, "proved" or "FAILED", what was seen, and how long it took in seconds."""


class Evening:
    """`keep` is where pictures are kept, `work` takes disks and films."""

    def __init__(self, names: list[str], keep: Path, work: Path) -> None:
        self.keep, self.work = keep, work
        self.names = names
        self.scenarios = {name: load(name) for name in (*FIRST, *names)}
        self.rows: dict[str, Row] = {}
        self.acts: dict[str, list[Act]] = {}
        self._todo = [name for name in names if name not in FIRST]
        self._choosing = threading.Lock()
        self.over = threading.Event()
        """Time is up, or all has been done."""
        # What was played here before has no part in it.
        for old in ("twin", "parts"):
            shutil.rmtree(work / old, ignore_errors=True)
        self.films = work / "parts" / "films"
        shutil.copytree(HERE / "guest", work / "parts")
        self.machines = [Machine(IMAGE, work / "machine-1", work / "parts")]

    def run(self, guests: int) -> None:
        """All of it, with so many machines at a time."""
        first, ahead = self.machines[0], None
        if first.used:
            self._rehearse(name for name in self.names if name not in FIRST)
        else:
            self._rehearse(FIRST)
            first.power_on()
            began = time.monotonic()
            # While it boots.
            self._rehearse(name for name in self.names if name not in FIRST)
            if not self._proved(FIRST[0], first, began):
                return
            first.close()
            if guests > 1 and any(moment(self.scenarios[name]) == UP for name in self._todo):
                ahead = self._ahead(first)
            if not self._proved(FIRST[1], first, time.monotonic(), UP):
                return
            first.close()
        others = [first.twin(self.work / f"machine-{n + 2}") for n in range(min(guests, len(self._todo)) - 1)]
        self.machines += others
        # One of them waits for the one that went ahead.
        threads = [
            threading.Thread(target=self._work, args=(machine, ahead if n == 1 else None), daemon=True)
            for n, machine in enumerate([first, *others])
        ]
        for thread in threads:
            thread.start()
        for thread in (*threads, *([ahead] if ahead else [])):
            thread.join()

    def _ahead(self, first: Machine) -> threading.Thread:
        """Begin with what goes on from the first picture, while the machine that is off now plays a turn."""
        machine = first.twin(self.work / "machine-ahead")
        self.machines.append(machine)
        thread = threading.Thread(target=self._work, args=(machine, None, UP), daemon=True)
        thread.start()
        return thread

    def stop(self) -> None:
        """Switch all machines off; what has not been proved by now is not."""
        self.over.set()
        self._todo.clear()
        for machine in self.machines:
            machine.close()

    def _rehearse(self, names: Iterable[str]) -> None:
        for name in names:
            twin = Rehearsal(self.work / "twin" / name, self.films)
            if moment(self.scenarios[name]) == TURN:
                begin_turn(twin)
            before = len(twin.acts)
            self.scenarios[name].rehearse(twin)
            twin.close()
            self.acts[name] = twin.acts[before:]

    def _work(self, machine: Machine, after: threading.Thread | None = None, begin: str = "") -> None:
        """Prove one scenario after the other, of those that `begin` there (all), once another thread is through."""
        if after is not None:
            after.join()
        while not self.over.is_set():
            with self._choosing:
                name = next((n for n in self._todo if begin in ("", moment(self.scenarios[n]))), None)
                if name is None:
                    return
                self._todo.remove(name)
            self._prove(name, machine, time.monotonic(), moment(self.scenarios[name]))
            machine.close()

    def _proved(self, name: str, machine: Machine, began: float, begin: str = "") -> bool:
        self._prove(name, machine, began, begin)
        return name in self.rows and self.rows[name][1] == "proved"

    def _prove(self, name: str, machine: Machine, began: float, begin: str = "") -> None:
        scenario = self.scenarios[name]

        def say(what: str) -> None:
            print(f"{name:14}{time.monotonic() - began:4.0f} s  {what}", flush=True)

        lab = Lab(machine, self.films, self.keep, name, self.acts[name], say)
        try:
            if begin:
                machine.go_on(begin, self.acts[name][0].lies)
            seen, result = scenario.prove(lab), "proved"
        except Exception as error:
            seen, result = f"{type(error).__name__}: {error}", "FAILED"
        if not self.over.is_set():
            self.rows[name] = (scenario.TITLE, result, seen, time.monotonic() - began)
            say(f"{result}: {seen}")


def moment(scenario: ModuleType) -> str:
    """Where a scenario begins: in the middle of a turn, if it does not say anything else."""
    return str(getattr(scenario, "FROM", TURN))


def load(name: str) -> ModuleType:
    return importlib.import_module(f"scenarios.{name}")


def table(rows: list[Row]) -> str:
    """What was proved, as a table of a page."""
    lines = ["| scenario | result | what was seen | seconds |", "|---|---|---|---|"]
    return "\n".join([*lines, *(f"| {a} | {b} | {c} | {s:.0f} |" for a, b, c, s in rows)])


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("scenario", nargs="*")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--guests", type=int, default=(os.cpu_count() or 1) + 1)
    parser.add_argument("--pictures", type=Path, required=False, default=Path("build/machine"))
    parser.add_argument("--write", type=Path)
    parser.add_argument("--work", type=Path)
    args = parser.parse_args()
    if args.list:
        for name in (*FIRST, *THEN):
            print(f"{name:16}{load(name).TITLE}")
        return 0
    names = args.scenario or [*(QUICK if args.quick else THEN)]
    shutil.rmtree(args.pictures, ignore_errors=True)
    args.pictures.mkdir(parents=True)
    began = time.monotonic()
    # So that no machine is left running.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="dicetable-machine-") as temporary:
        evening = Evening(names, args.pictures.resolve(), (args.work or Path(temporary)).resolve())
        alarm = threading.Timer(QUICK_S, evening.stop)
        alarm.daemon = True
        if args.quick:
            alarm.start()
        try:
            evening.run(args.guests)
            late = evening.over.is_set()
        finally:
            alarm.cancel()
            evening.stop()
    if late:
        print(f"machine: not all was tried, this computer is too busy ({QUICK_S} s are over)")
    rows = [evening.rows[name] for name in (*FIRST, *THEN) if name in evening.rows]
    made = table(rows)
    used_s = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    print(f"\n{made}\n\nmachine: {time.monotonic() - began:.0f} s, {used_s:.0f} s of processors")
    if args.write:
        page = args.write.read_text("utf-8")
        begin, end = "<!-- proved -->\n", "<!-- end -->"
        before, _, rest = page.partition(begin)
        args.write.write_text(before + begin + made + "\n" + end + rest.partition(end)[2], "utf-8")
    tried = late or all(name in evening.rows for name in names)
    return 0 if tried and all(row[1] == "proved" for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
