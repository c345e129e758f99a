"""The screen: what changes is drawn and nothing else, on screens mounted any way round; touches find what they touch.

Room: tests of display.
"""

from __future__ import annotations

import dataclasses
import itertools

import pygame
import pytest

from display import ops, samples, theme, typeset
from display.screen import ROTATIONS, Screen
from display.view import Message

SIZE = (480, 320)


def _surface(size: tuple[int, int]) -> pygame.Surface:
    surface = pygame.Surface(size, 0, 32)
    surface.fill((255, 0, 255))
    return surface


def _pixels(surface: pygame.Surface) -> bytes:
    return pygame.image.tobytes(surface, "RGB")


def _fresh(size: tuple[int, int], view, rotation: int = 0) -> pygame.Surface:
    surface = _surface(size)
    Screen(size, rotation).draw(surface, view, 0.0)
    return surface


def test_nothing_changed_draws_nothing():
    screen, surface = Screen(SIZE), _surface(SIZE)
    assert screen.draw(surface, samples.turn(2), 0.0) == [pygame.Rect(0, 0, *SIZE)]
    before = _pixels(surface)
    assert screen.draw(surface, samples.turn(2), 1.0) == []
    assert _pixels(surface) == before


def test_a_held_die_redraws_only_what_shows_it():
    screen, surface = Screen((1280, 720)), _surface((1280, 720))
    view = samples.turn(2)
    screen.draw(surface, view, 0.0)
    held = samples.dice((5, 2, 5, 6, 5), held=(1, 3, 5))
    rects = screen.draw(surface, dataclasses.replace(view, tray=dataclasses.replace(view.tray, dice=held)), 0.1)
    assert rects
    assert sum(r.width * r.height for r in rects) < 0.15 * 1280 * 720


def test_a_new_picture_redraws_only_the_tray():
    screen, surface = Screen((1280, 720)), _surface((1280, 720))
    view = samples.turn(2)
    screen.draw(surface, view, 0.0)
    other = dataclasses.replace(samples.tray_picture((1, 2, 3, 4, 5)), number=2)
    changed = dataclasses.replace(view, tray=dataclasses.replace(view.tray, picture=other))
    rects = screen.draw(surface, changed, 0.1)
    assert len(rects) == 1
    assert rects[0].width * rects[0].height < 0.2 * 1280 * 720
    assert _pixels(surface) == _pixels(_fresh((1280, 720), changed))


@pytest.mark.parametrize("rotation", ROTATIONS)
def test_a_view_looks_the_same_whatever_was_drawn_before(rotation):
    screen, surface = Screen(SIZE, rotation), _surface(SIZE)
    for name, view in samples.views().items():
        before = surface.copy()
        rects = screen.draw(surface, view, 0.0)
        assert _pixels(surface) == _pixels(_fresh(SIZE, view, rotation)), name
        for rect in rects:
            before.blit(surface, rect, rect)
        assert _pixels(before) == _pixels(surface), f"{name}: pixels changed outside the rectangles returned"


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_turned_screen_shows_the_upright_picture_turned(rotation):
    upright = SIZE if rotation == 180 else (SIZE[1], SIZE[0])
    turned = pygame.transform.rotate(_fresh(upright, samples.choose(8)), -rotation)
    assert _pixels(_fresh(SIZE, samples.choose(8), rotation)) == _pixels(turned)


@pytest.mark.parametrize(
    ("size", "rotation"), [*(((480, 320), r) for r in ROTATIONS), ((1280, 720), 0), ((480, 800), 90)]
)
def test_a_touch_at_the_middle_of_each_drawn_thing_finds_it(size, rotation):
    for name, view in samples.views().items():
        screen, surface = Screen(size, rotation), _surface(size)
        screen.draw(surface, view, 0.0)
        wanted = [f"key:{k.key}" for k in {k.action: k for k in reversed(view.keys)}.values()]
        wanted += [f"die:{d.number}" for d in view.tray.dice]
        if view.scene in ("turn", "choose"):
            wanted += [f"row:{r.key}" for r in view.rows if r.kind == "box"]
        if view.scene in ("start", "menu"):
            wanted += [f"menu:{i}" for i in range(min(3, len(view.menu)))]
        assert screen._sheet is not None
        boxes = dict(screen._sheet.zones)
        for what in wanted:
            x, y = boxes[what].centre
            w, h = size
            if rotation == 90:
                x, y = w - 1 - y, x
            elif rotation == 180:
                x, y = w - 1 - x, h - 1 - y
            elif rotation == 270:
                x, y = y, h - 1 - x
            assert screen.hit(x, y) == what, (name, what)


def test_a_touch_on_nothing_finds_nothing():
    screen = Screen(SIZE)
    assert screen.hit(10, 10) is None
    screen.draw(_surface(SIZE), samples.fault(), 0.0)
    assert screen.hit(1, 1) is None


def test_another_surface_is_drawn_whole():
    screen = Screen(SIZE)
    screen.draw(_surface(SIZE), samples.turn(2), 0.0)
    second = _surface(SIZE)
    assert screen.draw(second, samples.turn(2), 0.0) == [pygame.Rect(0, 0, *SIZE)]
    assert _pixels(second) == _pixels(_fresh(SIZE, samples.turn(2)))


