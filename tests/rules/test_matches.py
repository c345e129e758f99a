"""Matches of several games, teams, roll-offs, the starter's rotation, and players who leave or join."""

from __future__ import annotations

import pytest

import rules
from rules import Join, Leave, Over, Roll, RollOff, Score, Stop

GAMES = [g.name for g in rules.games()]


def finish_game(game: rules.Game) -> list[int]:
    """Play on until the game that is going on is over; the seats in the order of their turns."""
    number, turns = game.game_number, []
    while game.game_number == number and not isinstance(game.awaiting, Over):
        if game.rolls_made == 0:
            turns.append(game.turn)
        if isinstance(game.awaiting, RollOff):
            break
        if isinstance(game.awaiting, Roll):
            game.push(game.legal_moves[0] if Stop() in game.legal_moves else Roll((6,) * game.awaiting.count))
        else:
            game.push(game.legal_moves[-1] if game.family == "scorecard" else game.legal_moves[0])
    return turns


def firsts(game: rules.Game) -> list[int]:
    while not isinstance(game.awaiting, Over):
        finish_game(game)
    return [done.first for done in game.finished]


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_matches(name) -> None:
    game = rules.new(name, ["Ann", "Bo"], games=3, start="rotate")
    assert firsts(game) == [0, 1, 0]
    assert len(game.finished) == 3
    assert game.totals == tuple(sum(done.totals[s] for done in game.finished) for s in (0, 1))
    assert game.outcome().totals == game.totals


def test_who_starts_a_game() -> None:
    three = ["Ann", "Bo", "Cy"]
    assert firsts(rules.new("yatzy", three, games=3)) == [0, 0, 0]
    assert firsts(rules.new("yatzy", three, games=3, first=2)) == [2, 2, 2]
    assert firsts(rules.new("yatzy", three, games=4, first=1, start="rotate")) == [1, 2, 0, 1]


@pytest.mark.parametrize(("name", "dice"), [(g.name, g.dice if g.family == "scorecard" else 1) for g in rules.games()])
def test_every_game_has_roll_offs_for_the_first_turn(name, dice) -> None:
    game = rules.new(name, ["Ann", "Bo", "Cy"], start="roll_off", games=2)
    assert game.awaiting == RollOff(dice)
    assert game.contest == (0, 1, 2)
    for face in (5, 2, 5):
        assert not game.legal_moves
        game.push(RollOff((face,) * dice))
    assert game.contest == (0, 2)  # only the tied roll again
    assert game.turn == 0
    game.push(RollOff((3,) * dice))
    assert game.turn == 2
    game.push(RollOff((4,) * dice))
    assert (game.turn, game.first, game.contest) == (2, 2, ())
    assert isinstance(game.awaiting, Roll)
    assert finish_game(game)[:4] == [2, 0, 1, 2]
    assert game.awaiting == RollOff(dice)  # and again before the second game
    assert game.game_number == 2


def test_a_roll_off_for_the_match_then_rotation() -> None:
    game = rules.new("yardkle", ["Ann", "Bo", "Cy"], start="roll_off_rotate", games=3, target=1000)
    for face in (1, 6, 2):
        game.push(RollOff((face,)))
    assert firsts(game) == [1, 2, 0]


def test_a_roll_off_may_be_pushed_where_none_is_demanded(play) -> None:
    game = rules.new("yardzee", ["Ann", "Bo"])
    assert game.awaiting == Roll(5)
    assert game.may_roll_off
    play(game, "rolloff 11111; rolloff 22222")
    assert game.turn == game.first == 1
    assert not game.may_roll_off
    assert not rules.new("yardzee", ["Ann"]).may_roll_off


def test_alone_nobody_rolls_off() -> None:
    assert rules.new("classic", ["Ann"], start="roll_off").awaiting == Roll(5)


def test_partners_share_a_card_and_take_turns_over_the_match(play) -> None:
    game = rules.new("classic", [["Ann", "Cy"], ["Bo", "Di", "Ed"]], games=2)
    assert game.players == ("Ann & Cy", "Bo & Di & Ed")
    throwers = []
    while not isinstance(game.awaiting, Over):
        throwers.append(game.thrower)
        assert game.partners[game.turn][game.partner] == game.thrower
        play(game, "roll 12345")
        game.push(game.legal_moves[-1])
    assert throwers[0::2] == ["Ann", "Cy"] * 13
    assert throwers[1::2] == ["Bo", "Di", "Ed"] * 8 + ["Bo", "Di"]  # 26 turns, not begun again in game two


def test_partners_in_a_banking_game(play) -> None:
    game = play(rules.new("yardkle", [["Ann", "Cy"], "Bo"]), "roll 223346; roll 223346")
    assert game.thrower == "Cy"


def test_the_match_goes_to_the_highest_total_of_all_games() -> None:
    game = rules.new("yardkle", ["Ann", "Bo"], games=2, target=1000)
    for moves in ("6 stop", "1 stop", "1 stop", "6 stop"):
        count = int(moves[0])
        game.push(Roll((6,) * 6 if count == 6 else (1, 1, 1, 1, 2, 3)))
        game.push(game.legal_moves[0])
        game.push(Stop())
    assert [done.winners for done in game.finished] == [(0,), (1,)]
    assert game.outcome() == rules.Outcome((0, 1), (4000, 4000))


# Leaving and joining


def test_who_leaves_is_skipped_and_not_ranked(play) -> None:
    game = rules.new("yardzee", ["Ann", "Bo", "Cy"])
    play(game, "roll 66666; score sixes; roll 66666; score five_kind; roll 12345; score chance; leave 1")
    assert game.present == (True, False, True)
    assert finish_game(game)[:4] == [0, 2, 0, 2]
    assert game.card(1).total == 50  # kept
    assert game.outcome().totals[1] == 50
    assert 1 not in game.outcome().winners


