"""What was changed in a menu, kept over a restart: a small file beside the journal.

Room: firmware. The configuration stays the person's own and is never written. A change counts for as long as the
configuration says what it said when the change was made; whoever edits it there is obeyed. It knows no screen.
"""

from __future__ import annotations

import json
import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from firmware.config import Config

NAME = "settings.json"
KEYS = (
    "language",
    "sound.on",
    "sound.volume",
    "sound.caller",
    "sound.spoken",
    "screen.theme",
    "screen.rotation",
    "screen.brightness",
    "camera.dice",
    "camera.calibration",
)
"""What menus can change, by the configuration's names."""


class KeptSettings:
    """The file in `folder`. Reading never fails: what is damaged or no longer allowed is as if it were not there."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._lock = threading.Lock()
        self._writer: threading.Thread | None = None
        self._kept: dict[str, dict[str, Any]] = {}
        self._config = Config()
        with suppress(OSError, ValueError):
            said = json.loads(self._path.read_text("utf-8"))
            if isinstance(said, dict):
                self._kept = {k: v for k, v in said.items() if k in KEYS and isinstance(v, dict)}

    def merged(self, config: Config) -> Config:
        """The configuration with what was changed since."""
        self._config = config
        for key, entry in self._kept.items():
            if "is" not in entry or entry.get("was") != value_of(config, key):
                continue
            with suppress(ValueError):
                config = _with(config, key, entry["is"])
        return config

    def keep(self, key: str, value: Any) -> None:
        """Remember a change. It is written by a thread of its own, so that the loop never waits for the disk."""
        if key not in KEYS:
            return
        self._kept[key] = {"is": value, "was": value_of(self._config, key)}
        self._writer = threading.Thread(target=self._write, name="settings", daemon=True)
        self._writer.start()

    def wait(self) -> None:
        """Wait until the last change is written. The loop never does."""
        if self._writer is not None:
            self._writer.join()

    def _write(self) -> None:
        # What counts is what is set when its turn comes to be written, not when it was asked for.
        with self._lock, suppress(OSError):
            kept = dict(self._kept)
            partial = self._path.with_name(NAME + ".part")
            with partial.open("w", encoding="utf-8") as file:
                json.dump(kept, file, ensure_ascii=False, indent=1)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(self._path)


def value_of(config: Config, key: str) -> Any:
    """What the configuration says for a key with dots."""
    found: Any = config
    for part in key.split("."):
        found = getattr(found, part)
    return found


def _with(config: Config, key: str, value: Any) -> Config:
    """The configuration with one key changed. Raises ValueError for a value that is not allowed."""
    data = config.model_dump()
    at = data
    *sections, name = key.split(".")
    for section in sections:
        at = at[section]
    at[name] = value
    return Config.model_validate(data)
