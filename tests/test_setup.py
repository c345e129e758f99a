"""What the set-up says where something of the system is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from firmware.libraries import PACKAGES, missing_library

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize(
    ("library", "package"),
    [("libGL.so.1", "libgl1"), ("libxcb.so.1", "libxcb1"), ("libgthread-2.0.so.0", "libglib2.0-0")],
)
def test_a_missing_library_is_named_with_the_line_that_brings_it(library: str, package: str) -> None:
    error = ImportError(f"{library}: cannot open shared object file: No such file or directory")
    fault = missing_library(error)
    assert fault is not None
    assert fault.code == "ENV-01"
    assert fault.fix.endswith(f"sudo apt install {package}")
    assert set(PACKAGES.values()) >= {package}


def test_another_import_error_is_not_explained_away() -> None:
    assert missing_library(ImportError("No module named 'cv3'")) is None


def run_setup(folder: Path, python: str) -> subprocess.CompletedProcess[str]:
    """Run the set-up of a copy of the project that has no .venv, with `python` as a stand-in for the interpreter."""
    (folder / "scripts").mkdir()
    for name in ("scripts/setup.sh", "requirements.lock", "requirements-dev.lock", "pyproject.toml"):
        shutil.copy(ROOT / name, folder / name)
    fake = folder / "python"
    fake.write_text(python)
    fake.chmod(0o755)
    return subprocess.run(
        ["sh", str(folder / "scripts" / "setup.sh")],
        env={**os.environ, "PYTHON": str(fake)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_the_venv_module_it_names_the_package(tmp_path: Path) -> None:
    done = run_setup(tmp_path, '#!/bin/sh\ncase "$2" in *ensurepip*) exit 1 ;; esac\nexit 0\n')
    assert done.returncode == 1
    assert "sudo apt install python3-venv" in done.stderr
    assert not (tmp_path / ".venv").exists()


def test_without_a_python_that_fits_it_says_so(tmp_path: Path) -> None:
    done = run_setup(tmp_path, "#!/bin/sh\nexit 1\n")
    assert done.returncode == 1
    assert "Python 3.11" in done.stderr
