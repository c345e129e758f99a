"""Safe mode: after two starts that failed, the third one uses defaults, so that the table comes up and says why.

Room: firmware. A start has failed if it ended before the first picture was on the screen. That is counted in the file
`.incomplete_start` in the data folder, once that folder exists. The configuration file is never written; where it was
the reason, safe mode lasts until it is changed.
"""

from __future__ import annotations

import json
import os
import tomllib
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

from firmware.config import Config, default_path
from firmware.errors import Fault

NAME = ".incomplete_start"
ENOUGH = 2
_SECTIONS = {"CAM": "camera", "GPIO": "panel", "DSP": "screen"}


class StartGuard:
    """What is known of the last starts with this data folder and this configuration file."""

    def __init__(self, folder: Path, config: Path | None = None) -> None:
        self._folder, self._path = folder, folder / NAME
        self._config = _sum_of(config or default_path())
        self.fails = 0
        self.why = ""
        """What the last start that failed said; "" if it just ended, as a crash does."""
        with suppress(OSError, ValueError, AttributeError):
            said = json.loads(self._path.read_text("utf-8"))
            if said.get("config") == self._config:
                self.fails, self.why = int(said.get("fails", 0)), str(said.get("why", ""))

    @property
    def safe(self) -> bool:
        """Is this start to use defaults?"""
        return self.fails >= ENOUGH

    @property
    def banner(self) -> str:
        """What the screen says in safe mode; "" otherwise."""
        if not self.safe:
            return ""
        key = bad_key(self.why)
        why = self.why.partition(": ")[0] if key else self.why or "two starts ended before there was a picture"
        where = f": mend {key} in the configuration" if key else ""
        return f"safe mode, with defaults: {why.rstrip('.')}{where}"

    def begin(self) -> None:
        """A start begins. Unless `shown` is called it has failed."""
        self._write(self.fails + 1, self.why if self.safe else "")

    def failed(self, fault: BaseException) -> None:
        """It has failed, and why."""
        self._write(self.fails + 1, str(fault) or type(fault).__name__)

    def called_off(self) -> None:
        """It ended for a reason that no configuration mends, such as having no screen: it doesn't count."""
        if self.fails:
            self._write(self.fails, self.why)
        else:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)

    def shown(self) -> None:
        """There is a picture: the start was good."""
        if self.safe and self.why.startswith("CFG-"):
            self._write(self.fails, self.why)
            return
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def _write(self, fails: int, why: str) -> None:
        # A disk that can't be written is no reason not to start.
        with suppress(OSError):
            if not self._folder.is_dir():
                return
            partial = self._path.with_name(NAME + ".part")
            with partial.open("w", encoding="utf-8") as file:
                json.dump({"fails": fails, "why": why, "config": self._config}, file)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(self._path)


def bad_key(why: str) -> str:
    """The key of the configuration that the words of a fault point to, or its section; "" if none."""
    code, _, words = why.partition(": ")
    if code == "CFG-02":
        # "CFG-02: FILE: panel.buttons: Input should be ...; next.key: ..."
        return words.partition(": ")[2].partition(": ")[0]
    if code == "CFG-03":
        return "game"
    return _SECTIONS.get(code.partition("-")[0], "")


def safe_config(path: Path | None, **overrides: Any) -> Config:
    """Defaults, but for what says where we are: `platform` and `data` of the file, as far as they are good, and what
    was said on the command line."""
    keep: dict[str, Any] = {}
    with suppress(OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        said = tomllib.loads((path or default_path()).read_text("utf-8"))
        keep = {k: said[k] for k in ("platform", "data") if k in said}
    keep.update({k: v for k, v in overrides.items() if v is not None})
    for key in list(keep):
        with suppress(ValueError):
            Config.model_validate({key: keep[key]})
            continue
        del keep[key]
    return Config.model_validate(keep)


def guarded_config(config: Config | Fault, path: Path | None, **overrides: Any) -> tuple[Config, StartGuard]:
    """The configuration to start with, and the guard of this start. `config` is what loading it gave. Raises the Fault
    that it gave, unless starts have failed twice already."""
    folder = (config if isinstance(config, Config) else safe_config(path, **overrides)).data_folder
    guard = StartGuard(folder, path)
    if guard.safe:
        return safe_config(path, **overrides), guard
    if isinstance(config, Fault):
        guard.failed(config)
        raise config
    return config, guard


def _sum_of(path: Path) -> int:
    try:
        return zlib.crc32(path.read_bytes())
    except OSError:
        return 0
