/**
 * Arguments of `unshare` that give a program its own mount namespace, without disks mounted from
 * images. A copy of such a mount would keep the disk of another test busy until the program ends, so
 * that it could be neither replaced nor resized.
 */
export const ownMounts = (...command: readonly string[]): readonly string[] => [
  ...['--mount', '--propagation', 'private', '--', 'sh', '-c', WITHOUT_IMAGES, 'sh'],
  ...command,
]

const WITHOUT_IMAGES = [
  'cat /proc/self/mounts | while read -r device place rest; do',
  'case $device in /dev/loop*) umount --lazy "$place";; esac;',
  'done;',
  'exec "$@"',
].join(' ')
