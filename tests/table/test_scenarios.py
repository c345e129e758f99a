"""One evening at the simulated table, through the real reader; `make scenarios` plays all of them."""

from __future__ import annotations

from pathlib import Path

import rules
from firmware.events import IntentKind as I

from .simulated import Simulated


def test_an_evening_by_hands_and_buttons(tmp_path: Path) -> None:
    e = Simulated(tmp_path, pictures_mb=5.0)
    e.throw([5, 2, 5, 6, 5])
    e.throw([1, 3], keep=[5, 5, 5])
    assert e.play.game.moves[1] == rules.Keep((5, 5, 5)), "what was left lying is kept"
    e.ask(I.UNDO)
    assert e.s.until(lambda: e.code == "SAME_DICE", 6.0), e.shown
    e.choose("fives")
    assert e.play.game.totals == (15, 0)
    e.ask(I.UNDO)
    assert (e.play.game.totals, e.dice) == ((0, 0), (1, 3, 5, 5, 5))
    e.ask(I.SCORE)
    e.choose("three_kind")
    assert (e.play.game.totals, e.play.game.turn) == ((19, 0), 1)
    e.s.journal.wait(e.s.loop.token, 10.0)
    named = {r.data.get("picture") for r in e.s.journal.last_game() if r.kind == "roll"}
    e.close()
    written = {p.stem for p in (tmp_path / "pictures").glob("*.jpg")}
    assert written
    assert written <= named
    assert e.misread + e.asked <= 1
