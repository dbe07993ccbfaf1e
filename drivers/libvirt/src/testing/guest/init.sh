#!/bin/busybox sh
# PID 1 of the test guest. Its output begins with "guest:".
/bin/busybox --install -s /bin
export PATH=/bin HOME=/
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
mkdir -p /dev/pts
mount -t devpts devpts /dev/pts
for module in $(cat /modules/order); do insmod "/modules/$module" 2>/dev/null; done
say() { echo "guest: $*" > /dev/ttyS0; echo "guest: $*" > /dev/tty0 2>/dev/null; }

cmdline=$(cat /proc/cmdline)
firmware=bios secure=no
if [ -d /sys/firmware/efi ]; then
  firmware=uefi
  variables=/sys/firmware/efi/efivars
  mount -t efivarfs efivarfs $variables
  flag=$variables/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c
  [ -f $flag ] && [ "$(tail -c 1 $flag | od -An -tu1 | tr -d ' ')" = 1 ] && secure=yes
fi
tpm=no
[ -c /dev/tpm0 ] && tpm=$(cat /sys/class/tpm/tpm0/tpm_version_major)
memory=$(awk '/^MemTotal/ { print int($2 / 1024) }' /proc/meminfo)
say "booted firmware=$firmware secure=$secure tpm=$tpm cpus=$(grep -c ^processor /proc/cpuinfo) memory=$memory"
for disk in /sys/block/vd* /sys/block/sd*; do
  [ -e "$disk/size" ] && say "disk ${disk##*/} mib=$(($(cat "$disk/size") / 2048))"
done

# The power button; acpid needs this folder.
mkdir -p /etc/acpi/PWRF
printf '#!/bin/sh\n[ -e /run/deaf ] && exit\necho "guest: power button" > /dev/ttyS0\nsync\npoweroff -f\n' > /etc/acpi/PWRF/00000080
chmod +x /etc/acpi/PWRF/00000080
acpid -l /dev/null

ip link set lo up
if [ -d /sys/class/net/eth0 ]; then
  ip link set eth0 up
  cat > /bin/lease <<'LEASE'
#!/bin/sh
[ "$1" = bound ] || exit 0
ip addr add "$ip/$mask" dev eth0
[ -n "$router" ] && ip route replace default via $router
echo "guest: address $ip" > /dev/ttyS0
LEASE
  chmod +x /bin/lease
  udhcpc -i eth0 -s /bin/lease -b -t 20 -T 1 -q > /dev/null 2>&1 &
fi
mkdir -p /www/cgi-bin /run
printf '#!/bin/sh\necho "Content-Type: text/plain"\necho\necho "guest $(hostname) asked by $REMOTE_ADDR"\n' > /www/cgi-bin/who
chmod +x /www/cgi-bin/who
httpd -p 80 -h /www

case "$cmdline" in *lodge.install*)
  zcat /payload.gz | dd of=/dev/vda bs=1M conv=notrunc 2> /dev/null
  sync
  say installed
  poweroff -f
esac

# A cloud-init seed: its host name selects what the guest does.
for drive in /dev/sr? /dev/vd?; do
  [ -b "$drive" ] || continue
  label=$(dd if="$drive" bs=1 skip=32808 count=6 2> /dev/null)
  [ "$label" = CIDATA ] || continue
  mkdir -p /seed
  mount -t iso9660 -o ro "$drive" /seed && break
done
work=none
if [ -f /seed/meta-data ]; then
  hostname "$(sed -n 's/^local-hostname: *//p' /seed/meta-data | tr -d '"')"
  work=$(hostname)
fi
stty -F /dev/ttyS0 -echo -onlcr 2> /dev/null
number=${work#*-}
case "$work" in
  run*) echo ready > /dev/ttyS0 ;;
  deaf*) touch /run/deaf; echo ready > /dev/ttyS0 ;;
  exit*) echo bye > /dev/ttyS0; sync; poweroff -f ;;
  panic*) echo ready > /dev/ttyS0; echo 1 > /proc/sys/kernel/sysrq; echo c > /proc/sysrq-trigger ;;
  reboot*) echo ready > /dev/ttyS0; sleep 1; reboot -f ;;
  print*) i=0; while [ $i -lt "$number" ]; do i=$((i + 1)); echo "line $i"; done > /dev/ttyS0 ;;
  echo*) echo ready > /dev/ttyS0; exec cat < /dev/ttyS0 > /dev/ttyS0 ;;
esac
say ready
while :; do setsid cttyhack sh < /dev/ttyS0 > /dev/ttyS0 2>&1; done
