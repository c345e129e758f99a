"""Tell the rolls in a video, a folder of frames or a camera.

A video or a folder gives every frame, as fast as it can; `--live` keeps the clock, as a camera would. SOURCE may also
be the number or path of a webcam, `pi` for a Raspberry Pi's camera module, or `sim` for the simulated tray, in which
dice are then thrown every few seconds. While the clock is kept, the frame rate is told as well.

Room: firmware. Joins a camera, the watcher and the terminal; it knows no game.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware.errors import Fault
from firmware.supply import Supply
from hardware.camera import Camera, CameraFault, Clock
from hardware.camera_files import FilesCamera
from hardware.cameras import open_camera
from vision.calibration import Calibration, CalibrationFault, load
from vision.types import Frame, Reason, Tray, TrayEvent, TrayEventKind
from vision.watcher import Watcher

_WAIT_S = 0.1
_PAUSE_S = 0.05
_RATE_S = 5.0
_THROW_S = 6.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source", metavar="SOURCE", help="a video, a folder of pictures, a webcam's number or path, pi, or sim"
    )
    parser.add_argument("--json", action="store_true", help="an object a line instead of words")
    parser.add_argument("--dice", type=_count, metavar="N", help="how many dice there should be")
    parser.add_argument("--die", type=float, metavar="PX", help="how long a die's edge is in the picture, in pixels")
    parser.add_argument("--table", metavar="FILE", help="a calibration, made by dicetable calibrate")
    parser.add_argument("--live", action="store_true", help="keep the clock: frames that come while reading are missed")
    parser.add_argument("--fps", type=_rate, metavar="HZ", help="frames a second (default: the video's own, else 30)")


def run(args: argparse.Namespace) -> int:
    """Print what happens in SOURCE until it ends. Raises Fault."""
    try:
        calibration = load(args.table) if args.table else None
    except CalibrationFault as fault:
        raise Fault(fault.code, fault.words) from fault
    watcher = Watcher(Tray(dice=args.dice, die_px=args.die, calibration=calibration))
    clock = Clock(now=time.monotonic, wait=time.sleep)
    camera = camera_of(args.source, clock, live=args.live, fps=args.fps)
    sights = frames_of(camera) if isinstance(camera, FilesCamera) else sights_of(camera, clock)
    frames = 0
    rate = Rate()
    live = args.live or not isinstance(camera, FilesCamera)
    next_throw = 1.0
    try:
        for sight in sights:
            if isinstance(sight, Away):
                events = watcher.offline(sight.code, sight.t)
            else:
                if calibration is not None:
                    _fits(calibration, sight, args.table)
                frames += 1
                if args.source == "sim" and sight.t >= next_throw:
                    next_throw = sight.t + _THROW_S
                    camera.tell("throw", {"dice": args.dice or 5})
                events = watcher.step(sight)
                if live and not args.json and (hz := rate.feed(sight.t)) is not None:
                    print(f"{sight.t:8.2f} s  {hz:.1f} frames a second, {watcher.state or 'looking'}", flush=True)
            for event in events:
                print(json.dumps(as_json(event)) if args.json else as_words(event), flush=True)
    except CameraFault as fault:
        raise Fault(fault.code, fault.words) from fault
    except KeyboardInterrupt:
        # Ending a watch of a camera by hand is its ordinary end.
        pass
    finally:
        camera.tear_down()
    if not args.json and frames:
        print(f"{frames} frames" + (f", {frames / sight.t:.1f} a second" if sight.t > 0 else ""))
    return 0


def _fits(calibration: Calibration, frame: Frame, name: str) -> None:
    (width, height), (own_height, own_width) = calibration.size, frame.image.shape[:2]
    if abs(width * own_height - height * own_width) > 0.02 * width * own_height:
        raise Fault(
            "CAL-04",
            f"{name} was made from pictures of {width}x{height}, these are {own_width}x{own_height}.",
            "Use the camera settings that it was made with, or run dicetable calibrate.",
        )


def camera_of(source: str, clock: Clock, *, live: bool = False, fps: float | None = None) -> Camera:
    """The camera that SOURCE names, not yet set up: files, the simulated tray, or a device by number or path."""
    path = Path(source)
    if source == "sim":
        return open_camera("sim", {}, clock)
    if source == "pi":
        return open_camera("picamera2", {}, clock)
    if source.isdecimal() or path.is_char_device():
        device: Any = int(source) if source.isdecimal() else source
        return open_camera("webcam", {"device": device}, clock)
    return open_camera("files", {"source": source, "live": live, "rate_hz": fps}, clock)


class Rate:
    """Frames a second, told every few seconds."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._frames = 0

    def feed(self, t: float) -> float | None:
        """Count a frame at time `t` in seconds; the rate, if it is time to tell it."""
        if self._since is None or t < self._since:
            self._since, self._frames = t, 0
            return None
        self._frames += 1
        passed = t - self._since
        if passed < _RATE_S:
            return None
        hz = self._frames / passed
        self._since, self._frames = t, 0
        return hz


