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

from firmware.annotate import draw
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
    """Decode a picture of any depth, grey or with alpha, to BGR `uint8` as stored (no turning by EXIF).

    Raises `ValueError` with READ-01 for what is no picture and READ-05 for one that is cut short, `OSError` for a file
    that can't be read.
    """
    data = np.fromfile(name, np.uint8)
    if is_cut_short(data.tobytes()):
        # Some decoders fill the rest with grey, and the dice that lay there would be missed in silence.
        raise ValueError(f"READ-05 {name} is cut short: copy or take the picture again")
    image = None
    if data.size:
        try:
            image = cv2.imdecode(data, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
        except cv2.error:
            image = None
    if image is None:
        raise ValueError(f"READ-01 {name} is not a picture that can be decoded: give a JPEG or PNG file")
    return image  # type: ignore[return-value]


def is_cut_short(data: bytes) -> bool:
    """Does a JPEG file lack its end? Other formats are refused by their decoders.

    The picture's data begin with the first scan (a thumbnail before it has an end of its own).
    """
    if data[:2] != b"\xff\xd8":
        return False
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        if data[at + 1] == 0xDA:
            return data.find(b"\xff\xd9", at) < 0
        at += 1 if data[at + 1] == 0xFF else 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return at + 4 > len(data)


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
        notices = "; ".join(dict.fromkeys(REASONS[r.code] for r in reading.reasons))
        return f"{values} ({notices})" if notices else values
    if reading.status is Status.EMPTY:
        return "no dice"
    why = "; ".join(dict.fromkeys(REASONS[r.code] for r in reading.reasons))
    return f"not sure ({why}); best guess: {values or 'none'}"


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
