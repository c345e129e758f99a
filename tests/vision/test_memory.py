"""Memory that is freed is kept for the next picture."""

import subprocess
import sys
from pathlib import Path

import pytest

from vision.memory import keep_freed

ROOT = Path(__file__).resolve().parents[2]

FAULTS = """
import resource, sys
import numpy as np
if sys.argv[1] == "kept":
    from vision.memory import keep_freed
    keep_freed()

def work():
    # What a reading does: some megabytes in pieces, and all dropped again.
    parts = [np.ones(size, np.uint8) for size in (300_000, 700_000, 1_500_000, 3_000_000) for _ in range(3)]
    return sum(len(part) for part in parts)

for _ in range(5):
    work()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(10):
    work()
print((resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before) // 10)
"""


def faults(how: str) -> int:
    code = [sys.executable, "-c", FAULTS, how]
    return int(subprocess.run(code, cwd=ROOT, check=True, capture_output=True, text=True).stdout)


@pytest.mark.skipif(not keep_freed(), reason="the C library has no mallopt: nothing to keep")
def test_the_next_picture_gets_the_memory_of_the_last() -> None:
    given_back = faults("given back")
    if given_back < 500:
        pytest.skip("this system gives memory back in large pages, or not at all")
    assert faults("kept") < 50
