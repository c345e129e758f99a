"""Words that can be said in another language: English text that remembers what it was made of.

Room: rules. Knows no language but English and no catalogue. What the rules say is a plain `str` to whoever only prints
it; `firmware.language` looks up `msgid` in a catalogue and fills in `args` again.

    >>> from rules.said import said as _, said_n as _n
    >>> _("{who} leaves the table", who="Ann")
    'Ann leaves the table'
    >>> _n("one die", "{n} dice", 3)
    '3 dice'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

SENTENCE = "sentence"
NOTHING: Mapping[str, object] = {}


class Said(str):
    """English words and what they were made of: `msgid` with `args` filled in.

    `english`, where given, is shown in English in place of all that: more than what the catalogues say.

    `plural` and `n` are set where a number decides the form, `context` where the same English words mean two things.
    An argument may be a number, a name (plain `str`) or words. `finish` is SENTENCE for words that are shown as a
    sentence of their own: with a capital and a full stop.
    """

    __slots__ = ("args", "context", "english", "finish", "msgid", "n", "plural")

    msgid: str
    plural: str
    n: int
    context: str
    args: Mapping[str, object]
    finish: str
    english: str

    def __new__(
        cls,
        msgid: str,
        args: Mapping[str, object] = NOTHING,
        *,
        plural: str = "",
        n: int = 1,
        context: str = "",
        finish: str = "",
        english: str = "",
    ) -> Said:
        pattern = plural if plural and n != 1 else msgid
        text = english or (pattern.format_map(args) if args else pattern)
        made = super().__new__(cls, finished(text) if finish == SENTENCE else text)
        made.msgid, made.plural, made.n, made.context = msgid, plural, n, context
        made.args, made.finish, made.english = args, finish, english
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return (_again, (self.msgid, dict(self.args), self._rest()))

    def _rest(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("plural", "n", "context", "finish", "english")}


def _again(msgid: str, args: dict[str, object], rest: dict[str, Any]) -> Said:
    return Said(msgid, args, **rest)


def finished(text: str) -> str:
    """`text` as a sentence: a capital at the beginning and a full stop at the end, if it has none."""
    return text[:1].upper() + text[1:] + ("" if not text or text[-1] in ".!?…:" else ".")


def said(msgid: str, /, **args: object) -> Said:
    """Words, with their arguments filled in. Call it as `_`: the catalogues are made of what `_("...")` holds."""
    return Said(msgid, args)


def said_n(one: str, many: str, n: int, /, **args: object) -> Said:
    """Words whose form depends on the number `n`, which they may hold as {n}. Call it as `_n`."""
    return Said(one, {"n": n, **args}, plural=many, n=n)


def said_as(context: str, msgid: str, /, **args: object) -> Said:
    """Words that mean something else elsewhere: `context` says to translators what is meant. Call it as `_as`."""
    return Said(msgid, args, context=context)


def sentence(words: str) -> str:
    """The same words as a sentence of their own."""
    if isinstance(words, Said):
        return Said(words.msgid, words.args, plural=words.plural, n=words.n, context=words.context, finish=SENTENCE)
    return finished(words)


def all_of(items: Iterable[str]) -> str:
    """ "Ann", "Ann and Bo", "Ann, Bo and Cy"."""
    return _joined(items, "and")


def any_of(items: Iterable[str]) -> str:
    """ "Ones", "Ones or Twos", "Ones, Twos or Threes"."""
    return _joined(items, "or")


def in_line(items: Iterable[str]) -> str:
    """ "Ones, Twos, Threes"."""
    return _joined(items, "")


def _joined(items: Iterable[str], last: str) -> str:
    parts = list(items)
    if not parts:
        return ""
    found = parts[0]
    for i, part in enumerate(parts[1:], 2):
        if i == len(parts) and last:
            msgid = {"and": AND, "or": OR}[last]
            found = Said(msgid, {"some": found, "last": part})
        else:
            found = Said(COMMA, {"some": found, "last": part})
    return found


_ = said
AND = _("{some} and {last}", some="{some}", last="{last}").msgid
OR = _("{some} or {last}", some="{some}", last="{last}").msgid
COMMA = _("{some}, {last}", some="{some}", last="{last}").msgid
