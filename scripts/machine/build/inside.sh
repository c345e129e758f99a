#!/bin/sh
# Run a shell script in a root file system: inside.sh ROOT CACHE SCRIPT PROJECT. Mounts end with it.
#
# The script sees the project in /src, packages that were fetched before, and names and certificates as this machine
# has them. What it writes elsewhere stays in ROOT.
set -eu
root=$1 cache=$2 script=$3 project=$4
for path in /etc/resolv.conf /etc/hosts /etc/ssl/certs /etc/pip.conf; do
    [ ! -e "$path" ] || { mkdir -p "$root$(dirname "$path")"; rm -rf "${root:?}$path"; cp -rL "$path" "$root$path"; }
done
mkdir -p "$cache/apt" "$cache/pip" "$cache/out" "$root/src" "$root/out" "$root/root/.cache/pip"
cp "$script" "$root/root/step.sh"
# A copy: the checkout may be worked on meanwhile.
(cd "$project" && tar --exclude=__pycache__ -cf - pyproject.toml README.md LICENSE firmware vision display rules hardware \
    docs systemd) | tar -C "$root/src" --no-same-owner -xf -
# shellcheck disable=SC2016
exec unshare --mount --pid --fork sh -euc '
    root=$1 cache=$2
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --bind "$cache/apt" "$root/var/cache/apt/archives"
    mount --bind "$cache/pip" "$root/root/.cache/pip"
    mount --bind "$cache/out" "$root/out"
    exec chroot "$root" /usr/bin/env -u VIRTUAL_ENV HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin sh /root/step.sh' sh "$root" "$cache"
