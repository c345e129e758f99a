"""How soon the table answers a press while the camera process reads, and whether its memory grows over many games.

    bench_table.py [--presses 150] [--games 1000]

The first part is a whole table: the camera process reads picture after picture of the simulated tray, and buttons are
pressed meanwhile; measured is from the press to the picture that shows what came of it. The second plays games with
loop, rules and journal. Exit status 1 if a press took 50 ms or more, or if there are more than 5 MB between the memory
after the hundredth game and after the last.
"""

from __future__ import annotations

import argparse
import gc
import os
import queue
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from display.window import Window
from firmware.events import Handled, Intent, Order, TableEvent
from firmware.eye_service import EyeService
from firmware.journal import Journal
from firmware.loop import Loop, LoopEvent, Parts
from firmware.platforms import EyeSpec
from firmware.table import Mode, Table, TableSettings
from hardware.buttons import HOLDS, Button
from hardware.panel_keys import KEYS, KeyPanel
from scripts.powercut_table import DryTable
from vision.types import TrayState

LIMIT_MS = 50.0
LIMIT_MB = 5.0
STEP_S = 1 / 60
PATIENCE_S = 40.0


class LiveTable:
    """The table as it is played, with a camera process of its own, drawn into memory."""

    def __init__(self, folder: Path) -> None:
        self.events: queue.SimpleQueue[LoopEvent] = queue.SimpleQueue()
        self.seen = 0
        options = {"seed": 3, "width": 1280, "height": 720, "touching": 0.3, "cocked": 0.2}
        self.eye = EyeService(EyeSpec("sim", options), self.events.put)
        self.panel = KeyPanel(8, self.events.put)
        self.window = Window.offscreen((1280, 720))
        self.journal = Journal(folder / "journal.sqlite3")
        self.table = Table(TableSettings())
        parts = Parts(
            self.table, self.journal, self.eye, self.panel, self.window, self.events, time.monotonic, stable_ms=0.0
        )  # fmt: skip
        self.loop = Loop(parts)
        self.steps_ms: list[float] = []
        self.handled = 0
        self._really = self.table.handle
        self.table.handle = self._handle  # type: ignore[method-assign]

    def _handle(self, event: TableEvent) -> Handled:
        self.handled += isinstance(event, Intent)
        return self._really(event)

    def step(self, *, wait: bool = True) -> None:
        begun = time.perf_counter()
        self.loop.step()
        took = time.perf_counter() - begun
        self.steps_ms.append(took * 1000)
        if wait:
            time.sleep(max(0.0, STEP_S - took))

    def run(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.step()

    def press(self, button: Button) -> tuple[float, float]:
        """Press and let go. The time from letting go to the picture that shows what came of it, in milliseconds, and
        how much of it this process worked."""
        key = KEYS[8][button][0]
        self.panel.key(key, True, time.monotonic())
        self.step()
        handled = self.handled
        begun, worked = time.perf_counter(), time.process_time()
        self.panel.key(key, False, time.monotonic())
        while self.handled == handled or self.journal.committed < self.loop.token:
            self.step(wait=False)
        # What was committed after the loop had looked is shown by its next step.
        self.step(wait=False)
        return (time.perf_counter() - begun) * 1000, (time.process_time() - worked) * 1000

    def close(self) -> None:
        self.eye.close()
        self.journal.close()
        self.window.close()


def press_times(presses: int) -> tuple[list[tuple[float, float]], list[float]]:
    """Milliseconds from each press to its picture, with what this process worked, and those of each step."""
    rng = random.Random(1)
    with tempfile.TemporaryDirectory(prefix="dicetable-") as folder:
        t = LiveTable(Path(folder))
        end = time.monotonic() + PATIENCE_S
        while not t.table.sight.camera.delivering and time.monotonic() < end:
            t.step()
        t.press(Button.SCORE)
        found: list[tuple[float, float]] = []
        t.steps_ms.clear()
        while len(found) < presses:
            # Throw again and again: the camera process is always about to read, or reads.
            if t.table.sight.tray in (TrayState.SETTLED, TrayState.UNREADABLE, TrayState.EMPTY):
                t.eye.order(Order("throw", {"dice": 5, "kept": [], "hand": False}))
                t.run(0.3)
            if t.table.mode is Mode.CHOOSE:
                found.append(t.press(rng.choice((HOLDS[0], HOLDS[1], Button.SCORE))))
            elif t.table.mode is Mode.PLAY:
                found.append(t.press(rng.choice((*HOLDS[:5], Button.SCORE))))
            else:
                found.append(t.press(rng.choice((Button.SCORE, Button.ROLL))))
            t.run(rng.uniform(0.0, 0.15))
        steps = t.steps_ms
        t.close()
    return found, steps


def rss_mb() -> float:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * 4096 / 1e6


def memory_over(games: int) -> tuple[float, float]:
    """Memory in MB after the hundredth game and after the last of `games`, played by one person."""
    hundredth = 0.0
    with tempfile.TemporaryDirectory(prefix="dicetable-") as folder:
        t = DryTable(Path(folder), players=1)
        for n in range(1, games + 1):
            t.window.touched.append("key:SCORE")
            t.step()
            while t.table.mode is not Mode.RESULT:
                play = t.table.play
                assert play is not None
                if play.dice:
                    t.window.touched.append(f"row:{t.rng.choice(t.table.open_options).box}")
                else:
                    t._throw([t.rng.randint(1, 6) for _ in range(5)], ())
                t.step()
                # What is pressed counts only once the table shows what came before.
                t.journal.wait(t.loop.token, 30.0)
                t.step()
            t.journal.wait(t.loop.token, 30.0)
            t.step()
            if n == min(100, games):
                hundredth = rss_mb()
        last = rss_mb()
        t.close()
    return hundredth, last


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--presses", type=int, default=150)
    parser.add_argument("--games", type=int, default=1000)
    args = parser.parse_args()
    ok = True
    if args.presses:
        found, steps = press_times(args.presses)
        wall, work = sorted(w for w, _ in found), sorted(w for _, w in found)
        busy = os.getloadavg()[0] / (os.cpu_count() or 1)
        print(f"press to picture, while the camera process reads ({len(found)} presses)")
        print(f"    median {wall[len(wall) // 2]:6.1f} ms, worst {wall[-1]:6.1f} ms (limit {LIMIT_MS:.0f})")
        print(f"    of which work: median {work[len(work) // 2]:6.1f} ms, worst {work[-1]:6.1f} ms")
        print(f"    worst step of the loop {max(steps):6.1f} ms; load of the machine {busy:.1f} for each core")
        ok &= wall[-1] < LIMIT_MS
    if args.games:
        hundredth, last = memory_over(args.games)
        print(f"memory after game {min(100, args.games)}: {hundredth:.1f} MB, after game {args.games}: {last:.1f} MB")
        ok &= last - hundredth <= LIMIT_MB
    print("all well" if ok else "FAILED")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
