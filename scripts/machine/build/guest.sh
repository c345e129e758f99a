#!/bin/sh
# In a root file system of its own: make it the machine. The table is installed as its users install it; around it comes
# only what a bare Debian needs to boot, what stands in for parts, and what the harness talks to.
set -eu
apt-get -q update
apt-get -q -y install --no-install-recommends systemd-sysv udev kmod dbus sqlite3 procps v4l2loopback-utils gpiod

# ---- the table, as docs/install.md says ------------------------------------------------------------------------------

sh /src/systemd/install.sh --kind plain --platform pi

# Versions to come, built here and put aside: one that is good, and one that starts in a trial but not as the service.
# An emulated processor would build for minutes; to switch, to start and to go back is left to it.
first=$(readlink /opt/dicetable/current)
mkdir -p /wheels /opt/built
for made in "9.0.1 " "9.0.3 import os; assert 'RUNTIME_DIRECTORY' not in os.environ, 'not as a service'"; do
    rm -rf /tmp/build && mkdir -p /tmp/build
    for part in pyproject.toml README.md LICENSE firmware vision display rules hardware; do cp -r "/src/$part" /tmp/build/; done
    sed -i "s/^version = .*/version = \"${made%% *}\"/" /tmp/build/pyproject.toml
    echo "${made#* }" >> /tmp/build/firmware/play_command.py
    (cd /tmp/build && "$first/bin/python" -m pip wheel -q --no-deps --no-build-isolation -w /wheels .)
    sh /src/systemd/install.sh --platform pi --wheel "/wheels/dicetable-${made%% *}-py3-none-any.whl"
    mv "$(readlink /opt/dicetable/current)" /opt/built/
    ln -sfn "$first" /opt/dicetable/current
done
rm -rf /tmp/build

# What its owner writes into the configuration: two players by name, a webcam over the tray, no loudspeaker.
dicetable config --defaults --set platform=pi --set data=/var/lib/dicetable --set 'names=["Ann", "Bo"]' \
    --set camera.kind=webcam --set camera.source=/dev/video0 \
    --set 'camera.options={ width = 640, height = 360, rate_hz = 6 }' \
    --set sound.on=false --set screen.reduced_motion=true > /root/dicetable.toml
mv /root/dicetable.toml /etc/dicetable/dicetable.toml
dicetable config > /dev/null

# ---- the machine around it -------------------------------------------------------------------------------------------

version=$(cat /out/kernel/version)
mkdir -p "/lib/modules/$version"
cp -r /out/kernel/modules/. "/lib/modules/$version/"
depmod "$version"
# Nothing but the table runs here, nothing waits for a network, and an emulated processor starts nothing in vain.
for unit in apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service \
    fstrim.timer systemd-tmpfiles-clean.timer systemd-pstore.service serial-getty@ttyS0.service systemd-logind.service \
    systemd-update-utmp.service systemd-update-utmp-runlevel.service dev-hugepages.mount dev-mqueue.mount \
    sys-kernel-debug.mount sys-kernel-tracing.mount sys-fs-fuse-connections.mount systemd-random-seed.service systemd-tmpfiles-setup.service \
    systemd-modules-load.service \
    systemd-sysusers.service systemd-journal-flush.service; do
    ln -sf /dev/null "/etc/systemd/system/$unit"
done
# Only devices that somebody here uses are looked at; all of them take an emulated processor half a minute.
mkdir -p /etc/systemd/system/systemd-udev-trigger.service.d
cat > /etc/systemd/system/systemd-udev-trigger.service.d/few.conf <<'END'
[Service]
ExecStart=
ExecStart=udevadm trigger --action=add --subsystem-match=pci --subsystem-match=virtio --subsystem-match=virtio-ports --subsystem-match=block --subsystem-match=drm --subsystem-match=input
END
echo dicetable > /etc/hostname
echo 4f1a4f1a4f1a4f1a4f1a4f1a4f1a4f1a > /etc/machine-id
echo '/dev/vda / ext4 defaults,noatime 0 1' > /etc/fstab
rm -f /usr/sbin/policy-rc.d

# Parts that are simulated, and the harness's ear. Both come from the second disk, so that neither needs a new image.
cat > /etc/systemd/system/machine-parts.service <<'END'
[Unit]
Description=Lines, camera and processor of the emulated machine
DefaultDependencies=no
After=systemd-udevd.service local-fs.target
Before=dicetable.service
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStartPre=/bin/mkdir -p /run/machine
ExecStartPre=/bin/mount -o ro /dev/vdb /run/machine
ExecStart=/bin/sh /run/machine/parts.sh
[Install]
WantedBy=multi-user.target
END
cat > /etc/systemd/system/machine-agent.service <<'END'
[Unit]
Description=The harness's ear
DefaultDependencies=no
StartLimitIntervalSec=0
After=machine-parts.service
Requires=machine-parts.service
[Service]
ExecStart=/bin/sh /run/guest/agent.sh
Restart=always
RestartSec=1s
Nice=-10
[Install]
WantedBy=multi-user.target
END
cat > /etc/systemd/system/machine-camera.service <<'END'
[Unit]
Description=What the emulated camera sees
DefaultDependencies=no
After=machine-parts.service
Requires=machine-parts.service
[Service]
ExecStart=/usr/bin/python3 /run/guest/feed.py /dev/video0
Nice=-10
[Install]
WantedBy=multi-user.target
END
systemctl -q enable machine-parts.service machine-agent.service machine-camera.service
# The unit as it is, on a processor that gpiozero knows. Threads that wake up a thousand times a second (lgpio's) are let
# sleep for up to 4 ms longer: to wake up costs an emulated processor far more than a real one.
mkdir -p /etc/systemd/system/dicetable.service.d
cat > /etc/systemd/system/dicetable.service.d/emulated.conf <<'END'
[Service]
TimerSlackNSec=4ms
BindReadOnlyPaths=/run/cpuinfo:/proc/cpuinfo
END
find /src -mindepth 1 -maxdepth 1 ! -name systemd ! -name docs -exec rm -rf {} +
