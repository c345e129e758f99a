"""`dicetable calibrate`: with a camera, from pictures, and the page with the marks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware import calibrate_command, calibrate_live, tray_lesson
from firmware.calibrate_live import LiveCalibration, Wishes
from firmware.cli import main
from firmware.config import load as load_config
from firmware.errors import Fault
from firmware.kept_settings import KeptSettings
from firmware.lock import InstanceLock
from firmware.marks_page import SIZES_MM, marks_page
from firmware.pdf import Page, pdf
from firmware.ten_throws import Score
from firmware.tray_lesson import Answer, TrayLesson
from hardware.camera import Clock
from hardware.camera_sim import SimCamera
from vision import marks
from vision.calibration import Calibration, Look, load
from vision.types import Corners, Die, Frame, Image, Reading, Status, Tray


@dataclass
class Session:
    """A calibration on the simulated tray. A reader that knows the truth stands in for the real one."""

    wishes: Wishes = field(default_factory=lambda: Wishes(throws=1))
    seed: int = 3
    marks: bool = True
    light: float = 1.0
    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.t = 0.0
        self.clock = Clock(lambda: self.t, self.wait)
        self.camera = SimCamera(
            seed=self.seed, width=640, height=360, marks=self.marks, rate_hz=10.0, touching=0.0, clock=self.clock
        )
        self.camera.tell("faults", {"lamp": self.light})

    def wait(self, seconds: float) -> None:
        self.t += seconds

    def throw(self, dice: int | None) -> None:
        self.camera.tell("throw", {"dice": dice or 5, "cocked": 0})

    def run(self) -> tuple[Calibration, Score]:
        return LiveCalibration(
            self.camera, self.clock, self.wishes, self.lines.append, lambda words: "", self.throw, read=self.read
        ).run()

    def read(self, image: Image, tray: Tray) -> Reading:
        dice = tuple(Die(d.value or 1, 0.9, d.x, d.y, d.corners) for d in self.camera.truth.dice)
        if self.camera.truth.state == "hand":
            return Reading(Status.UNSURE, dice)
        return Reading(Status.READ if dice else Status.EMPTY, dice)


def test_a_table_is_learnt_step_by_step_and_tested() -> None:
    session = Session()
    session.camera.tell("unlock", {})
    learnt, score = session.run()
    assert (score.read, score.asked, score.wrong) == (1, 0, 0)
    assert learnt.corners is not None
    assert learnt.corners == learnt.region
    assert learnt.lock == session.camera.lock != None  # noqa: E711 - both: it is locked, and as the camera says
    assert learnt.score == (1, 1)
    assert learnt.die_px == pytest.approx(1.6 * 640 / 37 * 48 / 46.4, rel=0.15)
    assert session.lines[0] == "All four marks are found."
    assert session.lines[1] == "The light is good."
    assert session.lines[-1] == "1 throws: 1 read, 0 asked about, 0 wrong"
    # The camera is let go.
    assert session.camera.grab(0.0) is None


def learnt_at_once(empty: Image, throw: Image, corners: Corners | None) -> Calibration:
    """Takes no time, and shows nothing that is true of the dice."""
    height, width = empty.shape[:2]
    whole = ((0.0, 0.0), (float(width), 0.0), (float(width), float(height)), (0.0, float(height)))
    return Calibration(empty, corners or whole, 28.0, (Look((9, 9, 9), (99, 99, 99), True),) * 5, corners=corners)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Learning takes no time."""
    for module in (calibrate_live, tray_lesson):
        monkeypatch.setattr(module, "learn_table", learnt_at_once)


@pytest.mark.usefixtures("quick")
def test_another_set_of_dice_is_added_without_touching_the_tray() -> None:
    session = Session(Wishes(throws=0))
    first, _ = session.run()
    again = Session(Wishes(throws=0, name="guests", known=first), seed=3)
    both, _ = again.run()
    assert both.names == ("guests", "dice")
    assert (both.corners, both.lock) == (first.corners, first.lock)
    assert both.empty is first.empty


@pytest.mark.usefixtures("quick")
def test_dice_that_do_not_lie_apart_are_thrown_again() -> None:
    session = Session(Wishes(dice=6, throws=0))
    session.run()
    assert session.lines.count("Only 5 of 6 dice lie apart.") == calibrate_live.LEARN_TRIES - 1


@pytest.mark.usefixtures("quick")
def test_corners_may_be_told_by_hand_and_missing_marks_are_no_hindrance() -> None:
    told = ((24.0, 20.0), (616.0, 20.0), (616.0, 340.0), (24.0, 340.0))
    session = Session(Wishes(throws=0, corners=told), marks=False)
    assert session.run()[0].corners == told
    session = Session(Wishes(throws=0), marks=False)
    assert session.run()[0].corners is None
    assert session.lines[0].startswith("No marks on the rim")


