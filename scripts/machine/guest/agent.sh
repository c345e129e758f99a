#!/bin/sh
# In the machine: run what the harness sends. A line in is a script in base64; a line out is its exit status and what it
# said, in base64 too.
port=/dev/virtio-ports/agent
until [ -e "$port" ]; do sleep 0.2; done
# Once, for both directions: the line can't be opened twice.
exec 3<> "$port" && exec <&3 >&3
cd /run/guest || exit 1
while read -r line; do
    got=0
    said=$(printf %s "$line" | base64 -d | sh 2>&1) || got=$?
    printf '%s %s\n' "$got" "$(printf %s "$said" | base64 -w0)"
done
