"""Cameras by kind, their faults, and what loading them costs."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest

import hardware
from hardware.camera import CameraFault, Clock
from hardware.cameras import KINDS, open_camera
from hardware.faults import CODES, camera_fault, panel_fault


def test_every_kind_can_be_made_and_torn_down_without_a_device(tmp_path: Path) -> None:
    options = {"sim": {"width": 320, "height": 180}, "files": {"source": tmp_path}, "webcam": {}, "picamera2": {}}
    assert set(options) == set(KINDS)
    for kind in KINDS:
        camera = open_camera(kind, options[kind], Clock(now=lambda: 0.0, wait=lambda seconds: None))
        camera.tell("no such order", {})
        assert camera.grab(0.0) is None
        assert not camera.at_end
        camera.tear_down()
        camera.tear_down()


def test_an_unknown_kind_is_a_fault_that_names_the_others() -> None:
    with pytest.raises(CameraFault, match=r"CAM-12.*'polaroid'.*sim, files, webcam, picamera2"):
        open_camera("polaroid")
    with pytest.raises(TypeError):
        open_camera("sim", {"lens": "wide"})


def test_a_fault_crosses_into_another_process_whole() -> None:
    fault = pickle.loads(pickle.dumps(camera_fault("CAM-03", who=" (pid 7)")))
    assert (fault.code, fault.temporary) == ("CAM-03", True)
    assert "(pid 7)" in fault.words


def test_every_code_in_use_is_listed_and_every_listed_one_says_what_to_do() -> None:
    sources = {path.name: path.read_text() for path in Path(hardware.__file__).parent.glob("*.py")}
    used = {code for text in sources.values() for code in re.findall(r'_fault\(\s*"([A-Z]+-\d\d)"', text)}
    assert used
    assert used <= set(CODES)
    for code, entry in CODES.items():
        assert re.fullmatch(r"(CAM|GPIO|AUD)-\d\d", code)
        assert entry.words[0] != " "
        assert len(entry.words) < 160


def test_fields_must_all_be_given() -> None:
    with pytest.raises(KeyError):
        camera_fault("CAM-07")
    assert panel_fault("GPIO-05", what="two ROLLs").words == "the panel's table is wrong: two ROLLs"


def test_only_the_driver_that_is_asked_for_is_loaded() -> None:
    probe = (
        "import sys\n"
        "from hardware.cameras import open_camera\n"
        "open_camera('picamera2')\n"
        "sys.exit('cv2' in sys.modules or 'gpiozero' in sys.modules or 'picamera2' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", probe], check=True)