def test_bad_light_stops_it_and_says_what_to_move() -> None:
    session = Session(light=0.1)
    session.camera.tell("lock", {})
    # This sensor can't be made more sensitive than four times, so this is too dark for it.
    session.camera.tell("faults", {"lamp": 0.02})
    with pytest.raises(Fault, match=r"LIGHT-01.*move"):
        session.run()


def test_dice_that_cannot_be_learnt_are_thrown_again_and_then_given_up() -> None:
    session = Session()
    session.throw = lambda dice: session.camera.tell("hand", {"seconds": 0.2})  # type: ignore[method-assign]
    with pytest.raises(Fault, match="CAL-05"):
        session.run()
    assert sum("CAL-05" in line for line in session.lines) == calibrate_live.LEARN_TRIES - 1


def test_a_camera_that_is_not_there_ends_it() -> None:
    session = Session()
    session.camera.tell("faults", {"drop": 1000.0})
    with pytest.raises(Fault, match="CAM-01"):
        session.run()


class Menu:
    """The lesson of the menu beside a simulated camera."""

    def __init__(self, known: Calibration | None = None, **wishes: bool) -> None:
        self.session = Session()
        self.camera = self.session.camera
        self.camera.set_up()
        self.said: dict[str, object] = {}
        self.busy: list[float] = []
        self.lesson = TrayLesson(
            self.camera.tell,
            lambda: self.camera.lock,
            known,
            self.said.update,
            read=self.session.read,
            busy=self.busy.append,
            **wishes,
        )

    def step(self, name: str, **args: object) -> Answer:
        done = self.lesson.begin(name, args)
        while done is None:
            frame = self.camera.grab(1.0)
            assert frame is not None
            done = self.lesson.feed(frame)
        return done


@pytest.mark.usefixtures("quick")
def test_the_menu_learns_a_table_and_tests_it_with_the_same_ten_throws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tray_lesson, "THROWS", 2)
    file = tmp_path / "table.json"
    menu = Menu(throws_itself=True)
    assert menu.step("throw").code == "CAL-05"
    assert menu.step("test").code == "CAL-05"
    assert menu.step("use", file=str(file)).code == "CAL-05"
    assert menu.step("empty") == Answer("empty")
    assert menu.camera.lock is not None
    assert menu.step("throw") == Answer("throw")
    assert menu.busy == [tray_lesson.LEARN_S], "or the camera process is taken for one that hangs"
    assert not file.exists(), "nothing is changed before the last step"
    assert menu.step("test") == Answer("test")
    number, of, values = menu.said["calibration_throw"]  # type: ignore[misc]
    assert (number, of, len(values)) == (3, 2, 5)
    assert menu.step("use", file=str(file), wrong=1) == Answer("use")
    assert not menu.lesson.open
    assert menu.said["dice_sets"] == ("dice",)
    learnt = load(file)
    assert (learnt.corners is not None, learnt.score) == (True, (1, 2))
    assert learnt.lock == pytest.approx(menu.camera.lock)
    menu.camera.tell("faults", {"lamp": 0.01})
    assert menu.step("empty").code == "LIGHT-01"
    assert menu.step("use", file=str(tmp_path / "none" / "x.json")).code == "CAL-06"


@pytest.mark.usefixtures("quick")
def test_other_sets_of_dice_outlive_a_calibration_from_the_menu(tmp_path: Path) -> None:
    first, _ = Session(Wishes(throws=0)).run()
    looks = (Look((1, 1, 1), (9, 9, 9), False),)
    two = first.with_dice("9 cm", replace(first, die_px=70.0, looks=looks)).using("dice")
    # The camera hung twice as high then.
    before = replace(two, die_px=14.0)
    menu = Menu(before, throws_itself=True)
    for step in ("empty", "throw"):
        assert menu.step(step).code == ""
    assert menu.step("use", file=str(tmp_path / "a")) == Answer("use")
    anew = load(tmp_path / "a")
    assert anew.names == ("dice", "9 cm")
    assert anew.using("9 cm").die_px == pytest.approx(140.0)
    assert anew.score is None, "no throw has tested it"

    menu = Menu(before, throws_itself=True)
    for step in ("empty", "throw"):
        assert menu.step(step, dice="Red", add=True).code == ""
    assert menu.step("use", file=str(tmp_path / "b")) == Answer("use")
    added = load(tmp_path / "b")
    assert added.names == ("Red", "9 cm", "dice")
    assert added.using("9 cm").die_px == 70.0


