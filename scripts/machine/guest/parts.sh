#!/bin/sh
# In the machine, before the table starts: a Raspberry Pi's lines, a camera, and a processor that says what it is.
set -eu
# The second disk may be changed for another one later, so nothing runs from it.
mkdir -p /run/guest /run/feed
cp /run/machine/*.sh /run/machine/*.py /run/guest/
cd /run/guest
udevadm settle -t 60
modprobe configfs
modprobe gpio_sim_lines
mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
bank=/sys/kernel/config/gpio-sim/pi
mkdir -p "$bank/lines"
echo 54 > "$bank/lines/num_lines"
echo pinctrl-bcm2711 > "$bank/lines/label"
echo 1 > "$bank/live"
# Nothing is pressed: every line is high.
for pull in /sys/devices/platform/gpio-sim.*/gpiochip*/sim_gpio*/pull; do echo pull-up > "$pull"; done

sh camera.sh
# Dice lie where they lay before the power went.
film=$(sed -n 's/.*film=\([^ ]*\).*/\1/p' /proc/cmdline)
echo "${film:-empty}" > /run/feed/film

# gpiozero looks for a Raspberry Pi in here; the unit's drop-in binds this over /proc/cpuinfo.
{ cat /proc/cpuinfo; printf 'Hardware\t: BCM2711\nRevision\t: c03111\n'; } > /run/cpuinfo
