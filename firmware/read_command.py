"""`dicetable read`: what is on the table in these pictures.

Room: firmware. Turns files into readings and readings into lines; how dice are read is `vision`'s.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.reader import read
from vision.types import REASONS, Image, Reading, Status, Tray


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `dicetable read`."""
    parser.add_argument("photos", metavar="PHOTO", nargs="+", help="pictures to read")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.add_argument("--annotate", metavar="DIR", help="draw what was read into pictures in DIR")
    parser.add_argument("--dice", metavar="N", type=int, help="how many dice there should be")
    parser.add_argument("--die", metavar="PX", type=float, help="how long a die's edge is in the picture, in pixels")
    parser.add_argument("--table", metavar="FILE", help="a calibration, from `dicetable calibrate`")


def run(args: argparse.Namespace) -> int:
    """Read every picture; 1 if one could not be opened."""
    if args.dice is not None and args.dice < 0:
        print("READ-02 --dice must be 0 or more", file=sys.stderr)
        return 2
    if args.die is not None and not args.die > 0:
        print("READ-03 --die must be more than 0 pixels", file=sys.stderr)
        return 2
    calibration = None
    if args.table:
        from vision import calibration as calibrations

        try:
            calibration = calibrations.load(args.table)
        except calibrations.CalibrationFault as fault:
            print(fault, file=sys.stderr)
            return 2
    tray = Tray(dice=args.dice, die_px=args.die, calibration=calibration)
    failed = False
    for name in args.photos:
        try:
            image = open_picture(name)
            reading = read(image, tray)
        except (OSError, ValueError) as error:
            failed = True
            _say_error(name, str(error), args.json)
            continue
        if args.json:
            print(json.dumps({"file": name} | as_json(reading)), flush=True)
        else:
            print(f"{name}: {in_words(reading)}", flush=True)
        if args.annotate:
            try:
                _annotate(image, reading, name, Path(args.annotate))
            except OSError as error:
                failed = True
                print(f"READ-04 can't write to {args.annotate}: {error}", file=sys.stderr)
    return 1 if failed else 0


def open_picture(name: str) -> Image:
    """Decode a picture of any depth, grey or with alpha, to BGR `uint8` as stored (no turning by EXIF)."""
    data = np.fromfile(name, np.uint8)
    image = None
    if data.size:
        try:
            image = cv2.imdecode(data, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
        except cv2.error:
            image = None
    if image is None:
        raise ValueError(f"READ-01 {name} is not a picture that can be decoded: give a JPEG or PNG file")
    return image  # type: ignore[return-value]


def as_json(reading: Reading) -> dict[str, Any]:
    """The reading as `dicetable read --json` prints it, without the file's name."""
    reasons = []
    for reason in reading.reasons:
        entry: dict[str, Any] = {"code": reason.code}
        if reason.x is not None and reason.y is not None:
            entry |= {"x": reason.x, "y": reason.y}
        reasons.append(entry)
    return {
        "status": reading.status.value,
        "values": list(reading.values),
        "dice": [
            {
                "value": d.value,
                "confidence": d.confidence,
                "x": d.x,
                "y": d.y,
                "corners": [[float(x), float(y)] for x, y in d.corners],
            }
            for d in reading.dice
        ],
        "reasons": reasons,
        "ms": round(reading.ms, 1),
    }


def in_words(reading: Reading) -> str:
    """One line for people."""
    values = " ".join(str(v) for v in reading.values)
    if reading.status is Status.READ:
        return values
    if reading.status is Status.EMPTY:
        return "no dice"
    why = "; ".join(dict.fromkeys(REASONS[r.code] for r in reading.reasons))
    return f"not sure ({why}); best guess: {values or 'none'}"


def draw(image: Image, reading: Reading) -> Image:
    """A copy with corners, values and reasons drawn in."""
    out = image.copy()
    line = max(1, round(max(out.shape[:2]) / 500))
    for die in reading.dice:
        corners = np.array(die.corners).round().astype(np.int32)
        edge = float(np.linalg.norm(corners[0] - corners[1]))
        cv2.polylines(out, [corners], True, (255, 0, 255), line)
        size = max(0.4, edge / 60)
        at = (int(corners[:, 0].max()), int(corners[:, 1].min()))
        for colour, width in (((0, 0, 0), 4 * line), ((255, 255, 255), line)):
            cv2.putText(out, str(die.value), at, cv2.FONT_HERSHEY_SIMPLEX, size, colour, width, cv2.LINE_AA)
    row = 0
    for reason in reading.reasons:
        size = max(0.4, max(out.shape[:2]) / 1400)
        if reason.x is None or reason.y is None:
            row += 1
            at = (5, int(row * 30 * size) + 5)
        else:
            at = (int(reason.x), int(reason.y))
            cv2.drawMarker(out, at, (0, 128, 255), cv2.MARKER_TILTED_CROSS, 10 * line, line)
        for colour, width in (((0, 0, 0), 4 * line), ((0, 200, 255), line)):
            cv2.putText(out, reason.code, at, cv2.FONT_HERSHEY_SIMPLEX, size, colour, width, cv2.LINE_AA)
    return out


def _annotate(image: Image, reading: Reading, name: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    ok, data = cv2.imencode(".png", draw(image, reading))
    if ok:
        (folder / (Path(name).stem + ".png")).write_bytes(data.tobytes())


def _say_error(name: str, error: str, as_json_line: bool) -> None:
    if as_json_line:
        print(json.dumps({"file": name, "status": "error", "error": error}), flush=True)
    else:
        print(f"{name}: {error}", file=sys.stderr)


if __name__ == "__main__":
    _parser = argparse.ArgumentParser(prog="dicetable read", description=__doc__)
    add_arguments(_parser)
    sys.exit(run(_parser.parse_args()))
