#!/bin/sh
# Take the table off this machine. Games and configuration stay, unless --purge says otherwise.
#
#   sudo systemd/uninstall.sh [--purge] [--dry-run]
#
# Packages of the system stay as well: other programs may use them by now.
set -eu

NAME=dicetable
dry=no purge=no

say() { echo "uninstall: $*"; }
run() {
    if [ "$dry" = yes ]; then echo "  would run: $*"; else "$@"; fi
}
gone() {
    for path in "$@"; do
        if [ -e "$path" ] || [ -L "$path" ]; then
            if [ "$dry" = yes ]; then echo "  would remove: $path"; else rm -rf "$path"; echo "  removed: $path"; fi
        fi
    done
}

for argument in "$@"; do
    case $argument in
        --dry-run) dry=yes ;;
        --purge) purge=yes ;;
        -h | --help) sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 0 ;;
        *) echo "uninstall: there is no option $argument. Try --help." >&2; exit 1 ;;
    esac
done
if [ "$dry" = no ] && [ "$(id -u)" != 0 ]; then echo "uninstall: needs root: sudo $0" >&2; exit 1; fi

units=
for unit in dicetable-poweroff.path dicetable-poweroff.service dicetable-backup.timer dicetable-backup.service \
    dicetable.service; do
    [ ! -e "/etc/systemd/system/$unit" ] || units="$units $unit"
done
if [ -n "$units" ]; then
    say "services:$units"
    # shellcheck disable=SC2086
    if [ -d /run/systemd/system ]; then run systemctl -q stop $units; fi
    # shellcheck disable=SC2086
    run systemctl -q disable $units
    for unit in $units; do gone "/etc/systemd/system/$unit"; done
    gone /etc/systemd/system/dicetable.service.d
    if [ -d /run/systemd/system ]; then run systemctl daemon-reload; fi
fi
say "the program"
gone /opt/dicetable /usr/local/bin/dicetable /etc/udev/rules.d/60-dicetable.rules \
    /etc/systemd/journald.conf.d/dicetable.conf
if [ -f /boot/firmware/cmdline.txt.before-dicetable ]; then
    say "the kernel's command line, as it was"
    run cp /boot/firmware/cmdline.txt.before-dicetable /boot/firmware/cmdline.txt
    gone /boot/firmware/cmdline.txt.before-dicetable
fi
if [ -f /etc/default/grub.d/dicetable.cfg ]; then
    gone /etc/default/grub.d/dicetable.cfg
    if command -v update-grub >/dev/null; then run update-grub; fi
fi
if [ "$purge" = yes ]; then
    say "games, configuration and user"
    gone /var/lib/dicetable /etc/dicetable
    if getent passwd "$NAME" >/dev/null; then run userdel "$NAME"; fi
    if getent group "$NAME" >/dev/null; then run groupdel "$NAME"; fi
else
    say "kept: games in /var/lib/dicetable, configuration in /etc/dicetable, the user $NAME. --purge removes them."
fi
say "done"
