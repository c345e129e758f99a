"""Tell the rolls in a video, a folder of frames or a camera.

A video or a folder gives every frame, as fast as it can; `--live` keeps the clock, as a camera would. SOURCE may also
be the number or path of a camera, or `sim` for the simulated tray.

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
from hardware.camera import Camera, CameraFault, Clock
from hardware.camera_files import FilesCamera
from hardware.cameras import open_camera
from hardware.faults import camera_fault
from vision.calibration import Calibration, CalibrationFault, load
from vision.types import Frame, Reason, Tray, TrayEvent, TrayEventKind
from vision.watcher import Watcher

_WAIT_S = 0.5
_SILENCE_S = 1.5
_PAUSES_S = (0.5, 1.0, 2.0, 5.0, 10.0)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source", metavar="SOURCE", help="a video, a folder of pictures, a camera's number or path, or sim"
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
    try:
        for sight in sights:
            if isinstance(sight, Away):
                events = watcher.offline(sight.code, sight.t)
            else:
                if calibration is not None:
                    _fits(calibration, sight, args.table)
                frames += 1
                events = watcher.step(sight)
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
    if source.isdecimal() or path.is_char_device():
        device: Any = int(source) if source.isdecimal() else source
        return open_camera("webcam", {"device": device}, clock)
    return open_camera("files", {"source": source, "live": live, "rate_hz": fps}, clock)


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
        yield Frame(frame.image, frame.number, frame.t - first_t)


def sights_of(camera: Camera, clock: Clock) -> Iterator[Frame | Away]:
    """The same for a camera that may go away and come back: it is set up again with growing pauses.

    A camera whose number or time stands still does not deliver. A fault that trying again can't mend is raised.
    """
    begun = clock.now()
    heard, tries, up = begun, 0, False
    last: Frame | None = None
    first_t: float | None = None
    while not camera.at_end:
        try:
            if not up:
                camera.set_up()
                up, heard = True, clock.now()
            frame = camera.grab(_WAIT_S)
            if frame is None or (last is not None and (frame.number == last.number or frame.t <= last.t)):
                if clock.now() - heard > _SILENCE_S:
                    raise camera_fault("CAM-02")
                continue
            heard, tries, last = clock.now(), 0, frame
            if first_t is None:
                first_t = frame.t
            yield Frame(frame.image, frame.number, frame.t - first_t)
        except CameraFault as fault:
            if not fault.temporary:
                raise
            camera.tear_down()
            # A camera that was set up anew may count from 0 again.
            up, last = False, None
            yield Away(fault.code, clock.now() - begun if first_t is None else clock.now() - first_t)
            clock.wait(_PAUSES_S[min(tries, len(_PAUSES_S) - 1)])
            tries += 1


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
