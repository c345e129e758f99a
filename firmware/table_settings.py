"""What a table is set up for.

Room: firmware. Frozen values that the configuration, a demonstration or a test makes; they know no device.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from firmware.keeping import LEFT_LYING, Keeping


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What a table is set up for. `names` are the seats' names; a seat beyond them is "Player N"."""

    game: str = "yardzee"
    players: int = 2
    names: tuple[str, ...] = ()
    die_cursor: bool = False
    """The panel has one HOLD button, which moves a cursor along the dice."""
    keeping: Keeping = LEFT_LYING
    attract: bool = False
    """Invite people while nobody plays, and again when the table is left alone."""
    event: Event | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """What a host has fixed for an evening: a name, the game with its options, and seconds for a choice (0: none)."""

    name: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    clock_s: int = 0
