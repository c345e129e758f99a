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
