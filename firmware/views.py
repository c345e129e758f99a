"""From the table's state to what the screen shows.

Room: firmware. `view_of` reads the table and changes nothing; the loop adds the tray's picture and what only it knows
(saving, simulated).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import rules
from display.view import DieView, FormView, KeyHint, MenuItem, Message, PlayerView, Row, RowKind, Scene, TrayView, View
from firmware import words
from firmware.events import IntentKind
from firmware.intents import Action, may
from firmware.language import ENGLISH, Language
from firmware.play import Play
from firmware.scene_names import LETTERS, Names
from firmware.table import Mode, Table
from firmware.turns import best_aside, left_lying
from rules.said import all_of, sentence
from rules.said import said as _
from rules.said import said_n as _n
from vision.types import TrayState

SCENES: Mapping[Mode, Scene] = {
    Mode.MENU: Scene.START,
    Mode.PLAY: Scene.TURN,
    Mode.CHOOSE: Scene.CHOOSE,
    Mode.ENTRY: Scene.CORRECT,
    Mode.RESULT: Scene.RESULT,
    Mode.ASK: Scene.TURN,
    Mode.AGAIN: Scene.TURN,
    Mode.NAMES: Scene.NAME,
}


def view_of(table: Table, actions: tuple[Action, ...], language: Language = ENGLISH) -> View:
    """What to show now, in the words of `language` and with the buttons called what is printed on them.

    `actions` are what the panel's buttons mean in this scene (see `firmware.intents`).
    """
    return language.shown(table.scene.view(table, actions) or _view(table, actions), names_of(actions))


def names_of(actions: tuple[Action, ...]) -> dict[str, str]:
    """What is printed on the buttons that words speak of."""
    names = {a.button.name: a.key for a in actions if not a.long}
    return names | {"UNDO": _printed(a) or a.key for a in actions if a.intent is IntentKind.UNDO}  # noqa: B035


def key_hints(table: Table, actions: tuple[Action, ...]) -> tuple[KeyHint, ...]:
    """What the buttons do now, for the foot of the screen."""
    return tuple(KeyHint(a.key, _does(table, a), may(table, a), _printed(a)) for a in actions)


def _printed(action: Action) -> str:
    """What is printed on the button, and whether it must be held."""
    if not action.long:
        return ""
    return _("{key} held", key=action.key.removesuffix(" long"))


def _view(table: Table, actions: tuple[Action, ...]) -> View:
    mode = table.mode
    title = next((g.title for g in rules.games() if g.name == _game_name(table)), _game_name(table))
    prompt, detail = _prompt(table)
    return View(
        scene=SCENES[mode],
        title=title,
        prompt=prompt,
        detail=detail,
        players=_players(table),
        rows=_rows(table),
        tray=_tray(table),
        roll=0 if table.play is None else table.play.game.rolls_made,
        rolls=0 if table.play is None else table.play.game.rolls_max,
        menu=_menu(table),
        message=_message(table),
        banners=_banners(table),
        keys=key_hints(table, actions),
        curves=_curves(table),
        form=_form(table),
    )


def _message(table: Table) -> Message | None:
    """What must be seen; a question where an answer is waited for."""
    if table.message is not None and table.mode in (Mode.ASK, Mode.AGAIN):
        return replace(table.message, asks=True)
    return table.message


def _does(table: Table, action: Action) -> str:
    """What a button does, in the words of the game that is played."""
    if table.play is not None and table.play.banking and table.mode is Mode.PLAY:
        if action.intent is IntentKind.SCORE:
            return _("stop and keep")
        if action.intent is IntentKind.MARK:
            return _("set aside")
    return action.words


def _game_name(table: Table) -> str:
    return table.play.name if table.play else table.game


def _prompt(table: Table) -> tuple[str, str]:
    said = table.scene.prompt(table)
    if said is not None:
        return said
    play = table.play
    if play is None:
        return _("How many play?"), _("Then press SCORE to begin.")
    name = play.players[play.game.turn]
    if table.entry is not None:
        n = table.entry.cursor + 1
        detail = _("SCORE accepts, ROLL goes to the next die.")
        return _("{name}: what does die {n} show?", name=name, n=n), detail
    if table.over:
        outcome = play.game.outcome()
        assert outcome is not None
        winners = [play.players[i] for i in outcome.winners]
        after = _("SCORE plays again, ROLL changes the players.")
        if len(play.players) == 1:
            points = _n("{name}: {n} point", "{name}: {n} points", play.game.totals[0], name=winners[0])
            return points, after
        if len(winners) == 1:
            return _("{name} wins!", name=winners[0]), after
        return _("{names} win!", names=all_of(winners)), after
    if table.mode is Mode.CHOOSE:
        option = table.open_options[table.row]
        pays = _("{box} pays {n}. SCORE writes it.", box=_label(table, option.box), n=option.value)
        return _("{name}: choose a box", name=name), pays
    if isinstance(play.game.awaiting, rules.Roll):
        return _throw_prompt(table, name)
    if play.banking:
        return _left_prompt(table, play, name) or _aside_prompt(play, name)
    left = words.rolls_left(table.rolls_left)
    if not play.marks:
        return _("{name}: hold dice and throw, or score", name=name), left
    held = _("Held: {faces}. {rolls_left}", faces=words.faces(play.held), rolls_left=left)
    thrown = len(play.dice) - len(play.marks)
    if not thrown:
        return _("{name}: all dice are held, press SCORE", name=name), held
    return _n("{name}: throw one die again", "{name}: throw {n} dice again", thrown, name=name), held


def _left_prompt(table: Table, play: Play, name: str) -> tuple[str, str] | None:
    """What the dice are worth that are left lying while the others are picked up, and whether each may stay."""
    codes = {r.code for r in table.sight.reading.reasons} if table.sight.reading else {""}
    if table.sight.tray not in (TrayState.SETTLED, TrayState.UNREADABLE) or not codes <= {"count"}:
        return None
    left = left_lying(play, table.sight.guess)
    if left is None:
        return None
    prompt = _("{name}: throw the dice in your hand", name=name)
    if left.worthless:
        return prompt, words.worthless(left.worthless)
    return prompt, _("Left lying: {faces}, worth {n}.", faces=words.faces(left.faces), n=left.points)


def _aside_prompt(play: Play, name: str) -> tuple[str, str]:
    row = _aside(play)
    faces = play.held or best_aside(play)
    sum_ = play.game.turn_points + (row.written or 0)
    position = play.game.copy()
    left = len(play.dice) - len(faces)
    stop: str
    if position.check(rules.SetAside(faces)) is None:
        position.push(rules.SetAside(faces))
        refused = position.check(rules.Stop())
        stop = _("SCORE keeps {n}.", n=sum_) if refused is None else sentence(refused.words)
    else:
        stop = sentence(row.note)
    if not left:
        return _("{name}: all dice count", name=name), stop
    prompt = _n(
        "{name}: leave what counts and throw one die", "{name}: leave what counts and throw {n} dice", left, name=name
    )
    return prompt, stop


def _throw_prompt(table: Table, name: str) -> tuple[str, str]:
    assert table.play is not None and table.wanted is not None
    kept = tuple(sorted(d.value for d in table.play.lying))
    count = table.wanted - len(kept)
    prompt = _n("{name}: throw one die", "{name}: throw {n} dice", count, name=name)
    if not table.sight.camera.delivering:
        return prompt, _("No camera: press SCORE and enter the dice.")
    if table.sight.tray is TrayState.UNREADABLE and table.sight.reading is not None:
        codes = [r.code for r in table.sight.reading.reasons]
        why = words.unreadable(codes, len(table.sight.reading.dice), table.wanted)
        return prompt, _("{why} Or press SCORE and enter the dice.", why=sentence(why))
    if table.hand_rests:
        return prompt, _("Something reaches into the tray: take it out. Or press SCORE and enter the dice.")
    if table.play.banking and table.play.game.check(rules.Stop()) is None:
        return prompt, _("Or press SCORE and keep {n}.", n=table.play.game.turn_points)
    if kept:
        return prompt, _("Keep {faces} where they lie.", faces=words.faces(kept))
    # At rest and no roll: these are the dice of the throw before, or nobody saw them fly.
    return prompt, _("Pick the dice up and throw them.") if table.sight.tray is TrayState.SETTLED else ""


def _players(table: Table) -> tuple[PlayerView, ...]:
    play = table.play
    if play is None:
        return tuple(PlayerView(n, 0) for n in table.seats())
    outcome = play.game.outcome()
    totals = play.game.totals
    return tuple(
        PlayerView(
            name,
            totals[i],
            active=outcome is None and i == play.game.turn,
            winner=outcome is not None and i in outcome.winners,
            place=None if outcome is None else 1 + sum(t > totals[i] for t in totals),
        )
        for i, name in enumerate(play.players)
    )


def _label(table: Table, box: str) -> str:
    assert table.play is not None
    return next(b.label for b in table.play.game.boxes if b.key == box)


def _rows(table: Table) -> tuple[Row, ...]:
    """The card of the player whose turn it is; when the game is over, the first winner's."""
    play = table.play
    if play is None:
        return ()
    if play.banking:
        return _pad(table, play)
    game = play.game
    outcome = game.outcome()
    card = game.card(outcome.winners[0] if outcome else game.turn)
    offers = {o.box: o for o in table.options}
    legal = table.open_options
    best = max((o.value or 0 for o in legal), default=0)
    chosen = legal[table.row].box if table.mode is Mode.CHOOSE else None
    rows: list[Row] = []
    for box, written in zip(game.boxes, card.boxes, strict=True):
        offer = offers.get(box.key)
        value = offer.value if offer and offer.legal else None
        note = _("+{points}", points=card.bonus_points) if box.key == "five_kind" and card.bonus_points else ""
        rows.append(
            Row(
                box.key,
                box.label,
                section=box.section,
                written=written,
                offer=value,
                why=_why(game, offer) if offer and not value else "",
                selected=box.key == chosen,
                best=value == best > 0,
                note=note,
            )
        )
    last_upper = max(i for i, r in enumerate(rows) if r.section == "upper")
    at, points = game.upper_bonus
    sums = [Row("upper", _("Upper total"), RowKind.SUM, "upper", card.upper)]
    if points:
        way = min(1.0, card.upper / at)
        note = _("{points} of {target}", points=card.upper, target=at)
        sums.append(
            Row(
                "bonus",
                _("Bonus {points}", points=points),
                RowKind.SUM,
                "upper",
                card.upper_bonus,
                note=note,
                progress=way,
            )
        )
    rows[last_upper + 1 : last_upper + 1] = sums
    rows.append(Row("lower", _("Lower total"), RowKind.SUM, "lower", card.lower + card.bonus_points))
    rows.append(Row("total", _("Total"), RowKind.TOTAL, "", card.total))
    return tuple(rows)


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
        rows.append(_aside(play))
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


