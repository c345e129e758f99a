"""What is said, in the language of the table: catalogues, plurals, numbers, and a View in the words of that language.

Room: firmware. Everything that a player sees is made as `rules.said.Said` (`_("...")`), which is English and remembers
what it was made of; here it is said again in another language. The catalogues in `locales/` are gettext's and are made
by `make catalogues`; at run time Python's own `gettext` reads them. Numbers follow the CLDR's decimal formats.
"""

from __future__ import annotations

import dataclasses
import gettext
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from display.view import Picture
from display.words import Words
from rules.said import SENTENCE, Said, finished
from rules.said import said as _
from rules.said import said_as as _as

LOCALES = Path(__file__).resolve().parent / "locales"
DOMAIN = "dicetable"

LANGUAGES: Mapping[str, str] = {
    "en": "English",
    "de": "Deutsch",
    "es": "Español",
    "fr": "Français",
    "nl": "Nederlands",
    "pl": "Polski",
}
"""Code -> the language's own name, in the order of a menu."""

_GROUPS: Mapping[str, tuple[str, int]] = {
    "en": (",", 4),
    "de": (".", 4),
    "es": (".", 5),
    "fr": ("\u00a0", 4),  # CLDR has a narrow space, which the fonts lack
    "nl": (".", 4),
    "pl": ("\u00a0", 5),
}
"""Code -> what stands between thousands, and from how many digits on (CLDR 45, minimumGroupingDigits)."""

BUTTON_WORDS = ("SCORE", "ROLL", "UNDO", "HOLD")
"""Buttons by the names that words call them. Translations keep them; the screen puts what is printed there."""
_BUTTON = re.compile(rf"\b({'|'.join(BUTTON_WORDS)})\b")

_T = TypeVar("_T")


class Language:
    """One language. Get it by `language(code)`."""

    def __init__(self, code: str) -> None:
        self.code = code
        self._found: gettext.NullTranslations = gettext.NullTranslations()
        if code != "en":
            with (LOCALES / code / "LC_MESSAGES" / f"{DOMAIN}.mo").open("rb") as file:
                self._found = gettext.GNUTranslations(file)
        self.words = self._words(*_GROUPS[code])
        """The few words that the screen says by itself."""

    def say(self, words: str) -> str:
        """`words` in this language; a plain `str`, such as a name, stays as it is."""
        if not isinstance(words, Said):
            return words
        if words.english and self.code == "en":
            return words.english
        args = {name: self._argument(value) for name, value in words.args.items()}
        pattern = self._pattern(words)
        text = pattern.format_map(args) if args else pattern
        return finished(text) if words.finish == SENTENCE else text

    def _pattern(self, words: Said) -> str:
        if words.context:
            return self._found.pgettext(words.context, words.msgid)
        if words.plural:
            return self._found.ngettext(words.msgid, words.plural, words.n)
        return self._found.gettext(words.msgid)

    def _argument(self, value: object) -> object:
        if isinstance(value, str):
            return self.say(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return self.number(value)
        return value

    def number(self, n: int) -> str:
        """A whole number with its thousands apart, as people of this language write it."""
        return self.words.number(n)

    def shown(self, value: _T, names: Mapping[str, str] | None = None) -> _T:
        """A View, or any frozen value with words in it, in this language.

        `names`: BUTTON_WORDS -> what is printed on that button here.
        """
        return self._walk(value, {button: self.say(name) for button, name in (names or {}).items()})

    def _walk(self, value: _T, names: Mapping[str, str]) -> _T:
        found: Any = value
        if isinstance(value, Said):
            found = with_keys(self.say(value), names)
        elif isinstance(value, tuple):
            said = tuple(self._walk(v, names) for v in value)
            found = value if all(a is b for a, b in zip(said, value, strict=True)) else said
        elif dataclasses.is_dataclass(value) and not isinstance(value, Picture | type):
            changes = {}
            for field in dataclasses.fields(value):
                old = getattr(value, field.name)
                new = self._walk(old, names) if isinstance(old, Said | tuple) or dataclasses.is_dataclass(old) else old
                if new is not old:
                    changes[field.name] = new
            found = dataclasses.replace(value, **changes) if changes else value
        return found  # type: ignore[no-any-return]

    def _words(self, group: str, group_from: int) -> Words:
        return Words(
            roll=self.say(_("Roll {roll} of {rolls}", roll="{roll}", rolls="{rolls}")),
            no_roll=self.say(_("{rolls} rolls", rolls="{rolls}")),
            held=self.say(_as("mark on a die", "HELD")),
            total=self.say(_("Total")),
            no_picture=self.say(_("No picture from the camera")),
            winner=self.say(_("WINNER")),
            winners=self.say(_("WINNERS")),
            group=group,
            group_from=group_from,
        )


@cache
def language(code: str) -> Language:
    """The language with this code, one of LANGUAGES. Raises KeyError."""
    if code not in LANGUAGES:
        raise KeyError(code)
    return Language(code)


ENGLISH = language("en")


def with_keys(text: str, names: Mapping[str, str]) -> str:
    """`text` with the buttons called what is printed on them here: `names` is SCORE, ROLL -> the key's name."""
    return _BUTTON.sub(lambda found: names.get(found.group(), found.group()), text) if names else text
