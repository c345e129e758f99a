"""Keep the memory that one picture's arrays leave free for those of the next.

Room: vision. Knows the C library only. Reading a picture makes and drops some megabytes of arrays. glibc gives what is
free at the end of its heap back to the kernel, and for the next picture the kernel clears it again, page by page: about
600 faults and a tenth of a reading's time.
"""

from __future__ import annotations

import ctypes
from functools import cache

_TRIM, _MMAP = -1, -3
"""M_TRIM_THRESHOLD and M_MMAP_THRESHOLD of `mallopt` (malloc.h)."""

KEPT_MB = 32
"""So much may stay free at the end of the heap: more than one picture's arrays take."""

_LARGE_MB = 8
"""What is larger is mapped, and given back, on its own: a whole picture of some megapixels."""


@cache
def keep_freed() -> bool:
    """Let this process keep up to `KEPT_MB` that were freed; for all of its threads, once. Says whether the C library
    took it: others than glibc have no such setting, and need none."""
    try:
        set_option = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return False
    return all(set_option(option, megabytes << 20) for option, megabytes in ((_TRIM, KEPT_MB), (_MMAP, _LARGE_MB)))
