"""Who holds a device: reads /proc to name the program that keeps a camera busy.

Room: hardware. Linux only; where /proc can't be read it finds nobody.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def holders(devices: Iterable[str], proc: Path = Path("/proc")) -> list[int]:
    """Numbers of the other processes that have one of `devices` open, ascending. A name that ends in no digit, as
    `/dev/media`, stands for all that begin with it."""
    names = tuple(devices)
    kinds = tuple(name for name in names if not name[-1].isdigit())
    found = set()
    for process in proc.glob("[0-9]*"):
        if int(process.name) == os.getpid():
            continue
        try:
            for handle in (process / "fd").iterdir():
                target = os.readlink(handle)
                if target in names or target.startswith(kinds):
                    found.add(int(process.name))
                    break
        except OSError:
            # It has ended, or belongs to somebody else.
            continue
    return sorted(found)
