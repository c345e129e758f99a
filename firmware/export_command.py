"""Write the journal as CSV or JSON: players, games, seats, rolls, scores, corrections, events and acts.

Room: firmware. The columns are those of the tables in `firmware/journal_schema.py`.
"""

from __future__ import annotations

import argparse
import csv
import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

from firmware.errors import Fault
from firmware.stats import load
from firmware.stats_command import add_place, journal_of

TABLES = ("players", "games", "seats", "rolls", "scores", "corrections", "events", "acts")
_INSIDE = {("games", "players"), ("games", "options"), ("events", "data"), ("acts", "data")}
"""Columns that hold JSON."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_place(parser)
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument("--csv", type=Path, metavar="FOLDER", help="write a CSV file for each table")
    how.add_argument("--json", metavar="FILE", help="write one JSON object; - is the terminal")


def run(args: argparse.Namespace) -> int:
    db = load(journal_of(args))
    try:
        if args.json == "-":
            json.dump(as_json(db), sys.stdout, ensure_ascii=False)
            print()
            return 0
        try:
            if args.csv is not None:
                written = write_csv(db, args.csv)
            else:
                written = [Path(args.json)]
                written[0].write_text(json.dumps(as_json(db), ensure_ascii=False) + "\n", "utf-8")
        except OSError as e:
            raise Fault("JRN-01", f"{e.filename} can't be written ({e.strerror}).", "Name another place.") from e
        print("\n".join(map(str, written)))
    finally:
        db.close()
    return 0


def _rows(db: sqlite3.Connection, table: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    cursor = db.execute(f"select * from {table} order by 1, 2")
    return [d[0] for d in cursor.description], cursor.fetchall()


def write_csv(db: sqlite3.Connection, folder: Path) -> list[Path]:
    """A file for each table, with a line of headings. Returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for table in TABLES:
        names, rows = _rows(db, table)
        path = folder / f"{table}.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(names)
            writer.writerows(rows)
        written.append(path)
    return written


def as_json(db: sqlite3.Connection) -> dict[str, Any]:
    """Table -> its rows as objects; `schema` is the journal's."""
    from firmware.journal_schema import SCHEMA

    made: dict[str, Any] = {"schema": SCHEMA}
    for table in TABLES:
        names, rows = _rows(db, table)
        made[table] = [
            {n: json.loads(v) if (table, n) in _INSIDE else v for n, v in zip(names, row, strict=True)} for row in rows
        ]
    return made
