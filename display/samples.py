"""Example views of every scene, for looking at the screen without a table: tests and `scripts/pictures.py` use them.

Room: display. Made of plain values, as `firmware` makes them; knows no rule, so the numbers are only plausible.
"""

from __future__ import annotations

import dataclasses
import math
from functools import lru_cache

import pygame

from display.view import (
    DieView,
    KeyHint,
    MenuItem,
    Message,
    Picture,
    PlayerView,
    Point,
    Row,
    RowKind,
    Scene,
    TrayView,
    View,
)

NAMES = ("Ann", "Bo", "Christopher", "Dagmara", "Élodie", "Françoise", "Grzegorz", "Hildegard")
LONG_NAMES = (
    "Maximiliane-Carlotta",
    "Bartholomew of York",
    "Die Unbesiegbaren 3.",
    "Żółć Gęślą Jaźń",
    "Jean-Luc & Françoise",
    "Wolfeschlegelstein",
    "Señorita María-José",
    "O'Connor-Fitzgerald",
)
TOTALS = (180, 187, 96, 240, 155, 8, 301, 122)
"""In the middle of a game; the first is the sum of `card_rows()`."""
FINAL_TOTALS = (377, 287, 196, 340, 255, 108, 301, 222)
"""At the end; the first is the sum of `card_rows(over=True)`."""

