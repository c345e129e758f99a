"""Figures of players and dice; rename, merge and erase players, strike a result.

Room: firmware.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from firmware import config as configuration
from firmware.errors import Fault
from firmware.journal import stamp
from firmware.journal_host import Host
from firmware.lock import InstanceLock
from firmware.roll_pictures import delete_all
from firmware.stats import ENOUGH_DICE, Figures, figures, load, three_alike_share


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_place(parser)
    parser.add_argument("--session", metavar="N", help="one evening only: its number, or `last`")
    parser.add_argument("--games", action="store_true", help="list every game with its number")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page with plots")
    host = parser.add_argument_group("for the host, while the table is not running")
    host.add_argument("--rename", nargs=2, metavar=("OLD", "NEW"), help="a player is called NEW from now on")
    host.add_argument("--merge", nargs=2, metavar=("OLD", "NEW"), help="OLD's games become NEW's")
    host.add_argument("--erase", metavar="NAME", help="take a name out for good; the scores stay")
    host.add_argument("--strike", type=int, metavar="GAME", help="the result of this game was wrong and doesn't count")
    host.add_argument("--why", default="", metavar="WORDS", help="with --strike: the reason, kept in the journal")
    host.add_argument("--delete-pictures", action="store_true", help="delete the pictures of all rolls")
    host.add_argument("--restore", type=int, metavar="GAME", help="it counts again")


def add_place(parser: argparse.ArgumentParser) -> None:
    """Where the journal is."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration (default: the user's)")
    parser.add_argument("--data", metavar="FOLDER", help="where the journal lies")


def journal_of(args: argparse.Namespace) -> Path:
    if args.data is not None:
        return Path(args.data).expanduser() / "journal.sqlite3"
    return configuration.load(args.config).data_folder / "journal.sqlite3"


def run(args: argparse.Namespace) -> int:
    path = journal_of(args)
    if args.delete_pictures:
        print(f"Pictures deleted: {delete_all(path.parent)}.")
        return 0
    if _host_acts(args, path):
        return 0
    db = load(path)
    try:
        session = None
        if args.session is not None:
            session = _session(args.session, figures(db))
        found = figures(db, session)
    finally:
        db.close()
    if args.html is not None:
        from firmware.stats_page import page

        args.html.write_text(page(found), "utf-8")
        print(f"Written: {args.html}")
        return 0
    print(as_words(found, games=args.games))
    return 0


def _session(wanted: str, found: Figures) -> int:
    if wanted == "last":
        return max(found.sessions, default=1)
    if wanted.isdigit() and int(wanted) in found.sessions:
        return int(wanted)
    known = ", ".join(map(str, found.sessions)) or "none"
    raise Fault("JRN-07", f"there is no evening {wanted!r}.", f"There are: {known}.")


def _host_acts(args: argparse.Namespace, path: Path) -> bool:
    asked = [k for k in ("rename", "merge", "erase", "strike", "restore") if getattr(args, k) is not None]
    if not asked:
        return False
    if not path.exists():
        raise Fault("JRN-01", f"there is no journal {path} yet.", "Play a game first, or check --data.")
    lock = InstanceLock(path.parent)
    try:
        with Host(path, stamp()) as host:
            if args.rename:
                host.rename(*args.rename)
                print(f"{args.rename[0]} is now {args.rename[1]}.")
            if args.merge:
                host.merge(*args.merge)
                print(f"The games of {args.merge[0]} are now those of {args.merge[1]}.")
            if args.erase is not None:
                instead, aside = host.erase(args.erase)
                print(
                    f"The name is gone from the journal, its copies and its backups; the scores stand under {instead}."
                )
                if aside:
                    print("Damaged files that were set aside may still hold it. Delete them if you don't need them:")
                    print("\n".join(f"  {p}" for p in aside))
            if args.strike is not None:
                host.strike(args.strike, args.why)
                print(f"Game {args.strike} no longer counts. `--restore {args.strike}` takes this back.")
            if args.restore is not None:
                host.restore(args.restore)
                print(f"Game {args.restore} counts again.")
    finally:
        lock.close()
    return True


def as_words(found: Figures, *, games: bool = False) -> str:
    """The figures for a terminal."""
    parts = []
    rows = [
        (
            p.name,
            g.game,
            str(g.played),
            str(g.won),
            f"{g.average:.1f}",
            str(g.best),
        )
        for p in found.players
        for g in p.games
    ]
    parts.append(_table(("player", "game", "played", "won", "average", "best"), rows, "No game is finished yet."))
    expected = three_alike_share()
    luck = [
        (
            p.name,
            f"{p.streak}",
            f"{p.longest}",
            str(p.dice),
            f"{p.pips / p.dice:.2f}" if p.dice else "-",
            f"{p.luck:+.1f}",
            f"{p.alike} of {p.firsts}" if p.firsts else "-",
            f"{expected * p.firsts:.1f}" if p.firsts else "-",
        )
        for p in found.players
    ]
    head = ("player", "streak", "longest", "dice", "pips a die", "luck", "three alike", "expected")
    parts.append(_table(head, luck, "Nobody has thrown yet."))
    parts.append("Luck: standard errors above 3.5 pips a die. Three alike: among first rolls of five dice.")
    dice = [
        (d.name, str(d.thrown), *map(str, d.counts), f"{d.chi2:.1f}", "too few" if d.p is None else f"{d.p:.3f}")
        for d in found.dice
    ]
    parts.append(_table(("dice", "thrown", *"123456", "chi2", "p"), dice, "No dice were thrown yet."))
    parts.append(
        f"p: how often fair dice are at least this uneven; below 0.01, look at them. At least {ENOUGH_DICE} dice."
    )
    if games:
        lines = [
            (
                str(g.id),
                g.started[:16].replace("T", " "),
                str(g.session),
                g.game,
                ", ".join(f"{n} {t}{'*' if won else ''}" for n, t, won in g.seats),
                "struck" if g.struck else g.trouble or ("" if g.over else "not finished"),
            )
            for g in found.games
        ]
        parts.append(_table(("game", "clock", "evening", "rules", "points", ""), lines, "No games."))
    return "\n\n".join(parts)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], empty: str) -> str:
    if not rows:
        return empty
    widths = [max(len(r[i]) for r in (head, *rows)) for i in range(len(head))]
    numbers = [all(r[i][:1] in "+-0123456789" for r in rows) for i in range(len(head))]

    def line(row: Sequence[str]) -> str:
        cells = (c.rjust(w) if n else c.ljust(w) for c, w, n in zip(row, widths, numbers, strict=True))
        return "  ".join(cells).rstrip()

    return "\n".join([line(head), *(line(r) for r in rows)])
