"""Which parts a platform is made of, and that nothing real is ever replaced by a mock in silence."""

from __future__ import annotations

import sys

import pytest

from firmware.config import CameraConfig, Config
from firmware.platforms import eye_spec, make_camera, make_panel
from hardware.camera import CameraFault
from hardware.faults import PanelFault
from hardware.panel_keys import KeyPanel


@pytest.mark.parametrize(("platform", "kind"), [("sim", "sim"), ("desk", "webcam"), ("pi", "picamera2")])
def test_each_platform_has_its_camera(platform: str, kind: str) -> None:
    assert eye_spec(Config.model_validate({"platform": platform})).kind == kind


def test_a_camera_of_the_configuration_comes_first() -> None:
    camera = CameraConfig(kind="files", source="photos", options={"rate_hz": 10})
    spec = eye_spec(Config(camera=camera))
    assert (spec.kind, spec.options) == ("files", {"rate_hz": 10, "source": "photos"})


def test_a_pi_without_its_parts_is_a_fault_and_not_a_mock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    with pytest.raises(PanelFault) as caught:
        make_panel(Config(platform="pi"), lambda _: None, lambda: 0.0)
    assert caught.value.code == "GPIO-01"
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraFault) as missing:
        make_camera(eye_spec(Config(platform="pi"))).set_up()
    assert missing.value.code == "CAM-04"


def test_keys_stand_for_the_panel_elsewhere() -> None:
    panel, close = make_panel(Config(platform="desk"), lambda _: None, lambda: 0.0)
    assert isinstance(panel, KeyPanel)
    close()
