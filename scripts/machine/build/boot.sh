#!/bin/sh
# On the host: an initial RAM disk that mounts the root, and the root as a disk. boot.sh ROOT OUT
set -eu
root=$1 out=$2
version=$(cat "$out/kernel/version")
ram=$(mktemp -d)
trap 'rm -rf "$ram"' EXIT
mkdir -p "$ram/bin" "$ram/modules" "$ram/root" "$ram/proc" "$ram/dev"
cp "$out/kernel/busybox" "$ram/bin/"
# In the order in which they must be loaded.
for name in virtio_pci virtio_blk ext4; do
    modprobe -d "$root" -S "$version" --show-depends "$name" | sed -n 's/^insmod \([^ ]*\).*/\1/p'
done | awk '!seen[$0]++' > "$ram/list"
: > "$ram/modules/order"
while read -r path; do
    cp "$path" "$ram/modules/"
    basename "$path" >> "$ram/modules/order"
done < "$ram/list"
rm "$ram/list"
cat > "$ram/init" <<'END'
#!/bin/busybox sh
/bin/busybox mount -t devtmpfs dev /dev
while read -r name; do /bin/busybox insmod "/modules/$name"; done < /modules/order
/bin/busybox mount -t proc proc /proc
show=$(/bin/busybox sed -n 's/.*show=\([^ ]*\).*/\1/p' /proc/cmdline)
/bin/busybox umount /proc
# What was being written when the power went is put right here, as on any machine.
/bin/busybox mount -t ext4 -o rw,noatime /dev/vda /root || exec /bin/busybox sh
if [ -n "$show" ]; then
    # Only to look at what is on the disk: these files go out over the serial line, and that is all.
    for file in /root$show*; do
        [ ! -f "$file" ] || { echo "<<< ${file##*/}"; /bin/busybox base64 "$file"; echo ">>>"; } > /dev/ttyS0
    done
    /bin/busybox umount /root
    /bin/busybox poweroff -f
fi
/bin/busybox mount --move /dev /root/dev
exec /bin/busybox switch_root /root /sbin/init
END
chmod +x "$ram/init" "$ram/bin/busybox"
(cd "$ram" && find . | cpio -o -H newc --quiet | gzip -1) > "$out/initrd.part"
mv "$out/initrd.part" "$out/initrd"
rm -f "$out/root.raw"
mke2fs -q -t ext4 -L root -d "$root" "$out/root.raw" 3G
qemu-img convert -O qcow2 "$out/root.raw" "$out/root.qcow2.part"
rm "$out/root.raw"
mv "$out/root.qcow2.part" "$out/root.qcow2"
