"""Learning a table from two pictures, with the reader's help: how large its dice are, and how the camera sees them.

Room: vision. `calibration.learn` finds the dice of the throw by what has changed; what it takes for an edge may be a
top and a part of a side. Here the reader, which goes by pips, measures the same dice. Its own measure is the one that
it will hold against what it knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision import calibration, flat, known_tray
from vision.at_a_glance import learn_glance
from vision.calibration import Calibration
from vision.identity import edge_px
from vision.reader import read
from vision.stance import learn_view
from vision.types import Corners, Die, Image, Tray

_FEW = 2
"""So many dice must be read for their size to be believed."""
_ALIKE = 0.2
"""Their sizes may differ from the usual one by this share."""
_SURE = 0.5
_EXACT = 4
"""Faces of this value and more have pips at four corners, which measure them best."""


def learn_table(empty: Image, throw: Image, corners: Corners | None = None) -> Calibration:
    """Learn a table from two pictures: see `calibration.learn`, whose arguments and errors these are. The dice of the
    throw must lie flat."""
    known = calibration.learn(empty, throw, corners)
    if flat.slanted(known.corners):
        level = flat.flat_of(known, throw.shape[1], throw.shape[0])
        told = _measured(level.calibration, level.picture(throw))
        return replace(known, die_px=told.die_px / level.scale, view=told.view, glanced=told.glanced)
    return _measured(known, throw)


def _measured(known: Calibration, throw: Image) -> Calibration:
    """The same calibration with the size and the view that the reader finds; `throw` is as `known.empty`."""
    dice = _alike([d for d in read(throw, Tray()).dice if d.confidence > _SURE])
    new = known_tray.novelty(throw, known)
    dice = [d for d in dice if new.inside(d.x, d.y) and new.share(d.x, d.y, 0.4) > 0.0]
    if len(dice) < _FEW:
        return known
    exact = [d for d in dice if d.value >= _EXACT] or dice
    sized = replace(known, die_px=float(np.median([edge_px(d) for d in exact])))
    # Once the size is known, more is found.
    dice = list(read(throw, Tray(calibration=sized)).dice)
    quads = np.array([d.corners for d in dice], np.float64).reshape(-1, 4, 2)
    view = learn_view(known.empty, throw, quads, sized.die_px)
    return replace(sized, view=view, glanced=learn_glance(throw, quads))


def _alike(dice: Sequence[Die]) -> list[Die]:
    """Those of them that are about as large as most are."""
    sizes = [edge_px(d) for d in dice]
    usual = float(np.median(sizes)) if sizes else 0.0
    return [d for d, size in zip(dice, sizes, strict=True) if abs(size - usual) < _ALIKE * usual]