_FACES: dict[int, tuple[Point, ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}

_PLACES: tuple[tuple[float, float, float], ...] = (
    (0.16, 0.36, 0.3),
    (0.33, 0.68, 0.9),
    (0.52, 0.32, 0.1),
    (0.66, 0.62, 0.5),
    (0.85, 0.4, 1.2),
    (0.47, 0.84, 0.2),
)
"""Where the dice of the example tray lie: x, y as shares of the picture, and the turn in radians."""


def _corners(x: float, y: float, turn: float, half: float, aspect: float) -> tuple[Point, Point, Point, Point]:
    at = []
    for i in range(4):
        angle = turn + math.pi / 4 + i * math.pi / 2
        at.append((x + half * math.sqrt(2) * math.cos(angle) / aspect, y + half * math.sqrt(2) * math.sin(angle)))
    return (at[0], at[1], at[2], at[3])


@lru_cache(maxsize=16)
def tray_picture(values: tuple[int, ...], number: int = 1, width: int = 640, height: int = 480) -> Picture:
    """A drawn tray with dice of these values at the places that `dice` gives them."""
    big = pygame.Surface((width * 2, height * 2), 0, 32)
    big.fill((34, 74, 56))
    pygame.draw.rect(big, (70, 48, 30), big.get_rect(), round(height * 0.05))
    half = height * 2 * 0.075
    for value, (x, y, turn) in zip(values, _PLACES, strict=False):
        cx, cy = x * width * 2, y * height * 2
        shade = [(cx + px * 1.06 + 8, cy + py * 1.06 + 10) for px, py in _square(half, turn)]
        pygame.draw.polygon(big, (20, 46, 34), shade)
        pygame.draw.polygon(big, (236, 232, 220), [(cx + px, cy + py) for px, py in _square(half, turn)])
        for px, py in _FACES[value]:
            dx, dy = px * half * 0.5, py * half * 0.5
            rx = dx * math.cos(turn) - dy * math.sin(turn)
            ry = dx * math.sin(turn) + dy * math.cos(turn)
            pygame.draw.circle(big, (24, 24, 30), (cx + rx, cy + ry), half * 0.17)
    small = pygame.transform.smoothscale(big, (width, height))
    return Picture(number, width, height, pygame.image.tobytes(small, "RGB"))


def _square(half: float, turn: float) -> list[Point]:
    r = half * math.sqrt(2)
    return [(r * math.cos(turn + a), r * math.sin(turn + a)) for a in (math.pi * (0.25 + 0.5 * i) for i in range(4))]


def dice(
    values: tuple[int, ...], *, held: tuple[int, ...] = (), selected: int = 0, doubtful: int = 0
) -> tuple[DieView, ...]:
    """Dice as they lie in `tray_picture`; `held` are the numbers of those kept."""
    return tuple(
        DieView(
            number=i + 1,
            value=value,
            corners=_corners(x, y, turn, 0.075, 640 / 480),
            held=i + 1 in held,
            selected=i + 1 == selected,
            doubtful=i + 1 == doubtful,
        )
        for i, (value, (x, y, turn)) in enumerate(zip(values, _PLACES, strict=False))
    )


def players(count: int, *, active: int | None = 0, long: bool = False, over: bool = False) -> tuple[PlayerView, ...]:
    names = LONG_NAMES if long else NAMES
    totals = (FINAL_TOTALS if over else TOTALS)[:count]
    order = sorted(totals, reverse=True)
    return tuple(
        PlayerView(
            name=names[i],
            total=total,
            active=i == active,
            winner=over and total == order[0],
            place=order.index(total) + 1 if over else None,
        )
        for i, total in enumerate(totals)
    )


def card_rows(*, offers: bool = True, selected: str = "", over: bool = False) -> tuple[Row, ...]:
    """A Yardzee card in the middle of a game, or a full one."""
    boxes: list[tuple[str, str, str, int | None, int | None, str]] = [
        ("ones", "Ones", "upper", 3, None, ""),
        ("twos", "Twos", "upper", None, 2, ""),
        ("threes", "Threes", "upper", 9, None, ""),
        ("fours", "Fours", "upper", None, 0, "no die shows 4"),
        ("fives", "Fives", "upper", None, 15, ""),
        ("sixes", "Sixes", "upper", 18, None, ""),
        ("three_kind", "3 of a kind", "lower", None, 23, ""),
        ("four_kind", "4 of a kind", "lower", None, 0, "needs four alike"),
        ("full_house", "Full house", "lower", None, 0, "needs three of one face and two of another"),
        ("small_straight", "Small straight", "lower", 0, None, ""),
        ("large_straight", "Large straight", "lower", None, 0, "needs five faces in sequence"),
        ("yardzee", "Yardzee", "lower", 50, None, ""),
        ("chance", "Chance", "lower", None, 23, ""),
    ]
    full = {
        "twos": 6,
        "full_house": 25,
        "fours": 12,
        "fives": 15,
        "three_kind": 22,
        "four_kind": 18,
        "large_straight": 40,
        "chance": 24,
    }
    rows = []
    for key, label, section, written, offer, why in boxes:
        value = full.get(key, written) if over else written
        is_open = value is None and offers
        rows.append(
            Row(
                key,
                label,
                RowKind.BOX,
                section,
                value,
                offer if is_open else None,
                why if is_open else "",
                selected=key == selected,
                best=is_open and key == "three_kind",
                note="+100" if key == "yardzee" else "",
            )
        )
    upper = 63 if over else 30
    rows.insert(
        6,
        Row(
            "bonus",
            "Bonus",
            RowKind.SUM,
            "upper",
            35 if over else 0,
            note=f"{upper} of 63",
            progress=min(1, upper / 63),
        ),
    )
    rows.append(Row("upper", "Upper total", RowKind.SUM, "upper", 98 if over else 30))
    rows.append(Row("lower", "Lower total", RowKind.SUM, "lower", 279 if over else 150))
    rows.append(Row("total", "Total", RowKind.TOTAL, "", 377 if over else 180))
    return tuple(rows)


KEYS_3 = (
    KeyHint("HOLD", "next die"),
    KeyHint("ROLL", "hold 1.5 s: undo", enabled=False),
    KeyHint("SCORE", "choose a box"),
)
KEYS_SIM = (
    KeyHint("1-5", "hold"),
    KeyHint("R", "throw"),
    KeyHint("S", "score"),
    KeyHint("U", "undo", enabled=False),
    KeyHint("C", "correct"),
    KeyHint("Q", "quit"),
)
KEYS_MANY = (
    KeyHint("SPACE", "throw"),
    KeyHint("ENTER", "choose a box"),
    KeyHint("ENTER long", "correct a die"),
    KeyHint("SPACE long", "undo"),
    KeyHint("1-6", "hold a die", enabled=False),
    KeyHint("1-6 long", "correct a die"),
)
KEYS_CHOOSE = (
    KeyHint("UP", "up"),
    KeyHint("DOWN", "down"),
    KeyHint("SCORE", "write it"),
    KeyHint("ROLL", "throw again"),
    KeyHint("UNDO", "back", enabled=False),
)
BANNERS = ("simulated", "camera away", "saving")
LONG_BANNERS = (
    "simulated",
    "CAM-03: no picture has come for 5 seconds. Check the camera's cable; meanwhile enter the dice by hand.",
    "saving",
)

_VALUES = (5, 2, 5, 6, 5)


def turn(count: int = 2, **changes: object) -> View:
    """A second roll on the table; two of the fives are held."""
    view = View(
        scene=Scene.TURN,
        title="Yardzee",
        prompt="Throw the other 3 dice, or press SCORE",
        detail="HOLD keeps a die. Held: 1 and 3.",
        players=players(count),
        rows=card_rows(),
        tray=TrayView(tray_picture(_VALUES), dice(_VALUES, held=(1, 3)), "settled", True),
        roll=2,
        rolls=3,
        keys=KEYS_SIM,
    )
    return dataclasses.replace(view, **changes)  # type: ignore[arg-type]


def yardkle(count: int = 3) -> View:
    """A banking game: no boxes, only sums."""
    values = (1, 5, 3, 3, 2, 6)
    rows = (
        Row("bank", "On the pad", RowKind.SUM, "", 4350),
        Row("running", "This turn", RowKind.SUM, "", 450, note="lost if nothing scores"),
        Row("aside", "Set aside now", RowKind.SUM, "", 150, note="1 and 5"),
        Row("target", "To go", RowKind.SUM, "", 5650, note="10,000 wins", progress=0.435),
    )
    who = tuple(
        dataclasses.replace(p, total=(4350, 7200, 9950, 0, 150, 800, 2500, 5000)[i])
        for i, p in enumerate(players(count))
    )
    return View(
        scene=Scene.TURN,
        title="Yardkle",
        prompt="Set dice aside, then throw 4 or STOP",
        players=who,
        rows=rows,
        tray=TrayView(tray_picture(values), dice(values, held=(1, 2)), "settled", True),
        keys=(KeyHint("HOLD", "set aside"), KeyHint("ROLL", "throw on"), KeyHint("SCORE", "stop and keep 600")),
    )


def start(count: int = 2, *, long: bool = False) -> View:
    return View(
        scene=Scene.START,
        title="dicetable",
        prompt="Press SCORE to start",
        detail="UP and DOWN choose a line, HOLD changes it.",
        players=players(count, active=None, long=long),
        menu=(
            MenuItem("Start the game", selected=True),
            MenuItem("Game", "Yardzee"),
            MenuItem("Players", str(count)),
            MenuItem("Kept dice", "left lying in the tray"),
            MenuItem("Go on with the game of yesterday"),
        ),
        banners=("simulated",),
        keys=(KeyHint("UP", "up"), KeyHint("DOWN", "down"), KeyHint("HOLD", "change"), KeyHint("SCORE", "start")),
    )


def choose(count: int = 2) -> View:
    return turn(
        count,
        scene=Scene.CHOOSE,
        prompt="Choose a box, then press SCORE",
        detail="4 of a kind would be crossed out: needs four alike.",
        rows=card_rows(selected="four_kind"),
        keys=KEYS_CHOOSE,
        roll=3,
    )


def correct(count: int = 2, *, camera: bool = True) -> View:
    values = (5, 2, 5, 6, 5)
    seen = dice(values, selected=4, doubtful=4)
    return View(
        scene=Scene.CORRECT,
        title="Yardzee",
        prompt="What does die 4 show?",
        detail="HOLD goes to the next die, ROLL changes it, SCORE takes all five.",
        players=players(count),
        tray=TrayView(
            tray_picture(values) if camera else None,
            seen
            if camera
            else tuple(dataclasses.replace(d, corners=None, value=None if d.number > 3 else d.value) for d in seen),
            "unreadable" if camera else "no camera",
            camera,
        ),
        banners=() if camera else ("camera away",),
        keys=(KeyHint("HOLD", "next die"), KeyHint("ROLL", "change"), KeyHint("SCORE", "take these")),
    )


def _curve(total: int, turns: int, seed: int) -> tuple[int, ...]:
    weights = [1 + ((i * 7 + seed * 5) % 6) for i in range(turns)]
    whole = sum(weights)
    return tuple(round(total * sum(weights[: i + 1]) / whole) for i in range(turns))


def result(count: int = 2, *, long: bool = False) -> View:
    who = players(count, active=None, long=long, over=True)
    return View(
        scene=Scene.RESULT,
        title="Yardzee",
        prompt="Press SCORE for another game",
        detail="ROLL held takes the last box back.",
        players=who,
        rows=card_rows(over=True),
        curves=tuple(_curve(p.total, 13, i) for i, p in enumerate(who)),
        keys=(KeyHint("SCORE", "new game"), KeyHint("ROLL", "hold 1.5 s: undo")),
    )


def fault() -> View:
    return View(
        scene=Scene.FAULT,
        title="dicetable",
        prompt="The camera does not answer",
        detail="The table tries again every minute. For help run: dicetable diag",
        message=Message("CAM-03", "Check the camera's cable, then switch the table off and on again."),
        banners=("camera away",),
        keys=(KeyHint("SCORE", "try again"),),
    )


def views() -> dict[str, View]:
    """Name -> view: every scene, with 1, 2 and 8 players, long names, all banners, messages, and no camera."""
    from display.samples_around import around

    refusal = Message("TURN-04", "No more rolls in this turn: choose a box with SCORE.")
    question = Message("ASK-01", "Was that a throw? ROLL for yes, SCORE for no.")
    long_refusal = Message(
        "KEPT_CHANGED", "The dice that were kept are not all there. Put them back, or press SCORE and enter the dice."
    )
    upper_first = tuple(
        dataclasses.replace(r, offer=None, best=False, why="upper section first") if closed else r
        for r in card_rows()
        for closed in (r.section == "lower" and r.offer is not None,)
    )
    rolling = TrayView(tray_picture(()), (), "rolling", True)
    long_prompt = "Put the kept dice back into the tray beside the others, then press ROLL"
    waiting = turn(
        2,
        roll=0,
        prompt="Ann: throw all five dice",
        detail="",
        rows=card_rows(offers=False),
        tray=TrayView(tray_picture(()), (), "empty", True),
    )
    cocked = dataclasses.replace(
        turn(2).tray,
        dice=dice(_VALUES, doubtful=4),
        spots=(((0.66, 0.62), "tap it flat"), ((0.2, 0.8), "not a die")),
        state="unreadable",
    )
    return {
        "start_2": start(2),
        "start_8_long": start(8, long=True),
        "turn_1": turn(1),
        "turn_2": turn(2),
        "turn_waiting": waiting,
        "turn_8": turn(8, banners=BANNERS),
        "turn_8_long": turn(8, players=players(8, active=2, long=True), banners=BANNERS, message=refusal),
        "turn_refusal": turn(2, message=refusal),
        "turn_long_refusal": turn(2, message=long_refusal, keys=KEYS_MANY),
        "turn_long_banners": turn(3, banners=LONG_BANNERS),
        "turn_question": turn(2, message=question, prompt="Was that a throw?"),
        "turn_long_prompt": turn(2, prompt=long_prompt, banners=BANNERS),
        "turn_unreadable": turn(2, tray=cocked, prompt="One die leans: tap it flat", detail="", banners=("simulated",)),
        "turn_rolling": turn(2, roll=1, prompt="Ann: throw all five dice", detail="", tray=rolling),
        "turn_upper_first": turn(2, rows=upper_first),
        "turn_no_camera": turn(
            2,
            tray=TrayView(
                None,
                tuple(dataclasses.replace(d, corners=None) for d in dice(_VALUES, held=(1, 3))),
                "no camera",
                False,
            ),
            prompt="Throw, then press ROLL and enter the dice",
            banners=("camera away",),
        ),
        "turn_three_buttons": turn(4, keys=KEYS_3),
        "turn_yardkle": yardkle(3),
        "choose_2": choose(2),
        "choose_8": choose(8),
        "correct_2": correct(2),
        "correct_no_camera": correct(8, camera=False),
        "result_1": result(1),
        "result_2": result(2),
        "result_8_long": result(8, long=True),
        "fault": fault(),
        "turn_team": turn(
            2,
            players=(
                PlayerView("Ann & Bo", 180, active=True, note="Bo throws"),
                PlayerView("Élodie & Christopher", 187),
                PlayerView("Grzegorz", 96, away=True),
            ),
        ),
        "turn_chips": turn(
            2, rows=tuple(dataclasses.replace(r, chips=2) if r.key == "yardzee" else r for r in card_rows())
        ),
        "turn_asks": turn(
            2,
            prompt="Was that a throw?",
            message=Message("QUESTION", "Was that a throw? SCORE: yes. ROLL: no.", asks=True),
        ),
        **around(),
    }


@dataclasses.dataclass(frozen=True, slots=True)
class Shot:
    """A picture in docs/screens: a view of `views()`, the screen's size in pixels, its theme and rotation."""

    view: str
    size: tuple[int, int]
    theme: str = "dark"
    rotation: int = 0

    @property
    def name(self) -> str:
        turned = f"-{self.rotation}" if self.rotation else ""
        return f"{self.view}-{self.size[0]}x{self.size[1]}-{self.theme}{turned}"


_SMALL, _USUAL, _TINY, _TALL = (800, 480), (1280, 720), (480, 320), (480, 800)

SCREENS = (
    Shot("start_2", _USUAL),
    Shot("turn_2", _USUAL),
    Shot("result_8_long", _USUAL),
    Shot("start_8_long", _SMALL),
    Shot("attract", _SMALL),
    Shot("menu_games", _SMALL, "daylight"),
    Shot("turn_8_long", _SMALL),
    Shot("turn_asks", _SMALL),
    Shot("turn_long_refusal", _SMALL),
    Shot("turn_team", _SMALL),
    Shot("rolloff", _SMALL),
    Shot("turn_unreadable", _SMALL),
    Shot("turn_no_camera", _SMALL),
    Shot("turn_yardkle", _SMALL),
    Shot("choose_2", _SMALL, "daylight"),
    Shot("choose_8", _SMALL, "contrast"),
    Shot("correct_2", _SMALL),
    Shot("name", _SMALL),
    Shot("result_2", _SMALL, "daylight"),
    Shot("fault", _SMALL),
    Shot("turn_2", _TINY),
    Shot("page_rules", _TINY),
    Shot("grid_match", _SMALL, "contrast"),
    Shot("result_8_long", _TINY),
    Shot("turn_8", _TALL),
    Shot("choose_2", _SMALL, "dark", 90),
)
"""The pictures in docs/screens, which the tests compare with what is drawn now."""