# --- from pictures, and the command ---


def pictures(folder: Path) -> Path:
    folder.mkdir()
    camera = SimCamera(seed=2, width=640, height=360, marks=True, touching=0.0, clock=Clock(lambda: now[0], wait))
    now = [0.0]

    def grab() -> Frame:
        now[0] += 0.2
        frame = camera.grab(1.0)
        assert frame is not None
        return frame

    camera.set_up()
    assert cv2.imwrite(str(folder / "a.png"), grab().image)
    camera.tell("throw", {"dice": 5, "hand": False, "cocked": 0})
    grab()
    while camera.busy:
        grab()
    assert cv2.imwrite(str(folder / "b.png"), grab().image)
    return folder


def wait(seconds: float) -> None:
    """Nobody waits: the time is moved by hand."""


def test_pictures_with_marks_give_the_corners_and_sets_are_added(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, out = pictures(tmp_path / "pictures"), str(tmp_path / "table")
    assert main(["calibrate", "--from", str(folder), "--out", out]) == 0
    assert load(out).corners is not None
    assert main(["calibrate", "--from", str(folder), "--out", out, "--set", "blue"]) == 0
    assert load(out).names == ("blue", "dice")
    monkeypatch.setattr(calibrate_command, "learn_table", learnt_at_once)
    assert main(["calibrate", "--from", str(folder), "--out", out]) == 0
    assert load(out).names == ("blue", "dice"), "the set in use is learnt anew, and the other is kept"
    assert main(["calibrate", "--from", str(folder), "--out", out, "--corners", "1,1", "2,2", "3,3", "4,4"]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert [re.findall(r"CAL-\d\d", line) for line in errors] == [["CAL-07"]]
    # No file is named: this table's own, with which it plays from then on.
    data, config = tmp_path / "data", tmp_path / "dicetable.toml"
    config.write_text(f'data = "{data}"\n')
    monkeypatch.setenv("DICETABLE_CONFIG", str(config))
    assert main(["calibrate", "--from", str(folder)]) == 0
    assert "from its next start" in capsys.readouterr().out
    merged = KeptSettings(data).merged(load_config(config))
    assert merged.camera.calibration == str(data / "table.json")
    assert load(merged.camera.calibration).names == ("dice",)
    lock = InstanceLock(data)
    assert main(["calibrate", "--from", str(folder)]) == 2, "a table that runs has the camera"
    lock.close()


def test_the_marks_are_printed_as_they_are_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "marks.pdf"
    assert main(["calibrate", "--marks", str(path)]) == 0
    assert "100 %" in capsys.readouterr().out
    found = marks.find(drawn(path.read_bytes()))
    assert sorted(found) == [0, 1, 2, 3]
    assert main(["calibrate", "--marks", str(tmp_path / "none" / "marks.pdf")]) == 2


def drawn(document: bytes, dots_per_mm: float = 4.0) -> Image:
    """The black boxes of a document's one page, as a picture."""
    height = 297.0 * 72 / 25.4
    picture = np.full((round(297 * dots_per_mm), round(210 * dots_per_mm), 3), 255, np.uint8)
    scale = dots_per_mm * 25.4 / 72
    number = rb"(-?[\d.]+)"
    # Only the larger set: two marks of one number in a picture are not what a tray has.
    for box in re.findall(rb" ".join([number] * 4) + rb" re f", document):
        x, y, w, h = (float(part) for part in box)
        if h > 0.9 * SIZES_MM[0] / marks.MODULES * 72 / 25.4:
            corners = [(round(px * scale), round(py * scale)) for px, py in ((x, height - y - h), (x + w, height - y))]
            (x0, y0), (x1, y1) = corners
            picture[y0:y1, x0:x1] = 0
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.5), np.uint8)


def test_a_document_has_its_objects_where_it_says(tmp_path: Path) -> None:
    page = Page()
    page.text(10, 10, "Größe (1) \\ 2")
    document = pdf([page, marks_page()], "Two pages")
    assert document.startswith(b"%PDF-1.4\n")
    assert document.endswith(b"%%EOF\n")
    start = int(document.rsplit(b"startxref\n", 1)[1].split(b"\n")[0])
    table = document[start:].splitlines()
    assert table[0] == b"xref"
    for number, line in enumerate(table[3 : 2 + int(table[1].split()[1])], 1):
        assert document[int(line.split()[0]) :].startswith(b"%d 0 obj" % number)
    assert r"(Größe \(1\) \\ 2) Tj".encode("cp1252") in document
    assert document.count(b"/Type /Page ") == 2
