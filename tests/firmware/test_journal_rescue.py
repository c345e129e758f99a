"""What is done with a damaged journal, case by case; `test_journal_powercut.py` does it byte by byte."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware import journal_rescue as rescue
from firmware import journal_schema as schema
from firmware.events import Record
from firmware.journal import Journal, read_game
from firmware.journal_wal import image, scan

PATH = "journal.sqlite3"


def game(*names: str) -> Record:
    return Record("game", {"name": "yardzee", "players": list(names), "options": {}, "first": 0})


def turn(box: str, faces: list[int]) -> list[list[Record]]:
    dice = [{"v": v, "p": 1.0, "c": None} for v in faces]
    return [[Record("roll", {"dice": dice, "by": "hand"})], [Record("score", {"box": box})]]


UPPER = ["ones", "twos", "threes", "fours", "fives", "sixes"]
LOWER = ["three_kind", "four_kind", "full_house", "small_straight", "large_straight", "five_kind", "chance"]


def whole_game(name: str) -> list[list[Record]]:
    return [[game(name)], *(step for box in UPPER + LOWER for step in turn(box, [1, 2, 2, 3, 6]))]


def write(folder: Path, steps: list[list[Record]], *, copied: bool = True) -> None:
    journal = Journal(folder / PATH)
    for step in steps:
        token = journal.append(step)
    assert journal.wait(token, 20)
    assert journal.close()
    assert bool(rescue.copies(folder / PATH)) == copied


def last_sums(folder: Path) -> int:
    db = schema.connect_to_read(folder / PATH)
    count: int = db.execute("select count(*) from events").fetchone()[0]
    db.close()
    return count


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished game, a copy of it, and two turns of the next."""
    folder = tmp_path_factory.mktemp("evening")
    write(folder, whole_game("Ann"))
    write(folder, [[game("Bo")], *turn("ones", [1, 1, 1, 2, 2]), *turn("twos", [2, 2, 2, 3, 3])])
    return folder


@pytest.fixture
def folder(evening: Path, tmp_path: Path) -> Path:
    shutil.copytree(evening, tmp_path / "data")
    return tmp_path / "data"


def test_a_finished_game_is_copied_and_few_copies_are_kept(folder: Path) -> None:
    assert [c.name for c in rescue.copies(folder / PATH)] == ["journal-00000027.sqlite3"]
    for name in "CDEF":
        write(folder, whole_game(name))
    copies = rescue.copies(folder / PATH)
    assert len(copies) == rescue.COPIES
    # Newest first; a copy is made beside the game that goes on, so it may hold a little more.
    assert copies[0].name == f"journal-{32 + 4 * 27:08d}.sqlite3"
    assert len(list(read_game(copies[0], 6))) == 27


def test_the_game_that_ran_is_saved_from_the_damaged_file(folder: Path) -> None:
    path = folder / PATH
    spoil_table(
        path, "delete from seats", 'update events set data=replace(data, \'"box": "sixes"\', \'"box": "ones"\')'
    )
    journal = Journal(path)
    (notice,) = journal.notices
    assert notice.code == "JRN-05"
    assert "event 13 was changed" in notice.words
    assert "last good copy" in notice.words
    assert [r.kind for r in journal.last_game()] == ["game", "roll", "score", "roll", "score"]
    assert [r.data for r in read_game(path, 1) if r.kind == "score"][5] == {"box": "sixes"}, "from the copy"
    assert journal.close()
    aside = [p for p in folder.glob("*.corrupt-*") if not p.name.endswith("-wal")]
    assert [p.stat().st_size > 0 for p in aside] == [True]
    assert Journal(path).notices == (), "it is whole again"


def spoil_table(path: Path, *statements: str) -> None:
    db = sqlite3.connect(path)
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()


def test_a_game_with_a_hole_ends_there_and_the_next_is_whole(folder: Path) -> None:
    path = folder / PATH
    spoil_table(path, "delete from events where seq=10")
    shutil.rmtree(folder / "copies")
    journal = Journal(path)
    assert "events are missing" in journal.notices[0].words
    assert len(list(read_game(path, 1))) == 9
    assert len(journal.last_game()) == 5
    journal.append([Record("undo")])
    journal.close()
    again = Journal(path)
    assert again.notices == (), "a hole that is known is no new damage"
    assert len(again.last_game()) == 6


@pytest.mark.parametrize("word", [b"table_ms", b"schema", b"book"])
def test_no_byte_of_what_has_no_sum_stops_the_start(folder: Path, word: bytes) -> None:
    path = folder / PATH
    whole = path.read_bytes()
    at = whole.rfind(word)
    assert at > 0
    for place in range(at - 3, at + len(word)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x95]) + whole[place + 1 :])
        for rest in ("-wal", "-shm"):
            rescue.beside(path, rest).unlink(missing_ok=True)
        journal = Journal(path)
        assert len(journal.last_game()) == 5, place
        assert journal.close()


def test_no_byte_of_the_names_of_tables_and_columns_stops_the_start(folder: Path) -> None:
    path = folder / PATH
    whole = path.read_bytes()
    for word in (b"player integer references", b"CREATE TABLE rolls", b"upto integer", b"session integer not null"):
        at = whole.find(word)
        assert at > 0
        for place in range(at, at + len(word), 3):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x15]) + whole[place + 1 :])
            for rest in ("-wal", "-shm"):
                rescue.beside(path, rest).unlink(missing_ok=True)
            journal = Journal(path)
            assert len(journal.last_game()) >= 5, place
            assert journal.close()
            assert schema.shape(schema.connect_to_read(path)) == schema.own_shape(), place


