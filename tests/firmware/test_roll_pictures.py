"""The picture of each accepted roll: kept, bounded, deleted, and never in the way."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware import cli
from firmware.events import IntentKind as I
from firmware.roll_pictures import FOLDER, RollPictures, delete_all
from vision.types import Frame

from .evening import Evening


def frame(number: int, grey: int = 100) -> Frame:
    rng = np.random.default_rng(number)
    image = rng.integers(grey - 50, grey + 50, (120, 160, 3), dtype=np.uint8)
    return Frame(image, number, number / 30)


def kept(folder: Path) -> list[str]:
    return sorted(p.stem for p in folder.glob("*.jpg"))


def test_only_what_is_asked_for_is_written(tmp_path: Path) -> None:
    pictures = RollPictures(tmp_path, 1.0)
    for n in range(3):
        pictures.see(frame(n))
    name = pictures.name(1)
    assert pictures.name(1) == name, "two readings of one picture share its name"
    assert pictures.name(99) == "", "a frame that is gone has none"
    assert not kept(tmp_path)
    pictures.keep(name)
    pictures.keep("unknown")
    pictures.close()
    assert kept(tmp_path) == [name]
    image = cv2.imread(str(tmp_path / f"{name}.jpg"))
    assert image is not None
    assert image.shape == (120, 160, 3)
    assert abs(float(image.mean()) - float(frame(1).image.mean())) < 3


def test_the_oldest_go_when_there_is_no_more_room(tmp_path: Path) -> None:
    names = []
    size = 0
    for n in range(6):
        # A new one each time, as after a start: what lies there already counts.
        pictures = RollPictures(tmp_path, 0.05)
        pictures.see(frame(n))
        names.append(pictures.name(n))
        pictures.keep(names[-1])
        pictures.close()
        size = (tmp_path / f"{names[-1]}.jpg").stat().st_size
        os.utime(tmp_path / f"{names[-1]}.jpg", (1000 + n, 1000 + n))
    fits = 50_000 // size
    assert 1 <= fits < 6
    assert kept(tmp_path) == sorted(names[-fits:])


def test_a_full_disk_costs_the_picture_and_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    pictures = RollPictures(tmp_path, 1.0)
    for n in range(2):
        pictures.see(frame(n))
        pictures.keep(pictures.name(n))
    pictures.close()
    assert kept(tmp_path) == []
    assert capsys.readouterr().err.count("PIC-01") == 1


def test_they_can_be_deleted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pictures = RollPictures(tmp_path / FOLDER, 1.0)
    pictures.see(frame(1))
    pictures.keep(pictures.name(1))
    pictures.close()
    assert cli.main(["stats", "--data", str(tmp_path), "--delete-pictures"]) == 0
    assert "1" in capsys.readouterr().out
    assert kept(tmp_path / FOLDER) == []
    assert delete_all(tmp_path) == 0


def test_an_accepted_roll_names_its_picture_and_orders_it() -> None:
    e = Evening(names=("Ann", "Bo"))
    e.press(I.SCORE)
    e.picture = "abc"
    done = e.throw((1, 2, 3, 4, 5))
    assert e.journal[-1].data["picture"] == "abc"
    assert [(o.name, o.args) for o in done.orders] == [("keep_picture", {"name": "abc"})]
    e.picture = "def"
    e.unreadable((1, 2, 3, 4), "count")
    assert e.journal[-1].data["picture"] == "abc", "what is not accepted keeps none"
