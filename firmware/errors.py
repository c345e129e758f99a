"""Faults that end or block the program: a stable code, what is wrong, and what to do about it.

Room: firmware. The codes are listed in docs/codes.md; a test holds the two together.
"""

from __future__ import annotations

CODES: dict[str, str] = {
    "APP-01": "something unexpected went wrong",
    "APP-02": "another dicetable is running with the same data",
    "CAL-01": "the calibration, or the folder to learn from, can't be opened",
    "CAL-02": "the file is no calibration, or is damaged",
    "CAL-03": "the calibration was made by a newer version",
    "CAL-04": "the calibration belongs to pictures of another size",
    "CAL-05": "nothing can be learnt from these two pictures",
    "CAL-06": "the calibration can't be written",
    "CAL-07": "the corners of the tray are not found",
    "CAL-08": "no dice of that name were learnt",
    "CAL-09": "a step of the calibration took too long",
    "CARD-01": "the card of rules can't be written",
    "CARD-02": "a rule after --option is not known, or can't have that value",
    "CFG-01": "the configuration file can't be read",
    "CFG-02": "a key of the configuration has a bad value, or is not known",
    "CFG-03": "no such game",
    "DSP-01": "no screen to draw on",
    "DSP-02": "the screen can't be opened at that size",
    "ENV-01": "a library of the system is missing",
    "JRN-01": "the journal can't be opened",
    "JRN-02": "the journal was written by a newer version",
    "JRN-03": "the journal can't be written",
    "JRN-04": "the disk is slow, moves are not saved yet",
    "JRN-05": "the journal was damaged; what is whole in it and in the last copies is used",
    "JRN-06": "no copy of the journal could be made",
    "JRN-07": "no such player or game in the journal, or the name is taken",
    "LIGHT-01": "it is too dark, or the picture is noisy for want of light",
    "LIGHT-02": "a lamp shines off the tray",
    "LIGHT-03": "the tray is lit unevenly",
    "PIC-01": "the picture of a roll can't be written",
    "PWR-01": "the table can't switch itself off",
    "READ-01": "a file is not a picture that can be decoded",
    "READ-02": "the number of dice after --dice makes no sense",
    "READ-03": "the length after --die makes no sense",
    "READ-04": "the drawings can't be written",
    "READ-05": "a picture is cut short",
    "REPLAY-01": "the file to play back can't be opened",
    "REPLAY-02": "the file is no game script, saved game or journal, or something is missing in it",
    "REPLAY-03": "the file holds no game with that id, or none at all",
    "REPLAY-04": "a game of the file holds a move that the rules refuse",
    "REPLAY-05": "the file is a journal that can't be played back",
    "VIS-01": "the weights of the reader are missing or damaged",
}
"""Code -> what it means, in a few words."""


class Fault(Exception):
    """A fault for the person at the machine. `code` is one of CODES or a code of another room's; `fix` says what to
    do."""

    def __init__(self, code: str, words: str, fix: str = "") -> None:
        super().__init__(f"{code}: {words}" + (f" {fix}" if fix else ""))
        self.code = code
        self.words = words
        self.fix = fix
