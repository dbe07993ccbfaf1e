// The process that holds the namespaces of a test node: `holder.ts <folder>`. When its standard
// input is closed, it kills everything in its network namespace and exits.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { holdNamespaces, must } from '@lodge/driver/suite/held-namespace.ts'

const folder = process.argv[2] ?? ''

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
holdNamespaces()
