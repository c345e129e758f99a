"""First light: a whole Yardzee game for two players, from pictures of dice to the finished card.

Real loop, real reader, real journal, real gpiozero objects on mock pins; the `files` camera shows the pictures, the
test moves the time and presses the buttons. With DICETABLE_DATA (or ../shared) the pictures are real photos; in a plain
clone they are pictures of the simulated tray with the same dice.
"""

from __future__ import annotations

import csv
import os
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.stepped import HandClock, SteppedTable
from firmware.table import Mode, TableSettings
from hardware.buttons import HOLDS, Button
from hardware.camera_files import FilesCamera
from hardware.camera_sim import SimCamera
from hardware.lines import DEFAULT_LINES
from hardware.mock_panel import MockPanel
from hardware.panel_gpio import GpioPanel
from vision.types import TrayState

DATA = Path(os.environ.get("DICETABLE_DATA") or Path(__file__).resolve().parents[3] / "shared") / "dice-photos"

# Every photo of exactly five dice, in the order of their file names, by no other rule; these are their top faces.
PHOTOS = [
    *("12345", "12345", "12345", "12345", "12345", "12345", "14456", "14456", "12446", "12446", "11122", "14455"),
    *("44556", "23336", "34446", "12345", "23556", "44444", "55555", "22222", "33333", "11111", "11234", "12233"),
]

# The game: for each turn how many rolls are thrown, and the box that is chosen. Ann and Bo take turns. Photos show no
# kept dice, so whoever throws again throws all five.
TURNS = (
    (1, "large_straight"), (2, "large_straight"), (1, "small_straight"), (1, "small_straight"), (1, "chance"),
    (1, "chance"), (1, "fours"), (1, "fours"), (2, "full_house"), (1, "fives"), (1, "fives"), (1, "three_kind"),
    (1, "three_kind"), (1, "twos"), (1, "sixes"), (1, "five_kind"), (1, "five_kind"), (1, "four_kind"), (1, "threes"),
    (1, "ones"), (3, "twos"), (1, "threes"), (1, "ones"), (1, "sixes"), (1, "four_kind"), (1, "full_house"),
)  # fmt: skip

# The final card, computed by hand from the two lists above. Ann's 33333 and Bo's 22222 and 11111 come after their 50,
# so each earns 100 more; 33333 and 11111 must go in their own upper box, 22222 (Twos filled) may go in 4 of a kind.
CARD = {
    #         ones twos threes fours fives sixes 3k  4k  fh  ss  ls  yz  chance
    "Ann": ([1, 2, 15, 8, 10, 6, 21, 0, 25, 30, 40, 50, 15], 1, 323),
    "Bo": ([5, 2, 3, 8, 10, 0, 17, 10, 0, 30, 40, 50, 20], 2, 395),
}


def real_photos() -> list[Path]:
    rows = sorted(csv.DictReader((DATA / "manifest.csv").open(encoding="utf-8")), key=lambda r: r["file"])
    five = [r for r in rows if r["values"].count("-") == 4]
    assert [r["values"].replace("-", "") for r in five] == PHOTOS, "the photos are not those the card was computed for"
    return [DATA / "images" / r["file"] for r in five]


def simulated_pictures(folder: Path) -> list[Path]:
    """A picture of the simulated tray for each of PHOTOS, taken once its dice lie still."""
    clock = HandClock()
    camera = SimCamera(seed=11, width=960, height=540, cocked=0.0, touching=0.0, clock=clock.clock)
    camera.set_up()
    paths = []
    for n, values in enumerate(PHOTOS):
        camera.tell("throw", {"dice": 5, "kept": [], "values": [int(v) for v in values], "hand": False})
        frame = None
        started = clock.t
        while frame is None or camera.busy or clock.t < started + 3.0:
            clock.t += 0.25
            frame = camera.grab(0.0) or frame
        paths.append(folder / f"{n:02}.png")
        cv2.imwrite(str(paths[-1]), frame.image)
    return paths


