"""Libraries of the system that Python packages need: which package of Debian brings them.

Room: firmware. Also run by `scripts/setup.sh`, before anything else works, so it imports the standard library only.
"""

from __future__ import annotations

import importlib
import re
import sys

from firmware.errors import Fault

PACKAGES: dict[str, str] = {
    "libGL.so": "libgl1",
    "libEGL.so": "libegl1",
    "libxcb.so": "libxcb1",
    "libxcb-shm.so": "libxcb-shm0",
    "libgthread-2.0.so": "libglib2.0-0",
    "libglib-2.0.so": "libglib2.0-0",
    "libSM.so": "libsm6",
    "libICE.so": "libice6",
    "libXext.so": "libxext6",
    "libX11.so": "libx11-6",
    "libstdc++.so": "libstdc++6",
}
"""Library -> the Debian package that holds it."""


def missing_library(error: ImportError) -> Fault | None:
    """The fault for an import that failed for want of a system library; None if it failed for another reason."""
    found = re.search(r"(lib[\w+.-]+\.so)[.\d]*: cannot open shared object", str(error))
    if not found:
        return None
    library = found.group(1)
    package = PACKAGES.get(library)
    if package is None:
        return Fault("ENV-01", f"the library {library} is missing.", f"Find its package: apt-file search {library}")
    return Fault("ENV-01", f"the library {library} is missing.", f"Install it: sudo apt install {package}")


def main() -> int:
    """Import what the table stands on, and name every missing library with the one line that brings them all."""
    packages: list[str] = []
    for module in ("cv2", "pygame", "numpy", "pydantic", "gpiozero"):
        try:
            importlib.import_module(module)
        except ImportError as error:
            fault = missing_library(error)
            if fault is None:
                print(f"{module} can't be imported: {error}", file=sys.stderr)
                return 1
            packages.append(fault.fix.split()[-1])
    if packages:
        # One library hides the next, so the line names all that an import of OpenCV can ask for.
        print(f"sudo apt install {' '.join(sorted({*packages, 'libgl1', 'libxcb1', 'libglib2.0-0'}))}", file=sys.stderr)
    return 1 if packages else 0


if __name__ == "__main__":
    import os

    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
    sys.exit(main())
