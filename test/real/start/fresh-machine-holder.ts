// The process that keeps the mount namespace of a fresh machine: `fresh-machine-holder.ts
// <folder>`. It ends, with everything in its network namespace, as soon as its standard input is
// closed.
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { holdNamespaces, must } from '../../../drivers/contract/src/suite/held-namespace.ts'

const folder = process.argv[2] ?? ''
/** libvirt's folders, of which only the contents of its packages are kept. */
const RUNTIME = ['/var/lib/libvirt', '/var/cache/libvirt', '/var/log/libvirt']

/** Folders with their owners and modes, without their contents. */
function copyFolders(from: string, to: string): void {
  const { mode, uid, gid } = statSync(from)
  mkdirSync(to, { recursive: true })
  chmodSync(to, mode)
  chownSync(to, uid, gid)
  for (const entry of readdirSync(from, { withFileTypes: true }))
    if (entry.isDirectory()) copyFolders(path.join(from, entry.name), path.join(to, entry.name))
}

function cover(place: string, make: (to: string) => void): void {
  const to = path.join(folder, path.basename(path.dirname(place)) + path.basename(place))
  make(to)
  must('mount', '--bind', to, place)
}

for (const place of RUNTIME) cover(place, (to) => copyFolders(place, to))
cover('/etc/libvirt', (to) => must('cp', '-a', '/etc/libvirt', to))
// As after a reboot.
must('mount', '-t', 'tmpfs', '-o', 'mode=755', 'tmpfs', '/run')
// A network namespace has its own devices; control groups stay where they are.
const groups = path.join(folder, 'groups')
mkdirSync(groups)
must('mount', '--rbind', '/sys/fs/cgroup', groups)
must('mount', '-t', 'sysfs', 'sysfs', '/sys')
must('mount', '--rbind', groups, '/sys/fs/cgroup')
must('umount', '--lazy', groups)
holdNamespaces()
