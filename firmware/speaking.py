"""The spoken mode: all that a player must know to play without seeing the screen or the dice.

Room: firmware. Pure: two moments and the two views that were shown with them in, words out, "" where there is nothing
to say. The views are in the table's language already; what is made here is said in it by `firmware.language`.

What is said, in this order: what was done; the dice with their places (on a later throw only those that were thrown);
what may be chosen; what to do. After a correction only what was put right.
"""

from __future__ import annotations

from dataclasses import dataclass

from display.view import FormView, MenuItem, Scene, View
from firmware import calling, sayings
from firmware.moment import Deed, Moment
from rules.said import Said, in_line
from rules.said import said as _
from rules.said import said_as as _as
from rules.said import said_n as _n

MOST_CHOICES = 6
"""So many boxes are read out; who wants to hear of the others goes through the list."""
MOST_ROWS = 8
"""So many rows of a table are read out."""
_LETTERS = {
    " ": _("space"),
    "-": _as("a character of a name", "hyphen"),
    "'": _("apostrophe"),
    ".": _as("a character of a name", "dot"),
}
"""What a voice says of characters that it would pass over."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A moment with the view that was shown with it, in the table's language."""

    moment: Moment
    view: View


def speak(before: Heard | None, after: Heard) -> str:
    """What is said of the step from `before` to `after`; None before the first."""
    if before is None:
        return sayings.sentences(
            [after.view.title + "." if after.view.title else "", dice_now(after), what_to_do(after)]
        )
    was, now = before.moment, after.moment
    if calling.is_correction(was, now):
        return calling.corrected(was, now)
    parts: list[str] = []
    moved = calling.is_move(was, now)
    if now.moves < was.moves and now.players == was.players:
        parts.append(_("Taken back."))
    if moved:
        parts.append(_deed(now, was))
    marks = "" if moved else marked(was, now)
    if marks:
        return marks
    if new_troubles(was, now):
        parts.append(leaning(now))
    if calling.is_told(was, now):
        parts.append(calling.told(now))
    if moved and now.dice:
        parts.append(choices(now))
    chosen = selected(before.view, after.view)
    if chosen:
        parts.append(chosen)
    if moved or before.view.prompt != after.view.prompt or before.view.scene is not after.view.scene:
        # Where a line was read out, the detail says the same.
        parts.append(_finished(after.view.prompt) if chosen and not moved else what_to_do(after))
    return sayings.sentences(parts)


def second_thought(before: Heard, after: Heard) -> str:
    """What is worth saying once it has stayed so for a moment: the smaller sentence, where only that has changed."""
    same = before.view.prompt == after.view.prompt and before.view.scene is after.view.scene
    if not same or before.view.detail == after.view.detail or selected(before.view, after.view):
        return ""
    # A die that leans has been spoken of, with its place.
    return "" if new_troubles(before.moment, after.moment) else _finished(after.view.detail)


def _deed(now: Moment, was: Moment) -> str:
    done = now.done
    match done.deed:
        case Deed.ROLL if now.dice:
            thrown = tuple(d for d in now.dice if d.thrown) or now.dice
            said = _("Thrown: {dice}.", dice=sayings.dice(thrown))
            if not now.turn_points:
                return said
            so_far = _n("{n} point so far in this turn.", "{n} points so far in this turn.", now.turn_points)
            return sayings.sentences([said, so_far])
        case Deed.BLANK | Deed.ROLLOFF:
            return _("Thrown: {dice}.", dice=sayings.faces(done.faces)) if done.faces else ""
        case Deed.SCORE | Deed.STOP:
            over = bool(now.winners) or now.finished > was.finished
            totals = _standing(now) if over and len(now.players) > 1 else ""
            # Who has won all is what the screen's sentence says.
            return sayings.sentences([calling.written(done), "" if now.winners else calling.winner(now, was), totals])
        case Deed.ASIDE:
            return _(
                "Set aside: {dice}, {points}. {total} in this turn.",
                dice=sayings.faces(done.faces),
                points=done.points,
                total=done.total,
            )
        case _:
            return ""


def _standing(now: Moment) -> str:
    pairs = [_("{player} {total}", player=p, total=t) for p, t in zip(now.players, now.totals, strict=True)]
    return _("{list}.", list=in_line(pairs))


def dice_now(heard: Heard) -> str:
    """All the dice that lie there, and which of them are held."""
    dice = heard.moment.dice
    if not dice:
        return ""
    held = tuple(d for d in dice if d.held)
    said = _("The dice: {dice}.", dice=sayings.dice(dice))
    return sayings.sentences([said, _("Held: {dice}.", dice=sayings.dice(held)) if held else ""])


