"""The watcher on a drawn tray: what becomes a roll, and what is said about the dice."""

from __future__ import annotations

from dataclasses import replace

from vision.types import Reading, Reason, TrayEventKind, TrayState

from .drawn_tray import SPOTS, DrawnDie, DrawnTray, kinds, rolls, states


def settled(values: tuple[int, ...] = (1, 3, 3, 5, 6), **options: object) -> DrawnTray:
    """A tray in which a first throw has come to rest and was reported."""
    tray = DrawnTray(expected=len(values), **options)  # type: ignore[arg-type]
    tray.rest(0.5)
    tray.throw(values, SPOTS[: len(values)])
    tray.rest(0.5)
    assert [r.values for r in rolls(tray.events)] == [tuple(sorted(values))]
    tray.events.clear()
    return tray


def test_a_first_throw_is_one_roll_with_nothing_kept() -> None:
    tray = DrawnTray()
    tray.rest(0.5)
    tray.throw((1, 3, 3, 5, 6), SPOTS[:5])
    tray.rest(1.0)
    (roll,) = rolls(tray.events)
    assert (roll.values, roll.kept, roll.thrown) == ((1, 3, 3, 5, 6), (), (1, 3, 3, 5, 6))
    assert roll.reading is not None
    assert states(tray.events) == ["empty", "rolling", "settled"]


def test_a_roll_is_told_soon_after_rest_and_never_before() -> None:
    for fps in (15.0, 30.0, 60.0):
        tray = DrawnTray(fps=fps)
        tray.rest(0.5)
        tray.throw((2, 2, 4, 4, 6), SPOTS[:5])
        rest = tray.number - 1
        assert not rolls(tray.events)
        tray.rest(1.0)
        (roll,) = rolls(tray.events)
        assert 0 < roll.frame - rest <= 0.4 * fps


def test_a_hand_that_comes_back_after_three_clear_frames_does_not_lose_the_roll() -> None:
    tray = DrawnTray()
    tray.rest(0.5)
    tray.throw((2, 2, 4, 4, 6), SPOTS[:5])
    for _ in range(3):
        tray.frame()
    tray.reach(200.0, 165.0)
    (roll,) = rolls(tray.events)
    assert roll.values == (2, 2, 4, 4, 6)


def test_dice_that_a_hand_left_lying_are_kept() -> None:
    tray = settled()
    tray.take(1, 4)
    tray.rest(0.4)
    assert tray.watcher.state is TrayState.UNREADABLE
    assert not rolls(tray.events)
    tray.throw((2, 2), (SPOTS[1], (250.0, 150.0)))
    tray.rest(0.5)
    (roll,) = rolls(tray.events)
    assert (roll.kept, roll.thrown) == ((1, 3, 5), (2, 2))
    assert kinds(tray.events) == ["roll"]


def test_a_second_throw_needs_no_pause_between_taking_and_throwing() -> None:
    tray = settled()
    tray.take(1, 4)
    tray.throw((2, 2), (SPOTS[1], (250.0, 150.0)))
    tray.rest(0.5)
    (roll,) = rolls(tray.events)
    assert (roll.kept, roll.thrown) == ((1, 3, 5), (2, 2))


def test_the_same_values_again_are_a_roll() -> None:
    tray = settled()
    tray.take(0, 1, 2, 3, 4)
    tray.rest(0.4)
    assert tray.watcher.state is TrayState.EMPTY
    tray.throw((1, 3, 3, 5, 6), SPOTS[1:6])
    tray.rest(0.5)
    (roll,) = rolls(tray.events)
    assert (roll.values, roll.kept) == ((1, 3, 3, 5, 6), ())


def test_a_hand_that_only_passes_is_no_roll() -> None:
    tray = settled()
    tray.reach(100.0, 100.0)
    tray.rest(1.0)
    assert states(tray.events) == ["hand", "settled"]
    assert kinds(tray.events) == []


def test_a_kept_die_that_a_thrown_one_turned_over_is_disturbed() -> None:
    tray = settled()
    tray.take(4)
    tray.rest(0.4)
    kept = tray.dice[1]
    tray.throw((2,), ((150.0, 45.0),))
    kept.value, kept.x, kept.y, kept.angle_deg = 4, kept.x - 4, kept.y + 3, 50.0
    tray.rest(0.5)
    assert kinds(tray.events) == ["disturbed", "roll"]
    disturbed, roll = (e for e in tray.events if e.kind is not TrayEventKind.STATE)
    assert (disturbed.was, disturbed.values) == ((3,), (4,))
    assert (roll.values, roll.kept, roll.thrown) == ((1, 2, 3, 4, 5), (1, 3, 5), (2,))


