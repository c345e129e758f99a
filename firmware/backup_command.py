"""Back the journal up: one whole copy for each day, the last seven days kept. The table may be running.

Room: firmware. The copies are made by SQLite's own backup, checked before they count, and lie beside the journal in
`backups`, or in the folder after --to (a USB stick, say). They are numbered, since the date of a clock that was set
back says nothing about which is the oldest.
"""

from __future__ import annotations

import argparse
import os
import re
import sqlite3
from contextlib import suppress
from pathlib import Path

from firmware import journal_schema as schema
from firmware.errors import Fault
from firmware.journal import stamp
from firmware.journal_rescue import sync_folder
from firmware.stats_command import add_place, journal_of

KEEP_DAYS = 7
_NAME = re.compile(r"journal-(\d{6})-(\d{4}-\d\d-\d\d)\.sqlite3")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_place(parser)
    parser.add_argument("--to", type=Path, metavar="FOLDER", help="where the backups lie (default: beside the journal)")
    parser.add_argument(
        "--keep", type=int, default=KEEP_DAYS, metavar="DAYS", help=f"days to keep (default: {KEEP_DAYS})"
    )


def run(args: argparse.Namespace) -> int:
    journal = journal_of(args)
    if not journal.exists():
        print("There is no journal yet, so there is nothing to back up.")
        return 0
    made = back_up(journal, args.to or journal.parent / "backups", stamp()[:10], max(1, args.keep))
    print(f"Written: {made}")
    return 0


def backups(folder: Path) -> list[tuple[int, str, Path]]:
    """Number, day and file of each backup in `folder`, oldest first."""
    found = ((_NAME.fullmatch(p.name), p) for p in folder.glob("journal-*.sqlite3"))
    return sorted((int(m.group(1)), m.group(2), p) for m, p in found if m)


def back_up(journal: Path, folder: Path, day: str, keep: int = KEEP_DAYS) -> Path:
    """Write the backup of `day` (`2026-11-30`), in place of an earlier one of the same day, and remove all but the last
    `keep`. Raises Fault JRN-06; then no backup was lost and none is half written."""
    partial = folder / "backup.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        partial.unlink(missing_ok=True)
        _copy(journal, partial)
        there = backups(folder)
        last = there[-1] if there else (0, "", None)
        number = last[0] if last[1] == day else last[0] + 1
        made = folder / f"journal-{number:06d}-{day}.sqlite3"
        partial.replace(made)
        sync_folder(folder)
        for _, _, old in backups(folder)[:-keep]:
            old.unlink(missing_ok=True)
    except (OSError, sqlite3.Error) as e:
        raise Fault(
            "JRN-06", f"no backup of {journal} could be made in {folder} ({e}).", "Make room there, or name another."
        ) from e
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
    return made


def _copy(journal: Path, partial: Path) -> None:
    source = schema.connect_to_read(journal)
    try:
        target = sqlite3.connect(partial)
        try:
            source.backup(target)
            target.execute("pragma journal_mode=delete")
            (verdict,) = target.execute("pragma integrity_check(1)").fetchone()
        finally:
            target.close()
    finally:
        source.close()
    if verdict != "ok":
        raise sqlite3.DatabaseError(f"the copy is damaged: {verdict}")
    with partial.open("rb") as file:
        os.fsync(file.fileno())
