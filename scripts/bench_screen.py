"""What the screen costs: time to the first picture, a full change, a new camera picture, a still screen, memory.

Room: none; a tool. Needs no screen: everything is drawn into memory.

    python scripts/bench_screen.py [--size 1280x720]
"""

from __future__ import annotations

import time

BEGUN = time.perf_counter()

import argparse  # noqa: E402
import dataclasses  # noqa: E402
import resource  # noqa: E402
from collections.abc import Callable  # noqa: E402

from display import samples  # noqa: E402
from display.window import Window  # noqa: E402


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
    print(f"first picture          {time.perf_counter() - BEGUN:7.2f} s after the program's start")

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
    print(f"memory                 {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:7.0f} MB at most")


if __name__ == "__main__":
    main()
