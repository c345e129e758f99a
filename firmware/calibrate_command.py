"""Learn the tray and the dice.

With --from FOLDER --out FILE from pictures: the first one by name shows the empty tray, the second a throw with the
dice apart. FILE is then what --table of the other commands takes.

Room: firmware. Joins picture files and vision.calibration; it knows no game.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from firmware.errors import Fault
from hardware.camera import CameraFault
from hardware.camera_files import PICTURE_SUFFIXES, load_picture
from vision.calibration import CalibrationFault, learn, save


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--from", dest="folder", metavar="FOLDER", required=True, help="where the two pictures lie")
    parser.add_argument("--out", metavar="FILE", required=True, help="the calibration to write")


def run(args: argparse.Namespace) -> int:
    """Learn from FOLDER and write FILE. Raises Fault."""
    folder = Path(args.folder)
    if not folder.is_dir():
        raise Fault("CAL-01", f"{folder} is not a folder.", "Give the folder that holds the two pictures.")
    pictures = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES)
    if len(pictures) < 2:
        raise Fault(
            "CAL-05",
            f"{folder} holds {len(pictures)} of the two pictures.",
            "Take one of the empty tray and one of a throw with the dice apart.",
        )
    try:
        calibration = learn(load_picture(pictures[0]), load_picture(pictures[1]))
        save(calibration, args.out)
    except (CalibrationFault, CameraFault) as fault:
        raise Fault(fault.code, fault.words) from fault
    dice = len(calibration.looks)
    print(f"{args.out}: a die is {calibration.die_px:.0f} pixels long; learnt from {dice} dice in {pictures[1].name}")
    return 0


if __name__ == "__main__":
    import sys

    from firmware.cli import main

    sys.exit(main(["calibrate", *sys.argv[1:]]))