def test_a_kept_die_that_was_pushed_but_shows_the_same_face_is_kept() -> None:
    tray = settled()
    tray.take(4)
    tray.rest(0.4)
    tray.throw((2,), ((165.0, 45.0),))
    tray.dice[1].x += 14.0
    tray.rest(0.5)
    (roll,) = rolls(tray.events)
    assert (roll.kept, roll.thrown) == ((1, 3, 3, 5), (2,))
    assert kinds(tray.events) == ["roll"]


def test_another_number_of_dice_is_never_a_roll() -> None:
    tray = DrawnTray(expected=5)
    tray.rest(0.5)
    tray.throw((1, 2, 3, 4), SPOTS[:4])
    tray.rest(3.0)
    assert not rolls(tray.events)
    last = tray.events[-1]
    assert last.state is TrayState.UNREADABLE
    assert [r.code for r in last.reasons] == ["count"]
    tray.throw((6,), (SPOTS[4],))
    tray.rest(0.5)
    (roll,) = rolls(tray.events)
    assert roll.thrown == (1, 2, 3, 4, 6)


def test_without_a_number_any_number_is_a_roll_and_taking_dice_away_is_none() -> None:
    tray = DrawnTray(expected=None)
    tray.rest(0.5)
    tray.throw((1, 2, 3), SPOTS[:3])
    tray.rest(0.5)
    assert [r.values for r in rolls(tray.events)] == [(1, 2, 3)]
    tray.take(1)
    tray.rest(0.5)
    assert len(rolls(tray.events)) == 1
    assert tray.watcher.state is TrayState.SETTLED


def test_the_table_may_change_how_many_dice_it_expects() -> None:
    tray = settled()
    tray.take(0, 2)
    tray.watcher.expect(dice=3)
    tray.rest(0.5)
    assert tray.watcher.state is TrayState.SETTLED
    assert not rolls(tray.events)
    tray.take(0, 1, 2)
    tray.rest(0.3)
    tray.throw((6, 6, 2), SPOTS[:3])
    tray.rest(0.5)
    (roll,) = rolls(tray.events)
    assert roll.values == (2, 6, 6)


def test_one_picture_after_another_is_a_roll_each_and_kept_is_judged_by_place_and_face() -> None:
    tray = DrawnTray(expected=3)
    tray.dice = [DrawnDie(1, *SPOTS[0]), DrawnDie(2, *SPOTS[1]), DrawnDie(3, *SPOTS[2])]
    tray.rest(0.5)
    tray.dice = [DrawnDie(1, *SPOTS[0]), DrawnDie(6, *SPOTS[1]), DrawnDie(5, *SPOTS[5])]
    tray.rest(0.5)
    tray.dice = [DrawnDie(4, *SPOTS[1]), DrawnDie(6, *SPOTS[3]), DrawnDie(5, *SPOTS[5])]
    tray.felt = tray.felt[:, ::-1, ::-1].copy()
    tray.rest(0.5)
    assert [(r.kept, r.thrown) for r in rolls(tray.events)] == [((), (1, 2, 3)), ((1,), (5, 6)), ((5,), (4, 6))]
    assert "disturbed" not in kinds(tray.events)


def test_a_new_picture_size_begins_anew() -> None:
    tray = settled((1, 3, 3))
    big = tray.picture

    def smaller():  # type: ignore[no-untyped-def]
        return big()[:190, :300].copy()

    tray.picture = smaller  # type: ignore[method-assign]
    tray.rest(0.5)
    (roll,) = rolls(tray.events)
    assert roll.kept == ()


def test_dice_picked_up_and_laid_back_are_a_question() -> None:
    tray = settled()
    die = tray.dice[1]
    tray.reach(die.x + 10, die.y, lambda: tray.dice.remove(die))

    def lay_back() -> None:
        die.x, die.y, die.angle_deg = 200.0, 100.0, 70.0
        tray.dice.append(die)

    tray.reach(210.0, 100.0, lay_back)
    tray.rest(0.6)
    assert kinds(tray.events) == ["question"]
    assert tray.events[-1].values == (1, 3, 3, 5, 6)


def test_an_undo_may_ask_for_the_same_roll_again() -> None:
    tray = settled()
    tray.take(4)
    tray.rest(0.4)
    tray.throw((2,), ((250.0, 150.0),))
    tray.rest(0.5)
    tray.watcher.look_again()
    tray.rest(0.5)
    first, second = rolls(tray.events)
    assert (second.values, second.kept, second.thrown) == (first.values, first.kept, first.thrown)


def test_doubt_is_told_with_its_reasons_and_the_best_guess() -> None:
    tray = DrawnTray(expected=3)
    tray.rest(0.5)
    tray.doubts = (Reason("cocked", *SPOTS[2]),)
    tray.throw((1, 2, 3), SPOTS[:3])
    tray.rest(2.0)
    assert not rolls(tray.events)
    last = tray.events[-1]
    assert (last.state, last.values) == (TrayState.UNREADABLE, (1, 2, 3))
    assert [r.code for r in last.reasons] == ["cocked"]
    tray.doubts = ()
    tray.dice[2].angle_deg = 45.0
    tray.rest(6.0)
    assert [r.values for r in rolls(tray.events)] == [(1, 2, 3)]


