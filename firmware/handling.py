"""How to play at the table by hands and buttons, in a few sentences: for the rules card and for a screen.

Room: firmware. Words only, for the game and the panel that are there; what the buttons do is the scenes' business
(`firmware.scene_turn`).
"""

from __future__ import annotations

import rules
from rules.said import said as _


def lines(game: rules.Game, buttons: int) -> tuple[str, ...]:
    """The sentences for `game` on a panel with so many buttons (3, 8 or 11)."""
    banking = game.family == "banking"
    said = [_("Throw into the tray and take your hand out. The table reads the dice once they lie still.")]
    if banking:
        said.append(_("Leave what you set aside lying in the tray, and throw only the others."))
        said.append(_("SCORE ends your turn and keeps its points."))
    else:
        said.append(_("Leave the dice that you keep lying in the tray, and throw only the others."))
        said.append(_("SCORE shows what each open box would pay, the best first. SCORE once more writes it."))
        if buttons == 3:
            said.append(_("HOLD goes to the next box."))
        else:
            said.append(_("HOLD 1 and HOLD 2 go up and down among the boxes."))
    if buttons == 3:
        said.append(_("You may also say by button what stays: HOLD goes to the next die, HOLD held marks it."))
        said.append(_("A die was read wrong? Keep SCORE pressed, choose the value with HOLD, and press SCORE."))
    else:
        said.append(_("You may also say by button what stays: HOLD 1 to 6 mark the dice, counted from the left."))
        said.append(_("A die was read wrong? Keep its HOLD button pressed, press HOLD of the right value, then SCORE."))
    if buttons == 11:
        said.append(_("UNDO takes the last move back."))
    else:
        said.append(_("ROLL kept pressed takes the last move back."))
    return tuple(said)
