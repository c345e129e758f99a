"""The configuration: one file in TOML, checked whole before anything starts.

Room: firmware. Every key has a default, a range and a sentence; a key that is not known is an error, never ignored.
`options.py` makes the table of options from the classes here, and with it the file, its documentation and its checks.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from firmware.errors import Fault


def _in(unit: str, sentence: str, **limits: Any) -> Any:
    """A number's field: its unit stands in the table of options."""
    return Field(description=sentence, json_schema_extra={"unit": unit}, **limits)


_TIME = r"^(([01]?\d|2[0-3]):[0-5]\d)?$"


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CameraConfig(_Section):
    kind: Annotated[
        Literal["", "sim", "files", "webcam", "picamera2"],
        Field(description="Where pictures come from; empty: what the platform has."),
    ] = ""
    source: Annotated[str, Field(description="For files: a picture, folder or video. For webcam: its device.")] = ""
    calibration: Annotated[str, Field(description="A file that `dicetable calibrate` wrote; empty: none.")] = ""
    dice: Annotated[
        str, Field(description="The set of dice played with, by the name it was learnt under; empty: the last one.")
    ] = ""
    options: Annotated[
        dict[str, Any], Field(description="Further options of this kind of camera, such as rate_hz or seed.")
    ] = Field(default_factory=dict)


class PanelConfig(_Section):
    buttons: Annotated[Literal[3, 8, 11], Field(description="How many buttons the panel has.")] = 8
    stable_ms: Annotated[
        float,
        _in("ms", "How long a contact must rest to count.", ge=1, le=200),
    ] = 20.0
    lines: Annotated[
        dict[str, dict[str, tuple[str, int]]],
        Field(description="Which button and lamp hangs on which line, as (chip label, offset); empty: the default."),
    ] = Field(default_factory=dict)


class ScreenConfig(_Section):
    width: Annotated[
        int,
        Field(ge=320, le=7680, description="Width, where the screen does not say.", json_schema_extra={"unit": "px"}),
    ] = 1280
    height: Annotated[
        int,
        Field(ge=240, le=4320, description="Height, where the screen does not say.", json_schema_extra={"unit": "px"}),
    ] = 720
    fullscreen: Annotated[bool, Field(description="Take the whole screen; false: a window.")] = False
    rotation: Annotated[
        Literal[0, 90, 180, 270],
        Field(description="Turn the picture clockwise.", json_schema_extra={"unit": "degrees"}),
    ] = 0
    theme: Annotated[Literal["dark", "daylight", "contrast"], Field(description="The colours.")] = "dark"
    reduced_motion: Annotated[bool, Field(description="Nothing on the screen moves by itself.")] = False
    brightness: Annotated[
        int, Field(ge=30, le=100, description="How bright the picture is.", json_schema_extra={"unit": "%"})
    ] = 100


class KeepingConfig(_Section):
    way: Annotated[
        Literal["leave", "strip", "out"],
        Field(
            description="How dice are kept. leave: they are left lying. strip: they are laid into a part of the tray. "
            "out: they leave the tray, and ROLL says that the marked ones do."
        ),
    ] = "leave"
    strip: Annotated[
        list[tuple[float, float]],
        Field(description="For strip: corners of that part, in shares of the picture's width and height."),
    ] = Field(default_factory=lambda: [(0.0, 0.8), (1.0, 0.8), (1.0, 1.0), (0.0, 1.0)])


class PicturesConfig(_Section):
    keep: Annotated[bool, Field(description="Keep the picture of each accepted roll beside the journal.")] = True
    megabytes: Annotated[
        int,
        Field(
            ge=1,
            le=100_000,
            description="How much room they may take; the oldest go first.",
            json_schema_extra={"unit": "MB"},
        ),
    ] = 200


