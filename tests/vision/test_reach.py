"""What may have been laid down by a hand, and what is only light."""

from __future__ import annotations

import numpy as np
import pytest

from vision import motion
from vision.motion import Mask
from vision.reach import Reach

DIE_PX = 7.0


def hand(width: int, height: int) -> Mask:
    """Something that reaches in over the lower border of a small picture, in its middle."""
    mask = np.zeros((90, 160), bool)
    mask[90 - height :, 80 - width // 2 : 80 + width // 2] = True
    return mask


@pytest.mark.parametrize(
    ("width", "height", "place", "laid"),
    [
        (40, 30, (20.0, 20.0), True),  # a whole hand may lay a die down anywhere
        (24, 20, (80.0, 75.0), True),  # of a hand little is seen, but it was over the place
        (24, 20, (80.0, 40.0), False),  # and never came here
        (14, 12, (80.0, 82.0), False),  # a die that comes in over the border
    ],
)
def test_what_a_hand_may_have_laid_down(width: int, height: int, place: tuple[float, float], laid: bool) -> None:
    reach = Reach()
    assert not reach.may_have_laid([place], DIE_PX)
    reach.add(hand(width, height), DIE_PX)
    reach.add(hand(4, 4), DIE_PX)
    assert reach.may_have_laid([place], DIE_PX) is laid
    reach.forget()
    assert not reach.may_have_laid([place], DIE_PX)


def test_dice_that_come_in_side_by_side_are_no_hand() -> None:
    reach = Reach()
    many = np.zeros((90, 160), bool)
    for x in range(10, 150, 20):
        many[80:, x : x + 12] = True
    reach.add(many[:, :100], DIE_PX)
    assert not reach.may_have_laid([(15.0, 85.0)], DIE_PX)


def test_a_soft_light_is_nothing_loose_and_a_die_is() -> None:
    felt = np.full((360, 640, 3), (38, 94, 58), np.uint8)
    before = motion.shrink(felt)
    y, x = np.mgrid[:360, :640]
    cone = 1 + 0.8 * np.exp(-(((x - 320) ** 2 + (y - 180) ** 2) / 40.0**2))
    lit = np.clip(felt * cone[:, :, None], 0, 255).astype(np.uint8)
    die = felt.copy()
    die[100:128, 200:228] = (230, 232, 232)
    for picture, loose in ((lit, 0), (die, 1)):
        now = motion.shrink(picture)
        seen = motion.foreground(motion.differs(now, before), DIE_PX)
        assert len(seen.loose) == 1
        assert len(motion.without_light(seen, now, before).loose) == loose
