"""Random playouts of every game and option: see scripts/soak_rules.py, which runs as many as one likes."""

from __future__ import annotations

import random

import pytest

import rules


@pytest.mark.parametrize("block", range(10))
def test_pop_undoes_push(soak, block) -> None:
    for seed in range(block * 20, block * 20 + 20):
        soak.playout(seed)


def test_the_playouts_reach_every_game_and_option(soak) -> None:
    """Of 200 random games, so that the test above is known to be about all of them."""
    seen: dict[str, set] = {}
    for seed in range(200):
        game = soak.random_game(random.Random(seed))
        defaults = {o.name: o.default for g in rules.games() if g.name == game.name for o in g.options}
        seen.setdefault(game.name, set()).update(k for k, v in game.settings.items() if v != defaults[k])
    for info in rules.games():
        assert seen[info.name] == {o.name for o in info.options}
