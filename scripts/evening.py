"""A whole evening at the simulated table, with what is seen and heard: `make evening`.

Room: none; a tool for people who want to see and hear the table without one. From the invitation to the last match:
a scorecard game with a misread, an undo, a late player and a power cut, and a match of two games of setting dice aside.
Everything is pressed with the panel's buttons. Pictures and sounds go to build/evening; nothing is waited for.

    python scripts/evening.py [--out build/evening] [--seed 7] [--rounds 13] [--no-voice]
"""

from __future__ import annotations

import argparse
import math
import shutil
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import rules
from firmware.demo_command import true_values
from firmware.journal_names import known_names
from firmware.scene_list import ListScene
from firmware.stepped import HandClock, SteppedTable
from firmware.table import Mode, TableSettings
from firmware.turns import best_aside
from hardware.buttons import HOLDS, Button
from hardware.camera_sim import SimCamera
from vision.reader import read
from vision.types import Image, Reading, Tray

WIDTH, HEIGHT = 960, 540
PATIENCE_S = 12.0
ENOUGH = 25
"""A box that pays this much is taken at once; a turn that holds ENOUGH times 10 is banked."""
LAYOUT = 11


class Evening:
    """The table and the people at it."""

    def __init__(self, folder: Path, out: Path, seed: int, *, voice: bool) -> None:
        self.folder, self.out, self.seed = folder, out, seed
        self.clock = HandClock()
        self.sound = Sound(self.clock, voice=voice)
        self.pictures = 0
        self.counts: Counter[str] = Counter()
        self.misread = False
        self.camera = SimCamera(seed=seed, width=WIDTH, height=HEIGHT, clock=self.clock.clock)
        self.start()

    def start(self) -> None:
        """Switch the table on."""
        settings = TableSettings("yardzee", 2, ("Ann", "Bo"), attract=True)
        facts = {
            "language": "en",
            "names": tuple(dict.fromkeys(("Cleo", *known_names(self.folder / "journal.sqlite3")))),
            "platform": "sim",
            "version": "evening",
            "sound.on": True,
            "sound.volume": 80,
            "sound.caller": self.sound.audio.settings.caller,
        }
        self.s = SteppedTable(
            self.folder,
            self.camera,
            self.clock,
            settings=settings,
            layout=LAYOUT,
            banners=("evening",),
            audio=self.sound.audio,
            facts=facts,
            read=self.read,
        )

    @property
    def t(self):  # type: ignore[no-untyped-def]
        return self.s.table

    def read(self, image: Image, tray: Tray) -> Reading:
        """The reader; once it takes a die for another, as a scratch on it might let it."""
        found = read(image, tray)
        if self.misread and len(found.dice) == self.t.wanted:
            die = found.dice[0]
            wrong = replace(die, value=die.value % 6 + 1, confidence=0.8)
            found = replace(found, dice=(wrong, *found.dice[1:]))
        return found

    def power_cut(self) -> None:
        """The power fails in the middle of a turn, and comes back: what the disk held then is all there is."""
        play = self.t.play
        lying = [lie(d.corners, d.value) for d in (*play.lying, *play.dice) if d.corners is not None]
        self.save("power cut")
        after = self.folder.with_name(self.folder.name + "-after")
        shutil.copytree(self.folder, after)
        before = (play.game.position, [d.value for d in play.dice])
        self.s.close()
        self.folder = after
        self.camera = SimCamera(seed=self.seed, width=WIDTH, height=HEIGHT, clock=self.clock.clock, lying=lying, life=1)
        self.clock.t += 20.0
        self.start()
        self.s.advance(2.0)
        play = self.t.play
        assert play is not None
        assert (play.game.position, [d.value for d in play.dice]) == before, "after a power cut the state is another"
        self.save("power is back")

    # ---- what people do -----------------------------------------------------------------------------------------

    def press(self, button: Button, held_s: float = 0.1) -> None:
        self.s.press(button, held_s)

    def both(self, one: Button, other: Button, seconds: float) -> None:
        """Hold two buttons together, as the keys that stand for them."""
        from hardware.panel_keys import KEYS, KeyPanel

        panel = self.s.panel
        assert isinstance(panel, KeyPanel)
        keys = [KEYS[LAYOUT][b][0] for b in (one, other)]
        for key in keys:
            panel.key(key, True, self.clock.t)
            self.s.step()
        self.s.advance(seconds)
        for key in keys:
            panel.key(key, False, self.clock.t)
            self.s.step()
        self.s.advance(0.2)

    def choose(self, *labels: str) -> None:
        """Go to each of these lines in turn, and take it."""
        for label in labels:
            scene = self.t.scene
            assert isinstance(scene, ListScene), self.t.mode
            for _ in scene.lines(self.t):
                line = scene.line(self.t)
                if line is not None and str(line.label) == label:
                    break
                self.press(Button.DOWN)
            else:
                raise SystemExit(f"no line {label!r} in {self.t.mode}")
            self.press(Button.SCORE)

    def throw(self) -> None:
        """ROLL, and put right what was read wrong, as people do who look into the tray."""
        play = self.t.play
        ply = play.game.ply
        self.press(Button.ROLL)
        self.counts["throws"] += 1

        def took() -> bool:
            return any(isinstance(m, rules.Roll) for m in play.game.moves[ply:])

        if not self.s.until(took, PATIENCE_S):
            self.counts["asked"] += 1
            self.save("asked")
            self.s.tell_camera("tap")
            if not self.s.until(took, PATIENCE_S):
                self.enter()
        self.s.advance(0.3)
        truth = sorted(d.value for d in self.camera.truth.dice if d.value is not None)
        lie_there = sorted(d.value for d in (*(play.lying if play.banking else ()), *play.dice))
        if play.dice and lie_there != truth:
            self.counts["misread"] += 1
            self.save("misread")
            self.enter()
            self.save("put right")

    def enter(self) -> None:
        """Enter the dice by the buttons, die by die."""
        self.press(Button.SCORE, held_s=1.0)
        form = self.t.entry
        assert form is not None
        self.save("correct")
        for n, value in enumerate(true_values(form, self.camera.truth, (WIDTH, HEIGHT))):
            for _ in form.values:
                if form.cursor != n:
                    self.press(Button.ROLL)
            self.press(HOLDS[value - 1])
        self.press(Button.SCORE)

    def card_turn(self) -> None:
        """A turn of a game with a card: keep those alike, take what pays enough."""
        play = self.t.play
        self.throw()
        while self.t.rolls_left:
            best = max(o.value or 0 for o in self.t.open_options)
            face, _ = max(Counter(play.game.dice).items(), key=lambda item: (item[1], item[0]))
            held = [n for n, d in enumerate(play.dice, 1) if d.value == face]
            if best >= ENOUGH or len(held) == len(play.dice):
                break
            for n in held:
                self.press(HOLDS[n - 1])
            self.throw()
        if self.t.mode is Mode.PLAY:
            self.press(Button.SCORE)
        self.press(Button.SCORE)

    def aside_turn(self) -> None:
        """A turn of a game of setting aside: bank as soon as that is allowed."""
        play = self.t.play
        self.throw()
        if not play.dice:
            return  # worth nothing
        if play.game.check(rules.SetAside(best_aside(play))) is None:
            trial = play.game.copy()
            trial.push(rules.SetAside(best_aside(play)))
            if trial.check(rules.Stop()) is None:
                self.press(Button.SCORE)
                return
        for face in best_aside(play):
            free = (n for n, d in enumerate(play.dice, 1) if d.value == face and n not in play.marks)
            self.press(HOLDS[next(free) - 1])
        self.aside_turn()

    def save(self, what: str) -> None:
        """Keep the picture of the screen."""
        self.pictures += 1
        self.s.save(self.out / f"{self.pictures:03}-{what.replace(' ', '-')}.png")
        print(f"{self.clock.t - 1000.0:7.1f} s  {what}", flush=True)


