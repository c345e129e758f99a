"""Keys as a panel: which key stands for which button, for tables without a panel.

Room: hardware. Key names are plain strings as the window names them ("1", "space", "return"); it knows no window
toolkit and no game. Keys don't bounce: debounce their edges with `stable_ms=0`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hardware.buttons import HOLDS, LAYOUTS, Button, Edge

_HOLD_KEYS = {button: (str(n), f"[{n}]") for n, button in enumerate(HOLDS, start=1)}
_COMMON: Mapping[Button, tuple[str, ...]] = {
    Button.ROLL: ("space", "r"),
    Button.SCORE: ("return", "enter", "s"),
}

KEYS: Mapping[int, Mapping[Button, tuple[str, ...]]] = {
    3: {Button.HOLD1: ("h", "1", "[1]"), **_COMMON},
    8: {**_HOLD_KEYS, **_COMMON},
    11: {**_HOLD_KEYS, **_COMMON, Button.UP: ("up",), Button.DOWN: ("down",), Button.UNDO: ("u", "backspace")},
}
"""Number of buttons -> button -> its keys; the first is the one that is shown."""

_LABELS: Mapping[str, str] = {"space": "SPACE", "return": "ENTER", "up": "UP", "down": "DOWN"}


class KeyPanel:
    """A panel of `layout` buttons (3, 8 or 11) on a keyboard. `put` takes the edges.

    Lamps are kept for whoever wants to draw them, in `lit`.
    """

    def __init__(self, layout: int, put: Callable[[Edge], None]) -> None:
        self._put = put
        self._buttons = {key: button for button, keys in KEYS[layout].items() for key in keys}
        self._down: dict[Button, set[str]] = {button: set() for button in LAYOUTS[layout]}
        self._lit: set[Button] = set()
        self._layout = layout

    def key(self, name: str, down: bool, t: float) -> bool:
        """A key named `name` went down or up at monotonic time `t`. False if no button hangs on it.

        A key that repeats while it is held makes one edge; a button with two keys is down while either is.
        """
        button = self._buttons.get(name.lower())
        if button is None:
            return False
        keys = self._down[button]
        before = bool(keys)
        (keys.add if down else keys.discard)(name.lower())
        if bool(keys) != before:
            self._put(Edge(button, bool(keys), t))
        return True

    def release_all(self, t: float) -> None:
        """Every key is up: the window lost the keyboard, and with it the edges to come."""
        for button, keys in self._down.items():
            if keys:
                keys.clear()
                self._put(Edge(button, False, t))

    def levels(self) -> dict[Button, bool]:
        """The level of every button; True while pressed."""
        return {button: bool(keys) for button, keys in self._down.items()}

    def lamp(self, button: Button, on: bool) -> None:
        """Light the lamp of `button`, or put it out."""
        (self._lit.add if on else self._lit.discard)(button)

    @property
    def lit(self) -> frozenset[Button]:
        """Buttons whose lamp is lit."""
        return frozenset(self._lit)

    @property
    def hints(self) -> dict[Button, str]:
        """Button -> what is printed on its key ("1", "SPACE", "ENTER"), in the layout's order."""
        keys = KEYS[self._layout]
        return {button: _LABELS.get(keys[button][0], keys[button][0].upper()) for button in LAYOUTS[self._layout]}

    def close(self) -> None:
        """Nothing to let go of; here because every panel has it."""
