#!/bin/sh
# Render hardware/model/table.scad: a picture of the whole and an STL of each part, into build/model.
#
#   scripts/model.sh                               as it is
#   scripts/model.sh lens_height=420 buttons=11    with other measures
#
# Needs openscad (apt install openscad), and xvfb where there is no screen.
set -eu
cd "$(dirname "$0")/.."
if ! command -v openscad >/dev/null; then
    echo "model: openscad is missing. Install it: sudo apt install openscad xvfb" >&2
    exit 1
fi
screen=
if [ -z "${DISPLAY:-}" ] && command -v xvfb-run >/dev/null; then screen="xvfb-run -a"; fi
out=build/model
mkdir -p "$out"
# Each measure is a definition of its own, before the part.
count=$#
while [ "$count" -gt 0 ]; do
    set -- "$@" -D "$1"
    shift
    count=$((count - 1))
done
for part in tray foot mast head ring box lid; do
    openscad -q "$@" -D "part=\"$part\"" -o "$out/$part.stl" hardware/model/table.scad
    [ -s "$out/$part.stl" ] || { echo "model: $part is empty" >&2; exit 1; }
done
$screen openscad -q "$@" --imgsize=1200,900 --camera=0,-20,165,64,0,28,1700 --colorscheme=Tomorrow \
    -o "$out/all.png" hardware/model/table.scad
echo "model: $out/all.png and an STL for each part"
