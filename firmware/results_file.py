"""The results of all finished games as one text file that anything can read: a line for each player.

Room: firmware. Made anew from the journal after every game that ends, by a thread of its own; the loop never waits for
it. It knows no screen.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import suppress
from pathlib import Path

from firmware import journal_schema as schema

HEAD = ("evening", "game", "begun", "rules", "place", "player", "points")
"""The columns, with tabs between them."""


class ResultsFile:
    """Writes `path` from the journal at `journal`. `event` stands in the first line, if the evening has a name."""

    def __init__(self, path: Path, journal: Path, event: str = "") -> None:
        self.path = path
        self._journal = journal
        self._event = event
        self._lock = threading.Lock()

    def update(self) -> None:
        """A game has ended, or was struck: write the file, soon."""
        threading.Thread(target=self.write, name="results", daemon=True).start()

    def write(self) -> None:
        """Write it now. A disk that is full costs the file and nothing else; the next game tries again."""
        with self._lock, suppress(OSError, sqlite3.Error):
            text = self.text()
            self.path.parent.mkdir(parents=True, exist_ok=True)
            partial = self.path.with_name(self.path.name + ".part")
            with partial.open("w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(self.path)

    def text(self) -> str:
        """What the file holds. Raises sqlite3.Error."""
        db = schema.connect_to_read(self._journal)
        try:
            rows = db.execute(
                "select games.session, games.id, games.started, games.name, seats.place, "
                "coalesce(players.name, seats.name), seats.total from games join seats on seats.game=games.id "
                "left join players on players.id=seats.player where games.over and not games.struck "
                "order by games.id, seats.place, seats.seat"
            ).fetchall()
        finally:
            db.close()
        lines = [f"# {self._event}"] if self._event else []
        lines.append("\t".join(HEAD))
        lines += ["\t".join(str(cell).replace("\t", " ").replace("\n", " ") for cell in row) for row in rows]
        return "\n".join(lines) + "\n"