def _aside(play: Play) -> Row:
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


def _tray(table: Table) -> TrayView:
    return replace(_lying(table), moving=table.sight.tray is TrayState.ROLLING)


def _lying(table: Table) -> TrayView:
    spots = tuple((where, words.place(r.code)) for where, r in table.sight.spots)
    state = words.STATES[table.sight.tray]
    live = table.sight.camera.delivering
    if table.entry is not None:
        entry = table.entry
        dice = tuple(
            DieView(
                i + 1,
                v,
                d.corners if d else None,
                selected=i == entry.cursor,
                doubtful=d is not None and d.value == v and d.confidence < 0.9,
                gone=i in entry.removed,
            )
            for i, (v, d) in enumerate(zip(entry.values, entry.dice, strict=True))
        )
        return TrayView(None, dice, state, live, spots)
    play = table.play
    if play is None:
        return TrayView(None, (), state, live, ())
    if play.dice:
        # Outlines belong to dice that lie there; while hands and dice move they would point at nothing.
        at_rest = table.sight.tray in (TrayState.SETTLED, TrayState.UNREADABLE)
        one_hold = table.mode is Mode.PLAY
        dice = tuple(
            DieView(
                n,
                d.value,
                d.corners if at_rest else None,
                held=n in play.marks,
                selected=one_hold and n == table.die and table.settings.die_cursor,
            )
            for n, d in enumerate(play.dice, 1)
        )
        return TrayView(None, dice, state, live, ())
    if play.lying and table.sight.tray is not TrayState.UNREADABLE:
        dice = tuple(DieView(n, d.value, None, held=True) for n, d in enumerate(play.lying, 1))
        return TrayView(None, dice, state, live, spots)
    doubtful = table.sight.tray is TrayState.UNREADABLE
    dice = (
        tuple(DieView(n, d.value, d.corners, doubtful=True) for n, d in enumerate(table.sight.guess, 1))
        if doubtful
        else ()
    )
    return TrayView(None, dice, state, live, spots)


