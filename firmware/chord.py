"""The way into the service menu: two buttons held for five seconds, with a count-down, and a PIN where one is set.

Room: firmware. What the menu holds is in `firmware.scene_service`. It knows no device.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from display.view import Message
from firmware.events import Handled
from firmware.scene_pin import Pin
from firmware.scene_service import SERVICE_MODES, Service
from rules.said import said_n as _n

if TYPE_CHECKING:
    from firmware.table import Table


def chord(table: Table, left_s: int) -> Handled:
    """The two buttons have been held; `left_s` seconds are left, 0 when it is long enough, -1 when they were let go."""
    if table.message is not None and table.message.code == "SERVICE":
        table.message = None
    if left_s > 0:
        words: str = _n(
            "Service menu in {n} second. Let go if you do not want it.",
            "Service menu in {n} seconds. Let go if you do not want it.",
            left_s,
        )
        table.message = Message("SERVICE", words, asks=True)
        return Handled()
    if left_s < 0 or table.mode in SERVICE_MODES:
        return Handled()
    # What is open around the game gives way; a form that is half filled in is found again.
    table.open_scenes = [s for s in table.open_scenes if s.lasts]
    pin = str(table.facts.get("pin", ""))
    return table.open(Pin(pin) if pin else Service())