def test_leaving_in_the_own_turn_passes_it_on_and_undo_brings_the_player_back(play) -> None:
    game = play(rules.new("yardzee", ["Ann", "Bo", "Cy"]), "roll 12345; score ones; roll 55512; keep 555")
    before = game.position
    game.push(Leave(1))
    assert (game.turn, game.dice, game.kept, game.rolls_made) == (2, (), (), 0)
    assert game.pop() == Leave(1)
    assert game.position == before
    assert game.kept == (5, 5, 5)


def test_leaving_in_another_turn_does_not_touch_it(play) -> None:
    game = play(rules.new("yardzee", ["Ann", "Bo"]), "roll 55512; keep 555; leave 1")
    assert (game.turn, game.kept) == (0, (5, 5, 5))
    play(game, "roll 55512; score fives")
    assert game.turn == 0


def test_the_game_ends_when_only_full_cards_are_left(play) -> None:
    game = rules.new("yatzy", ["Ann", "Bo"])
    for box in [b.key for b in game.boxes]:
        play(game, f"roll 12345; score {box}")
        if box != "yatzy":
            play(game, f"roll 12345; score {box}")
    assert game.turn == 1
    assert game.outcome() is None
    game.push(Leave(1))
    assert game.outcome().winners == (0,)


def test_who_joins_plays_after_the_last_seat_and_fills_a_whole_card(play) -> None:
    game = rules.new("yatzy", ["Ann", "Bo"])
    play(game, 'roll 12345; score ones; roll 12345; join "Cy"; score ones')
    assert game.players == ("Ann", "Bo", "Cy")
    turns = finish_game(game)
    assert turns[:4] == [2, 0, 1, 2]
    assert turns.count(2) == 15
    assert turns[-1] == 2
    assert None not in game.card(2).boxes


def test_who_joins_a_match_counts_from_then_on() -> None:
    game = rules.new("yardkle", ["Ann", "Bo"], games=2, target=1000)
    finish_game(game)
    game.push(Join("Cy"))
    finish_game(game)
    assert len(game.finished[0].totals) == 2
    assert len(game.finished[1].totals) == 3
    assert game.totals[2] == game.finished[1].totals[2]


def test_the_starter_who_left_does_not_start_the_next_game() -> None:
    game = rules.new("yardkle", ["Ann", "Bo", "Cy"], games=3, start="rotate", target=1000)
    game.push(Leave(1))
    assert firsts(game) == [0, 2, 0]


def test_the_first_seat_leaves_before_the_first_throw() -> None:
    game = rules.new("yardkle", ["Ann", "Bo", "Cy"], games=2, start="rotate", target=1000)
    game.push(Leave(0))
    assert (game.turn, game.first) == (1, 1)
    assert firsts(game) == [1, 2]


def test_leaving_in_the_last_turns(play) -> None:
    game = rules.new("yardkle", ["Ann", "Bo", "Cy"], target=2000)
    play(game, "roll 222222; aside 222222; stop; leave 1")
    assert game.turn == 2
    game.push(Leave(2))
    assert game.outcome().winners == (0,)


def test_the_one_who_brought_the_last_turns_may_leave(play) -> None:
    game = rules.new("yardkle", ["Ann", "Bo", "Cy"], target=2000)
    play(game, "roll 222222; aside 222222; stop; leave 0; roll 223346")
    assert game.turn == 2
    play(game, "roll 223346")
    assert game.outcome().totals == (3000, 0, 0)
    assert game.outcome().winners == (1, 2)


def test_leaving_in_a_roll_off(play) -> None:
    two_left = rules.new("yardzee", ["Ann", "Bo", "Cy"], start="roll_off")
    play(two_left, "rolloff 11111; leave 1; rolloff 66666")
    assert (two_left.turn, two_left.awaiting) == (2, Roll(5))
    one_left = play(rules.new("yardzee", ["Ann", "Bo"], start="roll_off"), "rolloff 11111; leave 0")
    assert (one_left.turn, one_left.first, one_left.awaiting) == (1, 1, Roll(5))
    decided = rules.new("yardzee", ["Ann", "Bo", "Cy"], start="roll_off")
    play(decided, "rolloff 11111; rolloff 22222; leave 2")  # the only throw that was missing
    assert (decided.turn, decided.awaiting) == (1, Roll(5))


def test_joining_in_a_roll_off(play) -> None:
    game = play(rules.new("yardkle", ["Ann", "Bo"], start="roll_off"), 'rolloff 1; join "Cy"; rolloff 2')
    assert game.contest == (0, 1, 2)
    assert game.turn == 2
    assert play(game, "rolloff 5").turn == 2
    late = play(rules.new("yardkle", ["Ann", "Bo"], start="roll_off"), 'rolloff 1; rolloff 1; join "Cy"')
    assert late.contest == (0, 1)  # the round of those who tied is theirs


def test_saved_rolls_are_each_players_own(play) -> None:
    game = play(rules.new("maxi_yatzy", ["Ann", "Bo"]), "roll 123456; score chance")
    assert game.rolls_max == 3
    assert game.card(0).saved == 2
    play(game, "roll 123456; keep 6; roll 123456; keep 6; roll 123456; score chance")
    assert game.card(1).saved == 0
    assert game.rolls_max == 5
    play(game, "roll 123456" + "; keep 6; roll 123456" * 4)
    assert all(isinstance(m, Score) for m in game.legal_moves)
    assert play(game, "score ones").card(0).saved == 0
