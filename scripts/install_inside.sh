#!/bin/sh
# What scripts/install_test.sh does inside the fresh system: install, upgrade, roll back, uninstall, each twice.
set -eu
SRC=/src
OUT=/tmp/out
KIND=${KIND:-plain}
checks=0

step() { echo "-- $*"; }
ok() { checks=$((checks + 1)); }
fail() { echo "FAILED: $*"; [ ! -f "$OUT" ] || tail -40 "$OUT"; exit 1; }
# Run with what it says in $OUT, and compare its exit status.
expect() {
    want=$1; shift
    got=0
    "$@" > "$OUT" 2>&1 || got=$?
    [ "$got" = "$want" ] || fail "exit status $got, not $want: $*"
    ok
}
says() { grep -q -- "$1" "$OUT" || fail "it does not say: $1"; ok; }
silent() { ! grep -q -- "$1" "$OUT" || fail "it says: $1"; ok; }
is() { [ "$1" = "$2" ] || fail "$3: $1, not $2"; ok; }
there() { for path in "$@"; do [ -e "$path" ] || fail "missing: $path"; ok; done; }
gone() { for path in "$@"; do [ ! -e "$path" ] || fail "still there: $path"; ok; done; }
install() { expect "$1" sh "$SRC/systemd/install.sh" --platform sim --kind "$KIND" $2; }
releases() { find /opt/dicetable/releases -mindepth 1 -maxdepth 1 | wc -l; }
current() { readlink -f /opt/dicetable/current; }

# A wheel of this checkout with another version; $2 is put into play_command.py.
wheel() {
    rm -rf /tmp/build && mkdir -p /tmp/build /tmp/wheels
    for part in pyproject.toml README.md LICENSE firmware vision display rules hardware; do cp -r "$SRC/$part" /tmp/build/; done
    sed -i "s/^version = .*/version = \"$1\"/" /tmp/build/pyproject.toml
    printf '%s\n' "$2" >> /tmp/build/firmware/play_command.py
    (cd /tmp/build && "$(current)/bin/python" -m pip wheel -q --no-deps --no-build-isolation -w /tmp/wheels .)
}

# As Raspberry Pi OS has it.
mkdir -p /boot/firmware
cmdline="console=tty1 root=PARTUUID=4f1a-02 rootwait quiet"
echo "$cmdline" > /boot/firmware/cmdline.txt

step "a dry run changes nothing"
touch /tmp/before; sleep 1
install 0 --dry-run
says "would build"
gone /opt/dicetable /etc/dicetable /var/lib/dicetable /etc/systemd/system/dicetable.service
is "$(find /etc /usr /opt /var/lib -xdev -newer /tmp/before -type f | wc -l)" 0 "files changed by a dry run"

step "install"
install 0 ""
there /opt/dicetable/current/bin/dicetable /etc/dicetable/dicetable.toml /etc/systemd/system/dicetable.service \
    /etc/systemd/system/multi-user.target.wants/dicetable.service \
    /etc/systemd/system/timers.target.wants/dicetable-backup.timer /etc/udev/rules.d/60-dicetable.rules
is "$(id -nG dicetable | tr ' ' '\n' | sort | xargs)" "audio dicetable gpio input render video" "groups"
is "$(stat -c '%U %a' /var/lib/dicetable)" "dicetable 750" "the data folder"
is "$(stat -c '%U' /opt/dicetable/current/bin/dicetable)" root "who may write the program"
expect 0 dicetable config
grep -q '^platform = "sim"' /etc/dicetable/dicetable.toml || fail "the platform"
says '^data = "/var/lib/dicetable"'
python=/opt/dicetable/current/bin/python
$python -c 'import cv2, numpy, pygame, pydantic, gpiozero' > "$OUT" 2>&1 || fail "imports"
# The wheel of lgpio; Debian 13 has one for ARM only. It makes a file where it is imported.
if $python -c 'import sys; sys.exit(sys.version_info[:2] > (3, 11))'; then
    (cd /tmp && $python -c 'import gpiozero.pins.lgpio') > "$OUT" 2>&1 || fail "lgpio"
fi
expect 0 dicetable backup
first=$(current)

is "$(tr ' ' '\n' < /boot/firmware/cmdline.txt | sort | uniq -d | wc -l)" 0 "words twice on the kernel's command line"
for word in quiet consoleblank=0 rootwait vt.global_cursor_default=0; do
    grep -qw "$word" /boot/firmware/cmdline.txt || fail "the kernel's command line lacks $word"; ok
done
is "$(wc -l < /boot/firmware/cmdline.txt)" 1 "lines of the kernel's command line"
dicetable check --json > "$OUT" || true
silent ENV-0
silent SYS-06

step "install again: nothing to do"
install 0 ""
says "built already"
silent "wrote:"
is "$(current)" "$first" "the version in use"
is "$(releases)" 1 "versions"

