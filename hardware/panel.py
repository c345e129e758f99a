"""The one interface that every panel has.

Room: hardware. Back ends live in modules of their own: `panel_gpio` (real lines, and mock ones for tests) and
`panel_keys`. What a press means is the table's business.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from hardware.buttons import Button


class Panel(Protocol):
    """Buttons and lamps. Edges go to the `put` that the panel was made with."""

    def levels(self) -> Mapping[Button, bool]:
        """The level of every button, sampled now; True while pressed. Raises PanelFault."""

    def lamp(self, button: Button, on: bool) -> None:
        """Light the lamp of `button`, or put it out; nothing happens if it has none. Raises PanelFault."""

    @property
    def lit(self) -> frozenset[Button]:
        """Buttons whose lamp is lit."""

    def close(self) -> None:
        """Let go of the lines. Idempotent; no edge is put once it returns."""
