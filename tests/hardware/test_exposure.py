"""Exposure is set anew when the light has changed for good, while the tray is empty, and never during a turn."""

from __future__ import annotations

import pytest

from hardware.exposure import ExposureKeeper


def _feed(keeper: ExposureKeeper, begin: float, seconds: float, brightness: float, may: bool = True) -> list[str]:
    orders = []
    for n in range(round(seconds * 10)):
        order = keeper.feed(begin + n / 10, brightness, may)
        if order:
            orders.append(order)
    return orders


def test_light_that_stays_changed_sets_exposure_anew_once() -> None:
    keeper = ExposureKeeper()
    assert _feed(keeper, 0, 60, 100) == []
    assert _feed(keeper, 60, 3.1, 60) == ["unlock"]
    # The camera follows the light: the tray is as bright as before.
    assert _feed(keeper, 63.1, 60, 102) == ["lock"]


def test_a_small_drift_and_a_short_shadow_are_left_alone() -> None:
    keeper = ExposureKeeper()
    _feed(keeper, 0, 5, 100)
    assert _feed(keeper, 5, 30, 80) == []
    assert _feed(keeper, 35, 2, 40) == []
    assert _feed(keeper, 37, 30, 100) == []


def test_never_during_a_turn() -> None:
    keeper = ExposureKeeper()
    _feed(keeper, 0, 5, 100)
    assert _feed(keeper, 5, 60, 30, may=False) == []
    assert _feed(keeper, 65, 2.5, 30) == []
    assert _feed(keeper, 67.5, 5, 30)[0] == "unlock"


def test_a_turn_that_begins_while_it_is_unlocked_locks_at_once() -> None:
    keeper = ExposureKeeper()
    _feed(keeper, 0, 5, 100)
    assert _feed(keeper, 5, 3.2, 30) == ["unlock"]
    assert keeper.feed(8.3, 50, may=False) == "lock"
    assert _feed(keeper, 8.4, 30, 50, may=False) == []


def test_a_band_must_make_sense() -> None:
    with pytest.raises(ValueError, match="band"):
        ExposureKeeper(band=0.0)