def marked(was: Moment, now: Moment) -> str:
    """Which dice were marked or let go between the two."""
    if was.last is not now.last or len(was.dice) != len(now.dice):
        return ""
    pairs = list(zip(was.dice, now.dice, strict=True))
    held = tuple(b for a, b in pairs if b.held and not a.held)
    let_go = tuple(b for a, b in pairs if a.held and not b.held)
    return sayings.sentences(
        [
            _("Held: {dice}.", dice=sayings.dice(held)) if held else "",
            _("Let go: {dice}.", dice=sayings.dice(let_go)) if let_go else "",
        ]
    )


def choices(now: Moment) -> str:
    """What the dice on the table would pay."""
    paying = [c for c in now.choices if c.points]
    if not now.choices:
        return ""
    if now.choices[0].faces:
        best = now.choices[0]
        return _("The best to set aside: {dice}, {points}.", dice=sayings.faces(best.faces), points=best.points)
    if not paying:
        return _("No open box pays anything.")
    listed = in_line(
        _("{box} of column {column} {points}", box=c.label, column=c.column, points=c.points)
        if c.column > 1
        else _("{box} {points}", box=c.label, points=c.points)
        for c in paying[:MOST_CHOICES]
    )
    return _("It pays: {list}.", list=listed)


def what_to_do(heard: Heard) -> str:
    """The sentence of the screen that says what to do, the smaller one, and what else is to be read there."""
    view = heard.view
    lines = [view.prompt, view.detail, *(_item(i) for i in view.menu if i.selected and view.form is None)]
    lines += [*view.paragraphs[view.at :], *_rows(view)]
    if view.form is not None:
        lines.append(_letter(view.form.letter))
    return sayings.sentences(_finished(line) for line in lines if line)


def _item(item: MenuItem) -> str:
    said = f"{item.label}: {item.value}." if item.value else _finished(item.label)
    return f"{said} {_finished(item.more)}" if item.more else said


def _letter(letter: str) -> str:
    return _LETTERS.get(letter, letter)


def _rows(view: View) -> list[str]:
    """A table's rows: the first cell, then the figures of the others."""
    if view.grid is None:
        return []
    rows = view.grid.rows[view.at : view.at + MOST_ROWS]
    return [f"{row[0]}: {', '.join(cell for cell in row[1:] if cell)}" for row in rows if row]


def _finished(line: str) -> str:
    """With a full stop, and so with a pause. Words that are still to be translated are left as they are."""
    if isinstance(line, Said):
        return line
    return line if not line or line[-1] in ".!?:…" else line + "."


def selected(before: View, after: View) -> str:
    """What the cursor is on, if it was moved or what it is on was changed."""
    if before.scene is not after.scene and after.scene is not Scene.CHOOSE:
        return ""
    if before.form is not None and after.form is not None:
        return _typed(before.form, after.form)
    if after.at != before.at:
        return sayings.sentences(_finished(line) for line in (*after.paragraphs[after.at :], *_rows(after)))
    items = [i for i in after.menu if i.selected]
    if items and items != [i for i in before.menu if i.selected]:
        return _item(items[0])
    if after.scene is Scene.CHOOSE:
        rows = [r for r in after.rows if r.selected]
        keys = [r.key for r in before.rows if r.selected]
        if rows and [rows[0].key] != keys:
            return f"{rows[0].label}: {rows[0].offer or 0}."
    if after.scene is Scene.CORRECT:
        values = {d.number: d.value for d in before.tray.dice}
        changed = [d for d in after.tray.dice if d.value is not None and values.get(d.number) not in (None, d.value)]
        changed += [d for d in after.tray.dice if d.value is not None and values.get(d.number, 0) is None]
        if len(changed) == 1:
            return f"{changed[0].value}."
        cursor = [d for d in after.tray.dice if d.selected and d.value is not None]
        if cursor and [d.number for d in cursor] != [d.number for d in before.tray.dice if d.selected]:
            return f"{cursor[0].value}."
    return ""


def _typed(before: FormView, after: FormView) -> str:
    """The letter that is to be chosen; where one was taken or given back, first the name as far as it goes."""
    if len(after.text) != len(before.text):
        return sayings.sentences([_finished(after.text[:-1]), _finished(_letter(after.letter))])
    return _finished(_letter(after.letter)) if after.letter != before.letter else ""


def new_troubles(was: Moment, now: Moment) -> bool:
    """Does a die lean now that did not?"""
    return any(t.code == "cocked" for t in set(now.troubles) - set(was.troubles))


def leaning(now: Moment) -> str:
    """Where dice lean."""
    return sayings.leaning([t.place for t in now.troubles if t.code == "cocked"])
