"""A short soak of `Table.handle` with random events; `make soak` runs 100,000 of them."""

from __future__ import annotations

import pytest
from soak_table import Soak, Wrong, soak


@pytest.mark.parametrize("seed", [101, 102])
def test_random_events_leave_the_table_in_order(seed: int) -> None:
    counts, done = soak(1500, seed)
    assert done >= 1500
    assert counts["roll"] > 20
    assert counts["mark"] + counts["keep"] + counts["aside"] + counts["score"] + counts["stop"] > 20


def test_the_soak_notices_a_journal_that_leads_elsewhere() -> None:
    s = Soak(5)
    while not any(r.kind == "roll" for r in s.journal):
        s.step()
    while s.journal.pop().kind != "roll":
        pass
    with pytest.raises(Wrong):
        s.check()
