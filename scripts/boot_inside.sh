#!/bin/sh
# What scripts/install_test.sh does with the service in a booted system (12boot). Two parts:
#
#   boot_inside.sh prepare     in a chroot: install, make wheels, leave this script to run as a service
#   boot_inside.sh             in the booted system: watchdog, crash, stop, backup, upgrade, roll-back, safe mode
set -eu
SRC=/src
OUT=/tmp/out
checks=0

step() { echo "-- $*"; }
ok() { checks=$((checks + 1)); }
fail() { echo "FAILED: $*"; cat "$OUT" 2>/dev/null || true; journalctl -u dicetable -n 40 --no-pager; exit 1; }
is() { [ "$1" = "$2" ] || fail "$3: $1, not $2"; ok; }
pid() { systemctl show -p MainPID --value dicetable; }
version() { /opt/dicetable/current/bin/python -c 'import importlib.metadata as m; print(m.version("dicetable"))'; }
# Wait until the table runs as another process than $1, for at most $2 seconds.
back() {
    for _ in $(seq "$2"); do
        if [ "$(pid)" != "$1" ] && systemctl -q is-active dicetable; then ok; return 0; fi
        sleep 1
    done
    fail "it is not back after $2 seconds"
}
install() {
    got=0
    sh "$SRC/systemd/install.sh" --platform sim $2 > "$OUT" 2>&1 || got=$?
    is "$got" "$1" "exit status of install.sh $2"
}

if [ "${1:-}" = prepare ]; then
    sh "$SRC/systemd/install.sh" --platform sim > "$OUT" 2>&1 || { cat "$OUT"; exit 1; }
    mkdir -p /wheels
    for made in "9.0.1 " "9.0.3 import os; assert 'RUNTIME_DIRECTORY' not in os.environ, 'not as a service'"; do
        rm -rf /tmp/build && mkdir -p /tmp/build
        for part in pyproject.toml README.md LICENSE firmware vision display rules hardware; do
            cp -r "$SRC/$part" /tmp/build/
        done
        sed -i "s/^version = .*/version = \"${made%% *}\"/" /tmp/build/pyproject.toml
        echo "${made#* }" >> /tmp/build/firmware/play_command.py
        (cd /tmp/build && /opt/dicetable/current/bin/python -m pip wheel -q --no-deps --no-build-isolation -w /wheels .)
    done
    # A container has no screen and no console; all else of the unit stays as it is.
    mkdir -p /etc/systemd/system/dicetable.service.d
    play="/opt/dicetable/current/bin/dicetable play --kiosk --config /etc/dicetable/dicetable.toml --data /var/lib/dicetable"
    printf '%s\n' '[Service]' 'ExecStart=' "ExecStart=$play --offscreen /run/dicetable/shown.png" 'StandardInput=null' \
        'TTYPath=' 'TTYReset=no' 'TTYVHangup=no' 'TTYVTDisallocate=no' > /etc/systemd/system/dicetable.service.d/test.conf
    printf '%s\n' '[Unit]' 'After=multi-user.target' '[Service]' 'Type=oneshot' 'TimeoutStartSec=600' \
        'PassEnvironment=PIP_CERT PIP_FIND_LINKS PIP_DEFAULT_TIMEOUT' 'Environment=HOME=/root' \
        'ExecStart=/bin/sh -c "sh /src/scripts/boot_inside.sh > /root/result 2>&1; systemctl poweroff"' \
        > /etc/systemd/system/probe.service
    mkdir -p /etc/systemd/system/default.target.wants
    ln -sf ../probe.service /etc/systemd/system/default.target.wants/probe.service
    exit 0
fi

step "it runs after boot, and says on what"
for _ in $(seq 60); do if systemctl -q is-active dicetable; then break; fi; sleep 1; done
systemctl -q is-active dicetable || fail "it does not run"
is "$(systemctl show -p StatusText --value dicetable | cut -d, -f1)" playing "status"
is "$(awk '/^CapEff|^CapBnd/ {print $2}' "/proc/$(pid)/status" | sort -u)" 0000000000000000 "capabilities"
is "$(stat -c '%U %a' /run/dicetable)" "dicetable 750" "the runtime folder"

step "a table that stands still is started again by the watchdog"
old=$(pid)
kill -STOP "$old"
back "$old" 60
journalctl -u dicetable --no-pager | grep -q "Failed with result 'watchdog'" || fail "it was not the watchdog"

step "one that is killed comes back"
old=$(pid)
kill -9 "$old"
back "$old" 30

step "it ends within five seconds, and well"
began=$(date +%s%N)
systemctl stop dicetable
took=$((($(date +%s%N) - began) / 1000000))
[ "$took" -lt 5500 ] || fail "it took $took ms"
is "$(systemctl show -p Result --value dicetable)" success "result"
systemctl start dicetable

step "a backup while it runs"
systemctl start dicetable-backup.service || fail "no backup"
is "$(find /var/lib/dicetable/backups -name 'journal-*.sqlite3' | wc -l)" 1 "backups"

step "an upgrade takes its place"
install 0 "--wheel /wheels/dicetable-9.0.1-py3-none-any.whl"
is "$(version)" 9.0.1 "version"
systemctl -q is-active dicetable || fail "it does not run"

step "one that does not come up is rolled back"
install 2 "--wheel /wheels/dicetable-9.0.3-py3-none-any.whl"
is "$(version)" 9.0.1 "version"
systemctl -q is-active dicetable || fail "the old one does not run"

step "two starts that fail lead to safe mode"
echo '[panel]' >> /etc/dicetable/dicetable.toml
echo 'buttons = 7' >> /etc/dicetable/dicetable.toml
systemctl --no-block restart dicetable
sleep 2
back 0 60
grep -q '"fails": 2' /var/lib/dicetable/.incomplete_start || fail "this is not safe mode: $(cat /var/lib/dicetable/.incomplete_start)"
ok

step "the table may ask for the machine to be switched off"
trap 'step "$((checks + 1)) checks PASSED"; exit 0' TERM
runuser -u dicetable -- touch /run/dicetable/poweroff
for _ in $(seq 30); do
    if [ "$(systemctl is-system-running)" = stopping ]; then step "$((checks + 1)) checks PASSED"; exit 0; fi
    sleep 1
done
fail "the machine is still on"
