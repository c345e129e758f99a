"""Figures, fairness, luck, and what a host may do to the book."""

from __future__ import annotations

import csv
import json
import math
import random
import re
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

import rules
from firmware import cli
from firmware.errors import Fault
from firmware.events import Record
from firmware.journal import Journal, read_game
from firmware.journal_host import Host
from firmware.journal_rescue import copies
from firmware.lock import InstanceLock
from firmware.play import Play, play_from
from firmware.stats import DiceFigures, Figures, PlayerFigures, chi2_p5, figures, load, three_alike_share
from firmware.stats_page import page

AT = "2026-01-01T20:00:00+00:00"
BOXES = ["ones", "twos", "threes", "fours", "fives", "sixes", "three_kind", "four_kind", "full_house"]
BOXES += ["small_straight", "large_straight", "five_kind", "chance"]


def play_game(journal: Journal, *names: str, seed: int) -> tuple[int, ...]:
    """A whole game with random dice, every first roll scored in the next box. Returns the totals."""
    rng = random.Random(seed)
    records = [Record("game", {"name": "yardzee", "players": list(names), "options": {}, "first": 0})]
    for box in BOXES:
        for _ in names:
            dice = [{"v": rng.randint(1, 6), "p": 1.0, "c": None} for _ in range(5)]
            records += [Record("roll", {"dice": dice, "by": "camera"}), Record("score", {"box": box})]
    play = play_from(records)
    assert play is not None
    assert play.game.outcome() is not None
    for record in records:
        token = journal.append([record])
    assert journal.wait(token, 20)
    return play.game.totals


@pytest.fixture(scope="module")
def totals(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[tuple[int, ...]]]:
    folder = tmp_path_factory.mktemp("book")
    journal = Journal(folder / "journal.sqlite3")
    made = [play_game(journal, "Ann", "Bo", seed=s) for s in (1, 2, 3)]
    made.append(play_game(journal, "Anm", "Cleo", seed=4))
    assert journal.close(60.0)  # the files are copied next: nothing may be under way
    return folder, made


@pytest.fixture
def folder(totals: tuple[Path, list[tuple[int, ...]]], tmp_path: Path) -> Path:
    shutil.copytree(totals[0], tmp_path / "data")
    return tmp_path / "data"


def figures_of(folder: Path, session: int | None = None) -> Figures:
    db = load(folder / "journal.sqlite3")
    try:
        return figures(db, session)
    finally:
        db.close()


def player(folder: Path, name: str) -> PlayerFigures:
    return next(p for p in figures_of(folder).players if p.name == name)


def test_averages_best_and_wins_are_those_of_the_games(
    folder: Path, totals: tuple[Path, list[tuple[int, ...]]]
) -> None:
    made = totals[1]
    ann = [t[0] for t in made[:3]]
    (kind,) = player(folder, "Ann").games
    assert [p for _, p in kind.results] == ann
    assert kind.average == pytest.approx(sum(ann) / 3)
    assert kind.best == max(ann)
    assert kind.won == sum(t[0] >= t[1] for t in made[:3])


def test_streaks_count_games_won_in_a_row(folder: Path, totals: tuple[Path, list[tuple[int, ...]]]) -> None:
    won = [t[0] >= t[1] for t in totals[1][:3]]
    longest = now = 0
    for w in won:
        now = now + 1 if w else 0
        longest = max(longest, now)
    assert (player(folder, "Ann").streak, player(folder, "Ann").longest) == (now, longest)
    assert longest > 0 or any(t[1] > t[0] for t in totals[1])


def test_luck_is_of_the_dice_that_were_thrown(folder: Path) -> None:
    rolls = [
        [d["v"] for d in r.data["dice"]]
        for g in (1, 2, 3)
        for n, r in enumerate(x for x in read_game(folder / "journal.sqlite3", g) if x.kind == "roll")
        if n % 2 == 0
    ]
    ann = player(folder, "Ann")
    assert (ann.dice, ann.firsts) == (5 * len(rolls), len(rolls))
    assert ann.pips == sum(map(sum, rolls))
    assert ann.luck == pytest.approx((ann.pips - 3.5 * ann.dice) / math.sqrt(35 / 12 * ann.dice))
    assert ann.alike == sum(any(r.count(v) >= 3 for v in r) for r in rolls)
    assert three_alike_share() == pytest.approx(1656 / 7776)


