"""Rehearse at the twin, perform in the machine, and print what was proved. Started by __main__.py.

Part of the machine harness. Runs with the project as it is in the image, so that twin and machine are the same table.
"""

from __future__ import annotations

import argparse
import importlib
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from types import ModuleType

from image import IMAGE
from lab import Lab
from machine import Machine, make_parts
from twin import Act, Rehearsal

ONE_BOOT = (
    "first_picture", "one_turn", "each_game", "camera_away", "full_disk", "read_only", "clock_back", "no_screen",
    "watchdog", "crash", "safe_mode", "upgrade", "hung_machine",
)  # fmt: skip
"""These are one evening at one machine, in this order."""
ALONE = ("power_cut",)
"""These begin where the first picture was shown, each for itself."""
QUICK = ("first_picture", "one_turn", "crash")
"""What .ci/run does where there is an image."""
FIRST = "first_picture"
START = "up"


QUICK_S = 345


class Busy(BaseException):
    """Time is up. No failure of a scenario, so none may take it for one."""


class Evening:
    """`keep` is where pictures are kept, `work` takes disks and films."""

    def __init__(self, names: list[str], keep: Path, work: Path) -> None:
        self.scenarios = {name: load(name) for name in names}
        self.keep, self.work = keep, work
        self.rows: list[tuple[str, str, str, float]] = []
        """Title, "proved" or "FAILED", what was seen, and how long it took in seconds."""
        self.acts: dict[str, list[Act]] = {}
        self.begins: dict[str, int] = {}
        """How many of its acts only see to it that a game is played."""
        self.films = work / "films"
        # What was played here before has no part in it.
        for old in ("twin", "films", *names):
            shutil.rmtree(work / old, ignore_errors=True)
        twin = Rehearsal(work / "twin", self.films)
        for name in self.scenarios:
            own = Rehearsal(work / name, self.films) if name in ALONE else twin
            before = len(own.acts)
            if getattr(self.scenarios[name], "IN_A_GAME", False) and own.table.play is None:
                own.press("score")
                own.press("score")
            self.begins[name] = len(own.acts) - before
            self.scenarios[name].rehearse(own)
            self.acts[name] = own.acts[before:]
            if own is not twin:
                own.close()
        twin.close()
        self.machine = Machine(IMAGE, work, make_parts(work / "parts", self.films))

    def run(self) -> bool:
        if self.machine.used:
            self.machine.go_on(START)
        else:
            self.machine.power_on()
        for name in self.scenarios:
            if name == FIRST and self.machine.used:
                continue
            self._prove(name)
            if name == FIRST:
                self.machine.keep_moment(START)
        return all(row[1] == "proved" for row in self.rows)

    def _prove(self, name: str) -> None:
        scenario = self.scenarios[name]
        lab = Lab(self.machine, self.films, self.keep, name, self.acts[name], _say)
        print(f"{name}: {scenario.TITLE}", flush=True)
        began = time.monotonic()
        try:
            lab.perform(self.begins[name])
            lab.checked = 0
            seen, result = scenario.prove(lab), "proved"
        except Exception as error:
            seen, result = f"{type(error).__name__}: {error}", "FAILED"
        self.rows.append((scenario.TITLE, result, seen, time.monotonic() - began))
        print(f"    {result}: {seen}", flush=True)


def _say(what: str) -> None:
    print(f"    {what}", flush=True)


def _time_is_up(*_: object) -> None:
    raise Busy


def load(name: str) -> ModuleType:
    return importlib.import_module(f"scenarios.{name}")


def table(rows: list[tuple[str, str, str, float]]) -> str:
    """What was proved, as a table of a page."""
    lines = ["| scenario | result | what was seen | seconds |", "|---|---|---|---|"]
    return "\n".join([*lines, *(f"| {a} | {b} | {c} | {s:.0f} |" for a, b, c, s in rows)])


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("scenario", nargs="*")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--pictures", type=Path, required=False, default=Path("build/machine"))
    parser.add_argument("--write", type=Path)
    parser.add_argument("--work", type=Path)
    args = parser.parse_args()
    if args.list:
        for name in (*ONE_BOOT, *ALONE):
            print(f"{name:16}{load(name).TITLE}")
        return 0
    names = [FIRST, *args.scenario] if args.scenario else [*(QUICK if args.quick else (*ONE_BOOT, *ALONE))]
    shutil.rmtree(args.pictures, ignore_errors=True)
    args.pictures.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="dicetable-machine-") as temporary:
        work = args.work or Path(temporary)
        evening = Evening(names, args.pictures.resolve(), work)
        try:
            if args.quick:
                signal.signal(signal.SIGALRM, _time_is_up)
                signal.alarm(QUICK_S)
            good = evening.run()
        except Busy:
            print(f"machine: not all was tried, this computer is too busy ({QUICK_S} s are over)")
            good = all(row[1] == "proved" for row in evening.rows)
        finally:
            evening.machine.close()
    made = table(evening.rows)
    print(f"\n{made}")
    if args.write:
        page = args.write.read_text("utf-8")
        begin, end = "<!-- proved -->\n", "<!-- end -->"
        before, _, rest = page.partition(begin)
        args.write.write_text(before + begin + made + "\n" + end + rest.partition(end)[2], "utf-8")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
