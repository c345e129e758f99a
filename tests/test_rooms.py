"""The lines between the rooms, and what no file may do."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("firmware", "vision", "display", "rules", "hardware")
FILES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
SCRIPTS = sorted((ROOT / "scripts").rglob("*.py"))
ALLOWED = {
    "rules": set(),
    "vision": set(),
    "display": set(),
    "hardware": {"vision.types"},
}


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write imports in full"
            yield node.module or ""


def ids(paths: list[Path]) -> list[str]:
    return [str(p.relative_to(ROOT)) for p in paths]


@pytest.mark.parametrize("path", FILES, ids=ids(FILES))
def test_imports_go_one_way(path: Path) -> None:
    room = path.relative_to(ROOT).parts[0]
    if room == "firmware":
        return
    for name in imports(path):
        top = name.split(".")[0]
        if top in ROOMS and top != room:
            assert name in ALLOWED[room], f"{room} must not import {name}"
        if room == "rules":
            assert top == "rules" or top in sys.stdlib_module_names, f"rules imports the standard library only: {name}"
            assert top not in {"time", "datetime", "random", "secrets", "os", "pathlib", "io", "sqlite3"}, (
                f"rules never sees a clock, a file or a random number: {name}"
            )


def test_rules_opens_no_file() -> None:
    for path in FILES:
        if path.relative_to(ROOT).parts[0] == "rules":
            calls = [n for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.Call)]
            assert not [c for c in calls if isinstance(c.func, ast.Name) and c.func.id == "open"], path


@pytest.mark.parametrize("path", FILES + SCRIPTS, ids=ids(FILES + SCRIPTS))
def test_no_windows_of_opencv_and_no_fonts_of_the_system(path: Path) -> None:
    text = path.read_text("utf-8")
    assert not re.search(r"cv2\.(imshow|namedWindow|waitKey|destroyAllWindows)|SysFont", text)


def test_the_wall_clock_is_read_in_one_place() -> None:
    found = [p for p in FILES if re.search(r"\btime\.time\(|datetime\.now\(|date\.today\(", p.read_text("utf-8"))]
    assert ids(found) in ([], ["firmware/journal.py"])


@pytest.mark.parametrize("path", FILES, ids=ids(FILES))
def test_each_file_says_what_room_it_is_in_and_has_one_subject(path: Path) -> None:
    text = path.read_text("utf-8")
    room = path.relative_to(ROOT).parts[0]
    doc = ast.get_docstring(ast.parse(text)) or ""
    assert f"Room: {room}" in doc or path.name == "__init__.py"
    assert text.count("\n") <= 520, "a file has one subject"


def test_the_tables_process_never_imports_opencv() -> None:
    code = (
        "import sys, firmware.play_command, firmware.loop, firmware.eye_service, firmware.platforms, firmware.views, "
        "display.window, firmware.journal, hardware.panel_keys; sys.exit('cv2' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_the_packages_are_listed_one_by_one() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert sorted(project["tool"]["setuptools"]["packages"]) == sorted(ROOMS)
    gpiozero = next(d for d in project["project"]["dependencies"] if d.startswith("gpiozero"))
    assert "!=2.0.1.post1" in gpiozero
    assert "!=2.0.1.post2" in gpiozero


def test_every_code_is_in_the_operators_list() -> None:
    code = "import scripts.codes; print(scripts.codes.page(), end='')"
    made = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert (ROOT / "docs" / "codes.md").read_text("utf-8") == made, "run python scripts/codes.py"


def test_every_code_in_the_source_is_listed() -> None:
    listed = (ROOT / "docs" / "codes.md").read_text("utf-8")
    for path in FILES:
        for code in re.findall(
            r"\b(?:APP|CAL|CAM|CFG|DSP|ENV|GPIO|JRN|READ|REPLAY|VIS)-\d\d\b", path.read_text("utf-8")
        ):
            assert f"`{code}`" in listed, f"{path.name} says {code}"


def test_lock_files_hold_hashes_and_no_host() -> None:
    for name in ("requirements.lock", "requirements-dev.lock"):
        text = (ROOT / name).read_text("utf-8")
        assert "--hash=sha256:" in text
        assert "://" not in text
        named = re.findall(r"^([\w.-]+)==", text, re.M)
        assert {"gpiozero", "opencv-python", "numpy", "pygame", "pydantic"} <= set(named)
