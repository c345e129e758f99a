"""When to set a locked camera's exposure anew: only while the tray is empty, and never during a turn.

Room: hardware. Pure: brightness, times and whether it may are handed in; orders for the camera come out (`unlock`,
`lock`), and the one who drives the camera passes them on and tells the players (CAM-11).
"""

from __future__ import annotations

_UNLOCK = "unlock"
_LOCK = "lock"


class ExposureKeeper:
    """Watches the brightness of the empty tray.

    `band` is how far brightness may drift from what it was when exposure was locked, as a share of it, before exposure
    is set anew; `patience_s` how long it must stay out of the band (somebody who bends over the table goes away again);
    `settle_s` how long the camera needs to follow the light. `wanted` is the brightness to keep to, as calibration
    knows it.
    """

    def __init__(
        self, band: float = 0.25, patience_s: float = 3.0, settle_s: float = 2.0, wanted: float | None = None
    ) -> None:
        if not 0.0 < band < 1.0:
            raise ValueError(f"band is {band}, not between 0 and 1")
        self._band = band
        self._patience_s = patience_s
        self._settle_s = settle_s
        self._wanted = wanted
        self._out_since_s: float | None = None
        self._unlocked_s: float | None = None

    def feed(self, t: float, brightness: float, may: bool) -> str | None:
        """The order to give to the camera now, if any.

        `t` is monotonic seconds, `brightness` the mean grey level of the tray (0 to 255), `may` True while the tray is
        EMPTY and no turn is under way. Without a brightness to keep to, the first one seen while it may is it.
        """
        if self._unlocked_s is not None:
            if may and t - self._unlocked_s < self._settle_s:
                return None
            # A turn that begins ends this at once: as bright as it is now is better than changing under the dice.
            self._unlocked_s = None
            self._wanted = None
            return _LOCK
        if not may:
            self._out_since_s = None
            return None
        if self._wanted is None:
            self._wanted = max(brightness, 1.0)
        if abs(brightness - self._wanted) <= self._band * self._wanted:
            self._out_since_s = None
            return None
        if self._out_since_s is None:
            self._out_since_s = t
        if t - self._out_since_s < self._patience_s:
            return None
        self._out_since_s = None
        self._unlocked_s = t
        return _UNLOCK
