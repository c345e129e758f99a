"""The figures about confidence count dice rightly."""

from __future__ import annotations

import confidence


def row(truth: list[int], dice: list[int], sure: list[float], status: str = "read") -> dict[str, object]:
    return {"truth": truth, "dice": dice, "confidence": sure, "status": status}


def test_of_several_dice_of_one_value_the_surest_are_right() -> None:
    said = confidence.dice_of(row([3, 5], [3, 5, 3], [0.6, 0.8, 0.9], "unsure"))
    assert [(s.confidence, s.right, s.certain) for s in said] == [
        (0.9, True, False), (0.8, True, False), (0.6, False, False),
    ]  # fmt: skip


def test_every_die_is_in_one_range_and_certain_ones_are_counted_apart() -> None:
    said = confidence.dice_of(row([1, 2], [1, 4], [1.0, 0.0])) + confidence.dice_of(row([6], [6], [0.95], "unsure"))
    rows = confidence.bins(said)
    assert sum(n for _, _, n, _, _, _ in rows) == 3
    assert rows[0][2:] == (1, 0, 1, 0)
    assert rows[-1][2:] == (2, 2, 1, 1)


def test_the_table_and_the_drawing_tell_the_numbers() -> None:
    rows = confidence.bins(confidence.dice_of(row([1, 2, 2, 2], [1, 2, 2, 5], [0.97, 0.97, 0.96, 0.96])))
    assert confidence.table(rows)[-1] == "| 0.95 and up | 4 | 75.0 % | 4 | 75.0 % |"
    assert ">4</text>" in confidence.drawing(rows)
