"""The card and the sums that the screen shows: what is written, what is offered, how a match stands.

Room: firmware. Reads the table and changes nothing; `firmware.views` puts it into the View.
"""

from __future__ import annotations

from dataclasses import replace

import rules
from display.view import GridView, Row, RowKind
from firmware import words
from firmware.play import Play
from firmware.table import Mode, Table
from firmware.turns import best_aside, box_key
from rules.said import said as _


def label_of(table: Table, box: str) -> str:
    assert table.play is not None
    return next(b.label for b in table.play.game.boxes if b.key == box)


def rows_of(table: Table) -> tuple[Row, ...]:
    """The card of the player whose turn it is; when the game is over, the first winner's."""
    play = table.play
    if play is None:
        return ()
    if play.banking:
        return _pad(table, play)
    game = play.game
    outcome = game.outcome()
    card = game.card(outcome.winners[0] if outcome else game.turn)
    columns = [_column(table, card, n) for n in range(len(card.columns))]
    first, *others = columns
    rows = [replace(row, others=tuple(c[i] for c in others)) if others else row for i, row in enumerate(first)]
    if others:
        factors = tuple(Row("factor", "", RowKind.SUM, "upper", c.factor) for c in card.columns)
        rows.insert(0, replace(factors[0], label=_("Counts times"), others=factors[1:]))
    rows.append(Row("total", _("Total"), RowKind.TOTAL, "", card.total))
    return tuple(rows)


def _column(table: Table, card: rules.Card, n: int) -> list[Row]:
    """The lines of one column: its boxes and its sums."""
    assert table.play is not None
    game, column = table.play.game, card.columns[n]
    offers = {o.box: o for o in table.options if o.column == n}
    legal = table.open_options
    best = max((o.value or 0 for o in legal), default=0)
    chosen = box_key(legal[table.row]) if table.mode is Mode.CHOOSE else None
    rows: list[Row] = []
    for box, written in zip(game.boxes, column.boxes, strict=True):
        offer = offers.get(box.key)
        value = offer.value if offer and offer.legal else None
        note = _("+{points}", points=column.bonus_points) if box.key == "five_kind" and column.bonus_points else ""
        key = box.key if not n else f"{box.key}*{n + 1}"
        rows.append(
            Row(
                key,
                box.label,
                section=box.section,
                written=written,
                offer=value,
                why=_why(game, offer) if offer and not value else "",
                selected=key == chosen,
                best=value == best > 0,
                note=note,
                chips=column.bonuses if note else 0,
            )
        )
    last_upper = max(i for i, r in enumerate(rows) if r.section == "upper")
    rows[last_upper + 1 : last_upper + 1] = _upper_sums(game, column)
    rows.append(Row("lower", _("Lower total"), RowKind.SUM, "lower", column.lower + column.bonus_points))
    return rows


def _upper_sums(game: rules.Game, column: rules.ColumnCard) -> list[Row]:
    at, points = game.upper_bonus
    sums = [Row("upper", _("Upper total"), RowKind.SUM, "upper", column.upper)]
    if points:
        sums.append(
            Row(
                "bonus",
                _("Bonus {points}", points=points),
                RowKind.SUM,
                "upper",
                column.upper_bonus,
                note=_("{points} of {target}", points=column.upper, target=at),
                progress=min(1.0, column.upper / at),
            )
        )
    return sums


def _why(game: rules.Game, offer: rules.BoxOption) -> str:
    """Why a box pays nothing, or may not be chosen, in words that fit beside it."""
    if offer.why_code == "SCORE-06":
        return words.ORDERS[str(game.settings["order"])]
    return SHORT.get(offer.why_code, offer.why)


SHORT = {"SCORE-04": _("its own upper box first"), "SCORE-05": _("lower section first")}


def _pad(table: Table, play: Play) -> tuple[Row, ...]:
    """A banking game's sums for the player whose turn it is; when the game is over, the first winner's."""
    game = play.game
    outcome = game.outcome()
    banked = game.card(outcome.winners[0] if outcome else game.turn).total
    target = int(str(game.settings["target"]))
    rows = [Row("bank", _("On the pad"), RowKind.SUM, "", banked)]
    if not outcome:
        lost = _("lost if nothing counts") if game.turn_points else ""
        rows.append(Row("running", _("This turn"), RowKind.SUM, "", game.turn_points, note=lost))
        rows.append(aside_row(play))
    to_go = max(0, target - banked)
    rows.append(
        Row(
            "target",
            _("To go"),
            RowKind.SUM,
            "",
            to_go,
            note=_("to {target}", target=target),
            progress=min(1.0, banked / target),
        )
    )
    return tuple(rows)


def aside_row(play: Play) -> Row:
    """What the marked dice, or else the best that lie there, would bring if they were set aside."""
    faces = play.held or (best_aside(play) if play.dice else ())
    if not faces:
        return Row("aside", _("Set aside now"), RowKind.SUM, "", 0)
    refused = play.game.check(rules.SetAside(faces))
    if refused is not None:
        return Row("aside", _("Set aside now"), RowKind.SUM, "", 0, note=refused.words)
    worth = {o.faces: o.value for o in play.game.options() if isinstance(o, rules.AsideOption)}
    note = words.faces(faces) if play.held else _("the best: {faces}", faces=words.faces(faces))
    return Row("aside", _("Set aside now"), RowKind.SUM, "", worth.get(faces, 0), note=note)


def curves_of(table: Table) -> tuple[tuple[int, ...], ...]:
    """For each player the total after each turn, made by playing the game once more."""
    play = table.play
    if play is None or not table.over:
        return ()
    game = rules.new(play.name, players=list(play.seats), first=play.first, **play.options)
    curves: list[list[int]] = [[] for _ in play.players]
    for move in play.game.moves:
        player = game.turn
        game.push(move)
        if game.rolls_made == 0:
            curves[player].append(game.totals[player])
    return tuple(tuple(c) for c in curves)


def standing_of(play: Play) -> GridView | None:
    """How a match of several games stands: a line for each seat, the leaders marked; None for a single game."""
    game = play.game
    games = int(str(game.settings["games"]))
    if games < 2:
        return None
    finished = [f.totals for f in game.finished]
    running = game.game_totals if len(finished) < games else None
    lines = []
    for seat, name in enumerate(game.players):
        cells = [words.figure(totals[seat]) if seat < len(totals) else "" for totals in finished]
        if running is not None:
            cells.append(words.figure(running[seat]))
        cells += ["–"] * (games - len(cells))
        lines.append((name, *cells, words.figure(game.totals[seat])))
    heads = (_("Game"), *(str(n + 1) for n in range(games)), _("Total"))
    return GridView(heads, tuple(lines), game.leaders if any(game.totals) else ())
