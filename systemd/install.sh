#!/bin/sh
# Make this machine a dice table: packages, a user, the program in /opt/dicetable, services. Run it again to upgrade.
#
#   sudo systemd/install.sh                        install from this checkout, or upgrade to it
#   sudo systemd/install.sh --wheel FILE           the same from a wheel
#        systemd/install.sh --dry-run              say what would be done, and do nothing
#
#   --kind pi|plain        where packages come from. pi: camera, GPIO, SDL and OpenCV from apt, as on Raspberry Pi OS.
#                          plain: everything as wheels. Without it: pi on Raspberry Pi OS, else plain
#   --platform pi|desk|sim the platform for a new configuration. Without it: pi on Raspberry Pi OS, else desk
#   --rotation DEGREES     0, 90, 180 or 270, for a new configuration
#   --screen CONNECTOR     a screen that is switched on later, or never says what it is: HDMI-A-1 is forced to 1280x720
#   --no-boot              leave the kernel's command line alone (no quiet boot, the screen may blank)
#   --no-start             install, but start nothing
#
# Data and configuration are never overwritten. A new version is tried before it takes the place of the old one, and if
# it does not start then either, the old one comes back together with the journal as it was. Two versions are kept.
# docs/install.md tells more. Exit status: 0 done, 1 not done, 2 done but rolled back.
set -eu

OPT=/opt/dicetable
DATA=/var/lib/dicetable
ETC=/etc/dicetable
UNITS=/etc/systemd/system
NAME=dicetable
GROUPS_WANTED="video render input gpio audio"
HERE=$(CDPATH='' cd "$(dirname "$0")" && pwd)

dry=no kind='' platform='' rotation='' wheel='' screen='' boot=yes start=yes