step "a game, and a configuration of somebody's own"
cat > /tmp/game.py <<'END'
import sys
from pathlib import Path
from firmware.journal import Journal
from firmware.events import Record
journal = Journal(Path("/var/lib/dicetable/journal.sqlite3"))
token = journal.append([Record("game", {"name": "yardzee", "players": ["Ann"], "options": {}, "first": 0})])
sys.exit(not (journal.wait(token, 20) and journal.close()))
END
expect 0 runuser -u dicetable -- "$python" /tmp/game.py
echo '# mine' >> /etc/dicetable/dicetable.toml
events() { "$(current)/bin/python" -c "import sqlite3; print(sqlite3.connect('/var/lib/dicetable/journal.sqlite3').execute('select count(*) from events').fetchone()[0])"; }
is "$(events)" 1 "events"

step "upgrade, twice"
wheel 9.0.1 ""
install 0 "--wheel /tmp/wheels/dicetable-9.0.1-py3-none-any.whl"
[ "$(current)" != "$first" ] || fail "still the old version"
second=$(current)
is "$(releases)" 2 "versions"
is "$(events)" 1 "events"
tail -1 /etc/dicetable/dicetable.toml | grep -q mine || fail "the configuration was changed"
there /var/lib/dicetable/before-upgrade
install 0 "--wheel /tmp/wheels/dicetable-9.0.1-py3-none-any.whl"
says "built already"
is "$(current)" "$second" "the version in use"

step "a version that does not start never takes its place, twice"
wheel 9.0.2 "raise RuntimeError('broken')"
for _ in 1 2; do
    install 1 "--wheel /tmp/wheels/dicetable-9.0.2-py3-none-any.whl"
    says "broken"
    says "does not start"
    is "$(current)" "$second" "the version in use"
    is "$(releases)" 2 "versions"
    is "$(events)" 1 "events"
done

step "a version that starts in the trial but not as the service is rolled back, twice"
# A stand-in for a running systemd: this version changes the journal, then fails.
mkdir -p /run/systemd/system /usr/local/sbin
cat > /usr/local/sbin/systemctl <<'END'
#!/bin/sh
echo "systemctl $*" >> /tmp/systemctl.log
case "$*" in
    *restart*)
        version=$(/opt/dicetable/current/bin/python -c 'import importlib.metadata as m; print(m.version("dicetable"))')
        [ "$version" = 9.0.3 ] || exit 0
        runuser -u dicetable -- python3 -c "import sqlite3
db = sqlite3.connect('/var/lib/dicetable/journal.sqlite3'); db.execute('pragma user_version=99'); db.commit()"
        exit 1 ;;
    *is-active*) [ -e /tmp/active ] ;;
    *show*) echo playing ;;
    *) exec /usr/bin/systemctl.real "$@" ;;
esac
END
printf '#!/bin/sh\nexit 0\n' > /usr/bin/systemctl.real
chmod +x /usr/local/sbin/systemctl /usr/bin/systemctl.real
wheel 9.0.3 ""
for _ in 1 2; do
    install 2 "--wheel /tmp/wheels/dicetable-9.0.3-py3-none-any.whl"
    says "rolled back"
    says "as it was before the upgrade"
    is "$(current)" "$second" "the version in use"
    is "$(events)" 1 "events"
    is "$(stat -c %U /var/lib/dicetable/journal.sqlite3)" dicetable "whose journal"
    is "$(python3 -c "import sqlite3; print(sqlite3.connect('/var/lib/dicetable/journal.sqlite3').execute('pragma user_version').fetchone()[0] < 99)")" True "the journal's shape"
done
wheel 9.0.4 ""
install 0 "--wheel /tmp/wheels/dicetable-9.0.4-py3-none-any.whl"
says "the table is up: playing"
is "$(releases)" 2 "versions"
rm -rf /run/systemd/system /usr/local/sbin/systemctl

step "uninstall, twice, then all of it"
for _ in 1 2; do
    expect 0 sh "$SRC/systemd/uninstall.sh"
    gone /opt/dicetable /usr/local/bin/dicetable /etc/systemd/system/dicetable.service \
        /etc/systemd/system/multi-user.target.wants/dicetable.service /etc/udev/rules.d/60-dicetable.rules
    there /var/lib/dicetable/journal.sqlite3 /etc/dicetable/dicetable.toml
    is "$(cat /boot/firmware/cmdline.txt)" "$cmdline" "the kernel's command line"
done
for _ in 1 2; do
    expect 0 sh "$SRC/systemd/uninstall.sh" --purge
    gone /var/lib/dicetable /etc/dicetable
    if getent passwd dicetable >/dev/null; then fail "the user is still there"; fi
done

step "$checks checks"
