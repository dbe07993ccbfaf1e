/**
 * Arguments of `unshare` after its own options: mounts of its own for a program, without the disks
 * that are mounted from images. A copy of such a mount would keep the disk of another test in use,
 * which then could neither be exchanged nor resized, until the program ends.
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