@dataclass(frozen=True, slots=True)
class Away:
    """No pictures come, for the reason `code`, since `t` (seconds since the first frame)."""

    code: str
    t: float


def frames_of(camera: Camera) -> Iterator[Frame]:
    """Set the camera up and give its frames, with time from the first one, until it is at its end."""
    camera.set_up()
    first_t = None
    while not camera.at_end:
        frame = camera.grab(_WAIT_S)
        if frame is None:
            continue
        if first_t is None:
            first_t = frame.t
        yield frame.later(-first_t)


def sights_of(camera: Camera, clock: Clock) -> Iterator[Frame | Away]:
    """The same for a camera that may go away and come back: it is set up again with growing pauses.

    A fault that trying again can't mend is raised.
    """
    supply = Supply(camera, clock.now)
    begun = clock.now()
    first_t: float | None = None
    while not camera.at_end:
        got = supply.step(_WAIT_S)
        if isinstance(got, Frame):
            if first_t is None:
                first_t = got.t
            yield got.later(-first_t)
        elif got is not None:
            if not got.temporary:
                raise got
            yield Away(got.code, clock.now() - (begun if first_t is None else first_t))
        elif not supply.delivering:
            clock.wait(_PAUSE_S)


def as_json(event: TrayEvent) -> dict[str, Any]:
    """One line of `watch --json`: the fields that this kind of event has, in the contract's words."""
    line: dict[str, Any] = {"t": round(event.t, 3), "frame": event.frame}
    if event.kind is TrayEventKind.STATE:
        line["state"] = event.state.value
    else:
        line["event"] = event.kind.value
    if event.kind is TrayEventKind.DISTURBED:
        line["was"] = list(event.was)
    if event.reading is not None:
        line["values"] = list(event.values)
    if event.kind is TrayEventKind.ROLL:
        line["kept"] = list(event.kept)
        line["thrown"] = list(event.thrown)
    if event.reasons:
        line["reasons"] = [_reason(reason) for reason in event.reasons]
    if event.code is not None:
        line["code"] = event.code
    return line


def as_words(event: TrayEvent) -> str:
    """The same for a reader of the terminal."""
    head = f"{event.t:8.2f} s  "
    values = " ".join(map(str, event.values))
    if event.kind is TrayEventKind.ROLL:
        kept = f", kept {' '.join(map(str, event.kept))}" if event.kept else ""
        return f"{head}roll: {values}{kept}"
    if event.kind is TrayEventKind.DISTURBED:
        return f"{head}disturbed: {' '.join(map(str, event.was))} became {values}"
    if event.kind is TrayEventKind.QUESTION:
        return f"{head}was that a throw? {values}"
    if event.kind is not TrayEventKind.STATE:
        return f"{head}{event.kind.value}" + (f" ({event.code})" if event.code else "")
    why = ", ".join(dict.fromkeys(reason.code for reason in event.reasons)) or event.code or ""
    return f"{head}{event.state.value}" + (f" {values}" if values else "") + (f" ({why})" if why else "")


def _reason(reason: Reason) -> dict[str, Any]:
    line: dict[str, Any] = {"code": reason.code}
    if reason.x is not None and reason.y is not None:
        line |= {"x": round(reason.x, 1), "y": round(reason.y, 1)}
    return line


def _count(text: str) -> int:
    count = int(text)
    if count < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return count


def _rate(text: str) -> float:
    rate = float(text)
    if not 0.1 <= rate <= 1000.0:
        raise argparse.ArgumentTypeError("0.1 to 1000")
    return rate


if __name__ == "__main__":
    import sys

    from firmware.cli import main

    sys.exit(main(["watch", *sys.argv[1:]]))
