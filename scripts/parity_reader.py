"""Does the reader say the same with two versions of OpenCV? Compares two runs of accuracy.py, picture by picture.

Room: scripts, for people who build; no part of the program.

    .venv/bin/python scripts/accuracy.py DATA --dump new.jsonl
    OTHER/bin/python scripts/accuracy.py DATA --dump old.jsonl
    .venv/bin/python scripts/parity_reader.py new.jsonl old.jsonl

OTHER is any environment with the program's dependencies and another OpenCV. Exit status 1 if two readings that are both
sure have other values, or if the status of any picture differs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any


def load(path: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """Readings by file and mode."""
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return {(row["file"], row["mode"]): row for row in rows}


def compare(one: dict[str, Any], other: dict[str, Any]) -> str:
    """What differs between two readings: `values` (both sure), `status`, `guess` (values of unsure ones), `reasons`,
    `confidence` (by more than 0.02), or nothing."""
    if one["status"] != other["status"]:
        return "status"
    if one["values"] != other["values"]:
        return "values" if one["status"] == "read" else "guess"
    if one["reasons"] != other["reasons"]:
        return "reasons"
    pairs = zip(sorted(one["confidence"]), sorted(other["confidence"]), strict=True)
    return "confidence" if any(abs(a - b) > 0.02 for a, b in pairs) else ""


def main() -> int:
    """Print every difference and how many of each kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("one", type=Path)
    parser.add_argument("other", type=Path)
    args = parser.parse_args()
    one, other = load(args.one), load(args.other)
    both = sorted(one.keys() & other.keys())
    found: Counter[str] = Counter()
    for key in both:
        kind = compare(one[key], other[key])
        found[kind or "same"] += 1
        if kind and kind != "confidence":
            told = [f"{r['status']} {r['values']} {r['reasons']}" for r in (one[key], other[key])]
            print(f"{kind:10} {key[1]:8} {key[0]}: {told[0]} / {told[1]}")
    print(f"{len(both)} readings: " + ", ".join(f"{kind} {n}" for kind, n in found.most_common()))
    return int(bool(found["values"] or found["status"]))


if __name__ == "__main__":
    sys.exit(main())
