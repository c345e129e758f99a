#!/bin/sh
# Try systemd/install.sh and uninstall.sh in fresh Debian 12 and 13, made by debootstrap and kept for the next time.
#
#   sudo scripts/install_test.sh [12] [13] [13pi] [12boot]
#
# 12boot boots a Debian 12 in a container (systemd-nspawn) and tries the service, an upgrade and a roll-back in it.
# 13pi is Debian 13 with OpenCV, numpy and pygame from apt, as on Raspberry Pi OS (but without its own packages).
#
# Needs root, debootstrap and a network. Systems and packages lie in ~/.cache/dicetable; nothing of them is committed.
set -eu
here=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/dicetable
[ $# -gt 0 ] || set -- 12 13 13pi 12boot
if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
    echo "install-test: skipped, it needs root and debootstrap (apt install debootstrap)"
    exit 0
fi

base() {
    case $1 in 12) suite=bookworm ;; 13) suite=trixie ;; *) echo "install-test: no Debian $1" >&2; exit 1 ;; esac
    if [ ! -f "$cache/debian$1/.made" ]; then
        echo "install-test: making Debian $1, once"
        mkdir -p "$cache"
        rm -rf "$cache/debian$1"
        debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates,systemd "$suite" "$cache/debian$1" \
            > "$cache/debian$1.log" 2>&1 || { tail -5 "$cache/debian$1.log"; exit 1; }
        printf '#!/bin/sh\nexit 101\n' > "$cache/debian$1/usr/sbin/policy-rc.d"
        chmod +x "$cache/debian$1/usr/sbin/policy-rc.d"
        touch "$cache/debian$1/.made"
    fi
}

one() {
    kind=plain
    how=install
    case $1 in *pi) kind=pi ;; *boot) how=boot ;; esac
    if [ $how = boot ] && ! command -v systemd-nspawn >/dev/null; then
        echo "install-test: $1 skipped, it needs systemd-nspawn (apt install systemd-container)"
        return 0
    fi
    name=$1
    set -- "${1%pi}"
    set -- "${1%boot}"
    base "$1"
    top=$(mktemp -d)
    mkdir "$top/upper" "$top/work" "$top/root" "$cache/apt$1" "$cache/pip" 2>/dev/null || true
    # In a namespace of its own: mounts and whatever still runs there end with it. The base system is never written.
    status=0
    # shellcheck disable=SC2016
    HOW=$how KIND=$kind unshare --mount --pid --fork sh -euc '
        top=$1 cache=$2 here=$3 debian=$4 root=$1/root
        mount -t tmpfs -o mode=0755 tmpfs "$top"
        mkdir "$top/upper" "$top/work" "$root"
        mount -t overlay overlay -o "lowerdir=$cache/debian$debian,upperdir=$top/upper,workdir=$top/work" "$root"
        mkdir -p "$root/root/.cache/pip" "$root/src" "$root/var/cache/apt/archives"
        # A copy: the checkout may be worked on meanwhile.
        (cd "$here" && tar --exclude=__pycache__ -cf - pyproject.toml README.md LICENSE firmware vision display rules \
            hardware docs systemd scripts) | tar -C "$root/src" --no-same-owner -xf -
        # Names, certificates and package indexes as this machine has them.
        for path in /etc/resolv.conf /etc/hosts /etc/ssl/certs /etc/pip.conf /etc/xdg/pip; do
            [ ! -e "$path" ] || { mkdir -p "$root/$(dirname "$path")"; rm -rf "${root:?}$path"; cp -rL "$path" "$root$path"; }
        done
        inside=/src/scripts/install_inside.sh
        [ "$HOW" = install ] || inside="/src/scripts/boot_inside.sh prepare"
        # A namespace within: the container below must find these folders as they were.
        unshare --mount sh -euc "
            mount -t proc proc $root/proc
            mount --rbind /dev $root/dev
            mount --bind $cache/apt$debian $root/var/cache/apt/archives
            mount --bind $cache/pip $root/root/.cache/pip
            exec chroot $root /usr/bin/env -u VIRTUAL_ENV HOME=/root LC_ALL=C.UTF-8 \
                PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin sh $inside"
        [ "$HOW" = boot ] || exit 0
        mount -t proc proc /proc
        timeout 900 systemd-nspawn -q -D "$root" --register=no --keep-unit --bind="$cache/pip:/root/.cache/pip" \
            $(env | grep ^PIP_ | sed s/^/--setenv=/) -b > "$top/console" 2>&1 || true
        cat "$root/root/result" || tail -20 "$top/console"
        grep -q PASSED "$root/root/result"
    ' sh "$top" "$cache" "$here" "$1" || status=$?
    rm -rf "$top"
    if [ $status = 0 ]; then echo "install-test: $name passed"; else echo "install-test: $name FAILED"; fi
    return $status
}

for debian in "$@"; do one "$debian"; done