class Evening:
    """The table, its photos, and the people who press its buttons."""

    def __init__(self, folder: Path, photos: list[Path]) -> None:
        self.folder = folder
        self.photos = photos
        self.shown = self.misread = self.unsure = 0
        self.clock = HandClock()
        self.camera = FilesCamera([self.blank()], rate_hz=15, clock=self.clock.clock)
        mock = MockPanel(DEFAULT_LINES[8], seed=5)
        self.s = SteppedTable(
            folder,
            self.camera,
            self.clock,
            settings=TableSettings("yardzee", 2, ("Ann", "Bo")),
            mock=mock,
            make_panel=lambda put, now: GpioPanel(DEFAULT_LINES[8], mock.factories, put, now),
            size=(800, 480),
        )
        self.mock = mock
        self.table = self.s.table

    def blank(self) -> Path:
        """A tray with nothing in it. It has a size of its own, so that nothing of the photos before is taken for a hand
        that reaches in, or for dice that were never thrown."""
        path = self.folder / "blank.png"
        cv2.imwrite(str(path), np.full((240, 320, 3), 120, np.uint8))
        return path

    def show(self, path: Path) -> None:
        self.camera.tell("show", {"path": path})

    def throw(self) -> None:
        """The tray is cleared, then the next photo's dice lie in it; people put right what was read wrong."""
        photo, values = self.photos[self.shown % len(self.photos)], PHOTOS[self.shown % len(PHOTOS)]
        truth = [int(v) for v in values]
        self.shown += 1
        play = self.table.play
        assert play is not None
        self.show(self.blank())
        assert self.s.until(lambda: self.table.sight.tray is TrayState.EMPTY, 5), "a blank picture is an empty tray"
        self.show(photo)
        rolls = play.game.rolls_made
        self.s.until(lambda: bool(play.dice) or self.table.sight.tray is TrayState.UNREADABLE, 6)
        if play.game.rolls_made == rolls:
            self.unsure += 1
            assert self.table.must_enter, "it must say that it can't tell"
            view = self.s.loop.view
            assert "SCORE" in view.detail + (view.message.words if view.message else ""), "and how to enter them"
            self.enter(truth)
        elif sorted(play.game.dice) != truth:
            self.misread += 1
            self.put_right(truth)
        assert sorted(play.game.dice) == truth

    def enter(self, truth: list[int]) -> None:
        self.s.press(Button.SCORE)
        form = self.table.entry
        assert form is not None
        for n, value in enumerate(truth):
            for _ in truth:
                if form.cursor != n:
                    self.s.press(Button.ROLL)
            self.s.press(HOLDS[value - 1])
        self.s.press(Button.SCORE)

    def put_right(self, truth: list[int]) -> None:
        play = self.table.play
        assert play is not None
        wrong, missing = Counter(play.game.dice) - Counter(truth), Counter(truth) - Counter(play.game.dice)
        for old, new in zip(wrong.elements(), missing.elements(), strict=True):
            # Three presses a die: hold its button, say its value, accept.
            self.s.press(HOLDS[[d.value for d in play.dice].index(old)], held_s=1.0)
            self.s.press(HOLDS[new - 1])
            self.s.press(Button.SCORE)

    def choose(self, box: str) -> None:
        if self.table.mode is not Mode.CHOOSE:
            self.s.press(Button.SCORE)
        assert self.table.mode is Mode.CHOOSE
        for _ in self.table.open_options:
            if self.table.open_options[self.table.row].box == box:
                break
            self.s.press(HOLDS[1])
        assert self.table.open_options[self.table.row].box == box
        self.s.press(Button.SCORE)

    def play_all(self) -> None:
        self.s.advance(0.3)
        self.s.press(HOLDS[1])
        self.s.press(Button.SCORE)
        assert self.mock.lamp(Button.ROLL), "the lamps show what may be pressed"
        for n, (rolls, box) in enumerate(TURNS):
            play = self.table.play
            assert play is not None
            assert play.game.turn == n % 2
            for k in range(rolls):
                if k:
                    self.s.press(Button.ROLL)
                    assert play.game.kept == ()
                self.throw()
            self.choose(box)


def check(evening: Evening) -> None:
    play = evening.table.play
    assert play is not None
    assert play.players == ("Ann", "Bo")
    for seat, (boxes, bonuses, total) in enumerate(CARD.values()):
        card = play.game.card(seat)
        assert list(card.boxes) == boxes
        assert card.bonuses == bonuses
        assert card.total == total
    assert evening.table.mode is Mode.RESULT
    evening.s.advance(0.2)
    view = evening.s.loop.view
    assert "Bo" in view.prompt
    assert [(p.name, p.total, p.winner) for p in view.players] == [("Ann", 323, False), ("Bo", 395, True)]
    picture = evening.s.window.surface
    assert len({tuple(picture.get_at((x, y))) for x in range(0, 800, 20) for y in range(0, 480, 20)}) > 5, "drawn"


def run(tmp_path: Path, photos: list[Path], kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    evening = Evening(tmp_path, photos)
    try:
        evening.play_all()
        check(evening)
        again = SteppedTable(tmp_path / "copy", evening.camera, HandClock())
        again.close()
    finally:
        evening.s.close()
    with capsys.disabled():
        print(
            f"\n{evening.shown} throws of {len(photos)} {kind}: {evening.misread} misread, {evening.unsure} unsure; "
            "all put right by the buttons"
        )


def test_a_whole_game_on_real_photos(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if not (DATA / "manifest.csv").exists():
        pytest.skip("no photos: set DICETABLE_DATA to the folder that holds dice-photos")
    run(tmp_path, real_photos(), "real photos", capsys)


def test_a_whole_game_on_the_simulated_tray(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(tmp_path, simulated_pictures(tmp_path), "simulated pictures", capsys)
