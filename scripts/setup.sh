#!/bin/sh
# Make .venv with everything that playing and testing need. Needs no root. A second run takes seconds.
#
#   scripts/setup.sh          what `make play` needs
#   scripts/setup.sh dev      what `make test` needs as well
#
# PYTHON chooses the interpreter; without it, the newest of 3.13, 3.12 and 3.11 that runs.
set -eu
cd "$(dirname "$0")/.."
kind=${1:-play}

fits() { "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' >/dev/null 2>&1; }

lock=requirements.lock
[ "$kind" = dev ] && lock=requirements-dev.lock
want=$(cat requirements.lock requirements-dev.lock pyproject.toml scripts/setup.sh | cksum)
for done in .venv/.installed-dev ".venv/.installed-$kind"; do
    if [ -f "$done" ] && [ "$(cat "$done")" = "$want" ] && fits .venv/bin/python; then
        exit 0
    fi
done

python=
for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
    if fits "$candidate"; then python=$candidate; break; fi
done
if [ -z "$python" ]; then
    echo "No Python 3.11, 3.12 or 3.13 found. Install one: sudo apt install python3 python3-venv" >&2
    exit 1
fi

if ! fits .venv/bin/python; then
    rm -rf .venv
    if ! "$python" -c 'import venv, ensurepip' >/dev/null 2>&1; then
        echo "Python's venv module is missing. Install it: sudo apt install python3-venv" >&2
        exit 1
    fi
    echo "Making .venv with $("$python" --version)"
    "$python" -m venv .venv
fi

echo "Installing what $lock lists"
.venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r "$lock"
.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .

if ! line=$(PYTHONPATH=. .venv/bin/python -m firmware.libraries 2>&1); then
    echo "A library of the system is missing. Install it with this line, then run make again:" >&2
    echo "  $line" >&2
    exit 1
fi
echo "$want" > ".venv/.installed-$kind"
