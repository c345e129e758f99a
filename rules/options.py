"""Options: the house rules of a game, each with a default, its limits and a sentence for the screen.

Room: rules. An option is data. What it does is the engines' business, how it is set the screen's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from rules.errors import BadOption
from rules.said import said as _

Value = bool | int | str | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a game.

    `kind`: "flag" (True or False), "number" (`low` to `high` in steps of `step`), "choice" (one of `choices`) or
    "points" (a number like that for each player, in the order of the seats; missing ones are 0). `sentence` is what a
    player reads; `choice_words` says the same for each of `choices`.
    """

    name: str
    kind: Literal["flag", "number", "choice", "points"]
    default: Value
    sentence: str
    choices: tuple[str, ...] = ()
    choice_words: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    step: int = 1

    def check(self, value: object) -> Value:
        """The value as the engines want it. Raises BadOption (`OPT-02`)."""
        if self.kind == "flag" and isinstance(value, bool):
            return value
        if self.kind == "choice" and isinstance(value, str) and value in self.choices:
            return value
        if self.kind == "number" and self._fits(value):
            return int(value)  # type: ignore[call-overload,no-any-return]
        if self.kind == "points" and isinstance(value, Iterable) and not isinstance(value, str | bytes):
            points = tuple(value)
            if all(self._fits(p) for p in points):
                return points
        raise BadOption("OPT-02", f"{self.name} can't be {value!r}: {self.limits()}")

    def limits(self) -> str:
        """What values there are, in words."""
        if self.kind == "flag":
            return "it is True or False"
        if self.kind == "choice":
            return "it is one of " + ", ".join(self.choices)
        steps = f" in steps of {self.step}" if self.step > 1 else ""
        each = " for each player" if self.kind == "points" else ""
        return f"it is a number from {self.low} to {self.high}{steps}{each}"

    def _fits(self, value: object) -> bool:
        return (
            isinstance(value, int)
            and not isinstance(value, bool)
            and self.low <= value <= self.high
            and (value - self.low) % self.step == 0
        )


STARTS = {
    "seat": _("The same seat begins every game, unless the players roll for it."),
    "roll_off": _("Before every game all roll for the first turn; the highest begins."),
    "rotate": _("Each game of a match begins one seat further on."),
    "roll_off_rotate": _("All roll for the first turn of the match; each further game begins one seat further on."),
}

COMMON: tuple[Option, ...] = (
    Option("games", "number", 1, _("How many games make a match; the points of all games are added."), low=1, high=6),
    Option("start", "choice", "seat", _("Who begins a game."), tuple(STARTS), tuple(STARTS.values())),
    Option("first", "number", 0, _("The seat that begins the first game if nobody rolls for it, 0 first."), high=99),
    Option("head_start", "points", (), _("Points that a player has at the start of every game."), high=9950, step=5),
)
"""The options that every game has."""


def settle(options: tuple[Option, ...], given: Mapping[str, object], game: str) -> dict[str, Value]:
    """Every option's value: the given one or the default. Raises BadOption (`OPT-01`, `OPT-02`)."""
    known = {o.name: o for o in options}
    for name in given:
        if name not in known:
            raise BadOption("OPT-01", f"{game} has no option {name!r}: it has {', '.join(sorted(known))}")
    return {o.name: o.check(given[o.name]) if o.name in given else o.default for o in options}
