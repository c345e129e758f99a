"""The twin: the same table, played here with time moved by hand, so that it is known what the machine must show.

Part of the machine harness. The twin has the real loop, reader, journal and display; its pictures are those that the
machine's camera is fed with, its contacts are gpiozero's mock pins. Knows nothing of QEMU.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from firmware.errors import Fault
from firmware.journal import Journal
from firmware.stepped import HandClock, SteppedTable
from firmware.table import TableSettings
from hardware.buttons import Button
from hardware.camera_sim import SimCamera
from hardware.camera_webcam import WebcamCamera
from hardware.faults import camera_fault
from hardware.lines import DEFAULT_LINES
from hardware.mock_panel import MockPanel
from hardware.panel_gpio import GpioPanel

SIZE = (480, 320)
"""The smallest screen that there is: an emulated processor draws every pixel itself."""
WIDTH, HEIGHT, FPS = 640, 360, 6
EMPTY = "empty"
DEVICE = "/dev/video0"
LINES = DEFAULT_LINES[8]
LONGEST_S = 20.0
SETTLED_S = 5.0
"""After so long nothing changes any more: what is read has been read, and words that stay for a while have gone."""
SHORT_S = 0.3
LONG_S = 1.8
"""Long enough for every press that is held here."""


class Tray:
    """Dice in a tray, as films for a camera: `films`/NAME holds move-NNN.jpg, then rest-N.jpg for ever."""

    def __init__(self, films: Path, name: str, seed: int = 11) -> None:
        self.films = films
        self._name = name
        self._clock = HandClock()
        self._sim = SimCamera(
            seed=seed, width=WIDTH, height=HEIGHT, rate_hz=FPS, felt="green", lamp="ring", style="ivory",
            noise=0.0, touching=0.0, cocked=0.0, clock=self._clock.clock,
        )  # fmt: skip
        self._sim.set_up()
        self._count = 0
        self.film(EMPTY, [])

    def throw(self, values: Sequence[int], keep: Sequence[int] = ()) -> str:
        """A hand takes all dice but those that show `keep`, and `values` are thrown. Returns the film's name."""
        at: list[int] = []
        for face in keep:
            at.append(next(n for n, d in enumerate(self._sim.truth.dice) if d.value == face and n not in at))
        args = {"dice": len(values) + len(at), "kept_at": at, "values": list(values), "hand": True}
        return self._record("throw", args)

    def clear(self) -> str:
        """A hand takes all dice. Returns the film's name."""
        return self._record("clear", {})

    def _record(self, order: str, args: dict[str, Any]) -> str:
        self._count += 1
        name = f"{self._name}-{self._count:03d}"
        self._sim.tell(order, args)
        moving = []
        for _ in range(round(LONGEST_S * FPS)):
            moving.append(self._grab())
            if not self._sim.busy and self._sim.truth.state in ("settled", "empty"):
                break
        self.film(name, moving)
        return name

    def _grab(self) -> Any:
        self._clock.t += 1 / FPS
        frame = self._sim.grab(0.0)
        assert frame is not None
        return frame.image

    def film(self, name: str, moving: Sequence[Any]) -> None:
        folder = self.films / name
        folder.mkdir(parents=True, exist_ok=True)
        # A corner that is a little brighter tells one picture of the rest from the next: too little to be a movement.
        rest = self._grab()
        other = rest.copy()
        other[:16, :16] = cv2.add(other[:16, :16], (6, 6, 6, 0))
        if (folder / "rest-1.jpg").exists():
            return
        pictures = [(f"move-{n:03d}.jpg", picture) for n, picture in enumerate(moving)]
        for file, picture in [*pictures, ("rest-0.jpg", rest), ("rest-1.jpg", other)]:
            (folder / file).write_bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes())


class Full(Journal):
    """A journal that says that it can't be written. The twin's is: what was played meanwhile must not be lost."""

    why = ""

    @property
    def fault(self) -> Fault | None:
        return Fault(
            "JRN-03", f"the journal can't be written ({self.why}).", "The game goes on; make room on the disk."
        )


class Webcam(WebcamCamera):
    """The real back end over a projector, and without a device."""

    def __init__(self, projector: Projector, clock: HandClock) -> None:
        super().__init__(
            DEVICE, width=WIDTH, height=HEIGHT, rate_hz=FPS, clock=clock.clock, open_device=lambda path, api: projector
        )
        self.away = False

    def _find(self) -> Path:
        if self.away:
            raise camera_fault("CAM-01", where=DEVICE)
        return Path("/dev/null")


class Projector:
    """What OpenCV's VideoCapture is to `WebcamCamera`: a film, a picture with every grab."""

    def __init__(self, films: Path, film: str) -> None:
        self._films = films
        self._count = 0
        self.dark = False
        self.show(film)
        # What lies there has lain there for long.
        self._at = len(self._files) - 3

    def show(self, name: str) -> None:
        self._files = sorted((self._films / name).iterdir())
        self._at = -1

    @property
    def rests(self) -> bool:
        return self._at >= len(self._files) - 2

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def set(self, key: int, value: float) -> bool:
        return True

    def get(self, key: int) -> float:
        known = {cv2.CAP_PROP_FRAME_WIDTH: WIDTH, cv2.CAP_PROP_FRAME_HEIGHT: HEIGHT}
        return float(known.get(key, self._count * 1000 / FPS))

    def grab(self) -> bool:
        if self.dark:
            return False
        self._count += 1
        self._at = self._at + 1 if self._at + 1 < len(self._files) else len(self._files) - 2
        return True

    def retrieve(self) -> tuple[bool, Any]:
        return True, np.frombuffer(self._files[self._at].read_bytes(), np.uint8)

    def release(self) -> None: ...


