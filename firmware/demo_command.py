"""Let the simulated table play a game by itself, tell it in the terminal, and keep pictures of its screen.

Room: firmware. The real loop, reader and screen on the simulated tray; only time is not waited for. The player that
presses the buttons here is a simple one, and honest: what the camera misreads is put right, as people would.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import rules
from firmware import words
from firmware.entry import Entry
from firmware.stepped import HandClock, SteppedTable
from firmware.table import Mode, TableSettings
from hardware.buttons import HOLDS, Button
from hardware.camera_sim import SimCamera
from hardware.sim_truth import Truth

NAMES = ("Ann", "Bo", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")
ENOUGH = 25
"""A box that pays this much is taken at once."""
PATIENCE_S = 12.0
WIDTH, HEIGHT = 1280, 720


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--rounds", type=int, default=13, metavar="N", help="stop after so many rounds (default 13: all)"
    )
    parser.add_argument("--players", type=int, default=2, metavar="N", help="1 to 8 (default 2)")
    cards = [g.name for g in rules.games() if g.family == "scorecard"]
    parser.add_argument("--game", default="yardzee", choices=cards, help="a game with a card (default yardzee)")
    parser.add_argument("--seed", type=int, default=7, metavar="N", help="another seed, another evening")
    parser.add_argument(
        "--sound",
        type=Path,
        metavar="FILE",
        help="also write what is heard as a WAV file, with the caller if it is there",
    )
    parser.add_argument("--spoken", action="store_true", help="with --sound: the spoken mode in place of the caller")
    parser.add_argument("--out", type=Path, default=Path("demo"), metavar="DIR", help="where the pictures go")


def run(args: argparse.Namespace) -> int:
    players = max(1, min(8, args.players))
    return demonstrate(args.rounds, players, args.seed, args.out, args.game, args.sound, spoken=args.spoken)


def demonstrate(
    rounds: int,
    players: int,
    seed: int,
    out: Path,
    game: str = "yardzee",
    sound: Path | None = None,
    *,
    spoken: bool = False,
) -> int:
    """Play `rounds` rounds; pictures go to `out`, what is heard to `sound`. Returns the exit status."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="dicetable-") as folder:
        clock = HandClock()
        camera = SimCamera(seed=seed, width=WIDTH, height=HEIGHT, clock=clock.clock)
        settings = TableSettings(game, players, NAMES)
        banners = (words.SIMULATED, words.DEMONSTRATION)
        recording = Recording(clock, spoken=spoken) if sound is not None else None
        audio = recording.audio if recording is not None else None
        table = SteppedTable(Path(folder), camera, clock, settings=settings, banners=banners, audio=audio)
        try:
            _Player(table, camera, out).play(rounds)
        finally:
            table.close()
        if recording is not None and sound is not None:
            recording.speaker.save(sound)
            print(f"\nWhat was heard: {sound.resolve()}")
    print(f"\nPictures of the screen: {out.resolve()}")
    return 0


class Recording:
    """What is heard of a table whose time is moved by hand."""

    def __init__(self, clock: HandClock, *, spoken: bool) -> None:
        from firmware.audio import Audio, AudioSettings
        from hardware.speaker_file import FileSpeaker
        from hardware.voice import PatientVoice, available

        self.speaker = FileSpeaker(clock.now)
        voice = PatientVoice() if available() else None
        settings = AudioSettings(volume=0.8, caller=not spoken, spoken=spoken)
        self.audio = Audio(self.speaker, voice, settings, minute=lambda: 0, log=print)
        self.audio.set_up(clock.now())


