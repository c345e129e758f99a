#!/bin/sh
# Write the lock files anew from pyproject.toml: every package with its hashes, for Python 3.11 to 3.13.
# Needs uv (python3 -m pip install uv). Read the difference before committing it.
set -eu
cd "$(dirname "$0")/.."
uv=${UV:-uv}
common="--universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-emit-find-links --no-annotate --quiet"
mkdir -p build
printf 'setuptools>=77\n' > build/lock.in
# shellcheck disable=SC2086
$uv pip compile $common pyproject.toml build/lock.in -o requirements.lock
# shellcheck disable=SC2086
$uv pip compile $common --extra dev -c requirements.lock pyproject.toml build/lock.in -o requirements-dev.lock

# What systemd/install.sh installs. On a Raspberry Pi everything that is built against the system comes from apt, so the
# list must not even name it; elsewhere an environment of wheels has all of it.
printf '%s\n' 'pydantic>=2.7' 'platformdirs>=4' 'setuptools>=77' > build/pi.in
# lgpio has no wheel for Python 3.13; there Adafruit builds the same for the processors that have lines.
printf '%s\n' 'pydantic>=2.7' 'platformdirs>=4' 'setuptools>=77' 'numpy>=1.26' 'opencv-python-headless>=4.10' \
    'pygame-ce>=2.5' 'gpiozero>=2.0,!=2.0.1.post1,!=2.0.1.post2' "lgpio>=0.2.2 ; python_version < '3.12'" \
    "adafruit-lgpio>=0.2.2 ; python_version >= '3.13' and platform_machine == 'aarch64'" > build/plain.in
for kind in pi plain; do
    # shellcheck disable=SC2086
    $uv pip compile $common -c requirements.lock "build/$kind.in" -o "systemd/requirements-$kind.lock"
done
