"""The machine's image: Debian, kernel, the table as its users install it. Made once, kept outside the project.

Part of the machine harness. The steps are shell scripts in build/; here is their order, and when one must be done
again.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dicetable"
IMAGE = CACHE / "machine" / "out"
SOURCE = CACHE / "machine" / "project"
"""The project as it is in the image; the twin is made of it, so that both are the same table."""
TOOLS = ("qemu-system-x86_64", "qemu-img", "debootstrap", "mke2fs", "modprobe", "unshare", "cpio")
PACKAGES = "qemu-system-x86 qemu-utils seabios ipxe-qemu debootstrap kmod e2fsprogs util-linux cpio"
PARTS = (
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "firmware",
    "vision",
    "display",
    "rules",
    "hardware",
    "systemd",
    "docs",
)


def lacking() -> str:
    """Why no image can be made or run here; "" if it can."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        return f"{', '.join(missing)} missing (apt install {PACKAGES})"
    return "" if os.geteuid() == 0 else "root is needed, for chroot and mounts"


def wanted() -> str:
    """The sum of all that the image is made of."""
    digest = hashlib.sha256()
    files = [HERE / "build" / name for name in ("base.sh", "inside.sh", "kernel.sh", "guest.sh", "boot.sh")]
    for part in PARTS:
        path = PROJECT / part
        files += sorted(f for f in path.rglob("*") if f.is_file() and f.suffix != ".pyc") if path.is_dir() else [path]
    for file in files:
        if "docs" not in file.parts:
            digest.update(f"{file.relative_to(PROJECT)}\0".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def cached() -> str:
    """The sum of what the cached image was made of; "" if there is none."""
    made = IMAGE / "made-of"
    return made.read_text().strip() if made.exists() else ""


def make(say: Callable[[str], None]) -> None:
    """Make what is missing. Raises CalledProcessError; what a step says is in CACHE/machine/NAME.log."""
    place = CACHE / "machine"
    place.mkdir(parents=True, exist_ok=True)
    base = CACHE / "debian12"
    _step("base", say, "a Debian 12", base)
    if not (IMAGE / "kernel" / "version").exists():
        say("the kernel and two modules (once)")
        _fresh(base, place / "workshop")
        _inside("kernel", place / "workshop", PROJECT)
    sum_ = wanted()
    if cached() == sum_:
        return
    say("installing the table into it")
    (IMAGE / "made-of").unlink(missing_ok=True)
    shutil.rmtree(SOURCE, ignore_errors=True)
    SOURCE.mkdir()
    for part in PARTS:
        path = PROJECT / part
        skip = shutil.ignore_patterns("__pycache__")
        shutil.copytree(path, SOURCE / part, ignore=skip) if path.is_dir() else shutil.copy(path, SOURCE / part)
    _fresh(base, place / "root")
    _inside("guest", place / "root", SOURCE)
    _step("boot", say, "its disk", place / "root", IMAGE)
    (IMAGE / "made-of").write_text(sum_ + "\n")


def _fresh(base: Path, root: Path) -> None:
    subprocess.run(["rm", "-rf", "--one-file-system", str(root)], check=True)
    subprocess.run(["cp", "-a", str(base), str(root)], check=True)


def _inside(name: str, root: Path, project: Path) -> None:
    script = HERE / "build" / f"{name}.sh"
    _run(name, "sh", HERE / "build" / "inside.sh", root, CACHE / "machine", script, project)


def _step(name: str, say: Callable[[str], None], what: str, *arguments: Path) -> None:
    say(what)
    _run(name, "sh", HERE / "build" / f"{name}.sh", *arguments)


def _run(name: str, *command: str | Path) -> None:
    with (CACHE / "machine" / f"{name}.log").open("wb") as log:
        subprocess.run([str(part) for part in command], check=True, stdout=log, stderr=log)
