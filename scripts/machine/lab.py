"""What a scenario has at hand: the machine, what the twin has shown, and what must be waited for.

Part of the machine harness.
"""

from __future__ import annotations

import json
import random
import shutil
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from machine import BOOT_S, SAME_SHARE, WAIT_S, Machine, Missing, difference
from twin import LINES, Act, Rehearsal

from firmware.journal import Journal

LAMPS = {button.value: line.offset for button, line in LINES.lamps.items()}
BUTTONS = {button.value: line.offset for button, line in LINES.buttons.items()}
CHATTER = 4
UP = "up"
"""The moment after the first picture."""
TURN = "turn"
"""The moment in the middle of a turn (`twin.begin_turn`)."""


class Lab:
    """`acts` are those of this scenario, in their order; `keep` is where pictures are kept, under `name`-..."""

    def __init__(
        self, machine: Machine, films: Path, keep: Path, name: str, acts: Sequence[Act], say: Callable[[str], None]
    ) -> None:
        self.machine = machine
        self.films = films
        self.acts = deque(acts)
        self._keep = keep
        self._name = name
        self.say = say
        self._random = random.Random(name)
        self._count = 0
        self.checked = 0
        """Screens that were compared, each with its lamps."""

    def run(self, script: str, wait_s: float = 120.0) -> str:
        """Run a shell script in the machine; what it says."""
        return self.machine.agent.run(script, wait_s).strip()

    def true(self, script: str) -> bool:
        """Whether a shell script in the machine ends well."""
        return self.machine.agent.ask(script)[0] == 0

    def until(self, script: str, wait_s: float, missing: str) -> None:
        """Until a shell script in the machine ends well. Raises Missing."""
        self.machine.until(lambda: self.true(script), wait_s, missing)

    def perform(self, count: int | None = None) -> None:
        """Do in the machine what was done at the twin, act by act (`count` of them; None: all), and compare what is
        shown after each: the screen and the lamps. Raises Missing."""
        for _ in range(len(self.acts) if count is None else count):
            self.do(self.acts[0])
            self.see(self.acts.popleft())

    def do(self, act: Act) -> None:
        """What a person does; nothing is compared."""
        self.say(act.name)
        if act.film:
            self.machine.film(act.film)
        if act.buttons:
            lines = " ".join(str(BUTTONS[button]) for button in act.buttons)
            # Before all else that runs there, or its contacts would chatter for longer than any switch does.
            self.run(f"chrt -f 50 sh press.sh {act.held_s} {self._random.randrange(CHATTER)} {lines}")

    def see(self, act: Act, wait_s: float = WAIT_S) -> None:
        """Wait until the machine shows what the twin has shown. Raises Missing."""
        self._count += 1
        kept = self._keep / f"{self._name}-{self._count:02d}.png"
        self.machine.shows(act.picture, kept, wait_s)
        # A lamp follows its picture at the next turn of the loop.
        self.machine.until(
            lambda: self.machine.lit(LAMPS) == act.lamps, WAIT_S, "other lamps are lit: {}",
            lambda: f"{sorted(self.machine.lit(LAMPS))}, not {sorted(act.lamps)}",
        )  # fmt: skip
        self.checked += 1

    def same(self, picture: Path, act: Act) -> bool:
        """Whether a picture of the screen is what the twin had shown."""
        return difference(act.picture, picture) <= SAME_SHARE

    def snapshot(self, what: str) -> Path:
        """Keep a picture of the screen."""
        return self.machine.screen(self._keep / f"{self._name}-{what}.png")

    def records(self) -> list[tuple[str, dict[str, object]]]:
        """What the journal of the table holds of the last game, without what only a machine with a disk adds."""
        query = "select kind, data from events where game = (select max(game) from events) order by seq"
        said = self.run(f"sqlite3 -json 'file:/var/lib/dicetable/journal.sqlite3?mode=ro' '{query}'")
        found = [(row["kind"], json.loads(row["data"])) for row in json.loads(said or "[]")]
        return [plain(kind, data) for kind, data in found]

    def journal_agrees(self, act: Act) -> None:
        """Whether the journal holds what the twin's held after this act. Raises Missing, which says where they part."""
        found, wanted = self.records(), [plain(*record) for record in act.records]
        if found != wanted:
            at = next((n for n, pair in enumerate(zip(found, wanted, strict=False)) if pair[0] != pair[1]), None)
            at = min(len(found), len(wanted)) if at is None else at
            raise Missing(f"record {at} of the journal is {found[at : at + 1]}, not {wanted[at : at + 1]}")

    def found_on_disk(self, folder: Path) -> list[tuple[str, dict[str, object]]]:
        """The journal of the machine that is off goes into `folder`. Returns the records of its last game."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, body in self.machine.on_disk("/var/lib/dicetable/journal.sqlite3").items():
            (folder / name).write_bytes(body)
        journal = Journal(folder / "journal.sqlite3")
        found = [plain(record.kind, dict(record.data)) for record in journal.last_game()]
        journal.close()
        return found

    def boot_and_compare(self, folder: Path, film: str) -> None:
        """Switch the machine on and see that it shows what a twin does that is started on the journal in `folder`,
        while the camera sees `film`; then play on for one press. Raises Missing."""
        twin = Rehearsal(folder, self.films, film)
        twin.begin()
        twin.press("score")
        twin.close()
        self.machine.power_on(f"film={film}")
        self.machine.up()
        for act in twin.acts:
            self.do(act)
            self.see(act)

    def pid(self) -> int:
        """The table's process; 0 while there is none."""
        return int(self.run("systemctl show -p MainPID --value dicetable"))

    def back(self, old: int, wait_s: float = BOOT_S) -> None:
        """Until the table runs in another process than `old` and shows its first picture. Raises Missing."""
        self.machine.until(
            lambda: self.true("systemctl -q is-active dicetable") and self.pid() not in (0, old), wait_s,
            "the table is not started again",
        )  # fmt: skip


def plain(kind: str, data: dict[str, Any]) -> tuple[str, dict[str, object]]:
    """A record without what depends on disk and processor: a picture's name, where dice lie, and how sure of them."""
    kept = {key: value for key, value in data.items() if key != "picture"}
    if "dice" in kept:
        kept["dice"] = [die["v"] if isinstance(die, dict) else die for die in kept["dice"]]
    return kind, kept


__all__ = ["Lab", "Missing", "plain"]