class _Player:
    def __init__(self, table: SteppedTable, camera: SimCamera, out: Path) -> None:
        self._s = table
        self._t = table.table
        self._camera = camera
        self._out = out
        self._saved = 0
        self._rolls = self._asked = self._wrong = 0

    def play(self, rounds: int) -> None:
        self._s.advance(1.0)
        self._save("start")
        self._s.press(Button.SCORE)
        play = self._t.play
        assert play is not None
        print(f"{play.game.title}: {', '.join(play.players)}\n")
        while not self._t.over and play.game.round <= rounds:
            self._turn()
        self._s.advance(1.0)
        self._save("end")
        print(
            "\n" + "\n".join(f"{name:12}{total:5}" for name, total in zip(play.players, play.game.totals, strict=True))
        )
        print(f"\n{self._rolls} rolls; the reader asked at {self._asked} of them and was wrong at {self._wrong}.")

    def _turn(self) -> None:
        play = self._t.play
        assert play is not None
        name = play.players[play.game.turn]
        self._throw()
        while True:
            best = max(o.value or 0 for o in self._t.open_options)
            held = self._hold(play.game.dice)
            if not self._t.rolls_left or best >= ENOUGH or len(held) == len(play.dice):
                break
            for n in held:
                self._s.press(HOLDS[n - 1])
            if play.game.round == 1:
                self._save("held")
            self._throw()
        if self._t.mode is Mode.PLAY:
            self._s.press(Button.SCORE)
        option = self._t.open_options[self._t.row]
        if play.game.round == 1:
            self._save("choose")
        label = next(b.label for b in play.game.boxes if b.key == option.box)
        self._s.press(Button.SCORE)
        print(f"{name:12}{'':14}{label} {option.value}")

    @staticmethod
    def _hold(dice: Sequence[int]) -> list[int]:
        """The numbers of the dice to keep: those alike, or the highest."""
        face, _ = max(Counter(dice).items(), key=lambda item: (item[1], item[0]))
        return [n for n, value in enumerate(dice, 1) if value == face]

    def _throw(self) -> None:
        play = self._t.play
        assert play is not None
        name = play.players[play.game.turn]
        self._s.press(Button.ROLL)
        self._rolls += 1
        if not self._s.until(lambda: bool(play.dice), PATIENCE_S):
            self._asked += 1
            self._save("asked")
            # What a player would do: tap what leans, and enter what still can't be read.
            self._s.tell_camera("tap")
            if not self._s.until(lambda: bool(play.dice), PATIENCE_S):
                self._enter()
        elif play.game.dice and tuple(sorted(play.game.dice)) != tuple(sorted(self._camera.truth.values)):
            self._wrong += 1
            self._save("misread")
            self._enter()
        self._s.advance(0.5)
        if play.game.round == 1:
            self._save("roll")
        print(f"{name:12}{'-'.join(map(str, play.game.dice)):14}roll {play.game.rolls_made}")

    def _enter(self) -> None:
        """Enter the dice by the buttons, die by die, as somebody would who looks into the tray."""
        self._s.press(Button.SCORE, held_s=1.0)
        form = self._t.entry
        assert form is not None
        for n, value in enumerate(true_values(form, self._camera.truth, (WIDTH, HEIGHT))):
            for _ in form.values:
                if form.cursor != n:
                    self._s.press(Button.ROLL)
            self._s.press(HOLDS[value - 1])
        self._s.press(Button.SCORE)

    def _save(self, what: str) -> None:
        self._saved += 1
        self._s.save(self._out / f"{self._saved:03}-{what}.png")


def true_values(form: Entry, truth: Truth, size: tuple[int, int]) -> list[int]:
    """What the dice of the form show: the true die that lies where the camera saw one, the others in any order.

    `size` is width and height of the camera's picture in pixels; the form knows places as parts of it.
    """
    left = [d for d in truth.dice if d.value is not None]
    values: list[int | None] = []
    for seen in form.dice:
        if seen is None or seen.centre is None or not left:
            values.append(None)
            continue
        x, y = seen.centre[0] * size[0], seen.centre[1] * size[1]
        nearest = min(left, key=lambda d: (d.x - x) ** 2 + (d.y - y) ** 2)
        left.remove(nearest)
        values.append(nearest.value)
    rest = [d.value for d in left if d.value is not None]
    return [rest.pop() if v is None else v for v in values]
