"""A scorecard game as data, and the options that such games have.

Room: rules. Data only, no code that plays. Rule numbers such as A5 are those of docs/rules.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from rules.boxes import Box
from rules.options import COMMON, Option, Value
from rules.said import said as _

JOKERS = {
    "lower_first": _(
        "Five alike again: in its own upper box; if filled, a joker in the lower section; else zero above."
    ),
    "any_box": _(
        "Five alike again: in its own upper box; if filled, in any open box, as a joker in the lower section."
    ),
    "free": _("Five alike again may go in any open box, as a joker in the lower section."),
    "none": _("Five alike is never a joker."),
}
ORDERS = {
    "any": _("Boxes may be filled in any order."),
    "top_down": _("Boxes must be filled from the top down."),
    "bottom_up": _("Boxes must be filled from the bottom up."),
    "upper_first": _("The upper section must be full before the lower one is begun."),
    "lower_first": _("The lower section must be full before the upper one is begun."),
}

SHORT_ORDERS = {
    "any": _("boxes may be filled in any order"),
    "top_down": _("boxes must be filled from the top down"),
    "bottom_up": _("boxes must be filled from the bottom up"),
    "upper_first": _("the upper section must be full before the lower one is begun"),
    "lower_first": _("the lower section must be full before the upper one is begun"),
}
"""The same as part of a refusal."""


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A scorecard game as data.

    `rolls` a turn with `dice` dice; `bonus` points when the upper boxes hold `bonus_at`; `alike_box` is the key of
    the box for dice that are all alike, "" if further ones are nothing special. Further ones are worth `extra` points
    while that box holds points, and are jokers by the rule `joker` once the box is "filled" or "scored" (holds
    points; see A5). `saves_rolls`: rolls that a turn did not use may be used later. `changes` are other defaults of
    options.
    """

    name: str
    title: str
    blurb: str
    boxes: tuple[Box, ...]
    bonus_at: int
    bonus: int
    dice: int = 5
    rolls: int = 3
    alike_box: str = ""
    extra: int = 0
    joker: Literal["lower_first", "any_box", "none"] = "none"
    joker_when: Literal["filled", "scored"] = "filled"
    saves_rolls: bool = False
    changes: tuple[tuple[str, Value], ...] = ()
    source: str = ""
    family: str = "scorecard"

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of this game."""
        return _options_of(self)

    def _options(self) -> Iterator[Option]:
        yield from COMMON
        yield _choice("order", "any", _("In which order boxes are filled."), ORDERS)
        yield Option("upper_first", "flag", False, _("Short for the order upper_first."))
        yield Option(
            "columns",
            "number",
            1,
            _("Columns on a card; the second counts twice, the third three times."),
            low=1,
            high=3,
        )
        if any(b.key == "full_house" for b in self.boxes) and self.dice == 5:
            yield Option("alike_full_house", "flag", False, _("Five alike count as a full house too."))
        if self.alike_box and self.joker != "none":
            yield _choice("joker", self.joker, _("What a further five alike may do."), JOKERS)
            yield Option("extra", "number", self.extra, _("Points for a further five alike."), high=200, step=50)


@lru_cache(maxsize=64)
def _options_of(sheet: Sheet) -> tuple[Option, ...]:
    return tuple(_with_default(o, dict(sheet.changes)) for o in sheet._options())


def _choice(name: str, default: str, sentence: str, choices: Mapping[str, str]) -> Option:
    return Option(name, "choice", default, sentence, tuple(choices), tuple(choices.values()))


def _with_default(option: Option, changes: Mapping[str, Value]) -> Option:
    return replace(option, default=changes[option.name]) if option.name in changes else option
