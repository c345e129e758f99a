"""Learn a table: find its tray, learn it empty, learn its dice, check the light, lock exposure, and test it all.

With a camera (SOURCE, or the configuration's) it tells what to do, step by step, and ends with ten throws. The tray is
found by four printed marks on its rim (`--marks FILE.pdf` makes them), or by corners that are told, or by its looks.
`--set NAME` adds another set of dice to a table that was learnt before; without it the tray is learnt anew with the
set that is in use, and the other sets are kept.

Without `--out` it is the table of the configuration that is learnt, into its own folder, and it plays with that from
its next start.

With `--from FOLDER` it learns from pictures: the first one by name shows the empty tray, the second a throw with the
dice apart. The file is then what `--table` of the other commands takes, and `camera.calibration` of the configuration.

Room: firmware. Joins the terminal, cameras and vision.calibration; it knows no game.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path

from firmware.calibrate_live import LiveCalibration, Wishes
from firmware.errors import Fault
from firmware.lesson import in_place_of
from firmware.watch_command import camera_of
from hardware.camera import Camera, CameraFault, Clock
from hardware.camera_files import PICTURE_SUFFIXES, load_picture
from vision.calibration import DEFAULT_SET, Calibration, CalibrationFault, load, save
from vision.learning import learn_table
from vision.marks import clockwise, find, floor_of, missing
from vision.types import Corners, Image


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source",
        metavar="SOURCE",
        nargs="?",
        help="a webcam's number or path, pi, or sim (default: the configuration's)",
    )
    parser.add_argument("--from", dest="folder", metavar="FOLDER", help="learn from the two pictures that lie there")
    parser.add_argument("--out", metavar="FILE", help="the calibration to write (default: this table's own)")
    parser.add_argument("--marks", metavar="FILE.pdf", help="write a page with marks for the rim, and do nothing else")
    parser.add_argument("--corners", metavar="X,Y", nargs=4, type=_corner, help="the floor's four corners, in pixels")
    parser.add_argument("--dice", type=int, metavar="N", help="how many dice are thrown in the test")
    parser.add_argument("--set", dest="name", metavar="NAME", help="add the dice to FILE as a set of this name")
    parser.add_argument("--throws", type=int, default=10, metavar="N", help="how many throws test it (default 10)")
    parser.add_argument("--confirm", action="store_true", help="ask after each throw whether it was read right")
    parser.add_argument("--force", action="store_true", help="go on in bad light")


def run(args: argparse.Namespace) -> int:
    """Learn and write. Raises Fault."""
    if args.marks:
        return _print_marks(Path(args.marks))
    corners = _corners(args.corners)
    if args.out:
        _learn(args, corners)
        if not args.folder:
            print(f"{args.out} is written: name it as camera.calibration in the configuration.")
        return 0
    return _for_this_table(args, corners)


def _for_this_table(args: argparse.Namespace, corners: Corners | None) -> int:
    """No file is named: the table of the configuration is learnt, and plays with it from its next start."""
    from firmware.config import load as load_config
    from firmware.kept_settings import KeptSettings
    from firmware.lock import InstanceLock

    config = load_config()
    lock = InstanceLock(config.data_folder)  # a table that runs has the camera, and keeps settings of its own
    try:
        kept = KeptSettings(config.data_folder)
        config = kept.merged(config)
        args.out = config.camera.calibration or str(config.data_folder / "table.json")
        learnt = _learn(args, corners)
        if args.out != config.camera.calibration:
            kept.keep("camera.calibration", args.out)
        if config.camera.dice not in ("", learnt.name):
            kept.keep("camera.dice", learnt.name)
        kept.wait()
    finally:
        lock.close()
    print(f"{args.out} is written. The table plays with it from its next start.")
    return 0


def _learn(args: argparse.Namespace, corners: Corners | None) -> Calibration:
    """Learn, and write it to `args.out`."""
    try:
        known = load(args.out) if args.name is not None and Path(args.out).exists() else None
        before = _before(args.out) if known is None else None
        if args.folder:
            learnt = _from_folder(Path(args.folder), args.out, corners, known or before, args.name)
        else:
            learnt = _live(args, corners, known, before)
        save(learnt, args.out)
    except (CalibrationFault, CameraFault) as fault:
        raise Fault(fault.code, fault.words) from fault
    return learnt


def _before(out: str) -> Calibration | None:
    """What was learnt before and is replaced now, but for its other sets of dice."""
    if not Path(out).exists():
        return None
    try:
        return load(out)
    except CalibrationFault as fault:
        print(f"{fault.code}: {fault.words}. It is replaced whole, with all sets of dice in it.")
        return None


def _print_marks(path: Path) -> int:
    from firmware.marks_page import marks_page
    from firmware.pdf import write

    try:
        write(path, [marks_page()], "Marks for the rim of the tray")
    except OSError as error:
        raise Fault(
            "CAL-06", f"{path} can't be written: {error.strerror or error}.", "Choose another place."
        ) from error
    print(f"{path}: print it at 100 %, cut out four marks of one size, and glue them into the corners of the rim.")
    return 0


def _from_folder(
    folder: Path, out: str, corners: Corners | None, known: Calibration | None, name: str | None
) -> Calibration:
    if not folder.is_dir():
        raise Fault("CAL-01", f"{folder} is not a folder.", "Give the folder that holds the two pictures.")
    pictures = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES)
    if len(pictures) < 2:
        raise Fault(
            "CAL-05",
            f"{folder} holds {len(pictures)} of the two pictures.",
            "Take one of the empty tray and one of a throw with the dice apart.",
        )
    empty = load_picture(pictures[0])
    learnt = learn_table(empty, load_picture(pictures[1]), corners or _marked(empty))
    if known is not None and name:
        learnt = known.with_dice(name, learnt)
    else:
        learnt = in_place_of(known, learnt, name or _name_in_use(known), None)
    dice = len(learnt.looks)
    print(f"{out}: a die is {learnt.die_px:.0f} pixels long; learnt from {dice} dice in {pictures[1].name}")
    return learnt


def _marked(empty: Image) -> Corners | None:
    """The floor's corners, if all four marks are in the picture."""
    found = find(empty)
    return None if missing(found) else floor_of(found)