say() { echo "install: $*"; }
die() { echo "install: $*" >&2; exit 1; }
# Do it, or say that it would be done.
run() {
    if [ "$dry" = yes ]; then echo "  would run: $*"; else "$@"; fi
}
# Put standard input into a file, if it differs. $1 file, $2 mode.
put() {
    new=$(cat; echo x)
    old=$(cat "$1" 2>/dev/null || :; echo x)
    if [ "$new" = "$old" ] && [ -e "$1" ]; then return 0; fi
    if [ "$dry" = yes ]; then echo "  would write: $1"; return 0; fi
    mkdir -p "$(dirname "$1")"
    printf '%s' "${new%x}" > "$1.part"
    chmod "$2" "$1.part"
    mv "$1.part" "$1"
    echo "  wrote: $1"
}
booted() { [ -d /run/systemd/system ]; }
is_pi_os() { [ -f /etc/rpi-issue ] || grep -qs raspberrypi /etc/apt/sources.list.d/*; }
as_user() { runuser -u "$NAME" -- env HOME="$DATA" "$@"; }

while [ $# -gt 0 ]; do
    case $1 in
        --dry-run) dry=yes ;;
        --no-boot) boot=no ;;
        --no-start) start=no ;;
        --kind | --platform | --rotation | --wheel | --screen)
            [ $# -ge 2 ] || die "$1 needs a value."
            case $1 in
                --kind) kind=$2 ;;
                --platform) platform=$2 ;;
                --rotation) rotation=$2 ;;
                --wheel) wheel=$2 ;;
                --screen) screen=$2 ;;
            esac
            shift ;;
        -h | --help) sed -n '2,19s/^# \{0,1\}//p' "$0"; exit 0 ;;
        *) die "there is no option $1. Try --help." ;;
    esac
    shift
done

# ---- what is here ----------------------------------------------------------------------------------------------------

if [ "$dry" = no ] && [ "$(id -u)" != 0 ]; then die "needs root: sudo $0"; fi
command -v apt-get >/dev/null || die "needs Debian 12, Debian 13 or Raspberry Pi OS (there is no apt-get here)."
if [ -z "$kind" ]; then if is_pi_os; then kind=pi; else kind=plain; fi; fi
if [ -z "$platform" ]; then if is_pi_os; then platform=pi; else platform=desk; fi; fi
case $kind in pi | plain) ;; *) die "--kind is pi or plain, not $kind." ;; esac
case $platform in pi | desk | sim) ;; *) die "--platform is pi, desk or sim, not $platform." ;; esac
lock=$HERE/requirements-$kind.lock
[ -f "$lock" ] || die "$lock is missing: run install.sh from where the project was unpacked."
if [ -n "$wheel" ]; then
    [ -f "$wheel" ] || die "there is no wheel $wheel."
    wheel=$(CDPATH='' cd "$(dirname "$wheel")" && pwd)/$(basename "$wheel")
elif [ ! -f "$HERE/../pyproject.toml" ]; then
    die "no wheel named, and no checkout around $HERE: use --wheel FILE."
fi
# Whoever calls may stand where the table's user may not look.
cd /
say "kind $kind, platform $platform$([ "$dry" = yes ] && echo ', dry run: nothing is changed')"

# ---- packages of the system ------------------------------------------------------------------------------------------

# espeak-ng speaks for the caller and the spoken mode.
packages="python3 python3-venv ca-certificates espeak-ng"
if [ "$kind" = pi ]; then
    packages="$packages python3-picamera2 python3-lgpio python3-gpiozero python3-pygame python3-opencv python3-numpy"
else
    # pygame-ce's wheel brings SDL; drawing without a desktop takes the system's KMS libraries.
    packages="$packages libgbm1 libegl1 libgles2 libgl1-mesa-dri libdrm2 libudev1 libasound2t64 libasound2"
fi
has() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }
missing=
for p in $packages; do has "$p" || missing="$missing $p"; done
if [ "$kind" = plain ] && { has libasound2 || has libasound2t64; }; then
    missing=$(echo " $missing " | sed 's/ libasound2t64 / /; s/ libasound2 / /')
fi
missing=$(echo "$missing" | xargs)
if [ -n "$missing" ]; then
    say "packages of the system: $missing"
    if [ "$dry" = yes ]; then
        echo "  would run: apt-get update, and apt-get install of those"
    else
        apt-get -q update
        found=
        for p in $missing; do
            if apt-cache policy "$p" | grep -q 'Candidate: [^(]'; then
                found="$found $p"
            elif [ "$p" != libasound2 ] && [ "$p" != libasound2t64 ]; then
                say "NOT to be had here: $p. What needs it will say so (dicetable check)."
            fi
        done
        # On Debian 13 libasound2 is but another name of libasound2t64.
        case $found in *libasound2t64*) found=$(echo "$found " | sed 's/ libasound2 / /') ;; esac
        # shellcheck disable=SC2086
        DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends $found
    fi
else
    say "packages of the system: all there"
fi
if command -v python3 >/dev/null; then
    python3 -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' ||
        die "$(python3 --version) does not fit: Python 3.11 to 3.13 is needed (Debian 12 or 13)."
fi

# ---- the user, and where things lie ----------------------------------------------------------------------------------

for group in $GROUPS_WANTED; do
    getent group "$group" >/dev/null || { say "group $group"; run groupadd --system "$group"; }
done
if ! getent passwd "$NAME" >/dev/null; then
    say "user $NAME"
    run useradd --system --user-group --home-dir "$DATA" --no-create-home --shell /usr/sbin/nologin "$NAME"
fi
run usermod -G "$(echo "$GROUPS_WANTED" | tr ' ' ,)" "$NAME"
run install -d -m 0755 "$OPT" "$OPT/releases" "$ETC"
if [ "$dry" = yes ]; then
    echo "  would make: $DATA"
else
    install -d -m 0750 -o "$NAME" -g "$NAME" "$DATA"
fi

# ---- the program -----------------------------------------------------------------------------------------------------

work=
current=$(readlink -f "$OPT/current" 2>/dev/null || true)
release=''
clean_up() { if [ -n "$work" ]; then rm -rf "$work"; fi; }
trap clean_up EXIT

make_wheel() {
    # A copy is built, so that nothing of root's is left in the checkout.
    mkdir "$work/source"
    for part in pyproject.toml README.md LICENSE firmware vision display rules hardware; do
        cp -r "$HERE/../$part" "$work/source/"
    done
    "$1/bin/python" -m pip wheel -q --disable-pip-version-check --no-deps --no-build-isolation -w "$work" "$work/source"
    wheel=$(echo "$work"/dicetable-*.whl)
}

# What an installation is made of: the same sum means that there is nothing to do.
sum_of() {
    {
        echo "$kind"
        python3 --version
        cat "$lock"
        if [ -n "$wheel" ]; then
            cat "$wheel"
        else
            (cd "$HERE/.." && find pyproject.toml firmware vision display rules hardware -type f ! -name '*.pyc' |
                LC_ALL=C sort | xargs sha256sum)
        fi
    } | sha256sum | cut -c1-12
}

build() {
    work=$(mktemp -d)
    sum=$(sum_of)
    release=$(find "$OPT/releases" -mindepth 1 -maxdepth 1 -name "*-$sum")
    if [ -n "$release" ] && [ -f "$release/.complete" ]; then
        say "the program: $(basename "$release") is built already"
        return 0
    fi
    number=$(find "$OPT/releases" -mindepth 1 -maxdepth 1 -printf '%f\n' | sed 's/-.*//' | sort -n | tail -1)
    number=${number:-0}
    release=$OPT/releases/$((number + 1))-$sum
    say "the program: building $release"
    rm -rf "$release"
    if [ "$kind" = pi ]; then
        python3 -m venv --system-site-packages "$release"
    else
        python3 -m venv "$release"
    fi
    pip="$release/bin/python -m pip install -q --disable-pip-version-check --no-input"
    # With hashes, and only what is built already: nothing is compiled here.
    $pip --ignore-installed --require-hashes --only-binary :all: -r "$lock"
    [ -n "$wheel" ] || make_wheel "$release"
    $pip --no-deps --no-index "$wheel"
    mkdir -p "$release/doc"
    for page in "$HERE"/../docs/*.md; do [ -f "$page" ] && cp "$page" "$release/doc/"; done
    echo "$kind" > "$release/.kind"
    # It must start once, as the user that will run it, before it may take the place of anything.
    say "the program: trying whether it starts"
    cp "$HERE/trial.py" "$release/"
    trial=$(as_user mktemp -d /tmp/dicetable-trial.XXXXXX)
    if ! as_user python3 "$release/trial.py" "$release/bin/dicetable" "$trial"; then
        rm -rf "$trial" "$release"
        die "the new version does not start, see above. Nothing was changed$([ -z "$current" ] || echo "; the old one stays")."
    fi
    rm -rf "$trial"
    touch "$release/.complete"
}

point_to() { ln -sfn "$1" "$OPT/current.part" && mv -T "$OPT/current.part" "$OPT/current"; }

if [ "$dry" = yes ]; then
    echo "  would build: $OPT/releases/NEW from $lock and ${wheel:-this checkout}, and try whether it starts"
else
    build
fi

# ---- configuration, rules of devices, units --------------------------------------------------------------------------

if [ "$dry" = no ] && [ ! -e "$ETC/dicetable.toml" ]; then
    chosen="--set platform=$platform --set data=$DATA"
    [ -z "$rotation" ] || chosen="$chosen --set screen.rotation=$rotation"
    # shellcheck disable=SC2086
    "$release/bin/dicetable" config --defaults $chosen | put "$ETC/dicetable.toml" 0644
elif [ "$dry" = yes ]; then
    echo "  would write: $ETC/dicetable.toml, if there is none"
fi
put /etc/udev/rules.d/60-dicetable.rules 0644 <<'END'
# The table's user is in these groups. Raspberry Pi OS has such rules; Debian leaves the lines to root.
SUBSYSTEM=="gpio", KERNEL=="gpiochip*", GROUP="gpio", MODE="0660"
SUBSYSTEM=="dma_heap", GROUP="video", MODE="0660"
END
put /etc/systemd/journald.conf.d/dicetable.conf 0644 <<'END'
# The log must never fill the card.
[Journal]
SystemMaxUse=100M
RuntimeMaxUse=30M
END
for unit in dicetable.service dicetable-backup.service dicetable-backup.timer \
    dicetable-poweroff.path dicetable-poweroff.service; do
    put "$UNITS/$unit" 0644 < "$HERE/$unit"
done
put /usr/local/bin/dicetable 0755 <<'END'
#!/bin/sh
# The table's commands, with the table's configuration, as the table's user if root asks.
export DICETABLE_CONFIG="${DICETABLE_CONFIG:-/etc/dicetable/dicetable.toml}"
program=/opt/dicetable/current/bin/dicetable
if [ "$(id -u)" != 0 ]; then exec "$program" "$@"; fi
set -- runuser -u dicetable -- env HOME=/var/lib/dicetable DICETABLE_CONFIG="$DICETABLE_CONFIG" "$program" "$@"
# Only root may read the log of a service.
case " $* " in
    *"/dicetable diag --bundle"*) journalctl -q -u dicetable -n 400 --no-pager -o short-iso 2>&1 | "$@" --log - ;;
    *) exec "$@" ;;
esac
END

# ---- quiet boot, a screen that doesn't blank, HDMI that is absent at boot --------------------------------------------

KERNEL_WORDS="quiet loglevel=3 consoleblank=0 logo.nologo vt.global_cursor_default=0"
[ -z "$screen" ] || KERNEL_WORDS="$KERNEL_WORDS video=$screen:1280x720@60D"
if [ "$boot" = yes ]; then
    if [ -f /boot/firmware/cmdline.txt ]; then
        line=$(head -1 /boot/firmware/cmdline.txt)
        for word in $KERNEL_WORDS; do
            case " $line " in *" $word "*) ;; *) line="$line $word" ;; esac
        done
        [ "$dry" = yes ] || [ -e /boot/firmware/cmdline.txt.before-dicetable ] ||
            cp /boot/firmware/cmdline.txt /boot/firmware/cmdline.txt.before-dicetable
        echo "$line" | put /boot/firmware/cmdline.txt 0755
    elif [ -d /etc/default/grub.d ] || [ -f /etc/default/grub ]; then
        # shellcheck disable=SC2016
        printf 'GRUB_CMDLINE_LINUX_DEFAULT="$GRUB_CMDLINE_LINUX_DEFAULT %s"\n' "$KERNEL_WORDS" |
            put /etc/default/grub.d/dicetable.cfg 0644
        if command -v update-grub >/dev/null; then run update-grub; fi
    else
        say "no boot loader of Raspberry Pi OS or GRUB here; give the kernel these words: $KERNEL_WORDS"
    fi
fi

# ---- switch over -----------------------------------------------------------------------------------------------------

if [ "$dry" = yes ]; then
    echo "  would point $OPT/current to the new version, enable the units, and $([ $start = yes ] && echo start || echo not start) them"
    exit 0
fi

# systemctl does this without a running systemd as well.
systemctl -q enable dicetable.service dicetable-backup.timer dicetable-poweroff.path
if [ "$current" = "$release" ]; then
    say "the program: $(basename "$release") is the one in use"
fi
saved=$DATA/before-upgrade
if [ -n "$current" ] && [ "$current" != "$release" ] && [ -f "$DATA/journal.sqlite3" ]; then
    # The old version's own copy: a new one may bring the journal to a shape that the old one can't read.
    as_user "$current/bin/dicetable" backup --data "$DATA" --to "$saved" --keep 2
fi
point_to "$release"

come_up() {
    systemctl daemon-reload
    systemctl reset-failed dicetable.service 2>/dev/null || true
    # Type=notify: this waits for the first picture on the screen.
    systemctl restart dicetable.service
}

if booted && [ "$start" = yes ]; then
    udevadm control --reload 2>/dev/null || true
    udevadm trigger --subsystem-match=gpio --subsystem-match=dma_heap 2>/dev/null || true
    systemctl daemon-reload
    systemctl -q start dicetable-backup.timer dicetable-poweroff.path
    if [ "$current" = "$release" ] && systemctl -q is-active dicetable.service; then
        say "the table is running"
    elif come_up; then
        say "the table is up: $(systemctl show -p StatusText --value dicetable.service)"
    elif [ -n "$current" ] && [ "$current" != "$release" ]; then
        say "the new version does not come up; its last words:"
        journalctl -q -u dicetable.service -n 15 --no-pager >&2 || true
        systemctl stop dicetable.service || true
        point_to "$current"
        python3 "$HERE/trial.py" --put-back "$DATA/journal.sqlite3" "$saved"
        rm -rf "$release"
        come_up || say "the old version does not come up either: journalctl -u dicetable, and dicetable check"
        say "rolled back to $(basename "$current"). Nothing is lost."
        exit 2
    else
        say "installed, but the table does not come up. Look at: dicetable check, and journalctl -u dicetable"
        journalctl -q -u dicetable.service -n 15 --no-pager >&2 || true
        exit 1
    fi
else
    say "installed; it starts with the machine, or by: systemctl start dicetable"
fi

# The one in use and the one before it stay.
for old in "$OPT"/releases/*; do
    if [ "$old" != "$release" ] && [ "$old" != "$current" ]; then
        keep=$(find "$OPT/releases" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort -n | tail -2)
        case $keep in *"$(basename "$old")"*) ;; *) say "removing $(basename "$old")"; rm -rf "$old" ;; esac
    fi
done
say "done. dicetable check tells what is missing; dicetable wiring shows where the wires go."
