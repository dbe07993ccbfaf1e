// The process that holds the namespaces of a test node: `holder.ts <folder>`. When its standard
// input is closed, it kills everything in its network namespace and exits.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'

const folder = process.argv[2] ?? ''

function must(file: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(file, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${file} ${args.join(' ')}: ${error?.message ?? stderr}`)
}

for (const [from, to] of [
  ['run', '/run/libvirt'],
  ['varlib', '/var/lib/libvirt'],
  ['cache', '/var/cache/libvirt'],
  ['etc', '/etc/libvirt'],
  ['log', '/var/log/libvirt'],
] as const) {
  mkdirSync(to, { recursive: true })
  must('mount', '--bind', `${folder}/${from}`, to)
}
// A KVM device that cannot run a guest would make libvirt probe it again on every call.
if (readdirSync('/dev').includes('kvm')) must('mount', '--bind', `${folder}/no-kvm`, '/dev/kvm')
// A fresh sysfs shows the devices of this network namespace; cgroups are left out.
must('mount', '-t', 'sysfs', 'sysfs', '/sys')
must('ip', 'link', 'set', 'lo', 'up')
writeFileSync('/proc/sys/net/ipv4/ip_forward', '1')
process.stdout.write('ready\n')
process.on('SIGINT', () => {})
process.stdin.resume()
process.stdin.on('end', () => {
  const own = readlinkSync('/proc/self/ns/net')
  for (let left = true; left; ) {
    left = false
    for (const pid of readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)) {
      if (pid === process.pid || namespaceOf(pid) !== own) continue
      try {
        process.kill(pid, 'SIGKILL')
        left = true
      } catch {
        // Already gone.
      }
    }
  }
  process.exit(0)
})

/** Null for a process that has exited, even if it is still a zombie. */
function namespaceOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`)
  } catch {
    return null
  }
}
