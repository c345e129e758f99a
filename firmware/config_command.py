"""Print the configuration: what counts now, or a fresh file with every option explained.

Room: firmware. It writes no file; redirect it where it belongs.
"""

from __future__ import annotations

import argparse
import tomllib
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from firmware import config as configuration
from firmware.config import Config
from firmware.errors import Fault
from firmware.options import file_text, options, problems_in


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration (default: the user's)")
    parser.add_argument("--defaults", action="store_true", help="a fresh file, whatever the configuration says")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="with this value, such as screen.rotation=90",
    )


def run(args: argparse.Namespace) -> int:
    chosen = {} if args.defaults else chosen_of(configuration.load(args.config))
    for said in args.set:
        key, _, value = said.partition("=")
        chosen[key] = _value(value)
    try:
        Config.model_validate(_nested(chosen))
    except ValidationError as e:
        words = "; ".join(f"{p.key}: {p.words}" + (f" ({p.fix})" if p.fix else "") for p in problems_in(e))
        raise Fault("CFG-02", f"{words}.", "Mend what follows --set.") from e
    print(file_text(chosen), end="")
    return 0


def chosen_of(config: Config) -> dict[str, Any]:
    """Every key of `config` that is not at its default."""
    found = {}
    for option in options():
        value: Any = config
        for step in option.key.split("."):
            value = getattr(value, step)
        if value != option.default:
            found[option.key] = value
    return found


def _nested(flat: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in flat.items():
        *path, name = key.split(".")
        at = made
        for step in path:
            at = at.setdefault(step, {})
        at[name] = value
    return made


def _value(text: str) -> Any:
    """What was typed, as TOML if it is TOML, else as text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
