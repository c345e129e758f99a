#!/bin/sh
# Press buttons together, as a person does: press.sh HELD_S CHATTER LINE...
#
# Their contacts close and open CHATTER times before they rest, at both ends; a switch that chatters longer than 20 ms
# is broken. To ground: a button that is down pulls its line low.
set -eu
held=$1 chatter=$2
shift 2
change() {
    to=$1 from=$2
    shift 2
    for line; do
        for pull in /sys/devices/platform/gpio-sim.*/gpiochip*/sim_gpio"$line"/pull; do break; done
        left=$chatter
        while [ "$left" -gt 0 ]; do
            echo "pull-$to" > "$pull"
            echo "pull-$from" > "$pull"
            left=$((left - 1))
        done
        echo "pull-$to" > "$pull"
    done
}
change down up "$@"
sleep "$held"
change up down "$@"