class Sound:
    """What is heard, written down with the time that is moved by hand."""

    def __init__(self, clock: HandClock, *, voice: bool) -> None:
        from firmware.audio import Audio, AudioSettings
        from hardware.speaker_file import FileSpeaker
        from hardware.voice import PatientVoice, available

        self.speaker = FileSpeaker(clock.now)
        speaks = PatientVoice() if voice and available() else None
        settings = AudioSettings(volume=0.8, caller=speaks is not None)
        self.audio = Audio(self.speaker, speaks, settings, minute=lambda: 0, log=print)
        self.audio.set_up(clock.now())


def lie(corners, value):  # type: ignore[no-untyped-def]
    """A die as the simulated tray takes it: value, centre in shares of the picture, yaw."""
    x, y = (sum(c[i] for c in corners) / 4 for i in (0, 1))
    (ax, ay), (bx, by) = corners[0], corners[1]
    return value, x, y, -math.atan2((by - ay) * HEIGHT, (bx - ax) * WIDTH)


def first_match(e: Evening, rounds: int) -> None:
    """Yardzee, with everything that happens to people."""
    e.s.advance(1.5)
    e.save("invitation")
    e.press(Button.SCORE)
    e.save("who plays")
    e.press(Button.SCORE)
    e.save("first throw")
    e.card_turn()
    e.save("a turn is written")
    e.press(Button.UNDO)
    e.save("undo")
    e.press(Button.SCORE)
    if e.t.mode is Mode.CHOOSE:
        e.press(Button.SCORE)
    e.save("written again")
    e.misread = True
    e.press(Button.ROLL)
    e.s.until(lambda: bool(e.t.play.dice), PATIENCE_S)
    e.misread = False
    e.save("misread")
    e.enter()
    e.save("put right")
    e.counts["misread"] += 1
    e.press(Button.SCORE)
    e.press(Button.SCORE)
    e.both(Button.ROLL, Button.SCORE, 1.3)
    e.save("menu of the game")
    e.choose("A player joins")
    e.save("who joins")
    e.choose("Cleo")
    e.save("three play")
    e.throw()
    e.power_cut()
    if e.t.mode is Mode.PLAY:
        e.press(Button.SCORE)
    e.press(Button.SCORE)
    while not e.t.over and e.t.play.game.round <= rounds:
        e.card_turn()
    if e.t.over:
        e.s.advance(1.0)
        e.save("result")
        e.press(Button.ROLL)
    else:
        e.both(Button.ROLL, Button.SCORE, 1.3)
        e.choose("End the game now")
        e.save("end it now")
        e.choose("Yes, nobody wins it")


