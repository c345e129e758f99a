#!/bin/sh
# What these lines carry, as the lamps on them would show: lines.sh LINE...
for line; do
    printf '%s=%s\n' "$line" "$(cat /sys/devices/platform/gpio-sim.*/gpiochip*/sim_gpio"$line"/value)"
done
