"""From the table's state to what the screen shows.

Room: firmware. `view_of` reads the table and changes nothing; the loop adds the tray's picture and what only it knows
(saving, simulated).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import rules
from display.view import DieView, FormView, KeyHint, MenuItem, Message, PlayerView, Scene, TrayView, View
from firmware import words
from firmware.events import IntentKind
from firmware.intents import Action, may
from firmware.keeping import Way, beside
from firmware.language import ENGLISH, Language
from firmware.play import Play, TableDie
from firmware.scene_list import Around
from firmware.scene_names import LETTERS, Names
from firmware.table import Mode, Table
from firmware.turns import best_aside, left_lying
from firmware.view_card import aside_row, curves_of, label_of, rows_of, standing_of
from rules.said import all_of, sentence
from rules.said import said as _
from rules.said import said_n as _n
from vision.types import Corners, TrayState

SCENES: Mapping[Mode, Scene] = {
    Mode.MENU: Scene.START,
    Mode.PLAY: Scene.TURN,
    Mode.CHOOSE: Scene.CHOOSE,
    Mode.ENTRY: Scene.CORRECT,
    Mode.RESULT: Scene.RESULT,
    Mode.ASK: Scene.TURN,
    Mode.AGAIN: Scene.TURN,
    Mode.NAMES: Scene.NAME,
    Mode.NAME: Scene.NAME,
}


def view_of(table: Table, actions: tuple[Action, ...], language: Language = ENGLISH) -> View:
    """What to show now, in the words of `language` and with the buttons called what is printed on them.

    `actions` are what the panel's buttons mean in this scene (see `firmware.intents`).
    """
    return language.shown(table.scene.view(table, actions) or _view(table, actions), names_of(actions))


def names_of(actions: tuple[Action, ...]) -> dict[str, str]:
    """What is printed on the buttons that words speak of."""
    names = {a.button.name: a.key.removesuffix(" long") for a in actions if a.both is None}
    names |= {a.button.name: a.key for a in actions if not a.long and a.both is None}
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
    prompt, detail = _prompt(table)
    contest = mode is Mode.PLAY and table.play is not None and isinstance(table.play.game.awaiting, rules.RollOff)
    return View(
        scene=Scene.ROLLOFF if contest else SCENES[mode],
        title=_title(table),
        prompt=prompt,
        detail=detail,
        players=_players(table),
        rows=rows_of(table),
        tray=_tray(table),
        roll=0 if table.play is None else table.play.game.rolls_made,
        rolls=0 if table.play is None else table.play.game.rolls_max,
        menu=_menu(table),
        message=_message(table),
        banners=_banners(table),
        keys=key_hints(table, actions),
        curves=curves_of(table),
        form=_form(table),
        grid=standing_of(table.play) if table.play is not None and table.over else None,
    )


def around(table: Table, scene: Around, actions: tuple[Action, ...]) -> View:
    """What a scene around a game shows."""
    prompt, detail = scene.prompt(table) or ("", "")
    return View(
        scene=scene.shows,
        title=scene.title(table) or _title(table),
        prompt=prompt,
        detail=detail,
        tray=scene.tray(table),
        menu=scene.menu(table) or (),
        message=table.message,
        banners=_banners(table),
        keys=key_hints(table, actions),
        paragraphs=scene.paragraphs(table),
        grid=scene.grid(table),
        at=scene.first,
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


def _title(table: Table) -> str:
    """The game's name; in a match of several, which of them this is."""
    name = next((g.title for g in rules.games() if g.name == _game_name(table)), _game_name(table))
    game = table.play.game if table.play is not None else None
    if game is None or int(str(game.settings["games"])) < 2:
        return name
    return _("{game}: {n} of {games}", game=name, n=game.game_number, games=game.settings["games"])


def _game_name(table: Table) -> str:
    return table.play.name if table.play else table.game


def _prompt(table: Table) -> tuple[str, str]:
    said = table.scene.prompt(table)
    if said is not None:
        return said
    play = table.play
    if play is None:
        return _("How many play?"), _("Then press SCORE to begin.")
    name = play.game.thrower
    if table.entry is not None:
        n = table.entry.cursor + 1
        detail = _("SCORE accepts, ROLL goes to the next die.")
        return _("{name}: what does die {n} show?", name=name, n=n), detail
    if table.over:
        outcome = play.game.outcome()
        assert outcome is not None
        winners = [play.game.players[i] for i in outcome.winners]
        after = _("ROLL changes the players.")
        if len(play.game.players) == 1:
            points = _n("{name}: {n} point", "{name}: {n} points", play.game.totals[0], name=winners[0])
            return _("{result}. Press SCORE to play again", result=points), after
        if len(winners) == 1:
            return _("{name} wins! Press SCORE to play again", name=winners[0]), after
        return _("{names} win! Press SCORE to play again", names=all_of(winners)), after
    if table.mode is Mode.CHOOSE:
        option = table.open_options[table.row]
        box = label_of(table, option.box)
        if len(play.game.factors) > 1:
            box = _("{box} of column {column}", box=box, column=option.column + 1)
        pays = _("{box} pays {n}. SCORE writes it.", box=box, n=option.value)
        return _("{name}: choose a box", name=name), pays
    if isinstance(play.game.awaiting, rules.RollOff):
        return _roll_off_prompt(table, play)
    if isinstance(play.game.awaiting, rules.Roll):
        return _throw_prompt(table, name)
    out = table.settings.keeping.leave_tray
    if play.banking and out:
        return _("{name}: hold what counts and press ROLL", name=name), _aside_prompt(play, name)[1]
    if play.banking:
        return _left_prompt(table, play, name) or _aside_prompt(play, name)
    left = words.rolls_left(table.rolls_left)
    if not play.marks and out:
        # Dice that leave the tray must be marked first, or nobody knows what was kept.
        return _("{name}: hold dice and press ROLL, or press SCORE", name=name), left
    if not play.marks:
        return _("{name}: hold dice and throw, or press SCORE", name=name), left
    held = _("Held: {faces}. {rolls_left}", faces=words.faces(play.held), rolls_left=left)
    thrown = len(play.dice) - len(play.marks)
    if not thrown:
        return _("{name}: all dice are held, press SCORE", name=name), held
    if out:
        return _("{name}: press ROLL, then take the held dice out", name=name), held
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
    row = aside_row(play)
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
        # What is in the way is what to do now: the largest line.
        return sentence(why), _("Or press SCORE and enter the dice.")
    if table.hand_rests:
        return _("Something reaches into the tray: take it out."), _("Or press SCORE and enter the dice.")
    way = table.settings.keeping.way
    if table.play.banking and table.play.game.check(rules.Stop()) is None and way is Way.LEAVE:
        return prompt, _("Or press SCORE and keep {n}.", n=table.play.game.turn_points)
    if kept:
        return prompt, _where_kept(way, kept)
    # At rest and no roll: these are the dice of the throw before, or nobody saw them fly.
    return prompt, _("Pick the dice up and throw them.") if table.sight.tray is TrayState.SETTLED else ""


