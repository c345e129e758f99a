#!/bin/sh
# In a root file system of its own: Debian's kernel, unpacked, and two modules that it lacks, built. Leaves them in /out.
#
# gpio-sim (lines that can be pulled by a test) is in the kernel's source but not in Debian's kernels; v4l2loopback (a
# camera that is fed by a test) is a package of its own. Both are GPL: built here, part of nothing that we give away.
set -eu
rm -rf /out/kernel && mkdir -p /out/kernel
apt-get -q update
image=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -1)
version=${image#linux-image-}
apt-get -q -y install --no-install-recommends gcc make kmod xz-utils busybox-static cpio "linux-headers-$version" \
    linux-source-6.1
cd /root
rm -rf unpacked drivers kernel gpio-sim v4l2loopback ./*.deb
apt-get -q download "$image" v4l2loopback-dkms
for deb in ./*.deb; do dpkg-deb -x "$deb" /root/unpacked; done
cp -r "/root/unpacked/lib/modules/$version" /out/kernel/modules
rm -f /out/kernel/modules/build /out/kernel/modules/source
cp "/root/unpacked/boot/vmlinuz-$version" /out/kernel/vmlinuz
cp /bin/busybox /out/kernel/busybox

mkdir -p gpio-sim
tar -xJf /usr/src/linux-source-6.1.tar.xz --strip-components=1 \
    linux-source-6.1/drivers/gpio/gpio-sim.c linux-source-6.1/drivers/gpio/gpiolib.h linux-source-6.1/kernel/irq/irq_sim.c
cp drivers/gpio/gpio-sim.c drivers/gpio/gpiolib.h gpio-sim/
# irq_to_desc is not exported; this is, and gives the same.
sed 's/irq_to_desc(irqnum)/irq_data_to_desc(irq_get_irq_data(irqnum))/' kernel/irq/irq_sim.c > gpio-sim/irq_sim.c
printf 'obj-m := gpio_sim_lines.o\ngpio_sim_lines-y := gpio-sim.o irq_sim.o\n' > gpio-sim/Makefile
make -C "/usr/src/linux-headers-$version" M=/root/gpio-sim modules
cp -r unpacked/usr/src/v4l2loopback-* v4l2loopback
make -C "/usr/src/linux-headers-$version" M=/root/v4l2loopback modules
mkdir -p /out/kernel/modules/extra
cp gpio-sim/*.ko v4l2loopback/*.ko /out/kernel/modules/extra/
echo "$version" > /out/kernel/version
