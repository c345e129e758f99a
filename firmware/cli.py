"""The command line: `dicetable`, and what follows it.

Room: firmware. Each command lives in a module of its own, which is imported only when it is asked for: `dicetable
stats` must not load OpenCV.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from types import ModuleType

from firmware.errors import Fault
from firmware.libraries import missing_library

COMMANDS: dict[str, tuple[str, str]] = {
    "play": ("firmware.play_command", "play (this is what dicetable does without a command)"),
    "demo": ("firmware.demo_command", "let the simulated table play a game by itself, and keep its pictures"),
    "read": ("firmware.read_command", "tell what is on the table in these pictures"),
    "watch": ("firmware.watch_command", "tell the rolls in a video, a folder of frames or a camera"),
    "replay": ("firmware.replay", "play a journal or a game script back"),
    "rules": ("firmware.rules_command", "print the rules of a game as played here, or a card of them"),
    "sound": ("firmware.sound_command", "play every sound and speak a sentence, or list the outputs"),
    "stats": ("firmware.stats_command", "players, averages, luck, and whether the dice are fair"),
    "export": ("firmware.export_command", "write the journal as CSV or JSON"),
    "check": ("firmware.check_command", "configuration and machine: every problem, and what to do"),
    "diag": ("firmware.diag_command", "what a helper needs to know, in one file with --bundle"),
    "wiring": ("firmware.wiring_command", "where the wires of the panel go: a table, or a drawing"),
    "config": ("firmware.config_command", "print the configuration, with every option explained"),
    "backup": ("firmware.backup_command", "copy the journal, one copy a day, seven kept"),
    "calibrate": ("firmware.calibrate_command", "learn the tray and the dice"),
}
"""Command -> the module that has `add_arguments(parser)` and `run(args)`, and a line of help."""

EXIT_CRASH = 1
EXIT_FAULT = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit status: 0 well, 1 as the command says, 2 for a fault."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    name = arguments[0] if arguments and arguments[0] in COMMANDS else None
    if name is None and arguments[:1] and arguments[0] in ("-h", "--help"):
        _parser().print_help()
        return 0
    if name is None and arguments[:1] and not arguments[0].startswith("-"):
        known = ", ".join(COMMANDS)
        print(f"dicetable: there is no command {arguments[0]!r}. There are: {known}.", file=sys.stderr)
        return EXIT_FAULT
    rest = arguments[1:] if name else arguments
    try:
        module = importlib.import_module(COMMANDS[name or "play"][0])
        parser = argparse.ArgumentParser(
            f"dicetable {name}" if name else "dicetable", description=(module.__doc__ or "").split("\n\n")[0]
        )
        parser.formatter_class = argparse.RawDescriptionHelpFormatter
        module.add_arguments(parser)
        status: int = module.run(parser.parse_args(rest))
        return status
    except ImportError as error:
        fault_of = missing_library(error)
        if fault_of is None:
            raise
        print(f"dicetable: {fault_of}", file=sys.stderr)
    except BrokenPipeError:
        # Whoever read our output has gone (`dicetable watch ... | head`): nothing is wrong with us.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        # Every room has a fault of its own; what they share is a stable code and words.
        if not hasattr(error, "code") or not hasattr(error, "words"):
            traceback.print_exc()
            fix = "Send these lines to whoever looks after the table, then start it again: the game goes on."
            print(
                f"dicetable: {Fault('APP-01', f'something unexpected went wrong ({error!r}).', fix)}", file=sys.stderr
            )
            return EXIT_CRASH
        print(f"dicetable: {error}", file=sys.stderr)
    return EXIT_FAULT


def _about(module: ModuleType) -> str:
    """What a command's module says of itself, without the part that is for those who build it."""
    return (module.__doc__ or "").split("\n\nRoom: ")[0].strip()


def _parser() -> argparse.ArgumentParser:
    lines = "\n".join(f"  {name:<11}{line}" for name, (_, line) in COMMANDS.items())
    return argparse.ArgumentParser(
        "dicetable",
        usage="dicetable [COMMAND] ...",
        description="A table that watches real dice.",
        epilog=f"commands:\n{lines}\n\n`dicetable COMMAND --help` tells more.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
    )


if __name__ == "__main__":
    sys.exit(main())