@pytest.mark.parametrize(("x", "p"), [(0.0, 1.0), (4.351, 0.5), (9.236, 0.1), (11.070, 0.05), (20.515, 0.001)])
def test_p_values_are_those_of_the_tables(x: float, p: float) -> None:
    assert chi2_p5(x) == pytest.approx(p, rel=2e-3)


def test_fair_dice_are_called_fair_and_loaded_ones_not() -> None:
    rng = random.Random(11)
    ps = []
    for _ in range(400):
        rolls = [rng.randint(1, 6) for _ in range(600)]
        p = DiceFigures("d", tuple(rolls.count(f) for f in range(1, 7))).p
        assert p is not None
        ps.append(p)
    assert 0.02 < sum(p < 0.05 for p in ps) / len(ps) < 0.09
    loaded = DiceFigures("d", (100, 100, 100, 100, 100, 150)).p
    assert loaded is not None
    assert loaded < 0.01
    assert DiceFigures("d", (1, 2, 3, 4, 5, 6)).p is None, "too few"


def test_all_dice_are_counted_once(folder: Path) -> None:
    (dice,) = figures_of(folder).dice
    assert dice.thrown == 4 * 2 * 13 * 5


def test_each_set_of_dice_is_tested_by_itself(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite3")
    for n, name in enumerate(("ivory", "red", "red")):
        data = {"name": "yardzee", "players": ["Ann"], "options": {}, "first": 0, "dice_set": name}
        dice = [{"v": n + 1, "p": 1.0, "c": None}] * 5
        token = journal.append([Record("game", data), Record("roll", {"dice": dice, "by": "hand"})])
    assert journal.wait(token, 10)
    journal.close()
    assert [(d.name, d.counts) for d in figures_of(tmp_path).dice] == [
        ("ivory", (5, 0, 0, 0, 0, 0)),
        ("red", (0, 5, 5, 0, 0, 0)),
    ]


def test_reading_changes_no_byte_of_the_journal(folder: Path) -> None:
    path = folder / "journal.sqlite3"
    before = path.read_bytes()
    figures_of(folder)
    assert path.read_bytes() == before


def test_renamed_is_the_same_player(folder: Path) -> None:
    before = player(folder, "Ann")
    with Host(folder / "journal.sqlite3", AT) as host:
        host.rename("Ann", "Anna")
        with pytest.raises(Fault, match="JRN-07"):
            host.rename("Bo", "Anna")
        with pytest.raises(Fault, match="no player 'Ann'"):
            host.rename("Ann", "Andy")
    after = player(folder, "Anna")
    assert (after.games, after.pips) == (before.games, before.pips)
    journal = Journal(folder / "journal.sqlite3")
    play_game(journal, "Ann", "Anna", seed=9)
    journal.close()
    assert [g.played for g in player(folder, "Anna").games] == [4]
    assert [g.played for g in player(folder, "Ann").games] == [1], "a new Ann is another one"


def test_merged_are_one_player(folder: Path) -> None:
    with Host(folder / "journal.sqlite3", AT) as host:
        host.merge("Anm", "Ann")
    assert [p.name for p in figures_of(folder).players] == ["Ann", "Bo", "Cleo"]
    assert [g.played for g in player(folder, "Ann").games] == [4]


def test_erased_the_name_is_in_no_byte_and_the_scores_stay(folder: Path) -> None:
    path = folder / "journal.sqlite3"
    with Host(path, AT) as host:
        host.merge("Anm", "Ann")
        host.rename("Ann", "Annabel")
    before = figures_of(folder)
    (folder / "backups").mkdir(exist_ok=True)
    (folder / "backups" / "journal-000001-2026-11-30.sqlite3").write_bytes(path.read_bytes())
    with Host(path, AT) as host:
        instead, aside = host.erase("Annabel")
    assert (instead, aside) == ("Erased 1", [])
    assert not list((folder / "backups").glob("*")), "backups of the same folder would bring the name back"
    after = figures_of(folder)
    assert sorted(p.name for p in after.players) == ["Bo", "Cleo", "Erased 1", "Erased 1-2"]
    assert [[t for _, t, _ in g.seats] for g in after.games] == [[t for _, t, _ in g.seats] for g in before.games]
    files = [p for p in folder.rglob("*") if p.is_file()]
    assert copies(path)
    for file in files:
        assert not re.search(rb"Ann|Anm", file.read_bytes()), file
    journal = Journal(path)
    assert journal.notices == (), "every sum is right"
    assert journal.last_game()[0].data["players"][1] == "Cleo"
    journal.close()


def test_the_table_itself_renames_and_erases_while_it_runs(folder: Path) -> None:
    path = folder / "journal.sqlite3"
    journal = Journal(path)
    journal.call("Ann", "Annabel")
    journal.call("Cleo", "Bo")  # there is a Bo: they are one
    assert journal.wait(journal.erase("Annabel"), 20.0)
    assert journal.wait(journal.erase("Nobody"), 20.0)
    assert journal.last_game()[0].data["players"][1] == "Cleo"
    journal.close()
    assert sorted(p.name for p in figures_of(folder).players) == ["Anm", "Bo", "Erased 1"]
    assert copies(path)
    for file in (p for p in folder.rglob("*") if p.is_file()):
        assert b"Ann" not in file.read_bytes(), file
    again = Journal(path)
    assert again.notices == (), "every sum is right"
    again.close()


def test_a_struck_result_counts_for_nothing_until_it_is_restored(folder: Path) -> None:
    before = figures_of(folder)
    with Host(folder / "journal.sqlite3", AT) as host:
        host.strike(2, "a die was under the sofa")
        with pytest.raises(Fault, match="no game 99"):
            host.strike(99)
    struck = figures_of(folder)
    assert [g.played for p in struck.players if p.name == "Ann" for g in p.games] == [2]
    assert struck.dice[0].thrown == before.dice[0].thrown - 2 * 13 * 5
    assert [g.struck for g in struck.games] == [False, True, False, False]
    with Host(folder / "journal.sqlite3", AT) as host:
        host.restore(2)
    assert figures_of(folder) == before


def test_the_page_needs_nothing_else_and_no_name_breaks_it(folder: Path) -> None:
    with Host(folder / "journal.sqlite3", AT) as host:
        host.rename("Ann", "<script>&\"Ann'")
    text = page(figures_of(folder))
    assert text.count("<svg") >= 4
    assert "<script" not in text
    assert not re.search(r"(src|href)=|url\(|@import|https?:", text)
    assert "&lt;script&gt;&amp;" in text
    for tag in ("svg", "text", "table", "p", "h2"):
        assert len(re.findall(rf"<{tag}[ >]", text)) == text.count(f"</{tag}>")
    assert page(Figures()).count("<svg") == 0


@pytest.mark.parametrize(
    "flip",
    [
        "update seats set total=total+64 where game=2 and seat=1",
        "update rolls set thrown='11111' where game=1 and n=3",
        "update scores set points=99 where game=3 and n=2",
        "update games set over=0 where id=4",
        "update games set struck=1 where id=4",
        "update seats set player=(select max(id) from players) where game=1",
    ],
)
def test_a_table_that_was_changed_on_the_card_is_made_again(folder: Path, flip: str) -> None:
    before = figures_of(folder)
    db = sqlite3.connect(folder / "journal.sqlite3")
    db.execute(flip)
    db.commit()
    db.close()
    assert figures_of(folder) == before


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = cli.main(arguments)
    said = capsys.readouterr()
    return status, said.out, said.err


def test_the_command_prints_tables(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "stats", "--data", str(folder), "--games")
    assert status == 0
    assert re.search(r"^Ann +yardzee +3 ", out, re.M)
    assert re.search(r"^the dice of this table +520 ", out, re.M)
    assert re.search(r"^ +4 .* Anm \d+\*?, Cleo \d+", out, re.M)
    assert run(capsys, "stats", "--data", str(folder), "--session", "last")[0] == 0
    assert run(capsys, "stats", "--data", str(folder), "--session", "7")[2].startswith("dicetable: JRN-07: ")
    assert run(capsys, "stats", "--data", str(folder / "no"))[2].startswith("dicetable: JRN-01: ")


def test_a_host_acts_by_commands_while_the_table_is_off(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lock = InstanceLock(folder)
    assert run(capsys, "stats", "--data", str(folder), "--erase", "Bo")[2].startswith("dicetable: APP-02: ")
    lock.close()
    assert run(capsys, "stats", "--data", str(folder), "--erase", "Bo")[0] == 0
    assert "Bo" not in {p.name for p in figures_of(folder).players}


def test_export_writes_every_table(folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run(capsys, "export", "--data", str(folder), "--csv", str(out))[0] == 0
    with (out / "rolls.csv").open(encoding="utf-8", newline="") as file:
        rolls = list(csv.DictReader(file))
    assert len(rolls) == 4 * 2 * 13
    assert all(re.fullmatch(r"[1-6]{5}", r["thrown"]) for r in rolls)
    status, text, _ = run(capsys, "export", "--data", str(folder), "--json", "-")
    made = json.loads(text)
    assert status == 0
    assert len(made["rolls"]) == len(rolls)
    assert made["games"][3]["players"] == ["Anm", "Cleo"]
    assert made["events"][0]["data"]["name"] == "yardzee"


@pytest.mark.parametrize("spoil", [lambda b: b[:9000], lambda b: b"\xff" * 9000])
def test_a_damaged_journal_is_left_for_the_table_to_mend(
    folder: Path, capsys: pytest.CaptureFixture[str], spoil: Callable[[bytes], bytes]
) -> None:
    path = folder / "journal.sqlite3"
    path.write_bytes(spoil(path.read_bytes()))
    before = path.read_bytes()
    for more in ((), ("--strike", "1")):
        status, _, err = run(capsys, "stats", "--data", str(folder), *more)
        assert status == 2
        assert err.startswith("dicetable: JRN-01: ")
        assert "Start the table once" in err
    assert path.read_bytes() == before


def random_game(name: str, rng: random.Random) -> tuple[list[Record], tuple[int, ...]]:
    """A whole game of any kind, by somebody who chooses at random."""
    records = [Record("game", {"name": name, "players": ["Ann", "Bo"], "options": {}, "first": 0})]
    play = Play(records[0])
    while play.game.outcome() is None:
        awaiting, moves = play.game.awaiting, list(play.game.legal_moves)
        if not isinstance(awaiting, rules.Roll) or (moves and rng.random() < 0.5):
            move = rng.choice(moves)
            made = {
                rules.Keep: lambda m: Record("keep", {"faces": list(m.faces)}),
                rules.Score: lambda m: Record("score", {"box": m.box}),
                rules.SetAside: lambda m: Record("aside", {"faces": list(m.faces)}),
                rules.Stop: lambda m: Record("stop"),
            }
            records.append(made[type(move)](move))
        else:
            kept = list(play.game.kept) if play.game.family == "scorecard" else []
            faces = kept + [rng.randint(1, 6) for _ in range(awaiting.count - len(kept))]
            records.append(Record("roll", {"dice": [{"v": v, "p": 1.0, "c": None} for v in faces], "by": "hand"}))
        play.apply(records[-1])
    return records, play.game.totals


def test_the_book_is_right_for_every_kind_of_game(tmp_path: Path) -> None:
    rng = random.Random(5)
    expected = []
    journal = Journal(tmp_path / "journal.sqlite3")
    for info in rules.games():
        records, made = random_game(info.name, rng)
        token = journal.append(records)
        expected.append((info.name, made, sum(r.kind == "roll" for r in records)))
    assert journal.wait(token, 30)
    journal.close()
    db = load(tmp_path / "journal.sqlite3")
    for game, (line, (name, made, rolls)) in enumerate(zip(figures(db).games, expected, strict=True), 1):
        assert (line.game, line.over, line.trouble) == (name, True, "")
        assert tuple(t for _, t, _ in line.seats) == made
        sums = db.execute("select sum(points) from scores where game=? group by seat order by seat", (game,)).fetchall()
        assert tuple(s for (s,) in sums) == made
        assert db.execute("select count(*) from rolls where game=?", (game,)).fetchone() == (rolls,)
    db.close()
