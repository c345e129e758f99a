"""Debouncing: one press and one release for any chatter, nothing for a spike, nothing before start-up is done."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.buttons import Button, Edge, Press, PressKind
from hardware.debounce import Debouncer

ROLL = Button.ROLL


def _ready(stable_ms: float = 20.0) -> Debouncer:
    debouncer = Debouncer([ROLL, Button.SCORE], stable_ms)
    debouncer.unmute(0.0, {})
    return debouncer


def _chatter(debouncer: Debouncer, t: float, level: bool, gaps_ms: list[float]) -> tuple[float, list[Press]]:
    """Edges that alternate and end at `level`, then 30 ms of rest; the presses, and when the rest is over."""
    edges = [level if (len(gaps_ms) - n) % 2 == 0 else not level for n in range(len(gaps_ms) + 1)]
    for edge, gap_ms in zip(edges, [*gaps_ms, 30.0], strict=True):
        debouncer.feed(Edge(ROLL, edge, t))
        t += gap_ms / 1000.0
    return t, debouncer.poll(t, {ROLL: level})


# The requirement is stated for 10,000 trains: the seeded run below has as many, these look for the awkward ones.
gaps = st.lists(st.floats(0.01, 19.9), max_size=30)


@settings(max_examples=800, deadline=None, derandomize=True)
@given(down=gaps, up=gaps)
def test_any_train_makes_one_press_and_one_release(down: list[float], up: list[float]) -> None:
    debouncer = _ready()
    t, presses = _chatter(debouncer, 1.0, True, down)
    assert [press.kind for press in presses] == [PressKind.DOWN]
    _, releases = _chatter(debouncer, t, False, up)
    assert [press.kind for press in releases] == [PressKind.UP]
    assert debouncer.noise[ROLL] == 0


def test_ten_thousand_trains_polled_at_any_moment() -> None:
    rng = random.Random(1)
    debouncer = _ready()
    t, seen = 1.0, []
    for n in range(10_000):
        level = n % 2 == 0
        for k in range(2 * rng.randrange(0, 6) + 1):
            debouncer.feed(Edge(ROLL, level if k % 2 == 0 else not level, t))
            t += rng.uniform(0.0001, 0.0199)
            if rng.random() < 0.2:
                seen += debouncer.poll(t, {ROLL: level if k % 2 == 0 else not level})
        t += 0.03
        seen += debouncer.poll(t, {ROLL: level})
    assert [press.kind for press in seen] == [PressKind.DOWN, PressKind.UP] * 5000
    assert [press.t for press in seen] == sorted(press.t for press in seen)


@pytest.mark.parametrize("length_ms", [0.1, 5.0, 19.0])
def test_a_spike_is_noise_and_no_press(length_ms: float) -> None:
    debouncer = _ready()
    for n in range(3):
        debouncer.feed(Edge(ROLL, True, 1.0 + n))
        debouncer.feed(Edge(ROLL, False, 1.0 + n + length_ms / 1000))
        assert debouncer.poll(1.5 + n, {ROLL: False}) == []
    assert debouncer.noise == {ROLL: 3, Button.SCORE: 0}


def test_the_hold_is_measured_between_the_edges() -> None:
    debouncer = _ready()
    debouncer.feed(Edge(ROLL, True, 1.0))
    assert debouncer.poll(1.019, {ROLL: True}) == []
    assert debouncer.poll(1.03, {ROLL: True}) == [Press(ROLL, PressKind.DOWN, 1.02)]
    assert debouncer.held_s(ROLL, 1.5) == pytest.approx(0.5)
    debouncer.feed(Edge(ROLL, False, 2.5))
    (release,) = debouncer.poll(2.53, {ROLL: False})
    assert (release.kind, release.held_s) == (PressKind.UP, pytest.approx(1.5))
    assert debouncer.held_s(ROLL, 3.0) == 0.0


def test_a_lost_release_ends_the_hold_within_100_ms() -> None:
    debouncer = _ready()
    debouncer.feed(Edge(ROLL, True, 1.0))
    debouncer.poll(1.05, {ROLL: True})
    released_at, t, presses = 2.0, 2.0, []
    while not presses and t < 3.0:
        t += 0.016
        presses = debouncer.poll(t, {ROLL: False})
    assert presses[0].kind is PressKind.UP
    assert t - released_at < 0.1


def test_a_lost_press_is_found_by_its_level() -> None:
    debouncer = _ready()
    assert debouncer.poll(1.0, {ROLL: True}) == []
    assert [press.kind for press in debouncer.poll(1.02, {ROLL: True})] == [PressKind.DOWN]


def test_a_press_and_a_release_between_two_polls_are_both_told() -> None:
    debouncer = _ready()
    debouncer.feed(Edge(ROLL, True, 1.0))
    debouncer.feed(Edge(ROLL, False, 1.1))
    presses = debouncer.poll(1.4, {ROLL: False})
    assert [press.kind for press in presses] == [PressKind.DOWN, PressKind.UP]
    assert presses[1].held_s == pytest.approx(0.1)


def test_no_press_is_dated_before_an_earlier_poll() -> None:
    debouncer = _ready()
    debouncer.poll(5.0, {})
    debouncer.feed(Edge(ROLL, True, 1.0))
    assert [press.t for press in debouncer.poll(5.1, {ROLL: True})] == [5.0]


def test_nothing_is_told_while_muted_and_a_stuck_button_must_be_released_first() -> None:
    debouncer = Debouncer([ROLL])
    debouncer.feed(Edge(ROLL, True, 1.0))
    assert debouncer.poll(2.0, {ROLL: True}) == []
    debouncer.unmute(3.0, {ROLL: True})
    assert debouncer.poll(9.0, {ROLL: True}) == []
    assert debouncer.held_s(ROLL, 9.0) == 0.0
    debouncer.feed(Edge(ROLL, False, 10.0))
    assert debouncer.poll(10.1, {ROLL: False}) == []
    debouncer.feed(Edge(ROLL, True, 11.0))
    assert [press.kind for press in debouncer.poll(11.1, {ROLL: True})] == [PressKind.DOWN]


def test_a_button_first_seen_down_when_unmuted_is_no_press() -> None:
    debouncer = Debouncer([ROLL])
    debouncer.unmute(3.0, {ROLL: True})
    assert debouncer.poll(4.0, {ROLL: True}) == []
    assert debouncer.poll(4.1, {ROLL: False}) + debouncer.poll(4.2, {ROLL: False}) == []
    debouncer.poll(5.0, {ROLL: True})
    assert len(debouncer.poll(5.1, {ROLL: True})) == 1


def test_keys_need_no_rest() -> None:
    debouncer = _ready(stable_ms=0.0)
    debouncer.feed(Edge(ROLL, True, 1.0))
    debouncer.feed(Edge(ROLL, False, 1.001))
    assert [press.kind for press in debouncer.poll(1.002, {})] == [PressKind.DOWN, PressKind.UP]


def test_edges_of_buttons_that_the_panel_lacks_are_ignored_and_silly_times_refused() -> None:
    debouncer = _ready()
    debouncer.feed(Edge(Button.UNDO, True, 1.0))
    assert debouncer.poll(2.0, {Button.UNDO: True}) == []
    with pytest.raises(ValueError, match="stable_ms"):
        Debouncer([ROLL], stable_ms=-1)
