"""What a reader's confidence means: how often dice read with so much of it are right, as a table and a drawing.

Room: scripts, for people who build; no part of the program. Takes what `accuracy.py --dump FILE` wrote, so that the
pictures are read once for both. Photos tell which values lie there but not where: of several dice read with one value,
the surest are held for those that are right.

    python scripts/confidence.py DUMP [--mode default] [--out docs/confidence.svg] [--write docs/vision.md]
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

BEGIN, END = "<!-- confidence: made by scripts/confidence.py, do not edit -->", "<!-- confidence: end -->"

LIMITS = (0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.001)


@dataclass(frozen=True)
class Said:
    """One die as it was read: with how much confidence, rightly or not, in a picture that was certain or not."""

    confidence: float
    right: bool
    certain: bool


def dice_of(row: dict[str, object]) -> list[Said]:
    """The dice of one picture; the surest of each value first, as many right as the truth holds."""
    left = Counter(row["truth"])  # type: ignore[call-overload]
    pairs = sorted(zip(row["confidence"], row["dice"], strict=True), reverse=True)  # type: ignore[call-overload]
    out = []
    for confidence, value in pairs:
        right = left[value] > 0
        left[value] -= right
        out.append(Said(float(confidence), bool(right), row["status"] == "read"))
    return out


def bins(said: list[Said]) -> list[tuple[str, float, int, int, int, int]]:
    """A row a range of confidence: its words, its mean, dice and right ones of all readings, and of certain ones."""
    rows = []
    for low, high in pairwise(LIMITS):
        own = [s for s in said if low <= s.confidence < high]
        sure = [s for s in own if s.certain]
        words = f"{low:.2f} and up" if high > 1 else f"{low:.2f} to {high:.2f}"
        mean = sum(s.confidence for s in own) / len(own) if own else (low + min(high, 1)) / 2
        rows.append((words, mean, len(own), sum(s.right for s in own), len(sure), sum(s.right for s in sure)))
    return rows


def table(rows: list[tuple[str, float, int, int, int, int]]) -> list[str]:
    """The rows as a Markdown table."""

    def share(right: int, count: int) -> str:
        return f"{100 * right / count:.1f} %" if count else "-"

    lines = ["| confidence | dice | right | dice in certain readings | right |", "|---|---|---|---|---|"]
    lines += [f"| {w} | {n} | {share(r, n)} | {m} | {share(q, m)} |" for w, _, n, r, m, q in rows]
    return lines


def drawing(rows: list[tuple[str, float, int, int, int, int]]) -> str:
    """Share of right dice over confidence, as SVG: a dot a range, with its number of dice, beside the diagonal."""
    wide, tall, left, top, side = 520, 430, 60, 30, 330
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {tall}" font-family="sans-serif" font-size="12">',
        f'<rect width="{wide}" height="{tall}" fill="#ffffff"/>',
    ]

    def at(confidence: float, share: float) -> tuple[float, float]:
        return left + side * confidence, top + side * (1 - share)

    for k in range(0, 101, 20):
        x, y = at(k / 100, k / 100)
        out.append(f'<line x1="{left}" x2="{left + side}" y1="{y:.1f}" y2="{y:.1f}" stroke="#dddddd"/>')
        out.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{k} %</text>')
        out.append(f'<text x="{x:.1f}" y="{top + side + 16}" text-anchor="middle">{k / 100:g}</text>')
    out.append(
        f'<line x1="{left}" y1="{top + side}" x2="{left + side}" y2="{top}" stroke="#999999" stroke-dasharray="4 4"/>'
    )
    full = [(mean, r / n, n) for _, mean, n, r, _, _ in rows if n]
    path = " ".join("{:.1f},{:.1f}".format(*at(mean, share)) for mean, share, _ in full)
    out.append(f'<polyline points="{path}" fill="none" stroke="#1f5f8b" stroke-width="2"/>')
    for mean, share, n in full:
        x, y = at(mean, share)
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#1f5f8b"/>')
        out.append(f'<text x="{x - 6:.1f}" y="{y + 18:.1f}" text-anchor="end" fill="#444444">{n}</text>')
    out.append(f'<text x="{left + side / 2}" y="{top + side + 38}" text-anchor="middle">confidence of a die</text>')
    out.append(f'<text x="{left}" y="18">dice that are right, with their number</text>')
    out.append("</svg>")
    return "\n".join(out) + "\n"


def main() -> int:
    """Tell, draw and write; 1 if the dump holds nothing of the mode."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dump", type=Path)
    parser.add_argument("--mode", default="default")
    parser.add_argument("--out", type=Path, help="draw into this SVG file")
    parser.add_argument("--write", type=Path, help="put the table into this page, between its marks")
    args = parser.parse_args()
    rows = [json.loads(line) for line in args.dump.read_text(encoding="utf-8").splitlines()]
    said = [s for row in rows if row["mode"] == args.mode for s in dice_of(row)]
    if not said:
        print(f"confidence: {args.dump} holds no readings of mode {args.mode}", file=sys.stderr)
        return 1
    found = bins(said)
    lines = table(found)
    print("\n".join(lines))
    if args.out:
        args.out.write_text(drawing(found), encoding="utf-8")
    if args.write:
        page = args.write.read_text(encoding="utf-8")
        before, rest = page.split(BEGIN, 1)
        args.write.write_text(f"{before}{BEGIN}\n\n" + "\n".join(lines) + f"\n\n{END}" + rest.split(END, 1)[1], "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
