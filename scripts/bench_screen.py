"""What the screen costs: time to the first picture, a full change, a new camera picture, a still screen, movements,
and the memory of a whole table's process.

Room: none; a tool. Needs no screen: everything is drawn into memory. Targets: first picture under 1 s, another scene
at 1280x720 under 16 ms, a still screen at most 1 % of a core, the table's process under 120 MB at 1920x1080.

    python scripts/bench_screen.py [--size 1280x720]
"""

from __future__ import annotations

import time

BEGUN = time.perf_counter()

import argparse  # noqa: E402
import dataclasses  # noqa: E402
import resource  # noqa: E402
import subprocess  # noqa: E402
import sys  # noqa: E402
import tempfile  # noqa: E402
from collections.abc import Callable  # noqa: E402
from pathlib import Path  # noqa: E402

from display import motion, samples  # noqa: E402
from display.window import Window  # noqa: E402

TABLE_S = 12.0
"""How long the table is watched, in seconds."""


def middle_ms(work: Callable[[int], object], times: int) -> float:
    """Median processor time of `work(i)`, in milliseconds."""
    spent = []
    for i in range(times):
        before = time.process_time()
        work(i)
        spent.append((time.process_time() - before) * 1000)
    return sorted(spent)[times // 2]


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what the screen costs.")
    parser.add_argument("--size", default="1280x720")
    size = parser.parse_args().size.split("x")
    window = Window.offscreen((int(size[0]), int(size[1])))
    window.show(samples.turn(2), 0.0)
    print(
        f"first picture          {time.perf_counter() - BEGUN:7.2f} s after the program's start, "
        f"of which {time.process_time():.2f} s of work"
    )

    views = list(samples.views().values())
    for view in views:
        window.show(view, 0.0)
    another = middle_ms(lambda i: window.show(views[i % len(views)], 0.0), 120)
    print(f"another scene          {another:7.2f} ms (median)")

    turn = samples.turn(8)
    picture = turn.tray.picture
    assert picture is not None
    frames = [
        dataclasses.replace(turn, tray=dataclasses.replace(turn.tray, picture=dataclasses.replace(picture, number=i)))
        for i in range(50)
    ]
    print(f"a new camera picture   {middle_ms(lambda i: window.show(frames[i], 0.0), 50):7.2f} ms")
    still = middle_ms(lambda _: [window.show(frames[-1], 0.0) for _ in range(1000)], 9) / 1000
    print(f"nothing new            {still * 1000:7.2f} us; at 60 a second {still * 60 / 10:.4f} % of a core")
    inviting, steps = samples.views()["attract"], [0]

    def move(i: int) -> None:
        steps[0] += 1
        window.show(inviting, steps[0] * motion.STEP_S)

    moving = middle_ms(move, 120)
    print(f"a step of a movement   {moving:7.2f} ms; {moving / motion.STEP_S / 10:.1f} % of a core while it moves")
    print(f"memory of this program {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:7.0f} MB at most")


def table_memory() -> float:
    """Resident memory of a table's process that has played for a while at 1920x1080, in MB."""
    with tempfile.TemporaryDirectory(prefix="dicetable-") as folder:
        config = Path(folder) / "dicetable.toml"
        config.write_text("[screen]\nwidth = 1920\nheight = 1080\n", "utf-8")
        arguments = ["play", "--platform", "sim", "--config", str(config), "--data", folder]
        picture = str(Path(folder) / "last.png")
        command = [sys.executable, "-m", "firmware.cli", *arguments, "--offscreen", picture]
        table = subprocess.Popen(command, cwd=Path(__file__).resolve().parent.parent)
        try:
            time.sleep(TABLE_S)
            lines = Path(f"/proc/{table.pid}/status").read_text("ascii").splitlines()
        finally:
            table.terminate()
            table.wait(30)
    return int(next(line for line in lines if line.startswith("VmHWM:")).split()[1]) / 1024


if __name__ == "__main__":
    main()
    if sys.platform == "linux":
        print(f"memory of a table      {table_memory():7.0f} MB at most, at 1920x1080")
