#!/bin/sh
# What these lines carry, as the lamps on them would show: lines.sh LINE...
for line; do
    for file in /sys/devices/platform/gpio-sim.*/gpiochip*/sim_gpio"$line"/value; do read -r value < "$file"; done
    printf '%s=%s\n' "$line" "$value"
done