def test_lost_altogether_the_last_copy_is_used(folder: Path) -> None:
    path = folder / PATH
    path.unlink()
    journal = Journal(path)
    assert "it is gone" in journal.notices[0].words
    assert len(journal.last_game()) == 27
    journal.close()


@pytest.mark.parametrize("content", [b"", b"\0" * 50_000, b"SQLite format 3\0" + b"\xff" * 9_000])
def test_of_a_file_without_content_nothing_is_lost_that_is_copied(folder: Path, content: bytes) -> None:
    (folder / PATH).write_bytes(content)
    journal = Journal(folder / PATH)
    assert journal.notices[0].code == "JRN-05"
    assert len(journal.last_game()) == 27
    journal.close()
    (aside,) = folder.glob("*.corrupt-*")
    assert aside.read_bytes() == content


def test_damaged_without_a_copy_it_starts_and_says_so(tmp_path: Path) -> None:
    (tmp_path / PATH).write_bytes(b"SQLite format 3\0" + b"\xff" * 9_000)
    journal = Journal(tmp_path / PATH)
    assert "Nothing in it could be read" in journal.notices[0].words
    assert journal.last_game() == []
    assert journal.wait(journal.append([game("Ann")]), 10)
    journal.close()


def test_a_copy_that_claims_too_much_is_set_aside_once(folder: Path) -> None:
    path = folder / PATH
    bad = folder / "copies" / "journal-00000999.sqlite3"
    bad.write_bytes(b"no database")
    assert "a copy was made after event 999" in Journal(path).notices[0].words
    assert not bad.exists()
    journal = Journal(path)
    assert journal.notices == ()
    assert len(journal.last_game()) == 5


@pytest.mark.parametrize("stop", ["replace", "sync_folder", "unlink", "hardlink_to"])
def test_a_rescue_cut_off_anywhere_is_finished_by_the_next_start(
    folder: Path, monkeypatch: pytest.MonkeyPatch, stop: str
) -> None:
    path = folder / PATH
    spoil_table(path, "update events set data='{}' where seq=5")
    for nth in range(8):
        left = iter(range(nth))

        def cut(real: Callable[..., object], left: object = left) -> Callable[..., object]:
            def call(*args: object, **more: object) -> object:
                if next(left, None) is None:  # type: ignore[call-overload]
                    raise OSError("the power is cut")
                return real(*args, **more)

            return call

        with monkeypatch.context() as patch, contextlib.suppress(OSError):
            if stop == "sync_folder":
                patch.setattr(rescue, stop, cut(rescue.sync_folder))
            else:
                patch.setattr(Path, stop, cut(getattr(Path, stop)))
            rescue.rescue(path, "20260101-000000")
    journal = Journal(path)
    assert len(journal.last_game()) == 5
    assert last_sums(folder) == 32
    journal.close()
    assert list(folder.glob("*.corrupt-*"))


def test_a_new_file_that_is_damaged_itself_is_made_again(folder: Path) -> None:
    path = folder / PATH
    spoil_table(path, "update events set data='{}' where seq=5")
    rescue.beside(path, ".rescued").write_bytes(b"SQLite format 3\0" + b"\xff" * 9_000)
    journal = Journal(path)
    assert [n.code for n in journal.notices] == ["JRN-05"]
    assert len(journal.last_game()) == 5
    journal.close()


# ---- the log --------------------------------------------------------------------------------------------------------


@pytest.fixture
def logged(tmp_path: Path) -> tuple[bytes, bytes]:
    """A database and its log, with three transactions."""
    path = tmp_path / "logged"
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("pragma journal_mode=wal")
    db.execute("create table t(x)")
    db.execute("insert into t values ('first')")
    db.execute("insert into t values ('second')")
    found = path.read_bytes(), path.with_name("logged-wal").read_bytes()
    db.close()
    return found


def rows(data: bytes) -> list[str]:
    db = sqlite3.connect(":memory:")
    db.deserialize(data)
    found = [x for (x,) in db.execute("select x from t")]
    db.close()
    return found


def test_database_and_log_together_are_what_sqlite_would_show(logged: tuple[bytes, bytes]) -> None:
    database, wal = logged
    assert rows(image(database, wal)) == ["first", "second"]
    frame = 4096 + 24
    assert not scan(wal).lost
    assert rows(image(database, wal[: len(wal) - frame])) == ["first"]


def test_a_torn_last_transaction_is_no_damage_but_one_before_it_is(logged: tuple[bytes, bytes]) -> None:
    _, wal = logged
    frame = 4096 + 24
    frames = (len(wal) - 32) // frame

    def flipped(n: int) -> bytes:
        at = 32 + n * frame + 100
        return wal[:at] + bytes([wal[at] ^ 1]) + wal[at + 1 :]

    assert not scan(flipped(frames - 1)).lost
    assert scan(flipped(frames - 2)).lost
    assert scan(flipped(0)).lost
    assert scan(b"\0" * 32 + wal[32:]).lost, "the header"
