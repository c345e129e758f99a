"""The machine's health while people play: power, heat and disk, looked at once a minute.

Room: firmware. It uses the checks of `check_machine.py` in a thread of its own, since a disk or a firmware that is slow
must not hold up the game, and puts what it finds on the queue as a fact.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from firmware import check_machine
from firmware.config import Config
from firmware.events import Facts
from firmware.findings import FAULT, Finding, Machine

EVERY_S = 60.0
STANDING = (check_machine.power, check_machine.heat, check_machine.disk, check_machine.keeps)
"""What may go wrong, or turn out to be wrong, long after the start."""


class Health:
    """Puts `health` on the queue, pairs of code and words, whenever they have changed. `start` begins, `close` ends."""

    def __init__(self, config: Config, put: Callable[[Facts], object], machine: Machine | None = None) -> None:
        self._config = config
        self._put = put
        self._machine = machine or Machine()
        self._told: tuple[tuple[str, str], ...] = ()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="health", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """End the thread, which may be waiting for a slow disk; nobody waits for it."""
        self._closing.set()

    def look(self) -> None:
        """Look once, and tell what is different."""
        found = [f for check in STANDING for f in self._findings(check) if f.level == FAULT]
        # The same code says the same thing to the people at the table, so the first one of each will do.
        told = tuple({f.code: (f.code, f"{f.what}: {f.cause}. {f.fix}") for f in reversed(found)}.values())
        if told != self._told:
            self._told = told
            self._put(Facts({"health": told}))

    def _findings(self, check: Callable[[Config, Machine], object]) -> Sequence[Finding]:
        try:
            return list(check(self._config, self._machine))  # type: ignore[call-overload, no-any-return]
        except Exception:
            return ()  # a check that fails is the business of `dicetable check`, which says so

    def _run(self) -> None:
        while not self._closing.is_set():
            self.look()
            self._closing.wait(EVERY_S)
