#!/bin/sh
# A fresh Debian 12 in $1, and nothing of ours in it. The same one that scripts/install_test.sh makes and keeps.
set -eu
base=$1
[ ! -f "$base/.made" ] || exit 0
rm -rf "$base"
debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates,systemd bookworm "$base"
# Nothing is started while packages are installed.
printf '#!/bin/sh\nexit 101\n' > "$base/usr/sbin/policy-rc.d"
chmod +x "$base/usr/sbin/policy-rc.d"
touch "$base/.made"