def test_a_screen_that_lost_its_contents_is_drawn_whole():
    screen, surface = Screen(SIZE), _surface(SIZE)
    screen.draw(surface, samples.turn(2), 0.0)
    surface.fill((0, 0, 0))
    screen.forget()
    screen.draw(surface, samples.turn(2), 0.0)
    assert _pixels(surface) == _pixels(_fresh(SIZE, samples.turn(2)))


def test_wrong_rotation_theme_and_surface_are_refused():
    with pytest.raises(ValueError, match="45"):
        Screen(SIZE, rotation=45)
    with pytest.raises(ValueError, match="pink"):
        Screen(SIZE, theme="pink")
    with pytest.raises(ValueError, match="480"):
        Screen(SIZE).draw(_surface((320, 480)), samples.turn(2), 0.0)


def test_held_and_doubtful_dice_differ_in_more_than_colour():
    """With every colour turned to grey the marks must still be told apart: a lock or a question mark is there."""

    def marks(view) -> tuple[set[str], set[str]]:
        screen = Screen((1280, 720))
        screen.draw(_surface((1280, 720)), view, 0.0)
        assert screen._sheet is not None
        icons = {op.name for op in screen._sheet.ops if isinstance(op, ops.Icon)}
        texts = {run.text for op in screen._sheet.ops if isinstance(op, ops.Text) for run in op.runs}
        return icons, texts

    plain_icons, plain_texts = marks(samples.correct(2).__class__(scene=samples.turn(2).scene))
    held_icons, held_texts = marks(samples.turn(2))
    assert "lock" in held_icons - plain_icons
    assert "1 HELD" in held_texts - plain_texts
    assert "4 ?" in marks(samples.correct(2))[1]


def test_the_refusal_shows_its_words_and_its_code():
    message = Message("TURN-04", "No more rolls in this turn")
    screen = Screen((800, 480))
    screen.draw(_surface((800, 480)), samples.turn(2, message=message), 0.0)
    assert screen._sheet is not None
    texts = {run.text for op in screen._sheet.ops if isinstance(op, ops.Text) for run in op.runs}
    assert {"TURN-04", "No more rolls in this turn"} <= texts


@pytest.mark.parametrize("palette", theme.THEMES.values(), ids=list(theme.THEMES))
def test_text_of_every_theme_passes_wcag_aa(palette):
    for ink, paper in theme.PAIRS:
        ratio = theme.contrast_ratio(getattr(palette, ink), getattr(palette, paper))
        assert ratio >= 4.5, f"{palette.name}: {ink} on {paper} has {ratio:.2f}"
    for colour in palette.series:
        assert theme.contrast_ratio(colour, palette.panel) >= 3.0, f"{palette.name}: curve {colour}"
        assert theme.contrast_ratio(palette.panel, colour) >= 4.5, f"{palette.name}: number on {colour}"


def test_contrast_ratio_of_black_and_white_is_21():
    assert theme.contrast_ratio((0, 0, 0), (255, 255, 255)) == pytest.approx(21.0)
    assert theme.contrast_ratio((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)


def test_the_fonts_have_the_letters_of_six_languages():
    german, french, spanish = "äöüßÄÖÜ„“", "àâæçéèêëîïôœùûüÿÀÂÆÇÉÈÊËÎÏÔŒÙÛÜŸ«»’", "áéíñóúüÁÉÍÑÓÚÜ¡¿"
    dutch, polish = "áéëíïóöúüÉË", "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ”"
    ascii_letters = "".join(map(chr, range(32, 127)))
    for letters in (ascii_letters, german, french, spanish, dutch, polish, "…–—×·€\u202f\u00a0"):
        assert typeset.missing_glyphs(letters) == ""
    assert typeset.missing_glyphs("漢") == "漢"


def test_a_text_too_long_for_any_size_is_shortened_and_says_so():
    fitted = typeset.fit("a very long sentence indeed", 60, 20, most_px=16, floor_px=12)
    assert not fitted.fits
    assert fitted.lines[-1].endswith("…")
    assert fitted.width <= 60


def test_wrapped_text_keeps_every_word():
    words = "Put the kept dice back into the tray beside the others, then press ROLL"
    fitted = typeset.fit(words, 300, 100, most_px=40, floor_px=12, lines=3)
    assert fitted.fits
    assert " ".join(fitted.lines) == words
    assert all(w <= 300 for w in fitted.widths)


def test_changed_rectangles_never_overlap():
    whole = pygame.Rect(0, 0, 400, 400)
    boxes = [ops.Box(10 * i, 10 * (i % 7), 15, 15) for i in range(20)]
    rects = ops.changed([], [ops.Fill(b, (1, 2, 3)) for b in boxes], whole)
    assert rects
    for a, b in itertools.combinations(rects, 2):
        assert not a.colliderect(b)
    for box in boxes:
        assert any(r.contains(pygame.Rect(box)) for r in rects)