def _where_kept(way: Way, kept: Sequence[int]) -> str:
    """What becomes of the kept dice while the others are thrown."""
    faces = words.faces(tuple(kept))
    match way:
        case Way.OUT:
            return _("Take {faces} out of the tray.", faces=faces)
        case Way.STRIP:
            return _("Lay {faces} into the strip.", faces=faces)
        case Way.LEAVE:
            return _("Keep {faces} where they lie.", faces=faces)


def _roll_off_prompt(table: Table, play: Play) -> tuple[str, str]:
    awaiting = play.game.awaiting
    assert isinstance(awaiting, rules.RollOff)
    prompt = _n("{name}: throw one die", "{name}: throw {n} dice", awaiting.count, name=play.game.thrower)
    if not table.sight.camera.delivering or table.sight.tray is TrayState.UNREADABLE:
        return prompt, _("Or press SCORE and enter the dice.")
    return prompt, _("The highest throw begins.")


def _notes(play: Play) -> tuple[str, ...]:
    """What stands beside each name: the throw for the first turn, who of a team throws, a head start."""
    game = play.game
    seats = range(len(game.players))
    if isinstance(game.awaiting, rules.RollOff):
        thrown = dict(zip(game.contest or seats, game.contest_throws, strict=False))
        return tuple(str(thrown[s]) if s in thrown else "" for s in seats)
    notes = []
    for seat in seats:
        given = game.card(seat).head_start
        note: str = _("with {n} points ahead", n=given) if given else ""
        if seat == game.turn and len(game.partners[seat]) > 1 and game.outcome() is None:
            note = _("{name} throws", name=game.thrower)
        notes.append(note)
    return tuple(notes)


def _players(table: Table) -> tuple[PlayerView, ...]:
    play = table.play
    if play is None:
        return tuple(PlayerView(s if isinstance(s, str) else " & ".join(s), 0) for s in table.sides())
    game = play.game
    outcome = game.outcome()
    totals, notes = game.totals, _notes(play)
    out = {s for s in range(len(totals)) if not game.present[s] or (game.contest and s not in game.contest)}
    return tuple(
        PlayerView(
            name,
            totals[i],
            active=outcome is None and i == game.turn,
            winner=outcome is not None and i in outcome.winners,
            place=None if outcome is None else 1 + sum(t > totals[i] for t in totals),
            note=notes[i],
            away=i in out,
        )
        for i, name in enumerate(game.players)
    )


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
                _outline(d) if d else None,
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
    asked = table.refused.dice if table.mode is Mode.ASK and table.refused is not None else play.asked_dice
    if asked:
        at_rest = table.sight.tray is TrayState.SETTLED
        dice = tuple(DieView(n, d.value, _outline(d) if at_rest else None) for n, d in enumerate(asked, 1))
        return TrayView(None, dice, state, live, spots)
    if play.dice:
        # Outlines belong to dice that lie there; while hands and dice move they would point at nothing.
        at_rest = table.sight.tray in (TrayState.SETTLED, TrayState.UNREADABLE)
        one_hold = table.mode is Mode.PLAY
        dice = tuple(
            DieView(
                n,
                d.value,
                _outline(d) if at_rest else None,
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
        tuple(DieView(n, d.value, _outline(d), doubtful=True) for n, d in enumerate(table.sight.guess, 1))
        if doubtful
        else ()
    )
    return TrayView(None, dice, state, live, spots)


def _outline(die: TableDie) -> Corners | None:
    """Where to draw round a die; nowhere for one that is out of the tray."""
    return None if beside(die.corners) else die.corners


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
    found: list[str] = []
    if not table.sight.camera.delivering and table.sight.camera.code:
        found.append(words.with_code(table.sight.camera.code, table.sight.camera.words))
    if table.clock_left is not None:
        found.append(_n("{n} second", "{n} seconds", table.clock_left))
    if table.play is not None and table.play.practice:
        found.append(_("practice"))
    return tuple(found)
