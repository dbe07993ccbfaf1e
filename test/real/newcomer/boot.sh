#!/bin/sh
# The first process of a machine: boot.sh <disk image> <name>. Runs in its own namespaces (mounts,
# processes, network, names). The machine has the system's packages and its own disk above them; this
# repository, its node_modules and other installations are invisible in it.
set -eu
image=$1
name=$2
disk=$(mktemp -d)
mount -o loop "$image" "$disk"
mkdir -p "$disk/root" "$disk/upper" "$disk/work" "$disk/lodge" "$disk/agent" "$disk/tmp"
chmod 1777 "$disk/tmp"
root=$disk/root
mount -t overlay overlay -o "lowerdir=/,upperdir=$disk/upper,workdir=$disk/work" "$root"
mkdir -p "$root/var/lib/lodge" "$root/var/lib/lodge-agent"
# Not on the overlay: Docker cannot create its own overlay on top of it.
mount --bind "$disk/lodge" "$root/var/lib/lodge"
mount --bind "$disk/agent" "$root/var/lib/lodge-agent"
mount --bind "$disk/tmp" "$root/tmp"
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
mount --rbind /sys/fs/cgroup "$root/sys/fs/cgroup"
mount --rbind /dev "$root/dev"
# Its memory is its own: what programs share in it is gone after a power cut, and never on the test machine.
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
[ ! -d "$root/work" ] || mount -t tmpfs -o mode=755 tmpfs "$root/work"
hostname "$name"
# Not chroot: libvirt goes into the namespace of each machine, and comes to the root that it began with.
mkdir "$root/run/before"
pivot_root "$root" "$root/run/before"
cd /
umount -l /run/before
rmdir /run/before
# shellcheck disable=SC2016
exec /bin/sh -c 'echo up; while :; do sleep 1000 & wait $!; done'
