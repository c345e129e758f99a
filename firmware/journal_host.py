"""What a host may do to the book: rename, merge and erase players, strike a result and restore it.

Room: firmware. The table must not be running. Nothing that happened is changed: each act is written into the journal
itself, and the tables follow from events and acts. Only erasing changes events, since a name that is to go must go.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from firmware import journal_book as book
from firmware import journal_rescue as rescue
from firmware import journal_schema as schema
from firmware.errors import Fault


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
        if self._player(new) is not None:
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
        number = 1 + sum(1 for (n,) in self._db.execute("select name from players") if str(n).startswith("Erased "))
        seats = self._db.execute("select game, name from seats where player=? order by game", (player,)).fetchall()
        raw = sorted({n for _, n in seats})
        instead = {n: f"Erased {number}" + ("" if i == 0 else f"-{i + 1}") for i, n in enumerate(raw)}
        acts = self._db.execute("select id, kind, data, at, upto from acts order by id").fetchall()
        self._db.execute("begin immediate")
        try:
            for game in sorted({g for g, _ in seats}):
                self._rewrite(game, instead)
            known = book.acts_of(self._db)
            for i, (key, kind, data, at, upto) in enumerate(acts):
                if kind in ("rename", "merge") and book.name_of(json.loads(data)["new"], upto, known[i + 1 :]) == name:
                    blank = json.dumps({"old": "", "new": ""})
                    total = schema.act_sum(key, kind, blank, at, upto)
                    self._db.execute("update acts set data=?, sum=? where id=?", (blank, total, key))
            self._write_act("erase", {"instead": f"Erased {number}"})
            for game in sorted({g for g, _ in seats}):
                book.make_game(self._db, game)
            book.name_seats(self._db)
            self._db.execute("commit")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("rollback")
            raise
        self._db.execute("vacuum")
        self._db.execute("pragma wal_checkpoint(truncate)").fetchall()
        for copy in rescue.copies(self._path):
            copy.unlink()
        aside = [*self._path.parent.glob("*.corrupt-*"), *rescue.copies_folder(self._path).glob("*.corrupt-*")]
        return f"Erased {number}", sorted(aside)

    def _rewrite(self, game: int, instead: dict[str, str]) -> None:
        rows = self._db.execute(
            "select seq, kind, data, at, table_ms, session from events where game=?", (game,)
        ).fetchall()
        for seq, kind, data, at, table_ms, session in rows:
            new = json.dumps(_replaced(json.loads(data), instead))
            if new != data:
                total = schema.event_sum(seq, game, kind, new, at, table_ms, session)
                self._db.execute("update events set data=?, sum=? where seq=?", (new, total, seq))
        (players,) = self._db.execute("select players from games where id=?", (game,)).fetchone()
        names = json.dumps(_replaced(json.loads(players), instead))
        self._db.execute("update games set players=? where id=?", (names, game))

    def _act(self, kind: str, data: dict[str, Any]) -> None:
        self._db.execute("begin immediate")
        try:
            self._write_act(kind, data)
            book.name_seats(self._db)
            self._db.execute("commit")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("rollback")
            raise

    def _write_act(self, kind: str, data: dict[str, Any]) -> None:
        upto = self._db.execute("select max(id) from games").fetchone()[0] or 0
        schema.write_act(self._db, kind, data, self._at, upto)

    def _player(self, name: str) -> int | None:
        row = self._db.execute("select id from players where name=?", (name,)).fetchone()
        return None if row is None else int(row[0])

    def _must_know(self, name: str) -> int:
        player = self._player(name)
        if player is None:
            names = ", ".join(n for (n,) in self._db.execute("select name from players order by name")) or "none"
            raise Fault("JRN-07", f"there is no player {name!r}.", f"There are: {names}.")
        return player

    def _must_have(self, game: int) -> None:
        if self._db.execute("select 1 from games where id=?", (game,)).fetchone() is None:
            raise Fault("JRN-07", f"there is no game {game}.", "`dicetable stats --games` lists them.")


def _replaced(value: Any, instead: dict[str, str]) -> Any:
    if isinstance(value, str):
        return instead.get(value, value)
    if isinstance(value, list):
        return [_replaced(v, instead) for v in value]
    if isinstance(value, dict):
        return {k: _replaced(v, instead) for k, v in value.items()}
    return value
