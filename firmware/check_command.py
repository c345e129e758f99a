"""Check the configuration and the machine: every problem at once, each with a code, its cause and what to do.

Room: firmware. The checks are in `check_config.py`, `check_machine.py`, `check_sound.py`. Exit status: 0 nothing wrong
(there may be warnings), 1 something is.
"""

from __future__ import annotations

import argparse
import getpass
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path

from firmware import check_config as of_config
from firmware import check_machine as of_machine
from firmware import check_sound as of_sound
from firmware.config import Config
from firmware.findings import FAULT, Finding, Machine
from firmware.journal import stamp
from firmware.kept_settings import KeptSettings

CHECKS: tuple[Callable[[Config, Machine], Iterable[Finding]], ...] = (
    of_config.game,
    of_config.event,
    of_config.calibration,
    of_config.camera_options,
    of_config.panel_lines,
    of_machine.packages,
    of_machine.origins,
    of_machine.camera,
    of_machine.pins,
    of_machine.firmware_settings,
    of_machine.screen,
    of_machine.driver,
    of_machine.fonts,
    of_machine.weights,
    of_machine.disk,
    of_machine.keeps,
    of_machine.clock,
    of_machine.power,
    of_machine.heat,
    of_machine.service,
    of_sound.device,
    of_sound.voice,
    of_sound.sounds,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration (default: the user's)")
    parser.add_argument("--json", action="store_true", help="print an object a line")
    parser.add_argument(
        "--hardware",
        nargs="*",
        metavar="CHECK",
        help="try the real parts, with somebody there (the service stopped): all of them, or those that are named",
    )


def run(args: argparse.Namespace) -> int:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    if args.hardware is not None:
        return _hardware(args.config, args.hardware)
    found = find_all(args.config, this_machine())
    if args.json:
        for finding in found:
            print(json.dumps(asdict(finding), ensure_ascii=False))
    else:
        print(report(found), end="")
    return int(any(f.level == FAULT for f in found))


def _hardware(path: Path | None, names: list[str]) -> int:
    from firmware import hardware_checks as hands_on
    from firmware.errors import Fault
    from firmware.lock import InstanceLock

    unknown = [name for name in names if name not in hands_on.CHECKS]
    if unknown:
        raise Fault("CHK-02", f"there is no check {unknown[0]!r}.", f"There are: {', '.join(hands_on.CHECKS)}.")
    config, found = of_config.read(path)
    print(report(found) if found else "", end="")
    config = KeptSettings(config.data_folder).merged(config)
    # Nobody else may have camera, panel and screen meanwhile.
    lock = InstanceLock(config.data_folder)
    try:
        results = hands_on.run_all(hands_on.Bench(config, this_machine()), names)
    finally:
        lock.close()
    print("\n" + hands_on.table_of(results), end="")
    return int(any(result.passed is False for result in results))


def this_machine() -> Machine:
    """The computer that we run on."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = ""
    return Machine(today=stamp()[:10], user=user)


def find_all(path: Path | None, machine: Machine) -> list[Finding]:
    """Everything that is wrong, in the order of CHECKS, without repeats. A check that breaks is a finding, too."""
    config, found = of_config.read(path)
    # As the table plays: what was calibrated or set in a menu counts.
    config = KeptSettings(config.data_folder).merged(config)
    for check in CHECKS:
        try:
            found += check(config, machine)
        except Exception as error:
            what = f"the check of {check.__name__.replace('_', ' ')} went wrong"
            found.append(Finding("CHK-01", what, repr(error), "send this line to whoever helps you"))
    return list(dict.fromkeys(found))


def report(found: Iterable[Finding]) -> str:
    """The findings for people, faults first."""
    lines = []
    for finding in sorted(found, key=lambda f: f.level != FAULT):
        note = "" if finding.level == FAULT else " (warning)"
        lines.append(f"{finding.code}{note}: {finding.what}")
        if finding.cause:
            lines.append(f"    because: {finding.cause}")
        lines.append(f"    do:      {finding.fix}")
    return "\n".join(lines or ["Nothing is wrong."]) + "\n"