def _name_in_use(before: Calibration | None) -> str:
    return DEFAULT_SET if before is None else before.name


def _live(
    args: argparse.Namespace, corners: Corners | None, known: Calibration | None, before: Calibration | None
) -> Calibration:
    clock = Clock(time.monotonic, time.sleep)
    camera = _camera(args.source, clock, known)
    throws_itself = args.source == "sim"
    dice = args.dice or (5 if throws_itself else None)
    name = args.name or _name_in_use(before)
    wishes = Wishes(dice, corners, name, known, before, args.throws, args.force)

    def throw(dice: int | None) -> None:
        camera.tell("throw", {"dice": dice or 5, "cocked": 0})

    live = LiveCalibration(
        camera,
        clock,
        wishes,
        lambda words: print(words, flush=True),
        _ask,
        throw if throws_itself else None,
        confirm=args.confirm and sys.stdin.isatty(),
    )
    learnt, _ = live.run()
    return learnt


def _camera(source: str | None, clock: Clock, known: Calibration | None) -> Camera:
    if source is None:
        from firmware.config import load as load_config
        from firmware.platforms import eye_spec, make_camera

        spec = eye_spec(load_config())
        return make_camera(replace(spec, calibration=""), clock, lock=None if known is None else known.lock)
    if source == "sim":
        from hardware.cameras import open_camera

        return open_camera("sim", {"marks": True, "cocked": 0.0}, clock)
    return camera_of(source, clock)


def _ask(words: str) -> str:
    try:
        return input(f"{words} ")
    except EOFError:
        # Nobody is there to press Enter: a script has set everything up beforehand.
        print()
        return ""


def _corner(text: str) -> tuple[float, float]:
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError("two numbers with a comma, such as 120,80") from error
    return x, y


def _corners(told: list[tuple[float, float]] | None) -> Corners | None:
    if told is None:
        return None
    try:
        return clockwise(told)
    except ValueError as error:
        raise Fault("CAL-07", f"{error}.", "Give the four corners of the tray's floor, as X,Y in pixels.") from error


if __name__ == "__main__":
    from firmware.cli import main

    sys.exit(main(["calibrate", *sys.argv[1:]]))
