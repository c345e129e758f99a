"""Photos that are varied stay photos of the same dice, and what is misread is told."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
import vary_reader
from bench_reader import draw_tray

from vision.types import Image


@pytest.fixture(scope="module")
def photo() -> Image:
    return draw_tray(1, 640, 480, 120.0)


def test_a_seed_says_how_a_photo_is_varied(photo: Image) -> None:
    first, again, other = (vary_reader.varied(photo, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert np.array_equal(first, again) and first.dtype == np.uint8
    assert first.shape != other.shape or not np.array_equal(first, other)


def test_what_is_read_is_held_against_the_label(
    photo: Image, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "dice-photos"
    (folder / "images").mkdir(parents=True)
    cv2.imwrite(str(folder / "images" / "one.png"), photo)
    value = vary_reader.read(photo, vary_reader.Tray()).values[0]
    head = "file,values,view,difficulty,repo\n"
    for label, line in ((value, "| 2 | 2 | 0 | 0 |"), (value % 6 + 1, "| 2 | 0 | 0 | 2 |")):
        (folder / "manifest.csv").write_text(f"{head}one.png,{label},top,easy,somebody\n", encoding="utf-8")
        argv = ["vary_reader.py", str(tmp_path), "--times", "2", "--keep", str(tmp_path / str(label))]
        monkeypatch.setattr("sys.argv", argv)
        assert vary_reader.main() == 0
        assert line in capsys.readouterr().out
        assert len(list((tmp_path / str(label)).glob("*.png"))) == (0 if label == value else 2)


def test_without_photos_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["vary_reader.py", str(tmp_path)])
    assert vary_reader.main() == 2
    assert "no photos" in capsys.readouterr().out
