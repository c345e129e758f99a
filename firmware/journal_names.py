"""The names that the journal knows, for the list from which players pick theirs.

Room: firmware. Reads the journal's tables and changes nothing; where they can't be read there are none.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from firmware import journal_schema as schema
from firmware.language import LANGUAGES, language
from firmware.words import ERASED
from rules.said import said as _

MOST = 40


def known_names(path: Path, own: Sequence[str] = ()) -> tuple[str, ...]:
    """`own`, then those who played, the last ones first. Names that the table gave ("Player 2") are left out."""
    found: list[str] = []
    with suppress(OSError, sqlite3.Error):
        db = schema.connect_to_read(path)
        try:
            rows = db.execute(
                "select players.name from seats join players on players.id=seats.player "
                "group by players.id order by max(seats.game) desc limit 200"
            )
            found = [str(name) for (name,) in rows]
        finally:
            db.close()
    given = re.compile("|".join(_pattern(code) for code in LANGUAGES))
    people = [n for n in (*own, *found) if n and " & " not in n and not given.fullmatch(n) and not n.startswith(ERASED)]
    return tuple(dict.fromkeys(people))[:MOST]


def _pattern(code: str) -> str:
    return re.escape(language(code).say(_("Player {n}", n=7))).replace("7", r"\d+")
