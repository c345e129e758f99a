"""The panel on GPIO lines: real gpiozero Button and LED objects on pin factories that are handed in.

Room: hardware. It puts raw edges into a queue and lights lamps; debouncing is `hardware.debounce`, what a press means
is the table's. gpiozero is imported here and in `mock_panel` only. It never chooses a pin factory: a table that falls
back to mock pins in silence looks alive and hears nobody.

gpiozero's own `bounce_time` is left at None: it differs with every pin factory, and looks away after the first edge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from gpiozero import LED, GPIOPinInUse
from gpiozero import Button as GpioButton
from gpiozero.exc import PinError

from hardware.buttons import Button, Edge
from hardware.faults import PanelFault, panel_fault
from hardware.lines import Line, PanelLines


class GpioPanel:
    """Buttons to ground with the internal pull-up, lamps from the line to ground.

    `lines` is a table without problems (`hardware.lines.problems`). `factories`: chip label -> gpiozero pin factory,
    opened by the caller, who closes them after the panel. `put` takes every raw Edge; it is called from gpiozero's
    threads and must be quick and safe there, as `queue.SimpleQueue.put` is. `now` gives monotonic seconds.

    Raises PanelFault: GPIO-01 no factory for a chip, GPIO-03 a line is held by another program, GPIO-04 no such line.
    """

    def __init__(
        self,
        lines: PanelLines,
        factories: Mapping[str, Any],
        put: Callable[[Edge], None],
        now: Callable[[], float],
    ) -> None:
        self._lines = lines
        self._put = put
        self._now = now
        self._closed = False
        self._buttons: dict[Button, GpioButton] = {}
        self._lamps: dict[Button, LED] = {}
        self._lit: set[Button] = set()
        try:
            for button, line in lines.buttons.items():
                device = self._open(GpioButton, line, factories, bounce_time=None)
                self._buttons[button] = device
                device.when_pressed = partial(self._edge, button, True)
                device.when_released = partial(self._edge, button, False)
            for button, line in lines.lamps.items():
                self._lamps[button] = self._open(LED, line, factories, initial_value=False)
        except BaseException:
            self.close()
            raise

    def levels(self) -> dict[Button, bool]:
        """The level of every button, sampled now; True while pressed. Raises PanelFault GPIO-07 if a chip is gone."""
        try:
            return {button: bool(device.is_pressed) for button, device in self._buttons.items()}
        except Exception as error:
            raise panel_fault("GPIO-07", what=str(error) or type(error).__name__) from error

    def lamp(self, button: Button, on: bool) -> None:
        """Light the lamp of `button`, or put it out. Nothing happens if it has none. Raises PanelFault GPIO-07."""
        device = self._lamps.get(button)
        # Ours to remember: asking the line would cost a transaction on an expander's bus.
        if device is None or (button in self._lit) == on:
            return
        try:
            device.value = int(on)
        except Exception as error:
            raise panel_fault("GPIO-07", what=str(error) or type(error).__name__) from error
        (self._lit.add if on else self._lit.discard)(button)

    @property
    def lit(self) -> frozenset[Button]:
        """Buttons whose lamp is lit."""
        return frozenset(self._lit)

    def close(self) -> None:
        """Put the lamps out and let go of the lines. Idempotent; no edge is put once it returns."""
        self._closed = True
        devices = [*self._buttons.values(), *self._lamps.values()]
        self._buttons, self._lamps, self._lit = {}, {}, set()
        for device in devices:
            # A chip that is gone can neither be switched nor closed; the others still can.
            with suppress(Exception):
                if isinstance(device, LED):
                    device.off()
            with suppress(Exception):
                device.close()

    def __repr__(self) -> str:
        if self._closed:
            return "<GpioPanel closed>"
        return f"<GpioPanel {len(self._buttons)} buttons, {len(self._lamps)} lamps on {', '.join(self._lines.chips)}>"

    def _edge(self, button: Button, level: bool) -> None:
        if not self._closed:
            self._put(Edge(button, level, self._now()))

    def _open(self, kind: Callable[..., Any], line: Line, factories: Mapping[str, Any], **options: Any) -> Any:
        name = self._lines.name(line)
        if line.chip not in factories:
            raise panel_fault("GPIO-01", what=f"chip {line.chip} is not open")
        try:
            return kind(line.offset, pin_factory=factories[line.chip], **options)
        except GPIOPinInUse as error:
            raise panel_fault("GPIO-03", line=line, name=name) from error
        except PinError as error:
            raise panel_fault("GPIO-04", line=line, name=name) from error
        except Exception as error:
            raise _line_fault(error, line, name) from error


def _line_fault(error: Exception, line: Line, name: str) -> PanelFault:
    # lgpio has one exception class for everything; its text is what tells them apart (lgpio.error_text).
    text = str(error).lower()
    if "busy" in text:
        return panel_fault("GPIO-03", line=line, name=name)
    if "bad gpio" in text or "bad line" in text or "invalid argument" in text:
        return panel_fault("GPIO-04", line=line, name=name)
    return panel_fault("GPIO-01", what=f"{line}: {error}")