class SoundConfig(_Section):
    on: Annotated[bool, Field(description="Play the sounds of presses, rolls and scores.")] = True
    volume: Annotated[
        int, Field(ge=0, le=100, description="How loud sounds and speech are.", json_schema_extra={"unit": "percent"})
    ] = 60
    quiet_from: Annotated[
        str,
        Field(
            pattern=_TIME,
            description="Quiet from this local time on: no sounds, no caller; empty: never. The spoken mode goes on.",
            json_schema_extra={"unit": "hh:mm"},
        ),
    ] = ""
    quiet_to: Annotated[
        str,
        Field(
            pattern=_TIME,
            description="Until this local time, which may be that of the next day.",
            json_schema_extra={"unit": "hh:mm"},
        ),
    ] = ""
    caller: Annotated[bool, Field(description="Call rolls, scores and refusals aloud (needs espeak-ng).")] = False
    spoken: Annotated[
        bool, Field(description="Say all that a player must know who can't see the screen (needs espeak-ng).")
    ] = False
    rate: Annotated[
        int,
        Field(ge=80, le=400, description="How fast the voice speaks.", json_schema_extra={"unit": "words a minute"}),
    ] = 160
    noon: Annotated[
        Literal["top", "right", "bottom", "left"],
        Field(description="The side of the picture that is noon when places in the tray are spoken."),
    ] = "top"
    device: Annotated[str, Field(description="The output, as the system names it; empty: the system's own.")] = ""

    @property
    def quiet(self) -> tuple[int, int] | None:
        """From when to when it is quiet, in minutes of the day; None: never."""
        if not (self.quiet_from and self.quiet_to):
            return None
        begin, end = (int(t[:-3]) * 60 + int(t[-2:]) for t in (self.quiet_from, self.quiet_to))
        return begin, end


class ServiceConfig(_Section):
    pin: Annotated[
        str,
        Field(
            pattern=r"^[1-6]{0,8}$",
            description="Digits from 1 to 6 asked for before the service menu; empty: none are.",
        ),
    ] = ""


class EventConfig(_Section):
    name: Annotated[str, Field(max_length=40, description="What the event is called; empty: no event.")] = ""
    options: Annotated[
        dict[str, Any], Field(description="House rules of the game, which nobody at the table can change then.")
    ] = Field(default_factory=dict)
    clock_s: Annotated[
        int, _in("s", "Shot clock: so long a player has from one throw to the next; 0: none.", ge=0, le=600)
    ] = 0
    results: Annotated[
        str, Field(description="A text file for the results; empty: results.txt beside the journal.")
    ] = ""
    spectators: Annotated[
        int, Field(ge=-1, le=7, description="The display for spectators, counted from 0; -1: none.")
    ] = -1


class Config(_Section):
    """All of it. See `load`."""

    platform: Annotated[
        Literal["sim", "desk", "pi"], Field(description="sim: simulated tray. desk: webcam and keys. pi: real parts.")
    ] = "sim"
    game: Annotated[str, Field(description="The game that is offered.")] = "yardzee"
    players: Annotated[int, Field(ge=1, le=8, description="How many players the table starts with.")] = 2
    names: Annotated[list[str], Field(max_length=8, description="The seats' names.")] = Field(default_factory=list)
    language: Annotated[
        Literal["en", "de", "es", "fr", "nl", "pl"], Field(description="The language of the screen.")
    ] = "en"
    data: Annotated[str, Field(description="Folder for the journal; empty: the user's data folder.")] = ""
    camera: CameraConfig = CameraConfig()
    keeping: KeepingConfig = KeepingConfig()
    panel: PanelConfig = PanelConfig()
    screen: ScreenConfig = ScreenConfig()
    sound: SoundConfig = SoundConfig()
    pictures: PicturesConfig = PicturesConfig()
    service: ServiceConfig = ServiceConfig()
    event: EventConfig = EventConfig()

    @property
    def data_folder(self) -> Path:
        return Path(self.data).expanduser() if self.data else Path(platformdirs.user_data_dir("dicetable", False))


def default_path() -> Path:
    """Where the configuration is looked for when none is named: `$DICETABLE_CONFIG`, else the user's folder."""
    named = os.environ.get("DICETABLE_CONFIG")
    return Path(named) if named else Path(platformdirs.user_config_dir("dicetable", False)) / "dicetable.toml"


def load(path: Path | None = None, **overrides: Any) -> Config:
    """Read the configuration from `path`, or from the default place, where it may be missing.

    `overrides` replace keys of the file; None leaves them. Raises Fault CFG-01 if the file can't be read as TOML and
    CFG-02 naming every key that is wrong. The file is never written.
    """
    data: dict[str, Any] = {}
    where = path or default_path()
    if path is not None or where.exists():
        try:
            data = tomllib.loads(where.read_text("utf-8"))
        except FileNotFoundError as e:
            raise Fault("CFG-01", f"there is no configuration file {where}.", "Check the name after --config.") from e
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as e:
            raise Fault("CFG-01", f"{where} can't be read ({e}).", "Mend that place; nothing was changed.") from e
    data.update({key: value for key, value in overrides.items() if value is not None})
    try:
        return Config.model_validate(data)
    except ValidationError as e:
        from firmware.options import problems_in

        said = "; ".join(f"{p.key}: {p.words}" + (f" ({p.fix})" if p.fix else "") for p in problems_in(e))
        raise Fault("CFG-02", f"{where}: {said}.", "Mend these keys; nothing was changed.") from e
