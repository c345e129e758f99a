"""What a host may do to the book: rename, merge and erase players, strike a result and restore it.

Room: firmware. The table must not be running. Nothing that happened is changed: each act is written into the journal
itself, and the tables follow from events and acts. Only erasing changes events, since a name that is to go must go.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from firmware import journal_book as book
from firmware import journal_people as people
from firmware import journal_rescue as rescue
from firmware import journal_schema as schema
from firmware.errors import Fault

T = TypeVar("T")


class Host:
    """Opens the journal at `path` for such acts; `at` is the wall time's label. Use as a context. Raises Fault JRN-07
    for names and games that are not there; nothing is changed then."""

    def __init__(self, path: Path, at: str) -> None:
        if not path.exists():
            raise Fault("JRN-01", f"there is no journal {path} yet.", "Play a game first, or check --data.")
        self._path, self._at = path, at
        try:
            rescue.examine(path)
        except rescue.Damaged as e:
            fix = "Start the table once: it puts together what is whole."
            raise Fault("JRN-01", f"the journal {path} is damaged ({e}).", fix) from e
        self._db = schema.connect(path)
        schema.migrate(self._db)
        book.bring_up_to_date(self._db)

    def __enter__(self) -> Host:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()
        rescue.make_copy(self._path)

    def rename(self, old: str, new: str) -> None:
        """`old` is called `new` from now on. Later games under the old name are another player's."""
        self._must_know(old)
        if not new.strip():
            raise Fault("JRN-07", "a player needs a name.")
        if people.player_of(self._db, new) is not None:
            raise Fault("JRN-07", f"there is a {new!r} already.", "To make them one player, use --merge.")
        self._act("rename", {"old": old, "new": new})

    def merge(self, old: str, new: str) -> None:
        """The games of `old` become those of `new`."""
        self._must_know(old)
        self._must_know(new)
        if old == new:
            raise Fault("JRN-07", "these are the same player.")
        self._act("merge", {"old": old, "new": new})

    def strike(self, game: int, why: str = "") -> None:
        """The result of this game was wrong: it stays in the journal and counts for nothing."""
        self._must_have(game)
        self._act("strike", {"game": game, "why": why})

    def restore(self, game: int) -> None:
        """It counts again."""
        self._must_have(game)
        self._act("restore", {"game": game})

    def erase(self, name: str) -> tuple[str, list[Path]]:
        """Take a name out of the journal and of its copies; the scores stay. Returns what stands in its place, and
        damaged files that were set aside, which may hold the name still."""
        player = self._must_know(name)
        instead = self._whole(lambda: people.erase(self._db, player, self._at))
        return instead, people.clean(self._db, self._path)

    def _act(self, kind: str, data: dict[str, Any]) -> None:
        def work() -> None:
            people.write_act(self._db, kind, data, self._at)
            book.name_seats(self._db)

        self._whole(work)

    def _whole(self, work: Callable[[], T]) -> T:
        """Do it in one transaction, or not at all."""
        self._db.execute("begin immediate")
        try:
            done = work()
            self._db.execute("commit")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("rollback")
            raise
        return done

    def _must_know(self, name: str) -> int:
        player = people.player_of(self._db, name)
        if player is None:
            names = ", ".join(n for (n,) in self._db.execute("select name from players order by name")) or "none"
            raise Fault("JRN-07", f"there is no player {name!r}.", f"There are: {names}.")
        return player

    def _must_have(self, game: int) -> None:
        if self._db.execute("select 1 from games where id=?", (game,)).fetchone() is None:
            raise Fault("JRN-07", f"there is no game {game}.", "`dicetable stats --games` lists them.")
