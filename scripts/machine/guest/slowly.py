"""In the machine: the program as it is, but that its clock runs SLOW times slower. slowly.py ARGUMENTS...

An emulated processor needs seconds for what a Raspberry Pi does in a moment; for a table whose clock is as slow, all is
in proportion again: how long a camera may be silent, how far apart frames are, how long a contact must rest. The camera
process imports this file as well (multiprocessing, "spawn"). The times of systemd are real ones.
"""

import os
import sys
import time

with open("/run/guest/slow") as _file:
    SLOW = float(_file.read())
_real = time.monotonic


def _slow() -> float:
    return _real() / SLOW


time.monotonic = _slow

if __name__ == "__main__":
    from firmware.cli import main

    if "WATCHDOG_USEC" in os.environ:
        os.environ["WATCHDOG_USEC"] = str(round(int(os.environ["WATCHDOG_USEC"]) / SLOW))
    sys.argv[0] = "dicetable"
    sys.exit(main(sys.argv[1:]))