@dataclass(frozen=True)
class Act:
    """A thing that is done at the table, and what the table then shows."""

    name: str
    film: str = ""
    buttons: tuple[str, ...] = ()
    """What is pressed, together."""
    held_s: float = 0.0
    picture: Path = Path()
    lamps: frozenset[str] = frozenset()
    records: tuple[tuple[str, dict[str, Any]], ...] = ()
    """What the journal of the game holds then."""
    lies: str = ""
    """The film that is shown then."""


@dataclass
class Rehearsal:
    """An evening at the twin. `folder` takes its journal and pictures; the films go to `films`."""

    folder: Path
    films: Path
    film: str = EMPTY
    """What lies in the tray at first."""
    settings: TableSettings = field(default_factory=lambda: TableSettings("yardzee", 2, ("Ann", "Bo"), attract=True))

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.tray = Tray(self.films, self.folder.name)
        self.clock = HandClock()
        self.acts: list[Act] = []
        self._start()

    def _start(self) -> None:
        self.projector = Projector(self.films, self.film)
        self.camera = Webcam(self.projector, self.clock)
        self.mock = MockPanel(LINES, seed=5)
        self.s = SteppedTable(
            self.folder, self.camera, self.clock, settings=self.settings, size=SIZE, tick_s=1 / FPS, mock=self.mock,
            make_panel=partial(GpioPanel, LINES, self.mock.factories), facts={"language": "en", "buttons": 8},
        )  # fmt: skip
        self.s.window.restyle(reduced_motion=True)
        self.s.advance(SETTLED_S)

    @property
    def table(self) -> Any:
        return self.s.table

    def begin(self) -> None:
        """The table has just been switched on."""
        self._remember("switched on")

    def restart(self, why: str) -> None:
        """The table is started again on the journal that it has kept."""
        self.s.close()
        self._start()
        self._remember(why)

    def press(self, *buttons: str, held_s: float = SHORT_S) -> None:
        """Press buttons together."""
        self.s.advance(2 / FPS)
        for button in buttons:
            self.mock.hold_down(Button(button), self.clock.t + 1e-3)
        self.s.advance(held_s)
        for button in buttons:
            self.mock.let_go(Button(button), self.clock.t + 1e-3)
        self.s.advance(SETTLED_S)
        name = f"press {' and '.join(button.upper() for button in buttons)}"
        self._remember(name + (", held" if held_s > SHORT_S else ""), buttons=buttons, held_s=held_s)

    def throw(self, *values: int, keep: Sequence[int] = ()) -> None:
        """A hand takes all dice but those that show `keep`, and `values` are thrown."""
        name = f"throw {' '.join(map(str, values))}" + (f", keep {' '.join(map(str, keep))}" if keep else "")
        self._watch(self.tray.throw(values, keep), name)

    def clear(self) -> None:
        """A hand takes all dice."""
        self._watch(self.tray.clear(), "take the dice out")

    def unplug(self) -> None:
        """The camera's cable is pulled out."""
        self.camera.away = True
        self.projector.dark = True
        self.s.advance(60.0)
        self._remember("the camera is unplugged")

    def plug_in(self) -> None:
        """It is put in again."""
        self.camera.away = False
        self.projector.dark = False
        self.s.advance(60.0)
        self._remember("the camera is plugged in")

    def disk_full(self, why: str) -> None:
        """The journal can't be written any more, and SQLite says `why`. Nobody notices before the next move."""
        self.s.journal.__class__ = type("Full", (Full,), {"why": why})

    def room_again(self) -> None:
        """It can be written again."""
        self.s.journal.__class__ = Journal
        self.s.advance(SETTLED_S)
        self._remember("there is room again")

    def _watch(self, film: str, name: str) -> None:
        self.film = film
        self.projector.show(film)
        self.s.until(lambda: self.projector.rests, LONGEST_S)
        self.s.advance(SETTLED_S)
        self._remember(name, film=film)

    def _remember(self, name: str, **done: Any) -> None:
        picture = self.folder / f"{len(self.acts):02d}.png"
        self.s.save(picture)
        lit = frozenset(button.value for button in LINES.lamps if self.mock.lamp(button))
        records = tuple((record.kind, dict(record.data)) for record in self.s.journal.last_game())
        self.acts.append(Act(name, picture=picture, lamps=lit, records=records, lies=self.film, **done))

    def close(self) -> None:
        self.s.close()


def begin_turn(evening: Rehearsal) -> None:
    """Five dice have been thrown and three are held: the middle of a turn, from which most scenarios go on."""
    evening.press("score")
    evening.press("score")
    evening.throw(5, 2, 5, 6, 5)
    for n in [n for n, die in enumerate(evening.table.play.dice, 1) if die.value == 5]:
        evening.press(f"hold{n}")