def second_match(e: Evening) -> None:
    """Farkle, two games, chosen and agreed upon by buttons."""
    e.press(Button.ROLL, held_s=1.8)
    e.save("what do you play")
    e.choose("Game")
    e.save("choice of game")
    e.choose("Farkle")
    e.choose("House rules")
    e.save("house rules")
    e.choose("How many games make a match; the points of all games are added.")
    while e.t.house["farkle"].get("target") != 1000:
        line = e.t.scene.line(e.t)
        if line.label != "The total that ends the game.":
            e.press(Button.DOWN)
        else:
            e.press(HOLDS[4] if e.t.house["farkle"].get("target", 10000) > 5500 else HOLDS[2])
    e.save("shorter games")
    e.press(Button.ROLL)
    e.choose("The rules as you play them")
    e.save("rules as played")
    e.press(Button.SCORE)
    e.choose("Names and seats")
    e.save("seats")
    e.press(Button.ROLL)
    e.press(Button.ROLL)
    e.press(Button.SCORE)
    shown = 0
    while not e.t.over:
        e.aside_turn()
        if len(e.t.play.game.finished) > shown:
            shown = len(e.t.play.game.finished)
            e.save(f"game {shown} of the match")
    e.s.advance(1.5)
    e.save("result of the match")


def the_host(e: Evening) -> None:
    """The host looks after the table, and then nobody is there any more."""
    e.both(Button.HOLD1, Button.SCORE, 2.3)
    e.both(Button.HOLD1, Button.SCORE, 5.3)
    e.save("service")
    e.choose("Camera: what it sees")
    e.s.advance(0.5)
    e.save("camera")
    e.press(Button.ROLL)
    e.choose("Test the buttons")
    e.press(HOLDS[2])
    e.s.advance(0.5)
    e.save("button test")
    e.press(Button.ROLL, held_s=2.0)
    e.choose("Sound, screen, language")
    e.choose("Language")
    e.s.advance(0.5)
    e.save("another language")
    e.press(Button.ROLL)
    e.press(Button.ROLL)
    e.press(Button.ROLL)
    e.press(Button.UNDO)
    e.s.advance(1.0)
    e.save("invitation with the best of the night")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("build/evening"))
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--rounds", type=int, default=13, help="rounds of the first match (13: to its end)")
    parser.add_argument("--no-voice", action="store_true", help="sounds without the caller")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for old in args.out.glob("*.png"):
        old.unlink()
    with tempfile.TemporaryDirectory(prefix="dicetable-") as folder:
        e = Evening(Path(folder) / "data", args.out, args.seed, voice=not args.no_voice)
        try:
            first_match(e, args.rounds)
            second_match(e)
            the_host(e)
        finally:
            e.s.close()
        e.sound.speaker.save(args.out / "evening.wav")
        heard = Counter(name for _t, name in e.sound.speaker.heard)
    print(f"\nheard: {', '.join(f'{n} x {name}' for name, n in heard.most_common())}")
    print(
        f"evening: {e.counts['throws']} throws, {e.counts['asked']} asked about, {e.counts['misread']} put right, "
        f"{e.pictures} pictures and evening.wav in {args.out}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