def test_readings_that_contradict_each_other_are_no_roll() -> None:
    tray = DrawnTray(expected=2)
    tray.rest(0.5)
    honest = tray.read
    flip = [0]

    def wavering(image, known):  # type: ignore[no-untyped-def]
        flip[0] += 1
        tray.lie = {1: 3 if flip[0] % 2 else 2}
        return honest(image, known)

    tray.watcher._read = wavering
    tray.throw((1, 2), SPOTS[:2])
    tray.rest(5.0)
    assert not rolls(tray.events)
    assert tray.watcher.state is TrayState.UNREADABLE


def test_a_camera_that_goes_away_and_comes_back_is_told_and_loses_no_dice() -> None:
    tray = settled()
    gone = tray.watcher.offline("CAM-02", tray.number / tray.fps)
    assert [(e.kind, e.state, e.code) for e in gone] == [
        (TrayEventKind.STATE, TrayState.OFFLINE, "CAM-02"),
        (TrayEventKind.OFFLINE, TrayState.OFFLINE, "CAM-02"),
    ]
    assert tray.watcher.offline("CAM-02", 0.0) == []
    tray.rest(0.5)
    assert [e.code for e in tray.events if e.kind is TrayEventKind.ONLINE] == ["CAM-02"]
    assert states(tray.events)[-1] == "settled"
    tray.take(0, 1, 2, 3, 4)
    tray.rest(0.3)
    tray.throw((6, 6, 6, 6, 6), SPOTS[:5])
    tray.rest(0.5)
    assert [r.kept for r in rolls(tray.events)] == [()]


def test_a_whole_turn_in_one_tray_gives_one_roll_a_throw() -> None:
    tray = DrawnTray()
    tray.rest(0.3)
    for turn in range(4):
        tray.throw((1 + turn, 2, 3, 4, 5), SPOTS[:5])
        tray.rest(0.4)
        tray.take(3, 4)
        tray.throw((6, 6), (SPOTS[3], SPOTS[4]))
        tray.rest(0.4)
        tray.take(0, 1, 2, 3, 4)
        tray.rest(0.4)
    assert len(rolls(tray.events)) == 8
    assert "question" not in kinds(tray.events)


def test_dice_laid_in_the_strip_are_kept_and_laying_them_there_is_no_roll() -> None:
    tray = DrawnTray(expected=5)
    tray.watcher.expect(dice=5, strip=((0.0, 0.75), (1.0, 0.75), (1.0, 1.0), (0.0, 1.0)))
    tray.rest(0.4)
    tray.throw((1, 3, 3, 5, 6), ((60.0, 40.0), (110.0, 60.0), (160.0, 40.0), (210.0, 60.0), (250.0, 90.0)))
    tray.rest(0.4)
    tray.events.clear()
    for k, die in enumerate(list(tray.dice[1:3])):
        tray.reach(die.x + 10, die.y, lambda die=die: tray.dice.remove(die))
        die.x, die.y = 80.0 + 40 * k, 168.0
        tray.reach(die.x + 10, die.y, lambda die=die: tray.dice.append(die))
    tray.rest(0.4)
    assert kinds(tray.events) == []
    tray.take(0, 1, 2)
    tray.rest(0.4)
    tray.throw((6, 2, 2), SPOTS[:3])
    tray.rest(0.5)
    (roll,) = rolls(tray.events)
    assert (roll.kept, roll.thrown) == ((3, 3), (2, 2, 6))
    assert kinds(tray.events) == ["roll"]


def test_a_die_that_was_missed_and_is_found_again_is_no_roll() -> None:
    tray = DrawnTray(expected=None)
    tray.rest(0.4)
    tray.throw((1, 2, 3), SPOTS[:3])
    tray.rest(0.4)
    honest = tray.read
    tray.watcher._read = lambda image, known: _without(honest(image, known), 1)
    tray.reach(100.0, 100.0)
    tray.rest(0.5)
    tray.watcher._read = honest
    tray.reach(100.0, 100.0)
    tray.rest(0.5)
    assert len(rolls(tray.events)) == 1
    assert "question" not in kinds(tray.events)


def test_a_knock_without_a_calibration_is_no_roll() -> None:
    tray = settled()
    tray.knock = (8.0, 6.0)
    seen = [DrawnDie(d.value, d.x + 8.0, d.y + 6.0, d.angle_deg) for d in tray.dice]
    honest = tray.read
    tray.watcher._read = lambda image, known: replace(honest(image, known), dice=tuple(d.seen() for d in seen))
    tray.rest(1.0)
    assert kinds(tray.events) == []


def _without(reading: Reading, index: int) -> Reading:
    return replace(reading, dice=reading.dice[:index] + reading.dice[index + 1 :])
