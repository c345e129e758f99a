"""The table of options: each key of the configuration with type, unit, default, range and a sentence.

Room: firmware. It is made from the classes in `config.py`, and from it are made the file that the installer writes, the
page docs/configuration.md, and what is said about a key that is wrong. It reads no file and no device.
"""

from __future__ import annotations

import difflib
import json
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from firmware.config import Config

REPLACED: Mapping[str, str] = {
    "camera.device": "camera.source",
    "camera.path": "camera.source",
    "camera.table": "camera.calibration",
    "camera.type": "camera.kind",
    "camera.rate_hz": "camera.options.rate_hz",
    "camera.fps": "camera.options.rate_hz",
    "camera.width": "camera.options.width",
    "camera.height": "camera.options.height",
    "panel.bounce_ms": "panel.stable_ms",
    "panel.debounce_ms": "panel.stable_ms",
    "panel.bounce_time": "panel.stable_ms (milliseconds)",
    "panel.layout": "panel.buttons",
    "panel.pins": "panel.lines",
    "screen.rotate": "screen.rotation",
    "screen.size": "screen.width and screen.height",
    "screen.colours": "screen.theme",
    "display": "screen",
    "buttons": "panel.buttons",
    "data_dir": "data",
    "player_names": "names",
}
"""Keys that have gone, or that people carry over from other programs -> what stands in their place here."""


@dataclass(frozen=True, slots=True)
class Option:
    """One key. `key` has dots (`screen.rotation`), `kind` is the type in words, `span` the range or the choices."""

    key: str
    kind: str
    unit: str
    default: Any
    span: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a key, and what to write in its place; `fix` is "" where the words say it all."""

    key: str
    words: str
    fix: str = ""


def options(model: type[BaseModel] = Config, prefix: str = "") -> Iterator[Option]:
    """Every key, those without a section first, in the order of the classes."""
    sections: list[tuple[str, type[BaseModel]]] = []
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            sections.append((name, field.annotation))
            continue
        yield _option(prefix + name, field)
    for name, section in sections:
        yield from options(section, f"{prefix}{name}.")


def file_text(chosen: Mapping[str, Any] | None = None) -> str:
    """The configuration as a TOML file with every option explained. Options that are not in `chosen` (key -> value)
    stand there as comments, so that a later default reaches whoever did not choose. Raises KeyError for a key that
    there is not."""
    left = dict(chosen or {})
    lines = [
        "# The configuration of the table. A line that begins with # shows the default and does nothing.",
        "# After a change: sudo systemctl restart dicetable. `dicetable check` tells what is wrong with it.",
    ]
    section = ""
    for option in options():
        head, _, name = option.key.rpartition(".")
        if head != section:
            section = head
            lines += ["", f"[{section}]"]
        what = ", ".join(part for part in (option.kind, option.unit, option.span) if part)
        lines += ["", f"# {option.sentence} ({what})"]
        value = left.pop(option.key, option.default)
        hide = "" if chosen and option.key in chosen else "# "
        lines.append(f"{hide}{name} = {_toml(value)}")
    if left:
        raise KeyError(next(iter(left)))
    return "\n".join(lines) + "\n"


def page() -> str:
    """docs/configuration.md."""
    lines = [
        "# The configuration",
        "",
        "Made by `python scripts/configuration.py` from the classes in `firmware/config.py`.",
        "",
        "One file in TOML. The service reads `/etc/dicetable/dicetable.toml`; without `--config`, the commands read",
        "what `$DICETABLE_CONFIG` names, else `~/.config/dicetable/dicetable.toml`. Every option has a default, so the",
        "file may be empty or missing. It is checked as a whole before anything starts; `dicetable check` names every",
        "problem at once. The program never writes it. `dicetable config` prints it as it counts, and",
        "`dicetable config --defaults` prints a fresh one.",
    ]
    section = None
    for option in options():
        head, _, name = option.key.rpartition(".")
        if head != section:
            section = head
            lines += ["", f"## `[{head}]`" if head else "## At the top", ""]
            lines += ["| key | type | default | range | what it does |", "|---|---|---|---|---|"]
        kind = f"{option.kind}, {option.unit}" if option.unit else option.kind
        lines.append(f"| `{name}` | {kind} | `{_toml(option.default)}` | {option.span} | {option.sentence} |")
    lines += [
        "",
        "`camera.options` takes what this kind of camera knows, for example",
        "`options = { rate_hz = 30, width = 1280, height = 720 }`. `panel.lines` names the chip and the number of each",
        'line, for example `lines = { buttons = { roll = ["header", 13] }, lamps = { roll = ["header", 23] } }`; then',
        "every button of the panel must be named. `dicetable wiring` shows the table that counts, and the free lines.",
        "",
        "## Names that are not known here",
        "",
        "A key that is not known is an error (`CFG-02`), never ignored. For these the message also says what to write:",
        "",
        "| key | write |",
        "|---|---|",
        *(f"| `{old}` | `{new}` |" for old, new in REPLACED.items()),
    ]
    return "\n".join(lines) + "\n"


def problems_in(error: ValidationError) -> list[Problem]:
    """Each thing that pydantic found, in the words of whoever writes the file."""
    found: dict[str, Problem] = {}
    for part in error.errors():
        key = ".".join(str(step) for step in part["loc"])
        if part["type"] == "extra_forbidden":
            problem = _unknown(key)
        else:
            span = next((o.span for o in options() if o.key == key), "")
            fix = "" if not span or part["type"] == "literal_error" else f"allowed: {span}"
            problem = Problem(key, part["msg"], fix)
        found.setdefault(key, problem)
    return list(found.values())


def _unknown(key: str) -> Problem:
    if key in REPLACED:
        return Problem(key, "is not known", f"write {REPLACED[key]}")
    known = [option.key for option in options()] + list(Config.model_fields)
    near = difflib.get_close_matches(key, known, 1, 0.6)
    return Problem(key, "is not known", f"did you mean {near[0]}?" if near else "docs/configuration.md lists all keys")


def _option(key: str, field: FieldInfo) -> Option:
    extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
    kind, span = _kind(field.annotation), _span(field)
    default = field.get_default(call_default_factory=True)
    return Option(key, kind, str(extra.get("unit", "")), default, span, field.description or "")


def _kind(annotation: Any) -> str:
    origin = typing.get_origin(annotation)
    if origin is Literal:
        return _kind(type(typing.get_args(annotation)[0]))
    if origin in (typing.Union, types.UnionType):
        return " or ".join(_kind(a) for a in typing.get_args(annotation))
    if origin in (list, tuple):
        return "list"
    if origin is dict:
        return "table"
    return {bool: "yes or no", int: "whole number", float: "number", str: "text"}.get(annotation, "value")


def _span(field: FieldInfo) -> str:
    if typing.get_origin(field.annotation) is Literal:
        return " | ".join(_toml(choice) for choice in typing.get_args(field.annotation)).replace(" | ", ", ")
    if field.annotation is bool:
        return "true, false"
    least, most, longest = (
        next((getattr(m, name) for m in field.metadata if hasattr(m, name)), None)
        for name in ("ge", "le", "max_length")
    )
    if longest is not None:
        return f"at most {longest}"
    if least is None and most is None:
        return ""
    return f"{least} to {most}" if None not in (least, most) else f"from {least}" if most is None else f"up to {most}"


def _toml(value: Any) -> str:
    """`value` in TOML; what the configuration holds, no more: text, numbers, lists, inline tables."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        inside = ", ".join(f"{json.dumps(str(k)) if '.' in str(k) else k} = {_toml(v)}" for k, v in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml(v) for v in value) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return str(value)
