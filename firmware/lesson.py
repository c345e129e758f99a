"""Learning a tray, frame by frame: steps that are fed frames by whoever has them and give an answer in the end.

Room: firmware. Joins a camera's orders and vision; it asks nobody and waits for nothing, time is the frames' own. The
command line drives these steps itself (`calibrate_live.py`), the camera process lets them run beside the watching
(`tray_lesson.py`), so that a table can be calibrated from its menu.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from firmware.errors import Fault
from vision import light, marks, motion
from vision.calibration import Calibration
from vision.types import Corners, Frame

SETTLE_S = 2.0
"""Exposure, white balance and focus need so long to follow the light."""
LOCK_S = 0.5
STILL_S = 1.0
LIMIT_S = 180.0
"""A person who does nothing for this long has gone away."""
_QUIET_CHANGES = 6

T = TypeVar("T")
Step = Generator[None, Frame, T]
"""Takes a frame at every `yield`, and returns what it found."""
Tell = Callable[[str, Mapping[str, Any]], object]
"""Gives an order to the camera."""


def empty_tray(
    tell: Tell,
    known: Calibration | None,
    floor: Step[Corners | None],
    *,
    lit: Callable[[list[light.Trouble]], object] | None = None,
    limit_s: float = LIMIT_S,
) -> Step[tuple[Frame, Corners | None]]:
    """The empty tray in good light, with exposure locked, and its floor's corners.

    Of a tray that is `known` corners and lock are kept, else `floor` finds the corners. `lit` is told what is wrong
    with the light, an empty list if nothing is; by default that ends it. Raises Fault CAL-07, CAL-09, LIGHT-...
    """
    follows = known is None or known.lock is None
    if follows:
        tell("unlock", {})
    # In the dark nothing ever seems to lie still, so light is looked at first.
    yield from wait(SETTLE_S)
    corners = known.corners if known is not None else (yield from floor)
    (lit or _refuse)((yield from light_troubles(corners)))
    if follows:
        tell("lock", {})
        yield from wait(LOCK_S)
    frame = yield from still(limit_s=limit_s)
    return frame, corners


def _refuse(troubles: list[light.Trouble]) -> None:
    if troubles:
        raise light_fault(troubles)


def wait(seconds: float) -> Step[Frame]:
    """Let frames pass for so long, at least one."""
    frame = yield
    end = frame.t + seconds
    while frame.t < end:
        frame = yield
    return frame


def still(*, moved: bool = False, limit_s: float = LIMIT_S) -> Step[Frame]:
    """A frame of a moment in which nothing has moved for STILL_S; with `moved` something must move before.

    Raises Fault CAL-09.
    """
    frame = yield
    begun = since = frame.t
    last = motion.shrink(frame.sketch, frame.size[0])
    seen = not moved
    while not seen or frame.t - since < STILL_S:
        frame = yield
        now = motion.shrink(frame.sketch, frame.size[0])
        if int(motion.changed(now, last).sum()) >= _QUIET_CHANGES:
            since, seen = frame.t, True
        last = now
        if frame.t - begun > limit_s:
            raise Fault("CAL-09", "the tray does not come to rest.", "Keep hands away, then begin again.")
    return frame


def corners() -> Step[Corners | None]:
    """The floor's corners by the marks on the rim, None where there are no marks. Raises Fault CAL-07, LIGHT-.."""
    frame = yield
    found = dict(marks.find(frame.image))
    for _ in range(10 if found else 2):
        # A mark at the edge of being found is not found in every picture.
        if not marks.missing(found):
            break
        frame = yield
        found |= marks.find(frame.image)
    if not found:
        return None
    missing = marks.missing(found)
    if missing:
        _refuse((yield from light_troubles(None)))
        names = ", ".join(str(number + 1) for number in missing)
        raise Fault(
            "CAL-07",
            f"of the four marks on the rim number {names} is not seen.",
            "See that nothing covers it, that no lamp shines off it, and that it lies in the picture.",
        )
    return marks.floor_of(found)


def light_troubles(floor: Corners | None) -> Step[list[light.Trouble]]:
    """What is wrong with the light on the floor, or on the whole picture."""
    frames = []
    for _ in range(4):
        frames.append((yield))
    width, height = frames[0].size
    whole = ((0.0, 0.0), (float(width), 0.0), (float(width), float(height)), (0.0, float(height)))
    return light.troubles([frame.image for frame in frames], floor or whole)


def light_fault(troubles: list[light.Trouble]) -> Fault:
    """The gravest of them, as what ends a calibration."""
    return Fault(troubles[0].code, f"{troubles[0].words}.", "Then begin again.")


def in_place_of(
    before: Calibration | None, learnt: Calibration, name: str, lock: Mapping[str, Any] | None
) -> Calibration:
    """A tray that was learnt anew with the dice called `name`; other sets of dice that were known before are kept."""
    named = replace(learnt, name=name, lock=lock)
    return named if before is None else named.keeping_sets(before)