def _menu(table: Table) -> tuple[MenuItem, ...]:
    made = table.scene.menu(table)
    if made is not None:
        return made
    if table.mode is not Mode.MENU:
        return ()
    title = next(g.title for g in rules.games() if g.name == table.game)
    return (MenuItem(_("Players"), str(table.count), selected=True), MenuItem(_("Start")), MenuItem(_("Game"), title))


def _form(table: Table) -> FormView | None:
    scene = table.scene
    return FormView(scene.shown, scene.letter, LETTERS) if isinstance(scene, Names) else None


def _banners(table: Table) -> tuple[str, ...]:
    if table.sight.camera.delivering or not table.sight.camera.code:
        return ()
    return (words.with_code(table.sight.camera.code, table.sight.camera.words),)


def _curves(table: Table) -> tuple[tuple[int, ...], ...]:
    """For each player the total after each turn, made by playing the game once more."""
    play = table.play
    if play is None or not table.over:
        return ()
    game = rules.new(play.name, players=list(play.players), first=play.first, **play.options)
    curves: list[list[int]] = [[] for _ in play.players]
    for move in play.game.moves:
        player = game.turn
        game.push(move)
        if game.rolls_made == 0:
            curves[player].append(game.totals[player])
    return tuple(tuple(c) for c in curves)
